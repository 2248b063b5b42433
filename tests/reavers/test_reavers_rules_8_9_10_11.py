"""Sections 8 to 11 of rules.md: sea, dice, combat, territories."""

import pytest
from reavers_table import Table, kind

from simcore.reavers import paying, sea, territories
from simcore.reavers.layout import COLOUR_NAMES, FACE_NAMES, N_KINDS

# 8. Battle at Sea


def test_rule_8_1_four_food_and_two_glory_for_the_selector():
    t = Table(3)
    for seat, food in enumerate((4, 4, 5)):
        t.give(seat, food=food)
    t.free()
    t.stack("journey", "Calm Seas", "Calm Seas", "Fair Winds")
    for seat in range(3):
        t.script(seat, "action act")
    t.select(0, "battle_at_sea")
    assert [t.player(s).food for s in range(3)] == [0, 0, 2]  # Fair Winds brings 1
    assert [t.player(s).glory for s in range(3)] == [2, 0, 0]
    for rules, glory in (({}, 0), ({"selector_bonus_without_participation": "yes"}, 2)):
        t = Table(2, **rules)
        t.give(0, food=3)
        t.everybody_rests()
        t.select(0, "battle_at_sea")
        assert t.player(0).glory == glory


def test_rule_8_2_pay_or_suffer_a_journey():
    t = Table(2)
    t.give(0, food=1, favor=2, dice="red ship")
    t.stack("journey", "Spoiled Stores", "Adverse Omen", "Storm", "Fair Winds", "Calm Seas")
    t.script(0, "journey pay")
    t.call(sea.travel_nb, 0)
    assert (t.player(0).food, t.player(0).glory) == (0, 0)
    t.script(0, "journey suffer")
    t.call(sea.travel_nb, 0)
    assert t.player(0).extra_defense == 1
    t.script(0, "journey pay")
    t.call(sea.travel_nb, 0)
    assert t.dice(0) == []
    t.call(sea.travel_nb, 0)
    assert t.player(0).food == 1
    t.call(sea.travel_nb, 0)
    assert len(t.events("card_to_bottom")) == 5
    t.stack("journey", "Spoiled Stores")
    t.give(0, food=0)
    t.call(sea.travel_nb, 0)  # cannot pay: suffers unasked
    assert t.player(0).glory == -2
    assert len(t.asked("journey")) == 3
    t = Table(2, journey_payment="forced_if_able")
    t.give(0, food=1)
    t.stack("journey", "Spoiled Stores")
    t.call(sea.travel_nb, 0)
    assert (t.player(0).food, t.asked("journey")) == (0, [])


def test_rule_8_3_by_dice_or_by_combat():
    t = Table(2)
    t.offer("battle", "Kraken", "Raider Skiff")
    t.give(0, "red ship, blue hammer")
    t.script(0, "battle 1", "battle_way dice")
    t.call(sea.fight_battle_nb, 0)
    assert (t.player(0).glory, t.player(0).food, t.player(0).n_battles, t.dice(0)) == (7, 2, 1, [])
    assert t.game.offer[4, 1, 0] == -1  # not refilled during the action
    t.give(0, "red hammer2, blue hammer")
    t.player(0).extra_defense = 1
    t.combat_rolls(0, 2, 1, 0)
    t.stack("battle", "Raider Longship")
    t.script(0, "battle unseen", "hammer red hammer2", "hammer blue hammer")
    t.call(sea.fight_battle_nb, 0)
    assert t.events("combat_ends")[0]["successes"] == 3
    assert t.player(0).n_battles == 1  # Defense 3 + 1
    assert t.game.n_discard[4] == 1
    assert t.player(0).extra_defense == 0


