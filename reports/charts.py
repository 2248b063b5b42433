"""Which charts a run has, and their files. No game is named here: what is grouped with what comes from its columns."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from analysis.tables import STAND_INS, csv_text, stand_in_note
from reports import svg, theme
from reports.chart import Chart, Run
from reports.makers import groups, overall, unfolding

__all__ = ["Chart", "Drawing", "all_charts", "charts_of", "png_bytes", "raster_of", "save", "write_png"]


@dataclass(frozen=True)
class Drawing:
    """A chart that was drawn: its SVG document, and `reports.sheet.FramedFigure.body`."""

    chart: Chart
    document: str
    body: tuple[float, float]


def all_charts(result: Any, tables: Mapping[str, pd.DataFrame], title: str | None = None) -> list[Chart]:
    """Return every chart that a run has data for, in the order of the page; in the language in use.

    Parameters
    ----------
    result : simcore.store.RunResult
    tables : mapping of str to pandas.DataFrame
        As `analysis.unfolding.tables` makes them.
    title : str, optional
        Stands above each instead of its finding.
    """
    order = [str(n) for n in tables["summary"].sort_values("win_share", ascending=False, kind="stable")["strategy"]]
    styles = theme.strategy_styles([str(name) for name in result.names])
    run = Run(result.manifest, tables, int(result.n_games), int(result.n_blocks), styles, order, result, title)
    makers = (
        overall.who_wins,
        overall.where_points_come_from,
        overall.how_games_end,
        unfolding.standings,
        groups.how_games_unfold,
        groups.what_is_earned,
        groups.what_is_dealt,
    )
    charts = [chart for maker in makers for chart in maker(run)]
    for chart in charts:
        chart.table.attrs[STAND_INS] = stand_in_note(run.manifest)
    return charts


def charts_of(result: Any, tables: Mapping[str, pd.DataFrame]) -> list[Chart]:
    """Return the charts of a run's page: `all_charts` without those that show what another shows too."""
    return [chart for chart in all_charts(result, tables) if not chart.extra]


def raster_of(figure: Figure, dpi: float | None = None) -> FigureCanvasAgg:
    """Return a figure drawn in pixels, `dpi` (`theme.PNG_DPI` by default) to the inch."""
    figure.set_dpi(theme.PNG_DPI if dpi is None else dpi)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas


def png_bytes(canvas: FigureCanvasAgg, compress_level: int = 6) -> bytes:
    """Return pixels as the bytes of a PNG file; the same each time."""
    size = canvas.get_width_height()
    image = Image.frombuffer("RGBA", size, canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert("RGB")
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", compress_level=compress_level, dpi=(theme.PNG_DPI, theme.PNG_DPI))
    return buffer.getvalue()


def write_png(path: Path, canvas: FigureCanvasAgg) -> None:
    """Write pixels as a PNG file. Runs beside the drawing of the next chart."""
    path.write_bytes(png_bytes(canvas, compress_level=4))


def described(chart: Chart) -> str:
    """Return a chart's numbers for those who do not see it."""
    return f"{chart.words.subtitle}. {chart.spoken}"


def quiet_about_glyphs() -> None:
    """Keep still about a name in another script: a box in a PNG file, and itself wherever an SVG is shown."""
    warnings.filterwarnings("ignore", message="Glyph .* missing from font")


def save(charts: Sequence[Chart], folder: Path, pictures: bool = True) -> list[Drawing]:
    """Draw charts and write an SVG, a CSV and (with `pictures`) a PNG file of each; return the drawings."""
    drawings = []
    quiet_about_glyphs()
    with matplotlib.rc_context(theme.RC), ThreadPoolExecutor(1) as aside:
        written = []
        for chart in charts:
            figure = chart.draw()
            document = svg.svg_of(figure, chart.words.title, described(chart))
            if pictures:
                written.append(aside.submit(write_png, folder / f"{chart.name}.png", raster_of(figure)))
            (folder / f"{chart.name}.svg").write_bytes(document.encode("utf-8"))
            (folder / f"{chart.name}.csv").write_bytes(csv_text(chart.table).encode("utf-8"))
            drawings.append(Drawing(chart, document, figure.body))
        for task in written:
            task.result()
    return drawings


def save_pictures(charts: Sequence[Chart], folder: Path) -> None:
    """Draw charts and write a PNG file of each."""
    quiet_about_glyphs()
    with matplotlib.rc_context(theme.RC):
        for chart in charts:
            write_png(folder / f"{chart.name}.png", raster_of(chart.draw()))
