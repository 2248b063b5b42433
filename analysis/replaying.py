"""One game of a run, played again by the compiled engine that counted it, in words and event by event."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis import explanation, runs
from simcore import blocks
from simcore.contract import DataError, TaflError
from simcore.manifest import engine_digest
from simcore.runner import replay
from simcore.store import load_result
from simcore.weighing import Worths


@dataclass(frozen=True)
class Replay:
    """One game of a run, played again.

    Attributes
    ----------
    manifest : dict
        The run's.
    game_number : int
        From 0.
    seat_names : tuple of str
        The strategy in each seat of this game.
    lines : list of str
        The game in words.
    events : list of dict
        The game's events; see the game's ``narration.py``.
    rows : int64[n_seats, n_slots]
        The result rows that counted.
    """

    manifest: dict[str, Any]
    game_number: int
    seat_names: tuple[str, ...]
    lines: list[str]
    events: list[dict[str, Any]]
    rows: np.ndarray


def replay_game(folder: str | Path, game_number: int, any_engine: bool = False, explain: bool = False) -> Replay:
    """Play one game of a run again, by the compiled engine that counted it.

    Parameters
    ----------
    folder : path
        A run folder.
    game_number : int
        0 to the run's number of games less 1; of a run that a rule stopped, those before the stop.
    any_engine : bool
        Replay although the rules, luck or shipped strategies of tafl have changed since: the game may be another one.
    explain : bool
        Also say what each option was worth to the strategy that chose, where it says so.

    Raises
    ------
    TaflError
        If there is no such run or game, the engine has changed, or no strategy of the run explains itself.
    """
    result = load_result(folder)
    manifest = result.manifest
    n_games = manifest["n_games"] if result.stopped is None else result.stopped.n_games
    if not 0 <= game_number < n_games:
        raise TaflError(f"there is no game {game_number}: the run's games are 0 to {n_games - 1}.")
    if not any_engine and manifest["engine"] != engine_digest(manifest["game"]):
        raise DataError(
            f"the run '{folder}' was played by another tafl ({manifest['tafl_version']}): its rules, luck or "
            "strategies have changed since, so the game could be another one. --any-engine replays it all the same."
        )
    setup = runs.make_ready(runs.choose_again(Path(folder), manifest))
    plan = setup.plan(manifest["seating"], manifest["seed"])
    events, rows = replay(setup.spec, setup.edition, setup.entrants, plan.seating, plan.seed, game_number)
    seats = plan.seating[blocks.game_place(game_number, plan.games_per_block)[1]]
    seat_names = tuple(setup.entrants[entrant].name for entrant in seats)
    worths = _worths(folder, game_number, rows) if explain else None
    return Replay(
        manifest,
        game_number,
        seat_names,
        setup.spec.narrate(setup.edition, events, seat_names, worths),
        setup.spec.events_as_json(setup.edition, events, seat_names, worths),
        rows,
    )


def _worths(folder: str | Path, game_number: int, rows: np.ndarray) -> Worths:
    """Return what options were worth, from a game that ended as the compiled one did."""
    worths, again = explanation.worths(folder, game_number)
    if not np.array_equal(again, rows):
        raise DataError(
            f"game {game_number} ends otherwise in plain Python than compiled, so what it says of its options would be "
            "of another game: run `tafl check` on its strategies."
        )
    if not any(worths):
        raise TaflError(
            f"no strategy of the run '{folder}' says what its options are worth to it: docs/strategies.md tells how."
        )
    return worths
