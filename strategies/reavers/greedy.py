"""Greedy play: what brings most Glory at once, by table look-ups only; goods decide between what brings as much."""

from simcore.accel import array_at, contained_kernel, kernel
from simcore.reavers.combat import total_nb
from simcore.reavers.layout import (
    BATTLE_DECK,
    CHEST,
    CLAN,
    DOUBLE_HAMMER,
    KEEP_DECK,
    KEEPS,
    MAX_TERROR,
    N_FACES,
    N_LEVELS,
    NOWHERE,
    REAVER_DECK,
    SEA,
    SHIELD,
    TERROR_TOKEN,
    VILLAGE_DECK,
)
from strategies.explaining import tell_nb
from strategies.reavers.fighting import CERTAIN_BITS, odds_nb
from strategies.reavers.greedy_tables import (
    ABILITY,
    AT_MOST,
    ATTEMPT,
    BY_FORCE,
    COLOURS_ALIKE,
    GAIN,
    IN_PEACE,
    MOST_SUCCESSES,
    ONE,
    PAYS_JOURNEY,
    PILLAGE,
    PROPHECIES,
    PROPHECIES_AT,
    PROPHECY_TRADE,
    REAVER_USE,
    REST_FOR_FOOD,
    REST_FOR_GOODS,
    SPENT,
    TILES_NOW,
    TRADES,
    UNSEEN,
    WELCOME,
    WILD_DIE,
    prepare,
)
from strategies.reavers.greedy_values import (
    ALL,
    NONE,
    battle_at_sea_nb,
    battle_nb,
    best_prophecy_nb,
    chance_nb,
    chances_nb,
    dice_nb,
    group_nb,
    lacking_nb,
    place_nb,
    reavers_nb,
    stored_nb,
    unseen_battle_nb,
    value_tiles_nb,
)
from strategies.reavers.tables import CERTAIN
from strategies.registry import strategy

ACT = 0
RALLY = 0
USE, SKIP = 0, 1
PILLAGE_IT, LEAVE = 0, 1
PAY, SUFFER = 0, 1
BY_DICE, BY_COMBAT = 0, 1
LITTLE_FOOD = 4
"""With less a rest is for Food (strategies.md section 2)."""
ENOUGH = (1 << CERTAIN_BITS) - (1 << CERTAIN_BITS - 5)
"""Chance of a combat for which no further hammers are committed."""
A_RAID = 2
"""Dice of its face that a raid costs."""


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
