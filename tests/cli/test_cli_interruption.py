"""Ctrl-C, a kill and a second process: nothing that was finished is lost, and the command says how to go on."""

import os
import re
import shutil
import signal
import time

import pytest
from command import finish, on_terminal, start

from simcore.store import load_result

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")

COMPARE = ("compare", "nidavellir", "random", "--seed", 1, "--threads", 2)
MANY = 10**9


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory):
    """Let no test of this file wait for the compiler."""
    folder = tmp_path_factory.mktemp("compiled")
    assert finish(start(folder, *COMPARE, "--games", 2, "--no-report", "--out", "r"), 300).code == 0


def wait_for_chunks(folder, n_chunks=1, seconds=60):
    """Wait until a run has finished some chunks."""
    deadline = time.monotonic() + seconds
    while len(list((folder / "chunks").glob("*.chunk"))) < n_chunks and not (folder / "sums.npz").exists():
        assert time.monotonic() < deadline, "it does not play"
        time.sleep(0.02)


def stop_midway(folder, number):
    """Begin a run in ``r``, send it a signal while it plays, and return its number of games and what it said."""
    for n_games in (100_000, 800_000, 6_400_000):  # a machine may be quick, and busy tomorrow
        process = start(folder, *COMPARE, "--games", n_games, "--out", "r", "--no-report")
        wait_for_chunks(folder / "r")
        process.send_signal(number)
        said = finish(process)
        if not (folder / "r" / "sums.npz").exists():
            return n_games, said
        shutil.rmtree(folder / "r")
    raise AssertionError("it is always done before the signal comes")


def test_interrupted_and_resumed_a_run_has_the_bytes_of_an_undisturbed_one(tmp_path):
    n_games, said = stop_midway(tmp_path, signal.SIGINT)
    assert said.code == 130
    said.is_plain()
    assert re.search(
        rf"interrupted: \d+ of {n_games} blocks \(.* %\) are kept in 'r'. Go on with:\n  tafl compare --resume r\n",
        said.err,
    )
    kept = load_result(tmp_path / "r").n_blocks
    assert 0 < kept < n_games

    said = finish(start(tmp_path, "report", "r"))
    assert said.code == 0
    assert f"The run is not complete: {kept} of {n_games} blocks." in said.err
    assert "After " in said.out
    assert "planned" in (tmp_path / "r" / "report.html").read_text(encoding="utf-8")

    said = finish(start(tmp_path, "compare", "--resume", "r", "--no-report"))
    assert said.code == 0
    whole = finish(start(tmp_path, *COMPARE, "--games", n_games, "--out", "whole", "--no-report", "--threads", 1))
    assert whole.code == 0
    assert (tmp_path / "r" / "sums.npz").read_bytes() == (tmp_path / "whole" / "sums.npz").read_bytes()
    assert not (tmp_path / "r" / "chunks").exists()


def test_killed_it_goes_on(tmp_path):
    n_games, said = stop_midway(tmp_path, signal.SIGKILL)
    assert said.code == -signal.SIGKILL
    said = finish(start(tmp_path, "compare", "--resume", "r", "--no-report", "--threads", 1))
    assert said.code == 0
    assert load_result(tmp_path / "r").n_games == n_games


def test_a_second_process_on_the_same_folder_is_refused(tmp_path):
    process = start(tmp_path, *COMPARE, "--games", MANY, "--out", "r")
    try:
        wait_for_chunks(tmp_path / "r")
        finish(start(tmp_path, "compare", "--resume", "r")).refuses(2, "'r' is in use by process", "wait")
        finish(start(tmp_path, *COMPARE, "--games", 2, "--out", "r")).refuses(2, "exists already")
        assert finish(start(tmp_path, "replay", "r", 5)).code == 0
    finally:
        process.send_signal(signal.SIGINT)
        assert finish(process).code == 130


def test_a_termination_is_treated_like_an_interruption(tmp_path):
    process = start(tmp_path, *COMPARE, "--games", MANY, "--out", "r")
    wait_for_chunks(tmp_path / "r")
    process.terminate()
    said = finish(process)
    assert said.code == 130
    assert "tafl compare --resume r" in said.err


MOMENTS = [0.08, 1.2, *(pytest.param(seconds, marks=pytest.mark.slow) for seconds in (0.3, 0.7, 1.8, 2.5))]


@pytest.mark.parametrize("seconds", MOMENTS)
def test_an_interruption_at_any_moment(tmp_path, seconds):
    """While it imports, loads, plays or writes the report: no traceback, exit 130 (or it was done already)."""
    process = start(tmp_path, *COMPARE, "--games", 2000, "--out", "r")
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    said = finish(process)
    if said.err == "KeyboardInterrupt\n" or "import signal" in said.err:
        return  # Python itself was not up yet: nothing of this project can know
    said.is_plain()
    if said.code == -signal.SIGINT:  # or on its way out, when everything had been written
        assert "Report: r" in said.out or seconds < 0.1
        return
    assert said.code in (130, 0)
    if said.code == 130 and (tmp_path / "r").exists():
        assert "tafl compare --resume r" in said.err or "tafl report r" in said.err
    if (tmp_path / "r").exists():
        assert finish(start(tmp_path, "compare", "--resume", "r", "--no-report")).code == 0
    assert not list(tmp_path.glob(".r.new-*"))


@pytest.mark.parametrize("where", ["analysis.runs.warm_up", "analysis.tables.tables", "reports.page.render"])
def test_an_interruption_while_it_compiles_or_reports(tafl, monkeypatch, where):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(where, interrupted)
        said = tafl(*COMPARE, "--games", 4, "--out", "r")
    assert said.code == 130
    said.is_plain()
    again = "tafl compare --resume r" if where == "analysis.runs.warm_up" else "tafl report r"
    assert said.err.endswith(f"{again}\n")
    assert tafl("compare", "--resume", "r", "--no-report").code == 0


def test_an_interruption_before_anything_has_begun(tafl, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("analysis.runs.make_ready", interrupted)
    said = tafl(*COMPARE, "--games", 4, "--out", "r")
    assert (said.code, list(tmp_path.iterdir())) == (130, [])
    assert said.err.endswith("interrupted: nothing was begun that could be lost.\n")


def test_progress_is_shown_on_a_terminal(tmp_path):
    """The line tells games, games a second, time left and the interval as it stands; it is gone in the end."""
    shown = on_terminal(tmp_path, 140, *COMPARE, "greedy", "--games", "400_000", "--no-report", "--out", "r")
    assert re.search(
        r"\r *\d+ % #*\.* \d[\d\u202f]* games, \d[\d\u202f]* games/s, \d+:\d\d left, "
        r"greedy .*%.*, .* ± .* ahead of random",
        shown,
    )
    assert "\x1b[?25" not in shown, "whatever happens, the cursor stays"
    lines = re.sub(r"\x1b\[[\d;]*m", "", shown).split("\r\n")
    assert all(len(line) < 140 for line in lines if "\r" not in line)
    table = next(number for number, line in enumerate(lines) if "win share" in line)
    assert lines[table - 1].rpartition("\r")[2].split() == ["greedy", "random"]
