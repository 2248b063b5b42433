"""What cards, dice and locations bring at once, for greedy: by the table of `greedy_tables`."""

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
from simcore.reavers.layout import (
    BATTLE_DECK,
    DOUBLE_HAMMER,
    GAME,
    HAMMER,
    KEEP_DECK,
    MAX_OFFER_CARDS,
    MAX_SET,
    MAX_TERROR,
    N_FACES,
    N_LEVELS,
    N_STACKS,
    N_TERRITORY_TYPES,
    NOWHERE,
    OWN,
    PROPHECY_DECK,
    REAVER_DECK,
    RECRUIT,
    SEA,
    SUBDUE,
    TAPESTRY,
    TERROR_TOKEN,
    TRADE,
    VILLAGE_DECK,
    VILLAGES,
    WEAPONS,
)
from simcore.reavers.scoring import prophecy_glory_nb
from strategies.explaining import tell_nb
from strategies.reavers.fighting import CERTAIN_BITS, odds_row_nb
from strategies.reavers.greedy_tables import (
    A_FAVOR,
    A_JOURNEY,
    BATTLE_DICE,
    BEST_TRADE,
    COMPLETES,
    COUNT_BITS,
    COUNT_MASK,
    GAIN,
    KIND,
    LOCATION_DICE,
    NO_KIND,
    ONE,
    PILLAGE,
    PROPHECIES,
    PROPHECIES_AT,
    REAVER,
    SPOILS_ROW,
    TILE,
    TILES,
    TILES_NOW,
    UNSEEN,
    UNSEEN_DEFENSE,
)
from strategies.reavers.outlook import moment_nb
from strategies.reavers.tables import CERTAIN, MAX_DICE, MAX_NEED

LOW_BITS = sum(1 << (COUNT_BITS * face) for face in range(N_FACES))
TOP_BITS = LOW_BITS << (COUNT_BITS - 1)
"""The lowest and the highest bit of each count of packed dice."""
NONE, ALL = -(1 << 30), 1 << 30
"""Less and more than anything can bring."""


@contained_kernel
def dice_nb(game, me):
    """Return the dice that a player could pay, packed like a battle's of `BATTLE_DICE`, the wild ones as clan icons.

    A double hammer is a hammer too, and a ship upgrade counts for each of its icons (rules 6.3, 6.4, 9.4).
    """
    edition = game.edition
    doubles = me.die[DOUBLE_HAMMER] + me.die[N_FACES + DOUBLE_HAMMER] + me.die[2 * N_FACES + DOUBLE_HAMMER]
    dice = doubles * (1 - edition.double_is_exact)
    for face in range(N_FACES):
        dice += (me.die[face] + me.die[N_FACES + face] + me.die[2 * N_FACES + face]) << (COUNT_BITS * face)
    for space in range(me.n_upgrades):
        faces = me.upgrade_ready[space] * edition.upgrade_faces[me.upgrade[space]]
        for face in range(N_FACES):
            dice += ((faces >> face) & 1) << (COUNT_BITS * face)
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            dice += (me.stored[space] != NOWHERE) << (COUNT_BITS * edition.artifact_face[me.artifact[space]])
    return dice


@contained_kernel
def n_wild_nb(me):
    """Return the wild dice of a player."""
    return me.die[me.wild_kind] if me.wild_kind != NOWHERE else 0


@contained_kernel
def missing_nb(have, need):
    """Return how many dice are missing, of packed ones.

    Where less is had than needed, the subtraction clears the top bit of the count, and what is left of it is as much
    below that bit as is missing. Multiplying adds up the counts.
    """
    left = (have | TOP_BITS) - need
    short = TOP_BITS & ~left
    missing = short - (left & (short - (short >> (COUNT_BITS - 1))))
    return (missing * LOW_BITS >> (COUNT_BITS * (N_FACES - 1))) & COUNT_MASK


