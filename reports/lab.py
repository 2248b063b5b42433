"""The kinds of experiment, by the command that makes them: how each is told again, and its charts one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from analysis import balance_plan, robustness_draws, sensitivity_steps, sweeps, tuning
from analysis.experiments import Experiment
from reports import balance_page, robustness_page, sensitivity_page, sweep_page, tuning_page
from reports.chart import Chart
from reports.lab_page import LabPage
from reports.numbers import decimal, digits_for, half_width, value
from reports.readout import Readout

FINISH: dict[str, Callable[[Experiment, bool], None]] = {
    balance_plan.KIND: balance_page.finish_balance,
    robustness_draws.KIND: robustness_page.finish_robustness,
    sensitivity_steps.KIND: sensitivity_page.finish_sensitivity,
    sweeps.KIND: sweep_page.finish_sweep,
    tuning.KIND: tuning_page.finish_tuning,
}
"""What prints an experiment and writes its tables and its page."""

_PAGES: dict[str, Callable[[Experiment], LabPage]] = {
    balance_plan.KIND: lambda made: balance_page.balance_page(balance_page.found_of(made)),
    robustness_draws.KIND: lambda made: robustness_page.robustness_page(robustness_draws.Robustness(made)),
    sensitivity_steps.KIND: lambda made: sensitivity_page.sensitivity_page(sensitivity_steps.Sensitivity(made)),
    sweeps.KIND: lambda made: sweep_page.sweep_page(sweeps.Sweep(made)),
    tuning.KIND: lambda made: tuning_page.tuning_page(tuning.Tuning(made)),
}


def charts_of(made: Experiment, title: str | None = None) -> list[Chart]:
    """Return the charts of an experiment's page, in English.

    Parameters
    ----------
    made : Experiment
        Complete.
    title : str, optional
        Stands above each instead of its finding.
    """
    page = _PAGES[made.kind](made)
    charts = [chart for section in page.sections for chart in section.charts]
    return [_as_asked(chart, title) for chart in charts]


def _as_asked(chart: Chart, title: str | None) -> Chart:
    words = chart.words if title is None else replace(chart.words, title=title)
    draw: Any = chart.draw
    args = [words if arg is chart.words else arg for arg in draw.args]
    return replace(chart, words=words, draw=partial(draw.func, *args), readout=partial(_readout, chart.table))


def _readout(table: pd.DataFrame) -> Readout:
    """Return a chart's numbers as a table to be read: its labels, and each number with its interval."""
    ends = [name for name in ("low", "high") if name in table]
    number = "mean" if "mean" in table else "estimate" if "estimate" in table else "win_share"
    labels = [str(name) for name in table.columns if name not in (number, *ends)]
    rows = [[*(str(row[name]) for name in labels), _number(row, number)] for row in table.to_dict("records")]
    return Readout([*labels, "number (95 % interval)" if ends else "number"], rows, len(labels))


def _number(row: dict[Any, Any], name: str) -> str:
    half = half_width(row.get("low"), row.get("high"))
    digits = digits_for(half, most=2)
    if value(row[name]) is None:
        return "not determined"
    text = decimal(row[name], digits)
    return text if half is None else f"{text} ({decimal(row['low'], digits)} to {decimal(row['high'], digits)})"
