"""Sections 3, 4 and 5 of rules.md."""

import random
from itertools import product

import pytest
from play_games import Record
from table import Table

from simcore.nidavellir import bids, setup, taverns
from simcore.nidavellir.bids import BIDS
from simcore.nidavellir.events import EVENTS
from simcore.nidavellir.layout import HAND, UNKNOWN_PLACE

TABLE_SIZES = pytest.mark.parametrize("n_players", [2, 3, 4, 5])


def names_of(events) -> list[str]:
    return [EVENTS[row[0]][0] for row in events]


# 3. Structure of the game


@TABLE_SIZES
def test_rule_3_1_the_stages_of_a_game(n_players):
    record = Record(n_players)
    thrud, ylud = int(record.game.edition.thrud), int(record.game.edition.ylud)
    for seed in range(400):
        events, _ = record.record(seed, policies=(2,))
        if record.game.hero_owner[thrud] >= 0 and record.game.hero_owner[ylud] >= 0:
            break
    stages = []
    for name, row in zip(names_of(events), events.tolist(), strict=True):
        if name in ("age_starts", "distinction", "game_ends", "scored"):
            stages.append(f"{name} {row[1]}" if name == "age_starts" else name)
        elif name == "decision" and row[2] == 8:
            stages.append("ylud")
        elif name == "command_zone" and row[2] == thrud:
            stages.append("thrud leaves")
    ordered = [stage for i, stage in enumerate(stages) if i == 0 or stages[i - 1] != stage]
    if ordered[1] == "ylud":
        ordered.pop(1)  # 7.1: somebody had her by then
    assert ordered == ["age_starts 1", "distinction", "age_starts 2", "ylud", "thrud leaves", "scored", "game_ends"]
    assert stages.count("distinction") == 5


def test_rule_3_2_a_round_deals_bids_opens_three_taverns_and_gives_the_coins_back():
    table = Table(3)
    setup.open_deck_nb(table.game, table.hidden, 1)
    table.game.round_number = 0
    table.free()
    for seat, bid in enumerate(("5 4 3", "4 3 2", "3 2 0")):
        table.script(seat, f"bid {bid}")
    table.play_round()
    dealt = [tavern for _, tavern, _ in table.log("card_dealt")]
    assert dealt == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    order = [event[0] for event in table.log("round_starts", "card_dealt", "bid_revealed", "card_taken")]
    one_tavern = ["bid_revealed"] * 3 + ["card_taken"] * 3
    assert order == ["round_starts", *["card_dealt"] * 9, *one_tavern * 3]
    assert [tavern for _, _, tavern, _ in table.log("card_taken")] == [0] * 3 + [1] * 3 + [2] * 3
    bid_decisions = [at for at, (name, *f) in enumerate(table.log()) if name == "decision" and f[1] == 0]
    first_reveal = [name for name, *_ in table.log()].index("bid_revealed")
    assert max(bid_decisions) < first_reveal
    for seat in range(3):
        assert set(table.places(seat).values()) == {"hand"}
        assert list(table.game.pl[seat].known_place) == [HAND] * 5
        assert list(table.game.pl[seat].shown) == [-1, -1, -1]


# 4. Bids


def test_rule_4_1_sixty_bids_of_any_three_coins():
    table = Table(2)
    assert len(set(BIDS.tolist())) == 60
    table.bids("0 2 4", "2 3 4")
    assert [len(options) for _, options in table.asked()] == [60, 60]
    assert table.places(0) == {"0": "tavern 1", "2": "tavern 2", "4": "tavern 3", "3": "pouch", "5": "pouch"}
    assert table.places(1) == {"2": "tavern 1", "3": "tavern 2", "4": "tavern 3", "0": "pouch", "5": "pouch"}


def test_rule_4_1_with_the_exchange_coin_in_the_pouch_nothing_is_exchanged():
    table = Table(2)
    for tavern in range(3):
        table.tavern(tavern, "hunter", "hunter", "hunter")
    table.bids("2 3 4", "5 4 3")
    table.free()
    for tavern in range(3):
        table.open_tavern(tavern)
    assert table.log("coins_exchanged") == []
    assert table.coins(0) == ["0", "2", "3", "4", "5"]


def test_rule_4_1_bids_are_secret_until_their_tavern_opens():
    """Whatever a seat bids, neither the public record nor any other seat's own one differs."""
    seen = []
    for bid in ("0 2 4", "5 4 3", "2 0 5"):
        table = Table(3)
        table.bids(bid, "5 4 3", "3 2 0")
        table.hidden.own[0].memory[0] = 0
        others = [table.hidden.own[seat].copy() for seat in (1, 2)]
        for own in others:
            own.table = 0  # where the test's own script lies in memory
        seen.append((table.game.tobytes(), *(own.tobytes() for own in others)))
    assert seen[0] == seen[1] == seen[2]


