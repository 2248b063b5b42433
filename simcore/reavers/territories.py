"""Subdue Territories: attempts by force or in peace, and the rewards on the tiles' backs (section 11)."""

from simcore.accel import kernel, separate_kernel
from simcore.luck import open_stream_nb, shuffle_nb
from simcore.reavers.combat import can_fight_nb, fight_nb
from simcore.reavers.decisions import CHOOSE_TERRITORY
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import TERRITORY_CLAIMED, TERRITORY_ON_TOP, TERRITORY_TURNED_OVER, ask_nb, record_nb
from simcore.reavers.layout import FROM_TILES, GAME, HIDDEN, N_LEVELS, N_STACKS, NOWHERE, SUBDUE
from simcore.reavers.paying import can_pay_nb, pay_nb
from simcore.reavers.resolving import resolve_cards_nb

TILE_LUCK = 3
"""Purpose of the stream that shuffles the stacks; its player is the stack's number."""

STOP = NOWHERE
PEACE = 0
FORCE = 1


@kernel
def defense_nb(stack):
    """Return the Defense of a stack's tiles: their level (rule 11.2)."""
    return stack % N_LEVELS + 1


@kernel
def show_top_tile_nb(game, hidden, stack):
    """Show the front of the top tile; its back only under territory_rewards=open (rules 2.7, 11.2, part B 13)."""
    game.tile_cost[stack] = NOWHERE
    game.tile_shown[stack] = NOWHERE
    n = game.n_stack[stack]
    if n > 0:
        tile = hidden.stack[stack, n - 1]
        game.tile_cost[stack] = game.edition.tile_cost[tile]
        if game.edition.rewards_open == 1:
            game.tile_shown[stack] = tile
        record_nb(hidden, TERRITORY_ON_TOP, stack, game.tile_cost[stack], 0, 0)


@separate_kernel(GAME, HIDDEN)
def open_stacks_nb(game, hidden):
    """Shuffle the stack of each type and level and show its top tile (rule 2.7)."""
    hidden.n_claimed = 0
    for stack in range(N_STACKS):
        n = game.edition.n_stack[stack]
        for i in range(n):
            hidden.stack[stack, i] = game.edition.stack[stack, i]
        open_stream_nb(hidden.luck, hidden.seed, hidden.block, TILE_LUCK, stack)
        shuffle_nb(hidden.luck, hidden.stack[stack], 0, n)
        game.n_stack[stack] = n
        show_top_tile_nb(game, hidden, stack)


@kernel
def list_attempts_nb(game, hidden, seat):
    """Write the attempts a seat can make into its options, peace and force by stack, and return the number (11.3)."""
    own = hidden.own[seat]
    sure = game.pl[seat].bonus_successes
    has_hammers = can_fight_nb(game, hidden, seat, sure + 1)
    n = 0
    for stack in range(N_STACKS):  # with few branches, as no processor guesses what can be paid
        is_there = game.n_stack[stack] > 0
        own.option[n] = 2 * stack + PEACE
        n += is_there & can_pay_nb(game, seat, max(0, game.tile_cost[stack]))
        own.option[n] = 2 * stack + FORCE
        n += is_there & (has_hammers | (sure >= defense_nb(stack)))
    return n


@kernel
def claim_nb(game, hidden, seat, stack):
    """Take the top tile of a stack, not turned over yet (rule 11.3)."""
    me = game.pl[seat]
    n = game.n_stack[stack] - 1
    tile = hidden.stack[stack, n]
    game.n_stack[stack] = n
    hidden.claimed[hidden.n_claimed] = tile
    hidden.n_claimed += 1
    me.n_tiles += 1
    me.tiles[stack] += 1
    me.tile_income += game.edition.tile_income[tile]
    record_nb(hidden, TERRITORY_CLAIMED, seat, stack, 0, 0)
    show_top_tile_nb(game, hidden, stack)


@kernel
def _attempt_nb(game, hidden, seat, code):
    """Make one attempt; it is used up even if the combat fails (rule 11.3)."""
    stack = code // 2
    if code % 2 == PEACE:
        pay_nb(game, hidden, seat, game.tile_cost[stack])
    elif fight_nb(game, hidden, seat, defense_nb(stack)) == 0:
        return
    claim_nb(game, hidden, seat, stack)


@kernel
def turn_over_tiles_nb(game, hidden, seat):
    """After the last attempt, turn over the claimed tiles and take their rewards (rule 11.3)."""
    for i in range(hidden.n_claimed):
        tile = hidden.claimed[i]
        record_nb(hidden, TERRITORY_TURNED_OVER, seat, tile, 0, 0)
        gain_nb(game, hidden, seat, game.edition.tile_reward[tile], FROM_TILES, NOWHERE)
        resolve_cards_nb(game, hidden, seat)
    hidden.n_claimed = 0


@separate_kernel(GAME, HIDDEN)
def subdue_nb(game, hidden, seat):
    """Act at Subdue Territories: up to 3, 2, 1, 1 attempts by seat, at least one (rules 3.5, 11.1, 11.3)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    game.actions_left = game.edition.bonus[SUBDUE, game.distance] + me.extra_attempts
    me.extra_attempts = 0
    is_first = True
    while game.actions_left > 0:
        n = list_attempts_nb(game, hidden, seat)
        if n == 0:
            break
        if not is_first:
            own.option[n] = STOP
            n += 1
        code = own.option[ask_nb(game, hidden, seat, CHOOSE_TERRITORY, n)]
        if code == STOP:
            break
        is_first = False
        _attempt_nb(game, hidden, seat, code)
        game.actions_left += me.extra_attempts - 1
        me.extra_attempts = 0
    turn_over_tiles_nb(game, hidden, seat)
