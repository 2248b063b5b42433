"""Sentences claim what the evidence supports, and numbers read well."""

import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import numbers, words

MANIFEST = {
    "title": "Nidavellir",
    "n_players": 4,
    "lineup": ["planner", "greedy", "rush", "random"],
    "seating": "rotations",
    "n_games_per_block": 4,
    "n_blocks": 250_000,
    "n_games": 1_000_000,
    "edition": {"name": "official", "sentence": "All 180 table rows are sourced."},
}


def plain(text):
    """Return a text with ordinary spaces and minus signs."""
    return text.replace("\u202f", " ").replace("\u00a0", " ").replace("\u2212", "-")


def summary(rows, n_games=1_000_000, fair=0.25, copies=1):
    """Return a summary of strategies given as (name, share, half-width of its interval or None)."""
    lines = []
    for name, share, half in rows:
        low, high = (pd.NA, pd.NA) if half is None else (share - half, share + half)
        line = {"strategy": name, "copies": copies, "n_games": n_games, "n_blocks": n_games // 4, "win_share": share}
        line |= {"win_share_low": low, "win_share_high": high, "fair_share": fair}
        line |= {"score_mean": 250.04, "score_low": 249.9, "score_high": 250.2, "score_sd": 31.0}
        line |= {"margin_mean": -3.2, "margin_low": -3.4, "margin_high": -3.0}
        lines.append(line)
    return pd.DataFrame(lines)


def pairs(*rows):
    """Return pairs given as (a, b, difference, half-width, distinguishable, blocks to settle)."""
    return pd.DataFrame(
        [
            {
                "a": a,
                "b": b,
                "win_share_difference": d,
                "low": pd.NA if half is None else d - half,
                "high": pd.NA if half is None else d + half,
                "distinguishable": apart,
                "blocks_to_settle": settle,
            }
            for a, b, d, half, apart, settle in rows
        ]
    )


def verdict(summary_table, pair_table, **manifest):
    return [plain(s) for s in words.verdict({"summary": summary_table, "pairs": pair_table}, MANIFEST | manifest)]


def test_a_clear_winner_and_a_pair_that_is_not_told_apart():
    said = verdict(
        summary(
            [("rush", 0.2041, 0.002), ("planner", 0.382, 0.002), ("greedy", 0.2029, 0.002), ("random", 0.211, 0.002)]
        ),
        pairs(
            ("planner", "greedy", 0.1791, 0.003, True, pd.NA),
            ("planner", "rush", 0.1779, 0.003, True, pd.NA),
            ("planner", "random", 0.171, 0.003, True, pd.NA),
            ("greedy", "rush", -0.0012, 0.002, False, 1_234_567),
            ("greedy", "random", -0.008, 0.002, True, pd.NA),
            ("rush", "random", -0.007, 0.002, True, pd.NA),
        ),
    )
    assert said == [
        "planner wins 38.2 % (95 % interval 38.0 to 38.4) of its games at a table of 4, 13.2 percentage points more "
        "than a fair share of 25 %.",
        "rush and greedy (difference 0.1 percentage points, -0.1 to 0.3) cannot be told apart; about 5 000 000 games "
        "would settle it, if the difference is as large as it looks.",
    ]


def test_an_order_that_holds():
    said = verdict(
        summary([("a", 0.3, 0.001), ("b", 0.7, 0.001)], fair=0.5), pairs(("a", "b", -0.4, 0.002, True, pd.NA))
    )
    assert said[1] == "b, then a: this order holds beyond chance (tested at 5 %)."


def test_a_shared_lead_names_no_winner():
    said = verdict(
        summary([("a", 0.505, 0.01), ("b", 0.495, 0.01)], fair=0.5), pairs(("a", "b", 0.01, 0.02, False, pd.NA))
    )
    assert said[0] == (
        "a wins 50.5 % (95 % interval 49.5 to 51.5) and b 49.5 % (48.5 to 50.5) of their games at a table of 4; which "
        "of them is stronger cannot be told."
    )
    assert "no number of games that could be played would settle it" in said[1]
    assert "beyond chance" not in " ".join(said)


def test_a_lead_shared_by_some():
    said = verdict(
        summary([("a", 0.3, 0.01), ("b", 0.3, 0.01), ("c", 0.1, 0.01)]),
        pairs(("a", "b", 0.0, 0.02, False, pd.NA), ("a", "c", 0.2, 0.02, True, pd.NA), ("c", "b", -0.2, 0.02, True, 9)),
    )
    assert said[0].startswith("The lead is shared: a wins 30.0 % (95 % interval 29.0 to 31.0) and b 30.0 %")
    assert said[1].startswith("a and b (difference 0.0 percentage points, -2.0 to 2.0) cannot be told apart; ")


def test_copies_are_spoken_of_one_by_one():
    said = verdict(
        summary([("a", 0.3, 0.001), ("b", 0.2, 0.001)], copies=2), pairs(("a", "b", 0.1, 0.002, True, pd.NA))
    )
    assert said[0].startswith("Each of the 2 copies of a wins 30.0 %")


def test_a_winner_at_its_fair_share():
    """Better than the rivals, yet not shown to be better than fair."""
    said = verdict(summary([("a", 0.2505, 0.002), ("b", 0.2, 0.002)]), pairs(("a", "b", 0.05, 0.003, True, pd.NA)))
    assert "which cannot be told from a fair share of 25 %" in said[0]


def test_one_block_claims_nothing():
    said = verdict(
        summary([("a", 0.75, None), ("b", 0.25, None)], n_games=4),
        pairs(("a", "b", 0.5, None, False, pd.NA)),
        n_games=4,
    )
    assert said == [
        "4 games in one block at a table of 4 are too few to say which strategy is stronger: play more games."
    ]


def test_a_strategy_against_itself():
    said = verdict(summary([("a", 0.25, 0.0)], copies=4), pairs())
    assert said == [
        "a sits in every seat at a table of 4, so each copy wins 25 % of its games by construction; its mean score is "
        "250.0 points (95 % interval 249.9 to 250.2)."
    ]


def test_an_interrupted_run_says_so():
    said = verdict(
        summary([("a", 0.3, 0.001), ("b", 0.7, 0.001)], n_games=400), pairs(("a", "b", -0.4, 0.002, True, pd.NA))
    )
    assert said[0].startswith("After 400 of 1 000 000 games: b wins 70.0 %")


def test_scope():
    said = plain(words.scope(MANIFEST))
    assert "planner, greedy, rush and random at a table of 4 with the edition official" in said
    assert "not how the game goes under perfect play" in said
    assert said.endswith("All 180 table rows are sourced.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (numbers.percent(0.382), "38.2 %"),
        (numbers.percent(0.99999), "over 99.9 %"),
        (numbers.percent(0.0000001), "under 0.1 %"),
        (numbers.percent(0), "0 %"),
        (numbers.percent(1), "100 %"),
        (numbers.percent(pd.NA), "not determined"),
        (numbers.round_percent(1 / 3), "33.3 %"),
        (numbers.round_percent(0.2), "20 %"),
        (numbers.count(1_234_567), "1 234 567"),
        (numbers.decimal(-0.04), "0.0"),
        (numbers.decimal(-3.25, 1, True), "-3.2"),
        (numbers.decimal(3.25, 2, True), "+3.25"),
        (numbers.share_range(0.00001, 0.99999), "under 0.1 to over 99.9"),
        (numbers.share_range(0, 1), "0.0 to 100.0"),
        (numbers.share_with_interval(0.3821, 0.3817, 0.3825), "38.21 % (38.17 to 38.25)"),
        (numbers.share_with_interval(0.25, 0.25, 0.25), "25 %"),
        (numbers.share_with_interval(0.25, pd.NA, pd.NA), "25.0 % (no interval)"),
        (numbers.share_with_interval(None, None, None), "not determined"),
        (numbers.mean_with_interval(78.4, 78.2, 78.6, "points"), "78.4 points (78.2 to 78.6)"),
        (numbers.mean_with_interval(float("nan"), 1, 2), "not determined"),
        (numbers.p_value(0.00001), "p < 0.001"),
        (numbers.p_value(1.0), "p = 1"),
        (numbers.p_value(pd.NA), "p not determined"),
        (numbers.about(1_234_567), "about 1 300 000"),
        (numbers.about(57), "about 57"),
        (numbers.listing(["a"]), "a"),
        (numbers.listing("abc"), "a, b and c"),
    ],
)
def test_numbers(text, expected):
    assert plain(text) == expected


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_an_interval_never_looks_like_a_point(a, b, c):
    low, middle, high = sorted((a, b, c))
    text = plain(numbers.share_with_interval(middle, low, high))
    assert "nan" not in text
    if high - low > 0.00002:
        ends = re.search(r"\((.*) to (.*)\)", text)
        assert ends
        assert ends[1] != ends[2]


def test_a_sentence_goes_on_after_how_it_begins():
    from reports.words import _after

    assert _after("After 4 of 8 games: ", "Each of the 2 copies of a wins") == (
        "After 4 of 8 games: each of the 2 copies of a wins"
    )
    assert _after("", "Each of the 2 copies") == "Each of the 2 copies"
    assert _after("After 4 of 8 games: ", "Eachy wins") == "After 4 of 8 games: Eachy wins"
