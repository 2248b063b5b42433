"""The words of every table, chart and sentence, defined once: ``docs/glossary.md``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PLACES = (_HERE.parent / "docs" / "glossary.md", _HERE / "templates" / "glossary.md")
"""In a checkout, and in an installed package, into which the file is copied when it is built."""


@cache
def glossary() -> dict[str, str]:
    """Return each word with its definition, plain text, in the order of the page.

    Returns
    -------
    dict of str to str
        ``{"Win share": "Won games per copy and game; ..."}``.
    """
    path = next(place for place in _PLACES if place.is_file())
    parts = re.split(r"^## (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {word: " ".join(text.replace("*", "").split()) for word, text in zip(parts[::2], parts[1::2], strict=True)}


def anchor(word: str) -> str:
    """Return the anchor of a word in a report: ``word-win-share``."""
    return "word-" + re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")
