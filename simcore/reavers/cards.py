"""The edition of Reavers of Midgard: the checked tables, and how they get into a game's record.

What a table may hold is declared in `schema`, whether the tables fit together is checked in `checks`, which rows and
constants the rule switches leave in the game is decided in `selection`, `filling` writes the engine's arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from simcore.contract import DataError, Item, Provenance
from simcore.editions import (
    README_FILE,
    RULES_FILE,
    EditionSource,
    count_provenance,
    digest,
    mark_changed_rows,
    read_source,
    readme_text,
    rules_text,
)
from simcore.items import name_without
from simcore.reavers.checks import check_tables
from simcore.reavers.columns import columns
from simcore.reavers.filling import ability_names, fill_table
from simcore.reavers.items import check_edition, fill_items, items, items_by_kind
from simcore.reavers.layout import GAME
from simcore.reavers.schema import DATA_FOLDER, FILES, PRESETS, RULE_SWITCHES, SCHEMAS
from simcore.reavers.selection import Constants, rows_in_force
from simcore.tables import Row, Table, check_source, read_table

__all__ = [
    "DATA_FOLDER",
    "PRESETS",
    "RULE_SWITCHES",
    "ReaversEdition",
    "card_rows",
    "columns",
    "fill_edition",
    "load_edition",
]

_LANGUAGE = """## Gains and costs

Items are joined with `;`. Costs: `food:n`, `favor:n`, `face:<face>:n` (n dice that show the face), `lose_die:any:n`.
Gains: `food:n`, `favor:n`, `glory:n` (n may be negative), `die:<red|yellow|blue|own|choice>:<roll|choose>:n`,
`card:<keep|village|reaver|prophecy>:n` (from the top of the deck), `token:<wall|tower|farm|terror|upgrade>:n`,
`setface:n`, `reroll:<any|all>`, `success:n`, `defense:+n`, `skip_journey`, `extra_attempt:n`, `extra_trade:n`,
`lose_die:any:n`, and `choice(a|b)` among such gains. Faces: hammer, hammer2, shield, chest, ship, clan.
"""


@dataclass(frozen=True)
class BorrowingProvenance(Provenance):
    """The provenance of the early edition, whose text is silent on much (ambiguities.md)."""

    def sentence(self) -> str:
        """Return the line that is shown wherever results built on the edition are."""
        return (
            f"{super().sentence()} Where the early text is silent (Battle at Sea, Subdue Territories, income, final "
            "scoring) the published rules stand in."
        )


@dataclass(frozen=True)
class ReaversEdition:
    """The tables and switches of Reavers of Midgard, read and checked (implements `simcore.contract.Edition`).

    Attributes
    ----------
    name : str
        ``published``, ``early``, or a folder's name.
    digest : str
        64 hex digits over tables and switches.
    rules : dict
        Every switch with the value in force.
    files : dict
        File name -> text: the tables, ``rules.toml``, and a page that explains the columns.
    provenance : Provenance
        How many of the rows in force are sourced; changed rows count as assumed.
    tables : dict of Table
        By file name: every row.
    rows : dict of tuple of Row
        By file name: the rows in force, in the order of the engine's numbers.
    withheld : tuple of str
        Ids of the items that nobody can have.
    """

    name: str
    digest: str
    rules: Mapping[str, str]
    files: Mapping[str, str]
    provenance: Provenance
    tables: Mapping[str, Table]
    rows: Mapping[str, tuple[Row, ...]]
    withheld: tuple[str, ...] = ()

    def names(self, file: str) -> tuple[str, ...]:
        """Return what a reader calls each row in force of a table."""
        return tuple(row["name"] for row in self.rows[file])

    @property
    def spoils(self) -> tuple[Row, ...]:
        """Village and Keep Spoils in the order of the engine's numbers."""
        return (*self.rows["village_spoils.csv"], *self.rows["keep_spoils.csv"])

    @cached_property
    def items_by_kind(self) -> list[list[Item]]:
        """Its items, by kind: see `simcore.reavers.items`."""
        return items_by_kind(self)

    @property
    def abilities(self) -> list[tuple[str, str]]:
        """Id and text of each kind of ability, in the order of the engine's numbers."""
        rows = self.rows["reavers.csv"]
        texts = {row["ability_id"]: row["ability_text"] for row in reversed(rows)}
        return [(name, texts[name]) for name in ability_names(rows)]


def load_edition(
    name: str = "published", rules: Mapping[str, str] | None = None, withheld: Sequence[str] = ()
) -> ReaversEdition:
    """Read and check an edition.

    Parameters
    ----------
    name : str
        A shipped edition (``published``, ``early``) or a folder.
    rules : mapping, optional
        Switches that come on top.
    withheld : sequence of str
        Ids of items (`items`) that nobody can have.

    Raises
    ------
    TaflError, DataError
        If there is no such edition, a switch or an item is unknown, or a table does not check: with file, row and
        column.
    """
    source = read_source(
        name,
        rules or {},
        data_folder=DATA_FOLDER,
        files=FILES,
        switches=RULE_SWITCHES,
        presets=PRESETS,
        withheld=withheld,
    )
    tables = _read_tables(source)
    mark_changed_rows(tables.values(), _shipped_tables())
    in_force = {file: rows_in_force(file, table, source.rules) for file, table in tables.items()}
    used = [Table(table.where, table.schema, in_force[file]) for file, table in tables.items()]
    edition = ReaversEdition(
        name=source.name,
        digest=digest("reavers", source.texts, source.rules, source.withheld),
        rules=source.rules,
        files={
            **source.texts,
            **source.beside,
            RULES_FILE: rules_text(source.rules, RULE_SWITCHES, source.withheld),
            README_FILE: readme_text("Reavers of Midgard", SCHEMAS) + "\n" + _LANGUAGE,
        },
        provenance=_provenance(used, source.rules),
        tables=tables,
        rows=in_force,
        withheld=source.withheld,
    )
    check_edition(edition)
    blank = np.zeros(1, GAME)
    for n_players in range(2, most_players(edition) + 1):
        fill_edition(edition, n_players, blank[0])
    return replace(edition, name=name_without(edition.name, items(edition, 2), edition.withheld))


