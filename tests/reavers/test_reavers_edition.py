"""The tables of Reavers of Midgard: totals, switches, every way an edited table can be wrong, copies."""

import csv
from pathlib import Path

import numpy as np
import pytest

from simcore.contract import DataError, TaflError
from simcore.editions import RANGES_FILE, copy_edition
from simcore.reavers.cards import DATA_FOLDER, card_rows, columns, fill_edition, load_edition
from simcore.reavers.columns import COMPONENT_TITLES, COUNT_TITLES
from simcore.reavers.layout import COMPONENT_NAMES, COUNT_NAMES, DECISIONS, DECISIONS_SLOT, GAME, N_SLOTS, SEAT_SLOT
from simcore.reavers.schema import FILES, PRESETS, RULE_SWITCHES
from simcore.reavers.spec import SPEC


def record_of(edition, n_players: int = 4):
    games = np.zeros(1, GAME)
    fill_edition(edition, n_players, games[0])
    return games[0].edition


@pytest.fixture
def folder(tmp_path) -> Path:
    copy_edition(load_edition("published"), tmp_path / "mine")
    return tmp_path / "mine"


def rewrite(folder: Path, file: str, change) -> None:
    """Apply `change(rows)` to a table of a copied edition."""
    with (folder / file).open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    header = list(rows[0])
    rows = change(rows) or rows
    with (folder / file).open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, header, lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)


def set_cell(folder: Path, file: str, key: str, column: str, value: str) -> None:
    def change(rows):
        found = [row for row in rows if key in (row.get("id"), row.get("key"))]
        assert len(found) == 1
        found[0][column] = value

    rewrite(folder, file, change)


# what ships


def test_the_shipped_tables_are_all_read():
    assert {path.name for path in DATA_FOLDER.glob("*.csv")} == {*FILES, RANGES_FILE}


def test_provenance_counts_the_rows_in_force():
    published, early = load_edition("published"), load_edition("early")
    for edition in (published, early):
        total = sum(len(rows) for rows in edition.rows.values())
        p = edition.provenance
        assert p.sourced + p.inferred + p.assumed == total == len(card_rows(edition))
        counts = [row["confidence"] for row in card_rows(edition)]
        assert counts.count("sourced") == p.sourced
    assert published.provenance.assumed > published.provenance.sourced > 0
    assert "stand-ins" in published.provenance.sentence()
    assert "silent" not in published.provenance.sentence()
    assert "Where the early text is silent" in early.provenance.sentence()


def test_the_early_edition_sets_the_first_fourteen_switches_and_five_players():
    keys = [switch.key for switch in RULE_SWITCHES]
    assert list(PRESETS["early"]) == [*keys[:14], "most_players"]
    for switch in RULE_SWITCHES[:14]:
        assert PRESETS["early"][switch.key] == switch.choices[1]
    assert len(RULE_SWITCHES) == 28 + 3


def test_each_switch_changes_the_record_or_the_rows():
    plain = load_edition()
    before = record_of(plain, 2).tobytes(), record_of(plain, 4).tobytes()
    for switch in RULE_SWITCHES:
        for value in switch.choices[1:]:
            rules = {switch.key: value}
            edition = load_edition("published", rules)
            if switch.key == "most_players":
                assert record_of(edition, 5).n_selections == 5
            else:
                assert (record_of(edition, 2).tobytes(), record_of(edition, 4).tobytes()) != before, switch.key
            assert edition.digest != plain.digest


def test_rows_of_one_edition_stand_for_each_other():
    def ids(file, **rules):
        return {row["id"] for row in load_edition("published", rules).rows[file]}

    village = ids("village_spoils.csv")
    assert {"V13", "V19", "V22"} <= village
    assert not village & {"V13E", "V19E"}
    assert {"V13", "V19E"} <= ids("village_spoils.csv", terror="no")
    assert {"V13E", "V19"} <= ids("village_spoils.csv", upgrade_glory_option="no")
    assert not {"V22", "V25"} & ids("village_spoils.csv", village_deck="early")
    assert "P18" not in ids("prophecies.csv", keep_deck="sets_only")
    assert {"P18"} == ids("prophecies.csv") - ids("prophecies.csv", keep_deck="sets_only")


def test_columns_name_every_slot_once():
    for n_players, name in ((2, "published"), (4, "published"), (5, "early")):
        found = columns(load_edition(name), n_players)
        assert [c.name for c in found[:4]] == ["win", "score", "margin", "place"]
        assert len({c.name for c in found}) == len({c.slot for c in found}) == len(found)
        assert max(c.slot for c in found if c.group == "seat") == SEAT_SLOT + n_players - 1
        assert max(c.slot for c in found) == DECISIONS_SLOT == N_SLOTS - 1
        assert sum(c.kind == "component" for c in found) == len(COMPONENT_NAMES)
    assert set(COMPONENT_TITLES) == set(COMPONENT_NAMES)
    assert set(COUNT_TITLES) == set(COUNT_NAMES)


def test_the_spec():
    assert SPEC.game_id == "reavers"
    assert SPEC.decisions is DECISIONS
    assert SPEC.decision_number("choose_location") == 0
    for name in ("recording", "n_events", "event", "own", "address", "answer", "block"):
        assert name in SPEC.hidden_dtype.names


# folders of one's own


def test_a_copy_is_the_same_edition(folder):
    mine, shipped = load_edition(str(folder)), load_edition()
    assert record_of(mine).tobytes() == record_of(shipped).tobytes()
    assert mine.provenance == shipped.provenance
    assert "Gains and costs" in (folder / "README.md").read_text()


