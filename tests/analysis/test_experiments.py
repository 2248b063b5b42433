"""An experiment's folder keeps what its cases are played with."""

from analysis import balance_plan, experiments


def test_a_strategy_keeps_its_parameters_at_each_size_of_table(tmp_path):
    bases, manifest = balance_plan.plan("nidavellir", ["planner"], [2, 4], [], False, 4, 1)
    made = experiments.create(manifest, bases, tmp_path / "made")
    again = experiments.bases_again(made)
    given = [base.strategies[0].params_for(len(base.lineup)) for base in bases]
    assert given[0] != given[1]  # or the test would show nothing
    assert [base.strategies[0].params_for(len(base.lineup)) for base in again] == given
