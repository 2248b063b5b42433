"""What a page of several runs says: how the runs differ, how their luck hangs together, what their differences are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.settings import Setting
from analysis.side_by_side import ANYTIME, INDEPENDENT, PAIRED, SHARED, WIN
from reports.numbers import FIXED, count, decimal, digits_for, half_width, listing, share_difference, value
from simcore.store import RunResult

MAX_SENTENCES = 6
"""Differences that are told one by one."""
FROM_MEANS = f"Intervals: 95{FIXED}%, from block means"
FROM_SHARES = f"Intervals: 95{FIXED}%, Wilson's score interval with the effective number of games from blocks"
MEANS = {
    "players": "Win shares are compared above the fair share, which is not the same at tables of other sizes; and a "
    "strategy can have parameters of its own for each size.",
    "line-up": "A strategy's numbers belong to its line-up: part of a difference may be owed to other rivals.",
    "cards": "The editions have the same rule switches, so it is their cards and tables that differ.",
    "engine": "The rules or the luck of tafl itself changed between the runs, so a difference may come from there.",
}
LUCK = {
    INDEPENDENT: "with other seeds, so the runs are independent and their variances add up",
    PAIRED: "on the same luck, block by block, with the rows of every game kept: the differences are paired within "
    "blocks, so that much of the luck cancels",
    SHARED: "with the same seed, so they share luck as far as their tables and rules allow, but they cannot be paired: "
    "the intervals are those of independent runs, which are too wide where luck that is good for a strategy in one run "
    "is good for it in the other as well. Pairs need the same number of players and blocks, and both runs played with "
    "--keep-games",
    ANYTIME: "until a rule stopped one of them, or one is not finished: the intervals of their differences are valid "
    "however often one looks, and wider than those of a number of games fixed beforehand",
}


def settings_in_words(called: Sequence[str], settings: Sequence[Setting]) -> list[str]:
    """Return how runs differ, a sentence for each thing that matters and one for what only adds evidence.

    Parameters
    ----------
    called : sequence of str
        What the runs are called.
    settings : sequence of Setting
        As `analysis.settings.differing` returns them.
    """
    if not settings:
        return ["The runs do not differ in anything that decides their results."]
    told = [_in_words(called, setting) for setting in settings if setting.kind not in ("seed", "games")]
    more = [setting.name for setting in settings if setting.kind in ("seed", "games")]
    if not told:
        told = ["The runs are of the same games, strategies and rules."]
    if more:
        names = listing({"seed": "the seed", "games": "the number of games"}[name] for name in more)
        told.append(f"They differ in {names}, which decides how sure the numbers are and not what they are of.")
    kinds = {setting.kind for setting in settings}
    return [*told, *(text for kind, text in MEANS.items() if kind in kinds)]


def _in_words(called: Sequence[str], setting: Setting) -> str:
    if setting.kind == "strategy":
        verb = "are" if setting.name.startswith("parameters") else "is"
        return f"The {setting.name} {verb} not the same in all of the runs, though the name is."
    named = {"players": "the number of players", "rule": f"the rule switch {setting.name}", "cards": "the cards"}
    what = named.get(setting.kind, f"the {setting.name}")
    return f"The runs differ in {what}: {'; '.join(_by_value(called, setting))}."


def _by_value(called: Sequence[str], setting: Setting) -> list[str]:
    """Return each value with the runs that have it: ``4 in four and beginner``."""
    having: dict[str, list[str]] = {}
    for label, text in zip(called, setting.values, strict=True):
        having.setdefault(text, []).append(label)
    return [f"{text} in {listing(labels)}" for text, labels in having.items()]


def luck_in_words(differences: pd.DataFrame) -> list[str]:
    """Return how the runs' luck hangs together, for each way in which it does."""
    pairs = differences[["run", "against", "luck"]].drop_duplicates().to_dict("records")
    sentences = []
    for luck, says in LUCK.items():
        found = [f"{pair['run']} and {pair['against']}" for pair in pairs if pair["luck"] == luck]
        if found:
            sentences.append(f"{'; '.join(found)} were played {says}.")
    return sentences


def verdict(differences: pd.DataFrame) -> list[str]:
    """Return what was found: how many differences hold, and those of the win share one by one."""
    known = int(differences["p_holm"].notna().sum())
    held = int(differences["distinguishable"].sum())
    if not known:
        return ["None of the differences between the runs can be tested: too little was played, or nothing varies."]
    sure = f"tested together at 5{FIXED}%, Holm"
    sentences = [f"{count(held)} of {count(known)} differences between the runs hold beyond chance ({sure})."]
    rows = differences[differences["measure"] == WIN].to_dict("records")
    apart = sorted((r for r in rows if r["distinguishable"]), key=lambda r: -abs(r["estimate"]))
    sentences += [_difference(row) for row in apart[:MAX_SENTENCES]]
    rest = len(apart) - MAX_SENTENCES
    if rest > 0:
        sentences.append(f"{count(rest)} more win shares differ; the tables below have them.")
    same = [
        f"{r['strategy']} ({r['run']})" for r in rows if value(r["p_holm"]) is not None and not r["distinguishable"]
    ]
    if same:
        who = listing(same) if len(same) <= MAX_SENTENCES else f"{count(len(same))} of the {count(len(rows))}"
        sentences.append(f"No difference in win share is shown for {who}: that does not say that there is none.")
    return sentences


def _difference(row: Mapping[str, Any]) -> str:
    half = half_width(row["low"], row["high"])
    digits = digits_for(None if half is None else 100 * half)
    more = "more" if row["estimate"] > 0 else "less"
    low, high = sorted((float(row["low"]), float(row["high"])), key=abs)
    size = share_difference(abs(row["estimate"]), digits, plus=False)
    ends = f"{decimal(100 * abs(low), digits)} to {decimal(100 * abs(high), digits)}"
    return (
        f"Above its fair share, {row['strategy']} wins {size} {more} in {row['run']} than in {row['against']} "
        f"(95{FIXED}% interval {ends})."
    )


def finding(differences: pd.DataFrame, measure: str, title: str, share: bool) -> str:
    """Return the title of a chart: the largest difference that holds beyond chance, without a full stop."""
    rows = [r for r in differences[differences["measure"] == measure].to_dict("records") if r["distinguishable"]]
    if not rows:
        return f"{title}: no difference between the runs is shown"
    row = max(rows, key=lambda r: abs(r["estimate"]))
    half = half_width(row["low"], row["high"]) or 0.0
    more = "more" if row["estimate"] > 0 else "less" if share else "fewer"
    size = abs(float(row["estimate"]))
    if share:
        text = share_difference(size, digits_for(100 * half, most=1), plus=False)
        return f"{row['strategy']} wins {text} {more} above its fair share in {row['run']} than in {row['against']}"
    text = decimal(size, digits_for(half, most=1))
    return f"{row['strategy']} scores {text} points {more} in {row['run']} than in {row['against']}"


def unfinished(called: Sequence[str], runs: Sequence[RunResult]) -> list[str]:
    """Return a sentence for each run that is not complete."""
    return [
        f"{label} is not finished: it has {count(run.n_games)} of its {count(run.manifest['n_games'])} games so far."
        for label, run in zip(called, runs, strict=True)
        if not run.complete
    ]
