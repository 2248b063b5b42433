"""Every worked example of the fact base (examples.json, a copy), by kind; `expected` is what the rules say."""

import json
from collections import Counter
from pathlib import Path

import pytest
from table import COMPONENTS, Table, one_rank_each

from simcore.nidavellir import bids, coins, taverns
from simcore.nidavellir.layout import SPECIAL

EXAMPLES = json.loads(Path(__file__).with_name("examples.json").read_text(encoding="utf-8"))["examples"]


def of_kind(kind: str, *, with_key: str = ""):
    chosen = [e for e in EXAMPLES if e["kind"] == kind and (not with_key or with_key in e["expected"])]
    return pytest.mark.parametrize("example", chosen, ids=[f"{e['id']} {e['title']}" for e in chosen])


def seat_player(table: Table, seat: int, player: dict, last: str = "") -> None:
    """Give a seat what an example's player has; the column called `last` is laid last."""
    cards = player["cards"]
    table.army(seat, **{name: column for name, column in cards.items() if name != last})
    table.army(seat, **{name: column for name, column in cards.items() if name == last})
    table.command(seat, *player["command"])
    table.set_coins(seat, *player["coins"])
    table.game.pl[seat].gem = player["gem"]


def table_of(players: list[dict], **rules: str) -> Table:
    table = Table(max(2, len(players)), **rules)
    for seat, player in enumerate(players):
        seat_player(table, seat, player)
    return table


def test_no_example_is_left_out():
    assert Counter(e["kind"] for e in EXAMPLES) == {
        "final_score": 38,
        "coin_change": 15,
        "bid_order_and_gem_trade": 10,
        "hero_recruitment": 8,
        "hero_eligibility": 8,
        "distinction_majority": 6,
        "sequence": 7,
    }


@of_kind("final_score")
def test_final_score(example):
    table = table_of(example["players"])
    assert table.score() == example["expected"]
    assert set(example["expected"][0]) == {*COMPONENTS, "total"}


def change_coin(example: dict, **rules: str) -> tuple[Table, dict]:
    """Do an example's transformation or exchange; return the table and what happened."""
    table = Table(example["players"], **rules)
    given = example["coins"]
    # The example gives the coins that matter; the others are the initial ones that fill the hand up.
    rest = ["2", "3", "4", "5"][len(given) :]
    table.set_coins(0, "0", *given, *rest)
    table.set_treasure(example["treasure"])
    box = int(table.game.n_in_box)
    if example["change_kind"] == "trade":
        table.to_pouch(0, "#1", "#2")
        if len({coin.rstrip("g") for coin in given}) == 1:
            table.script(0, f"give_up {given[0]}")
        table.exchange(0)
    else:
        table.script(0, "transform #1")
        table.transform(0, example["bonus"])
    ((_, _, _, old, _, new, _, _, target),) = table.log("coin_changed")
    where = "box" if table.game.n_in_box > box else "treasure"
    return table, {"target": target, "new_coin": new, "given_up": old, "given_up_goes_to": where}


@of_kind("coin_change")
def test_coin_change(example):
    table, happened = change_coin(example)
    expected = {key: value for key, value in example["expected"].items() if key != "new_coin_if_returned_first"}
    assert happened == expected
    treasure = Counter({int(value): n for value, n in example["treasure"].items()})
    treasure[expected["new_coin"]] -= 1
    if expected["given_up_goes_to"] == "treasure":
        treasure[expected["given_up"]] += 1
    assert table.treasure() == dict(+treasure)


@of_kind("coin_change", with_key="new_coin_if_returned_first")
def test_coin_change_if_returned_first(example):
    _, happened = change_coin(example, return_before_take="yes")
    assert happened["new_coin"] == example["expected"]["new_coin_if_returned_first"]


@of_kind("bid_order_and_gem_trade")
def test_bid_order_and_gem_trade(example):
    table = Table(len(example["bids"]))
    table.gems(*example["gems"])
    for seat, bid in enumerate(example["bids"]):
        if bid == "3s":
            table.game.pl[seat].coin[0], table.game.pl[seat].coin_colour[0] = 3, SPECIAL
        slot = 0 if bid in (0, "3s") else table.slot(seat, str(bid))
        table.hidden.bid[seat, 0] = slot
    table.call(bids.reveal_bids_nb, 0)
    bids.set_turn_order_nb(table.game, table.hidden)
    assert [seat + 1 for seat in table.order()] == example["expected"]["turn_order_players"]
    table.call(taverns.trade_gems_nb)
    assert table.gems_of_all() == example["expected"]["gems_after"]


@of_kind("hero_recruitment")
def test_hero_recruitment(example):
    table = Table(2)
    seat_player(table, 0, example["player"], example["last"])
    expected = example["expected"]
    assert table.lines(0) == expected["lines"]
    assert table.game.pl[0].n_heroes == expected["heroes"]
    brothers = ["DwergYmir", "DwergAesir"][: expected["recruits_owed"]]
    table.script(0, *(f"hero {name}" for name in brothers))
    table.check_heroes(0)
    assert len(table.log("hero_recruited")) == expected["recruits_owed"]


@of_kind("hero_eligibility")
def test_hero_eligibility(example):
    table = table_of([example["player"]])
    assert table.recruitable(0, example["hero"]) == example["expected"]["recruitable"]


@of_kind("distinction_majority")
def test_distinction_majority(example):
    table = table_of(example["players"])
    seat = table.majority(example["cls"])
    assert (None if seat is None else seat + 1) == example["expected"]["winner"]


