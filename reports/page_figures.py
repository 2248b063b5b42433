"""Charts as a page shows them."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib
from markupsafe import Markup

from reports import svg, templating, theme
from reports.charts import Chart, Drawing


@dataclass(frozen=True)
class Figure:
    """A chart in a page: what the template needs of it.

    Attributes
    ----------
    chart : Chart
    drawing : Markup
        As an SVG element.
    narrow : Markup
        Drawn for the width of a phone; empty if there is none.
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


def figure_of(drawing: Drawing, grid: str) -> Figure:
    """Return a drawing as a page shows it."""
    chart = drawing.chart
    drawn = Markup(svg.for_page(drawing.document, f"chart-{chart.name}", drawing.body))
    return Figure(chart, drawn, Markup(""), templating.csv_link(chart.table), grid)


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
    with matplotlib.rc_context(theme.RC):
        for chart in charts:
            figure = chart.draw()
            document = svg.svg_of(figure, chart.words.title, f"{chart.words.subtitle}. {chart.spoken}")
            drawings.append(Drawing(chart, document, figure.body))
    return drawings
