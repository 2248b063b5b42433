"""What stands around a chart: caption, a word of caution, what a group is called. Titles are in `reports.findings`.

What a chart says itself is in the language in use; notes that only the page shows are in English.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from analysis.sequential import is_anytime
from analysis.tables import stand_in_note
from reports.language import capital, catalogue, language, say, thing
from reports.numbers import FIXED, count, plus_minus, value

__all__ = [
    "capital",
    "caption",
    "caution",
    "difference_title",
    "heading",
    "noun",
    "played",
    "seat_note",
    "spoken",
    "tournament_caption",
]

MAX_SPOKEN = 24
"""Rows that a chart's description reads out."""

NOUNS = {"brothers": "set of Dwerg brothers", "gem": "starting gem", "coins_by_round": "coins", "start": "start player"}
"""Groups whose name is not yet the English word for a thing of theirs."""

CAUTION = (
    "What goes together is not yet what causes what: a {noun} may bring wins, and players who are winning anyway may "
    "be the ones who get it."
)
DEALT = (
    "Dealt by chance and not chosen, and every strategy gets each equally often: here the difference is an effect, not "
    "only something that goes together."
)
SEATED = "Every strategy sits in each seat equally often, so the difference is an effect of the seat."
SEATED_FIXED = "Seats were fixed in this run: the effect of a seat and that of the strategy in it cannot be told apart."
SYMMETRIC = (
    " In {title} no seat is favoured by the rules, so this chart is a check that nothing is wrong: a difference beyond "
    "chance would point to a mistake in the program."
)
SYMMETRIC_GAMES = frozenset({"nidavellir"})
"""Games whose rules treat all seats alike."""


def noun(group: str) -> str:
    """Return what one of a group is called in an English sentence."""
    return NOUNS.get(group, group.replace("_", " "))


def spoken(rows: Iterable[str], n_rows: int | None = None) -> str:
    """Return the numbers of a chart as one sentence: the first `MAX_SPOKEN` of `n_rows`, by default of those given."""
    texts = list(rows)
    rest = (len(texts) if n_rows is None else n_rows) - MAX_SPOKEN
    more = f"; {say('caption.more', n=rest)}" if rest > 0 else ""
    return f"{'; '.join(texts[:MAX_SPOKEN])}{more}."


def heading(group: str) -> str:
    """Return a group's heading in the language in use; its name in words if the catalogue lacks it."""
    key = f"group.{group}"
    return say(key) if key in catalogue().phrases else capital(group.replace("_", " "))


def caution(group: str) -> str:
    """Return the page's word of caution about what goes together."""
    return CAUTION.format(noun=noun(group))


def caption(
    manifest: Mapping[str, Any],
    n_games: int,
    n_blocks: int,
    method: str,
    has_intervals: bool = True,
    sampled_from: int = 0,
) -> str:
    """Return the lines at a chart's foot: how much was played of what, the method, the version.

    An edition that holds more than sourced rows says so in every chart. Where there are intervals that are valid
    however often one looks, that is said as well; not of a sample, which is of a size fixed beforehand: `n_games` are
    the first of `sampled_from` then.
    """
    planned, per_block = int(manifest["n_games"]), int(manifest["n_games_per_block"])
    games = count(n_games)
    is_sample = n_games < sampled_from
    if is_sample:
        games = say("caption.sample", games=games, all=count(sampled_from))
    elif n_games < planned:
        key = "caption.at_most" if "stopping" in manifest else "caption.part"
        games = say(key, games=games, planned=count(planned))
    played = say(
        "caption.played_same" if per_block > 1 else "caption.played",
        games=games,
        title=manifest["title"],
        players=manifest["n_players"],
        blocks=count(n_blocks),
        **({"seatings": per_block} if per_block > 1 else {}),
    )
    valid = [say("method.anytime")] if has_intervals and not is_sample and is_anytime(manifest, n_games) else []
    return _foot(manifest, played, method, *valid)


def tournament_caption(manifest: Mapping[str, Any], method: str) -> str:
    """Return the lines at the foot of a tournament's chart."""
    played = say(
        "caption.played_lineups",
        games=count(manifest["n_games"]),
        title=manifest["title"],
        players=manifest["n_players"],
        lineups=count(len(manifest["lineups"])),
    )
    return _foot(manifest, played, method)


def _foot(manifest: Mapping[str, Any], played: str, *method: str) -> str:
    edition, seed, version = manifest["edition"]["name"], manifest["seed"], manifest["tafl_version"]
    source = say("caption.source", edition=edition, seed=seed, version=version)
    sentences = "".join(f"{sentence}. " for sentence in (f"{played}; {source}", *method))
    return f"{sentences}{_stand_ins(manifest)}".replace(" %", f"{FIXED}%").strip()


def _stand_ins(manifest: Mapping[str, Any]) -> str:
    """Return what share of the cards is sourced, in the language in use; empty if all are."""
    note = stand_in_note(manifest)
    if not note or language() == "en":
        return note
    provenance = {key: int(manifest["edition"]["provenance"].get(key, 0)) for key in ("sourced", "inferred", "assumed")}
    parts = {key: count(n) for key, n in provenance.items()}
    return say("caption.stand_ins", n=count(sum(provenance.values())), **parts)


def played(n_games: int, n_blocks: int, sampled_from: int = 0) -> str:
    """Return how much was played, in brief, in English; see `caption`."""
    begin = f"A sample, the first of {count(sampled_from)} games: " if n_games < sampled_from else ""
    return f"{begin}{count(n_games)} games in {count(n_blocks)} block{'s' if n_blocks != 1 else ''}."


def seat_note(manifest: Mapping[str, Any]) -> str:
    """Return what the page says below a chart of seats."""
    if manifest.get("seating") == "fixed" and len(set(manifest["lineup"])) > 1:
        return SEATED_FIXED
    symmetric = SYMMETRIC.format(title=manifest["title"]) if manifest["game"] in SYMMETRIC_GAMES else ""
    return SEATED + symmetric


def difference_title(table: pd.DataFrame) -> str:
    """Return the finding of a chart of differences within strategies: how many there are, and in which direction.

    The largest of them is not named: it goes together, and a title would make it a cause.
    """
    rows = table.to_dict("records")
    up = sum(1 for row in rows if (value(row["difference_low"]) or 0) > 0)
    down = sum(1 for row in rows if (value(row["difference_high"]) or 0) < 0)
    return say("title.differences", n=count(len(rows)), up=count(up), down=count(down))


def named(row: Mapping[str, Any]) -> str:
    """Return what a row with a title is called, with a capital."""
    return capital(thing(row["title"]))


def gap(row: Mapping[str, Any], column: str = "difference") -> str:
    """Return a difference of shares without its sign, with half its interval: ``27.5 ± 1.6`` percentage points."""
    text = plus_minus(row[column], row[f"{column}_low"], row[f"{column}_high"], scale=100)
    return say("number.percentage_points", number=text)
