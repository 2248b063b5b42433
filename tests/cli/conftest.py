"""Runs of the ``tafl`` command: in this process (fast), or in one of its own where signals and start-up matter."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import cli

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    def refuses(self, code: int, *words: str) -> str:
        """Check that the command refused in one sentence that holds `words`, and return the sentence."""
        assert self.code == code, self.err
        lines = self.err.splitlines()
        assert lines, "it said nothing"
        assert lines[-1].startswith("error: ")
        assert lines[-1][-1] in ".?!)"
        for word in words:
            assert word in lines[-1]
        self.is_plain()
        return lines[-1]

    def is_plain(self) -> None:
        """Check that nothing reads like a program's inside."""
        for text in (self.out, self.err):
            assert "Traceback" not in text
            assert "nan" not in text.lower().split()


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


def start(folder: Path, *arguments, **environment: str) -> subprocess.Popen[str]:
    """Start the command as a process of its own in `folder`."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *(str(argument) for argument in arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def finish(process: subprocess.Popen[str], seconds: float = 120) -> Said:
    """Wait for a process and return what it said."""
    out, err = process.communicate(timeout=seconds)
    return Said(process.returncode, out, err)


@pytest.fixture(scope="session")
def played(tmp_path_factory) -> Path:
    """A complete run with its report: greedy and random at three, 60 games. Tests must not change it."""
    folder = tmp_path_factory.mktemp("played") / "run"
    arguments = ["compare", "nidavellir", "greedy", "random", "--players", "3", "--games", "60", "--seed", "11"]
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments, "--out", str(folder), "--quiet"])
    assert not ended.value.code
    return folder
