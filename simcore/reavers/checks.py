"""Whether the tables of Reavers of Midgard fit together and into the engine's arrays. Errors name file, row, column."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from simcore.naming import unknown
from simcore.reavers.language import Reader, cards_gained
from simcore.reavers.layout import (
    COLOUR_NAMES,
    DECK_NAMES,
    FACE_NAMES,
    MAX_ABILITIES,
    MAX_ARTIFACTS,
    MAX_BATTLES,
    MAX_DECK,
    MAX_JOURNEYS,
    MAX_OPTIONS,
    MAX_PROPHECIES,
    MAX_REAVERS,
    MAX_SET_TABLES,
    MAX_SPOILS,
    MAX_STACK,
    MAX_TILES,
    MAX_UPGRADES,
    N_COMBAT_FACES,
    N_FACES,
    TERRITORY_NAMES,
)
from simcore.reavers.schema import BUILDING_CATEGORIES, MAX_GLORY, SET_CATEGORIES
from simcore.reavers.selection import rows_in_force
from simcore.tables import Row, Table

MAX_CARD_DICE = 6


def dice_counts(row: Row, column: str) -> list[int]:
    """Return the dice of a Reaver's corner by colour, those of the owner's choice last (rule 4.3)."""
    words = (*COLOUR_NAMES, "choice")
    counts = [0] * len(words)
    for part in (part.strip() for part in row[column].split("+")) if row[column] else ():
        if part not in words:
            raise row.error(column, unknown("colour", part, words))
        counts[words.index(part)] += 1
    if sum(counts) > MAX_CARD_DICE:
        raise row.error(column, f"names {sum(counts)} dice; at most {MAX_CARD_DICE} fit")
    return counts


def set_table(row: Row) -> list[int]:
    """Return the total Glory of 1, 2, 3... copies (rule 12.2)."""
    totals = []
    for part in row["set_table"].split("/"):
        if not part.strip().isdigit() or int(part) > MAX_GLORY:
            raise row.error("set_table", f"{part!r} is not a number of Glory up to {MAX_GLORY}")
        totals.append(int(part))
    return totals


def faces_of_upgrade(row: Row) -> list[int]:
    """Return the faces that a ship upgrade shows (rule 6.4)."""
    faces = []
    for part in row["faces"].split("|"):
        if part.strip() not in FACE_NAMES:
            raise row.error("faces", unknown("face", part.strip(), FACE_NAMES))
        faces.append(FACE_NAMES.index(part.strip()))
    return faces


def check_tables(tables: Mapping[str, Table], rules: Mapping[str, str]) -> None:
    """Check all tables of an edition.

    Raises
    ------
    DataError
        On the first thing that does not fit.
    """
    _check_language(tables)
    _check_crew_dice(tables["crew_dice.csv"], rules)
    _check_combat_dice(tables["combat_dice.csv"], rules)
    _check_reavers(tables["reavers.csv"])
    for file in ("village_spoils.csv", "keep_spoils.csv"):
        for row in tables[file]:
            _check_spoils(row, tables)
    _check_territories(tables["territories.csv"])
    _check_counts(tables, rules)


_GAINS = (
    ("village_spoils.csv", ("immediate", "pillage_reward")),
    ("keep_spoils.csv", ("immediate", "pillage_reward")),
    ("artifacts.csv", ("effect",)),
    ("sea_battles.csv", ("reward",)),
    ("territories.csv", ("hidden_reward",)),
)
_COSTS = (("sea_journeys.csv", "pay_cost"), ("territories.csv", "peaceful_cost"), ("sea_battles.csv", "dice_combo"))


def _check_language(tables: Mapping[str, Table]) -> None:
    """Check every cell that holds gains or costs, in force or not (section 13)."""
    for file, columns in _GAINS:
        for row in tables[file]:
            for column in columns:
                Reader(row, column).effect(row[column])
    for file, column in _COSTS:
        for row in tables[file]:
            Reader(row, column).cost(row[column])
    for row in tables["sea_battles.csv"]:
        cost = Reader(row, "dice_combo").cost(row["dice_combo"])
        if cost.food or cost.favor or cost.any_die:
            raise row.error("dice_combo", "is a combination of dice, face:<face>:n joined with ;")
    for row in tables["sea_journeys.csv"]:
        for column in ("suffer_effect", "benefit"):
            Reader(row, column, defense=True).effect(row[column])
    for row in tables["reavers.csv"]:
        own = COLOUR_NAMES.index(row["color"])
        Reader(row, "promote_bonus", own).effect(row["promote_bonus"])
        Reader(row, "ability_gain", own).effect(row["ability_gain"])
        Reader(row, "ability_cost").cost(row["ability_cost"])


def _check_crew_dice(table: Table, rules: Mapping[str, str]) -> None:
    rows = rows_in_force("crew_dice.csv", table, rules)
    for colour in COLOUR_NAMES:
        sides = [row for row in rows if row["color"] == colour]
        if sorted(row["face_index"] for row in sides) != list(range(1, N_FACES + 1)):
            raise table.error(
                f"profile {rules['crew_dice']} must have sides 1 to {N_FACES} of the {colour} die, each once"
            )
        for row in sides:
            if row["dice_in_supply"] != sides[0]["dice_in_supply"]:
                raise row.error(
                    "dice_in_supply", f"differs from row {sides[0].number}; write the same on all six sides"
                )
            hammers = {"hammer": 1, "hammer2": 2}.get(row["face"], 0)
            if row["hammers"] != hammers:
                raise row.error("hammers", f"is {row['hammers']}, but a {row['face']} has {hammers}")
            if row["wild_if_leader_same_clan"] != (row["face"] == "clan"):
                raise row.error("wild_if_leader_same_clan", "must be 1 on the clan icon and 0 on every other face")


def _check_combat_dice(table: Table, rules: Mapping[str, str]) -> None:
    rows = rows_in_force("combat_dice.csv", table, rules)
    if sorted(row["face_index"] for row in rows) != list(range(1, N_COMBAT_FACES + 1)):
        raise table.error(f"profile {rules['combat_dice']} must have sides 1 to {N_COMBAT_FACES}, each once")
    for row in rows:
        if row["dice_in_supply"] != rows[0]["dice_in_supply"]:
            raise row.error("dice_in_supply", f"differs from row {rows[0].number}; write the same on all six sides")
    n_values = len({row["successes"] for row in rows})
    n_dice = rows[0]["dice_in_supply"]
    most = prod((n_dice + i) // n_values + 1 for i in range(n_values))
    if most > MAX_OPTIONS:
        raise rows[0].error(
            "dice_in_supply", f"{n_dice} dice with {n_values} results can be rerolled in {most} ways; {MAX_OPTIONS} fit"
        )


def _check_reavers(table: Table) -> None:
    if len(table) > MAX_REAVERS:
        raise table.error(f"has {len(table)} rows; at most {MAX_REAVERS} fit")
    n_abilities = len(set(table.column("ability_id")))
    if n_abilities > MAX_ABILITIES:
        raise table.error(f"has {n_abilities} kinds of ability (column ability_id); at most {MAX_ABILITIES} fit")
    for row in table:
        dice_counts(row, "roll_dice")
        dice_counts(row, "rally_dice")
        if row["ability_gain"] and not row["ability_id"]:
            raise row.error("ability_id", "is empty, but the card has an ability; equal abilities share a name")


def _check_spoils(row: Row, tables: Mapping[str, Table]) -> None:
    category = row["category"]
    is_building = category in BUILDING_CATEGORIES
    if is_building != (row["defense"] is not None):
        raise row.error(
            "defense", f"is {'missing' if is_building else 'only for buildings'}; the category is {category}"
        )
    if row["pillage_reward"] and not is_building:
        raise row.error("pillage_reward", f"is only for buildings; the category is {category}")
    due = {"artifact": "artifact_slot", "ship_upgrade": "deck_bottom"}.get(category, "glory_pile")
    due = "deck_bottom" if is_building else due
    if row["goes_to"] != due:
        raise row.error("goes_to", f"is {row['goes_to']}, but {category} cards go to {due}")
    if due in ("glory_pile", "artifact_slot") and row["immediate"]:
        raise row.error("immediate", f"{category} cards bring nothing at once")
    if (category in SET_CATEGORIES) != bool(row["set_table"]):
        what = "is missing" if category in SET_CATEGORIES else "is only for cards that score by a table"
        raise row.error("set_table", f"{what}; the category is {category}")
    if row["set_table"] and row["set_max"] is not None and row["set_max"] != len(set_table(row)):
        raise row.error("set_max", f"is {row['set_max']}, but set_table has {len(set_table(row))} numbers")
    _check_reference(row, tables)
    gained = cards_gained(Reader(row, "immediate").effect(row["immediate"]))
    gained += cards_gained(Reader(row, "pillage_reward").effect(row["pillage_reward"]))
    if gained > 1:
        raise row.error("immediate", f"the card can bring {gained} more spoils cards; at most one may follow another")


def _check_reference(row: Row, tables: Mapping[str, Table]) -> None:
    file = {"artifact": "artifacts.csv", "ship_upgrade": "ship_upgrades.csv"}.get(row["category"])
    ref = row.cells.get("ref", "")
    if file is None:
        if ref:
            raise row.error("ref", f"only artifacts and ship upgrades have one; the category is {row['category']}")
    elif ref not in tables[file].column("id"):
        raise row.error("ref", f"{unknown('row', ref, tables[file].column('id'))} in {file}")
    if row["category"] == "ship_upgrade" and "token:upgrade:1" not in row["immediate"]:
        raise row.error("immediate", "a ship upgrade card must offer token:upgrade:1")


def _check_territories(table: Table) -> None:
    if len(table) > MAX_TILES:
        raise table.error(f"has {len(table)} rows; at most {MAX_TILES} fit")
    for row in table:
        if row["defense"] != row["level"]:
            raise row.error(
                "defense", f"is {row['defense']}, but the level is {row['level']}, and level is Defense (11.2)"
            )
        if not row["peaceful_cost"]:
            raise row.error("peaceful_cost", "is empty; a territory that costs nothing would be free")
    for name in TERRITORY_NAMES:
        for level in (1, 2, 3):
            n = sum(row["count"] for row in table if (row["type"], row["level"]) == (name, level))
            if n > MAX_STACK:
                raise table.error(
                    f"the stack of level-{level} {name} territories has {n} tiles; at most {MAX_STACK} fit"
                )


def _check_counts(tables: Mapping[str, Table], rules: Mapping[str, str]) -> None:
    in_force = {file: rows_in_force(file, table, rules) for file, table in tables.items()}
    for file, most in (
        ("sea_journeys.csv", MAX_JOURNEYS),
        ("sea_battles.csv", MAX_BATTLES),
        ("prophecies.csv", MAX_PROPHECIES),
        ("artifacts.csv", MAX_ARTIFACTS),
        ("ship_upgrades.csv", MAX_UPGRADES),
    ):
        if len(in_force[file]) > most:
            raise tables[file].error(f"has {len(in_force[file])} rows in force; at most {most} fit")
    spoils = (*in_force["village_spoils.csv"], *in_force["keep_spoils.csv"])
    if len(spoils) > MAX_SPOILS:
        raise tables["keep_spoils.csv"].error(f"{len(spoils)} rows of spoils are in force; at most {MAX_SPOILS} fit")
    if sum(bool(row["set_table"]) for row in spoils) > MAX_SET_TABLES:
        raise tables["keep_spoils.csv"].error(f"more than {MAX_SET_TABLES} kinds of card score by a table")
    for file in DECK_FILES.values():
        n = sum(row["count"] for row in in_force[file])
        if not 1 <= n <= MAX_DECK:
            raise tables[file].error(f"the deck has {n} cards (column count); between 1 and {MAX_DECK} fit")
    for category, file in (("artifact", "artifacts.csv"), ("ship_upgrade", "ship_upgrades.csv")):
        for row in in_force[file]:
            named = [card for card in in_force["village_spoils.csv"] if card["category"] == category]
            n = sum(card["count"] for card in named if card["ref"] == row["id"])
            if n != row["count"]:
                raise row.error("count", f"is {row['count']}, but {n} Village Spoils name {row['id']}")


DECK_FILES = {
    "reaver": "reavers.csv",
    "village": "village_spoils.csv",
    "keep": "keep_spoils.csv",
    "journey": "sea_journeys.csv",
    "battle": "sea_battles.csv",
    "prophecy": "prophecies.csv",
}
"""The table of each deck of `layout.DECK_NAMES`."""

assert tuple(DECK_FILES) == DECK_NAMES
