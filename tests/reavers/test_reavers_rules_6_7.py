"""Sections 6 and 7 of rules.md: Raid Villages, Raid Keeps, artifacts, ship upgrades, buildings."""

import pytest
from reavers_table import Table

from simcore.reavers import artifacts, paying, upgrades
from simcore.reavers.layout import COLOUR_NAMES, KEEP_DECK

# 6. Raid Villages


def test_rule_6_1_one_food_and_two_chests():
    t = Table(2)
    t.give(0, "red chest, blue chest, red ship", food=1)
    t.give(1, "red chest, blue chest")
    t.script(0, "action act", "spoils unseen")
    t.script(1, "action rest 0")
    t.stack("village", *["Runic Carvings"] * 4)
    t.select(0, "raid_villages")
    assert (t.player(0).food, t.dice(0)) == (0, ["red ship"])
    assert t.offered("action") == [[0, 1, 2], [1, 2]]
    t = Table(2, "early")
    t.give(1, "red chest, blue chest")
    assert t.can_pay(1, t.game.edition.location_cost[2])


def test_rule_6_2_a_group_or_two_unseen_and_unseen_bonus_cards():
    t = Table(3)
    for seat in range(3):
        t.give(seat, "red chest, red chest", food=1)
    t.offer("village", "Runic Carvings + Axes and Spears", "", "Runic Carvings + Runic Carvings")
    t.stack("village", *["Bundle of Swords"] * 5)
    t.script(1, "action act", "spoils 2")
    t.script(2, "action act", "spoils unseen")
    t.script(0, "action act")
    t.select(1, "raid_villages")
    swords, runes = t.card("village", "Bundle of Swords"), t.card("village", "Runic Carvings")
    assert [int(own.spoils[swords]) for own in t.hidden.own[:3]] == [0, 2, 3]
    assert [int(own.spoils[runes]) for own in t.hidden.own[:3]] == [1, 2, 0]
    assert t.offered("spoils") == [[0, 2, -1], [0, -1]]  # the deck is empty then: one group is left, nothing to ask
    assert t.player(1).spoils_seen[runes] == 2
    assert t.player(1).spoils_seen[swords] == 0


def test_rule_6_3_an_artifact_stores_a_die_of_its_face():
    t = Table(2)
    t.give(0, "red shield, blue shield, red chest")
    t.script(0, "loading 0 blue")
    t.gain_card(0, "village", "Artifact 1")
    assert t.player(0).stored[0] == COLOUR_NAMES.index("blue")
    assert t.dice(0) == ["red shield", "red chest"]
    t.stack("keep", "Jewels", "Jewels")
    t.script(1, "action rest 0")
    t.script(0, "artifact_use 0", "action rest 0")
    t.select(1, "raid_keeps")
    assert t.own(0).spoils[t.card("keep", "Jewels")] == 1  # also when resting
    assert t.player(0).stored[0] == -1
    assert t.player(0).artifact_used[0] == 1


def test_rule_6_3_once_an_activation_and_only_at_its_location():
    t = Table(2)
    t.artifact(0, "AR09", "red")  # recruit_reavers, 4 food
    t.artifact(0, "AR12", "red")
    t.at("recruit_reavers")
    t.script(0, "artifact_use 0")
    t.call(artifacts.use_artifacts_nb, 0)
    assert t.player(0).food == 4
    t.player(0).stored[0], t.player(0).n_stored = 0, 2
    t.call(artifacts.use_artifacts_nb, 0)
    assert t.player(0).food == 4
    t.at("raid_villages")
    t.player(0).artifact_used[:] = 0
    t.call(artifacts.use_artifacts_nb, 0)
    assert t.asked("artifact_use") == [0]


def test_rule_6_3_a_wild_die_is_not_stored_and_a_stored_one_may_pay():
    t = Table(2)
    t.give(0, "red clan")
    t.lead(0, "red")
    t.artifact(0, "AR01")
    t.settle(0)
    assert t.asked("loading") == []
    assert t.player(0).n_stored == 0
    t = Table(2)
    t.artifact(0, "AR01", "blue")
    t.give(0, "red shield, red ship, yellow shield", food=2)
    cost = int(t.game.edition.location_cost[3])
    t.script(0, "payment stored 0", "payment red shield")
    t.call(paying.pay_nb, 0, cost)
    assert t.dice(0) == ["red ship", "yellow shield"]
    assert t.player(0).n_stored == 0


