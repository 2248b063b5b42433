"""What a test of robustness found: printed, and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from analysis.experiments import Experiment
from analysis.robustness_draws import Robustness
from analysis.tables import STAND_INS, stand_in_note
from reports import theme
from reports.captions import spoken
from reports.cells import Cell, Grid, gap_cell, mean_cell, p_cell, share_cell, text_cell
from reports.charts import Chart
from reports.figures.side_by_side import side_by_side_figure
from reports.figures.strips import strips_figure
from reports.lab_charts import lab_words
from reports.lab_page import LabPage, Section, write_lab_page
from reports.lab_playing import finish
from reports.lab_words import scope
from reports.numbers import FIXED, count, decimal, listing, percent, share_range, value

MAX_SHOWN = 12
"""Rows that decide: of the printed table and of the chart."""

SAFE = 0.95
"""A pair whose order survives in so large a share of the editions, its interval's lower end, counts as safe."""

ORDER, DECIDES = "How often the order survives", "What decides it"

METHOD = (
    "Every plausible edition draws the assumed rows anew within the ranges that stand beside the tables (ranges.csv); "
    "sourced and inferred rows stay. A row is drawn as a whole, from stingy to generous; how many copies there are is "
    "drawn apart. Draws that make no complete edition are drawn again. All editions are played on the same luck. The "
    "ranges are a judgement, written down where everybody can change it: a share of the editions is no probability of "
    "the printed game."
)


def finish_robustness(made: Experiment, report: bool) -> None:
    """Print what was found and write its tables and its page."""
    found = Robustness(made)
    page = (lambda: write_lab_page(made, robustness_page(found))) if report else None
    finish(made, found, lambda: print_robustness(found), page)


def print_robustness(found: Robustness) -> None:
    """Print how often each order survives, and what decides it."""
    from reports.terminal import print_folded_table, wrapped

    pairs = found.tables["pairs"].to_dict("records")
    rows = [
        [
            f"{r['a']} ahead of {r['b']}",
            f"{r['n_ahead']} of {r['n_editions']}",
            share_range(r["share_low"], r["share_high"], 0) + " %",
            str(r["n_told_apart"]),
            str(r["n_turned"]),
        ]
        for r in pairs
    ]
    print_folded_table(
        ("order in the edition as it is", "survives in", "95 % interval", "told apart", "turned round"), rows
    )
    print()
    deciding = [r for r in found.tables["deciding"].to_dict("records") if r["distinguishable"]][:MAX_SHOWN]
    if deciding:
        print_folded_table(
            ("row", "what it is", "win share of", "correlation", "95 % interval"),
            [
                [r["unknown"], r["title"], r["strategy"], decimal(r["correlation"], 2, plus=True), _ends(r)]
                for r in deciding
            ],
        )
        print()
    for sentence in verdict(found):
        print(wrapped(sentence))
    print("\n" + wrapped(scope(found.made.manifest)))


def _ends(row: Mapping[str, Any]) -> str:
    return f"{decimal(row['low'], 2, plus=True)} to {decimal(row['high'], 2, plus=True)}"


def verdict(found: Robustness) -> list[str]:
    """Return what was found, in sentences."""
    pairs = found.tables["pairs"].to_dict("records")
    n = found.n_editions
    winner = pairs[0]["a"]
    sentences = [
        f"{winner} comes first in {count(found.n_same_winner)} of {count(n)} plausible editions; the whole order is "
        f"the same in {count(found.n_same_order)}."
    ]
    shaky = [r for r in pairs if r["share_low"] < SAFE]
    safe = [r for r in pairs if r["share_low"] >= SAFE]
    for r in sorted(shaky, key=lambda r: r["share_ahead"])[:4]:
        sentences.append(
            f"{r['a']} is ahead of {r['b']} in {count(r['n_ahead'])} of {count(n)} plausible editions (95 % interval "
            f"{share_range(r['share_low'], r['share_high'], 0)} %)."
        )
    if safe:
        told = listing([f"{r['a']} over {r['b']}" for r in safe[:4]])
        more = f" and {count(len(safe) - 4)} more" if len(safe) > 4 else ""
        sentences.append(f"Beyond reasonable doubt about the stand-ins: {told}{more}.")
    deciding = [r for r in found.tables["deciding"].to_dict("records") if r["distinguishable"]]
    if deciding:
        rows = list(dict.fromkeys(f"{r['title']} ({r['unknown']})" for r in deciding))
        sentences.append(f"What decides most: {listing(rows[:3])}. Look these up first; {_first(deciding[0])}")
    else:
        sentences.append(
            f"No single row is told to decide it: with {count(n)} editions only a strong relation is, or the doubt is "
            "spread over many rows."
        )
    return sentences


def _first(row: Mapping[str, Any]) -> str:
    way = "more" if row["correlation"] > 0 else "less"
    return (
        f"{row['strategy']} wins {way} where the first is generous (correlation {decimal(row['correlation'], 2)}, "
        f"{percent(row['explained'], 0)} of the variance between editions)."
    )


