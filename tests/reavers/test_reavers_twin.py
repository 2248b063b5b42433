"""The engine as plain Python gives the same numbers as the compiled one, event by event."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from reavers_twin_games import played

from simcore.accel import INTERPRETED


@pytest.mark.skipif(INTERPRETED, reason="nothing to compare with")
def test_the_interpreted_engine_plays_the_same_games():
    script = Path(__file__).with_name("reavers_twin_games.py")
    finished = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(script.parents[2])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    said = json.loads(finished.stdout)
    assert said["interpreted"] is True
    games = played()
    assert len(said["games"]) == len(games) == 11
    for twin, game in zip(said["games"], games, strict=True):
        assert twin == game
