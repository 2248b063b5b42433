"""The bytes of result files: chunks with checksums while a run goes on, one archive when it is complete."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from simcore.disk import write_whole
from simcore.sums import Sums, SumsLayout

_MAGIC = b"tafl chunk 1\n"
_NAME = re.compile(r"blocks-(\d{12,})-(\d{12,})\.chunk")
_OLDEST_DATE = (1980, 1, 1, 0, 0, 0)


class ChunkError(Exception):
    """A result file that must not be used; the message says why."""


def write(folder: Path, identity: str, first: int, stop: int, vector: np.ndarray) -> None:
    """Write one chunk file.

    Parameters
    ----------
    folder : pathlib.Path
        The chunk folder; made if it is not there.
    identity : str
        Hash of the run's manifest.
    first, stop : int
        Blocks ``first`` to ``stop - 1``.
    vector : int64[:]
        `Sums.vector` of these blocks.
    """
    body = zlib.compress(vector.astype("<i8").tobytes(), 1)
    head = json.dumps({"manifest": identity, "first": first, "stop": stop}).encode() + b"\n"
    checksum = hashlib.sha256(head + body).hexdigest().encode() + b"\n"
    folder.mkdir(exist_ok=True)
    write_whole(folder / file_name(first, stop), _MAGIC + checksum + head + body)


def file_name(first: int, stop: int) -> str:
    """Return the name of the chunk of the blocks ``first`` to ``stop - 1``."""
    return f"blocks-{first:012d}-{stop:012d}.chunk"


def span_of(path: Path) -> tuple[int, int]:
    """Return the first block and the stop of a chunk file, from its name."""
    match = _NAME.fullmatch(path.name)
    assert match is not None
    return int(match[1]), int(match[2])


def read(path: Path, identity: str, size: int) -> tuple[int, int, np.ndarray]:
    """Read one chunk file: first and stop block, and the vector of `size` integers.

    Raises
    ------
    ChunkError
        If it is damaged or of another run.
    """
    data = path.read_bytes()
    if not data.startswith(_MAGIC):
        raise ChunkError("it is no chunk, or of another version")
    checksum, _, rest = data[len(_MAGIC) :].partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != checksum:
        raise ChunkError("it is damaged or cut off")
    head, _, body = rest.partition(b"\n")
    facts = json.loads(head)
    if facts["manifest"] != identity:
        raise ChunkError("it belongs to another run")
    first, stop = facts["first"], facts["stop"]
    vector = np.frombuffer(zlib.decompress(body), "<i8").astype(np.int64)
    if not 0 <= first < stop or vector.size != size:
        raise ChunkError("it is not what this run would write")
    return first, stop, vector


def listed(folder: Path) -> list[Path]:
    """Return the chunk files of a folder in the order of their first blocks; half-written files are left out."""
    found = []
    with contextlib.suppress(FileNotFoundError):
        for path in folder.iterdir():
            match = _NAME.fullmatch(path.name)
            if match:
                found.append((int(match[1]), int(match[2]), path))
    return [path for _, _, path in sorted(found)]


def pack_sums(identity: str, sums: Sums) -> bytes:
    """Return the bytes of ``sums.npz``; see `pack_arrays`."""
    return pack_arrays(identity, sums.items())


def pack_arrays(identity: str, arrays: Iterable[tuple[str, np.ndarray]]) -> bytes:
    """Return an archive of arrays for ``numpy.load``: the same bytes for the same arrays, whenever they are packed.

    The archive is stored uncompressed with a fixed date, so that neither the clock nor a compressor's version shows.
    `identity` is the hash of the manifest they belong to.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, array in [("manifest", np.array([identity])), *arrays]:
            item = io.BytesIO()
            little = array.astype(array.dtype.newbyteorder("<"))
            np.lib.format.write_array(item, np.ascontiguousarray(little), version=(1, 0), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", _OLDEST_DATE)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, item.getvalue())
    return buffer.getvalue()


def unpack_sums(data: bytes, identity: str, layout: SumsLayout) -> Sums:
    """Read `pack_sums`.

    Raises
    ------
    ChunkError
        If it is damaged or of another run.
    """
    sums = Sums(layout)
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            found = str(archive["manifest"][0])
            for name, array in sums.items():
                array[...] = archive[name].reshape(array.shape)
    except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile, zlib.error):
        raise ChunkError("it is damaged or cut off") from None
    if found != identity:
        raise ChunkError("it belongs to another run")
    return sums
