"""The e-process against numerical integration, its inversion, and the sequential test against a plain loop."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats
from simulated import World

from analysis.flags import by_entrant
from analysis.intervals import (
    ONCE,
    TOO_EARLY,
    RatioMoments,
    mean_from,
    mean_interval,
    ratio_difference,
    ratio_interval,
    share_of_blocks,
)
from analysis.paired import blocks_to_settle, pairs, share_difference
from analysis.sequential import (
    EARLY,
    NARROWEST,
    Anytime,
    anytime_quantile,
    is_anytime,
    log_e_value,
    log_likelihood_ratio,
    looking_at,
    narrowest_at,
    sprt_decision,
)
from analysis.tables import tables

LEVEL = 0.95


def bayes_factor(values, c):
    """Marginal likelihood with effect size N(0, 1/c^2) over that with 0; standard deviation: density 1/sigma."""
    x = np.asarray(values)[:, None, None]
    sigma = np.exp(np.linspace(-5, 5, 2001))[None, None, :]  # over log sigma, 1/sigma is flat
    effect = np.linspace(-9 / c, 9 / c, 1001)[None, :, None]

    def marginal(effects):
        density = np.prod(np.exp(-(((x - effects * sigma) / sigma) ** 2) / 2) / sigma, axis=0)
        return np.trapezoid(density, np.log(sigma[0, 0]), axis=1)

    prior = stats.norm.pdf(effect[0, :, 0], 0, 1 / c)
    return np.trapezoid(marginal(effect) * prior, effect[0, :, 0]) / marginal(np.zeros((1, 1, 1)))[0]


@pytest.mark.parametrize("c", [0.7, 3.0])
@pytest.mark.parametrize("values", [[0.4, -1.1, 2.0], [1.0, 1.2, 0.7, 1.4, 0.2], [-0.3, 0.1, 0.2, -0.9, 0.5, 0.4]])
def test_the_e_process_is_the_ratio_of_marginal_likelihoods(values, c):
    n = len(values)
    t = stats.ttest_1samp(values, 0).statistic
    assert math.exp(log_e_value(t, n, c * c / (n + c * c))) == pytest.approx(bayes_factor(values, c), rel=1e-4)


def test_with_a_known_deviation_it_is_the_normal_mixture():
    r, z = 0.3, 2.2
    n, c2 = 70.0, 70 * r / (1 - r)
    expected = stats.norm.pdf(z, 0, math.sqrt(1 + n / c2)) / stats.norm.pdf(z)
    assert math.exp(log_e_value(z, math.inf, r)) == pytest.approx(expected, rel=1e-12)
    assert log_e_value(z, 1e9, r) == pytest.approx(math.log(expected), rel=1e-6)


@given(st.floats(0.5, 0.999), st.floats(2, 1e10), st.floats(1e-6, 0.999))
def test_the_quantile_is_where_the_e_process_reaches_its_bound(level, n, r):
    q = anytime_quantile(level, n, r)
    bound = -math.log(1 - level)
    if math.isinf(q):
        assert log_e_value(1e12, n, r) < bound * (1 + 1e-6)
    else:
        assert log_e_value(q, n, r) == pytest.approx(bound, rel=1e-6)
    assert math.isfinite(anytime_quantile(level, math.inf, r))


def test_it_is_narrowest_where_it_says():
    found = optimize.minimize_scalar(
        lambda u: anytime_quantile(LEVEL, math.inf, 1 / (1 + u)), bounds=(0.1, 100), method="bounded"
    )
    assert pytest.approx(found.x, rel=1e-3) == NARROWEST
    q = [Anytime.at(n, 5000).quantile(LEVEL, n - 1) for n in (500, 5000, 50_000)]
    assert q[1] < 1.27 * q[1] < 1.05 * q[0]
    assert 1.05 * q[1] < q[2] < 1.1 * q[1]
    assert Anytime.at(5000, 5000).settling(LEVEL) == pytest.approx(q[1], rel=0.001)


def test_it_is_wider_than_for_one_look():
    for n in (100, 1000, 10**6):
        for at in (100, 1000, 10**5):
            looking = Anytime.at(n, at)
            assert looking.quantile(LEVEL, n - 1) > 1.5 * ONCE.quantile(LEVEL, n - 1)
            assert looking.p_value(2.5, n - 1) > ONCE.p_value(2.5, n - 1)


@given(st.floats(-60, 60), st.integers(2, 10**7), st.integers(100, 10**6), st.booleans())
def test_p_value_and_quantile_agree(t, n, at, is_known):
    looking, df = Anytime.at(n, at), math.inf if is_known else n - 1
    p = looking.p_value(t, df)
    assert 0 <= p <= 1
    q = looking.quantile(LEVEL, df)
    if abs(abs(t) - q) > 1e-6:
        assert (p < 0.05) == (abs(t) > q)


@given(st.integers(2, 5000), st.floats(-1, 1), st.floats(0, 1), st.integers(100, 10**5))
def test_interval_and_p_value_of_a_difference_agree(n, difference, part, at):
    looking = Anytime.at(n, at)
    square = part * n * (1 - difference**2)
    interval, p, _ = share_difference(difference, square, n, LEVEL, looking)
    if interval.low is None:
        assert interval.note == TOO_EARLY
        assert p >= 0.05
    elif abs(p - 0.05) > 1e-9:
        assert -1 <= interval.low <= difference <= interval.high <= 1
        assert (p < 0.05) == (not interval.low <= 0 <= interval.high)


def test_interval_and_p_value_with_and_without_a_flag_agree():
    rng = np.random.default_rng(3)
    n_sure = 0
    for n in (20, 200, 2000):
        for effect in np.linspace(0, 0.5, 12):
            had = rng.integers(0, 3, n)
            won = rng.binomial(had, 0.4 + effect)
            lost = rng.binomial(2 - had, 0.4)
            moments = [
                RatioMoments(n, *(int(v.sum()) for v in (w, k, w * w, w * k, k * k)), unit=1)
                for w, k in ((won, had), (lost, 2 - had))
            ]
            interval, p = ratio_difference(*moments, 0.0, False, LEVEL, Anytime.at(n, 100))
            assert (p < 0.05) == (not interval.low <= 0 <= interval.high)
            n_sure += p < 0.05
    assert 5 < n_sure < 31


def test_nothing_is_nan_and_nothing_certain_where_blocks_do_not_vary():
    for n in (1, 2, 5, 100, 10**6):
        looking = Anytime.at(n, 100)
        won = share_of_blocks(120 * n, 14_400 * n, n, 2, 60, LEVEL, looking)
        tied = share_of_blocks(60 * n, 3600 * n, n, 2, 60, LEVEL, looking)
        for found in (won, tied, share_difference(0.0, 0.0, n, LEVEL, looking)[0]):
            assert found.se is None or found.se > 0
            if found.low is None:
                assert found.note
            else:
                assert found.low < found.high
                assert math.isfinite(found.low + found.high)
        assert mean_interval(7 * n, 49 * n, n, 1, LEVEL, looking).low is None
    assert won.low > 0.9999
    assert share_difference(0.0, 0.0, 5000, LEVEL, Anytime.at(5000, 100))[1] == 1


def test_before_there_is_an_interval_it_says_so():
    looking = Anytime.at(10, 10**6)
    assert mean_from(3.0, 20.0, 10, LEVEL, looking).note == TOO_EARLY
    found = ratio_interval(RatioMoments(10, 300, 10, 18_000, 300, 10), False, LEVEL, looking)
    assert (found.estimate, found.low, found.note) == (0.5, None, TOO_EARLY)
    moments = RatioMoments(10, 300, 10, 18_000, 300, 10)
    assert ratio_difference(moments, moments, 0.0, False, LEVEL, looking)[1] is None


def test_a_rare_flag_has_its_own_scale():
    """A flag in one block of ten has, after ten times the blocks, the quantile of one that is in all."""
    all_blocks = RatioMoments(1000, 500, 1000, 500, 500, 1000, 1)
    one_in_ten = RatioMoments(10_000, 500, 1000, 500, 500, 1000, 1)
    ends = [ratio_interval(m, False, LEVEL, Anytime.at(m.n_blocks, m.n_blocks)) for m in (all_blocks, one_in_ten)]
    assert ends[0].high == pytest.approx(ends[1].high, abs=1e-12)


def test_who_is_looked_at_how():
    done, going_on = World().result(500), World().result(500, planned=8000)
    assert looking_at(done) is ONCE
    assert looking_at(going_on) == Anytime.at(500, 8000 // EARLY)
    assert looking_at(World().result(50, planned=80)) == Anytime.at(50, narrowest_at(0))
    watched = World().result(500)
    watched.manifest["stopping"] = {"rule": "precision", "narrowest_at": 700}
    assert looking_at(watched) == Anytime.at(500, 700)
    assert not is_anytime(done.manifest, done.n_games)
    assert is_anytime(going_on.manifest, going_on.n_games)
    assert is_anytime(watched.manifest, watched.n_games)


def test_every_table_uses_it():
    """Intervals of an interrupted run are wider throughout, estimates are the same."""
    done, going_on = (tables(World("ABC").result(500, planned=planned)) for planned in (None, 8000))
    for name, columns in {
        "summary": ("win_share", "score", "margin"),
        "components": ("",),
        "measures": ("",),
        "flags": ("rate", "with", "difference"),
        "flags_all": ("with", "difference"),
        "pairs": ("", "score_difference"),
    }.items():
        n_wider = 0
        for column in columns:
            low, high = ((f"{column}_{end}" if column else end) for end in ("low", "high"))
            widths = [(table[name][high] - table[name][low]) for table in (done, going_on)]
            shown = widths[0].notna() & (widths[0] > 1e-9)
            assert (widths[1][shown] > 1.2 * widths[0][shown]).all(), (name, column)
            n_wider += int(shown.sum())
        assert n_wider, name
    for name in ("flags", "pairs"):
        known = done[name]["p"].notna()
        assert (going_on[name]["p"][known] >= done[name]["p"][known]).all()
    assert done["summary"]["win_share"].equals(going_on["summary"]["win_share"])
    assert by_entrant(World("ABC").result(500))[0]["rate"] == done["flags"]["rate"][0]


def test_settling_takes_more_blocks_when_looked_at_often():
    once, often = (blocks_to_settle(0.02, 1e4, 1000, 3, LEVEL, looking) for looking in (ONCE, Anytime.at(1000, 1000)))
    assert 1.2 * once < often < 2.5 * once
    pair = pairs(World("AB", strength=(0.3, 0.0)).result(300, planned=3000))[0]
    assert pair.blocks_to_settle > 300


# --- the sequential probability ratio test ---


def plain_loop(differences, margin):
    """The test as a textbook has it, block by block: of normal densities, decision and block."""
    for n in range(100, len(differences) + 1):
        x = differences[:n]
        variance = (((x - x.mean()) ** 2).sum() + 4) / (n + 3)
        ratio = (
            stats.norm.logpdf(x, margin, math.sqrt(variance)).sum() - stats.norm.logpdf(x, 0, math.sqrt(variance)).sum()
        )
        if abs(ratio) >= math.log(20):
            return ratio > 0, n
    return None, len(differences)


@pytest.mark.parametrize("true", [-0.05, 0.0, 0.1, 0.2])
def test_the_sequential_test_against_a_plain_loop(true):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        d = np.clip(rng.normal(true, 0.4, 1500), -1, 1).round(2)
        found = None, len(d)
        for n in range(100, len(d) + 1):
            decided = sprt_decision(log_likelihood_ratio(d[:n].mean(), d[:n].var() * n, n, 0.1))
            if decided is not None:
                found = decided, n
                break
        assert found == plain_loop(d, 0.1)


def test_the_sequential_test_where_nothing_varies():
    assert sprt_decision(log_likelihood_ratio(0.0, 0.0, 100, 0.01)) is None
    assert sprt_decision(log_likelihood_ratio(0.0, 0.0, 1000, 0.01)) is False
    assert sprt_decision(log_likelihood_ratio(1.0, 0.0, 100, 0.01)) is True
    assert sprt_decision(log_likelihood_ratio(-1.0, 0.0, 100, 0.01)) is False
    assert math.isfinite(log_likelihood_ratio(0.5, 0.0, 1, 0.01))
