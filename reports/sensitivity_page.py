"""What an analysis of sensitivity found: printed, and as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from analysis.case_evidence import SHARE
from analysis.experiments import Experiment
from analysis.sensitivity_steps import STEP, Sensitivity
from analysis.tables import STAND_INS, stand_in_note
from reports import theme
from reports.captions import spoken
from reports.cells import Cell, Grid, gap_cell, mean_cell, text_cell
from reports.charts import Chart
from reports.figures.side_by_side import side_by_side_figure
from reports.lab_charts import lab_words, scaled
from reports.lab_page import LabPage, Section, write_lab_page
from reports.lab_playing import finish
from reports.lab_words import gap, scope, unit_words
from reports.numbers import FIXED, count, decimal, listing, value

MAX_SHOWN = 15
"""Rows of the printed table, and of the chart."""

DOWN, UP = "a step down", "a step up"
STYLES = dict(zip((DOWN, UP), theme.strategy_styles([DOWN, UP]).values(), strict=True))
METHOD = (
    f"A step is {STEP} % of a number, and at least 1. A parameter is moved for the strategy in the first seat alone; "
    "its rivals keep theirs, copies of itself too. A number of the edition is moved for everybody. What decides "
    "nothing at this table, and what makes no complete edition, is left out."
)


def finish_sensitivity(made: Experiment, report: bool) -> None:
    """Print what was found and write its tables and its page."""
    found = Sensitivity(made)
    page = (lambda: write_lab_page(made, sensitivity_page(found))) if report else None
    finish(made, found, lambda: print_sensitivity(found), page)


def print_sensitivity(found: Sensitivity) -> None:
    """Print what matters most, and what it means."""
    from reports.terminal import print_folded_table, wrapped

    for _, what, rows in _kinds(found):
        shown = [[r["key"], r["before"], *_told(r, "down"), *_told(r, "up"), _yes(r)] for r in rows[:MAX_SHOWN]]
        measure = rows[0]["title"]
        print_folded_table((what, "is", "down to", measure, "up to", measure, "told apart"), shown)
        if len(rows) > MAX_SHOWN:
            print(f"... and {count(len(rows) - MAX_SHOWN)} more: in importance.csv.")
        print(f"Changes in {unit_words(rows[0]['unit'])}, with 95 % intervals.\n")
    for sentence in verdict(found):
        print(wrapped(sentence))
    print("\n" + wrapped(scope(found.made.manifest)))


def _kinds(found: Sensitivity) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield parameters and numbers: the name, what a reader calls them, the rows."""
    rows = found.tables["importance"].to_dict("records")
    for kind, what in (("parameter", f"parameter of {found.strategy}"), ("number", "number of the edition")):
        own = [row for row in rows if row["kind"] == kind]
        if own:
            yield kind, what, own


def _yes(row: Mapping[str, Any]) -> str:
    return "yes" if row["distinguishable"] else "no"


def _told(row: Mapping[str, Any], way: str) -> tuple[str, str]:
    return (row[way], gap(_change(row, way))) if row[way] else ("", "")


def _change(row: Mapping[str, Any], way: str) -> dict[str, Any]:
    ends = {"estimate": row[f"change_{way}"], "low": row[f"{way}_low"], "high": row[f"{way}_high"]}
    return {**ends, "se": ends["low"], "unit": row["unit"]}


def verdict(found: Sensitivity) -> list[str]:
    """Return what was found, in sentences."""
    sentences = []
    for _, what, rows in _kinds(found):
        plural = what.replace("parameter", "parameters").replace("number", "numbers")
        apart = [row for row in rows if row["distinguishable"]]
        if not apart:
            moved = (
                f"None of the {count(len(rows))} {plural} that were" if len(rows) > 1 else f"The one {what} that was"
            )
            end = "is told to matter" if len(rows) > 1 else "is not told to matter"
            sentences.append(f"{moved} moved {end}: one step is not distinguishable from chance.")
            continue
        first = apart[0]
        way = max(("down", "up"), key=lambda w: abs(value(first[f"change_{w}"]) or 0))
        sentences.append(
            f"Of {count(len(rows))} {plural}, {count(len(apart))} are told to matter; most of all "
            f"{found.titles[first['key']]}: from {first['before']} to {first[way]} the {first['title']} changes by "
            f"{gap(_change(first, way))} {unit_words(first['unit'])}."
        )
    gains = [text for row in found.tables["importance"].to_dict("records") if (text := _better(row))]
    if gains:
        sentences.append(f"The strategy would win more with {listing(gains[:3])}: confirm it before you change it.")
    return sentences