def test_rule_8_3_a_lost_battle_goes_under_the_deck_or_stays():
    for rules, stays in (({}, False), ({"lost_battle": "stays"}, True)):
        t = Table(2, **rules)
        t.offer("battle", "Kraken")
        t.script(0, "battle 0")
        t.call(sea.fight_battle_nb, 0)
        assert (t.game.offer[4, 0, 0] >= 0) == stays
        assert bool(t.events("card_to_bottom")) != stays


# 9. Crew dice


def test_rule_9_1_six_faces_and_two_profiles():
    assert FACE_NAMES == ("hammer", "hammer2", "shield", "chest", "ship", "clan")
    assert Table().game.edition.crew_face.tolist() == [[0, 1, 2, 3, 4, 5]] * 3
    skewed = Table(crew_dice="skewed").game.edition
    assert skewed.has_face.sum() == 15
    assert sorted(skewed.crew_face[0].tolist()) == [0, 0, 1, 2, 3, 5]


def test_rule_9_2_ten_dice_and_old_or_new_ones_are_discarded():
    t = Table()
    t.give(0, "red ship, red ship, red ship, red ship, red ship, red ship, red ship, red ship, blue clan")
    for text in ("blue hammer", "blue hammer", "yellow chest"):
        t.give(0, text)
    before = t.game.supply.copy()
    t.script(0, "discard red ship", "discard yellow chest")
    t.settle(0)
    assert t.player(0).n_dice == 10
    assert (t.game.supply - before).tolist() == [1, 1, 0]
    assert t.player(0).n_dice_discarded == 2
    assert t.offered("discard")[0] == sorted(
        {kind("red ship"), kind("blue clan"), kind("blue hammer"), kind("yellow chest")}
    )


def test_rule_9_3_gained_dice_are_rolled_chosen_or_taken_as_they_lie():
    t = Table()
    t.crew_rolls(0, "red shield")
    t.gain(0, int(t.game.edition.ability_gain[t.reaver(ability_id="A05", color="red")]))
    assert t.dice(0) == ["red shield"]
    t.script(0, "die yellow ship")
    t.gain(0, int(t.game.edition.ability_gain[t.reaver(ability_id="A11")]))
    assert t.dice(0) == ["red shield", "yellow ship"]


def test_rule_9_4_double_hammers_upgrades_and_wilds_pay():
    for rules, pays in (({}, True), ({"double_pays_single": "no"}, False)):
        t = Table(**rules)
        cost = t.game.edition.battle_cost[t.card("battle", "Raider Skiff")]  # hammer, ship
        t.give(0, "red hammer2, blue ship")
        assert t.can_pay(0, cost) == pays
    t = Table()
    t.lead(0, "blue")
    t.upgrade(0, "Armoured Hold")  # shield or chest
    t.give(0, "blue clan, red hammer2, red ship")
    serpent = int(t.game.edition.battle_cost[t.card("battle", "Sea Serpent")])  # hammer, shield, ship, chest
    assert t.can_pay(0, serpent)
    t.script(0, "payment blue clan")
    t.call(paying.pay_nb, 0, serpent)
    assert t.dice(0) == []
    # the wild may not pay the hammer, since shield and chest need it; the shield may be paid in two ways
    assert t.offered("payment") == [[kind("blue clan"), 18]]


@pytest.mark.parametrize("seed", range(6))
def test_payable_combinations_against_trying_everything(seed):
    """`covers_faces_nb` against a search over all ways to assign dice, upgrades and wilds."""
    import random

    draw = random.Random(seed)
    for _ in range(60):
        rules = {"double_pays_single": draw.choice(["yes", "no"]), "wild_as_double_hammer": draw.choice(["yes", "no"])}
        t = _tables(tuple(rules.values()))
        t._empty(0)
        for _ in range(draw.randint(0, 5)):
            t.give(0, f"{draw.choice(COLOUR_NAMES)} {draw.choice(FACE_NAMES)}")
        for _ in range(draw.randint(0, 3)):
            t.upgrade(0, draw.choice(["Ram", "Shield Rail", "Warship Prow", "Armoured Hold"]))
        if draw.random() < 0.5:
            t.lead(0, draw.choice(COLOUR_NAMES))
        due = [draw.choice(range(6)) for _ in range(draw.randint(1, 5))]
        faces = sum(1 << 5 * face for face in due)
        assert bool(paying.covers_faces_nb(t.game, t.player(0), faces)) == _covers(t, due, rules), (due, t.dice(0))


