"""Section 6 of rules.md up to 6.5: a player's turn."""

import pytest
from table import Table, one_rank_each


def happened(table: Table, *kinds: str) -> list[str]:
    return [event[0] for event in table.log(*kinds)]


# 6.1 one card


@pytest.mark.parametrize("card", ["warrior 9", "hunter", "miner 2", "blacksmith", "explorer 7"])
def test_rule_6_1_a_dwarf_goes_to_the_column_of_its_class(card):
    table = Table(2)
    table.tavern(0, card, "hunter", "hunter")
    table.bids("5 4 3", "4 3 2")
    table.script(0, f"card {card}")
    table.free(1)
    table.open_tavern(0)
    assert list(table.army_of(0)) == [card.split()[0]]


@pytest.mark.parametrize(("offering", "coin"), [("offering 3", "7g"), ("offering 5", "9g")])
def test_rule_6_1_an_offering_is_applied_at_once_and_leaves_the_game(offering, coin):
    table = Table(2)
    table.tavern(0, offering, "hunter", "miner 1")
    table.bids("5 4 3", "4 3 2")
    table.script(0, f"card {offering}", "transform 4")
    table.script(1, "card hunter")
    table.open_tavern(0)
    assert table.coins(0) == ["0", "2", "3", coin, "5"]
    assert table.army_of(0) == {}
    log = table.log("card_taken", "coin_changed", "turn")
    assert [event[0] for event in log] == ["turn", "card_taken", "coin_changed", "turn", "card_taken"]
    assert table.log("card_left_over") == [("card_left_over", 0, table.card_id("miner 1"))]


# 6.2 PLACE


def test_rule_6_2_thrud_is_lifted_the_card_placed_the_effect_resolved_thrud_placed_and_then_lines_counted():
    table = Table(3)
    table.army(0, warrior=[5, 6, 7], hunter=["H", "H", "H"], miner=[1, 2, 0], blacksmith=["B", "Thrud"])
    table.script(0, "hero Bonfur", "discard warrior", "thrud explorer")
    table.army(0, explorer=[5])
    table.place(0, "explorer 7")
    kinds = ("hero_recruited", "card_lifted", "card_placed", "card_discarded")
    assert happened(table, *kinds) == [
        "card_placed",  # the explorer: line 2, one hero
        "hero_recruited",
        "card_lifted",
        "card_placed",
        "card_discarded",
        "card_placed",
    ]
    assert table.army_of(0)["blacksmith"] == ["B", "Bonfur"]
    assert table.army_of(0)["explorer"] == [5, 7, "Thrud"]
    assert table.lines(0) == 2


def test_rule_6_2_a_lifted_thrud_has_no_rank_anywhere():
    table = Table(3)
    table.army(0, explorer=[5, 6, 7, 8, "Thrud"])
    assert table.game.pl[0].rank[4] == 5
    table.script(0, "thrud explorer")
    table.place(0, "explorer 9")
    # lifted: 4; the explorer: 5; she again: 6
    assert [event[4] for event in table.log("card_placed")] == [1, 1]
    assert table.game.pl[0].rank[4] == 6
    assert table.army_of(0)["explorer"] == [5, 6, 7, 8, 9, "Thrud"]


def test_rule_6_2_thrud_may_go_back_to_the_same_column_and_stays_where_no_card_is_placed_on_her():
    table = Table(3)
    table.army(0, explorer=["Thrud"])
    table.place(0, "warrior 5")
    assert table.asked() == []
    table.script(0, "thrud explorer")
    table.place(0, "explorer 7")
    assert table.asked() == [("choose_thrud_column", (0, 1, 2, 3, 4))]
    assert table.army_of(0)["explorer"] == [7, "Thrud"]


def test_rule_6_2_neutral_heroes_go_to_the_command_zone():
    table = Table(3)
    one_rank_each(table)
    table.army(0, explorer=["Thrud"])
    table.army(0, warrior=[6], hunter=["H"], miner=[2], blacksmith=["B"])
    table.script(0, "thrud explorer", "hero Skaa")
    table.place(0, "explorer 7")
    assert happened(table, "command_zone") == ["command_zone"]
    assert table.army_of(0)["explorer"] == [7, "Thrud"]


# 6.3 HERO CHECK


