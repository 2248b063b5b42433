"""Runs in processes of their own that are killed, interrupted, stuck or interpreted."""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_run import create_toy, play_toy, result_bytes

from simcore import store
from simcore.accel import INTERPRETED

NAMES = ("cautious", "bold", "by_lot")
N_GAMES = 400_000
SCRIPT = Path(__file__).parent / "toy_run.py"

pytestmark = pytest.mark.skipif(INTERPRETED, reason="compares compiled runs in processes of their own")
posix = pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")


def start(folder, names=NAMES, n_games=N_GAMES, *options, **environment):
    """Start a run of its own, or resume it if the folder exists."""
    command = [sys.executable, SCRIPT, folder, ",".join(names), str(n_games), *options]
    environment = {**os.environ, "PYTHONPATH": str(SCRIPT.parent.parent), **environment}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, **pipes)


def wait_until_it_plays(process):
    for line in process.stdout:
        if line.startswith("played") and not line.startswith("played 0"):
            return
    raise AssertionError(f"it never played: {process.stderr.read()}")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "undisturbed"
    with create_toy(folder, NAMES, N_GAMES, keep_games=True) as run:
        play_toy(run, NAMES, 2)
    return result_bytes(folder)


@posix
@pytest.mark.parametrize("n_kills", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_any_moment_a_run_resumes_to_the_same_bytes(tmp_path, undisturbed, n_kills):
    folder = tmp_path / "run"
    chance = random.Random(5)
    kept = [0]
    for _ in range(n_kills):
        process = start(folder, NAMES, N_GAMES, "--keep-games", "--chunk", "1000")
        wait_until_it_plays(process)
        time.sleep(chance.uniform(0.0, 1.0 / n_kills))
        process.kill()
        process.communicate()
        with store.open_run(folder) as run:  # no lock is left behind
            kept.append(int(run.finished()[1]["n_blocks"][0]))
            assert run.damaged == []
    assert kept == sorted(kept)
    assert kept[-1] > 0
    with store.open_run(folder) as run:
        play_toy(run, NAMES, 2)
    assert result_bytes(folder) == undisturbed


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_within_a_moment_keeps_what_is_finished_and_exits_with_130(tmp_path, undisturbed, number):
    folder = tmp_path / "run"
    process = start(folder, NAMES, N_GAMES * 1000)
    wait_until_it_plays(process)
    asked = time.monotonic()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert time.monotonic() - asked < 1.5  # 0.3 s of play, and the end of a Python process on a busy machine
    assert re.fullmatch(r"error: interrupted: \d+ of 100000000 blocks \(.* %\) are kept in '.*run'.\n", errors)
    result = store.load_result(folder)
    assert not result.complete
    assert result.n_blocks == int(re.search(r"\d+", errors)[0])


@posix
def test_a_second_interrupt_ends_at_once(tmp_path):
    process = start(tmp_path / "run", NAMES, N_GAMES * 1000, "--slow", "30")
    wait_until_it_plays(process)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None  # it sits in its progress display
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=10)
    assert process.returncode == 130
    assert store.load_result(tmp_path / "run").n_blocks > 0


def test_a_strategy_that_never_answers_is_named_and_the_process_ends(tmp_path):
    folder = tmp_path / "run"
    process = start(folder, ("cautious", "never_answers"), 400_000, "--patience", "1.5", "--chunk", "10")
    _, errors = process.communicate(timeout=90)
    assert process.returncode == 4
    assert re.fullmatch(
        r"error: strategy 'never_answers' \(toy_game.py:\d+\), asked to choose \w+ in game \d+, has not answered for "
        r"\d+ seconds, .*\n",
        errors,
    )
    assert store.load_result(folder).n_blocks > 0
    assert '"event": "unanswered"' in (folder / "log.jsonl").read_text()


def test_interpreted_and_compiled_runs_have_the_same_bytes(tmp_path):
    names = ("by_lot", "bold")
    with create_toy(tmp_path / "compiled", names, 60, keep_games=True) as run:
        play_toy(run, names, 2)
    process = start(tmp_path / "interpreted", names, 60, "--keep-games", NUMBA_DISABLE_JIT="1")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert result_bytes(tmp_path / "interpreted") == result_bytes(tmp_path / "compiled")
