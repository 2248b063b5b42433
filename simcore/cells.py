"""Changing single cells of an edition's tables by name, for the laboratory.

A cell's address is ``TABLE.ROW.COLUMN``: ``heroes.grid.points``, ``scoring_tables.5.dwerg_brothers_total``,
``coins.treasure-7.copies_4p``, ``sea_battles.B01.defense``. A row is called by its id, or by what tells it from
others (`simcore.tables.Schema.row_key`), joined by hyphens.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from simcore.contract import GameSpec, TaflError
from simcore.editions import README_FILE, check_rules
from simcore.items import name_without
from simcore.naming import unknown
from simcore.tables import PROVENANCE_FIELDS, Field, Schema, read_table

MAX_SAID = 4
"""Changes that a message names."""

MAX_NAMED = 4
"""Rows that a title names."""


@dataclass(frozen=True)
class Cell:
    """One cell of an edition.

    Attributes
    ----------
    address : str
        ``TABLE.ROW.COLUMN``.
    schema : Schema
        Of its table.
    row : int
        Number of the row in the table, from 0.
    field : Field
        Its column.
    text : str
        What the edition has there.
    """

    address: str
    schema: Schema
    row: int
    field: Field
    text: str


def find_cell(spec: GameSpec, edition: Any, address: str) -> Cell:
    """Return the cell of an address.

    Raises
    ------
    TaflError
        If there is no such table, row or column, with the nearest.
    """
    parts = address.split(".")
    if len(parts) != 3:
        example = next(cell.address for cell in cells(spec, edition) if cell.field.kind == "number")
        raise TaflError(f"'{address}' is no cell of a table: write TABLE.ROW.COLUMN, such as {example}.")
    table, row, column = parts
    schemas = {schema.name: schema for schema in spec.schemas}
    if table not in schemas:
        raise TaflError(f"'{address}': {unknown('table', table, schemas)}.")
    schema = schemas[table]
    found = _cells_of(schema, edition.files[schema.file])
    if address in found:
        return found[address]
    rows = list(dict.fromkeys(each.split(".")[1] for each in found))
    if row not in rows:
        raise TaflError(f"'{address}': {unknown(f'row of {table}', row, rows)}.")
    columns = list(dict.fromkeys(each.split(".")[2] for each in found))
    raise TaflError(f"'{address}': {unknown(f'column of {table} to change', column, columns)}.")


def cells_title(spec: GameSpec, edition: Any, addresses: Sequence[str]) -> str:
    """Return what a reader calls cells that go together: what they share is said once.

    ``points of Zoral``, ``points of Kraal and Tarah``, ``points and amount of Grid``, ``dwerg brothers total of scoring
    tables 3 and 4``; of more than four rows the first two and how many more.
    """
    rows_of: dict[str, list[tuple[str, str]]] = {}
    for address in addresses:
        cell = find_cell(spec, edition, address)
        name = _lines(edition.files[cell.schema.file])[cell.row].get("name", "")
        row = ("", name) if name else (f"{cell.schema.name} ".replace("_", " "), address.split(".")[1])
        rows_of.setdefault(cell.field.name.replace("_", " "), []).append(row)
    columns_of: dict[str, list[str]] = {}
    for column, rows in rows_of.items():
        columns_of.setdefault(_rows_title(rows), []).append(column)
    return " and ".join(f"{_listed(columns)} of {rows}" for rows, columns in columns_of.items())


def _rows_title(rows: Sequence[tuple[str, str]]) -> str:
    """Return what a reader calls rows: pairs of what is said once for neighbours, and what tells them apart."""
    shown = rows if len(rows) <= MAX_NAMED else rows[:2]
    names = [name if i and kind == shown[i - 1][0] else f"{kind}{name}" for i, (kind, name) in enumerate(shown)]
    return _listed(names if len(shown) == len(rows) else [*names, f"{len(rows) - len(shown)} more"])


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def cells(spec: GameSpec, edition: Any) -> Iterator[Cell]:
    """Yield every cell that can be changed: all but those that name rows, say where they come from, or only repeat."""
    for schema in spec.schemas:
        yield from _cells_of(schema, edition.files[schema.file]).values()


@lru_cache(maxsize=64)
def _cells_of(schema: Schema, text: str) -> dict[str, Cell]:
    """Return the cells of a table's file by address; the same few tables are asked for again and again."""
    found = {}
    kept = {field.name for field in PROVENANCE_FIELDS}
    names = {field.name for field in schema.fields if field.unique or field.kind == "id"} | set(schema.row_key)
    for number, cells_of_row in enumerate(_lines(text)):
        row = "-".join(cells_of_row.get(column, "") for column in schema.row_key)
        for field in schema.fields:
            if field.name not in kept | names and not field.derived:
                address = f"{schema.name}.{row}.{field.name}"
                found[address] = Cell(address, schema, number, field, cells_of_row.get(field.name, ""))
    return found


