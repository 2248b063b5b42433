"""Top coins: the two highest coins are always bid, the small ones grow in the pouch."""

from simcore.accel import array_at
from strategies.nidavellir.bidding import begin_round_nb, spread_nb, two_highest_nb
from strategies.registry import strategy


@strategy(
    game="nidavellir",
    name="top-coins",
    idea="Always bids its two highest coins, where the cards differ most, and exchanges the small ones.",
    source="strategies.md section 5, 'bid the two highest coins'",
)
class TopCoins:
    """The bid; the rest is the shared heuristic."""

    def choose_bid(game, own, n_options):
        """Bid the two highest coins and the exchange coin."""
        table = array_at(own.table, own.n_table)
        begin_round_nb(game, own, table)
        spread_0 = spread_nb(game, own, table, 0)
        spread_1 = spread_nb(game, own, table, 1)
        spread_2 = spread_nb(game, own, table, 2)
        return two_highest_nb(game.pl[own.seat].coin, spread_0, spread_1, spread_2)
