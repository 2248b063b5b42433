"""Charts are legible at any number of strategies, and their CSV files hold what is drawn."""

import io
import itertools
import math
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from made_up import FOUR, make, names_of
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.text import Text

from analysis.tables import csv_text
from reports import language, theme
from reports.charts import all_charts, charts_of
from reports.figures import breakdown, distribution, flags, picks, rounds, win_share
from reports.figures.common import ordered
from reports.figures.rounds import _spread
from reports.findings import is_dealt
from reports.one_chart import fitted
from reports.page_figures import PHONE
from reports.shape import shaped
from reports.sheet import Words, nice_ticks, number_label
from reports.textfit import fit, width, wrap
from reports.theme import WIDTH
from simcore.contract import TaflError

SAYS = Words("A finding", "What is plotted", "How it was played")


def drawn(chart) -> Figure:
    with matplotlib.rc_context(theme.RC):
        return chart.draw()


def texts_of(figure) -> list[Text]:
    return [t for t in figure.findobj(Text) if t.get_text().strip() and t.get_visible()]


def boxes_of(figure):
    """Return (text, box) of all that is written in a figure, in points."""
    with matplotlib.rc_context(theme.RC):
        renderer = FigureCanvasAgg(figure).get_renderer()
        written = [t for axes in figure.axes for t in axes.texts if t.get_text().strip()]
        return [(t.get_text(), t.get_window_extent(renderer)) for t in written]


def test_every_chart_is_a_figure_without_pyplot(four):
    for chart in charts_of(*four):
        assert isinstance(drawn(chart), Figure), chart.name
    import sys

    assert "matplotlib.pyplot" not in sys.modules or not matplotlib._pylab_helpers.Gcf.get_all_fig_managers()


def assert_legible(name: str, figure: Figure) -> None:
    """Check that no text leaves the figure or lies upon another."""
    wide, tall = figure.get_size_inches() * figure.dpi
    boxes = boxes_of(figure)
    assert boxes, name
    for text, box in boxes:
        inside = box.x0 >= 0 and box.y0 >= 0 and box.x1 <= wide and box.y1 <= tall
        assert inside, f"{name}: {text!r} at {box.extents} leaves {wide} x {tall}"
    boxes.sort(key=lambda entry: entry[1].x0)
    arrays = np.array([box.extents for _, box in boxes]) + np.array([0.6, 1.0, -0.6, -1.0])
    for i, (x0, y0, x1, y1) in enumerate(arrays):
        rest = arrays[i + 1 :]
        hit = (rest[:, 0] < x1) & (rest[:, 2] > x0) & (rest[:, 1] < y1) & (rest[:, 3] > y0)
        others = [boxes[i + 1 + k][0] for k in np.flatnonzero(hit)]
        assert not others, f"{name}: {boxes[i][0]!r} overlaps {others}"


@pytest.fixture(scope="module")
def eight():
    """Every chart of eight strategies, and its figure."""
    return [(chart, drawn(chart)) for chart in all_charts(*make(names_of(8), n_seats=8))]


def test_nothing_is_clipped_and_no_text_lies_on_another(eight):
    for chart, figure in eight:
        assert_legible(chart.name, figure)


@pytest.mark.parametrize("n", [2, 40])
def test_two_and_many_are_legible_too(n):
    for chart in all_charts(*make(names_of(n), n_seats=n)):
        assert_legible(chart.name, drawn(chart))


def drawn_at(chart, size) -> Figure | None:
    """Return a chart drawn for a size, or None if it says that it does not fit."""
    if size is None:
        return chart.draw()
    try:
        return fitted(chart, size)
    except TaflError as error:
        if "does not fit" not in str(error):
            raise
    return None


@pytest.mark.parametrize(("lang", "size"), [("de", (1200, 675)), ("pt", (1080, 1350)), ("fr", None)])
def test_charts_are_legible_at_any_size_in_any_language(lang, size):
    """A chart that does not fit says so; one that fits is legible."""
    n_drawn = 0
    with language.use(lang), matplotlib.rc_context(theme.RC):
        for chart in all_charts(*make(names_of(5))):
            figure = drawn_at(chart, size)
            if figure is None:
                continue
            n_drawn += 1
            assert_legible(chart.name, figure)
            if size is not None:
                wide, tall = figure.get_size_inches()
                assert tall / wide == pytest.approx(size[1] / size[0])
    assert n_drawn > 15


