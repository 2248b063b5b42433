"""A location from its selection to the last player's turn: specialists, then pay and act or rest (rules 3.2 to 3.7)."""

from simcore.accel import contained_kernel, kernel
from simcore.reavers.artifacts import prepare_nb, use_artifacts_nb
from simcore.reavers.combat import can_fight_nb
from simcore.reavers.decisions import CHOOSE_ACTION, CHOOSE_LOCATION
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import ACTS, LOCATION_SELECTED, RESTS, ask_nb, record_nb
from simcore.reavers.keeps import raid_keeps_nb
from simcore.reavers.layout import (
    FIRST_SLOT_LOCATION,
    FROM_OTHER,
    FROM_SEA_BONUS,
    KEEPS,
    MAX_ARTIFACT_SPACES,
    MAX_RESTS,
    N_LOCATIONS,
    N_STACKS,
    NOWHERE,
    RECRUIT,
    SEA,
    SUBDUE,
    TRADE,
    VILLAGES,
)
from simcore.reavers.paying import add_favor_nb, add_glory_nb, can_pay_nb, pay_nb
from simcore.reavers.recruit import recruit_nb
from simcore.reavers.resolving import resolve_cards_nb
from simcore.reavers.sea import battle_at_sea_nb
from simcore.reavers.specialists import use_specialists_nb
from simcore.reavers.territories import defense_nb, subdue_nb
from simcore.reavers.trade import take_start_marker_nb, trade_nb
from simcore.reavers.upgrades import ready_upgrades_nb
from simcore.reavers.villages import raid_villages_nb

ACT = 0
FIRST_REST = 1


@kernel
def selector_nb(game, selection):
    """Return the seat that selects as number `selection` (0...) of the round (rule 3.2).

    Clockwise from the marker's holder at the start of the round; of three players the honor ship's owner comes fourth.
    """
    if selection >= game.n_players and game.honor_ship != NOWHERE:
        return game.honor_ship
    return (game.first_player + selection) % game.n_players


@kernel
def choose_location_nb(game, hidden, seat):
    """Let a seat select a location that nobody selected in this round (rule 3.3).

    A seat may not select one it is banned from, unless it is banned from all that are left.
    """
    own = hidden.own[seat]
    banned = game.pl[seat].banned
    n = 0
    for location in range(N_LOCATIONS):
        own.option[n] = location
        n += (game.is_selected[location] == 0) & ((banned >> location) & 1 == 0)
    if n == 0:
        for location in range(N_LOCATIONS):
            if game.is_selected[location] == 0:
                own.option[n] = location
                n += 1
    location = own.option[ask_nb(game, hidden, seat, CHOOSE_LOCATION, n)]
    game.is_selected[location] = 1
    game.pl[seat].n_selected[location] += 1
    record_nb(hidden, LOCATION_SELECTED, seat, location, 0, 0)
    return location


@kernel
def can_subdue_nb(game, hidden, seat):
    """Return whether a seat can make any attempt, by force or in peace (rules 3.5, 11.3)."""
    sure = game.pl[seat].bonus_successes
    has_hammers = can_fight_nb(game, hidden, seat, sure + 1)
    for stack in range(N_STACKS):
        if game.n_stack[stack] > 0:
            if has_hammers or sure >= defense_nb(stack) or can_pay_nb(game, seat, game.tile_cost[stack]):
                return True
    return False


@contained_kernel
def can_act_nb(game, hidden, seat, location):
    """Return whether a seat can pay for a location; the free ones are open to all (rules 3.3, 3.5)."""
    if location == SUBDUE:
        return can_subdue_nb(game, hidden, seat)
    if location <= TRADE:
        return True
    return can_pay_nb(game, seat, game.edition.location_cost[location])


@contained_kernel
def list_actions_nb(game, hidden, seat, location):
    """Write what a seat may do at a location into its options: act, or rest in some way (rules 3.4 b, 3.5)."""
    own = hidden.own[seat]
    n_acts = 1 if can_act_nb(game, hidden, seat, location) else 0
    for i in range(1 + MAX_RESTS):  # more than there are: a fixed number takes no branch
        own.option[i] = FIRST_REST - n_acts + i  # acting comes just before the first rest
    if (n_acts == 1) & (game.edition.no_rest_at_free_location == 1) & (location <= TRADE):
        return 1
    return n_acts + game.edition.n_rests


