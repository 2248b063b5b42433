"""What stands around a chart: subtitle, caption, a word of caution, and the numbers for those who do not see it.

Titles, which state a finding, are in `reports.findings`; those of the charts that go into each strategy are here, with
the rest of what such a chart says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from analysis.sequential import is_anytime
from analysis.tables import stand_in_note
from reports.numbers import FIXED, UNKNOWN, count, decimal, percent, share_difference, value

MAX_SPOKEN = 24
"""Rows that a chart's description reads out."""

FROM_MEANS = f"Intervals: 95{FIXED}%, Student's t on block means"
FROM_SHARES = f"Intervals: 95{FIXED}%, Wilson's score interval with the effective number of games from blocks"
FROM_DIFFERENCES = f"Intervals: 95{FIXED}%, with and without compared in the same blocks"
ANYTIME = {
    FROM_MEANS: f"Intervals: 95{FIXED}%, from block means, valid however often one looks",
    FROM_SHARES: f"{FROM_SHARES}, valid however often one looks",
    FROM_DIFFERENCES: f"{FROM_DIFFERENCES}, valid however often one looks",
}
"""What is said instead of a run that was not complete, or that a stopping rule watched."""
NO_INTERVALS = "No intervals: counts of games as they were played"
NO_INTERVALS_WON = "No intervals: means of the games as they were played"

NOUNS = {"gem": "starting gem", "coins_by_round": "coins"}
"""Groups whose name is not yet the word for a thing of theirs."""

HEADINGS = {"gem": "Starting gem", "hero": "Heroes", "distinction": "Distinctions", "seat": "Seat"}

CAUTION = (
    "What goes together is not yet what causes what: a {noun} may bring wins, and players who are winning anyway may "
    "be the ones who get it."
)
MIXED = " Here all strategies are taken together, so a {noun} that strong strategies go for looks strong as well."
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
    """Return what one of a group is called in a sentence."""
    return NOUNS.get(group, group.replace("_", " "))


def heading(group: str) -> str:
    """Return a group's heading."""
    text = HEADINGS.get(group, group.replace("_", " "))
    return text[:1].upper() + text[1:]


def caption(manifest: Mapping[str, Any], n_games: int, n_blocks: int, method: str) -> str:
    """Return the line at a chart's foot: how much was played of what, the method, the version.

    An edition that holds more than sourced rows says so in every chart.
    """
    edition = manifest["edition"]
    per_block = int(manifest["n_games_per_block"])
    same = f" of {per_block} seatings under the same luck" if per_block > 1 else ""
    planned = int(manifest["n_games"])
    which = f"at most {count(planned)}" if "stopping" in manifest else f"of {count(planned)} planned"
    part = f" ({which})" if n_games < planned else ""
    text = (
        f"{count(n_games)} games{part} of {manifest['title']} with {manifest['n_players']} players in "
        f"{count(n_blocks)} blocks{same}; edition {edition['name']}, seed {manifest['seed']}, "
        f"tafl {manifest['tafl_version']}. {method}."
    )
    text += f" {stand_in_note(manifest)}"
    return text.replace(" %", f"{FIXED}%").strip()


def looked_at(manifest: Mapping[str, Any], n_games: int, method: str) -> str:
    """Return a method as it was used: for one look, or valid however often one looks."""
    return ANYTIME.get(method, method) if is_anytime(manifest, n_games) else method


def played(n_games: int, n_blocks: int) -> str:
    """Return how much was played, in brief."""
    return f"{count(n_games)} games in {count(n_blocks)} block{'s' if n_blocks != 1 else ''}."


def seat_note(manifest: Mapping[str, Any]) -> str:
    """Return what to keep in mind about a chart of seats."""
    if manifest.get("seating") == "fixed" and len(set(manifest["lineup"])) > 1:
        return SEATED_FIXED
    symmetric = SYMMETRIC.format(title=manifest["title"]) if manifest["game"] in SYMMETRIC_GAMES else ""
    return SEATED + symmetric


def rate_title(table: pd.DataFrame) -> str:
    """Return the finding of a chart of rates: the highest of them."""
    rows = [row for row in table.to_dict("records") if value(row["rate"]) is not None]
    if not rows or max(row["rate"] for row in rows) == 0:
        return "None of them was ever had"
    top = max(rows, key=lambda row: row["rate"])
    who = "seats have it" if top["strategy"] == "all" else f"{top['strategy']} has it"
    return f"Most often {top['title']}: {who} in {percent(top['rate'])} of games"


def difference_title(flags: pd.DataFrame, table: pd.DataFrame) -> str:
    """Return the finding of a chart of differences within strategies: the largest that holds beyond chance."""
    clear = {
        (row["strategy"], row["flag"])
        for row in flags.to_dict("records")
        if value(row["p_holm"]) is not None and row["p_holm"] < 0.05
    }
    rows = [
        row
        for row in table.to_dict("records")
        if (row["strategy"], row["flag"]) in clear and value(row["difference"]) is not None
    ]
    if not rows:
        return "Within no strategy is a difference shown to hold beyond chance"
    top = max(rows, key=lambda row: abs(row["difference"]))
    more = "more" if top["difference"] > 0 else "less"
    gap = share_difference(abs(top["difference"]), plus=False)
    return f"Largest within one strategy: {top['strategy']} wins {gap} {more} often with {top['title']}"


def spoken(rows: Iterable[str]) -> str:
    """Return the numbers of a chart as one sentence; the first `MAX_SPOKEN` of them."""
    texts = list(rows)
    rest = len(texts) - MAX_SPOKEN
    more = f"; and {rest} more in the CSV file" if rest > 0 else ""
    return "; ".join(texts[:MAX_SPOKEN]) + more + "."


def spoken_parts(table: pd.DataFrame, columns: Mapping[str, str]) -> list[str]:
    """Return for each strategy its components in words; `columns` maps a column to what it is called."""
    out = []
    for name, rows in table.groupby("strategy", sort=False):
        for column, says in columns.items():
            values = [value(v) for v in rows[column]]
            if any(v is None for v in values):
                out.append(f"{name}{says}: {UNKNOWN}")
                continue
            parts = ", ".join(f"{t} {decimal(v)}" for t, v in zip(rows["title"], values, strict=True))
            out.append(f"{name}{says}: {parts}")
    return out