def test_rule_4_2_ulines_owner_bids_nothing_in_the_bid_phase():
    table = Table(3)
    table.command(1, "Uline")
    table.bids("5 4 3", "", "3 2 0")
    assert [name for name, _ in table.asked()] == ["choose_bid", "choose_bid"]
    assert table.asked(1) == []
    assert set(table.places(1).values()) == {"hand"}


def test_rule_4_3_the_table_knows_where_revealed_transformed_and_exchanged_coins_lie():
    table = Table(3)
    table.tavern(0, "offering 3", "hunter", "hunter")
    table.tavern(1, "hunter", "hunter", "hunter")
    table.bids("0 4 2", "5 0 3", "4 3 2")
    known = table.game.pl[0].known_place
    assert list(known) == [UNKNOWN_PLACE] * 5
    table.script(1, "card hunter")
    table.script(2, "card hunter")
    table.script(0, "transform 2")  # what is left is the offering, on the coin bid at the Horse
    table.open_tavern(0)
    assert table.places(0) == {"0": "tavern 1", "4": "tavern 2", "5g": "tavern 3", "3": "pouch", "8g": "pouch"}
    assert list(known) == [0, 2, 3, UNKNOWN_PLACE, 3]  # the bid, the transformed coin, both of the exchange
    assert list(table.game.pl[2].known_place) == [UNKNOWN_PLACE] * 3 + [0, UNKNOWN_PLACE]
    table.free()
    table.open_tavern(1)
    assert known[3] == 1
    bids.take_back_coins_nb(table.game, table.hidden)
    table.bids("5g 4 3", "5 3 2", "5 4 3")
    assert list(known) == [UNKNOWN_PLACE] * 5


# 5. Resolving one tavern


def test_rule_5_1_uline_picks_a_coin_of_her_hand_after_all_others_revealed():
    table = Table(3)
    table.command(1, "Uline")
    table.tavern(0, "hunter", "hunter", "hunter")
    table.bids("5 4 3", "", "3 2 0")
    table.free()
    table.script(1, "uline 4")
    table.open_tavern(0)
    log = [event[:2] for event in table.log("bid_revealed", "decision")]
    assert log[-6:-2] == [("bid_revealed", 0), ("bid_revealed", 2), ("decision", 1), ("bid_revealed", 1)]
    assert table.asked(1)[0] == ("choose_uline_bid", (0, 1, 2, 3, 4))
    assert table.order() == [0, 1, 2]


def test_rule_5_1_while_uline_thinks_the_others_bids_are_public_and_hers_is_none():
    table = Table(3)
    table.command(1, "Uline")
    table.bids("5 4 3", "", "3 2 0")
    table.game.bid_value[1] = 5  # of the last tavern
    with pytest.raises(ValueError, match="does not foresee"):
        bids.reveal_bids_nb(table.game, table.hidden, 0)
    assert list(table.game.bid_value[:3]) == [5, -1, 3]


def test_rule_5_2_higher_coins_first_and_higher_gems_among_equals():
    table = Table(4)
    table.gems(2, 3, 4, 5)
    table.tavern(0, "hunter", "hunter", "hunter", "hunter")
    table.bids("4 2 3", "5 2 3", "4 2 3", "2 4 3")
    table.free()
    table.open_tavern(0)
    assert table.order() == [1, 2, 0, 3]
    assert [seat for _, seat, _ in table.log("turn")] == [1, 2, 0, 3]


def test_rule_5_2_order_and_ties_are_frozen_at_the_reveal():
    table = Table(3)
    table.gems(5, 4, 3)
    table.tavern(0, "offering 3", "hunter", "miner 1")
    table.bids("4 2 3", "4 2 3", "5 4 3")
    table.script(2, "card hunter")
    table.script(0, "card offering 3", "transform 4")  # the coin revealed here: 4 becomes 7
    table.open_tavern(0)
    assert table.coins(0)[3] == "7g"
    assert table.order() == [2, 0, 1]
    assert list(table.game.bid_value[:3]) == [4, 4, 5]
    assert table.gems_of_all() == [4, 5, 3]  # still tied


def test_rule_5_3_everybody_takes_exactly_one_card_and_the_last_what_is_left():
    table = Table(3)
    table.tavern(0, "warrior 9", "hunter", "miner 1")
    table.bids("5 4 3", "4 3 2", "3 2 0")
    table.script(0, "card hunter")
    table.script(1, "card warrior 9")
    table.open_tavern(0)  # seat 2 is not asked
    assert [table.army_of(seat) for seat in range(3)] == [{"hunter": ["H"]}, {"warrior": [9]}, {"miner": [1]}]
    assert table.game.n_cards[0] == 0


def test_rule_5_4_with_two_players_the_third_card_is_discarded_face_up():
    table = Table(2)
    table.tavern(0, "warrior 9", "hunter", "miner 1")
    table.bids("5 4 3", "4 3 2")
    table.script(0, "card hunter")
    table.script(1, "card warrior 9")
    table.open_tavern(0)
    assert table.log("card_left_over") == [("card_left_over", 0, table.card_id("miner 1"))]
    assert table.game.n_cards[0] == 0
    assert [table.army_of(seat) for seat in range(2)] == [{"hunter": ["H"]}, {"warrior": [9]}]


