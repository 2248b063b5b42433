"""What a player had or had not (heroes, gems, seats...): how often, and how the win share differs with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.collections import LineCollection, PolyCollection

from reports import theme
from reports.figures.common import columns_of, draw_estimates, known, number, numbers, ordered, reference_line
from reports.figures.panels import ALL, make_panels, numbers_at_right
from reports.numbers import UNKNOWN, decimal, digits_for, half_width, percent, round_percent, share_with_interval, value
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Key,
    Words,
    label_column,
    make_sheet,
    padded,
    percent_label,
    right_column,
    row_axis,
    row_height,
    row_labels,
    stripes,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, WIDTH, Style

MAX_PANELS = 8
"""With more strategies than this, only all of them together are drawn; the tables have each."""
TOO_FEW = "too few games"
"""Stands for an estimate without an interval where others have one."""
WITH = Style(theme.STRATEGY_COLOURS[0], "o", False, "solid")
WITHOUT = Style(theme.MUTED, "o", True, "solid")
ONE = Style(theme.STRATEGY_COLOURS[0], "o", False, "solid")
RATE = ["strategy", "flag", "title", "n", "rate", "rate_low", "rate_high"]
SHARES = ["strategy", "flag", "title", "n", "win_share_with", "with_low", "with_high", "win_share_without"]
DIFFERENCE = ["strategy", "flag", "title", "n", "difference", "difference_low", "difference_high"]


def is_dealt(flags_all: pd.DataFrame, group: str) -> bool:
    """Return whether a group's flags were dealt out rather than earned: each exactly as often, one to each seat.

    True for seats and starting gems: the difference they make is then their effect. False for heroes and the
    like, which a player also gets by playing well.
    """
    n = flags_all.loc[flags_all["group"] == group, "n"]
    rate = flags_all.loc[flags_all["group"] == group, "rate"]
    return len(n) > 1 and n.nunique() == 1 and abs(sum(known(rate)) - 1) < 1e-6


def _rows(flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return a group's rows for the panels: each strategy in `order`, or all together if they are too many."""
    if len(order) == 1 or len(order) > MAX_PANELS:
        return flags_all[flags_all["group"] == group].assign(strategy=ALL)
    place = {name: i for i, name in enumerate(order)}
    rows = flags[flags["group"] == group]
    return rows.sort_values("strategy", key=lambda s: s.map(place), kind="stable")


def _sorted_flags(flags_all: pd.DataFrame, group: str, by: str) -> list[str]:
    """Return a group's flags by falling `by` over all strategies; those without a value come last."""
    rows = flags_all[flags_all["group"] == group]
    keys = {
        f: (math.isnan(v), -v if not math.isnan(v) else 0.0)
        for f, v in zip(rows["flag"], map(number, rows[by]), strict=True)
    }
    return sorted(keys, key=lambda f: keys[f])


