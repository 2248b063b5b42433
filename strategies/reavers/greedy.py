"""Greedy play: what brings most Glory at once, by table look-ups only; goods decide between what brings as much."""

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
from simcore.reavers.combat import total_nb
from simcore.reavers.layout import (
    BATTLE_DECK,
    CHEST,
    CLAN,
    DOUBLE_HAMMER,
    GAME,
    HAMMER,
    KEEP_DECK,
    KEEPS,
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
    SHIELD,
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
from strategies.reavers.fighting import CERTAIN_BITS, odds_nb, odds_row_nb
from strategies.reavers.greedy_tables import (
    A_FAVOR,
    A_JOURNEY,
    ABILITY,
    AT_MOST,
    ATTEMPT,
    BATTLE_DICE,
    BEST_TRADE,
    BY_FORCE,
    COLOURS_ALIKE,
    COMPLETES,
    COUNT_BITS,
    COUNT_MASK,
    GAIN,
    IN_PEACE,
    KIND,
    LOCATION_DICE,
    MOST_SUCCESSES,
    NO_KIND,
    ONE,
    PAYS_JOURNEY,
    PILLAGE,
    PROPHECIES,
    PROPHECIES_AT,
    PROPHECY_TRADE,
    REAVER,
    REAVER_USE,
    REST_FOR_FOOD,
    REST_FOR_GOODS,
    SPENT,
    SPOILS_ROW,
    TILE,
    TILES,
    TILES_NOW,
    TRADES,
    UNSEEN,
    UNSEEN_DEFENSE,
    WELCOME,
    WILD_DIE,
    prepare,
)
from strategies.reavers.outlook import moment_nb
from strategies.reavers.tables import CERTAIN, MAX_DICE, MAX_NEED
from strategies.registry import strategy

ACT = 0
RALLY = 0
USE, SKIP = 0, 1
PILLAGE_IT, LEAVE = 0, 1
PAY, SUFFER = 0, 1
BY_DICE, BY_COMBAT = 0, 1
LOW_BITS = sum(1 << (COUNT_BITS * face) for face in range(N_FACES))
TOP_BITS = LOW_BITS << (COUNT_BITS - 1)
"""The lowest and the highest bit of each count of packed dice."""
LITTLE_FOOD = 4
"""With less a rest is for Food (strategies.md section 2)."""
ENOUGH = (1 << CERTAIN_BITS) - (1 << CERTAIN_BITS - 5)
"""Chance of a combat for which no further hammers are committed."""
A_RAID = 2
"""Dice of its face that a raid costs."""
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
    tell_nb(ACT, value, ONE)
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


@contained_kernel
def welcome_nb(table, me, source):
    """Return how welcome a die is; a wild one is most."""
    return table[WELCOME + (WILD_DIE if source == me.wild_kind else source)]


@kernel
def most_welcome_nb(game, own, n_options):
    """Take the most welcome die."""
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    best = 0
    most = -1
    for i in range(n_options):
        value = welcome_nb(table, me, own.option[i])
        best = i if value > most else best
        most = max(value, most)
    return best


@kernel
def least_welcome_nb(game, own, n_options):
    """Give the least welcome die."""
    table = array_at(own.table, own.n_table)
    me = game.pl[own.seat]
    best = 0
    least = ALL
    for i in range(n_options):
        value = welcome_nb(table, me, own.option[i])
        best = i if value < least else best
        least = min(value, least)
    return best


@kernel
def first_nb(game, own, n_options):
    """Take the first option: none brings more at once than another."""
    return 0


@kernel
def last_nb(game, own, n_options):
    """Keep what is on the board, which may hold dice, and give up the new one: it counts wherever it lies."""
    return n_options - 1


@contained_kernel
def wanted_face_nb(me):
    """Return the face that pays for Glory soonest: two shields for a keep, two chests for a village, then hammers."""
    n_shields = me.die[SHIELD] + me.die[N_FACES + SHIELD] + me.die[2 * N_FACES + SHIELD]
    n_chests = me.die[CHEST] + me.die[N_FACES + CHEST] + me.die[2 * N_FACES + CHEST]
    face = CHEST if n_chests < A_RAID else DOUBLE_HAMMER
    return SHIELD if n_shields < A_RAID else face


@kernel
def first_spent_nb(own, table, n_options):
    """Choose what is spent first: a ship upgrade, then a die of the face, then a double hammer, a wild die last."""
    best = 0
    most = -1
    for i in range(n_options):
        rank = table[SPENT + own.option[i]]
        best = i if rank > most else best
        most = max(rank, most)
    return best


@strategy(
    game="reavers",
    name="greedy",
    idea="Takes whatever brings most Glory at once; goods only decide between what brings as much.",
    source="the usual yardstick: strategies.md section 2 without prices for goods",
    base=None,
    table=prepare,
)
class Greedy:
    """Every decision by the Glory that it brings at once."""

    choose_loading = first_nb  # a stored die still pays and fights, and makes room
    choose_next_card = first_nb
    choose_discard = least_welcome_nb
    choose_lost_die = least_welcome_nb
    choose_market_die = most_welcome_nb
    choose_given_up_artifact = last_nb
    choose_returned_upgrade = last_nb
    choose_die_to_turn = least_welcome_nb
    choose_upgrade = first_nb

    def choose_location(game, own, n_options):
        """Select the location that brings most at once, with the bonus of who selects it."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        dice = dice_nb(game, me)
        chances = chances_nb(game, me, table)
        best = 0
        most = NONE
        for i in range(n_options - 1, -1, -1):
            location = own.option[i]
            if me.n_stored == 0 and most > table[AT_MOST + location]:
                continue  # recruiting, most often
            value = place_nb(game, own, table, dice, chances, location)
            if me.n_stored > 0:
                value += stored_nb(game, own, table, location)
            tell_nb(i, value, ONE)
            best = i if value >= most else best
            most = max(value, most)
        return best

    def choose_action(game, own, n_options):
        """Act where that can be done, at sea only if it can be expected to bring Glory; else rest.

        Raids and territories always can, recruiting and trading at least bring more goods than a rest. A rest is for
        Food if there is little, else for what counts most.
        """
        acts = own.option[0] == ACT
        if acts and (game.location != SEA or battle_at_sea_nb(game, own) > 0):
            return 0
        table = array_at(own.table, own.n_table)
        rest = table[REST_FOR_FOOD if game.pl[own.seat].food < LITTLE_FOOD else REST_FOR_GOODS]
        return rest + 1 if acts else rest

    def choose_payment(game, own, n_options):
        """Pay with a ship upgrade first, a wild die last."""
        return first_spent_nb(own, array_at(own.table, own.n_table), n_options)

    def choose_ability(game, own, n_options):
        """Use a specialist who brings more than he costs."""
        table = array_at(own.table, own.n_table)
        value = table[ABILITY + game.reaver]
        tell_nb(USE, value, ONE)
        tell_nb(SKIP, 0, ONE)
        return USE if value > 0 else SKIP

    def choose_artifact_use(game, own, n_options):
        """Use the artifact that brings most; all bring something."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        best = 0
        most = NONE
        for i in range(n_options - 1):
            value = table[GAIN + game.edition.artifact_gain[me.artifact[own.option[i]]]]
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_recruits(game, own, n_options):
        """Take the Reavers that bring most, dice where none brings Glory."""
        table = array_at(own.table, own.n_table)
        best = 0
        most = NONE
        for i in range(n_options):
            value = game.edition.n_unseen[REAVER_DECK] * table[UNSEEN + REAVER_DECK]
            if own.option[i] != NOWHERE:
                value = reavers_nb(game, table, own.option[i])
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_reaver_use(game, own, n_options):
        """Promote or rally, whichever brings more; a specialist brings nothing at once."""
        table = array_at(own.table, own.n_table)
        return table[REAVER_USE + own.card] if own.option[0] == RALLY else 0

    def choose_die(game, own, n_options):
        """Take a wild die, else the face that is wanted first, of the first colour that has it."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        face = wanted_face_nb(me)
        if table[COLOURS_ALIKE] == 1:  # a kind of each face is listed for each colour
            for i in range(CLAN, n_options, N_FACES):
                if own.option[i] == me.wild_kind:
                    return i
            return face
        best = 0
        most = -1
        for i in range(n_options):
            value = (own.option[i] % N_FACES == face) + 2 * (own.option[i] == me.wild_kind)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_colour(game, own, n_options):
        """Roll a die of the leader's colour, else of the first."""
        wild = game.pl[own.seat].wild_kind
        for i in range(n_options):
            if wild != NOWHERE and own.option[i] == wild // N_FACES:
                return i
        return 0

    def choose_trade(game, own, n_options):
        """Take the prophecy that pays most now; where none pays, what counts most among goods."""
        table = array_at(own.table, own.n_table)
        prophecy = best_prophecy_nb(game, own)
        best = 0
        most = NONE
        for i in range(n_options):
            value = table[TRADES + own.option[i]] + (own.option[i] == table[PROPHECY_TRADE]) * prophecy
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_prophecy(game, own, n_options):
        """Take the prophecy that pays most now; an unseen one is none that does."""
        best_prophecy_nb(game, own)
        best = 0
        most = -1
        for i in range(n_options):
            value = own.memory[PROPHECIES + own.option[i]] if own.option[i] != NOWHERE else 0
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        own.memory[PROPHECIES_AT] = 0  # others may lie there now
        return best

    def choose_spoils(game, own, n_options):
        """Take the group of spoils that brings most at once, or unseen cards."""
        table = array_at(own.table, own.n_table)
        deck = KEEP_DECK if game.location == KEEPS else VILLAGE_DECK
        chances = chances_nb(game, game.pl[own.seat], table)
        lacking = lacking_nb(game, own, table, deck)
        best = 0
        most = NONE
        for i in range(n_options):
            value = game.edition.n_unseen[deck] * table[UNSEEN + deck]
            if own.option[i] != NOWHERE:
                value = group_nb(game, own, table, deck, own.option[i], lacking, chances)
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_gain(game, own, n_options):
        """Take the alternative that brings most at once."""
        table = array_at(own.table, own.n_table)
        best = 0
        most = NONE
        for i in range(n_options):
            value = table[GAIN + game.effect + own.option[i]]
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_pillage(game, own, n_options):
        """Pillage a building if that can bring Glory."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        prize = table[PILLAGE + MAX_TERROR * own.card + min(me.token[TERROR_TOKEN], MAX_TERROR - 1)]
        chance = chance_nb(table, me, chances_nb(game, me, table), game.edition.spoils_defense[own.card])
        value = prize * chance >> CERTAIN_BITS
        tell_nb(PILLAGE_IT, value, ONE)
        tell_nb(LEAVE, 0, ONE)
        return PILLAGE_IT if value > 0 else LEAVE

    def choose_hammer(game, own, n_options):
        """Commit hammers until the combat is all but won: the next one needs some too."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        chance = odds_nb(table, me.favor, game.defense - total_nb(game), game.hammers)
        if chance >= ENOUGH:
            return n_options - 1
        return first_spent_nb(own, table, n_options - 1) if me.n_upgrades > 0 else 0

    def choose_combat_reroll(game, own, n_options):
        """Reroll the dice that show nothing, those that show one as well if they must help; stop if that cannot do.

        The options are all combinations, the dice that show nothing counting fastest (rule 10.3).
        """
        table = array_at(own.table, own.n_table)
        missing = game.defense - total_nb(game)
        nothing = game.rolled[0]
        gain = table[MOST_SUCCESSES] * nothing
        if gain >= missing:
            return nothing
        one = game.rolled[1]
        gain += (table[MOST_SUCCESSES] - 1) * one
        return nothing + one * (nothing + 1) if gain >= missing else 0

    def choose_journey(game, own, n_options):
        """Pay for a Sea Journey that would take more."""
        table = array_at(own.table, own.n_table)
        return PAY if table[PAYS_JOURNEY + game.journey] == 1 else SUFFER

    def choose_battle(game, own, n_options):
        """Take the sea battle that brings most, by its dice or by the chance to win it."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        dice = dice_nb(game, me)
        chances = chances_nb(game, me, table)
        best = 0
        most = NONE
        for i in range(n_options):
            if own.option[i] == NOWHERE:
                value = unseen_battle_nb(me, table, chances)
            else:
                value = battle_nb(game, me, table, game.offer[BATTLE_DECK, own.option[i], 0], dice, chances)
            tell_nb(i, value, ONE)
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_battle_way(game, own, n_options):
        """Win a sea battle with its dice, unless it is won without."""
        me = game.pl[own.seat]
        is_won = me.bonus_successes >= game.edition.battle_defense[game.battle] + me.extra_defense
        return BY_COMBAT if is_won else BY_DICE

    def choose_territory(game, own, n_options):
        """Attempt the territory that brings most, by the chance to get it."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        memory = own.memory
        chances = chances_nb(game, me, table)
        memory[IN_PEACE] = CERTAIN
        for level in range(N_LEVELS):
            memory[BY_FORCE + level] = chance_nb(table, me, chances, level + 1)
        value_tiles_nb(game, own, table)
        best = n_options - 1
        most = 0
        for i in range(n_options):
            code = own.option[i]
            if code != NOWHERE:
                value = memory[TILES_NOW + (code >> 1)] * memory[table[ATTEMPT + code]] >> CERTAIN_BITS
                tell_nb(i, value, ONE)
                best = i if value > most else best
                most = max(value, most)
        return best

    def choose_face(game, own, n_options):
        """Turn a die to the most welcome face."""
        table = array_at(own.table, own.n_table)
        me = game.pl[own.seat]
        colour = game.due_dice // N_FACES
        best = 0
        most = -1
        for i in range(n_options):
            value = welcome_nb(table, me, N_FACES * colour + own.option[i])
            best = i if value > most else best
            most = max(value, most)
        return best

    def choose_die_to_reroll(game, own, n_options):
        """Reroll clan icons that are not wild: they bring nothing."""
        wild = game.pl[own.seat].wild_kind
        for i in range(n_options - 1):
            if own.option[i] % N_FACES == CLAN and own.option[i] != wild:
                return i
        return n_options - 1
