"""Evidence that stays valid however often one looks: an e-process, its interval and p value, and a sequential test.

An interval for a number of games fixed beforehand holds the truth 19 times in 20. Who looks again and again, and stops
when the result pleases, makes it hold less often. What is here may be looked at after every block: the chance that the
interval ever leaves the truth out, over all looks together, is at most 5 %.

The e-process is the likelihood ratio of block values with another mean to block values with the mean in question, where
the effect size (mean over standard deviation) has the prior N(0, 1/c^2) and the standard deviation the right Haar prior
(Lai 1976, *On confidence sequences*, Ann. Statist. 4; Perez-Ortiz, Lardy, de Heide and Grunwald 2024, *E-statistics,
group invariance and anytime-valid testing*, Ann. Statist. 52; Wang and Ramdas 2024, *Anytime-valid t-tests and
confidence sequences for Gaussian means with unknown variance*)::

    E_n = sqrt(r) * ((1 + x) / (1 + r x))^(n/2),    x = t^2 / (n - 1),    r = c^2 / (n + c^2)

with the t statistic of the first n blocks. Whatever the standard deviation, P(E_n >= 1/alpha for any n) <= alpha if the
blocks are normal with the mean in question (Ville's inequality). For other blocks this holds as n grows (Waudby-Smith,
Arbour, Sinha, Kennedy and Ramdas 2024, *Time-uniform central limit theory and asymptotic confidence sequences*, Ann.
Statist. 52); so nothing is decided before `simcore.looks.FIRST_LOOK` blocks, and shares keep the caution of
`analysis.intervals`: it takes the quantile and the p value of here in place of Student's. Everything depends on the
number of blocks and on exact sums only, never on the path that led there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from analysis.intervals import LEVEL, ONCE, PSEUDO_BLOCKS, Looking
from simcore.looks import FIRST_LOOK

ERROR_RATE = 0.05
"""Both error rates of the sequential probability ratio test."""


def log_e_value(t: float, n: float, r: float) -> float:
    """Return the logarithm of the e-process.

    Parameters
    ----------
    t : float
        Student's t statistic of the mean in question.
    n : float
        Blocks; infinity where the standard deviation is known.
    r : float
        ``c^2 / (n + c^2)``, between 0 and 1.
    """
    if math.isinf(n):
        return 0.5 * (math.log(r) + (1 - r) * t * t)
    x = t * t / (n - 1)
    return 0.5 * (math.log(r) + n * (math.log1p(x) - math.log1p(r * x)))


def anytime_quantile(level: float, n: float, r: float) -> float:
    """Return the t statistic at which the e-process reaches ``1 / (1 - level)``; infinity if it never does.

    Parameters
    ----------
    level : float
    n, r : float
        See `log_e_value`.
    """
    needed = -math.log(1 - level) - 0.5 * math.log(r)
    if math.isinf(n):
        return math.sqrt(2 * needed / (1 - r))
    growth = math.expm1(2 * needed / n)  # K - 1, where K = (1 + x) / (1 + r x) at the bound
    room = (1 - r) - r * growth
    return math.sqrt((n - 1) * growth / room) if room > 0 else math.inf


def narrowest(level: float = LEVEL) -> float:
    """Return ``n / c^2`` where the interval, measured in standard errors at large n, is narrowest (about 8.2 at 95 %).

    With u for it the quantile is ``sqrt((1 + 1/u) (log(1 + u) - 2 log(1 - level)))``; its derivative is 0 at
    ``u = log(1 + u) - 2 log(1 - level)``, which is iterated.
    """
    u = 1.0
    for _ in range(100):
        u = math.log1p(u) - 2 * math.log(1 - level)
    return u


NARROWEST = narrowest()
EARLY = 10
"""The intervals of a run that is not complete are narrowest at this part of its blocks.

