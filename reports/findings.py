"""Titles of charts: each states what its chart shows, and no more than the evidence supports.

They name what is played and what is dealt, whose effect the run shows. How the win share differs with a hero and the
like goes together with much else: titles do not name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from analysis.intervals import SAME
from reports.captions import gap, named
from reports.language import capital, catalogue, say, thing
from reports.numbers import (
    count,
    decimal,
    digits_for,
    half_width,
    listing,
    percent,
    plus_minus,
    round_percent,
    share_digits,
    value,
)

if TYPE_CHECKING:
    import pandas as pd

Tables = Mapping[str, "pd.DataFrame"]
Run = Mapping[str, Any]

ERROR_RATE = 0.05
CLOSE = 5
"""Points between the winner and the next within which a game is close."""
MOST_NAMED = 4
"""Strategies that a title names one by one."""
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
        ``win_share, fair_difference, convergence, breakdown, breakdown_difference, won_lost, scores, margins,
        close_games, places, pairs``; or a group of flags (``seat, gem, hero, distinction``) or of measures
        (``coins_by_round, ranks``), or a measure (``n_brothers``).
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
    for column in ("group", "measure"):
        rows = tables["measures"][tables["measures"][column] == chart]
        if len(rows):
            return measures_finding(rows, len(tables["summary"]) == 1, chart.endswith("_by_round"))
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
        yield thing(lines[0]["title"]), lines


def is_dealt(tables: Tables, group: str) -> bool:
    """Return whether a group's flags were dealt out rather than earned: to every strategy exactly as often.

    True for seats, starting gems and the start player: the difference they make is then their effect. False for heroes
    and the like, which a player also gets by playing well.
    """
    together = tables["flags_all"][tables["flags_all"]["group"] == group]
    rates = [found for rate in together["rate"] if (found := value(rate)) is not None]
    if not rates or together["n"].nunique() > 1:
        return False
    if len(rates) > 1:
        return abs(sum(rates) - 1) < 1e-6
    n_seats = 1 / rates[0] if rates[0] > 0 else 0.5
    each = [float(rate) for rate in tables["flags"].loc[tables["flags"]["group"] == group, "rate"]]
    return n_seats > 1 and abs(n_seats - round(n_seats)) < 1e-6 and max(each) - min(each) < 1e-9


def _win_share(tables: Tables, manifest: Run) -> str:
    ranked = _ranked(tables)
    top = ranked[0]
    fair = round_percent(top["fair_share"])
    if len(ranked) == 1:
        return say("title.by_construction", strategy=top["strategy"], share=fair)
    half = half_width(top["win_share_low"], top["win_share_high"])
    if half is None:
        return say("title.too_few_blocks")
    together = _not_apart(tables)
    leaders = [r for r in ranked if r is top or frozenset((r["strategy"], top["strategy"])) in together]
    digits = share_digits(top["win_share_low"], top["win_share_high"])
    if len(leaders) > 1:
        low, high = (percent(leaders[i]["win_share"], digits) for i in (-1, 0))
        names = listing(r["strategy"] for r in leaders) if len(leaders) <= MOST_NAMED else None
        if names is None:
            return say("title.many_lead", n=len(leaders), low=low, high=high)
        return say("title.shared_lead", strategies=names, low=low, high=high)
    return say("title.win_most", strategy=top["strategy"], share=percent(top["win_share"], digits), fair=fair)


def _fair_difference(tables: Tables, manifest: Run) -> str:
    ranked = _ranked(tables)
    top = ranked[0]
    if len(ranked) == 1:
        return _win_share(tables, manifest)
    if half_width(top["win_share_low"], top["win_share_high"]) is None:
        return say("title.too_few_blocks")
    apart = [r for r in ranked if not r["win_share_low"] <= r["fair_share"] <= r["win_share_high"]]
    if not apart:
        return say("title.all_fair")
    row = max(apart, key=lambda r: r["win_share"] - r["fair_share"])
    off = {f"difference{end}": row[f"win_share{end}"] - row["fair_share"] for end in ("", "_low", "_high")}
    key = "title.more_than_fair" if off["difference"] > 0 else "title.less_than_fair"
    return say(key, strategy=row["strategy"], points=gap(off))


def _convergence(tables: Tables, manifest: Run) -> str:
    row = max(_ranked(tables), key=lambda r: half_width(r["win_share_low"], r["win_share_high"]) or 0.0)
    half = half_width(row["win_share_low"], row["win_share_high"])
    if not half:
        return say("title.too_few_blocks")
    text = say("number.percentage_points", number=f"±\u00a0{decimal(100 * half, min(2, digits_for(100 * half)))}")
    return say("title.convergence", games=count(row["n_games"]), points=text)


def _not_apart(tables: Tables) -> set[frozenset[str]]:
    return {frozenset((r["a"], r["b"])) for r in _records(tables["pairs"]) if not r["distinguishable"]}


def is_apart(high: Mapping[str, Any], low: Mapping[str, Any]) -> bool:
    """Whether two means differ beyond doubt, however they depend on each other and though they are the most extreme."""
    halves = [0.0 if row.get("note") == SAME else half_width(row["low"], row["high"]) for row in (high, low)]
    if halves[0] is None or halves[1] is None or not any(halves):
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
        return say("title.most_points", strategy=line["strategy"], thing=title, points=_mean(line), score=score)
    found = [part for part in found if is_apart(part[1], part[2])]
    if not found:
        return say("title.no_part_differs")
    title, high, low = max(found, key=lambda part: part[1]["mean"] - part[2]["mean"])
    names = {"strategy": high["strategy"], "points": _mean(high), "other": low["strategy"], "fewer": _mean(low)}
    return say("title.part_differs", thing=title, **names)


def _against_field(tables: Tables, manifest: Run) -> str:
    """Where the winner makes more than the field, beyond doubt."""
    top = str(_ranked(tables)[0]["strategy"])
    weight = {r["strategy"]: float(r["copies"]) for r in _ranked(tables)}
    total = sum(weight.values())
    gains = []
    for title, lines in _parts(tables):
        halves = {str(r["strategy"]): h for r in lines if (h := half_width(r["low"], r["high"])) is not None}
        if len(halves) < len(lines):
            continue
        mine = next(line for line in lines if line["strategy"] == top)
        field = sum(weight[line["strategy"]] * float(line["mean"]) for line in lines) / total
        bound = halves[top] * (1 - 2 * weight[top] / total) + sum(weight[n] * h for n, h in halves.items()) / total
        if abs(mine["mean"] - field) > bound:
            gains.append((float(mine["mean"]) - field, title))
    best = max(gains, default=(0.0, ""))
    if best[0] <= 0:
        return say("title.field_alike", strategy=top)
    return say("title.field", strategy=top, thing=best[1], points=decimal(best[0]))


def _seen_both(tables: Tables) -> set[str]:
    """Strategies that won and lost often enough for means of either to be compared."""
    return {
        row["strategy"]
        for row in _records(tables["summary"])
        if min(row["win_share"], 1 - row["win_share"]) * row["copies"] * row["n_games"] >= ENOUGH
    }


def _won_lost(tables: Tables, manifest: Run) -> str:
    """The part that differs most between won and lost games, among those that differ beyond doubt."""
    enough = _seen_both(tables)
    seen = [
        (title, line["strategy"], *(_outcome(line, outcome) for outcome in ("won", "lost")))
        for title, lines in _parts(tables)
        for line in lines
        if line["strategy"] in enough and value(line["mean_won"]) is not None and value(line["mean_lost"]) is not None
    ]
    if not seen:
        return say("title.not_both")
    apart = [found for found in seen if is_apart(found[2], found[3]) or is_apart(found[3], found[2])]
    if not apart:
        return say("title.outcomes_alike")
    title, strategy, won, lost = max(apart, key=lambda found: abs(found[2]["mean"] - found[3]["mean"]))
    off = won["mean"] - lost["mean"]
    key = "title.won_more" if off > 0 else "title.won_fewer"
    return say(key, thing=title, strategy=strategy, points=decimal(abs(off)))


def _outcome(line: Mapping[str, Any], outcome: str) -> dict[str, Any]:
    """A line's mean over won or over lost games, as a line of its own."""
    name = f"mean_{outcome}"
    return {"mean": line[name], "low": line[f"{name}_low"], "high": line[f"{name}_high"]}


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
    mean = decimal(top["score_mean"])
    if not lines:
        return say("title.score", strategy=name, points=mean)
    low, high = (decimal(_quantile(lines, "score", share), 0) for share in (0.05, 0.95))
    return say("title.scores", strategy=name, points=mean, low=low, high=high)


