"""Crew dice: supply, rolling, choosing, storing on artifacts, capacity (section 9, rules 3.11, 3.12, 6.3)."""

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.luck import draw_below_nb
from simcore.reavers.decisions import (
    CHOOSE_COLOUR,
    CHOOSE_DIE,
    CHOOSE_DIE_TO_REROLL,
    CHOOSE_DIE_TO_TURN,
    CHOOSE_DISCARD,
    CHOOSE_FACE,
    CHOOSE_LOADING,
)
from simcore.reavers.events import (
    DIE_CHOSEN,
    DIE_DISCARDED,
    DIE_FORFEITED,
    DIE_PICKED_UP,
    DIE_REROLLED,
    DIE_ROLLED,
    DIE_SPENT,
    DIE_STORED,
    DIE_TURNED,
    STORED_DIE_SPENT,
    UPGRADE_USED,
    ask_nb,
    record_nb,
)
from simcore.reavers.layout import (
    ANY_COLOUR,
    BLOCK,
    GAME,
    HIDDEN,
    N_COLOURS,
    N_FACES,
    N_KINDS,
    NOWHERE,
    REROLL_ALL,
    STORED_CODE,
    UPGRADE_CODE,
)


@kernel
def has_die_nb(game, colour):
    """Return whether the supply has a die of a colour; it always has under dice_supply=unlimited (rule 3.11)."""
    return (game.supply[colour] > 0) | (game.edition.dice_unlimited == 1)


@kernel
def add_die_nb(game, hidden, seat, kind):
    """Put a die on the board, for the moment beyond its capacity if need be."""
    me = game.pl[seat]
    me.die[kind] += 1
    me.n_dice += 1
    me.n_changes += 1
    me.n_dice_gained += 1
    hidden.gained_kinds |= 1 << kind


@kernel
def remove_die_nb(game, seat, kind):
    """Take a die off the board; the caller says where it goes."""
    me = game.pl[seat]
    me.die[kind] -= 1
    me.n_dice -= 1
    me.n_changes += 1


