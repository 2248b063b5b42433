"""What each slot of a result row means, for an edition and a number of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.contract import Column
from simcore.reavers.layout import (
    ABILITY_SLOT,
    ACTED_SLOT,
    ARTIFACT_SLOT,
    COLOUR_NAMES,
    COMPONENT_NAMES,
    COMPONENT_SLOT,
    COUNT_NAMES,
    COUNT_SLOT,
    DECISIONS_SLOT,
    DICE_BY_ROUND_SLOT,
    FOOD_BY_ROUND_SLOT,
    GLORY_BY_ROUND_SLOT,
    LEADER_SLOT,
    LOCATION_NAMES,
    MARGIN_SLOT,
    N_LEVELS,
    N_STACKS,
    PLACE_SLOT,
    PROPHECY_SLOT,
    SCORE_SLOT,
    SEAT_SLOT,
    SELECTED_SLOT,
    START_PLAYER_SLOT,
    TERRITORY_NAMES,
    TERRITORY_SLOT,
    TILES_BY_ROUND_SLOT,
    UPGRADE_SLOT,
    WIN_SLOT,
)

if TYPE_CHECKING:
    from simcore.reavers.cards import ReaversEdition

LOWEST_COUNTED_SCORE = -50
HIGHEST_COUNTED_SCORE = 350
WIDEST_COUNTED_MARGIN = 250

COMPONENT_TITLES = {
    "sea_battles": "sea battles won",
    "sea_bonus": "selecting Battle at Sea",
    "journeys": "sea journeys",
    "territory_income": "territory income",
    "territory_rewards": "territory rewards",
    "pillage": "pillaging",
    "ship_upgrades": "ship upgrades turned into Glory",
    "specialists": "specialists",
    "artifact_uses": "artifacts used",
    "other": "other Glory on the track",
    "treasure": "treasure",
    "art": "art",
    "armor": "armor",
    "tapestries": "tapestries",
    "weapons": "weapons",
    "runic_carvings": "runic carvings",
    "artifacts": "artifacts owned",
    "wall_tokens": "wall tokens",
    "tower_tokens": "tower tokens",
    "farm_tokens": "farm tokens",
    "terror": "terror",
    "prophecies": "prophecies",
    "reavers": "Reavers",
    "leftovers": "leftover food and favor",
}

COUNT_TITLES = {
    "n_own_selections": ("own selections", "locations", "selections"),
    "n_rests": ("rests", "locations", "rests"),
    "n_rallied": ("Reavers rallied", "reavers", "cards"),
    "n_promoted": ("Reavers promoted", "reavers", "cards"),
    "n_specialised": ("Reavers specialised", "reavers", "cards"),
    "n_abilities": ("specialists used", "reavers", "uses"),
    "n_artifacts": ("artifacts owned", "ship", "cards"),
    "n_artifact_uses": ("artifacts used", "ship", "uses"),
    "n_upgrades": ("ship upgrades at the end", "ship", "tokens"),
    "n_upgrade_uses": ("ship upgrades used", "ship", "uses"),
    "n_combats": ("combats", "combat", "combats"),
    "n_combats_won": ("combats won", "combat", "combats"),
    "n_combat_dice": ("combat dice rolled", "combat", "dice"),
    "n_rerolls": ("Favor rerolls", "combat", "rerolls"),
    "n_battles": ("sea battles won", "combat", "cards"),
    "n_tiles": ("territories owned", "board", "tiles"),
    "n_prophecies": ("prophecies", "board", "cards"),
    "n_reavers": ("Reavers gained", "reavers", "cards"),
    "n_dice_gained": ("crew dice gained", "dice", "dice"),
    "n_dice_discarded": ("crew dice discarded on overflow", "dice", "dice"),
    "n_terror": ("terror tokens", "board", "tokens"),
    "food_left": ("food left", "left", "food"),
    "favor_left": ("favor left", "left", "favor"),
    "dice_left": ("crew dice left", "left", "dice"),
}

_BY_ROUND = (
    ("glory", "Glory", GLORY_BY_ROUND_SLOT, "points"),
    ("food", "food", FOOD_BY_ROUND_SLOT, "food"),
    ("dice", "crew dice", DICE_BY_ROUND_SLOT, "dice"),
    ("territories", "territories", TILES_BY_ROUND_SLOT, "tiles"),
)


def columns(edition: ReaversEdition, n_players: int) -> tuple[Column, ...]:
    """Return the columns of a result row that mean something in this edition at this table.

    The components add up to the score: the first ten are Glory taken on the track, by where it came from, the others
    are the final scoring (section 12).
    """
    return (
        Column("win", "win share", WIN_SLOT, "outcome", unit="sixtieths of a win"),
        Column(
            "score",
            "score",
            SCORE_SLOT,
            "outcome",
            unit="points",
            low=LOWEST_COUNTED_SCORE,
            high=HIGHEST_COUNTED_SCORE,
        ),
        Column(
            "margin",
            "margin to the best rival",
            MARGIN_SLOT,
            "outcome",
            unit="points",
            low=-WIDEST_COUNTED_MARGIN,
            high=WIDEST_COUNTED_MARGIN,
        ),
        Column("place", "place", PLACE_SLOT, "outcome", unit="place", low=1, high=n_players),
        *_components(),
        *_measures(edition),
        *_flags(edition, n_players),
    )


def _components() -> list[Column]:
    return [
        Column(f"glory_{name}", COMPONENT_TITLES[name], COMPONENT_SLOT + i, "component", "score", "points")
        for i, name in enumerate(COMPONENT_NAMES)
    ]


def _measures(edition: ReaversEdition) -> list[Column]:
    measures = []
    for i, name in enumerate(COUNT_NAMES):
        title, group, unit = COUNT_TITLES[name]
        measures.append(Column(name, title, COUNT_SLOT + i, "measure", group, unit))
    measures.append(Column("n_decisions", "decisions of the table", DECISIONS_SLOT, "measure", "", "decisions"))
    for i, location in enumerate(LOCATION_NAMES):
        title = location.replace("_", " ")
        measures.append(
            Column(f"selected_{location}", f"{title} selected", SELECTED_SLOT + i, "measure", "selected", "times")
        )
        measures.append(Column(f"acted_{location}", f"{title} used", ACTED_SLOT + i, "measure", "acted", "times"))
    rounds = int(next(row["published"] for row in edition.rows["constants.csv"] if row["key"] == "rounds"))
    for name, title, slot, unit in _BY_ROUND:
        for n in range(rounds + 1):
            when = f"after round {n}" if n else "at the start"
            measures.append(
                Column(f"{name}_round_{n}", f"{title} {when}", slot + n, "measure", f"{name}_by_round", unit)
            )
    return measures


def _flags(edition: ReaversEdition, n_players: int) -> list[Column]:
    flags = []
    for i, colour in enumerate(COLOUR_NAMES):
        flags.append(Column(f"leader_{colour}", f"{colour} leader", LEADER_SLOT + i, "flag", "leader"))
    for i, (name, text) in enumerate(edition.abilities):
        title = f"specialist: {text}" if text else "specialist without ability"
        flags.append(Column(ability_column(name), title, ABILITY_SLOT + i, "flag", "ability"))
    for file, what, slot in (
        ("artifacts.csv", "artifact", ARTIFACT_SLOT),
        ("ship_upgrades.csv", "upgrade", UPGRADE_SLOT),
        ("prophecies.csv", "prophecy", PROPHECY_SLOT),
    ):
        for i, row in enumerate(edition.rows[file]):
            flags.append(Column(card_column(what, row["id"]), row["name"], slot + i, "flag", what))
    for stack in range(N_STACKS):
        tile_type, level = TERRITORY_NAMES[stack // N_LEVELS], stack % N_LEVELS + 1
        title = f"{tile_type} territory, level {level}"
        flags.append(Column(territory_column(tile_type, level), title, TERRITORY_SLOT + stack, "flag", "territory"))
    flags.append(Column("start_player", "start player of round 1", START_PLAYER_SLOT, "flag", "start"))
    for seat in range(n_players):
        flags.append(Column(f"seat_{seat + 1}", f"seat {seat + 1}", SEAT_SLOT + seat, "flag", "seat"))
    return flags


def ability_column(name: str) -> str:
    """Return the flag column of a kind of ability."""
    return f"ability_{_word(name)}"


def card_column(kind: str, card_id: str) -> str:
    """Return the flag column of a prophecy, an artifact or a ship upgrade."""
    return f"{kind}_{_word(card_id)}"


def territory_column(tile_type: str, level: int) -> str:
    """Return the flag column of a territory stack."""
    return f"territory_{tile_type}_{level}"


def _word(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower()) or "none"


_STANDING = (
    ("food", "food", "food_left", "", "food"),
    ("favor", "favor", "favor_left", "", "favor"),
    ("dice", "crew dice", "dice_left", "", "dice"),
    ("territories", "territories", "n_tiles", "", "tiles"),
    ("reavers", "Reavers", "n_reavers", "cards_by_round", "cards"),
    ("artifacts", "artifacts", "n_artifacts", "cards_by_round", "cards"),
    ("prophecies", "prophecies", "n_prophecies", "cards_by_round", "cards"),
    ("battles", "sea battles won", "n_battles", "cards_by_round", "cards"),
    ("upgrades", "ship upgrades", "n_upgrades", "board", "tokens"),
    ("terror", "terror", "n_terror", "board", "tokens"),
    ("rests", "rests", "n_rests", "locations", "rests"),
    ("combats_won", "combats won", "n_combats_won", "combat", "combats"),
)
"""Counts that are followed: name, title, the count it is (`layout.COUNT_NAMES`), group, unit."""


STANDING_COLUMNS = (
    Column("score", "score", SCORE_SLOT, "outcome", "score_by_round", "points"),
    Column("lead", "share of the lead", WIN_SLOT, "outcome", "lead", "sixtieths of a win"),
    *_components(),
    *(
        Column(name, title, COUNT_SLOT + COUNT_NAMES.index(count), "measure", group, unit)
        for name, title, count, group, unit in _STANDING
    ),
)
"""What is followed from round to round: the score had the game ended there, who leads, what one has."""
