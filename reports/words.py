"""What a result says, in a sentence or two that claim exactly what the evidence supports.

A claim is about these strategies in this line-up, edition and player count: never about perfect play, and never about a
difference that chance explains. Titles of charts are in `reports.findings`, numbers in `reports.numbers`; both can be
reached from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reports.findings import finding
from reports.numbers import (
    FIXED,
    UNKNOWN,
    about,
    count,
    decimal,
    digits_for,
    half_width,
    listing,
    mean_with_interval,
    p_value,
    percent,
    points,
    round_percent,
    share_difference,
    share_digits,
    share_range,
    share_with_interval,
    value,
)

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "UNKNOWN",
    "about",
    "count",
    "decimal",
    "digits_for",
    "finding",
    "listing",
    "mean_with_interval",
    "p_value",
    "percent",
    "points",
    "round_percent",
    "scope",
    "share_difference",
    "share_range",
    "share_with_interval",
    "summary_rows",
    "value",
    "verdict",
]

MOST_PAIRS = 3
"""Pairs that are named one by one when they cannot be told apart."""


@dataclass(frozen=True)
class _Row:
    """A strategy's line of the summary, with plain numbers."""

    name: str
    copies: int
    share: float
    low: float | None
    high: float | None
    fair: float


def _ranked(summary: pd.DataFrame) -> list[_Row]:
    rows = [
        _Row(
            str(r["strategy"]),
            int(r["copies"]),
            float(r["win_share"]),
            value(r["win_share_low"]),
            value(r["win_share_high"]),
            float(r["fair_share"]),
        )
        for r in summary.to_dict("records")
    ]
    return sorted(rows, key=lambda row: -row.share)


def _pair(pairs: pd.DataFrame, a: str, b: str) -> dict[str, Any]:
    """The line of a pair, turned so that the difference is a minus b."""
    for row in pairs.to_dict("records"):
        if (row["a"], row["b"]) == (a, b):
            return row
        if (row["a"], row["b"]) == (b, a):
            ends = value(row["low"]), value(row["high"])
            difference = value(row["win_share_difference"])
            return row | {
                "a": a,
                "b": b,
                "win_share_difference": None if difference is None else -difference,
                "low": None if ends[1] is None else -ends[1],
                "high": None if ends[0] is None else -ends[0],
            }
    return {}


def verdict(tables: Mapping[str, pd.DataFrame], manifest: Mapping[str, Any], is_stopped: bool = False) -> list[str]:
    """Return what a run says, in one or two sentences.

    Parameters
    ----------
    tables : mapping of str to pandas.DataFrame
        As `analysis.tables.tables` makes them; ``summary`` and ``pairs`` are used.
    manifest : mapping
        Of the run: ``n_players``, ``n_games``, ``n_games_per_block``.
    is_stopped : bool
        Whether a rule ended the run before all games that it might have had: then none are missing.

    Returns
    -------
    list of str
        Whole sentences. The first says who wins and how sure that is, the second which strategies cannot be told apart,
        or that all can.
    """
    ranked = _ranked(tables["summary"])
    n_games, n_blocks = (int(tables["summary"][c].iloc[0]) for c in ("n_games", "n_blocks"))
    where = f"at a table of {manifest['n_players']}"
    planned = int(manifest.get("n_games", n_games))
    begin = f"After {count(n_games)} of {count(planned)} games: " if n_games < planned and not is_stopped else ""
    if len(ranked) == 1:
        return [_after(begin, _mirror(ranked[0], tables["summary"], where))]
    if ranked[0].low is None:
        blocks = "one block" if n_blocks == 1 else f"{count(n_blocks)} blocks"
        too_few = f"{count(n_games)} games in {blocks} {where} are too few to say which strategy is stronger"
        return [f"{begin}{too_few}: play more games."]
    pairs = tables["pairs"]
    leaders = [ranked[0]] + [r for r in ranked[1:] if not _apart(_pair(pairs, ranked[0].name, r.name))]
    shared = len(leaders) > 1
    first = _shared_lead(leaders, len(leaders) == len(ranked), where) if shared else _winner(ranked[0], where)
    second = _distinguished(ranked, pairs, int(manifest.get("n_games_per_block", 1)))
    return [_after(begin, first), second]


