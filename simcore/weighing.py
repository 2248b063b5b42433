"""What the options of a decision were worth to the one who chose, in words: a line of a replayed game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Worths = Sequence[Sequence[tuple[int, float]]]
"""For each decision that was asked, in order: option and worth in points, for the options that were valued."""

MOST_OPTIONS = 6
"""Options that a line names."""


def with_worths(events: Iterator[dict[str, Any]], worths: Worths | None) -> Iterator[dict[str, Any]]:
    """Yield events; each decision gets its ``worth``: one number for each option, None where none was told."""
    told = iter(worths or ())
    for event in events:
        if worths is not None and event["event"] == "decision":
            values = dict(next(told, ()))
            event["worth"] = [values.get(index) for index in range(len(event["options"]))]
        yield event


def in_words(event: Mapping[str, Any], who: str, unit: str) -> list[str]:
    """Return the line that says what a decision's options were worth, best first; none if nothing was told."""
    told = zip(event.get("worth", ()), event["options"], strict=False)  # nothing is told in a plain replay
    valued = [(value, option) for value, option in told if value is not None]
    if not valued:
        return []
    valued.sort(key=lambda pair: -pair[0])
    best, chosen = valued[0]
    parts = [f"{_option(chosen)} {_points(best)} {unit}"]
    parts += [f"{_option(option)} {_behind(best - value)}" for value, option in valued[1:MOST_OPTIONS]]
    more = f", and {len(valued) - MOST_OPTIONS} more" if len(valued) > MOST_OPTIONS else ""
    what = event["decision"].removeprefix("choose_").replace("_", " ")
    return [f"    {who} weighs {what}: {', '.join(parts)}{more}"]


def _points(worth: float) -> str:
    """Return a worth with one decimal and a true minus sign; what rounds to 0 has none."""
    return f"{worth + 0.0 if abs(worth) >= 0.05 else 0.0:.1f}".replace("-", "\u2212")


def _behind(less: float) -> str:
    return f"{less:.1f} less" if less >= 0.05 else "as much"


def _option(option: Any) -> str:
    return "/".join(map(str, option)) if isinstance(option, list | tuple) else str(option)