def test_rule_6_3_a_hero_for_each_line_more_than_heroes_owned():
    table = Table(3)
    one_rank_each(table)
    table.script(0, "hero Skaa")
    table.place(0, "explorer 7")
    table.place(0, "explorer 8")  # still one line, one hero
    assert table.heroes_of(0) == ["Skaa"]
    assert table.game.hero_owner[table.hero_id("Skaa")] == 0


def test_rule_6_3_a_hero_can_complete_the_next_line():
    table = Table(3)
    table.army(0, warrior=[5, 6], hunter=["H"], miner=[1, 2], blacksmith=["B", "B"], explorer=[5])
    table.script(0, "hero Aral", "hero DwergYmir")
    table.place(0, "explorer 7")  # line 1 gives Aral, his two ranks line 2, which gives a brother
    assert table.lines(0) == 2
    assert table.heroes_of(0) == ["Aral", "DwergYmir"]


def test_rule_6_3_recruiting_is_compulsory():
    table = Table(3)
    one_rank_each(table)
    with pytest.raises(ValueError, match="does not foresee"):
        table.place(0, "explorer 7")
    assert int(table.hidden.asked_options) == 20  # everybody but Hourya; none of them is "nobody"


def test_rule_6_3_a_single_recruitable_hero_is_taken_without_asking():
    table = Table(3)
    one_rank_each(table)
    table.take_heroes(1, *(hero for hero in all_heroes(table) if hero not in ("Skaa", "Hourya")))
    table.place(0, "explorer 7")
    assert table.heroes_of(0) == ["Skaa"]
    assert table.asked() == []


def all_heroes(table: Table) -> list[str]:
    return [name.replace(" ", "") for name in table.edition.hero_names]


def test_rule_6_3_where_nobody_is_recruitable_nothing_happens():
    table = Table(3)
    one_rank_each(table)
    table.take_heroes(1, *all_heroes(table))
    table.place(0, "explorer 7")
    assert table.heroes_of(0) == []


def test_rule_6_3_lost_ranks_take_no_hero_away_but_the_next_line_is_harder():
    table = Table(3)
    one_rank_each(table)
    table.script(0, "hero Dagda", "discard warrior", "discard miner")
    table.place(0, "explorer 7")
    assert (table.lines(0), table.heroes_of(0)) == (0, ["Dagda"])
    table.place(0, "warrior 9")
    table.place(0, "miner 1")
    assert (table.lines(0), table.heroes_of(0)) == (1, ["Dagda"])


def test_rule_6_3_a_hero_belongs_to_one_player_only():
    table = Table(2)
    one_rank_each(table, 0)
    one_rank_each(table, 1)
    table.script(0, "hero Skaa")
    table.place(0, "explorer 7")
    table.script(1, "hero Astrid")
    table.place(1, "explorer 7")
    offered = table.asked(1)[-1][1]
    assert table.hero_id("Skaa") not in offered
    assert len(offered) == 19


# 6.4 TRANSFORM


def test_rule_6_4_any_own_coin_but_the_exchange_coin_keeps_its_place():
    for coin, place in (("4", "tavern 1"), ("3", "tavern 2"), ("2", "tavern 3"), ("5", "pouch")):
        table = Table(3)
        table.bids("4 3 2", "5 4 3", "5 4 3")
        table.script(0, f"transform {coin}")
        table.transform(0, 7)
        new = f"{int(coin) + 7}g"
        assert table.places(0)[new] == place
        assert table.asked(0)[-1] == ("choose_transform", (1, 2, 3, 4))


@pytest.mark.parametrize(
    ("treasure", "target", "found"),
    [
        ({8: 1, 9: 1}, 8, 8),
        ({7: 1, 10: 1, 12: 1}, 8, 10),  # the next higher
        ({7: 1, 5: 1}, 8, 7),  # none as high: the highest
        ({24: 1}, 30, 24),
    ],
)
def test_rule_6_4_the_coin_of_a_target(treasure, target, found):
    table = Table(3)
    table.set_treasure(treasure)
    table.script(0, "transform 5")
    table.transform(0, target - 5)
    assert table.coins(0)[4] == f"{found}g"
    assert table.treasure().get(found, 0) == treasure[found] - 1


