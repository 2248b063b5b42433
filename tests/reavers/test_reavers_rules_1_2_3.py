"""Sections 1 to 3 of rules.md: components, set-up, rounds. And that no numbered rule is without a test."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from reavers_games import ANY, Record
from reavers_table import NUMBER, Table, kind

from simcore.contract import DataError
from simcore.reavers import activation, decks, setup, trade
from simcore.reavers.cards import load_edition
from simcore.reavers.events import LOCATION_SELECTED, ROUND_STARTS, START_MARKER
from simcore.reavers.layout import (
    COLOUR_NAMES,
    DECK_NAMES,
    MAX_ARTIFACT_SPACES,
    N_STACKS,
    TERRITORY_NAMES,
    TOKEN_NAMES,
)

DOCS = Path(__file__).parents[2] / "docs" / "reavers"
HERE = Path(__file__).parent


def test_every_numbered_rule_has_a_test():
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^(?:\| )?(\d+\.\d+)\b", text, re.MULTILINE))
    assert len(numbers) == 84
    tested = set()
    for file in HERE.glob("test_*.py"):
        found = re.findall(r"^def test_rule_(\d+)_(\d+)_\w+", file.read_text(encoding="utf-8"), re.MULTILINE)
        tested |= {f"{section}.{rule}" for section, rule in found}
    assert sorted(numbers - tested) == []
    assert sorted(tested - numbers) == []


# 1. Components


def test_rule_1_1_two_to_four_players_and_five_only_in_the_early_edition():
    for n_players in (2, 3, 4):
        assert Table(n_players).game.n_players == n_players
    with pytest.raises(DataError, match="2 to 4 players, not 5"):
        Record(5)
    assert Record(5, name="early").game.n_players == 5


def test_rule_1_2_player_boards():
    t = Table()
    assert (t.game.edition.dice_spaces, t.game.edition.artifact_spaces, t.game.edition.upgrade_spaces) == (10, 4, 3)
    assert len(t.player(0).n_specialists) == 4
    assert MAX_ARTIFACT_SPACES >= 4


def test_rule_1_3_sixty_six_dice():
    t = Table()
    assert t.game.edition.dice_in_box.tolist() == [18, 18, 18]
    assert int(t.game.edition.dice_in_box.sum()) + int(t.game.edition.n_combat_dice) == 66


def test_rule_1_4_six_decks():
    assert DECK_NAMES == ("reaver", "village", "keep", "journey", "battle", "prophecy")
    assert Table().game.edition.n_deck.tolist() == [48, 56, 54, 18, 24, 24]


def test_rule_1_5_thirty_territory_tiles():
    assert Table().game.edition.n_stack.tolist() == [4, 3, 3] * 3


def test_rule_1_6_tokens_without_trophies():
    assert TOKEN_NAMES == ("wall", "tower", "farm", "terror")
    assert Table().game.edition.upgrade_copies[:6].tolist() == [2] * 6


# 2. Set-up


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_rule_2_1_round_one_and_no_points(n_players):
    t = Table(n_players)
    assert t.set_up_events[0]["event"] == "game_starts"
    assert [t.player(seat).glory for seat in range(n_players)] == [0] * n_players


def test_rule_2_2_the_start_player_is_drawn_at_random():
    record = Record(4)
    starts = Counter()
    for block in range(200):
        record.hidden.seed, record.hidden.block = np.uint64(5), block
        setup.choose_start_player_nb(record.game, record.hidden)
        starts[int(record.game.start_player)] += 1
    assert sorted(starts) == [0, 1, 2, 3]
    assert min(starts.values()) > 25


@pytest.mark.parametrize(("n_players", "order"), [(2, [1, 0, 1, 0]), (3, [1, 2, 0, 1]), (4, [1, 2, 3, 0])])
def test_rule_2_3_pawns_and_the_honor_ship(n_players, order):
    t = Table(n_players)
    t.game.first_player = 1
    t.game.honor_ship = 1 if n_players == 3 else -1
    assert t.game.edition.n_selections == 4
    assert [activation.selector_nb(t.game, k) for k in range(4)] == order


def test_rule_2_4_food_clockwise_from_the_start_player_and_one_favor():
    for n_players in (2, 3, 4):
        events = Table(n_players).set_up_events
        start = events[0]["start_player"]
        first = {}
        for event in events:
            if event["event"] in ("food", "favor"):
                first.setdefault((event["event"], event["seat"]), event[event["event"]])
        assert [first["food", (start + i) % n_players] for i in range(n_players)] == [4, 5, 6, 7][:n_players]
        assert [first["favor", seat] for seat in range(n_players)] == [1] * n_players


def test_rule_2_5_two_reavers_or_three_dice_and_a_prophecy():
    t = Table(3)
    drawn = [e for e in t.set_up_events if e["event"] == "card_drawn"]
    reavers = [e for e in drawn if DECK_NAMES[e["deck"]] == "reaver"]
    assert Counter(e["seat"] for e in reavers) == {0: 2, 1: 2, 2: 2}
    rolled = Counter()
    for e in reavers:
        rolled += Counter({e["seat"]: int(t.game.edition.reaver_roll[e["card"]].sum())})
    assert Counter(e["seat"] for e in t.set_up_events if e["event"] == "die_rolled") == rolled
    assert sum(e["event"].startswith("reaver_") for e in t.set_up_events) == 6  # each is used at once
    t = Table(3, "early")
    drawn = [e for e in t.set_up_events if e["event"] == "card_drawn"]
    assert Counter(DECK_NAMES[e["deck"]] for e in drawn) == {"prophecy": 3}
    dice = [(e["seat"], e["colour"]) for e in t.set_up_events if e["event"] == "die_rolled"]
    assert sorted(dice) == [(seat, colour) for seat in range(3) for colour in range(3)]


def test_rule_2_6_two_rolled_market_dice_of_each_colour():
    t = Table()
    assert [int(t.game.market[6 * c : 6 * c + 6].sum()) for c in range(3)] == [2, 2, 2]
    market = {tuple(Table().game.market.tolist())}
    for _ in range(5):
        t.call(trade.fill_market_nb)
        market.add(tuple(t.game.market.tolist()))
    assert len(market) > 1


def test_rule_2_7_shuffled_decks_and_stacks():
    record = Record(2)
    seen = set()
    tops = set()
    for block in range(30):
        record.hidden.block = block
        decks.open_decks_nb(record.game, record.hidden)
        seen.add(tuple(int(decks.draw_nb(record.game, record.hidden, 0)) for _ in range(3)))
        setup.open_stacks_nb(record.game, record.hidden)
        tops.add(tuple(int(record.hidden.stack[s, record.game.n_stack[s] - 1]) for s in range(N_STACKS)))
    assert len(seen) == 30
    assert len(tops) == 30
    for stack in range(N_STACKS):  # sorted by type and level
        for tile in record.hidden.stack[stack, : record.game.n_stack[stack]]:
            row = record.edition.rows["territories.csv"][tile]
            assert (TERRITORY_NAMES.index(row["type"]), row["level"] - 1) == divmod(stack, 3)


def test_rule_2_8_face_up_offers_by_players():
    for n_players in (2, 3, 4):
        offer = Table(n_players).game.offer
        for deck, n_cards in (("reaver", 2), ("village", 2), ("keep", 2), ("battle", 1)):
            filled = (offer[DECK_NAMES.index(deck)] >= 0).sum(axis=1).tolist()
            assert filled == [n_cards] * n_players + [0] * (8 - n_players)
        assert (offer[DECK_NAMES.index("prophecy")] >= 0).sum() == 3
    for n_players, sizes in ((2, [2, 2, 1]), (3, [2, 2, 1, 1]), (4, [2, 2, 2, 1, 1])):
        filled = (Table(n_players, "early").game.offer[0] >= 0).sum(axis=1).tolist()
        assert filled == sizes + [0] * (8 - len(sizes))


# 3. Round


def test_rule_3_1_six_rounds():
    t = Table()
    assert t.game.edition.n_rounds == 6
    events = Record(3).events(1)
    assert [row[1] for row in events.tolist() if row[0] == ROUND_STARTS] == [1, 2, 3, 4, 5, 6]


def test_rule_3_2_four_selections_and_a_marker_that_acts_from_the_next_round():
    for n_players in (2, 3, 4):
        marker, rounds = None, 0
        for row in Record(n_players, (ANY,)).events(2).tolist():
            if row[0] == ROUND_STARTS:
                assert marker in (None, row[2])
                due = [(row[2] + k) % n_players for k in range(4)]
                if n_players == 3:
                    due[3] = row[3]
                marker, rounds = row[2], rounds + 1
            elif row[0] == LOCATION_SELECTED:
                assert row[1] == due.pop(0)
            elif row[0] == START_MARKER:
                marker = row[1]
        assert (due, rounds) == ([], 6)


def test_rule_3_3_a_location_once_a_round_and_also_if_it_cannot_be_paid():
    t = Table(2)
    t.free()
    t.game.is_selected[:] = [1, 0, 0, 1, 0, 0]
    t.script(0, "location raid_villages")
    t.everybody_rests()
    t.call(activation.activate_nb, 0)
    assert t.offered("location")[0] == [1, 2, 4, 5]
    assert t.offered("action")[0] == [1, 2]  # seat 0 has no dice: it rests
    assert t.game.is_selected.tolist() == [1, 0, 1, 1, 0, 0]


def test_rule_3_4_specialists_of_all_act_before_anybody_pays_or_rests():
    t = Table(3)
    t.specialise(2, "raid_keeps", "A01")
    t.specialise(1, "raid_keeps", "A02", "A09")
    t.specialise(1, "raid_villages", "A04")
    t.script(1, "ability use", "ability skip", "action rest 0")
    t.script(2, "ability use", "action rest 0")
    t.script(0, "action rest 0")
    t.select(2, "raid_keeps")
    assert t.asked("ability") == [2, 1, 1]  # from the selector, top card first
    decisions = [e["decision"] for e in t.events("decision")]
    assert decisions == [NUMBER["ability"]] * 3 + [NUMBER["action"]] * 3
    assert t.asked("action") == [2, 0, 1]
    assert [t.player(seat).food for seat in range(3)] == [2, 4, 3]
    assert t.player(1).favor == 0  # another slot's specialist


def test_rule_3_5_rest_for_two_food_or_a_die_on_any_face():
    t = Table(2)
    t.script(0, "action rest 0")
    t.script(1, "action rest 1", "die blue ship")
    t.select(0, "raid_keeps")
    assert (t.player(0).food, t.dice(0)) == (2, [])
    assert (t.player(1).food, t.dice(1)) == (0, ["blue ship"])
    assert t.offered("die") == [list(range(18))]
    assert t.offered("action") == [[1, 2], [1, 2]]  # compulsory without the means
    t.clear_log()
    t.everybody_rests()
    t.select(0, "recruit_reavers")
    assert t.offered("action") == [[0, 1, 2], [0, 1, 2]]  # allowed where it is free
    t = Table(2, rest_at_free_location="no")
    t.free()
    t.select(0, "trade_with_villages")
    assert t.asked("action") == []


def test_rule_3_6_bonuses_by_distance_do_not_move_up():
    t = Table(4)
    for seat in (1, 3):
        t.give(seat, "red chest, red chest", food=1)
    t.free()
    t.script(1, "action act", "spoils unseen")
    t.script(3, "action act", "spoils unseen")
    t.script(2, "action rest 0")
    t.script(0, "action rest 0")
    t.stack("village", *["Runic Carvings"] * 6)
    t.select(1, "raid_villages")
    assert [int(own.spoils.sum()) for own in t.hidden.own[:4]] == [0, 4, 0, 2]


def test_rule_3_7_the_other_of_two_players_has_the_last_seats_bonus():
    assert Table(2).game.edition.bonus[:, 1].tolist() == [0, 1, 0, 0, 0, 1]
    assert Table(2, "early").game.edition.bonus[:, 1].tolist() == [0, 2, 1, 1, 0, 2]
    assert Table(2, two_player_bonus_seat="2").game.edition.bonus[:, 1].tolist() == [0, 2, 1, 1, 0, 2]


def test_rule_3_8_cleanup():
    t = Table(3)
    t.game.honor_ship = 2
    t.give(0, glory=10, n_tiles=4, tile_income=4)
    t.give(1, glory=20)
    before = t.game.offer.copy()
    n_discard = t.game.n_discard.copy()
    t.clean_up()
    assert [t.player(s).glory for s in range(3)] == [14, 20, 0]
    assert t.game.honor_ship == 0
    assert t.game.n_market == 6
    names = [e["event"] for e in t.events()]
    assert (
        names.index("honor_ship") < names.index("glory") < names.index("market_cleared") < names.index("card_to_bottom")
    )
    assert (t.game.n_discard - n_discard).tolist() == [6, 6, 6, 0, 3, 3]
    assert t.game.offer.tolist() != before.tolist()
    t.game.rounds_left = 0  # the last round goes straight to the final scoring
    t.clear_log()
    t.clean_up()
    assert t.events() == []
    assert t.player(0).glory == 14
    t = Table(3, territory_glory_round6="yes")
    t.game.rounds_left = 0
    t.give(0, tile_income=4)
    t.clean_up()
    assert t.player(0).glory == 4


def test_rule_3_8_cleanup_of_the_early_text_fills_gaps_only():
    t = Table(3, "early")
    t.upgrade(1, "Ram", ready=0)
    t.game.offer[1, 1] = -1
    before = t.game.offer[1].tolist()
    t.clean_up()
    after = t.game.offer[1].tolist()
    assert after[0] == before[0]
    assert after[2] == before[2]
    assert min(after[1]) >= 0
    assert t.player(1).upgrade_ready[0] == 1


def test_rule_3_9_discards_are_shuffled_into_a_new_deck_when_reached():
    t = Table()
    t.stack("battle", "Kraken")
    decks.discard_nb(t.game, t.hidden, 4, 2)
    decks.discard_nb(t.game, t.hidden, 4, 3)
    assert decks.draw_nb(t.game, t.hidden, 4) == t.card("battle", "Kraken")
    assert {decks.draw_nb(t.game, t.hidden, 4), decks.draw_nb(t.game, t.hidden, 4)} == {2, 3}
    assert [e["n_cards"] for e in t.events("deck_reshuffled")] == [2]


def test_rule_3_10_cards_gained_at_once_are_resolved_in_the_owners_order():
    t = Table(2)
    t.give(0, "red chest, red chest", food=1)
    t.offer("village", "Farm (small) + Ship Upgrade 1")
    t.everybody_rests(0)
    t.stack("village", "Runic Carvings", "Runic Carvings")
    t.script(0, "action act", "spoils 0", "next_card 1", "gain 1")
    t.select(0, "raid_villages")
    bottom = [e["card"] for e in t.events("card_to_bottom")]
    assert bottom == [t.card("village", "Ship Upgrade 1"), t.card("village", "Farm (small)")]


def test_rule_3_11_what_is_spent_returns_to_the_supply_and_dice_are_limited():
    t = Table()
    t.give(0, "red chest, red chest", food=1)
    before = t.game.supply.copy()
    t.free()
    t.script(0, "action act")
    t.select(0, "raid_villages")
    gained = t.game.pl["n_dice_gained"][:3].sum()
    assert t.player(0).food < 20
    assert int(t.game.supply.sum()) == int(before.sum()) + 2 - int(gained)
    t = Table(2, dice_supply="unlimited")
    t.game.supply[:] = 0
    t.free()
    t.script(0, "action rest 1", "die red hammer")
    t.select(0, "raid_keeps")
    assert t.dice(0) == ["red hammer"]


def test_rule_3_12_short_decks_and_short_supplies():
    t = Table()
    t.stack("keep", "Jewels")
    t.game.n_deck[2] = 1
    for _ in range(3):
        decks.draw_card_nb(t.game, t.hidden, 0, 2)
    assert t.own(0).spoils.sum() == 1  # a draw yields what remains
    t.game.supply[:] = [0, 1, 0]
    t.gain(0, int(t.game.edition.ability_gain[t.reaver(ability_id="A05", color="red")]))
    assert [text.split()[0] for text in t.dice(0)] == ["yellow"]  # another colour
    t.gain(0, int(t.game.edition.ability_gain[t.reaver(ability_id="A05", color="red")]))
    assert t.player(0).n_dice == 1  # forfeited
    assert len(t.events("die_forfeited")) == 1
    t = Table(3, crew_dice="skewed")
    t.free()
    t.script(0, "action rest 1", "die yellow ship")
    t.script(1, "action rest 0")
    t.script(2, "action rest 0")
    t.select(0, "raid_keeps")
    assert kind("yellow hammer2") not in t.offered("die")[0]  # a face that the colour does not have
    assert kind("blue ship") in t.offered("die")[0]


def test_rule_3_13_losses_take_what_there_is_and_glory_may_be_negative():
    t = Table()
    journeys = t.game.edition
    t.give(0, food=1)
    t.gain(0, int(journeys.journey_effect[t.card("journey", "Whirlpool")]))
    t.gain(0, int(journeys.journey_effect[t.card("journey", "Thick Fog")]))
    t.gain(0, int(journeys.journey_effect[t.card("journey", "Storm")]))
    assert (t.player(0).food, t.player(0).glory) == (0, -2)
    t.artifact(0, "AR01", "blue")
    t.give(0, "red clan, blue ship, yellow chest")
    t.crew_rolls(0, "red hammer, yellow hammer, blue hammer")
    t.gain(0, int(journeys.journey_effect[t.card("journey", "Mutiny")]))
    assert t.dice(0) == ["red hammer", "yellow hammer", "blue hammer"]
    assert t.player(0).stored[0] == COLOUR_NAMES.index("blue")  # not the stored one


def test_rule_3_14_abilities_are_optional_and_success_counts_once():
    t = Table(2)
    t.specialise(0, "subdue_territories", "A12")
    t.give(0, "red hammer, red hammer")
    t.script(0, "ability use", "action act", "territory favor 2 force", "hammer red hammer", "hammer none")
    t.script(0, "territory favor 1 force", "hammer red hammer")
    t.combat_rolls(0, 1, 0)
    t.script(1, "action rest 0")
    t.select(0, "subdue_territories")
    ends = t.events("combat_ends")
    assert [(e["successes"], e["is_won"]) for e in ends] == [(2, 1), (0, 0)]
    t = Table(2)
    t.specialise(0, "subdue_territories", "A12")
    t.script(0, "ability skip", "action rest 0")
    t.script(1, "action rest 0")
    t.select(0, "subdue_territories")
    assert t.player(0).n_abilities == 0


def test_rule_3_15_the_selector_of_trade_takes_the_marker_even_if_resting():
    t = Table(3)
    t.everybody_rests()
    t.select(2, "trade_with_villages")
    assert t.game.start_player == 2


def test_rule_3_16_five_players():
    t = Table(5, "early")
    assert t.game.edition.n_selections == 5
    assert t.game.edition.start_food.tolist() == [4, 5, 6, 7, 8]
    assert t.game.edition.bonus[:, 4].tolist() == [0, 1, 0, 0, 0, 1]
    assert t.game.edition.n_offers.tolist() == [5, 5, 5, 0, 5, 3]
    assert load_edition("published", {"most_players": "5"}).rules["most_players"] == "5"
    assert Table(5, most_players="5").game.edition.bonus[:, 4].tolist() == [0, 1, 0, 0, 0, 1]
