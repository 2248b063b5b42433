"""What acting at a location is worth to the seat (strategies.md section 2: follow value)."""

from simcore.accel import array_at, kernel, separate_kernel
from simcore.reavers.layout import (
    BATTLE_DECK,
    CARD,
    GAME,
    KEEP_DECK,
    MARKET_DICE,
    MAX_DECK,
    N_FACES,
    N_KINDS,
    N_LEVELS,
    N_STACKS,
    NOWHERE,
    OWN,
    PROPHECY_DECK,
    REAVER_DECK,
    RECRUIT,
    SEA,
    SUBDUE,
    TRADE,
    VILLAGE_DECK,
    VILLAGES,
)
from simcore.reavers.paying import can_pay_nb
from strategies.reavers.cards import group_value_nb, prophecy_value_nb, steer_nb, value_unseen_nb
from strategies.reavers.crew import best_times_nb, stack_of_reavers_value_nb, value_unseen_reaver_nb
from strategies.reavers.effects import cost_value_nb, effect_value_nb
from strategies.reavers.fighting import fight_value_nb
from strategies.reavers.memory import (
    ACTING,
    FAVOR_VALUE,
    LOOKED_IN,
    NEXT,
    NEXT_WILD,
    PLACES,
    PLACES_A_LOCATION,
    PROPHECIES_SEEN,
    REAVERS_KNOWN,
    SELECTED_AT,
    STACK_OF_REAVERS,
    STEERED,
    TILE,
    UNSEEN,
)
from strategies.reavers.outlook import dice_value_nb, look_nb, moment_nb
from strategies.reavers.subduing import subdue_value_nb
from strategies.reavers.tables import SAME_STACK
from strategies.reavers.weights import INCOME, JOURNEY, ONE

NOT_PAYABLE = -(1 << 20)
ALL_OF_IT = 1 << 40
"""More than anything is worth: nothing is left out."""
METRIC_TILES, METRIC_TYPES = 1, 2


@separate_kernel(GAME, OWN)
def survey_nb(game, own):
    """Value goods; once a round, the set-up included, what prophecies steer to, unseen cards and territories."""
    look_nb(game, own)
    memory = own.memory
    memory[REAVERS_KNOWN] = 0
    this_round = max(1, game.round_number)
    if memory[LOOKED_IN] != this_round:
        memory[LOOKED_IN] = this_round
        steer_nb(game, own)
        value_unseen_nb(game, own)
        value_unseen_reaver_nb(game, own)
        value_tiles_nb(game, own)
    elif game.pl[own.seat].n_prophecies != memory[PROPHECIES_SEEN]:
        steer_nb(game, own)


@kernel
def mean_tile_value_nb(game, own, stack):
    """Return what a tile of a stack brings: income to come, and the mean of the rewards (11.3, 11.4)."""
    edition = game.edition
    paid = game.rounds_left + edition.income_after_last_round
    total = 0
    n = edition.n_stack[stack]
    for i in range(n):
        tile = edition.stack[stack, i]
        reward = effect_value_nb(game, own, edition.tile_reward[tile])
        total += reward + (ONE * paid * edition.tile_income[tile] * own.param[INCOME] >> 8)
    return total // max(1, n)


