"""Which charts a run has, and their files. No game is named here: what is grouped with what comes from its columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from analysis.tables import STAND_INS, csv_text, stand_in_note
from reports import captions, svg, theme
from reports.captions import FROM_DIFFERENCES, FROM_MEANS, FROM_SHARES, NO_INTERVALS, NO_INTERVALS_WON, spoken
from reports.figures import breakdown, distribution, flags, rounds, win_share
from reports.figures.common import ordered
from reports.findings import finding
from reports.numbers import decimal, mean_with_interval, percent, share_difference, share_with_interval
from reports.sheet import FramedFigure, Words

Tables = Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Chart:
    """A chart before it is drawn.

    Attributes
    ----------
    name : str
        Stem of its files, and its id in the page.
    section, heading : str
        Where in the page it stands, and under which heading.
    words : Words
        Title, subtitle and caption, drawn into the chart.
    note : str
        What to keep in mind; stands below it in the page. May be empty.
    spoken : str
        Its numbers in words, for readers who do not see it.
    table : pandas.DataFrame
        The numbers drawn, and nothing else: its CSV twin.
    draw : callable
        Returns the figure; to be called under ``matplotlib.rc_context(theme.RC)``.
    grid : str
        Id of the page's table that stands below the last chart with this id.
    """

    name: str
    section: str
    heading: str
    words: Words
    note: str
    spoken: str
    table: pd.DataFrame
    draw: Callable[[], FramedFigure] = field(repr=False)
    grid: str = ""


@dataclass(frozen=True)
class Drawing:
    """A chart that was drawn: its SVG document, and `reports.sheet.FramedFigure.body`."""

    chart: Chart
    document: str
    body: tuple[float, float]


@dataclass(frozen=True)
class _Run:
    """What the makers of charts need of a run."""

    manifest: Mapping[str, Any]
    tables: Tables
    n_games: int
    n_blocks: int
    styles: Mapping[str, theme.Style]
    order: list[str]

    @property
    def drawn_apart(self) -> bool:
        """Whether there are several strategies, few enough for a panel each."""
        return 1 < len(self.order) <= flags.MAX_PANELS

    def words(self, title: str, subtitle: str, method: str) -> Words:
        method = captions.looked_at(self.manifest, self.n_games, method)
        caption = captions.caption(self.manifest, self.n_games, self.n_blocks, method)
        return Words(title, subtitle, caption, f"{captions.played(self.n_games, self.n_blocks)} {method}.")

    def finding(self, chart: str) -> str:
        return finding(chart, self.tables, self.manifest)


WINS = "Who wins"
POINTS = "Where the points come from"
UNFOLDS = "How the games unfold"
LUCK = "Seats and what is dealt"


def charts_of(result: Any, tables: Tables) -> list[Chart]:
    """Return the charts of a run in the order of the page.

    Parameters
    ----------
    result : simcore.store.RunResult
        Of which the manifest, the names and the numbers of games and blocks are used.
    tables : mapping of str to pandas.DataFrame
        As `analysis.tables.tables` makes them.
    """
    order = list(tables["summary"].sort_values("win_share", ascending=False, kind="stable")["strategy"])
    styles = theme.strategy_styles([str(name) for name in result.names])
    run = _Run(result.manifest, tables, int(result.n_games), int(result.n_blocks), styles, order)
    dealt = [g for g in ordered(tables["flags_all"], "group") if flags.is_dealt(tables["flags_all"], g)]
    earned = [g for g in ordered(tables["flags_all"], "group") if g not in dealt]
    measures = tables["measures"]
    groups = ordered(measures, "group")
    charts = [_win_share(run)]
    if len(tables["components"]):
        charts += [_breakdown(run), _won_lost(run)]
    if len(tables["scores"]):
        charts.append(_scores(run))
    charts += [_series(run, g) for g in groups if rounds.is_series(measures, g)]
    charts += [_measures(run, g) for g in groups if _has_measures_chart(measures, g)]
    for group in earned:
        charts += _earned(run, group)
    # starting conditions first, the seats last: theirs is a check
    charts += [_dealt(run, g) for g in sorted(dealt, key=lambda g: g == "seat")]
    for chart in charts:
        chart.table.attrs[STAND_INS] = stand_in_note(run.manifest)
    return charts


def _win_share(run: _Run) -> Chart:
    table = win_share.win_share_table(run.tables["summary"])
    words = run.words(
        run.finding("win_share"),
        "Share of games that one copy wins (a shared win counts in parts); the dashed line is the fair share",
        FROM_SHARES,
    )
    rows = [
        f"{r['strategy']} {share_with_interval(r['win_share'], r['win_share_low'], r['win_share_high'])}"
        for r in table.to_dict("records")
    ]
    draw = partial(win_share.win_share_figure, table, words, run.styles)
    return Chart("win_share", WINS, "Win share", words, "", spoken(rows), table, draw)


def _breakdown(run: _Run) -> Chart:
    table = breakdown.breakdown_table(run.tables["components"], run.tables["summary"], run.order)
    words = run.words(
        run.finding("breakdown"),
        "Mean points per game by where they come from; at the end of a bar the interval of the mean score",
        FROM_MEANS,
    )
    rows = captions.spoken_parts(table, {"mean": ""})
    draw = partial(breakdown.breakdown_figure, table, words)
    return Chart("breakdown", POINTS, "Parts of the score", words, "", spoken(rows), table, draw)


def _won_lost(run: _Run) -> Chart:
    table = breakdown.outcome_table(run.tables["components"], run.order)
    words = run.words(
        run.finding("won_lost"),
        "Mean points in the games that a strategy won and in those it lost; a shared win counts in parts on both sides",
        NO_INTERVALS_WON,
    )
    rows = captions.spoken_parts(table, {"mean_won": " in won games", "mean_lost": " in lost games"})
    draw = partial(breakdown.outcome_figure, table, words)
    return Chart("won_lost", POINTS, "Won and lost games", words, "", spoken(rows), table, draw)


def _scores(run: _Run) -> Chart:
    table = distribution.distribution_table(run.tables["scores"], run.tables["summary"], run.order)
    step = int(table["score_to"].iloc[0] - table["score_from"].iloc[0]) + 1
    classes = f" in classes of {step} points" if step > 1 else ""
    words = run.words(
        run.finding("scores"),
        f"Share of games by score{classes}; dashed: the mean; SD: standard deviation of single games",
        NO_INTERVALS,
    )
    rows = [
        f"{name}: mean {decimal(g['score_mean'].iloc[0])}, standard deviation {decimal(g['score_sd'].iloc[0])}"
        for name, g in table.groupby("strategy", sort=False)
    ]
    draw = partial(distribution.distribution_figure, table, words, run.styles)
    return Chart("scores", POINTS, "Spread of the scores", words, "", spoken(rows), table, draw)


def _series(run: _Run, group: str) -> Chart:
    table = rounds.series_table(run.tables["measures"], group, run.order)
    unit = str(table["unit"].iloc[0])
    words = run.words(
        run.finding(group),
        f"Mean total of {unit} after each round (0: at the start); the band is the interval",
        FROM_MEANS,
    )
    rows = [f"{name}: " + ", ".join(decimal(v) for v in g["mean"]) for name, g in table.groupby("strategy", sort=False)]
    draw = partial(rounds.series_figure, table, words, run.styles)
    return Chart(group, UNFOLDS, captions.heading(group), words, "", spoken(rows), table, draw, "measures")


def _has_measures_chart(measures: pd.DataFrame, group: str) -> bool:
    """Whether a group of measures makes a chart: two or more of one unit that are not a series over time."""
    rows = measures[measures["group"] == group]
    several = rows["measure"].nunique() > 1 and rows["unit"].nunique() == 1
    return bool(several) and not rounds.is_series(measures, group)


def _measures(run: _Run, group: str) -> Chart:
    table = rounds.measures_table(run.tables["measures"], group, run.order)
    words = run.words(run.finding(group), f"Mean number of {table['unit'].iloc[0]} at the end of a game", FROM_MEANS)
    rows = [
        f"{r['strategy']}, {r['title']}: {mean_with_interval(r['mean'], r['low'], r['high'])}"
        for r in table.to_dict("records")
    ]
    draw = partial(rounds.measures_figure, table, words, run.styles)
    return Chart(group, UNFOLDS, captions.heading(group), words, "", spoken(rows), table, draw, "measures")


def _earned(run: _Run, group: str) -> list[Chart]:
    """Charts of flags that players get by how they play: how often, within each strategy, all together."""
    charts = [_rate(run, group)]
    if run.drawn_apart:
        charts.append(_difference(run, group))
    return [*charts, _with_and_without(run, group)]


def _rate(run: _Run, group: str) -> Chart:
    table = flags.rate_table(run.tables["flags"], run.tables["flags_all"], group, run.order)
    who = "a strategy" if run.drawn_apart else "a seat"
    subtitle = f"Share of games in which {who} has each {captions.noun(group)}"
    words = run.words(captions.rate_title(table), subtitle, FROM_SHARES)
    rows = [f"{r['title']}, {r['strategy']}: {percent(r['rate'])}" for r in table.to_dict("records")]
    draw = partial(flags.rate_figure, table, words, run.styles)
    name, section = f"{group}_rate", captions.heading(group)
    return Chart(name, section, "How often", words, "", spoken(rows), table, draw, f"all-{group}")


def _difference(run: _Run, group: str) -> Chart:
    table = flags.difference_table(run.tables["flags"], run.tables["flags_all"], group, run.order)
    noun = captions.noun(group)
    words = run.words(
        captions.difference_title(run.tables["flags"], table),
        f"Win share with the {noun} minus win share without it, within each strategy, in percentage points",
        FROM_DIFFERENCES,
    )
    rows = [f"{r['title']}, {r['strategy']}: {share_difference(r['difference'])}" for r in table.to_dict("records")]
    draw = partial(flags.difference_figure, table, words, run.styles)
    note = captions.CAUTION.format(noun=noun)
    name, section = f"{group}_difference", captions.heading(group)
    return Chart(name, section, "Within each strategy", words, note, spoken(rows), table, draw, f"all-{group}")


def _with_and_without(run: _Run, group: str) -> Chart:
    table = flags.with_without_table(run.tables["flags_all"], group)
    noun, several = captions.noun(group), len(run.order) > 1
    words = run.words(
        run.finding(group),
        f"Win share of the seats with the {noun} and of those without it, and the difference in percentage points",
        FROM_SHARES,
    )
    rows = [
        f"{r['title']}: with it {percent(r['win_share_with'])}, without it {percent(r['win_share_without'])}"
        for r in table.to_dict("records")
    ]
    draw = partial(flags.with_without_figure, table, words)
    note = captions.CAUTION.format(noun=noun) + (captions.MIXED.format(noun=noun) if several else "")
    name, section = f"{group}_win_share", captions.heading(group)
    head = "All strategies together" if several else "Win share with and without"
    return Chart(name, section, head, words, note, spoken(rows), table, draw, f"all-{group}")


def _dealt(run: _Run, group: str) -> Chart:
    fair = float(run.tables["summary"]["fair_share"].iloc[0])
    table = flags.dealt_table(run.tables["flags_all"], group, fair)
    noun = captions.noun(group)
    words = run.words(
        run.finding(group),
        f"Win share by {noun}, all strategies together; the dashed line is the fair share",
        FROM_SHARES,
    )
    rows = [
        f"{r['title']}: {share_with_interval(r['win_share_with'], r['with_low'], r['with_high'])}"
        for r in table.to_dict("records")
    ]
    note = captions.seat_note(run.manifest) if group == "seat" else captions.DEALT
    draw = partial(flags.dealt_figure, table, words)
    name, head = f"{group}_win_share", captions.heading(group)
    return Chart(name, LUCK, head, words, note, spoken(rows), table, draw, f"all-{group}")


def raster_of(figure: Figure) -> FigureCanvasAgg:
    """Return a figure drawn in pixels, `theme.PNG_DPI` to the inch."""
    figure.set_dpi(theme.PNG_DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas


def write_png(path: Path, canvas: FigureCanvasAgg) -> None:
    """Write pixels as a PNG file; the same bytes each time. Runs beside the drawing of the next chart."""
    size = canvas.get_width_height()
    image = Image.frombuffer("RGBA", size, canvas.buffer_rgba(), "raw", "RGBA", 0, 1).convert("RGB")
    image.save(path, format="PNG", compress_level=4, dpi=(theme.PNG_DPI, theme.PNG_DPI))


def save(charts: Sequence[Chart], folder: Path) -> list[Drawing]:
    """Draw charts and write an SVG, a PNG and a CSV file of each into `folder`; return the drawings."""
    drawings = []
    # a name in another script is a box in the PNG file, and itself wherever the SVG is shown
    warnings.filterwarnings("ignore", message="Glyph .* missing from font")
    with matplotlib.rc_context(theme.RC), ThreadPoolExecutor(1) as aside:
        written = []
        for chart in charts:
            figure = chart.draw()
            document = svg.svg_of(figure, chart.words.title, f"{chart.words.subtitle}. {chart.spoken}")
            written.append(aside.submit(write_png, folder / f"{chart.name}.png", raster_of(figure)))
            (folder / f"{chart.name}.svg").write_bytes(document.encode("utf-8"))
            (folder / f"{chart.name}.csv").write_bytes(csv_text(chart.table).encode("utf-8"))
            drawings.append(Drawing(chart, document, figure.body))
        for task in written:
            task.result()
    return drawings
