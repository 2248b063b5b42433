"""Claims of a winner, tried on fresh luck: against scipy, and by simulation with known truth."""

import numpy as np
import pytest
from scipy import stats
from simulated import World, result_of

from analysis import confirmation as confirm
from analysis.confirmation import Claim
from simcore.contract import TaflError

CLEAR = World("ABCD", strength=(3.0, 0.5, 0.0, -0.5))
EVEN = World("ABCD", strength=(0.0,) * 4, threshold=(0.5,) * 4)


def test_the_claims_are_the_fair_share_and_every_rival_told_apart():
    found = confirm.claims(CLEAR.result(2000))
    assert found == [Claim("A", None), Claim("A", "B"), Claim("A", "C"), Claim("A", "D")]


def test_the_p_values_are_one_sided_score_tests():
    world = World("ABCA", strength=(0.6, 0.0, -0.3), threshold=(0.5,) * 3)
    rows = world.rows(1500, 3)
    result = result_of(world, rows)
    won = [world.by_block(rows[..., 0], e) / 60 / len(world.seating) / world.copies[e] for e in range(3)]
    interval, p = confirm.lead(result, Claim("A", None))
    assert interval.estimate == pytest.approx(won[0].mean() - 0.25)
    # the score test takes the variance at the null, the t test at the estimate: the same in large samples
    expected = stats.ttest_1samp(won[0], 0.25, alternative="greater").pvalue
    assert np.log(p) == pytest.approx(np.log(expected), rel=0.15)
    for claim, difference in ((Claim("A", "B"), won[0] - won[1]), (Claim("C", "B"), won[2] - won[1])):
        interval, p = confirm.lead(result, claim)
        assert interval.estimate == pytest.approx(difference.mean())
        assert interval.low < interval.estimate < interval.high
        expected = stats.ttest_1samp(difference, 0, alternative="greater").pvalue
        assert np.log(p) == pytest.approx(np.log(expected), rel=0.05, abs=0.02)


def test_a_real_lead_holds_and_a_turned_one_is_reversed():
    first = CLEAR.result(2000, 1)
    assert {v.outcome for v in confirm.judge(first, CLEAR.result(2000, 2))} == {"holds"}
    turned = World("ABCD", strength=(-3.0, 0.5, 0.0, 3.0)).result(2000, 3)
    outcome = {v.claim.rival: v.outcome for v in confirm.judge(first, turned)}
    assert outcome == {None: "reversed", "B": "reversed", "C": "reversed", "D": "reversed"}


def test_one_block_of_fresh_luck_confirms_nothing():
    for verdict in confirm.judge(CLEAR.result(2000, 1), CLEAR.result(1, 2)):
        assert verdict.outcome == "not confirmed"
        assert verdict.p_holm is None
        assert verdict.fresh.low is None


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (World("AAAA", strength=(0.0,), threshold=(0.5,)).result(50), "no winner to confirm"),
        (CLEAR.result(1), "too few blocks"),
        (EVEN.result(30), "nothing of its winner beyond chance"),
    ],
)
def test_what_claims_nothing_is_said(result, words):
    with pytest.raises(TaflError, match=words):
        confirm.claims(result)


def test_a_lead_that_was_chance_is_rarely_confirmed():
    """Of strategies that are equal, whatever the first run picked holds in at most 5 % of confirmations."""
    first = CLEAR.result(2000, 1)  # claims four leads, none of which exists in the world below
    n, wrong = 400, 0
    for seed in range(n):
        wrong += any(v.outcome == "holds" for v in confirm.judge(first, EVEN.result(60, 10_000 + seed)))
    assert wrong <= stats.binom.ppf(0.9999, n, 0.05)
    assert wrong >= 1  # the test is no formality: chance does confirm now and then
