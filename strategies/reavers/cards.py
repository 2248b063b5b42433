"""What cards are worth to the seat: spoils, prophecies, unseen cards (strategies.md sections 2 and 3)."""

from simcore.accel import array_at, contained_kernel, kernel, separate_kernel
from simcore.reavers.layout import (
    ARTIFACT,
    GAME,
    KEEP_DECK,
    MAX_OFFER_CARDS,
    MAX_SET,
    NOWHERE,
    OWN,
    PROPHECY_DECK,
    RUNIC,
    SHIP_UPGRADE,
    TAPESTRY,
    VILLAGE_DECK,
    WEAPONS,
)
from simcore.reavers.scoring import count_metric_nb
from strategies.reavers.effects import effect_value_nb, new_upgrade_value_nb
from strategies.reavers.fighting import fight_value_nb
from strategies.reavers.memory import (
    GROWING,
    LISTED,
    MAX_LISTED,
    N_LISTED,
    N_STEERED,
    PROPHECIES_SEEN,
    STEERED,
    TO_COME,
    UNSEEN,
    UPGRADE_MEANT,
)
from strategies.reavers.tables import COPIES, GROWS, INSTEAD, NOT_PLAIN
from strategies.reavers.weights import ARTIFACT_SHARE, ONE, PILLAGE, PROPHECY, SHARE, STEER

METRIC_ARTIFACTS, METRIC_TREASURE, METRIC_RUNES, METRIC_WEAPONS = 10, 14, 18, 19


@contained_kernel
def set_value_nb(game, own, spoils, more):
    """Return what a card of a set is worth: what it adds now, and the mean of what three cards would (rule 12.2)."""
    glory = game.edition.set_glory
    kind = game.edition.spoils_set[spoils]
    n = min(own.spoils[spoils] + more, MAX_SET - 4)
    now = ONE * (glory[kind, n + 1] - glory[kind, n])
    later = ONE * (glory[kind, n + 3] - glory[kind, n]) // 3
    growth = own.memory[GROWING]
    return (now * (SHARE - growth) + max(now, later) * growth) >> 8


@contained_kernel
def kinds_value_nb(game, own, spoils, of_set, single):
    """Return what a Tapestry or a weapon is worth: it completes a set of all kinds, or brings it nearer (12.3)."""
    edition = game.edition
    category = edition.spoils_category[spoils]
    mine = own.spoils[spoils]
    n_kinds = 0
    n_ahead = 0
    for other in range(edition.category_first[category], edition.category_stop[category]):
        if edition.spoils_category[other] == category:
            n_kinds += 1
            if other != spoils and own.spoils[other] > mine:
                n_ahead += 1
    if n_ahead == n_kinds - 1:
        return ONE * (of_set - single * (n_kinds - 1))
    nearer = ONE * of_set * (n_ahead + 1) // (n_kinds * n_kinds)
    return ONE * single + (nearer * own.memory[GROWING] >> 8)


@contained_kernel
def artifact_value_nb(game, own, artifact):
    """Return what an artifact will bring: its effect as often as its location comes, for a die of its face (6.3)."""
    edition = game.edition
    location = edition.artifact_location[artifact]
    use = max(0, effect_value_nb(game, own, edition.artifact_gain[artifact]) - ONE)
    use = (use * own.memory[TO_COME + location] >> 8) * own.param[ARTIFACT_SHARE] >> 8
    return use + own.param[ARTIFACT_SHARE] * game.rounds_left // 16


@contained_kernel
def new_artifact_value_nb(game, own, artifact):
    """Return what gaining an artifact is worth, a space for it or not (rule 12.7)."""
    value = ONE * game.edition.artifact_glory[artifact] + own.memory[STEERED + METRIC_ARTIFACTS]
    me = game.pl[own.seat]
    if me.n_artifacts < game.edition.artifact_spaces:
        value += artifact_value_nb(game, own, artifact)
    return value


@kernel
def building_value_nb(game, own, spoils):
    """Return what a building brings: its gain at once, and a pillage if that pays (rules 6.5, 7.4, 7.5)."""
    edition = game.edition
    table = array_at(own.table, own.n_table)
    value = effect_value_nb(game, own, edition.spoils_gain[spoils])
    defense = edition.spoils_defense[spoils]
    if defense > 0:
        reward = effect_value_nb(game, own, edition.spoils_reward[spoils]) * own.param[PILLAGE] >> 8
        value += max(0, fight_value_nb(game, own, table, defense, reward))
    return value


@contained_kernel
def value_of_spoils_nb(game, own, table, spoils, more):
    """Return what a Village or Keep Spoils card is worth to the seat, 1/100 Glory.

    Parameters
    ----------
    more : int
        Cards of the same kind that come with it.
    """
    edition = game.edition
    category = edition.spoils_category[spoils]
    if edition.spoils_set[spoils] != NOWHERE:
        metric = METRIC_RUNES if category == RUNIC else METRIC_TREASURE + category
        return set_value_nb(game, own, spoils, more) + own.memory[STEERED + metric]
    if category == TAPESTRY:
        value = kinds_value_nb(game, own, spoils, edition.tapestry_set, edition.tapestry_single)
        return value + own.memory[STEERED + METRIC_TREASURE + TAPESTRY]
    if category == WEAPONS:
        value = kinds_value_nb(game, own, spoils, edition.weapons_set, edition.weapons_single)
        return value + own.memory[STEERED + METRIC_WEAPONS]
    if category == ARTIFACT:
        return new_artifact_value_nb(game, own, edition.spoils_ref[spoils])
    if category == SHIP_UPGRADE:
        return upgrade_card_value_nb(game, own, table, spoils)
    return building_value_nb(game, own, spoils)