def _margins(tables: Tables, manifest: Run) -> str:
    top = _ranked(tables)[0]
    margin = value(top["margin_mean"])
    if margin is None:
        return say("title.margins")
    key = "title.ahead" if margin > 0 else "title.behind"
    text = plus_minus(margin, top["margin_low"], top["margin_high"])
    return say(key, strategy=top["strategy"], points=text)


def _close_games(tables: Tables, manifest: Run) -> str:
    """The share of games that the winner won by a few points: each such game is one seat's."""
    rows = [r for r in _records(tables["margins"]) if 0 < r["margin"] <= CLOSE]
    n_games = int(tables["summary"]["n_games"].iloc[0])
    if not len(tables["margins"]):
        return say("title.margins")
    return say("title.close_games", share=percent(sum(int(r["n"]) for r in rows) / n_games), n=CLOSE)


def _places(tables: Tables, manifest: Run) -> str:
    table = tables["places"]
    first = _records(table[table["place"] == 1])
    if not first:
        return say("title.places")
    best = max(first, key=lambda line: line["share"])
    return say("title.first", strategy=best["strategy"], share=percent(best["share"]))


def _pairs(tables: Tables, manifest: Run) -> str:
    rows = _records(tables["pairs"])
    if not rows:
        return say("title.no_pair")
    together = [row for row in rows if not row["distinguishable"]]
    if not together:
        return say("title.pair_apart") if len(rows) == 1 else say("title.all_pairs_apart", n=len(rows))
    if len(together) == len(rows) > 1:
        return say("title.no_pair_apart", n=len(rows))
    if len(together) == 1:
        names = {"a": together[0]["a"], "b": together[0]["b"]}
        if len(rows) <= 2:
            return say("title.one_pair", **names)
        return say("title.one_pair_of", n=len(rows) - 1, **names)
    return say("title.pairs", n=len(together), all=len(rows))


