"""Combat: hammers, combat dice, Favor rerolls (section 10). The same for pillage, sea battles and territories."""

from simcore.accel import kernel, separate_kernel
from simcore.luck import draw_below_nb
from simcore.reavers.artifacts import use_artifacts_nb
from simcore.reavers.decisions import CHOOSE_COMBAT_REROLL, CHOOSE_HAMMER
from simcore.reavers.dice import spend_source_nb
from simcore.reavers.events import (
    COMBAT_BEGINS,
    COMBAT_DICE_NOTED,
    COMBAT_DICE_PICKED_UP,
    COMBAT_DIE,
    COMBAT_ENDS,
    ask_nb,
    record_more_nb,
    record_nb,
)
from simcore.reavers.layout import (
    DOUBLE_HAMMER,
    GAME,
    HAMMER,
    HIDDEN,
    N_COLOURS,
    N_COMBAT_FACES,
    N_FACES,
    N_SUCCESSES,
    NOWHERE,
    STORED_CODE,
    UPGRADE_CODE,
)
from simcore.reavers.paying import add_favor_nb

REROLL_BITS = 5
"""An option of `choose_combat_reroll` has so many bits for each number of successes."""
REROLL_MASK = (1 << REROLL_BITS) - 1


@kernel
def hammers_of_nb(game, me, source):
    """Return the hammers that spending a source brings: 1 or 2 (rules 4.6, 6.3, 6.4, 10.1)."""
    if source < UPGRADE_CODE:
        if source == me.wild_kind:
            return 1 if game.edition.wild_is_single_hammer == 1 else 2
        return 2 if source % N_FACES == DOUBLE_HAMMER else 1
    if source < STORED_CODE:
        return game.edition.upgrade_hammers[me.upgrade[source - UPGRADE_CODE]]
    return 2 if game.edition.artifact_face[me.artifact[source - STORED_CODE]] == DOUBLE_HAMMER else 1


@separate_kernel(GAME, HIDDEN)
def list_hammers_nb(game, hidden, seat):
    """Write everything that brings hammers into a seat's options and return the number (rule 10.1)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    n = 0
    for colour in range(N_COLOURS):
        for kind in range(colour * N_FACES + HAMMER, colour * N_FACES + DOUBLE_HAMMER + 1):
            own.option[n] = kind  # without a branch, as no processor guesses what dice there are
            n += me.die[kind] != 0
    own.option[n] = me.wild_kind
    n += (me.wild_kind != NOWHERE) & (me.die[max(0, me.wild_kind)] > 0)
    for space in range(me.n_upgrades):
        own.option[n] = UPGRADE_CODE + space
        n += (me.upgrade_ready[space] == 1) & (game.edition.upgrade_hammers[me.upgrade[space]] > 0)
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            face = game.edition.artifact_face[me.artifact[space]]
            if me.stored[space] != NOWHERE and face in (HAMMER, DOUBLE_HAMMER):
                own.option[n] = STORED_CODE + space
                n += 1
    return n


@kernel
def can_fight_nb(game, hidden, seat, defense):
    """Return whether a combat could be won at all: with hammers, or with sure successes alone."""
    return game.pl[seat].bonus_successes >= defense or list_hammers_nb(game, hidden, seat) > 0


@kernel
def _commit_hammers_nb(game, hidden, seat):
    """Have a seat spend hammers one by one until it stops; they are counted in ``game.hammers`` (rule 10.1)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    while True:
        n = list_hammers_nb(game, hidden, seat)
        own.option[n] = NOWHERE
        source = own.option[ask_nb(game, hidden, seat, CHOOSE_HAMMER, n + 1)]
        if source == NOWHERE:
            return
        game.hammers += hammers_of_nb(game, me, source)
        spend_source_nb(game, hidden, seat, source)


@kernel
def total_nb(game):
    """Return the successes of a combat so far: sure ones and those of the dice on the table."""
    total = game.successes
    for value in range(1, N_SUCCESSES):
        total += value * game.rolled[value]
    return total


