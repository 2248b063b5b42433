"""What the heuristic prepares once for each edition and number of players: plain Python, integers only.

The table is one int64 array; its parts begin at the constants below.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from simcore.reavers.layout import KEEP_DECK, MAX_SPOILS, N_CATEGORIES, VILLAGE_DECK

CERTAIN = 4096
"""Chances of combat are counted in 1/4096."""
MAX_FAVOR = 3
"""More Favor than this counts as this much: the third reroll already adds less than a twentieth."""
MAX_NEED, MAX_DICE = 12, 9

ODDS = 0
"""[favor, successes needed, combat dice]: chance to win, rerolling as well as can be (rules 10.1 to 10.3)."""
COPIES = ODDS + (MAX_FAVOR + 1) * (MAX_NEED + 1) * (MAX_DICE + 1)
"""[spoils]: copies in the deck."""
FIRST_OF, STOP_OF = COPIES + MAX_SPOILS, COPIES + MAX_SPOILS + N_CATEGORIES
"""[category]: the range of spoils that holds all of its kinds."""
HAMMER_STEPS = STOP_OF + N_CATEGORIES
"""[hammers owned]: how much of its worth one more hammer has, share."""
SHIP_STEPS = HAMMER_STEPS + 24
"""[ships owned]: the same for longships."""
GROWS = SHIP_STEPS + 16
"""[metric]: how much what a prophecy counts grows in a round, 1/100."""
SIZE = GROWS + 22

_HAMMER_STEPS = (240, 256, 250, 230, 190, 150, 110, 80, 60, 40, 30, 20, 10)
_SHIP_STEPS = (256, 130, 70, 30, 15)
# measured in games of `balanced` at three players: the count at the end by rounds; what cards count by their share
_GROWS = (20, 135, 45, 45, 45, 60, 60, 60, 42, 50, 45, 25, 29, 20, 35, 25, 25, 32, 22, 40, 30, 5)


@cache
def _weighted_dice(n: int, faces: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return all results of `n` dice, each as sorted successes with the number of ways in which it falls."""
    ways: dict[tuple[int, ...], int] = {(): 1}
    for _ in range(n):
        more: dict[tuple[int, ...], int] = {}
        for dice, count in ways.items():
            for face in faces:
                rolled = tuple(sorted((*dice, face)))
                more[rolled] = more.get(rolled, 0) + count
        ways = more
    return tuple(ways.items())


def combat_odds(faces: tuple[int, ...], n_dice: int, max_need: int = MAX_NEED) -> np.ndarray:
    """Return the chances to win with `n_dice` combat dice under the best rerolls, exactly.

    After a roll 1 Favor rerolls any number of the dice, as often as there is Favor (rule 10.3). A die that shows less
    is always the better one to reroll, so only how many of the lowest are rerolled has to be tried.

    Parameters
    ----------
    faces : tuple of int
        Successes on the sides of a combat die.
    n_dice : int
    max_need : int

    Returns
    -------
    float64[MAX_FAVOR + 1, max_need + 1]
        By Favor and by successes needed.
    """
    results = list(combinations_with_replacement(sorted(set(faces)), n_dice))
    needs = np.arange(max_need + 1)
    won = {dice: (sum(dice) >= needs).astype(float) for dice in results}
    chance = [_rolled(won, (), n_dice, faces)]
    for _ in range(MAX_FAVOR):
        kept = {dice[first:] for dice in results for first in range(1, n_dice + 1)}
        kept_values = {high: _rolled(won, high, n_dice - len(high), faces) for high in kept}
        won = {
            dice: np.maximum.reduce([won[dice], *(kept_values[dice[first:]] for first in range(1, n_dice + 1))])
            for dice in results
        }
        chance.append(_rolled(won, (), n_dice, faces))
    return np.array(chance)


def _rolled(won, kept, n: int, faces: tuple[int, ...]) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return the chances to win when `n` dice are rolled beside the kept ones."""
    total = 0.0
    for dice, ways in _weighted_dice(n, faces):
        total = total + won[tuple(sorted((*kept, *dice)))] * ways
    return np.asarray(total / len(faces) ** n)


@cache
def all_odds(faces: tuple[int, ...]) -> np.ndarray:
    """Return int64[MAX_FAVOR + 1, MAX_NEED + 1, MAX_DICE + 1]: chances to win, 1/4096."""
    odds = np.zeros((MAX_FAVOR + 1, MAX_NEED + 1, MAX_DICE + 1), np.int64)
    for n_dice in range(MAX_DICE + 1):
        odds[:, :, n_dice] = np.floor(combat_odds(faces, n_dice) * CERTAIN + 0.5).astype(np.int64)
    return odds


def prepare(game):  # type: ignore[no-untyped-def]
    """Prepare the heuristic's table.

    Parameters
    ----------
    game : GAME record
        With the edition filled in.

    Returns
    -------
    int64[SIZE]
        Parts as listed at the top of this file.
    """
    edition = game.edition
    table = np.zeros(SIZE, np.int64)
    table[ODDS:COPIES] = all_odds(tuple(int(value) for value in edition.combat_face)).ravel()
    for deck in (VILLAGE_DECK, KEEP_DECK):
        for card in edition.deck[deck, : edition.n_deck[deck]]:
            table[COPIES + int(card)] += 1
    for category in range(N_CATEGORIES):
        kinds = np.flatnonzero(edition.spoils_category[: edition.n_spoils] == category)
        if kinds.size:
            table[FIRST_OF + category], table[STOP_OF + category] = kinds[0], kinds[-1] + 1
    table[HAMMER_STEPS : HAMMER_STEPS + len(_HAMMER_STEPS)] = _HAMMER_STEPS
    table[SHIP_STEPS : SHIP_STEPS + len(_SHIP_STEPS)] = _SHIP_STEPS
    table[GROWS : GROWS + len(_GROWS)] = _GROWS
    return table
