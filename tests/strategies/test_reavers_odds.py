"""The combat odds that strategies of Reavers of Midgard look up, against strategies.md; the rerolls chosen by them."""

import re
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from strategies.reavers.tables import CERTAIN, all_odds, combat_odds

FACES = (0, 0, 1, 1, 1, 2)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "reavers" / "strategies.md"
ROW = re.compile(r"\| (\d) \| (\d) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|")
TABLE = [tuple(float(x) for x in m.groups()) for m in ROW.finditer(DOCS.read_text(encoding="utf-8"))]


def test_the_table_of_the_strategy_notes_is_read():
    assert len(TABLE) == 11


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"defense {row[0]:.0f} with {row[1]:.0f} dice")
def test_odds_agree_with_the_strategy_notes(row):
    defense, n_dice, *chances = row
    odds = all_odds(FACES)[:, int(defense), int(n_dice)] / CERTAIN
    assert odds == pytest.approx(chances, abs=0.0008)


def test_odds_without_favor_are_counted_out():
    for n_dice in range(5):
        sums = Counter(sum(dice) for dice in product(FACES, repeat=n_dice))
        for need in range(9):
            chance = sum(n for total, n in sums.items() if total >= need) / len(FACES) ** n_dice
            assert combat_odds(FACES, n_dice)[0, need] == pytest.approx(chance)


@cache
def chosen_odds(favor: int, need: int, dice: tuple[int, ...]) -> float:
    """Chance to win from dice on the table, rerolling the lowest ones as `choose_combat_reroll_nb` does."""
    if sum(dice) >= need:
        return 1.0
    if favor == 0:
        return 0.0
    odds = all_odds(FACES)[favor - 1]
    kept = [sum(dice[first:]) for first in range(len(dice) + 1)]
    first = max(range(1, len(dice) + 1), key=lambda k: (odds[max(0, need - kept[k]), k], -k))
    results = Counter(tuple(sorted((*rolled, *dice[first:]))) for rolled in product(FACES, repeat=first))
    return sum(n * chosen_odds(favor - 1, need, d) for d, n in results.items()) / len(FACES) ** first


@pytest.mark.parametrize(("need", "n_dice"), [(2, 2), (3, 3), (3, 4), (4, 4), (4, 5), (5, 5)])
def test_rerolls_by_the_table_lose_next_to_nothing(need, n_dice):
    """Looking one reroll ahead comes within a quarter of a percent of the best."""
    results = Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=n_dice))
    for favor in (1, 2, 3):
        chance = sum(n * chosen_odds(favor, need, dice) for dice, n in results.items()) / len(FACES) ** n_dice
        assert chance == pytest.approx(combat_odds(FACES, n_dice)[favor, need], abs=0.0025)
