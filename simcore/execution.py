"""What every way of playing a run shares, on threads or on a cluster: ranges to play, progress, interruption, the end.

An `Execution` is one attempt to play what is missing of a run. Results arrive as sums of finished ranges of blocks;
they are exact integers, so neither who played them nor how they were cut shows in the result.
"""

from __future__ import annotations

import abc
import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from simcore import blocks
from simcore.contract import DataError, TaflError
from simcore.looks import Looks, cut
from simcore.store import RunResult, RunStore
from simcore.sums import Sums

Rule = Callable[[RunResult], str | None]
"""Asked at each look about all blocks before it: the answer that ends the run, or None to go on."""


class Interrupted(TaflError):  # noqa: N818 - nothing is wrong
    """The run was stopped by Ctrl-C or a signal; what was played is kept. `folder` resumes it (exit code 130)."""

    exit_code = 130

    def __init__(self, folder: Path, n_blocks_done: int, n_blocks: int):
        self.folder = folder
        self.n_blocks_done = n_blocks_done
        self.n_blocks = n_blocks
        share = 100 * n_blocks_done / n_blocks
        super().__init__(f"interrupted: {n_blocks_done} of {n_blocks} blocks ({share:.1f} %) are kept in '{folder}'.")


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes
    ----------
    n_blocks_done, n_blocks, n_games_done : int
        Earlier executions of the run included; of a shard, its own blocks. While a rule may stop the run, `n_blocks` is
        the most.
    games_per_second : float
        Of this execution; 0 before the first slice.
    seconds_left : float or None
        None as long as the speed is not known.
    sums : Sums
        Of the finished chunks. Belongs to the runner: read it, do not keep it.
    """

    n_blocks_done: int
    n_blocks: int
    n_games_done: int
    games_per_second: float
    seconds_left: float | None
    sums: Sums


class Ranges:
    """Hands out the blocks that are left, each once.

    Parameters
    ----------
    spans : list of (int, int)
        First and stop block of each range that is missing.
    n_threads : int
        Players who take from here.
    looked_at : bool
        The spans end where the run looks: threads end each of them together, as otherwise the whole.
    """

    def __init__(self, spans: list[tuple[int, int]], n_threads: int, looked_at: bool = False):
        self._spans = spans[::-1]
        self._looked_at = looked_at
        self._lock = threading.Lock()
        self.n_threads = n_threads
        self.n_left = sum(stop - first for first, stop in spans)

    def take(self, n_blocks: int, exact: bool, least: int = 1) -> tuple[int, int] | None:
        """Return the next range of up to `n_blocks`.

        Unless `exact`, ranges get smaller towards the end, down to `least` blocks: threads end together.
        """
        with self._lock:
            if not self._spans:
                return None
            first, stop = self._spans.pop()
            if not exact:
                n_left = stop - first if self._looked_at else self.n_left
                n_blocks = max(min(least, n_blocks), min(n_blocks, n_left // (2 * self.n_threads)))
            if stop - first > n_blocks:
                self._spans.append((first + n_blocks, stop))
                stop = first + n_blocks
            self.n_left -= stop - first
            return first, stop

    def give_back(self, first: int, stop: int) -> None:
        """Take back a range that was not played."""
        if stop > first:
            with self._lock:
                self._spans.append((first, stop))
                self.n_left += stop - first


class Execution(abc.ABC):
    """One attempt to play what is missing of a run.

    Parameters
    ----------
    store : RunStore
        The open run folder.
    rule : callable, optional
        Of a run whose manifest says that a rule stops it; see `Rule`.

    Attributes
    ----------
    looks : Looks or None
        Where such a run, not stopped yet, stands with its looks.
    """

    def __init__(self, store: RunStore, rule: Rule | None = None):
        self.store = store
        self.looks: Looks | None = None
        if "stopping" in store.manifest and store.stopped is None:
            if rule is None:
                raise DataError(f"the run '{store.folder}' ends by a rule, and none is given.")
            decide: Rule = rule
            self.looks = Looks(store.manifest, store.layout, lambda sums: decide(store.result_of(sums)))
        self.stopping = False  # a plain flag: a signal's handler must not touch a lock
        self.interrupted = False
        self.spans, self.sums = store.finished(None if self.looks is None else self.looks.add)
        self.n_done_before = sum(stop - first for first, stop in self.spans)
        self.start_time = 0.0

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C: stop after the present slices; when it comes again, end at once."""
        if self.interrupted:
            os._exit(Interrupted.exit_code)
        self.interrupted = True
        self.stopping = True

    def missing(self) -> list[tuple[int, int]]:
        """Return the ranges of blocks that were not finished when this execution began; none crosses a look."""
        if self.looks is None:
            return blocks.missing(self.spans, *self.store.span)
        if self.looks.stop is not None:
            return []
        return cut(blocks.missing(self.spans, *self.store.span), self.looks.looks)

    def take_in(self, first: int, stop: int, sums: Sums) -> None:
        """Add the sums of the blocks ``first`` to ``stop - 1``; if a rule says so, that is the end."""
        self.sums.add(sums)
        if self.looks is not None:
            self.looks.add(first, stop, sums)
            self.stopping = self.stopping or self.looks.stop is not None

    @property
    def is_stopped(self) -> bool:
        """Whether a rule has ended the run in this execution."""
        return self.looks is not None and self.looks.stop is not None

    @abc.abstractmethod
    def n_new(self) -> int:
        """Return the blocks played in this execution so far."""

    def n_done(self) -> int:
        """Return the blocks played so far, in earlier executions too."""
        return self.n_done_before + self.n_new()

    def progress(self) -> Progress:
        """Return how far the run is."""
        per_block = self.store.manifest["n_games_per_block"]
        n_new = self.n_new()
        n_done = self.n_done_before + n_new
        n_blocks, sums = self.store.n_blocks, self.sums
        speed = n_new / max(time.perf_counter() - self.start_time, 1e-6)
        if self.looks is not None and self.looks.stop is not None:  # what lies beyond does not count
            n_done = n_blocks = self.looks.stop.n_blocks
            sums = self.looks.sums
        return Progress(
            n_blocks_done=n_done,
            n_blocks=n_blocks,
            n_games_done=n_done * per_block,
            games_per_second=speed * per_block,
            seconds_left=(n_blocks - n_done) / speed if n_new else None,
            sums=sums,
        )


