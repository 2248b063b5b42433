"""Reading a run's folder: what a run found, complete or as far as it got."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore import blocks, chunks, disk
from simcore.contract import UNFINISHED, Column, DataError, TaflError
from simcore.games_file import check_part, part_path
from simcore.looks import STOPPED_NAME, Stop, from_json
from simcore.manifest import COLUMNS_NAME, MANIFEST_NAME, decode, decode_columns, digest
from simcore.sums import Sums, SumsLayout

SUMS_NAME = "sums.npz"
CHUNKS_NAME = "chunks"
SHARD_NAME = "shard.json"
TOURNAMENT_NAME, EXPERIMENT_NAME = "tournament.json", "experiment.json"
"""Stand in a folder that is no run but holds many: see `analysis.tournaments` and `analysis.experiments`."""


@dataclass(frozen=True)
class RunResult:
    """What a run found, complete or as far as it got.

    Attributes
    ----------
    folder : pathlib.Path
        The run folder.
    manifest : dict
        See `simcore.manifest.make_manifest`.
    columns : tuple of Column
        The game's result columns.
    layout : SumsLayout
        Which column is summed where.
    sums : Sums
        Exact sums over the finished blocks.
    complete : bool
        Whether all blocks are finished, or all before the stop.
    names : tuple of str
        Entrants, by number.
    copies : int64[n_entrants]
        Seats of each entrant in one game.
    n_blocks, n_games : int
        Finished ones.
    n_seats, games_per_block : int
        Players at the table; games of a block.
    stopped : Stop or None
        Where a rule ended the run, and what it found.
    """

    folder: Path
    manifest: dict[str, Any]
    columns: tuple[Column, ...]
    layout: SumsLayout
    sums: Sums
    complete: bool
    names: tuple[str, ...]
    copies: np.ndarray
    n_blocks: int
    n_games: int
    n_seats: int
    games_per_block: int
    stopped: Stop | None = None

    @property
    def n_unfinished(self) -> int:
        """Games that were ended by their step limit (`simcore.contract.UNFINISHED`)."""
        if UNFINISHED not in [column.name for column in self.layout.flags]:
            return 0
        return int(self.sums["flag_n"][:, self.layout.flag_number(UNFINISHED)].sum()) // self.n_seats


def load_result(folder: Path | str) -> RunResult:
    """Read what a run found, also while it is going on.

    Raises
    ------
    DataError
        If the folder is no run, or its files are damaged.
    """
    folder = Path(folder)
    check_is_run(folder)
    with disk.on(folder, "read"):
        manifest, layout, identity = read_head(folder)
        path = folder / SUMS_NAME
        for _ in range(2):  # the run may complete, and remove its chunks, while we look
            whole = path.exists()
            stopped, n_blocks = _read_end(folder, manifest, identity)
            if whole:
                try:
                    sums = chunks.unpack_sums(path.read_bytes(), identity, layout)
                    if int(sums["n_blocks"][0]) != n_blocks:
                        raise chunks.ChunkError("it does not hold all blocks")
                except chunks.ChunkError as error:
                    raise DataError(f"'{path}' cannot be used ({error}): resume the run to play it again.") from None
                return result_of(folder, manifest, sums, True, stopped)
            beyond = None if stopped is None else n_blocks
            found = fold_chunks(folder, identity, layout, (0, n_blocks), False, beyond)
            if not path.exists():
                break
        if found.bad:
            path, reason = found.bad[0]
            raise DataError(f"'{path}' cannot be used ({reason}): resume the run to play its blocks again.")
        return result_of(folder, manifest, found.sums, False)


def read_head(folder: Path) -> tuple[dict[str, Any], SumsLayout, str]:
    """Return the manifest, what the sums are of, and the manifest's hash.

    Raises
    ------
    DataError
        If a file that the manifest names was changed or is missing.
    """
    data = (folder / MANIFEST_NAME).read_bytes()
    manifest = decode(data, folder)
    for name, expected in manifest.get("files", {}).items():
        path = folder / name
        if not path.is_file() or digest(path.read_bytes()) != expected:
            raise DataError(
                f"'{path}' is missing or was changed after the run began, so its results would no longer say what they "
                "are of: put the original back, or start a new run."
            )
    columns = decode_columns((folder / COLUMNS_NAME).read_text(encoding="utf-8"), folder)
    return manifest, SumsLayout(columns, len(manifest["entrants"])), digest(data)


def read_stopped(folder: Path, manifest: dict[str, Any], identity: str) -> Stop | None:
    """Return where a rule ended the run, or None; a ValueError says why the file cannot be used."""
    path = folder / STOPPED_NAME
    if not path.exists():
        return None
    return from_json(path.read_bytes(), identity, manifest.get("stopping", {}).get("looks", []))


def _read_end(folder: Path, manifest: dict[str, Any], identity: str) -> tuple[Stop | None, int]:
    """Return where a rule ended the run, or None, and the blocks of the run."""
    try:
        stopped = read_stopped(folder, manifest, identity)
    except ValueError as error:
        path = folder / STOPPED_NAME
        raise DataError(f"'{path}' cannot be used ({error}): resume the run to decide it again.") from None
    return stopped, manifest["n_blocks"] if stopped is None else stopped.n_blocks


def read_shard(folder: Path) -> tuple[int, int] | None:
    """Return which shard of the run a folder is, or None if it is all of it."""
    path = folder / SHARD_NAME
    if not path.exists():
        return None
    try:
        said = json.loads(path.read_bytes())
        return int(said["shard"]), int(said["of"])
    except (ValueError, KeyError, TypeError):
        raise DataError(f"'{path}' is damaged: which share of the run is played here is not known.") from None


@dataclass(frozen=True)
class Found:
    """The finished blocks of a run folder.

    Attributes
    ----------
    files : list of (int, int, pathlib.Path)
        First block, stop block and file of each chunk, in order.
    sums : Sums
        Of all of them.
    bad : list of (pathlib.Path, str)
        Chunks that cannot be used, with the reason.
    """

    files: list[tuple[int, int, Path]]
    sums: Sums
    bad: list[tuple[Path, str]]

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Finished ranges of blocks, in order."""
        return [(first, stop) for first, stop, _ in self.files]


