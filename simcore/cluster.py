"""Playing a run on a Dask cluster: the same blocks, the same bytes, whatever happens to the workers meanwhile.

Workers play ranges of blocks and send back exact sums; this process writes them as chunks into the run folder, just as
its own threads would. Nothing is kept on the cluster. So a worker that dies costs the range it was at, a scheduler that
restarts costs the ranges that were out, and a worker that is too slow is overtaken: at the end of a run, a range that
is out for long is given to an idle worker as well, and the first answer counts.

Needs the extra ``cluster`` (dask, distributed); nothing else imports them.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import queue
import re
import secrets
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from simcore.contract import DataError, TaflError, UnansweredError
from simcore.execution import Execution, Progress, Ranges, Rule, carry_out
from simcore.games_file import MAX_PART_ROWS
from simcore.parcel import Played, make_parcel, play_parcel
from simcore.play import PATIENCE
from simcore.store import RunResult, RunStore
from simcore.sums import MAX_CHUNK_GAMES, Sums

TASK_SECONDS = 2.0
"""A task returns after so long with what it has: Dask costs about 2 ms a task, and what is out is lost when stopped."""

FIRST_SECONDS = 0.3
CONNECT_SECONDS = 15.0
WORKERLESS_SECONDS = 60.0
"""How long to wait for the first worker."""

LOST_SECONDS = 600.0
"""How long to wait for a scheduler or workers that have gone away in mid-run."""

SLOW_SECONDS = 10.0
"""A range that is out longer than this, and than `SLOW_TIMES` the usual, is given to an idle worker as well."""

SLOW_TIMES = 4.0
MAX_DEATHS = 4
"""Workers that may die of one range before the run gives up."""

KILLED = getattr(signal, "SIGKILL", signal.SIGTERM)  # where there is no SIGKILL, os.kill ends a process anyhow
POLL_SECONDS = 0.05
LOOK_SECONDS = 1.0
PROGRESS_SECONDS = 0.25
MAX_LOCAL = 64
LEAST_BLOCKS = 64
"""Where a run looks often, a task is no smaller than this unless a look comes first."""


def parse_cluster(text: str) -> int | None:
    """Return the number of workers of ``local:N``, or None if `text` is a scheduler's address.

    Raises
    ------
    TaflError
        If it is neither.
    """
    if text.startswith("local"):
        match = re.fullmatch(r"local:(\d{1,4})", text)
        if match is None or not 1 <= int(match[1]) <= MAX_LOCAL:
            raise TaflError(f"'{text}' is no local cluster: write local:1 to local:{MAX_LOCAL}, such as local:4.")
        return int(match[1])
    if not re.fullmatch(r"(\w+://)?[^\s/:]+:\d{1,5}|(\w+://)?\[[0-9a-fA-F:]+\]:\d{1,5}", text):
        raise TaflError(
            f"'{text}' is no address of a Dask scheduler: write it as tcp://HOST:PORT, or local:N for workers here."
        )
    return None


def require_dask() -> Any:
    """Return the module ``distributed``.

    Raises
    ------
    TaflError
        If it is not installed.
    """
    try:
        import distributed
    except ImportError:
        raise TaflError("--cluster needs Dask: pip install 'tafl[cluster]'.") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is said here, in a sentence
    return distributed


@dataclass
class _Flight:
    """A range that is out; `twin` is the key of the other flight of the same range, if there is one."""

    key: str
    first: int
    stop: int
    future: Any
    since: float
    twin: str | None = None


class _LostError(Exception):
    """The scheduler is gone, or all that was out."""


class _ClusterRun(Execution):
    """One execution on a cluster."""

    def __init__(
        self,
        store: RunStore,
        parcel: bytes,
        address: str,
        chunk_blocks: int | None,
        patience: float,
        rule: Rule | None = None,
    ):
        super().__init__(store, rule)
        self.parcel = parcel
        self.address = address
        self.patience = patience
        per_block = store.manifest["n_games_per_block"]
        self.max_blocks = max(1, MAX_CHUNK_GAMES // per_block)
        if store.keeps_games:
            self.max_blocks = min(self.max_blocks, max(1, MAX_PART_ROWS // (per_block * store.manifest["n_players"])))
        self.chunk_blocks = None if chunk_blocks is None else min(chunk_blocks, self.max_blocks)
        self.ranges = Ranges(self.missing(), 1, self.looks is not None)
        self.flying: dict[str, _Flight] = {}
        self.done: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.deaths: dict[int, int] = {}
        self.times: list[float] = []
        self.n_played = 0
        self.n_workers = 0
        self._names = (f"tafl-{secrets.token_hex(6)}-{number}" for number in itertools.count())

    def n_new(self) -> int:
        """Return the blocks played in this execution so far."""
        return self.n_played

    def play(self, progress: Callable[[Progress], Any] | None) -> dict[str, Any]:
        """Play what is missing; connect again whenever the scheduler was lost."""
        distributed = require_dask()
        with scheduler(self.address) as address:
            wait = CONNECT_SECONDS
            while not self.stopping and (self.ranges.n_left or self.flying):
                client = _connect(distributed, address, wait, lambda: self.stopping)
                if client is None:
                    break
                try:
                    self._use(client, progress, WORKERLESS_SECONDS if wait == CONNECT_SECONDS else LOST_SECONDS)
                except _LostError:
                    wait = LOST_SECONDS
                finally:
                    self._bring_back()
                    with contextlib.suppress(Exception):
                        client.close(timeout=0.5)
        if progress is not None:
            progress(self.progress())
        return {"cluster": self.address, "n_workers": self.n_workers}

    def _use(self, client: Any, progress: Callable[[Progress], Any] | None, patience: float) -> None:
        """Keep every worker busy until nothing is left."""
        slots, next_look, next_progress = 0, 0.0, 0.0
        workers_seen = time.monotonic()
        while not self.stopping and (self.ranges.n_left or self.flying):
            now = time.monotonic()
            if now >= next_look:
                next_look = now + LOOK_SECONDS
                slots = self._slots(client)
                self.start_time = self.start_time or time.perf_counter()
                workers_seen = now if slots else workers_seen
                if now - workers_seen > patience:
                    raise TaflError(
                        f"no worker is there at '{self.address}': start some with `dask worker ADDRESS --nthreads 1`, "
                        "then resume the run."
                    )
            while len(self.flying) < slots and (span := self._next(slots)) is not None:
                self._send(client, *span)
            if len(self.flying) < slots:
                self._overtake(client, now)
            with contextlib.suppress(queue.Empty):
                self._receive(self.done.get(timeout=POLL_SECONDS))
            if progress is not None and now >= next_progress:
                next_progress = now + PROGRESS_SECONDS
                progress(self.progress())

    def _slots(self, client: Any) -> int:
        """Return the threads of all workers, each of which plays one range at a time."""
        if client.status != "running":
            raise _LostError
        try:
            threads = client.nthreads()
        except Exception as error:  # whatever the connection was broken by
            raise _LostError from error
        self.n_workers = max(self.n_workers, len(threads))
        return sum(threads.values())

    def _next(self, slots: int) -> tuple[int, int] | None:
        if self.chunk_blocks is not None:
            return self.ranges.take(self.chunk_blocks, True)
        if self.looks is not None:
            self.ranges.n_threads = slots
            return self.ranges.take(self.max_blocks, False, LEAST_BLOCKS)
        return self.ranges.take(max(1, min(self.max_blocks, self.ranges.n_left // (2 * slots))), True)

    def _send(self, client: Any, first: int, stop: int) -> str:
        key = next(self._names)
        seconds = None
        if self.chunk_blocks is None:
            seconds = TASK_SECONDS if self.times else FIRST_SECONDS
        arguments = (self.parcel, first, stop, seconds, self.patience)
        try:
            future = client.submit(play_parcel, *arguments, key=key, pure=False)
        except Exception as error:
            self.ranges.give_back(first, stop)
            raise _LostError from error
        self.flying[key] = _Flight(key, first, stop, future, time.monotonic())
        future.add_done_callback(lambda _: self.done.put(key))
        return key

    def _overtake(self, client: Any, now: float) -> None:
        """Nothing is left to send and a worker is idle: let it try what another one is at for long."""
        usual = statistics.median(self.times) if self.times else 0.0
        late = [f for f in self.flying.values() if f.twin is None and now - f.since > SLOW_TIMES * usual + SLOW_SECONDS]
        if late:
            slowest = min(late, key=lambda flight: flight.since)
            slowest.twin = self._send(client, slowest.first, slowest.stop)
            self.flying[slowest.twin].twin = slowest.key

    def _receive(self, key: str) -> None:
        """Take an answer in."""
        flight = self.flying.pop(key, None)
        if flight is None:
            return  # its twin was quicker, or it was brought back
        twin = self.flying.get(flight.twin or "")
        status = flight.future.status
        if status == "error" and type(flight.future.exception()).__name__ == "KilledWorker":
            self._count_death(flight)
            played = None
        elif status == "error":
            raise _failure(flight.future.exception())
        elif status != "finished":
            self.flying[key] = flight
            raise _LostError
        else:
            played = flight.future.result()
        if played is None and twin is not None:
            twin.twin = None  # it goes on alone
            return
        if twin is not None:
            del self.flying[str(flight.twin)]
            twin.future.cancel()
        if played is None:
            self.ranges.give_back(flight.first, flight.stop)
        else:
            self.times.append(time.monotonic() - flight.since)
            del self.times[:-100]
            self._keep(flight, played)

    def _keep(self, flight: _Flight, played: Played) -> None:
        if played.stop > flight.first:
            sums = Sums(self.store.layout, played.vector())
            self.store.write_chunk(flight.first, played.stop, sums, played.rows)
            self.take_in(flight.first, played.stop, sums)
            self.n_played += played.stop - flight.first
        if played.error is not None and not self.is_stopped:
            raise played.error
        self.ranges.give_back(played.stop, flight.stop)

    def _count_death(self, flight: _Flight) -> None:
        self.deaths[flight.first] = self.deaths.get(flight.first, 0) + 1
        if self.deaths[flight.first] >= MAX_DEATHS:
            raise DataError(
                f"worker after worker died while playing blocks {flight.first} to {flight.stop - 1}: look at the "
                "workers' own logs, most often for too little memory. What was played is kept."
            )

    def _bring_back(self) -> None:
        """Take back every range that is out, each once."""
        spans = {(flight.first, flight.stop) for flight in self.flying.values()}
        for flight in self.flying.values():
            with contextlib.suppress(Exception):
                flight.future.cancel()
        self.flying.clear()
        for first, stop in sorted(spans, reverse=True):
            self.ranges.give_back(first, stop)


def _failure(error: BaseException | None) -> TaflError:
    """Return what a worker's exception means."""
    if isinstance(error, TaflError):
        return error
    if isinstance(error, ImportError):
        return DataError(f"a worker cannot load tafl ({error}): install the same version there.")
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return DataError(f"a worker failed with {words}.")


