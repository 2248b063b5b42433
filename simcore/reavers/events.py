"""What happened, as rows of integers: written by the compiled engine while a game is recorded, read by `narration.py`.

A row is ``int64[EVENT_SIZE]``: the event's number in `EVENTS`, then its fields in the order given there. With them an
independent program can follow the game: every random outcome, every decision with its options, every change of state.
"""

from simcore.accel import call_decision, kernel, separate_kernel
from simcore.contract import CHANGED_OPTION, WRONG_ANSWER
from simcore.reavers.layout import EVENT_SIZE, GAME, HIDDEN, MAX_EVENTS

EVENTS = (
    (
        "options",
        ("seat", "option_1", "option_2", "option_3", "option_4", "option_5", "option_6", "option_7", "option_8"),
    ),
    ("decision", ("seat", "decision", "n_options", "index", "option", "context", "subject")),
    ("game_starts", ("n_players", "start_player")),
    ("round_starts", ("round", "first_player", "honor_ship")),
    ("location_selected", ("seat", "location")),
    ("acts", ("seat", "location")),
    ("rests", ("seat", "location", "alternative")),
    ("card_dealt", ("deck", "space", "place", "card")),
    ("card_to_bottom", ("deck", "card")),
    ("card_returned", ("deck", "space", "card")),
    ("deck_reshuffled", ("deck", "n_cards")),
    ("card_taken", ("seat", "deck", "card", "space")),
    ("card_drawn", ("seat", "deck", "card")),
    ("card_kept", ("seat", "deck", "card")),
    ("reaver_rallied", ("seat", "reaver")),
    ("reaver_promoted", ("seat", "reaver", "old_leader")),
    ("reaver_specialised", ("seat", "reaver", "slot")),
    ("ability_used", ("seat", "reaver", "slot")),
    ("die_rolled", ("seat", "colour", "face")),
    ("die_chosen", ("seat", "colour", "face")),
    ("die_spent", ("seat", "colour", "face")),
    ("die_discarded", ("seat", "colour", "face")),
    ("die_picked_up", ("seat", "colour", "face")),
    ("die_rerolled", ("seat", "colour", "face")),
    ("die_turned", ("seat", "colour", "face", "new_face")),
    ("die_forfeited", ("seat",)),
    ("die_stored", ("seat", "space", "colour", "face")),
    ("stored_die_spent", ("seat", "space", "colour", "face")),
    ("market_die_rolled", ("colour", "face")),
    ("market_cleared", ()),
    ("market_die_taken", ("seat", "colour", "face")),
    ("food", ("seat", "change", "food")),
    ("favor", ("seat", "change", "favor")),
    ("glory", ("seat", "change", "glory", "component")),
    ("token", ("seat", "token", "n")),
    ("artifact_placed", ("seat", "space", "artifact")),
    ("artifact_given_up", ("seat", "artifact")),
    ("artifact_used", ("seat", "space", "artifact")),
    ("upgrade_taken", ("seat", "space", "upgrade")),
    ("upgrade_returned", ("seat", "upgrade")),
    ("upgrade_used", ("seat", "space", "upgrade")),
    ("upgrades_ready", ("seat",)),
    ("journey_revealed", ("seat", "journey")),
    ("battle_begins", ("seat", "battle")),
    ("battle_ends", ("seat", "battle", "is_won")),
    ("combat_begins", ("seat", "defense", "successes")),
    ("combat_die", ("seat", "successes")),
    ("combat_dice_picked_up", ("seat", "n_0", "n_1", "n_2", "n_3")),
    ("combat_dice_noted", ("seat", "successes")),
    ("combat_ends", ("seat", "successes", "is_won")),
    ("territory_claimed", ("seat", "stack")),
    ("territory_turned_over", ("seat", "tile")),
    ("territory_on_top", ("stack", "cost")),
    ("start_marker", ("seat",)),
    ("honor_ship", ("seat",)),
    ("scored", ("seat", "component", "glory")),
    ("game_ends", ("n_players",)),
    ("granted", ("seat", "item")),
)
(
    OPTIONS,
    DECISION,
    GAME_STARTS,
    ROUND_STARTS,
    LOCATION_SELECTED,
    ACTS,
    RESTS,
    CARD_DEALT,
    CARD_TO_BOTTOM,
    CARD_RETURNED,
    DECK_RESHUFFLED,
    CARD_TAKEN,
    CARD_DRAWN,
    CARD_KEPT,
    REAVER_RALLIED,
    REAVER_PROMOTED,
    REAVER_SPECIALISED,
    ABILITY_USED,
    DIE_ROLLED,
    DIE_CHOSEN,
    DIE_SPENT,
    DIE_DISCARDED,
    DIE_PICKED_UP,
    DIE_REROLLED,
    DIE_TURNED,
    DIE_FORFEITED,
    DIE_STORED,
    STORED_DIE_SPENT,
    MARKET_DIE_ROLLED,
    MARKET_CLEARED,
    MARKET_DIE_TAKEN,
    FOOD_CHANGED,
    FAVOR_CHANGED,
    GLORY_CHANGED,
    TOKEN_GAINED,
    ARTIFACT_PLACED,
    ARTIFACT_GIVEN_UP,
    ARTIFACT_USED,
    UPGRADE_TAKEN,
    UPGRADE_RETURNED,
    UPGRADE_USED,
    UPGRADES_READY,
    JOURNEY_REVEALED,
    BATTLE_BEGINS,
    BATTLE_ENDS,
    COMBAT_BEGINS,
    COMBAT_DIE,
    COMBAT_DICE_PICKED_UP,
    COMBAT_DICE_NOTED,
    COMBAT_ENDS,
    TERRITORY_CLAIMED,
    TERRITORY_TURNED_OVER,
    TERRITORY_ON_TOP,
    START_MARKER,
    HONOR_SHIP,
    SCORED,
    GAME_ENDS,
    GRANTED,
) = range(len(EVENTS))

