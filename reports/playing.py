"""Playing a run in sight of a user: what is said before it, meanwhile, after it, and when it ends early.

What is heavy (pandas, the charts) is imported when it is needed: a run begins at once.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reports import shell

if TYPE_CHECKING:
    from analysis.runs import Choice, Setup
    from simcore.contract import UnansweredError
    from simcore.store import RunResult, RunStore


class How(NamedTuple):
    """How a run is played: all that does not change its results."""

    command: str
    threads: int | None
    patience: float
    cluster: str | None
    quiet: bool
    json_progress: bool

    @property
    def silent(self) -> bool:
        """Whether nothing is said in words while the run goes on."""
        return self.quiet or self.json_progress

    def check(self) -> None:
        """Refuse what cannot be, before anything is begun."""
        from simcore.cluster import parse_cluster, require_dask
        from simcore.runner import check_threads

        check_threads(self.threads)
        if self.cluster is not None:
            parse_cluster(self.cluster)
            require_dask()

    def progress(self, before: RunResult) -> tuple[Any, Any]:
        """Return what shows the progress of a run, and what ends showing it."""
        from reports.json_progress import json_progress
        from reports.terminal import progress_line

        return json_progress(before) if self.json_progress else progress_line(before, self.quiet)


def shard_is_done(store: RunStore) -> str:
    """Return what is said when a shard is complete."""
    shard, n_shards = store.shard or (1, 1)
    first, stop = store.span
    return (
        f"Shard {shard} of {n_shards} is done: blocks {first} to {stop - 1}, in {store.folder}. When all are: "
        "tafl merge FOLDER SHARD..."
    )


def say_if_it_compiles(choice: Choice, how: How) -> bool:
    """Say that the first run compiles, where it will, so that nobody wonders at the silence; return whether it does."""
    from simcore.accel import is_compiled

    compiles = not all(is_compiled(module) for module in choice.modules())
    if compiles and not how.silent:
        print("Compiling what has not been played yet (once on this machine, up to a minute)...", file=sys.stderr)
        sys.stderr.flush()
    return compiles


def play(setup: Setup, store: RunStore, how: How) -> RunResult:
    """Play what is missing of a run, with a line before, one meanwhile, and what could not be used."""
    from analysis import runs
    from reports.json_progress import say_begin, say_stopped
    from reports.terminal import run_in_words
    from simcore.play import leave
    from simcore.runner import default_threads

    n_threads = how.threads or default_threads()
    if how.json_progress:
        say_begin(store, n_threads, how.cluster)
    elif not how.quiet:
        print(run_in_words(store, n_threads), file=sys.stderr, flush=True)
    store.log("begin", command=how.command, threads=n_threads)
    before = store.result()
    for sentence in store.damaged:
        print(sentence, file=sys.stderr)
    show, close = how.progress(before)

    def abandon(error: UnansweredError) -> None:
        close()
        print(_kept(store.folder), file=sys.stderr)
        leave(error)

    try:
        result = runs.play(setup, store, n_threads, show, how.cluster, patience=how.patience, abandon=abandon)
    finally:
        close()
    if how.json_progress:
        say_stopped(result)
    return result


@contextmanager
def played_is_kept(store: RunStore, is_new: bool, again: str | None = None) -> Iterator[None]:
    """Say what is left of a run that ends early, and how to go on.

    Parameters
    ----------
    store : RunStore
    is_new : bool
        Whether the folder was made just now.
    again : str, optional
        The command that goes on; ``tafl compare --resume`` by default.
    """
    from simcore.contract import StrategyError, UnansweredError
    from simcore.runner import Interrupted

    go_on = f"Go on with:\n  {again or f'tafl compare --resume {shlex.quote(str(store.folder))}'}"
    try:
        yield
    except Interrupted as interrupted:
        print(f"{interrupted} {go_on}", file=sys.stderr)
        raise shell.Stopped from None
    except KeyboardInterrupt:
        print(f"interrupted: what was played is kept in '{store.folder}'. {go_on}", file=sys.stderr)
        raise shell.Stopped from None
    except UnansweredError:  # on a cluster; here the process has ended
        print(_kept(store.folder), file=sys.stderr)
        raise
    except StrategyError:
        if is_new and not store.result().n_blocks:
            shutil.rmtree(store.folder, ignore_errors=True)  # so that the same command works once it is mended
        else:
            print(_kept(store.folder), file=sys.stderr)
        raise


def _kept(folder: Path) -> str:
    return f"What was played before is kept: tafl report {shlex.quote(str(folder))}"


def finish(
    result: RunResult,
    report: bool,
    show: Callable[[RunResult, Any], None] | None = None,
    more: Mapping[str, list[dict[str, Any]]] | None = None,
    out: Path | None = None,
    game: int | None = None,
    setup: Setup | None = None,
) -> None:
    """Print the result of a run and write its tables, its charts and its page.

    Parameters
    ----------
    result : RunResult
    report : bool
        Whether the page and the charts are written.
    show : callable, optional
        Prints the result, given it and its tables; by default who wins, by how much, and where the points come from.
    more : mapping, optional
        Rows of further tables (`analysis.tables.COLUMNS`) that are written as CSV beside the run's.
    out : pathlib.Path, optional
        The page's file; in the run's folder by default.
    game : int, optional
        Number of the game that the page tells; the first by default.
    setup : Setup, optional
        The line-up made ready, if it is: some games are played again, to see how they unfold.
    """
    from reports.pictures import drawn_aside, go_ahead

    folder = result.folder
    with games_are_kept(folder), drawn_aside(folder, report and result.complete) as pictures:
        from analysis import unfolding
        from analysis.runs import first_command
        from analysis.tables import COLUMNS, frame, write_csvs
        from reports.terminal import print_result
        from simcore import disk
        from simcore.contract import TaflError

        unfolding.keep_sample(result, setup)
        go_ahead(pictures)
        found = unfolding.tables(result)
        page = None
        trouble = None
        try:
            with disk.on(folder, "write tables and report into"):  # before anything is printed: a reader may hang up
                own = {name: frame(name, rows) for name, rows in (more or {}).items()}
                for table in own.values():
                    table.attrs |= found["summary"].attrs
                write_csvs(found | own, folder / "tables", COLUMNS | unfolding.COLUMNS)
                if report:
                    from reports.page import write_report
                    from reports.sample_game import sample_game

                    command = first_command(folder)
                    page = write_report(result, found, folder, command, sample_game(result, game), out, pictures)
        except TaflError as error:
            trouble = error  # the result is shown whatever the disk says
        (show or print_result)(result, found)
        print(f"\nRun:    {folder} (seed {result.manifest['seed']}, tables as CSV in {folder / 'tables'})", flush=True)
        if trouble is not None:
            raise trouble
        if page is not None:
            print(f"Report: {page}")


@contextmanager
def games_are_kept(folder: Path) -> Iterator[None]:
    """Say that a run's games are safe when only its report could not be written."""
    from simcore.contract import TaflError

    again = f"tafl report {shlex.quote(str(folder))}"
    try:
        yield
    except KeyboardInterrupt:
        print(f"interrupted: the games are kept. Write the report with:\n  {again}", file=sys.stderr)
        raise shell.Stopped from None
    except TaflError as error:
        raise type(error)(f"{error} The games are kept: `{again}` writes tables and report.") from error
