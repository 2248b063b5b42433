"""Simulation with known truth: intervals, tests and rules err as seldom as they say however often one looks."""

import numpy as np
import pytest
from looking import Runs, anytime, difference, intervals, looks_from, missed, most_missed, play_until, truth
from simulated import World
from test_coverage import WORLDS

from analysis.intervals import ONCE
from analysis.paired import holm, pairs, share_difference
from analysis.sequential import Anytime, log_likelihood_ratio, sprt_decision
from analysis.shares import win_share
from analysis.stopping import AHEAD, NOT_AHEAD, Distinguished, Precision, Sprt

RARE = {
    "a rare winner with a rare flag": World("AB", strength=(-22.0, 0.0), threshold=(2.2, 2.2)),
    "single games, rarely won": World("AB", mode="fixed", strength=(-20.0, 0.0), threshold=(2.0, 2.0)),
}


@pytest.mark.parametrize("world", [World("AB"), RARE["single games, rarely won"]], ids=["two", "rarely won"])
def test_intervals_hold_at_every_look(world):
    found = missed(world, 300, looks_from(20, 800), 3, anytime(100))
    assert max(found.values()) < most_missed(300), found


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WORLDS, *RARE])
def test_intervals_hold_at_every_look_of_many_runs(name):
    found = missed((WORLDS | RARE)[name], 1000, looks_from(10, 1500), 4, anytime(100))
    assert max(found.values()) < most_missed(1000), found


def test_intervals_for_one_look_fail_when_one_looks_again_and_again():
    """The control: this is what it would be without; the same simulation finds it out."""
    found = missed(World("AB"), 300, looks_from(20, 800), 3, lambda n: ONCE)
    assert min(found.values()) > 0.15, found


def smallest_p(world, n_runs, looks, seed, looking_at):
    """Return float64[n_runs]: the smallest p value of equal win shares of the first two, over all looks."""
    runs = Runs(world, n_runs, looks, seed)
    smallest = np.ones(n_runs)
    for look, n in enumerate(looks):
        looking = looking_at(n)
        for run in range(n_runs):
            p = share_difference(*difference(runs, runs.at(run, look), n), n, 0.95, looking)[1]
            smallest[run] = min(smallest[run], p)
    return smallest


EQUAL = World("AB", strength=(0.0, 0.0), threshold=(0.5, 0.5))


def test_equal_strategies_are_hardly_ever_told_apart():
    looks = looks_from(20, 2000)
    assert (smallest_p(EQUAL, 400, looks, 6, anytime(200)) < 0.05).mean() < most_missed(400)
    assert (smallest_p(EQUAL, 400, looks, 6, lambda n: ONCE) < 0.05).mean() > 0.15


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.2, 0.05, 0.01])
def test_p_values_are_right_at_every_level(level):
    for world in (EQUAL, World("AB", strength=(0.0, 0.0), mode="fixed")):
        found = (smallest_p(world, 2000, looks_from(20, 2000), 7, anytime(200)) < level).mean()
        assert found < most_missed(2000, level)


# --- what is true when a rule stops ---


def stopping_by(world, rule, n_runs, most, seed):
    """Return for each run that stopped: its answer, its blocks, its result."""
    found = [play_until(world, rule, most, seed + run) for run in range(n_runs)]
    return [(stop.answer, stop.n_blocks, last) for stop, last in found if stop is not None]


def check_precision(world, half_width, n_runs, most):
    true = truth(world)["win share"]
    stopped = stopping_by(world, Precision(half_width), n_runs, most, 1000)
    assert len(stopped) == n_runs
    wrong = 0
    for answer, _, last in stopped:
        shares = [win_share(last, entrant) for entrant in range(len(world.names))]
        assert answer == "precise"
        assert max(share.high - share.low for share in shares) / 2 <= half_width
        wrong += not shares[0].low <= true <= shares[0].high
    assert wrong / n_runs < most_missed(n_runs)
    blocks = [n for _, n, _ in stopped]
    assert 100 <= np.median(blocks) < most


def check_distinguished(n_runs, most):
    world = World("AB", strength=(2.0, 0.0))
    true = truth(world)["paired difference"]
    stopped = stopping_by(world, Distinguished(), n_runs, most, 5000)
    assert len(stopped) > 0.9 * n_runs
    wrong = 0
    for _, _, last in stopped:
        gap = pairs(last)[0].win_share
        assert not gap.low <= 0 <= gap.high
        wrong += not gap.low <= true <= gap.high
    assert wrong / n_runs < most_missed(n_runs)
    assert len(stopping_by(EQUAL, Distinguished(), n_runs, most, 9000)) / n_runs < most_missed(n_runs)


