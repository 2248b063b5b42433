"""Where the heuristic keeps what within ``own.memory : int64[128]``. Values are in 1/100 Glory, chances in 1/256."""

LOOKED_AT = 0
"""Activation (`outlook.moment_nb`) whose cards and tiles were valued last."""
DECIDED_AT = 1
"""Activation at which the seat has decided to act or to rest."""
CHANCE = 2
"""[location]: chance that it is selected in a round to come."""
TO_COME = 8
"""[location]: activations still to come in the game, 1/256."""
NEXT = 14
"""[face]: what one more die on the face is worth; a clan icon that is not wild at CLAN."""
LAST = 20
"""[face]: what the last die on the face is worth."""
NEXT_WILD = 26
LAST_WILD = 27
FOOD_VALUE = 28
FAVOR_VALUE = 29
HAMMERS = 30
"""Hammers on the board, wild dice, stored dice and ready ship upgrades included."""
ROLLED = 31
"""[colour]: what a rolled die is worth; the best of them at ANY_COLOUR."""
CHOSEN = 35
"""What a die on a face of one's choice is worth."""
ROOM = 36
"""Dice that fit on the board."""
COUNT = 37
"""[face]: dice on the board and stored."""
TOKENS = 43
"""[face]: ship upgrades that can pay it."""
UNSEEN = 49
"""[deck]: what an unseen card is worth."""
TILE = 55
"""[stack]: what its top tile is worth."""
STEERED = 64
"""[metric]: what the own prophecies pay for one more of it."""
UPGRADE_MEANT = 86
"""1 + the ship upgrade that a token of the effect being valued is; 0 if it is of the owner's choice."""
FUTURE = 87
"""Share of a worth that counts at this time of the game."""
SCRATCH = 88
"""[40]: for one decision."""
PLACES = 98
"""[5 x location + places after its selector]: what it is worth to the seat; within `SCRATCH`."""
WAITING = 88
"""[location]: what of that one will have anyway; within `SCRATCH`."""
