"""Nidavellir's tables as they ship: totals against a plain reading, what the engine is given, switches, columns."""

from collections import Counter

import numpy as np
import pytest
from edition_tools import plain_rows, record_of

from simcore.contract import TaflError
from simcore.nidavellir import layout
from simcore.nidavellir.cards import DATA_FOLDER, PRESETS, RULE_SWITCHES, card_rows, columns, fill_edition, load_edition
from simcore.nidavellir.layout import GAME


@pytest.fixture(scope="module")
def official():
    return load_edition("official")


# What ships


def test_deck_totals(official):
    copies = Counter()
    for row in plain_rows("dwarves.csv"):
        if row["age"] != "distinction":
            copies[row["class"]] += int(row["copies"])
    assert copies == {
        "blacksmith": 20,
        "hunter": 16,
        "explorer": 16,
        "warrior": 18,
        "miner": 16,
        "royal_offering": 5,
    }
    assert sum(row["copies"] for row in official.dwarves if row["age"] != "distinction") == 91
    assert len(official.heroes) == 21


@pytest.mark.parametrize(
    ("n_players", "age_1", "age_2", "treasure", "gems", "cards", "rounds"),
    [
        (2, 36, 37, 28, [4, 5], 3, 4),
        (3, 36, 37, 28, [3, 4, 5], 3, 4),
        (4, 36, 37, 34, [2, 3, 4, 5], 4, 3),
        (5, 45, 46, 34, [1, 2, 3, 4, 5], 5, 3),
    ],
)
def test_the_table_by_number_of_players(official, n_players, age_1, age_2, treasure, gems, cards, rounds):
    game = record_of(official, n_players)
    edition = game.edition
    assert edition.n_deck.tolist() == [0, age_1, age_2]
    assert edition.n_treasure == edition.treasure.sum() == treasure
    assert edition.gem[:n_players].tolist() == gems
    assert not edition.gem[n_players:].any()
    assert (edition.cards_per_tavern, edition.rounds_per_age) == (cards, rounds)
    assert edition.n_players == game.n_players == n_players


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_decks_hold_what_the_table_says(official, n_players):
    edition = record_of(official, n_players).edition
    names = [*layout.CLASS_NAMES, "royal_offering"]
    for age in (1, 2):
        expected = Counter()
        for row in plain_rows("dwarves.csv"):
            if row["age"] == str(age) and int(row["count_min_players"]) <= n_players:
                expected[row["class"], int(row["points"]), int(row["ranks"]), int(row["coin_bonus"])] += int(
                    row["copies"]
                )
        deck = edition.deck[age, : edition.n_deck[age]]
        found = Counter(
            (
                names[edition.card_class[card]],
                int(edition.card_points[card]),
                int(edition.card_ranks[card]),
                int(edition.card_bonus[card]),
            )
            for card in deck
        )
        assert found == expected
        assert edition.card_copies[age].tolist() == np.bincount(deck, minlength=layout.MAX_CARD_TYPES).tolist()
    assert edition.card_copies[0].sum() == 0


def test_card_types_have_the_same_numbers_at_every_table(official):
    reference = record_of(official, 5).edition
    for n_players in (2, 3, 4):
        edition = record_of(official, n_players).edition
        assert edition.n_card_types == reference.n_card_types == len(plain_rows("dwarves.csv"))
        for field in ("card_class", "card_points", "card_ranks", "card_bonus", "armorer_card"):
            assert np.array_equal(edition[field], reference[field])
    armorer = reference.armorer_card
    assert reference.card_ranks[armorer] == 2
    assert reference.card_class[armorer] == layout.BLACKSMITH
    assert reference.card_copies[:, armorer].sum() == 0


@pytest.mark.parametrize(("choice", "n_players", "total", "copies"), [
    ("28", 2, 28, 1), ("31", 2, 31, 2), ("34", 3, 34, 3), ("31", 3, 31, 2), ("31", 4, 34, 3), ("28", 5, 34, 3),
])  # fmt: skip
def test_treasure_small(choice, n_players, total, copies):
    edition = record_of(load_edition("official", {"treasure_small": choice}), n_players).edition
    assert edition.n_treasure == edition.treasure.sum() == total
    assert edition.treasure[[7, 9, 11]].tolist() == [copies] * 3
    assert edition.treasure[[5, 6, 8, 10, 12, 13, 14]].tolist() == [2] * 7
    assert edition.treasure[15:26].tolist() == [1] * 11
    assert edition.treasure[:5].sum() == edition.treasure[26:].sum() == 0


