"""Heroes: placing cards in the army, who is owed a hero, who can be recruited, what heroes do (rules 6.2, 6.3, 6.6)."""

from simcore.accel import contained_kernel, kernel, separate_kernel
from simcore.nidavellir.coins import take_back_hand_nb, transform_nb
from simcore.nidavellir.events import (
    CARD_DISCARDED,
    CARD_LIFTED,
    CARD_PLACED,
    COMMAND_ZONE_ENTERED,
    HANDS_TAKEN_BACK,
    HERO_RECRUITED,
    ask_nb,
    record_3_nb,
    record_nb,
)
from simcore.nidavellir.layout import (
    BID_LAST,
    BROTHER,
    CHOOSE_DISCARD,
    CHOOSE_HERO,
    CHOOSE_THRUD_COLUMN,
    COMMAND_ZONE,
    DISCARD_DWARVES,
    GAME,
    HIDDEN,
    N_CLASSES,
    NEUTRAL,
    NOWHERE,
    TRANSFORM_COIN,
)


@contained_kernel
def count_lines_nb(player):
    """Return the complete lines of an army: the least number of ranks over the five columns (rule 1.5)."""
    lines = player.rank[0]
    for c in range(1, N_CLASSES):
        if player.rank[c] < lines:
            lines = player.rank[c]
    return lines


@kernel
def hero_card_nb(hero):
    """Return the code of a hero where it lies among cards of a column."""
    return -1 - hero


@contained_kernel
def push_card_nb(game, hidden, seat, card, column):
    """Put a card on top of a column, with its ranks and points (rule 6.2.2)."""
    me = game.pl[seat]
    if card >= 0:
        ranks = game.edition.card_ranks[card]
        points = game.edition.card_points[card]
    else:
        hero = -1 - card
        ranks = game.edition.hero_ranks[hero]
        points = game.edition.hero_points[hero]
        if hero == game.edition.thrud:
            me.thrud_column = column
            points = 0  # scored from the command zone (8.6)
        elif hero == game.edition.ylud:
            me.ylud_column = column
            points = 0  # scored by the column she ends in (8.5)
    me.column[column, me.n_column[column]] = card
    me.n_column[column] += 1
    me.rank[column] += ranks
    me.points[column] += points
    record_nb(hidden, CARD_PLACED, seat, card, column, ranks, points, 0, 0, 0)


@kernel
def _remove_card_nb(game, seat, column, place):
    """Take the card at `place` out of a column, closing the gap, and return it."""
    me = game.pl[seat]
    card = me.column[column, place]
    for i in range(place, me.n_column[column] - 1):
        me.column[column, i] = me.column[column, i + 1]
    me.n_column[column] -= 1
    return card


@separate_kernel(GAME, HIDDEN)
def lift_hero_nb(game, hidden, seat, hero, column):
    """Lift Thrud or Ylud off a column; while lifted she has no rank anywhere (rules 6.2.1, 8.1, 8.2)."""
    me = game.pl[seat]
    card = hero_card_nb(hero)
    for place in range(me.n_column[column] - 1, -1, -1):
        if me.column[column, place] == card:
            _remove_card_nb(game, seat, column, place)
            break
    me.rank[column] -= game.edition.hero_ranks[hero]
    if hero == game.edition.thrud:
        me.thrud_column = NOWHERE
    else:
        me.ylud_column = NOWHERE
    record_3_nb(hidden, CARD_LIFTED, seat, card, column)


@contained_kernel
def discard_place_nb(game, seat, column):
    """Return where in a column the dwarf lies that could be discarded, or NOWHERE (rule 6.6, A10).

    By default the last card must be a dwarf; under discard_target=last_dwarf_anywhere it is the last dwarf of the
    column, heroes on top of it or not.
    """
    cards = game.pl[seat].column[column]
    last = game.pl[seat].n_column[column] - 1  # NOWHERE in an empty column
    if game.edition.discard_last_dwarf_anywhere == 1:
        while last >= 0 and cards[last] < 0:
            last -= 1
        return last
    return last if cards[max(last, 0)] >= 0 else NOWHERE


