"""One look for every chart and for the page: colours, markers, text sizes, and how they turn for a dark page.

Strategies keep their colour, marker and line style through a whole report. Their eight colours are Okabe and Ito's
("Color Universal Design", 2008) without yellow and black, which vanish on a white or a dark page, and with a dark olive
and a violet in their place. Components of a score are filled in the pale "light" scheme of Paul Tol ("Colour schemes",
SRON/EPS/TN/09-002), on which black figures stay legible, so that a component is never taken for a strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib import font_manager

INK = "#1f2328"
MUTED = "#57606a"
GRID = "#d8dee4"
PAPER = "#ffffff"
STRIPE = "#f4f6f8"
"""Behind every other row of a chart with many rows."""
ON_FILL = "#1b1b1b"
"""Figures written inside a pale fill: dark on a dark page too."""

STRATEGY_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5c5224", "#7d2be8")
MARKERS = ("o", "s", "D", "^", "v", "P", "X", "h")
LINE_STYLES: tuple[Any, ...] = ("solid", (0, (4, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)))
FILLS = ("#ee8866", "#44bb99", "#eedd88", "#ffaabb", "#77aadd", "#dddddd", "#bbcc33", "#99ddff", "#aaaa00")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\")

DARK = {
    INK: "#e6edf3",
    MUTED: "#9da7b3",
    GRID: "#343b45",
    PAPER: "#161b22",
    STRIPE: "#1c222b",
    "#0072b2": "#1a7fd6",
    "#56b4e9": "#8fd0fa",
    "#5c5224": "#8a7a40",
    "#7d2be8": "#9548ff",
}
"""Colour in a chart -> colour on a dark page. Colours that are not named serve both."""

TEXT_SIZE = 9.0
SMALL_SIZE = 8.0
CAPTION_SIZE = 7.5
TITLE_SIZE = 12.5
"""In points; a chart is `WIDTH` points wide."""

WIDTH = 504.0
MARGIN = 10.0
PNG_DPI = 200

FONT_FILE = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
BOLD_FILE = FONT_FILE.with_name("DejaVuSans-Bold.ttf")
"""The fonts that come with matplotlib, so that every machine draws the same picture."""

FONT_STACK = "'DejaVu Sans', Verdana, Geneva, 'Segoe UI', Roboto, sans-serif"
"""Text of an SVG stays text. Verdana has the widths of DejaVu Sans; the others are narrower: nothing gets clipped."""


@dataclass(frozen=True)
class Style:
    """How one strategy is drawn.

    Attributes
    ----------
    colour : str
        ``#rrggbb``.
    marker : str
        A matplotlib marker.
    hollow : bool
        Marker drawn as an outline: tells the ninth strategy from the first.
    line : object
        A matplotlib line style.
    """

    colour: str
    marker: str
    hollow: bool
    line: Any


def strategy_styles(names: Sequence[str]) -> dict[str, Style]:
    """Return each strategy's style, by its place in the line-up.

    Eight colours go round; from the ninth strategy on, markers shift against colours, change between filled and
    hollow, and lines are dashed, so that no two of the first 64 look the same.
    """
    styles = {}
    for i, name in enumerate(names):
        turn, place = divmod(i, len(STRATEGY_COLOURS))
        styles[name] = Style(
            STRATEGY_COLOURS[place],
            MARKERS[(place + turn // 2) % len(MARKERS)],
            turn % 2 == 1,
            LINE_STYLES[turn % len(LINE_STYLES)],
        )
    return styles


def fill_styles(names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return (colour, hatch) for each component, in order; hatches begin where the nine colours end."""
    n = len(FILLS)
    return {name: (FILLS[i % n], HATCHES[(i // n) % len(HATCHES)]) for i, name in enumerate(names)}


@lru_cache
def regular(size: float = TEXT_SIZE) -> font_manager.FontProperties:
    """Return the font of ordinary text, `size` in points."""
    return font_manager.FontProperties(fname=str(FONT_FILE), size=size)


@lru_cache
def bold(size: float = TEXT_SIZE) -> font_manager.FontProperties:
    """Return the bold font, `size` in points."""
    return font_manager.FontProperties(fname=str(BOLD_FILE), size=size, weight="bold")


RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "tafl",
    "hatch.linewidth": 0.6,
    "hatch.color": MUTED,
    "path.simplify": False,
    "axes.unicode_minus": True,
    "text.parse_math": False,
    "text.usetex": False,
    "text.hinting": "no_hinting",
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "savefig.facecolor": "auto",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""Settings of matplotlib while a chart is made or saved: `with matplotlib.rc_context(theme.RC)`."""
