"""The weights of the shared heuristic: what ``own.param`` holds and what a TOML file may change.

Worths and likings are in 1/100 Glory; a weight called a *share* counts 256 as one. The ideas are those of
``strategies.md``, section 2 (shared primitives) and section 3 (heuristic players).
"""

ONE = 100
"""Fixed point: values are counted in 1/100 Glory."""
SHARE = 256

WEIGHTS = {
    # what goods are worth at their best (section 2)
    "keep_dice": 420,  # the two shields of a raid on a keep
    "village_dice": 340,  # the two chests of a raid on a village
    "ship": 200,  # a longship die
    "hammer": 110,  # a hammer
    "any_die": 60,  # a die that fits nowhere
    "food": 60,
    "favor": 110,
    "hold_last": 256,  # how much of all this counts when only the present round is left, share
    # a liking for a location, beyond what it brings: when selecting it and when acting there
    "like_recruit": 0,
    "like_trade": 0,
    "like_villages": 0,
    "like_keeps": 0,
    "like_sea": 0,
    "like_subdue": 0,
    # cards
    "growth": 160,  # how much of what a set can still grow to counts in the first round, share
    "income": 256,  # how much of the Glory that territories will pay counts, share
    "specialise": 200,  # of what a specialist will bring, share
    "promote": 256,  # of what a leader will bring, share
    "rally": 256,  # of what rallied dice are worth, share
    "upgrade": 200,  # of what a ship upgrade will save, share
    "artifact": 128,  # of what an artifact will bring, share
    "prophecy": 220,  # of what a prophecy will pay, share
    "steer": 200,  # of what the own prophecies pay for one more of what they count, share
    # combat
    "pillage": 256,  # of a pillage's reward, share
    "prize": 256,  # of what is fought for when hammers are committed, share
    "reroll": 256,  # of what is fought for when Favor is spent on rerolls, share
    # selecting
    "journey": 130,  # what a Sea Journey costs
    "marker": 60,  # the start-player marker
    "follow": 160,  # of what one can get anyway if another player selects the location, share
}

(
    KEEP_DICE,
    VILLAGE_DICE,
    SHIP_WORTH,
    HAMMER_WORTH,
    ANY_DIE,
    FOOD_WORTH,
    FAVOR_WORTH,
    HOLD_LAST,
    LIKE,
    _,
    _,
    _,
    _,
    _,
    GROWTH,
    INCOME,
    SPECIALISE,
    PROMOTE,
    RALLY,
    UPGRADE,
    ARTIFACT_SHARE,
    PROPHECY,
    STEER,
    PILLAGE,
    PRIZE,
    REROLL,
    JOURNEY,
    MARKER,
    FOLLOW,
) = range(len(WEIGHTS))