def _tables(key, made={}):  # noqa: B006
    if key not in made:
        made[key] = Table(2, double_pays_single=key[0], wild_as_double_hammer=key[1])
    return made[key]


def _covers(t, due, rules) -> bool:
    """Kuhn's matching over sources and the faces each can pay."""
    player = t.player(0)
    sources = []
    for k in range(N_KINDS):
        can = {k % 6}
        if k % 6 == 1 and rules["double_pays_single"] == "yes":
            can.add(0)
        if k == player.wild_kind:
            can = {0, 2, 3, 4, 5} | ({1} if rules["wild_as_double_hammer"] == "yes" else set())
        sources += [can] * int(player.die[k])
    for space in range(player.n_upgrades):
        names = t.edition.rows["ship_upgrades.csv"][player.upgrade[space]]["faces"].split("|")
        sources.append({FACE_NAMES.index(name) for name in names})
    taken: dict[int, int] = {}

    def assign(i, seen):
        for s, can in enumerate(sources):
            if due[i] in can and s not in seen:
                seen.add(s)
                if s not in taken or assign(taken[s], seen):
                    taken[s] = i
                    return True
        return False

    return all(assign(i, set()) for i in range(len(due)))


# 10. Combat


def test_rule_10_1_one_combat_die_a_hammer_all_committed_first():
    t = Table()
    t.give(0, "red hammer2, blue hammer2, yellow hammer, red ship")
    t.script(0, "hammer red hammer2", "hammer blue hammer2", "hammer yellow hammer")
    t.fight(0, 9)
    assert len(t.events("combat_die")) == 5
    assert t.dice(0) == ["red ship"]
    names = [e["event"] for e in t.events()]
    assert max(i for i, n in enumerate(names) if n == "die_spent") < names.index("combat_die")
    t = Table()
    t.give(0, "red hammer2, yellow hammer")
    t.script(0, "hammer yellow hammer", "hammer none")
    t.combat_rolls(0, 0)
    t.fight(0, 9)
    assert t.dice(0) == ["red hammer2"]


def test_rule_10_1_hammers_may_be_added_between_rolls_by_a_switch():
    t = Table(add_hammers_between_rolls="yes")
    t.give(0, "red hammer, yellow hammer")
    t.combat_rolls(0, 1, 1)
    t.script(0, "hammer yellow hammer", "hammer none", "hammer red hammer")
    assert t.fight(0, 2)


def test_rule_10_2_enough_successes():
    for rolls, won in (((0, 1, 1), True), ((0, 0, 1), False), ((0, 2, 0), True)):
        t = Table()
        t.give(0, "red hammer2, yellow hammer")
        t.combat_rolls(0, *rolls)
        t.script(0, "hammer red hammer2", "hammer yellow hammer")
        assert t.fight(0, 2) == won
    assert sorted(Table().game.edition.combat_face.tolist()) == [0, 0, 1, 1, 1, 2]


def test_rule_10_3_a_favor_rerolls_any_dice():
    t = Table()
    t.give(0, "red hammer2, yellow hammer", favor=2)
    t.combat_rolls(0, 1, 0, 0, 1, 0, 2, 0)
    t.script(0, "hammer red hammer2", "hammer yellow hammer", "combat_reroll 2 0", "combat_reroll 1 1")
    assert t.fight(0, 3)  # 1 0 0, then 1 1 0, then 1 2 0
    assert t.player(0).favor == 0
    assert t.player(0).n_rerolls == 2
    assert len(t.offered("combat_reroll")[0]) == 6  # 0 to 2 zeros, 0 or 1 ones
    t = Table()
    t.give(0, "red hammer", favor=2)
    t.combat_rolls(0, 0)
    t.script(0, "combat_reroll 0")
    t.free()
    assert not t.fight(0, 1)
    assert t.player(0).favor == 2


