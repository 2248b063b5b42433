"""The report of a run: one page that needs nothing but itself, and each chart as a file beside it."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.sequential import is_anytime
from reports import captions, templating, theme, words
from reports.cells import Grid, flags_grid, measures_grid, pairs_grid, parts_grid, summary_grid
from reports.charts import Drawing, charts_of, save, save_pictures
from reports.figures.common import ordered
from reports.numbers import count
from reports.page_figures import Figure, collecting_later, figures_of
from reports.pictures import Pictures, are_drawn
from reports.sample_game import SampleGame
from reports.stopped import stopped_in_words
from reports.strategy_facts import strategy_facts
from simcore import disk

CHARTS = "charts"
PAGE = "report.html"
MAX_NAMED = 6
"""Strategies that the page's title names."""
LIBRARIES = ("numpy", "numba", "pandas", "matplotlib")
PARTS_CHART = "breakdown"
"""The chart below which the parts of the score stand as a table."""


def write_report(
    result: Any,
    tables: Mapping[str, pd.DataFrame],
    folder: Path | str,
    command: str | None = None,
    game: SampleGame | None = None,
    out: Path | None = None,
    pictures: Pictures | None = None,
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
        The command line of the run.
    game : SampleGame, optional
        The game that the page tells.
    out : pathlib.Path, optional
        The page's file, if it is not to lie in `folder`.
    pictures : Pictures, optional
        What draws the PNG files already (`reports.pictures`).

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
    page = target / PAGE if out is None else out
    with disk.on(target, "write the report into"), collecting_later():
        (target / CHARTS).mkdir(parents=True, exist_ok=True)
        charts = charts_of(result, tables)
        drawings = save(charts, target / CHARTS, pictures=pictures is None)
    with disk.on(page, "write the report to"), collecting_later():
        page.parent.mkdir(parents=True, exist_ok=True)
        disk.write_whole(page, render(result, tables, drawings, command, game).encode("utf-8"))
    with disk.on(target, "write the report into"):
        if pictures is not None and not are_drawn(pictures):
            save_pictures(charts, target / CHARTS)
    return page


def render(
    result: Any,
    tables: Mapping[str, pd.DataFrame],
    drawings: list[Drawing],
    command: str | None,
    game: SampleGame | None = None,
) -> str:
    """Return the page as HTML text.

    Parameters
    ----------
    result, tables, command, game
        See `write_report`.
    drawings : list of Drawing
        In the order of the page; charts of one section stand together.
    """
    figures = figures_of(drawings, {PARTS_CHART: "parts"})
    sections: dict[str, list[Figure]] = {}
    for figure in figures:
        sections.setdefault(figure.chart.section, []).append(figure)
    manifest = result.manifest
    grids = _grids(tables)
    manifest_text = templating.as_json(manifest)
    return templating.page_of(
        "report.html",
        title=_title(result),
        warnings=_warnings(result),
        verdict=[*words.verdict(tables, manifest, result.stopped is not None), *stopped_in_words(result)],
        scope=" ".join([*words.cut_short(result.n_unfinished, result.n_games), words.scope(manifest)]),
        sections=sections,
        grids=grids,
        files={name: FILES.get(name, "flags") for name in grids},
        csv={name: templating.csv_link(table) for name, table in tables.items() if len(table)},
        colours=templating.colour_variables(theme.strategy_styles([str(name) for name in result.names])),
        strategies=strategy_facts(manifest["entrants"]),
        measures_shown=any(figure.grid == "measures" for figure in figures),
        copies=dict(zip(result.names, (int(c) for c in result.copies), strict=True)),
        game=game,
        facts=facts(result, command),
        manifest_text=manifest_text,
        manifest_link=templating.json_link(manifest_text),
        anytime=is_anytime(manifest, int(result.n_games)),
        n_games=count(result.n_games),
        n_blocks=count(result.n_blocks),
        per_block=int(result.games_per_block),
    )


FILES = {"summary": "summary", "pairs": "pairs", "parts": "components", "measures": "measures"}
"""Table of the page -> the CSV file that holds it; the others are of flags."""


def _warnings(result: Any) -> list[str]:
    """Return what a reader must know before anything else."""
    if result.complete:
        return []
    planned = count(result.manifest["n_games"])
    return [
        f"This run is not finished: the page speaks of the {count(result.n_games)} games of {planned} played so far."
    ]


def _title(result: Any) -> str:
    """Return the page's title; a long list of strategies becomes their number."""
    names = words.listing(result.names) if len(result.names) <= MAX_NAMED else f"{len(result.names)} strategies"
    return f"{result.manifest['title']}, {result.manifest['n_players']} players: {names}"


def _grids(tables: Mapping[str, pd.DataFrame]) -> dict[str, Grid]:
    """Return the page's tables by id; those of flags by the group's heading."""
    found = {"summary": summary_grid(tables), "pairs": pairs_grid(tables), "parts": parts_grid(tables)}
    found["measures"] = measures_grid(tables)
    for group in ordered(tables["flags_all"], "group"):
        found[f"all-{group}"] = flags_grid(tables, group, captions.noun(group))
    return {name: grid for name, grid in found.items() if grid is not None}


def facts(result: Any, command: str | None) -> list[tuple[str, str]]:
    """Return what the page says of the run: pairs of what it is and its value."""
    manifest = result.manifest
    edition = manifest["edition"]
    games = count(result.n_games)
    if result.n_games < int(manifest["n_games"]):
        most = count(manifest["n_games"])
        games += f" (at most {most})" if "stopping" in manifest else f" of {most} planned"
    versions = [f"tafl {manifest['tafl_version']}", f"engine {str(manifest['engine'])[:12]}"]
    report = [f"Python {platform.python_version()}", *(f"{name} {_version(name)}" for name in LIBRARIES)]
    rules = ", ".join(f"{key}={choice}" for key, choice in sorted(edition["rules"].items()))
    return [
        ("command", command or "not recorded"),
        ("line-up", ", ".join(manifest["lineup"])),
        ("games", games),
        ("blocks", f"{count(result.n_blocks)}, of {count(result.games_per_block)} games each"),
        ("seating", str(manifest["seating"])),
        ("seed", str(manifest["seed"])),
        ("edition", f"{edition['name']} (digest {str(edition['digest'])[:12]}). {edition.get('sentence', '')}".strip()),
        *([("rule switches", rules)] if rules else []),
        ("played with", ", ".join(versions)),
        ("report written with", ", ".join(report)),
    ]


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"