def test_heroes_as_the_engine_sees_them(official):
    edition = record_of(official, 3).edition
    at = {row["name"]: hero for hero, row in enumerate(official.heroes)}
    assert official.hero_names == tuple(row["name"] for row in plain_rows("heroes.csv"))

    def body(name):
        hero = at[name]
        return [
            int(edition[field][hero])
            for field in ("hero_class", "hero_ranks", "hero_points", "hero_effect", "hero_amount")
        ]

    assert body("Kraal") == [layout.WARRIOR, 2, 7, layout.EFFECT_NONE, 0]
    assert body("Tarah") == [layout.WARRIOR, 1, 14, layout.EFFECT_NONE, 0]
    assert body("Aral") == [layout.HUNTER, 2, 0, layout.EFFECT_NONE, 0]
    assert body("Dagda") == [layout.HUNTER, 3, 0, layout.DISCARD_DWARVES, 2]
    assert body("Zoral") == [layout.MINER, 3, 1, layout.EFFECT_NONE, 0]
    assert body("Lokdur") == [layout.MINER, 1, 3, layout.EFFECT_NONE, 0]
    assert body("Aegur") == [layout.BLACKSMITH, 2, 0, layout.EFFECT_NONE, 0]
    assert body("Bonfur") == [layout.BLACKSMITH, 3, 0, layout.DISCARD_DWARVES, 1]
    assert body("Hourya") == [layout.EXPLORER, 1, 20, layout.EFFECT_NONE, 0]
    assert body("Idunn") == [layout.EXPLORER, 1, 7, layout.POINTS_PER_RANK, 2]
    for brother in ("Ymir", "Aesir", "Sigmir", "Jungir", "Bergelmir"):
        assert body(f"Dwerg {brother}") == [layout.NEUTRAL, 0, 0, layout.BROTHER, 0]
    assert body("Skaa") == [layout.NEUTRAL, 0, 17, layout.EFFECT_NONE, 0]
    assert body("Astrid") == [layout.NEUTRAL, 0, 0, layout.LARGEST_COIN, 1]
    assert body("Grid") == [layout.NEUTRAL, 0, 7, layout.TRANSFORM_COIN, 7]
    assert body("Uline") == [layout.NEUTRAL, 0, 9, layout.BID_LAST, 0]
    assert body("Ylud") == [layout.NEUTRAL, 1, 0, layout.UNPREDICTABLE, 0]
    assert body("Thrud") == [layout.NEUTRAL, 1, 13, layout.HEADHUNTER, 0]
    assert edition.ylud == at["Ylud"]
    assert edition.thrud == at["Thrud"]
    assert edition.ylud_points.tolist() == [7, 0, 1, 0, 11]
    needs = {hero: c for hero, c in enumerate(edition.hero_needs_class[:21].tolist()) if c != layout.NOWHERE}
    assert needs == {at["Hourya"]: layout.EXPLORER}
    assert edition.hero_needs_ranks[at["Hourya"]] == 5
    assert edition.hero_in_play.sum() == 21


def test_beginners_do_without_the_advanced_heroes():
    beginner = load_edition("official", {"heroes": "beginner"})
    edition = record_of(beginner, 4).edition
    out = [beginner.hero_names[hero] for hero in range(21) if not edition.hero_in_play[hero]]
    assert sorted(out) == ["Thrud", "Uline", "Ylud"]
    flags = {column.name for column in columns(beginner, 4) if column.group == "hero"}
    assert len(flags) == 18
    assert "hero_thrud" not in flags


def test_scoring_tables_follow_their_formulas(official):
    edition = record_of(official, 2).edition
    for n in range(31):
        assert edition.hunter_score[n] == n * n
        assert edition.blacksmith_score[n] == n * (n + 5) // 2
    assert edition.brothers_score[:6].tolist() == [0, 13, 40, 81, 108, 135]
    assert (np.diff(edition.hunter_score) >= 0).all()


def test_coins_and_distinctions(official):
    edition = record_of(official, 2).edition
    assert edition.initial_coin.tolist() == [0, 2, 3, 4, 5]
    assert edition.initial_coin[layout.EXCHANGE_SLOT] == 0
    assert edition.special_coin == 3
    assert (edition.crown_jewel, edition.crown_jewel_points) == (6, 3)
    assert (edition.kings_hand_bonus, edition.pioneer_cards) == (5, 3)
    assert official.distinction_names[layout.MINER] == "Crown Jeweler"


def test_filling_clears_what_was_there(official):
    games = np.zeros(1, GAME)
    fill_edition(official, 5, games[0])
    games[0].pl[3].coin[:] = 9
    games[0].round_number = 4
    fill_edition(official, 2, games[0])
    assert games.tobytes() == np.atleast_1d(record_of(official, 2)).tobytes()


def test_every_row_ships_sourced(official):
    rows = sum(len(plain_rows(path.name)) for path in DATA_FOLDER.glob("*.csv"))
    assert (official.provenance.sourced, official.provenance.inferred, official.provenance.assumed) == (rows, 0, 0)
    assert official.provenance.sentence() == f"All {rows} table rows are sourced."


