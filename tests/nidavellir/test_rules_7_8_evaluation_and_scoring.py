"""Sections 7 and 8 of rules.md."""

import numpy as np
import pytest
from table import Table

from simcore.nidavellir import setup
from simcore.nidavellir.layout import CLASS_NAMES, COMMAND_ZONE, N_SLOTS, SCORE_SLOT, WIN_SLOT
from simcore.nidavellir.scoring import write_outcomes_nb


def between_the_ages(n_players: int = 3, **rules: str) -> Table:
    """A table after the last tavern of age 1."""
    table = Table(n_players, **rules)
    table.game.tavern = -1
    return table


# 7. End of age 1


def test_rule_7_1_ylud_must_be_placed_and_can_complete_a_line():
    table = between_the_ages()
    table.army(1, warrior=[5, 6], hunter=["H", "H"], miner=[1], blacksmith=["B", "B"], explorer=[7, 8])
    table.command(1, "Ylud")
    table.script(1, "ylud miner", "hero Grid", "transform 5")
    table.ylud_step()
    assert table.army_of(1)["miner"] == [1, "Ylud"]
    assert table.game.pl[1].ylud_column == 2
    assert table.heroes_of(1) == ["Grid", "Ylud"]
    assert table.coins(1)[4] == "12g"


def test_rule_7_1_ylud_on_thrud_lifts_her():
    table = between_the_ages()
    table.army(1, miner=[1, "Thrud"])
    table.command(1, "Ylud")
    table.script(1, "ylud miner", "thrud hunter")
    table.ylud_step()
    assert table.army_of(1) == {"hunter": ["Thrud"], "miner": [1, "Ylud"]}


def test_rule_7_1_without_ylud_nothing_happens():
    table = between_the_ages()
    table.ylud_step()
    assert table.log() == []


def test_rule_7_2_classes_are_counted_in_order_each_distinction_resolved_before_the_next_count():
    table = between_the_ages()
    table.army(0, warrior=[5], hunter=["H"], miner=[1], blacksmith=["B"], explorer=[5])
    table.game.pl[0].n_heroes = 1
    table.army(1, explorer=[6, 7])
    table.army(0, warrior=[6], hunter=["H"], miner=[2])
    table.army(0, explorer=[8])
    # seat 0 wins everything up to the blacksmiths; the Armorer completes line 2, Idunn breaks the explorers' tie
    table.script(0, "transform 5", "hero Idunn")
    seen = pioneer_cards(table)
    table.script(0, f"pioneer {seen[1]}")
    table.free()
    table.evaluate_troops()
    assert [event[1:] for event in table.log("distinction")] == [(c, 0) for c in range(5)]
    assert table.army_of(0)["blacksmith"] == ["B", "KGA"]
    kinds = ("distinction", "coin_changed", "gem_taken", "card_placed", "hero_recruited", "pioneer_saw")
    order = [event[0] for event in table.log(*kinds)]
    assert order[:10] == [
        "distinction",
        "coin_changed",  # the King's Hand
        "distinction",
        "coin_changed",  # the special 3
        "distinction",
        "gem_taken",
        "distinction",
        "card_placed",  # the Armorer
        "hero_recruited",
        "card_placed",
    ]
    assert order[10:14] == ["distinction", "pioneer_saw", "pioneer_saw", "pioneer_saw"]


def text_of(table: Table, card: int) -> str:
    row = table.edition.dwarves[int(card)]
    if row["class"] == "royal_offering":
        return f"offering {row['coin_bonus']}"
    return row["class"] + (f" {row['points']}" if row["class"] not in ("hunter", "blacksmith") else "")


def pioneer_cards(table: Table) -> list[str]:
    """What the Pioneer will see in the troop evaluation; the table's age becomes 2."""
    table.game.age = 2
    setup.open_deck_nb(table.game, table.hidden, 2)
    return [text_of(table, card) for card in table.hidden.deck[:3]]