N_OPTIONS_IN_EVENT = 8
NO_OPTION = -(2**62)
"""Fills the rest of an ``options`` row, since -1 is an option of many decisions."""


@separate_kernel(HIDDEN)
def _write_event_nb(hidden, kind, a, b, c, d):
    row = hidden.n_events
    hidden.n_events = row + 1
    if row >= MAX_EVENTS:
        return
    hidden.event[row, 0] = kind
    hidden.event[row, 1] = a
    hidden.event[row, 2] = b
    hidden.event[row, 3] = c
    hidden.event[row, 4] = d
    for i in range(5, EVENT_SIZE):
        hidden.event[row, i] = 0


@kernel
def record_nb(hidden, kind, a, b, c, d):
    """Write one event while a game is recorded; past the buffer's end only the count goes on."""
    if hidden.recording == 1:
        _write_event_nb(hidden, kind, a, b, c, d)


@kernel
def record_more_nb(hidden, e, f, g):
    """Write the fifth to seventh field of the event recorded last."""
    row = hidden.n_events - 1
    if hidden.recording == 1 and row < MAX_EVENTS:
        hidden.event[row, 5] = e
        hidden.event[row, 6] = f
        hidden.event[row, 7] = g


@kernel
def _record_options_nb(hidden, seat, n_options):
    me = hidden.own[seat]
    for first in range(0, n_options, N_OPTIONS_IN_EVENT):
        record_nb(hidden, OPTIONS, seat, 0, 0, 0)
        row = hidden.n_events - 1
        if row < MAX_EVENTS:
            for i in range(N_OPTIONS_IN_EVENT):
                hidden.event[row, 2 + i] = me.option[first + i] if first + i < n_options else NO_OPTION


@separate_kernel(HIDDEN)
def _keep_options_nb(hidden):
    """Keep a copy of the options that are about to be offered, and record them."""
    seat = hidden.asked_seat
    for i in range(hidden.asked_options):
        hidden.option[i] = hidden.own[seat].option[i]
    if hidden.recording == 1:
        _record_options_nb(hidden, seat, hidden.asked_options)


@separate_kernel(HIDDEN)
def _check_option_nb(hidden, answer):
    """See to it that the option chosen is the one that was offered, and record the answer."""
    seat = hidden.asked_seat
    me = hidden.own[seat]
    if me.option[answer] != hidden.option[answer]:
        raise ValueError(CHANGED_OPTION)
    record_nb(hidden, DECISION, seat, hidden.asked_decision, hidden.asked_options, answer)
    record_more_nb(hidden, me.option[answer], me.card_deck, me.card)


@separate_kernel(GAME, HIDDEN)
def ask_nb(game, hidden, seat, decision, n_options):
    """Have a seat choose one of ``hidden.own[seat].option[:n_options]`` and return its index (rule 16.2).

    A single option is forced and not asked. The fields of `hidden` are what a watchdog reads while the strategy thinks.

    Raises
    ------
    ValueError
        The strategy answered with something that is no index, or changed the option, which is looked at unless
        ``hidden.trusting`` is 1; `hidden` says who, what, where.
    """
    if n_options == 1:
        return 0
    me = hidden.own[seat]
    me.decision = decision
    hidden.n_decisions += 1
    hidden.asked_seat = seat
    hidden.asked_decision = decision
    hidden.asked_options = n_options
    if hidden.trusting == 0:
        _keep_options_nb(hidden)
    answer = call_decision(hidden.address[seat, decision], game, me, n_options)
    hidden.answer = answer
    if answer < 0 or answer >= hidden.asked_options:  # not kept in a register until then
        raise ValueError(WRONG_ANSWER)
    if hidden.trusting == 0:
        _check_option_nb(hidden, answer)
    return answer