def crossed(figure) -> list[str]:
    """Return the names in a chart of picks that a point, an interval, a line to a point or the zero line crosses."""
    plot = figure.axes[-1]
    height = figure.get_size_inches()[1] * figure.dpi
    with matplotlib.rc_context(theme.RC):
        renderer = FigureCanvasAgg(figure).get_renderer()
    lines = [
        collection.get_transform().transform(segment)
        for collection in plot.collections
        if to_hex(collection.get_color()[0]) != to_hex(theme.GRID)
        for segment in collection.get_segments()
    ]
    points = plot.transData.transform(np.transpose(plot.lines[-1].get_data()))
    bottom, top = plot.get_window_extent().intervaly
    found = []
    for text in plot.texts:
        box = text.get_window_extent(renderer)
        if not bottom <= (box.y0 + box.y1) / 2 <= top or text.get_ha() != "center":
            continue  # names of axes, numbers of scales
        inner = box.padded(-0.5)
        assert 0 <= box.y0 <= box.y1 <= height
        if any(Path(line).intersects_bbox(inner, filled=False) for line in lines) or inner.count_contains(points):
            found.append(text.get_text())
    return found


def scattered(n: int, seed: int) -> pd.DataFrame:
    """Return a table of picks, many of which lie close together, with intervals of all lengths."""
    luck = np.random.default_rng(seed)
    rate, difference = 0.2 + 0.1 * luck.standard_t(2, n).clip(-1.9, 6), luck.normal(0, 0.05, n)
    half, aside = luck.uniform(0.005, 0.06, n), luck.uniform(0.001, 0.02, n)
    return pd.DataFrame(
        {
            **{"title": [f"{luck.choice(['', 'a rather long name of '])}thing {i}" for i in range(n)], "rate": rate},
            **{"rate_low": rate - aside, "rate_high": rate + aside, "difference": difference},
            **{"difference_low": difference - half, "difference_high": difference + half},
        }
    )


