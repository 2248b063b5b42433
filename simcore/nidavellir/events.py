"""What happened, as rows of integers: written by the compiled engine while a game is recorded, read by `narration.py`.

A row is ``int64[EVENT_SIZE]``: the event's number in `EVENTS`, then its fields in the order given there.
"""

from simcore.accel import call_decision, contained_kernel, kernel, separate_kernel
from simcore.contract import CHANGED_OPTION, WRONG_ANSWER
from simcore.nidavellir.layout import HIDDEN, MAX_EVENTS

EVENTS = (
    ("game_starts", ("n_players",)),
    ("gem_dealt", ("seat", "gem")),
    ("age_starts", ("age",)),
    ("round_starts", ("age", "round")),
    ("card_dealt", ("tavern", "card")),
    (
        "options",
        ("seat", "option_1", "option_2", "option_3", "option_4", "option_5", "option_6", "option_7", "option_8"),
    ),
    ("decision", ("seat", "decision", "n_options", "index", "option")),
    ("bid_revealed", ("seat", "tavern", "slot", "value")),
    ("turn", ("seat", "tavern")),
    ("card_taken", ("seat", "tavern", "card")),
    ("card_placed", ("seat", "card", "column", "ranks", "points")),
    ("card_lifted", ("seat", "card", "column")),
    ("card_discarded", ("seat", "card", "column")),
    ("card_left_over", ("tavern", "card")),
    ("hero_recruited", ("seat", "hero")),
    ("hands_taken_back", ("seat",)),
    ("coins_exchanged", ("seat", "slot_a", "slot_b", "target")),
    ("coin_changed", ("seat", "slot", "old_value", "old_colour", "new_value", "new_colour", "place", "target")),
    ("gems_traded", ("seat_a", "seat_b", "gem_a", "gem_b")),
    ("distinction", ("class", "seat")),
    ("gem_taken", ("seat", "gem")),
    ("pioneer_saw", ("seat", "card")),
    ("top_card_discarded", ("card",)),
    ("deck_reshuffled", ("n_cards",)),
    ("command_zone", ("seat", "hero")),
    ("scored", ("seat", "component", "points")),
    ("game_ends", ("n_players",)),
    ("granted", ("seat", "item")),
)
(
    GAME_STARTS,
    GEM_DEALT,
    AGE_STARTS,
    ROUND_STARTS,
    CARD_DEALT,
    OPTIONS,
    DECISION,
    BID_REVEALED,
    TURN,
    CARD_TAKEN,
    CARD_PLACED,
    CARD_LIFTED,
    CARD_DISCARDED,
    CARD_LEFT_OVER,
    HERO_RECRUITED,
    HANDS_TAKEN_BACK,
    COINS_EXCHANGED,
    COIN_CHANGED,
    GEMS_TRADED,
    DISTINCTION,
    GEM_TAKEN,
    PIONEER_SAW,
    TOP_CARD_DISCARDED,
    DECK_RESHUFFLED,
    COMMAND_ZONE_ENTERED,
    SCORED,
    GAME_ENDS,
    GRANTED,
) = range(len(EVENTS))


@kernel
def record_nb(hidden, kind, a, b, c, d, e, f, g, h):
    """Write one event while a game is recorded; past the buffer's end only the count goes on."""
    if hidden.recording != 1:
        return
    row = hidden.n_events
    hidden.n_events = row + 1
    if row >= MAX_EVENTS:
        return
    hidden.event[row, 0] = kind
    hidden.event[row, 1] = a
    hidden.event[row, 2] = b
    hidden.event[row, 3] = c
    hidden.event[row, 4] = d
    hidden.event[row, 5] = e
    hidden.event[row, 6] = f
    hidden.event[row, 7] = g
    hidden.event[row, 8] = h
    hidden.event[row, 9] = 0  # only options fill the last field; nothing of an earlier game may stay there


@kernel
def record_3_nb(hidden, kind, a, b, c):
    """Write one event of up to three fields."""
    record_nb(hidden, kind, a, b, c, 0, 0, 0, 0, 0)


@kernel
def _record_options_nb(hidden, seat, n_options):
    me = hidden.own[seat]
    for first in range(0, n_options, 8):
        record_nb(hidden, OPTIONS, seat, 0, 0, 0, 0, 0, 0, 0)
        row = hidden.n_events - 1
        if row < MAX_EVENTS:
            for i in range(8):
                hidden.event[row, 2 + i] = me.option[first + i] if first + i < n_options else -1


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
    option = hidden.own[seat].option[answer]
    if option != hidden.option[answer]:
        raise ValueError(CHANGED_OPTION)
    record_nb(hidden, DECISION, seat, hidden.asked_decision, hidden.asked_options, answer, option, 0, 0, 0)


@contained_kernel
def ask_nb(game, hidden, seat, decision, n_options):
    """Have a seat choose one of ``hidden.own[seat].option[:n_options]`` and return its index (rule 9.2).

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
    if answer < 0 or answer >= n_options:
        raise ValueError(WRONG_ANSWER)
    if hidden.trusting == 0:
        _check_option_nb(hidden, answer)
    return answer
