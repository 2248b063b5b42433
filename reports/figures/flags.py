"""What a player had or had not (heroes, gems, seats...): how often, and how the win share differs with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from reports import theme
from reports.figures.common import columns_of, draw_bars, draw_estimates, known, number, ordered, reference_line
from reports.figures.panels import ALL, make_panels, numbers_at_right
from reports.figures.vocabulary import FlagSet
from reports.language import capital, say, thing
from reports.numbers import count, percent, round_percent, share_with_interval
from reports.shape import page_width
from reports.sheet import (
    AXIS_STEP,
    Area,
    FramedFigure,
    Words,
    label_column,
    make_sheet,
    padded,
    percent_label,
    points_label,
    right_column,
    row_axis,
    row_height,
    value_axis,
)
from reports.textfit import widest
from reports.theme import MARGIN, SMALL_SIZE, Style

MAX_PANELS = 8
"""With more strategies than this, only all of them together are drawn; the tables have each."""
WIDEST = 0.15
"""A difference whose interval reaches further than this to either side says nothing and is left out."""
ONE = Style(theme.STRATEGY_COLOURS[0], "o", False, "solid")
OTHERS = "other players"
"""Stands for all who had not what one player of a table has."""
RATE = ["strategy", "flag", "title", "n", "rate", "rate_low", "rate_high"]
COUNTED = ["strategy", "flag", "title", "n", "rate", "win_share_with", "with_low", "with_high"]
SHARES = ["flag", "title", "n", "win_share_with", "with_low", "with_high"]
DIFFERENCE = ["strategy", "flag", "title", "n", "difference", "difference_low", "difference_high"]


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


def rate_table(
    flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, order: Sequence[str], sets: Sequence[FlagSet] = ()
) -> pd.DataFrame:
    """Return what is drawn: how often each strategy had each flag of `group`, the most frequent first.

    The flags of a set are one row, the mean of them; its interval is the mean of theirs, which is never too narrow.
    """
    each, together = (_with_sets(table[table["group"] == group], sets) for table in (flags, flags_all))
    return _arranged(_rows(each, together, group, order), _sorted_flags(together, group, "rate"), RATE)


def counted_table(flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, order: Sequence[str]) -> pd.DataFrame:
    """Return what is drawn: each strategy's win share by how many of a set it has, from none up.

    Strategies that never have one, and numbers that nobody has, are left out.
    """
    rows = _rows(flags, flags_all, group, order)
    names = ordered(rows, "flag")
    some = rows[(rows["n"] > 0) & (rows["flag"] != names[0])] if names else rows
    most = max(map(names.index, some["flag"]), default=-1)
    shown = rows[rows["strategy"].isin(some["strategy"]) & rows["flag"].isin(names[: most + 1])]
    return _arranged(shown, names, COUNTED)


def counted_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style], fair: float) -> FramedFigure:
    """Draw the win share by how many of a set a strategy has: points with intervals, and at their right the games.

    Parameters
    ----------
    table : DataFrame
        As `counted_table` makes it.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    fair : float
        The fair share, drawn as a line.
    """
    names = ordered(table, "strategy")
    texts = {name: [count(n) for n in table.loc[table["strategy"] == name, "n"]] for name in names}
    inset = max(widest(t, SMALL_SIZE) for t in texts.values()) + 6
    panels = make_panels(says, [thing(t) for t in ordered(table, "title")], names, styles, inset=inset)
    top = max([fair, *known(table["win_share_with"]), *known(table["with_high"])])
    for name, plot in panels.plots.items():
        value_axis(plot, -0.02, min(1.02, top * 1.05), percent_label, 5 if len(names) == 1 else 2)
        reference_line(plot, fair)
        rows = table[table["strategy"] == name]
        draw_estimates(
            plot, columns_of(rows, "win_share_with", "with_low", "with_high"), styles.get(name, ONE), size=4.5
        )
        numbers_at_right(plot, texts[name], inset)
    return panels.sheet.figure


def _with_sets(rows: pd.DataFrame, sets: Sequence[FlagSet]) -> pd.DataFrame:
    for one in sets:
        is_in = rows["flag"].map(one.holds).astype(bool)
        mean = rows[is_in].groupby("strategy", sort=False)[["rate", "rate_low", "rate_high"]].mean().reset_index()
        mean["n"] = rows[is_in].groupby("strategy", sort=False)["n"].sum().to_numpy()
        mean = mean.assign(group=one.group, flag=one.measure, title=one.title)
        rows = pd.concat([rows[~is_in], mean], ignore_index=True)
    return rows


def difference_table(
    flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, order: Sequence[str], sets: Sequence[FlagSet] = ()
) -> pd.DataFrame:
    """Return what is drawn: win share with each flag minus without it, within each strategy; the most frequent first.

    Only differences that are known to within `WIDEST`, and no flags of a set, are among them.
    """
    rows = _rows(flags, flags_all, group, order)
    rows = rows[_says_something(rows) & ~_in_sets(rows, sets)]
    flags_shown = [f for f in _sorted_flags(flags_all, group, "rate") if f in set(rows["flag"])]
    return _arranged(rows, flags_shown, DIFFERENCE)


def _says_something(rows: pd.DataFrame) -> pd.Series:
    reach = pd.concat(
        [rows["difference_high"] - rows["difference"], rows["difference"] - rows["difference_low"]], axis=1
    ).max(axis=1)
    return (reach <= WIDEST).fillna(False).astype(bool)


def _in_sets(rows: pd.DataFrame, sets: Sequence[FlagSet]) -> pd.Series:
    return rows["flag"].map(lambda flag: any(one.holds(flag) for one in sets)).astype(bool)


def pick_table(flags: pd.DataFrame, flags_all: pd.DataFrame, group: str, sets: Sequence[FlagSet] = ()) -> pd.DataFrame:
    """Return what is drawn: how often seats had each flag, and the difference of win shares within one strategy.

    The difference is win share with minus without within each strategy, averaged over strategies with Mantel and
    Haenszel's weights (with times without over all), so that a flag does not look strong because strong strategies go
    for it. Its interval adds up the halves of theirs, weighted alike: never too narrow.
    """
    rows = flags[(flags["group"] == group) & ~_in_sets(flags, sets)].dropna(subset=["difference_low"])
    n_all = rows["n"].astype(float) / rows["rate"].astype(float)
    rows = rows.assign(weight=rows["n"].astype(float) * (1 - rows["rate"].astype(float)) * (n_all > 0))
    found = []
    together = flags_all[flags_all["group"] == group].set_index("flag")
    for flag in _sorted_flags(flags_all, group, "rate"):
        mine = rows[rows["flag"] == flag]
        weight = mine["weight"].sum()
        if weight <= 0:
            continue
        mean = [float((mine[c].astype(float) * mine["weight"]).sum() / weight) for c in DIFFERENCE[4:]]
        if max(mean[2] - mean[0], mean[0] - mean[1]) > WIDEST:
            continue
        row = together.loc[flag]
        found.append((flag, row["title"], row["n"], row["rate"], row["rate_low"], row["rate_high"], *mean))
    columns = [*RATE[1:], *DIFFERENCE[4:]]
    return pd.DataFrame(found, columns=columns)


def dealt_table(flags_all: pd.DataFrame, group: str, fair_share: float) -> pd.DataFrame:
    """Return what is drawn: the win share with each flag of a dealt group, in the flags' own order.

    Where one player of a table has something, the others share what is left of the wins; they are a second row.
    """
    table = flags_all.loc[flags_all["group"] == group, SHARES].reset_index(drop=True)
    if len(table) == 1:
        one = table.iloc[0]
        n_others = round(1 / fair_share) - 1
        ends = [(1 - one[c]) / n_others for c in ("win_share_with", "with_high", "with_low")]
        others = ("others", OTHERS, one["n"] * n_others, *ends)
        table = pd.concat([table, pd.DataFrame([others], columns=SHARES)], ignore_index=True)
    return table.assign(fair_share=fair_share)


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
    panels = make_panels(says, [thing(t) for t in ordered(table, "title")], names, styles, inset=inset)
    top = max([0.01, *known(table["rate"]), *known(table["rate_high"])])
    for name, plot in panels.plots.items():
        rows = table[table["strategy"] == name]
        value_axis(plot, 0.0, top * 1.02, percent_label, 5 if len(names) == 1 else 2)
        colour = styles[name].colour if name in styles else ONE.colour
        draw_bars(plot, rows["rate"], rows["rate_low"], rows["rate_high"], colour)
        numbers_at_right(plot, texts[name], inset)
    return panels.sheet.figure


def difference_figure(table: pd.DataFrame, says: Words, styles: Mapping[str, Style]) -> FramedFigure:
    """Draw by how much the win share differs with each flag: points with intervals around zero, a panel a strategy.

    Parameters
    ----------
    table : DataFrame
        As `difference_table` makes it; shares between -1 and 1. A strategy without a row for a flag has an empty place.
    says : Words
        Title, subtitle, caption.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    """
    names = ordered(table, "strategy")
    title_of = dict(zip(table["flag"], table["title"], strict=True))
    flags = [f for f in ordered_by_first(table) if f in title_of]
    place = {flag: y for y, flag in enumerate(flags)}
    panels = make_panels(says, [thing(title_of[f]) for f in flags], names, styles)
    ends = known([0.0, *table["difference"], *table["difference_low"], *table["difference_high"]])
    low, high = padded(min(ends), max(ends), 0.04)
    for name, plot in panels.plots.items():
        rows = table[table["strategy"] == name]
        value_axis(plot, low, high, points_label, 6 if len(names) == 1 else 2)
        reference_line(plot, 0.0)
        at = [place[flag] for flag in rows["flag"]]
        columns = columns_of(rows, "difference", "difference_low", "difference_high")
        draw_estimates(plot, columns, styles.get(name, ONE), rows=at, size=4.5)
    return panels.sheet.figure


def ordered_by_first(table: pd.DataFrame) -> list[str]:
    """Return the flags of a table, those that most games had first."""
    return list(table.groupby("flag", sort=False)["n"].sum().sort_values(ascending=False, kind="stable").index)


def _short_percent(share: object) -> str:
    """Return a share in whole per cent; one that is only nearly 0 or 100 says so with a sign."""
    found = number(share)
    if 0 < found < 0.005:
        return f"< {percent(0.01, 0)}"
    return f"> {percent(0.99, 0)}" if 0.995 <= found < 1 else percent(share, 0)


def dealt_figure(table: pd.DataFrame, says: Words) -> FramedFigure:
    """Draw the win share with each flag of a dealt group: points with intervals beside the fair share.

    Parameters
    ----------
    table : DataFrame
        As `dealt_table` makes it.
    says : Words
        Title, subtitle, caption.
    """
    names, left = label_column([capital(thing(title)) for title in table["title"]])
    rows = list(table.itertuples(index=False))
    texts = [share_with_interval(r.win_share_with, r.with_low, r.with_high) for r in rows]
    right = widest(texts, SMALL_SIZE) + 8
    area = Area(MARGIN + left, page_width() - 2 * MARGIN - left - right, 12, row_height(names, 22) * len(names))
    sheet = make_sheet(says, [area], AXIS_STEP)
    plot = sheet.plots[0]
    fair = float(table["fair_share"].iloc[0])
    values = known([*table["win_share_with"], *table["with_low"], *table["with_high"]])
    reach = max([0.005, *(abs(v - fair) for v in values)]) * 1.1
    value_axis(plot, max(-0.02, fair - reach), min(1.02, fair + reach), percent_label)
    row_axis(plot, names)
    reference_line(plot, fair, say("mark.fair_share", share=round_percent(fair)))
    draw_estimates(plot, columns_of(table, "win_share_with", "with_low", "with_high"), ONE)
    right_column(plot, texts)
    return sheet.figure
