"""What a run says of its winner, tried again on fresh luck.

The winner of a comparison was picked because it did best, so its lead is a little too large on average (the "winner's
curse"), and a claim that was one of many may be chance. New blocks, of which nothing was picked, settle it: every claim
is tested once more, one-sided, and all of them together by Holm's method at 5 %.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis import runs
from analysis.intervals import LEVEL, Interval, effective_n
from analysis.paired import holm, pairs
from analysis.shares import win_share
from analysis.tails import t_tail
from simcore import disk
from simcore.contract import WIN_UNITS, DataError, TaflError
from simcore.manifest import default_folder, digest, encode, engine_digest
from simcore.store import RunResult, RunStore, check_is_run, load_result

__all__ = [
    "CONFIRMS_NAME",
    "Claim",
    "Verdict",
    "begin",
    "claims",
    "decide",
    "go_on",
    "judge",
    "lead",
    "one_sided",
    "rows",
]

CONFIRMS_NAME = "confirms.json"
"""File of a confirming run that says what it confirms."""

HOLDS, OPEN, REVERSED = "holds", "not confirmed", "reversed"


@dataclass(frozen=True)
class Claim:
    """One thing a run says of its winner.

    Attributes
    ----------
    winner : str
        The strategy with the largest win share.
    rival : str or None
        The strategy it is ahead of; None: it wins more than its fair share.
    """

    winner: str
    rival: str | None


@dataclass(frozen=True)
class Verdict:
    """A claim, what the run said and what fresh luck says.

    Attributes
    ----------
    claim : Claim
    first, fresh : Interval
        Lead in win share, -1 to 1: over the rival, paired within blocks, or over the fair share.
    p_holm : float or None
        One-sided p value of "no lead" on fresh luck, adjusted for all claims (Holm 1979). None: one block.
    outcome : {'holds', 'not confirmed', 'reversed'}
        `holds`: ``p_holm < 0.05``. `reversed`: fresh luck says, beyond chance, that the winner is behind.
    """

    claim: Claim
    first: Interval
    fresh: Interval
    p_holm: float | None
    outcome: str


def claims(result: RunResult) -> list[Claim]:
    """Return what a run says of its winner beyond chance.

    Raises
    ------
    TaflError
        If it says nothing beyond chance.
    """
    if len(result.names) < 2:
        raise TaflError(
            f"the run '{result.folder}' has one strategy in every seat, so it has no winner to confirm: name a run "
            "with two strategies or more."
        )
    if result.n_blocks < 2:
        raise TaflError(f"the run '{result.folder}' has too few blocks to say anything: resume it first.")
    shares = [win_share(result, entrant).estimate or 0.0 for entrant in range(len(result.names))]
    winner = result.names[shares.index(max(shares))]
    fair = lead(result, Claim(winner, None))[0]
    found = [Claim(winner, None)] if fair.low is not None and fair.low > 0 else []
    for pair in pairs(result):
        if pair.distinguishable and winner in (pair.a, pair.b):
            found.append(Claim(winner, pair.b if pair.a == winner else pair.a))
    if not found:
        raise TaflError(
            f"the run '{result.folder}' says nothing of its winner beyond chance, so there is nothing to confirm: "
            "play more games instead."
        )
    return found


def lead(result: RunResult, claim: Claim) -> tuple[Interval, float | None]:
    """Return the lead that a claim is about, as a run saw it, and the one-sided p value of no lead.

    Returns
    -------
    Interval
        Difference of win shares, per copy.
    float or None
        Small if the winner is ahead. None: cannot be determined.
    """
    winner = result.names.index(claim.winner)
    if claim.rival is None:
        return _over_fair_share(result, winner)
    rival = result.names.index(claim.rival)
    pair = next(pair for pair in pairs(result) if {pair.a, pair.b} == {claim.winner, claim.rival})
    difference = pair.win_share if winner < rival else pair.win_share.turned()
    return difference, one_sided(pair.p, difference.estimate)


def one_sided(p: float | None, difference: float | None) -> float | None:
    """Return the p value of "not ahead" from that of "no difference" and the difference seen."""
    if p is None or difference is None:
        return None
    return p / 2 if difference > 0 else 1 - p / 2


def _over_fair_share(result: RunResult, entrant: int) -> tuple[Interval, float | None]:
    """Lead over the fair share; the score test that Wilson's interval inverts."""
    share, fair = win_share(result, entrant), 1 / result.n_seats
    if share.estimate is None or share.low is None or share.high is None or share.se is None:
        return Interval(None if share.estimate is None else share.estimate - fair, note=share.note), None
    interval = Interval(share.estimate - fair, share.se, share.low - fair, share.high - fair, share.note)
    n_blocks, win = result.n_blocks, result.layout.win
    per_block = result.games_per_block * int(result.copies[entrant])
    total, square = (int(result.sums[name][entrant, win]) for name in ("total", "block_square"))
    squared_error = max(0.0, (square - total * total / n_blocks) / (WIN_UNITS * per_block * n_blocks) ** 2)
    n = effective_n(share.estimate, squared_error, n_blocks)
    return interval, t_tail((share.estimate - fair) * math.sqrt(n / (fair * (1 - fair))), n_blocks - 1)


