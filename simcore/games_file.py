"""Per-game rows, kept on request: one row for each seat of each game, as Parquet.

While a run goes on, the rows of each chunk lie beside the chunk's sums in a file of their own (``*.rows``), compressed,
with a checksum. When all blocks are finished, they become ``games/games-00000.parquet`` and so on: each file holds the
same whole blocks whatever the chunks were, near a million rows, in one row group. Memory does not grow with the run.
``docs/per-game-rows.md`` describes the columns.
"""

from __future__ import annotations

import hashlib
import io
import json
import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simcore import blocks, disk
from simcore.accel import kernel
from simcore.chunks import ChunkError
from simcore.contract import Column, DataError, TaflError
from simcore.naming import unknown

MAX_PART_ROWS = 1 << 18
"""Rows that a thread gathers before it writes them: a few dozen MiB."""

ROWS_PER_FILE = 1 << 20
"""A file holds as many whole blocks as fit into so many rows (one block, if that is more)."""

MAX_WRITERS = 4
"""Threads that encode files side by side; each needs about 250 MiB."""

GAMES_NAME = "games"
LOWEST, HIGHEST = -(1 << 15), (1 << 15) - 1
_MAGIC = b"tafl rows 1\n"
_POLL_SECONDS = 0.05


def kept_columns(columns: Sequence[Column], keep: bool | Sequence[str]) -> tuple[Column, ...]:
    """Return the columns that a run keeps for each seat of each game, in the game's order.

    Parameters
    ----------
    columns : sequence of Column
        The game's.
    keep : bool or sequence of str
        As the manifest's ``keep_games`` says: all, none, or those of these names.

    Raises
    ------
    TaflError
        There is no column of such a name.
    """
    if isinstance(keep, bool):
        return tuple(columns) if keep else ()
    known = [column.name for column in columns]
    for name in keep:
        if name not in known:
            raise TaflError(unknown("column", name, known))
    return tuple(column for column in columns if column.name in keep)


class RowsLayout:
    """What is kept of a result row.

    Parameters
    ----------
    columns : sequence of Column
        Those that are kept.

    Attributes
    ----------
    values, flags : tuple of Column
        Columns kept as int16; columns kept as 0 or 1.
    value_slot, flag_slot : int64[:]
        Their places in a result row.
    """

    def __init__(self, columns: Sequence[Column]):
        self.values = tuple(c for c in columns if c.kind != "flag")
        self.flags = tuple(c for c in columns if c.kind == "flag")
        self.value_slot = np.array([c.slot for c in self.values], np.int64)
        self.flag_slot = np.array([c.slot for c in self.flags], np.int64)


@kernel
def gather_nb(rows: Any, value_slot: Any, flag_slot: Any, values: Any, flags: Any, at: int) -> int:
    """Copy result rows into columns from row `at`; return the first row that int16 cannot hold, or -1.

    Parameters
    ----------
    rows : int64[n_blocks, n_games, n_seats, n_slots]
    value_slot, flag_slot : int64[:]
        See `RowsLayout`.
    values : int16[n_values, capacity]
    flags : uint8[n_flags, capacity]
    at : int64
    """
    wrong = -1
    n_blocks, n_games, n_seats, _ = rows.shape
    for block in range(n_blocks):
        for game in range(n_games):
            for seat in range(n_seats):
                row = rows[block, game, seat]
                for v in range(value_slot.shape[0]):
                    x = row[value_slot[v]]
                    if (x < LOWEST or x > HIGHEST) and wrong < 0:
                        wrong = at
                    values[v, at] = x
                for f in range(flag_slot.shape[0]):
                    flags[f, at] = 1 if row[flag_slot[f]] != 0 else 0
                at += 1
    return wrong