@pytest.mark.parametrize("name", CLASS_NAMES)
@pytest.mark.parametrize(("ranks", "winner"), [((2, 1, 1), 0), ((1, 2, 0), 1), ((2, 2, 1), None), ((0, 0, 0), None)])
def test_rule_7_2_a_strict_majority_of_ranks_and_no_tie(name, ranks, winner):
    table = between_the_ages()
    table.gems(3, 4, 5)
    card = {"hunter": "H", "blacksmith": "B", "miner": 0}.get(name, 5)
    for seat, n in enumerate(ranks):
        table.army(seat, **{name: [card] * n})
    assert table.majority(name) == winner


def test_rule_7_2_heroes_count_with_all_ranks_thrud_and_ylud_with_one():
    table = between_the_ages(2)
    table.army(0, hunter=["Dagda"], warrior=["Thrud"], explorer=["Ylud"])
    table.army(1, hunter=["H", "H"], explorer=[12 - 1])
    assert table.majority("hunter") == 0
    assert table.majority("warrior") == 0
    assert table.majority("explorer") is None


def test_rule_7_3_the_kings_hand_transforms_a_coin_by_five():
    table = between_the_ages()
    table.script(0, "transform 4")
    table.grant("warrior", 0)
    assert table.coins(0) == ["0", "2", "3", "9g", "5"]
    assert table.game.distinction_owner[0] == 0


def test_rule_7_4_the_hunting_master_swaps_the_zero_for_the_special_three():
    table = between_the_ages()
    table.grant("hunter", 1)
    assert table.coins(1) == ["3s", "2", "3", "4", "5"]
    assert table.game.n_in_box == 1


def test_rule_7_4_the_crown_jewelers_gem_six_covers_the_own_gem():
    table = between_the_ages()
    table.gems(5, 4, 3)
    table.grant("miner", 1)
    assert table.gems_of_all() == [5, 6, 3]


def test_rule_7_5_the_great_armorer_can_complete_two_lines():
    table = between_the_ages()
    table.army(0, warrior=[5, 6], hunter=["H", "H"], miner=[1, 2], explorer=[7, 8])
    table.script(0, "hero Skaa", "hero DwergYmir")
    table.grant("blacksmith", 0)
    assert table.army_of(0)["blacksmith"] == ["KGA"]
    assert table.lines(0) == 2
    assert table.heroes_of(0) == ["DwergYmir", "Skaa"]


def test_rule_7_5_the_great_armorer_on_thrud_lifts_her():
    table = between_the_ages()
    table.army(0, blacksmith=["B", "Thrud"])
    table.script(0, "thrud hunter")
    table.grant("blacksmith", 0)
    assert table.army_of(0) == {"hunter": ["Thrud"], "blacksmith": ["B", "KGA"]}


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_rule_7_6_the_pioneer_keeps_one_of_three_cards_and_shuffles_two_back(n_players):
    table = between_the_ages(n_players)
    table.stack(2, "explorer 11", "hunter", "miner 2")
    n = int(table.hidden.n_deck)
    before = sorted(table.hidden.deck[:n].tolist())
    table.script(0, "pioneer explorer 11")
    table.grant("explorer", 0)
    assert table.army_of(0) == {"explorer": [11]}
    assert len(table.log("pioneer_saw")) == 3
    left = table.hidden.deck[table.hidden.next_card : n].tolist()
    assert len(left) == n - 1 == (45 if n_players == 5 else 36)
    before.remove(table.card_id("explorer 11"))
    assert sorted(left) == before
    assert table.game.unseen[table.card_id("explorer 11")] == 0
    assert sum(table.game.unseen) == n - 1  # the other two count as unseen
    assert list(table.hidden.own[0].option[:3]) == [0, 0, 0]


def test_rule_7_6_the_other_two_can_come_anywhere():
    places = []
    for block in range(60):
        table = Table(3, block)
        table.stack(2, "explorer 11", "explorer 10", "explorer 9")
        table.script(0, "pioneer explorer 11")
        table.grant("explorer", 0)
        deck = table.hidden.deck[table.hidden.next_card : table.hidden.n_deck].tolist()
        places.append(deck.index(table.card_id("explorer 10")))
    assert len(set(places)) > 20
    assert 12 < np.mean(places) < 23


