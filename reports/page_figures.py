"""Charts as a page shows them."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib
from markupsafe import Markup

from reports import svg, templating, theme
from reports.charts import Chart, Drawing, described, quiet_about_glyphs
from reports.shape import shaped


@dataclass(frozen=True)
class Figure:
    """A chart in a page: what the template needs of it.

    Attributes
    ----------
    chart : Chart
    drawing : Markup
        As an SVG element.
    narrow : Markup
        The same, drawn for the width of a phone.
    csv : str
        A link that carries the numbers drawn; empty if the page has them elsewhere.
    grid : str
        Id of the table that stands below the last figure with this id; empty if there is none.
    """

    chart: Chart
    drawing: Markup
    narrow: Markup
    csv: str
    grid: str


PHONE = 264.0
"""Width in points of a chart on a phone, where it fills the screen: its text is then as large as the page's."""


def figures_of(drawings: Sequence[Drawing], grids: Mapping[str, str]) -> list[Figure]:
    """Return drawings as a page shows them, each with a narrow twin for phones.

    Parameters
    ----------
    drawings : sequence of Drawing
    grids : mapping
        Chart -> id of its table; those that are missing have the one their chart names.
    """
    with shaped(PHONE):
        narrow = drawn([drawing.chart for drawing in drawings])
    figures = []
    for wide, small in zip(drawings, narrow, strict=True):
        chart = wide.chart
        grid = grids.get(chart.name, chart.grid)
        figures.append(
            Figure(chart, _element(wide, "chart"), _element(small, "phone"), templating.csv_link(chart.table), grid)
        )
    return figures


def _element(drawing: Drawing, prefix: str) -> Markup:
    return Markup(svg.for_page(drawing.document, f"{prefix}-{drawing.chart.name}", drawing.body))


@contextmanager
def collecting_later() -> Iterator[None]:
    """Keep Python from looking for garbage among the many parts of drawings, a sixth of the time that they take."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def drawn(charts: Sequence[Chart]) -> list[Drawing]:
    """Draw charts without writing files."""
    drawings = []
    quiet_about_glyphs()
    with matplotlib.rc_context(theme.RC):
        for chart in charts:
            figure = chart.draw()
            document = svg.svg_of(figure, chart.words.title, described(chart))
            drawings.append(Drawing(chart, document, figure.body))
    return drawings
