"""Small multiples: the same rows in a panel for each strategy, side by side, in as many banks as are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from reports import theme
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    Sheet,
    Words,
    label_column,
    make_sheet,
    plot_size,
    row_axis,
    row_height,
    stripes,
)
from reports.textfit import fit
from reports.theme import MARGIN, SMALL_SIZE, TEXT_SIZE, Style

GAP = 14.0
"""Points between panels."""
BANK_GAP = 12.0
LEAST_WIDTH = 58.0
"""Points that a panel is wide at least, without its numbers."""
ALL = "all"
"""How tables call all strategies together."""


@dataclass(frozen=True)
class Panels:
    """A sheet with one plot a name; rows are labelled in the first plot of each bank."""

    sheet: Sheet
    plots: Mapping[str, Axes]


def make_panels(
    says: Words,
    rows: Sequence[str],
    names: Sequence[str],
    styles: Mapping[str, Style],
    step: float = 17.0,
    per_bank: int = 4,
    inset: float = 0.0,
    heads: Mapping[str, str] | None = None,
) -> Panels:
    """Return an empty panel for each of `names`, with the row labels at the left of each bank.

    Parameters
    ----------
    says : Words
        Title, subtitle, caption.
    rows : sequence of str
        Labels of the rows.
    names : sequence of str
        Of the panels: strategies, whose head shows their marker, other things, or `ALL`, which has no head.
    styles : mapping
        Strategy -> style.
    step : float
        Least height of a row in points.
    per_bank : int
        Panels side by side at most.
    inset : float
        Points kept free at the right of each panel for numbers.
    heads : mapping, optional
        Name -> what stands above its panel, if it is not the name.
    """
    labels, left = label_column(rows, share=0.36 if min(per_bank, len(names)) == 1 else 0.28)
    fitting = int((page_width() - 2 * MARGIN - left + GAP) / (LEAST_WIDTH + inset + GAP))
    per_bank = max(1, min(per_bank, fitting))
    n_banks = -(-len(names) // per_bank)
    per_bank = -(-len(names) // n_banks)
    step = row_height(labels, step)
    wide = (page_width() - 2 * MARGIN - left - GAP * (per_bank - 1)) / per_bank
    shown = {name: _head((heads or {}).get(name, name), wide, name in styles) for name in names}
    head = max(h.count("\n") + 1 if h else 0 for h in shown.values()) * TEXT_SIZE * 1.25 + 4
    tall = step * len(rows)
    down = head + tall + AXIS_STEP + BANK_GAP
    areas = [
        Area(MARGIN + left + i % per_bank * (wide + GAP), wide - inset, i // per_bank * down + head, tall)
        for i in range(len(names))
    ]
    sheet = make_sheet(says, areas, AXIS_STEP)
    plots = {}
    for area in sheet.areas[::per_bank]:
        stripes(sheet, area, len(rows))
    for i, (name, area, plot) in enumerate(zip(names, sheet.areas, sheet.plots, strict=True)):
        row_axis(plot, labels if i % per_bank == 0 else [""] * len(labels))
        _draw_head(sheet, area, shown[name], styles.get(name), head)
        plots[name] = plot
    return Panels(sheet, plots)


def _head(name: str, wide: float, is_strategy: bool) -> str:
    """Return what stands above a panel, broken to fit it."""
    room, size = (wide - 14, TEXT_SIZE) if is_strategy else (wide + GAP - 4, SMALL_SIZE)
    return "" if name == ALL else fit(name, room, size, is_bold=True)


def _draw_head(sheet: Sheet, area: Area, text: str, style: Style | None, head: float) -> None:
    if not text:
        return
    y = sheet.top + area.top - 2 - head / 2
    if style is not None:
        face = theme.PAPER if style.hollow else style.colour
        sheet.page.add_line(
            Line2D([area.left + 4], [y], color=style.colour, marker=style.marker, markersize=5.5, markerfacecolor=face)
        )
    sheet.page.text(
        area.left + (13 if style is not None else 0),
        y,
        text,
        va="center",
        fontproperties=theme.bold(TEXT_SIZE if style is not None else SMALL_SIZE),
        color=theme.INK,
        linespacing=1.05,
    )


def numbers_at_right(plot: Axes, texts: Sequence[str], inset: float) -> None:
    """Write a number in each row at the right of a panel, flush right in its inset."""
    points = plot_size(plot)[0]
    for y, text in enumerate(texts):
        plot.text(
            1 + inset / points,
            y,
            text,
            transform=plot.get_yaxis_transform(),
            ha="right",
            va="center",
            fontproperties=theme.regular(SMALL_SIZE),
            color=theme.INK,
        )
