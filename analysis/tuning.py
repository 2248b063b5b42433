"""The smallest change of the rules that reaches a target, and whether it holds on fresh luck.

All combinations of the values named are played on shared luck, as in a sweep, and ordered by how large a change they
are: how many things are changed, then by how many steps of the lists named. The first that reaches the target is the
suggestion. Whatever is chosen among many looks better than it is, so the suggestion and the unchanged game are played
again on fresh luck, and only what is seen there counts.

Targets
    ``equal-seats`` : the spread of the seats' win shares is within the tolerance;
    ``equal-strategies`` : that of the strategies' win shares is;
    ``MEASURE=LEVEL`` : a measure (`analysis.case_evidence`) is within the tolerance of a level; ``length=LEVEL`` is the
    number of decisions of a game.

*Reached* means that the estimate is within the tolerance; *confirmed*, that on fresh luck the whole interval is, and
*not settled*, that the interval holds both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.case_evidence import (
    BEFORE,
    LENGTH,
    SEAT_SPREAD,
    SHARE,
    STRATEGY_SPREAD,
    Evidence,
    Measure,
    estimate,
    measures_of,
)
from analysis.case_tables import CASES, DIFFERENCES, ESTIMATES, MEASURE, Columns, frames
from analysis.changes import Factor, Setting, in_words
from analysis.experiments import Case, Experiment, make_manifest
from analysis.intervals import Interval
from analysis.runs import Choice
from analysis.sweeps import Sweep, number_of, parse_target
from analysis.sweeps import plan as plan_sweep
from analysis.tables import REAL, TEXT, WHOLE
from simcore.blocks import entrants
from simcore.contract import TaflError
from simcore.naming import unknown
from simcore.store import load_result

KIND = "tune-rules"
TARGETS = {"equal-seats": SEAT_SPREAD, "equal-strategies": STRATEGY_SPREAD, "length": LENGTH}
TOLERANCE = {SHARE: 0.01}
"""By default a share has to come within one percentage point; anything else, within one hundredth of its level."""

CONFIRMED_TIMES = 4
"""Games of a confirmation, in games of a case."""

CONFIRMATION = "confirmation"
"""Folder of the confirmation, inside that of the search."""

CONFIRMED, REFUTED, OPEN = "confirmed", "not confirmed", "not settled"

COLUMNS: dict[str, Columns] = {
    "cases": CASES,
    "estimates": ESTIMATES,
    "differences": DIFFERENCES,
    "search": [
        ("case", TEXT, "what is changed"),
        ("n_changed", WHOLE, "things changed"),
        ("n_steps", WHOLE, "steps of the lists named, all things together"),
        *MEASURE,
        ("level", REAL, "the target"),
        ("tolerance", REAL, "how near counts as reached"),
        ("estimate", REAL, "the measure in this case"),
        ("low", REAL, "its 95 % interval"),
        ("high", REAL, ""),
        ("distance", REAL, "of the estimate from the target"),
        ("reached", TEXT, "yes or no"),
    ],
    "confirmation": [
        ("case", TEXT, "the unchanged game, or the suggestion"),
        *MEASURE,
        ("estimate", REAL, "the measure on fresh luck"),
        ("low", REAL, "its 95 % interval"),
        ("high", REAL, ""),
        ("verdict", TEXT, "of the suggestion: confirmed, not confirmed, or not settled"),
        ("n_games", WHOLE, "games of the case"),
    ],
}


@dataclass(frozen=True)
class Goal:
    """What a search looks for.

    Attributes
    ----------
    measure : Measure
    level, tolerance : float
        In the measure's unit.
    """

    measure: Measure
    level: float
    tolerance: float

    def distance(self, found: float) -> float:
        """Return how far a value lies from the target; a spread that is smaller than its level lies on it."""
        return max(0.0, found - self.level) if self.measure.is_spread else abs(found - self.level)

    def is_reached(self, found: float | None) -> bool:
        """Whether a value counts as reaching the target."""
        return found is not None and self.distance(found) <= self.tolerance

    def verdict(self, interval: Interval) -> str:
        """Return what an interval on fresh luck says."""
        if interval.low is None or interval.high is None or interval.estimate is None:
            return OPEN
        if self.is_reached(interval.low) and self.is_reached(interval.high):
            return CONFIRMED
        nearest = min(max(self.level, interval.low), interval.high)
        return OPEN if self.is_reached(nearest) else REFUTED


def parse_goal(text: str, within: str | None, known: Sequence[Measure]) -> tuple[str, float]:
    """Read ``--target``, and check ``--within``: the target as `analysis.sweeps.parse_target` reads it, the tolerance.

    Raises
    ------
    TaflError
        If there is no such target, or no such tolerance.
    """
    name, sign, level = text.partition("=")
    if name in TARGETS and name != "length":
        if sign:
            raise TaflError(f"--target {name} needs no level: how near is near enough is said by --within.")
        written = f"{TARGETS[name]}=0"
    elif name == "length":
        if not sign:
            raise TaflError("--target length needs a level, such as length=80 decisions a game.")
        written = f"{LENGTH}={level}"
    elif not sign:
        raise TaflError(f"{unknown('target', name, [*TARGETS, 'MEASURE=LEVEL'])}.")
    else:
        written = text
    target = parse_target(written, known)
    if within is None:
        default = TOLERANCE.get(target.measure.unit)
        if default is None and (target.level == BEFORE or float(target.level) == 0):
            raise TaflError(f"--target {text} needs --within: say how near is near enough.")
        return written, default if default is not None else abs(float(target.level)) / 100
    tolerance = number_of(within)
    if tolerance is None or tolerance <= 0:
        raise TaflError(f"--within {within}: give a number above 0, such as 1% or 2.")
    return written, tolerance


def plan(
    choice: Choice, vary: Sequence[str], target: str, within: str | None, n_games: int | None, seed: int | None
) -> dict[str, Any]:
    """Return the manifest of a search; see `analysis.sweeps.plan`."""
    names, n_seats = entrants(choice.lineup)[0], len(choice.lineup)
    if target == "equal-strategies" and len(names) < 2:
        raise TaflError("one strategy alone cannot be unequal: name two or more.")
    written, tolerance = parse_goal(target, within, measures_of(names, n_seats))
    manifest = plan_sweep(choice, vary, True, n_games, seed, [written])
    return {**manifest, "kind": KIND, "options": {**manifest["options"], "target": target, "tolerance": tolerance}}


def confirmation_manifest(found: Tuning, choice: Choice) -> dict[str, Any]:
    """Return the manifest of the confirmation of a suggestion."""
    seed = fresh_seed_of(int(found.made.manifest["seed"]))
    n_games = CONFIRMED_TIMES * int(found.made.planned[0]["n_games"])
    suggestion = found.suggestion
    assert suggestion is not None
    cases = [Case((), 0, seed), Case(suggestion, 0, seed)]
    return make_manifest(KIND, [choice], cases, n_games, {"confirms": True}, seed)


def fresh_seed_of(seed: int) -> int:
    """Return the seed of the confirmation of a search: one that no search of the same seed plays."""
    digest = hashlib.sha256(f"tafl tuning confirmation {seed}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


class Tuning:
    """What a search found.

    Parameters
    ----------
    made : Experiment
        Complete.
    """

    columns = COLUMNS
    about = __doc__

    def __init__(self, made: Experiment):
        if "confirms" in made.options:
            raise TaflError(f"'{made.folder}' only confirms a search: give the search's folder, {made.folder.parent}.")
        self.made = made
        self.sweep = Sweep(made)
        target = self.sweep.targets[0]
        self.goal = Goal(target.measure, target.number(self.sweep.before), float(made.options["tolerance"]))
        folder = made.folder / CONFIRMATION
        self.confirmation = Experiment.load(folder) if Experiment.is_at(folder) else None

    @cached_property
    def tried(self) -> list[tuple[Setting, Interval]]:
        """Every setting with its measure, the smallest change first."""
        found = [
            (case.setting, estimate(evidence, self.goal.measure))
            for case, evidence in zip(self.sweep.cases, self.sweep.evidence, strict=True)
        ]
        return sorted(found, key=lambda one: self.size(one[0]))

    def size(self, setting: Setting) -> tuple[int, int]:
        """Return how large a change is: how many things, and how many steps of their lists."""
        factors = {factor.key: factor for factor in self.sweep.factors}
        return len(setting), sum(steps_from_before(factors[key], value) for key, value in setting)

    @cached_property
    def suggestion(self) -> Setting | None:
        """The smallest change that reaches the target; None if none does. Empty: the unchanged game does."""
        return next((setting for setting, found in self.tried if self.goal.is_reached(found.estimate)), None)

    @property
    def nearest(self) -> Setting:
        """The change that comes nearest to the target."""
        return min(self.tried, key=lambda one: self.goal.distance(one[1].estimate or 0.0))[0]

    @cached_property
    def fresh(self) -> list[tuple[Case, Evidence]]:
        """The confirmation's cases: the unchanged game and the suggestion; none if there is nothing to confirm."""
        if self.confirmation is None or self.confirmation.n_complete() < self.confirmation.n_runs:
            return []
        folders = [self.confirmation.run_folder(n) for n in (1, 2)]
        return [(case, Evidence(load_result(f))) for case, f in zip(self.confirmation.cases, folders, strict=True)]

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of `COLUMNS`."""
        same = {name: self.sweep.tables[name].to_dict("records") for name in ("cases", "estimates", "differences")}
        return frames(self.made, COLUMNS, {**same, "search": self._search(), "confirmation": self._confirmation()})

    def _about(self) -> dict[str, Any]:
        measure = self.goal.measure
        return {"measure": measure.name, "title": measure.title, "unit": measure.unit}

    def _search(self) -> list[dict[str, Any]]:
        rows = []
        for setting, found in self.tried:
            n_changed, n_steps = self.size(setting)
            rows.append(
                {
                    **{"case": in_words(setting), "n_changed": n_changed, "n_steps": n_steps, **self._about()},
                    **{"level": self.goal.level, "tolerance": self.goal.tolerance, "estimate": found.estimate},
                    **{"low": found.low, "high": found.high, "distance": self.goal.distance(found.estimate or 0.0)},
                    "reached": "yes" if self.goal.is_reached(found.estimate) else "no",
                }
            )
        return rows

    def _confirmation(self) -> list[dict[str, Any]]:
        rows = []
        for case, evidence in self.fresh:
            found = estimate(evidence, self.goal.measure)
            rows.append(
                {
                    **{"case": case.name, **self._about(), "estimate": found.estimate, "low": found.low},
                    **{
                        "high": found.high,
                        "verdict": self.goal.verdict(found) if case.setting else "",
                        "n_games": evidence.n_games,
                    },
                }
            )
        return rows


def steps_from_before(factor: Factor, value: str) -> int:
    """Return how many steps of a factor's list lie between its value before and another."""
    values = list(dict.fromkeys([*factor.values, factor.before]))
    if factor.is_numeric:
        values = sorted(values, key=int)
        return abs(values.index(value) - values.index(factor.before))
    return int(value != factor.before)
