"""What is said of a rule that stops a run: what it waits for, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analysis.sequential import is_anytime
from analysis.stopping import AHEAD, Distinguished, Precision, Sprt, rule_of
from reports.numbers import FIXED, count, decimal

ANYTIME = "valid however often one looks"


def in_percent(share: float) -> str:
    """Return a share as somebody wrote it in percent: ``0.1``, ``12.5``."""
    text = decimal(100 * share, 10)
    return text.rstrip("0").rstrip(".")


def waits_for(manifest: Mapping[str, Any]) -> str:
    """Return what the rule of a run waits for, to stand behind "until"; empty if the number of games is fixed."""
    rule = rule_of(manifest)
    if isinstance(rule, Precision):
        return f"every win share is known to \u00b1{in_percent(rule.half_width)} percentage points"
    if isinstance(rule, Distinguished):
        return "every two strategies are told apart"
    if isinstance(rule, Sprt):
        return f"it is decided whether {rule.a} is ahead of {rule.b}, with a margin of {_points(rule)}"
    return ""


def stopped_in_words(result: Any) -> list[str]:
    """Return what is said of what stopped a run (`simcore.store.RunResult`); none where nothing could.

    Of a run that is not complete yet there is nothing to say either.
    """
    rule, stop, until = rule_of(result.manifest), result.stopped, waits_for(result.manifest)
    if rule is None or not result.complete:
        return []
    if stop is None:
        return [f"The most was reached, {count(result.n_games)} games, without an answer: it was to stop once {until}."]
    at = f"The rule --{rule.name} stopped the run after {count(stop.n_games)} games"
    if not isinstance(rule, Sprt):
        return [f"{at}: {until}."]
    if stop.answer == AHEAD:
        decided = f"{rule.a} is ahead of {rule.b} in win share"
        wrongly = f"where {rule.a} is not ahead"
        left_open = f"that the lead is as large as the margin of {_points(rule)}"
    else:
        decided = f"{rule.a} is not ahead of {rule.b} by {_points(rule)} or more in win share"
        wrongly = "where it is"
        left_open = f"that {rule.a} is behind"
    return [
        f"{at}: the test decided that {decided}; it does so wrongly in at most 5{FIXED}% of the runs {wrongly}.",
        f"It does not say {left_open}: the interval of the difference tells how large it is.",
    ]


def _points(rule: Sprt) -> str:
    return f"{in_percent(rule.margin)} percentage points"


def how_valid(manifest: Mapping[str, Any], n_games: int) -> list[str]:
    """Return the sentence about intervals that are valid however often one looks; none for those of a fixed number."""
    return [f"Intervals and tests are {ANYTIME}."] if is_anytime(manifest, n_games) else []
