"""How wide a text will be, and how to make it fit: measured from the font, without drawing anything."""

from __future__ import annotations

from functools import lru_cache

from matplotlib.ft2font import FT2Font, LoadFlags

from reports.theme import BOLD_FILE, FONT_FILE, TEXT_SIZE

_BREAKS = " -_:,/=."
ELLIPSIS = "…"


@lru_cache(maxsize=2)
def _font(is_bold: bool) -> FT2Font:
    font = FT2Font(str(BOLD_FILE if is_bold else FONT_FILE))
    font.set_size(100, 72)
    return font


@lru_cache(maxsize=4096)
def _advance(character: str, is_bold: bool) -> float:
    """Return a character's width in a font of size 1; a full square for one that the font lacks."""
    font = _font(is_bold)
    glyph = font.get_char_index(ord(character))
    return font.load_glyph(glyph, flags=LoadFlags.NO_HINTING).linearHoriAdvance / 65536 / 100 if glyph else 1.0


def width(text: str, size: float = TEXT_SIZE, is_bold: bool = False) -> float:
    """Return the width of one line of `text` in points."""
    return size * sum(_advance(character, is_bold) for character in text)


def widest(texts: object, size: float = TEXT_SIZE, is_bold: bool = False) -> float:
    """Return the width in points of the widest line among `texts` (each may have several lines); 0 if there is none."""
    lines = [line for text in texts for line in str(text).split("\n")]  # type: ignore[attr-defined]
    return max((width(line, size, is_bold) for line in lines), default=0.0)


def _cut(word: str, room: float, size: float, is_bold: bool) -> tuple[str, str]:
    """Split a word that is wider than `room`: behind the last breaking character that fits, else anywhere."""
    n = 1
    while n < len(word) and width(word[: n + 1], size, is_bold) <= room:
        n += 1
    for k in range(n, 1, -1):
        if word[k - 1] in _BREAKS:
            return word[:k], word[k:]
    return word[:n], word[n:]


def wrap(text: str, room: float, size: float = TEXT_SIZE, is_bold: bool = False) -> list[str]:
    """Break `text` into lines no wider than `room` points, between words, or inside a word that is too long alone."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):  # not at spaces that do not break
        joined = f"{line} {word}" if line else word
        if width(joined, size, is_bold) <= room:
            line = joined
            continue
        if line:
            lines.append(line)
        while width(word, size, is_bold) > room and len(word) > 1:
            head, word = _cut(word, room, size, is_bold)
            lines.append(head)
        line = word
    return [*lines, line] if line or not lines else lines


def fit(text: str, room: float, size: float = TEXT_SIZE, is_bold: bool = False, max_lines: int = 2) -> str:
    """Return `text` broken into at most `max_lines` lines of `room` points, shortened if it must be.

    What is left out is marked with an ellipsis; the end stays, because names often differ there.
    Two lines are balanced, so that a name does not leave one letter alone.
    """
    lines = wrap(text, room, size, is_bold)
    if len(lines) > max_lines:  # names often differ at their end: keep it
        start = lines[: max_lines - 1] if max_lines > 1 else []
        head = "" if start else text[: len(wrap(text, room / 2, size, is_bold)[0])]
        tail = text[sum(map(len, start)) :] if start else text[len(head) :]
        while tail and width(head + ELLIPSIS + tail, size, is_bold) > room:
            tail = tail[1:]
        lines = [*start, head + ELLIPSIS + tail.lstrip()]
    elif len(lines) == 2:
        half = width(text, size, is_bold) / 2
        for share in (1.0, 1.1, 1.25, 1.4, 1.6):
            balanced = wrap(text, min(room, half * share), size, is_bold)
            if len(balanced) == 2:
                lines = balanced
                break
    return "\n".join(lines)
