"""Nidavellir's tables in a user's hands: copied, edited, extended, refused if they do not fit."""

from pathlib import Path

import numpy as np
import pytest
from edition_tools import record_of, rewrite, set_cell

from simcore.accel import compile_decision
from simcore.contract import MAX_PARAMS, TaflError, no_handicap
from simcore.editions import copy_edition
from simcore.luck import draw_below_nb
from simcore.nidavellir import layout
from simcore.nidavellir.cards import columns, fill_edition, load_edition
from simcore.nidavellir.game import play_blocks_nb


@pytest.fixture(scope="module")
def official():
    return load_edition("official")


@pytest.fixture
def own(tmp_path, official) -> Path:
    folder = tmp_path / "mine"
    copy_edition(official, folder)
    return folder


def test_an_unchanged_copy_is_the_same_edition(own, official):
    copied = load_edition(str(own))
    assert copied.name == "mine"
    assert copied.digest == official.digest
    assert copied.rules == official.rules
    assert copied.files == official.files
    assert record_of(copied, 4).tobytes() == record_of(official, 4).tobytes()


def test_a_copy_keeps_the_switches_it_was_made_with(tmp_path):
    review = load_edition("review", {"heroes": "beginner"})
    copy_edition(review, tmp_path / "copy")
    copied = load_edition(str(tmp_path / "copy"))
    assert copied.digest == review.digest
    assert load_edition(str(tmp_path / "copy"), {"heroes": "all"}).digest == load_edition("review").digest


def test_line_ends_and_quotes_of_another_program_do_not_matter(own, official):
    for file in official.tables:
        text = (own / file).read_text(encoding="utf-8")
        (own / file).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_edition(str(own)).digest == official.digest


def test_a_changed_number_reaches_the_engine(own, official):
    set_cell(own, "heroes.csv", {"hero_id": "skaa"}, "points", "21")
    set_cell(own, "scoring_tables.csv", {"ranks": "3"}, "dwerg_brothers_total", "90")
    set_cell(own, "scoring_tables.csv", {"ranks": "3"}, "dwerg_increment", "")
    set_cell(own, "scoring_tables.csv", {"ranks": "4"}, "dwerg_increment", "")
    changed = load_edition(str(own))
    record = record_of(changed, 4).edition
    assert record.hero_points[changed.hero_names.index("Skaa")] == 21
    assert record.brothers_score[:6].tolist() == [0, 13, 40, 90, 108, 135]
    assert changed.digest != official.digest


def test_a_changed_row_that_keeps_its_source_counts_as_assumed(own, official):
    set_cell(own, "heroes.csv", {"hero_id": "skaa"}, "points", "21")
    provenance = load_edition(str(own)).provenance
    assert provenance.assumed == 1
    assert provenance.sourced == official.provenance.sourced - 1
    assert "assumed (stand-ins)" in provenance.sentence()


def test_a_hero_and_a_dwarf_of_ones_own(own):
    hero = {
        "hero_id": "hilda", "name": "Hilda", "epithet": "the Helpful", "class": "miner", "ranks": "1", "points": "2",
        "points_by_class": "", "effect": "discard_dwarves", "amount": "1", "needs_class": "hunter", "needs_ranks": "3",
        "advanced": "0", "text": "", "confidence": "assumed", "source": "",
    }  # fmt: skip
    rewrite(own, "heroes.csv", lambda rows: [*rows, hero])

    def swap(rows):
        next(row for row in rows if row["card_id"] == "age1-hunter")["copies"] = "5"
        new = dict(rows[0], card_id="age1-hunter-of-two", points="0", ranks="2", scored_by="", confidence="assumed")
        return [*rows, dict(new, **{"class": "hunter", "source": ""})]

    rewrite(own, "dwarves.csv", swap)
    edition = load_edition(str(own))
    record = record_of(edition, 2).edition
    number = edition.hero_names.index("Hilda")
    assert number == 21
    assert record.n_heroes == 22
    assert record.hero_effect[number] == layout.DISCARD_DWARVES
    assert record.hero_needs_class[number] == layout.HUNTER
    card = record.n_card_types - 1
    assert edition.card_names[card] == "hunter (2 ranks)"
    assert (record.card_ranks[card], record.card_copies[1, card], record.n_deck[1]) == (2, 1, 36)
    assert "hero_hilda" in {column.name for column in columns(edition, 2)}


def add_brother(rows):
    brother = next(row for row in rows if row["effect"] == "brother")
    return [*rows, dict(brother, hero_id="dwerg-new", name="Dwerg New")]


def too_many_heroes(rows):
    return rows + [dict(rows[0], hero_id=f"kraal-{n}", name=f"Kraal {n}") for n in range(28)]


