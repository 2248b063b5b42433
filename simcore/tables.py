"""Reading tables that a user may have edited: typed CSV cells, and messages that name the file, the row and the column.

A row's number is the one a spreadsheet shows: the header is row 1. Used by every game; knows no game.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.contract import DataError
from simcore.naming import nearest, unknown

CONFIDENCES = ("sourced", "inferred", "assumed")

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+")
MAX_NUMBER = 1_000_000
"""No cell of any table is larger: keeps every sum far inside 64 bits."""


@dataclass(frozen=True)
class Field:
    """A column of a table.

    Attributes
    ----------
    name : str
        Its name in the header.
    says : str
        What it holds, for the page that accompanies a copied edition.
    kind : {'number', 'text', 'word', 'id'}
        `number`: a whole number. `word`: one of `choices`. `id`: a name of letters, digits and hyphens, unique in the
        table. `text`: anything.
    low, high : int
        Bounds of a number, both included.
    choices : tuple of str
        The words.
    optional : bool
        The cell may be empty (read as None for a number, else as an empty string), the whole column may be missing.
    unique : bool
        No two rows hold the same.
    derived : bool
        It only repeats what other cells say, and may be empty.
    """

    name: str
    says: str
    kind: str = "number"
    low: int = 0
    high: int = MAX_NUMBER
    choices: tuple[str, ...] = ()
    optional: bool = False
    unique: bool = False
    derived: bool = False


@dataclass(frozen=True)
class Schema:
    """A file's columns, in the order in which they are written.

    Attributes
    ----------
    file, says : str
        Its name, and what it holds.
    fields : tuple of Field
    key : tuple of str
        Columns that name a row where no single one does.
    twins : tuple of str
        Columns of which a change of one is a change of all that hold the same.
    """

    file: str
    says: str
    fields: tuple[Field, ...]
    key: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What a user calls the table: the file's name without its ending."""
        return self.file.removesuffix(".csv")

    @property
    def row_key(self) -> tuple[str, ...]:
        """Columns that name a row: `key`, or the first column that is unique."""
        unique = tuple(field.name for field in self.fields if field.unique or field.kind == "id")
        return self.key or unique[:1]


@dataclass(frozen=True)
class Row:
    """A checked row: ``row["points"]`` is the typed cell, `error` says what is wrong with it."""

    where: str
    number: int
    cells: dict[str, Any]

    def __getitem__(self, column: str) -> Any:
        return self.cells[column]

    def error(self, column: str, says: str) -> DataError:
        """Return the error that names this row and `column`."""
        return DataError(f"{self.where}, row {self.number}, column {column}: {says}")


@dataclass(frozen=True)
class Table:
    """A checked table. `where` is what messages call the file."""

    where: str
    schema: Schema
    rows: tuple[Row, ...]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Row:
        return self.rows[index]

    def column(self, name: str) -> list[Any]:
        """Return the cells of one column."""
        return [row[name] for row in self.rows]

    def error(self, says: str) -> DataError:
        """Return the error that names this file."""
        return DataError(f"{self.where}: {says}")


PROVENANCE_FIELDS = (
    Field("confidence", "sourced, inferred or assumed: how much is known about this row", "word", choices=CONFIDENCES),
    Field("source", "where the row's values come from; whatever is not assumed names it", "text", optional=True),
)
"""The last two columns of every table."""


def read_text(path: Path, where: str = "") -> str:
    """Return the text of a file with line ends made uniform.

    Raises
    ------
    DataError
        If it cannot be read or is not UTF-8.
    """
    name = where or str(path)
    try:
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise DataError(f"{name} does not exist") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{name} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror}") from None


