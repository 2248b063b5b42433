"""The frame every chart shares: title, subtitle and legend on top, plots in the middle, a caption at the foot.

Everything is measured before it is drawn (`reports.textfit`), in points from the upper left corner, so that a chart
grows with its content, nothing overlaps and nothing is clipped, without a second drawing to find out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from reports import theme
from reports.language import say
from reports.numbers import decimal
from reports.shape import TooSmallError, page_width, shape_now
from reports.textfit import fit, widest, width, wrap
from reports.theme import CAPTION_SIZE, INK, MARGIN, MUTED, SMALL_SIZE, TEXT_SIZE, TITLE_SIZE

TITLE_STEP = TITLE_SIZE * 1.32
SUBTITLE_STEP = TEXT_SIZE * 1.4
LEGEND_STEP = TEXT_SIZE * 1.6
CAPTION_STEP = CAPTION_SIZE * 1.4
STRIPED_FROM = 7
"""Rows from which on every other one is shaded."""
AXIS_STEP = 15.0
"""Height of a row of tick labels in points."""


MAX_STRETCH = 3.5
"""A chart that has to fill a given height stretches its plots so far at most."""


@dataclass(frozen=True)
class Words:
    """What a chart says.

    Attributes
    ----------
    title : str
        The finding.
    subtitle : str
        What is plotted, in what unit.
    caption : str
        How many games, which method; stands alone when the chart is shown by itself.
    note : str
        The same in brief, for a page that has said the rest; not drawn.
    """

    title: str
    subtitle: str = ""
    caption: str = ""
    note: str = ""


@dataclass(frozen=True)
class Key:
    """An entry of a legend: a marker, a line or a filled box, and what it stands for."""

    label: str
    colour: str
    marker: str = ""
    hollow: bool = False
    line: Any = ""
    hatch: str | None = None
    alpha: float = 1.0


@dataclass(frozen=True)
class Area:
    """A plot within a sheet: its left edge and width, its top below the header and its height, in points."""

    left: float
    width: float
    top: float
    height: float


FRAME = "frame"
"""Begins the ids of a chart's title, subtitle and caption, which a page writes as its own text."""


class FramedFigure(Figure):
    """A figure that knows where its title ends and its caption begins.

    Attributes
    ----------
    body : tuple of float
        Upper and lower edge of what lies between, in points from the top.
    """

    body: tuple[float, float] = (0.0, 0.0)


class _Plot(Axes):
    """Axes without matplotlib's own ticks, whose making is a quarter of a chart's time; nothing of them is drawn."""

    def _init_axis(self) -> None:
        super()._init_axis()  # type: ignore[misc]
        for axis in (self.xaxis, self.yaxis):
            for name in ("set_tick_params", "set_clip_path"):  # what would make them
                setattr(axis, name, _nothing)


def _nothing(*args: Any, **kwargs: Any) -> None:
    """Stand where there is nothing to do."""


@dataclass
class Sheet:
    """A figure with its plots.

    Attributes
    ----------
    figure : FramedFigure
        A matplotlib figure, without any pyplot state.
    plots : list of matplotlib.axes.Axes
        One for each `Area`, empty.
    page : matplotlib.axes.Axes
        Lies over the whole figure and counts in points from its upper left corner.
    top : float
        Where the header ends, in points: areas count from here.
    areas : list of Area
        Of the plots, as they came out: higher than asked for where the chart has a height to fill.
    """

    figure: FramedFigure
    plots: list[Axes]
    page: Axes
    top: float
    areas: list[Area]


def _legend_rows(keys: Sequence[Key], room: float) -> list[list[tuple[float, Key, str]]]:
    """Lay entries out in as few rows as hold them, about equally long: (left edge, entry, text that fits)."""
    n_rows = len(_filled_rows(keys, room, room))
    share = next((s for s in (0.5, 0.6, 0.7, 0.8, 0.9) if len(_filled_rows(keys, room, room * s)) == n_rows), 1.0)
    return _filled_rows(keys, room, room * share)


