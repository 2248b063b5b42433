"""How far a comparison depends on what nobody knows: the same line-up on many plausible editions.

Each edition draws the assumed rows anew within their declared ranges (`simcore.plausible`); sourced rows stay. All are
played on the same luck. A ranking that survives in nearly all of them does not hang on the stand-ins; one that does not
is a statement about them. Which row matters most is read from the correlation of what was drawn for it with the win
share, over the editions (Fisher's z for its interval); all are tested together (Holm).

``ahead in n of N editions`` counts estimates; its interval is Wilson's, for the share among all plausible editions of
which these were drawn. ``told apart`` counts the editions in which the difference is told from chance by itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from analysis import runs
from analysis.case_evidence import WIN, Evidence, centred, find_measure, measures_of
from analysis.case_tables import CASES, Columns, adjusted, case_rows, frames
from analysis.changes import PLAUSIBLE
from analysis.experiments import Case, Experiment, bases_again, make_manifest
from analysis.intervals import LEVEL, Interval, wilson
from analysis.paired import share_difference
from analysis.runs import Choice
from analysis.tables import REAL, TEXT, WHOLE, YES_NO
from analysis.tails import normal_quantile, t_tail
from simcore.blocks import entrants
from simcore.contract import TaflError
from simcore.plausible import draw, unknowns

KIND = "robustness"
EDITIONS_BY_DEFAULT = 100
GAMES_BY_DEFAULT = 4_000
"""Of each edition."""

FEWEST = 10
"""Fewer editions say nothing."""

COLUMNS: dict[str, Columns] = {
    "cases": CASES,
    "editions": [
        ("number", WHOLE, "plausible edition, from 0"),
        ("strategy", TEXT, "name"),
        ("win_share", REAL, "its win share there"),
        ("place", WHOLE, "its place among the strategies, 1 is best"),
    ],
    "pairs": [
        ("a", TEXT, "the strategy that is ahead in the edition as it is"),
        ("b", TEXT, "the other"),
        ("difference", REAL, "win share of a less that of b, in the edition as it is"),
        ("low", REAL, "95 % interval, from blocks"),
        ("high", REAL, ""),
        ("n_editions", WHOLE, "plausible editions"),
        ("n_ahead", WHOLE, "editions in which a is ahead of b"),
        ("share_ahead", REAL, "the same as a share"),
        ("share_low", REAL, "95 % interval for all plausible editions (Wilson)"),
        ("share_high", REAL, ""),
        ("n_told_apart", WHOLE, "editions in which a is ahead and that is told from chance by itself"),
        ("n_turned", WHOLE, "editions in which b is ahead and that is told from chance by itself"),
    ],
    "deciding": [
        ("unknown", TEXT, "assumed row, or cell of it: TABLE.ROW"),
        ("title", TEXT, "what a reader sees"),
        ("strategy", TEXT, "whose win share"),
        ("correlation", REAL, "of what was drawn for the row with the win share, over the editions"),
        ("low", REAL, "95 % interval (Fisher's z)"),
        ("high", REAL, ""),
        ("explained", REAL, "share of the win share's variance between editions: the correlation squared"),
        ("p", REAL, "two-sided p value of no correlation"),
        ("p_holm", REAL, "the same, adjusted for all rows and strategies (Holm)"),
        ("distinguishable", YES_NO, "p_holm below 0.05"),
    ],
}


def plan(choice: Choice, n_editions: int | None, n_games: int | None, seed: int | None) -> dict[str, Any]:
    """Return the manifest.

    Parameters
    ----------
    choice : Choice
        The line-up and the edition as it is.
    n_editions : int, optional
        `EDITIONS_BY_DEFAULT` by default.
    n_games : int, optional
        Of each edition.
    seed : int, optional
        Fresh if none is given; of the luck, and of what is drawn.

    Raises
    ------
    TaflError
        If the edition leaves nothing open, or a number cannot be.
    """
    n_editions = EDITIONS_BY_DEFAULT if n_editions is None else n_editions
    if n_editions < FEWEST:
        raise TaflError(f"{n_editions} editions say nothing: draw {FEWEST} or more.")
    if len(entrants(choice.lineup)[0]) < 2:
        raise TaflError("a ranking needs two strategies or more.")
    unknowns(choice.spec, choice.edition)
    seed = runs.fresh_seed() if seed is None else seed
    drawn = [Case(((PLAUSIBLE, f"{seed}/{number}"),), 0, seed) for number in range(n_editions)]
    n_games = GAMES_BY_DEFAULT if n_games is None else n_games
    return make_manifest(KIND, [choice], [Case((), 0, seed), *drawn], n_games, {}, seed, checked=True)


class Robustness:
    """What was found.

    Parameters
    ----------
    made : Experiment
        Complete.
    """

    columns = COLUMNS
    about = __doc__

    def __init__(self, made: Experiment):
        made.check_complete()
        self.made = made
        self.n_editions = made.n_runs - 1
        lineup = made.lineup(0)
        self.names = entrants(lineup)[0]
        self.measures = [find_measure(f"{WIN}:{name}", measures_of(self.names, len(lineup))) for name in self.names]
        self.values: list[list[np.ndarray]] = []  # [case][strategy]: win share by block
        for number in range(1, made.n_runs + 1):
            evidence = Evidence(made.result(number))
            self.values.append([evidence.values(measure)[:, 0] for measure in self.measures])
        self.shares = np.array([[values.mean() for values in case] for case in self.values[1:]])

    @cached_property
    def unknowns(self) -> list[Any]:
        """What was drawn, and its values: (Unknown, float64[n_editions])."""
        base = bases_again(self.made, any_engine=True)[0]
        found = unknowns(base.spec, base.edition)
        seed = int(self.made.manifest["seed"])
        moved = np.array([draw(base.spec, base.edition, found, seed, n).moved for n in range(self.n_editions)])
        return [(one, moved[:, i]) for i, one in enumerate(found)]

    @cached_property
    def n_same_order(self) -> int:
        """Editions in which the whole ranking is that of the edition as it is."""
        before = np.argsort([-values.mean() for values in self.values[0]], kind="stable")
        return sum(bool((np.diff(row[before]) < 0).all()) for row in self.shares)

    @cached_property
    def n_same_winner(self) -> int:
        """Editions in which the winner of the edition as it is comes first."""
        before = int(np.argmax([values.mean() for values in self.values[0]]))
        return int((self.shares.argmax(axis=1) == before).sum())

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of `COLUMNS`."""
        found = {
            "cases": case_rows(self.made),
            "editions": self._editions(),
            "pairs": self._pairs(),
            "deciding": self._deciding(),
        }
        return frames(self.made, COLUMNS, found)

    def _editions(self) -> list[dict[str, Any]]:
        rows = []
        for number, shares in enumerate(self.shares):
            for name, share in zip(self.names, shares, strict=True):
                place = 1 + int((shares > share).sum())
                rows.append({"number": number, "strategy": name, "win_share": float(share), "place": place})
        return rows

    def _pairs(self) -> list[dict[str, Any]]:
        order = sorted(range(len(self.names)), key=lambda i: -self.values[0][i].mean())
        return [self._pair(a, b) for a, b in combinations(order, 2)]

    def _pair(self, a: int, b: int) -> dict[str, Any]:
        gaps = [share_gap(case[a], case[b]) for case in self.values]
        n_ahead = sum((gap.estimate or 0.0) > 0 for gap in gaps[1:])
        low, high = wilson(n_ahead / self.n_editions, self.n_editions, normal_quantile(0.5 + LEVEL / 2))
        return {
            **{"a": self.names[a], "b": self.names[b], "difference": gaps[0].estimate},
            **{"low": gaps[0].low, "high": gaps[0].high, "n_editions": self.n_editions, "n_ahead": n_ahead},
            **{"share_ahead": n_ahead / self.n_editions, "share_low": low, "share_high": high},
            "n_told_apart": sum(gap.low is not None and gap.low > 0 for gap in gaps[1:]),
            "n_turned": sum(gap.high is not None and gap.high < 0 for gap in gaps[1:]),
        }

    def _deciding(self) -> list[dict[str, Any]]:
        """Return the rows that decide most, first."""
        rows = [
            {"unknown": one.name, "title": one.title, "strategy": name, **correlation(moved, self.shares[:, i])}
            for one, moved in self.unknowns
            for i, name in enumerate(self.names)
        ]
        adjusted(rows)
        return sorted(rows, key=lambda row: -(row["explained"] or 0.0))


def share_gap(one: np.ndarray, other: np.ndarray) -> Interval:
    """Return how far the win share of one strategy lies above another's, as any report does: float64[n_blocks] each."""
    mean, square = centred(one - other)
    return share_difference(mean, square, len(one))[0]


def correlation(x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray) -> dict[str, Any]:
    """Return the correlation of two samples with its interval and p value.

    Parameters
    ----------
    x, y : float64[n]

    Returns
    -------
    dict
        ``correlation, low, high, explained, p``; None where one of them does not vary.
    """
    n = len(x)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return {"correlation": None, "low": None, "high": None, "explained": None, "p": None}
    r = float(np.corrcoef(x, y)[0, 1])
    z, half = math.atanh(max(-0.999999, min(0.999999, r))), normal_quantile(0.5 + LEVEL / 2) / math.sqrt(n - 3)
    t = r * math.sqrt((n - 2) / max(1e-12, 1 - r * r))
    return {
        **{"correlation": r, "low": math.tanh(z - half), "high": math.tanh(z + half), "explained": r * r},
        "p": min(1.0, 2 * t_tail(abs(t), n - 2)),
    }