@contained_kernel
def chances_nb(game, me, table):
    """Return where the chances of a player's combats begin in the table, with all hammers committed (rule 10.1)."""
    edition = game.edition
    n = me.die[HAMMER] + me.die[N_FACES + HAMMER] + me.die[2 * N_FACES + HAMMER]
    n += 2 * (me.die[DOUBLE_HAMMER] + me.die[N_FACES + DOUBLE_HAMMER] + me.die[2 * N_FACES + DOUBLE_HAMMER])
    n += (2 - edition.wild_is_single_hammer) * n_wild_nb(me)
    for space in range(me.n_upgrades):
        n += me.upgrade_ready[space] * edition.upgrade_hammers[me.upgrade[space]]
    if me.n_stored > 0:
        for space in range(me.n_artifacts):
            face = edition.artifact_face[me.artifact[space]]
            n += (me.stored[space] != NOWHERE) * ((face == HAMMER) + 2 * (face == DOUBLE_HAMMER))
    return odds_row_nb(me.favor, 0) + min(n, MAX_DICE)


@contained_kernel
def chance_nb(table, me, chances, defense):
    """Return the chance to win a combat, 1/4096."""
    return table[chances + (MAX_DICE + 1) * min(max(0, defense - me.bonus_successes), MAX_NEED)]


@contained_kernel
def lacking_nb(game, own, table, deck):
    """Return the kinds that a player needs for one more set of all kinds, one bit each (rules 12.3, 12.4)."""
    category = TAPESTRY if deck == KEEP_DECK else WEAPONS
    first = game.edition.category_first[category]
    stop = game.edition.category_stop[category]
    fewest = ALL
    for card in range(first, stop):
        fewest = min(fewest, own.spoils[card] + table[NO_KIND + card])
    lacking = 0
    for card in range(first, stop):
        lacking |= table[KIND + card] * (own.spoils[card] == fewest)
    return lacking


@contained_kernel
def spoils_nb(game, own, table, card, more, chances):
    """Return what a Village or Keep Spoils brings at once, sets of all kinds aside, with `more` of it taken before."""
    value = table[table[SPOILS_ROW + card] + min(own.spoils[card] + more, MAX_SET - 1)]
    me = game.pl[own.seat]
    prize = table[PILLAGE + MAX_TERROR * card + min(me.token[TERROR_TOKEN], MAX_TERROR - 1)]
    return value + (prize * chance_nb(table, me, chances, game.edition.spoils_defense[card]) >> CERTAIN_BITS)


@contained_kernel
def group_nb(game, own, table, deck, space, lacking, chances):
    """Return what a face-up group of spoils brings at once; `NONE` if the space is empty."""
    first = game.offer[deck, space, 0]
    if first == NOWHERE:
        return NONE
    value = spoils_nb(game, own, table, first, 0, chances)
    kinds = table[KIND + first]
    for place in range(1, MAX_OFFER_CARDS):
        card = game.offer[deck, space, place]
        if card != NOWHERE:
            value += spoils_nb(game, own, table, card, card == first, chances)
            kinds |= table[KIND + card]
    return value + table[COMPLETES + deck] * (lacking & ~kinds == 0)


@separate_kernel(GAME, OWN)
def raid_nb(game, own, chances, deck, n_bonus):
    """Return what a raid brings at once: the best group, or unseen cards, and those of the bonus (6.2, 7.2)."""
    table = array_at(own.table, own.n_table)
    lacking = lacking_nb(game, own, table, deck)
    best = game.edition.n_unseen[deck] * table[UNSEEN + deck]
    for space in range(game.edition.n_offers[deck]):
        best = max(best, group_nb(game, own, table, deck, space, lacking, chances))
    return best + n_bonus * table[UNSEEN + deck]


