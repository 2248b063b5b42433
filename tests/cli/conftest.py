"""Runs of the ``tafl`` command in this process, which is fast."""

from pathlib import Path

import pytest
from command import Said

import cli


@pytest.fixture
def tafl(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Said(int(ended.value.code or 0), printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def played(tmp_path_factory) -> Path:
    """A complete run with its report: greedy and random at three, 60 games. Tests must not change it.

    Without the advanced heroes: nobody has Uline, so everybody bids in every round.
    """
    folder = tmp_path_factory.mktemp("played") / "run"
    arguments = ["compare", "nidavellir", "greedy", "random", "--players", "3", "--games", "60", "--seed", "11"]
    arguments += ["--rule", "heroes=beginner"]
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--out", str(folder), "--quiet"])
    assert not ended.value.code
    return folder
