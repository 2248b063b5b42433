"""Resampled tournaments: their spread is that of the sandwich, and their mixes are those of their games."""

import numpy as np
import pytest
from fields import draw, field

from analysis.equilibrium import largest_gain
from analysis.metagame import payoff_tensor
from analysis.ratings import Model, rate
from analysis.stability import _drawn, mix_of, resample

PAIRS = [(0, 1), (0, 2), (1, 2)]


def test_the_spread_of_resamples_is_the_standard_error():
    drawn = field(PAIRS, [0.5, 0.0, -0.5], {2: 0.3}, 200, 3, 0.5)
    model = Model(drawn, 3)
    found = resample(model, drawn, 2, 1, 400)
    fitted = rate(model, drawn)
    np.testing.assert_allclose(found.rating.std(axis=0), fitted.se, rtol=0.15)
    np.testing.assert_allclose(found.rating.mean(axis=0), fitted.rating, atol=0.3 * fitted.se.min())
    assert found.first.sum() == pytest.approx(1)
    assert found.first[0] > 0.99


def test_resampled_mixes_are_equilibria():
    lineups = [(0, 0, 1), (0, 1, 1)]
    drawn = field(lineups, [0.2, 0.0], {2: 0.3}, 30, 3)
    found = resample(Model(drawn, 2), drawn, 3, 5, 20)
    luck = np.random.default_rng(5)
    counts = [_drawn(one, luck, 20) for one in drawn]
    for number in range(20):
        shares = {
            lineup: {i: float(one.win_share(i) @ c[number] / c[number].sum()) for i in set(lineup)}
            for lineup, one, c in zip(lineups, drawn, counts, strict=True)
        }
        payoff = payoff_tensor(shares, 2, 3)
        assert largest_gain(payoff, found.mix[number]) < 1e-9
        np.testing.assert_allclose(found.mix[number], mix_of(payoff))
    assert found.alpha.sum(axis=1) == pytest.approx(np.ones(20))
    assert ((found.in_mix >= 0) & (found.in_mix <= 1)).all()


def test_the_same_seed_draws_the_same():
    drawn = field(PAIRS, [0.5, 0.0, -0.5], {2: 0.3}, 20, 3)
    model = Model(drawn, 3)
    first, again, other = (resample(model, drawn, 2, seed, 10) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.rating, again.rating)
    assert (first.rating != other.rating).any()


def test_a_game_that_is_not_complete_has_no_mix():
    drawn = field(PAIRS[:2], [0.5, 0.0, -0.5], {2: 0.3}, 20, 3)
    assert resample(Model(drawn, 3), drawn, 2, 1, 5).mix is None


def test_one_block_cannot_be_resampled():
    drawn = [draw((0, 1), [0.3, 0.0], {2: 0.3}, 1, 1)]
    assert resample(Model(drawn, 2), drawn, 2, 1) is None
