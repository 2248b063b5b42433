"""Numbers in words: percent, points, counts and intervals, with as many digits as the evidence carries.

They are written as the language in use writes them (`reports.language`): decimal mark, thousands, percent sign.
Missing numbers (None, ``pd.NA``, nan) never print as such: they read "not determined".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from reports.language import FIXED, say

MINUS = "\u2212"
UNKNOWN = "not determined"
"""In English; `unknown` says it in the language in use."""


def unknown() -> str:
    """Return what stands where a number cannot be determined."""
    return say("number.unknown")


def value(number: Any) -> float | None:
    """Return `number` as a float, or None if it is missing (None, ``pd.NA``, nan)."""
    try:
        found = float(number)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) else None


def digits_for(half_width: Any, least: int = 1, most: int = 4) -> int:
    """Return how many decimals show an error of `half_width` with one digit that counts.

    ``digits_for(0.2) == 1``, ``digits_for(0.04) == 2``; `least` if the error is missing or 0.
    """
    width = value(half_width)
    if width is None or width <= 0:
        return least
    return min(most, max(least, math.ceil(-math.log10(width) - 1e-9)))


def half_width(low: Any, high: Any) -> float | None:
    """Return half the width of an interval, or None."""
    ends = value(low), value(high)
    return None if ends[0] is None or ends[1] is None else (ends[1] - ends[0]) / 2


def decimal(number: Any, digits: int = 1, plus: bool = False) -> str:
    """Return a number with its thousands apart and a true minus sign; `plus` also writes a plus."""
    found = value(number)
    if found is None:
        return unknown()
    text = f"{abs(found):,.{digits}f}"
    is_zero = not text.strip("0.,")
    text = text.translate({ord(","): say("number.thousands"), ord("."): say("number.decimal")})
    if is_zero:
        return text
    return (MINUS if found < 0 else "+" if plus else "") + text


def count(number: Any) -> str:
    """Return a whole number, ``1 000 000`` with thin spaces."""
    return decimal(number, 0)


def percent(share: Any, digits: int = 1) -> str:
    """Return a share as percent: ``38.2 %``. What is only nearly 0 or 100 says so: ``under 0.1 %``, ``over 99.9 %``."""
    found = value(share)
    if found is None:
        return unknown()
    edge = 10.0**-digits
    if found > 0 and found * 100 < edge / 2:
        return say("number.under", number=_percent(edge, digits))
    if found < 1 and found * 100 > 100 - edge / 2:
        return say("number.over", number=_percent(100 - edge, digits))
    if found in (0, 1):
        digits = 0
    return _percent(found * 100, digits)


def _percent(number: float, digits: int) -> str:
    return say("number.percent", number=decimal(number, digits))


def round_percent(share: Any) -> str:
    """Return a share that is known exactly without needless decimals: ``25 %``, ``33.3 %``."""
    found = value(share)
    if found is None:
        return unknown()
    return percent(found, 0 if math.isclose(found * 100, round(found * 100)) else 1)


def share_digits(low: Any, high: Any) -> int:
    """Return the decimals of a percentage whose interval runs from `low` to `high` (shares)."""
    half = half_width(low, high)
    return digits_for(half) if half is None else digits_for(100 * half)


def share_range(low: Any, high: Any, digits: int | None = None) -> str:
    """Return an interval of shares in percent, ``38.0 to 38.4``; ends that are not exactly 0 or 100 never look so."""
    ends = value(low), value(high)
    if ends[0] is None or ends[1] is None:
        return unknown()
    digits = share_digits(low, high) if digits is None else digits
    texts = [decimal(100 * float(end), digits) for end in (low, high)]
    step = 10.0**-digits
    if ends[0] > 0 and round(100 * ends[0], digits) == 0:
        texts[0] = say("number.under", number=decimal(step, digits))
    if ends[1] < 1 and round(100 * ends[1], digits) >= 100:
        texts[1] = say("number.over", number=decimal(100 - step, digits))
    return say("number.range", low=texts[0], high=texts[1])


def share_with_interval(share: Any, low: Any, high: Any, spelled: bool = False) -> str:
    """Return ``38.2 % (38.0 to 38.4)``, or ``38.2 % (no interval)``; a width of zero is certain: the number alone.

    With `spelled` the brackets say what they hold: ``(95 % interval 38.0 to 38.4)``.
    """
    half = half_width(low, high)
    if half is None:
        return percent(share) if value(share) is None else say("number.bare", number=percent(share))
    if half == 0:
        return round_percent(share)
    digits = share_digits(low, high)
    begin = f"{say('number.interval')} " if spelled else ""
    return f"{percent(share, digits)} ({begin}{share_range(low, high, digits)})"


def share_difference(difference: Any, digits: int = 1, plus: bool = True) -> str:
    """Return a difference of shares in percentage points: ``+13.2 percentage points``."""
    found = value(difference)
    if found is None:
        return unknown()
    return say("number.percentage_points", number=decimal(100 * found, digits, plus))


def mean_with_interval(mean: Any, low: Any, high: Any, unit: str = "", spelled: bool = False) -> str:
    """Return ``78.4 points (78.2 to 78.6)``, or ``78.4 points (no interval)``; `spelled`: see `share_with_interval`."""
    tail = f"{FIXED}{unit}" if unit else ""
    if value(mean) is None:
        return unknown()
    half = half_width(low, high)
    if half is None:
        return say("number.bare", number=decimal(mean) + tail)
    digits = digits_for(half)
    ends = say("number.range", low=decimal(low, digits), high=decimal(high, digits))
    begin = f"{say('number.interval')} " if spelled else ""
    return f"{decimal(mean, digits)}{tail} ({begin}{ends})"


def points(number: Any, digits: int = 1) -> str:
    """Return a number of points of the score: ``78.4 points``."""
    return unknown() if value(number) is None else f"{decimal(number, digits)}{FIXED}{say('number.points')}"


def p_value(p: Any) -> str:
    """Return ``p = 0.032``, ``p < 0.001``."""
    found = value(p)
    if found is None:
        return f"p {unknown()}"
    return f"p < {decimal(0.001, 3)}" if found < 0.001 else f"p = {decimal(found, 3)}" if found < 0.9995 else "p = 1"


def about(number: Any) -> str:
    """Return a count to two significant digits: ``about 1 200 000``."""
    found = value(number)
    if found is None:
        return unknown()
    if found >= 100:
        size = 10 ** (math.floor(math.log10(found)) - 1)
        found = math.ceil(found / size - 1e-9) * size
    return say("number.about", number=count(found))


def together(n_pairs: int) -> str:
    """Return how many pairs a p value is adjusted for: ``all 6 pairs together``."""
    return f"all {count(n_pairs)} pairs together" if n_pairs != 1 else "the one pair there is"


def listing(names: Iterable[Any]) -> str:
    """Return ``a``, ``a and b``, ``a, b and c``."""
    words: Sequence[str] = [str(name) for name in names]
    if len(words) < 2:
        return "".join(words)
    return say("number.listing", most=", ".join(words[:-1]), last=words[-1])


def plus_minus(estimate: Any, low: Any, high: Any, scale: float = 1.0, most: int = 2) -> str:
    """Return ``27.5 ± 1.6``: an estimate and the wider half of its interval, both times `scale`; without sign."""
    found, ends = value(estimate), (value(low), value(high))
    if found is None:
        return unknown()
    if ends[0] is None or ends[1] is None:
        return decimal(abs(scale * found))
    half = scale * max(found - ends[0], ends[1] - found)
    digits = digits_for(half, most=most)
    return f"{decimal(abs(scale * found), digits)} ± {decimal(half, digits)}".replace(" ", FIXED)


def share_gap(difference: Any, low: Any, high: Any, most: int = 2) -> str:
    """Return a difference of shares in percentage points with its interval, in brief: ``+1.9 (+1.2 to +2.6)``."""
    found = value(difference)
    if found is None:
        return unknown()
    half = half_width(low, high)
    digits = min(most, digits_for(None if half is None else 100 * half))
    text = decimal(100 * found, digits, plus=True)
    if half is None:
        return say("number.bare", number=text)
    ends = [decimal(100 * float(end), digits, plus=True) for end in (low, high)]
    return f"{text} ({say('number.range', low=ends[0], high=ends[1])})"