# Sequences: each is written out, since the examples describe them in words.

SEQUENCES = {e["id"]: e for e in EXAMPLES if e["kind"] == "sequence"}


def expected_of(number: str) -> dict:
    return SEQUENCES[number]["expected"]


def values(table: Table, seat: int) -> list[int]:
    return sorted(int(coin.rstrip("gs")) for coin in table.coins(seat))


def test_sequence_q01_an_offering_is_resolved_before_the_exchange_of_the_same_turn():
    table = Table(3)
    table.tavern(0, "hunter", "warrior 3", "offering 3")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.script(0, "transform 5")
    table.script(1, "card hunter")
    table.script(2, "card warrior 3")
    table.open_tavern(0)
    assert values(table, 0) == expected_of("Q01")["coins"]
    assert table.treasure()[8] == 2  # the 8 was taken and given back


def test_sequence_q02_grid_raises_a_coin_before_the_exchange():
    table = Table(3)
    one_rank_each(table)
    table.tavern(0, "hunter", "warrior 3", "explorer 7")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.script(0, "hero Grid", "transform 5")
    table.script(1, "card hunter")
    table.script(2, "card warrior 3")
    table.open_tavern(0)
    assert values(table, 0) == expected_of("Q02")["coins"]
    assert table.heroes_of(0) == expected_of("Q02")["command"]


def test_sequence_q03_uline_exchanges_any_two_coins_of_her_hand():
    table = Table(3)
    one_rank_each(table)
    table.tavern(0, "hunter", "warrior 3", "explorer 7")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.script(0, "hero Uline", "pair 4 5")
    table.script(1, "card hunter")
    table.script(2, "card warrior 3")
    table.open_tavern(0)
    assert values(table, 0) == expected_of("Q03")["coins"]
    assert table.heroes_of(0) == expected_of("Q03")["command"]
    name, options = table.asked(0)[-1]
    assert (name, len(options)) == ("choose_exchange_pair", expected_of("Q03")["tradeOptions"])


def test_sequence_q04_thrud_is_placed_anew_after_the_card_and_gives_no_new_line():
    table = Table(3)
    one_rank_each(table)
    table.army(0, explorer=[5, "Thrud"])
    table.script(0, "thrud warrior")
    table.place(0, "explorer 7")
    assert table.army_of(0) == {
        "warrior": [5, "Thrud"],
        "hunter": ["H"],
        "miner": [1],
        "blacksmith": ["B"],
        "explorer": [5, 7],
    }
    moves = [event[0] for event in table.log("card_lifted", "card_placed")]
    assert moves == ["card_lifted", "card_placed", "card_placed"]
    assert table.lines(0) == 1
    assert table.heroes_of(0) == ["Thrud"]


def test_sequence_q08_a_hidden_bid_of_a_later_tavern_may_be_transformed():
    table = Table(3)
    table.tavern(0, "offering 3", "hunter", "warrior 3")
    table.tavern(1, "warrior 9", "hunter", "miner 1")
    table.bids("5 2 4", "4 3 2", "3 4 2")
    table.script(0, "card offering 3", "transform 2", "card warrior 9")
    table.script(1, "card hunter")
    table.script(2, "card hunter")
    table.free(1, 2)
    for tavern in (0, 1):
        taverns.resolve_tavern_nb(table.game, table.hidden, tavern)
    assert table.order()[0] == 0
    assert values(table, 0) == expected_of("Q08")["coins"]
    assert table.army_of(0) == {"warrior": [9]}


@pytest.mark.parametrize("switch", ["after_discards", "before_discards"])
def test_sequence_q09_dagdas_discards_break_the_line_that_her_ranks_completed(switch):
    table = Table(3, line_check=switch)
    table.army(0, warrior=[5, 6], miner=[1, 2], blacksmith=["B", "B"], explorer=[5, 7])
    further = ["hero Skaa"] if switch == "before_discards" else []
    table.script(0, "hero Dagda", "discard warrior", "discard miner", *further)
    table.place(0, "hunter")
    expected = expected_of("Q09")
    assert table.lines(0) == expected["lines_after"]
    if switch == "after_discards":  # the default
        assert len(table.heroes_of(0)) == expected["heroes_owned"]
        assert expected["further_hero"] is False
    else:  # as gamepark
        assert table.heroes_of(0) == ["Dagda", "Skaa"]


def test_sequence_q10_a_line_counts_only_once_thrud_lies_again():
    table = Table(3)
    table.army(0, warrior=[5, 6], hunter=["H", "H"], miner=[1, 2], blacksmith=["B", "B"], explorer=["Thrud"])
    table.script(0, "thrud warrior")
    table.place(0, "explorer 7")
    expected = expected_of("Q10")
    assert table.lines(0) == expected["lines_after"]
    assert len(table.heroes_of(0)) == expected["heroes_owned"]
    assert table.log("hero_recruited") == []


def test_every_sequence_is_written_out():
    written = {name.split("_")[2].upper() for name in globals() if name.startswith("test_sequence_q")}
    assert written == set(SEQUENCES)


def test_coins_of_a_table_are_the_examples_notation():
    table = Table(2)
    table.set_coins(0, "3s", "2", "5g", "5", "9g")
    assert table.coins(0) == ["3s", "2", "5g", "5", "9g"]
    assert coins.largest_coin_nb(table.game.pl[0]) == 9
