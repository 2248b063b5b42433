"""The weights of the shared heuristic: what ``own.param`` holds and what a TOML file may change.

A weight called a *share* counts 256 as one, points are points. The letters H1 to H15 are those of ``strategies.md``
section 3, where each idea is explained and its source named.
"""

ONE = 256
"""Fixed point: values of cards, coins and heroes are counted in 1/256 point."""

WEIGHTS = {
    # H1: the further ranks of a class that an army expects, share of what a seat gets if it takes cards blindly
    "expect_warrior": 180,
    "expect_hunter": 320,
    "expect_miner": 290,
    "expect_blacksmith": 160,
    "expect_explorer": 200,
    # H1: the expectation for the classes that are already collected, share of the army's ranks of that class
    "focus": 60,
    # a liking for a class, points for each card
    "prefer_warrior": 2,
    "prefer_hunter": 0,
    "prefer_miner": 3,
    "prefer_blacksmith": 2,
    "prefer_explorer": 0,
    # H2: the worth of a hero that the next line brings, points, and how much of it counts, share
    "hero_worth": 24,
    "line": 360,
    # H2: how much of the worth of the line after the next counts too, share
    "line_after": 170,
    # H2: how easily a missing rank is had, share of the model's chance
    "line_hit": 120,
    # H3, H11: what a royal offering adds to the coins, share
    "offering": 200,
    # H4: what the next bidders lose, share (divided by the number of rivals)
    "deny": 128,
    # H5, H6: what the coins will grow to, share
    "coin_growth": 340,
    # H6: points that an unbeatable coin is worth at one tavern of a later round
    "bid_power": 12,
    # H5: how much of the difference between a tavern's cards the best bid wins, share
    "bid_spread": 256,
    # H5: how surely the rivals bid high where their cards differ most, share; 0: any coin anywhere
    "guess": 128,
    # H14: how much of a distinction and of the warriors' majority counts, share
    "majority": 256,
    # H8: points of a hero beyond what it scores: liking for each kind
    "prefer_brother": 0,
    "prefer_uline": 0,
    "prefer_thrud": 0,
    "prefer_ylud": 0,
    "prefer_astrid": 0,
    # H9: how likely a further brother is to be had when a hero is owed, share
    "brother_hope": 160,
    # H8: what an average hero is worth when brothers are weighed against others, points
    "other_hero": 20,
    # H15: for each step by which a trade raises the own gem and each round to come, 1/256 point
    "gem": 0,
}

(
    _,
    _,
    _,
    _,
    _,
    FOCUS,
    PREFER,
    _,
    _,
    _,
    _,
    HERO_WORTH,
    LINE,
    LINE_AFTER,
    LINE_HIT,
    OFFERING,
    DENY,
    COIN_GROWTH,
    BID_POWER,
    BID_SPREAD,
    GUESS,
    MAJORITY,
    PREFER_BROTHER,
    PREFER_ULINE,
    PREFER_THRUD,
    PREFER_YLUD,
    PREFER_ASTRID,
    BROTHER_HOPE,
    OTHER_HERO,
    GEM,
) = range(len(WEIGHTS))