@kernel
def return_die_nb(game, seat, kind):
    """Return a die of the board to the supply (rule 3.11)."""
    remove_die_nb(game, seat, kind)
    game.supply[kind // N_FACES] += 1


@contained_kernel
def take_colour_nb(game, hidden, seat, colour):
    """Take a die off the supply and return its colour; NOWHERE if there is none at all.

    The owner chooses among `ANY_COLOUR`, and another colour if the supply lacks the one that is due (rule 3.12).
    """
    if colour == ANY_COLOUR or not has_die_nb(game, colour):
        me = hidden.own[seat]
        n = 0
        for c in range(N_COLOURS):
            me.option[n] = c
            n += has_die_nb(game, c)
        if n == 0:
            record_nb(hidden, DIE_FORFEITED, seat, 0, 0, 0)
            return NOWHERE
        colour = me.option[ask_nb(game, hidden, seat, CHOOSE_COLOUR, n)]
    game.supply[colour] -= 1
    return colour


@kernel
def roll_face_nb(game, stream, colour):
    """Roll a crew die of a colour and return its face (rule 9.1)."""
    return game.edition.crew_face[colour, draw_below_nb(stream, N_FACES)]


@separate_kernel(GAME, HIDDEN)
def gain_rolled_die_nb(game, hidden, seat, colour):
    """Gain a die and roll it (rule 9.3); `settle_dice_nb` is due afterwards."""
    colour = take_colour_nb(game, hidden, seat, colour)
    if colour == NOWHERE:
        return
    face = roll_face_nb(game, hidden.crew_luck[seat], colour)
    add_die_nb(game, hidden, seat, colour * N_FACES + face)
    record_nb(hidden, DIE_ROLLED, seat, colour, face, 0)


@contained_kernel
def _copy_block_nb(target, source, first):
    """Copy `BLOCK` numbers. All are read before any is written, so that they go as two vectors, without a branch."""
    numbers = (
        source[first],
        source[first + 1],
        source[first + 2],
        source[first + 3],
        source[first + 4],
        source[first + 5],
        source[first + 6],
        source[first + 7],
    )
    for i in range(BLOCK):
        target[first + i] = numbers[i]


@separate_kernel(GAME, HIDDEN)
def gain_chosen_die_nb(game, hidden, seat, colour):
    """Gain a die on a face of the owner's choice (rules 9.3, 3.12); `settle_dice_nb` is due afterwards."""
    me = hidden.own[seat]
    colours = 0  # one bit a colour that can be gained
    for c in range(N_COLOURS):
        colours |= has_die_nb(game, c) << c
    if colour != ANY_COLOUR and (colours >> colour) & 1 == 1:
        colours = 1 << colour
    n = game.edition.n_kinds_of[colours]
    for first in range(0, N_KINDS, BLOCK):
        _copy_block_nb(me.option, game.edition.kinds_of[colours], first)
    if n == 0:
        record_nb(hidden, DIE_FORFEITED, seat, 0, 0, 0)
        return
    kind = me.option[ask_nb(game, hidden, seat, CHOOSE_DIE, n)]
    game.supply[kind // N_FACES] -= 1
    add_die_nb(game, hidden, seat, kind)
    record_nb(hidden, DIE_CHOSEN, seat, kind // N_FACES, kind % N_FACES, 0)


@separate_kernel(GAME, HIDDEN)
def load_artifacts_nb(game, hidden, seat, kinds):
    """Let a seat move dice onto empty artifacts that print their face; a wild die may not be stored (rule 6.3).

    Parameters
    ----------
    kinds : int
        One bit a kind that may be moved; -1 for all.
    """
    me = game.pl[seat]
    own = hidden.own[seat]
    while me.n_stored < me.n_artifacts:
        n = 0
        for space in range(me.n_artifacts):
            artifact = me.artifact[space]
            is_free = (me.stored[space] == NOWHERE) & (game.edition.artifact_space[artifact] == 1)
            for colour in range(N_COLOURS):
                kind = colour * N_FACES + game.edition.artifact_face[artifact]
                own.option[n] = N_COLOURS * space + colour
                n += is_free & (me.die[kind] > 0) & (kind != me.wild_kind) & ((kinds >> kind) & 1 == 1)
        if n == 0:
            return
        own.option[n] = NOWHERE
        code = own.option[ask_nb(game, hidden, seat, CHOOSE_LOADING, n + 1)]
        if code == NOWHERE:
            return
        space = code // N_COLOURS
        colour = code % N_COLOURS
        face = game.edition.artifact_face[me.artifact[space]]
        remove_die_nb(game, seat, colour * N_FACES + face)
        me.stored[space] = colour
        me.n_stored += 1
        record_nb(hidden, DIE_STORED, seat, space, colour, face)


@kernel
def load_at_decision_nb(game, hidden, seat):
    """Load artifacts at one of the seat's own decision points, unless artifact_loading=on_gain (rule 6.3)."""
    me = game.pl[seat]
    if me.n_stored < me.n_artifacts and game.edition.loading_on_gain == 0:
        load_artifacts_nb(game, hidden, seat, -1)


@kernel
def list_kinds_nb(game, hidden, seat):
    """Write the kinds of dice on a seat's board into its options and return their number."""
    me = game.pl[seat]
    own = hidden.own[seat]
    n = 0
    for kind in range(N_KINDS):  # without a branch, as no processor guesses what dice there are
        own.option[n] = kind
        n += me.die[kind] != 0  # two instructions; four for > 0
    return n


@separate_kernel(GAME, HIDDEN)
def _store_and_discard_nb(game, hidden, seat):
    me = game.pl[seat]
    if me.n_stored < me.n_artifacts:
        kinds = hidden.gained_kinds if game.edition.loading_on_gain == 1 else -1
        load_artifacts_nb(game, hidden, seat, kinds)
    while me.n_dice > game.edition.dice_spaces:
        n = list_kinds_nb(game, hidden, seat)
        kind = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_DISCARD, n)]
        return_die_nb(game, seat, kind)
        me.n_dice_discarded += 1
        record_nb(hidden, DIE_DISCARDED, seat, kind // N_FACES, kind % N_FACES, 0)


@contained_kernel
def settle_dice_nb(game, hidden, seat):
    """After dice were gained: store some on artifacts, discard old or new ones beyond the capacity (rules 6.3, 9.2)."""
    me = game.pl[seat]
    if (me.n_stored < me.n_artifacts) | (me.n_dice > game.edition.dice_spaces):
        _store_and_discard_nb(game, hidden, seat)
    hidden.gained_kinds = 0


@kernel
def empty_artifact_nb(game, seat, space):
    """Return the die stored on an artifact to the supply."""
    me = game.pl[seat]
    game.supply[me.stored[space]] += 1
    me.stored[space] = NOWHERE
    me.n_stored -= 1
    me.n_changes += 1


@kernel
def spend_source_nb(game, hidden, seat, source):
    """Spend a die of the board, a ready ship upgrade or a stored die: a source (rules 3.11, 6.3, 6.4)."""
    me = game.pl[seat]
    if source < UPGRADE_CODE:
        return_die_nb(game, seat, source)
        record_nb(hidden, DIE_SPENT, seat, source // N_FACES, source % N_FACES, 0)
    elif source < STORED_CODE:
        space = source - UPGRADE_CODE
        me.upgrade_ready[space] = 0
        me.n_upgrade_uses += 1
        record_nb(hidden, UPGRADE_USED, seat, space, me.upgrade[space], 0)
    else:
        space = source - STORED_CODE
        face = game.edition.artifact_face[me.artifact[space]]
        record_nb(hidden, STORED_DIE_SPENT, seat, space, me.stored[space], face)
        empty_artifact_nb(game, seat, space)


@separate_kernel(GAME, HIDDEN)
def turn_dice_nb(game, hidden, seat, n_dice):
    """Setface: turn dice of the board, one by one, to faces that their colour has (rules 3.12, 13)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    for _ in range(n_dice):
        n = list_kinds_nb(game, hidden, seat)
        if n == 0:
            return
        kind = own.option[ask_nb(game, hidden, seat, CHOOSE_DIE_TO_TURN, n)]
        colour = kind // N_FACES
        n = 0
        for face in range(N_FACES):
            own.option[n] = face
            n += game.edition.has_face[colour * N_FACES + face] == 1
        game.due_dice = kind
        face = own.option[ask_nb(game, hidden, seat, CHOOSE_FACE, n)]
        me.die[kind] -= 1
        me.die[colour * N_FACES + face] += 1
        me.n_changes += 1
        record_nb(hidden, DIE_TURNED, seat, colour, kind % N_FACES, face)
    if me.n_stored < me.n_artifacts:
        load_at_decision_nb(game, hidden, seat)


@kernel
def _pick_up_nb(game, hidden, seat, kind):
    me = game.pl[seat]
    remove_die_nb(game, seat, kind)
    me.in_hand[kind // N_FACES] += 1
    record_nb(hidden, DIE_PICKED_UP, seat, kind // N_FACES, kind % N_FACES, 0)


@separate_kernel(GAME, HIDDEN)
def reroll_dice_nb(game, hidden, seat, mode):
    """Reroll any number of the dice on the board once, or all of them (rule 13); stored ones are left alone (3.13)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    load_at_decision_nb(game, hidden, seat)
    if mode == REROLL_ALL:
        for kind in range(N_KINDS):
            while me.die[kind] > 0:
                _pick_up_nb(game, hidden, seat, kind)
    else:
        while me.n_dice > 0:
            n = list_kinds_nb(game, hidden, seat)
            own.option[n] = NOWHERE
            kind = own.option[ask_nb(game, hidden, seat, CHOOSE_DIE_TO_REROLL, n + 1)]
            if kind == NOWHERE:
                break
            _pick_up_nb(game, hidden, seat, kind)
    for colour in range(N_COLOURS):
        while me.in_hand[colour] > 0:
            me.in_hand[colour] -= 1
            face = roll_face_nb(game, hidden.crew_luck[seat], colour)
            me.die[colour * N_FACES + face] += 1
            me.n_dice += 1
            me.n_changes += 1
            record_nb(hidden, DIE_REROLLED, seat, colour, face, 0)
    load_at_decision_nb(game, hidden, seat)