def _after(begin: str, sentence: str) -> str:
    """Return a sentence behind how it begins; what was its first word is no longer, unless it is a strategy's name."""
    if begin and sentence.startswith(("Each ", "The ")):
        sentence = sentence[0].lower() + sentence[1:]
    return begin + sentence


def _apart(pair: Mapping[str, Any]) -> bool:
    return bool(pair) and bool(pair["distinguishable"])


def _mirror(row: _Row, summary: pd.DataFrame, where: str) -> str:
    score = summary.iloc[0]
    text = mean_with_interval(score["score_mean"], score["score_low"], score["score_high"], "points", True)
    return (
        f"{row.name} sits in every seat {where}, so each copy wins {round_percent(row.fair)} of its games by "
        f"construction; its mean score is {text}."
    )


def _subject(row: _Row, verb: str) -> str:
    return f"Each of the {row.copies} copies of {row.name} {verb}s" if row.copies > 1 else f"{row.name} {verb}s"


def _against_fair(row: _Row) -> str:
    """How a share stands to the fair share, as far as its interval says."""
    fair = round_percent(row.fair)
    if row.low is None or row.high is None:
        return f"beside a fair share of {fair}"
    digits = share_digits(row.low, row.high)
    if row.low <= row.fair <= row.high:
        return f"which cannot be told from a fair share of {fair}"
    more = "more" if row.share > row.fair else "less"
    return f"{share_difference(abs(row.share - row.fair), digits, False)} {more} than a fair share of {fair}"


def _winner(row: _Row, where: str) -> str:
    text = share_with_interval(row.share, row.low, row.high, True)
    return f"{_subject(row, 'win')} {text} of its games {where}, {_against_fair(row)}."


def _shared_lead(leaders: list[_Row], is_all: bool, where: str) -> str:
    """The strategies that cannot be told from the most successful one."""
    texts = [
        f"{r.name}{' wins' if i == 0 else ''} {share_with_interval(r.share, r.low, r.high, i == 0)}"
        for i, r in enumerate(leaders)
    ]
    shared = "" if is_all else "The lead is shared: "
    which = "stronger" if len(leaders) == 2 else "strongest"
    return f"{shared}{listing(texts)} of their games {where}; which of them is {which} cannot be told."


def _distinguished(ranked: list[_Row], pairs: pd.DataFrame, per_block: int) -> str:
    """Which pairs cannot be told apart, or that all can."""
    together = [
        pair for i, a in enumerate(ranked) for b in ranked[i + 1 :] if not _apart(pair := _pair(pairs, a.name, b.name))
    ]
    n_pairs = len(ranked) * (len(ranked) - 1) // 2
    if not together:
        order = ", then ".join(row.name for row in ranked)
        return f"{order}: this order holds beyond chance ({_method(n_pairs)})."
    if len(together) > MOST_PAIRS:
        return (
            f"{len(together)} of {n_pairs} pairs of strategies cannot be told apart ({_method(n_pairs)}); "
            f"{_settled(together, per_block)}"
        )
    named = [f"{p['a']} and {p['b']} ({_difference(p)})" for p in together]
    text = "; ".join(named)
    return f"{text} cannot be told apart; {_settled(together, per_block)}"


def _method(n_pairs: int) -> str:
    if n_pairs == 1:
        return f"tested at 5{FIXED}%"
    return f"all {n_pairs} pairs tested together at 5{FIXED}%, Holm"


def _difference(pair: Mapping[str, Any]) -> str:
    half = half_width(pair["low"], pair["high"])
    if half is None:
        return f"difference {share_difference(pair['win_share_difference'])}, no interval"
    digits = digits_for(100 * half)
    ends = " to ".join(decimal(100 * float(pair[end]), digits) for end in ("low", "high"))
    return f"difference {share_difference(pair['win_share_difference'], digits, False)}, {ends}"