Off by ten times to the late side costs 7 % of width, to the early side 25 %; and runs are looked at early.
"""


@dataclass(frozen=True, slots=True)
class Anytime:
    """Looking as often as one likes (`analysis.intervals.Looking`).

    Attributes
    ----------
    r : float
        See `log_e_value`. Where only some of the blocks bear witness (a rare flag), n and c^2 shrink alike, r stays.
    """

    r: float

    @classmethod
    def at(cls, n_blocks: int, narrowest_at: int) -> Anytime:
        """Return it for `n_blocks` played, with the c that makes intervals narrowest at `narrowest_at` blocks."""
        return cls(1 / (1 + NARROWEST * n_blocks / narrowest_at))

    def quantile(self, level: float, df: float) -> float:
        """Return how many standard errors the interval reaches to either side."""
        return anytime_quantile(level, self._n(df), self.r)

    def p_value(self, t: float, df: float) -> float:
        """Return ``min(1, 1 / E)``: below 5 % at any time in at most one of 20 runs without a difference."""
        return math.exp(min(0.0, -log_e_value(t, self._n(df), self.r)))

    def settling(self, level: float) -> float:
        """Return the quantile where it is narrowest, if that is at a large number of blocks."""
        return anytime_quantile(level, math.inf, 1 / (1 + NARROWEST))

    @staticmethod
    def _n(df: float) -> float:
        return df if math.isinf(df) else float(max(2, math.floor(df + 1 + 1e-9)))


def is_anytime(manifest: Mapping[str, Any], n_games: int) -> bool:
    """Return whether the intervals of a run are valid however often one looks.

    They are if a rule decided when to stop, or if not all games are played yet. A number of games that was fixed
    beforehand and is complete has the narrower intervals for one look.
    """
    return "stopping" in manifest or n_games < int(manifest["n_games"])


def looking_at(result: Any, n_blocks: int | None = None) -> Looking:
    """Return how the evidence of a run (`simcore.store.RunResult`), or of its first `n_blocks` blocks, is looked at.

    Where anytime-valid intervals are narrowest is a matter of the manifest alone, not of what was seen.
    """
    stopping = result.manifest.get("stopping")
    if result.complete and stopping is None:
        return ONCE
    at = narrowest_at(result.manifest["n_blocks"] / EARLY) if stopping is None else int(stopping["narrowest_at"])
    return Anytime.at(int(result.n_blocks) if n_blocks is None else n_blocks, at)


def narrowest_at(n_blocks: float) -> int:
    """Return `n_blocks` rounded, and no fewer than the blocks before a first look: few blocks want caution."""
    return max(FIRST_LOOK, round(n_blocks))


def log_likelihood_ratio(difference: float, centred_square: float, n_blocks: int, margin: float) -> float:
    """Return the log-likelihood ratio of a mean difference of `margin` to one of 0.

    Of two normal distributions with the variance that the blocks show: a generalised sequential probability ratio test
    (Wald 1945, *Sequential tests of statistical hypotheses*, Ann. Math. Statist. 16; with an estimated variance its
    error rates hold as n grows: Bartlett 1946, *The large-sample theory of sequential tests*, Proc. Camb. Phil. Soc.
    42). Blocks of the largest possible variance are mixed in, as for shares in `analysis.intervals`: it is never 0.

    Parameters
    ----------
    difference : float
        Mean over blocks, -1 to 1.
    centred_square : float
        Sum over blocks of the squared deviations of the block's difference.
    n_blocks : int
    margin : float
        Above 0, at most 1.
    """
    variance = (max(0.0, centred_square) + PSEUDO_BLOCKS) / (n_blocks + PSEUDO_BLOCKS - 1)
    return n_blocks * margin * (difference - margin / 2) / variance


def sprt_decision(log_ratio: float, error_rate: float = ERROR_RATE) -> bool | None:
    """Return whether the test decides for the margin (True), for 0 (False) or not yet (None).

    The thresholds are ``log(1 / error_rate)`` to either side: by Ville's inequality each error is then made at most so
    often, also where the ratio jumps over its threshold.
    """
    threshold = -math.log(error_rate)
    return True if log_ratio >= threshold else False if log_ratio <= -threshold else None
