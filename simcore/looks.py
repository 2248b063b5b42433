"""Looking at a run while it goes on: when, and what follows if the rule that looks says stop.

A run with a stopping rule looks at fixed numbers of blocks, which stand in its manifest. At each look the rule is asked
about exactly the blocks before it; the first look in block order at which it answers ends the run. So neither threads
nor chunks nor interruptions show in where it stops. Blocks beyond the stop, which other threads were at meanwhile, are
left out. What a rule asks is not known here: it is a callable that gives an answer or None.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from simcore.contract import TaflError
from simcore.sums import Sums, SumsLayout

STOPPED_NAME = "stopped.json"
FIRST_LOOK = 100
"""Blocks before the first look: estimated variances and the normal distribution need some."""

Rule = Callable[[Sums], str | None]
"""Given the sums of all blocks before a look: the answer that ends the run, or None to go on."""


@dataclass(frozen=True)
class Stop:
    """Where a rule ended a run.

    Attributes
    ----------
    rule : str
        Its name.
    answer : str
        What it found.
    n_blocks, n_games : int
        Of the run, from its first block on.
    """

    rule: str
    answer: str
    n_blocks: int
    n_games: int


def schedule(most: int) -> list[int]:
    """Return the numbers of blocks at which a run of at most `most` blocks looks: 10 % more each time."""
    at = min(FIRST_LOOK, most)
    looks = [at]
    while at < most:
        at = min(most, -(-at * 11 // 10))
        looks.append(at)
    return looks


def cut(spans: Sequence[tuple[int, int]], looks: Sequence[int]) -> list[tuple[int, int]]:
    """Return the spans of blocks cut where a run looks, so that no chunk crosses a look."""
    pieces = []
    for first, stop in spans:
        while first < stop:
            number = bisect_right(looks, first)
            end = min(stop, looks[number]) if number < len(looks) else stop
            pieces.append((first, end))
            first = end
    return pieces


def to_json(stop: Stop, identity: str) -> dict[str, Any]:
    """Return what ``stopped.json`` holds; `identity` is the hash of the manifest."""
    return {"manifest": identity, **asdict(stop)}


def from_json(data: bytes, identity: str, looks: Sequence[int]) -> Stop:
    """Read ``stopped.json``.

    Raises
    ------
    ValueError
        If it is damaged or of another run.
    """
    try:
        said = json.loads(data)
        stop = Stop(str(said["rule"]), str(said["answer"]), int(said["n_blocks"]), int(said["n_games"]))
    except (KeyError, TypeError, ValueError):
        raise ValueError("it is damaged") from None
    if said["manifest"] != identity or stop.n_blocks not in looks:
        raise ValueError("it belongs to another run")
    return stop


class Looks:
    """Follows which blocks are finished, and asks the rule at each look once all blocks before it are.

    Parameters
    ----------
    manifest : mapping
        Of a run with a stopping rule.
    layout : SumsLayout
    rule : callable
        See `Rule`.

    Attributes
    ----------
    stop : Stop or None
        Once the rule has answered.
    sums : Sums
        Of all blocks before the last look that was passed.
    """

    def __init__(self, manifest: dict[str, Any], layout: SumsLayout, rule: Rule):
        self.looks: list[int] = manifest["stopping"]["looks"]
        self.stop: Stop | None = None
        self.sums = Sums(layout)
        self._name = str(manifest["stopping"]["rule"])
        self._rule = rule
        self._layout = layout
        self._passed = 0
        self._ahead: dict[int, Sums] = {}

    def add(self, first: int, stop: int, sums: Sums) -> None:
        """Take in the sums of a chunk, and look where that is possible now."""
        number = bisect_right(self.looks, first)
        if number >= len(self.looks) or stop > self.looks[number]:
            raise TaflError(f"the blocks {first} to {stop - 1} lie across a look.")
        self._ahead.setdefault(number, Sums(self._layout)).add(sums)
        while self.stop is None and self._passed < len(self.looks) and self._is_whole():
            self.sums.add(self._ahead.pop(self._passed))
            at = self.looks[self._passed]
            self._passed += 1
            answer = self._rule(self.sums)
            if answer is not None:
                self.stop = Stop(self._name, answer, at, int(self.sums["n_games"][0]))

    def _is_whole(self) -> bool:
        """Whether all blocks up to the next look are there."""
        ahead = self._ahead.get(self._passed)
        n_before = self.looks[self._passed - 1] if self._passed else 0
        return ahead is not None and int(ahead["n_blocks"][0]) == self.looks[self._passed] - n_before
