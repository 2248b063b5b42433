"""Which parameters of a strategy and which numbers of the edition matter most: each moved a step down and a step up.

A parameter is moved for one seat alone, which plays against the others unchanged: what it gains or costs the strategy.
A number of the edition is moved for everybody. What is measured is the strategy's win share and its score, against the
unchanged game on the same luck; all differences are tested together (Holm). Where all rivals are copies of the strategy
a number cannot change its win share, so numbers are judged by the score.

Two cases that the engine is given the same tables for play the same games, so a number that decides nothing at this
table (another player count's, a reminder's) is left out; so is a step that makes no complete edition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import pandas as pd

from analysis import runs
from analysis.case_evidence import SCORE, WIN, Evidence, Measure, find_measure, measures_of
from analysis.case_tables import (
    CASES,
    DIFFERENCES,
    MEASURE,
    Columns,
    adjusted,
    case_rows,
    difference_rows,
    frames,
    named,
)
from analysis.changes import SUBJECT, Setting, apply, kind_of, subject, title_of, told_apart, value_before
from analysis.experiments import Case, Experiment, bases_again, make_manifest
from analysis.runs import Choice
from analysis.tables import REAL, TEXT, YES_NO
from simcore.blocks import entrants
from simcore.cells import Cell, cells
from simcore.contract import DataError, TaflError

KIND = "sensitivity"
GAMES_BY_DEFAULT = 10_000
"""Of each case."""

STEP = 10
"""Percent of a number that one step is, and at least 1."""

_WHOLE = re.compile(r"[+-]?\d+")

COLUMNS: dict[str, Columns] = {
    "cases": CASES,
    "differences": DIFFERENCES,
    "importance": [
        ("key", TEXT, "parameter (STRATEGY:PARAMETER) or number (TABLE.ROW.COLUMN)"),
        ("kind", TEXT, "parameter or number"),
        *MEASURE,
        ("before", TEXT, "its value"),
        ("down", TEXT, "its value a step below; empty if there is none that checks"),
        ("change_down", REAL, "what that does to the measure"),
        ("down_low", REAL, "95 % interval"),
        ("down_high", REAL, ""),
        ("up", TEXT, "its value a step above; empty if there is none that checks"),
        ("change_up", REAL, "what that does to the measure"),
        ("up_low", REAL, "95 % interval"),
        ("up_high", REAL, ""),
        ("largest", REAL, "the larger of both, without sign"),
        ("distinguishable", YES_NO, "either is told apart from 0 (Holm, over all rows)"),
    ],
}


def plan(
    choice: Choice,
    only: Sequence[str],
    n_games: int | None,
    seed: int | None,
    parameters: bool = True,
    numbers: bool = True,
) -> tuple[Choice, dict[str, Any]]:
    """Return the line-up with its subject, and the manifest.

    Parameters
    ----------
    choice : Choice
        The strategy in question sits in the first seat.
    only : sequence of str
        Patterns of parameters and numbers, such as ``heroes.*``; everything by default.
    n_games : int, optional
        Of each case.
    seed : int, optional
        Fresh if none is given.
    parameters, numbers : bool
        Whether those of the strategy, and those of the edition, are moved.

    Raises
    ------
    TaflError
        If nothing is left to move.
    """
    base = subject(choice)
    settings: list[Setting] = []
    if parameters:
        settings += [one for one in _parameters(base) if _wanted(one[0][0], only)]
    if numbers:
        settings += _numbers(base, only)
    if not settings:
        what = f" like {', '.join(only)}" if only else ""
        raise TaflError(f"there is no parameter and no number{what} to move.")
    seed = runs.fresh_seed() if seed is None else seed
    cases = [Case(setting, 0, seed) for setting in [(), *settings]]
    n_games = GAMES_BY_DEFAULT if n_games is None else n_games
    keys = dict.fromkeys(setting[0][0] for setting in settings)
    options = {"only": list(only), "before": {key: value_before(key, kind_of(key, base), base) for key in keys}}
    return base, make_manifest(KIND, [base], cases, n_games, options, seed, checked=True)


def _wanted(key: str, only: Sequence[str]) -> bool:
    return not only or any(fnmatchcase(key, pattern) or fnmatchcase(key.partition(":")[2], pattern) for pattern in only)


def steps(value: int) -> tuple[int, int]:
    """Return a number a step below and a step above."""
    step = max(1, round(abs(value) * STEP / 100))
    return value - step, value + step


def _parameters(base: Choice) -> Iterator[Setting]:
    of = base.strategies[0]
    for name, value in of.params_for(len(base.lineup)).items():
        for moved in steps(int(value)):
            yield ((f"{of.name}:{name}", str(moved)),)


def _numbers(base: Choice, only: Sequence[str]) -> list[Setting]:
    """Return the steps of every number that decides something at this table."""
    spec, n_players = base.spec, len(base.lineup)
    seen = {spec.filled(base.edition, n_players).tobytes()}
    found: list[Setting] = []
    for cell in _whole_cells(base):
        if not _wanted(cell.address, only):
            continue
        for moved in steps(int(cell.text)):
            setting: Setting = ((cell.address, str(moved)),)
            try:
                given = spec.filled(apply(setting, base).edition, n_players).tobytes()
            except DataError:
                continue  # no complete edition
            if given not in seen:
                seen.add(given)
                found.append(setting)
    return found


def _whole_cells(base: Choice) -> Iterator[Cell]:
    in_force = {
        f"{schema.name}.{'-'.join(str(row[key]) for key in schema.row_key)}"
        for schema in base.spec.schemas
        for row in base.edition.rows[schema.file]
    }
    for cell in cells(base.spec, base.edition):
        if cell.address.rpartition(".")[0] in in_force and _WHOLE.fullmatch(cell.text):
            yield cell


class Sensitivity:
    """What an analysis of sensitivity found.

    Parameters
    ----------
    made : Experiment
        Complete.
    """

    columns = COLUMNS
    about = __doc__

    def __init__(self, made: Experiment):
        made.check_complete()
        self.made = made
        self.cases = made.cases

    @property
    def strategy(self) -> str:
        """The strategy in question, as it is called in the line-up."""
        return self.made.lineup(0)[0]

    @cached_property
    def measures(self) -> list[Measure]:
        """Its win share and its score."""
        lineup = self.made.lineup(0)
        known = measures_of(entrants(lineup)[0], len(lineup))
        return [find_measure(f"{kind}:{self.strategy}", known) for kind in (WIN, SCORE)]

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of `COLUMNS`."""
        evidence = (Evidence(self.made.result(n)) for n in range(1, self.made.n_runs + 1))
        before = next(evidence)
        rows = [
            row
            for case, each in zip(self.cases[1:], evidence, strict=True)
            for row in difference_rows(case, each, before, self.measures)
        ]
        adjusted(rows)
        found = {"cases": case_rows(self.made), "differences": rows, "importance": self._importance(rows)}
        return frames(self.made, COLUMNS, found)

    def _importance(self, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return what is moved, the most important first."""
        by_case = {(row["case"], row["measure"]): row for row in rows}
        keys = dict.fromkeys(case.setting[0][0] for case in self.cases[1:])
        found = [self._moved(key, by_case) for key in keys]
        return sorted(found, key=lambda row: (row["kind"], -row["largest"]))

    @cached_property
    def titles(self) -> dict[str, str]:
        """What a reader calls each thing that is moved."""
        choice = bases_again(self.made)[0]
        return told_apart({key: title_of(key, choice) for key in self.made.options["before"]})

    @property
    def is_mirror(self) -> bool:
        """Whether all rivals are copies of the strategy in question."""
        return {self.strategy.removesuffix(SUBJECT)} == set(self.made.lineup(0)[1:])

    def _moved(self, key: str, by_case: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
        kind = "parameter" if ":" in key else "number"
        measure = self.measures[1 if kind == "number" and self.is_mirror else 0]
        values = [int(case.setting[0][1]) for case in self.cases[1:] if case.setting[0][0] == key]
        before = self.made.options["before"][key]
        row: dict[str, Any] = {"key": key, "kind": kind, **named(measure), "before": before}
        largest, apart = 0.0, False
        for way in ("down", "up"):
            chosen = [v for v in values if (v < int(before)) == (way == "down")]
            told = by_case[f"{key}={chosen[0]}", measure.name] if chosen else None
            row |= {
                way: str(chosen[0]) if chosen else "",
                f"change_{way}": told["estimate"] if told else None,
                f"{way}_low": told["low"] if told else None,
                f"{way}_high": told["high"] if told else None,
            }
            if told:
                largest = max(largest, abs(told["estimate"] or 0.0))
                apart = apart or bool(told["distinguishable"])
        return row | {"largest": largest, "distinguishable": apart}