def fold_chunks(
    folder: Path,
    identity: str,
    layout: SumsLayout,
    span: tuple[int, int],
    check_rows: bool,
    beyond: int | None = None,
    each: Callable[[int, int, Sums], Any] | None = None,
) -> Found:
    """Read the chunks of a run folder.

    Parameters
    ----------
    folder : pathlib.Path
    identity : str
        Hash of the manifest.
    layout : SumsLayout
    span : (int, int)
        Blocks that may be there.
    check_rows : bool
        Whether a chunk needs whole per-game rows beside it.
    beyond : int, optional
        Chunks from this block on are passed over: a rule ended the run before them.
    each : callable, optional
        Called with first block, stop block and sums of every chunk.
    """
    found = Found([], Sums(layout), [])
    for path in chunks.listed(folder / CHUNKS_NAME):
        try:
            first, stop, vector = chunks.read(path, identity, layout.size)
            if beyond is not None and first >= beyond:
                continue
            if not span[0] <= first < stop <= span[1]:
                raise chunks.ChunkError("its blocks are not among those of the run")
            if found.files and first < found.files[-1][1]:
                raise chunks.ChunkError("its blocks are in another chunk as well")
            if check_rows:
                check_part(part_path(path), identity, first, stop)
        except chunks.ChunkError as error:
            found.bad.append((path, str(error)))
            continue
        except FileNotFoundError:
            continue  # the run completed just now
        found.files.append((first, stop, path))
        sums = Sums(layout, vector)
        found.sums.add(sums)
        if each is not None:
            each(first, stop, sums)
    return found


def result_of(
    folder: Path, manifest: dict[str, Any], sums: Sums, complete: bool, stopped: Stop | None = None
) -> RunResult:
    """Return the result that the given sums are."""
    names, seats = blocks.entrants(manifest["lineup"])
    return RunResult(
        folder=folder,
        manifest=manifest,
        columns=sums.layout.columns,
        layout=sums.layout,
        sums=sums,
        complete=complete,
        names=names,
        copies=blocks.copies(seats),
        n_blocks=int(sums["n_blocks"][0]),
        n_games=int(sums["n_games"][0]),
        n_seats=manifest["n_players"],
        games_per_block=manifest["n_games_per_block"],
        stopped=stopped,
    )


def check_is_run(folder: Path) -> None:
    """Refuse what is no run folder."""
    with disk.on(folder, "read"):
        if not folder.exists():
            raise TaflError(f"there is no run folder '{folder}'.")
        if (folder / TOURNAMENT_NAME).is_file():
            raise TaflError(
                f"'{folder}' is a tournament, not a run: tafl tournament --resume goes on with it, and its runs lie in "
                f"'{folder / 'lineups'}'."
            )
        if (folder / EXPERIMENT_NAME).is_file():
            raise TaflError(
                f"'{folder}' is an experiment, not a run: the command that made it goes on with it or writes its "
                f"report again (--resume), and its runs lie in '{folder / 'cases'}'."
            )
        if not (folder / MANIFEST_NAME).is_file():
            raise TaflError(f"'{folder}' is no run folder: it has no {MANIFEST_NAME}.")
