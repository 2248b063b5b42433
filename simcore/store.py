"""A run's folder: what is written when, so that nothing finished is ever lost and equal runs have equal bytes.

::

    manifest.json    first, with everything that decides the results (and hashes of the files below)
    columns.json     what the sums are of
    edition/*        the edition's tables; strategies/* the strategies' sources
    log.jsonl        times, threads, host, command: all that differs between two executions
    shard.json       only in a shard: which share of the run's blocks is played here
    stopped.json     only in a run that a rule stopped: where, and what it found; written before what is below
    chunks/*.chunk   sums of finished blocks, until the run is complete (a shard keeps them, to be merged)
    chunks/*.rows    their per-game rows, if those are kept
    games/*.parquet  per-game rows of the complete run, if kept: see `simcore.games_file`
    sums.npz         sums of all blocks: ``numpy.load`` reads it

Each file is written under another name, synced and renamed. The folder itself appears, complete with its manifest, in
one rename. A chunk carries a checksum and the manifest's hash: a damaged, truncated or foreign one is named and played
again, never added in.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import socket
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simcore import blocks, chunks, disk
from simcore.contract import Column, DataError, TaflError
from simcore.games_file import GAMES_NAME, GamesWriter, n_files, part_path
from simcore.locks import FolderLock
from simcore.looks import STOPPED_NAME, Stop, to_json
from simcore.manifest import COLUMNS_NAME, MANIFEST_NAME, digest, encode, encode_columns, engine_digest
from simcore.results import (
    CHUNKS_NAME,
    SHARD_NAME,
    SUMS_NAME,
    TOURNAMENT_NAME,
    Found,
    RunResult,
    check_is_run,
    fold_chunks,
    load_result,
    read_head,
    read_shard,
    read_stopped,
    result_of,
)
from simcore.sums import Sums

__all__ = [
    "CHUNKS_NAME",
    "EDITION_NAME",
    "LOG_NAME",
    "SHARD_NAME",
    "STRATEGIES_NAME",
    "SUMS_NAME",
    "TOURNAMENT_NAME",
    "Found",
    "RunResult",
    "RunStore",
    "check_is_run",
    "check_new",
    "create_run",
    "fold_chunks",
    "load_result",
    "open_run",
    "put_in_place",
]

LOG_NAME = "log.jsonl"
EDITION_NAME = "edition"
STRATEGIES_NAME = "strategies"


class RunStore:
    """An open, locked run folder. Make one with `create_run` or `open_run`; a ``with`` block closes it.

    Attributes
    ----------
    folder : pathlib.Path
    manifest : dict
    identity : str
        Hash of the manifest.
    layout : SumsLayout
    shard : (int, int) or None
        Number and count, if only a share of the run is played here.
    stopped : Stop or None
        Where a rule ended the run.
    span : (int, int)
        First and stop of the blocks that are played here: all of the run's, those before the stop, or the shard's.
    damaged : list of str
        A sentence for each file that was found damaged or foreign and is played again.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        with disk.on(folder, "open"):
            self._lock = FolderLock(folder)
        try:
            with disk.on(folder, "read"):
                self.manifest, self.layout, self.identity = read_head(folder)
                self.shard = read_shard(folder)
                disk.sweep(folder)
            n_blocks = self.manifest["n_blocks"]
            self.span = (0, n_blocks) if self.shard is None else blocks.shard_span(*self.shard, n_blocks)
            self.damaged: list[str] = []
            self.stopped: Stop | None = None
            with disk.on(folder, "read"):
                self._read_stopped()
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    def log(self, event: str, **facts: Any) -> None:
        """Add a line to the log: time, host, process, `event` and `facts`."""
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "event": event,
            **facts,
        }
        with disk.on(self.folder, "write to"), (self.folder / LOG_NAME).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    @property
    def n_blocks(self) -> int:
        """Blocks that are played here."""
        return self.span[1] - self.span[0]

    @property
    def keeps_games(self) -> bool:
        """Whether per-game rows are kept."""
        return bool(self.manifest.get("keep_games", False))

    def write_chunk(self, first: int, stop: int, sums: Sums, rows: bytes | None = None) -> None:
        """Keep the sums of the blocks ``first`` to ``stop - 1``. Safe to call from several threads.

        Parameters
        ----------
        first, stop : int
        sums : Sums
        rows : bytes, optional
            Their per-game rows, from `simcore.games_file.KeptRows.pack`; written first, so that no chunk is without.

        Raises
        ------
        DataError
            If the disk is full or the folder has vanished; what was written before stays.
        """
        folder = self.folder / CHUNKS_NAME
        with disk.on(self.folder, "write to"):
            if not (self.folder / MANIFEST_NAME).exists():
                raise FileNotFoundError(errno.ENOENT, "gone")
            folder.mkdir(exist_ok=True)
            if rows is not None:
                disk.write_whole(part_path(folder / chunks.file_name(first, stop)), rows)
            chunks.write(folder, self.identity, first, stop, sums.vector)

    def finished(self, each: Callable[[int, int, Sums], Any] | None = None) -> tuple[list[tuple[int, int]], Sums]:
        """Return the finished ranges of blocks and their sums. Damaged chunks are removed and named in `damaged`.

        `each` is called with first block, stop block and sums of every chunk of a run that is not complete.
        """
        with disk.on(self.folder, "read"):
            whole = self._read_sums()
            if whole is not None:
                return [(0, self._n_blocks_of_run)], whole
            found = self._fold(check_rows=self.keeps_games, each=each)
            return found.spans, found.sums

    def stop(self, stop: Stop) -> None:
        """Keep where a rule ended the run: from now on it has no more blocks than that.

        Raises
        ------
        DataError
            If the disk is full or the folder has vanished.
        """
        with disk.on(self.folder, "write to"):
            disk.write_whole(self.folder / STOPPED_NAME, encode(to_json(stop, self.identity)))
        self.stopped = stop
        self.span = (0, stop.n_blocks)

    def finish(self, n_threads: int = 1, stopped: Callable[[], bool] = lambda: False) -> bool:
        """Write the result files if every block is finished, then remove the chunks. A shard keeps its chunks.

        Parameters
        ----------
        n_threads : int
            For the per-game rows.
        stopped : callable
            Asked now and then; if true, what is left is not written.

        Returns
        -------
        bool
            Whether the run, or the shard, is complete.
        """
        with disk.on(self.folder, "write to"):
            if self._read_sums() is None:
                found = self._fold(check_rows=False)
                if blocks.missing(found.spans, *self.span):
                    return False
                if self.n_blocks < self._n_blocks_of_run:
                    return True
                if self.keeps_games and not self._write_games(found, n_threads, stopped):
                    return False
                disk.write_whole(self.folder / SUMS_NAME, chunks.pack_sums(self.identity, found.sums))
            shutil.rmtree(self.folder / CHUNKS_NAME, ignore_errors=True)
        return True

    def _write_games(self, found: Found, n_threads: int, stopped: Callable[[], bool]) -> bool:
        """Make the per-game files beside the chunks, then move them to their place at once."""
        making = self.folder / CHUNKS_NAME / GAMES_NAME
        for old in (making, self.folder / GAMES_NAME):
            shutil.rmtree(old, ignore_errors=True)
        writer = GamesWriter(self._as_played, self.identity, self.layout.columns, found.files)
        try:
            if not writer.write(making, n_threads, stopped):
                return False
        except chunks.ChunkError as error:
            self._name_damaged(error.args[1], str(error.args[0]))
            return False
        making.rename(self.folder / GAMES_NAME)
        disk.sync_folder(self.folder)
        return True

    def result(self) -> RunResult:
        """Return what is finished."""
        spans, sums = self.finished()
        complete = not blocks.missing(spans, 0, self._n_blocks_of_run)
        return result_of(self.folder, self.manifest, sums, complete, self.stopped)

    def result_of(self, sums: Sums) -> RunResult:
        """Return what the given sums say, of a run that is not complete."""
        return result_of(self.folder, self.manifest, sums, False)

    @property
    def _n_blocks_of_run(self) -> int:
        """Blocks of the whole run, as far as is known now."""
        return self.manifest["n_blocks"] if self.stopped is None else self.stopped.n_blocks

    @property
    def _as_played(self) -> dict[str, Any]:
        """The manifest with the blocks that the run has, for the per-game rows."""
        return {**self.manifest, "n_blocks": self._n_blocks_of_run}

    def _read_stopped(self) -> None:
        try:
            self.stopped = read_stopped(self.folder, self.manifest, self.identity)
        except ValueError as error:
            path = self.folder / STOPPED_NAME
            self.damaged.append(f"'{path}' cannot be used ({error}): where the run stops is decided again.")
            path.unlink()
        if self.stopped is not None:
            self.span = (0, self.stopped.n_blocks)

    def _read_sums(self) -> Sums | None:
        path = self.folder / SUMS_NAME
        if not path.exists():
            return None
        try:
            sums = chunks.unpack_sums(path.read_bytes(), self.identity, self.layout)
            if int(sums["n_blocks"][0]) != self._n_blocks_of_run:
                reason = "it does not hold all blocks"
            elif self.keeps_games and len(list((self.folder / GAMES_NAME).glob("*"))) != n_files(self._as_played):
                reason = f"some of the per-game rows in '{GAMES_NAME}' are missing"
            else:
                return sums
        except chunks.ChunkError as error:
            reason = str(error)
        self.damaged.append(f"'{path}' cannot be used ({reason}): its blocks are played again.")
        path.unlink()
        return None

    def _fold(self, check_rows: bool, each: Callable[[int, int, Sums], Any] | None = None) -> Found:
        beyond = None if self.stopped is None else self.stopped.n_blocks
        found = fold_chunks(self.folder, self.identity, self.layout, self.span, check_rows, beyond, each)
        for path, reason in found.bad:
            self._name_damaged(path, reason)
        return found

    def _name_damaged(self, path: Path, reason: str) -> None:
        self.damaged.append(f"'{path}' cannot be used ({reason}): its blocks are played again.")
        path.unlink(missing_ok=True)
        part_path(path).unlink(missing_ok=True)


