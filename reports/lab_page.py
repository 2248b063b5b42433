"""The pages of the laboratory's experiments: what all of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.experiments import Experiment
from analysis.runs import first_command
from reports import templating
from reports.cells import Grid
from reports.charts import Chart, save
from reports.lab_words import scope
from reports.numbers import count
from reports.page import CHARTS, PAGE
from reports.page_figures import Figure, collecting_later, figures_of
from reports.theme import Style
from simcore import disk


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes
    ----------
    name, heading : str
        Its id in the page, and its title.
    says : sequence of str
        Sentences that come first.
    charts : sequence of Chart
    grids, folded : sequence of (Grid, str)
        Tables with the CSV file that has them in full; folded ones are opened by the reader.
    """

    name: str
    heading: str
    says: Sequence[str] = ()
    charts: Sequence[Chart] = ()
    grids: Sequence[tuple[Grid, str]] = ()
    folded: Sequence[tuple[Grid, str]] = ()
    figures: list[Figure] = field(default_factory=list)


@dataclass(frozen=True)
class LabPage:
    """What the page of an experiment says.

    Attributes
    ----------
    title : str
    verdict : sequence of str
        What was found, in sentences.
    sections : sequence of Section
    method : sequence of str
        How the numbers of this kind of experiment are made.
    tables : mapping of str to DataFrame
        All of them, to be downloaded.
    styles : mapping of str to Style
        Of the strategies.
    """

    title: str
    verdict: Sequence[str]
    sections: Sequence[Section]
    method: Sequence[str]
    tables: Mapping[str, pd.DataFrame]
    styles: Mapping[str, Style]


def write_lab_page(made: Experiment, page: LabPage) -> Path:
    """Write ``report.html`` and the charts into an experiment's folder; the same input gives the same bytes.

    Raises
    ------
    TaflError
        If a file cannot be written.
    """
    with disk.on(made.folder, "write the report into"), collecting_later():
        (made.folder / CHARTS).mkdir(parents=True, exist_ok=True)
        charts = [chart for section in page.sections for chart in section.charts]
        figures = {figure.chart.name: figure for figure in figures_of(save(charts, made.folder / CHARTS), {})}
        for section in page.sections:
            section.figures.extend(figures[chart.name] for chart in section.charts)
        disk.write_whole(made.folder / PAGE, _render(made, page).encode("utf-8"))
    return made.folder / PAGE


def _render(made: Experiment, page: LabPage) -> str:
    text = templating.as_json(made.manifest)
    return templating.page_of(
        "lab.html",
        title=page.title,
        warnings=[],
        manifest=made.manifest,
        verdict=page.verdict,
        scope=scope(made.manifest),
        sections=page.sections,
        method=page.method,
        csv={name: templating.csv_link(table) for name, table in page.tables.items() if len(table)},
        colours=templating.colour_variables(page.styles),
        facts=_facts(made),
        manifest_text=text,
        manifest_link=templating.json_link(text),
    )


def _facts(made: Experiment) -> list[tuple[str, Any]]:
    """Return what the page's foot says of the experiment: pairs of what it is and its value."""
    manifest = made.manifest
    edition = manifest["edition"]
    rules = ", ".join(f"{key}={choice}" for key, choice in sorted(edition["rules"].items()))
    return [
        ("command", first_command(made.folder) or "not recorded"),
        ("line-ups", "; ".join(dict.fromkeys(", ".join(lineup) for lineup in manifest["bases"]))),
        ("cases", count(made.n_runs)),
        ("games", f"{count(manifest['n_games'])} in {count(manifest['n_blocks'])} blocks"),
        ("seed", str(manifest["seed"])),
        ("edition", f"{edition['name']} (digest {str(edition['digest'])[:12]}). {edition.get('sentence', '')}".strip()),
        *([("rule switches", rules)] if rules else []),
        ("played with", f"tafl {manifest['tafl_version']}, engine {str(manifest['engine'])[:12]}"),
    ]
