"""Which line-ups a tournament plays: every one, a balanced choice of them, or one strategy against balanced fields.

A line-up is a multiset of strategies. One strategy alone at the table is left out: each of its copies wins its fair
share by construction. All draws come from the tournament's seed, so the same options give the same schedule.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from simcore.contract import TaflError
from simcore.naming import unknown

MODES = ("all", "balanced", "focus")
"""`all`: every line-up; `balanced`: distinct strategies, each equally often; `focus`: one strategy in every line-up."""

MOST_BY_DEFAULT = 250
"""Up to so many line-ups, all are played unless something else is asked for."""

MAX_LINEUPS = 5_000
"""More are refused: each is a run with a folder of its own."""

BALANCED_FROM, BALANCED_TO = 120, 240
"""How many line-ups a balanced schedule has, if there are so many."""

MEETINGS = 4
"""About how often each pair meets at least."""

N_EXCHANGES = 40_000
"""Exchanges that are tried to even out how often two strategies meet."""


@dataclass(frozen=True)
class Schedule:
    """The line-ups of a tournament.

    Attributes
    ----------
    mode : {'all', 'balanced', 'focus'}
        See `MODES`.
    focus : str or None
        The strategy in every line-up.
    lineups : tuple of tuple of str
        The strategies in their order round the table.
    """

    mode: str
    focus: str | None
    lineups: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Balance:
    """How even a schedule is.

    Attributes
    ----------
    plays : (int, int)
        Fewest and most line-ups of a strategy; of a `focus` schedule, of those beside the focus.
    meetings : (int, int)
        Fewest and most line-ups in which two of them sit together.
    """

    plays: tuple[int, int]
    meetings: tuple[int, int]


def n_all(n_strategies: int, n_players: int) -> int:
    """Return how many line-ups there are, those of one strategy alone left out."""
    return math.comb(n_strategies + n_players - 1, n_players) - n_strategies


def parse_lineups(text: str | None, names: Sequence[str]) -> tuple[str | None, str | None]:
    """Return mode and focus of what a user wrote: ``all``, ``balanced``, ``focus NAME``, or None for the default.

    Raises
    ------
    TaflError
        If it is none of these, or the focus is none of the strategies.
    """
    if text is None:
        return None, None
    mode, _, focus = text.strip().replace("=", " ", 1).partition(" ")
    if mode not in MODES or (focus and mode != "focus"):
        raise TaflError(f"--lineups is 'all', 'balanced' or 'focus NAME', not '{text}'.")
    if mode != "focus":
        return mode, None
    if focus.strip() not in names:
        if focus:
            raise TaflError(unknown("strategy in this tournament called", focus.strip(), names))
        raise TaflError(f"--lineups focus needs a strategy: write it as --lineups 'focus {names[0]}'.")
    return mode, focus.strip()


def make_schedule(
    names: Sequence[str], n_players: int, seed: int, mode: str | None = None, focus: str | None = None
) -> Schedule:
    """Return the line-ups of a tournament.

    Parameters
    ----------
    names : sequence of str
        At least two distinct strategies.
    n_players : int
        Seats at the table.
    seed : int
        The tournament's.
    mode : {'all', 'balanced', 'focus'}, optional
        By default `all` where there are at most `MOST_BY_DEFAULT` line-ups or too few strategies for another way,
        else `balanced`.
    focus : str, optional
        With the mode `focus`: one of `names`.

    Raises
    ------
    TaflError
        If there are too many line-ups, or too few strategies for line-ups of distinct ones.
    """
    total = n_all(len(names), n_players)
    if mode is None:
        mode = "all" if total <= MOST_BY_DEFAULT or len(names) < n_players else "balanced"
    luck = random.Random(seed)
    if mode == "all":
        if total > MAX_LINEUPS:
            raise TaflError(
                f"{len(names)} strategies at a table of {n_players} have {total} line-ups, more than the {MAX_LINEUPS} "
                "that a tournament plays: name fewer strategies, or take --lineups balanced."
            )
        found = [m for m in combinations_with_replacement(names, n_players) if len(set(m)) > 1]
    elif len(names) < n_players:
        raise TaflError(
            f"line-ups of distinct strategies at a table of {n_players} need at least {n_players} strategies, not "
            f"{len(names)}: name more of them, or take --lineups all."
        )
    elif mode == "balanced":
        found = balanced(names, n_players, luck)
    else:
        others = [name for name in names if name != focus]
        found = [(str(focus), *field) for field in balanced(others, n_players - 1, luck)]
    return Schedule(mode, focus, tuple(tuple(luck.sample(lineup, n_players)) for lineup in found))


def balance(schedule: Schedule, names: Sequence[str]) -> Balance:
    """Return how even a schedule is; copies of a strategy in one line-up count once."""
    counted = [name for name in names if name != schedule.focus]
    plays, meetings = Counter(dict.fromkeys(counted, 0)), Counter(dict.fromkeys(combinations(sorted(counted), 2), 0))
    for lineup in schedule.lineups:
        present = sorted(set(lineup) - {schedule.focus})
        plays.update(present)
        meetings.update(combinations(present, 2))
    ends = [(min(c.values(), default=0), max(c.values(), default=0)) for c in (plays, meetings)]
    return Balance(*ends)


def balanced(names: Sequence[str], n_seats: int, luck: random.Random) -> list[tuple[str, ...]]:
    """Return sets of `n_seats` distinct strategies: each equally often, each pair as equally often as was found.

    All sets, if they are pairs or no more than `BALANCED_TO`. Else sets are filled greedily with those who have met
    least (each plays equally often by the way they are filled), and members are exchanged between two sets as long as
    that evens out the meetings: a search for a balanced incomplete block design, which is not always reached.
    """
    if n_seats <= 2 or math.comb(len(names), n_seats) <= BALANCED_TO:
        return list(combinations(names, n_seats))
    design = _Design(len(names), n_seats, _n_sets(len(names), n_seats), luck)
    design.even_out()
    return sorted(tuple(names[i] for i in sorted(members)) for members in design.sets)


def _n_sets(n: int, k: int) -> int:
    """Return how many sets let each of `n` be in equally many; also each pair, if such a number is in reach."""
    step = n // math.gcd(n, k)
    least = max(BALANCED_FROM, MEETINGS * n * (n - 1) // (k * (k - 1)))
    first = -(-least // step) * step
    numbers = range(first, max(first, BALANCED_TO) + 1, step)
    return next((b for b in numbers if b * k * (k - 1) % (n * (n - 1)) == 0), first)


class _Design:
    """Sets of `k` out of `n`, and how often each pair meets."""

    def __init__(self, n: int, k: int, n_sets: int, luck: random.Random):
        self.luck = luck
        self.met = [[0] * n for _ in range(n)]
        self.least_squares = 0
        left = [n_sets * k // n] * n
        self.sets = [self._fill(n, k, left) for _ in range(n_sets)]
        total = n_sets * k * (k - 1) // 2
        low, extra = divmod(total, n * (n - 1) // 2)
        self.least_squares = extra * (low + 1) ** 2 + (n * (n - 1) // 2 - extra) * low**2

    def _fill(self, n: int, k: int, left: list[int]) -> list[int]:
        """Take those with most appearances left, among equals the one whose meetings with the others are fewest."""
        members: list[int] = []
        for _ in range(k):
            free = [i for i in range(n) if i not in members]
            most = max(left[i] for i in free)
            ranked = [(sum(self.met[i][j] for j in members), self.luck.random(), i) for i in free if left[i] == most]
            members.append(min(ranked)[2])
            left[members[-1]] -= 1
        for a, b in combinations(members, 2):
            self._meet(a, b, 1)
        return members

    def _meet(self, a: int, b: int, by: int) -> None:
        self.met[a][b] += by
        self.met[b][a] += by

    def even_out(self) -> None:
        """Exchange members between sets while that makes the meetings more even."""
        squares = sum(x * x for i, row in enumerate(self.met) for x in row[:i])
        for _ in range(N_EXCHANGES):
            if squares == self.least_squares:
                return
            squares -= self._try_exchange()

    def _try_exchange(self) -> int:
        """Exchange two members of two sets if the sum of squared meetings does not grow; return by how much it fell."""
        one, two = self.luck.sample(self.sets, 2)
        i, j = self.luck.randrange(len(one)), self.luck.randrange(len(two))
        a, b = one[i], two[j]
        if a in two or b in one:
            return 0
        met = self.met
        # a leaves `one` for `two`, b the other way: pairs lose or gain one meeting, x**2 changes by 1 - 2x or 1 + 2x
        change = 0
        for c in one:
            if c != a:
                change += 2 + 2 * (met[b][c] - met[a][c])
        for c in two:
            if c != b:
                change += 2 + 2 * (met[a][c] - met[b][c])
        both = set(one) & set(two)
        change -= 4 * len(both)  # with those who sit in both sets nothing changes: 2 were counted from either side
        if change > 0:
            return 0
        for c in one:
            if c != a:
                self._meet(a, c, -1)
                self._meet(b, c, 1)
        for c in two:
            if c != b:
                self._meet(b, c, -1)
                self._meet(a, c, 1)
        one[i], two[j] = b, a
        return -change
