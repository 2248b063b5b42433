"""Village and Keep Spoils: taking and resolving them (rules 6.2 to 6.6, 7.2 to 7.5)."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.artifacts import place_artifact_nb
from simcore.reavers.combat import can_fight_nb, fight_nb
from simcore.reavers.decisions import CHOOSE_PILLAGE, CHOOSE_SPOILS
from simcore.reavers.decks import discard_nb, list_offers_nb, take_space_nb
from simcore.reavers.effects import draw_cards_nb, gain_nb
from simcore.reavers.events import TOKEN_GAINED, ask_nb, record_nb
from simcore.reavers.layout import (
    ARTIFACT,
    FROM_OTHER,
    FROM_PILLAGE,
    FROM_UPGRADES,
    GAME,
    HIDDEN,
    KEEP_DECK,
    NOWHERE,
    SHIP_UPGRADE,
    TERROR_TOKEN,
)

PILLAGE = 0
LEAVE = 1


@separate_kernel(GAME, HIDDEN)
def take_spoils_nb(game, hidden, seat, deck, n_bonus):
    """Gain a linked face-up group or unseen cards, and the unseen cards of the bonus (rules 6.2, 7.2)."""
    n = list_offers_nb(game, hidden, seat, deck)
    if n > 0:
        space = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_SPOILS, n)]
        if space == NOWHERE:
            draw_cards_nb(game, hidden, seat, deck, game.edition.n_unseen[deck])
        else:
            take_space_nb(game, hidden, seat, deck, space)
    draw_cards_nb(game, hidden, seat, deck, n_bonus)


@kernel
def pillage_nb(game, hidden, seat, deck, spoils):
    """Let a seat pillage a building: combat against its Defense for its reward (rules 6.5, 7.4, 7.5)."""
    defense = game.edition.spoils_defense[spoils]
    if not can_fight_nb(game, hidden, seat, defense):
        return
    own = hidden.own[seat]
    own.option[PILLAGE] = PILLAGE
    own.option[LEAVE] = LEAVE
    if ask_nb(game, hidden, seat, CHOOSE_PILLAGE, 2) == LEAVE:
        return
    if fight_nb(game, hidden, seat, defense) == 0:
        return
    gain_nb(game, hidden, seat, game.edition.spoils_reward[spoils], FROM_PILLAGE, NOWHERE)
    if deck == KEEP_DECK and game.edition.terror_from_keep == 1:
        game.pl[seat].token[TERROR_TOKEN] += 1
        record_nb(hidden, TOKEN_GAINED, seat, TERROR_TOKEN, 1, 0)


@kernel
def use_spoils_nb(game, hidden, seat, deck, spoils):
    """Take what a ship upgrade's card or a building brings (rules 6.4, 6.5, 7.4, 7.5)."""
    edition = game.edition
    is_upgrade = edition.spoils_category[spoils] == SHIP_UPGRADE
    source = FROM_UPGRADES if is_upgrade else FROM_OTHER
    gain_nb(game, hidden, seat, edition.spoils_gain[spoils], source, edition.spoils_ref[spoils])
    if edition.spoils_defense[spoils] > 0:
        pillage_nb(game, hidden, seat, deck, spoils)


@separate_kernel(GAME, HIDDEN)
def resolve_spoils_nb(game, hidden, seat, deck, spoils, seen):
    """Resolve a spoils card that does something: all but the ones that are only kept (rules 6.3 to 6.5, 7.4, 7.5)."""
    if game.edition.spoils_category[spoils] == ARTIFACT:
        place_artifact_nb(game, hidden, seat, game.edition.spoils_ref[spoils], seen)
        return
    use_spoils_nb(game, hidden, seat, deck, spoils)
    discard_nb(game, hidden, deck, spoils)
