"""The game of a run that its page tells in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from analysis.runs import replay_game
from simcore import chunks
from simcore.contract import TaflError
from simcore.manifest import engine_digest
from simcore.store import CHUNKS_NAME, RunResult


@dataclass(frozen=True)
class SampleGame:
    """A game in words.

    Attributes
    ----------
    number : int
        In the run, from 0.
    says : str
        Which game it is and why, or why there is none.
    lines : sequence of str
        The game; empty if there is none.
    """

    number: int
    says: str
    lines: Sequence[str] = field(default_factory=tuple)


def sample_game(result: RunResult) -> SampleGame:
    """Return the first finished game of a run in words: it is taken because nobody picked it.

    Where the game cannot be played again, or could come out another way, it is not told and the reason is.
    """
    number = _first_block(result) * int(result.games_per_block)
    which = f"Game {number}, the first{'' if result.complete else ' finished'} game of the run"
    manifest: dict[str, Any] = result.manifest
    if manifest["engine"] != engine_digest(manifest["game"]):
        return SampleGame(
            number,
            f"No game is told here: the run was played by another tafl (version {manifest['tafl_version']}). Its "
            "rules or its luck have changed since, so a game played again could be another one.",
        )
    try:
        lines = replay_game(result.folder, number).lines
    except TaflError:
        return SampleGame(number, "No game is told here: the strategies kept with the run could not be played again.")
    return SampleGame(
        number, f"{which}. It is the first so that nobody picked it; one game says little about a strategy.", lines
    )


def _first_block(result: RunResult) -> int:
    """Return the first finished block: an unfinished one may hold the game that never ended."""
    if result.complete:
        return 0
    listed = chunks.listed(result.folder / CHUNKS_NAME)
    return chunks.span_of(listed[0])[0] if listed else 0
