"""Plays a run: chunks of whole blocks on a pool of threads, with progress, interruption and a watchdog.

The compiled engine holds no interpreter lock, so threads run side by side. A thread takes a range of blocks that nobody
has played, plays it in short slices, adds the slices up and writes the sum as a chunk file. Sums are exact integers, so
neither the number of threads nor the cut into chunks shows in the result.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from simcore import blocks
from simcore.contract import DataError, Entrant, GameSpec, TaflError, UnansweredError
from simcore.execution import Execution, Interrupted, Progress, Ranges, Rule, carry_out
from simcore.play import PATIENCE, Plan, Table, Watch, leave, replay, warm_up
from simcore.store import RunResult, RunStore
from simcore.sums import MAX_CHUNK_GAMES, Sums

__all__ = ["Interrupted", "Plan", "Progress", "check_threads", "default_threads", "play_run", "replay", "warm_up"]

FIRST_CHUNK_SECONDS = 0.25
CHUNK_SECONDS = 1.5
LONGEST_CHUNK_SECONDS = 15.0
MANY_CHUNKS = 500
"""A run that would need more chunks than this at `CHUNK_SECONDS` takes longer ones, up to `LONGEST_CHUNK_SECONDS`."""

LEAST_CHUNK_SECONDS = 0.05
"""Where a run looks often, no chunk is shorter than this unless a look comes first: each costs a synced file."""

POLL_SECONDS = 0.05
PROGRESS_SECONDS = 0.25
GRACE_SECONDS = 2.0
MAX_THREADS = 256


def default_threads() -> int:
    """Return the number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(n_threads: int | None) -> None:
    """Refuse a number of threads that cannot be.

    Raises
    ------
    TaflError
    """
    if n_threads is not None and not 1 <= n_threads <= MAX_THREADS:
        raise TaflError(f"the number of threads must be from 1 to {MAX_THREADS}, not {n_threads}.")


