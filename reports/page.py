"""The report: one page that opens offline, with the charts in it and each chart as a file beside it."""

from __future__ import annotations

import base64
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.sequential import is_anytime
from analysis.tables import csv_text
from reports import captions, svg, theme, words
from reports.cells import Grid, flags_grid, measures_grid, pairs_grid, summary_grid
from reports.charts import Chart, Drawing, charts_of, save
from reports.figures.common import ordered
from reports.numbers import count
from reports.stopped import stopped_in_words
from simcore import disk

TEMPLATES = Path(__file__).parent / "templates"
CHARTS = "charts"
TABLES = "tables"
PAGE = "report.html"
MAX_NAMED = 6
"""Strategies that the page's title names."""
MAX_CARRIED = 60_000
"""Characters of a CSV file that the page carries itself; longer ones lie beside it."""
LIBRARIES = ("numpy", "numba", "pandas", "matplotlib")


@dataclass(frozen=True)
class Figure:
    """A chart in the page: what the template needs of it."""

    chart: Chart
    drawing: Markup
    csv: str


def write_report(
    result: Any, tables: Mapping[str, pd.DataFrame], folder: Path | str, command: str | None = None
) -> Path:
    """Write ``report.html`` and ``charts/<name>.svg``, ``.png`` and ``.csv``; the same input gives the same bytes.

    Parameters
    ----------
    result : simcore.store.RunResult
        Complete or not.
    tables : mapping of str to pandas.DataFrame
        As `analysis.tables.tables` makes them.
    folder : path
        Usually the run's. Made if it is not there; files of these names are replaced.
    command : str, optional
        The command line of the run, for the page's foot.

    Returns
    -------
    pathlib.Path
        Of the page.

    Raises
    ------
    TaflError
        If a file cannot be written.
    """
    target = Path(folder)
    with disk.on(target, "write the report into"):
        (target / CHARTS).mkdir(parents=True, exist_ok=True)
        charts = charts_of(result, tables)
        drawings = save(charts, target / CHARTS)
        page = render(result, tables, drawings, target, command)
        disk.write_whole(target / PAGE, page.encode("utf-8"))
    return target / PAGE


def render(
    result: Any, tables: Mapping[str, pd.DataFrame], drawings: list[Drawing], folder: Path, command: str | None
) -> str:
    """Return the page as HTML text.

    Parameters
    ----------
    result, tables, command
        See `write_report`.
    drawings : list of Drawing
        In the order of the page; charts of one section stand together.
    folder : pathlib.Path
        Where the page will lie.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = (TEMPLATES / "report.css").read_text(encoding="utf-8").replace("/*dark-variables*/", svg.dark_variables())
    figures = []
    for drawing in drawings:
        chart, drawn = drawing.chart, Markup(svg.for_page(drawing.document, drawing.chart.name, drawing.body))
        figures.append(Figure(chart, drawn, _link(chart.table, chart.name, folder / CHARTS)))
    sections: dict[str, list[Figure]] = {}
    for figure in figures:
        sections.setdefault(figure.chart.section, []).append(figure)
    styles = theme.strategy_styles([str(name) for name in result.names])
    manifest = result.manifest
    return environment.get_template("report.html").render(
        title=_title(result),
        manifest=manifest,
        verdict=[*words.verdict(tables, manifest, result.stopped is not None), *stopped_in_words(result)],
        scope=" ".join([*words.cut_short(result.n_unfinished, result.n_games), words.scope(manifest)]),
        sections=sections,
        grids=_grids(tables),
        csv={name: _link(table, name, folder / TABLES) for name, table in tables.items() if len(table)},
        colours={name: _variable(s.colour) for name, s in styles.items()},
        entrants=manifest["entrants"],
        measures_shown=any(figure.chart.grid == "measures" for figure in figures),
        copies=dict(zip(result.names, (int(c) for c in result.copies), strict=True)),
        facts=facts(result, command),
        rules=sorted(manifest["edition"]["rules"].items()),
        command=command,
        unfinished=not result.complete,
        anytime=is_anytime(manifest, int(result.n_games)),
        n_games=count(result.n_games),
        n_blocks=count(result.n_blocks),
        per_block=int(result.games_per_block),
        style=Markup(style),
        script=Markup((TEMPLATES / "report.js").read_text(encoding="utf-8")),
    )


def _variable(colour: str) -> str:
    return f"var(--c{colour[1:]},{colour})"


def _title(result: Any) -> str:
    """Return the page's title; a long list of strategies becomes their number."""
    names = words.listing(result.names) if len(result.names) <= MAX_NAMED else f"{len(result.names)} strategies"
    return f"{result.manifest['title']}, {result.manifest['n_players']} players: {names}"


def _link(table: pd.DataFrame, name: str, folder: Path) -> str:
    """Return a link to a table as a CSV file: one that carries it, or if it is long one to a file in `folder`."""
    text = csv_text(table)
    if len(text) <= MAX_CARRIED:
        return as_link(text)
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.csv").write_bytes(text.encode("utf-8"))
    return f"{folder.name}/{name}.csv"


def as_link(text: str) -> str:
    """Return a CSV file as a link that carries it."""
    return "data:text/csv;charset=utf-8;base64," + base64.b64encode(text.encode("utf-8")).decode("ascii")


def _grids(tables: Mapping[str, pd.DataFrame]) -> dict[str, Grid]:
    """Return the page's tables by id; those of flags by the group's heading."""
    found = {"summary": summary_grid(tables), "pairs": pairs_grid(tables), "measures": measures_grid(tables)}
    for group in ordered(tables["flags_all"], "group"):
        found[f"all-{group}"] = flags_grid(tables, group, captions.noun(group))
    return {name: grid for name, grid in found.items() if grid is not None}


def facts(result: Any, command: str | None) -> list[tuple[str, str]]:
    """Return what the page's foot says of the run: pairs of what it is and its value."""
    manifest = result.manifest
    edition = manifest["edition"]
    games = count(result.n_games)
    if result.n_games < int(manifest["n_games"]):
        most = count(manifest["n_games"])
        games += f" (at most {most})" if "stopping" in manifest else f" of {most} planned"
    versions = [f"tafl {manifest['tafl_version']}", f"engine {str(manifest['engine'])[:12]}"]
    report = [f"Python {platform.python_version()}", *(f"{name} {_version(name)}" for name in LIBRARIES)]
    return [
        ("command", command or "not recorded"),
        ("line-up", ", ".join(manifest["lineup"])),
        ("games", games),
        ("blocks", f"{count(result.n_blocks)}, of {count(result.games_per_block)} games each"),
        ("seating", str(manifest["seating"])),
        ("seed", str(manifest["seed"])),
        ("edition", f"{edition['name']} (digest {str(edition['digest'])[:12]}). {edition.get('sentence', '')}".strip()),
        ("played with", ", ".join(versions)),
        ("report written with", ", ".join(report)),
    ]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"