def move_exchange_coin(rows):
    rows[0]["exchange_coin"] = "0"


CHANGES = [
    (
        "dwarves.csv",
        {"card_id": "age1-hunter"},
        "copies",
        "7",
        "dwarves.csv: the age-1 deck has 37 cards with 2 players",
    ),
    ("dwarves.csv", {"card_id": "age2-hunter-5p"}, "copies", "1", "the age-2 deck has 45 cards with 5 players"),
    ("dwarves.csv", {"card_id": "age1-hunter"}, "copies", "-6", "dwarves.csv, row 10, column copies: -6 is negative"),
    (
        "dwarves.csv",
        {"card_id": "age1-warrior-4"},
        "card_id",
        "age1-warrior-3",
        "row 3, column card_id: 'age1-warrior-3' stands already",
    ),
    (
        "dwarves.csv",
        {"card_id": "age1-warrior-4"},
        "points",
        "four",
        "row 3, column points: 'four' is not a whole number",
    ),
    ("dwarves.csv", {"card_id": "age1-warrior-4"}, "class", "warier", "'warier' is none of warrior, hunter"),
    ("dwarves.csv", {"card_id": "age1-warrior-4"}, "coin_bonus", "3", "only a royal offering has one"),
    ("dwarves.csv", {"card_id": "age1-warrior-4"}, "ranks", "0", "every dwarf brings at least one rank"),
    ("dwarves.csv", {"card_id": "age1-warrior-4"}, "scored_by", "rank_table", "warrior cards score by sum_of_points"),
    ("dwarves.csv", {"card_id": "age1-warrior-4"}, "count_min_players", "3", "it is 2 (always) or 5"),
    ("dwarves.csv", {"card_id": "age1-offering-3"}, "coin_bonus", "0", "a royal offering adds coins"),
    ("dwarves.csv", {"card_id": "age1-offering-3"}, "ranks", "1", "a royal offering has none"),
    ("dwarves.csv", {"card_id": "great-armorer"}, "age", "2", "0 rows with age 'distinction'"),
    (
        "dwarves.csv",
        {"card_id": "great-armorer"},
        "class",
        "hunter",
        "hunter cards score by rank_table|one blacksmith card",
    ),
    (
        "dwarves.csv",
        {"card_id": "great-armorer"},
        "ranks",
        "3",
        "distinctions.csv, row 5, column amount: is 2, but the ranks",
    ),
    (
        "heroes.csv",
        {"hero_id": "grid"},
        "effect",
        "transform_coins",
        "'transform_coins' is none of none, discard_dwarves",
    ),
    ("heroes.csv", {"hero_id": "grid"}, "amount", "0", "effect transform_coin needs one"),
    ("heroes.csv", {"hero_id": "skaa"}, "amount", "2", "effect none has no amount"),
    (
        "heroes.csv",
        {"hero_id": "skaa"},
        "effect",
        "bid_last",
        "'bid_last' is also in row 17; only one hero may have it|row 20",
    ),
    ("heroes.csv", {"hero_id": "skaa"}, "name", "Grid", "'Grid' stands already in row"),
    ("heroes.csv", {"hero_id": "skaa"}, "ranks", "1", "a neutral hero stands in no column"),
    ("heroes.csv", {"hero_id": "thrud"}, "ranks", "2", "counts as 1"),
    ("heroes.csv", {"hero_id": "thrud"}, "class", "warrior", "a hero with effect headhunter is neutral"),
    ("heroes.csv", {"hero_id": "ylud"}, "points", "4", "her points go by column"),
    (
        "heroes.csv",
        {"hero_id": "ylud"},
        "points_by_class",
        "warrior seven",
        "'warrior seven' is not a class and its points",
    ),
    ("heroes.csv", {"hero_id": "ylud"}, "points_by_class", "warior 7", "no class 'warior'; the nearest is 'warrior'"),
    ("heroes.csv", {"hero_id": "skaa"}, "points_by_class", "warrior 7", "only a hero with effect unpredictable"),
    ("heroes.csv", {"hero_id": "dagda"}, "amount", "5", "at most 4 other columns"),
    ("heroes.csv", {"hero_id": "dagda"}, "ranks", "0", "a hero in a column brings at least one rank"),
    ("heroes.csv", {"hero_id": "dwerg-ymir"}, "points", "5", "brothers score as a set"),
    ("heroes.csv", {"hero_id": "astrid"}, "effect", "points_per_rank", "speaks of the hero's own column"),
    ("heroes.csv", {"hero_id": "hourya"}, "needs_class", "", "is empty, but needs_ranks is 5"),
    ("heroes.csv", {"hero_id": "hourya"}, "needs_ranks", "0", "is 0, but needs_class is explorer"),
    ("heroes.csv", {"hero_id": "hourya"}, "source", "", "is empty, but the row is called sourced"),
    ("coins.csv", {"kind": "initial", "value": "5"}, "value", "64", "64 is too large; the largest that fits is 63"),
    ("coins.csv", {"kind": "initial", "value": "5"}, "per_player", "2", "gives each player 6 initial coins"),
    ("coins.csv", {"kind": "initial", "value": "5"}, "exchange_coin", "1", "has 2 initial exchange coins a player"),
    ("coins.csv", {"kind": "initial", "value": "5"}, "copies_3p", "4", "is 4, but 3 players with 1 each need 3"),
    ("coins.csv", {"kind": "treasure", "value": "5"}, "value", "6", "the treasure's 6 stands already"),
    (
        "coins.csv",
        {"kind": "treasure", "value": "5"},
        "exchange_coin",
        "1",
        "no coin of the treasure is an exchange coin",
    ),
    (
        "coins.csv",
        {"kind": "treasure", "value": "5"},
        "copies_4p",
        "3",
        "setup_by_players.csv, row 4, column treasure_coins: is 34, but 35",
    ),
    (
        "coins.csv",
        {"kind": "special"},
        "value",
        "4",
        "distinctions.csv, row 3, column amount: is 3, but the special coin of coins.csv is 4",
    ),
    ("coins.csv", {"kind": "special"}, "exchange_coin", "0", "the special coin takes the exchange coin's place"),
    ("coins.csv", {"kind": "special"}, "kind", "treasure", "0 rows of kind 'special'"),
    ("gems.csv", {"gem": "1"}, "in_play_4p", "1", "gems.csv: deals 5 gems to 4 players"),
    ("gems.csv", {"gem": "1"}, "gem", "7", "7 is above the crown jewel 6"),
    ("gems.csv", {"gem": "1"}, "end_points", "2", "only the crown jewel brings points"),
    ("gems.csv", {"gem": "1"}, "tradable", "0", "has 2 gems with tradable 0"),
    ("gems.csv", {"gem": "6"}, "in_play_5p", "1", "the crown jewel is not dealt"),
    ("distinctions.csv", {"order": "1"}, "effect", "pioneer", "the warrior distinction is transform_coin"),
    ("distinctions.csv", {"order": "1"}, "majority_of", "dwarf", "'dwarf' is none of warrior"),
    ("distinctions.csv", {"order": "5"}, "amount", "11", "the Pioneer sees at most 10 cards"),
    ("distinctions.csv", {"order": "3"}, "amount", "5", "is 5, but the crown jewel of gems.csv is 6"),
    ("scoring_tables.csv", {"ranks": "4"}, "ranks", "31", "is 31 where 4 is due"),
    (
        "scoring_tables.csv",
        {"ranks": "4"},
        "hunter",
        "17",
        "column hunter_increment: is 7, but the difference to the row above is 8",
    ),
    (
        "scoring_tables.csv",
        {"ranks": "4"},
        "dwerg_brothers_total",
        "",
        "follows an empty cell|is 27, but the difference",
    ),
    ("setup_by_players.csv", {"players": "2"}, "cards_per_tavern", "2", "the age-1 deck has 36 cards with 2 players"),
    ("setup_by_players.csv", {"players": "3"}, "cards_per_tavern", "2", "is 2, but 3 players take one each"),
    ("setup_by_players.csv", {"players": "3"}, "rounds_per_age", "3", "3 rounds of 3 x 3 cards need 27"),
    ("setup_by_players.csv", {"players": "3"}, "rounds_total", "9", "is 9, but 8 is due"),
    ("setup_by_players.csv", {"players": "3"}, "gems", "1 2 3", "gems.csv deals '3 4 5'"),
    ("setup_by_players.csv", {"players": "3"}, "players", "4", "'players'|4 stands already in row"),
]


