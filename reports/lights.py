"""How a traffic light of a balance sheet is shown, in a page as in a terminal: a sign, its word and its colour."""

from __future__ import annotations

import re

from markupsafe import Markup

from analysis.balance_lights import GREEN, OPEN, RED, YELLOW
from reports.numbers import FIXED

SIGNS = {GREEN: "●", YELLOW: "◐", RED: "○", OPEN: "?"}
WORDS = {state: f"{sign}{FIXED}{state}" for state, sign in SIGNS.items()}
"""Light -> sign and word, which tell it where there is no colour."""

TERMINAL_COLOURS = {
    WORDS[state]: colour for state, colour in zip(SIGNS, ("green", "yellow", "red", "cyan"), strict=True)
}
"""Sign and word -> colour in a terminal."""

_SHOWN = re.compile("|".join(f"({re.escape(words)})" for words in WORDS.values()))
_STATES = list(WORDS)


def lit(text: Markup | str) -> Markup:
    """Return a page's text in which every light has its colour."""
    escaped = text if isinstance(text, Markup) else Markup.escape(text)
    return Markup(_SHOWN.sub(lambda m: f'<span class="light {_STATES[(m.lastindex or 1) - 1]}">{m[0]}</span>', escaped))