def test_rule_7_6_an_offering_is_applied():
    table = between_the_ages()
    table.stack(2, "explorer 11", "offering 5", "miner 2")
    table.script(0, "pioneer offering 5", "transform 2")
    table.grant("explorer", 0)
    assert table.coins(0) == ["0", "7g", "3", "4", "5"]


def test_rule_7_6_without_a_pioneer_the_top_card_goes_face_up():
    table = between_the_ages()
    table.stack(2, "explorer 11", "offering 5", "miner 2")
    table.grant("explorer", -1)
    assert table.log("top_card_discarded") == [("top_card_discarded", table.card_id("explorer 11"))]
    assert table.hidden.n_deck - table.hidden.next_card == 36
    assert table.game.unseen[table.card_id("explorer 11")] == 0
    assert [table.army_of(seat) for seat in range(3)] == [{}, {}, {}]


def test_rule_7_7_a_hero_of_the_evaluation_works_and_ylud_waits_for_the_end():
    table = between_the_ages()
    table.army(0, warrior=[5, 6], hunter=["H", "H"], miner=[1, 2], explorer=[7, 8])
    table.script(0, "hero Ylud", "hero Grid", "transform 3")
    table.grant("blacksmith", 0)
    assert table.game.pl[0].ylud_column == COMMAND_ZONE
    assert table.coins(0)[2] == "10g"


def test_rule_7_7_uline_of_the_evaluation_has_all_coins_in_hand():
    table = between_the_ages()
    table.army(0, warrior=[5], hunter=["H"], miner=[1], explorer=[7])
    table.script(0, "hero Uline")
    table.grant("blacksmith", 0)
    assert set(table.places(0).values()) == {"hand"}
    table.tavern(0, "hunter", "hunter", "hunter")
    table.bids("", "5 4 3", "4 3 2")
    assert table.asked(0)[-1][0] == "choose_hero"


# 8. End of age 2 and scoring


def test_rule_8_1_ylud_must_leave_the_command_zone():
    table = between_the_ages()
    table.command(0, "Ylud")
    table.script(0, "ylud explorer")
    table.ylud_step()
    assert table.army_of(0) == {"explorer": ["Ylud"]}


@pytest.mark.parametrize(
    ("column", "army"), [("miner", {"miner": ["Ylud", 1]}), ("hunter", {"miner": [1], "hunter": ["Ylud"]})]
)
def test_rule_8_1_in_a_column_ylud_may_move_or_stay(column, army):
    table = between_the_ages()
    table.army(0, miner=["Ylud", 1])
    table.script(0, f"ylud {column}")
    table.ylud_step()
    assert table.army_of(0) == army
    assert table.game.pl[0].rank[CLASS_NAMES.index(column)] == (2 if column == "miner" else 1)


def test_rule_8_1_lines_that_ylud_completes_give_heroes_with_thrud_still_there():
    table = between_the_ages()
    table.army(0, warrior=[5, 6, 7], hunter=["H", "H", "H"], miner=[1, 2, "Thrud"], blacksmith=["B", "B"])
    table.army(0, explorer=[5, 6, 7, "Ylud"])
    table.script(0, "ylud blacksmith", "hero DwergYmir")
    table.ylud_step()
    assert table.lines(0) == 3
    assert table.heroes_of(0) == ["DwergYmir", "Ylud", "Thrud"]


def test_rule_8_2_thrud_leaves_and_her_rank_counts_nowhere():
    table = between_the_ages(2)
    table.army(0, warrior=[5, "Thrud"], explorer=[7])
    table.army(1, warrior=[6])
    table.retire_thrud()
    assert table.game.pl[0].thrud_column == COMMAND_ZONE
    assert table.game.pl[0].rank[0] == 1
    assert [sheet["warrior"] for sheet in table.score()] == [10, 11]  # tied with one rank each
    assert table.score()[0]["neutral"] == 13


