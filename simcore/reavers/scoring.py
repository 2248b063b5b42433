"""The final score and the result rows (section 12)."""

from simcore.accel import contained_kernel, kernel
from simcore.contract import WIN_UNITS
from simcore.reavers.events import SCORED, record_nb
from simcore.reavers.layout import (
    ABILITY_SLOT,
    ACTED_SLOT,
    ARMOR,
    ART,
    ARTIFACT_SLOT,
    BLOCK,
    COMPONENT_SLOT,
    COUNT_SLOT,
    DICE_BY_ROUND_SLOT,
    FARM_TOKEN,
    FOOD_BY_ROUND_SLOT,
    GLORY_BY_ROUND_SLOT,
    LEADER_SLOT,
    MARGIN_SLOT,
    MAX_SET,
    MAX_TERROR,
    N_COLOURS,
    N_COMPONENTS,
    N_LEVELS,
    N_LOCATIONS,
    N_SLOTS,
    N_SLOTS_FOR_REAVERS,
    N_SOURCES,
    N_STACKS,
    NOWHERE,
    PLACE_SLOT,
    PROPHECY_SLOT,
    RUNIC,
    SCORE_SLOT,
    SEAT_SLOT,
    SELECTED_SLOT,
    START_PLAYER_SLOT,
    TAPESTRY,
    TERRITORY_SLOT,
    TERROR_TOKEN,
    TILES_BY_ROUND_SLOT,
    TOWER_TOKEN,
    TREASURE,
    UPGRADE_SLOT,
    WALL_TOKEN,
    WEAPONS,
    WIN_SLOT,
)

# Components of the final scoring, in the order of layout.COMPONENT_NAMES.
(
    TREASURE_PART,
    ART_PART,
    ARMOR_PART,
    TAPESTRIES_PART,
    WEAPONS_PART,
    RUNES_PART,
    ARTIFACTS_PART,
    WALLS_PART,
    TOWERS_PART,
    FARMS_PART,
    TERROR_PART,
    PROPHECIES_PART,
    REAVERS_PART,
    LEFTOVERS_PART,
) = range(N_SOURCES, N_COMPONENTS)


@kernel
def set_glory_nb(game, table, copies):
    """Return the Glory of so many copies by a set table; beyond its maximum a new set begins (rules 12.2, 12.5)."""
    return game.edition.set_glory[table, min(copies, MAX_SET - 1)]


@kernel
def score_sets_nb(game, own, category):
    """Return the Glory of the cards of a category that score by set tables, kind by kind (rules 12.2, 12.5)."""
    edition = game.edition
    total = 0
    for spoils in range(edition.category_first[category], edition.category_stop[category]):
        if edition.spoils_category[spoils] == category and edition.spoils_set[spoils] != NOWHERE:
            total += set_glory_nb(game, edition.spoils_set[spoils], own.spoils[spoils])
    return total


@kernel
def score_kinds_nb(game, own, category, of_set, single):
    """Return the Glory of Tapestries or Weapons: full sets of one of each kind, and single cards (12.3, 12.4)."""
    edition = game.edition
    n_kinds = 0
    n_cards = 0
    n_sets = 0
    for spoils in range(edition.category_first[category], edition.category_stop[category]):
        if edition.spoils_category[spoils] == category:
            n_sets = own.spoils[spoils] if n_kinds == 0 else min(n_sets, own.spoils[spoils])
            n_kinds += 1
            n_cards += own.spoils[spoils]
    return of_set * n_sets + single * (n_cards - n_kinds * n_sets)


@kernel
def count_cards_nb(game, own, category):
    """Return the kept cards of a category."""
    n = 0
    for spoils in range(game.edition.category_first[category], game.edition.category_stop[category]):
        if game.edition.spoils_category[spoils] == category:
            n += own.spoils[spoils]
    return n


@kernel
def _tiles_of_type_nb(me, tile_type):
    n = 0
    for stack in range(tile_type * N_LEVELS, (tile_type + 1) * N_LEVELS):
        n += me.tiles[stack]
    return n


