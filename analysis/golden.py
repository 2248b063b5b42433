"""One game of each game whose result is known: what an installation has to play to be trusted.

The results lie in ``golden.json`` beside this file. They change only when a rule or the luck does; after such a change
``python -m analysis.golden`` writes them anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from analysis.runs import set_up
from simcore import blocks
from simcore.games import GAMES
from simcore.runner import replay

PATH = Path(__file__).with_name("golden.json")
STRATEGY = "random"
"""Its answers need nothing but the luck."""

SEED = 20
GAME_NUMBER = 1_000_000_007


def known(game: str) -> dict[str, Any] | None:
    """Return the stored result of a game, or None if there is none."""
    stored: dict[str, dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    return stored.get(game)


def play(game: str) -> dict[str, Any]:
    """Play a game's golden game.

    Returns
    -------
    dict
        ``scores`` by seat; ``rows`` and ``events``, digests of everything that was counted and that happened.
    """
    setup = set_up(game, [STRATEGY])
    plan = setup.plan("rotations", SEED)
    events, rows = replay(setup.spec, setup.edition, setup.entrants, plan.seating, SEED, GAME_NUMBER)
    columns = setup.spec.columns(setup.edition, plan.n_seats)
    score = next(column.slot for column in columns if column.name == "score")
    kept = rows[:, [column.slot for column in columns]]
    return {
        "players": len(setup.lineup),
        "place": list(blocks.game_place(GAME_NUMBER, plan.games_per_block)),
        "scores": [int(x) for x in rows[:, score]],
        "rows": hashlib.sha256(kept.astype("<i8").tobytes()).hexdigest()[:16],
        "events": hashlib.sha256(events.astype("<i8").tobytes()).hexdigest()[:16],
    }


def main() -> None:
    """Write the results of all games."""
    found = {game.game_id: play(game.game_id) for game in GAMES}
    PATH.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(f"{PATH.name}: {', '.join(found)}")


if __name__ == "__main__":
    main()