def judge(first: RunResult, fresh: RunResult) -> list[Verdict]:
    """Return which claims of a run hold in another one of the same line-up on fresh luck.

    Parameters
    ----------
    first, fresh : RunResult
        The run that made the claims; the run that tries them.
    """
    found = claims(first)
    before = [lead(first, claim)[0] for claim in found]
    now = [lead(fresh, claim) for claim in found]
    return decide(found, before, now)


def decide(
    found: Sequence[Claim], before: Sequence[Interval], now: Sequence[tuple[Interval, float | None]]
) -> list[Verdict]:
    """Return what becomes of claims, tested together.

    Parameters
    ----------
    found : sequence of Claim
    before : sequence of Interval
        The leads that were claimed.
    now : sequence of (Interval, float or None)
        The leads on fresh luck, and the one-sided p values of no lead.
    """
    adjusted = holm([p for _, p in now])
    verdicts = []
    for claim, said, (interval, _), p_holm in zip(found, before, now, adjusted, strict=True):
        holds = p_holm is not None and p_holm < 1 - LEVEL
        behind = interval.high is not None and interval.high < 0
        outcome = HOLDS if holds else REVERSED if behind else OPEN
        verdicts.append(Verdict(claim, said, interval, p_holm, outcome))
    return verdicts


def rows(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the rows of the table ``claims`` (`analysis.tables.COLUMNS`)."""
    return [
        {
            "winner": v.claim.winner,
            "rival": v.claim.rival,
            "first_lead": v.first.estimate,
            "first_low": v.first.low,
            "first_high": v.first.high,
            "fresh_lead": v.fresh.estimate,
            "fresh_low": v.fresh.low,
            "fresh_high": v.fresh.high,
            "p_holm": v.p_holm,
            "outcome": v.outcome,
        }
        for v in verdicts
    ]


def begin(
    folder: str | Path,
    n_games: int | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    any_engine: bool = False,
) -> tuple[runs.Choice, RunStore]:
    """Make the folder of a run that confirms another: its line-up, edition and strategies, other luck.

    Parameters
    ----------
    folder : path
        The run to confirm.
    n_games : int, optional
        As many as it played by default; rounded up to whole blocks.
    seed : int, optional
        Must not be the run's own; fresh if none is given.
    out : path, optional
        A new folder; beside the other runs under ``runs/`` by default.
    any_engine : bool
        Confirm although tafl's rules or luck have changed since the run was played.

    Raises
    ------
    TaflError
        If the run has nothing to confirm, the seed is its own, or it was played by another engine.
    """
    first = load_result(folder)
    claims(first)
    manifest = first.manifest
    if seed == manifest["seed"]:
        raise TaflError(f"seed {seed} is the run's own, and the same luck confirms nothing: choose another --seed.")
    while seed is None or seed == manifest["seed"]:
        seed = runs.fresh_seed()
    if not any_engine and manifest["engine"] != engine_digest(manifest["game"]):
        raise DataError(
            f"the run '{folder}' was played by another tafl ({manifest['tafl_version']}) whose rules or luck differ "
            "from this one's. --any-engine tries its claims under this one's all the same."
        )
    choice = runs.choose_again(first.folder, manifest)
    choice = replace(choice, edition=replace(choice.edition, name=manifest["edition"]["name"]))
    target = Path(out or default_folder(manifest["game"], manifest["lineup"], seed, ending="-confirmation"))
    n_games = first.n_games if n_games is None else n_games
    runs.check_numbers(choice, n_games, seed, manifest["seating"], target)
    store = runs.begin_run(choice, n_games, seed, manifest["seating"], target)
    with disk.on(store.folder, "write to"):
        disk.write_whole(store.folder / CONFIRMS_NAME, encode({"run": str(folder), "manifest": _identity(first)}))
    return choice, store


def go_on(folder: str | Path, fresh: str | Path) -> tuple[runs.Choice, RunStore]:
    """Open a confirming run that was interrupted.

    Parameters
    ----------
    folder : path
        The run whose claims it tries.
    fresh : path
        The confirming run.

    Raises
    ------
    TaflError
        If `fresh` does not confirm that run.
    """
    first = load_result(folder)
    check_is_run(Path(fresh))
    try:
        said = json.loads((Path(fresh) / CONFIRMS_NAME).read_bytes())["manifest"]
    except (OSError, ValueError, KeyError, TypeError):
        said = ""
    if said != _identity(first):
        raise TaflError(f"'{fresh}' was not begun to confirm '{folder}': leave --resume out to begin anew.")
    return runs.go_on(fresh)


def _identity(result: RunResult) -> str:
    """Return the hash of a run's manifest, by which a confirmation knows the run it belongs to."""
    return digest(encode(result.manifest))
