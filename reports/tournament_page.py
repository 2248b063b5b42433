"""The report of a tournament: one page that opens offline, with its charts in it and each chart as a file beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.tables import STAND_INS, stand_in_note
from analysis.tournaments import Tournament
from reports import templating, theme
from reports.captions import spoken
from reports.charts import Chart, Drawing, save
from reports.figures.cross_table import cross_figure, cross_table
from reports.figures.ladder import ladder_figure, ladder_table
from reports.language import say
from reports.numbers import FIXED, count, listing, percent, round_percent, share_with_interval, value
from reports.page import CHARTS, PAGE
from reports.page_figures import collecting_later, figures_of
from reports.sheet import Words
from reports.tournament_grids import grids_of
from reports.tournament_words import game_in_words, rating_text, scope, verdict
from simcore import disk

WHO, HOW_STRONG = "Who wins against whom", "How strong they are"


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


def charts_of(made: Tournament, tables: Mapping[str, pd.DataFrame]) -> list[Chart]:
    """Return the charts of a tournament in the order of the page."""
    charts = [_ladder(made, tables), _cross(made, tables)]
    for chart in charts:
        chart.table.attrs[STAND_INS] = stand_in_note(made.manifest)
    return charts


def _words(made: Tournament, title: str, subtitle: str, method: str) -> Words:
    manifest = made.manifest
    played = f"{count(manifest['n_games'])} games in {count(made.n_lineups)} line-ups."
    caption = (
        f"{count(manifest['n_games'])} games of {manifest['title']} with {made.n_players} players in "
        f"{count(made.n_lineups)} line-ups; edition {manifest['edition']['name']}, seed {manifest['seed']}, "
        f"tafl {manifest['tafl_version']}. {method}. {stand_in_note(manifest)}"
    )
    return Words(title, subtitle, caption.replace(" %", f"{FIXED}%").strip(), f"{played} {method}.")


def _ladder(made: Tournament, tables: Mapping[str, pd.DataFrame]) -> Chart:
    rows = tables["strategies"].to_dict("records")
    texts = [rating_text(row) for row in rows]
    words = _words(
        made,
        _highest(rows),
        "Log-strength in the Plackett-Luce model with ties: one point more is 2.7 times the odds; the average is 0",
        f"Intervals: 95{FIXED}%, sandwich estimator from blocks",
    )
    said = [f"{row['strategy']} {text}" for row, text in zip(rows, texts, strict=True)]
    styles = theme.strategy_styles(made.names)
    table = ladder_table(tables["strategies"])
    draw = partial(ladder_figure, table, words, styles, texts)
    return Chart("ratings", HOW_STRONG, "Ratings", words, "", spoken(said), table, draw, "strategies")


def _highest(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the title of the ladder: who rates highest, and those whose intervals reach up to the highest's."""
    low = value(rows[0]["rating_low"])
    level = [str(row["strategy"]) for row in rows[1:] if low is None or (value(row["rating_high"]) or 0.0) >= low]
    if not level:
        return f"{rows[0]['strategy']} rates highest"
    return f"{listing([rows[0]['strategy'], *level])} rate highest; their intervals meet"


def _cross(made: Tournament, tables: Mapping[str, pd.DataFrame]) -> Chart:
    order = [str(name) for name in tables["strategies"]["strategy"]]
    fair = 1 / made.n_players
    table = cross_table(tables["cross"])
    known = table[table["win_share"].notna()]
    top = known.loc[known["win_share"].astype(float).idxmax()]
    two = made.n_players == 2
    what = "against the column's" if two else "in the line-ups that seat the column's too"
    words = _words(
        made,
        f"Most one-sided: {top['a']} {'against' if two else 'with'} {top['b']}, {percent(top['win_share'])} of games",
        f"Win share of the row's strategy, per copy, {what}, in percent; {round_percent(fair)} is fair",
        f"{say('method.shares')} (in the table)",
    )
    said = [
        f"{r['a']} with {r['b']} {share_with_interval(r['win_share'], r['win_share_low'], r['win_share_high'])}"
        for r in known.to_dict("records")
    ]
    draw = partial(cross_figure, table, words, order, fair)
    return Chart("cross_table", WHO, "Cross-table", words, "", spoken(said), table, draw, "cross")


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
