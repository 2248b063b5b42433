"""Merging shards: run folders that each played a share of one run become the folder an undisturbed run would be.

Every shard has the whole run's manifest, to the byte, so its chunks could as well have been the whole run's.
"""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from simcore import blocks, chunks, disk
from simcore.contract import DataError, TaflError
from simcore.games_file import GAMES_NAME, GamesWriter
from simcore.manifest import MANIFEST_NAME
from simcore.store import (
    CHUNKS_NAME,
    LOG_NAME,
    SHARD_NAME,
    SUMS_NAME,
    Found,
    RunStore,
    check_is_run,
    check_new,
    fold_chunks,
    put_in_place,
)
from simcore.sums import Sums

_LEFT_BEHIND = {CHUNKS_NAME, LOG_NAME, SHARD_NAME, SUMS_NAME, GAMES_NAME, "lock", "tables", "charts", "report.html"}


def parse_shard(text: str) -> tuple[int, int]:
    """Return number and count of a shard written as ``2/8``.

    Raises
    ------
    TaflError
        If it is not written so, or there is no such shard.
    """
    match = re.fullmatch(r"\s*(\d{1,9})\s*/\s*(\d{1,9})\s*", text)
    if match is None:
        raise TaflError(f"'{text}' is no shard: write its number and how many there are, such as 2/8.")
    shard, n_shards = int(match[1]), int(match[2])
    if not 1 <= shard <= n_shards:
        raise TaflError(f"there is no shard {shard} of {n_shards}: they are 1/{n_shards} to {n_shards}/{n_shards}.")
    return shard, n_shards


def merge(folder: Path | str, shards: Sequence[Path | str], n_threads: int = 1) -> Path:
    """Make the run folder that the shards together are.

    Parameters
    ----------
    folder : path
        Must not exist.
    shards : sequence of path
        Shards of one run, in any order. They stay as they are.
    n_threads : int
        For the per-game rows, if those are kept.

    Returns
    -------
    pathlib.Path
        The folder: the same bytes as an undisturbed run's, its log apart.

    Raises
    ------
    TaflError, DataError
        If the folder exists; if a shard is in use, damaged, or of another run; if blocks are missing or there twice.
    """
    folder = Path(folder)
    check_new(folder)
    paths = [Path(shard) for shard in shards]
    if not paths:
        raise TaflError("name the shards to merge.")
    found, first_store = _read_all(paths)
    manifest = first_store.manifest
    if "stopping" in manifest:
        raise TaflError(f"'{paths[0]}' is a run that ends by a rule, and such a run has no shards: resume it instead.")
    _check_whole(found, manifest["n_blocks"])
    files = sorted((part for _, one in found for part in one.files), key=lambda part: part[0])
    sums = Sums(first_store.layout)
    for _, one in found:
        sums.add(one.sums)
    making = folder.with_name(f".{folder.name}.new-{secrets.token_hex(4)}")
    with disk.on(folder, "create"):
        try:
            shutil.copytree(paths[0], making, ignore=lambda at, names: _ignored(paths[0], at))
            if first_store.keeps_games:
                _write_games(making, first_store, files, n_threads)
            disk.write_whole(making / SUMS_NAME, chunks.pack_sums(first_store.identity, sums))
            put_in_place(making, folder)
        except BaseException:
            shutil.rmtree(making, ignore_errors=True)
            raise
    with RunStore(folder) as store:
        store.log("merged", shards=[str(path) for path in paths])
    return folder


def _ignored(shard: Path, at: str) -> set[str]:
    return _LEFT_BEHIND if Path(at) == shard else set()


def _read_all(paths: list[Path]) -> tuple[list[tuple[Path, Found]], RunStore]:
    """Return what every shard has, and one of them (closed) for the manifest, which is the same in all."""
    found: list[tuple[Path, Found]] = []
    first: RunStore | None = None
    for path in paths:
        check_is_run(path)
        with RunStore(path) as store:  # holds the lock: nobody plays there meanwhile
            first = first or store
            if store.identity != first.identity:
                raise DataError(
                    f"'{path}' is no shard of the same run as '{first.folder}': {_difference(first, store)}."
                )
            if (path / SUMS_NAME).exists():
                raise TaflError(f"'{path}' is a complete run, not a shard: there is nothing to merge.")
            with disk.on(path, "read"):
                one = fold_chunks(path, store.identity, store.layout, (0, store.manifest["n_blocks"]), False)
            if one.bad:
                raise DataError(
                    f"'{one.bad[0][0]}' cannot be used ({one.bad[0][1]}): tafl compare --resume {path} plays it again."
                )
            found.append((path, one))
    assert first is not None
    return found, first


def _difference(ours: RunStore, theirs: RunStore) -> str:
    """Return the first thing in which two manifests differ."""
    for key in ("game", "lineup", "n_blocks", "seed", "seating", "tafl_version", "engine"):
        a, b = ours.manifest.get(key), theirs.manifest.get(key)
        if a != b:
            return f"{key} is {_shown(b)} there and {_shown(a)} here"
    differing = [key for key in ours.manifest if ours.manifest[key] != theirs.manifest.get(key)]
    return f"their {MANIFEST_NAME} differ in {', '.join(differing) or 'their bytes'}"


def _shown(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return text if len(text) <= 60 else f"{text[:12]}..."


def _check_whole(found: list[tuple[Path, Found]], n_blocks: int) -> None:
    """Refuse blocks that are there twice or not at all."""
    spans = sorted((first, stop, str(path)) for path, one in found for first, stop in one.spans)
    for (_, stop, path), (first, stop_2, path_2) in pairwise(spans):
        if first < stop:
            raise DataError(f"blocks {first} to {min(stop, stop_2) - 1} are in '{path}' and in '{path_2}' as well.")
    gaps = blocks.missing([span[:2] for span in spans], 0, n_blocks)
    if gaps:
        first, stop = gaps[0]
        more = f", and {len(gaps) - 1} more ranges" if len(gaps) > 1 else ""
        owner = next((path for path, one in found if _is_of(path, first, n_blocks)), None)
        advice = f"tafl compare --resume {owner} plays them" if owner else "name the shard that has them"
        raise DataError(f"blocks {first} to {stop - 1} of {n_blocks} are in no shard{more}: {advice}.")


def _is_of(path: Path, block: int, n_blocks: int) -> bool:
    try:
        said = json.loads((path / SHARD_NAME).read_bytes())
        first, stop = blocks.shard_span(said["shard"], said["of"], n_blocks)
    except FileNotFoundError:
        return True
    return first <= block < stop


def _write_games(making: Path, store: RunStore, files: list[tuple[int, int, Path]], n_threads: int) -> None:
    writer = GamesWriter(store.manifest, store.identity, store.layout.columns, files)
    try:
        writer.write(making / GAMES_NAME, n_threads)
    except chunks.ChunkError as error:
        path = Path(error.args[1])
        raise DataError(
            f"'{path}' cannot be used ({error.args[0]}): tafl compare --resume {path.parent.parent} plays it again."
        ) from None
