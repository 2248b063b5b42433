"""Traffic lights over a balance sheet: what is within its limits, what is not, and what is not settled.

A check compares a number with two limits. It is *green* if the whole 95 % interval lies within the first, *red* if the
whole interval lies beyond the second, *yellow* in between, and *open* where the interval reaches from within the first
to beyond the second: more games would tell. The limits are a judgement; a user sets others in a TOML file
(``--limits FILE``)::

    [seat]
    green = 0.01      # no seat wins over one percentage point more, or less, than the others
    red = 0.03
"""

from __future__ import annotations

import math
import statistics
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.case_tables import Columns
from analysis.tables import REAL, TEXT, WHOLE
from simcore.contract import DataError
from simcore.naming import unknown
from simcore.tables import read_text

GREEN, YELLOW, RED, OPEN = "green", "yellow", "red", "open"


@dataclass(frozen=True)
class Limit:
    """A check's limits.

    Attributes
    ----------
    name, title : str
    green, red : float
        A number up to `green` is fine, one beyond `red` is not.
    unit : {'share', 'items'}
        Shares are written as fractions of 1.
    """

    name: str
    title: str
    green: float
    red: float
    unit: str = "share"


LIMITS = (
    Limit("seat", "largest difference by a seat, in mixed fields", 0.01, 0.03),
    Limit("seat_of_strategy", "largest difference by a seat for one strategy against its copies", 0.02, 0.05),
    Limit("dealt", "largest difference by what is dealt at the start", 0.02, 0.05),
    Limit("strategies", "spread of the strategies' win shares", 0.10, 0.25),
    Limit("ban", "largest loss of win share by not being allowed one item", 0.02, 0.05),
    Limit("grant", "gain by one item at the start beyond the middle one of its kind", 0.10, 0.25),
    Limit("close", "games that are not close", 0.75, 0.90),
    Limit("half_time", "games won by who leads at half-time", 0.60, 0.80),
    Limit("luck", "variance of scores that does not come from the strategy", 0.80, 0.95),
    Limit("dead", "items that hardly anybody takes", 0.0, 2.0, "items"),
)
DEAD = 0.001
"""An item that fewer seats take is dead."""

MAX_NAMED = 6
"""Dead items that are named."""

COLUMNS: Columns = [
    ("players", WHOLE, "players at the table"),
    ("check", TEXT, "identifier; the name of its limits in a file"),
    ("title", TEXT, "what is looked at"),
    ("what", TEXT, "the seat, item or strategy that it is about"),
    ("estimate", REAL, "the number; shares are fractions of 1"),
    ("low", REAL, "its 95 % interval"),
    ("high", REAL, ""),
    ("green", REAL, "fine up to here"),
    ("red", REAL, "not fine beyond"),
    ("light", TEXT, "green, yellow, red, or open: more games would tell"),
]


def read_limits(path: Path | None) -> tuple[Limit, ...]:
    """Return the limits, those of a file over the usual ones.

    Raises
    ------
    DataError
        If the file cannot be read, or names no check or no number.
    """
    if path is None:
        return LIMITS
    try:
        written = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{path} is not TOML: {error}") from None
    known = {limit.name: limit for limit in LIMITS}
    for name, values in written.items():
        if name not in known:
            raise DataError(f"{path}: {unknown('check', name, known)}")
        if not isinstance(values, dict):
            raise DataError(f"{path}: [{name}] is a table with green and red")
        for key, number in values.items():
            if key not in ("green", "red"):
                raise DataError(f"{path}, [{name}]: {unknown('limit', key, ('green', 'red'))}")
            if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
                raise DataError(f"{path}, [{name}]: {key} is {number!r}, not a number")
        old = known[name]
        new = Limit(name, old.title, float(values.get("green", old.green)), float(values.get("red", old.red)), old.unit)
        if new.red < new.green:
            raise DataError(f"{path}, [{name}]: red ({new.red}) lies below green ({new.green})")
        known[name] = new
    return tuple(known.values())


def light(limit: Limit, estimate: float | None, low: float | None, high: float | None) -> str:
    """Return the light of a number with its interval; without one, only a count and exactly nothing are settled."""
    if estimate is None or (low is None and estimate != 0 and limit.unit == "share"):
        return OPEN
    low, high = (estimate if low is None else low), (estimate if high is None else high)
    if high <= limit.green:
        return GREEN
    if low > limit.red:
        return RED
    if low <= limit.green and high > limit.red:
        return OPEN
    return YELLOW


def lights(tables: Mapping[str, pd.DataFrame], limits: tuple[Limit, ...] = LIMITS) -> list[dict[str, Any]]:
    """Return a row for each check and number of players.

    Parameters
    ----------
    tables : mapping of str to DataFrame
        As `analysis.balance_sheet.BalanceSheet.tables`.
    limits : tuple of Limit
    """
    by_name = {limit.name: limit for limit in limits}
    rows = []
    for players in dict.fromkeys(int(n) for n in tables["game"]["players"]):
        own = {name: table[table["players"] == players].to_dict("records") for name, table in tables.items()}
        for name, what, estimate, low, high in _numbers(own):
            limit = by_name[name]
            rows.append(
                {
                    **{"players": players, "check": name, "title": limit.title, "what": what, "estimate": estimate},
                    **{"low": low, "high": high, "green": limit.green, "red": limit.red},
                    "light": light(limit, estimate, low, high),
                }
            )
    return rows


