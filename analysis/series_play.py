"""Playing a series of runs one after the other, each on all threads; how long that will take."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis import runs
from analysis.runs import Setup
from analysis.series import Series
from simcore import blocks
from simcore.cluster import scheduler
from simcore.contract import DataError, UnansweredError
from simcore.execution import signals
from simcore.play import Plan, Table, Watch, warm_up
from simcore.runner import Progress
from simcore.store import RunStore, open_run
from simcore.sums import Sums

CALIBRATED = 5
"""Runs whose speed is measured."""

CALIBRATION_SECONDS = 0.1
"""For each of them."""

FOLDER_SECONDS = 0.25
"""About what it takes to make and complete a run's folder."""

SEATING = "rotations"
"""How the runs of a series seat their line-ups."""


@dataclass(frozen=True)
class SeriesProgress:
    """How far a series is.

    Attributes
    ----------
    n_runs_done, n_runs : int
    n_games_done, n_games : int
        Of the whole series, earlier executions included.
    games_per_second : float
        Of this execution; 0 before the first games.
    seconds_left : float or None
        None as long as the speed is not known.
    """

    n_runs_done: int
    n_runs: int
    n_games_done: int
    n_games: int
    games_per_second: float
    seconds_left: float | None


def games_per_second(
    planned: Sequence[dict[str, Any]],
    setup_of: Callable[[int], Setup],
    kept: Sequence[str],
    patience: float,
    abandon: Callable[[UnansweredError], Any],
) -> float:
    """Return how many games one thread plays a second, measured on a few runs. Compiles what is not yet.

    Parameters
    ----------
    planned : sequence of dict
        What the manifest says of each run; its ``seed`` is used.
    setup_of : callable
        What a run plays, by its number, from 1.
    kept : sequence of str
        Columns of the per-game rows that the runs keep.
    patience, abandon
        As in `simcore.runner.play_run`.

    Raises
    ------
    StrategyError
        If a strategy raises or answers nonsense.
    """
    step = max(1, len(planned) // CALIBRATED)
    n_games = seconds = 0.0
    for number in range(1, len(planned) + 1, step)[:CALIBRATED]:
        plan = setup_of(number).plan(SEATING, planned[number - 1]["seed"])
        warm_up(plan)
        played, took = _watched(plan, kept, patience, abandon)
        n_games += played * plan.games_per_block
        seconds += took
    return n_games / seconds


def _watched(
    plan: Plan, kept_names: Sequence[str], patience: float, abandon: Callable[[UnansweredError], Any]
) -> tuple[int, float]:
    """Play for a moment in a thread that can be watched; return blocks and seconds."""
    table, sums, kept = Table(plan), Sums(plan.layout()), plan.kept_rows(kept_names)
    outcome: list[Any] = []

    def work() -> None:
        start, at = time.perf_counter(), 0
        try:
            while time.perf_counter() - start < CALIBRATION_SECONDS:
                kept.clear()
                at = table.add(sums, at, blocks.MAX_GAMES, kept)
            outcome.append((at, time.perf_counter() - start))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    watch = Watch(patience)
    while thread.is_alive():
        thread.join(0.02)
        stuck = watch.look([table])
        if stuck is not None:
            abandon(stuck)
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    at, took = outcome[0]
    return at, took


def seconds_of(n_games: int, n_runs: int, speed: float, n_threads: int) -> float:
    """Return about how long a series takes at `speed` games a second and thread."""
    return n_games / speed / n_threads + FOLDER_SECONDS * n_runs


class _Tracker:
    """Adds up the progress of the runs."""

    def __init__(self, asked: Series, show: Callable[[SeriesProgress], Any] | None):
        self.asked = asked
        self.show = show
        self.planned = [one["n_games"] for one in asked.planned]
        done = [n for number, n in enumerate(self.planned, 1) if asked.is_complete(number)]
        self.n_games_done, self.n_runs_done = sum(done), len(done)
        self.n_new = 0
        self.start = time.perf_counter()

    def look(self, before: int, progress: Progress) -> None:
        """Tell how far the series is while a run that began with `before` games goes on."""
        if self.show is None:
            return
        n_new = self.n_new + progress.n_games_done - before
        speed = n_new / max(time.perf_counter() - self.start, 1e-6)
        done, n_games = self.n_games_done + progress.n_games_done, sum(self.planned)
        left = (n_games - done) / speed if n_new else None
        self.show(SeriesProgress(self.n_runs_done, len(self.planned), done, n_games, speed, left))

    def end(self, number: int, before: int) -> None:
        """Count a run as done."""
        self.n_new += self.planned[number - 1] - before
        self.n_games_done += self.planned[number - 1]
        self.n_runs_done += 1


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM end a series between two runs as Ctrl-C does."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with signals(interrupt):
        yield


def play(
    asked: Series,
    setup_of: Callable[[int], Setup],
    n_threads: int | None = None,
    progress: Callable[[SeriesProgress], Any] | None = None,
    cluster: str | None = None,
    **options: Any,
) -> None:
    """Play what is missing of a series.

    Parameters
    ----------
    asked : Series
    setup_of : callable
        What a run plays, compiled, by its number, from 1.
    n_threads : int, optional
        All cores by default.
    progress : callable, optional
        Called with a `SeriesProgress` about four times a second.
    cluster : str, optional
        As in `analysis.runs.play`; a local cluster is started once for all runs.
    **options
        As `analysis.runs.play` takes them.

    Raises
    ------
    Interrupted, KeyboardInterrupt
        If it was stopped; what was played is kept.
    StrategyError
        If a strategy raises or answers nonsense.
    """
    with _interruptible(), contextlib.ExitStack() as stack:
        if cluster is not None:
            cluster = stack.enter_context(scheduler(cluster))
        tracker = _Tracker(asked, progress)
        for number in range(1, asked.n_runs + 1):
            if asked.is_complete(number):
                continue
            setup = setup_of(number)
            with _begin(asked, setup, number) as store:
                before = store.result().n_games
                show = partial(tracker.look, before)
                result = runs.play(setup, store, n_threads, show, cluster, **options)
            if not result.complete:
                raise DataError(" ".join(store.damaged) or f"the run '{store.folder}' is not complete: resume it.")
            tracker.end(number, before)


def _begin(asked: Series, setup: Setup, number: int) -> RunStore:
    """Make, or open again, the folder of a run."""
    folder = asked.run_folder(number)
    if folder.exists():
        return open_run(folder)
    one = asked.planned[number - 1]
    return runs.begin_run(
        setup, one["n_games"], one["seed"], SEATING, folder, _listed(asked.kept(number)), marks=asked.marks(number)
    )


def _listed(kept: bool | tuple[str, ...]) -> bool | list[str]:
    return kept if isinstance(kept, bool) else list(kept)
