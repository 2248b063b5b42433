"""Playing a series of runs in sight of a user: how long it takes, how far it is, how to go on."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from reports import shell
from reports.playing import How

if TYPE_CHECKING:
    from analysis.runs import Setup
    from analysis.series import Series
    from analysis.series_play import SeriesProgress
    from simcore.contract import UnansweredError


def in_about(planned: Sequence[dict[str, Any]], setup_of: Callable[[int], Setup], kept: Sequence[str], how: How) -> str:
    """Return how long a series takes, as the end of a sentence; nothing where nobody reads it, or on a cluster."""
    if how.quiet or how.cluster is not None:
        return ""
    from analysis import series_play
    from reports.terminal import clock
    from simcore.runner import default_threads

    speed = series_play.games_per_second(planned, setup_of, kept, how.patience, _abandon(None))
    n_threads = how.threads or default_threads()
    n_games = sum(one["n_games"] for one in planned)
    seconds = series_play.seconds_of(n_games, len(planned), speed, n_threads)
    return f", about {clock(max(1.0, seconds))} on {n_threads} thread{'s' if n_threads > 1 else ''}"


def play_series(made: Series, setup_of: Callable[[int], Setup], how: How, is_new: bool) -> None:
    """Play what is missing, with a line that shows how far it is."""
    from analysis import series_play
    from simcore.runner import default_threads

    held = made.lock()
    try:
        made.log("begin", command=how.command, threads=how.threads or default_threads())
        show, close = _line(how.quiet, made.part)
        with _played_is_kept(made, is_new):
            try:
                series_play.play(
                    made,
                    setup_of,
                    how.threads or default_threads(),
                    show,
                    how.cluster,
                    patience=how.patience,
                    abandon=_abandon(made, close),
                )
            finally:
                close()
        made.log("complete")
    finally:
        held.release()


def say_how_far(made: Series, how: How) -> None:
    """Say what is played already of a series that goes on."""
    if not how.quiet:
        done = f"{made.n_complete()} of {made.n_runs} {made.part}s are played; going on."
        print(done, file=sys.stderr, flush=True)


def _line(quiet: bool, part: str) -> tuple[Callable[[SeriesProgress], None] | None, Callable[[], None]]:
    from reports.terminal import overwritten_line

    if quiet or not sys.stderr.isatty():
        return None, lambda: None
    write, close = overwritten_line()
    return lambda progress: write(_progress_text(progress, part)), close


def _progress_text(progress: SeriesProgress, part: str) -> str:
    from reports.numbers import count
    from reports.terminal import bar, clock

    parts = [f"{progress.n_runs_done} of {progress.n_runs} {part}s", f"{count(progress.n_games_done)} games"]
    if progress.games_per_second:
        parts.append(f"{count(round(progress.games_per_second))} games/s")
    if progress.seconds_left is not None:
        parts.append(f"{clock(progress.seconds_left)} left")
    return bar(progress.n_games_done / progress.n_games, ", ".join(parts))


def _resume(made: Series) -> str:
    return f"tafl {made.command} --resume {shlex.quote(str(made.folder))}"


def _abandon(made: Series | None, close: Callable[[], None] = lambda: None) -> Callable[[UnansweredError], None]:
    """Return what ends the process when a strategy never answers."""

    def abandon(error: UnansweredError) -> None:
        from simcore.play import leave

        close()
        if made is not None:
            print(_kept(made), file=sys.stderr)
        leave(error)

    return abandon


@contextmanager
def _played_is_kept(made: Series, is_new: bool) -> Iterator[None]:
    """Say what is left of a series that ends early, and how to go on."""
    from simcore.contract import StrategyError, UnansweredError
    from simcore.runner import Interrupted

    try:
        yield
    except (Interrupted, KeyboardInterrupt):
        n_done = made.n_complete()
        print(
            f"interrupted: {n_done} of {made.n_runs} {made.part}s, and what was played of the next, are kept in "
            f"'{made.folder}'. Go on with:\n  {_resume(made)}",
            file=sys.stderr,
        )
        raise shell.Stopped from None
    except UnansweredError:  # on a cluster; here the process has ended
        print(_kept(made), file=sys.stderr)
        raise
    except StrategyError:
        if is_new and not made.n_complete():
            shutil.rmtree(made.folder, ignore_errors=True)  # so that the same command works once it is mended
        else:
            print(_kept(made), file=sys.stderr)
        raise


def _kept(made: Series) -> str:
    return f"What was played before is kept in '{made.folder}': {_resume(made)}"