@contextlib.contextmanager
def signals(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """Send Ctrl-C and SIGTERM to the handler; only the main thread may."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def carry_out(execution: Execution, play: Callable[[], dict[str, Any]], n_threads: int) -> RunResult:
    """Play by `play`, then complete the run's folder, and keep the log.

    Parameters
    ----------
    execution : Execution
    play : callable
        Plays what is missing, until done or ``execution.stopping``; returns facts for the log.
    n_threads : int
        Threads that write per-game rows at the end.

    Raises
    ------
    Interrupted
        If the run was stopped before it was complete.
    TaflError
        As `play` raises it, or if the folder cannot be completed.
    """
    store = execution.store
    facts: dict[str, Any] = {}
    try:
        with signals(execution.interrupt):
            facts = play()
            # After an interruption the chunks are not read again: that could take longer than a user waits.
            if execution.looks is not None and execution.looks.stop is not None:
                store.stop(execution.looks.stop)
            all_done = execution.is_stopped or execution.n_done() == store.n_blocks
            complete = all_done and store.finish(n_threads, lambda: execution.interrupted)
        if not complete and not execution.interrupted:
            raise DataError(
                " ".join(store.damaged) or f"chunks of '{store.folder}' vanished: resume to play them again."
            )
    except TaflError as error:
        with contextlib.suppress(TaflError):
            store.log("failed", message=str(error))
        raise
    seconds = round(time.perf_counter() - execution.start_time, 3) if execution.start_time else 0
    store.log("complete" if complete else "interrupted", n_blocks_played=execution.n_new(), seconds=seconds, **facts)
    if not complete:
        raise Interrupted(store.folder, execution.n_done(), store.n_blocks)
    return store.result()