def test_rule_6_3_a_fifth_artifact_goes_to_the_glory_pile_or_replaces_one():
    for choice, lost in (("given_up_artifact 4", "AR05"), ("given_up_artifact 1", "AR02")):
        t = Table(2)
        for name in ("AR01", "AR02", "AR03", "AR04"):
            t.artifact(0, name, "red")
        before = int(t.game.supply[0])
        t.script(0, choice)
        t.gain_card(0, "village", "Artifact 5")
        assert t.player(0).n_artifacts == 4
        assert t.own(0).n_artifacts == 5
        assert t.events("artifact_given_up")[0]["artifact"] == t.row("artifacts.csv", lost)
        assert t.offered("given_up_artifact") == [[0, 1, 2, 3, 4]]
        assert int(t.game.supply[0]) - before == (lost == "AR02")  # its die returns to the supply


def test_rule_6_4_a_token_or_three_glory():
    t = Table(2)
    t.script(0, "gain 0")
    t.gain_card(0, "village", "Ship Upgrade 2")
    assert t.player(0).upgrade[0] == t.row("ship_upgrades.csv", "Shield Rail")
    t.script(0, "gain 1")
    t.gain_card(0, "village", "Ship Upgrade 3")
    assert (t.player(0).glory, t.player(0).n_upgrades) == (3, 1)
    assert len(t.events("card_to_bottom")) == 2
    t.upgrade(0, "Ram")
    t.upgrade(0, "Sail")
    t.script(0, "gain 0", "returned_upgrade 1")
    t.gain_card(0, "village", "Ship Upgrade 6")
    assert t.player(0).upgrade[1] == t.row("ship_upgrades.csv", "Armoured Hold")
    assert t.player(0).n_upgrades == 3
    t = Table(2, "early")
    t.gain_card(0, "village", "Ship Upgrade 3")
    assert t.asked("gain") == []
    assert t.player(0).n_upgrades == 1


def test_rule_6_4_a_token_acts_as_a_spent_die_and_is_ready_again():
    for name, ready in (("published", 1), ("early", 0)):
        t = Table(2, name)
        t.upgrade(0, "Warship Prow")  # ship or hammer
        t.give(0, "blue shield")
        combination = t.game.edition.battle_cost[t.card("battle", "Raider Longship")]
        assert t.can_pay(0, combination)
        assert paying.count_sources_nb(t.game, t.player(0), 0) == 1
        t.call(paying.pay_nb, 0, int(combination))
        assert t.player(0).upgrade_ready[0] == 0
        assert not t.can_pay(0, combination)
        t.everybody_rests()
        t.select(0, "recruit_reavers")
        assert t.player(0).upgrade_ready[0] == ready
        t.free()
        t.clean_up()
        assert t.player(0).upgrade_ready[0] == 1


@pytest.mark.parametrize(("name", "field", "gained"), [("Farm (small)", "food", 2), ("Village Wall", "favor", 1)])
def test_rule_6_5_farms_and_walls_bring_something_and_can_be_pillaged(name, field, gained):
    t = Table(2)
    t.give(0, "red hammer2")
    t.script(0, "pillage no")
    t.gain_card(0, "village", name)
    assert t.player(0)[field] == gained
    t.script(0, "pillage yes", "hammer red hammer2")
    t.combat_rolls(0, 1, 1)
    t.gain_card(0, "village", name)
    assert t.player(0)[field] == 3 * gained
    assert t.player(0).token.tolist() == ([0, 0, 1, 1] if field == "food" else [1, 0, 0, 1])
    assert len(t.events("card_to_bottom")) == 2
    t = Table(2, terror="no")
    t.give(0, "red hammer2")
    t.script(0, "pillage yes", "hammer red hammer2")
    t.combat_rolls(0, 1, 1)
    t.gain_card(0, "village", name)
    assert t.player(0).token[3] == 0


def test_rule_6_5_a_failed_pillage_keeps_the_gain_and_loses_the_dice():
    t = Table(2)
    t.give(0, "red hammer, blue hammer")
    t.script(0, "pillage yes", "hammer red hammer", "hammer blue hammer")
    t.combat_rolls(0, 0, 1)
    t.gain_card(0, "village", "Farm (large)")
    assert (t.player(0).food, t.dice(0), t.player(0).token.sum()) == (3, [], 0)