@kernel
def _roll_nb(game, hidden, seat, n_dice):
    for _ in range(n_dice):
        value = game.edition.combat_face[draw_below_nb(hidden.combat_luck[seat], N_COMBAT_FACES)]
        game.rolled[value] += 1
        record_nb(hidden, COMBAT_DIE, seat, value, 0, 0)


@kernel
def _list_rerolls_nb(game, hidden, seat):
    """Write every choice of dice to reroll, as numbers by their successes; the first means none (rule 10.3)."""
    own = hidden.own[seat]
    n = 0
    for n_3 in range(game.rolled[3] + 1):
        for n_2 in range(game.rolled[2] + 1):
            for n_1 in range(game.rolled[1] + 1):
                high = (n_1 << REROLL_BITS) | (n_2 << 2 * REROLL_BITS) | (n_3 << 3 * REROLL_BITS)
                for n_0 in range(game.rolled[0] + 1):
                    own.option[n] = high | n_0
                    n += 1
    return n


@kernel
def _reroll_nb(game, hidden, seat):
    """Reroll for Favor until the owner stops, cannot pay or has won (rule 10.3)."""
    me = game.pl[seat]
    while me.favor >= game.edition.favor_reroll and total_nb(game) < game.defense:
        n = _list_rerolls_nb(game, hidden, seat)
        code = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_COMBAT_REROLL, n)]
        if code == 0:
            return
        add_favor_nb(game, hidden, seat, -game.edition.favor_reroll)
        me.n_rerolls += 1
        n_dice = 0
        record_nb(
            hidden,
            COMBAT_DICE_PICKED_UP,
            seat,
            code & REROLL_MASK,
            (code >> REROLL_BITS) & REROLL_MASK,
            (code >> 2 * REROLL_BITS) & REROLL_MASK,
        )
        record_more_nb(hidden, code >> 3 * REROLL_BITS, 0, 0)
        for value in range(N_SUCCESSES):
            picked = (code >> (REROLL_BITS * value)) & REROLL_MASK
            game.rolled[value] -= picked
            n_dice += picked
        _roll_nb(game, hidden, seat, n_dice)


@kernel
def _roll_all_nb(game, hidden, seat):
    """Roll a combat die for each hammer, in lots if the box holds fewer: the first results are noted (rule 10.4)."""
    while game.hammers > 0 and total_nb(game) < game.defense:
        on_table = 0
        for value in range(N_SUCCESSES):
            on_table += game.rolled[value]
        if on_table == game.edition.n_combat_dice:
            game.successes = total_nb(game)
            record_nb(hidden, COMBAT_DICE_NOTED, seat, game.successes, 0, 0)
            for value in range(N_SUCCESSES):
                game.rolled[value] = 0
            on_table = 0
        n_dice = min(game.hammers, game.edition.n_combat_dice - on_table)
        game.hammers -= n_dice
        game.pl[seat].n_combat_dice += n_dice
        _roll_nb(game, hidden, seat, n_dice)
        _reroll_nb(game, hidden, seat)


@separate_kernel(GAME, HIDDEN)
def fight_nb(game, hidden, seat, defense):
    """Fight a combat and return whether it is won: 1 or 0 (rules 10.1 to 10.4).

    The successes of specialists and artifacts count once, whatever becomes of the combat (rule 3.14).
    """
    me = game.pl[seat]
    use_artifacts_nb(game, hidden, seat)
    game.defense = defense
    game.successes = me.bonus_successes
    me.bonus_successes = 0
    game.hammers = 0
    for value in range(N_SUCCESSES):
        game.rolled[value] = 0
    me.n_combats += 1
    record_nb(hidden, COMBAT_BEGINS, seat, defense, game.successes, 0)
    while total_nb(game) < defense:
        _commit_hammers_nb(game, hidden, seat)
        if game.hammers == 0:
            break
        _roll_all_nb(game, hidden, seat)
        if game.edition.hammers_between_rolls == 0:
            break
    total = total_nb(game)
    is_won = 1 if total >= defense else 0
    me.n_combats_won += is_won
    record_nb(hidden, COMBAT_ENDS, seat, total, is_won, 0)
    return is_won
