"""An experiment: a folder with a run for each case of a game that is changed a little at a time, all on shared luck.

::

    experiment.json     first, with everything that decides the results: game, line-ups, cases, seed
    edition/*           the unchanged edition's tables; strategies/* the strategies' sources
    cases/0001/ ...     an ordinary run folder for each case, made when its turn comes; 0001 is the unchanged game
    log.jsonl           times, threads, command

Cases of the same line-up share their luck: the same seed, block for block. So a difference between two of them is made
from differences of blocks (`analysis.case_evidence`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from analysis import runs
from analysis.changes import Setting, apply, in_words
from analysis.runs import Choice, Setup
from analysis.series import Series, free_folder
from analysis.series_play import SEATING
from simcore import blocks
from simcore.contract import DataError, TaflError
from simcore.manifest import MAX_SEED, edition_entry, engine_digest, tafl_version
from simcore.results import EXPERIMENT_NAME

FORMAT = 1
KEPT = ("win", "score", "margin", "place", "n_decisions")
"""Columns of the per-game rows that each case keeps."""

MAX_CASES = 2_000
"""More are refused: each is a run with a folder of its own."""

_KEYS = ("engine", "game", "kind", "bases", "cases", "seed", "edition", "strategies", "files", "n_games", "options")


@dataclass(frozen=True)
class Case:
    """One run of an experiment.

    Attributes
    ----------
    setting : Setting
        What is changed; empty for the unchanged game.
    base : int
        Number of the line-up, from 0.
    seed : int
    keep_all : bool
        Whether all columns of the per-game rows are kept, or `KEPT`.
    digest : str
        Of the edition that is played, if known: one that lies elsewhere must not change in the meantime.
    """

    setting: Setting
    base: int = 0
    seed: int = 0
    keep_all: bool = False
    digest: str = ""

    @property
    def name(self) -> str:
        """What a reader calls it."""
        return in_words(self.setting)


@dataclass(frozen=True)
class Experiment(Series):
    """An experiment's folder and what is played there.

    Attributes
    ----------
    folder : pathlib.Path
    manifest : dict
        What ``experiment.json`` holds.
    """

    what, part = "experiment", "case"
    manifest_name, runs_name = EXPERIMENT_NAME, "cases"
    format, keys = FORMAT, _KEYS

    @property
    def kind(self) -> str:
        """The command that made it: ``sweep``, ``sensitivity``..."""
        return str(self.manifest["kind"])

    @property
    def command(self) -> str:  # type: ignore[override]
        """The command of tafl that plays it."""
        return self.kind

    def kept(self, number: int) -> bool | tuple[str, ...]:
        """Return the columns of the per-game rows that a run keeps; True: all."""
        return True if self.planned[number - 1]["keep_all"] else KEPT

    def marks(self, number: int) -> dict[str, Any]:
        """Return what a run's manifest says of its place in the experiment: its case."""
        return {"case": [list(pair) for pair in self.planned[number - 1]["setting"]]}

    @property
    def cases(self) -> list[Case]:
        """What is played, in the order of the run folders."""
        return cases_of(self.planned)

    @property
    def options(self) -> dict[str, Any]:
        """What the command that made it was asked for, beyond the cases."""
        return dict(self.manifest["options"])

    def lineup(self, base: int) -> list[str]:
        """Return a line-up, by its number."""
        return list(self.manifest["bases"][base])


_OF_CASE = ("base", "seed", "keep_all", "edition")


def cases_of(planned: Sequence[Mapping[str, Any]]) -> list[Case]:
    """Return the cases that a manifest lists."""
    return [
        Case(tuple((key, value) for key, value in one["setting"]), *(one[key] for key in _OF_CASE)) for one in planned
    ]


