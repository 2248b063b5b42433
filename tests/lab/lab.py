"""Experiments of the laboratory, played by the command in this process, and what their pages hold."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

import cli

SWEEP = (
    *("sweep", "nidavellir", "planner", "balanced", "greedy", "--games", 60, "--seed", 3),
    *("--vary", "scoring_tables.1.hunter=1..9:4", "--vary", "warrior_majority=points"),
    *("--target", "score:balanced=130", "--target", "mean_score=before"),
)
TUNE = (
    *("tune-rules", "nidavellir", "planner", "balanced", "--games", 60, "--seed", 3),
    *("--vary", "heroes.grid.points=7..9", "--vary", "warrior_majority=points"),
    *("--target", "winning_margin=37.65", "--within", "0.1"),
)
SENSITIVITY = (
    *("sensitivity", "nidavellir", "balanced", "planner", "--games", 60, "--seed", 3),
    *("--only", "line", "--only", "heroes.grid.*"),
)
ROBUSTNESS = ("robustness", "reavers", "sea-battles", "raid-keeps", "--editions", 10, "--games", 8, "--seed", 3)
BALANCE = (
    *("balance", "nidavellir", "--strategies", "planner,balanced,greedy", "--players", "2,3"),
    *("--items", "hero:grid", "--games", 30, "--seed", 3),
)


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str


def tafl(*arguments) -> Said:
    """Run the command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
        cli.main([str(argument) for argument in arguments])
    return Said(int(ended.value.code or 0), out.getvalue(), err.getvalue())


def played(*arguments) -> Said:
    """Run a command that is to succeed."""
    said = tafl(*arguments)
    assert said.code == 0, said.err
    return said


class Page(HTMLParser):
    """A report: its tags with their attributes, and its visible words."""

    def __init__(self, path: Path):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self._hidden = 0
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._hidden += tag in ("style", "script")

    def handle_endtag(self, tag):
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data):
        if not self._hidden:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())