def create_run(
    folder: Path | str,
    manifest: Mapping[str, Any],
    columns: tuple[Column, ...],
    edition_files: Mapping[str, str],
    strategy_files: Mapping[str, str],
    shard: tuple[int, int] | None = None,
) -> RunStore:
    """Make a run folder and open it.

    Parameters
    ----------
    folder : path
        Must not exist; its parents are made.
    manifest : mapping
        From `simcore.manifest.make_manifest`.
    columns : tuple of Column
        ``spec.columns(edition, n_players)``.
    edition_files, strategy_files : mapping
        Relative file name -> text, kept so that the run can be repeated when the originals have changed.
    shard : (int, int), optional
        Number, from 1, and count: play only this share of the blocks here.

    Raises
    ------
    TaflError
        If the folder exists, or cannot be written.
    """
    folder = Path(folder)
    files = {COLUMNS_NAME: encode_columns(columns)}
    for part, texts in ((EDITION_NAME, edition_files), (STRATEGIES_NAME, strategy_files)):
        files |= {f"{part}/{name}": text for name, text in texts.items()}
    whole = {**manifest, "files": {name: digest(text.encode()) for name, text in files.items()}}
    making = folder.with_name(f".{folder.name}.new-{secrets.token_hex(4)}")
    with disk.on(folder, "create"):
        if folder.exists():
            raise _exists(folder)
        try:
            making.mkdir(parents=True)
            disk.write_whole(making / MANIFEST_NAME, encode(whole))
            for name, text in files.items():
                (making / name).parent.mkdir(parents=True, exist_ok=True)
                disk.write_whole(making / name, text.encode())
            (making / CHUNKS_NAME).mkdir()
            if shard is not None:
                disk.write_whole(making / SHARD_NAME, encode({"shard": shard[0], "of": shard[1]}))
            put_in_place(making, folder)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise
    return RunStore(folder)