def test_rule_10_4_failure_loses_only_the_dice_and_dice_are_noted_when_short():
    t = Table()
    t.give(0, "red hammer2, red hammer2, red hammer2, red hammer2, red hammer2, red hammer2, red hammer2")
    t.script(0, *["hammer red hammer2"] * 7)
    t.fight(0, 90)
    assert len(t.events("combat_die")) == 14
    assert len(t.events("combat_dice_noted")) == 1
    ends = t.events("combat_ends")[0]
    assert ends["successes"] == sum(e["successes"] for e in t.events("combat_die"))
    assert (t.player(0).glory, t.player(0).food, t.player(0).n_dice) == (0, 0, 0)


# 11. Subdue Territories


def test_rule_11_1_three_two_one_one_attempts():
    t = Table(4)
    for seat in range(4):
        t.give(seat, food=30)
        t.script(seat, "action act")
    t.free()
    t.select(1, "subdue_territories")
    assert [t.player(s).n_tiles for s in range(4)] == [1, 3, 2, 1]
    assert Table(2).game.edition.bonus[5, :2].tolist() == [3, 1]
    t = Table(2)
    t.give(0, food=30)
    t.script(0, "action act", "territory food 1 peace", "territory stop")
    t.script(1, "action rest 0")
    t.select(0, "subdue_territories")
    assert t.player(0).n_tiles == 1
    assert -1 not in t.offered("territory")[0]  # no attempt at all is a rest
    assert -1 in t.offered("territory")[1]


def test_rule_11_2_types_levels_and_the_top_tiles():
    t = Table()
    for stack in range(9):
        assert territories.defense_nb(stack) == stack % 3 + 1
    colours = {(row["type"], row["color"]) for row in t.edition.rows["territories.csv"]}
    assert colours == {("food", "red"), ("favor", "blue"), ("dice", "purple")}
    assert all(row["level"] == row["defense"] for row in t.edition.rows["territories.csv"])
    assert (t.game.tile_cost >= 0).all()
    assert (t.game.tile_shown == -1).all()
    assert (Table(territory_rewards="open").game.tile_shown >= 0).all()


def test_rule_11_3_force_or_peace_and_rewards_after_the_last_attempt():
    t = Table(2)
    t.give(0, "red hammer, blue ship, blue ship, yellow chest", favor=3)
    t.script(0, "action act", "territory dice 2 force", "hammer red hammer", "combat_reroll 0")
    t.script(0, "territory favor 2 peace", "territory dice 1 peace", "lost_die blue ship", "lost_die yellow chest")
    t.script(1, "action rest 0")
    t.combat_rolls(0, 1)
    t.free()
    t.select(0, "subdue_territories")
    assert t.player(0).n_tiles == 2
    assert t.player(0).tile_income == 2
    names = [e["event"] for e in t.events() if e["event"].startswith("territory_") and "top" not in e["event"]]
    assert names == ["territory_claimed"] * 2 + ["territory_turned_over"] * 2
    assert t.game.n_stack.tolist() == [4, 3, 3, 4, 2, 3, 3, 3, 3]


def test_rule_11_4_owned_tiles_pay_in_each_cleanup():
    t = Table(2)
    t.give(1, food=30)
    t.script(1, "action act", *["territory food 1 peace"] * 3)
    t.script(0, "action rest 0")
    t.free()
    t.select(1, "subdue_territories")
    before = int(t.player(1).glory)
    t.clean_up()
    assert t.player(1).glory == before + 3
    assert t.player(1).glory_from[3] == 3
