"""Sections 4 and 5 of rules.md: Recruit Reavers and Trade with Villages."""

import pytest
from reavers_table import Table, kind

from simcore.reavers import decks, recruit, trade
from simcore.reavers.layout import COLOUR_NAMES, MAX_SPECIALISTS, REAVER_DECK

# 4. Recruit Reavers


def test_rule_4_1_a_stack_of_two_or_two_unseen():
    t = Table(3)
    t.free()
    t.script(0, "action act", "recruits 1")
    t.script(1, "action act", "recruits unseen")
    t.script(2, "action rest 0")
    stack = t.game.offer[REAVER_DECK, 1].tolist()
    t.select(0, "recruit_reavers")
    taken = [e["card"] for e in t.events("card_taken") if e["seat"] == 0]
    assert sorted(taken) == sorted(stack)
    assert len([e for e in t.events("card_drawn") if e["seat"] == 1 and e["deck"] == REAVER_DECK]) == 2
    assert t.offered("recruits") == [[0, 1, 2, -1], [0, 2, -1]]
    assert t.player(0).reavers_seen.sum() == 2
    t = Table(3, "early")
    t.free()
    t.script(0, "action act", "recruits 3")
    t.script(1, "action act", "recruits unseen")
    t.script(2, "action rest 0")
    t.select(0, "recruit_reavers")
    assert [int(own.reavers.sum()) for own in t.hidden.own[:3]] == [1, 1, 0]


def test_rule_4_2_the_selector_gains_two_favor():
    for rules, favor in (({}, 2), ({"name": "early"}, 0), ({"recruit_bonus": "0"}, 0)):
        t = Table(2, **rules)
        t.at("recruit_reavers", 0, 0)
        t.free()
        t.call(recruit.recruit_nb, 0)
        t.at("recruit_reavers", 1, 1)
        t.call(recruit.recruit_nb, 1)
        assert [t.player(s).favor for s in range(2)] == [favor, 0]


def test_rule_4_3_dice_first_and_only_then_the_use_of_each_card():
    t = Table(2)
    t.give(0, "red ship, red ship, red ship, red ship, red ship, red ship, red ship, red ship")
    t.offer("reaver", "R01 + R18")
    t.crew_rolls(0, "red chest, red shield, yellow clan, yellow hammer")
    t.script(0, "action act", "recruits 0", "discard red ship", "discard yellow clan")
    t.script(0, "next_card 0", "reaver_use promote", "reaver_use slot 0")
    t.script(1, "action rest 0")
    t.select(0, "recruit_reavers")
    names = [e["event"] for e in t.events() if e["event"] in ("die_rolled", "die_discarded", "reaver_promoted")]
    assert names == ["die_rolled"] * 4 + ["die_discarded"] * 2 + ["reaver_promoted"]
    assert t.player(0).n_dice == 10


def test_rule_4_4_rally_or_specialise():
    t = Table()
    reaver = t.card("reaver", "R10")  # red+choice
    t.script(0, "reaver_use rally", "die red shield", "die blue clan")
    t.use_reaver(0, reaver)
    assert t.dice(0) == ["red shield", "blue clan"]
    assert t.player(0).n_specialists.sum() == 0
    for reaver in range(3):
        t.script(0, "reaver_use slot 2")
        t.use_reaver(0, reaver)
    assert t.player(0).specialist[2, :3].tolist() == [0, 1, 2]  # tucked under the others
    t.script(0, "reaver_use rally", "die red hammer")
    t.use_reaver(0, 3)
    assert t.offered("reaver_use")[-1] == [0, 1, 2, 3, 5]  # three in a slot are the most
    t.player(0).n_specialists[:] = 3
    t.script(0, "reaver_use promote")
    t.use_reaver(0, 3)
    assert t.offered("reaver_use")[-1] == [0, 1]
    assert Table(3, "early").game.edition.specialists_per_slot == MAX_SPECIALISTS


@pytest.mark.parametrize(("colour", "field", "gained"), [("red", "food", 4), ("blue", "favor", 2)])
def test_rule_4_5_promotion_brings_the_clan_bonus(colour, field, gained):
    t = Table()
    first, second = t.reaver(color=colour), t.reaver(color=colour) + 1
    for reaver in (first, second):
        t.script(0, "reaver_use promote")
        t.use_reaver(0, reaver)
    assert t.player(0)[field] == 2 * gained
    assert t.player(0).leader == second
    assert [e["old_leader"] for e in t.events("reaver_promoted")] == [-1, first]


def test_rule_4_5_a_yellow_leader_brings_a_keep_or_village_card():
    t = Table()
    t.stack("keep", "Jewels")
    t.stack("village", "Runic Carvings")
    yellow = t.reaver(color="yellow")
    for option, name in (("gain 0", "Jewels"), ("gain 1", "Runic Carvings")):
        t.script(0, "reaver_use promote", option)
        t.use_reaver(0, yellow)
        assert t.own(0).spoils[t.card("keep", name)] == 1


