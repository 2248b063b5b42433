"""What an experiment found, in sentences and in the tables that are printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from analysis.case_evidence import SHARE
from analysis.changes import SUBJECT
from reports.numbers import (
    count,
    decimal,
    digits_for,
    half_width,
    listing,
    mean_with_interval,
    p_value,
    percent,
    share_gap,
    share_with_interval,
    value,
)

if TYPE_CHECKING:
    from analysis.sweeps import Sweep

MAX_SENTENCES = 6
"""Differences that are told in words; the tables have all."""

METHOD = (
    "All cases of a line-up are played on the same luck, block for block: a difference is the mean of differences of "
    "blocks, with Student's t. All differences are tested together (Holm)."
)


def level(row: Mapping[str, Any]) -> str:
    """Return a measure with its interval: ``38.2 % (38.0 to 38.4)``, ``190.2 points (...)``."""
    if row["unit"] == SHARE:
        return share_with_interval(row["estimate"], row["low"], row["high"])
    return mean_with_interval(row["estimate"], row["low"], row["high"], row["unit"])


def gap(row: Mapping[str, Any]) -> str:
    """Return a difference in brief: ``+1.9 (+1.2 to +2.6)``, in percentage points or points; ``none`` where it is 0."""
    if value(row["estimate"]) == 0 and value(row["se"]) is None:
        return "none"
    if row["unit"] == SHARE:
        return share_gap(row["estimate"], row["low"], row["high"])
    digits = digits_for(half_width(row["low"], row["high"]), most=2)
    ends = [decimal(row[end], digits, plus=True) for end in ("estimate", "low", "high")]
    return f"{ends[0]} ({ends[1]} to {ends[2]})" if value(row["low"]) is not None else ends[0]


def moved(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return a difference that is told apart in words: ``1.2 percentage points lower``, and its interval."""
    found = value(row["estimate"]) or 0.0
    scale, unit = (100, "percentage points") if row["unit"] == SHARE else (1, row["unit"])
    digits = digits_for(scale * (half_width(row["low"], row["high"]) or 0.0), most=2)
    ends = sorted(abs(value(row[end]) or 0.0) for end in ("low", "high"))
    size, low, high = (decimal(scale * x, digits) for x in (abs(found), *ends))
    return f"{size} {unit} {'higher' if found > 0 else 'lower'}", f"{low} to {high}"


def change_sentence(row: Mapping[str, Any]) -> str:
    """Return what a change does to a measure: ``With x=3 the win share of planner is 1.2 points higher ...``."""
    size, interval = moved(row)
    case = str(row["told"])
    begin = "With" if "=" in case else "" if case.startswith("without") else "If"
    begin = f"{begin} {case}".strip()
    begin = begin[0].upper() + begin[1:]
    return f"{begin} the {row['title']} is {size} ({interval}; {p_value(row['p_holm'])})."


