"""A figure as SVG: the same bytes each time, small, readable text; and the same drawing as a part of a page.

Text stays text, so that it can be searched, copied and edited; the fonts named are no wider than what was measured.
In a page every colour becomes a CSS variable with the printed colour as its fallback, so that a dark page can turn it.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from functools import cache
from html import escape
from typing import Any
from zlib import crc32

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from reports import theme
from reports.sheet import FRAME

_HEAD = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_STYLE = re.compile(r'\s*<defs>\s*<style type="text/css">.*?</style>\s*</defs>', re.DOTALL)
_FAMILY = re.compile(r"font-family:[^;\"]*;\s?")
_NO_TURN = re.compile(r' transform="rotate\(-?0 [^"]*\)"')
_GROUP_ID = re.compile(rf'<g id="(?!{FRAME}-)[^"]*"')
_FRAME = re.compile(rf'<g id="{FRAME}-[^"]*">.*?</g>\n?', re.DOTALL)
_EMPTY_GROUP = re.compile(r"\s*<g\s*/>")
_SVG_TAG = re.compile(r"<svg[^>]*>")
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_ID = re.compile(r'(id="|url\(#|xlink:href="#)')
_CLIP = re.compile(r'<clipPath id="([^"]+)"')
_CLIPPED = re.compile(r'clip-path="url\(#([^)]+)\)"')
_LOOK = re.compile(r' style="([^"]*)"')
_COLOUR = re.compile(r"#[0-9a-f]{6}(?=[;\"])")


_measure = TextToPath.get_text_width_height_descent


@cache
def _measured(text: str, font: FontProperties, ismath: Any) -> tuple[float, float, float]:
    return _measure(TextToPath(), text, font, ismath)


def _measured_once(_: TextToPath, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
    """Return width, height and descent of a text in a font.

    Matplotlib measures anew for each drawing, a fifth of the time that a page's charts take, and the same words stand
    in many of them.
    """
    return _measured(s, prop.copy(), ismath)


TextToPath.get_text_width_height_descent = _measured_once  # type: ignore[assignment]


def svg_of(figure: Figure, title: str, description: str, size: tuple[int, int] | None = None) -> str:
    """Return a figure as an SVG document that names itself and describes its numbers.

    Parameters
    ----------
    figure : Figure
        Made, like this call, under ``matplotlib.rc_context(theme.RC)``.
    title, description : str
        For readers who do not see the picture.
    size : (int, int), optional
        Pixels across and down at which it is shown unless told otherwise; its size in points by default.
    """
    buffer = io.StringIO()
    metadata = {"Date": None, "Creator": None, "Format": None, "Type": None}
    FigureCanvasSVG(figure).print_svg(buffer, metadata=metadata)
    text = _HEAD.sub("", buffer.getvalue())
    for pattern, instead in ((_METADATA, ""), (_STYLE, ""), (_FAMILY, ""), (_NO_TURN, ""), (_GROUP_ID, "<g")):
        text = pattern.sub(instead, text)
    text = _EMPTY_GROUP.sub("", text)
    text = re.sub(r"\s*\n\s*", "\n", text)
    text = re.sub(r'(?<=[\d.z]) ?\n(?=[LMQCz"\d])', " ", text)
    found = _SIZE.search(text)
    width, height = found.groups() if found else ("0", "0")
    shown = (f"{width}pt", f"{height}pt") if size is None else size
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{shown[0]}" height="{shown[1]}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-labelledby="title description">\n<title id="title">{escape(title)}</title>\n'
        f'<desc id="description">{escape(description)}</desc>\n'
        f"<style>*{{stroke-linejoin:round;stroke-linecap:butt}}text{{font-family:{theme.FONT_STACK}}}</style>"
    )
    return _SVG_TAG.sub(lambda _: head, text, count=1)


def for_page(document: str, prefix: str, body: tuple[float, float]) -> str:
    """Return an SVG document as an element of an HTML page.

    Its ids begin with `prefix`, its colours are variables (``--c1f2328``), its fonts are the page's, its size is up to
    the page. Title, subtitle and caption are left out: the page writes them as text that wraps.

    Parameters
    ----------
    document : str
        As `svg_of` returns it.
    prefix : str
        The chart's name.
    body : tuple of float
        See `reports.sheet.FramedFigure`.
    """
    text = re.sub(r"<style>.*?</style>", "", document, count=1)
    text = re.sub(r'(<svg) xmlns="[^"]*" xmlns:xlink="[^"]*" width="[^"]*" height="[^"]*"', r"\1", text, count=1)
    text = text.replace('aria-labelledby="title description"', f'aria-labelledby="{prefix}-title {prefix}-description"')
    text = _FRAME.sub("", text)
    top, bottom = body
    text = _SIZE.sub(lambda m: f'viewBox="0 {top:g} {m.group(1)} {bottom - top:g}"', text, count=1)
    text = _ID.sub(lambda m: f"{m.group(1)}{prefix}-", text).replace("xlink:href", "href")
    text = _with_short_clips(text, f"k{crc32(prefix.encode()):x}")
    return _with_classes(_COLOUR.sub(lambda m: f"var(--c{m.group()[1:]},{m.group()})", text))


def _with_short_clips(text: str, short: str) -> str:
    """Give clip paths ids that begin with `short`: each is used often."""
    ids = {name: f"{short}{number}" for number, name in enumerate(dict.fromkeys(_CLIP.findall(text)))}
    text = _CLIP.sub(lambda m: f'<clipPath id="{ids[m[1]]}"', text)
    return _CLIPPED.sub(lambda m: f'clip-path="url(#{ids.get(m[1], m[1])})"', text)


def _with_classes(text: str) -> str:
    """Write what several elements look like once, as a rule: a third of a page would repeat it."""
    found = Counter(_LOOK.findall(text))
    names = {look: f"s{crc32(look.encode()):x}" for look, n in found.items() if n > 1}
    text = _LOOK.sub(lambda m: f' class="{names[m[1]]}"' if m[1] in names else m[0], text)
    rules = "".join(f"svg .{name}{{{look}}}" for look, name in names.items())  # as strong as the page's, and later
    return text.replace("</desc>", f"</desc><style>{rules}</style>", 1) if rules else text


def dark_variables() -> str:
    """Return the CSS declarations that turn a page's charts dark."""
    return "".join(f"--c{light[1:]}:{dark};" for light, dark in theme.DARK.items())
