"""What sweeps, sensitivity, robustness and searches say, recomputed plainly from their cases' rows."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis import runs, sensitivity_steps, sweeps, tuning
from analysis.case_evidence import BEFORE, Measure, measures_of
from analysis.changes import Factor
from analysis.experiments import Experiment
from analysis.intervals import Interval
from analysis.paired import pairs
from analysis.robustness_draws import Robustness, correlation, share_gap
from analysis.sensitivity_steps import Sensitivity, steps
from analysis.sweeps import Sweep, parse_target
from analysis.tuning import CONFIRMED, OPEN, REFUTED, Goal, Tuning, fresh_seed_of, parse_goal, steps_from_before
from simcore.contract import TaflError
from simcore.games_file import GAMES_NAME
from simcore.plausible import draw, unknowns
from simcore.store import load_result

KNOWN = measures_of(("a", "b"), 2)
POINTS = Measure("mean_score", "mean score", "points")
SPREAD = Measure("seat_spread", "spread", "share", True)


def by_block(made, number, strategy, column):
    """Return a strategy's block means of a column, by pandas."""
    rows = pd.read_parquet(made.run_folder(number) / GAMES_NAME)
    means = rows[rows["strategy"] == strategy].groupby("block")[column].mean()
    return means / 60 if column == "win" else means


def numbers_of(made):
    return {case.name: number for number, case in enumerate(made.cases, 1)}


# --- sweep ---


def test_a_sweep_compares_every_case_with_the_unchanged_game(swept):
    made = Experiment.load(swept[0])
    assert [case.name for case in made.cases] == [
        "unchanged",
        "scoring_tables.1.hunter=5",
        "scoring_tables.1.hunter=9",
        "warrior_majority=points",
    ]
    told = Sweep(made).tables["differences"]
    assert len(told) == 3 * len(measures_of(("planner", "balanced", "greedy"), 3))
    for name, number in list(numbers_of(made).items())[1:]:
        for measure, column in (("win_share", "win"), ("score", "score")):
            one, other = by_block(made, number, "balanced", column), by_block(made, 1, "balanced", column)
            row = told[(told["case"] == name) & (told["measure"] == f"{measure}:balanced")].iloc[0]
            assert row["estimate"] == pytest.approx((one - other).mean(), abs=1e-12)
            assert row["p"] == pytest.approx(stats.ttest_rel(one, other).pvalue)


def test_all_differences_of_a_sweep_are_tested_together(swept):
    told = Sweep(Experiment.load(swept[0])).tables["differences"]
    tested = told[told["p"].notna()]
    wanted = multipletests(tested["p"].astype(float), method="holm")[1]
    np.testing.assert_allclose(tested["p_holm"].astype(float), wanted)
    assert (told["distinguishable"] == (told["p_holm"].fillna(1) < 0.05)).all()


def test_a_sweep_says_where_a_target_is_reached(swept):
    found = Sweep(Experiment.load(swept[0]))
    rows = found.tables["crossings"]
    assert set(rows["key"]) == {"scoring_tables.1.hunter", "warrior_majority"}
    switch = rows[rows["key"] == "warrior_majority"]
    assert switch["note"].str.contains("no whole numbers").all()
    assert switch["value"].isna().all()
    before = rows[(rows["measure"] == "mean_score") & (rows["key"] == "scoring_tables.1.hunter")]
    assert 1.0 in list(before["value"])  # the value it has reaches what it reaches
    assert set(rows["unit"]) == {"points"}


def test_cases_along_a_factor_are_in_its_order(swept):
    found = Sweep(Experiment.load(swept[0]))
    assert [[value for value, _ in found.along(factor)] for factor in found.factors] == [
        ["1", "5", "9"],
        ["ranks", "points"],
    ]


@pytest.mark.parametrize(
    ("text", "level"),
    [("win_share:a=40%", 0.4), ("win_share:a=0.4", 0.4), ("mean_score=200", 200.0), ("mean_score=-3.5", -3.5)],
)
def test_targets(text, level):
    assert float(parse_target(text, KNOWN).level) == pytest.approx(level)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("win_share:a", "MEASURE=LEVEL"),
        ("win_share:c=fair", "win_share:"),
        ("win_share:a=much", "no number"),
        ("win_share:a=nan", "no number"),
        ("win_share:a=inf", "no number"),
        ("mean_score=fair", "only a share"),
    ],
)
def test_targets_that_cannot_be_are_refused(text, says):
    with pytest.raises(TaflError, match=says):
        parse_target(text, KNOWN)


# --- sensitivity ---