class _Worker(threading.Thread):
    """One thread: its table, and the chunk it is at."""

    def __init__(self, run: _Run):
        super().__init__(daemon=True)  # a strategy that never answers must not keep the process alive
        self.run_ = run
        self.table = Table(run.plan)
        self.sums = Sums(run.store.layout)
        self.kept = run.plan.kept_rows(run.store.manifest["keep_games"]) if run.store.keeps_games else None
        self.n_done = 0
        self.chunk_seconds = FIRST_CHUNK_SECONDS
        self.blocks_per_second = 0.0

    def run(self) -> None:
        error: BaseException | None = None
        try:
            while not self.run_.stopping:
                span = self.run_.ranges.take(*self._chunk())
                if span is None:
                    break
                self._play_chunk(*span)
        except BaseException as raised:
            error = raised
        self.run_.messages.put((self, error))

    def _chunk(self) -> tuple[int, bool, int]:
        """Return how many blocks to take, whether exactly so many, and the least."""
        run = self.run_
        most = max(1, MAX_CHUNK_GAMES // run.plan.games_per_block)
        if self.kept is not None:
            most = min(most, self.kept.max_blocks)
        if run.chunk_blocks is not None:
            return min(run.chunk_blocks, most), True, 1
        if not self.blocks_per_second:
            return 1, False, 1
        seconds_left = run.ranges.n_left / (self.blocks_per_second * run.n_threads)
        longest = min(max(CHUNK_SECONDS, seconds_left / MANY_CHUNKS), LONGEST_CHUNK_SECONDS)
        if run.looks is not None:  # nobody knows how long it takes, and a look waits for the last of its chunks
            longest = CHUNK_SECONDS
        self.chunk_seconds = min(2 * self.chunk_seconds, longest)
        n_blocks = max(1, min(most, int(self.chunk_seconds * self.blocks_per_second)))
        return n_blocks, False, 1 if run.looks is None else int(LEAST_CHUNK_SECONDS * self.blocks_per_second) + 1

    def _play_chunk(self, first: int, stop: int) -> None:
        """Play a range and keep what is finished of it, whatever happens."""
        self.sums.clear()
        if self.kept is not None:
            self.kept.clear()
        at = first
        start = time.perf_counter()
        try:
            while at < stop and not self.run_.stopping:
                upto = self.table.add(self.sums, at, stop, self.kept)
                self.n_done += upto - at
                at = upto
        except BaseException:
            with contextlib.suppress(TaflError):  # the first trouble is the one to tell
                self._keep(first, at)
            raise
        self.blocks_per_second = (at - first) / max(time.perf_counter() - start, 1e-6)
        self._keep(first, at)

    def _keep(self, first: int, stop: int) -> None:
        if stop > first:
            self.run_.plan.check_tables()
            store = self.run_.store
            rows = None if self.kept is None else self.kept.pack(store.identity, first, stop)
            store.write_chunk(first, stop, self.sums, rows)
            self.run_.messages.put((self, (first, stop, self.sums.copy())))


class _Run(Execution):
    """What the threads of one execution share, and what the main thread does meanwhile."""

    def __init__(self, plan: Plan, store: RunStore, chunk_blocks: int | None, rule: Rule | None = None):
        super().__init__(store, rule)
        self.plan = plan
        self.chunk_blocks = chunk_blocks
        self.messages: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()
        self.n_threads = 1
        self.workers: list[_Worker] = []

    def play(
        self,
        n_threads: int,
        progress: Callable[[Progress], Any] | None,
        watch: Watch,
        abandon: Callable[[UnansweredError], Any],
    ) -> None:
        """Play what is missing."""
        self.ranges = Ranges(self.missing(), n_threads, self.looks is not None)
        self.n_threads = max(1, min(n_threads, self.ranges.n_left))
        self.workers = [_Worker(self) for _ in range(self.n_threads)]
        self.start_time = time.perf_counter()
        for worker in self.workers:
            worker.start()
        try:
            self._wait(progress, watch, abandon)
        finally:
            self.stopping = True
            self._settle(GRACE_SECONDS)
        if progress is not None:
            progress(self.progress())

    def _wait(
        self, progress: Callable[[Progress], Any] | None, watch: Watch, abandon: Callable[[UnansweredError], Any]
    ) -> None:
        working = set(self.workers)
        next_progress = 0.0
        failure: BaseException | None = None
        while working:
            with contextlib.suppress(queue.Empty):
                worker, message = self.messages.get(timeout=POLL_SECONDS)
                if isinstance(message, tuple):
                    self.take_in(*message)
                else:
                    working.discard(worker)
                    failure = failure or message
                    self.stopping = self.stopping or message is not None
            stuck = watch.look([worker.table for worker in self.workers])
            if stuck is not None:
                self._abandon(stuck, working, abandon)
            if progress is not None and time.perf_counter() >= next_progress:
                next_progress = time.perf_counter() + PROGRESS_SECONDS
                progress(self.progress())
        if failure is not None and not self.is_stopped:  # what goes wrong beyond the stop is not of this run
            raise failure

    def _abandon(
        self, stuck: UnansweredError, working: set[_Worker], abandon: Callable[[UnansweredError], Any]
    ) -> None:
        """Let the other threads keep what they have, then give up."""
        self.stopping = True
        self._settle(GRACE_SECONDS)
        with contextlib.suppress(TaflError):
            self.store.log("unanswered", message=str(stuck))
        abandon(stuck)
        raise stuck

    def _settle(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        for worker in self.workers:
            worker.join(max(0.0, deadline - time.monotonic()))

    def n_new(self) -> int:
        """Return the blocks played in this execution so far."""
        return sum(worker.n_done for worker in self.workers)


def play_run(
    spec: GameSpec,
    edition: Any,
    entrants: Sequence[Entrant],
    store: RunStore,
    n_threads: int | None = None,
    *,
    chunk_blocks: int | None = None,
    progress: Callable[[Progress], Any] | None = None,
    patience: float = PATIENCE,
    abandon: Callable[[UnansweredError], Any] = leave,
    rule: Rule | None = None,
) -> RunResult:
    """Play all blocks of a run that are not finished yet.

    Parameters
    ----------
    spec, edition
        The game; the edition's digest is that of the manifest.
    entrants : sequence of Entrant
        In the order of the manifest's entrants.
    store : RunStore
        From `simcore.store.create_run` or `open_run`. Line-up, seating, seed and number of blocks are its manifest's.
    n_threads : int, optional
        All cores by default.
    chunk_blocks : int, optional
        Blocks of a chunk; about `CHUNK_SECONDS` of play by default. The results do not depend on it.
    progress : callable, optional
        Called with a `Progress` about four times a second from the calling thread, and once at the end.
    patience : float
        Seconds that a strategy has for one decision.
    abandon : callable
        Called with the `UnansweredError` of a strategy that exceeds it. Must end the process: the thread that plays
        cannot be stopped. By default prints the sentence and exits with code 4.
    rule : callable, optional
        Needed where the manifest says that a rule stops the run; see `simcore.execution.Rule`.

    Returns
    -------
    RunResult
        The complete result, which is also on disk.

    Raises
    ------
    Interrupted
        After Ctrl-C or SIGTERM. A second Ctrl-C ends the process at once, with code 130.
    StrategyError
        If a strategy raises or answers nonsense. Finished blocks are kept.
    DataError, TaflError
        If the disk is full, the folder has vanished, or arguments do not fit the manifest.
    """
    manifest = store.manifest
    names, seats = blocks.entrants(manifest["lineup"])
    if [entrant.name for entrant in entrants] != list(names) or edition.digest != manifest["edition"]["digest"]:
        raise DataError(f"the strategies or the edition are not those of the run '{store.folder}'.")
    check_threads(n_threads)
    if chunk_blocks is not None and not 1 <= chunk_blocks <= blocks.MAX_GAMES:
        raise TaflError(f"the number of blocks of a chunk must be from 1 to {blocks.MAX_GAMES}, not {chunk_blocks}.")
    n_threads = min(n_threads or default_threads(), MAX_THREADS)
    plan = Plan(spec, edition, entrants, blocks.seatings(seats, manifest["seating"]), manifest["seed"])
    run = _Run(plan, store, chunk_blocks, rule)
    store.log("started", n_threads=n_threads, n_blocks_done=run.n_done_before)

    def play() -> dict[str, Any]:
        compile_seconds = warm_up(plan)
        if not run.interrupted:
            run.play(n_threads, progress, Watch(patience), abandon)
        return {"compile_seconds": round(compile_seconds, 3)}

    return carry_out(run, play, n_threads)