def make_manifest(
    kind: str,
    bases: Sequence[Choice],
    cases: Sequence[Case],
    n_games: int,
    options: Mapping[str, Any],
    seed: int,
    checked: bool = False,
) -> dict[str, Any]:
    """Return what ``experiment.json`` holds, but for the hashes of the files beside it.

    Parameters
    ----------
    kind : str
        The command.
    bases : sequence of Choice
        The line-ups, all of one edition.
    cases : sequence of Case
        Those of one base and seed share their luck.
    n_games : int
        Of each case, rounded up to whole blocks.
    options : mapping
        What else the command was asked for.
    seed : int
        Of the experiment: what the cases' seeds were made of.
    checked : bool
        Whether the changes are known to be possible.

    Raises
    ------
    TaflError
        If a number cannot be, or a change does not check.
    """
    if not 0 <= seed <= MAX_SEED:
        raise TaflError(f"the seed must be from 0 to {MAX_SEED}, not {seed}.")
    if len(cases) > MAX_CASES:
        raise TaflError(f"{len(cases)} cases are more than the {MAX_CASES} that one experiment can have: vary less.")
    spec, edition = bases[0].spec, bases[0].edition
    planned = []
    for case in cases:
        base = bases[case.base]
        changed = None if checked else apply(case.setting, base).edition
        per_block = len(blocks.seatings(blocks.entrants(base.lineup)[1], SEATING))
        n_blocks = blocks.n_blocks_for(n_games, per_block)
        planned.append(
            {
                **{"name": case.name, "setting": [list(pair) for pair in case.setting], "base": case.base},
                **{"seed": case.seed, "keep_all": case.keep_all, "edition": changed.digest if changed else ""},
                **{"n_blocks": n_blocks, "n_games": n_blocks * per_block},
            }
        )
    strategies: dict[str, dict[str, Any]] = {}
    for base in bases:
        n_players = len(base.lineup)
        for s in base.strategies:
            told = strategies.setdefault(s.name, {**runs.described(s, n_players), "params": {}})
            told["params"][str(n_players)] = s.params_for(n_players)  # they may differ by the size of the table
    return {
        "format": FORMAT,
        "tafl_version": tafl_version(),
        "engine": engine_digest(spec.game_id),
        "kind": kind,
        "game": spec.game_id,
        "title": spec.title,
        "bases": [list(base.lineup) for base in bases],
        "strategies": list(strategies.values()),
        "cases": planned,
        "options": dict(options),
        "seed": seed,
        **{key: sum(one[key] for one in planned) for key in ("n_games", "n_blocks")},
        "edition": edition_entry(edition),
    }


def create(manifest: dict[str, Any], bases: Sequence[Choice], out: Path | None = None) -> Experiment:
    """Make an experiment's folder: under ``runs/``, named by game, command and seed, unless `out` names another.

    Raises
    ------
    TaflError
        If the folder exists or cannot be written.
    """
    stem = f"{manifest['game']}-{manifest['kind']}-{manifest['seed']}"
    strategies = {s.name: s for base in bases for s in base.strategies}
    kept = dataclasses.replace(bases[0], strategies=tuple(strategies.values()))
    return Experiment.create(manifest, kept, free_folder(stem) if out is None else out)


def bases_again(made: Experiment, any_engine: bool = False) -> list[Choice]:
    """Find the line-ups that an experiment's folder keeps; with `any_engine` not to be played.

    Raises
    ------
    DataError
        If they were played by another engine.
    """
    if not any_engine:
        made.check_engine()
    manifest = made.manifest
    found = []
    for lineup in manifest["bases"]:
        names, _ = blocks.entrants(lineup)
        told = {s["name"]: s for s in manifest["strategies"]}
        entrants = [{**told[name], "params": told[name]["params"][str(len(lineup))]} for name in names]
        base = runs.choose_again(
            made.folder, {**manifest, "lineup": lineup, "entrants": entrants, "n_players": len(lineup)}
        )
        named = dataclasses.replace(base.edition, name=manifest["edition"]["name"])
        found.append(dataclasses.replace(base, edition=named))
    return found


def setups(made_cases: Sequence[Case], bases: Sequence[Choice]) -> Callable[[int], Setup]:
    """Return what tells what the run of a case plays, by the case's number, from 1."""

    @cache
    def setup(number: int) -> Setup:
        case = made_cases[number - 1]
        changed = apply(case.setting, bases[case.base])
        if case.digest not in ("", changed.edition.digest):
            raise DataError(f"the edition of {case.name} was changed after the experiment began: put it back.")
        return runs.make_ready(changed)

    return setup
