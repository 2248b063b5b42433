"""Associations, seats, what is dealt, skill and luck: against plain sums and made-up games whose truth is known."""

import numpy as np
import pandas as pd
import pytest
from made_runs import made_run, rotations, won

from analysis import flags
from analysis.balance_field import Field, associate, over_lineups, together
from analysis.experiments import Experiment
from analysis.intervals import Interval
from simcore.games_file import GAMES_NAME
from simcore.store import load_result
from simcore.takings import Takings

PARTS = ("strategy", "deal", "rest")


@pytest.fixture(scope="module")
def mixed(balanced):
    """The runs of the mixed fields of a real balance sheet, by number of players."""
    made = Experiment.load(balanced[0])
    found: dict[int, list] = {}
    for number, case in enumerate(made.cases, 1):
        base = made.options["bases"][case.base]
        if base["kind"] == "mixed":
            found.setdefault(base["players"], []).append(load_result(made.run_folder(number)))
    return found


def plain_rows(results) -> pd.DataFrame:
    parts = []
    for number, result in enumerate(results):
        rows = pd.read_parquet(result.folder / GAMES_NAME)
        rows["strategy"] = rows["strategy"].astype(str)
        parts.append(rows.assign(block=rows["block"] + 10_000 * number))
    return pd.concat(parts, ignore_index=True)


# --- associations ---


def test_an_association_is_a_difference_of_win_shares(mixed):
    for results in mixed.values():
        rows, field = plain_rows(results), Field(results)
        for flag in ("hero_grid", "starting_gem_5", "distinction_miner"):
            had = rows[flag] == 1
            found = field.associate(flag)
            wanted = rows.loc[had, "win"].mean() / 60 - rows.loc[~had, "win"].mean() / 60
            assert found.n == had.sum() > 0
            assert found.difference.estimate == pytest.approx(wanted)
            assert found.rate.estimate == pytest.approx(had.mean())


def test_one_line_up_has_the_associations_of_its_own_report(mixed):
    """Blocks' sums from the rows and those that were folded while it was played lead to the same numbers."""
    [result] = mixed[3]
    field = Field([result])
    told = {row["flag"]: row for row in flags.all_together(result)}
    assert len(told) > 20
    for flag, row in told.items():
        found = field.associate(flag)
        assert (found.n, found.rate.estimate) == (row["n"], pytest.approx(row["rate"]))
        assert found.difference.estimate == pytest.approx(row["difference"])
        for end, column in (("low", "difference_low"), ("high", "difference_high")):
            assert getattr(found.difference, end) == pytest.approx(row[column]), flag
        assert found.p == pytest.approx(row["p"]), flag


def test_seats_of_all_and_of_one_strategy_are_those_of_the_report(mixed):
    [result] = mixed[3]
    field = Field([result])
    of_all = {row["flag"]: row for row in flags.all_together(result)}
    of_each = {(row["strategy"], row["flag"]): row for row in flags.by_entrant(result)}
    for seat in range(3):
        for entrant, name in [(None, ""), *enumerate(field.names)]:
            row = of_all[f"seat_{seat + 1}"] if entrant is None else of_each[name, f"seat_{seat + 1}"]
            found = field.seat_share(seat, entrant)
            assert found.difference.estimate == pytest.approx(row["difference"])
            assert found.difference.low == pytest.approx(row["difference_low"])
            assert found.p == pytest.approx(row["p"])


def test_shares_per_copy(mixed):
    for results in mixed.values():
        rows, field = plain_rows(results), Field(results)
        for entrant, name in enumerate(field.names):
            wanted = rows.loc[rows["strategy"] == name, "win"].mean() / 60
            found = field.share(entrant)
            assert found.estimate == pytest.approx(wanted)
            assert found.low <= wanted <= found.high


def test_what_nobody_and_what_everybody_has_is_not_compared():
    win = np.array([[60, 0], [0, 60], [60, 0], [0, 60]])
    block = np.arange(4)
    for had in (np.zeros((4, 2), bool), np.ones((4, 2), bool)):
        found = associate(had, win, block)
        assert found.difference.estimate is None
        assert found.difference.note
        assert found.p is None
        assert found.rate.estimate == had.mean()


def test_only_what_chance_deals_is_dealt(mixed, tmp_path):
    for players, results in mixed.items():
        groups = {column.group for column in Field(results).dealt}
        assert groups == {"gem"}, players
    rng = np.random.default_rng(1)
    score = rng.integers(50, 150, (60, 2, 2))
    dealt = np.repeat(np.eye(2, dtype=bool)[rng.integers(0, 2, 60)][:, None], 2, axis=1)
    by_one = np.broadcast_to(rotations(2) == 0, score.shape)  # always the first strategy
    made = {"dealt": dealt, "taken": by_one, "best": won(score) == 60}
    field = Field([made_run(tmp_path / "r", rotations(2), won(score), score, flags=made)])
    assert [column.name for column in field.dealt] == ["dealt"]


