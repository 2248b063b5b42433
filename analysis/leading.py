"""Who leads while a run goes on, and how sure that is: the comparison that a progress display shows."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.intervals import Interval
from analysis.paired import pairs
from analysis.shares import win_share
from simcore.store import RunResult


@dataclass(frozen=True)
class Leading:
    """The strategy with the largest win share and its difference to the next.

    Attributes
    ----------
    leader : str
    win_share : Interval
        Per copy and game.
    second : str or None
        None if all seats are one strategy's.
    difference : Interval or None
        Of win shares, leader minus second, paired within blocks.
    """

    leader: str
    win_share: Interval
    second: str | None
    difference: Interval | None

    @property
    def half_width(self) -> float | None:
        """Half of the width of the difference's interval (of the win share's, if there is no second)."""
        interval = self.difference or self.win_share
        if interval.low is None or interval.high is None:
            return None
        return (interval.high - interval.low) / 2


def leading(result: RunResult) -> Leading | None:
    """Return the leading comparison of a run as far as it got; None before there are two blocks."""
    if result.n_blocks < 2:
        return None
    shares = [win_share(result, entrant) for entrant in range(len(result.names))]
    order = sorted(range(len(shares)), key=lambda entrant: -(shares[entrant].estimate or 0.0))
    first = result.names[order[0]]
    if len(order) < 2:
        return Leading(first, shares[order[0]], None, None)
    second = result.names[order[1]]
    pair = next(pair for pair in pairs(result) if {pair.a, pair.b} == {first, second})
    difference = pair.win_share if pair.a == first else pair.win_share.turned()
    return Leading(first, shares[order[0]], second, difference)
