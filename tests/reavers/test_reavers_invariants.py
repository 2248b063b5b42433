"""What always holds, over random games of both editions and every switch: a follower in plain Python must agree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reavers_follower import Follower
from reavers_games import Record, some

from simcore.reavers.cards import PRESETS, RULE_SWITCHES
from simcore.reavers.events import GAME_ENDS
from simcore.reavers.layout import (
    COMPONENT_SLOT,
    DECK_NAMES,
    MAX_EVENTS,
    N_COMPONENTS,
    N_FACES,
    N_STACKS,
    NOWHERE,
    PLACE_SLOT,
    SCORE_SLOT,
    WIN_SLOT,
)

SWITCHES = {switch.key: st.sampled_from(switch.choices) for switch in RULE_SWITCHES if switch.key != "most_players"}


def check_game(record: Record, block: int, seed: int = 1) -> None:
    """Play a recorded game, follow its events and compare the end."""
    events = record.events(block, seed)
    game, hidden, n = record.game, record.hidden, record.n_players
    assert len(events) < MAX_EVENTS
    assert events[-1, 0] == GAME_ENDS
    limited = record.edition.rules["dice_supply"] == "limited"
    follower = Follower(record.edition, n, limited)
    follower.passing = frozenset(np.flatnonzero(game.edition.spoils_kept[: game.edition.n_spoils] == 0).tolist())
    follower.follow(events)
    assert follower.rounds == 6
    assert {len(selected) for selected in follower.selected} == {5 if n == 5 else 4}
    for deck in range(len(DECK_NAMES)):  # cards are conserved
        assert follower.all_cards(deck) == follower.box[deck]
        assert int(game.n_deck[deck] + game.n_discard[deck]) == sum(
            (follower.deck[deck] + follower.discard[deck]).values()
        )
        lying = sorted(int(card) for card in game.offer[deck].ravel() if card != NOWHERE)
        assert lying == sorted(follower.offer[deck].values())
    assert game.supply.tolist() == follower.supply
    for seat in range(n):
        check_seat(game.pl[seat], hidden.own[seat], follower, seat)
    assert int(game.n_stack.sum()) + sum(int(game.pl[s].n_tiles) for s in range(n)) == 30
    assert int(game.pl["tiles"][:n].sum()) == int(game.pl["n_tiles"][:n].sum()) == sum(follower.n_claimed)
    tokens = [int(game.pl[s].upgrade[i]) for s in range(n) for i in range(game.pl[s].n_upgrades)]
    for upgrade in range(game.edition.n_upgrades):
        assert game.upgrade_supply[upgrade] + tokens.count(upgrade) == game.edition.upgrade_copies[upgrade]


def check_seat(player, own, follower: Follower, seat: int) -> None:
    """One seat's record against what was followed."""
    board = {divmod(kind, N_FACES): int(count) for kind, count in enumerate(player.die) if count}
    assert board == dict(+follower.board[seat])
    assert player.n_dice == sum(board.values()) <= 10
    stored = {space: int(colour) for space, colour in enumerate(player.stored) if colour != NOWHERE}
    assert stored == {space: colour for space, (colour, _) in follower.stored[seat].items()}
    assert player.n_stored == len(stored) <= player.n_artifacts <= 4
    assert player.n_upgrades <= 3
    assert (player.food, player.favor, player.glory) == (
        follower.food[seat],
        follower.favor[seat],
        follower.glory[seat],
    )
    assert player.glory_from.sum() == player.glory
    assert player.token.tolist() == [follower.tokens[seat][token] for token in range(4)]
    owned = follower.owned[seat]
    assert own.reavers.sum() == sum(owned[0].values()) == player.n_rallied + player.n_promoted + player.n_specialised
    kept = owned[1] + owned[2]
    for spoils, count in enumerate(own.spoils):
        if spoils not in follower.passing:
            assert count == kept[spoils]
            assert player.spoils_seen[spoils] <= count
    assert own.n_artifacts == sum(n for card, n in kept.items() if card in follower.passing)
    assert player.n_battles == sum(owned[4].values())
    assert player.n_prophecies == own.prophecy.sum() == sum(owned[5].values())
    assert (player.prophecy_seen <= own.prophecy).all()
    assert (player.reavers_seen <= own.reavers).all()
    assert own.n_pending == 0
    assert player.tiles[:N_STACKS].sum() == player.n_tiles


@pytest.mark.parametrize("name", list(PRESETS))
@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_shipped_editions(name, n_players):
    for policies in ((0,), (3,), (0, 3), (1, 2)):
        record = Record(n_players, policies, name)
        for block in range(4):
            check_game(record, block)


def test_five_players_of_the_early_edition():
    record = Record(5, (0, 3), "early")
    for block in range(4):
        check_game(record, block)


@pytest.mark.parametrize(
    ("key", "value"), [(s.key, value) for s in RULE_SWITCHES for value in s.choices[1:]], ids=lambda value: value
)
def test_each_switch(key, value):
    record = Record(4, (3, 0), **{key: value})
    for block in range(3):
        check_game(record, block)


@settings(max_examples=some(25), deadline=None)
@given(
    n_players=st.integers(2, 4),
    policies=st.lists(st.integers(0, 3), min_size=1, max_size=4),
    name=st.sampled_from(list(PRESETS)),
    rules=st.fixed_dictionaries({}, optional=SWITCHES),
    seed=st.integers(0, 2**64 - 1),
    block=st.integers(0, 2**40),
)
def test_random_line_ups_editions_and_switches(n_players, policies, name, rules, seed, block):
    check_game(Record(n_players, tuple(policies), name, **rules), block, seed)


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_rows_of_many_games(n_players):
    rows = Record(n_players, (0, 3)).play(0, some(60))[:, 0]
    assert (rows[:, :, WIN_SLOT].sum(axis=1) == 60).all()
    assert (rows[:, :, PLACE_SLOT].min(axis=1) == 1).all()
    parts = rows[:, :, COMPONENT_SLOT : COMPONENT_SLOT + N_COMPONENTS]
    assert (parts.sum(axis=2) == rows[:, :, SCORE_SLOT]).all()


def test_all_rotations_of_a_block_have_the_same_luck():
    record = Record(3, (0, 3, 1))
    rows = record.play(5, 2, seating=[[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    alone = record.play(5, 2)
    assert np.array_equal(rows[:, 0], alone[:, 0])
