"""What greedy prepares once for each edition and number of players: Glory at once, so that a decision is look-ups.

Glory is counted in 1/`ONE`. Goods count a few of these, so that they decide only between what brings as much Glory.
"""

import numpy as np

from simcore.reavers.layout import (
    ARTIFACT,
    BATTLE_DECK,
    CARD,
    CHEST,
    CHOICE,
    CLAN,
    DEFENSE,
    DIE,
    DOUBLE_HAMMER,
    FACE_BITS,
    FACE_MASK,
    FAVOR,
    FOOD,
    GLORY,
    HAMMER,
    JOURNEY_DECK,
    KEEP_DECK,
    LOSE_DIE,
    MARKET_DICE,
    MAX_ARTIFACT_SPACES,
    MAX_BATTLES,
    MAX_DECK,
    MAX_EFFECTS,
    MAX_JOURNEYS,
    MAX_OFFERS,
    MAX_REAVERS,
    MAX_SET,
    MAX_SPOILS,
    MAX_TERROR,
    MAX_TILES,
    MAX_TRADE_OPTIONS,
    N_DECKS,
    N_FACES,
    N_KINDS,
    N_LEVELS,
    N_LOCATIONS,
    N_STACKS,
    NOWHERE,
    PROPHECY_DECK,
    REAVER_DECK,
    RECRUIT,
    REROLL,
    REROLL_ALL,
    SHIELD,
    SHIP,
    STORED_CODE,
    TAPESTRY,
    TERROR_TOKEN,
    TOKEN,
    UPGRADE_CODE,
    UPGRADE_TOKEN,
    VILLAGE_DECK,
    WEAPONS,
)
from strategies.reavers.tables import COPIES, ODDS, all_odds

ONE = 256
"""Fixed point: 1 Glory."""
A_FOOD, A_FAVOR, A_DIE, A_HELP = 1, 2, 4, 1
"""What goods count for; `A_HELP` is anything else that is of use."""

COUNT_BITS = 8
"""Bits of a count of dice where those of all faces are packed into one number."""
COUNT_MASK = (1 << COUNT_BITS) - 1

# Where in ``own.memory`` stands what is looked at.
PROPHECIES = 0
"""[face-up space]: what the prophecy pays, as of the activation in `PROPHECIES_AT`."""
PROPHECIES_AT = PROPHECIES + MAX_OFFERS
IN_PEACE = PROPHECIES_AT + 1
"""Chance of an attempt at a territory in peace: certain. By force, by level, it follows."""
BY_FORCE = IN_PEACE + 1
TILES_NOW = BY_FORCE + N_LEVELS
"""[stack]: what its top tile brings."""

