"""Charts of a game's groups of columns: what is followed by round, measured, earned, dealt. No game is named here."""

from __future__ import annotations

from functools import partial

import pandas as pd

from reports import captions
from reports.chart import Chart, Run
from reports.figures import flags, measures, picks, rounds
from reports.figures.common import ordered
from reports.figures.panels import ALL
from reports.figures.vocabulary import COUNTS, FlagSet, sets_of
from reports.findings import counted_finding, is_dealt, rate_finding
from reports.language import say
from reports.numbers import decimal, digits_for
from reports.readout import Value

UNFOLDS = "How the games unfold"
LUCK = "Seats and what is dealt"
RATE = Value("rate", "rate_low", "rate_high")
GAP = Value("difference", "difference_low", "difference_high", "gap")
MEAN = Value("mean", "low", "high", "mean")
LABELS = ["strategy", "title"]


def how_games_unfold(run: Run) -> list[Chart]:
    """Return a chart for each group of measures."""
    table = run.tables["measures"]
    groups = [group for group in ordered(table, "group") if group]
    series = [group for group in groups if rounds.is_series(table, group)]
    return [_series(run, g) for g in series] + [_measures(run, g) for g in groups if g not in series]


def what_is_earned(run: Run) -> list[Chart]:
    """Return the charts of flags that players get by how they play: how often, and how the win share differs."""
    charts = []
    for group in ordered(run.tables["flags_all"], "group"):
        if not is_dealt(run.tables, group) and group not in COUNTS:
            charts += _earned(run, group)
    return charts


def what_is_dealt(run: Run) -> list[Chart]:
    """Return a chart for each group that is dealt out: starting conditions first, the seats last, theirs is a check."""
    groups = [g for g in ordered(run.tables["flags_all"], "group") if is_dealt(run.tables, g) and g not in COUNTS]
    return [_dealt(run, g) for g in sorted(groups, key=lambda g: g == "seat")]


def _series(run: Run, group: str) -> Chart:
    table = rounds.series_table(run.tables["measures"], group, run.order)
    half = rounds.widest_half(table)
    method = [say("method.means")]
    if half:
        method.append(say("method.widest", half=decimal(half, digits_for(half, most=2))))
    words = run.words(run.finding(group), say("subtitle.series", group=captions.heading(group)), *method)
    draw = partial(rounds.series_figure, table, words, run.styles)
    head = captions.heading(group)
    return run.chart(group, UNFOLDS, head, words, table, draw, LABELS, [MEAN], grid="measures")


def _measures(run: Run, group: str) -> Chart:
    table = measures.measures_table(run.tables["measures"], group, run.order)
    words = run.words(run.finding(group), say("subtitle.measures", group=captions.heading(group)), say("method.means"))
    draw = partial(measures.measures_figure, table, words, run.styles)
    head = captions.heading(group)
    return run.chart(group, UNFOLDS, head, words, table, draw, LABELS, [MEAN], grid="measures")


def _earned(run: Run, group: str) -> list[Chart]:
    sets = sets_of(group, run.tables["measures"]["measure"])
    charts = [_rate(run, group, sets), *(chart for one in sets for chart in _set(run, one))]
    picked = flags.pick_table(run.tables["flags"], run.tables["flags_all"], group, sets)
    if len(picked):
        charts.append(_pick(run, group, picked))
    if run.drawn_apart:
        table = flags.difference_table(run.tables["flags"], run.tables["flags_all"], group, run.order, sets)
        if len(table):
            charts.append(_difference(run, group, table))
    return charts


def _rate(run: Run, group: str, sets: list[FlagSet]) -> Chart:
    table = flags.rate_table(run.tables["flags"], run.tables["flags_all"], group, run.order, sets)
    key = "subtitle.rate" if run.drawn_apart or not run.several else "subtitle.rate_all"
    words = run.words(rate_finding(table), say(key, group=captions.heading(group)), say("method.shares"))
    draw = partial(flags.rate_figure, table, words, run.styles)
    name, section = f"{group}_rate", captions.heading(group)
    return run.chart(name, section, "How often", words, table, draw, LABELS, [RATE], grid=f"all-{group}")


