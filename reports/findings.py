"""Titles of charts: each states what its chart shows, and no more than the evidence supports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reports.numbers import (
    decimal,
    digits_for,
    half_width,
    listing,
    percent,
    round_percent,
    share_difference,
    share_digits,
    value,
)

if TYPE_CHECKING:
    import pandas as pd

Tables = Mapping[str, "pd.DataFrame"]
Run = Mapping[str, Any]

ERROR_RATE = 0.05
ENOUGH = 100
"""Games won, and games lost, before a title compares them."""
SAFETY = 1.8
"""Two means differ if they lie further apart than that many times both half-widths together: 3.5 standard errors at
least, so that the largest of a hundred differences is still real."""


def finding(chart: str, tables: Tables, manifest: Run) -> str:
    """Return the title of a chart: its finding, without a full stop.

    Parameters
    ----------
    chart : str
        ``win_share, breakdown, won_lost, scores, margins, places, pairs``; or a group of flags (``seat, gem, hero,
        distinction``) or of measures (``coins_by_round, ranks``).
    tables : mapping of str to pandas.DataFrame
        As `analysis.tables.tables` makes them.
    manifest : mapping
        Of the run.

    Raises
    ------
    KeyError
        If the game has no such chart.
    """
    if chart in _TITLES:
        return _TITLES[chart](tables, manifest)
    if (tables["flags_all"]["group"] == chart).any():
        return _flags(chart, tables, manifest)
    if (tables["measures"]["group"] == chart).any():
        return _measures(chart, tables)
    raise KeyError(chart)


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    return list(table.to_dict("records"))


def _ranked(tables: Tables) -> list[dict[str, Any]]:
    return sorted(_records(tables["summary"]), key=lambda row: -row["win_share"])


def _parts(tables: Tables) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Each component's title with its lines, one a strategy."""
    table = tables["components"]
    for component in dict.fromkeys(table["component"]):
        lines = _records(table[table["component"] == component])
        yield str(lines[0]["title"]), lines


def _win_share(tables: Tables, manifest: Run) -> str:
    ranked = _ranked(tables)
    top = ranked[0]
    fair = round_percent(top["fair_share"])
    if len(ranked) == 1:
        return f"{top['strategy']} sits in every seat: each copy wins {fair} by construction"
    half = half_width(top["win_share_low"], top["win_share_high"])
    if half is None:
        return "Too few blocks were played to say who wins"
    together = _not_apart(tables)
    leaders = [r for r in ranked if r is top or frozenset((r["strategy"], top["strategy"])) in together]
    digits = share_digits(top["win_share_low"], top["win_share_high"])
    if len(leaders) > 1:
        shares = [percent(leaders[i]["win_share"], digits) for i in (0, -1)]
        return f"{listing(r['strategy'] for r in leaders)} win most ({shares[0]} to {shares[1]}) and are not told apart"
    return f"{top['strategy']} wins most: {percent(top['win_share'], digits)} of its games, where {fair} is fair"


def _not_apart(tables: Tables) -> set[frozenset[str]]:
    return {frozenset((r["a"], r["b"])) for r in _records(tables["pairs"]) if not r["distinguishable"]}


def _apart(high: Mapping[str, Any], low: Mapping[str, Any]) -> bool:
    """Whether two means differ beyond doubt, however they depend on each other and though they are the most extreme."""
    halves = half_width(high["low"], high["high"]), half_width(low["low"], low["high"])
    if halves[0] is None or halves[1] is None:
        return False
    return bool(high["mean"] - low["mean"] > SAFETY * (halves[0] + halves[1]))


