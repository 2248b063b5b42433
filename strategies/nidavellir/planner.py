"""The strongest of the strategies: H1 to H15 together."""

from strategies.nidavellir.rank_bidding import choose_bid_by_place_nb
from strategies.registry import strategy

WEIGHTS = {"expect_miner": 294, "line": 358, "prefer_astrid": 2, "brother_hope": 119}

WEIGHTS_AT = {
    2: {
        "expect_hunter": 260,
        "expect_blacksmith": 140,
        "expect_explorer": 200,
        "focus": 58,
        "prefer_warrior": 3,
        "prefer_hunter": 0,
        "prefer_miner": -1,
        "prefer_blacksmith": 1,
        "prefer_explorer": 2,
        "hero_worth": 54,
        "line_after": 171,
        "line_hit": 110,
        "offering": 135,
        "deny": 128,
        "coin_growth": 384,
        "bid_power": 15,
        "bid_spread": 385,
        "majority": 239,
        "prefer_ylud": 4,
    },
    3: {
        "expect_hunter": 390,
        "expect_blacksmith": 104,
        "expect_explorer": 133,
        "focus": 64,
        "prefer_warrior": 3,
        "prefer_hunter": 0,
        "prefer_miner": 1,
        "prefer_blacksmith": 3,
        "prefer_explorer": 2,
        "hero_worth": 36,
        "line_after": 85,
        "line_hit": 110,
        "offering": 100,
        "deny": 173,
        "coin_growth": 778,
        "bid_power": 15,
        "bid_spread": 141,
        "majority": 358,
        "prefer_ylud": 2,
    },
    4: {
        "expect_hunter": 390,
        "expect_blacksmith": 104,
        "expect_explorer": 200,
        "focus": 43,
        "prefer_warrior": 4,
        "prefer_hunter": 2,
        "prefer_miner": 3,
        "prefer_blacksmith": 4,
        "prefer_explorer": 0,
        "hero_worth": 24,
        "line_after": 171,
        "line_hit": 165,
        "offering": 203,
        "deny": 173,
        "coin_growth": 346,
        "bid_power": 8,
        "bid_spread": 190,
        "majority": 358,
        "prefer_ylud": 0,
    },
    5: {
        "expect_hunter": 390,
        "expect_blacksmith": 420,
        "expect_explorer": 200,
        "focus": 64,
        "prefer_warrior": 2,
        "prefer_hunter": 4,
        "prefer_miner": 3,
        "prefer_blacksmith": 5,
        "prefer_explorer": 0,
        "hero_worth": 24,
        "line_after": 114,
        "line_hit": 165,
        "offering": 203,
        "deny": 173,
        "coin_growth": 346,
        "bid_power": 8,
        "bid_spread": 160,
        "majority": 358,
        "prefer_ylud": 0,
    },
}
"""[players]: weights that differ by the size of the table, found by playing against itself and the other strategies."""


@strategy(
    game="nidavellir",
    name="planner",
    idea="Bids by the places its coins can get, plans its coins, denies, and values cards by the army to come.",
    source="strategies.md section 3, H1 to H15, with weights found by playing",
    params=WEIGHTS,
    at_players=WEIGHTS_AT,
)
class Planner:
    """The bid; the rest is the shared heuristic with weights of its own."""

    choose_bid = choose_bid_by_place_nb
