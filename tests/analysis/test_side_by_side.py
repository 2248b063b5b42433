"""Runs side by side: against scipy and statsmodels, by simulation where the truth is known, and from real folders."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from simulated import World, result_of
from statsmodels.stats.proportion import confint_proportions_2indep

from analysis import side_by_side as sbs
from analysis.intervals import Interval, mean_from, share_of_blocks, wilson
from analysis.notebook import compare
from analysis.settings import differing, settings_table
from simcore.contract import TaflError


def told(values: np.ndarray) -> Interval:
    return mean_from(float(values.mean()), float(((values - values.mean()) ** 2).sum()), len(values))


def run_of(world: World, rows: np.ndarray, folder: str, seed: int):
    result = result_of(world, rows)
    manifest = result.manifest | {"game": "made-up", "seed": seed, "tafl_version": "0", "engine": "0"}
    return replace(result, folder=Path(folder), manifest=manifest)


@pytest.mark.parametrize(("n", "m"), [(12, 40), (3, 5), (4000, 900)])
def test_independent_means_are_welchs(n, m):
    rng = np.random.default_rng(n)
    a, b = rng.normal(3, 1, n), rng.normal(3.2, 4, m)
    interval, p = sbs.independent_means(told(a), told(b), (n - 1, m - 1))
    expected = stats.ttest_ind(a, b, equal_var=False)
    ends = expected.confidence_interval(0.95)
    assert p == pytest.approx(expected.pvalue, rel=1e-6)
    # degrees of freedom are rounded down nowhere: the same quantile
    assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high), rel=1e-6)


def test_independent_shares_are_newcombes():
    z = stats.norm.ppf(0.975)
    for (x, n), (y, m) in (((56, 70), (48, 80)), ((9, 10), (3, 10)), ((10, 10), (0, 20)), ((5, 56), (0, 29))):
        one, other = (Interval(k / of, 0.1, *wilson(k / of, of, z)) for k, of in ((x, n), (y, m)))
        interval, p = sbs.independent_shares(one, other)
        expected = confint_proportions_2indep(x, n, y, m, method="newcomb", compare="diff")
        assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-9)
        assert p is None or (p < 0.05) == (interval.low > 0 or interval.high < 0)


def test_paired_means_are_a_paired_t_test():
    rng = np.random.default_rng(4)
    luck = rng.integers(0, 200, 300)
    a, b = luck + rng.integers(0, 30, 300), 2 * (luck + rng.integers(0, 33, 300))
    interval, p = sbs.paired_means(a, b, (4, 8))
    expected = stats.ttest_rel(a / 4, b / 8)
    ends = expected.confidence_interval(0.95)
    assert p == pytest.approx(expected.pvalue, rel=1e-6)
    assert (interval.low, interval.high) == pytest.approx((ends.low, ends.high), rel=1e-6)


def test_what_is_always_the_same_has_no_interval():
    same = np.full(50, 12)
    assert sbs.paired_means(same, same, (4, 4)) == (Interval(0.0, note="the same in every block"), None)
    assert sbs.paired_shares(same, same, (4, 4))[1] is None
    constant, other = told(same.astype(float)), told(np.arange(50.0))
    interval, p = sbs.independent_means(constant, other, (49, 49))
    assert (interval.low, p) == (None, None)
    assert interval.note == "not determined: the same in every block"


N_RUNS = 400


@pytest.mark.parametrize("paired", [False, True])
def test_intervals_hold_the_true_difference_19_times_in_20(paired):
    """Two worlds that differ in a strategy's strength; the truth from very many games."""
    before = World(strength=(1.0, 0.5, 0.0, -0.5), lineup="ABCD")
    after = World(strength=(4.0, 0.5, 0.0, -0.5), lineup="ABCD")
    truth = [_means(world, world.play(50_000, 9)) for world in (before, after)]
    hits = np.zeros((2, 4))
    n = 80
    for seed in range(N_RUNS):
        plays = [before.play(n, 2 * seed), after.play(n, 2 * seed + (0 if paired else 1), 10_000 + seed)]
        for m, kind in enumerate(("win", "score")):
            for entrant in range(4):
                sums = [w.by_block(p[kind], entrant) for w, p in zip((after, before), plays[::-1], strict=True)]
                low, high = _interval(sums, kind, n, paired)
                hits[m, entrant] += low <= truth[1][m, entrant] - truth[0][m, entrant] <= high
    rate = hits / N_RUNS
    # 95 % of 400 have a standard error of 1.1 %; shares that vary little at few blocks err on the wide side
    assert (rate > 0.95 - 4 * 0.011).all(), rate
    assert (rate[1 if paired else 0 :] < 0.95 + 4 * 0.011).all(), rate


