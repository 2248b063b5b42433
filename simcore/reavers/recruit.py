"""Recruit Reavers: taking them, and rallying, specialising or promoting each (section 4)."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.decisions import CHOOSE_REAVER_USE, CHOOSE_RECRUITS
from simcore.reavers.decks import list_offers_nb, take_space_nb
from simcore.reavers.dice import gain_chosen_die_nb, settle_dice_nb
from simcore.reavers.effects import draw_cards_nb, gain_nb, roll_reaver_dice_nb
from simcore.reavers.events import REAVER_PROMOTED, REAVER_RALLIED, REAVER_SPECIALISED, ask_nb, record_nb
from simcore.reavers.layout import (
    CLAN,
    FROM_OTHER,
    GAME,
    HIDDEN,
    MAX_OFFER_CARDS,
    N_COLOURS,
    N_FACES,
    N_SLOTS_FOR_REAVERS,
    NOWHERE,
    REAVER_DECK,
    RECRUIT,
)
from simcore.reavers.paying import add_favor_nb

RALLY = 0
PROMOTE = 1
FIRST_SLOT = 2


@kernel
def take_reavers_nb(game, hidden, seat, space):
    """Gain the Reavers of a face-up space with their dice, rolled and settled (rules 4.1, 4.3)."""
    for place in range(MAX_OFFER_CARDS):
        reaver = game.offer[REAVER_DECK, space, place]
        if reaver != NOWHERE:
            roll_reaver_dice_nb(game, hidden, seat, reaver)
    settle_dice_nb(game, hidden, seat)
    take_space_nb(game, hidden, seat, REAVER_DECK, space)


@separate_kernel(GAME, HIDDEN)
def recruit_nb(game, hidden, seat):
    """Act at Recruit Reavers: bonus, cards, dice; their use follows when they are resolved (rules 4.1 to 4.3)."""
    bonus = game.edition.bonus[RECRUIT, game.distance]
    if bonus > 0 and (game.distance > 0 or game.edition.bonus_without_participation == 0):
        add_favor_nb(game, hidden, seat, bonus)
    n = list_offers_nb(game, hidden, seat, REAVER_DECK)
    if n == 0:
        return
    space = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_RECRUITS, n)]
    if space == NOWHERE:
        draw_cards_nb(game, hidden, seat, REAVER_DECK, game.edition.n_unseen[REAVER_DECK])
    else:
        take_reavers_nb(game, hidden, seat, space)


@kernel
def rally_nb(game, hidden, seat, reaver):
    """Take the dice at the top right on faces of one's choice; the card goes to the Glory pile (rule 4.4)."""
    game.pl[seat].n_rallied += 1
    record_nb(hidden, REAVER_RALLIED, seat, reaver, 0, 0)
    for colour in range(N_COLOURS + 1):
        for _ in range(game.edition.reaver_rally[reaver, colour]):
            gain_chosen_die_nb(game, hidden, seat, colour)
    settle_dice_nb(game, hidden, seat)


@kernel
def promote_nb(game, hidden, seat, reaver):
    """Make a Reaver the leader and gain the clan bonus; the old one goes to the Glory pile (rules 4.5, 4.6)."""
    me = game.pl[seat]
    me.n_promoted += 1
    me.had_leader[game.edition.reaver_colour[reaver]] = 1
    record_nb(hidden, REAVER_PROMOTED, seat, reaver, me.leader, 0)
    me.leader = reaver
    wild = game.edition.reaver_wild[reaver]
    me.wild_kind = NOWHERE
    if wild != NOWHERE and game.edition.leader_not_wild == 0:
        me.wild_kind = wild * N_FACES + CLAN
    me.n_changes += 1
    gain_nb(game, hidden, seat, game.edition.reaver_promotion[reaver], FROM_OTHER, NOWHERE)


@kernel
def specialise_nb(game, hidden, seat, reaver, slot):
    """Tuck a Reaver under the others of a slot (rule 4.4)."""
    me = game.pl[seat]
    me.n_specialised += 1
    ability = game.edition.ability[reaver]
    me.had_ability[ability] = game.edition.ability_in_play[ability]
    record_nb(hidden, REAVER_SPECIALISED, seat, reaver, slot, 0)
    me.specialist[slot, me.n_specialists[slot]] = reaver
    me.n_specialists[slot] += 1


@kernel
def list_uses_nb(game, hidden, seat):
    """Write what can be done with a Reaver into its owner's options and return the number (rule 4.4)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    own.option[0] = RALLY
    own.option[1] = PROMOTE
    n = 2
    for slot in range(N_SLOTS_FOR_REAVERS):
        if me.n_specialists[slot] < game.edition.specialists_per_slot:
            own.option[n] = FIRST_SLOT + slot
            n += 1
    return n


@separate_kernel(GAME, HIDDEN)
def use_reaver_nb(game, hidden, seat, reaver, seen):
    """Rally, promote or specialise a Reaver (rules 4.4, 4.5); on the board everybody sees it."""
    n = list_uses_nb(game, hidden, seat)
    use = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_REAVER_USE, n)]
    if use != RALLY and seen == 0:
        game.pl[seat].reavers_seen[game.edition.reaver_colour[reaver]] += 1
    if use == RALLY:
        rally_nb(game, hidden, seat, reaver)
    elif use == PROMOTE:
        promote_nb(game, hidden, seat, reaver)
    else:
        specialise_nb(game, hidden, seat, reaver, use - FIRST_SLOT)
