"""Writing an edition's tables into a game's record: the only way from CSV rows to the engine's arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simcore.reavers.checks import DECK_FILES, dice_counts, faces_of_upgrade, set_table
from simcore.reavers.language import Numbers, Reader, split_outside
from simcore.reavers.layout import (
    BATTLE_DECK,
    CATEGORY_NAMES,
    CHOICE,
    COLOUR_NAMES,
    DECK_NAMES,
    DOUBLE_HAMMER,
    FACE_NAMES,
    HAMMER,
    KEEP_DECK,
    KEEPS,
    LOCATION_NAMES,
    MARKET_DICE,
    MAX_ARTIFACT_SPACES,
    MAX_DICE_SPACES,
    MAX_OFFERS,
    MAX_RESTS,
    MAX_ROUNDS,
    MAX_SET,
    MAX_SPECIALISTS,
    MAX_TERROR,
    MAX_TRADE_OPTIONS,
    MAX_UPGRADE_SPACES,
    METRIC_NAMES,
    N_COLOURS,
    N_FACES,
    N_KINDS,
    N_LEVELS,
    N_LOCATIONS,
    N_SLOTS_FOR_REAVERS,
    NOWHERE,
    PROPHECY_DECK,
    REAVER_DECK,
    RECRUIT,
    SEA,
    SUBDUE,
    TERRITORY_NAMES,
    TRADE,
    VILLAGE_DECK,
    VILLAGES,
)
from simcore.reavers.schema import RULE_SWITCHES
from simcore.reavers.selection import Constants
from simcore.tables import Row

_SWITCH_FIELDS = (
    ("leader_wild", "leader_not_wild"),
    ("upgrade_refresh", "refresh_by_round"),
    ("offer_refill", "fill_gaps"),
    ("territory_glory_round6", "income_after_last_round"),
    ("trade_marker_if_held", "held_marker_passes_left"),
    ("selector_bonus_without_participation", "bonus_without_participation"),
    ("rest_at_free_location", "no_rest_at_free_location"),
    ("journey_payment", "journey_forced"),
    ("wild_as_double_hammer", "wild_is_single_hammer"),
    ("double_pays_single", "double_is_exact"),
    ("add_hammers_between_rolls", "hammers_between_rolls"),
    ("artifact_loading", "loading_on_gain"),
    ("territory_rewards", "rewards_open"),
    ("lost_battle", "lost_battle_stays"),
    ("offer_refill_within_activation", "refill_at_once"),
    ("dice_supply", "dice_unlimited"),
)
"""Switches that the engine looks at, with their fields: 0 is the default, 1 the other choice."""

_BONUS_KEYS = (
    (RECRUIT, "bonus_recruit_by_seat"),
    (TRADE, "trade_actions_by_seat"),
    (VILLAGES, "bonus_villages_by_seat"),
    (KEEPS, "bonus_keeps_by_seat"),
    (SEA, "bonus_sea_by_seat"),
    (SUBDUE, "attempts_subdue_by_seat"),
)


def fill_table(
    rows: Mapping[str, Sequence[Row]], constants: Constants, rules: Mapping[str, str], n_players: int, table: Any
) -> None:
    """Write everything about an edition into ``game.edition``, which must be zero.

    Parameters
    ----------
    rows : mapping
        File name -> the rows in force.
    constants : Constants
    rules : mapping
        Every switch with the value in force.
    n_players : int
    table : record of `layout.EDITION`

    Raises
    ------
    DataError
        A constant that makes no sense, too many different effects.
    """
    numbers = Numbers()
    _fill_constants(constants, n_players, table)
    _fill_bonuses(constants, n_players, table)
    _fill_offers(constants, rules, n_players, table)
    _fill_location_effects(constants, numbers, table)
    _fill_dice(rows, table)
    for deck, name in enumerate(DECK_NAMES):
        if deck != KEEP_DECK:
            _fill_deck(rows[DECK_FILES[name]], deck, 0, table)
    _fill_reavers(rows["reavers.csv"], numbers, table)
    _fill_spoils(rows, numbers, table)
    _fill_artifacts(rows["artifacts.csv"], numbers, table)
    _fill_upgrades(rows["ship_upgrades.csv"], rules, table)
    _fill_sea(rows, numbers, table)
    _fill_prophecies(rows["prophecies.csv"], table)
    _fill_territories(rows["territories.csv"], numbers, table)
    for key, field in _SWITCH_FIELDS:
        choices = next(switch.choices for switch in RULE_SWITCHES if switch.key == key)
        table[field] = choices.index(rules[key])
    table.terror_from_keep = int(rules["terror"] == "yes" and rules["terror_from_keep"] == "yes")
    problem = numbers.fits()
    if problem:
        raise rows["reavers.csv"][0].error("ability_gain", problem)
    numbers.write(table)


def _fill_constants(constants: Constants, n_players: int, table: Any) -> None:
    table.n_rounds = constants.number("rounds", 1, MAX_ROUNDS)
    pawns = {n: constants.number(f"pawns_{n}p", 1, 3) for n in (2, 3, 4)}
    selections = {n: n * pawns[n] for n in (2, 3, 4)}
    selections[3] += constants.number("honor_ships_3p", 1, 1)
    for n, selected in selections.items():
        if selected != constants.number("activations_per_round", 1, N_LOCATIONS):
            says = f"the pawns of {n} players select {selected} locations a round, activations_per_round says otherwise"
            raise constants.error(f"pawns_{n}p", says)
    table.n_selections = selections.get(n_players, n_players)
    for key, only in (("leader_spaces", 1), ("specialize_slots", N_SLOTS_FOR_REAVERS), ("territory_glory_round6", 0)):
        constants.number(key, only, only)  # the engine knows no other
    table.start_food[:n_players] = constants.numbers("start_food", n_players, 0, 99)
    for field, key, high in (
        ("start_favor", "start_favor", 99),
        ("start_reavers", "start_reavers", 4),
        ("start_crew_dice", "start_crew_dice", MAX_DICE_SPACES),
        ("start_prophecies", "start_prophecies", 4),
        ("artifact_spaces", "artifact_spaces", MAX_ARTIFACT_SPACES),
        ("upgrade_spaces", "upgrade_spaces", MAX_UPGRADE_SPACES),
        ("market_dice", "trade_dice_shown", 6),
        ("tapestry_set", "tapestry_set", 99),
        ("tapestry_single", "tapestry_single", 99),
        ("weapons_set", "weapons_set", 99),
        ("weapons_single", "weapons_single", 99),
        ("food_glory", "leftover_food_end_glory", 9),
        ("favor_glory", "leftover_favor_end_glory", 9),
    ):
        table[field] = constants.number(key, 0, high)
    table.dice_spaces = constants.number("dice_spaces", 1, MAX_DICE_SPACES)
    table.favor_reroll = constants.number("favor_reroll", 1, 9)
    limit = constants.number("specialize_max_per_slot", -1, MAX_SPECIALISTS)
    table.specialists_per_slot = MAX_SPECIALISTS if limit == -1 else limit
    for token, name in enumerate(("wall", "tower", "farm")):
        table.token_glory[token] = constants.number(f"token_{name}_end_glory", -99, 99)
    penalties = [
        0,
        *constants.numbers("terror_penalty_table", len(constants.text("terror_penalty_table").split("/")), -99, 0),
    ]
    for n in range(MAX_TERROR):
        table.terror_glory[n] = penalties[min(n, len(penalties) - 1)]
    tie_break = constants.text("tie_break")
    if tie_break not in ("sea_battle_cards", "none"):
        raise constants.error("tie_break", f"{tie_break!r} is neither sea_battle_cards nor none")
    table.tie_by_battles = int(tie_break == "sea_battle_cards")


def _fill_bonuses(constants: Constants, n_players: int, table: Any) -> None:
    """Write bonuses and actions by places after the selector (rules 3.6, 3.7, 5.1, 6.2, 7.2, 8.1, 11.1)."""
    for location, key in _BONUS_KEYS:
        if n_players == 2:
            seat = constants.number("two_player_second_seat", 2, 4)
            by_seat = constants.numbers(key, 4, 0, 9)
            bonus = [by_seat[0], by_seat[seat - 1]]
        else:
            bonus = constants.numbers(key, n_players, 0, 9)
        table.bonus[location, :n_players] = bonus


def _fill_offers(constants: Constants, rules: Mapping[str, str], n_players: int, table: Any) -> None:
    """Write the face-up spaces for the number of players, and how many unseen cards replace one (rule 2.8)."""
    place = n_players - 2

    def spaces(key: str) -> int:
        return constants.numbers(key, place + 1, 0, MAX_OFFERS)[place]

    stacks = rules["recruit_offer"] == "stack"
    sizes = {
        REAVER_DECK: [2] * spaces("groups_recruit") + [1] * spaces("groups_recruit_single"),
        VILLAGE_DECK: [2] * spaces("groups_villages"),
        KEEP_DECK: [2] * spaces("groups_keeps"),
        BATTLE_DECK: [1] * spaces("sea_battles_face_up"),
        PROPHECY_DECK: [1] * constants.number("prophecies_face_up", 0, MAX_OFFERS),
    }
    for deck, size in sizes.items():
        if len(size) > MAX_OFFERS:
            raise constants.error("groups_recruit", f"{len(size)} face-up spaces; at most {MAX_OFFERS} fit")
        table.n_offers[deck] = len(size)
        table.offer_size[deck, : len(size)] = size
        table.n_unseen[deck] = 1
    table.n_unseen[REAVER_DECK] = 2 if stacks else 1
    table.n_unseen[VILLAGE_DECK] = table.n_unseen[KEEP_DECK] = 2


def _fill_location_effects(constants: Constants, numbers: Numbers, table: Any) -> None:
    """Write the costs of locations, the trade options and the ways to rest (rules 3.5, 5.2, 6.1, 7.1, 8.1)."""

    def reader(key: str) -> Reader:
        return Reader(constants.rows[key], constants.column(key), market=key == "trade_options")

    for location, key in ((VILLAGES, "cost_raid_villages"), (KEEPS, "cost_raid_keeps"), (SEA, "cost_battle_at_sea")):
        table.location_cost[location] = numbers.cost(reader(key).cost(constants.text(key)))
    options = [reader("trade_options").effect(text) for text in split_outside(constants.text("trade_options"), "|")]
    if not 1 <= len(options) <= MAX_TRADE_OPTIONS:
        raise constants.error("trade_options", f"has {len(options)} options; between 1 and {MAX_TRADE_OPTIONS} fit")
    for place, option in enumerate(options):
        if len(option) != 1 and any(item.operation == MARKET_DICE for item in option):
            raise constants.error("trade_options", "the option with market dice can bring nothing else")
        table.trade_option[place] = numbers.effect(option)
    table.n_trade_options = len(options)
    rest = reader("rest").effect(constants.text("rest"))
    ways = rest[0].parts if len(rest) == 1 and rest[0].operation == CHOICE else (rest,)
    if not 1 <= len(ways) <= MAX_RESTS or not rest:
        raise constants.error("rest", f"between 1 and {MAX_RESTS} ways to rest fit")
    for place, way in enumerate(ways):
        table.rest[place] = numbers.effect(way)
    table.n_rests = len(ways)


def _fill_dice(rows: Mapping[str, Sequence[Row]], table: Any) -> None:
    for row in rows["crew_dice.csv"]:
        colour, face = COLOUR_NAMES.index(row["color"]), FACE_NAMES.index(row["face"])
        table.dice_in_box[colour] = row["dice_in_supply"]
        table.crew_face[colour, row["face_index"] - 1] = face
        table.has_face[colour * N_FACES + face] = 1
    for colours in range(1 << N_COLOURS):
        kinds = [kind for kind in range(N_KINDS) if table.has_face[kind] == 1 and colours >> (kind // N_FACES) & 1]
        table.n_kinds_of[colours] = len(kinds)
        table.kinds_of[colours, : len(kinds)] = kinds
    for row in rows["combat_dice.csv"]:
        table.combat_face[row["face_index"] - 1] = row["successes"]
        table.n_combat_dice = row["dice_in_supply"]


def _fill_deck(rows: Sequence[Row], deck: int, first: int, table: Any) -> None:
    """Write the cards of a deck, each copy once; card numbers count from `first`."""
    for card, row in enumerate(rows, first):
        for _ in range(row["count"]):
            table.deck[deck, table.n_deck[deck]] = card
            table.n_deck[deck] += 1


def ability_names(rows: Sequence[Row]) -> list[str]:
    """Return the kinds of ability in the order of their numbers."""
    return list(dict.fromkeys(row["ability_id"] for row in rows))


def _fill_reavers(rows: Sequence[Row], numbers: Numbers, table: Any) -> None:
    table.n_reavers = len(rows)
    abilities = ability_names(rows)
    table.n_abilities = len(abilities)
    for reaver, row in enumerate(rows):
        own = COLOUR_NAMES.index(row["color"])
        table.reaver_colour[reaver] = own
        table.reaver_roll[reaver, : N_COLOURS + 1] = dice_counts(row, "roll_dice")
        table.reaver_rally[reaver, : N_COLOURS + 1] = dice_counts(row, "rally_dice")
        table.reaver_promotion[reaver] = numbers.effect(Reader(row, "promote_bonus", own).effect(row["promote_bonus"]))
        wild = row["leader_wild_color"]
        table.reaver_wild[reaver] = COLOUR_NAMES.index(wild) if wild else NOWHERE
        table.ability[reaver] = abilities.index(row["ability_id"])
        table.ability_cost[reaver] = numbers.cost(Reader(row, "ability_cost").cost(row["ability_cost"]))
        table.ability_gain[reaver] = numbers.effect(Reader(row, "ability_gain", own).effect(row["ability_gain"]))
        table.reaver_glory[reaver] = row["end_glory"]


def _fill_spoils(rows: Mapping[str, Sequence[Row]], numbers: Numbers, table: Any) -> None:
    villages, keeps = rows["village_spoils.csv"], rows["keep_spoils.csv"]
    table.n_spoils = len(villages) + len(keeps)
    table.first_keep_spoils = len(villages)
    _fill_deck(keeps, KEEP_DECK, len(villages), table)
    refs = {
        "artifact": [row["id"] for row in rows["artifacts.csv"]],
        "ship_upgrade": [row["id"] for row in rows["ship_upgrades.csv"]],
    }
    n_sets = 0
    for spoils, row in enumerate((*villages, *keeps)):
        category = row["category"]
        number = CATEGORY_NAMES.index(category)
        table.spoils_category[spoils] = number
        if table.category_stop[number] == 0:
            table.category_first[number] = spoils
        table.category_stop[number] = spoils + 1
        table.spoils_gain[spoils] = numbers.effect(Reader(row, "immediate").effect(row["immediate"]))
        table.spoils_defense[spoils] = row["defense"] or 0
        table.spoils_reward[spoils] = numbers.effect(Reader(row, "pillage_reward").effect(row["pillage_reward"]))
        table.spoils_kept[spoils] = int(row["goes_to"] == "glory_pile")
        table.spoils_ref[spoils] = refs[category].index(row["ref"]) if category in refs else NOWHERE
        table.spoils_set[spoils] = NOWHERE
        if row["set_table"]:
            table.spoils_set[spoils] = n_sets
            totals = set_table(row)
            for copies in range(1, MAX_SET):
                full, rest = divmod(copies, len(totals))
                table.set_glory[n_sets, copies] = full * totals[-1] + (totals[rest - 1] if rest else 0)
            n_sets += 1


def _fill_artifacts(rows: Sequence[Row], numbers: Numbers, table: Any) -> None:
    table.n_artifacts = len(rows)
    for artifact, row in enumerate(rows):
        table.artifact_face[artifact] = FACE_NAMES.index(row["stored_face"])
        table.artifact_location[artifact] = LOCATION_NAMES.index(row["location"])
        table.artifact_gain[artifact] = numbers.effect(Reader(row, "effect").effect(row["effect"]))
        table.artifact_glory[artifact] = row["end_glory"]
        table.artifact_space[artifact] = row["extra_die_space"]
        table.artifact_when_resting[artifact] = row["usable_when_resting"]
        if not row["usable_when_resting"]:
            table.artifacts_wait = 1


def _fill_upgrades(rows: Sequence[Row], rules: Mapping[str, str], table: Any) -> None:
    table.n_upgrades = len(rows)
    for upgrade, row in enumerate(rows):
        faces = set(faces_of_upgrade(row))
        table.upgrade_hammers[upgrade] = 2 if DOUBLE_HAMMER in faces else int(HAMMER in faces)
        if DOUBLE_HAMMER in faces and rules["double_pays_single"] == "yes":
            faces.add(HAMMER)
        table.upgrade_faces[upgrade] = sum(1 << face for face in faces)
        table.upgrade_is_flexible[upgrade] = int(len(faces) > 1)
        table.upgrade_copies[upgrade] = row["count"]


def _fill_sea(rows: Mapping[str, Sequence[Row]], numbers: Numbers, table: Any) -> None:
    for journey, row in enumerate(rows["sea_journeys.csv"]):
        table.journey_cost[journey] = numbers.cost(Reader(row, "pay_cost").cost(row["pay_cost"]))
        table.journey_has_cost[journey] = int(bool(row["pay_cost"]))
        for column, field in (("suffer_effect", "journey_effect"), ("benefit", "journey_benefit")):
            table[field][journey] = numbers.effect(Reader(row, column, defense=True).effect(row[column]))
    for battle, row in enumerate(rows["sea_battles.csv"]):
        table.battle_defense[battle] = row["defense"]
        table.battle_cost[battle] = numbers.cost(Reader(row, "dice_combo").cost(row["dice_combo"]))
        table.battle_reward[battle] = numbers.effect(Reader(row, "reward").effect(row["reward"]))


def _fill_prophecies(rows: Sequence[Row], table: Any) -> None:
    table.n_prophecies = len(rows)
    for prophecy, row in enumerate(rows):
        table.prophecy_metric[prophecy] = METRIC_NAMES.index(row["metric"])
        table.prophecy_glory[prophecy] = row["glory_per"]
        table.prophecy_cap[prophecy] = row["cap"]


def _fill_territories(rows: Sequence[Row], numbers: Numbers, table: Any) -> None:
    for tile, row in enumerate(rows):
        stack = TERRITORY_NAMES.index(row["type"]) * N_LEVELS + row["level"] - 1
        table.tile_cost[tile] = numbers.cost(Reader(row, "peaceful_cost").cost(row["peaceful_cost"]))
        table.tile_reward[tile] = numbers.effect(Reader(row, "hidden_reward").effect(row["hidden_reward"]))
        table.tile_income[tile] = row["glory_per_cleanup"]
        for _ in range(row["count"]):
            table.stack[stack, table.n_stack[stack]] = tile
            table.n_stack[stack] += 1
