"""Plausible editions: the numbers of assumed rows drawn anew within declared ranges; sourced rows stay as they are.

Ranges stand beside the tables, in ``ranges.csv``: for a table and column, how far each number may plausibly lie from
what is written, and whether more is better for whoever has the row. A row is drawn as a whole: one number between -1
(stingy) and 1 (generous) moves everything in it, rewards up and costs down. A column that is neither (how many copies
there are) is drawn apart. Editions that do not check are drawn again, so all that are played are complete ones.
"""

from __future__ import annotations

import fnmatch
import hashlib
import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simcore.cells import Cell, cells, change_edition
from simcore.contract import DataError, GameSpec, TaflError
from simcore.editions import RANGES_FILE
from simcore.naming import unknown
from simcore.tables import Field, Row, Schema, read_table

BETTER, WORSE, APART = "better", "worse", "apart"
MAX_ATTEMPTS = 50
"""Draws of one edition before its ranges are called impossible."""

RANGES = Schema(
    RANGES_FILE,
    "How far the numbers of assumed rows may plausibly lie from what the tables say. Nothing here changes a game.",
    (
        Field("table", "the table, without .csv", "text"),
        Field("row", "the row's id, with * for any letters; empty: every assumed row", "text", optional=True),
        Field("column", "the column", "text"),
        Field("group", "a column: rows that agree in it are drawn together", "text", optional=True),
        Field("spread", "percent of each number, and at least 1", high=100),
        Field("low", "no number falls nearer to 0 than this", high=99),
        Field("sense", "if larger: better or worse for its owner; apart", "word", choices=(BETTER, WORSE, APART)),
        Field("says", "why", "text", optional=True),
    ),
)

_NUMBER = re.compile(r"(?:(?<=food:)|(?<=favor:)|(?<=glory:)|(?<=any:)|(?<=defense:)|(?<=/)|(?<=^))[+-]?\d+")
"""Amounts: plain numbers, lists of them, and those of goods; how many cards, tokens or dice an effect names stays."""


@dataclass(frozen=True)
class Unknown:
    """Something that is drawn: an assumed row, or a cell of it that is drawn apart.

    Attributes
    ----------
    name : str
        ``keep_spoils.K01``, ``keep_spoils.K01.count``.
    title : str
        What a reader sees.
    cells : tuple of (Cell, spread, low, sign)
        What it moves; `spread` in percent, `sign` 1 or -1.
    """

    name: str
    title: str
    cells: tuple[tuple[Cell, int, int, int], ...]


def unknowns(spec: GameSpec, edition: Any) -> list[Unknown]:
    """Return what the rows in force leave open and the edition's ranges declare, in the order of the tables.

    Raises
    ------
    TaflError, DataError
        If the edition declares no ranges, or names a table, row or column that is not there.
    """
    found = _unknowns(spec, edition)
    if not found:
        raise TaflError(f"no assumed row of {spec.title}, edition {edition.name}, has a range: nothing can be drawn.")
    return found


def check_ranges(spec: GameSpec, edition: Any) -> None:
    """Check the ranges of an edition, if it declares any: what they name is there, and a drawn edition checks.

    Raises
    ------
    DataError
        As `unknowns` and `draw` raise it.
    """
    if RANGES_FILE in edition.files:
        draw(spec, edition, _unknowns(spec, edition), 0, 0)


def _unknowns(spec: GameSpec, edition: Any) -> list[Unknown]:
    ranges = _ranges(spec, edition)
    assumed = {
        (schema.name, "-".join(str(row[key]) for key in schema.row_key)): row
        for schema in spec.schemas
        for row in edition.rows[schema.file]
        if row["confidence"] == "assumed"
    }
    grouped: dict[str, list[tuple[Cell, int, int, int]]] = {}
    titles: dict[str, str] = {}
    for cell in cells(spec, edition):
        table, row, column = cell.address.split(".")
        bounds = next((r for r in ranges if _holds(r, table, row, column)), None)
        if bounds is None or (table, row) not in assumed or not _NUMBER.search(cell.text):
            continue
        told = assumed[table, row]
        name = f"{table}.{told[bounds['group']]}" if bounds["group"] else f"{table}.{row}"
        titles[name] = str(told[bounds["group"]]) if bounds["group"] else _title(cell.schema, told.cells)
        if bounds["sense"] == APART:
            titles[cell.address], name = f"{titles[name]} ({column})", cell.address
        sign = -1 if bounds["sense"] == WORSE else 1
        grouped.setdefault(name, []).append((cell, bounds["spread"], bounds["low"], sign))
    return [Unknown(name, titles[name], tuple(parts)) for name, parts in grouped.items()]


