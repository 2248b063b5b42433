"""``tafl report``: the page of a run written again, or several runs side by side."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path


def report_on(run: Path, out: Path | None, game: int | None, quiet: bool) -> None:
    """Write a run's tables, charts and page again, and print its result.

    Parameters
    ----------
    run : pathlib.Path
        Its folder.
    out : pathlib.Path, optional
        The page's file; in the run's folder by default.
    game : int, optional
        Number of the game that the page tells; the first by default.
    quiet : bool
        Print the result only.

    Raises
    ------
    TaflError
        If there is no such run, no block of it is finished, or a file cannot be written.
    """
    from reports.playing import finish
    from reports.sample_game import compiles
    from simcore.contract import DataError, TaflError
    from simcore.results import EXPERIMENT_NAME
    from simcore.store import TOURNAMENT_NAME, load_result

    if (run / TOURNAMENT_NAME).is_file():
        _refuse("a tournament", run, out, game)
        _report_on_tournament(run)
        return
    if (run / EXPERIMENT_NAME).is_file():
        _refuse("an experiment", run, out, game)
        _report_on_experiment(run)
        return
    result = load_result(run)
    if not result.n_blocks:
        again = f"tafl compare --resume {shlex.quote(str(run))}"
        raise DataError(f"no block of the run '{run}' is finished yet, so there is nothing to report: {again}")
    n_games = result.manifest["n_games"] if result.stopped is None else result.stopped.n_games
    if game is not None and not 0 <= game < n_games:
        raise TaflError(f"there is no game {game}: the run's games are 0 to {n_games - 1}.")
    if not quiet:
        if not result.complete:
            n_blocks = result.manifest["n_blocks"]
            print(f"The run is not complete: {result.n_blocks} of {n_blocks} blocks.", file=sys.stderr)
        if compiles(result, game):
            print("Compiling the strategies for the game that the page tells (up to a minute)...", file=sys.stderr)
            sys.stderr.flush()
    finish(result, report=True, out=_file(out), game=game)


def _refuse(what: str, folder: Path, out: Path | None, game: int | None) -> None:
    """Refuse options that are for runs alone."""
    from simcore.contract import TaflError

    for option, value in (("--out", out), ("--game", game)):
        if value is not None:
            raise TaflError(f"'{folder}' is {what}, and {option} is for runs: leave it out.")


def _report_on_tournament(folder: Path) -> None:
    """Write a tournament's tables, charts and page again."""
    from analysis.tournaments import Tournament
    from reports.tournament_playing import finish

    made = Tournament.load(folder)
    made.check_complete()
    finish(made, report=True)


def _report_on_experiment(folder: Path) -> None:
    """Write an experiment's tables, charts and page again."""
    from analysis.experiments import Experiment
    from reports.lab import FINISH

    made = Experiment.load(folder)
    made.check_complete()
    FINISH[made.kind](made, True)


def report_side_by_side(folders: Sequence[Path], out: Path | None, quiet: bool) -> None:
    """Write the page of several runs, and print how they differ and what was found.

    Raises
    ------
    TaflError
        If there is nothing to compare, or the page cannot be written.
    """
    from reports.side_by_side_page import PAGE, put_side_by_side, write_side_by_side
    from reports.side_by_side_words import unfinished
    from reports.terminal import wrapped
    from simcore.store import load_result

    runs = [load_result(folder) for folder in folders]
    found = put_side_by_side(runs)
    if not quiet:
        for sentence in unfinished(found.called, runs):
            print(sentence, file=sys.stderr)
    page = write_side_by_side(found, _file(out) or runs[0].folder / PAGE)
    for sentence in [*found.differ, *found.luck, *found.verdict]:
        print(wrapped(sentence))
    print(f"\nReport: {page}")


def _file(out: Path | None) -> Path | None:
    """Refuse a folder where a file is wanted, before anything is done."""
    from simcore.contract import TaflError

    if out is not None and out.is_dir():
        raise TaflError(f"'{out}' is a folder; name the page's file, such as '{out / 'report.html'}'.")
    return out
