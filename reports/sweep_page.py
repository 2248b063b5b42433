"""The page of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from analysis.case_evidence import SHARE, WIN, Measure
from analysis.changes import NOTHING, Factor
from analysis.experiments import Experiment
from analysis.sweeps import Sweep
from reports import theme
from reports.cells import Grid, gap_cell, mean_cell, p_cell, share_cell, text_cell, told_apart
from reports.charts import Chart
from reports.lab_charts import curve_chart, gaps_chart
from reports.lab_page import LabPage, Section, write_lab_page
from reports.lab_playing import finish
from reports.lab_words import change_sentence, crossing_sentence, print_sweep, sweep_verdict, unit_words
from reports.numbers import listing, percent
from reports.theme import Style

METHOD = (
    "A difference is that of a case from the unchanged game: the mean of the differences of blocks, with Student's t. "
    "The spread of shares is the root of their mean squared distance from the fair share, less what chance alone would "
    "spread; its interval, and that of the value at which a target is reached, come from leaving out groups of blocks "
    "in turn (the jackknife). Between two values that were tried a measure is taken to run straight."
)


def finish_sweep(made: Experiment, report: bool) -> None:
    """Print what a sweep found and write its tables and its page."""
    found = Sweep(made)
    finish(
        made, found, lambda: print_sweep(found), (lambda: write_lab_page(made, sweep_page(found))) if report else None
    )


def sweep_page(found: Sweep) -> LabPage:
    """Return what the page of a sweep says."""
    manifest = found.made.manifest
    styles = theme.strategy_styles(list(found.before.names))
    keys = listing([found.titles[factor.key] for factor in found.factors])
    sections = [_factor_section(found, factor, styles) for factor in found.factors if len(found.along(factor)) > 1]
    return LabPage(
        title=f"{manifest['title']}: what {keys} would change",
        verdict=sweep_verdict(found),
        sections=[*sections, _all_cases(found), *_table_section(found)],
        method=[METHOD],
        tables=found.tables,
        styles=styles,
    )


def _factor_section(found: Sweep, factor: Factor, styles: dict[str, Style]) -> Section:
    """Return what one factor does: curves where its values are numbers, differences where they are not."""
    values = [value for value, _ in found.along(factor)]
    shares = [measure for measure in found.measures if measure.name.startswith(f"{WIN}:")]
    tried = [found.value_told(factor, v) for v in values if v != factor.before]
    unchanged = (
        "" if factor.before == NOTHING else f"Unchanged, {found.called[factor.key]}: {found.before_of(factor)}. "
    )
    says = [f"{unchanged}Tried: {', '.join(tried)}."]
    crossed = found.tables["crossings"]
    says += [crossing_sentence(row, found.called) for row in crossed[crossed["key"] == factor.key].to_dict("records")]
    charts: list[Chart] = []
    slug = _slug(factor.key)
    if factor.is_numeric and len(values) > 2:
        rows = [_level(found, factor, value, measure) for measure in shares for value in values]
        title = _steepest(rows)
        charts.append(
            curve_chart(
                found.made.manifest,
                f"win_share_by_{slug}",
                "Win share",
                title,
                "Win share",
                found.titles[factor.key],
                rows,
                styles,
            )
        )
    rows = _gaps(found, factor, shares)
    charts.append(
        gaps_chart(
            found.made.manifest,
            f"change_by_{slug}",
            "Change of the win share",
            _largest(found, factor, shares),
            "Win share",
            rows,
            styles,
        )
    )
    return Section(f"factor-{slug}", found.titles[factor.key], says, charts)


def _slug(key: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in key.lower()).strip("_")


def _case(factor: Factor, value: str) -> str:
    return "unchanged" if value == factor.before else f"{factor.key}={value}"


def _level(found: Sweep, factor: Factor, value: str, measure: Measure) -> dict[str, Any]:
    row = _rows(found, "estimates")[_case(factor, value), measure.name]
    return {**row, "strategy": measure.strategy, "at": value}


def _rows(found: Sweep, table: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(r["case"], r["measure"]): r for r in found.rows(table)}


def _gaps(found: Sweep, factor: Factor, measures: Sequence[Measure]) -> list[dict[str, Any]]:
    rows = _rows(found, "differences")
    tried = [value for value, _ in found.along(factor) if value != factor.before]
    return [
        {
            **rows[_case(factor, value), measure.name],
            **{"strategy": measure.strategy, "case": found.value_told(factor, value)},
        }
        for value in tried
        for measure in measures
    ]


def _largest(found: Sweep, factor: Factor, measures: Sequence[Measure]) -> str:
    """Return the title of a factor's charts: its largest difference that can be told, or that there is none."""
    apart = [row for row in _gaps(found, factor, measures) if row["distinguishable"]]
    if not apart:
        return f"No win share is told to depend on {found.called[factor.key]}"
    largest = max(apart, key=lambda row: abs(float(row["estimate"])))
    return change_sentence(largest).partition(" (")[0]


def _steepest(rows: Sequence[dict[str, Any]]) -> str:
    """Return the title of the curves: the strategy whose share changes most from one end to the other."""
    ends: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        ends.setdefault(row["strategy"], []).append(row)
    most = max(ends.values(), key=lambda own: abs(float(own[-1]["estimate"]) - float(own[0]["estimate"])))
    first, last = most[0], most[-1]
    return (
        f"{first['strategy']} wins {percent(first['estimate'])} at {first['at']} and {percent(last['estimate'])} at "
        f"{last['at']}"
    )


def _all_cases(found: Sweep) -> Section:
    """Return every case with its differences, in a table."""
    shown = [m for m in found.measures if m.name.startswith(f"{WIN}:") or m.name in ("mean_score", "close_games")]
    estimates, differences = _rows(found, "estimates"), _rows(found, "differences")
    head = [("change", False), *((measure.title, True) for measure in shown)]
    rows = []
    for case in found.cases:
        cells = [text_cell(found.names[case.name])]
        for measure in shown:
            row = (differences if case.setting else estimates)[case.name, measure.name]
            ends = (row["estimate"], row["low"], row["high"])
            if measure.unit == SHARE:
                cells.append(gap_cell(*ends) if case.setting else share_cell(*ends))
            else:
                cells.append((partial(mean_cell, plus=True) if case.setting else mean_cell)(*ends))
        rows.append(cells)
    caption = (
        "The unchanged game with its levels; every other case with its difference from it: shares in percentage "
        "points, scores in points; below each the 95 % interval."
    )
    return Section("cases", "All cases", [], [], [(Grid("cases", caption, head, rows), "differences")])


def _table_section(found: Sweep) -> list[Section]:
    """Return the differences that can be told, one a row."""
    told = [row for row in found.rows("differences") if row["distinguishable"]]
    if not told:
        return []
    rows = [
        [
            text_cell(r["told"]),
            text_cell(r["title"]),
            gap_cell(r["estimate"], r["low"], r["high"])
            if r["unit"] == SHARE
            else mean_cell(r["estimate"], r["low"], r["high"], plus=True),
            text_cell(unit_words(r["unit"])),
            p_cell(r["p_holm"]),
            told_apart(r["p_holm"], r["distinguishable"]),
        ]
        for r in told
    ]
    head = [("change", False), ("what", False), ("difference", True), ("unit", False), ("p (Holm)", True)]
    head.append(("told apart", False))
    grid = Grid("told", "Every difference from the unchanged game that is told apart from chance.", head, rows)
    return [Section("told", "What can be told apart", [], [], [], [(grid, "differences")])]
