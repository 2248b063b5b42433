"""The laboratory's commands as functions, for a notebook or a script: see `analysis.notebook`.

Each returns the tables that its command writes as CSV (``tables/columns.md`` in the folder describes them).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import balance_plan, experiments, robustness_draws, runs, sensitivity_steps, series_play, sweeps, tuning
from analysis.balance_sheet import BalanceSheet
from analysis.experiments import Experiment
from analysis.robustness_draws import Robustness
from analysis.runs import Choice
from analysis.sensitivity_steps import Sensitivity
from analysis.sweeps import Sweep
from analysis.tuning import Tuning

PathLike = str | Path
Tables = dict[str, pd.DataFrame]


def balance(
    game: str,
    *,
    strategies: Sequence[str] = (),
    players: Sequence[int] | None = None,
    items: Sequence[str] = (),
    effects: bool = True,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    threads: int | None = None,
    cluster: str | None = None,
) -> Tables:
    """Take stock of a game; options as of ``tafl balance``."""
    numbers = balance_plan.players_of(game, None if players is None else ",".join(map(str, players)), edition, rule)
    asked = (items, effects, games, seed, edition, rule, strategy_file)
    bases, manifest = balance_plan.plan(game, strategies, numbers, *asked)
    return BalanceSheet(_played(manifest, bases, out, threads, cluster)).tables


def sweep(
    game: str,
    *strategy: str,
    vary: Sequence[str],
    cross: bool = False,
    target: Sequence[str] = (),
    players: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    threads: int | None = None,
    cluster: str | None = None,
) -> Tables:
    """Change rules, numbers or weights over a range; options as of ``tafl sweep``."""
    choice = runs.choose(game, strategy, players, edition, rule, strategy_file)
    manifest = sweeps.plan(choice, vary, cross, games, seed, target)
    return Sweep(_played(manifest, [choice], out, threads, cluster)).tables


def sensitivity(
    game: str,
    *strategy: str,
    only: Sequence[str] = (),
    parameters: bool = True,
    numbers: bool = True,
    players: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    threads: int | None = None,
    cluster: str | None = None,
) -> Tables:
    """Move each parameter and each number a step; options as of ``tafl sensitivity``."""
    choice = runs.choose(game, strategy, players, edition, rule, strategy_file)
    base, manifest = sensitivity_steps.plan(choice, only, games, seed, parameters, numbers)
    return Sensitivity(_played(manifest, [base], out, threads, cluster)).tables


def robustness(
    game: str,
    *strategy: str,
    editions: int | None = None,
    players: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    threads: int | None = None,
    cluster: str | None = None,
) -> Tables:
    """Play a comparison on many plausible editions; options as of ``tafl robustness``."""
    choice = runs.choose(game, strategy, players, edition, rule, strategy_file)
    manifest = robustness_draws.plan(choice, editions, games, seed)
    return Robustness(_played(manifest, [choice], out, threads, cluster)).tables


def tune_rules(
    game: str,
    *strategy: str,
    vary: Sequence[str],
    target: str,
    within: str | None = None,
    players: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    threads: int | None = None,
    cluster: str | None = None,
) -> Tables:
    """Find the smallest change that reaches a target, and confirm it; options as of ``tafl tune-rules``."""
    choice = runs.choose(game, strategy, players, edition, rule, strategy_file)
    manifest = tuning.plan(choice, vary, target, within, games, seed)
    made = _played(manifest, [choice], out, threads, cluster)
    found = Tuning(made)
    if found.suggestion:
        again = tuning.confirmation_manifest(found, choice)
        _played(again, [choice], made.folder / tuning.CONFIRMATION, threads, cluster)
        found = Tuning(made)
    return found.tables


def _played(
    manifest: dict[str, Any], bases: Sequence[Choice], out: PathLike | None, threads: int | None, cluster: str | None
) -> Experiment:
    made = experiments.create(manifest, bases, None if out is None else Path(out))
    held = made.lock()
    try:
        series_play.play(made, experiments.setups(made.cases, bases), threads, cluster=cluster)
    finally:
        held.release()
    return made
