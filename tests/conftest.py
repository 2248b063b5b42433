"""What holds for every test: the engine's own indices are checked too (about 6 % slower).

Before several workers start, the engines are compiled once, a process for each game, instead of in every worker.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

os.environ.setdefault("TAFL_BOUNDSCHECK", "1")  # before anything imports simcore

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("nidavellir", "reavers")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session):
    is_worker = hasattr(session.config, "workerinput")
    if is_worker or not getattr(session.config.option, "numprocesses", None):
        return
    commands = ([sys.executable, "-m", "cli", "warmup", game] for game in GAMES)
    started = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) for command in commands]
    for process in started:  # what goes wrong here is told by the tests that need it
        process.wait()


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk():
    """What tests write need not outlast a power cut; those that are about one say themselves what a sync does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield
