"""Numbers as they are written inside charts: short, and never nan."""

from __future__ import annotations

from typing import Any

import pandas as pd

UNKNOWN = "not determined"
MINUS = "\u2212"
SPACE = "\u00a0"
"""A space that does not break a number from its unit."""


def is_missing(*values: Any) -> bool:
    """Return whether any of `values` could not be determined."""
    return any(v is None or bool(pd.isna(v)) for v in values)


def decimals(half_width: float, least: int = 1, most: int = 2) -> int:
    """Return how many decimals a number with an interval of plus or minus `half_width` deserves."""
    n = least
    while n < most and half_width > 0 and half_width < 0.95 * 10.0**-n:
        n += 1
    return n


def plain(value: Any, digits: int = 1, signed: bool = False) -> str:
    """Return a number with `digits` decimals, a true minus sign, and a plus sign if `signed`."""
    if is_missing(value):
        return UNKNOWN
    text = f"{float(value):{'+' if signed else ''},.{digits}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", MINUS)


def percent(value: Any, digits: int = 1, signed: bool = False) -> str:
    """Return a share between 0 and 1 in per cent; ``0.25`` -> ``25 %``, ``0.251`` -> ``25.1 %``."""
    if is_missing(value):
        return UNKNOWN
    number = float(value) * 100
    if abs(number - round(number)) < 1e-9 and digits <= 1:
        digits = 0
    return plain(number, digits, signed) + f"{SPACE}%"


def percent_interval(value: Any, low: Any, high: Any) -> str:
    """Return a share with half the width of its interval; says so if there is none."""
    if is_missing(value):
        return UNKNOWN
    if is_missing(low, high):
        return f"{percent(value)}, interval {UNKNOWN}"
    half = (float(high) - float(low)) * 50
    if half == 0:
        return f"{percent(value)} exactly"
    digits = decimals(half)
    return f"{plain(float(value) * 100, digits)} ± {plain(half, digits)}{SPACE}%"


def plain_interval(value: Any, low: Any, high: Any, signed: bool = False) -> str:
    """Return a number with half the width of its interval; says so if there is none."""
    if is_missing(value):
        return UNKNOWN
    if is_missing(low, high):
        return f"{plain(value, 1, signed)}, interval {UNKNOWN}"
    half = (float(high) - float(low)) / 2
    digits = decimals(half)
    return f"{plain(value, digits, signed)} ± {plain(half, digits)}" if half else plain(value, 1, signed)


def points_interval(value: Any, low: Any, high: Any) -> str:
    """Return a difference of shares in percentage points with half the width of its interval."""
    if is_missing(value):
        return UNKNOWN
    scaled = [v if is_missing(v) else float(v) * 100 for v in (value, low, high)]
    return plain_interval(*scaled, signed=True)
