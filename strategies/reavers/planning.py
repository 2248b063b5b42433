"""Looking ahead over the selections still to come in the round (strategies.md section 1: place and turn decide).

For each location it could select now, the planner follows the round to its end: the rivals are expected to select what
is worth most to them by their boards, which everybody sees; its own later pawns select what is best then. What all
those locations bring, each at its place after the selector and paid with what is left, is added up.
"""

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.reavers.activation import selector_nb
from simcore.reavers.layout import (
    DOUBLE_HAMMER,
    GAME,
    HAMMER,
    KEEP_DECK,
    KEEPS,
    N_FACES,
    N_LOCATIONS,
    OWN,
    RECRUIT,
    SEA,
    SUBDUE,
    TRADE,
    VILLAGE_DECK,
    VILLAGES,
)
from simcore.reavers.paying import can_pay_nb
from strategies.explaining import tell_nb
from strategies.reavers.memory import FOLLOWED, PLACES, PLACES_A_LOCATION, PREFERRED, TO_COME, UNSEEN, WAITING
from strategies.reavers.places import rest_value_nb, survey_nb, value_places_nb
from strategies.reavers.selecting import marker_value_nb
from strategies.reavers.weights import FOLLOW, KEEP_DICE, LIKE, ONE, VILLAGE_DICE, WEIGHTS

AHEAD, DENY = len(WEIGHTS), len(WEIGHTS) + 1
"""Parameters of the planner beyond the weights of the shared heuristic."""
LOCATION_BITS = 3
LOCATION_MASK = (1 << LOCATION_BITS) - 1
ORDER_BITS = LOCATION_BITS * N_LOCATIONS
ORDERS_A_SLOT = 3
"""An order of the locations takes so many bits; a slot of ``own.memory`` holds so many orders."""
CANNOT_PAY = -1
NEVER = -(1 << 40)
"""Less than any location is worth."""


