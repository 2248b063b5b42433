"""The strongest of the strategies: H1 to H15 together."""

from strategies.nidavellir.rank_bidding import choose_bid_by_place_nb
from strategies.registry import strategy


@strategy(
    game="nidavellir",
    name="planner",
    idea="Bids by the places its coins can get, plans its coins, denies, and values cards by the army to come.",
    source="strategies.md section 3, H1 to H15, with weights found by playing",
    params={"deny": 128},
)
class Planner:
    """The bid; the rest is the shared heuristic with weights of its own."""

    choose_bid = choose_bid_by_place_nb
