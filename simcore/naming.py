"""What is said about a name that does not exist: one sentence, the nearest name first."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MAX_LISTED = 24
"""More choices than this are not listed in a message."""


def nearest(name: str, choices: Iterable[str]) -> str | None:
    """Return the choice most like `name` (upper and lower case alike), or None if none is near."""
    by_fold: dict[str, str] = {}
    for choice in choices:
        by_fold.setdefault(choice.casefold(), choice)
    matches = get_close_matches(name.casefold(), list(by_fold), n=1, cutoff=0.5)
    if matches:
        return by_fold[matches[0]]
    starts = [choice for fold, choice in by_fold.items() if name and fold.startswith(name.casefold())]
    return starts[0] if len(starts) == 1 else None


def unknown(kind: str, name: str, choices: Iterable[str]) -> str:
    """Return the sentence for a name that is not among `choices`.

    Parameters
    ----------
    kind : str
        What it would name: ``strategy``, ``edition``, ``rule switch``...
    name : str
        What the user wrote.
    choices : iterable of str
        The names there are.

    Examples
    --------
    >>> unknown("strategy", "plannr", ["planner", "greedy"])
    "there is no strategy 'plannr'; the nearest is 'planner' (there are: planner, greedy)"
    """
    names = list(choices)
    sentence = f"there is no {kind} {name!r}"
    near = nearest(name, names)
    if near is not None:
        sentence += f"; the nearest is {near!r}"
    if not names:
        return sentence
    listed = ", ".join(names[:MAX_LISTED])
    if len(names) > MAX_LISTED:
        listed += f" and {len(names) - MAX_LISTED} more"
    return f"{sentence} (there {'is' if len(names) == 1 else 'are'}: {listed})"