def _provenance(used: list[Table], rules: Mapping[str, str]) -> Provenance:
    counted = count_provenance(used)
    if any(rules[key] != value for key, value in PRESETS["early"].items()):
        return counted
    return BorrowingProvenance(counted.sourced, counted.inferred, counted.assumed)


def most_players(edition: ReaversEdition) -> int:
    """Return how many may play (rules 1.1, 3.16)."""
    return int(edition.rules["most_players"])


def _read_tables(source: EditionSource) -> dict[str, Table]:
    tables = {}
    for schema in SCHEMAS:
        tables[schema.file] = read_table(source.texts[schema.file], schema, source.where + schema.file)
        check_source(tables[schema.file])
    check_tables(tables, source.rules)
    return tables


@cache
def _shipped_tables() -> tuple[Table, ...]:
    texts = {file: (DATA_FOLDER / file).read_text(encoding="utf-8") for file in FILES}
    return tuple(read_table(texts[schema.file], schema) for schema in SCHEMAS)


def fill_edition(edition: ReaversEdition, n_players: int, game: Any) -> None:
    """Write the tables for `n_players` into a game's record and clear the rest of it.

    Parameters
    ----------
    game : record of `layout.GAME`
        Element 0 of an array of one.

    Raises
    ------
    DataError
        For five players without most_players=5, or a table that does not fit.
    """
    if not 2 <= n_players <= most_players(edition):
        hint = "; five are experimental: --edition early, or --rule most_players=5" if n_players == 5 else ""
        raise DataError(f"Reavers of Midgard is for 2 to {most_players(edition)} players, not {n_players}{hint}")
    blank = np.zeros(1, GAME)[0]
    for name in GAME.names or ():
        game[name] = blank[name]
    constants = Constants(edition.tables["constants.csv"], edition.rules)
    fill_table(edition.rows, constants, edition.rules, n_players, game.edition)
    fill_items(edition, game.edition)
    game.n_players = n_players


_SHOWN = (
    ("constants.csv", "constant", "key", "", ""),
    ("reavers.csv", "Reaver", "id", "ability_cost", "ability_gain"),
    ("village_spoils.csv", "village spoils", "id", "", "immediate"),
    ("keep_spoils.csv", "keep spoils", "id", "", "immediate"),
    ("artifacts.csv", "artifact", "id", "", "effect"),
    ("ship_upgrades.csv", "ship upgrade", "id", "", "faces"),
    ("sea_journeys.csv", "sea journey", "id", "pay_cost", "suffer_effect"),
    ("sea_battles.csv", "sea battle", "id", "dice_combo", "reward"),
    ("prophecies.csv", "prophecy", "id", "", "counts"),
    ("territories.csv", "territory", "id", "peaceful_cost", "hidden_reward"),
    ("crew_dice.csv", "crew die", "", "", ""),
    ("combat_dice.csv", "combat die", "", "", ""),
)


def card_rows(edition: ReaversEdition) -> list[dict[str, str]]:
    """Return every row in force as text, for ``tafl cards``; all rows have the same keys."""
    shown = []
    for file, kind, id_column, cost, gain in _SHOWN:
        for row in edition.rows[file]:
            shown.append(
                {
                    "kind": kind,
                    "id": row[id_column] if id_column else "",
                    "name": _name(file, row),
                    "category": str(row.cells.get("category", row.cells.get("color", row.cells.get("family", "")))),
                    "copies": str(row.cells.get("count", row.cells.get("dice_in_supply", 1))),
                    "defense": str(row.cells.get("defense") or ""),
                    "cost": row[cost] if cost else "",
                    "gain": row[gain] if gain else "",
                    "glory": _glory(row),
                    "text": _text(file, row),
                    "confidence": row["confidence"],
                }
            )
    return shown


def _name(file: str, row: Row) -> str:
    if file == "constants.csv":
        return str(row["key"]).replace("_", " ")
    if file == "territories.csv":
        return f"{row['type']} territory, level {row['level']}"
    if file == "crew_dice.csv":
        return f"{row['color']} die, side {row['face_index']}: {row['face']}"
    if file == "combat_dice.csv":
        return f"combat die, side {row['face_index']}: {row['successes']}"
    return str(row["name"])


def _glory(row: Row) -> str:
    cells = row.cells
    if cells.get("set_table"):
        return str(cells["set_table"])
    if "glory_per" in cells:
        return f"{cells['glory_per']} each, at most {cells['cap']}"
    if "glory_per_cleanup" in cells:
        return f"{cells['glory_per_cleanup']} a round"
    return str(cells.get("end_glory") or "")


def _text(file: str, row: Row) -> str:
    if file == "constants.csv":
        same = row["published"] == row["early"]
        return row["published"] if same else f"published {row['published']}, early {row['early']}"
    if file == "reavers.csv":
        return (
            f"roll {row['roll_dice']}, rally {row['rally_dice']}, promote {row['promote_bonus']}: {row['ability_text']}"
        )
    if file == "artifacts.csv":
        return f"stores {row['stored_face']}, works at {row['location'].replace('_', ' ')}"
    if row.cells.get("pillage_reward"):
        return f"pillage: {row['pillage_reward']}"
    return str(row.cells.get("benefit", ""))
