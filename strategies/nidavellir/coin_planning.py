"""Coins: what they will grow to, which one to raise, which two to exchange (H3, H6, H11)."""

from simcore.accel import array_at, kernel
from simcore.nidavellir.coins import find_coin_nb
from simcore.nidavellir.layout import BRONZE, EXCHANGE_SLOT, HAND, N_COINS, N_TAVERNS, NOWHERE, POUCH
from strategies.explaining import tell_nb
from strategies.nidavellir.tables import FOURTH, N_STATES, N_STEPS, PLAN, SECOND, THIRD
from strategies.nidavellir.weights import ONE


@kernel
def plan_value_nb(table, rounds, a, b, c, d):
    """Return what four coins will come to with `rounds` more rounds, 1/256 point (the table of H6)."""
    low_1, high_1 = min(a, b), max(a, b)
    low_2, high_2 = min(c, d), max(c, d)
    first, inner_1 = min(low_1, low_2), max(low_1, low_2)
    inner_2, last = min(high_1, high_2), max(high_1, high_2)
    second, third = min(inner_1, inner_2), max(inner_1, inner_2)
    number = first + table[SECOND + second] + table[THIRD + third] + table[FOURTH + last]
    number += min(rounds, table[N_STEPS]) * table[N_STATES]
    return ((table[PLAN + (number >> 2)] >> ((number & 3) << 4)) & 65535) << 2


@kernel
def exchanged_nb(game, low, high):
    """Return the two coins that an exchange of two leaves, as ``first, second``, by the treasure as it stands."""
    new = find_coin_nb(game.treasure, low + high)
    if new == NOWHERE:
        return low, high
    if game.edition.exchange_gives_up_lower == 1:
        return high, new
    return low, new


@kernel
def value_after_exchange_nb(game, table, rounds, a, b, c, d):
    """Return what four coins come to if the first two are exchanged now, 1/256 point."""
    first, second = exchanged_nb(game, min(a, b), max(a, b))
    return plan_value_nb(table, rounds, first, second, c, d)


@kernel
def exchange_comes_nb(game, own):
    """Return whether the own exchange coin lies at this tavern or one still to be opened."""
    place = own.place[EXCHANGE_SLOT]
    return place < N_TAVERNS and place >= game.tavern and game.tavern >= 0


@kernel
def coins_value_nb(game, own, table, slot, value):
    """Return what the own coins come to if the coin in `slot` had `value`, 1/256 point (slot NOWHERE: as they are).

    An exchange of the pouch that is still to come this round is done in the mind first.
    """
    coin = game.pl[own.seat].coin
    w = value if slot == 1 else coin[1]
    x = value if slot == 2 else coin[2]
    y = value if slot == 3 else coin[3]
    z = value if slot == 4 else coin[4]
    rounds = game.rounds_left if game.tavern >= 0 else game.rounds_left + 1
    if not exchange_comes_nb(game, own) or game.pl[own.seat].has_uline == 1:
        return plan_value_nb(table, rounds, w, x, y, z)
    if own.place[1] == POUCH:
        if own.place[2] == POUCH:
            return value_after_exchange_nb(game, table, rounds, w, x, y, z)
        if own.place[3] == POUCH:
            return value_after_exchange_nb(game, table, rounds, w, y, x, z)
        return value_after_exchange_nb(game, table, rounds, w, z, x, y)
    if own.place[2] == POUCH:
        if own.place[3] == POUCH:
            return value_after_exchange_nb(game, table, rounds, x, y, w, z)
        return value_after_exchange_nb(game, table, rounds, x, z, w, y)
    return value_after_exchange_nb(game, table, rounds, y, z, w, x)


@kernel
def raised_nb(game, slot, seat, bonus):
    """Return the coin that TRANSFORM(+bonus) of a slot brings (rule 6.4)."""
    coin = game.pl[seat].coin[slot]
    new = find_coin_nb(game.treasure, coin + bonus)
    return coin if new == NOWHERE else new


@kernel
def best_raise_nb(game, own, table, bonus):
    """Return the gain of the best TRANSFORM(+bonus), 1/256 point."""
    best = coins_value_nb(game, own, table, 1, raised_nb(game, 1, own.seat, bonus))
    for slot in range(2, N_COINS):
        best = max(best, coins_value_nb(game, own, table, slot, raised_nb(game, slot, own.seat, bonus)))
    return best - coins_value_nb(game, own, table, NOWHERE, 0)


@kernel
def choose_transform_nb(game, own, n_options):
    """Return the option that raises the coins' value most, counting what sold-out values give for free (H11)."""
    table = array_at(own.table, own.n_table)
    best = 0
    best_value = -1
    for i in range(n_options):
        slot = own.option[i]
        value = coins_value_nb(game, own, table, slot, raised_nb(game, slot, own.seat, game.bonus))
        tell_nb(i, value, ONE)
        # Of equal ones the coin that can still be used this round: as a bid, or in the pouch before its exchange.
        value = 2 * value + (1 if own.place[slot] > game.tavern else 0)
        if value > best_value:
            best = i
            best_value = value
    return best


@kernel
def pair_value_nb(game, own, table, first, second):
    """Return what the coins come to if two slots are exchanged now, 1/256 point."""
    coin = game.pl[own.seat].coin
    others = 10 - first - second  # slots 1 to 4 without the two
    third = max(1, others - 4)
    while third == first or third == second or others - third == first or others - third == second:
        third += 1
    return value_after_exchange_nb(
        game, table, game.rounds_left, coin[first], coin[second], coin[third], coin[others - third]
    )


@kernel
def choose_exchange_pair_nb(game, own, n_options):
    """Return the pair of hand coins whose exchange is worth most (H10, H6)."""
    table = array_at(own.table, own.n_table)
    best = 0
    best_value = -1
    for i in range(n_options):
        first = own.option[i] % N_COINS
        second = own.option[i] // N_COINS
        value = 0 if first == EXCHANGE_SLOT else pair_value_nb(game, own, table, first, second)
        tell_nb(i, value, ONE)
        if value > best_value:
            best = i
            best_value = value
    return best


@kernel
def choose_given_up_nb(game, own, n_options):
    """Return the bronze coin of two equal ones: it leaves the game, a gold one would go back for the rivals (A04)."""
    for i in range(n_options):
        if game.pl[own.seat].coin_colour[own.option[i]] == BRONZE:
            return i
    return 0


@kernel
def choose_exchange_nb(game, own, n_options):
    """Return 1 if the exchange leaves more than there was; only under exchange_optional=yes (A02)."""
    table = array_at(own.table, own.n_table)
    coin = game.pl[own.seat].coin
    kept = plan_value_nb(table, game.rounds_left, coin[1], coin[2], coin[3], coin[4])
    first = NOWHERE
    best = -1
    wanted = HAND if game.pl[own.seat].has_uline == 1 else POUCH
    for slot in range(1, N_COINS):
        if own.place[slot] == wanted:
            for other in range(1, slot):
                if own.place[other] == wanted:
                    first = other
                    best = max(best, pair_value_nb(game, own, table, other, slot))
    tell_nb(0, kept, ONE)
    tell_nb(1, best, ONE)
    return 1 if first != NOWHERE and best >= kept else 0