def test_exact_cards_replace_stand_ins_by_editing_rows_alone(folder):
    set_cell(folder, "reavers.csv", "R01", "ability_gain", "food:1;choice(favor:1|card:keep:1);glory:1")
    set_cell(folder, "reavers.csv", "R01", "roll_dice", "red+choice+choice")
    set_cell(folder, "sea_battles.csv", "B09", "dice_combo", "face:hammer2:1;face:clan:1")
    rewrite(folder, "village_spoils.csv", lambda rows: [row for row in rows if row["id"] != "V25"])
    edition = load_edition(str(folder))
    table = record_of(edition)
    assert table.reaver_roll[0].tolist() == [1, 0, 0, 2]
    assert table.n_deck[1] == 50
    assert edition.provenance.sourced == load_edition().provenance.sourced


def test_a_changed_number_counts_as_assumed(folder):
    set_cell(folder, "constants.csv", "tapestry_set", "published", "18")
    set_cell(folder, "constants.csv", "tapestry_set", "early", "18")
    mine, shipped = load_edition(str(folder)), load_edition()
    assert record_of(mine).tapestry_set == 18
    assert mine.provenance.assumed == shipped.provenance.assumed + 1


WRONG = [
    ("reavers.csv", "R03", "ability_gain", "sucess:1", "the nearest is 'success'"),
    ("reavers.csv", "R03", "roll_dice", "red+green", "no colour 'green'"),
    ("reavers.csv", "R03", "ability_id", "", "is empty, but the card has an ability"),
    ("reavers.csv", "R03", "color", "rde", "the nearest is 'red'"),
    ("village_spoils.csv", "V01", "ref", "AR99", "no row 'AR99'"),
    ("village_spoils.csv", "V19", "defense", "", "is missing"),
    ("village_spoils.csv", "V22", "immediate", "food:1", "bring nothing at once"),
    ("village_spoils.csv", "V25", "set_max", "4", "has 5 numbers"),
    ("village_spoils.csv", "V13", "immediate", "glory:3", "must offer token:upgrade:1"),
    ("village_spoils.csv", "V20", "pillage_reward", "card:keep:2", "at most one may follow another"),
    ("keep_spoils.csv", "K01", "set_table", "1/x/3", "not a number of Glory"),
    ("keep_spoils.csv", "K10", "goes_to", "glory_pile", "go to deck_bottom"),
    ("keep_spoils.csv", "K07", "set_table", "1/2", "only for cards that score by a table"),
    ("artifacts.csv", "AR01", "location", "raid_keep", "the nearest is 'raid_keeps'"),
    ("artifacts.csv", "AR01", "effect", "face:ship:1", "is a cost"),
    ("artifacts.csv", "AR01", "count", "2", "1 Village Spoils name AR01"),
    ("ship_upgrades.csv", "SU5", "faces", "ship|hamer", "the nearest is 'hammer'"),
    ("sea_battles.csv", "B01", "dice_combo", "food:2", "combination of dice"),
    ("sea_battles.csv", "B01", "defense", "0", "too small"),
    ("sea_journeys.csv", "J03", "pay_cost", "glory:1", "no cost 'glory'"),
    ("prophecies.csv", "P01", "metric", "sea_battles", "the nearest is 'sea_battle_cards'"),
    ("territories.csv", "T01", "defense", "2", "level is Defense"),
    ("territories.csv", "T01", "count", "40", "at most 16 fit"),
    ("constants.csv", "rounds", "published", "six", "is 'six'"),
    ("constants.csv", "bonus_sea_by_seat", "published", "3/0/0/0", "no switch chooses"),
    ("constants.csv", "groups_recruit", "published", "2/3", "numbers with / between"),
    ("constants.csv", "trade_options", "published", "dice:2;food:1|food:3", "can bring nothing else"),
    ("constants.csv", "start_reavers", "published", "9", "between 0 and 4"),
]


@pytest.mark.parametrize(("file", "key", "column", "value", "says"), WRONG, ids=lambda value: str(value)[:24])
def test_a_wrong_cell_is_named(folder, file, key, column, value, says):
    if (file, key) == ("constants.csv", "groups_recruit"):
        set_cell(folder, file, key, "early", "2/2")
    set_cell(folder, file, key, column, value)
    with pytest.raises(DataError) as raised:
        load_edition(str(folder))
    message = str(raised.value)
    assert says in message
    assert file in message
    assert "row " in message or "stack" in message
    assert message.count("\n") == 0


def test_dice_must_have_six_sides(folder):
    rewrite(folder, "crew_dice.csv", lambda rows: rows[1:])
    with pytest.raises(DataError, match="sides 1 to 6 of the red die"):
        load_edition(str(folder))


def test_a_missing_and_an_unknown_constant(folder):
    rewrite(folder, "constants.csv", lambda rows: rows[1:])
    with pytest.raises(DataError, match="the row of 'rounds' is missing"):
        load_edition(str(folder))
    rewrite(folder, "constants.csv", lambda rows: [*rows, {**rows[0], "key": "rounds"}, {**rows[0], "key": "food_max"}])
    with pytest.raises(DataError, match="no constant 'food_max'"):
        load_edition(str(folder))


def test_an_unknown_edition_names_the_nearest():
    with pytest.raises(TaflError, match="the nearest is 'published'"):
        load_edition("publishd")