@contained_kernel
def reavers_nb(game, table, space):
    """Return what the Reavers of a face-up space bring at once; `NONE` if it is empty."""
    first = game.offer[REAVER_DECK, space, 0]
    if first == NOWHERE:
        return NONE
    value = table[REAVER + first]
    for place in range(1, MAX_OFFER_CARDS):
        card = game.offer[REAVER_DECK, space, place]
        if card != NOWHERE:
            value += table[REAVER + card]
    return value


@kernel
def recruit_nb(game, table):
    """Return what recruiting brings at once."""
    best = game.edition.n_unseen[REAVER_DECK] * table[UNSEEN + REAVER_DECK]
    for space in range(game.edition.n_offers[REAVER_DECK]):
        best = max(best, reavers_nb(game, table, space))
    return best


@separate_kernel(GAME, OWN)
def value_prophecies_nb(game, own):
    """Write what each face-up prophecy would pay now (rule 12.10)."""
    own.memory[PROPHECIES_AT] = moment_nb(game)
    for space in range(game.edition.n_offers[PROPHECY_DECK]):
        prophecy = game.offer[PROPHECY_DECK, space, 0]
        pays = 0
        if prophecy != NOWHERE:
            pays = ONE * prophecy_glory_nb(game, game.pl[own.seat], own, prophecy)
        own.memory[PROPHECIES + space] = pays
    return 0


@contained_kernel
def best_prophecy_nb(game, own):
    """Return the most that a face-up prophecy pays; valued once an activation, and again when one has been taken."""
    if own.memory[PROPHECIES_AT] != moment_nb(game):
        value_prophecies_nb(game, own)
    best = 0
    for space in range(game.edition.n_offers[PROPHECY_DECK]):
        best = max(best, own.memory[PROPHECIES + space])
    return best


@kernel
def trade_nb(game, own, table, n_actions):
    """Return what so many trades bring at once: prophecies, and goods beside them (rule 5.2)."""
    best = best_prophecy_nb(game, own)
    total = 0
    for space in range(game.edition.n_offers[PROPHECY_DECK]):
        total += own.memory[PROPHECIES + space]
    return min(total, n_actions * best) + n_actions * table[BEST_TRADE]


@contained_kernel
def battle_nb(game, me, table, battle, dice, chances):
    """Return what a sea battle brings: its reward if its dice can be paid, else by the chance to win it (rule 8.3)."""
    edition = game.edition
    chance = chance_nb(table, me, chances, edition.battle_defense[battle] + me.extra_defense)
    is_payable = missing_nb(dice, table[BATTLE_DICE + battle]) <= n_wild_nb(me)
    chance = CERTAIN if is_payable else chance
    return table[GAIN + edition.battle_reward[battle]] * chance >> CERTAIN_BITS


@contained_kernel
def unseen_battle_nb(me, table, chances):
    """Return what an unseen sea battle brings."""
    chance = chance_nb(table, me, chances, table[UNSEEN_DEFENSE] + me.extra_defense)
    return table[UNSEEN + BATTLE_DECK] * chance >> CERTAIN_BITS


@separate_kernel(GAME, OWN)
def sea_nb(game, own, dice, chances, enough):
    """Return what a Sea Journey and the best sea battle bring at once, no further than `enough` (rules 8.2, 8.3)."""
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    journey = table[A_JOURNEY] * (1 - me.skips_journey)
    best = journey + unseen_battle_nb(me, table, chances)
    for space in range(game.edition.n_offers[BATTLE_DECK]):
        if best >= enough:
            break
        battle = game.offer[BATTLE_DECK, space, 0]
        if battle != NOWHERE:
            best = max(best, journey + battle_nb(game, me, table, battle, dice, chances))
    return best


@contained_kernel
def value_tiles_nb(game, own, table):
    """Write what the top tile of each stack brings at once, its back known or not; 0 if there is none (rule 3.8)."""
    has_income = (game.rounds_left > 0) | (game.edition.income_after_last_round == 1)
    row = TILE + TILES * has_income
    for stack in range(N_STACKS):
        own.memory[TILES_NOW + stack] = (game.n_stack[stack] > 0) * table[row + stack]
    if game.edition.rewards_open == 1:
        for stack in range(N_STACKS):
            if game.n_stack[stack] > 0:
                own.memory[TILES_NOW + stack] = table[row + N_STACKS + game.tile_shown[stack]]


