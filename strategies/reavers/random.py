"""Random play: the floor that every other strategy must clear."""

from simcore.luck import draw_below_nb
from strategies.registry import strategy


@strategy(
    game="reavers",
    name="random",
    idea="Chooses every option with equal probability.",
    source="the usual yardstick",
    base=None,
)
def choose(game, own, n_options):
    """Return any option."""
    return draw_below_nb(own.luck, n_options)
