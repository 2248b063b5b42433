"""Sections 1 and 2 of rules.md."""

from collections import Counter

import numpy as np
import pytest
from play_games import Record
from table import Table

from simcore.nidavellir import setup
from simcore.nidavellir.heroes import count_lines_nb
from simcore.nidavellir.layout import CLASS_NAMES, COMMAND_ZONE, N_CLASSES

TABLE_SIZES = pytest.mark.parametrize("n_players", [2, 3, 4, 5])


# 1. Vocabulary


@pytest.mark.parametrize(
    ("column", "card", "ranks"),
    [
        ("warrior", 9, 1),
        ("hunter", "H", 1),
        ("blacksmith", "KGA", 2),
        ("warrior", "Kraal", 2),
        ("warrior", "Tarah", 1),
        ("hunter", "Aral", 2),
        ("hunter", "Dagda", 3),
        ("miner", "Zoral", 3),
        ("miner", "Lokdur", 1),
        ("blacksmith", "Aegur", 2),
        ("blacksmith", "Bonfur", 3),
        ("explorer", "Hourya", 1),
        ("explorer", "Idunn", 1),
        ("miner", "Thrud", 1),
        ("explorer", "Ylud", 1),
    ],
)
def test_rule_1_1_ranks_of_a_card(column, card, ranks):
    table = Table()
    table.army(0, **{column: [card]})
    assert [table.game.pl[0].rank[c] for c in range(N_CLASSES)] == [ranks * (name == column) for name in CLASS_NAMES]


def test_rule_1_2_only_warriors_explorers_and_miners_have_points():
    table = Table()
    for row in table.edition.dwarves:
        if row["class"] in ("hunter", "blacksmith", "royal_offering"):
            assert row["points"] == 0
    table.army(0, warrior=[3, 9, "Kraal"], hunter=["H", "Aral"], miner=[2, "Zoral"], blacksmith=["B"], explorer=[11])
    assert list(table.game.pl[0].points) == [19, 0, 3, 0, 11]


def test_rule_1_3_a_column_is_a_stack_and_its_last_card_the_one_on_top():
    table = Table()
    table.army(0, warrior=[5, 9], hunter=["H"], miner=[0, 2], blacksmith=["B"])
    table.script(0, "hero Dagda", "discard warrior", "discard miner")
    table.place(0, "explorer 7")
    assert table.army_of(0)["warrior"] == [5]
    assert table.army_of(0)["miner"] == [0]
    table.place(0, "warrior 3")
    assert table.army_of(0)["warrior"] == [5, 3]


def test_rule_1_4_the_command_zone_has_no_ranks():
    table = Table()
    table.army(0, warrior=[5], hunter=["H"], miner=[1], blacksmith=["B"], explorer=[7])
    table.command(0, "Ylud", "Skaa", "DwergYmir")
    table.script(1, "transform 5")
    table.grant("warrior", 1)  # the King's Hand
    assert list(table.game.pl[0].rank) == [1, 1, 1, 1, 1]
    assert list(table.game.pl[1].rank) == [0, 0, 0, 0, 0]
    assert table.game.pl[0].ylud_column == COMMAND_ZONE


def test_rule_1_5_lines_are_the_fewest_ranks_of_a_column():
    table = Table()
    table.army(0, warrior=["Kraal"], hunter=["Aral"], miner=["Zoral"], blacksmith=["KGA"], explorer=[5])
    assert count_lines_nb(table.game.pl[0]) == 1
    table.army(0, explorer=["Thrud"])
    assert table.lines(0) == 2
    table.army(1, warrior=[5], hunter=["H"], miner=[1], blacksmith=["B"], explorer=["Ylud"])
    assert table.lines(1) == 1


def test_rule_1_6_heroes_owned_are_all_hero_cards_but_no_distinctions():
    table = Table()
    table.army(0, warrior=["Kraal"], miner=["Thrud"], explorer=["Ylud"], blacksmith=["KGA"])
    table.command(0, "Skaa", "DwergYmir")
    assert table.game.pl[0].n_heroes == 5
    table.grant("blacksmith", 0)
    assert table.army_of(0)["blacksmith"] == ["KGA", "KGA"]
    assert table.game.pl[0].n_heroes == 5