@pytest.mark.parametrize("wide", [WIDTH, PHONE])
@pytest.mark.parametrize("n", [2, 5, 12, 30])
def test_nothing_crosses_a_name_in_a_chart_of_picks(n, wide):
    for seed in range(3):
        with shaped(wide), matplotlib.rc_context(theme.RC):
            figure = picks.pick_figure(scattered(n, seed), SAYS)
        assert crossed(figure) == []
        assert_legible(f"{n} picks", figure)
        written = [text for text in figure.axes[-1].texts if "hing " in text.get_text().replace("\n", " ")]
        assert len(written) >= (n if n <= 5 else n // 4), "names are left out that have a place"


def test_no_chart_says_nan(eight):
    of_one_block = [(chart, drawn(chart)) for chart in all_charts(*make(names_of(5), one_block=True))]
    for chart, figure in [*eight, *of_one_block]:
        said = [t.get_text() for t in texts_of(figure)]
        for text in [*said, chart.words.title, chart.spoken, csv_text(chart.table)]:
            assert not re.search(r"\b(nan|NaN|None|inf)\b|<NA>", text), (chart.name, text)


def test_one_block_says_that_there_is_no_interval():
    chart = charts_of(*make(FOUR, one_block=True))[0]
    assert sum("no interval" in t.get_text() for t in texts_of(drawn(chart))) == 4


def test_the_csv_twin_holds_the_win_shares_that_are_drawn(four):
    result, tables = four
    table = win_share.win_share_table(tables["summary"])
    with matplotlib.rc_context(theme.RC):
        figure = win_share.win_share_figure(table, SAYS, theme.strategy_styles(result.names))
    read = pd.read_csv(io.StringIO(csv_text(table)))
    points = [line.get_xdata()[0] for line in figure.axes[1].lines if line.get_linestyle() == "None"]
    assert points == pytest.approx(read["win_share"].tolist())
    colours = [to_hex(line.get_color()) for line in figure.axes[1].lines]
    styles = theme.strategy_styles(result.names)
    assert colours == [styles[name].colour for name in read["strategy"]]
    assert read["win_share"].is_monotonic_decreasing


def test_the_csv_twin_holds_the_bars_that_are_drawn(four):
    _, tables = four
    table = breakdown.breakdown_table(tables["components"], tables["summary"], FOUR)
    with matplotlib.rc_context(theme.RC):
        figure = breakdown.breakdown_figure(table, SAYS)
    wide = {}
    for component, rows in table.groupby("title", sort=False):
        (fills,) = [c for c in figure.axes[1].collections if c.get_label() == component]
        wide[component] = [float(np.ptp(p.vertices[:, 0])) for p in fills.get_paths()]
        assert wide[component] == pytest.approx(rows["mean"].astype(float).tolist())
    assert len(wide) == 8


def test_negative_parts_go_left_of_zero():
    names = ["a", "b"]
    parts = pd.DataFrame(
        {
            "strategy": ["a", "a", "b", "b"],
            "component": ["won", "fine"] * 2,
            "title": ["won", "fine"] * 2,
            "mean_won": [10.0, -4.0, 8.0, -1.0],
            "mean_lost": [9.0, -5.0, pd.NA, pd.NA],
        }
    )
    ends = {f"mean_{outcome}_{end}": pd.NA for outcome in ("won", "lost") for end in ("low", "high")}
    scores = {f"score_{outcome}": [6.0, 7.0] for outcome in ("won", "lost")}
    scores |= {f"score_{outcome}{end}": [5.0, 6.5] for outcome in ("won", "lost") for end in ("_low", "_high")}
    table = breakdown.outcome_table(parts.assign(**ends), pd.DataFrame({"strategy": names} | scores), names)
    with matplotlib.rc_context(theme.RC):
        figure = breakdown.outcome_figure(table, SAYS)
    (fills,) = [c for c in figure.axes[1].collections if c.get_label() == "fine"]
    ends = [(p.vertices[:, 0].min(), p.vertices[:, 0].max()) for p in fills.get_paths()]
    assert ends == [(-4.0, 0.0), (-5.0, 0.0), (-1.0, 0.0)]
    assert figure.axes[1].get_xlim()[0] < -5
    assert any("never lost" in t.get_text() for t in texts_of(figure))


def test_distribution_classes_are_equal_and_add_up_to_one(four):
    _, tables = four
    table = distribution.distribution_table(tables["scores"], tables["summary"], FOUR)
    assert table.groupby("strategy")["share"].sum().tolist() == pytest.approx([1.0] * 4, abs=1e-3)
    steps = set(table["to"] - table["from"] + 1)
    assert len(steps) == 1
    n_classes = (table["to"].max() + 1 - table["from"].min()) / steps.pop()
    assert n_classes <= distribution.MAX_BINS + 1


def test_one_score_only_is_a_distribution():
    scores = pd.DataFrame({"strategy": ["a"], "score": [7], "n": [5], "share": [1.0], "n_won": [5.0]})
    numbers = {"score_mean": [7.0], "score_low": [pd.NA], "score_high": [pd.NA], "score_sd": [0.0]}
    summary = pd.DataFrame({"strategy": ["a"]} | numbers)
    table = distribution.distribution_table(scores, summary, ["a"])
    assert table[["from", "to", "share"]].to_numpy().tolist() == [[7, 7, 1.0]]
    with matplotlib.rc_context(theme.RC):
        assert distribution.distribution_figure(table, SAYS, theme.strategy_styles(["a"]))


def test_dealt_groups_are_told_from_earned_ones(four):
    _, tables = four
    dealt = {g for g in tables["flags_all"]["group"].unique() if is_dealt(tables, g)}
    assert dealt == {"gem", "seat"}


def test_rates_and_differences_are_drawn_as_they_stand(four):
    result, tables = four
    styles = theme.strategy_styles(result.names)
    table = flags.rate_table(tables["flags"], tables["flags_all"], "hero", FOUR)
    with matplotlib.rc_context(theme.RC):
        figure = flags.rate_figure(table, SAYS, styles)
    for name, plot in zip(FOUR, figure.axes[1:], strict=True):
        rates = [float(v) for v in table.loc[table["strategy"] == name, "rate"] if v > 0]
        bars = next(c for c in plot.collections if isinstance(c, PolyCollection)).get_paths()
        assert [p.vertices[:, 0].max() for p in bars] == pytest.approx(rates)
    table = flags.difference_table(tables["flags"], tables["flags_all"], "hero", FOUR)
    with matplotlib.rc_context(theme.RC):
        figure = flags.difference_figure(table, SAYS, styles)
    assert not table["difference"].isna().any()
    for name, plot in zip(ordered(table, "strategy"), figure.axes[1:], strict=True):
        wanted = table.loc[table["strategy"] == name, "difference"].astype(float).tolist()
        assert list(plot.lines[-1].get_xdata()) == pytest.approx(wanted)


def test_a_numbered_group_of_measures_is_a_series(four):
    _, tables = four
    measures = tables["measures"]
    assert rounds.is_series(measures, "coins_by_round")
    assert not rounds.is_series(measures, "ranks")
    table = rounds.series_table(measures, "coins_by_round", FOUR)
    assert sorted(set(table["at"])) == list(range(7))
    with matplotlib.rc_context(theme.RC):
        figure = rounds.series_figure(table, SAYS, theme.strategy_styles(FOUR))
    for name, line in zip(FOUR, figure.axes[1].lines, strict=True):
        wanted = table.loc[table["strategy"] == name, "mean"].astype(float).tolist()
        assert list(line.get_ydata()) == pytest.approx(wanted)


def test_groups_of_any_game_get_their_charts(four):
    result, tables = four
    renamed = {"hero": "location", "gem": "start_player", "coins_by_round": "food_by_round"}
    other = {n: t.assign(group=t["group"].replace(renamed)) if "group" in t.columns else t for n, t in tables.items()}
    names = {chart.name for chart in charts_of(result, other)}
    assert {"location_rate", "location_pick", "location_difference"} <= names
    assert {"start_player_win_share", "food_by_round"} <= names


def test_labels_at_the_ends_of_lines_move_apart_and_stay_inside():
    places = _spread([50.0, 50.1, 49.9, 51.0, 2.0], 12.0, 6.0, 94.0)
    ordered = sorted(places)
    assert min(b - a for a, b in itertools.pairwise(ordered)) >= 12 - 0.01
    assert ordered[0] >= 6
    assert ordered[-1] <= 94
    assert places.index(min(places)) == 4


def test_measured_widths_are_those_of_the_drawn_text():
    figure = Figure(dpi=72)
    canvas = FigureCanvasAgg(figure)
    with matplotlib.rc_context(theme.RC):
        for text in ("blacksmiths-and-miners", "31.6 % (31.3 to 31.9)", "WAVE"):
            for font, is_bold in ((theme.regular(40), False), (theme.bold(40), True)):
                box = figure.text(0, 0, text, fontproperties=font).get_window_extent(canvas.get_renderer())
                assert width(text, 40, is_bold) == pytest.approx(box.width, rel=0.05)


def test_long_names_break_into_lines_that_fit():
    name = "blacksmiths-and-miners-with-late-coins-x"
    assert len(name) == 40
    text = fit(name, 130)
    assert text.replace("\n", "") == name
    assert all(width(line) <= 130 for line in text.split("\n"))
    assert fit("late-coins-" * 9 + "007", 130).endswith("007")
    assert "…" in fit("x" * 200, 60, max_lines=1)
    assert wrap("25\u00a0% is fair", 24)[0] == "25\u00a0%"


def test_ticks_are_round_and_inside():
    for low, high in [(0, 1), (0.171, 0.32), (-7, 300), (5, 5), (0, 1e-4)]:
        ticks = nice_ticks(low, high)
        assert all(low <= t <= high for t in ticks)
        assert ticks
    assert number_label(-2.50) == "\u22122.5"
    assert number_label(-0.0) == "0"


def _simulated(colour: str, matrix) -> np.ndarray:
    """Return a colour in CIELAB as seen with a colour vision deficiency (Machado and others 2009, severity 1)."""
    srgb = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(matrix) @ linear, 0, 1)
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
    t = np.array(to_xyz) @ seen / np.array([0.95047, 1, 1.08883])
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


