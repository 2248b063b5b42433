"""What a confirmation says: a table of the claims, and one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.confirmation import Claim, Verdict
from analysis.intervals import Interval
from reports.numbers import FIXED, UNKNOWN, count, decimal, digits_for, half_width, p_value
from reports.terminal import print_table


def in_words(claim: Claim) -> str:
    """Return a claim as a sentence without its full stop."""
    if claim.rival is None:
        return f"{claim.winner} wins more than its fair share"
    return f"{claim.winner} is ahead of {claim.rival}"


def print_confirmation(verdicts: Sequence[Verdict], fresh: Mapping[str, Any]) -> None:
    """Print every claim with both leads, in percentage points, and what became of it.

    Parameters
    ----------
    verdicts : sequence of Verdict
    fresh : mapping
        Manifest of the run, or the tournament, on fresh luck.
    """
    rows = [
        (in_words(v.claim), _lead(v.first), _lead(v.fresh), p_value(v.p_holm).removeprefix("p "), v.outcome)
        for v in verdicts
    ]
    header = ("claim", "lead at first, points of win share", "on fresh luck", "p (Holm)", "")
    print_table(header, rows)
    print(f"\n{summary(verdicts, fresh)}")


def summary(verdicts: Sequence[Verdict], fresh: Mapping[str, Any]) -> str:
    """Return how many claims hold, in one sentence."""
    n_hold = sum(v.outcome == "holds" for v in verdicts)
    where = f"{count(fresh['n_games'])} games of fresh luck ({count(fresh['n_blocks'])} blocks, seed {fresh['seed']}"
    how = f"{where}; one-sided, all claims together at 5{FIXED}%, Holm)"
    if len(verdicts) == 1:
        return f"The claim {'holds' if n_hold else 'is not confirmed'} on {how}."
    which = "All" if n_hold == len(verdicts) else f"{n_hold} of" if n_hold else "None of the"
    return f"{which} {len(verdicts)} claims {'holds' if n_hold == 1 else 'hold'} on {how}."


def _lead(interval: Interval) -> str:
    half = half_width(interval.low, interval.high)
    if interval.estimate is None:
        return UNKNOWN
    if half is None:
        return f"{decimal(100 * interval.estimate, 1, True)} (no interval)"
    digits = digits_for(100 * half)
    low, high = (decimal(100 * float(end), digits) for end in (interval.low or 0.0, interval.high or 0.0))
    return f"{decimal(100 * interval.estimate, digits, True)} ({low} to {high})"