def _lines(text: str) -> list[dict[str, str]]:
    rows = [row for row in csv.reader(io.StringIO(text)) if any(cell.strip() for cell in row)]
    header = [cell.strip() for cell in rows[0]]
    return [dict(zip(header, (cell.strip() for cell in row), strict=True)) for row in rows[1:]]


def change_edition(
    spec: GameSpec, edition: Any, changes: Mapping[str, str], rules: Mapping[str, str], withheld: Sequence[str] = ()
) -> Any:
    """Return an edition with other values in some cells, other switches, and items withheld.

    Cells that only repeat what others say (`simcore.tables.Field.derived`) are emptied in a changed table.

    Parameters
    ----------
    spec : GameSpec
    edition : Edition
    changes : mapping of str to str
        Address -> text.
    rules : mapping of str to str
        Switches that come on top.
    withheld : sequence of str
        Ids of items that nobody can have, beside those that are withheld already.

    Raises
    ------
    TaflError, DataError
        If there is no such cell or switch, or the changed tables do not check.
    """
    if not changes and not rules and not withheld:
        return edition
    check_rules(rules, spec.rule_switches)
    texts = dict(edition.files)
    by_file: dict[str, list[tuple[Cell, str]]] = {}
    for address, value in _with_twins(spec, edition, changes).items():
        cell = find_cell(spec, edition, address)
        by_file.setdefault(cell.schema.file, []).append((cell, value))
    for file, changed in by_file.items():
        texts[file] = _changed(texts[file], changed)
        read_table(texts[file], changed[0][0].schema)  # says what is wrong before the file gets another name
    with tempfile.TemporaryDirectory(prefix="tafl-edition-") as folder:
        for name, text in texts.items():
            if name != README_FILE:
                (Path(folder) / name).write_text(text, encoding="utf-8")
        try:
            loaded = spec.load_edition(folder, rules, tuple(withheld))
        except TaflError as error:
            said = [f"{key}={value}" for key, value in {**changes, **rules}.items()]
            more = f" and {len(said) - MAX_SAID} more changes" if len(said) > MAX_SAID else ""
            where = f"with {', '.join(said[:MAX_SAID])}{more}: " if said else ""
            raise type(error)(f"{where}{str(error).replace(folder + '/', '')}") from None
    return replace(loaded, name=name_without(edition.name, spec.items(loaded, spec.min_players), tuple(withheld)))


def _with_twins(spec: GameSpec, edition: Any, changes: Mapping[str, str]) -> dict[str, str]:
    """Return changes with those of columns that hold the same as a changed one and have to go on doing so."""
    found = dict(changes)
    for address, value in changes.items():
        cell = find_cell(spec, edition, address)
        row = address.rpartition(".")[0]
        for column in cell.schema.twins if cell.field.name in cell.schema.twins else ():
            twin = find_cell(spec, edition, f"{row}.{column}")
            if twin.text == cell.text:
                found.setdefault(twin.address, value)
    return found


def _changed(text: str, changed: list[tuple[Cell, str]]) -> str:
    lines = _lines(text)
    schema = changed[0][0].schema
    for cell, value in changed:
        lines[cell.row][cell.field.name] = value
    for field in schema.fields:
        if field.derived:
            for line in lines:
                if field.name in line:
                    line[field.name] = ""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()
