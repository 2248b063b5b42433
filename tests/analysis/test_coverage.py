"""Simulation with known truth: intervals cover it as often as they say, tests err as seldom as they say.

Each world is played many times over; its truth comes from 400,000 blocks of its own. See `simulated.World` for how the
games of a block depend on each other.
"""

import numpy as np
import pytest
from simulated import World

from analysis.flags import cross_error
from analysis.intervals import (
    RatioMoments,
    mean_interval,
    ratio_difference,
    ratio_interval,
    ratio_mean_interval,
    share_of_blocks,
)
from analysis.paired import blocks_to_settle, holm, share_difference

N_RUNS = 1000
LEAST = 0.95 - 4 * (0.95 * 0.05 / N_RUNS) ** 0.5
"""What 1000 runs show of a true 95 %, four standard deviations down."""

WORLDS = {
    "four strategies": World(),
    "two, twice each": World("ABAB"),
    "mostly luck": World("AB", shared=20.0, own=1.0),
    "a rare winner": World(strength=(-12.0, 2.0, 0.0, 1.0)),
    "a sure winner": World("AB", strength=(16.0, 0.0)),
    "fixed seats": World("AB", mode="fixed"),
    "a rare flag": World("ABCDE", strength=(0.0,) * 5, threshold=(2.2,) * 5),
}


def block_values(world, games):
    """By entrant: wins, scores; of the first entrant: seat-games with the flag, wins with it, scores times wins."""
    entrants = range(len(world.names))
    return (
        [world.by_block(games["win"], e) for e in entrants],
        [world.by_block(games["score"], e) for e in entrants],
        world.by_block(games["flag"], 0),
        world.by_block(games["flag"] * games["win"], 0),
        world.by_block(games["score"] * games["win"], 0),
    )


def moments(w, n, unit=60):
    w, n = w.astype(object), n.astype(object)
    return RatioMoments(len(w), w.sum(), n.sum(), (w * w).sum(), (w * n).sum(), (n * n).sum(), unit)


def intervals(per_block, wins, scores, flag, flag_wins, won):
    """Everything that is estimated from one run."""
    n_blocks, win = len(flag), wins[0]
    inside, outside = moments(flag_wins, flag), moments(win - flag_wins, per_block[0] - flag)
    single = per_block[0] == 1
    cross = cross_error(inside, outside, per_block[0], int((flag * win).sum()), int((flag_wins * win).sum()))
    paired = win / per_block[0] / 60 - wins[1] / per_block[1] / 60
    return {
        "win share": share_of_blocks(int(win.sum()), int((win**2).sum()), n_blocks, per_block[0]),
        "score": mean_interval(int(scores[0].sum()), int((scores[0] ** 2).sum()), n_blocks, per_block[0]),
        "score when won": ratio_mean_interval(moments(won, win, 1)),
        "score when lost": ratio_mean_interval(moments(60 * scores[0] - won, 60 * per_block[0] - win, 1)),
        "flag rate": share_of_blocks(inside.n, inside.nn, n_blocks, per_block[0], 1),
        "flag win share": ratio_interval(inside, single),
        "flag difference": ratio_difference(inside, outside, cross, single)[0],
        "paired difference": share_difference(paired.mean(), paired.var() * n_blocks, n_blocks)[0],
    }


def truth(per_block, wins, scores, flag, flag_wins, won):
    n_blocks = len(flag)
    share = [w.sum() / 60 / n_blocks / k for w, k in zip(wins, per_block, strict=True)]
    with_it = flag_wins.sum() / 60 / flag.sum()
    without = (wins[0].sum() - flag_wins.sum()) / 60 / (n_blocks * per_block[0] - flag.sum())
    return {
        "win share": share[0],
        "score": scores[0].sum() / n_blocks / per_block[0],
        "score when won": won.sum() / wins[0].sum(),
        "score when lost": (60 * scores[0] - won).sum() / (60 * n_blocks * per_block[0] - wins[0].sum()),
        "flag rate": flag.sum() / n_blocks / per_block[0],
        "flag win share": with_it,
        "flag difference": with_it - without,
        "paired difference": share[0] - share[1],
    }


