"""What the tables of every kind of experiment have in common: their columns, and rows made of intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.case_evidence import Difference, Evidence, Measure, difference, estimate
from analysis.experiments import Case, Experiment
from analysis.intervals import LEVEL, Interval
from analysis.paired import holm
from analysis.tables import REAL, STAND_INS, TEXT, WHOLE, YES_NO, stand_in_note
from simcore.manifest import MANIFEST_NAME

Columns = list[tuple[str, str, str]]
"""Name, kind and meaning of each column of a table."""

CASE = ("case", TEXT, "what is changed: KEY=VALUE, or `unchanged`")
MEASURE: Columns = [
    ("measure", TEXT, "identifier"),
    ("title", TEXT, "what a reader sees"),
    ("unit", TEXT, "share (0 to 1) or points"),
]
INTERVAL: Columns = [
    ("estimate", REAL, "mean over games, by block"),
    ("se", REAL, "its standard error"),
    ("low", REAL, "its 95 % interval, lower end"),
    ("high", REAL, "its 95 % interval, upper end"),
    ("note", TEXT, "empty, or why an interval is missing"),
]
TESTED: Columns = [
    ("p", REAL, "two-sided p value of no difference from the unchanged game"),
    ("p_holm", REAL, "the same, adjusted for all rows of the table (Holm)"),
    ("distinguishable", YES_NO, "p_holm below 0.05"),
]
CASES: Columns = [
    CASE,
    ("key", TEXT, "what is changed; empty for the unchanged game, or where several things are"),
    ("value", TEXT, "to what"),
    ("lineup", TEXT, "strategies by seat, before rotation"),
    ("edition", TEXT, "name of the edition played"),
    ("n_games", WHOLE, "games of the case"),
    ("n_blocks", WHOLE, "blocks: the independent units of evidence, shared by all cases of a line-up"),
]
ESTIMATES: Columns = [CASE, *MEASURE, *INTERVAL]
DIFFERENCES: Columns = [CASE, *MEASURE, *INTERVAL, *TESTED]


def frames(
    made: Experiment, columns: Mapping[str, Columns], rows: Mapping[str, Sequence[Mapping[str, Any]]]
) -> dict[str, pd.DataFrame]:
    """Return the tables of an experiment with the kinds of their columns, and the word on stand-in data."""
    found = {}
    for name, table in columns.items():
        kinds = {column: kind for column, kind, _ in table}
        found[name] = pd.DataFrame(list(rows[name]), columns=list(kinds)).astype(kinds)
        found[name].attrs[STAND_INS] = stand_in_note(made.manifest)
    return found


def case_rows(made: Experiment) -> list[dict[str, Any]]:
    """Return the rows of the table of cases."""
    rows = []
    for number, (case, planned) in enumerate(zip(made.cases, made.planned, strict=True), 1):
        played = json.loads((made.run_folder(number) / MANIFEST_NAME).read_bytes())
        key, value = case.setting[0] if len(case.setting) == 1 else ("", "")
        rows.append(
            {
                **{"case": case.name, "key": key, "value": value},
                **{"lineup": ", ".join(made.lineup(case.base)), "edition": played["edition"]["name"]},
                **{"n_games": planned["n_games"], "n_blocks": planned["n_blocks"]},
            }
        )
    return rows


def estimate_rows(case: Case, evidence: Evidence, measures: Iterable[Measure]) -> list[dict[str, Any]]:
    """Return a case's measures."""
    return [{"case": case.name, **named(measure), **parts(estimate(evidence, measure))} for measure in measures]


def difference_rows(
    case: Case, evidence: Evidence, before: Evidence, measures: Iterable[Measure]
) -> list[dict[str, Any]]:
    """Return how far a case's measures lie from the unchanged game's; `adjusted` completes them."""
    return [
        {"case": case.name, **named(measure), **tested(difference(evidence, before, measure))} for measure in measures
    ]


def adjusted(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows that have a ``p``, all tested together (Holm)."""
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row |= {"p_holm": p, "distinguishable": p is not None and p < 1 - LEVEL}
    return rows


def named(measure: Measure) -> dict[str, str]:
    """Return the cells that say what is measured."""
    return {"measure": measure.name, "title": measure.title, "unit": measure.unit}


def parts(interval: Interval) -> dict[str, Any]:
    """Return the cells of an interval."""
    return {part: getattr(interval, part) for part in ("estimate", "se", "low", "high", "note")}


def tested(found: Difference) -> dict[str, Any]:
    """Return the cells of a difference."""
    return {**parts(found.interval), "p": found.p}
