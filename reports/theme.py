"""One look for every chart and for the page: colours, markers, text sizes, and how they turn for another theme.

Charts are drawn in the light theme; `turn` gives a drawn chart the colours of another: ``dark`` for a dark page,
``paper`` for print, where colours differ in lightness as well, so that a copy in grey still tells them apart.

Strategies keep their colour, marker and line style through a whole report. Their eight colours are Okabe and Ito's
("Color Universal Design", 2008) without yellow and black, which vanish on a white or a dark page, and with a dark olive
and a violet in their place. Components of a score are filled in the pale "light" scheme of Paul Tol ("Colour schemes",
SRON/EPS/TN/09-002), on which black figures stay legible, so that a component is never taken for a strategy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib import font_manager
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text

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

PAPER_THEME = {
    INK: "#000000",
    MUTED: "#3d3d3d",
    GRID: "#c4c4c4",
    STRIPE: "#f1f1f1",
    "#0072b2": "#004c86",
    "#d55e00": "#c95700",
    "#009e73": "#00956c",
    "#cc79a7": "#d58fb6",
    "#e69f00": "#efb22e",
    "#56b4e9": "#93d0f5",
    "#5c5224": "#332d10",
    "#7d2be8": "#6a1ad6",
}
THEMES: dict[str, dict[str, str]] = {"light": {}, "dark": DARK, "paper": PAPER_THEME}
"""Theme -> colours that differ from the light theme."""

TEXT_SIZE = 9.0
SMALL_SIZE = 8.0
CAPTION_SIZE = 7.5
TITLE_SIZE = 12.5
"""In points."""

WIDTH = 504.0
"""A chart is so many points wide unless a size is asked for (`reports.sheet.shaped`)."""
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
    """Return each strategy's style, by its place among the names in alphabetical order.

    So a strategy looks the same in every chart of a run, in every run of the same strategies however they were listed,
    and, given the names of several runs together, in all of these. Eight colours go round; from the ninth strategy on,
    markers shift against colours, change between filled and hollow, and lines are dashed, so that no two of the first
    64 look the same.
    """
    styles = {}
    for i, name in enumerate(sorted(set(names))):
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


def turn(figure: Figure, name: str) -> None:
    """Give a figure that was drawn in the light theme the colours of another; opacity stays.

    Parameters
    ----------
    figure : Figure
    name : str
        One of `THEMES`.
    """
    colours = THEMES[name]
    if not colours:
        return
    for artist in figure.findobj():
        if isinstance(artist, Text):
            artist.set_color(_turned(artist.get_color(), colours))
        elif isinstance(artist, Line2D):
            artist.set_color(_turned(artist.get_color(), colours))
            artist.set_markeredgecolor(_turned(artist.get_markeredgecolor(), colours))
            artist.set_markerfacecolor(_turned(artist.get_markerfacecolor(), colours))
        elif isinstance(artist, Collection):
            for part in ("facecolor", "edgecolor"):
                found = getattr(artist, f"get_{part}")()
                getattr(artist, f"set_{part}")([_with_alpha(rgba, colours) for rgba in np.atleast_2d(found)])
            artist.set_hatchcolor(_turned(to_hex(MUTED), colours))
        elif isinstance(artist, Patch):
            artist.set_facecolor(_with_alpha(artist.get_facecolor(), colours))
            artist.set_edgecolor(_with_alpha(artist.get_edgecolor(), colours))
            artist.set_hatchcolor(_turned(to_hex(MUTED), colours))


def _turned(colour: Any, colours: Mapping[str, str]) -> Any:
    if isinstance(colour, str) and colour.lower() == "none":
        return colour
    found = to_hex(colour)
    return colours.get(found, found)


def _with_alpha(rgba: Any, colours: Mapping[str, str]) -> Any:
    """Return a colour turned, with the opacity that it had."""
    if len(rgba) < 4:
        return ()
    return (*to_rgb(_turned(rgba[:3], colours)), float(rgba[3]))
