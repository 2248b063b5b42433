"""Numbers over several line-ups: their formulas, their coverage, and how rarely they claim what is not."""

import numpy as np
import pytest
from scipy import stats
from simulated import World

from analysis.intervals import ONE_BLOCK
from analysis.standings import (
    NEVER_MET,
    Part,
    combine,
    difference_interval,
    difference_part,
    mean_interval,
    measure_part,
    meetings,
    share_interval,
)


def part_of(values):
    values = np.asarray(values, float)
    return Part(float(values.mean()), float(((values - values.mean()) ** 2).sum()), len(values))


def test_line_ups_count_alike_whatever_they_played():
    few, many = np.array([0.0, 2.0]), np.array([10.0, 11, 12, 13])
    found = combine([part_of(few), part_of(many)])
    assert found.mean == pytest.approx((few.mean() + many.mean()) / 2)
    variance = (few.var(ddof=1) / 2 + many.var(ddof=1) / 4) / 4
    assert found.variance == pytest.approx(variance)
    welch = stats.ttest_ind(few, -many, equal_var=False)  # the sum of two means: Satterthwaite's degrees of freedom
    assert found.df == pytest.approx(welch.df)
    interval = mean_interval([part_of(few), part_of(many)])
    assert interval.se == pytest.approx(np.sqrt(variance))
    assert interval.low < 6.25 < interval.high


def test_one_line_up_is_a_run_of_its_own():
    from analysis.paired import pairs
    from analysis.tables import tables

    result = World("ABCA", strength=(1.0, 0.5, -0.5), threshold=(0.5, 0.8, 0.3)).result(60)
    found = tables(result)["summary"].set_index("strategy")
    for name in result.names:
        share = share_interval([measure_part(result, name, "win")])
        row = found.loc[name]
        assert (share.estimate, share.low, share.high) == pytest.approx(
            (row["win_share"], row["win_share_low"], row["win_share_high"])
        )
        score = mean_interval([measure_part(result, name, "score")])
        assert (score.estimate, score.low) == pytest.approx((row["score_mean"], row["score_low"]))
    pair = pairs(result)[0]
    interval, p = difference_interval([difference_part(result, pair.a, pair.b)])
    assert (interval.estimate, interval.low, interval.high, p) == pytest.approx(
        (pair.win_share.estimate, pair.win_share.low, pair.win_share.high, pair.p)
    )


def test_what_is_not_determined_says_so():
    assert share_interval([]).note == NEVER_MET
    assert difference_interval([])[1] is None
    one = Part(0.4, 0.0, 1)
    assert (share_interval([one]).estimate, share_interval([one]).low, share_interval([one]).note) == (
        0.4,
        None,
        ONE_BLOCK,
    )
    assert difference_interval([one, part_of([0.1, 0.2])])[1] is None
    won = Part(1.0, 0.0, 50)
    assert share_interval([won, won]).low < 1 == share_interval([won, won]).high
    assert mean_interval([won]).low is None


LINEUPS = ("AB", "AC", "BC", "ABC", "AABC")
STRENGTH = {"A": 0.6, "B": 0.0, "C": -0.4}


def played(n_blocks, seed, strength):
    """Return runs of line-ups at tables of two to four; the luck of each is its own."""
    found = []
    for number, lineup in enumerate(LINEUPS):
        names = list(dict.fromkeys(lineup))
        world = World(lineup, tuple(strength[n] for n in names), (0.5,) * len(names))
        found.append(world.result(n_blocks, 1000 * seed + number))
    return found


def test_shares_over_line_ups_hold_the_truth():
    """The truth is many blocks' mean; 95 % intervals over 300 tournaments of 12 blocks a line-up."""
    large = played(40_000, 99, STRENGTH)

    def shares(results):
        return [[measure_part(r, name, "win") for r in results if name in r.names] for name in "ABC"]

    truth = [combine(parts).mean for parts in shares(large)]
    hits = np.zeros(3)
    for seed in range(300):
        for i, parts in enumerate(shares(played(12, seed, STRENGTH))):
            interval = share_interval(parts)
            hits[i] += interval.low <= truth[i] <= interval.high
    assert ((hits / 300 > 0.91) & (hits / 300 <= 1)).all(), hits / 300


def test_equal_strategies_are_rarely_told_apart():
    """Holm over all pairs: at most one tournament in twenty claims anything; 400 tournaments."""
    equal = dict.fromkeys("ABC", 0.0)
    wrong = sum(any(m.winner for m in meetings(played(15, seed, equal), list("ABC"))) for seed in range(400))
    assert wrong <= 33  # 20 expected at most; 33 in fewer than one test of 300


def test_unequal_strategies_are_told_apart_the_right_way_round():
    found = meetings(played(2000, 1, {"A": 3.0, "B": 0.0, "C": -3.0}), list("ABC"))
    assert [(m.a, m.b, m.winner, m.n_lineups) for m in found] == [
        ("A", "B", "A", 3),
        ("A", "C", "A", 3),
        ("B", "C", "B", 3),
    ]
    assert found[0].n_blocks == 6000
    assert all(m.p <= m.p_holm for m in found)