@separate_kernel(GAME, OWN)
def subdue_nb(game, own, chances, n_attempts):
    """Return what so many attempts at territories bring at once (rule 11.3).

    They are one by force, or with dice, and one with Food and one with Favor, as these can hardly pay for more.
    """
    table = array_at(own.table, own.n_table)
    edition = game.edition
    me = game.pl[own.seat]
    value_tiles_nb(game, own, table)
    forced = 0
    for level in range(N_LEVELS):
        best = 0
        for stack in range(level, N_STACKS, N_LEVELS):
            best = max(best, own.memory[TILES_NOW + stack])
        forced = max(forced, best * chance_nb(table, me, chances, level + 1) >> CERTAIN_BITS)
    total = 0
    best = 0
    for tile_type in range(N_TERRITORY_TYPES):
        most = forced if tile_type == N_TERRITORY_TYPES - 1 else 0
        for stack in range(N_LEVELS * tile_type, N_LEVELS * tile_type + N_LEVELS):
            cost = max(0, game.tile_cost[stack])
            is_payable = (edition.cost_food[cost] <= me.food) & (edition.cost_favor[cost] <= me.favor)
            is_payable &= (edition.cost_any_die[cost] <= me.n_dice) & (edition.cost_faces[cost] == 0)
            most = max(most, is_payable * own.memory[TILES_NOW + stack])
        total += most
        best = max(best, most)
    return min(total, n_attempts * best)


@separate_kernel(GAME, OWN)
def battle_at_sea_nb(game, own):
    """Return what acting at sea brings at once, no further than it takes to be more than nothing."""
    me = game.pl[own.seat]
    table = array_at(own.table, own.n_table)
    bonus = ONE * game.edition.bonus[SEA, game.distance] * (1 - game.edition.bonus_without_participation)
    value = bonus + sea_nb(game, own, dice_nb(game, me), chances_nb(game, me, table), 1 - bonus)
    tell_nb(0, value, ONE)  # acting is the first option
    return value


@contained_kernel
def is_payable_nb(game, me, table, dice, location):
    """Return whether the cost of a location can be paid (rules 6.1, 7.1, 8.1)."""
    edition = game.edition
    cost = edition.location_cost[location]
    has_goods = (edition.cost_food[cost] <= me.food) & (edition.cost_favor[cost] <= me.favor)
    return has_goods & (missing_nb(dice, table[LOCATION_DICE + location]) <= n_wild_nb(me))


@contained_kernel
def place_nb(game, own, table, dice, chances, location):
    """Return what selecting a location brings at once (rules 3.3 to 3.6)."""
    bonus = game.edition.bonus[location, 0]
    if location == RECRUIT:
        return recruit_nb(game, table) + A_FAVOR * bonus
    if location == TRADE:
        return trade_nb(game, own, table, bonus)
    if location == SUBDUE:
        return subdue_nb(game, own, chances, bonus)
    if not is_payable_nb(game, game.pl[own.seat], table, dice, location):
        return 0
    if location == SEA:
        return ONE * bonus + sea_nb(game, own, dice, chances, ALL)
    return raid_nb(game, own, chances, VILLAGE_DECK if location == VILLAGES else KEEP_DECK, bonus)


@kernel
def stored_nb(game, own, table, location):
    """Return what the loaded artifacts of a location bring at once (rule 6.3)."""
    me = game.pl[own.seat]
    value = 0
    for space in range(me.n_artifacts):
        artifact = me.artifact[space]
        if me.stored[space] != NOWHERE and game.edition.artifact_location[artifact] == location:
            value += table[GAIN + game.edition.artifact_gain[artifact]]
    return value
