"""The empirical game against brute force and against an independent library."""

import itertools
import math
import warnings

import nashpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.dominance import dominances
from analysis.equilibrium import (
    TOLERANCE,
    against,
    largest_gain,
    maximin,
    slope,
    symmetric_equilibrium,
)
from analysis.intervals import Interval
from analysis.metagame import EPSILON, alpha_rank, cycles, fixation, payoff_tensor, stationary

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.2, 0.7], [0.8, 0.5, 0.4], [0.3, 0.6, 0.5]])


def random_game(n, k, seed, spread=0.5):
    """Shares of every line-up, by strengths that differ from line-up to line-up."""
    luck = np.random.default_rng(seed)
    base = luck.normal(0, spread, n)
    shares = {}
    for lineup in itertools.combinations_with_replacement(range(n), k):
        weight = {i: math.exp(base[i] + luck.normal(0, spread)) for i in set(lineup)}
        shares[lineup] = {i: weight[i] / sum(weight[j] for j in lineup) for i in weight}
    return shares


def test_payoffs():
    shares = {(0, 0, 1): {0: 0.4, 1: 0.2}, (0, 1, 1): {0: 0.5, 1: 0.25}}
    payoff = payoff_tensor(shares, 2, 3)
    assert payoff[0, 0, 1] == payoff[0, 1, 0] == 0.4
    assert payoff[1, 0, 0] == 0.2
    assert payoff[1, 1, 0] == 0.25
    assert payoff[0, 0, 0] == payoff[1, 1, 1] == 1 / 3
    assert payoff_tensor({(0, 0, 1): {0: 0.4, 1: 0.2}}, 2, 3) is None


# --- mixes ---


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), st.integers(0, 10**6))
def test_the_mix_of_two_is_nashpys(n, seed):
    shares = random_game(n, 2, seed)
    payoff = payoff_tensor(shares, n, 2)
    mix = maximin(payoff)
    assert mix.sum() == pytest.approx(1)
    assert (mix >= 0).all()
    assert (mix @ payoff).min() >= 0.5 - 1e-12
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = nashpy.Game(payoff - 0.5).linear_program()[0]
    assert (found @ payoff).min() == pytest.approx(0.5, abs=1e-6)
    np.testing.assert_allclose(mix, found, atol=1e-6)  # a game drawn by lot has one only


def test_known_mixes():
    np.testing.assert_allclose(maximin(ROCK_PAPER_SCISSORS), np.array([1, 2, 3]) / 6, atol=1e-12)  # by hand
    dominant = np.array([[0.5, 0.9], [0.1, 0.5]])
    assert maximin(dominant).tolist() == [1, 0]
    same = np.full((3, 3), 0.5)
    assert largest_gain(same, maximin(same)) == 0


@settings(max_examples=25, deadline=None)
@given(st.sampled_from([(2, 3), (3, 3), (4, 3), (3, 4), (5, 4), (3, 5)]), st.integers(0, 10**6))
def test_a_symmetric_equilibrium_has_no_gain(size, seed):
    n, k = size
    payoff = payoff_tensor(random_game(n, k, seed), n, k)
    mix = symmetric_equilibrium(payoff)
    assert mix.sum() == pytest.approx(1)
    assert (mix >= 0).all()
    value = [
        sum(
            payoff[(i, *rivals)] * math.prod(mix[j] for j in rivals)
            for rivals in itertools.product(range(n), repeat=k - 1)
        )
        for i in range(n)
    ]
    np.testing.assert_allclose(against(payoff, mix), value, atol=1e-12)
    assert max(value) - mix @ np.array(value) <= TOLERANCE


def test_the_slope_is_the_derivative():
    payoff = payoff_tensor(random_game(4, 4, 3), 4, 4)
    mix = np.array([0.1, 0.2, 0.3, 0.4])
    step = 1e-6 * np.eye(4)
    expected = np.array([(against(payoff, mix + s) - against(payoff, mix - s)) / 2e-6 for s in step]).T
    np.testing.assert_allclose(slope(payoff, mix), expected, atol=1e-8)


# --- alpha-rank ---


def brute_alpha_rank(payoff, rate):
    """Every joint profile of the populations is a state; the eigenvector of its chain."""
    n, k = payoff.shape[0], payoff.ndim
    profiles = list(itertools.product(range(n), repeat=k))
    chain = np.zeros((len(profiles), len(profiles)))
    for i, profile in enumerate(profiles):
        for seat in range(k):
            rivals = profile[:seat] + profile[seat + 1 :]
            for mutant in set(range(n)) - {profile[seat]}:
                to = profiles.index((*profile[:seat], mutant, *profile[seat + 1 :]))
                gain = payoff[(mutant, *rivals)] - payoff[(profile[seat], *rivals)]
                chain[i, to] += rate(gain) / (k * (n - 1))
        chain[i, i] = 1 - chain[i].sum()
    values, vectors = np.linalg.eig(chain.T)
    mass = np.real(vectors[:, np.argmin(abs(values - 1))])
    mass = mass / mass.sum()
    return np.array([sum(m * p.count(s) / k for m, p in zip(mass, profiles, strict=True)) for s in range(n)])


@pytest.mark.parametrize("alpha", [0.5, 5.0, 20.0])
@pytest.mark.parametrize(("n", "k"), [(3, 3), (4, 2), (2, 4)])
def test_alpha_rank_is_that_of_all_profiles(n, k, alpha):
    payoff = payoff_tensor(random_game(n, k, 11), n, k)
    m = 10

    def rate(gain):
        if abs(gain) < 1e-15:
            return 1 / m
        return (1 - math.exp(-alpha * gain)) / (1 - math.exp(-alpha * m * gain))

    found = alpha_rank(payoff, alpha, m)
    np.testing.assert_allclose(found.strategies, brute_alpha_rank(payoff, rate), rtol=1e-7, atol=1e-12)
    assert found.mass.sum() == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
