"""What charts say, in five languages: phrases and names of game things from one catalogue.

`catalogue.toml` holds them: a phrase has a key, its five texts and named placeholders; a thing is found by the title of
its column, which is English. What the catalogue lacks (a card of your own, a strategy's name) stays as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from simcore.contract import TaflError

LANGUAGES = ("en", "pt", "es", "fr", "de")
CATALOGUE = Path(__file__).parent / "catalogue.toml"
FIXED = "\u00a0"
"""Space that does not break."""

_CHOSEN: ContextVar[str] = ContextVar("language", default="en")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NO_BREAK = re.compile(r" (?=[%:;!?»])|(?<=«) ")


@dataclass(frozen=True)
class Catalogue:
    """The phrases and names of things.

    Attributes
    ----------
    phrases : mapping
        Key -> language -> text with ``{placeholders}``.
    things : mapping
        Title of a column -> language -> name.
    patterns : list of (re.Pattern, mapping)
        Titles with placeholders, such as ``seat {n}``, and their texts by language; in the catalogue's order.
    """

    phrases: Mapping[str, Mapping[str, str]]
    things: Mapping[str, Mapping[str, str]]
    patterns: list[tuple[re.Pattern[str], Mapping[str, str]]]


def placeholders(text: str) -> set[str]:
    """Return the names in braces of a text."""
    return set(_PLACEHOLDER.findall(text))


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Mapping[str, str]]]:
    for key, entry in table.items():
        if all(isinstance(text, str) for text in entry.values()):
            yield prefix + key, entry
        else:
            yield from _flat(entry, f"{prefix}{key}.")


def _group(name: str) -> str:
    """Return what a placeholder of a title stands for: {n} for a number, any other for a thing."""
    return rf"(?P<{name}>\d+)" if name == "n" else f"(?P<{name}>.+)"


@lru_cache(maxsize=1)
def catalogue() -> Catalogue:
    """Return the catalogue, read once."""
    data = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    things, patterns = {}, []
    for title, texts in data["thing"].items():
        if "{" not in title:
            things[title] = texts
            continue
        parts = [re.escape(p) if i % 2 == 0 else _group(p) for i, p in enumerate(_PLACEHOLDER.split(title))]
        patterns.append((re.compile("".join(parts)), texts))
    return Catalogue(dict(_flat(data["phrase"])), things, patterns)


def language() -> str:
    """Return the language in use, ``en`` by default."""
    return _CHOSEN.get()


@contextmanager
def use(name: str) -> Iterator[None]:
    """Let everything said inside be in this language.

    Raises
    ------
    TaflError
        If the catalogue has no such language.
    """
    if name not in LANGUAGES:
        raise TaflError(f"there is no language '{name}'; there are: {', '.join(LANGUAGES)}.")
    token = _CHOSEN.set(name)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def say(key: str, **values: Any) -> str:
    """Return a phrase in the language in use with its placeholders filled in.

    Spaces before a percent sign and before French punctuation do not break.
    """
    text = _NO_BREAK.sub(FIXED, catalogue().phrases[key][language()])
    return text.format(**values)


def thing(title: Any) -> str:
    """Return what a game thing is called in the language in use; `title` itself if the catalogue lacks it."""
    title = str(title)
    known = catalogue()
    if title in known.things:
        return known.things[title][language()]
    for pattern, texts in known.patterns:
        if match := pattern.fullmatch(title):
            parts = {name: thing(part) for name, part in match.groupdict().items()}
            return texts[language()].format(**parts)
    return title


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
