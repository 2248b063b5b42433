"""The report of a tournament: one page that opens offline, with its charts in it and each chart as a file beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.tournaments import Tournament
from reports import templating, theme
from reports.charts import Drawing, save
from reports.numbers import count
from reports.page import CHARTS, PAGE
from reports.page_figures import collecting_later, figures_of
from reports.tournament_charts import charts_of
from reports.tournament_grids import grids_of
from reports.tournament_words import game_in_words, scope, verdict
from simcore import disk


def write_page(made: Tournament, tables: Mapping[str, pd.DataFrame], command: str | None = None) -> Path:
    """Write ``report.html`` and the charts into a tournament's folder; the same input gives the same bytes.

    Parameters
    ----------
    made : Tournament
    tables : mapping of str to pandas.DataFrame
        As `analysis.tournament_tables.tables` makes them.
    command : str, optional
        The command line that began it, for the page's foot.

    Returns
    -------
    pathlib.Path
        Of the page.

    Raises
    ------
    TaflError
        If a file cannot be written.
    """
    with disk.on(made.folder, "write the report into"), collecting_later():
        (made.folder / CHARTS).mkdir(parents=True, exist_ok=True)
        drawings = save(charts_of(made, tables), made.folder / CHARTS)
        page = render(made, tables, drawings, command)
        disk.write_whole(made.folder / PAGE, page.encode("utf-8"))
    return made.folder / PAGE


def render(made: Tournament, tables: Mapping[str, pd.DataFrame], drawings: list[Drawing], command: str | None) -> str:
    """Return the page as HTML text."""
    manifest = made.manifest
    manifest_text = templating.as_json(manifest)
    return templating.page_of(
        "tournament.html",
        title=f"{manifest['title']}, {made.n_players} players: a tournament of {len(made.names)} strategies",
        warnings=[],
        manifest=manifest,
        verdict=verdict(tables),
        game=game_in_words(tables, manifest),
        scope=scope(tables, manifest),
        figures={figure.chart.name: figure for figure in figures_of(drawings, {})},
        grids=grids_of(tables),
        csv={name: templating.csv_link(table) for name, table in tables.items() if len(table)},
        colours=templating.colour_variables(theme.strategy_styles(made.names)),
        two=made.n_players == 2,
        facts=_facts(made, command),
        manifest_text=manifest_text,
        manifest_link=templating.json_link(manifest_text),
    )


def _facts(made: Tournament, command: str | None) -> list[tuple[str, Any]]:
    """Return what the page's foot says of the tournament: pairs of what it is and its value."""
    manifest = made.manifest
    edition = manifest["edition"]
    rules = ", ".join(f"{key}={choice}" for key, choice in sorted(edition["rules"].items()))
    which = manifest["mode"] + (f" on {manifest['focus']}" if manifest["focus"] else "")
    return [
        ("command", command or "not recorded"),
        ("strategies", ", ".join(made.names)),
        ("line-ups", f"{count(made.n_lineups)} ({which})"),
        ("games", f"{count(manifest['n_games'])} in {count(manifest['n_blocks'])} blocks"),
        ("seed", str(manifest["seed"])),
        ("edition", f"{edition['name']} (digest {str(edition['digest'])[:12]}). {edition.get('sentence', '')}".strip()),
        *([("rule switches", rules)] if rules else []),
        ("played with", f"tafl {manifest['tafl_version']}, engine {str(manifest['engine'])[:12]}"),
    ]
