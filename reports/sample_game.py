"""The game of a run that its page tells in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analysis.replaying import replay_game
from analysis.runs import choose_again
from simcore import chunks
from simcore.accel import is_compiled
from simcore.manifest import engine_digest
from simcore.store import CHUNKS_NAME, STRATEGIES_NAME, RunResult
from strategies.loading import has_own_code


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


def sample_game(result: RunResult, wanted: int | None = None) -> SampleGame:
    """Return a game of a run in words: the first finished one, since nobody picked it, or the one that is wanted.

    Where the game could come out another way it is not told, and the reason is. Nor is it where strategies that do not
    ship with tafl would have to be run, unless a game is asked for by its number: a page can be made of a run that
    somebody sent without running what is in it.
    """
    number = _first_block(result) * int(result.games_per_block) if wanted is None else wanted
    why_not = _why_not(result, wanted is not None)
    if why_not:
        return SampleGame(number, f"No game is told here: {why_not}.")
    lines = replay_game(result.folder, number).lines
    if wanted is not None:
        return SampleGame(number, f"Game {number} of the run, which was asked for.", lines)
    first = "first" if result.complete else "first finished"
    says = (
        f"Game {number}, the {first} game of the run, so that nobody picked it. One game says little about a strategy."
    )
    return SampleGame(number, says, lines)


def _why_not(result: RunResult, is_wanted: bool) -> str:
    """Return why no game of a run is told; empty if one is."""
    manifest = result.manifest
    if manifest["engine"] != engine_digest(manifest["game"]):
        return (
            f"the run was played by another tafl (version {manifest['tafl_version']}); its rules or its luck have "
            "changed since, so a game played again could be another one"
        )
    if not is_wanted and has_own_code(result.folder / STRATEGIES_NAME):
        return (
            "the run has strategies that do not ship with this tafl, and a page is made without running them; "
            "tafl replay tells any game of the run, and tafl report --game puts one into this page"
        )
    return ""


def compiles(result: RunResult, wanted: int | None) -> bool:
    """Return whether something has to be compiled before the game can be told."""
    if _why_not(result, wanted is not None):
        return False
    return not all(is_compiled(module) for module in choose_again(result.folder, result.manifest).modules())


def _first_block(result: RunResult) -> int:
    """Return the first finished block: an unfinished one may hold the game that never ended."""
    if result.complete:
        return 0
    listed = chunks.listed(result.folder / CHUNKS_NAME)
    return chunks.span_of(listed[0])[0] if listed else 0
