"""Which rows and which constants of the tables are in force under the rule switches (ambiguities.md parts A and C)."""

from __future__ import annotations

from collections.abc import Mapping

from simcore.naming import unknown
from simcore.reavers.schema import RULE_SWITCHES
from simcore.tables import Row, Table

SWITCH_OF_CONSTANT = {
    "start_reavers": "start_crew",
    "start_crew_dice": "start_crew",
    "start_prophecies": "start_crew",
    "specialize_max_per_slot": "specialize_limit",
    "cost_raid_villages": "villages_food_cost",
    "bonus_recruit_by_seat": "recruit_bonus",
    "two_player_second_seat": "two_player_bonus_seat",
    "trade_options": "trade_options",
    "groups_recruit": "recruit_offer",
    "groups_recruit_single": "recruit_offer",
    "terror_penalty_table": "terror",
}
"""Constants whose column, published or early, is chosen by a rule switch; in all others the two must agree."""

OTHER_CONSTANTS = (
    "rounds",
    "activations_per_round",
    "pawns_2p",
    "pawns_3p",
    "honor_ships_3p",
    "pawns_4p",
    "start_food",
    "start_favor",
    "dice_spaces",
    "artifact_spaces",
    "leader_spaces",
    "specialize_slots",
    "upgrade_spaces",
    "cost_raid_keeps",
    "cost_battle_at_sea",
    "bonus_villages_by_seat",
    "bonus_keeps_by_seat",
    "bonus_sea_by_seat",
    "attempts_subdue_by_seat",
    "trade_actions_by_seat",
    "trade_dice_shown",
    "prophecies_face_up",
    "groups_villages",
    "groups_keeps",
    "sea_battles_face_up",
    "rest",
    "favor_reroll",
    "territory_glory_round6",
    "tapestry_set",
    "tapestry_single",
    "weapons_set",
    "weapons_single",
    "token_wall_end_glory",
    "token_tower_end_glory",
    "token_farm_end_glory",
    "leftover_food_end_glory",
    "leftover_favor_end_glory",
    "tie_break",
)
CONSTANT_KEYS = (*SWITCH_OF_CONSTANT, *OTHER_CONSTANTS)


def is_default(rules: Mapping[str, str], key: str) -> bool:
    """Return whether a switch stands at its published default."""
    return rules[key] == next(switch.choices[0] for switch in RULE_SWITCHES if switch.key == key)


def rows_in_force(file: str, table: Table, rules: Mapping[str, str]) -> tuple[Row, ...]:
    """Return the rows of a table that the switches leave in the game, in their order."""
    if file == "village_spoils.csv":
        return tuple(row for row in table if _stands_for(row, rules, _village_switch(row)))
    if file == "keep_spoils.csv":
        return tuple(row for row in table if _stands_for(row, rules, "keep_deck"))
    if file == "prophecies.csv":
        return tuple(row for row in table if _stands_for(row, rules, _prophecy_switch(row)))
    if file in ("crew_dice.csv", "combat_dice.csv"):
        profile = rules[file.removesuffix(".csv")]
        return tuple(row for row in table if row["profile"] == profile)
    return table.rows


def _stands_for(row: Row, rules: Mapping[str, str], switch: str) -> bool:
    if row["editions"] == "both":
        return True
    return (row["editions"] == "published") == is_default(rules, switch)


def _village_switch(row: Row) -> str:
    """Return the switch by which a card of one edition is in the deck (A12, A15, A16)."""
    if row["category"] == "ship_upgrade":
        return "upgrade_glory_option"
    if row["category"] in ("farm", "village_wall"):
        return "terror"
    return "village_deck"


def _prophecy_switch(row: Row) -> str:
    """Return the switch by which a prophecy of one edition is in the deck: that of the cards it counts."""
    return "keep_deck" if row["metric"] == "tapestry_cards" else "village_deck"


class Constants:
    """The constants in force.

    Parameters
    ----------
    table : Table
        Of ``constants.csv``.
    rules : mapping
        Every switch with the value in force.

    Raises
    ------
    DataError
        For a constant that is missing, unknown, or differs between the editions without a switch to choose.
    """

    def __init__(self, table: Table, rules: Mapping[str, str]):
        self.rows = {row["key"]: row for row in table}
        self.rules = rules
        for row in table:
            if row["key"] not in CONSTANT_KEYS:
                raise row.error("key", unknown("constant", row["key"], CONSTANT_KEYS))
            if row["key"] not in SWITCH_OF_CONSTANT:
                self._check_agreement(row)
        for key in CONSTANT_KEYS:
            if key not in self.rows:
                raise table.error(f"the row of {key!r} is missing")

    @staticmethod
    def _check_agreement(row: Row) -> None:
        published, early = row["published"].split("/"), row["early"].split("/")
        n = min(len(published), len(early))
        if published[:n] != early[:n]:
            says = f"is {row['early']!r}, but published is {row['published']!r}; no switch chooses, so write the same"
            raise row.error("early", says)

    def column(self, key: str) -> str:
        """Return the column in force of a constant."""
        switch = SWITCH_OF_CONSTANT.get(key)
        return "published" if switch is None or is_default(self.rules, switch) else "early"

    def text(self, key: str) -> str:
        """Return a constant as it is written."""
        text: str = self.rows[key][self.column(key)]
        return text

    def error(self, key: str, says: str) -> Exception:
        """Return the error that names a constant's cell."""
        return self.rows[key].error(self.column(key), says)

    def number(self, key: str, low: int, high: int) -> int:
        """Return a constant that is one whole number."""
        return self._number(key, self.text(key), low, high)

    def numbers(self, key: str, n: int, low: int, high: int) -> list[int]:
        """Return the first `n` numbers of a list; what it lacks comes from the other edition's longer list (3.16)."""
        row = self.rows[key]
        column = self.column(key)
        mine = row[column].split("/")
        others = row["early" if column == "published" else "published"].split("/")
        parts = (mine + others[len(mine) :])[:n]
        if len(parts) < n:
            raise self.error(key, f"has {len(mine)} numbers with / between; {n} are needed")
        return [self._number(key, part, low, high) for part in parts]

    def _number(self, key: str, text: str, low: int, high: int) -> int:
        try:
            number = int(text.strip())
        except ValueError:
            raise self.error(key, f"{text!r} is not a whole number") from None
        if not low <= number <= high:
            raise self.error(key, f"{number} does not lie between {low} and {high}")
        return number
