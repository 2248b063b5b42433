"""Nidavellir's edition: the checked tables, and how they get into a game's record.

What a table may hold is declared in `schema`, whether the tables fit together is checked in `checks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from simcore.contract import Provenance
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
from simcore.nidavellir.checks import check_tables, deck_cards, points_by_class, treasure_copies
from simcore.nidavellir.columns import columns
from simcore.nidavellir.items import BLANK_NAME, check_edition, items, withhold
from simcore.nidavellir.layout import (
    CLASS_NAMES,
    GAME,
    HERO_EFFECTS,
    MAX_BROTHERS,
    MAX_PLAYERS,
    MAX_RANKS,
    NOWHERE,
)
from simcore.nidavellir.schema import (
    CARD_CLASSES,
    DATA_FOLDER,
    FILES,
    HERO_CLASSES,
    PRESETS,
    RULE_SWITCHES,
    SCHEMAS,
)
from simcore.tables import Row, Table, check_source, read_table

__all__ = [
    "DATA_FOLDER",
    "PRESETS",
    "RULE_SWITCHES",
    "NidavellirEdition",
    "card_rows",
    "columns",
    "fill_edition",
    "load_edition",
]

_SWITCH_FIELDS = (
    ("exchange_gives_up", "exchange_gives_up_lower"),
    ("warrior_majority", "warrior_majority_points"),
    ("exchange_optional", "exchange_optional"),
    ("return_before_take", "return_before_take"),
    ("distinction_snapshot", "distinction_snapshot"),
    ("hero_rule", "every_completion"),
    ("line_check", "line_check_before_discards"),
    ("discard_target", "discard_last_dwarf_anywhere"),
)
"""Switches that the engine looks at, with their fields: 0 is the default, 1 the other choice."""


@dataclass(frozen=True)
class NidavellirEdition:
    """Nidavellir's tables and switches, read and checked (implements `simcore.contract.Edition`).

    Attributes
    ----------
    name : str
        ``official``, ``review``, ``primer``, or a folder's name.
    digest : str
        64 hex digits over tables and switches.
    rules : dict
        Every switch with the value in force.
    files : dict
        File name -> text: the tables, ``rules.toml``, and a page that explains the columns.
    provenance : Provenance
        How many rows are sourced; changed rows count as assumed.
    tables : dict of Table
        By file name; `dwarves`, `heroes`... give them by their own names.
    card_names, hero_names : tuple of str
        What a reader calls each card type and hero, by number; the last card is the blank of withheld ones.
    distinction_names : tuple of str
        By class number.
    withheld : tuple of str
        Ids of the items that nobody can have.
    """

    name: str
    digest: str
    rules: Mapping[str, str]
    files: Mapping[str, str]
    provenance: Provenance
    tables: Mapping[str, Table]
    card_names: tuple[str, ...]
    hero_names: tuple[str, ...]
    distinction_names: tuple[str, ...]
    withheld: tuple[str, ...] = ()

    @property
    def rows(self) -> Mapping[str, tuple[Row, ...]]:
        """File name -> the rows in force: all of them."""
        return {file: table.rows for file, table in self.tables.items()}

    @property
    def dwarves(self) -> Table:
        """Card types of both decks and the Great Armorer's card, in the order of their numbers."""
        return self.tables["dwarves.csv"]

    @property
    def heroes(self) -> Table:
        """Heroes in the order of their numbers."""
        return self.tables["heroes.csv"]

    @property
    def coins(self) -> Table:
        """Initial, treasure and special coins."""
        return self.tables["coins.csv"]

    @property
    def gems(self) -> Table:
        """Gems, the crown jewel included."""
        return self.tables["gems.csv"]

    @property
    def distinctions(self) -> Table:
        """Distinctions in the order in which they are counted."""
        return self.tables["distinctions.csv"]

    @property
    def scoring(self) -> Table:
        """Points by ranks and by brothers."""
        return self.tables["scoring_tables.csv"]

    @property
    def setup(self) -> Table:
        """Cards, rounds and decks by number of players."""
        return self.tables["setup_by_players.csv"]

    def heroes_in_play(self) -> list[int]:
        """Return the numbers of the heroes on display under the switches in force, withheld ones among them."""
        beginner = self.rules["heroes"] == "beginner"
        return [hero for hero, row in enumerate(self.heroes) if not (beginner and row["advanced"])]