def _better(row: Mapping[str, Any]) -> str:
    if row["kind"] == "parameter" and row["distinguishable"]:
        for way in ("down", "up"):
            if (value(row[f"{way}_low"]) or 0) > 0:
                change = decimal(100 * row[f"change_{way}"], 1, plus=True)
                return f"{row['key'].partition(':')[2]}={row[way]} ({change})"
    return ""


def sensitivity_page(found: Sensitivity) -> LabPage:
    """Return what the page says."""
    manifest = found.made.manifest
    sections = []
    for kind, what, rows in _kinds(found):
        heading = what.replace("parameter", "Parameters").replace("number", "Numbers")
        grids = [(_grid(kind, rows), "importance")]
        sections.append(Section(f"{kind}s", heading, [], [_chart(found, kind, rows[:MAX_SHOWN])], [], grids))
    return LabPage(
        title=f"{manifest['title']}: what matters to {found.strategy}",
        verdict=verdict(found),
        sections=sections,
        method=[METHOD],
        tables=found.tables,
        styles=theme.strategy_styles(list(dict.fromkeys(found.made.lineup(0)))),
    )


def _chart(found: Sensitivity, kind: str, rows: Sequence[Mapping[str, Any]]) -> Chart:
    scale = 100 if rows[0]["unit"] == SHARE else 1
    lines = [
        {
            **{"strategy": found.titles[row["key"]], "run": label},
            **{end: scaled(_change(row, way)[end], scale) for end in ("estimate", "low", "high")},
        }
        for row in rows
        for way, label in (("down", DOWN), ("up", UP))
        if row[way]
    ]
    table = pd.DataFrame(lines).astype({"estimate": "Float64", "low": "Float64", "high": "Float64"})
    first = rows[0]
    name = found.titles[first["key"]]
    title = f"What matters most: {name}"
    if not first["distinguishable"]:
        title = "No step is told to matter"
    subtitle = f"{rows[0]['title'].capitalize()} after one step: change in {unit_words(rows[0]['unit'])}"
    words = lab_words(found.made.manifest, title, subtitle, f"Paired by block, intervals 95{FIXED}%")
    said = [f"{r['strategy']} {r['run']} {decimal(r['estimate'], 2, plus=True)}" for r in lines]
    draw = partial(side_by_side_figure, table, words, STYLES, "unchanged")
    csv = table.rename(columns={"strategy": "what", "run": "way"})
    csv.attrs[STAND_INS] = stand_in_note(found.made.manifest)
    return Chart(f"sensitivity_{kind}s", "", "", words, "", spoken(said), csv, draw)


def _grid(kind: str, rows: Sequence[Mapping[str, Any]]) -> Grid:
    measure, unit = rows[0]["title"], rows[0]["unit"]
    head = [("what is moved", False), ("is", True), ("down to", True), (measure, True), ("up to", True)]
    head += [(measure, True), ("told apart", False)]
    lines = []
    for row in rows:
        cells = [text_cell(row["key"]), _whole(row["before"])]
        for way in ("down", "up"):
            ends = (row[f"change_{way}"], row[f"{way}_low"], row[f"{way}_high"])
            told = gap_cell(*ends) if unit == SHARE else mean_cell(*ends, plus=True)
            cells += [_whole(row[way]), told if row[way] else Cell("", None)]
        lines.append([*cells, text_cell(_yes(row))])
    caption = f"Change in {unit_words(unit)}, and below each its 95 % interval."
    return Grid(kind, caption, head, lines, marked=False)


def _whole(text: str) -> Cell:
    return Cell(text, int(text) if text else None)
