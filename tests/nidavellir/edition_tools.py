"""Helpers of the edition tests: a plain reading of the tables, an engine's record, edits as users make them."""

import csv
from pathlib import Path

import numpy as np

from simcore.nidavellir.cards import DATA_FOLDER, fill_edition
from simcore.nidavellir.layout import GAME


def plain_rows(file: str) -> list[dict[str, str]]:
    with (DATA_FOLDER / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def record_of(edition, n_players: int):
    games = np.zeros(1, GAME)
    fill_edition(edition, n_players, games[0])
    return games[0]


def rewrite(folder: Path, file: str, change) -> None:
    """Apply `change(rows)` to a table of a copied edition."""
    with (folder / file).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    header = list(rows[0])
    rows = change(rows) or rows
    with (folder / file).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, header, lineterminator="\r\n")  # as a spreadsheet does
        writer.writeheader()
        writer.writerows(rows)


def set_cell(folder: Path, file: str, where: dict[str, str], column: str, value: str) -> None:
    def change(rows):
        found = [row for row in rows if all(row[key] == cell for key, cell in where.items())]
        assert len(found) == 1
        found[0][column] = value

    rewrite(folder, file, change)