def _clear(row: Mapping[str, Any]) -> bool:
    """Whether a flag's difference holds beyond chance, all flags of its group together."""
    p = value(row.get("p_holm"))
    return p is not None and p < ERROR_RATE and value(row["difference"]) is not None


def _flags(group: str, tables: Tables, manifest: Run) -> str:
    table = tables["flags_all"]
    rows = _records(table[table["group"] == group])
    if not is_dealt(tables, group):
        return rate_finding(table[table["group"] == group])
    if group == "seat" and manifest.get("seating") == "fixed" and len(tables["summary"]) > 1:
        return say("title.seats_fixed")
    known = [row for row in rows if value(row["win_share_with"]) is not None]
    clear = [row for row in known if _clear(row)]
    if all(value(row["difference_low"]) is None for row in known):
        return say("title.too_few_blocks")
    if not clear:
        shares = [float(row["win_share_with"]) for row in known]
        ends = {"low": percent(min(shares)), "high": percent(max(shares))}
        name = f"title.no_effect_{group}"
        return say(name if name in catalogue().phrases else "title.no_effect", **ends)
    row = max(clear, key=lambda entry: abs(float(entry["difference"])))
    key = "title.effect_more" if float(row["difference"]) > 0 else "title.effect_less"
    digits = min(2, share_digits(row["with_low"], row["with_high"]))
    return say(key, thing=named(row), share=percent(row["win_share_with"], digits), points=gap(row))