# Switches and presets

FIELDS = {
    "exchange_gives_up": "exchange_gives_up_lower",
    "warrior_majority": "warrior_majority_points",
    "exchange_optional": "exchange_optional",
    "return_before_take": "return_before_take",
    "distinction_snapshot": "distinction_snapshot",
    "hero_rule": "every_completion",
    "line_check": "line_check_before_discards",
    "discard_target": "discard_last_dwarf_anywhere",
}


def switches_on(edition) -> set[str]:
    record = record_of(edition, 4).edition
    return {key for key, field in FIELDS.items() if record[field] == 1}


def test_presets():
    assert set(PRESETS) == {"official", "review", "primer"}
    assert switches_on(load_edition("official")) == set()
    assert switches_on(load_edition("review")) == {"exchange_gives_up", "warrior_majority", "hero_rule"}
    assert switches_on(load_edition("primer")) == {"exchange_optional", "return_before_take"}
    assert load_edition("review").name == "review"


@pytest.mark.parametrize("switch", RULE_SWITCHES, ids=lambda switch: switch.key)
def test_each_switch_changes_what_the_engine_sees_and_the_digest(switch):
    base = load_edition("official")
    for choice in switch.choices:
        changed = load_edition("official", {switch.key: choice})
        same = choice == switch.choices[0]
        assert (changed.digest == base.digest) == same
        records = [record_of(edition, 2).edition.tobytes() for edition in (base, changed)]
        assert (records[0] == records[1]) == same
        if switch.key in FIELDS:
            assert switches_on(changed) == (set() if same else {switch.key})


def test_switches_come_on_top_of_a_preset():
    edition = load_edition("review", {"warrior_majority": "ranks", "exchange_optional": "yes"})
    assert switches_on(edition) == {"exchange_gives_up", "hero_rule", "exchange_optional"}


@pytest.mark.parametrize(
    ("name", "rules", "message"),
    [
        (
            "offical",
            {},
            "there is no edition 'offical'; the nearest is 'official' (there are: official, review, primer)",
        ),
        (
            "official",
            {"exchange_give_up": "lower"},
            "no rule switch 'exchange_give_up'; the nearest is 'exchange_gives_up'",
        ),
        ("official", {"heroes": "beginer"}, "no value of rule switch heroes 'beginer'; the nearest is 'beginner'"),
        ("official", {"treasure_small": "30"}, "there are: 28, 31, 34"),
    ],
)
def test_unknown_editions_and_switches(name, rules, message):
    with pytest.raises(TaflError) as caught:
        load_edition(name, rules)
    assert message in str(caught.value)


# A result row's columns


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_columns_are_distinct_and_inside_a_row(official, n_players):
    found = columns(official, n_players)
    assert len({column.name for column in found}) == len(found)
    assert len({column.slot for column in found}) == len(found)
    assert all(0 <= column.slot < layout.N_SLOTS for column in found)
    assert {column.kind for column in found} == {"outcome", "component", "measure", "flag"}
    by_name = {column.name: column for column in found}
    assert (by_name["place"].low, by_name["place"].high) == (1, n_players)
    assert (by_name["margin"].low, by_name["margin"].high) == (-400, 400)
    rounds = 8 if n_players <= 3 else 6
    coins = [column for column in found if column.group == "coins_by_round"]
    assert [column.name for column in coins] == [f"coins_round_{n}" for n in range(rounds + 1)]
    assert [column.slot for column in coins] == list(
        range(layout.COINS_BY_ROUND_SLOT, layout.COINS_BY_ROUND_SLOT + rounds + 1)
    )
    gems = [column.title for column in found if column.group == "gem"]
    assert gems == [f"starting gem {gem}" for gem in range(6 - n_players, 6)]
    assert sum(column.group == "seat" for column in found) == n_players
    assert by_name["hero_dwerg_ymir"].slot == layout.HERO_SLOT + official.hero_names.index("Dwerg Ymir")


def test_the_components_are_the_slots_that_add_up(official):
    slots = [column.slot for column in columns(official, 3) if column.kind == "component"]
    assert slots == list(range(layout.WARRIOR_SLOT, layout.GEM_POINTS_SLOT + 1))


def test_card_rows_show_everything(official):
    rows = card_rows(official)
    assert len({tuple(row) for row in rows}) == 1
    assert all(isinstance(cell, str) for row in rows for cell in row.values())
    kinds = Counter(row["kind"] for row in rows)
    assert kinds["hero"] == 21
    assert kinds["distinction"] == 5
    assert kinds["gem"] == 6
    assert sum(int(row["copies"]) for row in rows if row["kind"].startswith("age")) == 91
    assert next(row for row in rows if row["id"] == "age1-warrior-10-5p")["players"] == "5"
