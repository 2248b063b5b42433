"""The strongest of the strategies: H1 to H15 together."""

from strategies.nidavellir.rank_bidding import choose_bid_by_place_nb
from strategies.registry import strategy


@strategy(
    game="nidavellir",
    name="planner",
    idea="Bids by the places its coins can get, plans its coins, denies, and values cards by the army to come.",
    source="strategies.md section 3, H1 to H15, with weights found by playing",
    params={
        "expect_hunter": 65,
        "expect_miner": 49,
        "expect_blacksmith": 35,
        "focus": 43,
        "prefer_warrior": 2,
        "prefer_hunter": -2,
        "prefer_miner": 2,
        "prefer_blacksmith": 4,
        "line": 358,
        "line_hit": 110,
        "offering": 203,
        "deny": 173,
        "coin_growth": 346,
        "bid_power": 10,
        "bid_spread": 190,
        "majority": 358,
        "brother_hope": 119,
    },
)
class Planner:
    """The bid; the rest is the shared heuristic with weights of its own."""

    choose_bid = choose_bid_by_place_nb