def rate_finding(table: pd.DataFrame) -> str:
    """Return the finding of a chart of rates: the highest of them."""
    rows = [row for row in _records(table) if value(row["rate"]) is not None]
    if not rows or max(row["rate"] for row in rows) == 0:
        return say("title.never_had")
    top = max(rows, key=lambda row: row["rate"])
    share = percent(top["rate"])
    low = value(top["rate_low"])
    level = [row for row in rows if row is not top and low is not None and (value(row["rate_high"]) or 0.0) >= low]
    if level:
        return say("title.rate_level", things=listing(dict.fromkeys(named(row) for row in (top, *level))), share=share)
    if top["strategy"] == "all":
        return say("title.rate_all", thing=named(top), share=share)
    return say("title.rate", thing=named(top), strategy=top["strategy"], share=share)


def counted_finding(table: pd.DataFrame) -> str:
    """Return the title of a chart of how many of a set a strategy has: how many it has most often, if it ever has one.

    Of several strategies, the one that has some most often.
    """
    rows = _records(table)
    some = [row for row in rows if row["flag"] != rows[0]["flag"]]
    most = {row["strategy"]: sum(r["rate"] for r in some if r["strategy"] == row["strategy"]) for row in some}
    name = max(most, key=lambda strategy: most[strategy])
    row = max((row for row in rows if row["strategy"] == name), key=lambda row: row["rate"])
    who = capital(say("label.all_strategies")) if name == "all" else name
    return say("title.counted", strategy=who, thing=thing(row["title"]), share=percent(row["rate"]))


def measures_finding(table: pd.DataFrame, alone: bool, by_round: bool) -> str:
    """Return the finding of a chart of measures: where strategies differ most; `by_round`: where they end up."""
    names = list(dict.fromkeys(table["measure"]))
    found = [(name, *_extremes(_records(table[table["measure"] == name]))) for name in names]
    if by_round:
        found = found[-1:]
    apart = [entry for entry in found if is_apart(entry[1], entry[2])]
    if alone:
        _, line, _ = found[-1]
        return say("title.measure", thing=named(line), strategy=line["strategy"], mean=_mean(line))
    if not apart:
        return say("title.measures_alike", thing=capital(thing(found[-1][1]["title"])))
    _, high, low = max(apart, key=lambda entry: entry[1]["mean"] - entry[2]["mean"])
    names_of = {"strategy": high["strategy"], "other": low["strategy"]}
    return say("title.measures", thing=named(high), most=_mean(high), fewest=_mean(low), **names_of)


def ahead_finding(scores: pd.DataFrame) -> str:
    """Return from which round on one strategy is ahead on points beyond doubt, of the score's standings by round."""
    lines = {n: _records(scores[scores["round"] == n]) for n in sorted(set(scores["round"]))}
    last = max(lines)
    top, _ = _extremes(lines[last])
    if len(lines[last]) == 1:
        return say("title.measure", thing=capital(thing(top["title"])), strategy=top["strategy"], mean=_mean(top))
    start = last + 1
    for n in sorted(lines, reverse=True):
        mine = next(line for line in lines[n] if line["strategy"] == top["strategy"])
        if not all(is_apart(mine, line) for line in lines[n] if line is not mine):
            break
        start = n
    if start > last:
        return say("title.nobody_ahead")
    return say("title.ahead_from" if start < last else "title.ahead_at_end", strategy=top["strategy"], n=start)


_TITLES: dict[str, Callable[[Tables, Run], str]] = {
    "win_share": _win_share,
    "fair_difference": _fair_difference,
    "convergence": _convergence,
    "breakdown": _breakdown,
    "breakdown_difference": _against_field,
    "won_lost": _won_lost,
    "scores": _scores,
    "margins": _margins,
    "close_games": _close_games,
    "places": _places,
    "pairs": _pairs,
}
