"""The tables against the plain rows of the games, counted again with pandas and statsmodels."""

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated import COLUMNS, World, result_of

from analysis.tables import COLUMNS as DOCUMENTED
from analysis.tables import tables, write_csvs
from simcore.contract import TaflError

WORLD = World("ABCA", strength=(1.0, 0.5, -0.5), threshold=(0.5, 0.8, 0.3))
ROWS = WORLD.rows(1500, 7)


@pytest.fixture(scope="module")
def found():
    return tables(result_of(WORLD, ROWS))


@pytest.fixture(scope="module")
def games():
    """One line a seat of each game."""
    n_blocks, n_games, n_seats, _ = ROWS.shape
    block, game, seat = np.indices((n_blocks, n_games, n_seats)).reshape(3, -1)
    table = pd.DataFrame({c.name: ROWS[..., c.slot].ravel() for c in COLUMNS if c.slot < 15})
    strategy = np.array(WORLD.names)[WORLD.seating[game, seat]]
    return table.assign(block=block, strategy=strategy, win=table["win"] / 60)


def line(table, **where):
    """The one line of a table with these values."""
    for column, value in where.items():
        table = table[table[column] == value]
    assert len(table) == 1
    return table.iloc[0]


def clustered(y, x, block):
    """Estimate and standard error of the last coefficient, errors clustered by block."""
    fit = sm.OLS(np.asarray(y, float), np.asarray(x, float)).fit(cov_type="cluster", cov_kwds={"groups": block})
    return fit.params[-1], fit.bse[-1]


def test_summary(found, games):
    for name, part in games.groupby("strategy"):
        row = line(found["summary"], strategy=name)
        assert row["copies"] == (2 if name == "A" else 1)
        assert (row["n_games"], row["n_blocks"], row["fair_share"]) == (6000, 1500, 0.25)
        for column, mean, se in (("win", "win_share", "win_share_se"), ("score", "score_mean", "score_se")):
            expected, error = clustered(part[column], np.ones((len(part), 1)), part["block"])
            assert row[mean] == pytest.approx(expected)
            assert row[se] == pytest.approx(error, rel=0.01)
        assert row["score_sd"] == pytest.approx(part["score"].std())
        assert row["margin_mean"] == pytest.approx(part["margin"].mean())
        assert row["margin_low"] < row["margin_mean"] < row["margin_high"]


def test_components_add_up(found, games):
    components = found["components"]
    for name, part in games.groupby("strategy"):
        of_strategy = components[components["strategy"] == name]
        assert of_strategy["mean"].sum() == pytest.approx(part["score"].mean())
        row = line(of_strategy, component="gold")
        assert row["mean_won"] == pytest.approx(np.average(part["gold"], weights=part["win"]))
        assert row["mean_lost"] == pytest.approx(np.average(part["gold"], weights=1 - part["win"]))


def without_a_block(games, column, weight):
    """Return the weighted mean, and its standard error by leaving out one block at a time."""
    values, weights = games[column] * weight, weight
    blocks = games["block"]
    sums = values.groupby(blocks).sum(), weights.groupby(blocks).sum()
    means = (sums[0].sum() - sums[0]) / (sums[1].sum() - sums[1])
    n = len(means)
    return sums[0].sum() / sums[1].sum(), math.sqrt((n - 1) / n * ((means - means.mean()) ** 2).sum())


@pytest.mark.parametrize("name", ["A", "B"])
def test_means_of_won_and_lost_games_have_the_error_of_leaving_blocks_out(found, games, name):
    part = games[games["strategy"] == name]
    summary, gold = line(found["summary"], strategy=name), line(found["components"], strategy=name, component="gold")
    for row, column, mean in ((summary, "score", "score"), (gold, "gold", "mean")):
        for end, weight in (("won", part["win"]), ("lost", 1 - part["win"])):
            expected, error = without_a_block(part, column, weight)
            assert row[f"{mean}_{end}"] == pytest.approx(expected)
            assert row[f"{mean}_{end}_se"] == pytest.approx(error, rel=0.02)
            half = (row[f"{mean}_{end}_high"] - row[f"{mean}_{end}_low"]) / 2
            assert 1.96 * error < half < 2.1 * error


def test_measures(found, games):
    row = line(found["measures"], strategy="B", measure="coins_round_1")
    part = games[games["strategy"] == "B"]["coins_round_1"]
    assert (row["mean"], row["sd"]) == pytest.approx((part.mean(), part.std()))
    assert (row["unit"], row["group"]) == ("coins", "coins_by_round")
    constant = line(found["measures"], strategy="B", measure="fixed")
    assert constant["mean"] == 7
    assert constant["se"] is pd.NA
    assert constant["note"] == "the same in every block"


@pytest.mark.parametrize("name", ["A", "B", "C", "all"])
@pytest.mark.parametrize("flag", ["hero_a", "seat_2"])
def test_flags(found, games, name, flag):
    part = games if name == "all" else games[games["strategy"] == name]
    row = line(found["flags_all" if name == "all" else "flags"], strategy=name, flag=flag)
    with_it = part[part[flag] == 1]
    assert row["n"] == len(with_it)
    assert row["rate"] == pytest.approx(part[flag].mean())
    assert row["win_share_with"] == pytest.approx(with_it["win"].mean())
    assert row["win_share_without"] == pytest.approx(part[part[flag] == 0]["win"].mean())
    assert row["score_with"] == pytest.approx(with_it["score"].mean())
    assert row["score_without"] == pytest.approx(part[part[flag] == 0]["score"].mean())
    difference, se = clustered(part["win"], sm.add_constant(part[flag]), part["block"])
    assert row["difference"] == pytest.approx(difference)
    half = (row["difference_high"] - row["difference_low"]) / 2
    assert half == pytest.approx(1.96 * se, rel=0.02)
    _, error = clustered(with_it["win"], np.ones((len(with_it), 1)), with_it["block"])
    assert (row["with_high"] - row["with_low"]) / 2 == pytest.approx(1.96 * error, rel=0.02)