def robustness_page(found: Robustness) -> LabPage:
    """Return what the page says."""
    manifest = found.made.manifest
    styles = theme.strategy_styles(list(found.names))
    sections = [
        Section(
            "order", "How often the order survives", [], [_spread_chart(found, styles)], [(_pairs(found), "pairs")]
        ),
        Section("deciding", "What decides it", [], [_deciding_chart(found)], [], [(_deciding_grid(found), "deciding")]),
    ]
    names = listing(found.names)
    return LabPage(
        title=f"{manifest['title']}: how far {names} depend on the stand-in tables",
        verdict=verdict(found),
        sections=sections,
        method=[METHOD],
        tables=found.tables,
        styles=styles,
    )


def _spread_chart(found: Robustness, styles: Mapping[str, theme.Style]) -> Chart:
    table = found.tables["editions"][["number", "strategy", "win_share"]].copy()
    table["win_share"] = 100 * table["win_share"]
    table.attrs[STAND_INS] = stand_in_note(found.made.manifest)
    title = verdict(found)[0].partition(";")[0]
    subtitle = (
        f"Win share in {count(found.n_editions)} plausible editions, in percent; the line is the edition as it is"
    )
    words = lab_words(found.made.manifest, title, subtitle, "A dot is an edition")
    as_it_is = {name: 100 * float(values.mean()) for name, values in zip(found.names, found.values[0], strict=True)}
    middle = table.groupby("strategy")["win_share"].quantile([0.05, 0.5, 0.95]).unstack()
    said = [
        f"{name} {decimal(row[0.5])} (5 % to 95 %: {decimal(row[0.05])} to {decimal(row[0.95])})"
        for name, row in middle.iterrows()
    ]
    draw = partial(strips_figure, table, words, styles, as_it_is)
    return Chart("editions", "", "", words, "", spoken(said), table, draw)


def _deciding_chart(found: Robustness) -> Chart:
    rows = found.tables["deciding"].to_dict("records")
    keys = list(dict.fromkeys(r["unknown"] for r in rows))[:MAX_SHOWN]
    shown = [r for key in keys for r in rows if r["unknown"] == key]
    table = pd.DataFrame(
        [{**{"strategy": _label(r), "run": r["strategy"]}, **{e: value(r[c]) for e, c in _COLUMNS}} for r in shown]
    ).astype({e: "Float64" for e, _ in _COLUMNS})
    title = f"{_label(shown[0])} decides most" if shown[0]["distinguishable"] else "No single row is told to decide"
    subtitle = "Correlation of a row's generosity with the win share, over the plausible editions"
    words = lab_words(found.made.manifest, title, subtitle, f"Intervals 95{FIXED}%, Fisher's z")
    said = [f"{r['title']} with {r['strategy']} {decimal(r['correlation'], 2, plus=True)}" for r in shown]
    draw = partial(side_by_side_figure, table, words, theme.strategy_styles(list(found.names)), "no relation")
    csv = table.rename(columns={"strategy": "row", "run": "strategy"})
    csv.attrs[STAND_INS] = stand_in_note(found.made.manifest)
    return Chart("deciding", "", "", words, "", spoken(said), csv, draw)


def _label(row: Mapping[str, Any]) -> str:
    """Return a row's name with what tells it from others of that name: ``Spawn of Jormungandr (B09)``."""
    own = str(row["unknown"]).split(".")[1]
    return str(row["title"]) if own.replace("_", " ") in str(row["title"]) else f"{row['title']} ({own})"


_COLUMNS = (("estimate", "correlation"), ("low", "low"), ("high", "high"))


def _pairs(found: Robustness) -> Grid:
    head = [("strategy", False), ("ahead of", False), ("difference as it is", True), ("survives", True)]
    head += [("told apart in", True), ("turned round in", True)]
    rows: list[Sequence[Cell]] = [
        [
            text_cell(r["a"]),
            text_cell(r["b"]),
            gap_cell(r["difference"], r["low"], r["high"]),
            share_cell(r["share_ahead"], r["share_low"], r["share_high"]),
            Cell(count(r["n_told_apart"]), value(r["n_told_apart"])),
            Cell(count(r["n_turned"]), value(r["n_turned"])),
        ]
        for r in found.tables["pairs"].to_dict("records")
    ]
    caption = (
        "Difference of win shares in the edition as it is, in percentage points; the share of "
        f"{count(found.n_editions)} plausible editions in which the first is ahead; in how many of them that, or the "
        "opposite, is told from chance by itself."
    )
    return Grid("pairs", caption, head, [list(row) for row in rows])


def _deciding_grid(found: Robustness) -> Grid:
    head = [("row", False), ("what it is", False), ("win share of", False), ("correlation", True), ("p (Holm)", True)]
    rows = [
        [
            text_cell(r["unknown"]),
            text_cell(r["title"]),
            text_cell(r["strategy"]),
            mean_cell(r["correlation"], r["low"], r["high"], plus=True),
            p_cell(r["p_holm"]),
        ]
        for r in found.tables["deciding"].to_dict("records")[:300]
    ]
    caption = "Correlation of what was drawn for a row with a strategy's win share; below each its 95 % interval."
    return Grid("deciding", caption, head, rows)
