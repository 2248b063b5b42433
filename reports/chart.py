"""A chart before it is drawn, and what those who make charts need of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from reports import captions, theme
from reports.findings import finding
from reports.readout import Readout, Value, readout_of, spoken
from reports.sheet import FramedFigure, Words

MAX_PANELS = 8
"""With more strategies than this there is no panel for each."""


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
        Returns the figure; to be called under ``matplotlib.rc_context(theme.RC)``, in the language of its words.
    grid : str
        Id of the page's table that stands below the last chart with this id.
    readout : callable
        Returns its numbers as a table to be read; to be called in the language of its words.
    extra : bool
        Shows what another chart shows too: made on request, and no part of the page.
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
    readout: Callable[[], Readout] = field(default=Readout, repr=False)
    extra: bool = False


class Maker:
    """What makes charts of something that was played."""

    def chart(
        self,
        name: str,
        section: str,
        heading: str,
        words: Words,
        table: pd.DataFrame,
        draw: Callable[[], FramedFigure],
        labels: Sequence[str],
        values: Sequence[Value],
        shown: pd.DataFrame | None = None,
        **more: Any,
    ) -> Chart:
        """Return a chart whose numbers are read from the columns `labels` and `values` of `shown`, or of its table."""
        source = table if shown is None else shown
        found = partial(readout_of, source, labels, values)
        says = spoken(source, labels, values)
        return Chart(name, section, heading, words, more.pop("note", ""), says, table, draw, readout=found, **more)


@dataclass(frozen=True)
class Run(Maker):
    """What the makers of charts need of a run.

    Attributes
    ----------
    manifest : mapping
    tables : mapping of str to pandas.DataFrame
        As `analysis.tables.tables` makes them.
    n_games, n_blocks : int
        Finished ones.
    styles : mapping
        Strategy -> `reports.theme.Style`.
    order : list of str
        The strategies, the most successful first.
    result : object
        The run's `simcore.store.RunResult`.
    title : str, optional
        Stands above every chart instead of its finding.
    sampled_from : int
        Games of the run, if `n_games` are a sample of them; else 0.
    """

    manifest: Mapping[str, Any]
    tables: Mapping[str, pd.DataFrame]
    n_games: int
    n_blocks: int
    styles: Mapping[str, theme.Style]
    order: list[str]
    result: Any
    title: str | None = None
    sampled_from: int = 0

    @property
    def several(self) -> bool:
        """Whether there are several strategies."""
        return len(self.order) > 1

    @property
    def drawn_apart(self) -> bool:
        """Whether there are several strategies, few enough for a panel each."""
        return self.several and len(self.order) <= MAX_PANELS

    def words(self, title: str, subtitle: str, *method: str, has_intervals: bool = True) -> Words:
        """Return what a chart says; `method` are sentences without full stops."""
        said = ". ".join(method)
        of = self.sampled_from
        caption = captions.caption(self.manifest, self.n_games, self.n_blocks, said, has_intervals, of)
        note = f"{captions.played(self.n_games, self.n_blocks, of)} {said}."
        return Words(title if self.title is None else self.title, subtitle, caption, note)

    def finding(self, chart: str) -> str:
        """Return the title of a chart."""
        return finding(chart, self.tables, self.manifest)
