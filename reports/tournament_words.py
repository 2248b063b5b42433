"""What a tournament says, in sentences that claim exactly what the evidence supports, and the table that it prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analysis.metagame import EPSILON, POPULATION
from analysis.schedule import MAX_LINEUPS, n_all
from reports.language import say
from reports.numbers import (
    FIXED,
    count,
    decimal,
    digits_for,
    half_width,
    listing,
    percent,
    round_percent,
    share_digits,
    share_range,
    share_with_interval,
    value,
)
from reports.terminal import print_table, wrapped

if TYPE_CHECKING:
    import pandas as pd

Tables = Mapping[str, "pd.DataFrame"]

MOST_NAMED = 4
"""Pairs, circles and the like that a sentence names one by one."""

LEAST_SHOWN = 0.0005
"""A smaller weight of a mix is not named."""


def rating_text(row: Mapping[str, Any]) -> str:
    """Return a rating with its interval: ``0.71 (0.55 to 0.87)``."""
    low, high = row["rating_low"], row["rating_high"]
    half = half_width(low, high)
    if half is None:
        return say("number.bare", number=decimal(row["rating"], 2))
    digits = digits_for(half)
    ends = say("number.range", low=decimal(low, digits), high=decimal(high, digits))
    return f"{decimal(row['rating'], digits)} ({ends})"


def standing_rows(tables: Tables) -> tuple[list[str], list[list[str]]]:
    """Return the table that a tournament prints: a row for each strategy, the highest rating first."""
    header = ["", "rating", "95 % interval", "win share", "95 % interval", "mean score", "beats", "beaten by", "games"]
    rows = []
    for r in tables["strategies"].to_dict("records"):
        text, _, ends = rating_text(r).partition(" (")
        low, high = r["win_share_low"], r["win_share_high"]
        score = half_width(r["score_low"], r["score_high"])
        rows.append(
            [
                str(r["strategy"]),
                text,
                ends.rstrip(")"),
                percent(r["win_share"], share_digits(low, high)),
                share_range(low, high) if value(low) is not None else "no interval",
                decimal(r["score"], digits_for(score)),
                count(r["n_beats"]),
                count(r["n_beaten_by"]),
                count(r["n_games"]),
            ]
        )
    return header, rows


def print_tournament(tables: Tables, manifest: Mapping[str, Any]) -> None:
    """Print the table of the strategies and what it means."""
    header, rows = standing_rows(tables)
    print_table(header, rows, right=range(1, len(header)))
    print()
    for sentence in [*verdict(tables), *game_in_words(tables, manifest), scope(tables, manifest)]:
        print(wrapped(sentence))


def verdict(tables: Tables) -> list[str]:
    """Return who leads, who beats whom beyond doubt, and the circles: whole sentences."""
    return [_leader(tables), _told_apart(tables["pairs"], tables["strategies"]), *circles_in_words(tables)]


def _leader(tables: Tables) -> str:
    best = tables["strategies"].to_dict("records")[0]
    share = share_with_interval(best["win_share"], best["win_share_low"], best["win_share_high"], True)
    fair = round_percent(best["fair_share"])
    first = value(best["first_share"])
    stable = (
        "one block a line-up is too little to say how sure that is"
        if first is None
        else f"it has the highest in {percent(first)} of the resampled tournaments"
    )
    return (
        f"{best['strategy']} has the highest rating, {rating_text(best)}; {stable}. It wins {share} of its games over "
        f"its {count(best['n_lineups'])} line-up{'s' if best['n_lineups'] > 1 else ''}, where {fair} is fair."
    )


def _told_apart(pairs: pd.DataFrame, strategies: pd.DataFrame) -> str:
    rows = pairs.to_dict("records")
    open_ = [row for row in rows if not row["winner"]]
    method = f"tested together at 5{FIXED}%, Holm" if len(rows) > 1 else f"tested at 5{FIXED}%"
    everybody = [r["strategy"] for r in strategies.to_dict("records") if r["n_beats"] == len(strategies) - 1]
    best = f" {everybody[0]} beats all others." if everybody and len(strategies) > 2 else ""
    what = f"the {count(len(rows))} pairs" if len(rows) > 1 else "the pair"
    if not open_:
        return f"Of {what}, all are told apart beyond doubt ({method}).{best}"
    names = listing([f"{row['a']} and {row['b']}" for row in open_[:MOST_NAMED]])
    named = f": {names}" if len(open_) <= MOST_NAMED else ""
    return (
        f"Of {what}, {count(len(open_))} {'is' if len(open_) == 1 else 'are'} not told apart ({method}){named}.{best}"
    )


def circles_in_words(tables: Tables) -> list[str]:
    """Return the circles that hold beyond doubt, or that there is none."""
    cycles = list(tables["cycles"]["cycle"])
    if not cycles:
        return ["No circle (one beats another that beats a third that beats the first) holds beyond doubt."]
    rest = f", and {len(cycles) - MOST_NAMED} more" if len(cycles) > MOST_NAMED else ""
    named = "; ".join(cycle.replace(" > ", " beats ") for cycle in cycles[:MOST_NAMED])
    return [f"Round in circles, beyond doubt: {named}{rest}. No single order says all about such a field."]


def game_in_words(tables: Tables, manifest: Mapping[str, Any]) -> list[str]:
    """Return dominance, the mix and alpha-rank in words, or what they would need."""
    one = tables["tournament"].to_dict("records")[0]
    if not one["complete"]:
        return [_needs_all(manifest)]
    found = [dominance_in_words(tables), mix_in_words(tables)]
    if tables["mix"]["alpha_rank"].notna().any():
        found.append(alpha_in_words(tables))
    return found


def _needs_all(manifest: Mapping[str, Any]) -> str:
    n, n_players, n_lineups = len(manifest["strategies"]), int(manifest["n_players"]), len(manifest["lineups"])
    total = n_all(n, n_players)
    what = "Dominance, an equilibrium and alpha-rank need every line-up"
    if total > MAX_LINEUPS:
        return f"{what}, and {count(total)} are more than a tournament plays: name fewer strategies with --lineups all."
    games = round(int(manifest["n_games"]) / n_lineups * total)
    return f"{what}: --lineups all, {count(total)} of them, which at as many games each is {count(games)} games."


def dominance_in_words(tables: Tables) -> str:
    """Return who is dominated beyond doubt, and how many more are in the estimates."""
    rows = tables["dominance"].to_dict("records")
    clear: dict[str, list[str]] = {}
    for row in rows:
        if row["beyond_doubt"]:
            clear.setdefault(row["dominated"], []).append(row["by"])
    guessed = len({row["dominated"] for row in rows} - set(clear))
    more = f" In the estimates alone {guessed} more {'is' if guessed == 1 else 'are'}." if guessed else ""
    if not clear:
        return f"No strategy is dominated (worse than another one against all rivals) beyond doubt.{more}"
    texts = [
        f"{name} (by {by[0]}{f' and {len(by) - 1} more' if len(by) > 1 else ''})"
        for name, by in list(clear.items())[:MOST_NAMED]
    ]
    rest = f" and {len(clear) - MOST_NAMED} more" if len(clear) > MOST_NAMED else ""
    shown = listing(texts) if not rest else ", ".join(texts)
    return f"Dominated beyond doubt, that is worse than another one against all rivals: {shown}{rest}.{more}"


def _weights(rows: Sequence[Mapping[str, Any]], name: str) -> str:
    shown = [row for row in sorted(rows, key=lambda row: -row[name]) if row[name] >= LEAST_SHOWN]
    texts = []
    for row in shown[: 2 * MOST_NAMED]:
        low, high = value(row[f"{name}_low"]), value(row[f"{name}_high"])
        ends = "" if low is None or high is None else f" ({decimal(100 * low)} to {decimal(100 * high)})"
        if low is not None and high is not None and high - low < LEAST_SHOWN:
            ends = ""  # the same in all resamples
        texts.append(f"{row['strategy']} {percent(row[name])}{ends}")
    return listing(texts)


def mix_in_words(tables: Tables) -> str:
    """Return the equilibrium mix, how good it is and how stable."""
    one = tables["tournament"].to_dict("records")[0]
    rows = tables["mix"].to_dict("records")
    two = one["n_players"] == 2
    kind = "The mix that no strategy beats (maximin)" if two else "A symmetric equilibrium"
    gain = value(one["mix_gain"]) or 0.0
    left = "nobody gains by leaving it" if gain < 1e-6 else f"leaving it gains {percent(gain, 3)} of a game at most"
    always = [r["strategy"] for r in rows if (value(r["in_mix_share"]) or 0) >= 0.95]
    stable = (
        f"; in at least 95{FIXED}% of the resampled tournaments {listing(always)} {_are(always)} in it"
        if always
        else ""
    )
    if not always and value(rows[0]["in_mix_share"]) is not None:
        stable = "; no strategy is in it in 95 % of the resampled tournaments"
    others = "" if two else " There may be others."
    return f"{kind}: {_weights(rows, 'weight')}; {left}{stable}.{others}"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def alpha_in_words(tables: Tables) -> str:
    """Return the long run of alpha-rank."""
    return (
        f"Alpha-rank (large alpha, populations of {POPULATION}, a worse mutant takes over with probability "
        f"{EPSILON:g}): in the long run the seats belong to {_weights(tables['mix'].to_dict('records'), 'alpha_rank')}."
    )


def scope(tables: Tables, manifest: Mapping[str, Any]) -> str:
    """Return what the numbers are about, and what they are not about."""
    one, edition = tables["tournament"].to_dict("records")[0], manifest["edition"]
    separated = (
        " Some strategies never lost to, nor tied with, some others: how far apart their ratings are rests on a weak "
        "prior, and the intervals are wide."
        if one["separated"]
        else ""
    )
    return (
        f"These numbers describe {count(one['n_strategies'])} strategies in {count(one['n_lineups'])} line-ups at a "
        f"table of {one['n_players']} with the edition {edition['name']}; each line-up counts alike, and intervals "
        f"hold for these line-ups, not for others.{separated} {edition.get('sentence', '')}".strip()
    )


__all__ = ["game_in_words", "print_tournament", "rating_text", "scope", "standing_rows", "verdict"]
