"""What can be withheld, banned or granted in Reavers of Midgard, and who took what in a recorded game.

Items are numbered kind after kind in the order of `layout.ITEM_KINDS`; ``game.edition.first_item`` tells the compiled
engine where each begins. Cards that bring an artifact are no items beside the artifact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.contract import WAYS, Item, TaflError
from simcore.items import check_copies, check_withheld
from simcore.reavers.columns import ability_column, card_column, territory_column
from simcore.reavers.events import (
    BATTLE_ENDS,
    CARD_DRAWN,
    CARD_TAKEN,
    GRANTED,
    LOCATION_SELECTED,
    REAVER_SPECIALISED,
    ROUND_STARTS,
    TERRITORY_CLAIMED,
    UPGRADE_TAKEN,
)
from simcore.reavers.filling import ability_names
from simcore.reavers.layout import (
    ABILITY_ITEM,
    ARTIFACT,
    ARTIFACT_ITEM,
    BATTLE_ITEM,
    BLANK,
    CATEGORY_NAMES,
    KEEP_DECK,
    LOCATION_ITEM,
    LOCATION_NAMES,
    N_LEVELS,
    N_LOCATIONS,
    N_STACKS,
    NOWHERE,
    PROPHECY_DECK,
    PROPHECY_ITEM,
    SPOILS_ITEM,
    TAPESTRY,
    TERRITORY_ITEM,
    TERRITORY_NAMES,
    UPGRADE_ITEM,
    VILLAGE_DECK,
    WEAPONS,
)

if TYPE_CHECKING:
    from simcore.reavers.cards import ReaversEdition

_CARDS = ("withheld", "granted")


def items(edition: ReaversEdition, n_players: int) -> tuple[Item, ...]:
    """Return every item (see `simcore.contract.GameSpec`): the same at every table size."""
    return tuple(item for of_kind in edition.items_by_kind for item in of_kind)


def items_by_kind(edition: ReaversEdition) -> list[list[Item]]:
    """Return the items of each kind, in the order of `layout.ITEM_KINDS`."""
    rows = edition.rows
    found = [[Item("location", f"location:{name}", name.replace("_", " "), WAYS[:2]) for name in LOCATION_NAMES]]
    for kind, file, flag in (
        ("prophecy", "prophecies.csv", "prophecy"),
        ("artifact", "artifacts.csv", "artifact"),
        ("upgrade", "ship_upgrades.csv", "upgrade"),
    ):
        columns = [card_column(flag, row["id"]) for row in rows[file]]
        found.append(
            [
                Item(kind, f"{kind}:{row['id']}", row["name"].replace("_", " "), _CARDS, column)
                for row, column in zip(rows[file], columns, strict=True)
            ]
        )
    spoils = [edition.spoils[i] for i in spoils_items(edition)]
    found.append([Item("spoils", f"spoils:{row['id']}", row["name"], _CARDS) for row in spoils])
    found.append([Item("battle", f"battle:{row['id']}", row["name"], _CARDS) for row in rows["sea_battles.csv"]])
    found.append([_territory(edition, stack) for stack in range(N_STACKS)])
    found.append([_ability(name, text) for name, text in edition.abilities])
    return found


def _territory(edition: ReaversEdition, stack: int) -> Item:
    kind, level = TERRITORY_NAMES[stack // N_LEVELS], stack % N_LEVELS + 1
    has_tiles = any(row["type"] == kind and row["level"] == level for row in edition.rows["territories.csv"])
    title = f"{kind} territory, level {level}"
    return Item(
        "territory", f"territory:{kind}-{level}", title, _CARDS if has_tiles else (), territory_column(kind, level)
    )


def _ability(name: str, text: str) -> Item:
    if not name:
        return Item("ability", "ability:none", "specialist without ability", (), ability_column(name))
    return Item("ability", f"ability:{name}", f"specialist: {text}", _CARDS, ability_column(name))


def spoils_items(edition: ReaversEdition) -> list[int]:
    """Return the spoils that are items, in order: all but the cards that bring an artifact."""
    return [i for i, row in enumerate(edition.spoils) if row["category"] != "artifact"]


def first_items(edition: ReaversEdition) -> np.ndarray:
    """Return int64[N_ITEM_KINDS]: the number of the first item of each kind."""
    sizes = [len(of_kind) for of_kind in edition.items_by_kind]
    return np.cumsum([0, *sizes[:-1]])


def check_edition(edition: ReaversEdition) -> None:
    """Refuse what the edition cannot withhold.

    Raises
    ------
    TaflError
        An unknown item, one that is there twice, more locations than a round can do without.
    """
    check_withheld(items(edition, 2), edition.withheld)
    check_copies(edition.withheld, {})


def fill_items(edition: ReaversEdition, table: Any) -> None:
    """Number the items in the filled ``game.edition`` and blank what is withheld.

    A withheld card stays in its place and does nothing; of ship upgrades there are no tokens, of territories no tiles.

    Raises
    ------
    TaflError
        If too few locations are left for a round.
    """
    table.first_item = first_items(edition)
    spoils = spoils_items(edition)
    table.spoils_of_item[: len(spoils)] = spoils
    for field in ("prophecy_in_play", "battle_in_play", "ability_in_play"):
        table[field] = 1
    numbers = {item.item_id: number for number, item in enumerate(items(edition, 2))}
    for item_id in edition.withheld:
        number = numbers[item_id]
        kind = int(np.searchsorted(table.first_item, number, side="right")) - 1
        _withhold(edition, kind, number - int(table.first_item[kind]), table)
    n_left = N_LOCATIONS - int(table.location_withheld.sum())
    if table.n_selections > n_left:
        raise TaflError(
            f"a round selects {table.n_selections} locations, but without the withheld ones {n_left} are left."
        )


def _withhold(edition: ReaversEdition, kind: int, place: int, table: Any) -> None:
    """Blank one item: `place` counts within its kind."""
    if kind == LOCATION_ITEM:
        table.location_withheld[place] = 1
    elif kind == PROPHECY_ITEM:
        table.prophecy_in_play[place] = table.prophecy_glory[place] = table.prophecy_cap[place] = 0
    elif kind == ARTIFACT_ITEM:
        for spoils in np.flatnonzero(table.spoils_category[: table.n_spoils] == ARTIFACT):
            if table.spoils_ref[spoils] == place:
                _blank_spoils(edition, int(spoils), table)
                table.spoils_kept[spoils] = 1  # its owner keeps a blank, as the artifact
    elif kind == UPGRADE_ITEM:
        table.upgrade_copies[place] = 0
    elif kind == SPOILS_ITEM:
        _blank_spoils(edition, int(table.spoils_of_item[place]), table)
    elif kind == BATTLE_ITEM:
        table.battle_in_play[place] = table.battle_reward[place] = 0
    elif kind == TERRITORY_ITEM:
        table.n_stack[place] = 0
    else:
        table.ability_in_play[place] = 0
        reavers = table.ability[: table.n_reavers] == place
        table.ability_gain[: table.n_reavers][reavers] = 0
        table.ability_cost[: table.n_reavers][reavers] = 0


def _blank_spoils(edition: ReaversEdition, spoils: int, table: Any) -> None:
    """Blank a spoils card; without one of its kinds a set of Tapestries or weapons is worth its single cards."""
    category = CATEGORY_NAMES.index(edition.spoils[spoils]["category"])
    table.spoils_category[spoils] = BLANK
    table.spoils_gain[spoils] = table.spoils_defense[spoils] = table.spoils_reward[spoils] = 0
    table.spoils_set[spoils] = NOWHERE
    n_kinds = int((table.spoils_category[: table.n_spoils] == category).sum())
    if category == TAPESTRY:
        table.tapestry_set = n_kinds * table.tapestry_single
    elif category == WEAPONS:
        table.weapons_set = n_kinds * table.weapons_single


def takings(edition: ReaversEdition, n_players: int, events: np.ndarray) -> np.ndarray:
    """Return who took which item when, of one recorded game (see `simcore.contract.GameSpec`).

    A location is taken by who selects it, a sea battle by who wins it, an ability by who specialises a Reaver with it,
    any other card by who takes or draws it. Blanks are no items.

    Parameters
    ----------
    events : int64[n_events, EVENT_SIZE]
        See `simcore.reavers.events`.

    Returns
    -------
    int64[n, 3]
        Seat, item, round.
    """
    kind, seat, a, b = events[:, 0], events[:, 1], events[:, 2], events[:, 3]
    first = first_items(edition)
    item = np.full(len(events), -1)
    gained = (kind == CARD_TAKEN) | (kind == CARD_DRAWN)
    for happened, numbers, field in (
        (kind == LOCATION_SELECTED, first[LOCATION_ITEM] + np.arange(N_LOCATIONS), a),
        (gained & (a == PROPHECY_DECK), first[PROPHECY_ITEM] + np.arange(len(edition.rows["prophecies.csv"])), b),
        (gained & ((a == VILLAGE_DECK) | (a == KEEP_DECK)), _numbers_of_spoils(edition, first), b),
        (kind == UPGRADE_TAKEN, first[UPGRADE_ITEM] + np.arange(len(edition.rows["ship_upgrades.csv"])), b),
        ((kind == BATTLE_ENDS) & (b == 1), first[BATTLE_ITEM] + np.arange(len(edition.rows["sea_battles.csv"])), a),
        (kind == TERRITORY_CLAIMED, first[TERRITORY_ITEM] + np.arange(N_STACKS), a),
        (kind == REAVER_SPECIALISED, _numbers_of_reavers(edition, first), a),
    ):
        item[happened] = numbers[field[happened]]
    told_already = ((a >= first[UPGRADE_ITEM]) & (a < first[SPOILS_ITEM])) | (a >= first[ABILITY_ITEM])
    granted = (kind == GRANTED) & ~told_already
    item[granted] = a[granted]
    ids = [one.item_id for one in items(edition, n_players)]
    taken = (item >= 0) & ~np.isin(item, [ids.index(item_id) for item_id in edition.withheld])
    return np.stack([seat[taken], item[taken], np.cumsum(kind == ROUND_STARTS)[taken]], axis=1)


def _numbers_of_spoils(edition: ReaversEdition, first: np.ndarray) -> np.ndarray:
    """Return int64[n_spoils]: the item that a spoils card brings, itself or its artifact."""
    artifacts = [row["id"] for row in edition.rows["artifacts.csv"]]
    places = {spoils: place for place, spoils in enumerate(spoils_items(edition))}
    return np.array(
        [
            first[SPOILS_ITEM] + places[i] if i in places else first[ARTIFACT_ITEM] + artifacts.index(row["ref"])
            for i, row in enumerate(edition.spoils)
        ]
    )


def _numbers_of_reavers(edition: ReaversEdition, first: np.ndarray) -> np.ndarray:
    """Return int64[n_reavers]: the ability that a Reaver brings."""
    rows = edition.rows["reavers.csv"]
    names = ability_names(rows)
    return first[ABILITY_ITEM] + np.array([names.index(row["ability_id"]) for row in rows])
