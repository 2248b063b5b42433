"""What a card is worth to a seat: projection, lines, majorities (H1, H2, H14).

`value_seat_nb` works out one number for each class and what a point of a miner counts; after that a card costs a
look-up.
"""

from simcore.accel import kernel
from simcore.nidavellir.layout import (
    BLACKSMITH,
    EXPLORER,
    HUNTER,
    MAX_PLAYERS,
    MAX_RANKS,
    MINER,
    N_CLASSES,
    N_TAVERNS,
    NOWHERE,
    ROYAL_OFFERING,
    WARRIOR,
)
from strategies.nidavellir.coin_planning import best_raise_nb
from strategies.nidavellir.memory import HERO, PER_SEAT, VALUES
from strategies.nidavellir.tables import (
    CARD,
    EXPECTED,
    INVERSE,
    LINE_CHANCE,
    MAJORITY_CHANCE,
    MAX_INVERSE,
    MAX_MISSING,
    MAX_PICKS,
    NEEDS_HERO,
    RANK_HERO,
)
from strategies.nidavellir.weights import FOCUS, HERO_WORTH, LINE, LINE_AFTER, MAJORITY, OFFERING, ONE, PREFER


@kernel
def picks_left_nb(game):
    """Return how many cards of taverns a seat will still take after the present tavern."""
    tavern = max(0, game.tavern)
    return N_TAVERNS * game.rounds_left + N_TAVERNS - 1 - tavern


@kernel
def expected_ranks_nb(game, own, table, seat, c, picks):
    """Return how many more ranks of a class a seat can expect, 1/256 rank (H1)."""
    rank = game.pl[seat].rank
    total = min(rank[0] + rank[1] + rank[2] + rank[3] + rank[4], MAX_INVERSE - 1)
    return picks * (table[EXPECTED + c] + ((own.param[FOCUS] * rank[c] * table[INVERSE + total]) >> 16))


@kernel
def score_step_nb(score, ranks):
    """Return what one more rank adds to a rank table at `ranks` (in 1/256 rank), 1/256 point."""
    i = min(ranks >> 8, MAX_RANKS - 3)
    part = ranks & (ONE - 1)
    return (score[i + 1] - score[i]) * (ONE - part) + (score[i + 2] - score[i + 1]) * part


@kernel
def best_rival_rank_nb(game, seat, c):
    """Return the most ranks of a class among the other seats."""
    most = 0
    for other in range(
        MAX_PLAYERS
    ):  # nobody sits on the last seats of a small table: no ranks; a fixed number is faster
        most = max(most, game.pl[other].rank[c] if other != seat else 0)
    return most


@kernel
def largest_coin_later_nb(game, seat):
    """Return about how large the seat's largest coin will be at the end."""
    coin = game.pl[seat].coin
    return min(25, max(max(coin[1], coin[2]), max(coin[3], coin[4])) + game.rounds_left)


@kernel
def majority_step_nb(game, table, seat, c, picks):
    """Return what one more rank adds to the worth of majorities, 1/256 point (H14, rules 7.3 to 7.6 and 8.3)."""
    lead = game.pl[seat].rank[c] - best_rival_rank_nb(game, seat, c)
    place = min(15, max(0, lead + 8))
    worth = 0
    if c == WARRIOR:
        worth += table[MAJORITY_CHANCE + min(picks, MAX_PICKS - 1) * 16 + place] * largest_coin_later_nb(game, seat)
    if game.age == 1:
        in_age = max(0, picks - N_TAVERNS * game.edition.rounds_per_age)
        if c == WARRIOR:
            prize = game.edition.kings_hand_bonus
        elif c == HUNTER:
            prize = 5
        elif c == MINER:
            prize = game.edition.crown_jewel_points + 2
        elif c == BLACKSMITH:
            prize = 2 * game.pl[seat].rank[c] + 9
        else:
            prize = 11
        # A tie is worth nothing here, so one needs to be ahead by one more than for the warriors' bonus.
        place = max(0, place - 1)
        worth += table[MAJORITY_CHANCE + min(in_age, MAX_PICKS - 1) * 16 + place] * prize
    return worth


@kernel
def missing_ranks_nb(player, level):
    """Return how many ranks an army lacks for `level` lines."""
    missing = 0
    for c in range(N_CLASSES):
        missing += max(0, level - player.rank[c])
    return missing


@kernel
def line_step_nb(table, missing, picks):
    """Return what filling one of `missing` ranks adds to the chance of a line, share."""
    at = LINE_CHANCE + min(max(missing, 1), MAX_MISSING - 1) * MAX_PICKS + min(picks, MAX_PICKS - 1)
    return table[at - MAX_PICKS] - table[at]


