"""Pairs of a line-up against scipy and statsmodels, and where nothing can be said."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from simulated import World, result_of
from statsmodels.stats.multitest import multipletests

from analysis.paired import blocks_to_settle, holm, pairs, share_difference


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_agrees_with_statsmodels(p_values):
    assert holm(p_values) == pytest.approx(list(multipletests(p_values, method="holm")[1]))


def test_holm_leaves_the_undetermined_out():
    assert holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]


def block_means(world, rows, slot, entrant):
    values = world.by_block(rows[..., slot], entrant)
    return values / len(world.seating) / world.copies[entrant]


def test_pairs_are_the_paired_t_test():
    world = World("ABCA", strength=(0.5, 0.0, -0.5), threshold=(0.5, 0.5, 0.5))
    rows = world.rows(3000, 2)
    found = {(pair.a, pair.b): pair for pair in pairs(result_of(world, rows))}
    assert list(found) == [("A", "B"), ("A", "C"), ("B", "C")]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        pair = found[world.names[a], world.names[b]]
        won = [block_means(world, rows, 0, e) / 60 for e in (a, b)]
        points = [block_means(world, rows, 1, e) for e in (a, b)]
        expected = stats.ttest_rel(*won)
        assert pair.win_share.estimate == pytest.approx(won[0].mean() - won[1].mean())
        assert pair.win_share.se == pytest.approx(stats.sem(won[0] - won[1]), rel=0.01)
        assert np.log(pair.p) == pytest.approx(np.log(expected.pvalue), rel=0.03, abs=0.02)
        ends = stats.ttest_rel(*points).confidence_interval()
        assert (pair.score.low, pair.score.high) == pytest.approx((ends.low, ends.high))


def test_pairing_uses_the_shared_luck():
    """The interval of the difference is narrower than that of two strategies that never met."""
    result = World("AB", shared=20.0, own=1.0).result(2000)
    pair = pairs(result)[0]
    unpaired = 2 * np.sqrt(0.25 / 4000)
    assert pair.win_share.se < unpaired / 2


def test_identical_strategies():
    """Two names for one policy: every block is split evenly. No difference, no certainty, nothing settles it."""
    world = World("AB")
    rows = world.rows(50, 1)
    rows[:, 1] = rows[:, 0]  # the same game in both seatings: only the names have changed places
    pair = pairs(result_of(world, rows))[0]
    assert pair.win_share.estimate == 0
    assert pair.win_share.low < 0 < pair.win_share.high
    assert (pair.p, pair.p_holm, pair.distinguishable, pair.blocks_to_settle) == (1, 1, False, None)
    assert pair.score.low is None


def test_one_side_wins_everything():
    world = World("AB", strength=(1000.0, 0.0))
    pair = pairs(world.result(50))[0]
    assert pair.distinguishable
    assert pair.win_share.estimate == pair.win_share.high == 1
    assert 0.8 < pair.win_share.low < 1
    assert pair.blocks_to_settle is None


def test_two_blocks_settle_nothing():
    pair = pairs(World("AB", strength=(1000.0, 0.0)).result(2))[0]
    assert not pair.distinguishable
    assert pair.blocks_to_settle == 8


def test_one_block():
    pair = pairs(World().result(1))[0]
    assert (pair.p, pair.p_holm, pair.win_share.low, pair.distinguishable) == (None, None, None, False)


def test_one_entrant_has_no_pairs():
    assert pairs(World("AAAA", strength=(0.0,), threshold=(0.5,)).result(20)) == []


def test_settling_takes_the_square():
    few, many = blocks_to_settle(0.02, 1e4, 1000, 1), blocks_to_settle(0.01, 1e4, 1000, 1)
    assert many == pytest.approx(4 * few, rel=0.001)
    assert few == pytest.approx(1000 * (1.95996 + 0.84162) ** 2 / 4, rel=0.001)
    assert blocks_to_settle(0.02, 1e4, 1000, 6) > few
    assert blocks_to_settle(1e-9, 1e4, 1000, 1) is None
    assert blocks_to_settle(0.9, 1e4, 1000, 1) == 1001  # more than were not enough


def test_agreement_of_interval_and_p():
    for difference in (0.0, 0.01, 0.05, 0.08, 0.2, 0.5, 0.99, 1.0):
        for sign in (1, -1):
            interval, p, _ = share_difference(sign * difference, 20.0 * (1 - difference), 60)
            assert (p < 0.05) == (not interval.low <= 0 <= interval.high)
            assert -1 <= interval.low <= sign * difference <= interval.high <= 1
