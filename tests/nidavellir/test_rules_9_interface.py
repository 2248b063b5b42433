"""Section 9 of rules.md, and that no numbered rule is without a test (9.3 is in test_invariants.py)."""

import re
from pathlib import Path

import numpy as np
import pytest
from play_games import Record
from table import Table

from simcore.nidavellir import bids, setup
from simcore.nidavellir.events import EVENTS
from simcore.nidavellir.layout import (
    DECISIONS,
    EDITION,
    GAME,
    HIDDEN,
    MAX_COIN_VALUE,
    MAX_COLUMN,
    MAX_OPTIONS,
    MAX_RANKS,
    OWN,
    PLAYER,
)

DOCS = Path(__file__).parents[2] / "docs" / "nidavellir"
N_RULES = {1: 8, 2: 6, 3: 2, 4: 3, 5: 7, 6: 6, 7: 7, 8: 8, 9: 5}
RULES = [f"{section}.{rule}" for section, n in N_RULES.items() for rule in range(1, n + 1)]
"""Every numbered rule of rules.md."""


def test_the_list_of_rules_is_that_of_the_page():
    page = (DOCS / "rules.md").read_text(encoding="utf-8")
    assert re.findall(r"^(\d\.\d) ", page, re.MULTILINE) == RULES


def test_every_numbered_rule_has_a_test():
    tested = {
        f"{section}.{rule}"
        for file in Path(__file__).parent.glob("test_*.py")
        for section, rule in re.findall(r"^def test_rule_(\d)_(\d)_\w+", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert sorted(tested) == RULES


def deals_of(policies: tuple[int, ...], block: int) -> tuple[list, list]:
    """Gems and age-1 cards of a game in the order dealt."""
    record = Record(3)
    events, _ = record.record(5, block, policies)
    names = [EVENTS[row[0]][0] for row in events]
    gems = [tuple(row[1:3]) for name, row in zip(names, events.tolist(), strict=True) if name == "gem_dealt"]
    cards = [row[2] for name, row in zip(names, events.tolist(), strict=True) if name == "card_dealt"]
    return gems, cards


def test_rule_9_1_chance_depends_on_seed_and_block_and_not_on_what_players_do():
    gems, cards = deals_of((0,), 0)
    other_gems, other_cards = deals_of((2, 1), 0)
    assert gems == other_gems
    assert cards[:36] == other_cards[:36]
    assert deals_of((0,), 1)[1] != cards


def test_rule_9_1_the_reshuffle_after_the_pioneer_has_a_stream_of_its_own():
    decks = []
    for drawn in (0, 7):
        table = Table(3)
        for _ in range(drawn):
            setup.shuffle_nb(table.hidden.luck, np.arange(5), 0, 5)  # somebody else's luck
        table.stack(2, "explorer 11", "hunter", "miner 2")
        table.script(0, "pioneer hunter")
        table.grant("explorer", 0)
        decks.append(table.hidden.deck.tolist())
    assert decks[0] == decks[1]


def test_rule_9_2_all_decisions_are_there():
    assert [decision.name for decision in DECISIONS] == [
        "choose_bid",
        "choose_uline_bid",
        "choose_card",
        "choose_thrud_column",
        "choose_hero",
        "choose_discard",
        "choose_transform",
        "choose_exchange_pair",
        "choose_ylud_column",
        "choose_pioneer_card",
        "choose_given_up",
        "choose_exchange",
    ]


def test_rule_9_2_every_decision_is_asked_and_none_with_a_single_option():
    asked = set()
    for seed in range(60):
        record = Record(2 + seed % 4, exchange_optional="yes")
        events, _ = record.record(seed, policies=(2,))
        for row in events:
            if EVENTS[row[0]][0] == "decision":
                asked.add(int(row[2]))
                assert 2 <= row[3] <= MAX_OPTIONS
    assert asked == set(range(len(DECISIONS)))


@pytest.mark.parametrize("answer", [-1, 60, 2**40])
def test_rule_9_2_an_answer_that_is_no_option_stops_the_game(answer):
    from simcore.accel import compile_decision

    def choose(game, own, n_options):
        return own.param[1]

    address, owner = compile_decision(choose, GAME, OWN, cached=False)
    table = Table(2)
    table.hidden.own[1].param[1] = answer
    table.hidden.address[:] = address
    with pytest.raises(ValueError, match="not the index of an option"):
        bids.place_bids_nb(table.game, table.hidden)
    hidden = table.hidden
    assert (hidden.asked_seat, hidden.asked_decision, hidden.asked_options, hidden.answer) == (1, 0, 60, answer)
    assert owner is not None


def test_rule_9_4_arrays_are_large_enough():
    edition = Table(5).game.edition
    smiths = 20 + 2 + 3 + 2 + 1 + 1  # both ages' cards, Aegur, Bonfur, the Armorer, Thrud and Ylud
    hunters = 16 + 2 + 3 + 1 + 1
    assert max(smiths, hunters) < MAX_RANKS
    assert max(smiths, hunters) < MAX_COLUMN
    assert MAX_COIN_VALUE >= 25 + 7
    assert list(edition.blacksmith_score[: smiths + 1]) == [n * (n + 5) // 2 for n in range(smiths + 1)]
    assert list(edition.hunter_score[: hunters + 1]) == [n * n for n in range(hunters + 1)]


def test_rule_9_5_no_order_of_a_deck_no_hidden_place_and_no_bid_is_public():
    public = {*GAME.names, *PLAYER.names, *EDITION.names} - {"edition", "pl"}
    assert not public & {"luck", "seed", "bid", "place", "address", "next_card", "own", "option", "memory"}
    assert {"deck", "luck", "bid", "place"} <= set(HIDDEN.names)
    assert {"bid", "place"} <= set(OWN.names)
    tables = [Table(3, block) for block in range(2)]
    for table in tables:
        table.gems(5, 4, 3)
    assert tables[0].hidden.deck.tolist() != tables[1].hidden.deck.tolist()
    assert tables[0].game.tobytes() == tables[1].game.tobytes()


def test_rule_9_5_only_the_pioneer_sees_the_three_cards():
    table = Table(3)
    table.stack(2, "explorer 11", "hunter", "miner 2")
    before = [table.hidden.own[seat].tobytes() for seat in (0, 2)], table.game.tobytes()
    with pytest.raises(ValueError, match="does not foresee"):
        table.grant("explorer", 1)
    seen = [int(card) for card in table.hidden.own[1].option[:3]]
    assert seen == [table.card_id(text) for text in ("explorer 11", "hunter", "miner 2")]
    table.game.distinction_owner[4] = -1
    assert ([table.hidden.own[seat].tobytes() for seat in (0, 2)], table.game.tobytes()) == before