def _filled_rows(keys: Sequence[Key], widest_label: float, room: float) -> list[list[tuple[float, Key, str]]]:
    rows: list[list[tuple[float, Key, str]]] = [[]]
    x = 0.0
    for key in keys:
        label = fit(key.label, widest_label - 20, max_lines=1)
        wide = 15 + width(label) + 10
        if rows[-1] and x + wide - 10 > room:
            rows.append([])
            x = 0.0
        rows[-1].append((x, key, label))
        x += wide
    return rows if keys else []


def _draw_key(page: Axes, x: float, y: float, key: Key) -> None:
    if key.hatch is not None:
        box = Rectangle((x, y - 4), 10, 8, facecolor=to_rgba(key.colour, key.alpha), edgecolor=MUTED, linewidth=0.4)
        box.set_hatch(key.hatch)
        page.add_patch(box)
        return
    if key.line:
        page.add_line(Line2D([x - 1, x + 11], [y, y], color=key.colour, linewidth=1.6, linestyle=key.line))
    if key.marker:
        face = theme.PAPER if key.hollow else key.colour
        page.add_line(
            Line2D([x + 5], [y], color=key.colour, marker=key.marker, markersize=5.5, markerfacecolor=face, linewidth=0)
        )


def make_sheet(words: Words, areas: Sequence[Area], below: float, keys: Sequence[Key] = ()) -> Sheet:
    """Return a figure with header, legend and caption drawn, and an empty plot for each area.

    Parameters
    ----------
    words : Words
        Title, subtitle, caption.
    areas : sequence of Area
        The plots.
    below : float
        Points kept free under the lowest area for tick labels and the like.
    keys : sequence of Key
        The legend; none is drawn if empty.
    """
    shape = shape_now()
    wide = shape.width
    room = wide - 2 * MARGIN
    title = wrap(words.title, room, TITLE_SIZE, is_bold=True)
    subtitle = wrap(words.subtitle, room) if words.subtitle else []
    caption = wrap(words.caption, room, CAPTION_SIZE) if words.caption else []
    legend = _legend_rows(keys, room)
    top = MARGIN + TITLE_STEP * len(title) + SUBTITLE_STEP * len(subtitle)
    header = top
    legend_top = top + 5
    top += (5 + LEGEND_STEP * len(legend) if legend else 0) + 8
    foot = below + (CAPTION_STEP * len(caption) + 4 if caption else 0) + MARGIN
    areas, bottom, height = _filled(areas, top, foot, shape.height)
    bottom += below
    figure = FramedFigure(figsize=(wide / 72, height / 72), dpi=72)
    figure.body = (header - 4, bottom + 4)
    page = figure.add_axes((0, 0, 1, 1), axes_class=_Plot, xlim=(0, wide), ylim=(height, 0), zorder=-1)
    page.set_axis_off()
    y = _draw_lines(page, title, MARGIN, TITLE_STEP, theme.bold(TITLE_SIZE), INK, "title")
    _draw_lines(page, subtitle, y, SUBTITLE_STEP, theme.regular(), MUTED, "subtitle")
    for i, row in enumerate(legend):
        y = legend_top + LEGEND_STEP * (i + 0.5)
        for x, key, label in row:
            _draw_key(page, MARGIN + x, y, key)
            page.text(MARGIN + x + 15, y, label, fontproperties=theme.regular(), va="center_baseline", color=INK)
    y = height - MARGIN - CAPTION_STEP * len(caption)
    _draw_lines(page, caption, y, CAPTION_STEP, theme.regular(CAPTION_SIZE), MUTED, "caption")
    places = [(a.left / wide, 1 - (top + a.top + a.height) / height, a.width / wide, a.height / height) for a in areas]
    plots = [figure.add_axes(place, axes_class=_Plot) for place in places]
    for plot in plots:
        plot.set_axis_off()
    return Sheet(figure, plots, page, top, areas)


