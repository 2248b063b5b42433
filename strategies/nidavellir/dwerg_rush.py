"""Dwerg rush: lines first, and a brother for each, as long as three can be had (H9)."""

from simcore.nidavellir.layout import BROTHER
from strategies.nidavellir.recruiting import choose_hero_nb, first_option_with_effect_nb, free_brothers_nb
from strategies.registry import strategy

ENOUGH = 3

WEIGHTS_AT = {
    2: {"line_hit": 120},
    3: {"line_hit": 130},
    4: {"line_hit": 200, "line": 500, "prefer_brother": 24},
    5: {
        "line_hit": 165,
        "line": 450,
        "prefer_brother": 24,
        "expect_blacksmith": 200,
        "prefer_hunter": 0,
        "prefer_miner": 0,
        "prefer_blacksmith": 0,
    },
}
"""[players]: what serves the rush best at a table of this size, found by playing."""


@strategy(
    game="nidavellir",
    name="dwerg-rush",
    idea="Fills lines early and recruits Dwerg brothers before all other heroes, as long as it can still get three.",
    source="the primer: Dwerg rush; strategies.md H9",
    base="planner",
    params={"prefer_brother": 20, "line": 360},
    at_players=WEIGHTS_AT,
)
class DwergRush:
    """Brothers before any other hero."""

    def choose_hero(game, own, n_options):
        """Recruit a brother while three are within reach."""
        brother = first_option_with_effect_nb(game, own, n_options, BROTHER)
        if brother >= 0 and game.pl[own.seat].n_brothers + free_brothers_nb(game) >= ENOUGH:
            return brother
        return choose_hero_nb(game, own, n_options)