def _extremes(lines: list[dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    ordered = sorted((line for line in lines if value(line["mean"]) is not None), key=lambda line: -line["mean"])
    return ordered[0], ordered[-1]


def _mean(line: Mapping[str, Any]) -> str:
    return decimal(line["mean"], digits_for(half_width(line["low"], line["high"]), most=1))


def _breakdown(tables: Tables, manifest: Run) -> str:
    found = [(title, *_extremes(lines)) for title, lines in _parts(tables)]
    if len(tables["summary"]) == 1:
        title, line, _ = max(found, key=lambda part: part[1]["mean"])
        score = decimal(tables["summary"]["score_mean"].iloc[0])
        return f"{line['strategy']} makes most points with {title}: {_mean(line)} of {score}"
    found = [part for part in found if _apart(part[1], part[2])]
    if not found:
        return "No part of the score is shown to differ between the strategies"
    title, high, low = max(found, key=lambda part: part[1]["mean"] - part[2]["mean"])
    return (
        f"Scores differ most in {title}: {high['strategy']} makes {_mean(high)} points, {low['strategy']} {_mean(low)}"
    )


def _seen_both(tables: Tables) -> set[str]:
    """Strategies that won and lost often enough for means of either to be compared."""
    return {
        row["strategy"]
        for row in _records(tables["summary"])
        if min(row["win_share"], 1 - row["win_share"]) * row["copies"] * row["n_games"] >= ENOUGH
    }


def _won_lost(tables: Tables, manifest: Run) -> str:
    enough = _seen_both(tables)
    gaps = [
        (float(line["mean_won"]) - float(line["mean_lost"]), title, line["strategy"])
        for title, lines in _parts(tables)
        for line in lines
        if line["strategy"] in enough and value(line["mean_won"]) is not None and value(line["mean_lost"]) is not None
    ]
    if not gaps:
        return "No strategy both won and lost often enough to compare its games"
    gap, title, strategy = max(gaps, key=lambda entry: abs(entry[0]))
    more = "more" if gap > 0 else "fewer"
    return (
        f"Won and lost games differ most in {title}: {strategy} makes {decimal(abs(gap))} points {more} where it wins"
    )


def _quantile(lines: list[dict[str, Any]], column: str, share: float) -> int:
    """Lowest value at or below which at least `share` of the games lie."""
    total, seen = sum(int(line["n"]) for line in lines), 0
    for line in lines:
        seen += int(line["n"])
        if seen >= share * total:
            return int(line[column])
    return int(lines[-1][column])


def _scores(tables: Tables, manifest: Run) -> str:
    top = max(_records(tables["summary"]), key=lambda row: row["score_mean"])
    name, table = top["strategy"], tables["scores"]
    lines = _records(table[table["strategy"] == name])
    text = f"{name} scores {decimal(top['score_mean'])} points on average"
    if not lines:
        return text
    low, high = (_quantile(lines, "score", share) for share in (0.05, 0.95))
    return f"{text}; nine games in ten lie between {decimal(low, 0)} and {decimal(high, 0)}"


def _margins(tables: Tables, manifest: Run) -> str:
    top = _ranked(tables)[0]
    margin = value(top["margin_mean"])
    if margin is None:
        return "How far ahead of the best rival the strategies finish"
    side = "ahead of" if margin > 0 else "behind"
    return f"{top['strategy']} finishes {decimal(abs(margin))} points {side} its best rival on average"


def _places(tables: Tables, manifest: Run) -> str:
    table = tables["places"]
    first = _records(table[table["place"] == 1])
    if not first:
        return "Which place the strategies take"
    best = max(first, key=lambda line: line["share"])
    return f"{best['strategy']} comes first, alone or tied, in {percent(best['share'])} of its games"


def _pairs(tables: Tables, manifest: Run) -> str:
    rows = _records(tables["pairs"])
    if not rows:
        return "One strategy sits in every seat: there is no pair to compare"
    together = [row for row in rows if not row["distinguishable"]]
    if not together:
        return "The two strategies are told apart" if len(rows) == 1 else f"All {len(rows)} pairs are told apart"
    if len(together) == len(rows) > 1:
        return f"Not one of the {len(rows)} pairs is told apart"
    if len(together) == 1:
        return f"{together[0]['a']} and {together[0]['b']} are not told apart" + (
            f"; the other {len(rows) - 1} pairs are" if len(rows) > 2 else ""
        )
    return f"{len(together)} of {len(rows)} pairs are not told apart"


def _clear(row: Mapping[str, Any]) -> bool:
    """Whether a flag's difference holds beyond chance, all flags of its group together."""
    p = value(row.get("p_holm"))
    return p is not None and p < ERROR_RATE and value(row["difference"]) is not None


def _gap(row: Mapping[str, Any]) -> str:
    digits = share_digits(row["difference_low"], row["difference_high"])
    return share_difference(abs(float(row["difference"])), min(digits, 2), False)


def _flags(group: str, tables: Tables, manifest: Run) -> str:
    table = tables["flags_all"]
    rows = _records(table[table["group"] == group])
    known = [row for row in rows if value(row["win_share_with"]) is not None]
    if not known:
        return f"No player had any {group}"
    clear = [row for row in known if _clear(row)]
    if group == "seat" and manifest.get("seating") == "fixed" and len(tables["summary"]) > 1:
        return "Seats were fixed: what the seat does and what the strategy does cannot be told apart"
    shares = [float(row["win_share_with"]) for row in known]
    if not clear:
        if all(value(row["difference_low"]) is None for row in known):
            return f"Too few blocks were played to say what a {group} goes with"
        if group in ("seat", "gem"):  # everybody has one: the range says it all
            ends = f"{percent(min(shares))} and {percent(max(shares))}"
            noun = "seat" if group == "seat" else "starting gem"
            return f"No effect of the {noun} is seen: win shares lie between {ends}"
        return f"No {group} is shown to go with a higher or lower win share"
    row = max(clear, key=lambda entry: abs(float(entry["difference"])))
    more = "more" if float(row["difference"]) > 0 else "less"
    title = str(row["title"])
    title = title[:1].upper() + title[1:]
    digits = min(2, share_digits(row["with_low"], row["with_high"]))
    return f"{title} goes with a win share of {percent(row['win_share_with'], digits)}, {_gap(row)} {more} than without"


def _measures(group: str, tables: Tables) -> str:
    table = tables["measures"]
    table = table[table["group"] == group]
    names = list(dict.fromkeys(table["measure"]))
    found = [(name, *_extremes(_records(table[table["measure"] == name]))) for name in names]
    if group.endswith("_by_round"):  # where it ends up
        found = found[-1:]
    apart = [entry for entry in found if _apart(entry[1], entry[2])]
    if len(tables["summary"]) == 1:
        _, line, _ = found[-1]
        return f"{line['strategy']}, {line['title']}: {_mean(line)} on average"
    if not apart:
        return f"{str(found[-1][1]['title']).capitalize()}: no difference between the strategies is shown"
    _, high, low = max(apart, key=lambda entry: entry[1]["mean"] - entry[2]["mean"])
    title = str(high["title"])
    return (
        f"{title[:1].upper() + title[1:]}: {high['strategy']} has most, {_mean(high)}, "
        f"{low['strategy']} fewest, {_mean(low)}"
    )


_TITLES: dict[str, Callable[[Tables, Run], str]] = {
    "win_share": _win_share,
    "breakdown": _breakdown,
    "won_lost": _won_lost,
    "scores": _scores,
    "margins": _margins,
    "places": _places,
    "pairs": _pairs,
}
