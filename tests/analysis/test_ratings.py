"""Ratings against independent fits, their intervals against known truth, and what happens at the ends."""

import choix
import numpy as np
import pytest
from fields import all_places, chance, draw, field
from scipy import optimize, stats

from analysis import ratings
from analysis.places import count_places
from analysis.ratings import Model, fit_ratings, stages
from simcore.blocks import entrants, seatings

PAIRS = [(0, 1), (0, 2), (1, 2)]


def test_places_come_from_choices():
    assert stages((1, 2, 2, 4)) == (((0, 1, 2, 3), (0,)), ((1, 2, 3), (1, 2)))
    assert stages((1, 1, 1)) == (((0, 1, 2), (0, 1, 2)),)
    assert [len(all_places(n)) for n in (2, 3, 4)] == [3, 13, 75]


def test_without_ties_it_is_plackett_luce(monkeypatch):
    monkeypatch.setattr(ratings, "PRIOR", 1e-7)
    truth = [0.8, 0.1, -0.3, -0.6]
    lineups = [(0, 1, 2), (1, 2, 3), (0, 2, 3), (0, 1, 3)]
    drawn = field(lineups, truth, {}, 60, 3)
    rankings = []
    for one in drawn:
        for places, n in zip(one.places, one.counts, strict=True):
            rankings += [tuple(int(i) for i in one.items[np.argsort(places)])] * int(n)
    expected = choix.opt_rankings(4, rankings, alpha=1e-9, tol=1e-10)
    found = fit_ratings(drawn, 4)
    assert found.tie_sizes == ()
    np.testing.assert_allclose(found.rating, expected - expected.mean(), atol=1e-4)


def brute_value(theta, drawn, n, tie_sizes):
    """The log-likelihood with the prior, from `fields.chance` alone."""
    delta = {1: 1.0, **{size: np.exp(x) for size, x in zip(tie_sizes, theta[n:], strict=True)}}
    value = 0.5 * np.log(1 / (1 + np.exp(-theta))).sum() + 0.5 * np.log(1 / (1 + np.exp(theta))).sum()
    for one in drawn:
        strength = np.exp(theta[:n])[one.items]
        value += sum(c * np.log(chance(tuple(p), strength, delta)) for p, c in zip(one.places, one.counts, strict=True))
    return value


@pytest.mark.parametrize(
    ("lineups", "delta"),
    [(PAIRS, {2: 0.4}), ([(0, 1, 2), (0, 0, 1), (2, 1, 2)], {2: 0.3, 3: 0.2}), ([(0, 1, 2, 2)], {2: 0.3, 4: 0.6})],
)
def test_with_ties_it_is_the_maximum_of_the_likelihood(lineups, delta):
    drawn = field(lineups, [0.7, 0.0, -0.5], delta, 40, 8)
    found = fit_ratings(drawn, 3)
    start = np.zeros(3 + len(found.tie_sizes))
    best = optimize.minimize(lambda x: -brute_value(x, drawn, 3, found.tie_sizes), start, method="BFGS", tol=1e-9)
    np.testing.assert_allclose(found.rating, best.x[:3] - best.x[:3].mean(), atol=1e-4)
    np.testing.assert_allclose(found.log_delta, best.x[3:], atol=1e-4)


def test_the_intervals_are_those_of_a_sandwich_by_blocks():
    """Derivatives by differences, blocks one by one: nothing of the model's own algebra."""
    lineups = [(0, 1, 2), (0, 1, 1)]
    seats = [entrants([str(i) for i in items]) for items in lineups]
    luck = np.random.default_rng(4)
    places, drawn = [], []
    for names, taken in seats:
        seating = seatings(taken)
        score = luck.integers(0, 5, (25, *seating.shape)) + luck.integers(0, 6, (25, 1, seating.shape[1]))
        place = 1 + (score[..., None, :] > score[..., :, None]).sum(axis=-1)
        places.append((place, seating, [int(name) for name in names]))
        drawn.append(count_places(place, taken, seating, np.array([int(name) for name in names])))
    found = fit_ratings(drawn, 3)
    theta = np.concatenate([found.rating, found.log_delta])
    shift = optimize.minimize_scalar(
        lambda s: -brute_value(theta + s * (np.arange(len(theta)) < 3), drawn, 3, found.tie_sizes)
    )
    theta = theta + shift.x * (np.arange(len(theta)) < 3)

    def of_game(x, place, items):
        delta = {1: 1.0, **{size: np.exp(d) for size, d in zip(found.tie_sizes, x[3:], strict=True)}}
        return np.log(chance(tuple(place), np.exp(x[:3])[items], delta))

    middle = np.zeros((len(theta), len(theta)))
    for place, seating, numbers in places:
        gradients = np.zeros((len(place), len(theta)))
        for b in range(len(place)):
            for g, row in enumerate(seating):
                items = [numbers[e] for e in row]
                gradients[b] += optimize.approx_fprime(theta, of_game, 1e-7, place[b, g], items)
        middle += np.cov(gradients.T) * len(place)
    likely = 1 / (1 + np.exp(-theta))
    middle += np.diag(likely * (1 - likely))
    step = 1e-4 * np.eye(len(theta))
    value = lambda x: brute_value(x, drawn, 3, found.tie_sizes)  # noqa: E731
    curvature = -np.array(
        [
            [
                (value(theta + a + b) - value(theta + a - b) - value(theta - a + b) + value(theta - a - b)) / 4e-8
                for b in step
            ]
            for a in step
        ]
    )
    inverse = np.linalg.inv(curvature)
    centre = np.eye(3) - 1 / 3
    expected = centre @ (inverse @ middle @ inverse)[:3, :3] @ centre
    np.testing.assert_allclose(found.covariance, expected, rtol=2e-3, atol=1e-5)
    t = stats.t.ppf(0.975, 48)
    np.testing.assert_allclose(found.high - found.rating, t * np.sqrt(np.diag(expected)), rtol=2e-3)


