"""Charts of how games unfold: the standing after each round, what a lead is worth, when games are decided.

They show a sample of the run's games, played again (`analysis.unfolding`); a run without one has no such charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from analysis.unfolding import half_time
from reports import captions
from reports.chart import MAX_PANELS, Chart, Run
from reports.figures import rounds, unfolding
from reports.figures.common import ordered
from reports.findings import ahead_finding, measures_finding
from reports.language import say
from reports.makers.groups import LABELS, MEAN, UNFOLDS
from reports.numbers import percent, plus_minus, round_percent, share_digits, value
from reports.readout import Value

SCORE = "score_by_round"
ENDING = "_by_round"
"""Ends the names of the groups that have a chart."""


def standings(run: Run) -> list[Chart]:
    """Return the charts of a run's sample; none if it has none."""
    if not len(run.tables.get("by_round", ())):
        return []
    course = run.tables["course"]
    n_games, n_blocks = (int(course[column].iloc[0]) for column in ("n_games", "n_blocks"))
    sample = replace(run, n_games=n_games, n_blocks=n_blocks, sampled_from=run.n_games)
    by_round = run.tables["by_round"]
    charts = [_series(sample, SCORE), _leaders(sample), _decided(sample), _lead_changes(sample)]
    for group in ordered(by_round, "group"):
        if not group.endswith(ENDING) or group == SCORE:
            continue
        if by_round.loc[by_round["group"] == group, "measure"].nunique() == 1:
            charts.append(_series(sample, group))
        elif len(run.order) <= MAX_PANELS:
            charts.append(_panels(sample, group))
    return charts


def _series(run: Run, group: str) -> Chart:
    rows = run.tables["by_round"][run.tables["by_round"]["group"] == group]
    measures = unfolding.as_measures(rows)
    table = rounds.series_table(measures, group, run.order)
    head = captions.heading(group)
    is_score = group == SCORE
    title = ahead_finding(rows) if is_score else measures_finding(measures, not run.several, by_round=True)
    method = [say("method.standing")] if is_score else []
    words = run.words(title, say("subtitle.by_round", group=head), *method, say("method.means"))
    draw = partial(rounds.series_figure, table, words, run.styles)
    return run.chart(group, UNFOLDS, head, words, table, draw, LABELS, [MEAN])


def _panels(run: Run, group: str) -> Chart:
    by_round = run.tables["by_round"]
    table = unfolding.panels_table(by_round, group, run.order)
    last = unfolding.as_measures(
        by_round[(by_round["group"] == group) & (by_round["round"] == by_round["round"].max())]
    )
    head = captions.heading(group)
    words = run.words(
        measures_finding(last, not run.several, by_round=False),
        say("subtitle.by_round", group=head),
        say("method.means"),
    )
    draw = partial(unfolding.panels_figure, table, words, run.styles)
    shown = table[table["at"] == table["at"].max()]
    return run.chart(group, UNFOLDS, head, words, table, draw, LABELS, [MEAN], shown)


def _leaders(run: Run) -> Chart:
    table = run.tables["leaders"][["round", "leader_wins", "leader_wins_low", "leader_wins_high"]]
    fair = 1 / int(run.manifest["n_players"])
    n_rounds = int(table["round"].max())
    row = table[table["round"] == max(1, half_time(n_rounds))].to_dict("records")[0]
    share = _share(row, "leader_wins")
    title = say("title.half_time", n=row["round"], all=n_rounds, share=share, fair=round_percent(fair))
    words = run.words(_if_known(title, row["leader_wins_low"]), say("subtitle.leader_wins"), *_method("method.shared"))
    draw = partial(unfolding.leaders_figure, table, words, fair)
    shown = Value("leader_wins", "leader_wins_low", "leader_wins_high")
    return run.chart("leader_wins", UNFOLDS, "What a lead is worth", words, table, draw, ["round"], [shown])


def _decided(run: Run) -> Chart:
    columns = [f"{name}{end}" for name in ("decided", "decided_by") for end in ("", "_low", "_high")]
    table = run.tables["leaders"][["round", *columns]]
    last = table.to_dict("records")[-1]
    title = say("title.decided", n=last["round"], share=_share(last, "decided"))
    words = run.words(_if_known(title, last["decided_low"]), say("subtitle.decided"), *_method("method.decided"))
    labels = [say("label.round", n=n) for n in table["round"]]
    draw = partial(unfolding.shares_figure, table, words, labels, "decided", "decided_low", "decided_high")
    values = [Value(name, f"{name}_low", f"{name}_high") for name in ("decided", "decided_by")]
    return run.chart("decided", UNFOLDS, "When games are decided", words, table, draw, ["round"], values)


def _lead_changes(run: Run) -> Chart:
    table = run.tables["lead_changes"][["changes", "share", "low", "high"]]
    course = run.tables["course"].set_index("quantity").loc["lead_changes"]
    title = say("title.lead_changes", n=plus_minus(course["mean"], course["low"], course["high"]))
    words = run.words(_if_known(title, course["low"]), say("subtitle.lead_changes"), *_method("method.changes"))
    labels = [str(n) for n in table["changes"]]
    draw = partial(unfolding.shares_figure, table, words, labels, "share", "low", "high")
    shown = Value("share", "low", "high")
    return run.chart("lead_changes", UNFOLDS, "Changes of the lead", words, table, draw, ["changes"], [shown])


def _if_known(title: str, low: Any) -> str:
    """Return a title that names a number, if that has an interval."""
    return say("title.too_few_blocks") if value(low) is None else title


def _method(what: str) -> tuple[str, str, str]:
    return say("method.standing"), say(what), say("method.shares")


def _share(row: Mapping[str, Any], column: str) -> str:
    low, high = row[f"{column}_low"], row[f"{column}_high"]
    return percent(row[column], min(1, share_digits(low, high)))