VISIONS = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("name", theme.THEMES)
def test_strategy_colours_are_told_apart_with_any_colour_vision(vision, name):
    colours = [theme.THEMES[name].get(c, c) for c in theme.STRATEGY_COLOURS]
    seen = [_simulated(c, VISIONS[vision]) for c in colours]
    assert min(math.dist(a, b) for a, b in itertools.combinations(seen, 2)) > 14


def test_no_two_of_sixty_four_strategies_look_the_same():
    styles = theme.strategy_styles([str(i) for i in range(64)])
    assert len({(s.colour, s.marker, s.hollow, str(s.line)) for s in styles.values()}) == 64
    marks = [(s.colour, s.marker, s.hollow) for s in styles.values()]
    assert len(set(marks)) == 64
    assert len(set(theme.fill_styles([str(i) for i in range(30)]).values())) == 30


def test_files_of_an_edition_with_stand_ins_say_so_in_their_first_line():
    table = pd.DataFrame({"strategy": ["planner"], "win_share": [0.5]})
    assert csv_text(table).startswith("strategy,")
    table.attrs["stand_ins"] = "Of 10 table rows 2 are assumed."
    assert csv_text(table).startswith("# Of 10 table rows 2 are assumed.\nstrategy,")
    assert list(pd.read_csv(io.StringIO(csv_text(table)), comment="#")["win_share"]) == [0.5]
