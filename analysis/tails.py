"""Quantiles and tails of the normal distribution and of Student's t."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()


def normal_quantile(probability: float) -> float:
    """Return the standard normal quantile."""
    return _NORMAL.inv_cdf(probability)


def normal_tail(z: float) -> float:
    """Return P(Z > z) of a standard normal, accurate far out in the tail."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def t_tail(t: float, df: float) -> float:
    """Return P(T > t) of Student's t with `df` degrees of freedom (any real number above 0, or infinity).

    Regularised incomplete beta function by its continued fraction; from 2000 degrees of freedom on Hill's expansion
    (Hill 1970, CACM algorithm 395), which is then exact to about 1e-12.
    """
    if t < 0:
        return 1.0 - t_tail(-t, df)
    if math.isinf(df):
        return normal_tail(t)
    if df >= 2000:
        a = df - 0.5
        b = 48 * a * a
        square = a * math.log1p(t * t / df)
        z = math.sqrt(square)
        fourth = (((-0.4 * square - 3.3) * square - 24) * square - 85.5) / (0.8 * square * square + 100 + b)
        return normal_tail(z * (1 + (square + 3 + fourth) / b))
    return 0.5 * _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))


def _incomplete_beta(a: float, b: float, x: float, one_minus_x: float) -> float:
    """Regularised incomplete beta function I_x(a, b); `one_minus_x` is given so that it keeps its digits."""
    if x <= 0:
        return 0.0
    if one_minus_x <= 0:
        return 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(one_minus_x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, one_minus_x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1)
    d = 1.0 / (d if abs(d) > tiny else tiny)
    value = d
    for m in range(1, 2000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 + step * d
            d = 1.0 / (d if abs(d) > tiny else tiny)
            c = 1.0 + step / c
            c = c if abs(c) > tiny else tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return value


@lru_cache(maxsize=4096)
def t_quantile(probability: float, df: float) -> float:
    """Return Student's t quantile for `probability` above one half; `df` at least 1, or infinity.

    Newton steps on `t_tail` from the Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5).
    """
    z = normal_quantile(probability)
    if math.isinf(df):
        return z
    t = z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df * df)
    tail = 1.0 - probability
    if df < 3:  # exact: the expansion starts too far away
        if df == 1:
            return 1.0 / math.tan(math.pi * tail)
        if df == 2:
            return (1 - 2 * tail) / math.sqrt(2 * tail * (1 - tail))
        t = (1 - 2 * tail) / math.sqrt(2 * tail * (1 - tail))
    scale = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    for _ in range(50):
        density = scale * math.exp(-(df + 1) / 2 * math.log1p(t * t / df))
        step = (t_tail(t, df) - tail) / density
        t = max(t + step, t / 2)
        if abs(step) <= 1e-13 * t:
            break
    return t
