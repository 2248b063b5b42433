"""Playing a tournament: its runs one after the other, each on all threads; how long that will take."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis import runs, tournaments
from analysis.runs import Choice
from analysis.tournaments import KEPT, SEATING, Tournament
from simcore import blocks
from simcore.cluster import scheduler
from simcore.contract import DataError, Entrant, UnansweredError
from simcore.execution import signals
from simcore.play import Plan, Table, Watch, warm_up
from simcore.runner import Progress
from simcore.sums import Sums

CALIBRATED = 5
"""Line-ups whose speed is measured."""

CALIBRATION_SECONDS = 0.1
"""For each of them."""

FOLDER_SECONDS = 0.25
"""About what it takes to make and complete a line-up's folder."""


@dataclass(frozen=True)
class TournamentProgress:
    """How far a tournament is.

    Attributes
    ----------
    n_lineups_done, n_lineups : int
    n_games_done, n_games : int
        Of the whole tournament, earlier executions included.
    games_per_second : float
        Of this execution; 0 before the first games.
    seconds_left : float or None
        None as long as the speed is not known.
    """

    n_lineups_done: int
    n_lineups: int
    n_games_done: int
    n_games: int
    games_per_second: float
    seconds_left: float | None


def games_per_second(
    field: Choice,
    entrants: Sequence[Entrant],
    manifest: dict[str, Any],
    patience: float,
    abandon: Callable[[UnansweredError], Any],
) -> float:
    """Return how many games one thread plays a second, measured on a few line-ups. Compiles what is not yet.

    Parameters
    ----------
    field, entrants
        From `analysis.tournaments.choose_field` and `enter`.
    manifest : dict
        Of the tournament.
    patience, abandon
        As in `simcore.runner.play_run`.

    Raises
    ------
    StrategyError
        If a strategy raises or answers nonsense.
    """
    planned = manifest["lineups"]
    step = max(1, len(planned) // CALIBRATED)
    n_games = seconds = 0.0
    for one in planned[::step][:CALIBRATED]:
        plan = tournaments.setup_of(field, entrants, one["lineup"]).plan(SEATING, one["seed"])
        warm_up(plan)
        played, took = _watched(plan, patience, abandon)
        n_games += played * plan.games_per_block
        seconds += took
    return n_games / seconds


def _watched(plan: Plan, patience: float, abandon: Callable[[UnansweredError], Any]) -> tuple[int, float]:
    """Play for a moment in a thread that can be watched; return blocks and seconds."""
    table, sums, kept = Table(plan), Sums(plan.layout()), plan.kept_rows(KEPT)
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


def seconds_of(manifest: dict[str, Any], speed: float, n_threads: int) -> float:
    """Return about how long a tournament takes at `speed` games a second and thread."""
    return float(manifest["n_games"]) / speed / n_threads + FOLDER_SECONDS * len(manifest["lineups"])


class _Tracker:
    """Adds up the progress of the runs."""

    def __init__(self, asked: Tournament, show: Callable[[TournamentProgress], Any] | None):
        self.asked = asked
        self.show = show
        self.planned = [one["n_games"] for one in asked.manifest["lineups"]]
        done = [n for number, n in enumerate(self.planned, 1) if asked.is_complete(number)]
        self.n_games_done, self.n_lineups_done = sum(done), len(done)
        self.n_new = 0
        self.start = time.perf_counter()

    def look(self, before: int, progress: Progress) -> None:
        """Tell how far the tournament is while a run that began with `before` games goes on."""
        if self.show is None:
            return
        n_new = self.n_new + progress.n_games_done - before
        speed = n_new / max(time.perf_counter() - self.start, 1e-6)
        done, n_games = self.n_games_done + progress.n_games_done, sum(self.planned)
        left = (n_games - done) / speed if n_new else None
        self.show(TournamentProgress(self.n_lineups_done, len(self.planned), done, n_games, speed, left))

    def end(self, number: int, before: int) -> None:
        """Count a run as done."""
        self.n_new += self.planned[number - 1] - before
        self.n_games_done += self.planned[number - 1]
        self.n_lineups_done += 1


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM end a tournament between two runs as Ctrl-C does."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with signals(interrupt):
        yield


def play(
    asked: Tournament,
    field: Choice,
    entrants: Sequence[Entrant],
    n_threads: int | None = None,
    progress: Callable[[TournamentProgress], Any] | None = None,
    cluster: str | None = None,
    **options: Any,
) -> None:
    """Play what is missing of a tournament.

    Parameters
    ----------
    asked : Tournament
    field, entrants
        From `analysis.tournaments.choose_field` (or `field_again`) and `enter`.
    n_threads : int, optional
        All cores by default.
    progress : callable, optional
        Called with a `TournamentProgress` about four times a second.
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
        for number in range(1, asked.n_lineups + 1):
            if asked.is_complete(number):
                continue
            setup = tournaments.setup_of(field, entrants, asked.manifest["lineups"][number - 1]["lineup"])
            with tournaments.begin_lineup(asked, setup, number) as store:
                before = store.result().n_games
                show = partial(tracker.look, before)
                result = runs.play(setup, store, n_threads, show, cluster, **options)
            if not result.complete:
                raise DataError(" ".join(store.damaged) or f"the run '{store.folder}' is not complete: resume it.")
            tracker.end(number, before)
