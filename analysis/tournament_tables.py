"""A tournament's results as tidy pandas tables.

Every number is about one copy of a strategy in this tournament's line-ups, edition and player count; numbers over
several line-ups are means in which each line-up counts alike. Shares lie between 0 and 1. ``low`` and ``high`` are the
ends of 95 % intervals from blocks (`analysis.standings`, `analysis.ratings`), ``se`` is a standard error. What cannot
be determined is missing (``pd.NA``, an empty cell). `COLUMNS` describes every column of every table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis import dominance, metagame
from analysis.equilibrium import against, largest_gain
from analysis.intervals import Interval
from analysis.places import LineupPlaces
from analysis.standings import Part, mean_interval, measure_part, share_interval
from analysis.tables import REAL, STAND_INS, TEXT, WHOLE, YES_NO, frame, stand_in_note
from analysis.tournament_evidence import Evidence, gather

__all__ = ["COLUMNS", "Evidence", "gather", "tables"]

MAX_STATES = 1200
"""A larger game has no alpha-rank: its Markov chain would take minutes."""

CERTAIN = Interval(1.0, 0.0, 1.0, 1.0)
ENDS = (2.5, 97.5)
"""Percentiles of resamples that are the ends of their intervals."""

_STRATEGY = ("strategy", TEXT, "name of the strategy")
_N = [
    ("n_lineups", WHOLE, "line-ups that the number is a mean of"),
    ("n_games", WHOLE, "their games"),
    ("n_blocks", WHOLE, "their blocks: the independent units of evidence"),
]
_NOTE = ("note", TEXT, "empty, or why an interval is missing or a number certain")


def _estimate(name: str, says: str) -> list[tuple[str, str, str]]:
    return [
        (name, REAL, says),
        (f"{name}_se", REAL, "its standard error, from blocks"),
        (f"{name}_low", REAL, "its interval, lower end"),
        (f"{name}_high", REAL, "its interval, upper end"),
    ]


COLUMNS: dict[str, list[tuple[str, str, str]]] = {
    "tournament": [
        ("mode", TEXT, "all, balanced or focus: which line-ups were played"),
        ("focus", TEXT, "the strategy in every line-up, of a focus"),
        ("n_strategies", WHOLE, ""),
        ("n_players", WHOLE, "seats at the table"),
        *_N,
        ("fair_share", REAL, "1 / players at the table"),
        (
            "separated",
            YES_NO,
            "some strategies never lost to, nor tied with, some others: their gap rests on the prior",
        ),
        ("complete", YES_NO, "every line-up was played, so that mixes and dominance are determined"),
        (
            "mix_gain",
            REAL,
            "the largest gain in win share by leaving the mix; 0 but for rounding if it is an equilibrium",
        ),
        ("tie_sizes", TEXT, "sizes of ties for a place that happened"),
        ("log_deltas", TEXT, "how common they are in the rating model (analysis.ratings)"),
        ("n_resamples", WHOLE, "resamples of the blocks"),
    ],
    "strategies": [
        _STRATEGY,
        *_estimate("rating", "log-strength, mean 0 (Davidson-Luce model of the places of all games)"),
        ("chance", REAL, "chance to be ahead of a rival of rating 0 in a game of two, by the model; a tie counts half"),
        ("chance_low", REAL, "its interval, lower end"),
        ("chance_high", REAL, "its interval, upper end"),
        ("first_share", REAL, "share of resamples of the blocks in which it has the highest rating"),
        *_estimate("win_share", "won games per copy and game; a win shared by k players counts 1/k each"),
        ("fair_share", REAL, "1 / players at the table"),
        *_estimate("score", "points"),
        *_estimate("margin", "points ahead of the best rival (below 0: behind)"),
        ("n_beats", WHOLE, "strategies that it beats beyond doubt: see pairs"),
        ("n_beaten_by", WHOLE, "strategies that beat it beyond doubt"),
        *_N,
        ("note", TEXT, "about the win share: empty, or why an interval is missing"),
    ],
    "places": [
        _STRATEGY,
        ("place", WHOLE, "1 is first; players who tie share the better place"),
        *_estimate("share", "share of the games of one copy in which it came in this place"),
        *_estimate("up_to", "share of them in which it came in this place or a better one"),
        _NOTE,
    ],
    "cross": [
        ("a", TEXT, "the strategy whose win share it is"),
        ("b", TEXT, "the strategy that sits at the table too"),
        *_estimate("win_share", "win share of one copy of a in the line-ups with b"),
        *_N,
        _NOTE,
    ],
    "pairs": [
        ("a", TEXT, "first strategy"),
        ("b", TEXT, "second strategy"),
        *_estimate("difference", "of win shares per copy, a minus b, in the line-ups with both, paired within blocks"),
        ("p", REAL, "two-sided p value of equal win shares"),
        ("p_holm", REAL, "the same, adjusted for all pairs of the tournament (Holm)"),
        ("winner", TEXT, "the one that beats the other beyond doubt: p_holm below 0.05; else empty"),
        *_N,
        _NOTE,
    ],
    "cycles": [
        ("cycle", TEXT, "strategies of which each beats the next beyond doubt, and the last the first"),
        ("length", WHOLE, "strategies in it"),
        ("p_holm", REAL, "the largest of its pairs"),
    ],
    "dominance": [
        ("dominated", TEXT, "the strategy that does worse against all rivals"),
        ("by", TEXT, "the strategy that does better"),
        ("kind", TEXT, "strict: worse against all rivals; weak: never better, somewhere worse; in the estimates"),
        ("smallest_difference", REAL, "the smallest difference of win shares"),
        ("p_holm", REAL, "of 'not strictly dominated', adjusted for all ordered pairs (Holm)"),
        ("beyond_doubt", YES_NO, "strict, and p_holm below 0.05"),
    ],
    "mix": [
        _STRATEGY,
        ("weight", REAL, "probability in the mix that no player gains by leaving"),
        ("weight_low", REAL, "2.5th percentile of resamples of the blocks"),
        ("weight_high", REAL, "97.5th percentile"),
        ("in_mix_share", REAL, "share of resamples in which its weight is not 0"),
        ("against_mix", REAL, "its win share where all rivals draw theirs from the mix"),
        ("alpha_rank", REAL, "share of the seats in the long run of alpha-rank, in the limit of a large alpha"),
        ("alpha_rank_low", REAL, "2.5th percentile of resamples of the blocks"),
        ("alpha_rank_high", REAL, "97.5th percentile"),
    ],
    "lineups": [
        ("lineup", WHOLE, "number of the line-up"),
        ("folder", TEXT, "its run, within the tournament's folder"),
        ("seed", TEXT, "of its luck"),
        _STRATEGY,
        ("copies", WHOLE, "seats that the strategy holds in each game; all numbers are per copy"),
        *_estimate("win_share", "win share of one copy"),
        ("score", REAL, "points; mean"),
        ("margin", REAL, "points ahead of the best rival; mean"),
        ("n_games", WHOLE, "games of the line-up"),
        ("n_blocks", WHOLE, "its blocks"),
    ],
}
"""Table -> its columns: name, pandas dtype, meaning and unit."""


def tables(evidence: Evidence) -> dict[str, pd.DataFrame]:
    """Return all tables of a tournament; columns as in `COLUMNS`.

    Parameters
    ----------
    evidence : Evidence
        From `gather`.
    """
    makers = {
        "tournament": _tournament,
        "strategies": _strategies,
        "places": _places,
        "cross": _cross,
        "pairs": _pairs,
        "cycles": _cycles,
        "dominance": _dominance,
        "mix": _mix,
        "lineups": _lineups,
    }
    found = {name: frame(name, maker(evidence), COLUMNS) for name, maker in makers.items()}
    for table in found.values():
        table.attrs[STAND_INS] = stand_in_note(evidence.tournament.manifest)
    return found


def _named(name: str, interval: Interval) -> dict[str, Any]:
    ends = (interval.estimate, interval.se, interval.low, interval.high)
    return dict(zip((name, f"{name}_se", f"{name}_low", f"{name}_high"), ends, strict=True))


def _counted(results: Sequence[Any]) -> dict[str, int]:
    games, blocks = (sum(int(getattr(result, what)) for result in results) for what in ("n_games", "n_blocks"))
    return {"n_lineups": len(results), "n_games": games, "n_blocks": blocks}


def _known(number: Any) -> float | None:
    return float(number) if math.isfinite(number) else None


def _tournament(evidence: Evidence) -> list[dict[str, Any]]:
    manifest, ratings, mix = evidence.tournament.manifest, evidence.ratings, evidence.mix
    return [
        {
            "mode": manifest["mode"],
            "focus": manifest["focus"],
            "n_strategies": len(evidence.names),
            "n_players": evidence.tournament.n_players,
            **_counted(evidence.results),
            "fair_share": 1 / evidence.tournament.n_players,
            "separated": ratings.separated,
            "complete": evidence.payoff is not None,
            "mix_gain": None if mix is None or evidence.payoff is None else largest_gain(evidence.payoff, mix),
            "tie_sizes": ", ".join(str(size) for size in ratings.tie_sizes),
            "log_deltas": ", ".join(f"{x:.6g}" for x in ratings.log_delta),
            "n_resamples": 0 if evidence.resampled is None else len(evidence.resampled.rating),
        }
    ]


def _strategies(evidence: Evidence) -> list[dict[str, Any]]:
    ratings, resampled, rows = evidence.ratings, evidence.resampled, []
    for i in np.argsort(-ratings.rating, kind="stable"):
        name = evidence.names[i]
        results = evidence.seated(name)
        share = share_interval([measure_part(result, name, "win") for result in results])
        estimate, se, low, high = (_known(x[i]) for x in (ratings.rating, ratings.se, ratings.low, ratings.high))
        won = [meeting for meeting in evidence.meetings if meeting.winner and name in (meeting.a, meeting.b)]
        rows.append(
            {
                "strategy": name,
                **_named("rating", Interval(estimate, se, low, high)),
                "chance": float(ratings.chance[i]),
                "chance_low": _known(ratings.chance_low[i]),
                "chance_high": _known(ratings.chance_high[i]),
                "first_share": None if resampled is None else float(resampled.first[i]),
                **_named("win_share", share),
                "fair_share": 1 / evidence.tournament.n_players,
                **_named("score", mean_interval([measure_part(result, name, "score") for result in results])),
                **_named("margin", mean_interval([measure_part(result, name, "margin") for result in results])),
                "n_beats": sum(meeting.winner == name for meeting in won),
                "n_beaten_by": sum(meeting.winner != name for meeting in won),
                **_counted(results),
                "note": share.note,
            }
        )
    return rows


def _places(evidence: Evidence) -> list[dict[str, Any]]:
    rows = []
    for i, name in enumerate(evidence.names):
        seated = [one for one in evidence.lineups if i in one.items]
        for place in range(1, evidence.tournament.n_players + 1):
            came = [one.places[:, one.items == i] for one in seated]
            share = _share_of(seated, [places == place for places in came])
            last = place == evidence.tournament.n_players
            up_to = CERTAIN if last else _share_of(seated, [places <= place for places in came])
            row = {"strategy": name, "place": place, **_named("share", share), **_named("up_to", up_to)}
            rows.append(row | {"note": share.note})
    return rows


def _share_of(lineups: Sequence[LineupPlaces], happened: Sequence[np.ndarray]) -> Interval:
    """Return how often something happened to a copy; `happened` : bool[n_games, n_copies], one a line-up."""
    return share_interval(
        [Part(*one.moments(h.mean(axis=1)), one.n_blocks) for one, h in zip(lineups, happened, strict=True)]
    )


def _cross(evidence: Evidence) -> list[dict[str, Any]]:
    rows = []
    for a in evidence.names:
        for b in evidence.names:
            if a != b:
                results = evidence.seated(a, b)
                share = share_interval([measure_part(result, a, "win") for result in results])
                row = {"a": a, "b": b, **_named("win_share", share), **_counted(results), "note": share.note}
                rows.append(row)
    return rows


def _pairs(evidence: Evidence) -> list[dict[str, Any]]:
    return [
        {
            "a": m.a,
            "b": m.b,
            **_named("difference", m.difference),
            "p": m.p,
            "p_holm": m.p_holm,
            "winner": m.winner,
            "n_lineups": m.n_lineups,
            "n_games": m.n_games,
            "n_blocks": m.n_blocks,
            "note": m.difference.note,
        }
        for m in evidence.meetings
    ]


def _cycles(evidence: Evidence) -> list[dict[str, Any]]:
    p_of = {frozenset((m.a, m.b)): m.p_holm for m in evidence.meetings}
    edges = [(m.winner, m.b if m.winner == m.a else m.a) for m in evidence.meetings if m.winner]
    rows = []
    for circle in metagame.cycles(edges):
        closed = (*circle, circle[0])
        steps = [p_of[frozenset(step)] for step in zip(circle, closed[1:], strict=True)]
        row = {"cycle": " > ".join(closed), "length": len(circle), "p_holm": max(p for p in steps if p is not None)}
        rows.append(row)
    return rows


def _dominance(evidence: Evidence) -> list[dict[str, Any]]:
    if evidence.payoff is None:
        return []
    blocks = {tuple(one.items.tolist()): one.n_blocks for one in evidence.lineups}
    found = dominance.dominances(evidence.shares, blocks, len(evidence.names), evidence.tournament.n_players)
    return [
        {
            "dominated": evidence.names[one.dominated],
            "by": evidence.names[one.by],
            "kind": one.kind,
            "smallest_difference": one.smallest,
            "p_holm": one.p_holm,
            "beyond_doubt": one.beyond_doubt,
        }
        for one in found
    ]


def _mix(evidence: Evidence) -> list[dict[str, Any]]:
    payoff, mix, resampled = evidence.payoff, evidence.mix, evidence.resampled
    if payoff is None or mix is None:
        return []
    n = len(evidence.names)
    states = math.comb(n + evidence.tournament.n_players - 1, n - 1)
    alpha = metagame.alpha_rank(payoff).strategies if states <= MAX_STATES else None
    value = against(payoff, mix)
    weights, ranks, in_mix = (None,) * 3 if resampled is None else (resampled.mix, resampled.alpha, resampled.in_mix)
    ends = {"weight": _ends(weights, n), "alpha_rank": _ends(ranks, n)}
    rows = []
    for i in np.argsort(-mix, kind="stable"):
        row = {
            "strategy": evidence.names[i],
            "weight": float(mix[i]),
            "in_mix_share": None if in_mix is None else float(in_mix[i]),
            "against_mix": float(value[i]),
            "alpha_rank": None if alpha is None else float(alpha[i]),
        }
        for name, (low, high) in ends.items():
            row |= {f"{name}_low": low[i], f"{name}_high": high[i]}
        rows.append(row)
    return rows


def _ends(values: np.ndarray | None, n: int) -> tuple[list[float | None], list[float | None]]:
    if values is None:
        return [None] * n, [None] * n
    low, high = np.percentile(values, ENDS, axis=0)
    return low.tolist(), high.tolist()


def _lineups(evidence: Evidence) -> list[dict[str, Any]]:
    rows = []
    for number, result in enumerate(evidence.results, 1):
        for name in result.names:
            rows.append(
                {
                    "lineup": number,
                    "folder": result.folder.relative_to(evidence.tournament.folder).as_posix(),
                    "seed": str(result.manifest["seed"]),
                    "strategy": name,
                    "copies": int(result.copies[result.names.index(name)]),
                    **_named("win_share", share_interval([measure_part(result, name, "win")])),
                    "score": measure_part(result, name, "score").mean,
                    "margin": measure_part(result, name, "margin").mean,
                    "n_games": int(result.n_games),
                    "n_blocks": int(result.n_blocks),
                }
            )
    return rows