def test_steps_are_a_tenth_and_at_least_one():
    assert [steps(value) for value in (0, 1, 5, 14, 16, 100, -30)] == [
        *((-1, 1), (0, 2), (4, 6), (13, 15), (14, 18), (90, 110), (-33, -27))
    ]


def test_sensitivity_is_the_difference_one_step_makes(moved):
    made = Experiment.load(moved[0])
    found = Sensitivity(made)
    mine = "balanced (subject)"
    assert found.strategy == mine
    assert made.lineup(0) == [mine, "planner"]
    table = found.tables["importance"].set_index("key")
    line = table.loc[f"{mine}:line"]
    before = int(line["before"])
    assert [int(line["down"]), int(line["up"])] == list(steps(before))
    numbers = numbers_of(made)
    for way in ("down", "up"):
        one = by_block(made, numbers[f"{mine}:line={line[way]}"], mine, "win")
        other = by_block(made, 1, mine, "win")
        assert line[f"change_{way}"] == pytest.approx((one - other).mean(), abs=1e-12)
    for key, row in table.iterrows():
        assert row["largest"] == pytest.approx(max(abs(row["change_down"]), abs(row["change_up"]))), key
        assert row["measure"] == f"win_share:{mine}"  # its rival is another: the share says what matters
    for kind in ("parameter", "number"):
        largest = table.loc[table["kind"] == kind, "largest"].tolist()
        assert largest == sorted(largest, reverse=True)


def test_among_copies_numbers_are_judged_by_the_score():
    """Whatever the tables say, copies of one strategy win alike."""
    mirror = SimpleNamespace(lineup=lambda _: ["a (subject)", "a", "a"], check_complete=lambda: None, cases=[])
    assert Sensitivity(mirror).is_mirror
    mirror.lineup = lambda _: ["a (subject)", "b", "a"]
    assert not Sensitivity(mirror).is_mirror


def test_a_number_that_decides_nothing_at_the_table_is_left_out():
    choice = runs.choose("nidavellir", ["balanced"], 2)
    _, manifest = sensitivity_steps.plan(choice, ["heroes.grid.points", "coins.treasure-7.copies*"], 2, 1)
    keys = {key for case in manifest["cases"] for key, _ in case["setting"]}
    assert keys
    assert not any(key.endswith(("_3p", "_4p", "_5p")) for key in keys)
    with pytest.raises(TaflError, match=r"no parameter and no number like zzz"):
        sensitivity_steps.plan(choice, ["zzz"], 2, 1)


# --- robustness ---


def test_correlations_are_those_of_scipy():
    rng = np.random.default_rng(5)
    x = rng.normal(0, 1, 30)
    y = 0.6 * x + rng.normal(0, 1, 30)
    told = stats.pearsonr(x, y)
    ends = told.confidence_interval()
    found = correlation(x, y)
    assert found["correlation"] == pytest.approx(told.statistic)
    assert found["p"] == pytest.approx(told.pvalue)
    assert (found["low"], found["high"]) == pytest.approx((ends.low, ends.high))
    assert found["explained"] == pytest.approx(told.statistic**2)


def test_what_does_not_vary_has_no_correlation():
    x = np.random.default_rng(5).normal(0, 1, 12)
    for constant in (np.full(12, 1 / 3), np.zeros(12)):
        assert set(correlation(x, constant).values()) == {None}
        assert set(correlation(constant, x).values()) == {None}
    certain = correlation(x, 2 * x)
    assert certain["correlation"] == pytest.approx(1)
    assert all(math.isfinite(number) for number in certain.values())


def told_in_report(made, number, first, second) -> Interval:
    """Return the difference of two win shares that the report of a case's own run shows, from its exact sums."""
    result = load_result(made.run_folder(number))
    [pair] = pairs(result)
    return pair.win_share if (pair.a, pair.b) == (first, second) else pair.win_share.turned()


def test_a_strategy_that_always_wins_is_told_apart():
    found = share_gap(np.ones(50), np.zeros(50))
    assert found.estimate == 1
    assert found.low > 0.7