def _means(world, play):
    return np.array([[world.by_block(play[kind], e).mean() / 4 for e in range(4)] for kind in ("win", "score")]) / [
        [60],
        [1],
    ]


def _interval(sums, kind, n, paired):
    if paired:
        found = (sbs.paired_shares if kind == "win" else sbs.paired_means)(*sums, (4, 4))[0]
    elif kind == "win":
        shares = [share_of_blocks(int(s.sum()), int((s * s).sum()), n, 4) for s in sums]
        found = sbs.independent_shares(*shares)[0]
    else:
        found = sbs.independent_means(*(told(s / 4) for s in sums), (n - 1, n - 1))[0]
    return found.low, found.high


def test_of_nothing_hardly_anything_is_claimed():
    """All differences of two runs of the same world together (Holm): a mistake in at most 1 run of 20."""
    world = World()
    n_false = 0
    for seed in range(100):
        runs = [run_of(world, world.rows(40, 2 * seed + i), f"run-{i}", 2 * seed + i) for i in (0, 1)]
        n_false += bool(sbs.side_by_side(runs)["run_differences"]["distinguishable"].any())
    assert n_false <= 12  # 5 expected at most; more than 12 has probability 0.15 %


def unfinished(world: World, rows: np.ndarray, folder: str, seed: int):
    run = result_of(world, rows, planned=10 * len(rows))
    manifest = run.manifest | {"game": "made-up", "seed": seed, "tafl_version": "0", "engine": "0"}
    return replace(run, folder=Path(folder), manifest=manifest)


def test_looking_at_a_run_that_goes_on_does_not_mislead():
    """Of two runs of one world: looked at five times while one goes on, a difference is claimed in 1 of 20 at most."""
    world = World()
    measure = sbs.Measure("score", "Score", "points")
    n_false = 0
    for seed in range(60):
        rows, other = world.rows(600, 2 * seed), run_of(world, world.rows(600, 2 * seed + 1), "done", 1)
        looks = [unfinished(world, rows[:n], "going", 2) for n in (100, 200, 300, 450, 600)]
        p_values = [sbs.anytime_difference((run, other), "A", measure)[1] for run in looks]
        n_false += min(p_values) < 0.05
    assert n_false <= 6  # 3 expected at most; more than 6 has probability 3 %, and the bound is not sharp


def test_an_unfinished_run_has_wider_differences_that_agree_with_their_p_values():
    world, strong = World(), World(strength=(6.0, 0.5, 0.0, -0.5))
    done = run_of(world, world.rows(400, 1), "done", 1)
    for other_world in (world, strong):
        rows = other_world.rows(400, 2)
        going, gone = unfinished(other_world, rows, "going", 2), run_of(other_world, rows, "going", 2)
        tables = [
            sbs.side_by_side([done, run])["run_differences"].set_index(["strategy", "measure"]) for run in (going, gone)
        ]
        assert set(tables[0]["luck"]) == {"anytime-valid"}
        assert tables[0]["estimate"].to_list() == pytest.approx(tables[1]["estimate"].to_list())
        assert (tables[0]["low"] < tables[1]["low"]).all()
        assert (tables[0]["high"] > tables[1]["high"]).all()
        leaves_out = (tables[0]["low"] > 0) | (tables[0]["high"] < 0)
        assert ((tables[0]["p"] < 0.05) == leaves_out).all()
    assert leaves_out["A", "score"]


