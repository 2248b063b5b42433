"""Greedy play: what counts at once, in Glory."""

from strategies.reavers.selecting import choose_location_nb
from strategies.registry import strategy


@strategy(
    game="reavers",
    name="greedy",
    idea="Takes whatever brings most Glory at once; goods to come and sets to grow count for next to nothing.",
    source="the usual yardstick: strategies.md section 2 without prices for goods",
    params={
        "keep_dice": 8,
        "village_dice": 8,
        "ship": 4,
        "hammer": 3,
        "any_die": 1,
        "food": 1,
        "favor": 2,
        "growth": 0,
        "income": 0,
        "specialise": 0,
        "promote": 64,
        "upgrade": 0,
        "artifact": 0,
        "prophecy": 0,
        "steer": 0,
        "journey": 0,
        "marker": 0,
        "follow": 0,
    },
)
class Greedy:
    """The shared heuristic with other weights."""

    choose_location = choose_location_nb