def trade(gems: list[int], values: list[int]) -> Table:
    """Trade gems after a tavern where these values were bid."""
    table = Table(len(gems))
    table.gems(*gems)
    for seat, value in enumerate(values):
        table.game.bid_value[seat] = value
    bids.set_turn_order_nb(table.game, table.hidden)
    taverns.trade_gems_nb(table.game, table.hidden)
    return table


@pytest.mark.parametrize(
    ("gems", "after"),
    [
        ([5, 4], [4, 5]),
        ([3, 5, 4], [5, 3, 4]),
        ([2, 5, 3, 4], [5, 2, 4, 3]),
        ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]),
        ([4, 1, 3, 5, 2], [2, 5, 3, 1, 4]),
    ],
)
def test_rule_5_5_tied_players_swap_gems_from_the_outside_inwards(gems, after):
    assert trade(gems, [4] * len(gems)).gems_of_all() == after


def test_rule_5_5_gems_are_traded_after_all_turns_of_the_tavern():
    table = Table(3)
    table.gems(5, 4, 3)
    table.tavern(0, "hunter", "hunter", "hunter")
    table.tavern(1, "hunter", "hunter", "hunter")
    table.bids("4 5 2", "4 5 3", "5 4 2")
    table.free()
    table.open_tavern(0)
    assert [event[0] for event in table.log("turn", "gems_traded")] == ["turn"] * 3 + ["gems_traded"]
    assert table.gems_of_all() == [4, 5, 3]
    table.open_tavern(1)  # the next tie is broken by the new gems
    assert table.order() == [1, 0, 2]
    assert table.gems_of_all() == [5, 4, 3]


@pytest.mark.parametrize(
    ("gems", "values", "after"),
    [
        ([6, 4, 3], [5, 5, 3], [6, 4, 3]),  # shrunk to one: nothing
        ([6, 4, 3], [5, 5, 5], [6, 3, 4]),  # a pair is left
        ([2, 4, 5, 3], [5, 2, 5, 2], [5, 3, 2, 4]),  # two groups
        ([1, 2, 3, 4, 5], [5, 4, 3, 2, 0], [1, 2, 3, 4, 5]),  # no ties
    ],
)
def test_rule_5_6_groups_trade_each_for_itself(gems, values, after):
    assert trade(gems, values).gems_of_all() == after


def test_rule_5_6_zeros_tie_and_so_do_the_special_and_an_ordinary_three():
    table = Table(3)
    table.gems(3, 5, 4)
    table.set_coins(0, "3s", "2", "3", "4", "5")
    for tavern in range(2):
        table.tavern(tavern, "hunter", "hunter", "hunter")
    table.bids("3s 2 4", "3 0 4", "5 0 4")
    table.free()
    table.open_tavern(0)
    assert table.order() == [2, 1, 0]
    assert table.gems_of_all() == [5, 3, 4]
    table.open_tavern(1)
    assert table.order() == [0, 2, 1]
    assert table.gems_of_all() == [5, 4, 3]


def test_rule_5_7_gem_six_wins_every_tie_and_never_moves():
    table = trade([4, 6, 5, 3], [5, 5, 5, 5])
    assert table.order() == [1, 2, 0, 3]
    assert table.gems_of_all() == [4, 6, 3, 5]
    assert trade([4, 6], [5, 5]).gems_of_all() == [4, 6]


def traded(gems: list[int], values: list[int]) -> list[int]:
    """Rules 5.5 to 5.7 as they are written: for each bid value its bidders without gem 6, outside inwards."""
    after = list(gems)
    for value in set(values):
        tied = sorted(
            (seat for seat, bid in enumerate(values) if bid == value and gems[seat] != 6), key=gems.__getitem__
        )
        for low, high in zip(tied, reversed(tied), strict=True):
            after[low] = gems[high]
    return after


@TABLE_SIZES
def test_rules_5_2_to_5_7_whatever_is_bid(n_players):
    """Every way in which bids can be equal, with the crown jewel at every seat and at none."""
    table = Table(n_players)
    in_play = [int(gem) for gem in table.game.edition.gem[:n_players]]
    rng = random.Random(n_players)
    for values in product(range(n_players), repeat=n_players):
        for jewel in range(n_players + 1):
            gems = rng.sample(in_play, n_players)
            if jewel < n_players:
                gems[jewel] = 6
            table.gems(*gems)
            table.game.bid_value[:n_players] = values
            bids.set_turn_order_nb(table.game, table.hidden)
            expected = sorted(range(n_players), key=lambda seat: (values[seat], gems[seat]), reverse=True)
            assert table.order() == expected
            assert set(table.game.order[n_players:]) <= {-1}
            taverns.trade_gems_nb(table.game, table.hidden)
            assert table.gems_of_all() == traded(gems, list(values))
