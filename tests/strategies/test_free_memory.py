"""What ships leaves the last slots of ``own.memory`` to strategies that are built on it."""

import pytest

from simcore.blocks import entrants, seatings
from simcore.contract import FREE_MEMORY, MAX_MEMORY
from simcore.games import find_game
from simcore.play import Plan, Table
from strategies import registry

N_PLAYERS = 4


@pytest.mark.parametrize("game", ["nidavellir", "reavers"])
def test_no_strategy_uses_the_slots_that_are_left_free(game):
    spec = find_game(game)
    edition = spec.load_edition(next(iter(spec.presets)), {})
    names = registry.names(game)
    n_used = 0
    for first in range(0, len(names), N_PLAYERS):
        lineup = [names[(first + i) % len(names)] for i in range(N_PLAYERS)]
        numbers, seats = entrants(lineup)
        entered = [registry.enter(registry.find(game, name), spec, edition, N_PLAYERS) for name in numbers]
        table = Table(Plan(spec, edition, entered, seatings(seats, "rotations"), 5))
        for block in range(10):
            table.play(block, 1)
            memory = table.hidden["own"]["memory"][0, :N_PLAYERS]
            assert memory.shape == (N_PLAYERS, MAX_MEMORY)
            assert not memory[:, FREE_MEMORY:].any(), lineup
            n_used += memory.any(axis=1).sum()
    assert n_used > 0
