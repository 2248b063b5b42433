"""The charts of a tournament: who rates highest, who wins, in which places games end, who wins against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from analysis.tables import STAND_INS, stand_in_note
from analysis.tournaments import Tournament
from reports import captions, theme
from reports.chart import Chart, Maker
from reports.figures import pairs, parts, win_share
from reports.figures.cross_table import cross_figure, cross_table
from reports.figures.ladder import ladder_figure, ladder_table
from reports.findings import finding
from reports.language import say
from reports.numbers import count, listing, percent, round_percent, value
from reports.readout import Value
from reports.sheet import Words
from reports.tournament_words import rating_text

WHO, HOW_STRONG = "Who wins against whom", "How strong they are"
SHARE = Value("win_share", "win_share_low", "win_share_high")

AS_IN_RUNS = {"difference": "win_share_difference", "difference_low": "low", "difference_high": "high"}
"""Column of a tournament's pairs -> that of a run's."""


@dataclass(frozen=True)
class Field(Maker):
    """What the makers of charts need of a tournament.

    Attributes
    ----------
    made : Tournament
    tables : mapping of str to pandas.DataFrame
        As `analysis.tournament_tables.tables` makes them.
    title : str, optional
        Stands above every chart instead of its finding.
    """

    made: Tournament
    tables: Mapping[str, pd.DataFrame]
    title: str | None = None

    @property
    def order(self) -> list[str]:
        """The strategies, the highest rating first."""
        return [str(name) for name in self.tables["strategies"]["strategy"]]

    @property
    def styles(self) -> dict[str, theme.Style]:
        """How each strategy is drawn."""
        return theme.strategy_styles(self.made.names)

    def words(self, title: str, subtitle: str, method: str) -> Words:
        """Return what a chart says; `method` is a sentence without a full stop."""
        n_games, n_lineups = count(self.made.manifest["n_games"]), count(self.made.n_lineups)
        caption = captions.tournament_caption(self.made.manifest, method)
        note = f"{n_games} games in {n_lineups} line-ups. {method}."
        return Words(title if self.title is None else self.title, subtitle, caption, note)

    @property
    def compared(self) -> pd.DataFrame:
        """Every pair, in the columns that runs have."""
        found = self.tables["pairs"].rename(columns=AS_IN_RUNS)
        return found.assign(distinguishable=found["winner"] != "")

    def finding(self, chart: str) -> str:
        """Return the title of a chart that runs have as well."""
        found = {"summary": self.tables["strategies"], "places": self.tables["places"], "pairs": self.compared}
        return finding(chart, found, self.made.manifest)


def all_charts(made: Tournament, tables: Mapping[str, pd.DataFrame], title: str | None = None) -> list[Chart]:
    """Return every chart of a tournament in the order of the page; in the language in use.

    Parameters
    ----------
    made : Tournament
    tables : mapping of str to pandas.DataFrame
        As `analysis.tournament_tables.tables` makes them.
    title : str, optional
        Stands above each instead of its finding.
    """
    field = Field(made, tables, title)
    charts = [_ratings(field), _win_share(field), _places(field), _cross(field), _pairs(field)]
    for chart in charts:
        chart.table.attrs[STAND_INS] = stand_in_note(made.manifest)
    return charts


def charts_of(made: Tournament, tables: Mapping[str, pd.DataFrame]) -> list[Chart]:
    """Return the charts of a tournament's page: `all_charts` without those whose numbers its first table has."""
    return [chart for chart in all_charts(made, tables) if not chart.extra]


def _ratings(field: Field) -> Chart:
    table = ladder_table(field.tables["strategies"])
    rows = table.to_dict("records")
    words = field.words(_highest(rows), say("subtitle.ratings"), say("method.ratings"))
    draw = partial(ladder_figure, table, words, field.styles, [rating_text(row) for row in rows])
    rating = Value("rating", "rating_low", "rating_high", "mean")
    return field.chart("ratings", HOW_STRONG, "Ratings", words, table, draw, ["strategy"], [rating], grid="strategies")


def _highest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the title of the ladder: who rates highest, and those whose intervals reach up to the highest's."""
    low = value(rows[0]["rating_low"])
    level = [str(row["strategy"]) for row in rows[1:] if low is None or (value(row["rating_high"]) or 0.0) >= low]
    if not level:
        return say("title.rates_highest", strategy=rows[0]["strategy"])
    return say("title.rate_highest", strategies=listing([rows[0]["strategy"], *level]))


def _win_share(field: Field) -> Chart:
    one_copy = field.tables["strategies"].assign(copies=1)
    table = win_share.win_share_table(one_copy).drop(columns="copies")
    words = field.words(field.finding("win_share"), say("subtitle.win_share"), say("method.shares"))
    draw = partial(win_share.win_share_figure, table, words, field.styles)
    return field.chart("win_share", HOW_STRONG, "Win share", words, table, draw, ["strategy"], [SHARE], extra=True)


def _places(field: Field) -> Chart:
    table = parts.field_places_table(field.tables["places"], field.order)
    words = field.words(field.finding("places"), say("subtitle.places"), say("method.lineup_cuts"))
    draw = partial(parts.parts_figure, table, words)
    values = [Value("share", "low", "high")]
    return field.chart("places", HOW_STRONG, "Places", words, table, draw, ["strategy", "part"], values, grid="places")


def _cross(field: Field) -> Chart:
    fair, two = 1 / field.made.n_players, field.made.n_players == 2
    table = cross_table(field.tables["cross"])
    known = table[table["win_share"].notna()]
    top = known.loc[known["win_share"].astype(float).idxmax()]
    title, subtitle = ("title.cross_two", "subtitle.cross_two") if two else ("title.cross", "subtitle.cross")
    words = field.words(
        say(title, a=top["a"], b=top["b"], share=percent(top["win_share"])),
        say(subtitle, fair=round_percent(fair)),
        say("method.cross"),
    )
    draw = partial(cross_figure, table, words, field.order, fair)
    return field.chart("cross_table", WHO, "Cross-table", words, table, draw, ["a", "b"], [SHARE], known, grid="cross")


def _pairs(field: Field) -> Chart:
    compared = field.compared
    table = pairs.pairs_table(compared, field.order)
    method = say("method.pairs", n=len(compared)) if len(compared) > 1 else say("method.one_pair")
    words = field.words(field.finding("pairs"), say("subtitle.pairs"), method)
    draw = partial(pairs.pairs_figure, table, words)
    shown = table[(table["rank_a"] < table["rank_b"]) & table["difference"].notna()]
    gap = Value("difference", "low", "high", "gap")
    labels = ["a", "b"]
    return field.chart(
        "pair_differences", WHO, "Every two strategies", words, table, draw, labels, [gap], shown, grid="pairs"
    )
