"""Charts that every run has: who wins, where the points come from, how games end."""

from __future__ import annotations

from functools import partial

import pandas as pd

from analysis.convergence import convergence
from analysis.sequential import is_anytime, looking_at
from reports.chart import Chart, Run
from reports.figures import breakdown, distribution, pairs, parts, win_share
from reports.figures.convergence import MAX_LINES, convergence_figure
from reports.language import say
from reports.readout import Value

WINS = "Who wins"
POINTS = "Where the points come from"
ENDS = "How the games end"
SHARE = Value("win_share", "win_share_low", "win_share_high")
PART = [Value("share", "low", "high")]
GAP = Value("difference", "difference_low", "difference_high", "gap")


def who_wins(run: Run) -> list[Chart]:
    """Return win share, its difference from the fair share, pairs, and how the estimates settled."""
    charts = [_win_share(run), _fair_difference(run)]
    if run.several:
        charts.append(_pairs(run))
    if len(run.order) <= MAX_LINES and run.several and run.n_blocks > 1:
        table = convergence(run.result)
        if table["low"].notna().any():
            charts.append(_convergence(run, table))
    return charts


def how_games_end(run: Run) -> list[Chart]:
    """Return places, margins and close games."""
    charts = []
    if len(run.tables["places"]):
        charts.append(_places(run))
    if len(run.tables["margins"]):
        charts += [_margins(run), _close_games(run)]
    return charts


def where_points_come_from(run: Run) -> list[Chart]:
    """Return the breakdowns of the score and its spread."""
    charts = []
    if len(run.tables["components"]):
        charts.append(_breakdown(run))
        if run.drawn_apart:
            charts.append(_field(run))
        charts.append(_won_lost(run))
    if len(run.tables["scores"]):
        charts.append(_scores(run))
    return charts


def _win_share(run: Run) -> Chart:
    table = win_share.win_share_table(run.tables["summary"])
    words = run.words(run.finding("win_share"), say("subtitle.win_share"), say("method.shares"))
    draw = partial(win_share.win_share_figure, table, words, run.styles)
    return run.chart("win_share", WINS, "Win share", words, table, draw, ["strategy"], [SHARE])


def _fair_difference(run: Run) -> Chart:
    table = win_share.fair_table(run.tables["summary"])
    words = run.words(run.finding("fair_difference"), say("subtitle.fair_difference"), say("method.shares"))
    draw = partial(win_share.fair_figure, table, words, run.styles)
    head = "Difference from the fair share"
    return run.chart("fair_difference", WINS, head, words, table, draw, ["strategy"], [GAP], extra=True)


def _pairs(run: Run) -> Chart:
    table = pairs.pairs_table(run.tables["pairs"], run.order)
    n_pairs = len(run.tables["pairs"])
    method = say("method.pairs", n=n_pairs) if n_pairs > 1 else say("method.one_pair")
    words = run.words(run.finding("pairs"), say("subtitle.pairs"), method)
    draw = partial(pairs.pairs_figure, table, words)
    shown = table[table["rank_a"] < table["rank_b"]]
    gap = Value("difference", "low", "high", "gap")
    return run.chart("pair_differences", WINS, "Every two strategies", words, table, draw, ["a", "b"], [gap], shown)


def _convergence(run: Run, table: pd.DataFrame) -> Chart:
    place = {name: i for i, name in enumerate(run.order)}
    table = table.sort_values("strategy", key=lambda s: s.map(place), kind="stable", ignore_index=True)
    once = [] if is_anytime(run.manifest, run.n_games) else [say("method.at_each_number")]
    words = run.words(run.finding("convergence"), say("subtitle.convergence"), say("method.shares"), *once)
    draw = partial(convergence_figure, table, words, run.styles)
    shown = table[table["n_blocks"] == table["n_blocks"].max()]
    values = [Value("n_games", kind="count"), Value("win_share", "low", "high")]
    head = "How the estimates settled"
    return run.chart("convergence", WINS, head, words, table, draw, ["strategy"], values, shown)


def _places(run: Run) -> Chart:
    table = parts.places_table(run.tables["places"], run.tables["summary"], run.order, looking_at(run.result))
    words = run.words(run.finding("places"), say("subtitle.places"), say("method.cuts"))
    draw = partial(parts.parts_figure, table, words)
    return run.chart("places", ENDS, "Places", words, table, draw, ["strategy", "part"], PART)


def _margins(run: Run) -> Chart:
    table = distribution.distribution_table(run.tables["margins"], run.tables["summary"], run.order, "margin")
    words = run.words(run.finding("margins"), say("subtitle.margins", classes=_classes(table)), say("method.hills"))
    draw = partial(distribution.distribution_figure, table, words, run.styles, say("mark.level"))
    shown = table.drop_duplicates("strategy")
    value = Value("mean", "low", "high", "signed")
    return run.chart("margins", ENDS, "Margins", words, table, draw, ["strategy"], [value], shown)


def _close_games(run: Run) -> Chart:
    table = parts.ends_table(run.tables["margins"], run.tables["summary"], run.order, looking_at(run.result))
    words = run.words(run.finding("close_games"), say("subtitle.close_games"), say("method.cuts"))
    draw = partial(parts.parts_figure, table, words)
    return run.chart("close_games", ENDS, "Close games", words, table, draw, ["strategy", "part"], PART)


def _breakdown(run: Run) -> Chart:
    table = breakdown.breakdown_table(run.tables["components"], run.tables["summary"], run.order)
    words = run.words(run.finding("breakdown"), say("subtitle.breakdown"), say("method.means"))
    draw = partial(breakdown.breakdown_figure, table, words)
    labels, value = ["strategy", "title"], Value("mean", kind="mean")
    return run.chart("breakdown", POINTS, "Parts of the score", words, table, draw, labels, [value])


def _field(run: Run) -> Chart:
    table = breakdown.field_table(run.tables["components"], run.tables["summary"], run.order)
    words = run.words(run.finding("breakdown_difference"), say("subtitle.breakdown_difference"), say("method.field"))
    draw = partial(breakdown.field_figure, table, words, run.styles)
    labels, value = ["strategy", "title"], Value("difference", "low", "high", "signed")
    return run.chart("breakdown_difference", POINTS, "Against the field", words, table, draw, labels, [value])


def _won_lost(run: Run) -> Chart:
    table = breakdown.outcome_table(run.tables["components"], run.tables["summary"], run.order)
    method = say("method.outcomes"), say("caption.caution")
    words = run.words(run.finding("won_lost"), say("subtitle.won_lost"), *method)
    draw = partial(breakdown.outcome_figure, table, words)
    values = [Value(mean, f"{mean}_low", f"{mean}_high", "mean") for mean in ("mean_won", "mean_lost")]
    return run.chart("won_lost", POINTS, "Won and lost games", words, table, draw, ["strategy", "title"], values)


def _scores(run: Run) -> Chart:
    table = distribution.distribution_table(run.tables["scores"], run.tables["summary"], run.order)
    words = run.words(run.finding("scores"), say("subtitle.scores", classes=_classes(table)), say("method.hills"))
    draw = partial(distribution.distribution_figure, table, words, run.styles)
    shown = table.drop_duplicates("strategy")
    values = [Value("mean", "low", "high", "mean"), Value("sd", kind="mean")]
    return run.chart("scores", POINTS, "Spread of the scores", words, table, draw, ["strategy"], values, shown)


def _classes(table: object) -> str:
    step = int(table["to"].iloc[0] - table["from"].iloc[0]) + 1  # type: ignore[index]
    return say("subtitle.classes", n=step) if step > 1 else ""