def test_the_share_above_the_fair_share_makes_tables_comparable():
    four, two = World(), World(lineup="AB", strength=(1.0, 0.5), threshold=(0.5, 0.8))
    runs = [run_of(four, four.rows(500, 1), "x/four", 1), run_of(two, two.rows(500, 2), "x/two", 2)]
    found = sbs.side_by_side(runs)
    estimates = found["run_estimates"]
    assert list(dict.fromkeys(estimates["strategy"])) == ["A", "B"]
    shares = estimates[estimates["measure"] == "win_share"].set_index(["run", "strategy"])["estimate"]
    assert shares["two", "A"] == pytest.approx(-shares["two", "B"])
    differences = found["run_differences"].set_index(["strategy", "measure"])
    assert differences.loc[("A", "win_share"), "estimate"] == pytest.approx(shares["two", "A"] - shares["four", "A"])
    assert set(differences["luck"]) == {"independent"}
    assert set(differences["against"]) == {"four"}
    assert [s.name for s in differing(runs)] == ["players", "line-up", "seed", "games"]


def test_runs_on_the_same_luck_are_paired_where_rows_are_kept(tmp_path):
    play = {"games": 120, "seed": 3, "keep_games": True}
    one = compare("nidavellir", "greedy", "random", out=tmp_path / "one", **play)
    other = compare("nidavellir", "greedy", "random", out=tmp_path / "other", rule=["heroes=beginner"], **play)
    again = compare("nidavellir", "greedy", "random", out=tmp_path / "again", games=120, seed=3)
    table = sbs.side_by_side([one.result, other.result, again.result])["run_differences"]
    assert dict(zip(table["run"], table["luck"], strict=True)) == {"other": "paired", "again": "shared luck"}
    rows = [pd.read_parquet(run.folder / "games") for run in (other, one)]
    means = [r[r["strategy"] == "greedy"].groupby("block")[["score", "win"]].mean() for r in rows]
    expected = stats.ttest_rel(means[0]["score"], means[1]["score"])
    row = table[(table["run"] == "other") & (table["strategy"] == "greedy")].set_index("measure")
    assert row.loc["score", "p"] == pytest.approx(expected.pvalue, rel=1e-6)
    assert row.loc["win_share", "estimate"] == pytest.approx((means[0]["win"] - means[1]["win"]).mean() / 60)
    same = table[table["run"] == "again"]
    assert (same["estimate"] == 0).all()
    settings = differing([one.result, other.result, again.result])
    assert [(s.kind, s.name) for s in settings] == [("rule", "heroes")]
    assert len(settings_table(["one", "other", "again"], settings)) == 3


def test_settings_name_what_is_another_strategy_of_the_same_name():
    world = World()
    runs = [run_of(world, world.rows(10, i), f"run-{i}", i) for i in (1, 2)]
    entrant = {"name": "A", "params": {"line": 3, "gem": 1}, "files": ["a.py"]}
    runs[0].manifest.update(entrants=[entrant], files={"strategies/a.py": "12"})
    runs[1].manifest.update(entrants=[entrant | {"params": {"line": 4, "gem": 1}}], files={"strategies/a.py": "34"})
    parameters, source, *_ = differing(runs)
    assert (parameters.name, parameters.values) == ("parameters of A", ("line=3", "line=4"))
    assert source.name == "source of A"
    assert all(value.startswith("digest ") for value in source.values)


def test_bad_input_is_a_sentence():
    world = World()
    rows = world.rows(10, 1)
    run = run_of(world, rows, "a/one", 1)
    with pytest.raises(TaflError, match="two runs or more"):
        sbs.check([run])
    with pytest.raises(TaflError, match="the run 'a/one' is named twice"):
        sbs.check([run, run])
    other = run_of(world, rows, "b/one", 2)
    assert sbs.labels([run, other]) == ["a/one", "b/one"]
    other.manifest["game"] = "reavers"
    with pytest.raises(TaflError, match="only runs of one game"):
        sbs.check([run, other])
    with pytest.raises(TaflError, match="no block of the run 'a/none' is finished"):
        sbs.check([run, replace(run, folder=Path("a/none"), n_blocks=0)])
    strangers = World(lineup="WXYZ")
    with pytest.raises(TaflError, match="no strategy plays in two"):
        sbs.check([run, run_of(strangers, rows, "a/two", 2)])
