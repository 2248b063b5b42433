"""An experiment's folder keeps what its cases are played with."""

import shutil

import pytest

from analysis import balance_plan, experiments, runs, series_play, sweeps
from simcore.contract import DataError


def test_a_strategy_keeps_its_parameters_at_each_size_of_table(tmp_path):
    bases, manifest = balance_plan.plan("nidavellir", ["planner"], [2, 4], [], False, 4, 1)
    made = experiments.create(manifest, bases, tmp_path / "made")
    again = experiments.bases_again(made)
    given = [base.strategies[0].params_for(len(base.lineup)) for base in bases]
    assert given[0] != given[1]  # or the test would show nothing
    assert [base.strategies[0].params_for(len(base.lineup)) for base in again] == given


def played(folder):
    choice = runs.choose("nidavellir", ["random", "greedy"])
    manifest = sweeps.plan(choice, ["heroes.grid.amount=6,8"], False, 8, 1, [])
    made = experiments.create(manifest, [choice], folder)
    series_play.play(made, experiments.setups(made.cases, [choice]), 1)
    return made


def test_a_case_in_the_place_of_another_is_refused(tmp_path):
    made = played(tmp_path / "made")
    first, second = (made.run_folder(n) for n in (2, 3))
    assert sweeps.Sweep(made).tables["cases"]["case"].tolist()[1:] == ["heroes.grid.amount=6", "heroes.grid.amount=8"]
    first.rename(tmp_path / "aside")
    second.rename(first)
    (tmp_path / "aside").rename(second)
    with pytest.raises(DataError, match="is not case 2 of the experiment: its case differ"):
        sweeps.Sweep(made)


def test_a_damaged_case_is_told_how_to_be_mended(tmp_path):
    made = played(tmp_path / "made")
    (made.run_folder(2) / "sums.npz").write_bytes(b"nothing")
    with pytest.raises(DataError, match=r"case 2 cannot be read .*remove the folder .*tafl sweep --resume"):
        sweeps.Sweep(made)
    shutil.rmtree(made.run_folder(2))
    choice = experiments.bases_again(made)[0]
    series_play.play(made, experiments.setups(made.cases, [choice]), 1)
    assert len(sweeps.Sweep(made).tables["differences"])