def told(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what is said of the differences that can be told: the largest, measured in their errors, first."""
    apart = [row for row in rows if row["distinguishable"]]
    about_strategies = [row for row in apart if row["measure"].startswith("win_share:")] or apart
    ranked = sorted(about_strategies, key=lambda r: -abs((value(r["estimate"]) or 0) / (value(r["se"]) or 1)))
    largest: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in ranked:  # of the values of a factor, the one that changes a strategy's share most
        largest.setdefault((row["case"].partition("=")[0], row["measure"]), row)
    ranked = list(largest.values())
    sentences = [change_sentence(row) for row in ranked[:MAX_SENTENCES]]
    n_more = len(apart) - len(sentences)
    n_not = len(rows) - len(apart)
    if not apart:
        return [f"None of the {count(len(rows))} differences from the unchanged game is distinguishable from chance."]
    if n_more:
        sentences.append(f"{count(n_more)} further differences are distinguishable: the tables have them all.")
    if n_not:
        sentences.append(f"{count(n_not)} of {count(len(rows))} are not distinguishable from chance.")
    return sentences


def crossing_sentence(row: Mapping[str, Any], called: Mapping[str, str]) -> str:
    """Return where a measure reaches a target; `called` is what a reader calls what is varied, by key."""
    key = called[row["key"]]
    target = percent(row["target"]) if row["unit"] == SHARE else f"{decimal(row['target'])} {row['unit']}"
    what = f"the {row['title']} reaches {target}"
    if value(row["value"]) is None:
        return f"{key}: {what}: {row['note']}."
    digits = digits_for(half_width(row["low"], row["high"]), most=2)
    if row["below"] == row["above"]:
        return f"At {key} = {row['below']} {what}."
    ends = "" if value(row["low"]) is None else f" ({decimal(row['low'], digits)} to {decimal(row['high'], digits)})"
    at = decimal(row["value"], digits)
    return f"At {key} = {at}{ends} {what}, between the tried {row['below']} and {row['above']}."


def unit_words(unit: str) -> str:
    """Return the unit of a difference."""
    return "percentage points" if unit == SHARE else unit


def sweep_verdict(found: Sweep) -> list[str]:
    """Return what a sweep found, in sentences."""
    crossed = [crossing_sentence(row, found.called) for row in found.tables["crossings"].to_dict("records")]
    return [*crossed, *told(found.rows("differences"))]


MAX_LINEUPS = 4
"""More of them are not named in one sentence."""


def scope(manifest: Mapping[str, Any]) -> str:
    """Return what an experiment's numbers are about."""
    lineups = list(dict.fromkeys(_lineup(base) for base in manifest["bases"]))
    told = "; ".join(lineups)
    if len(lineups) > MAX_LINEUPS:
        names = dict.fromkeys(name.removesuffix(SUBJECT) for base in manifest["bases"] for name in base)
        told = f"{listing(names)} in {count(len(lineups))} line-ups"
    games = sorted({one["n_games"] for one in manifest["cases"]})
    each = count(games[0]) if len(games) == 1 else f"{count(games[0])} to {count(games[-1])}"
    sentence = manifest["edition"]["sentence"]
    return (
        f"These numbers describe {told} as they play {manifest['title']}, edition {manifest['edition']['name']}, "
        f"over {each} games a case; they say nothing of other players. {sentence}"
    ).strip()


def _lineup(names: Sequence[str]) -> str:
    """Return a line-up; neighbours of one name are counted: ``planner x 3, greedy``."""
    runs = [(name, len(list(seats))) for name, seats in groupby(names)]
    return ", ".join(name if n == 1 else f"{name} x {n}" for name, n in runs)


def sweep_rows(found: Sweep) -> tuple[list[str], list[list[str]]]:
    """Return the printed table of a sweep: header and rows, levels of the unchanged game first, then differences."""
    shown = [m for m in found.measures if m.name.startswith("win_share:")]
    shown += [m for m in found.measures if m.name in ("mean_score", "winning_margin")]
    header = ["change", *(m.title.removeprefix("win share of ") for m in shown)]
    estimates = {(r["case"], r["measure"]): r for r in found.tables["estimates"].to_dict("records")}
    differences = {(r["case"], r["measure"]): r for r in found.tables["differences"].to_dict("records")}
    rows = []
    for case in found.cases:
        if not case.setting:
            rows.append([found.names[case.name], *(level(estimates[case.name, m.name]) for m in shown)])
        else:
            cells = [differences[case.name, m.name] for m in shown]
            rows.append([found.names[case.name], *(gap(r) + ("" if r["distinguishable"] else " ~") for r in cells)])
    return header, rows


def print_sweep(found: Sweep) -> None:
    """Print what a sweep found: the unchanged game, the differences from it, and what they mean."""
    from reports.terminal import print_folded_table, wrapped

    header, rows = sweep_rows(found)
    print_folded_table(header, rows)
    print(
        "\n"
        + wrapped(
            "Below the first line: differences from it, in percentage points of win share or in points, with 95 % "
            "intervals; ~ cannot be told from chance."
        )
    )
    print()
    for sentence in sweep_verdict(found):
        print(wrapped(sentence))
    print("\n" + wrapped(scope(found.made.manifest)))
