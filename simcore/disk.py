"""Writing to a disk that may be full, may vanish, or may lose its power at any moment."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from simcore.contract import DataError, TaflError

_PARTIAL = ".part-"
_KEPT = "Finished blocks are kept; free some space and resume."
_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is either whole or not there: other name, sync, rename, sync the folder.

    Raises
    ------
    OSError
        As the system gives it; nothing half-written stays.
    """
    partial = path.with_name(f".{path.name}{_PARTIAL}{os.getpid()}")
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sweep(folder: Path) -> None:
    """Remove what killed processes left half-written. Only for the holder of the folder's lock."""
    for path in folder.rglob(f".*{_PARTIAL}*"):
        with contextlib.suppress(OSError):
            path.unlink()


@contextlib.contextmanager
def on(folder: Path, doing: str) -> Iterator[None]:
    """Turn the system's errors into a sentence about the run folder."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            advice = _KEPT if doing == "write to" else "Free some space."
            raise DataError(f"the disk is full: cannot {doing} the run folder '{folder}'. {advice}") from error
        if error.errno == errno.ENOENT and doing != "create":
            raise DataError(f"the run folder '{folder}', or a part of it, has vanished while it was in use.") from error
        reason = (error.strerror or str(error)).lower()
        raise TaflError(f"cannot {doing} the run folder '{folder}': {reason}.") from error