@contained_kernel
def _unmet_conditions_nb(game, seat):
    """Return the heroes, one bit each, whose condition is not met or whose discards cannot all be paid (6.6, A11)."""
    edition = game.edition
    columns = 0  # with a dwarf to discard, one bit each
    for column in range(N_CLASSES):
        columns |= (discard_place_nb(game, seat, column) != NOWHERE) << column
    unmet = 0
    for i in range(edition.n_conditional):
        hero = edition.conditional_hero[i]
        needed = edition.hero_needs_class[hero]
        is_unmet = needed != NOWHERE and game.pl[seat].rank[needed] < edition.hero_needs_ranks[hero]
        if edition.hero_effect[hero] == DISCARD_DWARVES:
            others = columns & ~(1 << edition.hero_class[hero])
            n = 0
            for column in range(N_CLASSES):
                n += (others >> column) & 1
            is_unmet |= n < edition.hero_amount[hero]
        unmet |= is_unmet << hero
    return unmet


@kernel
def _pay_discards_nb(game, hidden, seat, hero):
    """Dagda, Bonfur: discard the last dwarf of that many different columns, none of the hero's own class (rule 6.6)."""
    me = game.pl[seat]
    used = 0  # one bit a column
    for _ in range(game.edition.hero_amount[hero]):
        n = 0
        for column in range(N_CLASSES):
            if column != game.edition.hero_class[hero] and (used >> column) & 1 == 0:
                if discard_place_nb(game, seat, column) != NOWHERE:
                    hidden.own[seat].option[n] = column
                    n += 1
        if n == 0:  # only with a hero of one's own that covers a column on recruitment
            return
        column = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_DISCARD, n)]
        used |= 1 << column
        card = _remove_card_nb(game, seat, column, discard_place_nb(game, seat, column))
        me.rank[column] -= game.edition.card_ranks[card]
        me.points[column] -= game.edition.card_points[card]
        record_3_nb(hidden, CARD_DISCARDED, seat, card, column)


@separate_kernel(GAME, HIDDEN)
def _resolve_effect_nb(game, hidden, seat, hero):
    """Resolve a hero's immediate effect (rule 6.2.3)."""
    effect = game.edition.hero_effect[hero]
    if effect == DISCARD_DWARVES:
        _pay_discards_nb(game, hidden, seat, hero)
    elif effect == TRANSFORM_COIN:
        transform_nb(game, hidden, seat, game.edition.hero_amount[hero])
    elif effect == BID_LAST:
        record_3_nb(hidden, HANDS_TAKEN_BACK, seat, 0, 0)
        take_back_hand_nb(game, hidden, seat)


@separate_kernel(GAME, HIDDEN)
def choose_thrud_column_nb(game, hidden, seat):
    """Have Thrud's owner put her on top of any column (rules 6.2.4, 6.6)."""
    for column in range(N_CLASSES):
        hidden.own[seat].option[column] = column
    column = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_THRUD_COLUMN, N_CLASSES)]
    push_card_nb(game, hidden, seat, hero_card_nb(game.edition.thrud), column)


@contained_kernel
def place_nb(game, hidden, seat, card, column):
    """PLACE without its final hero check (rule 6.2.1 to 6.2.4).

    Returns
    -------
    int
        Heroes that are owed whatever the lines say in the end: lines completed, under hero_rule=every_completion (A08);
        lines that a hero's own discards broke again, under line_check=before_discards (A38). 0 by default.
    """
    me = game.pl[seat]
    every_completion = game.edition.every_completion == 1
    before_discards = game.edition.line_check_before_discards == 1
    lines_before = count_lines_nb(me) if every_completion else 0
    lifted = me.thrud_column == column
    if lifted:
        lift_hero_nb(game, hidden, seat, game.edition.thrud, column)
    push_card_nb(game, hidden, seat, card, column)
    lines_before_discards = count_lines_nb(me) if before_discards else 0
    if card < 0:
        _resolve_effect_nb(game, hidden, seat, -1 - card)
    if lifted:
        choose_thrud_column_nb(game, hidden, seat)
    if every_completion:
        return max(0, max(count_lines_nb(me), lines_before_discards) - lines_before)
    if before_discards and card < 0:
        return max(0, lines_before_discards - me.n_heroes)
    return 0