@kernel
def value_waiting_nb(game, own, rest):
    """Write what of each open location's worth one will have anyway, sooner or later, as a follower."""
    memory = own.memory
    far = min(1 + game.n_players // 2, game.n_players - 1)
    for location in range(N_LOCATIONS):
        anyway = max(0, memory[PLACES + PLACES_A_LOCATION * location + far] - rest)
        chance = min(256, memory[TO_COME + location])
        memory[WAITING + location] = (anyway * own.param[FOLLOW] >> 8) * chance >> 8


@kernel
def hammers_of_seat_nb(game, seat):
    """Return about how many hammers a seat has."""
    me = game.pl[seat]
    n = 0
    for colour in range(3):
        n += me.die[colour * N_FACES + HAMMER] + 2 * me.die[colour * N_FACES + DOUBLE_HAMMER]
    if me.wild_kind >= 0:
        n += 2 * me.die[me.wild_kind]
    return n


@kernel
def rival_means_nb(game, seat, location, hammers):
    """Return what a rival has for a location that asks for more than its cost; `CANNOT_PAY` if it cannot pay that."""
    me = game.pl[seat]
    if not can_pay_nb(game, seat, game.edition.location_cost[location]):
        return CANNOT_PAY
    if location == SEA:
        return min(6, hammers + me.n_dice // 3)
    if location == SUBDUE:
        return hammers // 2 + me.food // 4 + me.favor // 3 + me.n_dice // 6
    return 0


@contained_kernel
def rival_gain_nb(game, own, location, means, bonus):
    """Return about what a location brings a rival, by the board that everybody sees, 1/100 Glory.

    Parameters
    ----------
    means : int
        From `rival_means_nb`.
    bonus : int
        At its place after the selector.
    """
    if means == CANNOT_PAY:
        return ONE
    if location == RECRUIT:
        return 500 + 100 * bonus if game.rounds_left > 0 else 200
    if location == TRADE:
        return 50 + 240 * bonus if game.rounds_left > 0 else 50 + 150 * bonus
    if location == VILLAGES:
        return (2 + bonus) * own.memory[UNSEEN + VILLAGE_DECK] - own.param[VILLAGE_DICE]
    if location == KEEPS:
        return (2 + bonus) * own.memory[UNSEEN + KEEP_DECK] - own.param[KEEP_DICE]
    if location == SEA:
        return 150 * means - 300
    return max(ONE, min(bonus, means) * (ONE * game.rounds_left + 100))


@kernel
def order_nb(own):
    """Return the locations by what `WAITING` holds, the best one in the lowest bits, of equal ones the first."""
    memory = own.memory
    order = 0
    for location in range(N_LOCATIONS):  # as many as are better come before it: no branch that nobody can guess
        mine = memory[WAITING + location]
        n_better = 0
        for other in range(N_LOCATIONS):
            n_better += memory[WAITING + other] > mine - (other < location)
        order |= location << (LOCATION_BITS * n_better)
    return order


@separate_kernel(GAME, OWN)
def judge_rivals_nb(game, own, closed):
    """Write in which order each rival would select what is open now, and what it brings them all if one selects it."""
    memory = own.memory
    n = game.n_players
    memory[PREFERRED] = 0
    memory[PREFERRED + 1] = 0
    for location in range(N_LOCATIONS):
        memory[FOLLOWED + location] = 0
    selectors = 0  # one bit a seat: nobody asks for the order of a rival who selects no more
    for selection in range(game.selection + 1, game.edition.n_selections):
        selectors |= 1 << selector_nb(game, selection)
    for i in range(n - 1):
        seat = (own.seat + 1 + i) % n
        hammers = hammers_of_seat_nb(game, seat)
        selects = (selectors >> seat) & 1 == 1
        for location in range(N_LOCATIONS):
            value = NEVER
            if (closed >> location) & 1 == 0:
                bonus = game.edition.bonus[location]
                means = rival_means_nb(game, seat, location, hammers)
                if selects:
                    value = rival_gain_nb(game, own, location, means, bonus[0])
                    value -= rival_gain_nb(game, own, location, means, bonus[n - 1]) * own.param[FOLLOW] >> 8
                memory[FOLLOWED + location] += rival_gain_nb(game, own, location, means, bonus[i + 1])
            memory[WAITING + location] = value
        if selects:
            memory[PREFERRED + i // ORDERS_A_SLOT] |= order_nb(own) << (ORDER_BITS * (i % ORDERS_A_SLOT))


@contained_kernel
def rival_choice_nb(game, own, seat, closed):
    """Return the open location that is worth most to a rival who selects."""
    i = seat - own.seat - 1 if seat > own.seat else seat - own.seat - 1 + game.n_players
    order = own.memory[PREFERRED + i // ORDERS_A_SLOT] >> (ORDER_BITS * (i % ORDERS_A_SLOT))
    for _ in range(N_LOCATIONS - 1):
        if (closed >> (order & LOCATION_MASK)) & 1 == 0:
            break
        order >>= LOCATION_BITS
    return order & LOCATION_MASK


@kernel
def affordable_nb(game, own, location, food, value, rest):
    """Return a location's worth if the food that is left still pays it, else what resting is worth."""
    cost = game.edition.location_cost[location]
    return value if game.edition.cost_food[cost] <= food else rest


@kernel
def later_value_nb(game, own, closed, food, rest):
    """Return what the selections after the present one bring, once `closed` locations (one bit each) are gone."""
    memory = own.memory
    n = game.n_players
    total = 0
    for selection in range(game.selection + 1, game.edition.n_selections):
        selector = selector_nb(game, selection)
        if selector == own.seat:
            chosen = 0
            most = -(1 << 30)
            for location in range(N_LOCATIONS):
                if (closed >> location) & 1 == 0:
                    value = memory[PLACES + PLACES_A_LOCATION * location]
                    value = affordable_nb(game, own, location, food, value, rest) - memory[WAITING + location]
                    if value > most:
                        most = value
                        chosen = location
        else:
            chosen = rival_choice_nb(game, own, selector, closed)
        distance = own.seat - selector if own.seat >= selector else own.seat - selector + n
        value = memory[PLACES + PLACES_A_LOCATION * chosen + distance]
        value = affordable_nb(game, own, chosen, food, value, rest)
        total += value - memory[WAITING + chosen]
        if value > rest:
            food -= game.edition.cost_food[game.edition.location_cost[chosen]]
        closed |= 1 << chosen
    return total


@kernel
def choose_location_ahead_nb(game, own, n_options):
    """Select the location after which the whole rest of the round is worth most."""
    survey_nb(game, own)
    memory = own.memory
    rest = rest_value_nb(game, own)
    payable = 0  # one bit a location
    for i in range(n_options):
        payable |= value_places_nb(game, own, own.option[i], rest) << own.option[i]
    closed = 0
    for location in range(N_LOCATIONS):
        closed |= game.is_selected[location] << location
    judge_rivals_nb(game, own, closed)
    value_waiting_nb(game, own, rest)
    food = game.pl[own.seat].food
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        location = own.option[i]
        value = memory[PLACES + PLACES_A_LOCATION * location]
        paid = game.edition.cost_food[game.edition.location_cost[location]] if value > rest else 0
        later = later_value_nb(game, own, closed | (1 << location), food - paid, rest)
        value += (later * own.param[AHEAD] >> 8) - memory[WAITING + location]
        value -= (memory[FOLLOWED + location] // max(1, game.n_players - 1)) * own.param[DENY] >> 8
        if location == TRADE:
            value += marker_value_nb(game, own)
        if (payable >> location) & 1 == 1:
            value += own.param[LIKE + location]
        tell_nb(i, value, ONE)
        if value > most:
            most = value
            best = i
    return best