def test_rule_6_6_weapons_and_runes_go_to_the_glory_pile():
    t = Table(2)
    for name in ("Bundle of Swords", "Bows and Arrows", "Axes and Spears", "Runic Carvings"):
        t.gain_card(0, "village", name)
        assert t.own(0).spoils[t.card("village", name)] == 1
    assert t.asked("next_card") == []
    names = {row["category"] for row in Table(2, "early").edition.spoils}
    assert not names & {"weapons", "runic"}


# 7. Raid Keeps


def test_rule_7_1_two_food_and_two_shields():
    for name in ("published", "early"):
        t = Table(2, name)
        t.give(0, "red shield, blue shield, red hammer", food=2)
        t.stack("keep", *["Jewels"] * 4)
        t.script(0, "action act", "spoils unseen")
        t.script(1, "action rest 0")
        t.select(0, "raid_keeps")
        assert (t.player(0).food, t.dice(0)) == (0, ["red hammer"])
        t.give(0, "red shield", food=2)
        assert not t.can_pay(0, t.game.edition.location_cost[3])


def test_rule_7_2_a_group_or_two_unseen_and_unseen_bonus_cards():
    t = Table(3)
    for seat in range(3):
        t.give(seat, "red shield, red shield", food=2)
    t.offer("keep", "Jewels + Painting")
    t.stack("keep", *["Helm"] * 7)
    t.script(0, "action act", "spoils 0")
    t.script(1, "action act")
    t.script(2, "action act")
    t.select(0, "raid_keeps")
    assert [int(own.spoils.sum()) for own in t.hidden.own[:3]] == [4, 3, 2]


def test_rule_7_3_sets_and_tapestries_are_kept():
    t = Table(2)
    for name in ("Gold Coins", "Sculpture", "Mail Coat", "Tapestry A"):
        t.gain_card(0, "keep", name)
        assert t.own(0).spoils[t.card("keep", name)] == 1
    early = {row["category"] for row in Table(2, "early").edition.rows["keep_spoils.csv"]}
    assert early == {"treasure", "art", "armor"}


def test_rule_7_4_keep_wall():
    for rules, terror in (({}, 0), ({"terror_from_keep": "yes"}, 1)):
        t = Table(2, **rules)
        t.give(0, "blue hammer2")
        t.script(0, "pillage yes", "hammer blue hammer2")
        t.combat_rolls(0, 1, 1)
        t.gain_card(0, "keep", "Keep Wall")
        assert (t.player(0).favor, t.player(0).token[0], t.dice(0)) == (3, 1, [])
        assert t.player(0).token[3] == terror
        assert t.events("combat_begins")[0]["defense"] == 2


def test_rule_7_5_tower():
    t = Table(2)
    t.give(0, glory=10)
    t.crew_rolls(0, "blue hammer2, red hammer2")
    t.script(0, "colour blue", "colour red", "pillage yes", "hammer blue hammer2", "hammer red hammer2")
    t.combat_rolls(0, 1, 1, 1, 0)
    t.gain_card(0, "keep", "Tower")
    assert (t.player(0).glory, t.player(0).token[1]) == (13, 1)
    assert t.events("combat_begins")[0]["defense"] == 3
    assert [e["deck"] for e in t.events("card_to_bottom")] == [KEEP_DECK]


def test_tokens_that_are_used_up_leave_only_the_glory():
    t = Table(2)
    t.game.upgrade_supply[:] = 0
    t.gain_card(0, "village", "Ship Upgrade 3")
    assert (t.player(0).glory, t.player(0).n_upgrades) == (3, 0)
    assert not upgrades.has_token_nb(t.game, -1)


def test_a_token_without_its_card_is_chosen_from_the_supply():
    t = Table(2)
    t.game.upgrade_supply[:] = [0, 1, 0, 2, 0, 0] + [0] * 6
    t.script(0, "upgrade 3")
    t.call(upgrades.take_any_upgrade_nb, 0)
    assert t.offered("upgrade") == [[1, 3]]
    assert t.player(0).upgrade[0] == 3