@kernel
def value_tiles_nb(game, own):
    """Write what the top tile of each stack is worth to the seat, prophecies included."""
    table = array_at(own.table, own.n_table)
    memory = own.memory
    for stack in range(N_STACKS):
        same = table[SAME_STACK + stack]
        memory[TILE + stack] = mean_tile_value_nb(game, own, stack) if same == stack else memory[TILE + same]
    for stack in range(N_STACKS):
        memory[TILE + stack] += memory[STEERED + METRIC_TILES] + memory[STEERED + METRIC_TYPES + stack // N_LEVELS]


@kernel
def raid_value_nb(game, own, deck, enough):
    """Return what a raid brings without the bonus: the best group or two unseen cards (6.2, 7.2)."""
    best = game.edition.n_unseen[deck] * own.memory[UNSEEN + deck]
    for space in range(game.edition.n_offers[deck]):
        if best >= enough:
            break
        if game.offer[deck, space, 0] != NOWHERE:
            best = max(best, group_value_nb(game, own, deck, space))
    return best


@separate_kernel(GAME, OWN)
def battle_value_nb(game, own, battle):
    """Return what a sea battle is worth, won with dice or by combat, whichever is better (rule 8.3)."""
    edition = game.edition
    table = array_at(own.table, own.n_table)
    reward = effect_value_nb(game, own, edition.battle_reward[battle]) + own.memory[STEERED]
    best = 0
    if can_pay_nb(game, own.seat, edition.battle_cost[battle]):
        best = reward - cost_value_nb(game, own, edition.battle_cost[battle])
    defense = edition.battle_defense[battle] + game.pl[own.seat].extra_defense
    return max(best, fight_value_nb(game, own, table, defense, reward))


@kernel
def unseen_battle_value_nb(game, own):
    """Return the mean worth of every fourth sea battle of the deck: an unseen one."""
    edition = game.edition
    total = 0
    n = 0
    for i in range(1, min(edition.n_deck[BATTLE_DECK], MAX_DECK), 4):
        total += battle_value_nb(game, own, edition.deck[BATTLE_DECK, i])
        n += 1
    return total // max(1, n)


@kernel
def sea_value_nb(game, own, enough):
    """Return what the best sea battle is worth."""
    best = 0
    for space in range(game.edition.n_offers[BATTLE_DECK]):
        if best >= enough:
            break
        if game.offer[BATTLE_DECK, space, 0] != NOWHERE:
            best = max(best, battle_value_nb(game, own, game.offer[BATTLE_DECK, space, 0]))
    return best


@kernel
def trade_value_nb(game, own, option):
    """Return what a trade option is worth (rule 5.2)."""
    edition = game.edition
    effect = edition.trade_option[option]
    item = edition.effect_first[effect]
    operation = edition.item_operation[item]
    if operation == MARKET_DICE:
        return market_value_nb(game, own, edition.item_n[item])
    if operation == CARD and edition.item_kind[item] == PROPHECY_DECK:
        return best_prophecy_nb(game, own)
    return effect_value_nb(game, own, effect)


@kernel
def market_value_nb(game, own, n):
    """Return what the best `n` dice of the market are worth."""
    memory = own.memory
    me = game.pl[own.seat]
    first = 0
    second = 0
    for kind in range(N_KINDS):  # without a branch, as no processor guesses what dice there are
        value = memory[NEXT_WILD] if kind == me.wild_kind else memory[NEXT + kind % N_FACES]
        value = value if game.market[kind] > 0 else 0
        second = max(second, value if game.market[kind] > 1 else min(first, value))
        first = max(first, value)
    if n > 1:
        return dice_value_nb(own, 2, (first + second) >> 1)
    return dice_value_nb(own, 1, first)


@kernel
def best_prophecy_nb(game, own):
    """Return what the best prophecy to be had is worth."""
    table = array_at(own.table, own.n_table)
    best = own.memory[UNSEEN + PROPHECY_DECK]
    for space in range(game.edition.n_offers[PROPHECY_DECK]):
        if game.offer[PROPHECY_DECK, space, 0] != NOWHERE:
            best = max(best, prophecy_value_nb(game, own, table, game.offer[PROPHECY_DECK, space, 0]))
    return best


@kernel
def best_trades_nb(game, own, enough):
    """Return what the best trade option and the second best are worth."""
    best = 0
    second = 0
    for option in range(game.edition.n_trade_options):
        value = trade_value_nb(game, own, option)
        if value > best:
            second = best
            best = value
        elif value > second:
            second = value
        if best >= enough:
            break
    return best, second


@kernel
def trades_value_nb(best, second, n_actions):
    """Return what so many trade actions are worth: the best options, each a little less the second time."""
    total = best
    again = max(second, best * 3 >> 2)
    for _ in range(1, n_actions):
        total += again
        again = again * 7 >> 3
    return total


@kernel
def recruits_value_nb(game, own, enough):
    """Return what the best stack of Reavers is worth."""
    best = game.edition.n_unseen[REAVER_DECK] * own.memory[UNSEEN + REAVER_DECK]
    memory = own.memory
    if memory[REAVERS_KNOWN] == 1:
        for space in range(game.edition.n_offers[REAVER_DECK]):
            if game.offer[REAVER_DECK, space, 0] != NOWHERE:
                best = max(best, memory[STACK_OF_REAVERS + space])
        return best
    times, times_of_success = best_times_nb(game, own)
    for space in range(game.edition.n_offers[REAVER_DECK]):
        if best >= enough:
            break
        if game.offer[REAVER_DECK, space, 0] != NOWHERE:
            best = max(best, stack_of_reavers_value_nb(game, own, space, times, times_of_success))
    return best


@kernel
def rest_value_nb(game, own):
    """Return what the best way to rest is worth (rule 3.5)."""
    best = 0
    for i in range(game.edition.n_rests):
        best = max(best, effect_value_nb(game, own, game.edition.rest[i]))
    return best


@kernel
def value_of_bonus_nb(game, own, location):
    """Return what each one of a location's bonus is worth: Favor, Glory or unseen cards (4.1, 6.2, 7.2, 8.3)."""
    if location == RECRUIT:
        return own.memory[FAVOR_VALUE]
    if location == SEA:
        return ONE
    return own.memory[UNSEEN + (VILLAGE_DECK if location == VILLAGES else KEEP_DECK)]


@separate_kernel(GAME, OWN)
def plain_value_nb(game, own, location, enough):
    """Return what paying and acting at Recruit, a raid or at sea is worth without the bonus."""
    if location == RECRUIT:
        return recruits_value_nb(game, own, enough)
    paid = cost_value_nb(game, own, game.edition.location_cost[location])
    if location == SEA:
        paid += own.param[JOURNEY]
        return sea_value_nb(game, own, enough + paid) - paid
    deck = VILLAGE_DECK if location == VILLAGES else KEEP_DECK
    return raid_value_nb(game, own, deck, enough + paid) - paid


@separate_kernel(GAME, OWN)
def action_value_nb(game, own, location, distance, enough):
    """Return what paying and acting at a location is worth, so many places after the selector; needs `survey_nb`.

    Parameters
    ----------
    enough : int
        What is worth that much is not looked into further: the answer is then a lower bound, at least `enough`.

    Returns
    -------
    int
        1/100 Glory; `NOT_PAYABLE` if the seat cannot pay.
    """
    bonus = game.edition.bonus[location, distance]
    if not can_pay_nb(game, own.seat, game.edition.location_cost[location]):
        return NOT_PAYABLE
    if location == SUBDUE:
        return subdue_value_nb(game, own, bonus, enough)
    if location == TRADE:
        best, second = best_trades_nb(game, own, enough)
        return trades_value_nb(best, second, bonus)
    more = bonus * value_of_bonus_nb(game, own, location)
    return plain_value_nb(game, own, location, enough - more) + more


@separate_kernel(GAME, OWN)
def value_places_nb(game, own, location, rest):
    """Write what a location is worth at each place after its selector, resting for `rest` included; needs `survey_nb`.

    Return whether the seat can pay for acting there.
    """
    memory = own.memory
    bonus = game.edition.bonus[location]
    places = PLACES + PLACES_A_LOCATION * location
    is_payable = can_pay_nb(game, own.seat, game.edition.location_cost[location])
    if not is_payable:
        memory[places] = NOT_PAYABLE
        for distance in range(1, game.n_players):
            memory[places + distance] = rest
    elif location == SUBDUE:
        n_attempts = 0
        for distance in range(game.n_players):
            n_attempts = max(n_attempts, bonus[distance])
        subdue_value_nb(game, own, n_attempts, ALL_OF_IT)
        for distance in range(1, game.n_players):
            memory[places + distance] = max(rest, memory[places + distance])
    elif location == TRADE:
        best, second = best_trades_nb(game, own, ALL_OF_IT)
        memory[places] = trades_value_nb(best, second, bonus[0])
        for distance in range(1, game.n_players):
            memory[places + distance] = max(rest, trades_value_nb(best, second, bonus[distance]))
    else:
        value = plain_value_nb(game, own, location, ALL_OF_IT)
        each = value_of_bonus_nb(game, own, location)
        memory[places] = value + each * bonus[0]
        for distance in range(1, game.n_players):
            memory[places + distance] = max(rest, value + each * bonus[distance])
    memory[ACTING + location] = memory[places]
    memory[SELECTED_AT] = moment_nb(game)
    memory[places] = max(rest, memory[places])
    return is_payable
