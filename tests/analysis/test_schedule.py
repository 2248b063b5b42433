"""Line-ups: counted by hand, balanced as properties, refused where there is nothing to play."""

import math
import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import schedule
from analysis.schedule import balance, balanced, make_schedule, n_all, parse_lineups
from simcore.contract import TaflError


def names(n):
    return [f"s{i}" for i in range(n)]


def test_all_lineups_of_two_at_three():
    made = make_schedule(["a", "b"], 3, 1)
    assert made.mode == "all"
    assert sorted(sorted(lineup) for lineup in made.lineups) == [["a", "a", "b"], ["a", "b", "b"]]
    assert n_all(2, 3) == 2


@given(st.integers(2, 8), st.integers(2, 5), st.integers(0, 99))
def test_all_lineups_are_there_once(n, n_players, seed):
    made = make_schedule(names(n), n_players, seed, "all")
    assert len({tuple(sorted(lineup)) for lineup in made.lineups}) == len(made.lineups) == n_all(n, n_players)
    assert all(len(lineup) == n_players and len(set(lineup)) > 1 for lineup in made.lineups)


@settings(max_examples=12, deadline=None)
@given(st.integers(3, 20), st.integers(2, 5), st.integers(0, 99))
def test_balanced_lineups_are_of_distinct_strategies_each_equally_often(n, n_players, seed):
    n = max(n, n_players)
    made = make_schedule(names(n), n_players, seed, "balanced")
    assert all(len(set(lineup)) == n_players for lineup in made.lineups)
    plays = Counter(name for lineup in made.lineups for name in lineup)
    meetings = Counter(pair for lineup in made.lineups for pair in combinations(sorted(lineup), 2))
    assert len(plays) == n
    assert len(set(plays.values())) == 1
    found = balance(made, names(n))
    assert found.plays == (min(plays.values()), max(plays.values()))
    counts = [meetings.get(pair, 0) for pair in combinations(sorted(names(n)), 2)]
    assert found.meetings == (min(counts), max(counts))
    assert max(counts) - min(counts) <= 3
    assert min(counts) >= 1
    assert made == make_schedule(names(n), n_players, seed, "balanced")


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 20), st.integers(2, 5), st.integers(0, 99))
def test_a_focus_sits_in_every_lineup_and_its_fields_are_balanced(n, n_players, seed):
    n = max(n, n_players)
    made = make_schedule(names(n), n_players, seed, "focus", "s1")
    assert all(lineup.count("s1") == 1 and len(set(lineup)) == n_players for lineup in made.lineups)
    found = balance(made, names(n))
    assert found.plays[0] == found.plays[1] > 0
    if n_players > 2:
        assert found.meetings[1] - found.meetings[0] <= 3


def test_exchanges_make_meetings_more_even(monkeypatch):
    """What `_try_exchange` says it gained is what the meetings lost, counted again from the sets."""
    with monkeypatch.context() as patched:
        patched.setattr(schedule, "N_EXCHANGES", 0)
        rough = balanced(names(16), 4, random.Random(5))
    design = schedule._Design(16, 4, 120, random.Random(5))
    squares = lambda sets: sum(  # noqa: E731
        x * x for x in Counter(p for s in sets for p in combinations(sorted(s), 2)).values()
    )
    before = after = squares(design.sets)
    for _ in range(3000):
        after -= design._try_exchange()
    assert after == squares(design.sets) < before == squares(rough)


def test_a_steiner_system_is_found_where_pairs_can_meet_equally_often():
    made = make_schedule(names(16), 3, 7, "balanced")
    assert balance(made, names(16)).meetings == (4, 4)


def test_two_players_meet_in_each_pair():
    made = make_schedule(names(30), 2, 1, "balanced")
    assert len(made.lineups) == math.comb(30, 2)


def test_the_default_is_all_as_long_as_they_are_few():
    assert make_schedule(names(16), 2, 1).mode == "all"
    assert make_schedule(names(16), 4, 1).mode == "balanced"
    assert make_schedule(names(3), 5, 1).mode == "all"  # there is no other way


def test_orders_round_the_table_are_drawn_from_the_seed():
    assert make_schedule(names(5), 3, 1) == make_schedule(names(5), 3, 1)
    assert make_schedule(names(5), 3, 1) != make_schedule(names(5), 3, 2)


def test_what_cannot_be_is_refused():
    with pytest.raises(TaflError, match=r"15488 line-ups, more than the 5000 .* name fewer strategies, or take"):
        make_schedule(names(16), 5, 1, "all")
    with pytest.raises(TaflError, match="at a table of 4 need at least 4 strategies, not 3"):
        make_schedule(names(3), 4, 1, "balanced")
    for text in ("none", "all x", "balanced 3"):
        with pytest.raises(TaflError, match=f"is 'all', 'balanced' or 'focus NAME', not '{text}'"):
            parse_lineups(text, ["a", "b"])
    with pytest.raises(TaflError, match="needs a strategy: write it as --lineups 'focus a'"):
        parse_lineups("focus", ["a", "b"])
    with pytest.raises(TaflError, match="no strategy in this tournament called 'plannr'; the nearest is 'planner'"):
        parse_lineups("focus plannr", ["greedy", "planner"])
    assert parse_lineups("focus=b", ["a", "b"]) == parse_lineups("focus b", ["a", "b"]) == ("focus", "b")
    assert parse_lineups(None, ["a"]) == (None, None)
