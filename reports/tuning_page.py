"""What a search for rules found: printed, and as a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from analysis.case_evidence import SHARE
from analysis.changes import in_words
from analysis.experiments import Experiment
from analysis.tables import STAND_INS, stand_in_note
from analysis.tuning import CONFIRMATION, CONFIRMED, OPEN, Tuning
from reports import theme
from reports.captions import spoken
from reports.cells import Cell, Grid, mean_cell, share_cell, text_cell
from reports.charts import Chart
from reports.figures.side_by_side import side_by_side_figure
from reports.lab_charts import MAX_DRAWN, lab_words, scaled
from reports.lab_page import LabPage, Section, write_lab_page
from reports.lab_playing import begin, finish, go_on
from reports.lab_words import level, scope
from reports.numbers import FIXED, count, decimal, percent, value

if TYPE_CHECKING:
    from reports.playing import How

MAX_SHOWN = 15
"""Changes of the printed table."""

METHOD = (
    "All combinations of the values named are played on shared luck. The suggestion is the smallest change whose "
    "estimate is within the tolerance of the target: as few things as possible, by as few steps of their lists as "
    "possible. What is chosen among many looks better than it is, so it is played again, with the unchanged game, on "
    "fresh luck: confirmed means that the whole 95 % interval is within the tolerance there, not settled that it "
    "reaches beyond."
)


def confirm(found: Tuning, how: How) -> None:
    """Play the suggestion and the unchanged game on fresh luck, or what is missing of that."""
    from analysis import tuning
    from analysis.experiments import bases_again

    folder = found.made.folder / CONFIRMATION
    if Experiment.is_at(folder):
        go_on(folder, tuning.KIND, how)
        return
    choice = bases_again(found.made)[0]
    begin(tuning.confirmation_manifest(found, choice), [choice], folder, how)


def finish_tuning(made: Experiment, report: bool, how: How | None = None) -> None:
    """Confirm what was found, print it and write its tables and its page; without `how`, nothing is played."""
    found = Tuning(made)
    if found.suggestion and how is not None:
        confirm(found, how)
        found = Tuning(made)
    page = (lambda: write_lab_page(made, tuning_page(found))) if report else None
    finish(made, found, lambda: print_tuning(found), page)


def print_tuning(found: Tuning) -> None:
    """Print what was tried, and what it means."""
    from reports.terminal import print_folded_table, wrapped

    rows = found.tables["search"].to_dict("records")
    shown = [[found.sweep.names[r["case"]], level(r), _distance(found, r), r["reached"]] for r in rows[:MAX_SHOWN]]
    print_folded_table(("change, the smallest first", found.goal.measure.title, "from the target", "reached"), shown)
    if len(rows) > MAX_SHOWN:
        print(f"... and {count(len(rows) - MAX_SHOWN)} more: in search.csv.")
    print()
    for sentence in verdict(found):
        print(wrapped(sentence))
    print("\n" + wrapped(scope(found.made.manifest)))


def _distance(found: Tuning, row: Mapping[str, Any]) -> str:
    distance = value(row["distance"]) or 0.0
    return decimal(100 * distance, 2) if found.goal.measure.unit == SHARE else decimal(distance, 2)


def verdict(found: Tuning) -> list[str]:
    """Return what was found, in sentences."""
    goal = found.goal
    share = goal.measure.unit == SHARE
    near = percent(goal.tolerance, 1) if share else decimal(goal.tolerance, 1)
    target = f"{found.made.options['target']} (within {near})"
    before = found.tables["search"].iloc[0]
    sentences = [f"Unchanged, the {goal.measure.title}: {level(before)}."]
    if found.suggestion is None:
        nearest = found.nearest
        row = next(r for r in found.tables["search"].to_dict("records") if r["case"] == in_words(nearest))
        name = found.sweep.names[row["case"]]
        none = f"None of the {count(len(found.tried) - 1)} changes reaches {target}"
        return [*sentences, f"{none}; {name} comes nearest: {level(row)}."]
    if not found.suggestion:
        return [*sentences, f"The game as it is reaches {target}: nothing has to be changed."]
    name = in_words(found.suggestion)
    row = next(r for r in found.tables["search"].to_dict("records") if r["case"] == name)
    sentences.append(f"The smallest change that reaches {target} is {found.sweep.names[name]}: {level(row)}.")
    told = found.tables["confirmation"].to_dict("records")
    if told:
        fresh = told[1]
        words = {CONFIRMED: "It is confirmed", OPEN: "It is not settled"}.get(fresh["verdict"], "It is not confirmed")
        sentences.append(
            f"{words} by {count(fresh['n_games'])} games on fresh luck: {level(fresh)}, unchanged {level(told[0])}."
        )
    return sentences


def tuning_page(found: Tuning) -> LabPage:
    """Return what the page says."""
    manifest = found.made.manifest
    sections = [Section("search", "What was tried", [], [_search_chart(found)], [(_search(found), "search")])]
    if found.fresh:
        sections.insert(0, Section("confirmation", "On fresh luck", [], [], [(_confirmation(found), "confirmation")]))
    return LabPage(
        title=f"{manifest['title']}: the smallest change for {found.made.options['target']}",
        verdict=verdict(found),
        sections=sections,
        method=[METHOD],
        tables=found.tables,
        styles=theme.strategy_styles(list(found.sweep.before.names)),
    )


def _search_chart(found: Tuning) -> Chart:
    """Return the chart of how far each change leaves the measure from the target."""
    goal, manifest = found.goal, found.made.manifest
    scale = 100 if goal.measure.unit == SHARE else 1
    rows = [row for row in found.tables["search"].to_dict("records") if value(row["estimate"]) is not None][:MAX_DRAWN]
    lines = [
        {
            **{"strategy": _without_tables(found.sweep.names[row["case"]]), "run": goal.measure.title},
            **{end: scaled(row[end] - goal.level, scale) for end in ("estimate", "low", "high")},
        }
        for row in rows
    ]
    table = pd.DataFrame(lines).astype({"estimate": "Float64", "low": "Float64", "high": "Float64"})
    title = f"None of the changes reaches {found.made.options['target']}"
    if found.suggestion is not None:
        title = f"The smallest change that reaches the target: {found.sweep.names[in_words(found.suggestion)]}"
    unit = "percentage points" if scale == 100 else goal.measure.unit
    subtitle = f"{goal.measure.title[0].upper()}{goal.measure.title[1:]} less the target, in {unit}"
    words = lab_words(manifest, title, subtitle, f"Intervals: 95{FIXED}%, from blocks")
    said = [f"{r['strategy']} {decimal(r['estimate'], 2, plus=True)}" for r in lines]
    styles = theme.strategy_styles([goal.measure.title])
    csv = table.rename(columns={"strategy": "change", "run": "measure"})
    csv.attrs[STAND_INS] = stand_in_note(manifest)
    draw = partial(side_by_side_figure, table, words, styles, "target")
    return Chart("search", "", "", words, "", spoken(said), csv, draw)


def _without_tables(case: str) -> str:
    """Return a change as a chart has room for it: a number by its column alone, unless two would look alike."""
    short = re.sub(r"\S+\.\S+\.(\w+=)", r"\1", case)
    names = re.findall(r"(\S+)=", short)
    return short if len(set(names)) == len(names) else case


def _cell(row: Mapping[str, Any]) -> Cell:
    ends = (row["estimate"], row["low"], row["high"])
    return share_cell(*ends) if row["unit"] == SHARE else mean_cell(*ends)


def _search(found: Tuning) -> Grid:
    head = [("change", False), ("things", True), ("steps", True), (found.goal.measure.title, True), ("reached", False)]
    rows = [
        [
            text_cell(found.sweep.names[r["case"]]),
            Cell(count(r["n_changed"]), value(r["n_changed"])),
            Cell(count(r["n_steps"]), value(r["n_steps"])),
            _cell(r),
            text_cell(r["reached"]),
        ]
        for r in found.tables["search"].to_dict("records")
    ]
    return Grid(
        "search", "Every change, the smallest first, with its 95 % interval below it.", head, rows, marked=False
    )


def _confirmation(found: Tuning) -> Grid:
    head = [("case", False), (found.goal.measure.title, True), ("verdict", False), ("games", True)]
    rows = [
        [
            text_cell(found.sweep.names[r["case"]]),
            _cell(r),
            text_cell(r["verdict"]),
            Cell(count(r["n_games"]), value(r["n_games"])),
        ]
        for r in found.tables["confirmation"].to_dict("records")
    ]
    return Grid("confirmation", "On luck that the search has not seen, with 95 % intervals.", head, rows, marked=False)
