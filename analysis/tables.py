"""A run's result as tidy pandas tables, and as CSV files.

Every number is about one copy of a strategy in the run's line-up, edition and player count. Shares lie between 0 and 1.
``low`` and ``high`` are the ends of 95 % intervals from blocks (`analysis.intervals`); those of a run that is not
complete, or that a stopping rule watched, are valid however often one looks (`analysis.sequential`). ``se`` is a
standard error (how sure the mean is), ``sd`` a standard deviation (how far single games lie apart). What cannot be
determined is missing (``pd.NA``, an empty cell); the column ``note`` says why. `COLUMNS` describes the columns of every
table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import flags, outcomes, paired
from analysis.intervals import LEVEL, Interval, mean_interval, spread
from analysis.sequential import looking_at
from analysis.shares import win_share
from simcore.contract import WIN_UNITS, TaflError

TEXT, WHOLE, REAL, YES_NO = "string", "Int64", "Float64", "boolean"

_STRATEGY = ("strategy", TEXT, "name of the entrant; `all` where all entrants are taken together")
_INTERVAL_NOTE = "empty, or why an interval is missing or a number certain"


def _by_outcome(name: str, unit: str = "") -> list[tuple[str, str, str]]:
    """Columns of a mean over won games and of that over lost games (`analysis.outcomes`)."""
    columns = []
    for end, weight in (("won", "the win share (1, 1/2 for a shared win, 0)"), ("lost", "1 - the win share")):
        columns += [
            (f"{name}_{end}", REAL, f"{unit}mean over games weighted by {weight}"),
            (f"{name}_{end}_se", REAL, "its standard error, from blocks"),
            (f"{name}_{end}_low", REAL, ""),
            (f"{name}_{end}_high", REAL, ""),
        ]
    return columns


COLUMNS: dict[str, list[tuple[str, str, str]]] = {
    "summary": [
        _STRATEGY,
        ("copies", WHOLE, "seats that the strategy holds in each game; all numbers are per copy"),
        ("n_games", WHOLE, "games played (each copy played all of them)"),
        ("n_blocks", WHOLE, "blocks: the independent units of evidence"),
        ("win_share", REAL, "won games per copy and game; a win shared by k players counts 1/k each"),
        ("win_share_se", REAL, "its standard error, from blocks"),
        ("win_share_low", REAL, "its interval, lower end"),
        ("win_share_high", REAL, "its interval, upper end"),
        ("fair_share", REAL, "1 / players at the table"),
        ("score_mean", REAL, "points"),
        ("score_se", REAL, "points; standard error of the mean, from blocks"),
        ("score_low", REAL, "points"),
        ("score_high", REAL, "points"),
        ("score_sd", REAL, "points; standard deviation between single games"),
        *_by_outcome("score", "points; "),
        ("margin_mean", REAL, "points ahead of the best rival (below 0: behind)"),
        ("margin_se", REAL, "points"),
        ("margin_low", REAL, "points"),
        ("margin_high", REAL, "points"),
        ("note", TEXT, "about the win share: " + _INTERVAL_NOTE),
    ],
    "components": [
        _STRATEGY,
        ("component", TEXT, "identifier; the components of a strategy add up to its score"),
        ("title", TEXT, "what a reader sees"),
        ("mean", REAL, "points per game"),
        ("se", REAL, "points"),
        ("low", REAL, "points"),
        ("high", REAL, "points"),
        *_by_outcome("mean", "points; "),
        ("note", TEXT, _INTERVAL_NOTE),
    ],
    "measures": [
        _STRATEGY,
        ("measure", TEXT, "identifier"),
        ("group", TEXT, "measures shown together"),
        ("title", TEXT, "what a reader sees"),
        ("unit", TEXT, "of mean, se, low, high and sd"),
        ("mean", REAL, "per game"),
        ("se", REAL, "standard error of the mean, from blocks"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        ("sd", REAL, "standard deviation between single games"),
        *_by_outcome("mean"),
        ("note", TEXT, _INTERVAL_NOTE),
    ],
    "flags": [
        _STRATEGY,
        ("group", TEXT, "flags shown together: hero, distinction, gem, seat"),
        ("flag", TEXT, "identifier"),
        ("title", TEXT, "what a reader sees"),
        ("n", WHOLE, "seat-games with the flag (a seat-game is one copy in one game)"),
        ("rate", REAL, "share of seat-games with the flag"),
        ("rate_low", REAL, ""),
        ("rate_high", REAL, ""),
        ("win_share_with", REAL, "win share in seat-games with the flag"),
        ("with_low", REAL, ""),
        ("with_high", REAL, ""),
        ("win_share_without", REAL, "win share in seat-games without it"),
        ("difference", REAL, "with minus without; what goes together, not what causes what"),
        ("difference_low", REAL, ""),
        ("difference_high", REAL, ""),
        ("p", REAL, "two-sided p value of no difference"),
        ("p_holm", REAL, "the same, adjusted for the flags of the group (Holm)"),
        ("score_with", REAL, "points; mean score with the flag"),
        ("score_without", REAL, "points; mean score without it"),
        ("note", TEXT, "about the difference: " + _INTERVAL_NOTE),
    ],
    "scores": [
        _STRATEGY,
        ("score", WHOLE, "points; the lowest and the highest row also hold what lies beyond"),
        ("n", WHOLE, "seat-games"),
        ("share", REAL, "of the strategy's seat-games"),
        ("n_won", REAL, "won games among them; shared wins count 1/k"),
    ],
    "margins": [
        _STRATEGY,
        ("margin", WHOLE, "points ahead of the best rival; the lowest and highest row also hold what lies beyond"),
        ("n", WHOLE, "seat-games"),
        ("share", REAL, "of the strategy's seat-games"),
    ],
    "places": [
        _STRATEGY,
        ("place", WHOLE, "1 is first; players who tie share the better place"),
        ("n", WHOLE, "seat-games"),
        ("share", REAL, "of the strategy's seat-games"),
    ],
    "pairs": [
        ("a", TEXT, "first strategy"),
        ("b", TEXT, "second strategy"),
        ("win_share_difference", REAL, "a minus b, per copy, paired within blocks"),
        ("se", REAL, "its standard error"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        ("p", REAL, "two-sided p value of equal win shares"),
        ("p_holm", REAL, "the same, adjusted for all pairs of the line-up (Holm)"),
        ("distinguishable", YES_NO, "p_holm below 0.05"),
        ("blocks_to_settle", WHOLE, "blocks that would tell them apart, 4 times in 5, if the difference is as seen"),
        ("score_difference", REAL, "points; a minus b, paired within blocks"),
        ("score_difference_low", REAL, "points"),
        ("score_difference_high", REAL, "points"),
        ("note", TEXT, "about the win share difference: " + _INTERVAL_NOTE),
    ],
    "claims": [
        ("winner", TEXT, "the strategy with the largest win share of the run that is confirmed"),
        ("rival", TEXT, "the strategy it is said to be ahead of; empty: it is said to win more than its fair share"),
        ("first_lead", REAL, "lead in win share, per copy, in the run that is confirmed"),
        ("first_low", REAL, ""),
        ("first_high", REAL, ""),
        ("fresh_lead", REAL, "lead on fresh luck, of which nothing was picked"),
        ("fresh_low", REAL, ""),
        ("fresh_high", REAL, ""),
        ("p_holm", REAL, "one-sided p value of no lead on fresh luck, adjusted for all claims (Holm)"),
        ("outcome", TEXT, "holds, not confirmed, or reversed"),
    ],
    "run_settings": [
        ("setting", TEXT, "what decides the results and is not the same in all of the runs"),
        ("run", TEXT, "name of the run: its folder"),
        ("value", TEXT, "what it is in this run"),
    ],
    "run_estimates": [
        ("run", TEXT, "name of the run: its folder"),
        _STRATEGY,
        ("measure", TEXT, "identifier"),
        ("title", TEXT, "what a reader sees"),
        ("unit", TEXT, "of estimate, se, low and high; share: between -1 and 1"),
        ("estimate", REAL, "mean per copy and game; the win share less the fair share"),
        ("se", REAL, "its standard error, from blocks"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        ("n_players", WHOLE, "players at the table"),
        ("n_games", WHOLE, "games played"),
        ("n_blocks", WHOLE, "blocks: the independent units of evidence"),
        ("note", TEXT, _INTERVAL_NOTE),
    ],
    "run_differences": [
        _STRATEGY,
        ("measure", TEXT, "identifier"),
        ("title", TEXT, "what a reader sees"),
        ("unit", TEXT, "of difference, se, low and high; share: between -1 and 1"),
        ("run", TEXT, "name of the run: its folder"),
        ("against", TEXT, "the first run that has the strategy; differences are the run minus this one"),
        ("luck", TEXT, "paired (block by block), independent, shared luck (taken as independent) or anytime-valid"),
        ("estimate", REAL, "the difference"),
        ("se", REAL, "its standard error"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        ("p", REAL, "two-sided p value of no difference"),
        ("p_holm", REAL, "the same, adjusted for all differences of the table (Holm)"),
        ("distinguishable", YES_NO, "p_holm below 0.05"),
        ("note", TEXT, _INTERVAL_NOTE),
    ],
}
COLUMNS["flags_all"] = COLUMNS["flags"]
"""Table -> its columns: name, pandas dtype, meaning and unit."""


def tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return all tables of a run.

    Parameters
    ----------
    result : simcore.store.RunResult
        Complete or not: what was played so far is what the tables speak of.

    Returns
    -------
    dict of str to pandas.DataFrame
        ``summary, components, measures, flags, flags_all, scores, margins, places, pairs``; columns as in `COLUMNS`.

    Raises
    ------
    TaflError
        If the run holds no finished block.
    """
    if int(result.n_blocks) < 1:
        raise TaflError("the run holds no finished block yet: resume it first.")
    makers: dict[str, Callable[[Any], list[dict[str, Any]]]] = {
        "summary": _summary,
        "components": _components,
        "measures": _measures,
        "flags": flags.by_entrant,
        "flags_all": flags.all_together,
        "scores": lambda run: _histogram(run, "score", "score", True),
        "margins": lambda run: _histogram(run, "margin", "margin"),
        "places": lambda run: _histogram(run, "place", "place"),
        "pairs": _pairs,
    }
    found = {name: frame(name, maker(result)) for name, maker in makers.items()}
    for table in found.values():
        table.attrs[STAND_INS] = stand_in_note(result.manifest)
    return found