@contextlib.contextmanager
def scheduler(text: str) -> Iterator[str]:
    """Give the scheduler's address; of a local cluster, which is started and ended here.

    Parameters
    ----------
    text : str
        As `parse_cluster` takes it. Give several runs the address that comes of it: one local cluster serves them all.
    """
    distributed = require_dask()
    n_workers = parse_cluster(text)
    if n_workers is None:
        yield text
        return
    quiet: dict[str, Any] = {"silence_logs": logging.CRITICAL, "dashboard_address": None}
    try:
        with _interrupt_held():
            local = distributed.LocalCluster(
                n_workers=n_workers, threads_per_worker=1, processes=True, memory_limit=0, host="127.0.0.1", **quiet
            )
    except Exception as error:
        raise TaflError(f"the local cluster does not start: {type(error).__name__}: {error}.") from error
    try:
        yield local.scheduler_address
    finally:
        for nanny in local.workers.values():  # they hold nothing worth waiting for, and may be at work for seconds
            nanny.auto_restart = False
            with contextlib.suppress(Exception):
                os.kill(nanny.pid, KILLED)
        with contextlib.suppress(Exception):
            local.close(timeout=5)


@contextlib.contextmanager
def _interrupt_held() -> Iterator[None]:
    """Hold Ctrl-C back; threads and processes begun meanwhile never see it.

    A terminal sends it to the workers too, who would answer with tracebacks: they are to be ended from here.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # Python's helper of its child processes; starting it would release signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _connect(distributed: Any, address: str, seconds: float, stopped: Callable[[], bool]) -> Any:
    """Return a client of the scheduler, or None if stopped meanwhile."""
    deadline = time.monotonic() + seconds
    while not stopped():
        try:
            return distributed.Client(address, timeout=2, set_as_default=False)
        except Exception as error:
            if time.monotonic() > deadline:
                raise TaflError(
                    f"no Dask scheduler answers at '{address}': start one with `dask scheduler`, and workers with "
                    "`dask worker ADDRESS --nthreads 1`. What was played is kept."
                ) from error
            time.sleep(0.2)
    return None


def play_on_cluster(
    store: RunStore,
    address: str,
    loader: str,
    *,
    n_threads: int = 1,
    chunk_blocks: int | None = None,
    progress: Callable[[Progress], Any] | None = None,
    patience: float = PATIENCE,
    rule: Rule | None = None,
) -> RunResult:
    """Play all blocks of a run that are not finished yet on a cluster.

    Parameters
    ----------
    store : RunStore
        Open.
    address : str
        Of the scheduler, or ``local:N`` for N worker processes on this machine.
    loader : str
        See `simcore.parcel.make_parcel`.
    n_threads : int
        Threads that write per-game rows here at the end.
    chunk_blocks : int, optional
        Blocks of a task; about `TASK_SECONDS` of play by default. The results do not depend on it.
    progress, patience, rule
        As in `simcore.runner.play_run`.

    Returns
    -------
    RunResult
        The complete result, from the same bytes as a run on threads.

    Raises
    ------
    Interrupted
        If it was stopped.
    UnansweredError
        If a strategy never answers; the worker's process ends.
    TaflError
        If there is no scheduler or no worker, a worker has another tafl, or a strategy is wrong.
    """
    parse_cluster(address)
    require_dask()
    run = _ClusterRun(store, make_parcel(store.folder, loader), address, chunk_blocks, patience, rule)
    store.log("started", cluster=address, n_blocks_done=run.n_done_before)
    try:
        return carry_out(run, lambda: run.play(progress), n_threads)
    except UnansweredError as error:
        with contextlib.suppress(TaflError):
            store.log("unanswered", message=str(error))
        raise
