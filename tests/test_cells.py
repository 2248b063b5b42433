"""Every cell of the tables has an address, and a change changes that cell alone."""

import csv
import io
import shutil

import pytest

from analysis.runs import load_edition
from simcore.cells import cells, change_edition, find_cell
from simcore.contract import DataError, TaflError
from simcore.games import find_game
from simcore.nidavellir.cards import DATA_FOLDER

GAMES = ("nidavellir", "reavers")
PROVENANCE = {"confidence", "source"}
TOGETHER = {"nidavellir": ["setup_by_players"], "reavers": ["constants", "crew_dice", "ship_upgrades"]}
"""Tables whose first cells cannot be changed one by one: what they say, they say in several."""


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    spec = find_game(request.param)
    return spec, load_edition(spec, None, ())


def filled(spec, edition, n_players):
    """What the engine is given of an edition: two that agree here play the same games."""
    return spec.filled(edition, n_players).tobytes()


def plain(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def differences(one, other) -> set[tuple[str, int, str]]:
    """Return file, row and column of every cell that differs."""
    found = set()
    assert one.files.keys() == other.files.keys()
    for file in one.files:
        if file.endswith(".csv"):
            before, after = plain(one.files[file]), plain(other.files[file])
            assert len(before) == len(after)
            for number, (a, b) in enumerate(zip(before, after, strict=True)):
                assert a.keys() == b.keys()
                found |= {(file, number, column) for column in a if a[column].strip() != b[column].strip()}
    return found


def other_value(cell) -> str | None:
    """Return another value that the column can hold."""
    field, text = cell.field, cell.text
    if field.kind == "number":
        number = int(text) if text else field.low
        return str(number + 1 if number < field.high else number - 1)
    return next((word for word in field.choices if word != text), None)


def attempt(spec, edition, changes) -> tuple:
    """Return the changed edition, or None and why it cannot be."""
    try:
        return change_edition(spec, edition, changes, {}), ""
    except DataError as error:
        return None, str(error)


def test_every_cell_has_an_address_of_its_own(game):
    spec, edition = game
    found = list(cells(spec, edition))
    addresses = [cell.address for cell in found]
    assert len(set(addresses)) == len(addresses)
    for cell in found[:: max(1, len(found) // 60)]:
        assert find_cell(spec, edition, cell.address) == cell
        table, _, column = cell.address.split(".")
        assert plain(edition.files[f"{table}.csv"])[cell.row][column].strip() == cell.text


def test_no_cell_is_left_out(game):
    """But those that name rows, say where they come from, or only repeat."""
    spec, edition = game
    addressed = {(cell.schema.file, cell.row, cell.field.name) for cell in cells(spec, edition)}
    for schema in spec.schemas:
        named = {f.name for f in schema.fields if f.unique or f.kind == "id" or f.derived} | set(schema.row_key)
        for number in range(len(plain(edition.files[schema.file]))):
            for field in schema.fields:
                is_there = (schema.file, number, field.name) in addressed
                assert is_there == (field.name not in named | PROVENANCE), (schema.file, number, field.name)


def test_a_change_changes_its_cell_alone(game):
    """In every table, some cells of every column; a change that makes no complete edition says so."""
    spec, edition = game
    n_made = dict.fromkeys((schema.name for schema in spec.schemas), 0)
    by_column: dict[tuple[str, str], list] = {}
    for cell in cells(spec, edition):
        by_column.setdefault((cell.schema.name, cell.field.name), []).append(cell)
    for of_column in by_column.values():
        for cell in of_column[:: len(of_column) if spec.game_id == "reavers" else max(1, len(of_column) - 1)]:
            value = other_value(cell)
            if value is None:
                continue
            changed, refused = attempt(spec, edition, {cell.address: value})
            if changed is None:
                assert cell.address in refused or cell.schema.file in refused
                assert "\n" not in refused
                assert "tafl-edition-" not in refused  # the folder it was checked in
                continue
            n_made[cell.schema.name] += 1
            derived = {field.name for field in cell.schema.fields if field.derived}
            apart = differences(edition, changed)
            emptied = {one for one in apart if one[2] in derived}
            assert apart - emptied == {(cell.schema.file, cell.row, cell.field.name)}
            after = plain(changed.files[cell.schema.file])
            assert after[cell.row][cell.field.name] == value
            assert all(after[number][column] == "" for _, number, column in emptied)
            assert changed.rules == edition.rules
            assert changed.withheld == edition.withheld
            assert changed.digest != edition.digest
    assert [name for name, n in n_made.items() if n == 0] == TOGETHER[spec.game_id]


def test_only_the_changed_row_stops_being_sourced(game):
    spec, edition = game
    schema = next(s for s in spec.schemas if s.name in ("heroes", "reavers"))
    column = {"heroes": "points", "reavers": "end_glory"}[schema.name]
    rows = edition.rows[schema.file]
    addresses = [c for c in cells(spec, edition) if c.schema is schema and c.field.name == column]
    sure = [c for c in addresses if rows[c.row]["confidence"] == "sourced"]
    cell = (sure or addresses)[0]
    changed = change_edition(spec, edition, {cell.address: other_value(cell)}, {})
    assert changed.rows[schema.file][cell.row]["confidence"] == "assumed"
    for file, of_file in edition.rows.items():
        for number, row in enumerate(of_file):
            if (file, number) != (schema.file, cell.row):
                assert changed.rows[file][number]["confidence"] == row["confidence"]
    assert changed.provenance != edition.provenance or not sure


def test_what_was_taken_is_seen_in_play(game):
    spec, edition = game
    address = {"nidavellir": "heroes.grid.points", "reavers": "sea_battles.B01.defense"}[spec.game_id]
    text = find_cell(spec, edition, address).text
    assert filled(spec, change_edition(spec, edition, {address: text}, {}), 4) == filled(spec, edition, 4)
    changed = change_edition(spec, edition, {address: str(int(text) + 1)}, {})
    assert filled(spec, changed, 4) != filled(spec, edition, 4)


def test_an_own_edition_with_blank_lines_and_another_order_of_columns(tmp_path):
    spec = find_game("nidavellir")
    folder = tmp_path / "own"
    shutil.copytree(DATA_FOLDER, folder, ignore=shutil.ignore_patterns("editions.toml"))
    rows = plain((folder / "heroes.csv").read_text())
    columns = list(rows[0])[::-1]
    lines = [",".join(columns), ""]
    for row in rows:
        out = io.StringIO()
        csv.DictWriter(out, columns, lineterminator="").writerow(row)
        lines += [out.getvalue(), ""]
    (folder / "heroes.csv").write_text("\n".join(lines))
    edition = load_edition(spec, str(folder), ())
    cell = find_cell(spec, edition, "heroes.grid.points")
    plain_row = next(row for row in rows if row["hero_id"] == "grid")
    assert cell.text == plain_row["points"]
    changed = change_edition(spec, edition, {"heroes.grid.points": "9"}, {})
    after = {row["hero_id"]: row for row in plain(changed.files["heroes.csv"])}
    assert after["grid"]["points"] == "9"
    assert after["bonfur"] == next(row for row in rows if row["hero_id"] == "bonfur")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("heroes.grid", "TABLE.ROW.COLUMN"),
        ("heros.grid.points", "heroes"),
        ("heroes.grit.points", "grid"),
        ("heroes.grid.point", "points"),
        ("heroes.grid.source", "column"),
        ("coins.treasure-4.copies_4p", "treasure-5"),
    ],
)
def test_what_is_no_cell_is_refused_with_the_nearest(address, says):
    spec = find_game("nidavellir")
    with pytest.raises(TaflError, match=says):
        find_cell(spec, load_edition(spec, None, ()), address)


def test_a_value_that_cannot_be_is_refused_by_row_and_column():
    spec = find_game("nidavellir")
    edition = load_edition(spec, None, ())
    for value, says in (("many", "whole number"), ("-1", "negative"), ("", "empty"), ("99999999", "large")):
        with pytest.raises(DataError, match=says) as caught:
            change_edition(spec, edition, {"coins.treasure-7.copies_4p": value}, {})
        assert "coins.csv" in str(caught.value)
        assert "copies_4p" in str(caught.value)
    with pytest.raises(TaflError, match="rule switch"):
        change_edition(spec, edition, {}, {"warrior_majorities": "points"})


def test_nothing_changed_is_the_edition_itself(game):
    spec, edition = game
    assert change_edition(spec, edition, {}, {}) is edition


def test_what_both_editions_say_alike_is_changed_in_both():
    spec = find_game("reavers")
    edition = load_edition(spec, None, ())
    changed = change_edition(spec, edition, {"constants.weapons_set.published": "6"}, {})
    row = next(r for r in plain(changed.files["constants.csv"]) if r["key"] == "weapons_set")
    assert (row["published"], row["early"]) == ("6", "6")
    assert filled(spec, changed, 4) != filled(spec, edition, 4)
    own = change_edition(spec, edition, {"constants.terror_penalty_table.published": "-1/-2/-3"}, {})
    row = next(r for r in plain(own.files["constants.csv"]) if r["key"] == "terror_penalty_table")
    assert row["early"] == "0/0/0/0/0/0"  # it said something else, and goes on saying it
