"""Runs of a made-up game told in words: from the rows of the games to the sentences."""

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import World

from analysis.stopping import Distinguished, Precision, Sprt, entry
from analysis.tables import tables
from reports import words
from reports.charts import all_charts
from reports.stopped import how_valid, stopped_in_words, waits_for
from simcore.looks import Stop


def plain(text):
    """Return a text with ordinary spaces and minus signs."""
    return text.replace("\u202f", " ").replace("\u00a0", " ").replace("\u2212", "-")


CHARTS = [
    "win_share",
    "fair_difference",
    "convergence",
    "breakdown_difference",
    "close_games",
    "breakdown",
    "won_lost",
    "scores",
    "margins",
    "places",
    "pairs",
    "seat",
    "hero",
    "coins_by_round",
]


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["AB", "ABAB", "ABC", "AA", "ABCDE"]),
    st.sampled_from([1, 2, 40]),
    st.integers(0, 1000),
    st.sampled_from([None, 50, 10**6]),
)
def test_any_result_can_be_told(lineup, n_blocks, seed, planned):
    """Whatever a run found: no nan, no missing value, no empty title, one to two sentences."""
    n = len(set(lineup))
    world = World(lineup, tuple(np.linspace(3, 0, n)), (0.5,) * n)
    result = world.result(n_blocks, seed, planned)
    found = tables(result)
    said = words.verdict(found, result.manifest)
    header, rows = words.summary_rows(found)
    texts = [
        *said,
        *(words.finding(chart, found, result.manifest) for chart in CHARTS),
        *(cell for row in rows for cell in row),
    ]
    assert 1 <= len(said) <= 2
    assert all(sentence.endswith(".") for sentence in said)
    assert len(header) == n + 1
    assert all(len(row) == n + 1 for row in rows)
    for text in texts:
        assert text
        assert not re.search(r"nan|NA\b|None|\d\.\d{6}", text), text


def test_findings_of_a_clear_run():
    world = World("ABCD", strength=(6.0, 0.0, 0.0, -2.0), threshold=(0.3, 0.8, 0.8, 1.2))
    result = world.result(4000)
    found = tables(result)
    titles = {chart: plain(words.finding(chart, found, result.manifest)) for chart in CHARTS}
    assert re.fullmatch(r"A wins most: [45]\d\.\d % of its games, where 25 % is fair", titles["win_share"])
    assert titles["breakdown"].startswith("Scores differ most in fame: A makes ")
    assert titles["hero"] == "Most often Everybody: a seat has it in 100 % of games"
    assert re.fullmatch(
        r"A wins 2\d\.\d ± \d\.\d percentage points more often than its fair share", titles["fair_difference"]
    )
    assert titles["pairs"] == "B and C are not told apart; the other 5 pairs are"
    assert titles["seat"].startswith("No effect of the seat is seen")
    assert re.fullmatch(r"Coins after round 1: from [\d.]+ \(\w\) to [\d.]+ \(D\)", titles["coins_by_round"])
    with pytest.raises(KeyError):
        words.finding("weather", found, result.manifest)


def test_fixed_seats_are_not_blamed():
    world = World("AB", strength=(5.0, 0.0), mode="fixed")
    result = world.result(500)
    found = tables(result)
    assert words.finding("seat", found, result.manifest).startswith("Seats were fixed")


@pytest.mark.parametrize(
    ("rule", "answer", "words_of"),
    [
        (Precision(0.001), "precise", "after 800 games: every win share is known to ±0.1 percentage points."),
        (Distinguished(), "distinguished", "after 800 games: every two strategies are told apart."),
        (
            Sprt("A", "B", 0.125),
            "ahead",
            "decided that A is ahead of B in win share; it does so wrongly in at most 5",
        ),
        (
            Sprt("A", "B", 0.01),
            "not ahead",
            "that A is not ahead of B by 1 percentage points or more in win share",
        ),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_what_stopped_a_run_is_told(rule, answer, words_of):
    result = World().result(200, planned=5000)
    result.manifest["entrants"] = [{"name": name} for name in result.names]
    result.manifest["stopping"] = entry(rule, result.manifest)
    assert stopped_in_words(result) == []  # it goes on
    assert "After 800 of 20 000 games" in plain(words.verdict(tables(result), result.manifest)[0])
    stopped = replace(result, complete=True, stopped=Stop(rule.name, answer, 200, 800))
    said = [plain(sentence) for sentence in stopped_in_words(stopped)]
    assert said[0].startswith(f"The rule --{rule.name} stopped the run after 800 games")
    assert words_of in said[0]
    assert not plain(words.verdict(tables(stopped), stopped.manifest, True)[0]).startswith("After")
    without = replace(result, complete=True, n_games=20_000)
    [sentence] = stopped_in_words(without)
    assert plain(sentence).startswith("The most was reached, 20 000 games, without an answer: it was to stop once ")
    assert waits_for(result.manifest) in sentence
    assert how_valid(stopped.manifest, 800) == ["Intervals and tests are valid however often one looks."]


def test_captions_name_the_intervals_that_were_used():
    done, going_on = World().result(200), World().result(200, planned=5000)
    valid = "Intervals and tests are valid however often one looks."
    for result, is_said in ((done, False), (going_on, True)):
        result.manifest.update(seed=1, tafl_version="0.1.0", game="made up", lineup=list(result.names))
        charts = {chart.name: chart.words.caption for chart in all_charts(result, tables(result))}
        for name in ("win_share", "fair_difference", "pair_differences", "scores", "breakdown", "won_lost"):
            assert (valid in charts[name]) == is_said
        assert ("(of 20 000 planned)" in plain(charts["win_share"])) == is_said
    assert stopped_in_words(done) == how_valid(done.manifest, 800) == []
    assert waits_for(done.manifest) == ""