def read_table(text: str, schema: Schema, where: str = "") -> Table:
    """Return the checked table that `text` holds.

    Parameters
    ----------
    text : str
        A CSV file's text, commas between cells.
    schema : Schema
        Its columns.
    where : str
        What messages call the file; by default the schema's file name.

    Raises
    ------
    DataError
        A missing, unknown or doubled column; a row of another length; a cell of the wrong type, out of its bounds, or
        not among its words; an id that occurs twice. Names file, row and column.
    """
    where = where or schema.file
    try:
        lines = list(csv.reader(io.StringIO(text), strict=True))
    except csv.Error as error:
        raise DataError(f"{where} is not a CSV table: {error}") from None
    numbered = [(number, cells) for number, cells in enumerate(lines, 1) if any(cell.strip() for cell in cells)]
    if not numbered:
        raise DataError(f"{where} is empty; its first row must name the columns {_listed(schema)}")
    header = [cell.strip() for cell in numbered[0][1]]
    _check_header(header, schema, where)
    rows = tuple(_read_row(cells, number, header, schema, where) for number, cells in numbered[1:])
    if not rows:
        raise DataError(f"{where} has a header but no rows")
    for field in schema.fields:
        if field.unique or field.kind == "id":
            _check_unique(rows, field)
    return Table(where, schema, rows)


def check_source(table: Table) -> None:
    """Check that each row that claims to be sourced or inferred names its source."""
    for row in table:
        if row["confidence"] != "assumed" and not row["source"]:
            raise row.error("source", f"is empty, but the row is called {row['confidence']}; name it or write assumed")


def _listed(schema: Schema) -> str:
    return ", ".join(field.name for field in schema.fields)


def _check_header(header: Sequence[str], schema: Schema, where: str) -> None:
    names = [field.name for field in schema.fields]
    if len(header) == 1 and ";" in header[0]:
        raise DataError(f"{where}, row 1: columns are separated by semicolons; save the file with commas")
    for column in header:
        if column not in names:
            raise DataError(f"{where}, row 1: {unknown('column', column, names)}")
        if header.count(column) > 1:
            raise DataError(f"{where}, row 1: column {column!r} is there {header.count(column)} times")
    for field in schema.fields:
        if field.name not in header and not field.optional:
            raise DataError(f"{where}, row 1: column {field.name!r} is missing; it holds {field.says}")


def _read_row(cells: Sequence[str], number: int, header: Sequence[str], schema: Schema, where: str) -> Row:
    if len(cells) != len(header):
        raise DataError(
            f"{where}, row {number}: has {len(cells)} cells, the header has {len(header)}; "
            "a text that holds a comma must stand in double quotes"
        )
    by_name = dict(zip(header, cells, strict=True))
    row = Row(where, number, {})
    for field in schema.fields:
        row.cells[field.name] = _read_cell(by_name.get(field.name, "").strip(), field, row)
    return row


def _read_cell(cell: str, field: Field, row: Row) -> Any:
    if not cell:
        if not field.optional:
            raise row.error(field.name, f"is empty; it holds {field.says}")
        return None if field.kind == "number" else ""
    if field.kind == "number":
        return _read_number(cell, field, row)
    if field.kind == "word" and cell not in field.choices:
        near = nearest(cell, field.choices)
        hint = f"; the nearest is {near!r}" if near else ""
        raise row.error(field.name, f"{cell!r} is none of {', '.join(field.choices)}{hint}")
    if field.kind == "id" and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", cell):
        raise row.error(field.name, f"{cell!r} is no id: small letters and digits, with single hyphens between them")
    return " ".join(cell.split())  # a name with a line break would break every table and chart it is shown in


def _read_number(cell: str, field: Field, row: Row) -> int:
    if not _WHOLE_NUMBER.fullmatch(cell):
        raise row.error(field.name, f"{cell!r} is not a whole number")
    if len(cell.lstrip("+-0")) > len(str(MAX_NUMBER)):
        raise row.error(field.name, f"{cell} is too large; the largest that fits is {field.high}")
    number = int(cell)
    if number < field.low:
        negative = "is negative" if number < 0 <= field.low else "is too small"
        raise row.error(field.name, f"{number} {negative}; the smallest allowed is {field.low}")
    if number > field.high:
        raise row.error(field.name, f"{number} is too large; the largest that fits is {field.high}")
    return number


def _check_unique(rows: Iterable[Row], field: Field) -> None:
    seen: dict[Any, int] = {}
    for row in rows:
        value = row[field.name]
        if value in seen:
            raise row.error(field.name, f"{value!r} stands already in row {seen[value]}; each must be another")
        seen[value] = row.number