def test_the_limit_of_a_large_alpha(seed, monkeypatch):
    payoff = payoff_tensor(random_game(3, 3, seed), 3, 3)
    monkeypatch.setattr("analysis.metagame.EPSILON", 1e-6)
    found = alpha_rank(payoff).strategies
    limit = brute_alpha_rank(payoff, lambda gain: 1.0 if gain > 0 else 1e-6)
    np.testing.assert_allclose(found, limit, atol=1e-5)


def test_circles_share_the_long_run_and_dominant_strategies_have_it():
    np.testing.assert_allclose(alpha_rank(ROCK_PAPER_SCISSORS).strategies, [1 / 3] * 3, atol=1e-6)
    assert alpha_rank(np.array([[0.5, 0.9], [0.1, 0.5]])).strategies[0] == pytest.approx(1)
    np.testing.assert_allclose(alpha_rank(np.full((3, 3), 0.5)).strategies, [1 / 3] * 3)


def test_fixation():
    assert fixation(0.0) == 1 / 50
    assert fixation(0.1) == 1
    assert fixation(-0.1) == EPSILON
    assert fixation(1e-12, 1.0) == pytest.approx(1 / 50, rel=1e-6)
    assert fixation(-0.5, 100.0, 50) == pytest.approx(math.exp(-49 * 50), abs=1e-300)
    assert fixation(0.5, 1000.0, 50) == pytest.approx(1)
    assert fixation(-0.01, 10.0, 20) == pytest.approx((1 - math.exp(0.1)) / (1 - math.exp(2)))


def test_stationary_is_exact_for_tiny_probabilities():
    chain = np.array([[0, 1e-200, 0], [1e-100, 0, 0.5], [0, 1e-300, 0]])
    mass = stationary(chain)
    assert mass[1] / mass[0] == pytest.approx(1e-100)
    assert mass[2] == pytest.approx(1)


# --- circles and dominance ---


def test_circles_are_named():
    assert cycles([("a", "b"), ("b", "c"), ("c", "a")]) == [("a", "b", "c")]
    assert cycles([("a", "b"), ("b", "c"), ("a", "c")]) == []
    assert cycles([("b", "c"), ("c", "d"), ("d", "a"), ("a", "b"), ("a", "x")]) == [("a", "b", "c", "d")]
    assert cycles([]) == []


@given(st.sets(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), max_size=12))
def test_every_circle_is_one_and_nobody_in_a_circle_is_left_out(edges):
    edges = {(a, b) for a, b in edges if a != b and (b, a) not in edges}
    found = cycles(edges)
    for circle in found:
        assert all(step in edges for step in zip(circle, (*circle[1:], circle[0]), strict=True))
    reach = {(a, b) for a, b in edges}
    for _ in range(5):
        reach |= {(a, d) for a, b in reach for c, d in edges if b == c}
    assert {a for a, b in reach if a == b} == {name for circle in found for name in circle}


def shares_of(payoff, se):
    k, n = payoff.ndim, len(payoff)
    found, blocks = {}, {}
    for lineup in itertools.combinations_with_replacement(range(n), k):
        if len(set(lineup)) > 1:
            blocks[lineup] = 400
            found[lineup] = {}
            for own in set(lineup):
                rivals = list(lineup)
                rivals.remove(own)
                value = float(payoff[(own, *rivals)])
                found[lineup][own] = Interval(value, se, value - 2 * se, value + 2 * se)
    return found, blocks


def test_dominance_in_estimate_and_beyond_doubt():
    payoff = np.array([[0.5, 0.7, 0.9], [0.3, 0.5, 0.9], [0.1, 0.1, 0.5]])
    found = {(d.dominated, d.by): d for d in dominances(*shares_of(payoff, 0.01), 3, 2)}
    assert set(found) == {(1, 0), (2, 0), (2, 1)}
    assert found[2, 0].kind == "strict"
    assert found[2, 0].beyond_doubt
    assert found[2, 0].smallest == pytest.approx(0.4)
    assert (found[1, 0].kind, found[1, 0].beyond_doubt) == ("weak", False)
    unsure = {(d.dominated, d.by): d for d in dominances(*shares_of(payoff, 0.3), 3, 2)}
    assert not unsure[2, 0].beyond_doubt


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(2, 4), st.integers(0, 10**6))
def test_dominance_is_that_of_the_full_game(n, k, seed):
    payoff = payoff_tensor(random_game(n, k, seed, 1.5), n, k)
    found = {(d.dominated, d.by) for d in dominances(*shares_of(payoff, 0.1), n, k) if d.kind == "strict"}
    assert found == {(i, j) for i in range(n) for j in range(n) if (payoff[j] - payoff[i]).min() > 0}


def test_chance_alone_makes_no_dominance():
    """Equal strategies, noise in every share: claimed beyond doubt in at most one run of twenty."""
    luck = np.random.default_rng(3)
    claimed = 0
    for _ in range(400):
        shares, blocks = {}, {}
        for lineup in itertools.combinations(range(3), 2):
            x = 0.5 + luck.normal(0, 0.01)
            shares[lineup] = {lineup[0]: Interval(x, 0.01), lineup[1]: Interval(1 - x, 0.01)}
            blocks[lineup] = 1000
        claimed += any(d.beyond_doubt for d in dominances(shares, blocks, 3, 2))
    assert claimed <= 30