# --- what decides ---


def test_the_parts_of_the_winners_lead_add_up_to_its_lead(mixed):
    for results in mixed.values():
        field = Field(results)
        parts = sum(field.winners_lead(column.name) for column in field.of_kind("component"))
        np.testing.assert_allclose(parts, field.winners_lead("score"), atol=1e-9)
        rows = plain_rows(results)
        rows["game"] = np.arange(len(rows)) // field.n_seats
        rows["lead"] = rows["win"] / 60 * rows["score"] - rows["score"] / field.n_seats
        assert field.winners_lead("score").mean() == pytest.approx(rows.groupby("game")["lead"].sum().mean())


# --- skill and luck ---

MEANS, DEAL, REST = np.array([-10.0, 0.0, 10.0]), 10.0, 15.0


def made_field(folder, lineups, n_blocks, rng, means=MEANS, deal=DEAL, rest=REST):
    """Return games whose scores are strategy + deal of the block + own luck."""
    results = []
    for number, lineup in enumerate(lineups):
        k = len(lineup)
        seats = rotations(k)
        score = 1000 + means[np.array(lineup)][seats] + rng.normal(0, deal, (n_blocks, 1, 1))
        score = np.rint(score + rng.normal(0, rest, (n_blocks, k, k))).astype(np.int64)
        names = [f"s{i}" for i in lineup]
        results.append(made_run(folder / str(number), seats, won(score), score, names))
    return Field(results)


@pytest.mark.parametrize("lineups", [[(0, 1, 2)], [(0, 1), (1, 2), (2, 0)]])
def test_skill_and_luck_are_split_as_they_were_put_together(tmp_path, lineups):
    field = made_field(tmp_path, lineups, 3000, np.random.default_rng(2))
    variance = {"strategy": (MEANS**2).mean(), "deal": DEAL**2, "rest": REST**2 + 1 / 12}
    whole = sum(variance.values())
    found = field.variance_shares()
    for part in PARTS:
        interval = found[part].interval
        assert interval.estimate == pytest.approx(variance[part] / whole, abs=0.02), part
        assert interval.low - 0.01 < variance[part] / whole < interval.high + 0.01
    assert sum(found[part].interval.estimate for part in PARTS) == pytest.approx(1)


def test_equal_strategies_have_no_skill(tmp_path):
    """Their means differ by chance, and that is taken off: over many fields the share is about nothing."""
    rng = np.random.default_rng(3)
    shares = []
    for number in range(30):
        field = made_field(tmp_path / str(number), [(0, 1, 2)], 30, rng, means=np.zeros(3))
        shares.append(field.variance_shares()["strategy"].interval.estimate)
    by_chance = (REST**2 / 90) / (DEAL**2 + REST**2) * 2 / 3
    assert np.median(shares) < by_chance


def test_scores_that_never_differ_split_into_nothing(tmp_path):
    score = np.full((20, 2, 2), 100)
    field = Field([made_run(tmp_path / "r", rotations(2), won(score), score)])
    for found in field.variance_shares().values():
        assert found.p is None
        assert found.interval.estimate is None or np.isfinite(found.interval.estimate)


# --- put together ---


def test_line_ups_count_alike():
    one, other = Interval(0.2, 0.03, 0.1, 0.3), Interval(0.4, 0.04, 0.3, 0.5)
    found = over_lineups([one, other])
    assert found.estimate == pytest.approx(0.3)
    assert found.se == pytest.approx(0.025)
    assert (found.low, found.high) == pytest.approx((0.3 - 0.025 * 1.959964, 0.3 + 0.025 * 1.959964))
    assert over_lineups([one]) == one
    assert over_lineups([one, Interval(None, note="why")]) == Interval(None, note="why")
    assert over_lineups([one, Interval(0.4, note="why")]).note == "why"


def test_samples_put_together_keep_their_blocks_apart():
    def sample(n):
        return Takings(
            np.full((n, 2, 1), n), np.zeros((n, 2, 1), int), np.zeros((n, 2)), np.zeros((n, 2), int), np.arange(n) // 2
        )

    found = together([sample(4), sample(2)])
    assert found.block.tolist() == [0, 0, 1, 1, 2, 2]
    assert found.n_taken[:, 0, 0].tolist() == [4, 4, 4, 4, 2, 2]