# The table begins with the odds, where the shared heuristic has them too, so `fighting.odds_nb` reads both.
GAIN = COPIES
"""[effect]: what it brings, of alternatives the best; terror as if it were the first."""
REAVER = GAIN + MAX_EFFECTS
"""[reaver]: what it brings with the better one of `REAVER_USE`, its dice included."""
REAVER_USE = REAVER + MAX_REAVERS
"""[reaver]: 0 to rally it, 1 to promote it."""
ABILITY = REAVER_USE + MAX_REAVERS
"""[reaver]: what using its ability brings beyond its cost."""
PAYS_JOURNEY = ABILITY + MAX_REAVERS
"""[journey]: 1 if its cost takes no more than its effect."""
SPOILS_ROW = PAYS_JOURNEY + MAX_JOURNEYS
"""[spoils]: where in this table stands what one more of it brings, by how many one has."""
KIND = SPOILS_ROW + MAX_SPOILS
"""[spoils]: a bit of its own among the kinds of a set of all kinds; 0 for other cards."""
NO_KIND = KIND + MAX_SPOILS
"""[spoils]: 0 for these kinds, else more than anyone has."""
COMPLETES = NO_KIND + MAX_SPOILS
"""[deck]: what completing a set of all kinds brings beyond single cards (rules 12.3, 12.4)."""
PILLAGE = COMPLETES + N_DECKS
"""[spoils, terror tokens]: Glory of pillaging it, 0 if it would cost some."""
TILE = PILLAGE + MAX_SPOILS * MAX_TERROR
"""[1 with the income of the round, stack or `N_STACKS` + tile]: what the tile brings; of a stack the mean."""
TILES = N_STACKS + MAX_TILES
UNSEEN = TILE + 2 * TILES
"""[deck]: what an unseen card brings on average to who has none yet, prophecies aside; a sea battle's reward."""
UNSEEN_DEFENSE = UNSEEN + N_DECKS
"""Mean Defense of the sea battles, rounded up."""
A_JOURNEY = UNSEEN_DEFENSE + 1
"""What a Sea Journey brings on average: less than nothing."""
TRADES = A_JOURNEY + 1
"""[trade option]: what it brings; of a prophecy what is beside the Glory that it pays now."""
PROPHECY_TRADE = TRADES + MAX_TRADE_OPTIONS
"""The trade option that is a prophecy, or NOWHERE."""
BEST_TRADE = PROPHECY_TRADE + 1
"""What the best trade option brings, the Glory of prophecies aside."""
REST_FOR_FOOD = BEST_TRADE + 1
"""The way to rest that brings most Food."""
REST_FOR_GOODS = REST_FOR_FOOD + 1
"""The way to rest that brings most Glory and goods."""
WELCOME = REST_FOR_GOODS + 1
"""[source]: the more, the sooner a die on its face pays for Glory; stored dice and wild ones are kept longest."""
WILD_DIE = STORED_CODE
"""Where the wild dice stand among the sources of `WELCOME`."""
SPENT = WELCOME + STORED_CODE + MAX_ARTIFACT_SPACES
"""[source]: what is spent first has most."""
MOST_SUCCESSES = SPENT + STORED_CODE + MAX_ARTIFACT_SPACES
"""Successes on the best side of a combat die."""
COLOURS_ALIKE = MOST_SUCCESSES + 1
"""1 if crew dice of every colour have all faces."""
AT_MOST = COLOURS_ALIKE + 1
"""[location]: what selecting it can bring at most, where that is known beforehand."""
ATTEMPT = AT_MOST + N_LOCATIONS
"""[2 x stack by peace, 2 x stack + 1 by force]: where its chance stands in ``own.memory``."""
BATTLE_DICE = ATTEMPT + 2 * N_STACKS
"""[battle]: the dice that win it, packed; more than anyone has if only combat does."""
LOCATION_DICE = BATTLE_DICE + MAX_BATTLES
"""[location]: the dice that acting there costs, packed."""
SIZE = LOCATION_DICE + N_LOCATIONS
_NEVER = 64 << COUNT_BITS * CLAN

_WELCOME = {SHIELD: 6, CHEST: 5, DOUBLE_HAMMER: 4, SHIP: 3, HAMMER: 2, CLAN: 1}
_WELCOME_WILD = 7
_SPENT = {HAMMER: 4, DOUBLE_HAMMER: 3, SHIELD: 4, CHEST: 4, SHIP: 4, CLAN: 1}
_SPENT_UPGRADE, _SPENT_STORED = 5, 2
_EACH = {
    GLORY: ONE,
    DEFENSE: -ONE,
    FOOD: A_FOOD,
    FAVOR: A_FAVOR,
    DIE: A_DIE,
    MARKET_DICE: A_DIE,
    LOSE_DIE: -A_DIE,
}
"""What the items of an effect bring that come in numbers."""