def test_rule_8_3_warriors_points_and_the_largest_coin_for_the_majority():
    table = Table(4)
    table.army(0, warrior=[3, 4])
    table.army(1, warrior=[9, 8])
    table.army(2, warrior=[10 - 1])
    table.set_coins(0, "0", "2", "3", "4", "21g")
    assert [sheet["warrior"] for sheet in table.score()] == [7 + 21, 17 + 5, 9, 0]


def test_rule_8_3_no_warriors_no_bonus():
    assert [sheet["warrior"] for sheet in Table(3).score()] == [0, 0, 0]


@pytest.mark.parametrize("n", range(0, 17))
def test_rule_8_4_hunters_and_blacksmiths(n):
    table = Table(2)
    table.army(0, hunter=["H"] * n, blacksmith=["B"] * n)
    sheet = table.score()[0]
    assert sheet["hunter"] == n * n
    assert sheet["blacksmith"] == n * (n + 5) // 2


def test_rule_8_4_miners_and_explorers():
    table = Table(2)
    table.army(0, miner=[0, 2, "Zoral", "Lokdur"], explorer=[5, 11, "Hourya"])
    sheet = table.score()[0]
    assert sheet["miner"] == (0 + 2 + 1 + 3) * 6
    assert sheet["explorer"] == 5 + 11 + 20
    table.army(0, explorer=["Idunn"])
    assert table.score()[0]["explorer"] == 5 + 11 + 20 + 7 + 2 * 4


@pytest.mark.parametrize(
    ("column", "alone"), [("warrior", 7 + 5), ("hunter", 1), ("miner", 1), ("blacksmith", 3), ("explorer", 11)]
)
def test_rule_8_5_ylud_by_the_column_she_stands_in(column, alone):
    table = Table(2)
    table.army(0, **{column: ["Ylud"]})
    sheet = table.score()[0]
    assert {name: sheet[name] for name in CLASS_NAMES} == dict.fromkeys(CLASS_NAMES, 0) | {column: alone}


def test_rule_8_5_ylud_is_a_rank_for_the_warrior_majority():
    table = Table(2)
    table.army(0, warrior=[3, "Ylud"])
    table.army(1, warrior=[9])
    assert [sheet["warrior"] for sheet in table.score()] == [3 + 7 + 5, 9]


@pytest.mark.parametrize(("n", "points"), [(0, 0), (1, 13), (2, 40), (3, 81), (4, 108), (5, 135)])
def test_rule_8_6_the_dwerg_brothers(n, points):
    table = Table(2)
    table.command(0, *["DwergYmir", "DwergAesir", "DwergSigmir", "DwergJungir", "DwergBergelmir"][:n])
    assert table.score()[0]["neutral"] == points


@pytest.mark.parametrize(("hero", "points"), [("Skaa", 17), ("Thrud", 13), ("Uline", 9), ("Grid", 7), ("Astrid", 18)])
def test_rule_8_6_other_neutral_heroes(hero, points):
    table = Table(2)
    table.set_coins(0, "0", "2", "3", "7g", "18g")
    table.command(0, hero)
    assert table.score()[0]["neutral"] == points


def test_rule_8_7_coins_and_gem_six():
    table = Table(2)
    table.gems(6, 5)
    table.set_coins(0, "3s", "2", "3", "7g", "18g")
    sheets = table.score()
    assert [sheet["coins"] for sheet in sheets] == [33, 14]
    assert [sheet["gem6"] for sheet in sheets] == [3, 0]


@pytest.mark.parametrize(
    ("scores", "wins"),
    [
        ((200, 180), (60, 0)),
        ((200, 200), (30, 30)),
        ((200, 200, 200), (20, 20, 20)),
        ((100, 200, 200, 200), (0, 20, 20, 20)),
        ((5, 5, 5, 5, 5), (12,) * 5),
    ],
)
def test_rule_8_8_equal_totals_share_the_win(scores, wins):
    rows = np.zeros((len(scores), N_SLOTS), np.int64)
    rows[:, SCORE_SLOT] = scores
    write_outcomes_nb(rows, len(scores))
    assert tuple(rows[:, WIN_SLOT]) == wins