def test_flags_that_never_or_always_were(found):
    never = line(found["flags"], strategy="A", flag="hero_never")
    assert (never["n"], never["rate"], never["rate_low"]) == (0, 0, 0)
    assert 0 < never["rate_high"] < 0.01
    assert never["win_share_with"] is pd.NA
    assert never["note"] == "not determined: never happened"
    always = line(found["flags"], strategy="A", flag="hero_always")
    assert always["rate"] == 1
    assert always["difference"] is pd.NA
    assert always["note"] == "not determined: never without it"


def test_seats_come_round_by_construction(found):
    row = line(found["flags"], strategy="B", flag="seat_1")
    assert row["rate_low"] == row["rate_high"] == 0.25
    all_seats = found["flags_all"][found["flags_all"]["group"] == "seat"]
    assert all_seats["win_share_with"].mean() == pytest.approx(0.25)


def test_histograms(found, games):
    for name, part in games.groupby("strategy"):
        scores = found["scores"][found["scores"]["strategy"] == name]
        assert scores["n"].sum() == len(part)
        assert scores["share"].sum() == pytest.approx(1)
        assert (scores["score"] * scores["share"]).sum() == pytest.approx(part["score"].mean())
        assert scores["n_won"].sum() == pytest.approx(part["win"].sum())
        margins = found["margins"][found["margins"]["strategy"] == name]
        assert (margins["margin"] * margins["share"]).sum() == pytest.approx(part["margin"].mean())
        places = found["places"][found["places"]["strategy"] == name].set_index("place")["n"]
        assert places.to_dict() == part["place"].value_counts().sort_index().to_dict()


def test_every_column_is_documented(found):
    of_several_runs = {"claims", "run_settings", "run_estimates", "run_differences"}  # these have tests of their own
    assert set(found) == set(DOCUMENTED) - of_several_runs
    for name, table in found.items():
        assert [(c, str(t)) for c, t in table.dtypes.items()] == [(c, t) for c, t, _ in DOCUMENTED[name]]


def test_mirror_match():
    """One strategy in every seat: its share is known, not estimated."""
    row = tables(World("AAAA", strength=(0.0,), threshold=(0.5,)).result(50))["summary"].iloc[0]
    assert (row["win_share"], row["win_share_se"], row["win_share_low"], row["win_share_high"]) == (0.25, 0, 0.25, 0.25)
    assert row["note"] == "by construction"
    assert row["score_low"] < row["score_mean"] < row["score_high"]


def test_one_block():
    found = tables(World().result(1))
    assert found["summary"]["win_share"].notna().all()
    assert found["summary"]["win_share_low"].isna().all()
    assert set(found["summary"]["note"]) == {"not determined: one block"}
    assert found["pairs"]["p"].isna().all()
    assert not found["pairs"]["distinguishable"].any()


def test_no_block():
    with pytest.raises(TaflError, match="no finished block"):
        tables(World().result(0))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["AB", "ABAB", "ABCD", "AAB", "ABCDE", "AA"]),
    st.integers(1, 12),
    st.integers(0, 10**6),
    st.sampled_from([0.0, 1.0, 100.0]),
    st.sampled_from([0.0, 5.0]),
    st.sampled_from(["rotations", "fixed"]),
)
def test_shares_add_up_and_nothing_is_nan(lineup, n_blocks, seed, gap, noise, mode):
    """Any small run, all ties and all wins among them: shares sum to 1, bounds hold, no width is zero, no nan."""
    n = len(set(lineup))
    world = World(lineup, tuple(gap * e for e in range(n)), (0.5,) * n, mode, noise, noise, 2.0 if gap else 0.0)
    found = tables(world.result(n_blocks, seed))
    summary = found["summary"]
    assert (summary["win_share"] * summary["copies"]).sum() == pytest.approx(1)
    known = summary[summary["win_share_low"].notna() & (summary["note"] != "by construction")]
    assert ((known["win_share_low"] < known["win_share_high"]) & (known["win_share_se"] > 0)).all()
    assert ((known["win_share_low"] >= 0) & (known["win_share_high"] <= 1)).all()
    assert (summary["win_share_low"].notna() == (n_blocks > 1)).all() or n == 1
    for table in found.values():
        for column in table:
            if str(table[column].dtype) == "Float64":
                assert not np.isnan(table[column].dropna().to_numpy(float)).any()
    for ends in (("rate_low", "rate", "rate_high"), ("with_low", "win_share_with", "with_high")):
        low, middle, high = (found["flags"][end] for end in ends)
        assert ((low <= middle) & (middle <= high)).dropna().all()


def test_csv_files(found, tmp_path):
    first = write_csvs(found, tmp_path / "a")
    second = write_csvs(tables(result_of(WORLD, ROWS)), tmp_path / "b")
    assert [path.name for path in first] == [*(f"{name}.csv" for name in found), "columns.md"]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    again = pd.read_csv(tmp_path / "a" / "summary.csv")
    assert again["win_share"].tolist() == pytest.approx(found["summary"]["win_share"].tolist(), rel=1e-9)
    assert b"\r" not in first[0].read_bytes()
    assert "| win_share_low | Float64 |" in first[-1].read_text(encoding="utf-8")


def test_unwritable_folder(found, tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(TaflError, match="cannot write the tables to"):
        write_csvs(found, tmp_path / "file")