@separate_kernel(GAME, OWN)
def spoils_value_nb(game, own, spoils, more):
    """Return `value_of_spoils_nb`."""
    return value_of_spoils_nb(game, own, array_at(own.table, own.n_table), spoils, more)


@contained_kernel
def upgrade_card_value_nb(game, own, table, spoils):
    """Return what a card of a ship upgrade is worth: the token, or the Glory instead (rule 6.4)."""
    instead = table[INSTEAD + spoils]
    if instead != NOT_PLAIN:
        return max(instead, new_upgrade_value_nb(game, own, game.edition.spoils_ref[spoils]))
    own.memory[UPGRADE_MEANT] = 1 + game.edition.spoils_ref[spoils]
    value = effect_value_nb(game, own, game.edition.spoils_gain[spoils])
    own.memory[UPGRADE_MEANT] = 0
    return value


@kernel
def group_value_nb(game, own, deck, space):
    """Return what the cards of a face-up group are worth."""
    first = game.offer[deck, space, 0]
    value = spoils_value_nb(game, own, first, 0)
    for place in range(1, MAX_OFFER_CARDS):
        card = game.offer[deck, space, place]
        if card != NOWHERE:
            value += spoils_value_nb(game, own, card, 1 if card == first else 0)
    return value


@kernel
def unseen_spoils_value_nb(game, own, table, deck):
    """Return the mean worth of the cards of a spoils deck."""
    edition = game.edition
    first = edition.first_keep_spoils if deck == KEEP_DECK else 0
    stop = edition.n_spoils if deck == KEEP_DECK else edition.first_keep_spoils
    total = 0
    n = 0
    for spoils in range(first, stop):
        copies = table[COPIES + spoils]
        if copies > 0:
            total += copies * value_of_spoils_nb(game, own, table, spoils, 0)
            n += copies
    return total // max(1, n)


@contained_kernel
def prophecy_value_nb(game, own, table, prophecy):
    """Return what a prophecy will pay: by what it counts now and what that grows to (rule 12.10)."""
    edition = game.edition
    metric = edition.prophecy_metric[prophecy]
    count = ONE * count_metric_nb(game, game.pl[own.seat], own, metric)
    count += table[GROWS + metric] * (game.rounds_left + 1)
    pays = min(ONE * edition.prophecy_cap[prophecy], edition.prophecy_glory[prophecy] * count)
    return pays * own.param[PROPHECY] >> 8


@kernel
def unseen_prophecy_value_nb(game, own, table):
    """Return the mean worth of all prophecies."""
    n = game.edition.n_prophecies
    total = 0
    for prophecy in range(n):
        total += prophecy_value_nb(game, own, table, prophecy)
    return total // max(1, n)


@separate_kernel(GAME, OWN)
def list_prophecies_nb(game, own):
    """Write which kinds of prophecies the seat has, and how many."""
    memory = own.memory
    n = 0
    for prophecy in range(game.edition.n_prophecies):
        memory[LISTED + min(n, MAX_LISTED - 1)] = prophecy  # no branch: nobody guesses who has which
        n += own.prophecy[prophecy] > 0
    memory[N_LISTED] = min(n, MAX_LISTED)


@kernel
def steer_nb(game, own):
    """Write what the own prophecies pay for one more of what they count."""
    edition = game.edition
    memory = own.memory
    me = game.pl[own.seat]
    if memory[PROPHECIES_SEEN] != me.n_prophecies:
        memory[PROPHECIES_SEEN] = me.n_prophecies
        list_prophecies_nb(game, own)
    for metric in range(N_STEERED):
        memory[STEERED + metric] = 0
    for i in range(memory[N_LISTED]):
        prophecy = memory[LISTED + i]
        metric = edition.prophecy_metric[prophecy]
        pays = edition.prophecy_glory[prophecy]
        if metric >= N_STEERED:
            continue
        if pays * (count_metric_nb(game, me, own, metric) + 1) <= edition.prophecy_cap[prophecy]:
            memory[STEERED + metric] += ONE * own.prophecy[prophecy] * pays * own.param[STEER] >> 8


@separate_kernel(GAME, OWN)
def value_unseen_nb(game, own):
    """Write what unseen spoils and prophecies are worth; needs `steer_nb`."""
    table = array_at(own.table, own.n_table)
    own.memory[UNSEEN + VILLAGE_DECK] = unseen_spoils_value_nb(game, own, table, VILLAGE_DECK)
    own.memory[UNSEEN + KEEP_DECK] = unseen_spoils_value_nb(game, own, table, KEEP_DECK)
    own.memory[UNSEEN + PROPHECY_DECK] = unseen_prophecy_value_nb(game, own, table)
