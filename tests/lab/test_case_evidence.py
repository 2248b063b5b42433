"""Measures of a case against pandas, differences against scipy, intervals of spreads and crossings by simulation."""

import math

import numpy as np
import pandas as pd
import pytest
from made_runs import made_run, rotations, won
from scipy import stats

from analysis import case_evidence as lab
from analysis.case_evidence import Evidence, difference, estimate, find_measure, jackknifed, measures_of
from analysis.intervals import BY_CONSTRUCTION, ONE_BLOCK, SAME
from simcore.contract import TaflError
from simcore.games_file import GAMES_NAME

NAMES = ("a", "b", "c")


def scores_of(rng, n_blocks, lead=0, n_seats=3):
    """Return scores with the luck of a block in common; strategy a is `lead` points ahead."""
    seats = rotations(n_seats)
    luck = rng.normal(0, 10, (n_blocks, 1, 1))
    own = rng.normal(0, 15, (n_blocks, n_seats, n_seats))
    return np.rint(100 + luck + own + lead * (seats == 0)).astype(np.int64)


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two cases on luck that is partly shared."""
    rng = np.random.default_rng(4)
    folder = tmp_path_factory.mktemp("cases")
    before = scores_of(rng, 80)
    after = before + np.rint(rng.normal(0, 4, before.shape)).astype(np.int64) + 3 * (rotations(3) == 0)
    length = rng.integers(30, 50, (2, 80, 3))
    return [
        Evidence(made_run(folder / str(i), rotations(3), won(score), score, NAMES, length=length[i]))
        for i, score in enumerate((before, after))
    ], folder


def plain(folder, number) -> dict[str, pd.Series]:
    """Return the block values of every measure that is a mean, by pandas."""
    rows = pd.read_parquet(folder / str(number) / GAMES_NAME)
    rows["game"] = np.arange(len(rows)) // 3
    rows["win"] /= 60
    found = {}
    for name in NAMES:
        own = rows[rows["strategy"] == name].groupby("block")
        found |= {f"win_share:{name}": own["win"].mean(), f"score:{name}": own["score"].mean()}
    for seat in range(3):
        found[f"seat:{seat + 1}"] = rows[rows["seat"] == seat].groupby("block")["win"].mean()
    games = rows.groupby(["block", "game"]).agg(score=("score", "mean"), best=("score", "max"))
    games["second"] = rows.groupby(["block", "game"])["score"].apply(lambda scores: sorted(scores)[-2])
    games["length"] = rows.groupby(["block", "game"])["n_decisions"].first()
    by_block = games.assign(ahead=games["best"] - games["second"]).groupby("block")
    return found | {
        "mean_score": by_block["score"].mean(),
        "winning_score": by_block["best"].mean(),
        "winning_margin": by_block["ahead"].mean(),
        "close_games": by_block["ahead"].apply(lambda ahead: (ahead <= 5).mean()),
        "length": by_block["length"].mean(),
    }


def test_measures_are_those_of_plain_pandas(two):
    (before, after), folder = two
    known = measures_of(NAMES, 3)
    for number, evidence in enumerate((before, after)):
        wanted = plain(folder, number)
        for measure in known:
            if not measure.is_spread:
                values = evidence.values(measure)[:, 0]
                np.testing.assert_allclose(values, wanted[measure.name], err_msg=measure.name)
                found = estimate(evidence, measure)
                assert found.estimate == pytest.approx(wanted[measure.name].mean())
                assert found.se == pytest.approx(wanted[measure.name].std() / math.sqrt(80))
                assert found.low < found.estimate < found.high
    assert {m.name for m in known if not m.is_spread} == set(plain(folder, 0))


def test_means_have_students_interval(two):
    (before, _), folder = two
    values = plain(folder, 0)["score:a"]
    low, high = stats.t.interval(0.95, 79, values.mean(), stats.sem(values))
    found = estimate(before, find_measure("score:a", measures_of(NAMES, 3)))
    assert (found.low, found.high) == pytest.approx((low, high))


def test_differences_are_paired(two):
    (before, after), folder = two
    one, other = plain(folder, 1), plain(folder, 0)
    for measure in measures_of(NAMES, 3):
        if not measure.is_spread:
            found = difference(after, before, measure)
            told = stats.ttest_rel(one[measure.name], other[measure.name])
            assert found.p == pytest.approx(told.pvalue, rel=1e-6), measure.name
            ends = told.confidence_interval()
            assert (found.interval.low, found.interval.high) == pytest.approx((ends.low, ends.high), abs=1e-9)


def test_a_difference_that_is_the_same_in_every_block_has_no_error(two):
    """Thirds of a win are not exact in binary: the rounding must not pass for an effect."""
    (before, _), _ = two
    for measure in measures_of(NAMES, 3):
        found = difference(before, before, measure)
        assert (found.interval.estimate, found.interval.se, found.p, found.interval.note) == (0.0, None, None, SAME)
    gaps = lab.paired(np.full(30, 1 / 3) + 0.1, np.full(30, 0.1))
    assert gaps.interval.note == SAME
    assert gaps.p is None
    values = np.full((31, 1), 0.1)
    assert jackknifed(lambda v: float(v.mean()), [values]).p is None


def test_cases_of_other_lengths_are_refused(two, tmp_path):
    (before, _), _ = two
    score = scores_of(np.random.default_rng(1), 7)
    short = Evidence(made_run(tmp_path / "r", rotations(3), won(score), score, NAMES))
    with pytest.raises(TaflError, match="number of blocks"):
        difference(short, before, measures_of(NAMES, 3)[0])


def test_one_strategy_alone_has_its_share_by_construction(tmp_path):
    score = scores_of(np.random.default_rng(1), 9)
    alone = Evidence(made_run(tmp_path / "r", np.zeros((3, 3), int), won(score), score, ("a",)))
    found = estimate(alone, find_measure("win_share:a", measures_of(("a",), 3)))
    assert (found.estimate, found.low, found.high, found.note) == (1 / 3, 1 / 3, 1 / 3, BY_CONSTRUCTION)


def test_whoever_never_wins_has_an_interval(tmp_path):
    score = scores_of(np.random.default_rng(1), 40, lead=-500)
    evidence = Evidence(made_run(tmp_path / "r", rotations(3), won(score), score, NAMES))
    found = estimate(evidence, find_measure("win_share:a", measures_of(NAMES, 3)))
    assert found.estimate == 0
    assert found.low == 0
    assert 0 < found.high < 0.15


def test_one_block_claims_nothing(tmp_path):
    score = scores_of(np.random.default_rng(1), 1)
    evidence = Evidence(made_run(tmp_path / "r", rotations(3), won(score), score, NAMES))
    for measure in measures_of(NAMES, 3):
        for found in (estimate(evidence, measure), difference(evidence, evidence, measure).interval):
            assert found.low is None
            assert found.note == ONE_BLOCK
            assert found.estimate is not None
            assert math.isfinite(found.estimate)


def test_an_unknown_measure_has_a_nearest():
    with pytest.raises(TaflError, match="win_share:a"):
        find_measure("winshare:a", measures_of(NAMES, 3))


# --- the jackknife ---


def test_leaving_single_blocks_out_of_a_mean_gives_its_standard_error():
    values = np.random.default_rng(2).normal(5, 2, (40, 1))
    found = jackknifed(lambda v: float(v.mean()), [values]).interval
    assert found.se == pytest.approx(stats.sem(values[:, 0]))
    low, high = stats.t.interval(0.95, 39, values.mean(), stats.sem(values[:, 0]))
    assert (found.low, found.high) == pytest.approx((low, high))


def test_leaving_groups_out_of_a_ratio_gives_about_its_linearised_error():
    rng = np.random.default_rng(3)
    x, y = rng.normal(10, 2, (1000, 1)), rng.normal(20, 3, (1000, 1))
    found = jackknifed(lambda a, b: float(a.mean() / b.mean()), [x, y]).interval
    ratio = x.mean() / y.mean()
    linear = (x - ratio * y).std(ddof=1) / y.mean() / math.sqrt(1000)
    assert found.se == pytest.approx(linear, rel=0.25)  # of 50 groups: its own error is 10 %


# --- spreads ---


def wins_of(rng, n_blocks, shares):
    """Return win shares by block of strategies that each game is drawn for: float64[n_blocks, k]."""
    k = len(shares)
    winner = rng.choice(k, (n_blocks, k), p=shares)
    return np.stack([(winner == i).mean(axis=1) for i in range(k)], axis=1)


def test_a_spread_is_about_right_at_any_size():
    rng = np.random.default_rng(6)
    for gap in (0.0, 0.05, 0.15):
        shares = np.array([1 / 3 + gap, 1 / 3, 1 / 3 - gap])
        true = math.sqrt(((shares - 1 / 3) ** 2).mean())
        squares = [lab._squared_spread(wins_of(rng, 100, shares), 1 / 3) for _ in range(200)]
        assert abs(np.mean(squares) - true**2) < 4 * stats.sem(squares)


def test_without_a_difference_a_spread_is_small():
    """Chance alone spreads three equal shares over 400 blocks by 1.4 points; what is reported is less."""
    rng = np.random.default_rng(7)
    found = [lab._spread_interval(wins_of(rng, 400, [1 / 3] * 3), 1 / 3) for _ in range(60)]
    by_chance = math.sqrt(2 / 9 / 1200)
    assert np.mean([f.estimate for f in found]) < 0.6 * by_chance
    assert np.median([f.estimate for f in found]) < 0.6 * by_chance
    assert np.mean([f.low == 0 for f in found]) > 0.9


def test_gaps_in_the_shares_count_for_what_is_there():
    """Line-ups of two of three strategies: the spread is that of the shares where they play."""
    rng = np.random.default_rng(8)
    values = np.full((300, 3), np.nan)
    for i in range(3):
        values[i::3, [i, (i + 1) % 3]] = wins_of(rng, 100, [0.6, 0.4])
    means = np.nanmean(values, axis=0)
    errors = np.nanvar(values, axis=0, ddof=1) / (~np.isnan(values)).sum(axis=0)
    wanted = ((means - 0.5) ** 2 - errors).mean()
    assert lab._squared_spread(values, 0.5) == pytest.approx(wanted, abs=2e-5)
    assert lab._spread_interval(values, 0.5).high < 1


@pytest.mark.slow
@pytest.mark.parametrize("n_blocks", [60, 500])
@pytest.mark.parametrize("gap", [0.0, 0.01, 0.02, 0.05, 0.15])
def test_intervals_of_spreads_cover(n_blocks, gap):
    rng = np.random.default_rng(9)
    shares = np.array([1 / 3 + gap, 1 / 3 - gap, 1 / 3])
    true = math.sqrt(((shares - 1 / 3) ** 2).mean())
    found = [lab._spread_interval(wins_of(rng, n_blocks, shares), 1 / 3) for _ in range(300)]
    covered = np.mean([f.low - 1e-12 <= true <= f.high for f in found])
    assert covered > 0.90


# --- crossings ---


class Values:
    """Evidence of one measure, made up."""

    def __init__(self, values):
        self._values, self.fair = np.asarray(values, float)[:, None], 0.5

    def values(self, measure):
        return self._values


MEASURE = lab.Measure("mean_score", "mean score", "points")


def test_a_straight_line_is_crossed_where_it_should_be():
    noise = np.random.default_rng(1).normal(0, 0.01, 200)
    noise -= noise.mean()
    tried = [0, 2, 10]
    [found] = lab.crossings(tried, [Values(10 + 3 * x + noise) for x in tried], MEASURE, 22.0)
    assert found.interval.estimate == pytest.approx(4.0)
    assert (found.below, found.above) == ("2", "10")
    assert found.interval.low < 4 < found.interval.high
    assert found.interval.se == pytest.approx(0.01 / math.sqrt(200) / 3, rel=0.3)


def test_every_crossing_is_found_once():
    def levels(*means):
        noise = np.random.default_rng(1).normal(0, 0.01, 60)
        return [Values(mean + noise - noise.mean()) for mean in means]

    def at(*means, target=0.0):
        return [c.interval.estimate for c in lab.crossings(list(range(len(means))), levels(*means), MEASURE, target)]

    assert at(1, -1, 1) == pytest.approx([0.5, 1.5])
    assert at(1, 2, 3) == []
    assert at(1, 2, 3, target=2.0) == [1.0]
    assert at(1, 2, 1, target=2.0) == [1.0]
    assert at(2, 1, 0, target=2.0) == [0.0]
    assert at(0, 1, 2, target=2.0) == [2.0]


@pytest.mark.slow
def test_intervals_of_crossings_cover():
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(400):
        shared = rng.normal(0, 5, 300)
        samples = [Values(10 + 2 * x + shared + rng.normal(0, 3, 300)) for x in (0, 4)]
        found = lab.crossings([0, 4], samples, MEASURE, 14.0)
        covered += any(c.interval.low <= 2 <= c.interval.high for c in found)
    assert 0.92 <= covered / 400 <= 0.98


@pytest.mark.slow
def test_intervals_of_paired_differences_cover():
    """Block differences of win shares are lumpy; 95 % intervals hold the truth in about 95 of 100."""
    rng = np.random.default_rng(12)
    covered = rejected = 0
    for _ in range(1000):
        luck = rng.random((200, 2))
        before, after = (
            (luck < 0.40).mean(axis=1),
            (np.where(rng.random((200, 2)) < 0.3, rng.random((200, 2)), luck) < 0.45),
        )
        found = lab.paired(after.mean(axis=1), before)
        covered += found.interval.low <= 0.05 <= found.interval.high
        rejected += (found.p < 0.05) != (not found.interval.low <= 0 <= found.interval.high)
    assert 0.93 <= covered / 1000 <= 0.97
    assert rejected == 0