def _draw_lines(
    page: Axes, lines: Sequence[str], y: float, step: float, font: FontProperties, colour: str, name: str
) -> float:
    """Write the lines of a part of the frame from `y` down; return where they end."""
    for i, line in enumerate(lines):
        gid = f"{FRAME}-{name}-{i}"
        page.text(MARGIN, y + step * i, line, fontproperties=font, va="top", color=colour, gid=gid)
    return y + step * len(lines)


def _filled(areas: Sequence[Area], top: float, foot: float, tall: float | None) -> tuple[list[Area], float, float]:
    """Stretch areas to what is left of a height; return them, where the lowest ends, and the chart's height.

    Raises
    ------
    TooSmallError
        If they do not fit.
    """
    end = max(area.top + area.height for area in areas)
    if tall is None:
        return list(areas), top + end, top + end + foot
    if top + end + foot > tall + 1e-6:
        raise TooSmallError(top + end + foot)
    stretch = min(MAX_STRETCH, (tall - top - foot) / end)
    spare = (tall - top - foot - end * stretch) / 2
    stretched = [replace(a, top=a.top * stretch + spare, height=a.height * stretch) for a in areas]
    return stretched, top + end * stretch + spare, tall


def nice_ticks(low: float, high: float, n: int = 5) -> list[float]:
    """Return about `n` round numbers between `low` and `high`."""
    if not high > low:
        return [low]
    raw = (high - low) / max(1, n)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(k * step, 10) for k in range(first, last + 1)]


def number_label(value: float) -> str:
    """Return a tick's label: no needless decimals, a true minus sign."""
    digits = len(f"{abs(value):.10f}".rstrip("0").partition(".")[2])
    return decimal(value, digits)


def percent_label(value: float) -> str:
    """Return a share as a tick's label, ``0.25`` -> ``25 %``."""
    return say("number.percent", number=number_label(round(value * 100, 6)))


def points_label(share: float) -> str:
    """Return a difference of shares as a tick's label in percentage points, with its sign."""
    return decimal(share * 100, 0 if abs(share * 100 - round(share * 100)) < 1e-9 else 1, plus=True)


def stripes(sheet: Sheet, area: Area, n_rows: int) -> None:
    """Lay a quiet band behind every other row of an area, from margin to margin; not if there are few rows."""
    if n_rows < STRIPED_FROM:
        return
    left, right = MARGIN, page_width() - MARGIN
    step = area.height / n_rows
    tops = [sheet.top + area.top + step * row for row in range(0, n_rows, 2)]
    boxes = [[(left, y), (right, y), (right, y + step), (left, y + step)] for y in tops]
    bands = PolyCollection(boxes, facecolors=theme.STRIPE, linewidths=0, zorder=-1)
    sheet.page.add_collection(bands, autolim=False)


def value_axis(plot: Axes, low: float, high: float, label: Any = number_label, n: int = 5) -> list[float]:
    """Give a plot a horizontal scale from `low` to `high` with quiet grid lines; return the ticks."""
    plot.set_xlim(low, high)
    points = plot_size(plot)[0]
    ticks = next((t for k in range(n, n + 8) if len(t := nice_ticks(low, high, k)) > 1), nice_ticks(low, high, n))
    while len(ticks) > 2 and sum(width(label(t), SMALL_SIZE) + 8 for t in ticks) > points:
        ticks = ticks[::2]
    column_labels(plot, ticks, [label(t) for t in ticks])
    grid_lines(plot, ticks)
    return ticks


def grid_lines(plot: Axes, ticks: Sequence[float], horizontal: bool = False) -> None:
    """Draw quiet lines across a plot at `ticks` of its value axis."""
    lines = [[(0, t), (1, t)] if horizontal else [(t, 0), (t, 1)] for t in ticks]
    transform = plot.get_yaxis_transform() if horizontal else plot.get_xaxis_transform()
    plot.add_collection(
        LineCollection(lines, colors=theme.GRID, linewidths=0.6, transform=transform, zorder=0), autolim=False
    )


