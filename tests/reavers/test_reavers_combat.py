"""The combat table of strategies.md section 4, by an exact calculation and by the engine's own dice.

A reroll costs 1 Favor; with optimal play one rerolls the dice that show least, as many as gives the best chance.
"""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from reavers_games import edition, some

from simcore.accel import compile_decision
from simcore.luck import open_stream_nb
from simcore.reavers.cards import fill_edition
from simcore.reavers.combat import fight_nb, total_nb
from simcore.reavers.decisions import CHOOSE_HAMMER
from simcore.reavers.layout import GAME, HIDDEN, OWN

FACES = (0, 0, 1, 1, 1, 2)
TABLE = """
1 1 .667 .889 .963 .988
1 2 .889 .988 .999 1.00
2 2 .556 .840 .945 .982
2 3 .796 .974 .997 1.00
3 3 .491 .818 .938 .979
3 4 .722 .962 .996 .999
4 4 .444 .808 .937 .979
4 5 .662 .953 .994 .999
5 5 .408 .806 .939 .980
5 6 .611 .945 .994 .999
6 6 .378 .806 .942 .983
"""
ROWS = [line.split() for line in TABLE.split("\n") if line]


@cache
def outcomes(n_dice: int) -> tuple[tuple[tuple[int, int, int], float], ...]:
    """Every number of 0s, 1s and 2s of so many dice, with its probability."""
    p = [FACES.count(v) / 6 for v in range(3)]
    found = []
    for n_0, n_1 in product(range(n_dice + 1), repeat=2):
        n_2 = n_dice - n_0 - n_1
        if n_2 >= 0:
            ways = math.factorial(n_dice) // (math.factorial(n_0) * math.factorial(n_1) * math.factorial(n_2))
            found.append(((n_0, n_1, n_2), ways * p[0] ** n_0 * p[1] ** n_1 * p[2] ** n_2))
    return tuple(found)


@cache
def chance_after(counts: tuple[int, int, int], defense: int, favor: int) -> tuple[float, int]:
    """Chance of winning with these dice on the table, and how many dice to reroll (the lowest ones)."""
    if counts[1] + 2 * counts[2] >= defense:
        return 1.0, 0
    best = (0.0, 0)
    for n in range(1, sum(counts) + 1) if favor else ():
        left = list(counts)
        rest = n
        for value in range(3):
            taken = min(rest, left[value])
            left[value] -= taken
            rest -= taken
        chance = sum(
            p * chance_after(tuple(a + b for a, b in zip(left, rolled, strict=True)), defense, favor - 1)[0]
            for rolled, p in outcomes(n)
        )
        best = max(best, (chance, n))
    return best


def chance(defense: int, n_dice: int, favor: int) -> float:
    """Chance of winning a combat with optimal rerolls."""
    return sum(p * chance_after(counts, defense, favor)[0] for counts, p in outcomes(n_dice))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"defense{row[0]}dice{row[1]}")
def test_the_exact_calculation_gives_the_table(row):
    for favor in range(4):
        assert round(chance(int(row[0]), int(row[1]), favor), 3) == pytest.approx(float(row[2 + favor]), abs=6e-4)


def fighter(game, own, n_options):
    """Commit every hammer; reroll the lowest dice, as many as ``own.memory`` says for what lies on the table."""
    if own.decision == CHOOSE_HAMMER:
        return 0
    favor = game.pl[own.seat].favor
    n = own.param[16 * favor + 4 * game.rolled[2] + game.rolled[1]]
    code = 0
    for value in range(3):
        taken = min(n, game.rolled[value])
        code += taken << 5 * value
        n -= taken
    for i in range(n_options):
        if own.option[i] == code:
            return i
    return -1


@pytest.mark.parametrize(("defense", "n_dice", "favor"), [(2, 2, 0), (3, 3, 1), (3, 3, 3), (2, 3, 2), (3, 2, 2)])
def test_the_engines_combats_come_out_as_calculated(defense, n_dice, favor):
    games, hiddens = np.zeros(1, GAME), np.zeros(1, HIDDEN)
    game, hidden = games[0], hiddens[0]
    fill_edition(edition(), 2, game)
    address, owner = compile_decision(fighter, GAME, OWN, cached=False)
    hidden.address[:] = address
    own, player = hidden.own[0], game.pl[0]
    player.wild_kind = -1
    for left in range(1, favor + 1):
        for n_2, n_1 in product(range(4), repeat=2):
            if n_1 + n_2 <= n_dice:
                own.param[16 * left + 4 * n_2 + n_1] = chance_after((n_dice - n_1 - n_2, n_1, n_2), defense, left)[1]
    open_stream_nb(hidden.combat_luck[0], np.uint64(11), 0, 6, 0)
    n_fights = some(4000)
    won = 0
    for _ in range(n_fights):
        player.favor = favor
        player.die[0] = player.n_dice = n_dice
        won += fight_nb(game, hidden, 0, defense)
        assert player.n_dice == 0
        assert (total_nb(game) >= defense) or player.favor == 0
    expected = chance(defense, n_dice, favor)
    spread = math.sqrt(expected * (1 - expected) / n_fights)
    assert abs(won / n_fights - expected) < 4 * spread
    del owner  # alive until here
