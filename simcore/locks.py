"""A lock on a run folder: one process at a time; the operating system releases it when the process ends, however."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from simcore.contract import TaflError

LOCK_NAME = "lock"

_HELD = {errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK}
_LOCKED_BYTE = 1 << 30  # on Windows a locked byte cannot be read: lock one far behind the text

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Holds ``FOLDER/lock`` from creation to `release`.

    Parameters
    ----------
    folder : pathlib.Path
        An existing folder.

    Raises
    ------
    TaflError
        If another process (or another part of this one) holds it.
    OSError
        If the file cannot be written.

    Notes
    -----
    The operating system's own file lock is used, so a killed process leaves nothing that would have to be mended by
    hand. A file system that knows no locks (some network ones) is used without.
    """

    def __init__(self, folder: Path):
        self.path = folder / LOCK_NAME
        self._descriptor: int | None = None
        for _ in range(100):
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _try_lock(descriptor)
            except OSError as error:
                os.close(descriptor)
                if error.errno in _HELD:
                    raise TaflError(
                        f"the run folder '{folder}' is in use{self._holder()}: wait for it to end, or choose another."
                    ) from None
                return
            if self._is_current(descriptor):
                self._descriptor = descriptor
                self._write_holder(descriptor)
                return
            os.close(descriptor)  # its last holder removed the file between our opening and our locking it
        raise TaflError(f"the run folder '{folder}' is being opened and closed by other processes: try again.")

    def _is_current(self, descriptor: int) -> bool:
        if sys.platform == "win32":
            return True  # an open file cannot be removed there
        try:
            return os.path.samestat(os.fstat(descriptor), os.stat(self.path))  # noqa: PTH116
        except FileNotFoundError:
            return False

    @staticmethod
    def _write_holder(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())

    def _holder(self) -> str:
        try:
            holder: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
            return f" by process {holder['pid']} on {holder['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            return " by another process"

    def release(self) -> None:
        """Give the folder free; harmless when done twice, or when the folder is gone."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        with contextlib.suppress(OSError):
            if sys.platform != "win32":
                self.path.unlink()  # while still held, so that nobody can hold the removed file and think it the lock
        with contextlib.suppress(OSError):
            os.close(descriptor)
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self.path.unlink()
