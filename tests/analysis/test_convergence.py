"""How estimates settled, against runs of the first blocks alone."""

from dataclasses import replace

import pytest
from simulated import World, result_of

from analysis.convergence import convergence
from analysis.tables import tables


def test_the_estimate_settles_as_plain_means_say():
    """After so many blocks it is what a run of these blocks alone would have found."""
    world = World("AB", strength=(3.0, 0.0))
    rows = world.rows(60, 3)
    result = result_of(world, rows)
    found = convergence(result)
    assert sorted(set(found["n_blocks"])) == [12, 16, 24, 32, 48, 60]
    for row in found.itertuples():
        alone = tables(result_of(world, rows[: row.n_blocks]))["summary"].set_index("strategy").loc[row.strategy]
        assert row.n_games == alone["n_games"]
        shares = alone[["win_share", "win_share_low", "win_share_high"]].astype(float)
        assert (row.win_share, row.low, row.high) == pytest.approx(tuple(shares))


def test_the_estimates_of_a_run_that_is_not_complete_are_valid_however_often_one_looks():
    world = World("AB", strength=(3.0, 0.0))
    rows = world.rows(300, 3)
    result = result_of(world, rows, planned=1000)
    result.sums.clear()
    for first, stop in ((0, 140), (200, 300)):  # blocks between are not played yet
        result.sums.add_blocks(rows[first:stop], world.seating, first)
    result = replace(result, n_blocks=240, n_games=480)
    found = convergence(result)
    assert sorted(set(found["n_blocks"])) == [128, 240]
    last = found[found["n_blocks"] == 240].set_index("strategy").loc["A"]
    summary = tables(result)["summary"].set_index("strategy").loc["A"]
    assert (last["low"], last["high"]) == pytest.approx((summary["win_share_low"], summary["win_share_high"]))
