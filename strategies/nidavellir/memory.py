"""Where the heuristic keeps what within ``own.memory : int64[64]``."""

VALUES = 0
"""[6 x seat + class]: what a card of the class without points is worth to a seat, 1/256 point; at + 5 what each point of
a miner is."""
PER_SEAT = 6
HERO = 30
"""What the next hero is worth to oneself, 1/256 point."""
ROUND = 31
"""Round in which the seats were last valued."""
WORTH = 32
"""[5 x tavern + slot]: what bidding a coin at a tavern is worth, 1/256 point."""
LEFT = 47
"""[5 x tavern + k]: the best card left to oneself at a tavern when k rivals have chosen, 1/256 point."""