def _arranged(rows: pd.DataFrame, flags: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
    place = {flag: i for i, flag in enumerate(flags)}
    strategies = {name: i for i, name in enumerate(ordered(rows, "strategy"))}
    key = rows["strategy"].map(strategies) * (len(place) + 1) + rows["flag"].map(place)
    return rows.assign(_key=key).sort_values("_key", kind="stable", ignore_index=True)[list(columns)]


def rate_table(flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: how often each strategy had each flag of `group`, the most frequent first."""
    return _arranged(_rows(flags, flags_all, group, order), _sorted_flags(flags_all, group, "rate"), RATE)


def difference_table(flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: win share with each flag minus without it, within each strategy."""
    return _arranged(_rows(flags, flags_all, group, order), _sorted_flags(flags_all, group, "rate"), DIFFERENCE)


def with_without_table(flags_all: pd.DataFrame, group: str) -> pd.DataFrame:
    """Return what is drawn: the win share with and without each flag, all strategies together, largest gain first."""
    rows = flags_all[flags_all["group"] == group]
    return _arranged(rows, _sorted_flags(flags_all, group, "difference"), [*SHARES, *DIFFERENCE[4:]])


def dealt_table(flags_all: pd.DataFrame, group: str, fair_share: float) -> pd.DataFrame:
    """Return what is drawn: the win share with each flag of a dealt group, in the flags' own order."""
    rows = flags_all[flags_all["group"] == group]
    return rows[SHARES[:-1]].assign(fair_share=fair_share).reset_index(drop=True)


def rate_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw how often each strategy had each flag: bars in one panel a strategy, with intervals.

    Parameters
    ----------
    table : DataFrame
        As `rate_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    names = ordered(table, "strategy")
    texts = {name: [_short_percent(v) for v in table.loc[table["strategy"] == name, "rate"]] for name in names}
    inset = max(widest(t, SMALL_SIZE) for t in texts.values()) + 4
    panels = make_panels(says, ordered(table, "title"), names, styles, inset=inset)
    top = max([0.01, *known(table["rate"]), *known(table["rate_high"])])
    for name, plot in panels.plots.items():
        rows = table[table["strategy"] == name]
        value_axis(plot, 0.0, top * 1.02, percent_label, 5 if len(names) == 1 else 2)
        bars = [
            [(0, y - 0.32), (v, y - 0.32), (v, y + 0.32), (0, y + 0.32)]
            for y, v in enumerate(map(number, rows["rate"]))
            if v > 0
        ]
        colour = styles[name].colour if name in styles else ONE.colour
        plot.add_collection(PolyCollection(bars, facecolors=colour, alpha=0.75, linewidths=0, zorder=2), autolim=False)
        ends = [
            [(a, y), (b, y)]
            for y, (a, b) in enumerate(zip(map(number, rows["rate_low"]), map(number, rows["rate_high"]), strict=True))
            if not (math.isnan(a) or math.isnan(b))
        ]
        plot.add_collection(LineCollection(ends, colors=theme.INK, linewidths=1.0, zorder=3), autolim=False)
        numbers_at_right(plot, texts[name], inset)
    return panels.sheet.figure


def difference_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw by how much the win share differs with each flag: points with intervals around zero, a panel a strategy.

    Parameters
    ----------
    table : DataFrame
        As `difference_table` makes it; shares between -1 and 1.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    names = ordered(table, "strategy")
    any_interval = bool(known(table["difference_low"]))
    panels = make_panels(says, ordered(table, "title"), names, styles)
    low, high = _difference_range(table)
    for name, plot in panels.plots.items():
        rows = table[table["strategy"] == name]
        value_axis(plot, low, high, points_label, 6 if len(names) == 1 else 2)
        instead = {}
        for y, (x, end) in enumerate(zip(numbers(rows["difference"]), numbers(rows["difference_low"]), strict=True)):
            if math.isnan(x):
                instead[y] = UNKNOWN
            elif math.isnan(end) and any_interval:
                instead[y] = TOO_FEW
        zero = [[(0.0, y - 0.5), (0.0, y + 0.5)] for y in range(len(rows)) if y not in instead]
        plot.add_collection(LineCollection(zero, colors=theme.MUTED, linewidths=0.9, zorder=1), autolim=False)
        size, colour = theme.CAPTION_SIZE, theme.MUTED
        row_labels(plot, list(instead), list(instead.values()), 0, size, colour, inside=True)
        drawn = [y not in instead for y in range(len(rows))]
        columns = columns_of(rows[drawn], "difference", "difference_low", "difference_high")
        at = [y for y, is_drawn in enumerate(drawn) if is_drawn]
        draw_estimates(plot, columns, styles.get(name, ONE), rows=at, size=4.5)
    return panels.sheet.figure


def _short_percent(share: object) -> str:
    """Return a share in whole per cent; one that is only nearly 0 or 100 says so with a sign."""
    return percent(share, 0).replace("under ", "< ").replace("over ", "> ")


def points_label(share: float) -> str:
    """Return a difference of shares as a tick's label in percentage points, with its sign."""
    return decimal(share * 100, 0 if abs(share * 100 - round(share * 100)) < 1e-9 else 1, plus=True)


def _difference_range(table: pd.DataFrame) -> tuple[float, float]:
    """Return a scale that shows every estimate, and the intervals as far as they are not much wider than the rest."""
    points = known(table["difference"]) or [0.0]
    low, high = min(0.0, *points), max(0.0, *points)
    reach = (high - low) * 0.25 or 0.05
    low = max(low - reach, min([low, *known(table["difference_low"])]))
    high = min(high + reach, max([high, *known(table["difference_high"])]))
    return padded(low, high, 0.04)


def _difference_text(difference: object, low: object, high: object) -> str:
    """Return a difference in percentage points with its interval, in brief."""
    if value(difference) is None:
        return UNKNOWN
    half = half_width(low, high)
    digits = min(2, digits_for(None if half is None else 100 * half))
    text = decimal(100 * float(difference), digits, plus=True)  # type: ignore[arg-type]
    if half is None:
        return f"{text} (no interval)"
    ends = [decimal(100 * float(end), digits, plus=True) for end in (low, high)]  # type: ignore[arg-type]
    return f"{text} ({ends[0]} to {ends[1]})"


def with_without_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw the win share with each flag (filled, with its interval) and without it (hollow).

    Parameters
    ----------
    table : DataFrame
        As `with_without_table` makes it.
    says : Words
        Title, subtitle, caption.
    """
    names, left = label_column(list(table["title"]), share=0.36)
    texts = [_difference_text(r.difference, r.difference_low, r.difference_high) for r in table.itertuples(index=False)]
    right = widest(texts, SMALL_SIZE) + 8
    area = Area(MARGIN + left, WIDTH - 2 * MARGIN - left - right, 2, row_height(names, 17) * len(names))
    keys = [
        Key("with it", WITH.colour, WITH.marker),
        Key("without it", WITHOUT.colour, WITHOUT.marker, hollow=True),
        Key("numbers: difference in percentage points", theme.PAPER),
    ]
    sheet = make_sheet(says, [area], AXIS_STEP, keys)
    stripes(sheet, area, len(names))
    plot = sheet.plots[0]
    values = known([*table["win_share_with"], *table["win_share_without"]]) or [0.0, 1.0]
    reach = (max(values) - min(values)) * 0.25 or 0.05
    low, high = padded(
        max(min(values) - reach, min([*values, *known(table["with_low"])])),
        min(max(values) + reach, max([*values, *known(table["with_high"])])),
    )
    low, high = max(low, -0.02), min(high, 1.02)
    value_axis(plot, low, high, percent_label)
    row_axis(plot, names)
    with_, without = numbers(table["win_share_with"]), numbers(table["win_share_without"])
    pairs = zip(with_, without, strict=True)
    lines = [[(a, y), (b, y)] for y, (a, b) in enumerate(pairs) if not (math.isnan(a) or math.isnan(b))]
    plot.add_collection(LineCollection(lines, colors=theme.GRID, linewidths=2.5, zorder=1), autolim=False)
    missing = [math.nan] * len(with_)
    draw_estimates(plot, (without, missing, missing), WITHOUT, size=5)
    draw_estimates(plot, columns_of(table, "win_share_with", "with_low", "with_high"), WITH, size=5)
    right_column(plot, texts)
    return sheet.figure


def dealt_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw the win share with each flag of a dealt group: points with intervals beside the fair share.

    Parameters
    ----------
    table : DataFrame
        As `dealt_table` makes it.
    says : Words
        Title, subtitle, caption.
    """
    names, left = label_column(list(table["title"]))
    rows = list(table.itertuples(index=False))
    texts = [share_with_interval(r.win_share_with, r.with_low, r.with_high) for r in rows]
    right = widest(texts, SMALL_SIZE) + 8
    area = Area(MARGIN + left, WIDTH - 2 * MARGIN - left - right, 12, row_height(names, 22) * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    fair = float(table["fair_share"].iloc[0])
    values = known([*table["win_share_with"], *table["with_low"], *table["with_high"]])
    reach = max([0.005, *(abs(v - fair) for v in values)]) * 1.1
    value_axis(plot, max(-0.02, fair - reach), min(1.02, fair + reach), percent_label)
    row_axis(plot, names)
    reference_line(plot, fair, f"fair share {round_percent(fair)}")
    draw_estimates(plot, columns_of(table, "win_share_with", "with_low", "with_high"), ONE)
    right_column(plot, texts)
    return sheet.figure