@contained_kernel
def count_metric_nb(game, me, own, metric):
    """Return what a prophecy counts, in the order of `layout.METRIC_NAMES` (rules 12.10, 12.14)."""
    if metric == 0:
        return me.n_battles
    if metric == 1:
        return me.n_tiles
    if metric <= 4:
        return _tiles_of_type_nb(me, metric - 2)
    if metric <= 7:
        return own.reavers[metric - 5]
    if metric == 8:
        n = 0
        for slot in range(N_SLOTS_FOR_REAVERS):
            n += me.n_specialists[slot]
        return n
    if metric == 9:
        return min(own.reavers[0], min(own.reavers[1], own.reavers[2]))
    if metric == 10:
        return own.n_artifacts
    if metric == 11:
        return me.n_upgrades
    if metric == 12:
        return me.token[WALL_TOKEN] + me.token[TOWER_TOKEN]
    if metric == 13:
        return me.token[FARM_TOKEN]
    if metric <= 17:
        return count_cards_nb(game, own, TREASURE + metric - 14)
    if metric == 18:
        return count_cards_nb(game, own, RUNIC)
    if metric == 19:
        return count_cards_nb(game, own, WEAPONS)
    if metric == 20:
        return me.favor
    return me.food // 2


@kernel
def prophecy_glory_nb(game, me, own, prophecy):
    """Return the Glory of one copy of a prophecy: so much for each counted, at most its cap (rule 12.10)."""
    edition = game.edition
    n = count_metric_nb(game, me, own, edition.prophecy_metric[prophecy])
    return min(edition.prophecy_cap[prophecy], edition.prophecy_glory[prophecy] * n)


@kernel
def score_prophecies_nb(game, me, own):
    """Return the Glory of all prophecies of a seat (rule 12.10)."""
    total = 0
    if me.n_prophecies > 0:
        for prophecy in range(game.edition.n_prophecies):
            if own.prophecy[prophecy] > 0:
                total += own.prophecy[prophecy] * prophecy_glory_nb(game, me, own, prophecy)
    return total


@kernel
def score_tokens_nb(game, me, token):
    """Return the Glory of a seat's tokens of one kind; terror by its table (rules 12.8, 12.9)."""
    n = me.token[token]
    if token == TERROR_TOKEN:
        return game.edition.terror_glory[min(n, MAX_TERROR - 1)]
    return n * game.edition.token_glory[token]


@kernel
def write_components_nb(game, hidden, seat, row):
    """Write every component of a seat's score, on the track and final, into its row (rules 12.1 to 12.12)."""
    me = game.pl[seat]
    own = hidden.own[seat]
    edition = game.edition
    for source in range(N_SOURCES):
        row[COMPONENT_SLOT + source] = me.glory_from[source]
    row[COMPONENT_SLOT + TREASURE_PART] = score_sets_nb(game, own, TREASURE)
    row[COMPONENT_SLOT + ART_PART] = score_sets_nb(game, own, ART)
    row[COMPONENT_SLOT + ARMOR_PART] = score_sets_nb(game, own, ARMOR)
    row[COMPONENT_SLOT + TAPESTRIES_PART] = score_kinds_nb(
        game, own, TAPESTRY, edition.tapestry_set, edition.tapestry_single
    )
    row[COMPONENT_SLOT + WEAPONS_PART] = score_kinds_nb(game, own, WEAPONS, edition.weapons_set, edition.weapons_single)
    row[COMPONENT_SLOT + RUNES_PART] = score_sets_nb(game, own, RUNIC)
    row[COMPONENT_SLOT + ARTIFACTS_PART] = own.artifact_glory
    row[COMPONENT_SLOT + WALLS_PART] = score_tokens_nb(game, me, WALL_TOKEN)
    row[COMPONENT_SLOT + TOWERS_PART] = score_tokens_nb(game, me, TOWER_TOKEN)
    row[COMPONENT_SLOT + FARMS_PART] = score_tokens_nb(game, me, FARM_TOKEN)
    row[COMPONENT_SLOT + TERROR_PART] = score_tokens_nb(game, me, TERROR_TOKEN)
    row[COMPONENT_SLOT + PROPHECIES_PART] = score_prophecies_nb(game, me, own)
    row[COMPONENT_SLOT + REAVERS_PART] = own.reaver_glory
    row[COMPONENT_SLOT + LEFTOVERS_PART] = me.food * edition.food_glory + me.favor * edition.favor_glory
    total = 0
    for component in range(N_COMPONENTS):
        total += row[COMPONENT_SLOT + component]
        record_nb(hidden, SCORED, seat, component, row[COMPONENT_SLOT + component], 0)
    row[SCORE_SLOT] = total