def test_robustness_counts_the_editions(drawn):
    made = Experiment.load(drawn[0])
    found = Robustness(made)
    shares = {
        name: [by_block(made, number, name, "win").mean() for number in range(1, 12)]
        for name in ("sea-battles", "raid-keeps")
    }
    first, second = sorted(shares, key=lambda name: -shares[name][0])
    pair = found.tables["pairs"].iloc[0]
    assert (pair["a"], pair["b"]) == (first, second)
    n_ahead = sum(a > b for a, b in zip(shares[first][1:], shares[second][1:], strict=True))
    assert pair["n_ahead"] == n_ahead == found.n_same_order == found.n_same_winner
    low, high = proportion_confint(n_ahead, 10, method="wilson")
    assert (pair["share_low"], pair["share_high"]) == pytest.approx((low, high))
    in_reports = [told_in_report(made, number, first, second) for number in range(1, 12)]
    assert (pair["low"], pair["high"]) == pytest.approx((in_reports[0].low, in_reports[0].high))
    n_apart = sum(interval.low > 0 for interval in in_reports[1:])
    assert pair["n_turned"] == sum(interval.high < 0 for interval in in_reports[1:])
    assert pair["n_told_apart"] == n_apart
    editions = found.tables["editions"]
    for name, of in shares.items():
        assert editions.loc[editions["strategy"] == name, "win_share"].tolist() == pytest.approx(of[1:])


def test_what_decides_is_the_correlation_with_what_was_drawn(drawn):
    made = Experiment.load(drawn[0])
    found = Robustness(made)
    table = found.tables["deciding"]
    choice = runs.choose("reavers", ["sea-battles", "raid-keeps"], 2)
    open_ = unknowns(choice.spec, choice.edition)
    assert len(table) == 2 * len(open_)
    one = next(i for i, each in enumerate(open_) if each.name == "sea_battles.B01")
    ways = [draw(choice.spec, choice.edition, open_, 3, number).moved[one] for number in range(10)]
    shares = [by_block(made, number, "sea-battles", "win").mean() for number in range(2, 12)]
    row = table[(table["unknown"] == "sea_battles.B01") & (table["strategy"] == "sea-battles")].iloc[0]
    assert row["correlation"] == pytest.approx(stats.pearsonr(ways, shares).statistic)
    explained = table["explained"].fillna(0).tolist()
    assert explained == sorted(explained, reverse=True)


def test_the_editions_played_are_those_drawn(drawn):
    made = Experiment.load(drawn[0])
    digests = {json_edition(made, number)["digest"] for number in range(1, 12)}
    assert len(digests) == 11
    assert json_edition(made, 3)["name"].endswith("plausible 1")


def json_edition(made, number):
    return json.loads((made.run_folder(number) / "manifest.json").read_text())["edition"]


# --- searches ---


class Level:
    """Evidence whose measure has a known level."""

    names, fair = ("a", "b"), 0.5

    def __init__(self, level):
        self._level = level

    def values(self, measure):
        noise = np.random.default_rng(1).normal(0, 0.01, 100)
        return (self._level + noise - noise.mean())[:, None]


def search(levels, target, tolerance):
    """Return a search over x = 1..5 (now 3) and y = off, on, whose levels are known by setting."""
    factors = [Factor("x", "cell", ("1", "2", "4", "5"), "3"), Factor("y", "rule", ("on",), "off")]
    found = Tuning.__new__(Tuning)
    cases = [SimpleNamespace(setting=setting) for setting in levels]
    found.sweep = SimpleNamespace(factors=factors, cases=cases, evidence=[Level(level) for level in levels.values()])
    found.goal = Goal(POINTS, target, tolerance)
    return found


X = {value: (("x", value),) for value in "1245"}
LEVELS = {
    (): 10.0,
    **{X["1"]: 30.0, X["2"]: 16.0, X["4"]: 20.4, X["5"]: 20.0},
    (("y", "on"),): 25.0,
    (("x", "4"), ("y", "on")): 20.0,
}


def test_the_smallest_change_that_reaches_the_target_is_suggested():
    assert search(LEVELS, 20.0, 0.5).suggestion == X["4"]  # one step; 5 is nearer, but two
    assert search(LEVELS, 20.0, 0.1).suggestion == X["5"]  # one thing by two steps before two things
    assert search(LEVELS, 30.0, 0.5).suggestion == X["1"]
    assert search(LEVELS, 25.0, 0.5).suggestion == (("y", "on"),)
    assert search(LEVELS, 10.0, 0.5).suggestion == ()
    nothing = search(LEVELS, 27.0, 0.5)
    assert nothing.suggestion is None
    assert nothing.nearest == (("y", "on"),)
    order = [setting for setting, _ in search(LEVELS, 20.0, 0.5).tried]
    assert order[0] == ()
    assert order[-1] == (("x", "4"), ("y", "on"))