def test_rule_6_4_the_new_coin_is_taken_before_the_old_one_is_returned():
    table = Table(3)
    table.set_coins(0, "0", "2", "3", "4", "25g")
    table.set_treasure({24: 1})
    table.script(0, "transform 25g")
    table.transform(0, 5)
    assert table.coins(0)[4] == "24g"
    assert table.treasure() == {25: 1}


# 6.5 EXCHANGE


def test_rule_6_5_exchange_is_the_last_thing_of_a_turn():
    table = Table(3)
    one_rank_each(table)
    table.tavern(0, "hunter", "miner 1", "explorer 7")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.script(1, "card hunter")
    table.script(2, "card miner 1")
    table.script(0, "hero Grid", "transform 3")
    table.open_tavern(0)
    kinds = ("card_placed", "hero_recruited", "coin_changed", "coins_exchanged")
    assert happened(table, *kinds)[-5:] == [
        "card_placed",
        "hero_recruited",
        "coin_changed",
        "coins_exchanged",
        "coin_changed",
    ]
    assert table.coins(0) == ["0", "2", "15g", "4", "5"]  # 3 became 10, then 10 + 5


def test_rule_6_5_the_higher_pouch_coin_gives_way_to_the_sum_face_down_in_the_pouch():
    table = Table(3)
    table.tavern(0, "hunter", "hunter", "hunter")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.free()
    table.open_tavern(0)
    assert table.coins(0) == ["0", "2", "3", "4", "8g"]
    assert table.places(0)["8g"] == table.places(0)["3"] == "pouch"
    assert table.game.pl[0].n_exchanges == 1
    assert table.game.n_in_box == 1


def test_rule_6_5_only_at_the_tavern_where_the_exchange_coin_was_bid():
    table = Table(3)
    for tavern in range(3):
        table.tavern(tavern, "hunter", "hunter", "hunter")
    table.bids("2 0 4", "5 4 3", "4 3 2")
    table.free()
    exchanged = []
    for tavern in range(3):
        table.open_tavern(tavern)
        exchanged.append(len(table.log("coins_exchanged")))
    assert exchanged == [0, 1, 1]


def test_rule_6_5_it_is_compulsory_even_if_the_coin_gets_smaller():
    table = Table(3)
    table.set_coins(0, "0", "2", "25g", "4", "20g")
    table.set_treasure({9: 1})
    table.tavern(0, "hunter", "hunter", "hunter")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.free()
    table.open_tavern(0)
    assert table.coins(0) == ["0", "2", "9g", "4", "20g"]
    assert all(name == "choose_bid" for name, _ in table.asked(0))


def test_rule_6_5_the_special_three_exchanges_too():
    table = Table(3)
    table.set_coins(0, "3s", "2", "3", "4", "5")
    table.tavern(0, "hunter", "hunter", "hunter")
    table.bids("#0 2 4", "5 4 3", "2 3 4")
    table.free()
    table.open_tavern(0)
    assert table.coins(0) == ["3s", "2", "3", "4", "8g"]


def test_rule_6_5_uline_exchanges_any_two_coins_of_her_hand_and_can_bid_the_new_one_next():
    table = Table(3)
    table.command(0, "Uline")
    for tavern in range(3):
        table.tavern(tavern, "hunter", "hunter", "hunter")
    table.bids("", "5 4 3", "4 3 2")
    table.free(1, 2)
    table.script(0, "uline 0", "pair 4 5")
    table.open_tavern(0)
    assert len(table.asked(0)[-1][1]) == 6
    assert table.coins(0) == ["0", "2", "3", "4", "9g"]
    table.script(0, "uline 9g", "card hunter")
    table.open_tavern(1)
    assert table.order()[0] == 0


def test_rule_6_5_uline_with_two_coins_left_has_no_choice():
    table = Table(3)
    table.command(0, "Uline")
    for tavern in range(3):
        table.tavern(tavern, "hunter", "hunter", "hunter")
    table.bids("", "5 4 3", "4 3 2")
    table.free(1, 2)
    for tavern, bid in enumerate(("2", "3", "0")):
        table.script(0, f"uline {bid}")
        table.game.card[tavern, 2] = table.card_id("hunter")
        table.hidden.own[0].param[0] = 1
        table.open_tavern(tavern)
    assert "choose_exchange_pair" not in dict(table.asked(0))
    assert table.coins(0) == ["0", "2", "3", "4", "9g"]