def check_sprt(n_runs, most):
    ahead = World("AB", strength=(2.0, 0.0), threshold=(0.5, 0.5))
    margin = truth(ahead)["paired difference"]
    assert 0.05 < margin < 0.3
    for world, wrong_answer in ((ahead, NOT_AHEAD), (EQUAL, AHEAD)):
        stopped = stopping_by(world, Sprt("A", "B", margin), n_runs, most, 3000)
        assert len(stopped) > 0.95 * n_runs
        assert sum(answer == wrong_answer for answer, _, _ in stopped) / n_runs < most_missed(n_runs)
    behind = stopping_by(ahead, Sprt("B", "A", margin), 20, most, 4000)
    assert {answer for answer, _, _ in behind} == {NOT_AHEAD}


def test_rules_stop_with_what_is_true():
    check_precision(World("ABC", strength=(3.0, 0.0, -2.0), threshold=(0.5,) * 3), 0.06, 60, 2000)
    check_distinguished(60, 1000)
    check_sprt(60, 1500)


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_precision_stops_with_the_truth_inside(name):
    check_precision(WORLDS[name], 0.05, 400, 4000)


@pytest.mark.slow
def test_the_other_rules_stop_with_what_is_true_in_many_runs():
    check_distinguished(1000, 1500)
    check_sprt(1000, 2500)


@pytest.mark.slow
def test_the_sequential_test_errs_as_seldom_as_it_says():
    """Many runs, rare and single games too; for a difference of 0 and for one of the margin."""
    worlds = {
        "two": World("AB", strength=(1.0, 0.0), threshold=(0.5, 0.5)),
        "single games": World("AB", strength=(1.0, 0.0), threshold=(0.5, 0.5), mode="fixed"),
        "four": World(strength=(1.0, 0.0, 8.0, 8.0), threshold=(0.5,) * 4),
    }
    n_runs, looks = 1000, [n for n in looks_from(20, 6000) if n >= 100]
    for name, ahead in worlds.items():
        margin = truth(ahead, 2_000_000)["paired difference"]
        equal = World(ahead.lineup, (0.0, *ahead.strength[1:]), ahead.threshold, ahead.mode)
        for world, wrong in ((ahead, False), (equal, True)):
            runs, decided = Runs(world, n_runs, looks, 11), {}
            for look, n in enumerate(looks):
                for run in set(range(n_runs)) - decided.keys():
                    ratio = log_likelihood_ratio(*difference(runs, runs.at(run, look), n), n, margin)
                    found = sprt_decision(ratio)
                    if found is not None:
                        decided[run] = found
            assert sum(found == wrong for found in decided.values()) / n_runs < most_missed(n_runs), name


@pytest.mark.slow
def test_all_pairs_together_are_told_apart_in_error_in_one_run_of_twenty():
    """Holm over all pairs of four equal strategies, looked at again and again."""
    world = World(strength=(0.0,) * 4, threshold=(0.5,) * 4)
    looks, n_runs, most = looks_from(100, 1500), 600, 1500
    games = len(world.seating)
    wrong = np.zeros(n_runs, bool)
    for run in range(n_runs):
        win = world.play(most, 70_000 + run)["win"]
        share = np.array([world.by_block(win, e) for e in range(4)]) / 60 / games
        for n in looks:
            p = []
            for a in range(4):
                for b in range(a + 1, 4):
                    x = share[a, :n] - share[b, :n]
                    p.append(share_difference(x.mean(), x.var() * n, n, 0.95, Anytime.at(n, 300))[1])
            wrong[run] |= min(holm(p)) < 0.05
    assert wrong.mean() < most_missed(n_runs)


def test_what_the_simulation_takes_for_intervals_are_those_of_a_run():
    """The sums at a look give the numbers of a result with the same blocks."""
    world = World("ABC", strength=(1.0, 0.0, 0.0), threshold=(0.5,) * 3)
    runs = Runs(world, 3, [150, 300], 77, batch=10**6)
    result = world.result(900, 77)
    found = intervals(Runs(world, 1, [900], 77), 0, 0, ONCE)
    assert found["win share"] == win_share(result, 0)
    assert found["p"] == pairs(result)[0].p
    assert runs.at(0, 1)["w"] + runs.at(1, 1)["w"] + runs.at(2, 1)["w"] == result.sums["total"][0, 0]