STAND_INS = "stand_ins"
"""Key of a table's ``attrs``: the line that says what share of the edition's rows is sourced, empty if all are."""


def stand_in_note(manifest: Mapping[str, Any]) -> str:
    """Return the line that every file built on stand-in cards begins with; empty if every row is sourced."""
    edition = manifest["edition"]
    provenance = edition.get("provenance", {})
    has_stand_ins = int(provenance.get("assumed", 0)) or int(provenance.get("inferred", 0))
    return str(edition.get("sentence", "")) if has_stand_ins else ""


def csv_text(table: pd.DataFrame) -> str:
    """Return a table as CSV: ten significant digits, an empty cell where nothing is determined.

    If it rests on stand-in cards, a first line says so: ``pandas.read_csv(path, comment="#")`` passes over it.
    """
    note = table.attrs.get(STAND_INS, "")
    head = f"# {note}\n" if note else ""
    return head + str(table.to_csv(index=False, float_format="%.10g", lineterminator="\n", na_rep=""))


def frame(
    name: str, rows: list[dict[str, Any]], columns: Mapping[str, list[tuple[str, str, str]]] | None = None
) -> pd.DataFrame:
    """Return the rows of a table with the documented columns and dtypes; None becomes ``pd.NA``.

    `columns` documents other tables than a run's, in the form of `COLUMNS`.
    """
    described = (COLUMNS if columns is None else columns)[name]
    return pd.DataFrame(
        {column: pd.array([row[column] for row in rows], dtype=dtype) for column, dtype, _ in described}
    )


