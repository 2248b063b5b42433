"""What cards do: the items of the mini-language, one after another (section 13)."""

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.reavers.decisions import CHOOSE_GAIN
from simcore.reavers.decks import draw_card_nb
from simcore.reavers.dice import (
    gain_chosen_die_nb,
    gain_rolled_die_nb,
    reroll_dice_nb,
    settle_dice_nb,
    turn_dice_nb,
)
from simcore.reavers.events import TOKEN_GAINED, ask_nb, record_nb
from simcore.reavers.layout import (
    CARD,
    CHOICE,
    CHOSEN,
    DEFENSE,
    DIE,
    EXTRA_ATTEMPT,
    EXTRA_TRADE,
    FAVOR,
    FOOD,
    GAME,
    GLORY,
    HIDDEN,
    LOSE_DIE,
    N_COLOURS,
    NOWHERE,
    REAVER_DECK,
    REROLL,
    SET_FACE,
    SKIP_JOURNEY,
    SUCCESS,
    TOKEN,
    UPGRADE_TOKEN,
)
from simcore.reavers.paying import add_favor_nb, add_food_nb, add_glory_nb, lose_dice_nb
from simcore.reavers.upgrades import has_token_nb, take_any_upgrade_nb, take_upgrade_nb


@kernel
def roll_reaver_dice_nb(game, hidden, seat, reaver):
    """Gain and roll the dice at a Reaver's top left (rule 4.3); `settle_dice_nb` is due afterwards."""
    for colour in range(N_COLOURS + 1):
        for _ in range(game.edition.reaver_roll[reaver, colour]):
            gain_rolled_die_nb(game, hidden, seat, colour)


@separate_kernel(GAME, HIDDEN)
def draw_cards_nb(game, hidden, seat, deck, n):
    """Gain unseen cards; Reavers bring their dice at once (rules 3.12, 4.1, 4.3)."""
    for _ in range(n):
        card = draw_card_nb(game, hidden, seat, deck)
        if card == NOWHERE:
            return
        if deck == REAVER_DECK:
            roll_reaver_dice_nb(game, hidden, seat, card)
    if deck == REAVER_DECK:
        settle_dice_nb(game, hidden, seat)


@contained_kernel
def gain_dice_nb(game, hidden, seat, colour, mode, n):
    """Gain dice of a colour, rolled or on faces of one's choice (rule 9.3)."""
    for due in range(n, 0, -1):
        game.due_dice = due
        if mode == CHOSEN:
            gain_chosen_die_nb(game, hidden, seat, colour)
        else:
            gain_rolled_die_nb(game, hidden, seat, colour)
    settle_dice_nb(game, hidden, seat)


@kernel
def _gain_token_nb(game, hidden, seat, token, n, upgrade):
    if token == UPGRADE_TOKEN:
        for _ in range(n):
            if upgrade == NOWHERE:
                take_any_upgrade_nb(game, hidden, seat)
            else:
                take_upgrade_nb(game, hidden, seat, upgrade)
    else:
        game.pl[seat].token[token] += n
        record_nb(hidden, TOKEN_GAINED, seat, token, n, 0)


@contained_kernel
def _gain_item_nb(game, hidden, seat, item, source, upgrade):
    """Carry out one item that is no choice."""
    me = game.pl[seat]
    operation = game.edition.item_operation[item]
    kind = game.edition.item_kind[item]
    n = game.edition.item_n[item]
    if operation == FOOD:
        add_food_nb(game, hidden, seat, n)
    elif operation == FAVOR:
        add_favor_nb(game, hidden, seat, n)
    elif operation == GLORY:
        add_glory_nb(game, hidden, seat, n, source)
    elif operation == DIE:
        gain_dice_nb(game, hidden, seat, kind, game.edition.item_mode[item], n)
    elif operation == CARD:
        draw_cards_nb(game, hidden, seat, kind, n)
    elif operation == TOKEN:
        _gain_token_nb(game, hidden, seat, kind, n, upgrade)
    elif operation == SUCCESS:
        me.bonus_successes += n
    elif operation == LOSE_DIE:
        lose_dice_nb(game, hidden, seat, n)
    elif operation == SET_FACE:
        turn_dice_nb(game, hidden, seat, n)
    elif operation == REROLL:
        reroll_dice_nb(game, hidden, seat, kind)
    elif operation == DEFENSE:
        me.extra_defense += n
    elif operation == SKIP_JOURNEY:
        me.skips_journey = 1
    elif operation == EXTRA_ATTEMPT:
        me.extra_attempts += n
    elif operation == EXTRA_TRADE:
        me.extra_trades += n


@kernel
def _choose_alternative_nb(game, hidden, seat, item, upgrade):
    """Return the effect chosen; an upgrade token that is not in the supply cannot be (rule 6.4)."""
    own = hidden.own[seat]
    edition = game.edition
    first = edition.item_kind[item]
    n = 0
    for i in range(edition.item_n[item]):
        only = edition.effect_first[first + i]
        is_token = edition.effect_stop[first + i] == only + 1 and edition.item_operation[only] == TOKEN
        if is_token and edition.item_kind[only] == UPGRADE_TOKEN and not has_token_nb(game, upgrade):
            continue
        own.option[n] = i
        n += 1
    if n == 0:
        return 0
    game.effect = first
    return first + own.option[ask_nb(game, hidden, seat, CHOOSE_GAIN, n)]


@separate_kernel(GAME, HIDDEN)
def gain_nb(game, hidden, seat, effect, source, upgrade):
    """Carry out an effect, item by item. Cards gained on the way wait until they are resolved (rule 3.10).

    Parameters
    ----------
    effect : int
        Number of the effect; 0 does nothing.
    source : int
        Component of the score that its Glory belongs to.
    upgrade : int
        The ship upgrade that ``token:upgrade`` means, or NOWHERE for one of the owner's choice.
    """
    edition = game.edition
    item, stop = edition.effect_first[effect], edition.effect_stop[effect]
    item_after, stop_after = 0, 0  # what comes after the items of an alternative: an alternative has no choices itself
    while True:
        if item == stop:
            if item_after == stop_after:
                return
            item, stop = item_after, stop_after
            item_after = stop_after
        elif edition.item_operation[item] == CHOICE:
            item_after, stop_after = item + 1, stop
            chosen = _choose_alternative_nb(game, hidden, seat, item, upgrade)
            item, stop = edition.effect_first[chosen], edition.effect_stop[chosen]
        else:
            _gain_item_nb(game, hidden, seat, item, source, upgrade)
            item += 1
