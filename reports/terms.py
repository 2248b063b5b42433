"""Words of the glossary in a page's text, linked to their entries."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from reports.glossary import anchor, glossary

_TAG = re.compile(r"(<[^>]*>)")
_ENDING_IN_Y = re.compile(r"y$")
NOT_INSIDE = ("a", "code", "button", "summary")
"""Elements whose text stays as it is."""


@cache
def _pattern() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return what finds every word of the glossary, also in the plural, and the anchor of each."""
    anchors: dict[str, str] = {}
    for word in glossary():
        plural = _ENDING_IN_Y.sub("ie", word.lower()) + "s"
        anchors |= {word.lower(): anchor(word), plural: anchor(word)}
    longest_first = sorted(anchors, key=len, reverse=True)
    either = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in longest_first)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE), anchors


def linked(text: Any) -> Markup:
    """Return a text in which the first occurrence of each word of the glossary links to its entry.

    Parameters
    ----------
    text : object
        Plain text, or `Markup`, of which only what stands between the tags is read.
    """
    pattern, anchors = _pattern()
    seen: set[str] = set()
    inside: list[str] = []

    def link(match: re.Match[str]) -> str:
        found = anchors[" ".join(match.group().lower().split())]
        if found in seen:
            return match.group()
        seen.add(found)
        return f'<a class="term" href="#{found}">{match.group()}</a>'

    parts = []
    for part in _TAG.split(str(escape(text))):
        if part.startswith("<"):
            name = part.strip("</>").partition(" ")[0]
            if name in NOT_INSIDE:
                inside = inside[:-1] if part.startswith("</") else [*inside, name]
            parts.append(part)
        else:
            parts.append(part if inside else pattern.sub(link, part))
    return Markup("".join(parts))


def entries() -> list[tuple[str, str, Markup]]:
    """Return the glossary for a page: anchor, word, and its text with links to the other entries."""
    found = []
    for word, text in glossary().items():
        own = re.compile(rf'<a class="term" href="#{anchor(word)}">(.*?)</a>')
        found.append((anchor(word), word, Markup(own.sub(r"\1", str(linked(text))))))
    return found