@pytest.mark.parametrize("exchange_coin", ["0", "3s"])
def test_rule_1_7_the_exchange_coin_is_never_transformed_nor_one_of_two(exchange_coin):
    table = Table()
    table.set_coins(0, exchange_coin, "2", "3", "4", "5")
    table.script(0, "transform 3")
    table.transform(0, 3)
    assert table.asked(0) == [("choose_transform", (1, 2, 3, 4))]
    assert table.coins(0)[0] == exchange_coin
    table.clear_log()
    table.command(0, "Uline")
    table.tavern(0, "hunter", "hunter", "hunter")
    table.bids("", "5 4 3", "4 3 2")
    table.script(0, "uline #0", "pair #1 #2")
    table.free()
    table.open_tavern(0)
    pairs = dict(table.asked(0))["choose_exchange_pair"]
    assert {slot for pair in pairs for slot in (pair % 5, pair // 5)} == {1, 2, 3, 4}


def test_rule_1_8_bronze_leaves_the_game_and_gold_goes_back():
    table = Table(4)
    table.script(0, "transform 4")
    table.transform(0, 5)  # 4 becomes 9
    assert table.game.n_in_box == 1
    assert 4 not in table.treasure()
    assert table.treasure()[9] == 2
    table.script(0, "transform 9g")
    table.transform(0, 5)  # 9 becomes 14
    assert table.game.n_in_box == 1
    assert table.treasure()[9] == 3
    assert table.treasure()[14] == 1


# 2. Setup


@TABLE_SIZES
def test_rule_2_1_the_highest_gems_are_dealt_at_random(n_players):
    deals = Counter()
    table = Table(n_players)
    for block in range(300):
        table.hidden.block = block
        setup.set_up_game_nb(table.game, table.hidden)
        deals[tuple(table.gems_of_all())] += 1
    assert all(sorted(deal) == list(range(6 - n_players, 6)) for deal in deals)
    n_orders = int(np.prod(range(1, n_players + 1)))
    assert len(deals) >= 0.85 * n_orders  # 300 deals: all but a few of the 120 orders of five gems
    first = Counter(deal[0] for deal in deals.elements())
    assert all(abs(n - 300 / n_players) < 50 for n in first.values())


@TABLE_SIZES
def test_rule_2_2_everybody_has_five_bronze_coins(n_players):
    table = Table(n_players)
    assert [table.coins(seat) for seat in range(n_players)] == [["0", "2", "3", "4", "5"]] * n_players


def test_rule_2_3_the_treasure_has_34_coins_and_28_with_two_or_three_players():
    full = {5: 2, 6: 2, 7: 3, 8: 2, 9: 3, 10: 2, 11: 3, 12: 2, 13: 2, 14: 2} | dict.fromkeys(range(15, 26), 1)
    assert Table(4).treasure() == Table(5).treasure() == full
    assert sum(full.values()) == 34
    small = full | {7: 1, 9: 1, 11: 1}
    assert Table(2).treasure() == Table(3).treasure() == small
    assert sum(small.values()) == 28


@TABLE_SIZES
def test_rule_2_4_the_decks(n_players):
    table = Table(n_players)
    game, n = table.game, {True: (45, 46), False: (36, 37)}[n_players == 5]
    assert (game.edition.n_deck[1], game.edition.n_deck[2]) == n
    for age in (1, 2):
        setup.open_deck_nb(game, table.hidden, age)
        deck = Counter(table.hidden.deck[: table.hidden.n_deck].tolist())
        rows = [table.edition.dwarves[card] for card in deck]
        assert all(row["age"] == str(age) for row in rows)
        assert all(row["count_min_players"] == 2 for row in rows) == (n_players < 5)
        classes = Counter(table.edition.dwarves[card]["class"] for card in deck.elements())
        small = {"warrior": 8, "hunter": 6, "miner": 6, "blacksmith": 8, "explorer": 7, "royal_offering": age}
        large = {"warrior": 9, "hunter": 8, "miner": 8, "blacksmith": 10, "explorer": 8, "royal_offering": age + 1}
        assert classes == (large if n_players == 5 else small)
        assert sum(table.game.unseen) == table.hidden.n_deck


def test_rule_2_4_the_decks_are_shuffled():
    table = Table(3)
    tops = Counter()
    for block in range(720):
        table.hidden.block = block
        setup.open_deck_nb(table.game, table.hidden, 1)
        assert sorted(table.hidden.deck[:36]) == sorted(table.game.edition.deck[1][:36])
        tops[table.edition.dwarves[int(table.hidden.deck[0])]["class"]] += 1
    for name, cards in {"warrior": 8, "hunter": 6, "blacksmith": 8, "explorer": 7}.items():
        assert abs(tops[name] - 20 * cards) < 50  # four standard errors


@TABLE_SIZES
def test_rule_2_5_heroes_and_rewards_wait_beside_the_board(n_players):
    table = Table(n_players)
    game = table.game
    assert game.edition.n_heroes == 21
    assert game.edition.hero_in_play[:21].all()
    assert set(game.hero_owner[:21]) == {-1}
    assert set(game.distinction_owner) == {-1}
    assert game.edition.special_coin == 3
    assert game.edition.crown_jewel == 6
    assert 6 not in table.gems_of_all()
    decks = set(game.edition.deck[1][: game.edition.n_deck[1]]) | set(game.edition.deck[2][: game.edition.n_deck[2]])
    assert table.card_id("KGA") not in decks


@pytest.mark.parametrize(("n_players", "cards", "rounds"), [(2, 3, 4), (3, 3, 4), (4, 4, 3), (5, 5, 3)])
def test_rule_2_6_cards_of_a_tavern_and_rounds_of_an_age(n_players, cards, rounds):
    record = Record(n_players)
    events, _ = record.record(seed=1)
    table = Table(n_players)
    edition = table.game.edition
    assert (edition.cards_per_tavern, edition.rounds_per_age) == (cards, rounds)
    assert edition.n_deck[1] == rounds * 3 * cards == edition.n_deck[2] - 1
    table.hidden.event[: len(events)] = events
    table.hidden.n_events = len(events)
    dealt = Counter()
    for name, *fields in table.log("round_starts", "card_dealt"):
        if name == "round_starts":
            this_round = tuple(fields)
        else:
            dealt[*this_round, fields[0]] += 1
    assert dealt == {(age, r, t): cards for age in (1, 2) for r in range(1, rounds + 1) for t in range(3)}
