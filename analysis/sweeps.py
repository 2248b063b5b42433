"""A sweep: rule switches, numbers of the edition, parameters of strategies over values, one at a time or crossed.

The unchanged game is the first case; every other is compared with it on the same luck. All differences that are shown
are tested together (Holm 1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from analysis import runs
from analysis.case_evidence import (
    BEFORE,
    FAIR,
    SHARE,
    Crossing,
    Evidence,
    Measure,
    crossings,
    estimate,
    find_measure,
    measures_of,
)
from analysis.case_tables import (
    CASES,
    DIFFERENCES,
    ESTIMATES,
    Columns,
    adjusted,
    case_rows,
    difference_rows,
    estimate_rows,
    frames,
    named,
)
from analysis.changes import (
    SET_TO,
    TOGETHER,
    Factor,
    Setting,
    called,
    cell_texts,
    in_readers_words,
    is_joined,
    parse_factor,
    settings_of,
    title_of,
    told_apart,
)
from analysis.experiments import Case, Experiment, bases_again, make_manifest
from analysis.runs import Choice
from analysis.tables import REAL, TEXT
from simcore.blocks import entrants
from simcore.contract import TaflError

GAMES_BY_DEFAULT = 20_000
"""Of each case."""

KIND = "sweep"

COLUMNS: dict[str, Columns] = {
    "cases": CASES,
    "estimates": ESTIMATES,
    "differences": DIFFERENCES,
    "crossings": [
        ("key", TEXT, "what is varied"),
        ("measure", TEXT, "identifier"),
        ("title", TEXT, "what a reader sees"),
        ("unit", TEXT, "share (0 to 1), points or decisions"),
        ("target", REAL, "the level that is looked for"),
        ("value", REAL, "where the measure reaches it, on the line between two values that were tried"),
        ("low", REAL, "95 % interval, from leaving out groups of blocks"),
        ("high", REAL, ""),
        ("below", TEXT, "the values between which it lies"),
        ("above", TEXT, ""),
        ("note", TEXT, "empty, or what there is to say"),
    ],
}


@dataclass(frozen=True)
class Target:
    """A level of a measure that is looked for."""

    measure: Measure
    level: str

    def number(self, before: Evidence) -> float:
        """Return the level as a number."""
        if self.level == FAIR:
            return before.fair
        if self.level == BEFORE:
            found = estimate(before, self.measure).estimate
            assert found is not None
            return found
        return float(self.level)


def parse_target(text: str, known: Sequence[Measure]) -> Target:
    """Read ``MEASURE=LEVEL``, where a level is a number, a percentage, ``fair`` or ``before``.

    Raises
    ------
    TaflError
        If there is no such measure or level.
    """
    name, sign, level = (part.strip() for part in text.partition("="))
    if not sign or not level:
        raise TaflError(f"--target '{text}' is not of the form MEASURE=LEVEL, such as {known[0].name}={FAIR}.")
    measure = find_measure(name, known)
    if level in (FAIR, BEFORE):
        if level == FAIR and measure.unit != SHARE:
            raise TaflError(f"--target '{text}': only a share has a fair level; give a number.")
        return Target(measure, level)
    number = number_of(level)
    if number is None:
        raise TaflError(f"--target '{text}': {level!r} is no number, percentage, '{FAIR}' or '{BEFORE}'.")
    return Target(measure, repr(number))


def number_of(text: str) -> float | None:
    """Return a number or a percentage; None if it is neither."""
    try:
        number = float(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def plan(
    choice: Choice, vary: Sequence[str], crossed: bool, n_games: int | None, seed: int | None, target: Sequence[str]
) -> dict[str, Any]:
    """Return the manifest of a sweep.

    Parameters
    ----------
    choice : Choice
        The unchanged line-up and edition.
    vary : sequence of str
        ``KEY=VALUES``; see `analysis.changes`.
    crossed : bool
        Every combination; otherwise one at a time.
    n_games : int, optional
        Of each case; `GAMES_BY_DEFAULT` by default.
    seed : int, optional
        Fresh if none is given.
    target : sequence of str
        ``MEASURE=LEVEL``; see `parse_target`.

    Raises
    ------
    TaflError, DataError
        If something cannot be varied so.
    """
    if not vary:
        raise TaflError(f"say what to vary, such as --vary {choice.spec.rule_switches[0].key}=...; see tafl rules.")
    factors = [parse_factor(text, choice) for text in vary]
    settings = settings_of(factors, crossed)
    if len(settings) == 1:
        raise TaflError("every value that is to be tried is the one that is there already: name another.")
    known = measures_of(entrants(choice.lineup)[0], len(choice.lineup))
    for text in target:
        parse_target(text, known)
    seed = runs.fresh_seed() if seed is None else seed
    options = {
        "factors": [{"key": f.key, "kind": f.kind, "values": list(f.values), "before": f.before} for f in factors],
        "crossed": crossed,
        "targets": list(target),
    }
    cases = [Case(setting, 0, seed) for setting in settings]
    return make_manifest(KIND, [choice], cases, GAMES_BY_DEFAULT if n_games is None else n_games, options, seed)


class Sweep:
    """What a sweep found.

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
        self.factors = [Factor(f["key"], f["kind"], tuple(f["values"]), f["before"]) for f in made.options["factors"]]
        self.evidence = [Evidence(made.result(n)) for n in range(1, made.n_runs + 1)]

    @property
    def before(self) -> Evidence:
        """The unchanged game."""
        return self.evidence[0]

    @cached_property
    def _choice(self) -> Choice:
        return bases_again(self.made)[0]

    @cached_property
    def titles(self) -> dict[str, str]:
        """What a reader calls each factor."""
        return told_apart({factor.key: title_of(factor.key, self._choice) for factor in self.factors})

    @cached_property
    def called(self) -> dict[str, str]:
        """What a reader calls each factor where its key may stand."""
        return told_apart({factor.key: called(factor.key, self._choice) for factor in self.factors})

    @cached_property
    def names(self) -> dict[str, str]:
        """What a reader calls each case."""
        choice = self._choice
        return told_apart({case.name: in_readers_words(case.setting, choice) for case in self.cases})

    def before_of(self, factor: Factor) -> str:
        """Return what a reader is told of a factor's value without a change: of joined cells that differ, all."""
        if not is_joined(factor.key) or TOGETHER not in factor.before:
            return factor.before
        return ", ".join(cell_texts(factor.key, self._choice))

    def value_told(self, factor: Factor, value: str) -> str:
        """Return what a reader calls a value of a factor, beneath the factor's own name."""
        told = self.names["unchanged" if value == factor.before else f"{factor.key}={value}"]
        return told.removeprefix(f"{factor.key}=").removeprefix(f"{self.called[factor.key]}{SET_TO}")

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table with what a reader calls their case, ``told``."""
        return [{**row, "told": self.names[row["case"]]} for row in self.tables[table].to_dict("records")]

    @cached_property
    def measures(self) -> list[Measure]:
        """What is measured in every case."""
        return measures_of(self.before.names, self.before.n_seats)

    @cached_property
    def targets(self) -> list[Target]:
        """What is looked for."""
        return [parse_target(text, self.measures) for text in self.made.options["targets"]]

    def along(self, factor: Factor) -> list[tuple[str, Evidence]]:
        """Return the cases in which a factor alone is changed, and the unchanged one, in the order of its values."""
        by_setting: dict[Setting, Evidence] = dict(
            zip((case.setting for case in self.cases), self.evidence, strict=True)
        )
        values = dict.fromkeys([*factor.values, factor.before])
        if factor.is_numeric:
            values = dict.fromkeys(sorted(values, key=int))
        elif factor.before not in factor.values:
            values = dict.fromkeys([factor.before, *factor.values])
        found = []
        for value in values:
            setting: Setting = () if value == factor.before else ((factor.key, value),)
            if setting in by_setting:
                found.append((value, by_setting[setting]))
        return found

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of `COLUMNS`."""
        shown = list(zip(self.cases, self.evidence, strict=True))
        gaps = [row for case, each in shown[1:] for row in difference_rows(case, each, self.before, self.measures)]
        return frames(
            self.made,
            COLUMNS,
            {
                "cases": case_rows(self.made),
                "estimates": [row for case, each in shown for row in estimate_rows(case, each, self.measures)],
                "differences": adjusted(gaps),
                "crossings": self._crossings(),
            },
        )

    def _crossings(self) -> list[dict[str, Any]]:
        return [row for target in self.targets for factor in self.factors for row in self._crossing(target, factor)]

    def _crossing(self, target: Target, factor: Factor) -> list[dict[str, Any]]:
        about = {"key": factor.key, **named(target.measure)}
        level = target.number(self.before)
        row = {**about, "target": level, "value": None, "low": None, "high": None, "below": "", "above": "", "note": ""}
        along = self.along(factor)
        if not factor.is_numeric:
            return [row | {"note": "not looked for: its values are no whole numbers, between them lies nothing"}]
        if len(along) < 2:
            return [row | {"note": "crossed with others: no case changes it alone"}]
        found = crossings([int(value) for value, _ in along], [each for _, each in along], target.measure, level)
        if not found:
            return [row | {"note": f"not reached between {along[0][0]} and {along[-1][0]}"}]
        return [row | self._found(one) for one in found]

    @staticmethod
    def _found(one: Crossing) -> dict[str, Any]:
        interval = one.interval
        return {
            **{"value": interval.estimate, "low": interval.low, "high": interval.high},
            **{"below": one.below, "above": one.above, "note": interval.note},
        }
