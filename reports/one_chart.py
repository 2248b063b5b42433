"""A single chart as a file: picture, table for Markdown or a forum post, or CSV. What `tafl chart` does."""

from __future__ import annotations

import io
import re
from pathlib import Path

import matplotlib
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.figure import Figure

from analysis import tournament_tables
from analysis.experiments import Experiment
from analysis.tables import csv_text
from analysis.tournaments import Tournament
from analysis.unfolding import tables
from reports import lab, language, svg, theme, tournament_charts
from reports.chart import MAX_PANELS, Chart
from reports.charts import all_charts, described, png_bytes, quiet_about_glyphs, raster_of
from reports.figures.common import ordered
from reports.readout import as_bbcode, as_markdown
from reports.shape import TooSmallError, shaped
from simcore.contract import TaflError
from simcore.naming import unknown
from simcore.store import RunResult, load_result

PICTURES = ("svg", "png", "pdf")
FORMATS = (*PICTURES, "csv", "md", "bbcode")
SUFFIXES = {"bbcode": "txt"}
LEAST, MOST = (400, 200), (8000, 8000)
"""Pixels of a picture, across and down."""
LEAST_POINTS = 400.0
"""A chart is drawn at least so many points wide: less, and its columns get too narrow."""
SMALLEST_SCALE = 1.1
"""Pixels to the point at least: the smallest letters are eight pixels high then."""
SLIMMER = 1.04
_SIZE = re.compile(r"(\d{1,6})x(\d{1,6})")
NEEDS = {
    "pair_differences": "it needs two or more strategies",
    "convergence": f"it needs 2 to {MAX_PANELS} strategies and two blocks or more",
    "breakdown_difference": f"it needs 2 to {MAX_PANELS} strategies",
    "by_round": "it needs games that are played again: `tafl report RUN` does",
    "rate": "the group is dealt out, not earned",
    "pick": "no difference is known well enough, or the group is dealt out: play more games",
    "difference": f"it needs 2 to {MAX_PANELS} strategies and enough games with and without",
    "win_share": "only what is dealt out, and how many of a set there are, has one; see the group's pick chart",
}
"""Chart, or last part of a group's chart -> what it needs."""


def parse_size(text: str) -> tuple[int, int]:
    """Return the pixels of ``1200x675``.

    Raises
    ------
    TaflError
        If it is no size, or out of bounds.
    """
    match = _SIZE.fullmatch(text.strip().lower().replace("×", "x"))
    if match is None:
        raise TaflError(f"'{text[:40]}' is no size: write width x height in pixels, such as 1200x675.")
    wide, tall = int(match[1]), int(match[2])
    if not (LEAST[0] <= wide <= MOST[0] and LEAST[1] <= tall <= MOST[1]):
        bounds = f"{LEAST[0]}x{LEAST[1]} to {MOST[0]}x{MOST[1]}"
        raise TaflError(f"a chart of {wide}x{tall} pixels cannot be drawn: choose a size from {bounds}.")
    return wide, tall


Played = RunResult | Tournament | Experiment
"""What has charts."""


def charts_of(played: Played, title: str | None = None) -> list[Chart]:
    """Return every chart of a run, a tournament or an experiment."""
    if isinstance(played, Experiment):
        return lab.charts_of(played, title)
    if isinstance(played, Tournament):
        found = tournament_tables.tables(tournament_tables.gather(played))
        return tournament_charts.all_charts(played, found, title)
    return all_charts(played, tables(played), title)


def listed(played: Played) -> list[tuple[str, str]]:
    """Return the names of the charts of what was played, each with what it shows."""
    return [(chart.name, chart.words.subtitle) for chart in charts_of(played)]


def find_chart(played: Played, name: str, title: str | None = None) -> Chart:
    """Return a chart of what was played by its name.

    Raises
    ------
    TaflError
        If there is no such chart, or the run has no data for it.
    """
    charts = {chart.name: chart for chart in charts_of(played, title)}
    if name in charts:
        return charts[name]
    if isinstance(played, Tournament | Experiment):
        raise TaflError(f"{unknown('chart', name, charts)}.")
    groups = ordered(tables(played)["flags_all"], "group")
    possible = {f"{group}_{kind}": kind for group in groups for kind in ("rate", "pick", "difference", "win_share")}
    possible |= {kind: kind for kind in ("pair_differences", "convergence", "breakdown_difference")}
    possible |= dict.fromkeys(("score_by_round", "leader_wins", "decided", "lead_changes"), "by_round")
    if name in possible:
        raise TaflError(f"this run has no data for the chart '{name}': {NEEDS[possible[name]]}.")
    raise TaflError(f"{unknown('chart', name, charts)}.")


def format_of(wanted: str | None, out: Path | None) -> str:
    """Return the format asked for, or that of a file's name, or SVG.

    Raises
    ------
    TaflError
        If there is no such format.
    """
    if wanted is None:
        suffix = out.suffix.lstrip(".").lower() if out else ""
        wanted = {"": "svg", "txt": "bbcode"}.get(suffix, suffix)
    if wanted not in FORMATS:
        raise TaflError(f"{unknown('format', wanted, FORMATS)}.")
    return wanted