def test_rule_4_6_the_leaders_clan_icon_is_wild():
    cost = Table().game.edition.location_cost[3]
    for rules, is_wild in (({}, True), ({"leader_wild": "no"}, False), ({"name": "early"}, False)):
        t = Table(**rules)
        t.give(0, "blue clan, blue clan", food=2)
        assert not t.can_pay(0, cost)  # without a matching leader it is worth nothing
        t.lead(0, "red")
        assert not t.can_pay(0, cost)
        t.script(0, "reaver_use promote")
        t.use_reaver(0, t.reaver(color="blue"))
        assert t.can_pay(0, cost) == is_wild


def test_rule_4_6_a_wild_die_may_count_as_a_double_hammer():
    for rules, hammers in (({}, 2), ({"wild_as_double_hammer": "no"}, 1)):
        t = Table(**rules)
        t.give(0, "blue clan")
        t.lead(0, "blue")
        t.script(0, "hammer blue clan")
        t.fight(0, 9)
        assert len(t.events("combat_die")) == hammers


def test_rule_4_7_three_clans():
    t = Table()
    clans = {(row["clan"], row["color"]) for row in t.edition.rows["reavers.csv"]}
    assert clans == {("tyr", "red"), ("yggdrasil", "yellow"), ("odin", "blue")}
    assert COLOUR_NAMES == ("red", "yellow", "blue")


# 5. Trade with Villages


def test_rule_5_1_the_marker_and_three_two_one_one_actions():
    t = Table(4)
    t.free()
    for seat, n in ((2, 3), (3, 2), (0, 1), (1, 1)):
        t.script(seat, "action act", *["trade 1"] * n)
    t.select(2, "trade_with_villages")
    assert t.game.start_player == 2
    assert [t.player(s).food for s in range(4)] == [3, 3, 9, 6]
    for rules, holder in (({}, 0), ({"trade_marker_if_held": "pass_left"}, 1)):
        t = Table(3, **rules)
        t.call(trade.take_start_marker_nb, 0)
        assert t.game.start_player == holder
    assert Table(2).game.edition.bonus[1, :2].tolist() == [3, 1]


def test_rule_5_2_four_options_in_any_mix():
    t = Table(2)
    t.game.market[:] = 0
    for text in ("red ship", "blue chest", "blue chest"):
        t.game.market[kind(text)] += 1
    t.game.n_market = 3
    t.offer("prophecy", "P10", "P11", "P12")
    t.script(
        0, "action act", "trade 0", "market_die blue chest", "market_die red ship", "trade 2", "prophecy 1", "trade 3"
    )
    t.script(1, "action act", "trade 2", "prophecy unseen")
    t.stack("prophecy", "P01")
    t.select(0, "trade_with_villages")
    assert t.dice(0) == ["red ship", "blue chest"]
    assert t.player(0).favor == 2
    assert t.own(0).prophecy[t.card("prophecy", "P11")] == 1
    assert t.own(1).prophecy[t.card("prophecy", "P01")] == 1
    t = Table(2, "early")
    t.free()
    t.select(0, "trade_with_villages")
    assert t.offered("trade")[0] == [0, 1, 2]


def test_rule_5_3_market_dice_run_out_and_are_not_refilled():
    t = Table(2)
    t.game.market[:] = 0
    t.game.market[kind("red ship")] = 1
    t.game.n_market = 1
    t.script(0, "action act", "trade 0", "trade 1", "trade 1")
    t.script(1, "action act", "trade 3")
    t.select(0, "trade_with_villages")
    assert t.dice(0) == ["red ship"]  # one is left: one is taken
    assert t.offered("trade") == [[0, 1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3]]
    t = Table(2)
    t.free()
    t.script(0, "action act", "trade 2", "prophecy 0", "trade 2", "prophecy 1", "trade 1")
    t.script(1, "action rest 0")
    t.select(0, "trade_with_villages")
    assert t.offered("prophecy") == [[0, 1, 2, -1], [1, 2, -1]]
    t = Table(2, offer_refill_within_activation="yes")
    t.free()
    t.script(0, "action act", "trade 2", "prophecy 0", "trade 2", "prophecy 0", "trade 1")
    t.script(1, "action rest 0")
    t.select(0, "trade_with_villages")
    assert t.offered("prophecy") == [[0, 1, 2, -1], [0, 1, 2, -1]]


def test_rule_5_4_prophecies_are_secret_unless_taken_face_up():
    t = Table(2)
    t.stack("prophecy", "P01", "P02")
    decks.draw_card_nb(t.game, t.hidden, 0, 5)
    decks.take_space_nb(t.game, t.hidden, 0, 5, 0)
    assert t.player(0).n_prophecies == 2
    assert t.own(0).prophecy.sum() == 2
    assert t.player(0).prophecy_seen.sum() == 1
    assert t.player(0).prophecy_seen[t.card("prophecy", "P01")] == 0
