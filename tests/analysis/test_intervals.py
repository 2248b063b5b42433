"""Intervals against scipy and statsmodels, and at the edges."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import (
    NEVER,
    ONE_BLOCK,
    SAME,
    TOO_FEW,
    RatioMoments,
    mean_interval,
    ratio_difference,
    ratio_interval,
    share_of_blocks,
    spread,
    wilson,
)
from analysis.tails import normal_quantile, t_quantile, t_tail


@pytest.mark.parametrize("df", [1, 2, 3, 4, 7, 29, 100, 1999, 2000, 12345, 1e6, 1e9, math.inf])
def test_t_agrees_with_scipy(df):
    for p in (0.6, 0.9, 0.95, 0.975, 0.995, 0.99999):
        assert t_quantile(p, df) == pytest.approx(stats.t.ppf(p, df), rel=1e-9)
    for t in (0.0, 0.3, 1.0, 1.96, 5.0, 30.0):
        assert t_tail(t, df) == pytest.approx(stats.t.sf(t, df), rel=1e-8, abs=1e-300)
        assert t_tail(-t, df) == pytest.approx(stats.t.sf(-t, df), rel=1e-8)


def test_fractional_degrees_of_freedom():
    assert t_tail(2.0, 3.7) == pytest.approx(stats.t.sf(2.0, 3.7), rel=1e-10)


@pytest.mark.parametrize(
    ("k", "n"), [(0, 10), (1, 10), (5, 10), (10, 10), (3, 1000), (250, 1000), (999_999, 1_000_000)]
)
def test_wilson_agrees_with_statsmodels(k, n):
    expected = proportion_confint(k, n, 0.05, method="wilson")
    assert wilson(k / n, n, normal_quantile(0.975)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("won", "n"), [(0, 50), (1, 50), (20, 50), (50, 50)])
def test_one_seat_game_a_block_is_the_plain_wilson_interval(won, n):
    found = share_of_blocks(60 * won, 3600 * won, n, 1)
    assert (found.low, found.high) == pytest.approx(proportion_confint(won, n, 0.05, method="wilson"), abs=1e-12)


def test_mean_agrees_with_scipy():
    values = np.random.default_rng(3).integers(0, 200, 25)
    found = mean_interval(int(values.sum()), int((values**2).sum()), 25, 4)
    low, high = stats.t.interval(0.95, 24, values.mean() / 4, stats.sem(values) / 4)
    assert (found.estimate, found.low, found.high) == pytest.approx((values.mean() / 4, low, high))
    assert found.se == pytest.approx(stats.sem(values) / 4)
    assert spread(int(values.sum()), int((values**2).sum()), 25) == pytest.approx(values.std(ddof=1))


def test_large_sums_do_not_cancel():
    """A billion blocks near 10**6 that differ by one: the variance is in the last of thirty digits."""
    n, x = 10**9, 10**6
    found = mean_interval(n * x + n // 2, (n // 2) * x * x + (n - n // 2) * (x + 1) ** 2, n, 1)
    assert found.se == pytest.approx(0.5 / math.sqrt(n), rel=1e-6)


def test_large_samples_are_the_block_mean_interval():
    """Many blocks: the share's interval is its mean plus and minus t standard errors of the block mean."""
    values = 60 * np.random.default_rng(1).binomial(4, 0.3, 50_000)
    found = share_of_blocks(int(values.sum()), int((values**2).sum()), 50_000, 4)
    se = stats.sem(values) / 240
    assert found.se == pytest.approx(se, rel=1e-3)
    assert found.high - found.low == pytest.approx(2 * 1.96 * se, rel=1e-3)


def test_one_block_is_not_determined():
    assert share_of_blocks(60, 3600, 1, 4).note == ONE_BLOCK
    assert mean_interval(300, 90_000, 1, 4).note == ONE_BLOCK
    assert mean_interval(300, 90_000, 1, 4).low is None
    assert spread(5, 25, 1) is None


def test_all_won_and_all_tied():
    won = share_of_blocks(100 * 240, 100 * 240**2, 100, 4)
    assert won.high == 1
    assert 0.95 < won.low < 0.97  # 100 blocks bear witness, not 400 games
    assert won.se > 0
    lost = share_of_blocks(0, 0, 100, 4)
    assert (lost.low, lost.high) == pytest.approx((0, 1 - won.low))
    tied = share_of_blocks(100 * 120, 100 * 120**2, 100, 4)  # every game shared by two
    assert tied.estimate == 0.5
    assert 0.47 < tied.low < 0.5 < tied.high < 0.53


def test_a_mean_without_variance_has_no_interval():
    found = mean_interval(400, 1600, 100, 1)
    assert (found.estimate, found.se, found.low, found.note) == (4.0, None, None, SAME)


def test_ratios_that_cannot_be():
    never = RatioMoments(50, 0, 0, 0, 0, 0)
    once = RatioMoments(50, 60, 1, 3600, 60, 1)
    often = RatioMoments(50, 1200, 49, 72_000, 1200, 49)
    assert ratio_interval(never).estimate is None
    assert ratio_interval(never).note == NEVER
    assert ratio_interval(once).note == TOO_FEW
    difference, p = ratio_difference(once, often, 0.0)
    assert p is None
    assert difference.low is None
    assert difference.estimate == pytest.approx(1 - 1200 / 60 / 49)


def test_flag_that_decides_everything():
    """All wins with it, none without: the difference is 1 and its interval has a width."""
    with_it = RatioMoments(40, 40 * 60, 40, 40 * 3600, 40 * 60, 40)
    without = RatioMoments(40, 0, 40, 0, 0, 40)
    difference, p = ratio_difference(with_it, without, 0.0)
    assert difference.estimate == 1
    assert difference.high == 1
    assert 0.8 < difference.low < 0.95
    assert p < 1e-6


@given(
    st.integers(2, 40).flatmap(
        lambda n: st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), min_size=n, max_size=n)
    ),
    st.booleans(),
)
def test_a_ratio_never_leaves_its_bounds(blocks, single):
    n = [1 if single else games for games, _ in blocks]
    w = [round(60 * games * part) for games, (_, part) in zip(n, blocks, strict=True)]
    moments = RatioMoments(
        len(n),
        sum(w),
        sum(n),
        sum(x * x for x in w),
        sum(x * y for x, y in zip(w, n, strict=True)),
        sum(x * x for x in n),
    )
    found = ratio_interval(moments, single)
    if found.low is None:
        assert found.note
        assert sum(x > 0 for x in n) < 5  # only what was hardly seen stays undetermined
    else:
        assert 0 <= found.low <= found.estimate <= found.high <= 1
        assert found.low < found.high
        assert found.se > 0
