"""What each option of a replayed game was worth to the strategy that chose, for those that say so.

The game is played once more in a second process in which everything is plain Python: there `strategies.explaining`
writes down what strategies tell. Its result rows must be those of the compiled game, number for number.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis import runs
from simcore.accel import INTERPRETED, compile_decision
from simcore.contract import DataError, Entrant, GameSpec, TaflError
from simcore.play import replay
from simcore.store import load_result
from strategies import explaining

Worths = list[list[tuple[int, float]]]
"""For each decision that was asked, in order: option and worth in points, for the options that were valued."""

PATIENCE = 600.0
"""Seconds for one decision: plain Python is a hundred times slower."""

_ROOT = Path(__file__).resolve().parent.parent


def worths(folder: str | Path, game_number: int) -> tuple[Worths, np.ndarray]:
    """Return what the options of a run's game were worth to those who chose, and the game's result rows.

    Parameters
    ----------
    folder : path
        A run folder.
    game_number : int

    Returns
    -------
    list
        See `Worths`.
    int64[n_seats, n_slots]
        Result rows, to be compared with those of the compiled game.

    Raises
    ------
    DataError
        If the second process ends with an error.
    """
    if INTERPRETED:
        return _listen(folder, game_number)
    path = os.pathsep.join([str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    command = [sys.executable, "-P", "-m", __name__, str(folder), str(game_number)]  # -P: see strategies.conformance
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise DataError(f"game {game_number} cannot be explained: its game in plain Python ended with: {last}")
    said = json.loads(done.stdout)
    found = [[(int(option), float(worth)) for option, worth in one] for one in said["worths"]]
    return found, np.array(said["rows"], np.int64)


def _listen(folder: str | Path, game_number: int) -> tuple[Worths, np.ndarray]:
    """Play the game in this process, which is interpreted, and write down what is told."""
    result = load_result(folder)
    setup = runs.make_ready(runs.choose_again(Path(folder), result.manifest))
    plan = setup.plan(result.manifest["seating"], result.manifest["seed"])
    heard: Worths = []
    entrants = [_overheard(entrant, setup.spec, heard) for entrant in setup.entrants]
    _, rows = replay(setup.spec, setup.edition, entrants, plan.seating, plan.seed, game_number, PATIENCE)
    return heard, rows


def _overheard(entrant: Entrant, spec: GameSpec, heard: Worths) -> Entrant:
    """Return an entrant whose decisions are written down."""

    def listening(function: Any) -> Any:
        def decide(game: Any, own: Any, n_options: int) -> Any:
            explaining.told.clear()
            answer = function(game, own, n_options)
            most: dict[int, float] = {}
            for option, worth in explaining.told:  # told again: another way to go on after it
                most[option] = max(worth, most.get(option, worth))
            heard.append(list(most.items()))
            return answer

        return decide

    addresses = [
        compile_decision(listening(function), spec.game_dtype, spec.own_dtype, cached=False)[0]
        for function in entrant.owners
    ]
    return replace(entrant, address=np.array(addresses, np.uint64))


def main(arguments: Sequence[str] | None = None) -> int:
    """Explain one game of a run: prints JSON; meant for a process under NUMBA_DISABLE_JIT=1."""
    folder, number = sys.argv[1:] if arguments is None else arguments
    try:
        found, rows = _listen(folder, int(number))
    except TaflError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(json.dumps({"worths": found, "rows": rows.tolist()}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
