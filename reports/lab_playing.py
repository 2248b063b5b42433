"""Playing an experiment in sight of a user: what it costs, how far it is, what it found, how to go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.playing import How, games_are_kept, say_if_it_compiles
from reports.series_playing import in_about, play_series, say_how_far

if TYPE_CHECKING:
    from analysis.experiments import Experiment
    from analysis.runs import Choice


def begin(manifest: dict[str, Any], bases: Sequence[Choice], out: Path | None, how: How) -> Experiment:
    """Say what a new experiment costs, and play it."""
    from analysis import experiments
    from analysis.experiments import KEPT
    from simcore.store import check_new

    if out is not None:
        check_new(out)
    any(say_if_it_compiles(base, how) for base in bases)  # once
    planned = manifest["cases"]
    setup_of = experiments.setups(experiments.cases_of(planned), bases)
    cost = in_about(planned, setup_of, KEPT, how)
    made = experiments.create(manifest, bases, out)
    if not how.quiet:
        print(f"{_plan(manifest)}{cost}, folder {made.folder}", file=sys.stderr, flush=True)
    play_series(made, setup_of, how, is_new=True)
    return made


def _plan(manifest: dict[str, Any]) -> str:
    from reports.numbers import count

    n_cases = len(manifest["cases"])
    games = sorted({one["n_games"] for one in manifest["cases"]})
    each = count(games[0]) if len(games) == 1 else f"{count(games[0])} to {count(games[-1])}"
    return (
        f"{manifest['title']}, edition {manifest['edition']['name']}: {count(n_cases)} case{'s' * (n_cases != 1)}, "
        f"{each} games each, {count(manifest['n_games'])} in all, seed {manifest['seed']}"
    )


def go_on(folder: Path, kind: str, how: How) -> Experiment:
    """Play what is missing of an experiment.

    Raises
    ------
    TaflError
        If it is none, or one of another command.
    """
    from analysis import experiments
    from analysis.experiments import Experiment
    from simcore.contract import TaflError

    made = Experiment.load(folder)
    if made.kind != kind:
        raise TaflError(f"'{folder}' was made by tafl {made.kind}: go on with tafl {made.kind} --resume {folder}.")
    if made.n_complete() < made.n_runs:
        bases = experiments.bases_again(made)
        any(say_if_it_compiles(base, how) for base in bases)
        say_how_far(made, how)
        play_series(made, experiments.setups(made.cases, bases), how, is_new=False)
    return made


def finish(made: Experiment, found: Any, show: Callable[[], None], page: Callable[[], Path] | None) -> None:
    """Write an experiment's tables and its page, and print what it found.

    Parameters
    ----------
    made : Experiment
    found
        What it found: `tables`, and `columns` that describe them.
    show : callable
        Prints it.
    page : callable, optional
        Writes the page and returns its file.
    """
    with games_are_kept(made.folder):
        from analysis.tables import write_csvs
        from simcore import disk
        from simcore.contract import TaflError

        written = trouble = None
        try:
            with disk.on(made.folder, "write tables and report into"):
                write_csvs(found.tables, made.folder / "tables", found.columns, found.about)
                if page is not None:
                    written = page()
        except TaflError as error:
            trouble = error  # the result is shown whatever the disk says
        show()
        seed = made.manifest["seed"]
        print(f"\nExperiment: {made.folder} (seed {seed}, tables as CSV in {made.folder / 'tables'})", flush=True)
        if trouble is not None:
            raise trouble
        if written is not None:
            print(f"Report:     {written}")