def test_chance_against_an_average_rival():
    found = fit_ratings(field(PAIRS, [1.0, 0.0, -1.0], {2: 0.5}, 300, 2), 3)
    strength, delta = np.exp(found.rating), {1: 1.0, 2: float(np.exp(found.log_delta[0]))}
    for i in range(3):
        pair = [strength[i], 1.0]
        expected = chance((1, 2), pair, delta) + chance((1, 1), pair, delta) / 2
        assert found.chance[i] == pytest.approx(expected)
    assert ((found.chance_low < found.chance) & (found.chance < found.chance_high)).all()


def covered(n_runs, n_blocks, lineups, truth, delta, shared, seed=0):
    """Share of runs whose interval holds the true rating, for each strategy."""
    centred = np.array(truth) - np.mean(truth)
    hits = np.zeros(len(truth))
    for run in range(n_runs):
        found = fit_ratings(field(lineups, truth, delta, n_blocks, seed + run, shared), len(truth))
        hits += (found.low <= centred) & (centred <= found.high)
    return hits / n_runs


@pytest.mark.parametrize("shared", [0.0, 0.6])
def test_intervals_hold_the_truth(shared):
    """95 % with dependence inside blocks too; 300 runs: between 90.5 % and 98.5 % but for one test in a thousand."""
    share = covered(300, 30, PAIRS, [0.6, 0.0, -0.4], {2: 0.3}, shared)
    assert ((share > 0.905) & (share < 0.985)).all(), share


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lineups", "n_blocks", "delta", "shared"),
    [
        (PAIRS, 200, {2: 0.2}, 0.5),
        ([(0, 1, 2, 3), (0, 0, 1, 2), (1, 3, 3, 2)], 40, {2: 0.2, 3: 0.1}, 0.5),
        ([(0, 1, 2), (1, 2, 3), (0, 2, 3), (0, 1, 3)], 10, {2: 0.2}, 0.9),
    ],
)
def test_intervals_hold_the_truth_in_many_runs(lineups, n_blocks, delta, shared):
    share = covered(1000, n_blocks, lineups, [0.6, 0.1, -0.2, -0.5][: 1 + max(map(max, lineups))], delta, shared, 10**6)
    assert ((share > 0.925) & (share < 0.975)).all(), share


def of_places(place, n_blocks, names=("0", "1")):
    """One pair of strategies that ends each game of each block with these places, by strategy."""
    _, seats = entrants(list(names))
    seating = seatings(seats)
    rows = np.array([[np.array(place)[row] for row in seating]] * n_blocks)
    return count_places(rows, seats, seating, np.arange(len(set(names))))


def test_who_wins_everything_has_a_finite_rating_and_a_wide_interval():
    found = fit_ratings([of_places((1, 2), 500)], 2)
    assert found.separated
    assert found.rating[0] == -found.rating[1] > 2
    assert np.isfinite(found.high).all()
    assert found.low[0] > found.high[1]  # it is the stronger one, that much is sure
    assert found.high[0] - found.low[0] > 2
    more = fit_ratings([of_places((1, 2), 50_000)], 2)
    assert more.rating[0] > found.rating[0]
    assert 0.99 < more.chance[0] < 1


def test_one_loss_ends_the_separation():
    places = np.array([[[1, 2], [2, 1]]] * 500)
    places[7, 0] = [2, 1]
    found = fit_ratings([count_places(places, np.array([0, 1]), np.array([[0, 1], [1, 0]]), np.arange(2))], 2)
    assert not found.separated


def test_all_ties():
    found = fit_ratings([of_places((1, 1), 100)], 2)
    assert found.rating.tolist() == [0, 0]
    assert not found.separated
    assert found.chance.tolist() == pytest.approx([0.5, 0.5])
    assert np.isfinite(found.log_delta).all()
    assert 2 < found.log_delta[0] < 20


def test_identical_strategies_are_not_told_apart():
    found = fit_ratings(field(PAIRS, [0, 0, 0], {2: 0.3}, 100, 5), 3)
    assert (found.low < 0).all()
    assert (found.high > 0).all()


def test_one_block_has_no_interval():
    found = fit_ratings([draw((0, 1), [0.3, 0.0], {2: 0.3}, 1, 1)], 2)
    assert not found.known
    assert np.isfinite(found.rating).all()
    assert np.isnan(found.se).all()


def test_resampled_counts_give_the_same_statistics_one_by_one():
    drawn = field([(0, 1, 1), (0, 1, 2)], [0.4, 0.0, -0.4], {2: 0.3}, 20, 5)
    model = Model(drawn, 3)
    luck = np.random.default_rng(1)
    counts = [luck.integers(0, 9, (4, len(one.counts))).astype(float) for one in drawn]
    total, often = model.statistics(counts)
    for number in range(4):
        one_total, one_often = model.statistics([c[number] for c in counts])
        np.testing.assert_allclose(total[number], one_total)
        for size in often:
            np.testing.assert_allclose(often[size][number], one_often[size])
