"""The page of several runs side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.runs import first_command
from analysis.settings import Setting, differing, settings_table
from analysis.side_by_side import MARGIN, SCORE, WIN, labels, measures, side_by_side
from analysis.tables import STAND_INS
from reports import side_by_side_words as words
from reports import templating, theme
from reports.cells import Cell, Grid, gap_cell, mean_cell, p_cell, text_cell, told_apart
from reports.charts import Chart
from reports.figures.side_by_side import side_by_side_figure, side_by_side_table
from reports.numbers import count, decimal, listing
from reports.page import facts
from reports.page_figures import drawn, figures_of
from reports.sheet import Words
from simcore import disk
from simcore.store import RunResult

PAGE = "side-by-side.html"
HEADINGS = {WIN: "Win share above the fair share", SCORE: "Score", MARGIN: "Margin"}
DRAWN = (WIN, SCORE)
MAX_NAMED = 4
"""Runs that the page's title names."""
MAX_ENTRIES = 5
"""Entries of a setting that the page shows; the CSV file has all."""


@dataclass(frozen=True)
class SideBySide:
    """Several runs and what was found.

    Attributes
    ----------
    runs : sequence of RunResult
    called : list of str
        What they are called.
    settings : list of Setting
        In what they differ.
    tables : dict of str to pandas.DataFrame
        ``run_settings, run_estimates, run_differences``.
    """

    runs: Sequence[RunResult]
    called: list[str]
    settings: list[Setting]
    tables: dict[str, pd.DataFrame]

    @property
    def verdict(self) -> list[str]:
        """What was found, in sentences."""
        return words.verdict(self.tables["run_differences"])

    @property
    def differ(self) -> list[str]:
        """How the runs differ, in sentences."""
        return words.settings_in_words(self.called, self.settings)

    @property
    def luck(self) -> list[str]:
        """How their luck hangs together, in sentences."""
        return words.luck_in_words(self.tables["run_differences"])


def put_side_by_side(runs: Sequence[RunResult]) -> SideBySide:
    """Compare runs.

    Raises
    ------
    TaflError
        If there is nothing to compare: see `analysis.side_by_side.check`.
    """
    tables = side_by_side(runs)
    called, settings = labels(runs), differing(runs)
    table = settings_table(called, settings)
    table.attrs |= tables["run_estimates"].attrs
    return SideBySide(runs, called, settings, {"run_settings": table, **tables})


def write_side_by_side(found: SideBySide, out: Path) -> Path:
    """Write the page; the same runs give the same bytes.

    Raises
    ------
    TaflError
        If it cannot be written.
    """
    with disk.on(out, "write the page to"):
        out.parent.mkdir(parents=True, exist_ok=True)
        disk.write_whole(out, render(found).encode("utf-8"))
    return out


def render(found: SideBySide) -> str:
    """Return the page as HTML text."""
    styles = theme.strategy_styles(found.called)
    named = listing(found.called) if len(found.called) <= MAX_NAMED else f"{len(found.called)} runs"
    charts = [_chart(found, measure, styles) for measure in DRAWN]
    return templating.page_of(
        "side_by_side.html",
        title=f"{found.runs[0].manifest['title']}: {named} side by side",
        warnings=words.unfinished(found.called, found.runs),
        verdict=found.verdict,
        differ=found.differ,
        luck=found.luck,
        stand_ins=found.tables["run_estimates"].attrs[STAND_INS],
        settings=_settings_grid(found),
        figures={figure.chart.name: figure for figure in figures_of(drawn(charts), {})},
        grids={name: _grid(found, [name], heading) for name, heading in HEADINGS.items()},
        headings=HEADINGS,
        parts=_grid(found, [m.name for m in measures(found.runs) if m.name not in HEADINGS], "Parts of the score"),
        colours=templating.colour_variables(styles),
        runs=[_run(label, run) for label, run in zip(found.called, found.runs, strict=True)],
        csv={name: templating.csv_link(table) for name, table in found.tables.items() if len(table)},
        n_tested=count(found.tables["run_differences"]["p_holm"].notna().sum()),
    )