@kernel
def act_nb(game, hidden, seat, location):
    """Pay (rules 6.1, 7.1, 8.1) and carry out the action of a location completely, cards gained included."""
    me = game.pl[seat]
    me.acts = 1
    me.n_acted[location] += 1
    record_nb(hidden, ACTS, seat, location, 0, 0)
    pay_nb(game, hidden, seat, game.edition.location_cost[location])
    if game.edition.artifacts_wait == 1:
        use_artifacts_nb(game, hidden, seat)
    if location == RECRUIT:
        recruit_nb(game, hidden, seat)
    elif location == TRADE:
        trade_nb(game, hidden, seat)
    elif location == VILLAGES:
        raid_villages_nb(game, hidden, seat)
    elif location == KEEPS:
        raid_keeps_nb(game, hidden, seat)
    elif location == SEA:
        battle_at_sea_nb(game, hidden, seat)
    else:
        subdue_nb(game, hidden, seat)
    resolve_cards_nb(game, hidden, seat)


@contained_kernel
def take_turn_nb(game, hidden, seat, location):
    """One seat's turn at a location: artifacts, then pay and act, or rest (rules 3.4 b, 3.5, 6.3)."""
    me = game.pl[seat]
    prepare_nb(game, hidden, seat)
    resolve_cards_nb(game, hidden, seat)
    n = list_actions_nb(game, hidden, seat, location)
    action = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_ACTION, n)]
    if action == ACT:
        act_nb(game, hidden, seat, location)
    else:
        me.n_rests += 1
        record_nb(hidden, RESTS, seat, location, action - FIRST_REST, 0)
        gain_nb(game, hidden, seat, game.edition.rest[action - FIRST_REST], FROM_OTHER, NOWHERE)
    if me.n_stored > 0:
        use_artifacts_nb(game, hidden, seat)
    resolve_cards_nb(game, hidden, seat)


@kernel
def _begin_nb(game, location, selector):
    game.location = location
    game.selector = selector
    for seat in range(game.n_players):
        me = game.pl[seat]
        me.acts = 0
        me.bonus_successes = 0
        me.extra_defense = 0
        me.extra_attempts = 0
        me.extra_trades = 0
        me.skips_journey = 0
        if me.n_artifacts > 0:
            for space in range(MAX_ARTIFACT_SPACES):
                me.artifact_used[space] = 0


@kernel
def _give_bonus_at_once_nb(game, hidden, location, selector):
    """Under selector_bonus_without_participation=yes, the selector's bonus comes with the selection (part B 3)."""
    if location == RECRUIT and game.edition.bonus[RECRUIT, 0] > 0:
        add_favor_nb(game, hidden, selector, game.edition.bonus[RECRUIT, 0])
    elif location == SEA and game.edition.bonus[SEA, 0] > 0:
        add_glory_nb(game, hidden, selector, game.edition.bonus[SEA, 0], FROM_SEA_BONUS)


@contained_kernel
def _seat_after_nb(game, selector, distance):
    seat = selector + distance
    return seat - game.n_players if seat >= game.n_players else seat  # a division takes much longer


@kernel
def activate_nb(game, hidden, selector):
    """Select a location and resolve it for everybody (rules 3.3 to 3.7)."""
    location = choose_location_nb(game, hidden, selector)
    _begin_nb(game, location, selector)
    if location == TRADE:
        take_start_marker_nb(game, hidden, selector)
    if game.edition.bonus_without_participation == 1:
        _give_bonus_at_once_nb(game, hidden, location, selector)
    n = game.n_players
    if location >= FIRST_SLOT_LOCATION:  # 3.4 a
        for distance in range(n):
            seat = _seat_after_nb(game, selector, distance)
            if game.pl[seat].n_specialists[location - FIRST_SLOT_LOCATION] > 0:
                game.active = seat
                game.distance = distance
                use_specialists_nb(game, hidden, seat, location - FIRST_SLOT_LOCATION)
                resolve_cards_nb(game, hidden, seat)
    for distance in range(n):  # 3.4 b
        game.active = _seat_after_nb(game, selector, distance)
        game.distance = distance
        take_turn_nb(game, hidden, game.active, location)
    if game.edition.refresh_by_round == 0:
        for seat in range(n):
            ready_upgrades_nb(game, hidden, seat)
    game.location = NOWHERE
    game.active = NOWHERE