@pytest.mark.parametrize(("file", "where", "column", "value", "message"), CHANGES, ids=lambda cell: str(cell)[:40])
def test_a_wrong_cell_is_refused(own, file, where, column, value, message):
    set_cell(own, file, where, column, value)
    with pytest.raises(TaflError) as caught:
        load_edition(str(own))
    assert any(part in str(caught.value) for part in message.split("|")), str(caught.value)
    assert str(caught.value).startswith(str(own))
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    ("file", "change", "message"),
    [
        ("heroes.csv", too_many_heroes, "heroes.csv: has 49 heroes; at most 48 fit"),
        ("heroes.csv", add_brother, "dwerg_brothers_total ends at 5 brothers, but heroes.csv has 6"),
        ("coins.csv", move_exchange_coin, "has 0 initial exchange coins a player"),
        ("scoring_tables.csv", lambda rows: rows[:25], "ends at 24 ranks, but blacksmith ranks could reach"),
        ("setup_by_players.csv", lambda rows: rows[1:], "has rows for 3, 4, 5 players"),
        ("distinctions.csv", lambda rows: rows[1:], "has 4 rows; each of the 5 classes has one"),
        ("gems.csv", lambda rows: rows[:5], "has 0 gems with tradable 0"),
    ],
)
def test_wrong_rows_are_refused(own, file, change, message):
    rewrite(own, file, change)
    with pytest.raises(TaflError) as caught:
        load_edition(str(own))
    assert message in str(caught.value)