def plot_size(plot: Axes) -> tuple[float, float]:
    """Return a plot's width and height in points."""
    place = plot.get_position()
    wide, tall = plot.get_figure(root=True).get_size_inches() * 72  # type: ignore[union-attr]
    return place.width * wide, place.height * tall


def column_labels(plot: Axes, at: Sequence[float], texts: Sequence[str]) -> None:
    """Write labels of a horizontal scale below a plot."""
    y = -3.5 / plot_size(plot)[1]
    for x, text in zip(at, texts, strict=True):
        plot.text(
            x,
            y,
            text,
            transform=plot.get_xaxis_transform(),
            ha="center",
            va="top",
            fontproperties=theme.regular(SMALL_SIZE),
            color=MUTED,
        )


def label_every(n: int, wide: float) -> int:
    """Return which of `n` columns, `wide` points each, has its number above or below it: every, every second, ..."""
    return next(k for k in range(1, n + 1) if wide * k >= width(str(n), SMALL_SIZE) + 4 or k == n)


def row_labels(
    plot: Axes,
    at: Sequence[float],
    texts: Sequence[str],
    pad: float = 6,
    size: float = TEXT_SIZE,
    colour: str = INK,
    inside: bool = False,
) -> None:
    """Write labels at the left of a plot, flush right, `pad` points away from it; or flush right within it."""
    x = 1.0 if inside else -pad / plot_size(plot)[0]
    for y, text in zip(at, texts, strict=True):
        plot.text(
            x,
            y,
            text,
            transform=plot.get_yaxis_transform(),
            ha="right",
            va="center",
            fontproperties=theme.regular(size),
            color=colour,
            linespacing=1.05,
        )


def row_axis(plot: Axes, labels: Sequence[str], pad: float = 6) -> None:
    """Give a plot one row for each label, the first on top, with the labels at the left."""
    plot.set_ylim(len(labels) - 0.5, -0.5)
    row_labels(plot, range(len(labels)), labels, pad)


def label_column(names: Sequence[str], share: float = 0.3, lowest: float = 40.0) -> tuple[list[str], float]:
    """Return the names broken to fit a column at most `share` of a chart's width, and the column's width in points."""
    room = page_width() * share
    labels = [fit(name, room, max_lines=3) for name in names]
    return labels, max(lowest, widest(labels)) + 6


def row_height(labels: Sequence[str], least: float) -> float:
    """Return the height of a row in points: `least`, or what the tallest label needs."""
    n_lines = max((label.count("\n") + 1 for label in labels), default=1)
    return max(least, TEXT_SIZE * 1.25 * n_lines + 3)


def right_column(plot: Axes, texts: Sequence[str], rows: Sequence[float] | None = None, pad: float = 6) -> None:
    """Write one text at the right of each row, outside the plot."""
    points = plot_size(plot)[0]
    for y, text in zip(range(len(texts)) if rows is None else rows, texts, strict=True):
        plot.text(
            1 + pad / points,
            y,
            text,
            transform=plot.get_yaxis_transform(),
            fontproperties=theme.regular(SMALL_SIZE),
            va="center",
            color=INK,
            linespacing=1.1,
        )


def row_share(plot: Axes, points: float, most: float = 0.5) -> float:
    """Return `points` as a share of the height of a plot's row, `most` at most: for bars that do not grow fat."""
    low, high = plot.get_ylim()
    return min(most, points * abs(high - low) / plot_size(plot)[1])


def padded(low: float, high: float, share: float = 0.06) -> tuple[float, float]:
    """Widen a range a little on both sides; a range of one number becomes one around it."""
    if not high > low:
        gap = abs(low) * 0.1 or 1.0
        return low - gap, high + gap
    gap = (high - low) * share
    return low - gap, high + gap
