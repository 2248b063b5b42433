"""Battle at Sea: the journey, then a sea battle won with dice or by combat (section 8)."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.combat import fight_nb
from simcore.reavers.decisions import CHOOSE_BATTLE, CHOOSE_BATTLE_WAY, CHOOSE_JOURNEY
from simcore.reavers.decks import discard_nb, draw_nb, list_offers_nb, refill_space_nb
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import (
    BATTLE_BEGINS,
    BATTLE_ENDS,
    CARD_DRAWN,
    CARD_RETURNED,
    CARD_TAKEN,
    JOURNEY_REVEALED,
    ask_nb,
    record_nb,
)
from simcore.reavers.layout import (
    BATTLE_DECK,
    FROM_BATTLES,
    FROM_JOURNEYS,
    FROM_SEA_BONUS,
    GAME,
    HIDDEN,
    JOURNEY_DECK,
    NOWHERE,
    SEA,
)
from simcore.reavers.paying import add_glory_nb, can_pay_nb, pay_nb

PAY = 0
SUFFER = 1
BY_DICE = 0
BY_COMBAT = 1


@kernel
def travel_nb(game, hidden, seat):
    """Reveal a Sea Journey and pay its cost or suffer its effect; some only bring something (rule 8.2)."""
    edition = game.edition
    if game.pl[seat].skips_journey == 1:
        return
    journey = draw_nb(game, hidden, JOURNEY_DECK)
    if journey == NOWHERE:
        return
    game.journey = journey
    record_nb(hidden, JOURNEY_REVEALED, seat, journey, 0, 0)
    gain_nb(game, hidden, seat, edition.journey_benefit[journey], FROM_JOURNEYS, NOWHERE)
    own = hidden.own[seat]
    way = SUFFER
    cost = edition.journey_cost[journey]
    if edition.journey_has_cost[journey] == 1 and can_pay_nb(game, seat, cost):
        own.option[PAY] = PAY
        own.option[SUFFER] = SUFFER
        n = 1 if edition.journey_forced == 1 else 2  # part B 6
        way = own.option[ask_nb(game, hidden, seat, CHOOSE_JOURNEY, n)]
    if way == PAY:
        pay_nb(game, hidden, seat, cost)
    else:
        gain_nb(game, hidden, seat, edition.journey_effect[journey], FROM_JOURNEYS, NOWHERE)
    discard_nb(game, hidden, JOURNEY_DECK, journey)


@kernel
def win_battle_nb(game, hidden, seat, battle):
    """Win a sea battle with the exact dice or by combat; return 1 if it is won (rules 8.3, 9.4, 10.1)."""
    own = hidden.own[seat]
    me = game.pl[seat]
    cost = game.edition.battle_cost[battle]
    way = BY_COMBAT
    if game.edition.cost_faces[cost] != 0 and can_pay_nb(game, seat, cost):
        own.option[BY_DICE] = BY_DICE
        own.option[BY_COMBAT] = BY_COMBAT
        way = ask_nb(game, hidden, seat, CHOOSE_BATTLE_WAY, 2)
    if way == BY_DICE:
        pay_nb(game, hidden, seat, cost)
        return 1
    return fight_nb(game, hidden, seat, game.edition.battle_defense[battle] + me.extra_defense)


@kernel
def fight_battle_nb(game, hidden, seat):
    """Pick a face-up sea battle or the top of the deck and fight it (rule 8.3)."""
    n = list_offers_nb(game, hidden, seat, BATTLE_DECK)
    if n == 0:
        return
    me = game.pl[seat]
    space = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_BATTLE, n)]
    if space == NOWHERE:
        battle = draw_nb(game, hidden, BATTLE_DECK)
        record_nb(hidden, CARD_DRAWN, seat, BATTLE_DECK, battle, 0)
    else:
        battle = game.offer[BATTLE_DECK, space, 0]
        game.offer[BATTLE_DECK, space, 0] = NOWHERE
        record_nb(hidden, CARD_TAKEN, seat, BATTLE_DECK, battle, space)
    game.battle = battle
    record_nb(hidden, BATTLE_BEGINS, seat, battle, 0, 0)
    is_won = win_battle_nb(game, hidden, seat, battle)
    me.extra_defense = 0
    record_nb(hidden, BATTLE_ENDS, seat, battle, is_won, 0)
    game.battle = NOWHERE
    if is_won == 1:
        me.n_battles += game.edition.battle_in_play[battle]
        gain_nb(game, hidden, seat, game.edition.battle_reward[battle], FROM_BATTLES, NOWHERE)
    elif space != NOWHERE and game.edition.lost_battle_stays == 1:  # part B 15
        game.offer[BATTLE_DECK, space, 0] = battle
        record_nb(hidden, CARD_RETURNED, BATTLE_DECK, space, battle, 0)
        return
    else:
        discard_nb(game, hidden, BATTLE_DECK, battle)
    if space != NOWHERE:
        refill_space_nb(game, hidden, BATTLE_DECK, space)


@separate_kernel(GAME, HIDDEN)
def battle_at_sea_nb(game, hidden, seat):
    """Act at Battle at Sea, the food paid: gain the selector's Glory, travel, fight (rules 8.1 to 8.3)."""
    bonus = game.edition.bonus[SEA, game.distance]
    if bonus > 0 and (game.distance > 0 or game.edition.bonus_without_participation == 0):
        add_glory_nb(game, hidden, seat, bonus, FROM_SEA_BONUS)
    travel_nb(game, hidden, seat)
    fight_battle_nb(game, hidden, seat)
