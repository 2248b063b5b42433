"""Costs: what can be paid with dice, ship upgrades and stored dice, and paying it (rules 3.13, 6.3, 6.4, 9.4)."""

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.reavers.decisions import CHOOSE_LOST_DIE, CHOOSE_PAYMENT
from simcore.reavers.dice import list_kinds_nb, spend_source_nb
from simcore.reavers.events import FAVOR_CHANGED, FOOD_CHANGED, GLORY_CHANGED, ask_nb, record_nb
from simcore.reavers.layout import (
    CLAN,
    DOUBLE_HAMMER,
    FACE_BITS,
    FACE_MASK,
    GAME,
    HAMMER,
    HIDDEN,
    N_COLOURS,
    N_FACES,
    NOWHERE,
    STORED_CODE,
    UPGRADE_CODE,
)

COUNT_BITS = 8
"""Bits of a count of what can pay a face, where the counts of all faces are packed into one number."""
COUNT_MASK = (1 << COUNT_BITS) - 1


@kernel
def add_food_nb(game, hidden, seat, n):
    """Gain food, or lose as much as there is (rules 3.11, 3.13)."""
    me = game.pl[seat]
    change = max(n, -me.food)
    me.food += change
    record_nb(hidden, FOOD_CHANGED, seat, change, me.food, 0)


@kernel
def add_favor_nb(game, hidden, seat, n):
    """Gain favor, or lose as much as there is (rules 3.11, 3.13)."""
    me = game.pl[seat]
    change = max(n, -me.favor)
    me.favor += change
    record_nb(hidden, FAVOR_CHANGED, seat, change, me.favor, 0)


@kernel
def add_glory_nb(game, hidden, seat, n, source):
    """Move on the Glory track, also below zero, and note where it came from (rule 3.13)."""
    me = game.pl[seat]
    me.glory += n
    me.glory_from[source] += n
    record_nb(hidden, GLORY_CHANGED, seat, n, me.glory, source)


@kernel
def _wild_pays_nb(game, face):
    return (face != DOUBLE_HAMMER) | (game.edition.wild_is_single_hammer == 0)


