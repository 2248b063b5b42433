"""Dominance in the empirical game: a strategy that another one would have beaten, whatever the rivals were."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

from analysis.intervals import LEVEL, Interval, t_tail
from analysis.paired import holm

STRICT, WEAK = "strict", "weak"


@dataclass(frozen=True)
class Dominance:
    """One strategy does worse than another against all rivals that were played.

    Attributes
    ----------
    dominated, by : int
        Numbers of strategies.
    kind : {'strict', 'weak'}
        `strict`: worse against all rivals; `weak`: never better, and somewhere worse. In the estimates.
    smallest : float
        The smallest difference of win shares.
    p_holm : float or None
        Of "not dominated strictly", adjusted for all ordered pairs (Holm); None where a share has no interval.
    beyond_doubt : bool
        Strict, and ``p_holm < 1 - level``.
    """

    dominated: int
    by: int
    kind: str
    smallest: float
    p_holm: float | None
    beyond_doubt: bool


def dominances(
    shares: Mapping[tuple[int, ...], Mapping[int, Interval]],
    blocks: Mapping[tuple[int, ...], int],
    n: int,
    k: int,
    level: float = LEVEL,
) -> list[Dominance]:
    """Return all pure dominances of a complete empirical game.

    Parameters
    ----------
    shares : mapping
        Line-up as sorted numbers of strategies -> strategy -> interval of the win share of one copy.
    blocks : mapping
        Line-up -> its blocks.
    n, k : int
        Strategies, players.
    level : float

    Notes
    -----
    "Better against all rivals" is claimed where each single comparison is: the largest of their one-sided p values
    holds for all (an intersection-union test; Berger 1982), so only the ordered pairs of strategies need Holm's
    adjustment. The two line-ups of a comparison are independent runs.
    """
    fields = list(combinations_with_replacement(range(n), k - 1))
    rows = []
    for worse in range(n):
        for better in range(n):
            if worse != better:
                compared = [_compare(shares, blocks, better, worse, rivals, k) for rivals in fields]
                gains = [gain for gain, _ in compared]
                known = [p for _, p in compared if p is not None]
                rows.append((worse, better, min(gains), max(gains), max(known) if len(known) == len(gains) else None))
    adjusted = holm([row[4] for row in rows])
    found = []
    for (worse, better, least, most, _), p_holm in zip(rows, adjusted, strict=True):
        if least >= 0 and most > 0:
            clear = least > 0 and p_holm is not None and p_holm < 1 - level
            found.append(Dominance(worse, better, STRICT if least > 0 else WEAK, least, p_holm, clear))
    return found


def _compare(
    shares: Mapping[tuple[int, ...], Mapping[int, Interval]],
    blocks: Mapping[tuple[int, ...], int],
    better: int,
    worse: int,
    rivals: tuple[int, ...],
    k: int,
) -> tuple[float, float | None]:
    """Return how much `better` gains on `worse` against these rivals, and the one-sided p value of "nothing"."""
    gain, variance, df = 0.0, 0.0, math.inf
    for own, sign in ((better, 1), (worse, -1)):
        lineup = tuple(sorted((own, *rivals)))
        if len(set(lineup)) == 1:
            gain += sign / k
            continue
        interval = shares[lineup][own]
        gain += sign * (interval.estimate or 0.0)
        if interval.se is None:
            variance = math.nan
        else:
            variance += interval.se**2
            df = min(df, blocks[lineup] - 1)
    if math.isnan(variance):
        return gain, None
    return gain, t_tail(gain / math.sqrt(variance), df) if variance > 0 else float(gain <= 0)