FEWEST = 3
"""With fewer items of a kind none is compared with the middle one."""

Number = tuple[str, str, float | None, float | None, float | None]


def _numbers(own: Mapping[str, list[dict[str, Any]]]) -> Iterator[Number]:
    """Yield what is checked at one number of players: name, what it is about, number, interval."""
    mixed = [r for r in own["seats"] if r["field"] == "mixed" and r["strategy"] == "all"]
    if mixed:
        yield _largest("seat", mixed, lambda r: f"seat {r['seat']}")
    mirrors = [r for r in own["seats"] if r["field"] == "mirror"]
    yield _largest("seat_of_strategy", mirrors, lambda r: f"seat {r['seat']}, {r['strategy']}")
    dealt = [r for r in own["dealt"] if r["strategy"] == "all"] or own["dealt"]
    if dealt:
        yield _largest("dealt", dealt, lambda r: r["title"])
    game = {r["measure"]: r for r in own["game"]}
    if "strategy_spread" in game:
        yield _plain("strategies", "", game["strategy_spread"])
    items = {r["item"]: r for r in own["items"]}
    banned = [r for r in items.values() if _known(r["ban"]) is not None]
    if banned:
        worst = min(banned, key=lambda r: float(r["ban"]))
        yield _signed("ban", worst["title"], _ends(worst, "ban"), -1)
    of_kind = Counter(r["kind"] for r in items.values() if _known(r["grant"]) is not None)
    compared = [r for r in items.values() if _known(r["grant"]) is not None and of_kind[r["kind"]] >= FEWEST]
    granted = [_beyond_middle(r, items.values()) for r in compared]
    if granted:
        yield max(granted, key=lambda number: number[2] or 0.0)
    yield _turned("close", "", game["close_games"])
    if "half_time_leader_wins" in game:
        yield _plain("half_time", "", game["half_time_leader_wins"])
    if "variance_strategy" in game:
        yield _turned("luck", "", game["variance_strategy"])
    there = [r for r in own["items"] if r["kind"] != "gem"]
    dead = [r for r in there if (_known(r["rate"]) or 0.0) < DEAD]
    sure = sum((_known(r["rate_high"]) or 0.0) < DEAD for r in there)
    n_named = MAX_NAMED if len(dead) > MAX_NAMED + 1 else len(dead)
    more = f" and {len(dead) - n_named} more" if len(dead) > n_named else ""
    named = ", ".join(r["title"] for r in dead[:n_named]) + more
    yield "dead", named, float(len(dead)), float(sure), float(len(dead))


def _ends(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {"estimate": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}


def _beyond_middle(row: Mapping[str, Any], items: Iterable[Mapping[str, Any]]) -> Number:
    """Return what an item's grant is worth beyond the median of its kind, whose own error is left out."""
    kind = [float(r["grant"]) for r in items if r["kind"] == row["kind"] and _known(r["grant"]) is not None]
    middle = statistics.median(kind)
    moved = {end: None if _known(v) is None else float(v) - middle for end, v in _ends(row, "grant").items()}
    return _signed("grant", row["title"], moved, 1)


def _known(number: Any) -> float | None:
    return None if number is None or pd.isna(number) else float(number)


def _largest(name: str, rows: list[dict[str, Any]], what: Any) -> Number:
    """Return the largest difference, above or below, as a size.

    The largest of several looks larger than it is; its interval is that of the single difference, so it is a little
    strict.
    """
    row = max(rows, key=lambda r: abs(_known(r["estimate"]) or 0.0))
    sign = -1 if (_known(row["estimate"]) or 0.0) < 0 else 1
    return _signed(name, f"{what(row)}: {'better' if sign > 0 else 'worse'}", row, sign)


def _signed(name: str, what: str, row: Mapping[str, Any], sign: int) -> Number:
    estimate, low, high = (_known(row[end]) for end in ("estimate", "low", "high"))
    ends = [None if end is None else sign * end for end in (low, high)]
    if sign < 0:
        ends.reverse()
    return name, what, None if estimate is None else sign * estimate, ends[0], ends[1]


def _plain(name: str, what: str, row: Mapping[str, Any]) -> Number:
    return _signed(name, what, row, 1)


def _turned(name: str, what: str, row: Mapping[str, Any]) -> Number:
    estimate, low, high = (_known(row[end]) for end in ("estimate", "low", "high"))
    return (
        name,
        what,
        None if estimate is None else 1 - estimate,
        None if high is None else 1 - high,
        None if low is None else 1 - low,
    )