def put_in_place(making: Path, folder: Path) -> None:
    """Give a folder its name, durably; never over another.

    Raises
    ------
    TaflError
        If there is one of this name.
    """
    if folder.exists():
        raise _exists(folder)
    try:
        making.rename(folder)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            raise _exists(folder) from None
        raise
    disk.sync_folder(folder.parent)


def check_new(folder: Path | str) -> None:
    """Refuse a folder for a new run that exists, or whose nearest existing parent cannot be written.

    Raises
    ------
    TaflError
    """
    folder = Path(folder)
    with disk.on(folder, "create"):
        if folder.exists() or folder.is_symlink():
            raise _exists(folder)
        parent = next(above for above in folder.absolute().parents if above.exists())
        if not parent.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, f"'{parent}' is a file")
        if not os.access(parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def open_run(folder: Path | str, any_engine: bool = False) -> RunStore:
    """Open a run folder to go on with it.

    Parameters
    ----------
    folder : path
        A run folder.
    any_engine : bool
        Go on although tafl's rules or luck have changed since it was begun.

    Raises
    ------
    TaflError, DataError
        If it is no run folder, is in use, is damaged, or was begun by another engine.
    """
    folder = Path(folder)
    check_is_run(folder)
    store = RunStore(folder)
    manifest = store.manifest
    if not any_engine and manifest["engine"] != engine_digest(manifest["game"]):
        store.close()
        raise DataError(
            f"the run '{folder}' was begun by another tafl ({manifest['tafl_version']}) whose rules or luck differ "
            "from this one's, and blocks of two engines must not be mixed: use that tafl, or start a new run."
        )
    return store


def _exists(folder: Path) -> TaflError:
    return TaflError(
        f"'{folder}' exists already and is never overwritten: resume it if it is this run, or choose another folder."
    )