def test_steps_are_those_of_the_list():
    x, y = Factor("x", "cell", ("10", "40", "90"), "40"), Factor("y", "rule", ("a", "b", "c"), "b")
    assert [steps_from_before(x, value) for value in ("10", "40", "90")] == [1, 0, 1]
    assert [steps_from_before(y, value) for value in ("a", "b", "c")] == [1, 0, 1]
    assert steps_from_before(Factor("z", "cell", ("9", "10", "11"), "12"), "9") == 3


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ((19.8, 20.2), CONFIRMED),
        ((19.5, 20.5), CONFIRMED),
        ((19.0, 20.2), OPEN),
        ((19.0, 21.0), OPEN),  # it reaches beyond on both sides
        ((15.0, 30.0), OPEN),  # so does this, though its middle is outside
        ((20.6, 22.0), REFUTED),
        ((18.0, 19.4), REFUTED),
        ((None, None), OPEN),
    ],
)
def test_verdicts_on_fresh_luck(ends, verdict):
    low, high = ends
    middle = 20.0 if low is None else (low + high) / 2
    assert Goal(POINTS, 20.0, 0.5).verdict(Interval(middle, 0.1, low, high)) == verdict


def test_a_spread_below_its_level_is_on_target():
    goal = Goal(SPREAD, 0.02, 0.01)
    assert goal.distance(0.0) == 0
    assert goal.verdict(Interval(0.01, 0.01, 0.0, 0.03)) == CONFIRMED
    assert goal.verdict(Interval(0.03, 0.01, 0.01, 0.05)) == OPEN
    assert goal.verdict(Interval(0.05, 0.01, 0.04, 0.06)) == REFUTED


@pytest.mark.parametrize(
    ("target", "within", "found"),
    [
        ("equal-seats", None, ("seat_spread=0", 0.01)),
        ("equal-strategies", "2%", ("strategy_spread=0", 0.02)),
        ("length=80", None, ("length=80", 0.8)),
        ("length=80", "2", ("length=80", 2.0)),
        ("mean_score=200", None, ("mean_score=200", 2.0)),
        ("win_share:a=fair", None, ("win_share:a=fair", 0.01)),
        ("mean_score=before", "3", ("mean_score=before", 3.0)),
    ],
)
def test_goals(target, within, found):
    assert parse_goal(target, within, KNOWN) == (found[0], pytest.approx(found[1]))


@pytest.mark.parametrize(
    ("target", "within", "says"),
    [
        ("equal-seat", None, "equal-seats"),
        ("equal-seats=3", None, "needs no level"),
        ("length", None, "needs a level"),
        ("length=long", None, "no number"),
        ("mean_scores=3", None, "mean_score"),
        ("mean_score=before", None, "--within"),
        ("winning_margin=0", None, "--within"),
        ("equal-seats", "0", "above 0"),
        ("equal-seats", "-1%", "above 0"),
        ("equal-seats", "nan", "above 0"),
        ("equal-seats", "near", "above 0"),
    ],
)
def test_goals_that_cannot_be_are_refused(target, within, says):
    with pytest.raises(TaflError, match=says):
        parse_goal(target, within, KNOWN)


def test_a_suggestion_is_confirmed_on_other_luck(tuned):
    made = Experiment.load(tuned[0])
    found = Tuning(made)
    assert found.suggestion
    assert found.confirmation.manifest["seed"] == fresh_seed_of(3) != made.manifest["seed"]
    assert fresh_seed_of(3) != fresh_seed_of(4)
    assert found.confirmation.planned[1]["n_games"] == 4 * made.planned[1]["n_games"]
    assert [case.setting for case in found.confirmation.cases] == [(), found.suggestion]
    fresh = pd.read_parquet(found.confirmation.run_folder(1) / GAMES_NAME)
    searched = pd.read_parquet(made.run_folder(1) / GAMES_NAME)
    assert not fresh["score"][: len(searched)].equals(searched["score"])
    told = found.tables["confirmation"]
    assert told["verdict"][0] == ""  # the unchanged game is no claim
    assert told["verdict"][1] in (CONFIRMED, OPEN, REFUTED)
    games = fresh.assign(game=np.arange(len(fresh)) // 2).groupby("game")["margin"].max()
    assert told["estimate"].iloc[0] == pytest.approx(games.mean())


def test_a_search_of_one_strategy_for_equal_ones_is_refused():
    choice = runs.choose("nidavellir", ["balanced"], 2)
    with pytest.raises(TaflError, match="name two or more"):
        tuning.plan(choice, ["warrior_majority=points"], "equal-strategies", None, 4, 1)
    with pytest.raises(TaflError, match="say what to vary"):
        sweeps.plan(choice, [], False, 4, 1, [])
    with pytest.raises(TaflError, match="there already"):
        sweeps.plan(choice, ["warrior_majority=ranks"], False, 4, 1, [])
    assert BEFORE == "before"