@kernel
def write_counts_nb(game, hidden, seat, row):
    """Write what a seat did and had, in the order of `layout.COUNT_NAMES`."""
    me = game.pl[seat]
    own = hidden.own[seat]
    n_selected = 0
    for location in range(N_LOCATIONS):
        n_selected += me.n_selected[location]
        row[SELECTED_SLOT + location] = me.n_selected[location]
        row[ACTED_SLOT + location] = me.n_acted[location]
    first = (
        n_selected,
        me.n_rests,
        me.n_rallied,
        me.n_promoted,
        me.n_specialised,
        me.n_abilities,
        own.n_artifacts,
        me.n_artifact_uses,
    )
    second = (
        me.n_upgrades,
        me.n_upgrade_uses,
        me.n_combats,
        me.n_combats_won,
        me.n_combat_dice,
        me.n_rerolls,
        me.n_battles,
        me.n_tiles,
    )
    third = (
        me.n_prophecies,
        own.reavers[0] + own.reavers[1] + own.reavers[2],
        me.n_dice_gained,
        me.n_dice_discarded,
        me.token[TERROR_TOKEN],
        me.food,
        me.favor,
        me.n_dice + me.n_stored,
    )
    for i in range(BLOCK):  # more in one tuple would cost a jump for each, which no processor guesses
        row[COUNT_SLOT + i] = first[i]
        row[COUNT_SLOT + BLOCK + i] = second[i]
        row[COUNT_SLOT + 2 * BLOCK + i] = third[i]


@kernel
def write_rounds_and_flags_nb(game, hidden, seat, row):
    """Write the numbers by round and the flags of what a seat had."""
    me = game.pl[seat]
    own = hidden.own[seat]
    edition = game.edition
    for i in range(edition.n_rounds + 1):
        row[GLORY_BY_ROUND_SLOT + i] = me.glory_after_round[i]
        row[FOOD_BY_ROUND_SLOT + i] = me.food_after_round[i]
        row[DICE_BY_ROUND_SLOT + i] = me.dice_after_round[i]
        row[TILES_BY_ROUND_SLOT + i] = me.tiles_after_round[i]
    for colour in range(N_COLOURS):
        row[LEADER_SLOT + colour] = me.had_leader[colour]
    for i in range(edition.n_abilities):
        row[ABILITY_SLOT + i] = me.had_ability[i]
    for i in range(edition.n_artifacts):
        row[ARTIFACT_SLOT + i] = own.had_artifact[i]
    for i in range(edition.n_upgrades):
        row[UPGRADE_SLOT + i] = me.had_upgrade[i]
    for i in range(edition.n_prophecies):
        row[PROPHECY_SLOT + i] = min(own.prophecy[i], edition.prophecy_in_play[i])
    for stack in range(N_STACKS):
        row[TERRITORY_SLOT + stack] = min(me.tiles[stack], 1)
    row[SEAT_SLOT + seat] = 1


@kernel
def _rank_value_nb(game, rows, seat):
    """Return what seats are ranked by: Glory, then sea battle cards (rule 12.13)."""
    battles = game.pl[seat].n_battles if game.edition.tie_by_battles == 1 else 0
    return 1024 * rows[seat, SCORE_SLOT] + battles


@kernel
def write_outcomes_nb(game, rows):
    """Write win share, margin and place of every seat (rule 12.13)."""
    n = game.n_players
    for seat in range(n):
        value = _rank_value_nb(game, rows, seat)
        best_other = NOWHERE
        n_equal = 1
        place = 1
        for other in range(n):
            if other == seat:
                continue
            if best_other == NOWHERE or rows[other, SCORE_SLOT] > rows[best_other, SCORE_SLOT]:
                best_other = other
            value_of_other = _rank_value_nb(game, rows, other)
            if value_of_other > value:
                place += 1
            elif value_of_other == value:
                n_equal += 1
        rows[seat, WIN_SLOT] = WIN_UNITS // n_equal if place == 1 else 0
        rows[seat, MARGIN_SLOT] = rows[seat, SCORE_SLOT] - rows[best_other, SCORE_SLOT]
        rows[seat, PLACE_SLOT] = place


@kernel
def clear_rows_nb(game, rows):
    """Empty the result rows of a game and note who starts."""
    for seat in range(game.n_players):
        for slot in range(N_SLOTS):
            rows[seat, slot] = 0
    rows[game.start_player, START_PLAYER_SLOT] = 1


@kernel
def score_game_nb(game, hidden, rows):
    """Score the game and fill the result rows ``int64[n_players, N_SLOTS]`` (rules 12.1 to 12.14)."""
    for seat in range(game.n_players):
        row = rows[seat]
        write_components_nb(game, hidden, seat, row)
        write_counts_nb(game, hidden, seat, row)
        write_rounds_and_flags_nb(game, hidden, seat, row)
    write_outcomes_nb(game, rows)