def _named(interval: Interval, estimate: str, se: str, low: str, high: str) -> dict[str, Any]:
    return {estimate: interval.estimate, se: interval.se, low: interval.low, high: interval.high}


def _measure(result: Any, entrant: int, measure: int) -> tuple[Interval, float | None]:
    """Interval of a measure's mean, and its spread between games."""
    n_blocks, sums = int(result.n_blocks), result.sums
    per_block = int(result.games_per_block) * int(result.copies[entrant])
    total = int(sums["total"][entrant, measure])
    mean = mean_interval(
        total, int(sums["block_square"][entrant, measure]), n_blocks, per_block, LEVEL, looking_at(result)
    )
    return mean, spread(total, int(sums["game_square"][entrant, measure]), n_blocks * per_block)


def _summary(result: Any) -> list[dict[str, Any]]:
    rows = []
    names = [column.name for column in result.layout.measures]
    for entrant, name in enumerate(result.names):
        share = win_share(result, entrant)
        score, score_sd = _measure(result, entrant, result.layout.score)
        margin = _measure(result, entrant, names.index("margin"))[0] if "margin" in names else Interval(None)
        rows.append(
            {
                "strategy": name,
                "copies": int(result.copies[entrant]),
                "n_games": int(result.n_games),
                "n_blocks": int(result.n_blocks),
                **_named(share, "win_share", "win_share_se", "win_share_low", "win_share_high"),
                "fair_share": 1 / int(result.n_seats),
                **_named(score, "score_mean", "score_se", "score_low", "score_high"),
                "score_sd": score_sd,
                **outcomes.by_outcome(result, entrant, result.layout.score, "score"),
                **_named(margin, "margin_mean", "margin_se", "margin_low", "margin_high"),
                "note": share.note,
            }
        )
    return rows


