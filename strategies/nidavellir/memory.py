"""Where the heuristic keeps what within ``own.memory : int64[192]``."""

VALUES = 0
"""[6 x seat + class]: what a card of the class without points is worth to a seat, 1/256 point; at + 5 what each point
of a miner is."""
PER_SEAT = 6
HERO = 30
"""What the next hero is worth to oneself, 1/256 point."""
ROUND = 31
"""Round in which the seats were last valued."""
WORTH = 32
"""[5 x tavern + slot]: what bidding a coin at a tavern is worth, 1/256 point."""
LEFT = 47
"""[5 x tavern + k]: the best card left to oneself at a tavern when k rivals have chosen, 1/256 point."""
POUCHES = 62
"""[10]: what the coins come to with each pair in the pouch, 1/256 point."""
LIKINGS = 72
"""[6]: the rivals' rows of `VALUES` added up."""
LIKING = 78
"""[6]: what the rivals together think of each card of a tavern, 1/256 point."""
VALUE = 84
"""[6]: what each card of a tavern is worth to oneself, 1/256 point."""
WHERE = 90
"""[tavern]: 0 where the cards differ most to the rivals, 1, or 2 where least."""
SMOOTH = 98
"""[6 x tavern + k]: `LEFT` with a quarter of each neighbouring place: nobody knows so surely how many go before."""