@separate_kernel(GAME, HIDDEN)
def list_sources_nb(game, hidden, seat, face):
    """Write what can pay one die of a face into a seat's options and return their number (rules 4.6, 6.3, 6.4, 9.4)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    doubles = face == HAMMER and game.edition.double_is_exact == 0
    n = 0
    for kind in range(face, N_COLOURS * N_FACES, N_FACES):  # no branch, as no processor guesses what dice there are
        own.option[n] = kind
        n += me.die[kind] != 0
    if doubles:
        for kind in range(DOUBLE_HAMMER, N_COLOURS * N_FACES, N_FACES):
            own.option[n] = kind
            n += me.die[kind] != 0
    own.option[n] = me.wild_kind
    n += (me.wild_kind != NOWHERE) & (face != CLAN) & (me.die[max(0, me.wild_kind)] > 0) & _wild_pays_nb(game, face)
    for space in range(me.n_upgrades):
        own.option[n] = UPGRADE_CODE + space
        n += me.upgrade_ready[space] & (game.edition.upgrade_faces[me.upgrade[space]] >> face) & 1
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            stored = game.edition.artifact_face[me.artifact[space]]
            if me.stored[space] != NOWHERE and (stored == face or (doubles and stored == DOUBLE_HAMMER)):
                own.option[n] = STORED_CODE + space
                n += 1
    return n


@kernel
def count_sources_nb(game, me, face):
    """Return how many dice of a face a player could pay with everything that can pay it."""
    edition = game.edition
    n = me.die[face] + me.die[N_FACES + face] + me.die[2 * N_FACES + face]
    doubles = (face == HAMMER) & (edition.double_is_exact == 0)
    n += doubles * (me.die[DOUBLE_HAMMER] + me.die[N_FACES + DOUBLE_HAMMER] + me.die[2 * N_FACES + DOUBLE_HAMMER])
    takes_wild = (me.wild_kind != NOWHERE) & (face != CLAN) & _wild_pays_nb(game, face)
    n += takes_wild * me.die[max(0, me.wild_kind)]
    for space in range(me.n_upgrades):
        n += me.upgrade_ready[space] & (edition.upgrade_faces[me.upgrade[space]] >> face) & 1
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            stored = edition.artifact_face[me.artifact[space]]
            if me.stored[space] != NOWHERE and (stored == face or (doubles and stored == DOUBLE_HAMMER)):
                n += 1
    return n


@kernel
def _exact_dice_nb(game, me):
    """Return what pays one face and, double hammers aside, no other: dice, stored dice, upgrades with one icon.

    Packed, `COUNT_BITS` bits a face.
    """
    exact = 0
    for face in range(N_FACES):
        exact += (me.die[face] + me.die[N_FACES + face] + me.die[2 * N_FACES + face]) << (COUNT_BITS * face)
    if me.wild_kind != NOWHERE:
        exact -= me.die[me.wild_kind] << (COUNT_BITS * CLAN)
    for space in range(me.n_upgrades):
        upgrade = me.upgrade[space]
        if me.upgrade_ready[space] == 1 and game.edition.upgrade_is_flexible[upgrade] == 0:
            for face in range(N_FACES):
                exact += ((game.edition.upgrade_faces[upgrade] >> face) & 1) << (COUNT_BITS * face)
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            if me.stored[space] != NOWHERE:
                exact += 1 << (COUNT_BITS * game.edition.artifact_face[me.artifact[space]])
    return exact


@kernel
def covers_faces_nb(game, me, faces):
    """Return whether a player can pay dice of several faces at once.

    Exact dice come first, spare double hammers help out for hammers; what is still short must be covered by wild dice
    and by upgrades with several icons: they suffice if each set of faces finds as many as it is short (Hall's theorem).

    Parameters
    ----------
    faces : int
        Dice due, `FACE_BITS` bits a face.
    """
    edition = game.edition
    spare_doubles = 0
    short = 0  # packed like `faces`
    short_faces = 0  # one bit a face
    n_short = 0
    exact = _exact_dice_nb(game, me)
    for face in range(N_FACES - 1, -1, -1):  # double hammers before hammers
        due = (faces >> (FACE_BITS * face)) & FACE_MASK
        due -= (exact >> (COUNT_BITS * face)) & COUNT_MASK
        if face == DOUBLE_HAMMER and edition.double_is_exact == 0:
            spare_doubles = max(0, -due)
        if face == HAMMER:
            due -= spare_doubles
        due = max(0, due)  # no branch, as no processor guesses what dice there are
        short |= due << (FACE_BITS * face)
        short_faces |= (due > 0) << face
        n_short += due
    if n_short == 0:
        return True
    n_wild = me.die[me.wild_kind] if me.wild_kind != NOWHERE else 0
    n_flexible = 0
    for space in range(me.n_upgrades):
        n_flexible += me.upgrade_ready[space] * edition.upgrade_is_flexible[me.upgrade[space]]
    if n_short > n_wild + n_flexible:
        return False
    if n_flexible == 0 and edition.wild_is_single_hammer == 0:
        return True
    faces_of_set = short_faces  # a set with other faces too finds no less and is short of no more
    while faces_of_set != 0:
        if not _set_is_covered_nb(game, me, short, faces_of_set, n_wild):
            return False
        faces_of_set = (faces_of_set - 1) & short_faces
    return True


@kernel
def _set_is_covered_nb(game, me, short, faces_of_set, n_wild):
    n = 0
    takes_wild = False
    for face in range(N_FACES):
        if (faces_of_set >> face) & 1 == 1:
            n += (short >> (FACE_BITS * face)) & FACE_MASK
            takes_wild = takes_wild or _wild_pays_nb(game, face)
    found = n_wild if takes_wild else 0
    for space in range(me.n_upgrades):
        upgrade = me.upgrade[space]
        if me.upgrade_ready[space] == 1 and game.edition.upgrade_is_flexible[upgrade] == 1:
            if game.edition.upgrade_faces[upgrade] & faces_of_set != 0:
                found += 1
    return found >= n


@contained_kernel
def can_pay_nb(game, seat, cost):
    """Return whether a seat can pay a cost in full."""
    me = game.pl[seat]
    edition = game.edition
    has_goods = (me.food >= edition.cost_food[cost]) & (me.favor >= edition.cost_favor[cost])
    if not has_goods & (me.n_dice + me.n_stored >= edition.cost_any_die[cost]):  # one branch for all three
        return False
    faces = edition.cost_faces[cost]
    if faces == 0:
        return True
    face = edition.cost_only_face[cost]
    if face != NOWHERE:
        return count_sources_nb(game, me, face) >= faces >> (FACE_BITS * face)
    return covers_faces_nb(game, me, faces)


@kernel
def _keep_if_rest_covered_nb(game, hidden, seat, n, faces):
    """Keep of the first `n` options only those after which the other faces can still be paid; return their number."""
    me = game.pl[seat]
    own = hidden.own[seat]
    n_kept = 0
    for i in range(n):
        source = own.option[i]
        if source < UPGRADE_CODE:
            me.die[source] -= 1
            good = covers_faces_nb(game, me, faces)
            me.die[source] += 1
        elif source < STORED_CODE:
            space = source - UPGRADE_CODE
            me.upgrade_ready[space] = 0
            good = covers_faces_nb(game, me, faces)
            me.upgrade_ready[space] = 1
        else:
            space = source - STORED_CODE
            colour = me.stored[space]
            me.stored[space] = NOWHERE
            good = covers_faces_nb(game, me, faces)
            me.stored[space] = colour
        if good:
            own.option[n_kept] = source
            n_kept += 1
    return n_kept


@separate_kernel(GAME, HIDDEN)
def _pay_faces_nb(game, hidden, seat, faces, only_face):
    """Pay dice of given faces one by one; the owner chooses which die, wild or upgrade (rules 9.4, 16.2)."""
    own = hidden.own[seat]
    if only_face != NOWHERE:
        due = faces >> (FACE_BITS * only_face)
        if count_sources_nb(game, game.pl[seat], only_face) == due:  # all of them: nothing to choose
            for _ in range(due):
                list_sources_nb(game, hidden, seat, only_face)
                spend_source_nb(game, hidden, seat, own.option[0])
            return
    for face in range(N_FACES):
        while (faces >> (FACE_BITS * face)) & FACE_MASK != 0:
            game.due_face = face
            game.due_dice = (faces >> (FACE_BITS * face)) & FACE_MASK
            faces -= 1 << (FACE_BITS * face)
            n = list_sources_nb(game, hidden, seat, face)
            if only_face == NOWHERE and faces != 0 and n > 1:
                n = _keep_if_rest_covered_nb(game, hidden, seat, n, faces)
            source = own.option[ask_nb(game, hidden, seat, CHOOSE_PAYMENT, n)]
            spend_source_nb(game, hidden, seat, source)


@separate_kernel(GAME, HIDDEN)
def lose_dice_nb(game, hidden, seat, n_dice):
    """Lose dice of the owner's choice, of any face, stored ones too, as many as there are (rules 3.13, 6.3, 11.3)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    all_go = me.n_dice + me.n_stored <= n_dice
    for due in range(n_dice, 0, -1):
        n = list_kinds_nb(game, hidden, seat)
        if me.n_stored > 0:
            for space in range(me.n_artifacts):
                if me.stored[space] != NOWHERE:
                    own.option[n] = STORED_CODE + space
                    n += 1
        if n == 0:
            return
        game.due_dice = due
        source = own.option[ask_nb(game, hidden, seat, CHOOSE_LOST_DIE, 1 if all_go else n)]
        spend_source_nb(game, hidden, seat, source)


@kernel
def pay_nb(game, hidden, seat, cost):
    """Pay a cost that `can_pay_nb` found payable; everything returns to the supply (rule 3.11)."""
    edition = game.edition
    if edition.cost_food[cost] > 0:
        add_food_nb(game, hidden, seat, -edition.cost_food[cost])
    if edition.cost_favor[cost] > 0:
        add_favor_nb(game, hidden, seat, -edition.cost_favor[cost])
    if edition.cost_any_die[cost] > 0:
        lose_dice_nb(game, hidden, seat, edition.cost_any_die[cost])
    if edition.cost_faces[cost] != 0:
        _pay_faces_nb(game, hidden, seat, edition.cost_faces[cost], edition.cost_only_face[cost])