def _run(label: str, run: RunResult) -> dict[str, Any]:
    """Return what the page says of one run."""
    text = templating.as_json(run.manifest)
    return {
        "label": label,
        "facts": facts(run, first_command(run.folder)),
        "text": text,
        "link": templating.json_link(text),
        "file": f"{label.replace('/', '-')}-manifest.json",
    }


def _chart(found: SideBySide, measure: str, styles: Mapping[str, theme.Style]) -> Chart:
    share = measure == WIN
    table = side_by_side_table(found.tables["run_estimates"], measure)
    table.attrs |= found.tables["run_estimates"].attrs
    title = words.finding(found.tables["run_differences"], measure, HEADINGS[measure], share)
    what = "Percentage points won above the fair share" if share else "Mean points per game"
    method = words.FROM_SHARES if share else words.FROM_MEANS
    games = "; ".join(f"{label} {count(run.n_games)}" for label, run in zip(found.called, found.runs, strict=True))
    says = Words(title, f"{what}, one copy of each strategy in each run", "", f"Games: {games}. {method}.")
    spoken = "; ".join(f"{r['strategy']} in {r['run']} {decimal(r['estimate'])}" for r in table.to_dict("records"))
    draw = partial(side_by_side_figure, table, says, styles, "fair share" if share else "")
    return Chart(f"runs_{measure}", HEADINGS[measure], "", says, "", f"{spoken}.", table, draw)


def _settings_grid(found: SideBySide) -> Grid | None:
    """Return in what the runs differ: a row a setting, a column a run; None if in nothing."""
    if not found.settings:
        return None
    head = [("setting", False), *((label, False) for label in found.called)]
    rows = [[text_cell(s.name), *(text_cell(_brief(value)) for value in s.values)] for s in found.settings]
    return Grid("settings", "Settings that are not the same in all of the runs.", head, rows, marked=False)


def _brief(text: str) -> str:
    """Return a setting with its first few entries, if it is a long list."""
    entries = text.split(", ")
    rest = len(entries) - MAX_ENTRIES
    return text if rest <= 1 else f"{', '.join(entries[:MAX_ENTRIES])} and {rest} more"


def _grid(found: SideBySide, names: Sequence[str], heading: str) -> Grid | None:
    """Return what the strategies did in each run, and the difference from the first; None if there is nothing."""
    estimates, differences = (found.tables[name] for name in ("run_estimates", "run_differences"))
    gaps = {(r["strategy"], r["measure"], r["run"]): r for r in differences.to_dict("records")}
    several = len(names) > 1
    rows = []
    for r in estimates[estimates["measure"].isin(names)].to_dict("records"):
        cell_of = gap_cell if r["measure"] == WIN else partial(mean_cell, plus=r["measure"] == MARGIN)
        row = [text_cell(r["title"])] * several
        row += [text_cell(r["strategy"]), text_cell(r["run"]), cell_of(r["estimate"], r["low"], r["high"])]
        gap = gaps.get((r["strategy"], r["measure"], r["run"]))
        if gap is None:
            row += [Cell("compared with this"), Cell(""), Cell("")]
        else:
            difference_of = gap_cell if r["measure"] == WIN else partial(mean_cell, plus=True)
            row += [difference_of(gap["estimate"], gap["low"], gap["high"]), p_cell(gap["p_holm"])]
            row += [told_apart(gap["p_holm"], gap["distinguishable"])]
        rows.append(row)
    if not rows:
        return None
    head = [("part", False)] * several + [("strategy", False), ("run", False)]
    head += [("in this run", True), ("difference", True), ("p (Holm)", True), ("told apart", False)]
    unit = "percentage points above the fair share" if names == [WIN] else "points"
    caption = (
        f"{heading}, in {unit}: one copy of each strategy, and the difference from the first run that has it; below "
        "each the 95 % interval."
    )
    return Grid("-".join(names[:1]), caption, head, rows)