def load_edition(
    name: str = "official", rules: Mapping[str, str] | None = None, withheld: Sequence[str] = ()
) -> NidavellirEdition:
    """Read and check an edition.

    Parameters
    ----------
    name : str
        A shipped edition (``official``, ``review``, ``primer``) or a folder.
    rules : mapping, optional
        Switches that come on top.
    withheld : sequence of str
        Ids of items (`items`) that nobody can have; a card once for each copy.

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
    dwarves, distinctions = tables["dwarves.csv"], tables["distinctions.csv"]
    names = {row["majority_of"]: row["name"] for row in distinctions}
    edition = NidavellirEdition(
        name=source.name,
        digest=digest("nidavellir", source.texts, source.rules, source.withheld),
        rules=source.rules,
        files={
            **source.texts,
            **source.beside,
            RULES_FILE: rules_text(source.rules, RULE_SWITCHES, source.withheld),
            README_FILE: readme_text("Nidavellir", SCHEMAS),
        },
        provenance=count_provenance(tables.values()),
        tables=tables,
        card_names=(*(_card_name(row, distinctions) for row in dwarves), BLANK_NAME),
        hero_names=tuple(tables["heroes.csv"].column("name")),
        distinction_names=tuple(names[c] for c in CLASS_NAMES),
        withheld=source.withheld,
    )
    check_edition(edition)
    return replace(edition, name=name_without(edition.name, items(edition, MAX_PLAYERS), edition.withheld))


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


def _card_name(row: Row, distinctions: Table) -> str:
    if row["class"] == "royal_offering":
        return f"royal offering +{row['coin_bonus']}"
    if row["age"] == "distinction":
        return next(r["name"] for r in distinctions if r["effect"] == "armorer_card")
    name = row["class"]
    if row["points"] or row["class"] in ("warrior", "miner", "explorer"):
        name += f" {row['points']}"
    return name if row["ranks"] == 1 else f"{name} ({row['ranks']} ranks)"


def fill_edition(edition: NidavellirEdition, n_players: int, game: Any) -> None:
    """Write the tables for `n_players` into a game's record and clear the rest of it.

    Card types have the numbers of the rows of ``dwarves.csv`` at every player count; those that are not used have no
    copies. Scoring tables go on beyond their last row with its last difference (nobody gets there: it is checked).

    Parameters
    ----------
    game : record of `layout.GAME`
        Element 0 of an array of one.
    """
    blank = np.zeros(1, GAME)[0]
    for name in GAME.names or ():
        game[name] = blank[name]
    table = game.edition
    _fill_cards(edition, n_players, table)
    _fill_heroes(edition, table)
    _fill_scoring(edition, table)
    _fill_material(edition, n_players, table)
    withhold(edition, table)
    for key, field in _SWITCH_FIELDS:
        choices = next(switch.choices for switch in RULE_SWITCHES if switch.key == key)
        table[field] = choices.index(edition.rules[key])
    game.n_players = n_players


def _fill_cards(edition: NidavellirEdition, n_players: int, table: Any) -> None:
    dwarves = edition.dwarves
    table.n_card_types = len(dwarves)
    table.blank_card = NOWHERE
    for card, row in enumerate(dwarves):
        table.card_class[card] = CARD_CLASSES.index(row["class"])
        table.card_points[card] = row["points"]
        table.card_ranks[card] = row["ranks"]
        table.card_bonus[card] = row["coin_bonus"]
        if row["age"] == "distinction":
            table.armorer_card = card
    for age in (1, 2):
        deck = deck_cards(dwarves, age, n_players)
        table.n_deck[age] = len(deck)
        for place, card in enumerate(deck):
            table.deck[age, place] = card
            table.card_copies[age, card] += 1


def _fill_heroes(edition: NidavellirEdition, table: Any) -> None:
    table.n_heroes = len(edition.heroes)
    table.thrud = table.ylud = NOWHERE
    for hero, row in enumerate(edition.heroes):
        table.hero_class[hero] = HERO_CLASSES.index(row["class"])
        table.hero_ranks[hero] = row["ranks"]
        table.hero_points[hero] = row["points"]
        table.hero_effect[hero] = HERO_EFFECTS.index(row["effect"])
        table.hero_amount[hero] = row["amount"]
        table.hero_needs_class[hero] = CLASS_NAMES.index(row["needs_class"]) if row["needs_class"] else NOWHERE
        table.hero_needs_ranks[hero] = row["needs_ranks"]
        if row["needs_class"] or row["effect"] == "discard_dwarves":
            table.conditional_hero[table.n_conditional] = hero
            table.n_conditional += 1
        if row["effect"] == "headhunter":
            table.thrud = hero
        elif row["effect"] == "unpredictable":
            table.ylud = hero
            for c, points in enumerate(points_by_class(row)):
                table.ylud_points[c] = points
    for hero in edition.heroes_in_play():
        table.hero_in_play[hero] = 1


def _fill_scoring(edition: NidavellirEdition, table: Any) -> None:
    for column, field, size in (
        ("blacksmith", "blacksmith_score", MAX_RANKS),
        ("hunter", "hunter_score", MAX_RANKS),
        ("dwerg_brothers_total", "brothers_score", MAX_BROTHERS),
    ):
        points = [value for value in edition.scoring.column(column) if value is not None][:size]
        while len(points) < size:
            points.append(points[-1] + (points[-1] - points[-2] if len(points) > 1 else 0))
        table[field] = points


def _fill_material(edition: NidavellirEdition, n_players: int, table: Any) -> None:
    coins, gems = edition.coins, edition.gems
    slot = 0
    for row in sorted(coins, key=lambda row: (-row["exchange_coin"], row["value"])):
        for _ in range(row["per_player"] if row["kind"] == "initial" else 0):
            table.initial_coin[slot] = row["value"]
            slot += 1
        if row["kind"] == "treasure":
            copies = treasure_copies(row, n_players, edition.rules)
            table.treasure[row["value"]] += copies
            table.n_treasure += copies
        elif row["kind"] == "special":
            table.special_coin = row["value"]
    in_play = sorted(row["gem"] for row in gems if row[f"in_play_{n_players}p"])
    for place, gem in enumerate(in_play):
        table.gem[place] = gem
    jewel = next(row for row in gems if not row["tradable"])
    table.crown_jewel = jewel["gem"]
    table.crown_jewel_points = jewel["end_points"]
    amounts = {row["effect"]: row["amount"] for row in edition.distinctions}
    table.kings_hand_bonus = amounts["transform_coin"]
    table.pioneer_cards = amounts["pioneer"]
    setup = next(row for row in edition.setup if row["players"] == n_players)
    table.n_players = n_players
    table.cards_per_tavern = setup["cards_per_tavern"]
    table.rounds_per_age = setup["rounds_per_age"]


def card_rows(edition: NidavellirEdition) -> list[dict[str, str]]:
    """Return every card, coin and gem as text, for ``tafl cards``; all rows have the same keys."""
    rows = []
    for name, row in zip(edition.card_names, edition.dwarves, strict=False):
        kind = "distinction card" if row["age"] == "distinction" else f"age {row['age']}"
        players = "2-5" if row["count_min_players"] == 2 else f"{row['count_min_players']}-5"
        players = players.replace("5-5", "5")
        rows.append(_card_row(kind, row, row["card_id"], name, copies=row["copies"], players=players, text=row["note"]))
    in_play = edition.heroes_in_play()
    for hero, row in enumerate(edition.heroes):
        name = f"{row['name']} {row['epithet']}".strip()
        text = row["text"] if hero in in_play else f"(not on display under heroes=beginner) {row['text']}"
        rows.append(_card_row("hero", row, row["hero_id"], name, copies=1, players="2-5", text=text))
    for row in edition.distinctions:
        rows.append(_card_row("distinction", row, row["majority_of"], row["name"], copies=1, players="2-5"))
    for row in edition.coins:
        copies = row["per_player"] if row["kind"] == "initial" else row["copies_5p"]
        text = "each player" if row["kind"] == "initial" else ""
        if row["kind"] == "treasure":
            small = treasure_copies(row, 2, edition.rules)
            text = f"{small} with 2 or 3 players" if small != copies else ""
        name = f"{row['kind']} coin {row['value']}"
        rows.append(_card_row("coin", row, "", name, copies=copies, players="2-5", text=text))
    for row in edition.gems:
        players = ", ".join(str(n) for n in (2, 3, 4, 5) if row[f"in_play_{n}p"])
        text = f"{row['end_points']} points at the end" if row["end_points"] else ""
        rows.append(_card_row("gem", row, "", f"gem {row['gem']}", copies=1, players=players or "2-5", text=text))
    return rows


def _card_row(
    kind: str, row: Row, card_id: str, name: str, *, copies: int, players: str, text: str | None = None
) -> dict[str, str]:
    cells = row.cells
    return {
        "kind": kind,
        "id": card_id,
        "name": name,
        "class": cells.get("class", cells.get("majority_of", "")),
        "points": str(cells.get("points", "")),
        "ranks": str(cells.get("ranks", "")),
        "copies": str(copies),
        "players": players,
        "text": cells.get("text", "") if text is None else text,
        "confidence": cells["confidence"],
    }
