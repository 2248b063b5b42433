"""Items granted at the end of set-up, on top of everything (see `items`): a balance test's, no rule of the game.

What is granted is an extra one: no deck, supply or stack has less for it.
"""

from simcore.accel import kernel, separate_kernel
from simcore.contract import MAX_GRANTS
from simcore.reavers.artifacts import place_artifact_nb
from simcore.reavers.decisions import CHOOSE_REAVER_USE
from simcore.reavers.decks import gain_card_nb
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import GRANTED, TERRITORY_TURNED_OVER, ask_nb, record_nb
from simcore.reavers.layout import (
    ABILITY_ITEM,
    ARTIFACT_ITEM,
    BATTLE_ITEM,
    FROM_BATTLES,
    FROM_TILES,
    GAME,
    HIDDEN,
    KEEP_DECK,
    N_ITEM_KINDS,
    N_SLOTS_FOR_REAVERS,
    NOWHERE,
    PROPHECY_DECK,
    PROPHECY_ITEM,
    REAVER_DECK,
    SPOILS_ITEM,
    TERRITORY_ITEM,
    UPGRADE_ITEM,
    VILLAGE_DECK,
)
from simcore.reavers.recruit import FIRST_SLOT, specialise_nb
from simcore.reavers.resolving import resolve_cards_nb
from simcore.reavers.spoils import use_spoils_nb
from simcore.reavers.upgrades import take_upgrade_nb


@kernel
def _grant_spoils_nb(game, hidden, seat, spoils):
    """Gain a spoils card as if it had been drawn; one that is not kept leaves the game when it is used."""
    deck = KEEP_DECK if spoils >= game.edition.first_keep_spoils else VILLAGE_DECK
    if game.edition.spoils_kept[spoils] == 1:
        gain_card_nb(game, hidden, seat, deck, spoils, 0)
        return
    hidden.own[seat].card_deck = deck
    hidden.own[seat].card = spoils
    use_spoils_nb(game, hidden, seat, deck, spoils)


@kernel
def _grant_battle_nb(game, hidden, seat, battle):
    """Gain what a sea battle brings to who wins it (rule 8.3)."""
    game.pl[seat].n_battles += 1
    gain_nb(game, hidden, seat, game.edition.battle_reward[battle], FROM_BATTLES, NOWHERE)


@kernel
def _grant_territory_nb(game, hidden, seat, stack):
    """Gain a copy of the lowest tile of a stack, which is luck that nobody meets early, and turn it over (11.3)."""
    me = game.pl[seat]
    tile = hidden.stack[stack, 0]
    me.n_tiles += 1
    me.tiles[stack] += 1
    me.tile_income += game.edition.tile_income[tile]
    record_nb(hidden, TERRITORY_TURNED_OVER, seat, tile, 0, 0)
    gain_nb(game, hidden, seat, game.edition.tile_reward[tile], FROM_TILES, NOWHERE)


@kernel
def _grant_ability_nb(game, hidden, seat, ability):
    """Gain the first Reaver of an ability without its dice, and specialise it in a slot of one's choice (rule 4.4)."""
    own = hidden.own[seat]
    edition = game.edition
    reaver = 0
    while edition.ability[reaver] != ability:
        reaver += 1
    own.reavers[edition.reaver_colour[reaver]] += 1
    own.reaver_glory += edition.reaver_glory[reaver]
    game.pl[seat].reavers_seen[edition.reaver_colour[reaver]] += 1
    own.card_deck = REAVER_DECK
    own.card = reaver
    for slot in range(N_SLOTS_FOR_REAVERS):
        own.option[slot] = FIRST_SLOT + slot
    use = own.option[ask_nb(game, hidden, seat, CHOOSE_REAVER_USE, N_SLOTS_FOR_REAVERS)]
    specialise_nb(game, hidden, seat, reaver, use - FIRST_SLOT)


@separate_kernel(GAME, HIDDEN)
def _grant_nb(game, hidden, seat, item):
    """Give a seat an item and resolve it by the ordinary rules."""
    edition = game.edition
    kind = N_ITEM_KINDS - 1
    while item < edition.first_item[kind]:
        kind -= 1
    place = item - edition.first_item[kind]
    record_nb(hidden, GRANTED, seat, item, 0, 0)
    if kind == PROPHECY_ITEM:
        gain_card_nb(game, hidden, seat, PROPHECY_DECK, place, 0)
    elif kind == ARTIFACT_ITEM:
        place_artifact_nb(game, hidden, seat, place, 0)
    elif kind == UPGRADE_ITEM:
        game.upgrade_supply[place] += 1
        take_upgrade_nb(game, hidden, seat, place)
    elif kind == SPOILS_ITEM:
        _grant_spoils_nb(game, hidden, seat, edition.spoils_of_item[place])
    elif kind == BATTLE_ITEM:
        _grant_battle_nb(game, hidden, seat, place)
    elif kind == TERRITORY_ITEM:
        _grant_territory_nb(game, hidden, seat, place)
    elif kind == ABILITY_ITEM:
        _grant_ability_nb(game, hidden, seat, place)
    hidden.own[seat].card_deck = NOWHERE
    hidden.own[seat].card = NOWHERE
    resolve_cards_nb(game, hidden, seat)


@kernel
def grant_items_nb(game, hidden):
    """Give every seat the items it is granted."""
    for seat in range(game.n_players):
        for i in range(MAX_GRANTS):
            if hidden.granted[seat, i] < 0:
                break
            _grant_nb(game, hidden, seat, hidden.granted[seat, i])