@kernel
def value_seat_nb(game, own, table, seat, picks):
    """Write what a card of each class is worth to a seat into ``own.memory`` (see `memory.VALUES`), 1/256 point.

    Parameters
    ----------
    seat : int
        The own seat, or a rival's: armies are public. A rival's majorities are left out.
    picks : int
        Cards that the seat will take after this one.
    """
    me = game.pl[seat]
    edition = game.edition
    rank = me.rank
    warriors, hunters, miners = rank[WARRIOR], rank[HUNTER], rank[MINER]
    smiths, explorers = rank[BLACKSMITH], rank[EXPLORER]
    picks = min(picks, MAX_PICKS - 1)
    is_mine = seat == own.seat
    hero = own.memory[HERO] if is_mine else own.param[HERO_WORTH] * ONE

    level = me.n_heroes + 1
    next_line = line_step_nb(table, missing_ranks_nb(me, level), picks) * hero * own.param[LINE] >> 16
    line_after = line_step_nb(table, missing_ranks_nb(me, level + 1), picks) * hero * own.param[LINE] >> 16
    line_after = line_after * own.param[LINE_AFTER] >> 8
    both_lines = next_line + line_after
    warrior = both_lines if warriors < level else (line_after if warriors == level else 0)
    hunter = both_lines if hunters < level else (line_after if hunters == level else 0)
    miner = both_lines if miners < level else (line_after if miners == level else 0)
    smith = both_lines if smiths < level else (line_after if smiths == level else 0)
    explorer = both_lines if explorers < level else (line_after if explorers == level else 0)

    total = min(warriors + hunters + miners + smiths + explorers, MAX_INVERSE - 1)
    focus = own.param[FOCUS] * table[INVERSE + total]
    later_hunters = picks * (table[EXPECTED + HUNTER] + ((focus * hunters) >> 16))
    later_smiths = picks * (table[EXPECTED + BLACKSMITH] + ((focus * smiths) >> 16))
    later_miners = picks * (table[EXPECTED + MINER] + ((focus * miners) >> 16))
    hunter += score_step_nb(edition.hunter_score, hunters * ONE + later_hunters)
    smith += score_step_nb(edition.blacksmith_score, smiths * ONE + later_smiths)
    miner += me.points[MINER] * ONE + later_miners  # an average miner has one point

    at = VALUES + PER_SEAT * seat
    memory = own.memory
    memory[at + WARRIOR] = warrior
    memory[at + HUNTER] = hunter
    memory[at + MINER] = miner
    memory[at + BLACKSMITH] = smith
    memory[at + EXPLORER] = explorer
    memory[at + PER_SEAT - 1] = (miners + 1) * ONE + later_miners
    ranked = table[RANK_HERO]
    if ranked >= 0 and game.hero_owner[ranked] == seat:
        memory[at + min(edition.hero_class[ranked], N_CLASSES - 1)] += edition.hero_amount[ranked] * ONE
    if is_mine:
        add_own_interests_nb(game, own, table, picks)


@kernel
def add_own_interests_nb(game, own, table, picks):
    """Add to the own values what is not looked at for rivals: likings, Hourya's condition, majorities."""
    memory = own.memory
    at = VALUES + PER_SEAT * own.seat
    for c in range(N_CLASSES):
        memory[at + c] += own.param[PREFER + c] * ONE
    needs = table[NEEDS_HERO]
    if needs >= 0 and game.hero_owner[needs] == NOWHERE:
        c = game.edition.hero_needs_class[needs]
        if game.pl[own.seat].rank[c] < game.edition.hero_needs_ranks[needs]:
            memory[at + c] += game.edition.hero_points[needs] * ONE // 16
    if own.param[MAJORITY] != 0:
        for c in range(N_CLASSES if game.age == 1 else 1):  # in age 2 only the warriors' is to come
            memory[at + c] += majority_step_nb(game, table, own.seat, c, picks) * own.param[MAJORITY] >> 8


@kernel
def dwarf_value_nb(own, seat, packed):
    """Return what a dwarf is worth to a seat valued before, 1/256 point.

    Parameters
    ----------
    packed : int
        See `tables.CARD`.
    """
    c = packed & 15
    at = VALUES + PER_SEAT * seat
    per_point = own.memory[at + PER_SEAT - 1] if c == MINER else ONE
    return own.memory[at + c] * ((packed >> 4) & 15) + per_point * ((packed >> 8) & 255)


@kernel
def card_value_nb(game, own, table, card):
    """Return what a card is worth to oneself, 1/256 point (H1 to H3)."""
    packed = table[CARD + card]
    if packed & 15 == ROYAL_OFFERING:
        return best_raise_nb(game, own, table, packed >> 16) * own.param[OFFERING] >> 8
    return dwarf_value_nb(own, own.seat, packed)


@kernel
def card_value_to_nb(game, own, table, seat, card):
    """Return what a card is worth to a rival, 1/256 point; an offering about what it adds to a coin."""
    packed = table[CARD + card]
    if packed & 15 == ROYAL_OFFERING:
        return ((packed >> 16) + min(3, game.rounds_left)) * ONE
    return dwarf_value_nb(own, seat, packed)