def _set(run: Run, one: FlagSet) -> list[Chart]:
    """Return how many of a set the strategies have, and the win share by their number if anyone has one."""
    table = flags.counted_table(run.tables["flags"], run.tables["flags_all"], one.counted, run.order)
    return [_number(run, one), *([_counted(run, one, table)] if len(table) else [])]


def _counted(run: Run, one: FlagSet, table: pd.DataFrame) -> Chart:
    what = captions.heading(one.counted)
    words = run.words(
        counted_finding(table),
        say("subtitle.counted", group=what),
        say("method.shares"),
        say("caption.caution"),
    )
    fair = float(run.tables["summary"]["fair_share"].iloc[0])
    draw = partial(flags.counted_figure, table, words, run.styles, fair)
    shown = table[table["n"] > 0]
    values = [Value("n", kind="count"), Value("win_share_with", "with_low", "with_high")]
    more = {"note": captions.caution(one.counted), "grid": f"all-{one.counted}"}
    name, section, head = f"{one.counted}_win_share", captions.heading(one.group), f"Win share by {what}"
    return run.chart(name, section, head, words, table, draw, LABELS, values, shown, **more)


def _number(run: Run, one: FlagSet) -> Chart:
    table = measures.set_table(run.tables["measures"], one.measure, run.order)
    words = run.words(run.finding(one.measure), say("subtitle.set"), say("method.outcomes"), say("caption.caution"))
    draw = partial(measures.set_figure, table, words, run.styles)
    name, section, head = f"{one.group}_{one.measure}", captions.heading(one.group), str(table["title"].iloc[0])
    values = [MEAN, *(Value(mean, f"{mean}_low", f"{mean}_high", "mean") for mean in ("mean_won", "mean_lost"))]
    more = {"note": captions.caution(one.group), "grid": f"all-{one.group}"}
    return run.chart(name, section, captions.capital(head), words, table, draw, ["strategy"], values, **more)


def _pick(run: Run, group: str, table: pd.DataFrame) -> Chart:
    words = run.words(
        rate_finding(table.assign(strategy=ALL)),
        say("subtitle.pick", group=captions.heading(group)),
        say("method.pick" if run.several else "method.differences"),
        say("method.left_out", points=decimal(100 * flags.WIDEST, 0)),
        say("caption.caution"),
    )
    draw = partial(picks.pick_figure, table, words)
    name, section = f"{group}_pick", captions.heading(group)
    note, grid = captions.caution(group), f"all-{group}"
    head = "Pick rate against win share"
    return run.chart(name, section, head, words, table, draw, ["title"], [RATE, GAP], note=note, grid=grid)


def _difference(run: Run, group: str, table: pd.DataFrame) -> Chart:
    words = run.words(
        captions.difference_title(table),
        say("subtitle.difference", group=captions.heading(group)),
        say("method.differences"),
        say("method.left_out", points=decimal(100 * flags.WIDEST, 0)),
        say("caption.caution"),
    )
    draw = partial(flags.difference_figure, table, words, run.styles)
    name, section = f"{group}_difference", captions.heading(group)
    note, grid = captions.caution(group), f"all-{group}"
    return run.chart(name, section, "Within each strategy", words, table, draw, LABELS, [GAP], note=note, grid=grid)


def _dealt(run: Run, group: str) -> Chart:
    fair = float(run.tables["summary"]["fair_share"].iloc[0])
    table = flags.dealt_table(run.tables["flags_all"], group, fair)
    subtitle = say("subtitle.dealt", group=captions.heading(group))
    words = run.words(run.finding(group), subtitle, say("method.shares"), _cause(run, group))
    draw = partial(flags.dealt_figure, table, words)
    note = captions.seat_note(run.manifest) if group == "seat" else captions.DEALT
    value = Value("win_share_with", "with_low", "with_high")
    name, head = f"{group}_win_share", captions.heading(group)
    return run.chart(name, LUCK, head, words, table, draw, ["title"], [value], note=note, grid=f"all-{group}")


def _cause(run: Run, group: str) -> str:
    """Say whether a difference is an effect of what was dealt."""
    fixed = group == "seat" and run.manifest.get("seating") == "fixed" and run.several
    return say("caption.seats_fixed" if fixed else "caption.dealt")
