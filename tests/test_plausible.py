"""Plausible editions: assumed numbers move within their declared ranges, sourced rows stay, a draw is reproducible."""

import csv
import fnmatch
import io
import re
import shutil
from dataclasses import replace

import pytest

from analysis.runs import load_edition
from simcore.contract import DataError, TaflError
from simcore.games import find_game
from simcore.plausible import Drawn, draw, unknowns
from simcore.reavers.cards import DATA_FOLDER

N_DRAWN = 12


@pytest.fixture(scope="module")
def spec():
    return find_game("reavers")


@pytest.fixture(scope="module")
def edition(spec):
    return load_edition(spec, None, ())


@pytest.fixture(scope="module")
def found(spec, edition):
    return unknowns(spec, edition)


@pytest.fixture(scope="module")
def drawn(spec, edition, found) -> list[Drawn]:
    return [draw(spec, edition, found, 5, number) for number in range(N_DRAWN)]


def plain(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


RANGES = plain((DATA_FOLDER / "ranges.csv").read_text(encoding="utf-8"))
KEYS = {"constants": ("key",)}
"""Columns that name a row, of tables with ranges; `id` in all others."""


def changed_cells(edition, other):
    """Yield table, row before, column, text before and after of each cell that differs."""
    for file, text in edition.files.items():
        if file.endswith(".csv"):
            for before, after in zip(plain(text), plain(other.files[file]), strict=True):
                for column, value in before.items():
                    if value.strip() != after[column].strip():
                        yield file.removesuffix(".csv"), before, column, value, after[column]


def row_name(table, row) -> str:
    return "-".join(row[key] for key in KEYS.get(table, ("id",)))


def declared(table, row, column):
    """Return the range of a cell, that of a single row first."""
    own = [r for r in RANGES if r["table"] == table and r["column"] == column]
    matching = [r for r in own if r["row"] and fnmatch.fnmatchcase(row_name(table, row), r["row"])]
    return (matching or [r for r in own if not r["row"]] or [None])[0]


def numbers(text: str) -> list[int]:
    return [abs(int(n)) for n in re.findall(r"[+-]?\d+", text)]


def test_sourced_rows_stay_as_they_are(edition, drawn):
    for one in drawn:
        for table, row, column, before, after in changed_cells(edition, one.edition):
            assert row["confidence"] == "assumed", (table, row, column, before, after)


def test_something_moves_in_every_draw_and_what_moves_has_a_range(edition, drawn):
    for one in drawn:
        moved = list(changed_cells(edition, one.edition))
        assert len(moved) > 50
        for table, row, column, before, after in moved:
            bounds = declared(table, row, column)
            assert bounds is not None, (table, row_name(table, row), column)
            assert re.sub(r"[+-]?\d+", "#", before) == re.sub(r"[+-]?\d+", "#", after)  # only numbers move
            spread, low = int(bounds["spread"]), int(bounds["low"])
            for old, new in zip(numbers(before), numbers(after), strict=True):
                assert abs(new - old) <= max(old * spread / 100, 1) + 0.5 or new == low, (table, column, before, after)
                assert new == old or new >= low


def test_a_row_moves_one_way(edition, drawn):
    """All rewards of a row up and its costs down, or the other way round."""
    for one in drawn:
        ways: dict[tuple[str, str], set[int]] = {}
        for table, row, column, before, after in changed_cells(edition, one.edition):
            bounds = declared(table, row, column)
            if bounds["sense"] == "apart" or bounds["group"] or table == "constants":
                continue
            sign = 1 if bounds["sense"] == "better" else -1
            gaps = [new - old for old, new in zip(numbers(before), numbers(after), strict=True)]
            ways.setdefault((table, row_name(table, row)), set()).update(sign * (g > 0) - sign * (g < 0) for g in gaps)
        assert ways
        for row, signs in ways.items():
            assert not {1, -1} <= signs, row


def test_reavers_of_one_ability_move_together(edition, drawn):
    for one in drawn:
        costs: dict[str, set[str]] = {}
        for before, after in zip(
            plain(edition.files["reavers.csv"]), plain(one.edition.files["reavers.csv"]), strict=True
        ):
            if before["confidence"] == "assumed":
                costs.setdefault(f"{before['ability_id']} {before['ability_cost']}", set()).add(after["ability_cost"])
        assert all(len(found) == 1 for found in costs.values())


def test_rising_lists_stay_rising(edition, drawn):
    for one in drawn:
        for file in ("keep_spoils.csv", "village_spoils.csv"):
            for before, after in zip(plain(edition.files[file]), plain(one.edition.files[file]), strict=True):
                if "/" in before["set_table"] and numbers(before["set_table"]) == sorted(numbers(before["set_table"])):
                    assert numbers(after["set_table"]) == sorted(numbers(after["set_table"]))


def test_a_draw_is_always_the_same_and_no_other(spec, edition, found, drawn):
    again = draw(spec, edition, found, 5, 3)
    assert again.edition.files == drawn[3].edition.files
    assert again.moved == drawn[3].moved
    assert len({one.edition.digest for one in drawn}) == N_DRAWN
    assert draw(spec, edition, found, 6, 3).moved != drawn[3].moved
    assert all(-1 <= way <= 1 for one in drawn for way in one.moved)
    assert all(len(one.moved) == len(found) for one in drawn)


def test_every_draw_is_an_edition_that_checks(spec, drawn, tmp_path):
    for number, one in enumerate(drawn):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, text in one.edition.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        loaded = spec.load_edition(str(folder), {})
        assert loaded.digest == one.edition.digest
        for n_players in (2, 4):
            spec.filled(loaded, n_players)


def test_draws_are_spread_over_the_whole_range(found, drawn):
    """Each number is uniform from -1 to 1: mean and spread over all unknowns and draws."""
    moved = [way for one in drawn for way in one.moved]
    mean = sum(moved) / len(moved)
    square = sum(way * way for way in moved) / len(moved)
    assert abs(mean) < 5 * (1 / 3 / len(moved)) ** 0.5
    assert abs(square - 1 / 3) < 5 * (4 / 45 / len(moved)) ** 0.5


def test_unknowns_are_the_declared_assumed_rows(edition, found):
    tables = {one.name.split(".")[0] for one in found}
    assert {"keep_spoils", "sea_battles", "prophecies", "constants"} <= tables
    assert len({one.name for one in found}) == len(found)
    assert all(one.title.strip() for one in found)
    for one in found:
        for cell, spread, _, sign in one.cells:
            assert plain(edition.files[cell.schema.file])[cell.row]["confidence"] == "assumed"
            assert 0 < spread <= 100
            assert sign in (1, -1)


def own_folder(tmp_path, change):
    folder = tmp_path / "own"
    shutil.copytree(DATA_FOLDER, folder, ignore=shutil.ignore_patterns("editions.toml"))
    text = (folder / "ranges.csv").read_text(encoding="utf-8")
    (folder / "ranges.csv").write_text(change(text), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("sea_batles,,defense,,25,1,worse,", "sea_battles"),
        ("sea_battles,,defence,,25,1,worse,", "defense"),
        ("sea_battles,X9,defense,,25,1,worse,", "X9"),
        ("sea_battles,,defense,,250,1,worse,", "too large"),
        ("sea_battles,,defense,,25,1,worst,", "worse"),
    ],
)
def test_a_range_that_names_nothing_is_refused(spec, tmp_path, line, says):
    folder = own_folder(tmp_path, lambda text: text + line + "\n")
    with pytest.raises(DataError, match=says) as caught:
        unknowns(spec, load_edition(spec, str(folder), ()))
    assert "ranges.csv, row" in str(caught.value)


def test_without_ranges_nothing_can_be_drawn(tmp_path):
    spec = find_game("nidavellir")
    with pytest.raises(TaflError, match=r"declares no plausible ranges \(ranges.csv"):
        unknowns(spec, load_edition(spec, None, ()))


def test_ranges_that_allow_no_complete_edition_say_so(spec, tmp_path):
    folder = own_folder(tmp_path, lambda text: text)
    edition = load_edition(spec, str(folder), ())
    [one] = [u for u in unknowns(spec, edition) if u.name == "sea_battles.B01"]
    cell, _, low, _ = one.cells[0]
    impossible = replace(one, cells=((cell, 100, 2_000_000, 1),))
    assert low == 1
    with pytest.raises(DataError, match=r"none of 50 draws from ranges\.csv is an edition that checks") as caught:
        draw(spec, edition, [impossible], 1, 0)
    assert "\n" not in str(caught.value)
