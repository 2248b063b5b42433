"""Runs of a made-up game told in words: from the rows of the games to the sentences."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import World

from analysis.tables import tables
from reports import words


def plain(text):
    """Return a text with ordinary spaces and minus signs."""
    return text.replace("\u202f", " ").replace("\u00a0", " ").replace("\u2212", "-")


CHARTS = [
    "win_share",
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
    assert titles["hero"].startswith("Hourya goes with a win share of ")
    assert titles["hero"].endswith("percentage points more than without")
    assert titles["pairs"] == "B and C are not told apart; the other 5 pairs are"
    assert titles["seat"].startswith("No effect of the seat is seen")
    assert titles["coins_by_round"].startswith("Coins after round 1: D has most, ")
    with pytest.raises(KeyError):
        words.finding("weather", found, result.manifest)


def test_fixed_seats_are_not_blamed():
    world = World("AB", strength=(5.0, 0.0), mode="fixed")
    result = world.result(500)
    found = tables(result)
    assert words.finding("seat", found, result.manifest).startswith("Seats were fixed")
