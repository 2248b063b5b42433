"""What each slot of a result row means, for an edition and a number of players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.contract import Column
from simcore.nidavellir.layout import (
    BLACKSMITH_SLOT,
    BROTHERS_SLOT,
    CLASS_NAMES,
    COINS_BY_ROUND_SLOT,
    COINS_SLOT,
    DECISIONS_SLOT,
    DISTINCTION_SLOT,
    EXPLORER_SLOT,
    GEM_POINTS_SLOT,
    HERO_SLOT,
    HUNTER_SLOT,
    LARGEST_COIN_SLOT,
    MARGIN_SLOT,
    MINER_SLOT,
    N_BROTHERS_SLOT,
    N_EXCHANGES_SLOT,
    N_HEROES_SLOT,
    N_LINES_SLOT,
    NEUTRAL_SLOT,
    PLACE_SLOT,
    RANKS_SLOT,
    SCORE_SLOT,
    SEAT_SLOT,
    STARTING_GEM_SLOT,
    WARRIOR_BONUS_SLOT,
    WARRIOR_SLOT,
    WIN_SLOT,
)

if TYPE_CHECKING:
    from simcore.nidavellir.cards import NidavellirEdition

HIGHEST_COUNTED_SCORE = 700
"""Upper end of the score's histogram; a higher score is counted there (the best known games stay below 500)."""
WIDEST_COUNTED_MARGIN = 400


def columns(edition: NidavellirEdition, n_players: int) -> tuple[Column, ...]:
    """Return the columns of a result row that mean something in this edition at this table.

    The components (warriors to gem) add up to the score; the warrior bonus is the part of the warriors' points that the
    majority brought (rule 8.3) and so stands among the measures.
    """
    return (
        Column("win", "win share", WIN_SLOT, "outcome", unit="sixtieths of a win"),
        Column("score", "score", SCORE_SLOT, "outcome", unit="points", low=0, high=HIGHEST_COUNTED_SCORE),
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
        *_measures(edition, n_players),
        *_flags(edition, n_players),
    )


def _components() -> list[Column]:
    parts = (
        ("warriors", "warriors", WARRIOR_SLOT),
        ("hunters", "hunters", HUNTER_SLOT),
        ("miners", "miners", MINER_SLOT),
        ("blacksmiths", "blacksmiths", BLACKSMITH_SLOT),
        ("explorers", "explorers", EXPLORER_SLOT),
        ("neutral_heroes", "neutral heroes", NEUTRAL_SLOT),
        ("coins", "coins", COINS_SLOT),
        ("gem", "gem", GEM_POINTS_SLOT),
    )
    return [Column(name, title, slot, "component", "score", "points") for name, title, slot in parts]


def _measures(edition: NidavellirEdition, n_players: int) -> list[Column]:
    rounds = 2 * next(row["rounds_per_age"] for row in edition.setup if row["players"] == n_players)
    measures = [
        Column("warrior_bonus", "warrior majority bonus", WARRIOR_BONUS_SLOT, "measure", "warriors", "points"),
        Column("n_heroes", "heroes", N_HEROES_SLOT, "measure", "army", "heroes"),
        Column("n_brothers", "Dwerg brothers", N_BROTHERS_SLOT, "measure", "army", "heroes"),
        Column("n_lines", "lines at the end", N_LINES_SLOT, "measure", "army", "lines"),
        Column("n_exchanges", "coin exchanges", N_EXCHANGES_SLOT, "measure", "coins", "exchanges"),
        Column("largest_coin", "largest coin", LARGEST_COIN_SLOT, "measure", "coins", "coins"),
    ]
    measures.append(Column("n_decisions", "decisions of the table", DECISIONS_SLOT, "measure", "", "decisions"))
    for c, name in enumerate(CLASS_NAMES):
        measures.append(Column(f"{name}_ranks", f"{name} ranks", RANKS_SLOT + c, "measure", "ranks", "ranks"))
    for n in range(rounds + 1):
        title = f"coins after round {n}" if n else "coins at the start"
        measures.append(
            Column(f"coins_round_{n}", title, COINS_BY_ROUND_SLOT + n, "measure", "coins_by_round", "coins")
        )
    return measures


def _flags(edition: NidavellirEdition, n_players: int) -> list[Column]:
    flags = []
    for hero in edition.heroes_in_play():
        row = edition.heroes[hero]
        name = f"hero_{row['hero_id'].replace('-', '_')}"
        flags.append(Column(name, row["name"], HERO_SLOT + hero, "flag", "hero"))
    n_brothers = sum(edition.heroes[hero]["effect"] == "brother" for hero in edition.heroes_in_play())
    for n in range(n_brothers + 1 if n_brothers else 0):
        title = f"{n} Dwerg brothers" if n > 1 else "1 Dwerg brother" if n else "no Dwerg brother"
        flags.append(Column(f"brothers_{n}", title, BROTHERS_SLOT + n, "flag", "brothers"))
    for c, class_name in enumerate(CLASS_NAMES):
        title = edition.distinction_names[c]
        flags.append(Column(f"distinction_{class_name}", title, DISTINCTION_SLOT + c, "flag", "distinction"))
    gems = sorted(row["gem"] for row in edition.gems if row[f"in_play_{n_players}p"])
    for place, gem in enumerate(gems):
        flags.append(Column(f"starting_gem_{gem}", f"starting gem {gem}", STARTING_GEM_SLOT + place, "flag", "gem"))
    for seat in range(n_players):
        flags.append(Column(f"seat_{seat + 1}", f"seat {seat + 1}", SEAT_SLOT + seat, "flag", "seat"))
    return flags


_COUNTS = (
    ("n_lines", "lines", N_LINES_SLOT, "lines_by_round", "lines"),
    ("n_heroes", "heroes", N_HEROES_SLOT, "army", "heroes"),
    ("n_exchanges", "coin exchanges", N_EXCHANGES_SLOT, "coins", "exchanges"),
    ("largest_coin", "largest coin", LARGEST_COIN_SLOT, "coins", "coins"),
)
STANDING_COLUMNS = (
    Column("score", "score", SCORE_SLOT, "outcome", "score_by_round", "points"),
    Column("lead", "share of the lead", WIN_SLOT, "outcome", "lead", "sixtieths of a win"),
    *_components(),
    *(Column(name, title, slot, "measure", group, unit) for name, title, slot, group, unit in _COUNTS),
    *(
        Column(f"{name}_ranks", f"{name} ranks", RANKS_SLOT + c, "measure", "ranks_by_round", "ranks")
        for c, name in enumerate(CLASS_NAMES)
    ),
)
"""What is followed from round to round: the score had the game ended there, who leads, what one has."""
