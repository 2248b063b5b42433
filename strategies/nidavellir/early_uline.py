"""Early Uline: recruit her with the first line and bid last for the rest of the game (H10)."""

from simcore.nidavellir.layout import BID_LAST
from strategies.nidavellir.recruiting import choose_hero_nb, first_option_with_effect_nb
from strategies.registry import strategy


@strategy(
    game="nidavellir",
    name="early-uline",
    idea="Hurries to the first line for Uline, then bids after everybody else and exchanges any two coins of its hand.",
    source="the primer: early Uline; strategies.md H10",
    base="planner",
    params={"prefer_uline": 12},
)
class EarlyUline:
    """Uline before any other hero; her bids and exchanges are those of the shared heuristic."""

    def choose_hero(game, own, n_options):
        """Recruit Uline if she can be had."""
        uline = first_option_with_effect_nb(game, own, n_options, BID_LAST)
        return uline if uline >= 0 else choose_hero_nb(game, own, n_options)
