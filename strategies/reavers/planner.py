"""The strongest of the strategies: it looks ahead to the end of the round, with weights found by playing."""

from strategies.reavers.planning import choose_location_ahead_nb
from strategies.registry import strategy


@strategy(
    game="reavers",
    name="planner",
    idea="Follows the round to its end for each location it could select; denies; values goods by what they bring.",
    source="strategies.md sections 1 and 2 with exact combat odds (section 4); weights found by playing",
    params={
        "keep_dice": 311,
        "ship": 148,
        "food": 81,
        "like_trade": 60,
        "like_subdue": -60,
        "upgrade": 270,
        "ahead": 64,
        "deny": 192,
    },
)
class Planner:
    """Selecting a location; the rest is the shared heuristic with weights of its own."""

    choose_location = choose_location_ahead_nb
