"""Random play over moves instead of heroes: chooses as the measured engine's random player did."""

from simcore.luck import draw_below_nb
from simcore.nidavellir.layout import CHOOSE_HERO, N_CLASSES
from strategies.registry import strategy


@strategy(
    game="nidavellir",
    name="random-moves",
    idea="Chooses every move with equal probability, where Thrud counts once for each of her five columns.",
    source="strategies.md section 5: the player whose results were measured",
    base=None,
)
def choose(game, own, n_options):
    """Return any option, Thrud five times as often as another hero."""
    if own.decision != CHOOSE_HERO:
        return draw_below_nb(own.luck, n_options)
    place = -1
    for i in range(n_options):
        if own.option[i] == game.edition.thrud:
            place = i
    if place < 0:
        return draw_below_nb(own.luck, n_options)
    drawn = draw_below_nb(own.luck, n_options + N_CLASSES - 1)
    return place if drawn >= n_options else drawn