class _Worths:
    """What effects and unseen cards of an edition bring; cards that bring cards are followed up to `_DEPTH` times.

    Parameters
    ----------
    edition : EDITION record
    """

    _DEPTH = 3

    def __init__(self, edition):  # type: ignore[no-untyped-def]
        self.edition = edition
        self.unseen = [0] * N_DECKS
        for _ in range(self._DEPTH):
            means = {REAVER_DECK: self.reaver, VILLAGE_DECK: self.first_card, KEEP_DECK: self.first_card}
            for deck, worth in means.items():
                cards = edition.deck[deck, : edition.n_deck[deck]]
                self.unseen[deck] = _mean([worth(int(card)) for card in cards])
        self.unseen[PROPHECY_DECK] = A_HELP

    def effect(self, effect, n_terror=0):  # type: ignore[no-untyped-def]
        """Return what an effect brings to who has so many terror tokens."""
        items = range(self.edition.effect_first[effect], self.edition.effect_stop[effect])
        return sum(self._item(item, n_terror) for item in items)

    def _item(self, item, n_terror):  # type: ignore[no-untyped-def]
        edition = self.edition
        operation, kind, n = (int(edition[f"item_{part}"][item]) for part in ("operation", "kind", "n"))
        if operation == CHOICE:
            return max(self.effect(kind + i, n_terror) for i in range(n))
        if operation == TOKEN and kind == TERROR_TOKEN:
            return self.terror(n_terror, n)
        if operation == TOKEN and kind != UPGRADE_TOKEN:
            return ONE * n * int(edition.token_glory[kind])
        if operation == CARD:
            return n * self.unseen[kind]
        if operation == REROLL and kind == REROLL_ALL:
            return -A_HELP
        return n * _EACH[operation] if operation in _EACH else A_HELP

    def terror(self, n_terror, n):  # type: ignore[no-untyped-def]
        """Return what more terror tokens bring to who has so many: less than nothing (rule 12.9)."""
        before, after = (min(tokens, MAX_TERROR - 1) for tokens in (n_terror, n_terror + n))
        return ONE * int(self.edition.terror_glory[after] - self.edition.terror_glory[before])

    def pillage(self, spoils, n_terror):  # type: ignore[no-untyped-def]
        """Return the Glory of pillaging a building, goods aside, 0 if it would cost some (rules 6.5, 7.4, 7.5)."""
        edition = self.edition
        reward = self.effect(edition.spoils_reward[spoils], n_terror)
        if edition.terror_from_keep == 1 and spoils >= edition.first_keep_spoils:
            reward += self.terror(n_terror, 1)
        return max(0, reward // ONE) * ONE

    def cost(self, cost):  # type: ignore[no-untyped-def]
        """Return what the goods of a cost count for."""
        edition = self.edition
        faces = int(edition.cost_faces[cost])
        n_dice = int(edition.cost_any_die[cost])
        n_dice += sum((faces >> (FACE_BITS * face)) & FACE_MASK for face in range(N_FACES))
        return A_FOOD * int(edition.cost_food[cost]) + A_FAVOR * int(edition.cost_favor[cost]) + A_DIE * n_dice

    def uses(self, reaver):  # type: ignore[no-untyped-def]
        """Return what rallying and what promoting a Reaver brings."""
        edition = self.edition
        return A_DIE * int(edition.reaver_rally[reaver].sum()), self.effect(edition.reaver_promotion[reaver])

    def reaver(self, reaver):  # type: ignore[no-untyped-def]
        """Return what a Reaver brings, its Glory at the end and the dice at its top left included."""
        edition = self.edition
        own = ONE * int(edition.reaver_glory[reaver]) + A_DIE * int(edition.reaver_roll[reaver].sum())
        return own + max(self.uses(reaver))

    def spoils(self, spoils):  # type: ignore[no-untyped-def]
        """Return what one more of a Village or Keep Spoils brings, by how many one has: a number for each."""
        edition = self.edition
        category = edition.spoils_category[spoils]
        if edition.spoils_set[spoils] != NOWHERE:
            steps = np.diff(edition.set_glory[edition.spoils_set[spoils]])
            return [ONE * int(step) for step in (*steps, steps[-1])]
        if category in (TAPESTRY, WEAPONS):
            return [ONE * int(edition.tapestry_single if category == TAPESTRY else edition.weapons_single)] * MAX_SET
        if category == ARTIFACT:
            return [ONE * int(edition.artifact_glory[edition.spoils_ref[spoils]]) + A_HELP] * MAX_SET
        return [self.effect(edition.spoils_gain[spoils])] * MAX_SET

    def first_card(self, spoils):  # type: ignore[no-untyped-def]
        """Return what the first of a Village or Keep Spoils brings."""
        return self.spoils(spoils)[0]

    def tile(self, tile, has_income):  # type: ignore[no-untyped-def]
        """Return what a territory brings: its reward, and its income if the round has one to come (rule 11.4)."""
        return self.effect(self.edition.tile_reward[tile]) + ONE * int(self.edition.tile_income[tile]) * has_income

    def journey(self, journey):  # type: ignore[no-untyped-def]
        """Return what a Sea Journey brings, its cost paid if that takes less than its effect does."""
        edition = self.edition
        effect = self.effect(edition.journey_effect[journey])
        pays = edition.journey_has_cost[journey] == 1
        way = max(effect, -self.cost(edition.journey_cost[journey])) if pays else effect
        return self.effect(edition.journey_benefit[journey]) + way

    def food(self, effect):  # type: ignore[no-untyped-def]
        """Return the Food that an effect without choices brings."""
        items = slice(self.edition.effect_first[effect], self.edition.effect_stop[effect])
        return int(self.edition.item_n[items][self.edition.item_operation[items] == FOOD].sum())


def _mean(worths):  # type: ignore[no-untyped-def]
    return sum(worths) // max(1, len(worths))


def _fill_kinds(edition, table):  # type: ignore[no-untyped-def]
    """Write what concerns Tapestries and weapons, which score as sets of all kinds."""
    table[NO_KIND : NO_KIND + MAX_SPOILS] = MAX_DECK
    for deck, category, of_set, single in (
        (KEEP_DECK, TAPESTRY, edition.tapestry_set, edition.tapestry_single),
        (VILLAGE_DECK, WEAPONS, edition.weapons_set, edition.weapons_single),
    ):
        kinds = np.flatnonzero(edition.spoils_category[: edition.n_spoils] == category)
        table[NO_KIND + kinds] = 0
        table[KIND + kinds] = 1 << np.arange(len(kinds))
        table[COMPLETES + deck] = ONE * (int(of_set) - len(kinds) * int(single)) if len(kinds) else 0


def _fill_cards(edition, worths, table):  # type: ignore[no-untyped-def]
    """Write what cards bring and return the rows of `SPOILS_ROW`."""
    for effect in range(edition.n_effects):
        table[GAIN + effect] = worths.effect(effect)
    for reaver in range(edition.n_reavers):
        rallied, promoted = worths.uses(reaver)
        table[REAVER + reaver] = worths.reaver(reaver)
        table[REAVER_USE + reaver] = promoted > rallied
        cost = worths.cost(edition.ability_cost[reaver])
        table[ABILITY + reaver] = worths.effect(edition.ability_gain[reaver]) - cost
    for journey in range(MAX_JOURNEYS):
        effect = worths.effect(edition.journey_effect[journey])
        table[PAYS_JOURNEY + journey] = worths.cost(edition.journey_cost[journey]) <= -effect
    _fill_kinds(edition, table)
    rows: list[list[int]] = []
    for spoils in range(edition.n_spoils):
        row = worths.spoils(spoils)
        if row not in rows:
            rows.append(row)
        table[SPOILS_ROW + spoils] = SIZE + MAX_SET * rows.index(row)
        for n_terror in range(MAX_TERROR):
            table[PILLAGE + MAX_TERROR * spoils + n_terror] = worths.pillage(spoils, n_terror)
    return rows


def _dice_due(edition, cost):  # type: ignore[no-untyped-def]
    """Return the dice of given faces that a cost takes, packed."""
    faces = int(edition.cost_faces[cost])
    return sum(((faces >> (FACE_BITS * face)) & FACE_MASK) << (COUNT_BITS * face) for face in range(N_FACES))


def _fill_places(edition, worths, table):  # type: ignore[no-untyped-def]
    """Write what territories, the sea, trade and rest bring."""
    for has_income in range(2):
        first = TILE + TILES * has_income
        for stack in range(N_STACKS):
            tiles = edition.stack[stack, : edition.n_stack[stack]]
            table[first + stack] = _mean([worths.tile(int(tile), has_income) for tile in tiles])
        for tile in range(MAX_TILES):
            table[first + N_STACKS + tile] = worths.tile(tile, has_income)
    battles, journeys = (edition.deck[deck, : edition.n_deck[deck]] for deck in (BATTLE_DECK, JOURNEY_DECK))
    table[UNSEEN : UNSEEN + N_DECKS] = worths.unseen
    table[UNSEEN + BATTLE_DECK] = _mean([worths.effect(edition.battle_reward[battle]) for battle in battles])
    table[UNSEEN_DEFENSE] = -_mean([-int(edition.battle_defense[battle]) for battle in battles])
    table[A_JOURNEY] = _mean([worths.journey(int(journey)) for journey in journeys])
    for battle in range(MAX_BATTLES):
        table[BATTLE_DICE + battle] = _dice_due(edition, edition.battle_cost[battle]) or _NEVER
    for location in range(N_LOCATIONS):
        table[LOCATION_DICE + location] = _dice_due(edition, edition.location_cost[location])
    for stack in range(N_STACKS):
        table[ATTEMPT + 2 * stack : ATTEMPT + 2 * stack + 2] = (IN_PEACE, BY_FORCE + stack % N_LEVELS)
    table[AT_MOST : AT_MOST + N_LOCATIONS] = np.iinfo(np.int64).max
    reavers = [worths.reaver(reaver) for reaver in range(edition.n_reavers)]
    n_cards = max(edition.offer_size[REAVER_DECK].max(), edition.n_unseen[REAVER_DECK])
    table[AT_MOST + RECRUIT] = n_cards * max(reavers) + A_FAVOR * edition.bonus[RECRUIT, 0]
    trades = [int(effect) for effect in edition.trade_option[: edition.n_trade_options]]
    items = [int(edition.effect_first[effect]) for effect in trades]
    kinds = [(edition.item_operation[item], edition.item_kind[item]) for item in items]
    prophecy = kinds.index((CARD, PROPHECY_DECK)) if (CARD, PROPHECY_DECK) in kinds else NOWHERE
    table[TRADES : TRADES + len(trades)] = [worths.effect(effect) for effect in trades]
    table[PROPHECY_TRADE] = prophecy
    table[BEST_TRADE] = max(worths.effect(effect) for effect in trades)
    rests = [int(effect) for effect in edition.rest[: edition.n_rests]]
    goods = [worths.effect(effect) for effect in rests]
    table[REST_FOR_GOODS] = goods.index(max(goods))
    food = [worths.food(effect) for effect in rests]
    table[REST_FOR_FOOD] = food.index(max(food)) if max(food) > 0 else table[REST_FOR_GOODS]


def _fill_dice(edition, table):  # type: ignore[no-untyped-def]
    """Write which dice are welcome, which are spent first, and what combat dice can show."""
    for kind in range(N_KINDS):
        table[WELCOME + kind] = _WELCOME[kind % N_FACES]
    table[WELCOME + WILD_DIE : SPENT] = _WELCOME_WILD
    for kind in range(N_KINDS):
        table[SPENT + kind] = _SPENT[kind % N_FACES]
    table[SPENT + UPGRADE_CODE : SPENT + STORED_CODE] = _SPENT_UPGRADE
    table[SPENT + STORED_CODE : MOST_SUCCESSES] = _SPENT_STORED
    table[COLOURS_ALIKE] = edition.has_face.all()
    table[MOST_SUCCESSES] = max(edition.combat_face)


def prepare(game):  # type: ignore[no-untyped-def]
    """Prepare greedy's table.

    Parameters
    ----------
    game : GAME record
        With the edition filled in.

    Returns
    -------
    int64[:]
        Parts as listed at the top of this file, then the rows that `SPOILS_ROW` leads to.
    """
    edition = game.edition
    worths = _Worths(edition)
    table = np.zeros(SIZE, np.int64)
    table[ODDS:COPIES] = all_odds(tuple(int(value) for value in edition.combat_face)).ravel()
    rows = _fill_cards(edition, worths, table)
    _fill_places(edition, worths, table)
    _fill_dice(edition, table)
    return np.concatenate([table, np.ravel(rows).astype(np.int64)])
