"""What the heuristic prepares once for each edition and number of players: plain Python, integers only.

The table is one int64 array; its parts begin at the constants below.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from simcore.reavers.layout import (
    ANY_COLOUR,
    CARD,
    CHOICE,
    CLAN,
    DEFENSE,
    DIE,
    EXTRA_ATTEMPT,
    EXTRA_TRADE,
    FARM_TOKEN,
    FAVOR,
    FOOD,
    GLORY,
    KEEP_DECK,
    MARKET_DICE,
    MAX_EFFECTS,
    MAX_REAVERS,
    MAX_SPOILS,
    MAX_UPGRADES,
    N_COLOURS,
    N_FACES,
    N_STACKS,
    N_TOKENS,
    NOWHERE,
    REAVER_DECK,
    REROLL,
    REROLL_ALL,
    SUCCESS,
    TERROR_TOKEN,
    TOKEN,
    UPGRADE_TOKEN,
    VILLAGE_DECK,
)
from simcore.reavers.layout import CHOSEN as ON_CHOSEN_FACE
from strategies.reavers.memory import (
    CHOSEN,
    COUNT_BITS,
    FAVOR_VALUE,
    FOOD_VALUE,
    MAX_SPACES,
    ONE_TERROR,
    ROLLED,
    STEERED,
    SUCCESS_VALUE,
    UNSEEN,
)
from strategies.reavers.weights import ONE

CERTAIN = 4096
"""Chances of combat are counted in 1/4096."""
MAX_FAVOR = 3
"""More Favor than this counts as this much: the third reroll already adds less than a twentieth."""
MAX_NEED, MAX_DICE = 12, 9

ODDS = 0
"""[favor, successes needed, combat dice]: chance to win, rerolling as well as can be (rules 10.1 to 10.3)."""
COPIES = ODDS + (MAX_FAVOR + 1) * (MAX_NEED + 1) * (MAX_DICE + 1)
"""[spoils]: copies in the deck."""
HAMMER_STEPS = COPIES + MAX_SPOILS
"""[hammers owned]: how much of its worth one more hammer has, share."""
SHIP_STEPS = HAMMER_STEPS + 24
"""[ships owned]: the same for longships."""
GROWS = SHIP_STEPS + 16
"""[metric]: how much what a prophecy counts grows in a round, 1/100."""
CLAN_SIDES = GROWS + 22
"""[colour]: sides of a crew die that show the clan icon."""
COLOURS_ALIKE = CLAN_SIDES + N_COLOURS
"""1 if the crew dice of all colours have the same sides."""
EFFECT = COLOURS_ALIKE + 1
"""[effect]: how its worth follows from ``own.memory``, in eight numbers; see `_effect_row`."""
EFFECT_SIZE = 8
SAME_STACK = EFFECT + EFFECT_SIZE * MAX_EFFECTS
"""[stack]: the first stack with tiles of the same worth."""
TOKEN_FACES = SAME_STACK + N_STACKS
"""[ship upgrade]: one for each face that it can pay, and its hammers behind them, packed as in ``own.memory``."""
INSTEAD = TOKEN_FACES + MAX_UPGRADES
"""[spoils]: of a ship upgrade's card what can be had instead of the token; see `_glory_instead`."""
REAVER = INSTEAD + MAX_SPOILS
"""[reaver]: `REAVER_SIZE` numbers: dice at the top left by colour, their number, dice at the top right, 1 if its
ability brings successes, the kind of its promotion."""
REAVER_SIZE = 8
MAX_PROMOTIONS = 9
N_PROMOTIONS = REAVER + REAVER_SIZE * MAX_REAVERS
"""Kinds of promotion, numbered from 0; those beyond `MAX_PROMOTIONS` have number `NOWHERE` and are valued singly."""
PROMOTES = N_PROMOTIONS + 1
"""[kind of promotion]: a Reaver that has it."""
REAVERS_LAST = PROMOTES + MAX_PROMOTIONS
"""1 if what face-up Reavers are worth does not depend on what an unseen one is, which is worked out of it."""
SIZE = REAVERS_LAST + 1