def test_an_army_that_would_outgrow_the_engine_is_refused(own):
    rewrite(own, "dwarves.csv", lambda rows: [dict(r, ranks="8") if r["class"] == "miner" else r for r in rows])
    with pytest.raises(TaflError, match=r"miner ranks could reach 1[0-9]+ with 2 players; 63 fit"):
        load_edition(str(own))


def test_the_treasure_for_a_switch_must_be_there(own):
    set_cell(own, "coins.csv", {"kind": "treasure", "value": "9"}, "copies_small_31", "")
    load_edition(str(own))
    with pytest.raises(TaflError, match=r"coins\.csv, row 11, column copies_small_31: is empty"):
        load_edition(str(own), {"treasure_small": "31"})


def test_a_missing_column_and_a_missing_table(own):
    text = (own / "heroes.csv").read_text(encoding="utf-8")
    (own / "heroes.csv").write_text(text.replace("effect", "efect", 1), encoding="utf-8")
    with pytest.raises(TaflError, match=r"heroes\.csv, row 1: there is no column 'efect'; the nearest is 'effect'"):
        load_edition(str(own))
    (own / "heroes.csv").unlink()
    with pytest.raises(TaflError, match=r"is no complete edition: it lacks heroes\.csv"):
        load_edition(str(own))


def test_heroes_may_be_left_out(own):
    rewrite(own, "heroes.csv", lambda rows: [row for row in rows if row["hero_id"] not in ("thrud", "ylud", "uline")])
    record = record_of(load_edition(str(own)), 3).edition
    assert (record.n_heroes, record.thrud, record.ylud) == (18, layout.NOWHERE, layout.NOWHERE)


OWN_HEROES = [
    ("class hero with a second largest coin", "miner", 1, 3, "largest_coin", 1),
    ("class hero who pays by the rank", "hunter", 2, 5, "points_per_rank", 3),
    ("brother of the explorers", "explorer", 1, 0, "brother", 0),
    ("smith who costs four dwarves", "blacksmith", 2, 0, "discard_dwarves", 4),
    ("warrior with a purse", "warrior", 1, 1, "transform_coin", 30),
]


def random_answer(game, own, n_options):
    return np.int64(draw_below_nb(own.luck, n_options))


def test_heroes_of_ones_own_are_played(own):
    def add(rows):
        blank = dict.fromkeys(rows[0], "") | {"needs_ranks": "0", "advanced": "0", "confidence": "assumed"}
        for n, (name, class_name, ranks, points, effect, amount) in enumerate(OWN_HEROES):
            body = {"hero_id": f"own-{n}", "name": name, "class": class_name, "ranks": str(ranks)}
            rows.append(blank | body | {"points": str(points), "effect": effect, "amount": str(amount)})

    rewrite(own, "heroes.csv", add)
    set_cell(own, "scoring_tables.csv", {"ranks": "6"}, "dwerg_brothers_total", "160")
    edition = load_edition(str(own))
    game, hidden = np.zeros(1, layout.GAME), np.zeros(1, layout.HIDDEN)
    fill_edition(edition, 2, game[0])
    address, owner = compile_decision(random_answer, layout.GAME, layout.OWN, False)
    rows = np.zeros((150, 1, 2, layout.N_SLOTS), np.int64)
    play_blocks_nb(
        game,
        hidden,
        np.full((1, layout.N_DECISIONS), address, np.uint64),
        np.zeros((1, MAX_PARAMS), np.int64),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int64),
        no_handicap()[None],
        np.zeros((1, 2), np.int64),
        np.uint64(7),
        0,
        0,
        150,
        rows,
    )
    assert owner is not None
    found = {column.name: rows[..., column.slot] for column in columns(edition, 2)}
    for n in range(len(OWN_HEROES)):
        assert 0 < found[f"hero_own_{n}"].mean() < 0.5
    components = [column.name for column in columns(edition, 2) if column.kind == "component"]
    assert np.array_equal(sum(found[name] for name in components), found["score"])
    has_second_astrid = found["hero_own_0"] == 1
    assert (found["neutral_heroes"] >= found["largest_coin"])[has_second_astrid].all()