def _title(schema: Schema, row: Mapping[str, Any]) -> str:
    kind = f"{row['type']} tile" if row.get("type") else ""
    named = row.get("name") or row.get("key") or kind or " ".join(str(row[key]) for key in schema.row_key)
    return str(named).replace("_", " ")


def _ranges(spec: GameSpec, edition: Any) -> list[Row]:
    """Return the declared ranges, those of single rows first."""
    text = edition.files.get(RANGES_FILE)
    if text is None:
        raise TaflError(
            f"{spec.title}, edition {edition.name}, declares no plausible ranges ({RANGES_FILE} beside its tables): "
            "there is nothing to draw."
        )
    tables = {schema.name: schema for schema in spec.schemas}
    rows = {tuple(cell.address.split(".")[:2]) for cell in cells(spec, edition)}
    found = sorted(read_table(text, RANGES), key=lambda row: not row["row"])
    for row in found:
        if row["table"] not in tables:
            raise row.error("table", unknown("table", row["table"], tables))
        columns = [field.name for field in tables[row["table"]].fields]
        for field in ("column", "group"):
            if row[field] and row[field] not in columns:
                raise row.error(field, unknown("column", row[field], columns))
        known = [name for table, name in sorted(rows) if table == row["table"]]
        if row["row"] and not fnmatch.filter(known, row["row"]):
            raise row.error("row", unknown("row", row["row"], known))
    return found


def _holds(declared: Row, table: str, row: str, column: str) -> bool:
    """Return whether a declared range is that of a cell."""
    matches = not declared["row"] or fnmatch.fnmatchcase(row, declared["row"])
    return bool(declared["table"] == table and declared["column"] == column and matches)


@dataclass(frozen=True)
class Drawn:
    """A plausible edition.

    Attributes
    ----------
    edition : Edition
    moved : tuple of float
        What was drawn for each unknown, -1 to 1.
    n_rejected : int
        Draws before it that did not check.
    """

    edition: Any
    moved: tuple[float, ...]
    n_rejected: int


def draw(spec: GameSpec, edition: Any, found: Sequence[Unknown], seed: int, number: int) -> Drawn:
    """Return plausible edition `number` of a seed: always the same one.

    Raises
    ------
    DataError
        If none of many draws checks.
    """
    trouble: DataError | None = None
    for attempt in range(MAX_ATTEMPTS):
        key = hashlib.sha256(f"tafl plausible {seed} {number} {attempt}".encode()).digest()
        luck = random.Random(int.from_bytes(key, "big"))
        moved = tuple(2 * luck.random() - 1 for _ in found)
        try:
            changed = change_edition(spec, edition, _changes(found, moved), {})
        except DataError as error:
            trouble = error
            continue
        return Drawn(replace(changed, name=f"{edition.name}, plausible {number}"), moved, attempt)
    raise DataError(f"none of {MAX_ATTEMPTS} draws from {RANGES_FILE} is an edition that checks: {trouble}")


def _changes(found: Sequence[Unknown], moved: Sequence[float]) -> dict[str, str]:
    changes = {}
    for one, way in zip(found, moved, strict=True):
        for cell, spread, low, sign in one.cells:
            text = _all_moved(cell.text, spread, low, sign * way)
            if text != cell.text:
                changes[cell.address] = text
    return changes


def _all_moved(text: str, spread: int, low: int, way: float) -> str:
    return _NUMBER.sub(lambda match: _moved(match[0], spread, low, way), text)


def _moved(text: str, spread: int, low: int, way: float) -> str:
    """Return a number moved by `way` (-1 to 1) of its spread, away from or towards 0."""
    size = abs(int(text))
    if size == 0 and low > 0:
        return text
    found = max(low, math.floor(size + way * max(size * spread / 100, 1) + 0.5))
    sign = text[0] if text[0] in "+-" else ""
    return f"{sign}{found}"