def coverage(world, n_blocks):
    """Share of runs whose interval holds the truth, by what is estimated; undetermined ones are left out."""
    per_block = [len(world.seating) * int(c) for c in world.copies]
    true = truth(per_block, *block_values(world, world.play(400_000, 99)))
    wins, scores, *others = block_values(world, world.play(N_RUNS * n_blocks, 5))
    covered = {name: [] for name in true}
    for run in range(N_RUNS):
        part = slice(run * n_blocks, (run + 1) * n_blocks)
        found = intervals(
            per_block, *([v[part] for v in values] for values in (wins, scores)), *(o[part] for o in others)
        )
        for name, interval in found.items():
            if interval.low is not None:
                covered[name].append(interval.low <= true[name] <= interval.high)
    return {name: float(np.mean(cases)) for name, cases in covered.items()}


@pytest.mark.parametrize("name", WORLDS)
def test_intervals_cover(name):
    found = coverage(WORLDS[name], 150)
    assert min(found.values()) > LEAST, found


def test_intervals_cover_with_few_blocks():
    found = coverage(WORLDS["four strategies"], 12)
    assert min(found.values()) > LEAST, found


def test_intervals_are_no_wider_than_needed():
    """With a few hundred blocks they cover about as often as they say, not always."""
    found = coverage(WORLDS["four strategies"], 400)
    assert max(found.values()) < 0.95 + 4 * (0.95 * 0.05 / N_RUNS) ** 0.5, found


@pytest.mark.parametrize("expected", [0.5, 2.0, 3.5, 5.0, 9.0])
def test_rare_one_sided_blocks(expected):
    """Two strategies that differ in a few blocks of 500 only, always the same way."""
    n, n_runs = 500, 4000
    count = np.random.default_rng(8).binomial(n, expected / n, n_runs)
    covered = 0
    for k, times in zip(*np.unique(count, return_counts=True), strict=True):
        k = int(k)
        found = share_of_blocks(60 * n + 60 * k, 3600 * (n - k) + 14_400 * k, n, 2)
        covered += times * (found.low <= 0.5 + 0.5 * expected / n <= found.high)
    assert covered / n_runs > 0.95 - 4 * (0.95 * 0.05 / n_runs) ** 0.5


def pair_tests(world, n_blocks, n_runs, seed):
    """Holm's p values of all pairs, one row a run; and the difference and standard error of the first pair."""
    per_block = len(world.seating)
    wins = np.array([world.by_block(world.play(n_runs * n_blocks, seed)["win"], e) for e in range(len(world.names))])
    share = (wins / 60 / per_block).reshape(len(world.names), n_runs, n_blocks)
    rows, first = [], []
    for run in range(n_runs):
        p_values = []
        for a in range(len(world.names)):
            for b in range(a + 1, len(world.names)):
                x = share[a, run] - share[b, run]
                interval, p, _ = share_difference(x.mean(), x.var() * n_blocks, n_blocks)
                assert (p < 0.05) == (not interval.low <= 0 <= interval.high)
                p_values.append(p)
                if (a, b) == (0, 1):
                    first.append((interval.estimate, interval.se))
        rows.append(holm(p_values))
    return np.array(rows), np.array(first)


@pytest.mark.parametrize("n_blocks", [15, 100])
def test_error_rate_of_the_pair_tests(n_blocks):
    """Four equal strategies: one pair or more is told apart in at most 5 % of the runs."""
    p_holm, _ = pair_tests(World(strength=(0.0,) * 4, threshold=(0.5,) * 4), n_blocks, N_RUNS, 3)
    assert (p_holm.min(axis=1) < 0.05).mean() < 0.05 + 4 * (0.05 * 0.95 / N_RUNS) ** 0.5


def test_blocks_that_settle_it_do():
    """Playing the blocks named tells a true difference apart in about four runs of five."""
    world = World("AB", strength=(1.0, 0.0))
    wins = [world.by_block(world.play(200_000, 4)["win"], e) for e in (0, 1)]
    x = (wins[0] - wins[1]) / 120
    _, _, n = share_difference(x.mean(), x.var() * len(x), len(x))
    needed = blocks_to_settle(x.mean(), n / 20_000, 10, 1)
    assert 50 < needed < 5000
    p_holm, _ = pair_tests(world, needed, 400, 6)
    assert 0.7 < (p_holm[:, 0] < 0.05).mean() < 0.88
