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
        return f"it is decided whether {rule.a} is ahead of {rule.b} by {in_percent(rule.margin)} percentage points"
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
    yes = f"{rule.a} is ahead of {rule.b} by at least {in_percent(rule.margin)} percentage points"
    no = f"{rule.a} is not ahead of {rule.b}"
    true, untrue = (yes, no) if stop.answer == AHEAD else (no, yes)
    return [
        f"{at}: of the two, the test decided that {true} in win share, not that {untrue}; if either is true, the test "
        f"misses it in at most 5{FIXED}% of such runs.",
        "That is a narrower question than whether the two can be told apart.",
    ]


def how_valid(manifest: Mapping[str, Any], n_games: int) -> list[str]:
    """Return the sentence about intervals that are valid however often one looks; none for those of a fixed number."""
    return [f"Intervals and tests are {ANYTIME}."] if is_anytime(manifest, n_games) else []