class KeptRows:
    """The rows of the chunk that a thread is at.

    Parameters
    ----------
    columns : sequence of Column
        Those that are kept.
    n_games, n_seats : int
        Games of a block; players at the table.
    """

    def __init__(self, columns: Sequence[Column], n_games: int, n_seats: int):
        self.layout = RowsLayout(columns)
        self.rows_per_block = n_games * n_seats
        self.n_seats = n_seats
        self.max_blocks = max(1, MAX_PART_ROWS // self.rows_per_block)
        capacity = self.max_blocks * self.rows_per_block
        self._values = np.empty((len(self.layout.values), capacity), np.int16)
        self._flags = np.empty((len(self.layout.flags), capacity), np.uint8)
        self.n_rows = 0

    def clear(self) -> None:
        """Start a new chunk."""
        self.n_rows = 0

    def add(self, rows: np.ndarray, first_block: int) -> None:
        """Add whole blocks.

        Parameters
        ----------
        rows : int64[n_blocks, n_games, n_seats, n_slots]
        first_block : int

        Raises
        ------
        DataError
            A value does not fit 16 bits.
        """
        wrong = gather_nb(rows, self.layout.value_slot, self.layout.flag_slot, self._values, self._flags, self.n_rows)
        if wrong >= 0:
            game = first_block * rows.shape[1] + (int(wrong) - self.n_rows) // self.n_seats
            raise DataError(
                f"game {game} has a result beyond {LOWEST} to {HIGHEST}, which per-game rows cannot hold: "
                "play without --keep-games."
            )
        self.n_rows += rows.shape[0] * self.rows_per_block

    def pack(self, identity: str, first: int, stop: int) -> bytes:
        """Return the file of the rows of the blocks ``first`` to ``stop - 1``, with a checksum."""
        import pyarrow as pa

        n = (stop - first) * self.rows_per_block
        raw = self._values[:, :n].astype("<i2").tobytes() + self._flags[:, :n].tobytes()
        body = pa.Codec("lz4").compress(raw, asbytes=True)
        head = json.dumps({"manifest": identity, "first": first, "stop": stop}).encode() + b"\n"
        checksum = hashlib.sha256(head + body).hexdigest().encode() + b"\n"
        return _MAGIC + checksum + head + body


def part_path(chunk: Path) -> Path:
    """Return where the rows of a chunk lie."""
    return chunk.with_suffix(".rows")


def check_part(path: Path, identity: str, first: int, stop: int) -> bytes:
    """Return the compressed rows of a chunk.

    Raises
    ------
    ChunkError
        If they are missing, damaged or of another run.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ChunkError(f"its per-game rows '{path.name}' are missing") from None
    checksum, _, rest = data.removeprefix(_MAGIC).partition(b"\n")
    if not data.startswith(_MAGIC) or hashlib.sha256(rest).hexdigest().encode() != checksum:
        raise ChunkError(f"its per-game rows '{path.name}' are damaged or cut off")
    head, _, body = rest.partition(b"\n")
    if json.loads(head) != {"manifest": identity, "first": first, "stop": stop}:
        raise ChunkError(f"its per-game rows '{path.name}' belong to another run or other blocks")
    return body


class GamesWriter:
    """Makes the Parquet files of a run whose blocks are all finished.

    Parameters
    ----------
    manifest : mapping
        The run's.
    identity : str
        Hash of the manifest.
    columns : sequence of Column
        The game's; the manifest says which of them are kept.
    chunk_files : sequence of (int, int, pathlib.Path)
        First block, stop block and chunk file, in order and without gaps; they may lie in several folders.
    """

    def __init__(
        self,
        manifest: dict[str, Any],
        identity: str,
        columns: Sequence[Column],
        chunk_files: Sequence[tuple[int, int, Path]],
    ):
        self.manifest = manifest
        self.identity = identity
        self.layout = RowsLayout(kept_columns(columns, manifest["keep_games"]))
        self.chunk_files = list(chunk_files)
        names, seats = blocks.entrants(manifest["lineup"])
        self.names = names
        self.seating = blocks.seatings(seats, manifest["seating"])
        self.blocks_per_file = max(1, ROWS_PER_FILE // self.seating.size)
        self.schema = _schema(manifest, identity, self.layout)

    @property
    def n_files(self) -> int:
        """Files of the whole run."""
        return n_files(self.manifest)

    def write(self, folder: Path, n_threads: int, stopped: Callable[[], bool] = lambda: False) -> bool:
        """Write every file into a new `folder`.

        Parameters
        ----------
        folder : pathlib.Path
            Must not exist.
        n_threads : int
            At most `MAX_WRITERS` of them are used.
        stopped : callable
            Asked now and then; if true, the writing ends at once and is to be done again.

        Returns
        -------
        bool
            Whether all files were written.

        Raises
        ------
        ChunkError
            If the rows of a chunk cannot be used; its second argument is the chunk file.
        OSError
            As the system gives it.
        """
        folder.mkdir()
        numbers: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in range(self.n_files):
            numbers.put(number)
        errors: list[BaseException] = []

        def work() -> None:
            try:
                while not errors and not stopped():
                    number = numbers.get_nowait()
                    disk.write_whole(folder / file_name(number), self.encode(number))
            except queue.Empty:
                pass
            except BaseException as error:
                errors.append(error)

        n_writers = max(1, min(n_threads, MAX_WRITERS, self.n_files))
        writers = [threading.Thread(target=work, daemon=True) for _ in range(n_writers)]
        for writer in writers:
            writer.start()
        while any(writer.is_alive() for writer in writers) and not stopped():
            writers[0].join(_POLL_SECONDS)
            for writer in writers[1:]:
                writer.join(0 if writers[0].is_alive() else _POLL_SECONDS)
        if errors:
            raise errors[0]
        return not stopped()

    def encode(self, number: int) -> bytes:
        """Return the bytes of one file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        first = number * self.blocks_per_file
        stop = min(first + self.blocks_per_file, self.manifest["n_blocks"])
        values, flags = self._read(first, stop)
        n_games, n_seats = self.seating.shape
        game = np.arange(first * n_games, stop * n_games, dtype=np.int64)
        seats = np.tile(np.arange(1, n_seats + 1, dtype=np.int8), game.size)
        entrant = np.tile(self.seating.astype(np.int16).ravel(), stop - first)
        arrays = [
            pa.array(np.repeat(game, n_seats)),
            pa.array(np.repeat(game // n_games, n_seats)),
            pa.array(seats),
            pa.DictionaryArray.from_arrays(pa.array(entrant), pa.array(self.names, pa.string())),
            *(pa.array(column) for column in values),
            *(pa.array(column.view(np.bool_)) for column in flags),
        ]
        table = pa.Table.from_arrays(arrays, schema=self.schema)
        buffer = io.BytesIO()
        pq.write_table(
            table,
            buffer,
            row_group_size=max(len(table), 1),
            compression="zstd",
            compression_level=1,
            use_dictionary=[c.name for c in self.schema if c.name not in ("game", "block")],
            column_encoding={"game": "DELTA_BINARY_PACKED", "block": "DELTA_BINARY_PACKED"},
            write_page_checksum=True,
        )
        return buffer.getvalue()

    def _read(self, first: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the columns of some blocks: int16[n_values, n_rows] and uint8[n_flags, n_rows]."""
        import pyarrow as pa

        per_block = self.seating.size
        n_values, n_flags = len(self.layout.values), len(self.layout.flags)
        values = np.empty((n_values, (stop - first) * per_block), np.int16)
        flags = np.empty((n_flags, (stop - first) * per_block), np.uint8)
        for part_first, part_stop, path in self.chunk_files:
            if part_stop <= first or part_first >= stop:
                continue
            n = (part_stop - part_first) * per_block
            try:
                body = check_part(part_path(path), self.identity, part_first, part_stop)
                raw = pa.Codec("lz4").decompress(body, (2 * n_values + n_flags) * n, asbytes=True)
            except ChunkError as error:
                raise ChunkError(str(error), path) from None
            low, high = max(first, part_first), min(stop, part_stop)
            source = slice((low - part_first) * per_block, (high - part_first) * per_block)
            target = slice((low - first) * per_block, (high - first) * per_block)
            part_values = np.frombuffer(raw, "<i2", n_values * n).reshape(n_values, n)
            part_flags = np.frombuffer(raw, np.uint8, n_flags * n, 2 * n_values * n).reshape(n_flags, n)
            values[:, target] = part_values[:, source]
            flags[:, target] = part_flags[:, source]
        return values, flags


def file_name(number: int) -> str:
    """Return the name of one file of a run's per-game rows."""
    return f"games-{number:05d}.parquet"


def n_files(manifest: dict[str, Any]) -> int:
    """Return how many files the per-game rows of a run are."""
    per_block = manifest["n_games_per_block"] * manifest["n_players"]
    return -(-int(manifest["n_blocks"]) // max(1, ROWS_PER_FILE // per_block))


def _schema(manifest: dict[str, Any], identity: str, layout: RowsLayout) -> Any:
    """Return the schema; titles, units and kinds stand in the columns' metadata."""
    import pyarrow as pa

    def field(name: str, dtype: Any, **said: str) -> Any:
        return pa.field(name, dtype, nullable=False, metadata={key: text for key, text in said.items() if text})

    fields = [
        field("game", pa.int64(), title="number of the game in the run, from 0: tafl replay RUN NUMBER"),
        field("block", pa.int64(), title="block of the game: games of one block share their luck"),
        field("seat", pa.int8(), title="seat at the table, from 1"),
        field("strategy", pa.dictionary(pa.int16(), pa.string()), title="strategy in the seat"),
    ]
    for column, dtype in [(c, pa.int16()) for c in layout.values] + [(c, pa.bool_()) for c in layout.flags]:
        said = {"title": column.title, "kind": column.kind, "group": column.group, "unit": column.unit}
        fields.append(field(column.name, dtype, **said))
    about = {"tafl.manifest": identity, "tafl.game": manifest["game"], "tafl.edition": manifest["edition"]["name"]}
    return pa.schema(fields, metadata=about)
