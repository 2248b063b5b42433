"""What a worker on another machine is sent, and what it does with it: check, compile once, play, send back exact sums.

A parcel holds the run's manifest and every file that the manifest names by its hash: the edition's tables, the
strategies' sources, the columns. It travels with each task, compressed (some ten kilobytes), so that a worker needs no
memory of earlier tasks and a new one can join at any time. Nothing here knows the cluster's library.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import socket
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore import disk
from simcore.contract import DataError, TaflError, UnansweredError
from simcore.games_file import KeptRows
from simcore.manifest import MANIFEST_NAME, decode, digest, engine_digest, tafl_version
from simcore.play import Plan, Table, Watch, warm_up
from simcore.sums import Sums

POLL_SECONDS = 0.05
LEAVE_SECONDS = 3.0
"""A worker in which a strategy never answers ends so long after it has said so."""


def make_parcel(folder: Path, loader: str) -> bytes:
    """Return a run as it is sent to workers.

    Parameters
    ----------
    folder : pathlib.Path
        The run folder.
    loader : str
        ``module:function``, called by the worker as ``function(folder, manifest)`` with a copy of the folder's
        manifest, edition and strategies; returns the `Plan`.
    """
    with disk.on(folder, "read"):
        manifest = (folder / MANIFEST_NAME).read_text(encoding="utf-8")
        names = json.loads(manifest)["files"]
        files = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    engine = engine_digest(json.loads(manifest)["game"])
    said = {"manifest": manifest, "files": files, "loader": loader, "engine": engine}
    return zlib.compress(json.dumps(said).encode(), 9)


@dataclass(frozen=True)
class Played:
    """What a worker sends back.

    Attributes
    ----------
    stop : int
        The first block that was not played.
    sums : bytes
        `Sums.vector` of the blocks before it, compressed.
    rows : bytes or None
        Their per-game rows, if those are kept.
    error : TaflError or None
        What ended it early: a strategy's error.
    """

    stop: int
    sums: bytes
    rows: bytes | None
    error: TaflError | None

    def vector(self) -> np.ndarray:
        """Return `Sums.vector`."""
        return np.frombuffer(zlib.decompress(self.sums), "<i8").astype(np.int64)


class Unpacked:
    """A parcel on a worker: checked, compiled, ready to play.

    Parameters
    ----------
    packed : bytes
        From `make_parcel`.

    Raises
    ------
    DataError
        If a file does not have the hash that the manifest names, or this machine's tafl is another one.
    """

    def __init__(self, packed: bytes):
        said = json.loads(zlib.decompress(packed))
        data = said["manifest"].encode()
        self.identity = digest(data)
        self.manifest = decode(data, Path("the run"))
        _check_here(said, self.manifest)
        module, _, function = said["loader"].partition(":")
        load: Callable[[Path, dict[str, Any]], Plan] = getattr(importlib.import_module(module), function)
        with tempfile.TemporaryDirectory(prefix="tafl-worker-", ignore_cleanup_errors=True) as folder:
            for name, text in said["files"].items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode())
            self.plan = load(Path(folder), self.manifest)
            self.layout = self.plan.layout()
            warm_up(self.plan)  # from here on the sources are not needed
        self._free: list[tuple[Table, KeptRows | None]] = []
        self._lock = threading.Lock()

    def play(self, first: int, stop: int, seconds: float | None, patience: float) -> Played:
        """Play the blocks ``first`` to ``stop - 1``, or as many as `seconds` allow."""
        with self._lock:
            table, kept = self._free.pop() if self._free else self._seat()
        turn = _Turn(table, kept, Sums(self.layout), first)
        player = threading.Thread(target=turn.play, args=(stop, seconds), daemon=True)
        player.start()
        watch = Watch(patience)
        while player.is_alive():
            player.join(POLL_SECONDS)
            stuck = watch.look([table])
            if stuck is not None:
                _leave_soon()
                return Played(first, _compressed(Sums(self.layout)), None, stuck)
        if turn.error is not None and not isinstance(turn.error, TaflError):
            raise turn.error
        try:
            self.plan.check_tables()
        except TaflError as error:
            return Played(first, _compressed(Sums(self.layout)), None, error)
        rows = kept.pack(self.identity, first, turn.at) if kept is not None and turn.at > first else None
        played = Played(turn.at, _compressed(turn.sums), rows, turn.error)
        with self._lock:
            self._free.append((table, kept))
        return played

    def _seat(self) -> tuple[Table, KeptRows | None]:
        keep = self.manifest.get("keep_games")
        return Table(self.plan), self.plan.kept_rows(keep) if keep else None


class _Turn:
    """One range of blocks as a worker plays it, in a thread that can be watched."""

    def __init__(self, table: Table, kept: KeptRows | None, sums: Sums, first: int):
        self.table = table
        self.kept = kept
        self.sums = sums
        self.at = first
        self.error: Exception | None = None

    def play(self, stop: int, seconds: float | None) -> None:
        start = time.perf_counter()
        if self.kept is not None:
            self.kept.clear()
        try:
            while self.at < stop and (seconds is None or time.perf_counter() - start < seconds):
                self.at = self.table.add(self.sums, self.at, stop, self.kept)
        except Exception as error:
            self.error = error


def _compressed(sums: Sums) -> bytes:
    return zlib.compress(sums.vector.astype("<i8").tobytes(), 1)


def _leave_soon() -> None:
    """End this process once the answer is on its way: compiled code that never ends cannot be stopped otherwise."""
    timer = threading.Timer(LEAVE_SECONDS, os._exit, (UnansweredError.exit_code,))
    timer.daemon = True
    timer.start()


def _check_here(said: dict[str, Any], manifest: dict[str, Any]) -> None:
    """Refuse damaged files, and a tafl that would play otherwise than the one that asks."""
    host = socket.gethostname()
    for name, expected in manifest["files"].items():
        if digest(said["files"].get(name, "").encode()) != expected:
            raise DataError(f"'{name}' reached the worker on {host} damaged: its hash is not the manifest's.")
    if engine_digest(manifest["game"]) != said["engine"]:
        raise DataError(
            f"the worker on {host} has another tafl ({tafl_version()}), whose rules or luck differ: install the same "
            "one there."
        )


MAX_UNPACKED = 4
"""Runs that a worker keeps ready: a tournament is many, one after the other."""

_unpacked: dict[str, Unpacked] = {}
_unpacking = threading.Lock()


def play_parcel(packed: bytes, first: int, stop: int, seconds: float | None, patience: float) -> Played:
    """Play blocks of a run on a worker; the first time in a process, check the parcel and compile what it needs."""
    key = hashlib.sha256(packed).hexdigest()
    with _unpacking:
        if key not in _unpacked:
            while len(_unpacked) >= MAX_UNPACKED:
                _unpacked.pop(next(iter(_unpacked)))
            _unpacked[key] = Unpacked(packed)
        unpacked = _unpacked[key]
    return unpacked.play(first, stop, seconds, patience)
