"""Where the heuristic keeps what within ``own.memory : int64[192]``. Values are in 1/100 Glory, chances in 1/256."""

COUNT_BITS = 5
"""Bits of a count where the counts of all faces are packed into one number."""
COUNT_MASK = (1 << COUNT_BITS) - 1

LOOKED_IN = 0
"""Round in which prophecies, unseen cards and tiles were valued last, the first one for the set-up."""
DECIDED_AT = 1
"""Activation at which the seat has decided to act or to rest."""
EXPECTED_AT = 2
"""Activation, and what was known of it, at which `TO_COME` was worked out last."""
COUNTED = 3
"""Dice, stored ones too, for which the faces were valued last, packed (`outlook.pack_board_nb`)."""
SUPPLIED = 4
"""Food and Favor for which they were valued last, packed; -1 while their worth is due."""
SUCCESS_VALUE = 5
"""What a success in the next combat is worth at the present location."""
CHANCES = 6
"""Of each location to be selected in a round to come, 1/256, packed."""
ONE_TERROR = 7
"""What one more terror token brings."""
TO_COME = 8
"""[location]: activations still to come in the game, 1/256."""
NEXT = 14
"""[face]: what one more die on the face is worth; a clan icon that is not wild at CLAN."""
LAST = 20
"""[face]: what the last die on the face is worth; the wild dice follow them."""
LAST_WILD = 26
NEXT_WILD = 27
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
TOKENS = 37
"""Ship upgrades that can pay each face, and their hammers, packed like the dice of `COUNTED`."""
ON_BOARD = 38
"""Dice on the board by face, packed, the wild ones after the faces."""
ROLLS_DUE = 39
"""1 while `ROLLED`, `CHOSEN` and `AS_WILD` have not been worked out for the present dice."""
GROWING = 40
"""Share of what a set can still grow to that counts now."""
AS_WILD = 41
"""[colour]: what its clan icons gain by being wild."""
UPGRADE_MEANT = 44
"""1 + the ship upgrade that a token of the effect being valued is; 0 if it is of the owner's choice."""
FUTURE = 45
"""Share of a worth that counts at this time of the game."""
CHANGES_SEEN = 47
"""Changes of the board (``n_changes`` of its player) after which its dice were valued last."""
PROPHECIES_SEEN = 46
"""Prophecies that the seat had when it last looked."""
REAVERS_KNOWN = 48
"""1 in the decision at which `STACK_OF_REAVERS` has been worked out; 0 after the next survey."""
UNSEEN = 49
"""[deck]: what an unseen card is worth."""
TILE = 55
"""[stack]: what its top tile is worth."""
STEERED = 64
"""[metric]: what the own prophecies pay for one more of it; not of Favor and Food that are left."""
N_STEERED = 20
SCRATCH = 84
"""[44]: for one decision."""
STACK_OF_REAVERS = 84
"""[face-up space]: what its Reavers are worth; within `SCRATCH`."""
MAX_SPACES = 5
FORCED = 84
"""[level]: 1 once an attempt by force has been valued; within `SCRATCH`."""
FORCED_TILE, FORCED_VALUE = 87, 90
"""[level]: what the tile of that attempt and the attempt itself are worth; within `SCRATCH`."""
FOLLOWED = 84
"""[location]: what it brings the rivals together if one selects it oneself; within `SCRATCH`."""
PROMOTED = 89
"""[kind of promotion]: what promoting a Reaver of the kind brings; within `SCRATCH`."""
PEACE = 89
"""[stack]: what taking its top tile in peace is worth, if it can be paid; within `SCRATCH`."""
PLACES_A_LOCATION = 5
PLACES = 98
"""[5 x location + places after its selector]: what it is worth to the seat; within `SCRATCH`."""
ACTING = 128
"""[location]: what paying and acting there was worth to the selector when it last selected."""
SELECTED_AT = 134
"""Activation for which `ACTING` was worked out."""
N_LISTED = 136
"""Kinds of prophecies that the seat has."""
LISTED = 137
"""[place]: which these are; if there are more, the first ones."""
MAX_LISTED = 23
WAITING = 90
"""[location]: what of that one will have anyway; within `SCRATCH`."""
PREFERRED = 96
"""[2]: in which order the rivals would select the locations, packed; within `SCRATCH`."""
