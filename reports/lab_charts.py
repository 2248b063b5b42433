"""The charts of the laboratory: a measure along the values of a factor, and differences from the unchanged game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd

from analysis.case_evidence import SHARE
from analysis.tables import STAND_INS, stand_in_note
from reports.captions import spoken
from reports.charts import Chart
from reports.figures.rounds import series_figure
from reports.figures.side_by_side import side_by_side_figure
from reports.lab_words import gap, level
from reports.numbers import FIXED, count, value
from reports.sheet import Words
from reports.theme import Style

MAX_DRAWN = 40
"""Cases that a chart of differences shows; the tables have all."""


def lab_words(manifest: Mapping[str, Any], title: str, subtitle: str, method: str) -> Words:
    """Return what a chart of an experiment says; `method` is a sentence without full stop."""
    games = sorted({one["n_games"] for one in manifest["cases"]})
    each = count(games[0]) if len(games) == 1 else f"{count(games[0])} to {count(games[-1])}"
    played = f"{each} games in each of {count(len(manifest['cases']))} cases, on shared luck."
    caption = (
        f"{manifest['title']}: {played} Edition {manifest['edition']['name']}, seed {manifest['seed']}, "
        f"tafl {manifest['tafl_version']}. {method}. {stand_in_note(manifest)}"
    )
    return Words(title, subtitle, caption.replace(" %", f"{FIXED}%").strip(), f"{played} {method}.")


def curve_chart(
    manifest: Mapping[str, Any],
    name: str,
    heading: str,
    title: str,
    what: str,
    key: str,
    rows: Sequence[Mapping[str, Any]],
    styles: Mapping[str, Style],
) -> Chart:
    """Return the chart of a measure along the values of a factor, a line for each strategy.

    Parameters
    ----------
    rows : sequence of mapping
        ``strategy``, ``at`` (the value), and ``estimate``, ``low``, ``high``, ``unit`` as in the table ``estimates``.
    """
    share = rows[0]["unit"] == SHARE
    scale = 100 if share else 1
    table = pd.DataFrame(
        [
            {
                **{"strategy": r["strategy"], "at": int(r["at"])},
                **{m: scaled(r[e], scale) for m, e in _ENDS},
            }
            for r in rows
        ]
    ).astype({name: "Float64" for name, _ in _ENDS})
    table.attrs[STAND_INS] = stand_in_note(manifest)
    unit = "percent of games" if share else "points"
    words = lab_words(manifest, title, f"{what}, in {unit}, by {key}", f"Intervals: 95{FIXED}%, from blocks")
    said = [f"{r['strategy']} at {r['at']} {level(r)}" for r in rows]
    draw = partial(series_figure, table, words, styles, key)
    return Chart(name, "", heading, words, "", spoken(said), table, draw)


def scaled(number: Any, scale: int) -> float | None:
    """Return a number times `scale`, None if it is missing."""
    found = value(number)
    return None if found is None else scale * found


_ENDS = (("mean", "estimate"), ("low", "low"), ("high", "high"))


def gaps_chart(
    manifest: Mapping[str, Any],
    name: str,
    heading: str,
    title: str,
    what: str,
    rows: Sequence[Mapping[str, Any]],
    styles: Mapping[str, Style],
) -> Chart:
    """Return the chart of differences from the unchanged game, grouped by case, a row for each strategy.

    Parameters
    ----------
    rows : sequence of mapping
        ``case``, ``strategy``, and the rest as in the table ``differences``; of one unit.
    """
    cases = list(dict.fromkeys(row["case"] for row in rows))[:MAX_DRAWN]
    rows = [row for row in rows if row["case"] in cases]
    scale = 100 if rows[0]["unit"] == SHARE else 1
    table = pd.DataFrame(
        [
            {
                **{"strategy": r["case"], "run": r["strategy"]},
                **{end: scaled(r[end], scale) for end in ("estimate", "low", "high")},
            }
            for r in rows
        ]
    ).astype({"estimate": "Float64", "low": "Float64", "high": "Float64"})
    unit = "percentage points" if scale == 100 else "points"
    words = lab_words(
        manifest,
        title,
        f"{what}: difference from the unchanged game, in {unit}",
        f"Paired by block, intervals 95{FIXED}%",
    )
    said = [f"{r['case']}: {r['strategy']} {gap(r)}" for r in rows]
    draw = partial(side_by_side_figure, table, words, styles, "unchanged")
    csv = table.rename(columns={"strategy": "case", "run": "strategy"})
    csv.attrs[STAND_INS] = stand_in_note(manifest)
    return Chart(name, "", heading, words, "", spoken(said), csv, draw)