@kernel
def recruit_nb(game, hidden, seat, hero):
    """Take a hero from the display and PLACE it; neutral heroes go to the command zone, Thrud to a column (6.2, 6.6).

    Returns
    -------
    int
        Heroes owed: see `place_nb`.
    """
    me = game.pl[seat]
    edition = game.edition
    game.hero_owner[hero] = seat
    me.n_heroes += 1
    record_3_nb(hidden, HERO_RECRUITED, seat, hero, 0)
    if edition.hero_effect[hero] == BROTHER:
        me.n_brothers += 1
    if edition.hero_class[hero] != NEUTRAL:
        return place_nb(game, hidden, seat, hero_card_nb(hero), edition.hero_class[hero])
    if hero == edition.thrud:
        lines_before = count_lines_nb(me)
        choose_thrud_column_nb(game, hidden, seat)
        return max(0, count_lines_nb(me) - lines_before) if edition.every_completion == 1 else 0
    if hero == edition.ylud:
        me.ylud_column = COMMAND_ZONE
    record_3_nb(hidden, COMMAND_ZONE_ENTERED, seat, hero, 0)
    _resolve_effect_nb(game, hidden, seat, hero)
    return 0


@kernel
def list_heroes_nb(game, hidden, seat):
    """Write the heroes a seat may recruit into its options and return their number (rule 6.3).

    They are on display, none the seat is banned from, and their conditions are met.
    """
    edition = game.edition
    barred = game.pl[seat].banned | _unmet_conditions_nb(game, seat)  # one bit a hero
    n = 0
    for hero in range(edition.n_heroes):  # without a branch, as no processor guesses who is still on display
        hidden.own[seat].option[n] = hero
        n += (game.hero_owner[hero] == NOWHERE) & edition.hero_in_play[hero] & ~(barred >> hero)
    return n


@contained_kernel
def is_hero_due_nb(game, seat, owed):
    """Return whether a seat has to recruit (rule 6.3, A08)."""
    me = game.pl[seat]
    return owed > 0 or (game.edition.every_completion == 0 and count_lines_nb(me) >= me.n_heroes + 1)


@separate_kernel(GAME, HIDDEN)
def recruit_heroes_nb(game, hidden, seat, owed):
    """Recruit as long as a line is owed a hero; recruiting is compulsory (rule 6.3, A07, A08)."""
    while is_hero_due_nb(game, seat, owed):
        n = list_heroes_nb(game, hidden, seat)
        if n == 0:
            return
        hero = hidden.own[seat].option[ask_nb(game, hidden, seat, CHOOSE_HERO, n)]
        if owed > 0:
            owed -= 1
        more = recruit_nb(game, hidden, seat, hero)
        # Completions add up; what the lines before a hero's discards owe is a level, owed once (A38).
        owed = owed + more if game.edition.every_completion == 1 else max(owed, more)


@contained_kernel
def check_heroes_nb(game, hidden, seat, owed):
    """HERO CHECK (rule 6.3).

    Parameters
    ----------
    owed : int
        What `place_nb` returned.
    """
    if is_hero_due_nb(game, seat, owed):
        recruit_heroes_nb(game, hidden, seat, owed)


@contained_kernel
def place_and_check_nb(game, hidden, seat, card, column):
    """PLACE a card and do the hero check that ends it (rule 6.2)."""
    check_heroes_nb(game, hidden, seat, place_nb(game, hidden, seat, card, column))
