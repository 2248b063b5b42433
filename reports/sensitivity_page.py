"""What an analysis of sensitivity found: printed, and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from analysis.experiments import Experiment
from analysis.sensitivity import STEP, Sensitivity
from analysis.tables import STAND_INS, stand_in_note
from reports import theme
from reports.captions import spoken
from reports.cells import Cell, Grid, gap_cell, text_cell
from reports.charts import Chart
from reports.figures.side_by_side import side_by_side_figure
from reports.lab_charts import lab_words
from reports.lab_page import LabPage, Section, write_lab_page
from reports.lab_playing import finish
from reports.lab_words import scope
from reports.numbers import FIXED, count, decimal, share_gap, value

MAX_SHOWN = 15
"""Rows of the printed table, and of the chart."""

DOWN, UP = "a step down", "a step up"
STYLES = dict(zip((DOWN, UP), theme.strategy_styles([DOWN, UP]).values(), strict=True))
METHOD = (
    f"A step is {STEP} % of a number, and at least 1. A parameter is moved for the strategy in the first seat alone; its "
    "rivals keep theirs, copies of itself too. A number of the edition is moved for everybody. What decides nothing at "
    "this table, and what makes no complete edition, is left out."
)


def finish_sensitivity(made: Experiment, report: bool) -> None:
    """Print what was found and write its tables and its page."""
    found = Sensitivity(made)
    page = (lambda: write_lab_page(made, sensitivity_page(found))) if report else None
    finish(made, found, lambda: print_sensitivity(found), page)


def print_sensitivity(found: Sensitivity) -> None:
    """Print what matters most, and what it means."""
    from reports.terminal import print_table, wrapped

    rows = found.tables["importance"].to_dict("records")
    shown = [
        [r["key"], r["before"], *_told(r, "down"), *_told(r, "up"), "yes" if r["distinguishable"] else "no"]
        for r in rows[:MAX_SHOWN]
    ]
    print_table(("what is moved", "is", "down to", "win share", "up to", "win share", "told apart"), shown)
    if len(rows) > MAX_SHOWN:
        print(f"... and {count(len(rows) - MAX_SHOWN)} more: in importance.csv.")
    print(
        f"\nWin share of {found.strategy}: differences from the unchanged game in percentage points, 95 % intervals.\n"
    )
    for sentence in verdict(found):
        print(wrapped(sentence))
    print("\n" + wrapped(scope(found.made.manifest)))


def _told(row: Mapping[str, Any], way: str) -> tuple[str, str]:
    if not row[way]:
        return "", ""
    return row[way], share_gap(row[f"win_share_{way}"], row[f"{way}_low"], row[f"{way}_high"])


def verdict(found: Sensitivity) -> list[str]:
    """Return what was found, in sentences."""
    rows = found.tables["importance"].to_dict("records")
    sentences = []
    for kind, what in (("parameter", f"parameters of {found.strategy}"), ("number", "numbers of the edition")):
        own = [row for row in rows if row["kind"] == kind]
        apart = [row for row in own if row["distinguishable"]]
        if not own:
            continue
        if not apart:
            sentences.append(
                f"None of the {count(len(own))} {what} that were moved is told to matter: one step is not distinguishable "
                "from chance."
            )
            continue
        first = apart[0]
        way = "up" if abs(value(first["win_share_up"]) or 0) >= abs(value(first["win_share_down"]) or 0) else "down"
        gap = share_gap(first[f"win_share_{way}"], first[f"{way}_low"], first[f"{way}_high"])
        sentences.append(
            f"Of {count(len(own))} {what}, {count(len(apart))} are told to matter; most of all {first['key']}: from "
            f"{first['before']} to {first[way]} the win share changes by {gap} percentage points."
        )
    better = [_better(row) for row in rows if row["kind"] == "parameter" and row["distinguishable"]]
    gains = [text for text in better if text]
    if gains:
        sentences.append(f"The strategy would win more with {', '.join(gains[:3])}: confirm it before you change it.")
    return sentences


def _better(row: Mapping[str, Any]) -> str:
    for way in ("down", "up"):
        low = value(row[f"{way}_low"])
        if low is not None and low > 0:
            return f"{row['key'].partition(':')[2]}={row[way]} ({decimal(100 * row[f'win_share_{way}'], 1, plus=True)})"
    return ""


def sensitivity_page(found: Sensitivity) -> LabPage:
    """Return what the page says."""
    manifest = found.made.manifest
    rows = found.tables["importance"].to_dict("records")
    sections = []
    for kind, name, heading in (
        ("parameter", "parameters", f"Parameters of {found.strategy}"),
        ("number", "numbers", "Numbers of the edition"),
    ):
        own = [row for row in rows if row["kind"] == kind]
        if own:
            chart = _chart(found, name, heading, own[:MAX_SHOWN])
            sections.append(Section(name, heading, [], [chart], [], [(_grid(name, own), "importance")]))
    return LabPage(
        title=f"{manifest['title']}: what matters to {found.strategy}",
        verdict=verdict(found),
        sections=sections,
        method=[METHOD],
        tables=found.tables,
        styles=theme.strategy_styles(list(dict.fromkeys(found.made.lineup(0)))),
    )


def _chart(found: Sensitivity, name: str, heading: str, rows: Sequence[Mapping[str, Any]]) -> Chart:
    lines = [
        {
            **{"strategy": row["key"].partition(":")[2] or row["key"], "run": label},
            **{
                end: None if value(row[column]) is None else 100 * row[column]
                for end, column in (("estimate", f"win_share_{way}"), ("low", f"{way}_low"), ("high", f"{way}_high"))
            },
        }
        for row in rows
        for way, label in (("down", DOWN), ("up", UP))
        if row[way]
    ]
    table = pd.DataFrame(lines).astype({"estimate": "Float64", "low": "Float64", "high": "Float64"})
    first = rows[0]
    title = f"{first['key'].partition(':')[2] or first['key']} matters most"
    if not first["distinguishable"]:
        title = "No step is told to matter"
    subtitle = f"Win share of {found.strategy} after one step: difference from the unchanged game, in percentage points"
    words = lab_words(found.made.manifest, title, subtitle, f"Paired by block, intervals 95{FIXED}%")
    said = [f"{r['strategy']} {r['run']} {decimal(r['estimate'], 2, plus=True)}" for r in lines]
    draw = partial(side_by_side_figure, table, words, STYLES, "unchanged")
    csv = table.rename(columns={"strategy": "what", "run": "way"})
    csv.attrs[STAND_INS] = stand_in_note(found.made.manifest)
    return Chart(f"sensitivity_{name}", "", "", words, "", spoken(said), csv, draw)


def _grid(name: str, rows: Sequence[Mapping[str, Any]]) -> Grid:
    head = [("what is moved", False), ("is", True), ("down to", True), ("win share", True), ("up to", True)]
    head += [("win share", True), ("told apart", False)]
    lines = []
    for row in rows:
        cells = [text_cell(row["key"]), _whole(row["before"])]
        for way in ("down", "up"):
            ends = (row[f"win_share_{way}"], row[f"{way}_low"], row[f"{way}_high"])
            cells += [_whole(row[way]), gap_cell(*ends) if row[way] else Cell("", None)]
        lines.append([*cells, text_cell("yes" if row["distinguishable"] else "no")])
    caption = "Change of the win share in percentage points, and below each its 95 % interval."
    return Grid(name, caption, head, lines, marked=False)


def _whole(text: str) -> Cell:
    return Cell(text, int(text) if text else None)