def _components(result: Any) -> list[dict[str, Any]]:
    rows = []
    for entrant, name in enumerate(result.names):
        for number, column in enumerate(result.layout.measures):
            if column.kind != "component":
                continue
            interval, _ = _measure(result, entrant, number)
            rows.append(
                {
                    "strategy": name,
                    "component": column.name,
                    "title": column.title,
                    **_named(interval, "mean", "se", "low", "high"),
                    **outcomes.by_outcome(result, entrant, number),
                    "note": interval.note,
                }
            )
    return rows


def _measures(result: Any) -> list[dict[str, Any]]:
    rows = []
    for entrant, name in enumerate(result.names):
        for number, column in enumerate(result.layout.measures):
            if column.kind != "measure":
                continue
            interval, sd = _measure(result, entrant, number)
            rows.append(
                {
                    "strategy": name,
                    "measure": column.name,
                    "group": column.group,
                    "title": column.title,
                    "unit": column.unit,
                    **_named(interval, "mean", "se", "low", "high"),
                    "sd": sd,
                    **outcomes.by_outcome(result, entrant, number),
                    "note": interval.note,
                }
            )
    return rows


def _histogram(result: Any, column_name: str, value_name: str, won: bool = False) -> list[dict[str, Any]]:
    """Rows from the lowest to the highest value that any entrant had."""
    names = [column.name for column in result.layout.histograms]
    if column_name not in names:
        return []
    number = names.index(column_name)
    column = result.layout.histograms[number]
    counts = result.sums["hist_n"][:, number, : column.high - column.low + 1]
    used = counts.sum(axis=0).nonzero()[0]
    rows = []
    for entrant, name in enumerate(result.names):
        n_seat_games = int(result.n_games) * int(result.copies[entrant])
        for place in range(int(used[0]), int(used[-1]) + 1) if used.size else ():
            n = int(counts[entrant, place])
            row = {"strategy": name, value_name: column.low + place, "n": n, "share": n / n_seat_games}
            if won:
                row["n_won"] = int(result.sums["hist_won"][entrant, number, place]) / WIN_UNITS
            rows.append(row)
    return rows


def _pairs(result: Any) -> list[dict[str, Any]]:
    return [
        {
            "a": pair.a,
            "b": pair.b,
            **_named(pair.win_share, "win_share_difference", "se", "low", "high"),
            "p": pair.p,
            "p_holm": pair.p_holm,
            "distinguishable": pair.distinguishable,
            "blocks_to_settle": pair.blocks_to_settle,
            "score_difference": pair.score.estimate,
            "score_difference_low": pair.score.low,
            "score_difference_high": pair.score.high,
            "note": pair.win_share.note,
        }
        for pair in paired.pairs(result)
    ]


# --- files ---


def write_csvs(
    named: Mapping[str, pd.DataFrame],
    folder: Path | str,
    columns: Mapping[str, list[tuple[str, str, str]]] | None = None,
    about: str | None = None,
) -> list[Path]:
    """Write one CSV file a table, and ``columns.md`` that describes them; the same tables give the same bytes.

    Parameters
    ----------
    named : mapping of str to pandas.DataFrame
        As `tables` returns them.
    folder : path
        Made if it is not there.
    columns, about : optional
        See `describe`.

    Returns
    -------
    list of pathlib.Path
        The files written, as `csv_text` writes them.

    Raises
    ------
    TaflError
        If a file cannot be written.
    """
    target = Path(folder)
    texts = {f"{name}.csv": csv_text(table) for name, table in named.items()}
    texts["columns.md"] = describe(named, columns, about)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (target / name).write_bytes(text.encode("utf-8"))
    except OSError as error:
        raise TaflError(f"cannot write the tables to '{target}': {error.strerror or error}.") from error
    return [target / name for name in texts]


def describe(
    named: Mapping[str, pd.DataFrame],
    columns: Mapping[str, list[tuple[str, str, str]]] | None = None,
    about: str | None = None,
) -> str:
    """Return what every column means, as Markdown.

    Parameters
    ----------
    named : mapping of str to pandas.DataFrame
        The tables; only their names are used.
    columns : mapping, optional
        What documents them; `COLUMNS` by default.
    about : str, optional
        The docstring of the module that makes them, whose second paragraph stands above; this one's by default.
    """
    about = __doc__ if about is None else about
    columns = COLUMNS if columns is None else columns
    assert about is not None
    lines = ["# The columns of these tables", "", about.split("\n\n")[1].replace("``", "`").split(" `COLUMNS`")[0]]
    for name in named:
        lines += ["", f"## {name}.csv", "", "| column | type | meaning |", "| --- | --- | --- |"]
        lines += [f"| {column} | {dtype} | {meaning} |" for column, dtype, meaning in columns.get(name, [])]
    return "\n".join(lines) + "\n"