def _settled(together: list[dict[str, Any]], per_block: int) -> str:
    """How many games would tell the pairs apart."""
    needed = [value(pair.get("blocks_to_settle")) for pair in together]
    known = [blocks for blocks in needed if blocks is not None]
    if not known:
        return "no number of games that could be played would settle it, going by what was seen."
    games = about(max(known) * per_block)
    if len(known) < len(needed):
        return f"{games} games would settle those where a difference was seen, if it is as large as it looks."
    return f"{games} games would settle it, if the difference is as large as it looks."


def cut_short(n_unfinished: int, n_games: int) -> list[str]:
    """Return the sentence about games that their step limit ended; none where there were none."""
    if not n_unfinished:
        return []
    told = "was ended by the step limit and counts" if n_unfinished == 1 else "were ended by the step limit and count"
    return [f"{count(n_unfinished)} of {count(n_games)} games {told} with the scores as they stood then."]


def scope(manifest: Mapping[str, Any]) -> str:
    """Return what the numbers of a run are about, and what they are not about."""
    lineup = listing(manifest["lineup"])
    edition = manifest["edition"]
    return (
        f"These numbers describe the line-up {lineup} at a table of {manifest['n_players']} with the edition "
        f"{edition['name']}; they say how these strategies do against each other, not how the game goes under perfect "
        f"play. {edition.get('sentence', '')}".strip()
    )


def summary_rows(tables: Mapping[str, pd.DataFrame]) -> tuple[list[str], list[list[str]]]:
    """Return the table that a run prints: one column for each strategy, the most successful first.

    Returns
    -------
    list of str
        Header: an empty cell, then the strategies.
    list of list of str
        Rows: what it is, then a cell for each strategy. Components show their mean in points.
    """
    summary = tables["summary"].sort_values("win_share", ascending=False, kind="stable")
    records = summary.to_dict("records")
    names = [str(r["strategy"]) for r in records]
    rows = [
        ["win share", *(_share_cell(r) for r in records)],
        ["  95 % interval", *(_share_ends(r) for r in records)],
        ["mean score", *(_mean_cell(r, "score") for r in records)],
        ["  95 % interval", *(_mean_ends(r, "score") for r in records)],
        ["  spread of games (SD)", *(decimal(r["score_sd"]) for r in records)],
        ["mean margin", *(_mean_cell(r, "margin") for r in records)],
    ]
    components = tables["components"]
    for component in dict.fromkeys(components["component"]):
        part = components[components["component"] == component].set_index("strategy")
        title = str(part["title"].iloc[0])
        rows.append([f"  {title}", *(decimal(part["mean"].get(name)) for name in names)])
    if any(int(r["copies"]) > 1 for r in records):
        rows.append(["copies", *(count(r["copies"]) for r in records)])
    rows.append(["games", *(count(r["n_games"]) for r in records)])
    return ["", *names], rows


def _share_cell(row: Mapping[str, Any]) -> str:
    low, high = row["win_share_low"], row["win_share_high"]
    if half_width(low, high) == 0:
        return round_percent(row["win_share"])
    return percent(row["win_share"], share_digits(low, high))


def _share_ends(row: Mapping[str, Any]) -> str:
    low, high = row["win_share_low"], row["win_share_high"]
    half = half_width(low, high)
    return "by construction" if half == 0 else "one block" if half is None else share_range(low, high)


def _mean_cell(row: Mapping[str, Any], what: str) -> str:
    return decimal(row[f"{what}_mean"], digits_for(half_width(row[f"{what}_low"], row[f"{what}_high"])))


def _mean_ends(row: Mapping[str, Any], what: str) -> str:
    low, high = row[f"{what}_low"], row[f"{what}_high"]
    half = half_width(low, high)
    if half is None:
        return UNKNOWN
    digits = digits_for(half)
    return f"{decimal(low, digits)} to {decimal(high, digits)}"
