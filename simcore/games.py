"""The games there are. A new game is a folder with a ``spec.py`` and a line here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from simcore.contract import GameSpec, TaflError
from simcore.naming import unknown


@dataclass(frozen=True)
class GameEntry:
    """A game's name and table sizes, known without loading its engine."""

    game_id: str
    title: str
    min_players: int
    max_players: int
    says: str


GAMES = (
    GameEntry(
        "nidavellir",
        "Nidavellir",
        2,
        5,
        "base game: bid coins for dwarves, complete lines to recruit heroes",
    ),
    GameEntry(
        "reavers",
        "Reavers of Midgard",
        2,
        5,
        "raid, trade and fight at sea for six rounds (five players are experimental)",
    ),
)


def find_entry(game_id: str) -> GameEntry:
    """Return what is known of a game without loading it.

    Raises
    ------
    TaflError
        There is no such game.
    """
    for entry in GAMES:
        if entry.game_id == game_id:
            return entry
    raise TaflError(unknown("game", game_id, [entry.game_id for entry in GAMES]))


def find_game(game_id: str) -> GameSpec:
    """Load a game.

    Raises
    ------
    TaflError
        There is no such game.
    """
    find_entry(game_id)
    spec: GameSpec = importlib.import_module(f"simcore.{game_id}.spec").SPEC
    return spec