NOTHING, NOT_PLAIN = -(1 << 30), -(1 << 31)
ITEM_BY_ITEM, A_SUM, A_SUM_AND_DICE, A_CHOICE = range(4)
METRIC_WALLS, METRIC_FARMS = 12, 13
AN_ATTEMPT, A_TRADE = 250, 260

_HAMMER_STEPS = (240, 256, 250, 230, 190, 150, 110, 80, 60, 40, 30, 20, 10)
_SHIP_STEPS = (256, 130, 70, 30, 15)
# measured in games of `balanced` at three players: the count at the end by rounds; what cards count by their share
_GROWS = (20, 135, 45, 45, 45, 60, 60, 60, 42, 50, 45, 25, 29, 20, 35, 25, 25, 32, 22, 40, 30, 5)


@cache
def _weighted_dice(n: int, faces: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return all results of `n` dice, each as sorted successes with the number of ways in which it falls."""
    ways: dict[tuple[int, ...], int] = {(): 1}
    for _ in range(n):
        more: dict[tuple[int, ...], int] = {}
        for dice, count in ways.items():
            for face in faces:
                rolled = tuple(sorted((*dice, face)))
                more[rolled] = more.get(rolled, 0) + count
        ways = more
    return tuple(ways.items())


def combat_odds(faces: tuple[int, ...], n_dice: int, max_need: int = MAX_NEED) -> np.ndarray:
    """Return the chances to win with `n_dice` combat dice under the best rerolls, exactly.

    After a roll 1 Favor rerolls any number of the dice, as often as there is Favor (rule 10.3). A die that shows less
    is always the better one to reroll, so only how many of the lowest are rerolled has to be tried.

    Parameters
    ----------
    faces : tuple of int
        Successes on the sides of a combat die.
    n_dice : int
    max_need : int

    Returns
    -------
    float64[MAX_FAVOR + 1, max_need + 1]
        By Favor and by successes needed.
    """
    results = list(combinations_with_replacement(sorted(set(faces)), n_dice))
    needs = np.arange(max_need + 1)
    won = {dice: (sum(dice) >= needs).astype(float) for dice in results}
    chance = [_rolled(won, (), n_dice, faces)]
    for _ in range(MAX_FAVOR):
        kept = {dice[first:] for dice in results for first in range(1, n_dice + 1)}
        kept_values = {high: _rolled(won, high, n_dice - len(high), faces) for high in kept}
        won = {
            dice: np.maximum.reduce([won[dice], *(kept_values[dice[first:]] for first in range(1, n_dice + 1))])
            for dice in results
        }
        chance.append(_rolled(won, (), n_dice, faces))
    return np.array(chance)


def _rolled(won, kept, n: int, faces: tuple[int, ...]) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Return the chances to win when `n` dice are rolled beside the kept ones."""
    total = 0.0
    for dice, ways in _weighted_dice(n, faces):
        total = total + won[tuple(sorted((*kept, *dice)))] * ways
    return np.asarray(total / len(faces) ** n)


@cache
def all_odds(faces: tuple[int, ...]) -> np.ndarray:
    """Return int64[MAX_FAVOR + 1, MAX_NEED + 1, MAX_DICE + 1]: chances to win, 1/4096."""
    odds = np.zeros((MAX_FAVOR + 1, MAX_NEED + 1, MAX_DICE + 1), np.int64)
    for n_dice in range(MAX_DICE + 1):
        odds[:, :, n_dice] = np.floor(combat_odds(faces, n_dice) * CERTAIN + 0.5).astype(np.int64)
    return odds


def _item_terms(edition, item):  # type: ignore[no-untyped-def]
    """Return an item's worth: a constant, times and slots of ``own.memory``, and of dice; None if not so plain."""
    operation, kind, n = (int(edition[f"item_{part}"][item]) for part in ("operation", "kind", "n"))
    constants = {GLORY: ONE * n, DEFENSE: -ONE * n, EXTRA_ATTEMPT: AN_ATTEMPT * n, EXTRA_TRADE: A_TRADE * n}
    slots = {FOOD: FOOD_VALUE, FAVOR: FAVOR_VALUE, CARD: UNSEEN + kind, SUCCESS: SUCCESS_VALUE}
    if operation in constants:
        return constants[operation], [], []
    if operation == REROLL and kind == REROLL_ALL:
        return -ONE, [], []
    if operation in slots and n >= 0:
        return 0, [(n, slots[operation])], []
    if operation == TOKEN and kind == TERROR_TOKEN and n == 1:
        return 0, [(1, ONE_TERROR)], []
    if operation == TOKEN and kind < N_TOKENS and kind != TERROR_TOKEN:
        metric = METRIC_FARMS if kind == FARM_TOKEN else METRIC_WALLS
        return ONE * n * int(edition.token_glory[kind]), [(n, STEERED + metric)], []
    if operation == DIE:
        is_chosen = edition.item_mode[item] == ON_CHOSEN_FACE
        return 0, [], [(n, CHOSEN if is_chosen else ROLLED + min(kind, ANY_COLOUR))]
    if operation == MARKET_DICE:
        return 0, [], [(n, ROLLED + ANY_COLOUR)]
    return None


def _effect_row(edition, effect):  # type: ignore[no-untyped-def]
    """Return how an effect's worth follows from ``own.memory``: way, constant, then times and slot, three times.

    Most effects are worth a constant and up to three times what a slot holds (`A_SUM`), or the last is a number of
    dice, which depends on the room on the board (`A_SUM_AND_DICE`). `A_CHOICE` is followed by its first alternative and
    their number. The rest is valued `ITEM_BY_ITEM`.
    """
    items = range(edition.effect_first[effect], edition.effect_stop[effect])
    if len(items) == 1 and edition.item_operation[items[0]] == CHOICE:
        return [A_CHOICE, edition.item_kind[items[0]], edition.item_n[items[0]], 0, 0, 0, 0, 0]
    parts = [_item_terms(edition, item) for item in items]
    if None in parts:
        return [ITEM_BY_ITEM, 0, 0, 0, 0, 0, 0, 0]
    terms = [term for _, slots, _ in parts for term in slots]
    dice = [term for *_, of_dice in parts for term in of_dice]
    if len(dice) > 1 or len(terms) + len(dice) > 3:
        return [ITEM_BY_ITEM, 0, 0, 0, 0, 0, 0, 0]
    terms += [(0, 0)] * (3 - len(terms) - len(dice)) + dice
    return [A_SUM_AND_DICE if dice else A_SUM, sum(part[0] for part in parts), *np.ravel(terms)]


def _glory_instead(edition, spoils):  # type: ignore[no-untyped-def]
    """Return what can be had instead of the one token that a card brings, `NOTHING` if it cannot be refused.

    `NOT_PLAIN` if the card brings anything else.
    """

    def single(effect):  # type: ignore[no-untyped-def]
        first, stop = int(edition.effect_first[effect]), int(edition.effect_stop[effect])
        item = [int(edition[f"item_{part}"][first]) for part in ("operation", "kind", "n")]
        return item if stop - first == 1 else [NOWHERE, 0, 0]

    operation, kind, n = single(edition.spoils_gain[spoils])
    parts = [single(kind + i) for i in range(n)] if operation == CHOICE else [[operation, kind, n]]
    glory = [ONE * n for operation, _, n in parts if operation == GLORY]
    n_tokens = sum(operation == TOKEN and kind == UPGRADE_TOKEN for operation, kind, _ in parts)
    if edition.spoils_ref[spoils] == NOWHERE or n_tokens == 0 or n_tokens + len(glory) < len(parts):
        return NOT_PLAIN
    return max(glory, default=NOTHING)


def _promotions(edition):  # type: ignore[no-untyped-def]
    """Return the kinds of promotion there are: the effect, and whose clan icons are wild."""
    kinds = zip(edition.reaver_promotion, edition.reaver_wild, strict=True)
    return list(dict.fromkeys((int(effect), int(wild)) for effect, wild in list(kinds)[: edition.n_reavers]))


def _reaver_row(edition, reaver):  # type: ignore[no-untyped-def]
    """Return the numbers of `REAVER`."""
    kinds = _promotions(edition)
    promotion = kinds.index((int(edition.reaver_promotion[reaver]), int(edition.reaver_wild[reaver])))
    promotion = promotion if promotion < MAX_PROMOTIONS else NOWHERE
    roll = [int(n) for n in edition.reaver_roll[reaver]]
    first = edition.effect_first[edition.ability_gain[reaver]]
    brings_success = int(edition.item_operation[first] == SUCCESS)
    return [*roll, sum(roll), int(edition.reaver_rally[reaver].sum()), brings_success, promotion]


def _brings_reaver(edition, effect):  # type: ignore[no-untyped-def]
    """Return whether an effect, or an alternative of it, brings an unseen Reaver."""
    for item in range(edition.effect_first[effect], edition.effect_stop[effect]):
        operation, kind, n = (int(edition[f"item_{part}"][item]) for part in ("operation", "kind", "n"))
        if operation == CARD and kind == REAVER_DECK:
            return True
        if operation == CHOICE and any(_brings_reaver(edition, kind + i) for i in range(n)):
            return True
    return False


def _reavers_last(edition):  # type: ignore[no-untyped-def]
    """Return the number of `REAVERS_LAST`."""
    effects = [edition[part][: edition.n_reavers] for part in ("reaver_promotion", "ability_gain")]
    brings_reaver = any(_brings_reaver(edition, int(effect)) for effect in np.concatenate(effects))
    return int(not brings_reaver and edition.n_offers[REAVER_DECK] <= MAX_SPACES)


def _same_stacks(edition):  # type: ignore[no-untyped-def]
    """Return for each stack the first one whose tiles bring the same."""
    worths = []
    for stack in range(N_STACKS):
        tiles = edition.stack[stack, : edition.n_stack[stack]]
        worths.append(sorted((int(edition.tile_reward[tile]), int(edition.tile_income[tile])) for tile in tiles))
    return [worths.index(worth) for worth in worths]


def prepare(game):  # type: ignore[no-untyped-def]
    """Prepare the heuristic's table.

    Parameters
    ----------
    game : GAME record
        With the edition filled in.

    Returns
    -------
    int64[SIZE]
        Parts as listed at the top of this file.
    """
    edition = game.edition
    table = np.zeros(SIZE, np.int64)
    table[ODDS:COPIES] = all_odds(tuple(int(value) for value in edition.combat_face)).ravel()
    for deck in (VILLAGE_DECK, KEEP_DECK):
        for card in edition.deck[deck, : edition.n_deck[deck]]:
            table[COPIES + int(card)] += 1
    table[HAMMER_STEPS : HAMMER_STEPS + len(_HAMMER_STEPS)] = _HAMMER_STEPS
    table[SHIP_STEPS : SHIP_STEPS + len(_SHIP_STEPS)] = _SHIP_STEPS
    table[GROWS : GROWS + len(_GROWS)] = _GROWS
    for colour in range(N_COLOURS):
        table[CLAN_SIDES + colour] = np.count_nonzero(edition.crew_face[colour] == CLAN)
    table[COLOURS_ALIKE] = len({tuple(sorted(sides)) for sides in edition.crew_face.tolist()}) == 1
    for spoils in range(edition.n_spoils):
        table[INSTEAD + spoils] = _glory_instead(edition, spoils)
    for reaver in range(edition.n_reavers):
        first = REAVER + REAVER_SIZE * reaver
        table[first : first + REAVER_SIZE] = _reaver_row(edition, reaver)
        if table[first + REAVER_SIZE - 1] == table[N_PROMOTIONS] < MAX_PROMOTIONS:
            table[PROMOTES + table[N_PROMOTIONS]] = reaver
            table[N_PROMOTIONS] += 1
    table[REAVERS_LAST] = _reavers_last(edition)
    rows = [_effect_row(edition, effect) for effect in range(edition.n_effects)]
    table[EFFECT : EFFECT + EFFECT_SIZE * len(rows)] = np.ravel(rows)
    table[SAME_STACK : SAME_STACK + N_STACKS] = _same_stacks(edition)
    for upgrade in range(MAX_UPGRADES):
        faces = int(edition.upgrade_faces[upgrade])
        counts = [(faces >> face) & 1 for face in range(N_FACES)] + [int(edition.upgrade_hammers[upgrade])]
        table[TOKEN_FACES + upgrade] = sum(n << (COUNT_BITS * place) for place, n in enumerate(counts))
    return table