def render(
    played: Played,
    name: str,
    kind: str = "svg",
    size: tuple[int, int] | None = None,
    look: str = "light",
    title: str | None = None,
    lang: str = "en",
) -> bytes:
    """Return a chart as the bytes of a file; the same run or tournament gives the same bytes.

    Parameters
    ----------
    played : RunResult, Tournament or Experiment
    name : str
        Of the chart.
    kind : str
        One of `FORMATS`.
    size : (int, int), optional
        Pixels across and down of a picture; by default 1400 across (SVG and PDF: 504 points), as high as its content.
    look : str
        One of `reports.theme.THEMES`.
    title : str, optional
        Instead of the finding.
    lang : str
        One of `reports.language.LANGUAGES`.

    Raises
    ------
    TaflError
        If there is no such chart, theme or language, the run has no data for it, or it does not fit the size.
    """
    if look not in theme.THEMES:
        raise TaflError(f"{unknown('theme', look, theme.THEMES)}.")
    if isinstance(played, Experiment) and lang != "en":
        raise TaflError("the charts of an experiment are in English: leave --lang out.")
    with language.use(lang):
        chart = find_chart(played, name, title)
        if kind == "csv":
            return csv_text(chart.table).encode("utf-8")
        if kind in ("md", "bbcode"):
            write = as_markdown if kind == "md" else as_bbcode
            return write(chart.readout(), chart.words.title, chart.words.caption).encode("utf-8")
        quiet_about_glyphs()
        with matplotlib.rc_context(theme.RC):
            figure = chart.draw() if size is None else fitted(chart, size)
            theme.turn(figure, look)
            return _encoded(figure, chart, kind, size)


def fitted(chart: Chart, size: tuple[int, int]) -> Figure:
    """Return a chart drawn for a size in pixels, its letters as large as they can be.

    Raises
    ------
    TaflError
        If it does not fit.
    """
    wide, tall = size
    most = max(LEAST_POINTS, wide / SMALLEST_SCALE)
    points = LEAST_POINTS
    while True:
        try:
            with shaped(points, points * tall / wide):
                return chart.draw()
        except TooSmallError as small:
            if points >= most:
                needed = -(-int(small.needed * wide / points) // 10) * 10 + 10
                raise TaflError(
                    f"the chart '{chart.name}' does not fit {wide}x{tall} pixels: at that width it needs "
                    f"--size {wide}x{needed}; or leave --size out."
                ) from None
        points = min(most, points * SLIMMER)


def _encoded(figure: Figure, chart: Chart, kind: str, size: tuple[int, int] | None) -> bytes:
    if kind == "svg":
        return svg.svg_of(figure, chart.words.title, described(chart), size).encode("utf-8")
    if kind == "pdf":
        buffer = io.BytesIO()
        facts = {"Title": chart.words.title, "CreationDate": None, "ModDate": None, "Creator": None, "Producer": None}
        FigureCanvasPdf(figure).print_pdf(buffer, metadata=facts)
        return buffer.getvalue()
    dpi = None
    if size is not None:
        dpi = size[0] / figure.get_figwidth()
        figure.set_size_inches((size[0] + 0.01) / dpi, (size[1] + 0.01) / dpi)  # a pixel must not get lost in rounding
    return png_bytes(raster_of(figure, dpi))


def write_chart(content: bytes, out: Path) -> None:
    """Write a chart's file.

    Raises
    ------
    TaflError
        If it cannot be written.
    """
    if out.is_dir():
        raise TaflError(f"'{out}' is a folder: name a file, such as {out / 'chart.svg'}.")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(content)
    except OSError as error:
        raise TaflError(f"cannot write '{out}': {(error.strerror or str(error)).lower()}.") from error


def read(folder: Path) -> Played:
    """Return the run, or the complete tournament or experiment, of a folder.

    Raises
    ------
    TaflError
        If there is none, or it is not finished.
    """
    for kind in (Tournament, Experiment):
        if kind.is_at(folder):
            made = kind.load(folder)
            made.check_complete()
            return made
    return load_result(folder)


def chart_command(
    run: Path,
    name: str | None,
    form: str | None,
    size: str | None,
    look: str,
    title: str | None,
    lang: str,
    out: Path | None,
) -> None:
    """List the charts of what was played, or write one: to a file, or a table to the screen unless a file is named.

    Raises
    ------
    TaflError
        If something that was asked for cannot be done.
    """
    from reports.terminal import print_wrapped_table

    kind = format_of(form, out)
    pixels = None if size is None else parse_size(size)
    if pixels is not None and kind not in PICTURES:
        raise TaflError(f"a table has no size: leave --size out, or choose --format {', '.join(PICTURES)}.")
    played = read(run)
    if name is None:
        with language.use(lang):
            print_wrapped_table(("chart", "what it shows"), listed(played))
        return
    content = render(played, name, kind, pixels, look, title, lang)
    if out is None and kind in ("md", "bbcode"):
        print(content.decode("utf-8"), end="")
        return
    target = out or Path(f"{name}.{SUFFIXES.get(kind, kind)}")
    write_chart(content, target)
    print(target)
