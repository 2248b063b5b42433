"""Who takes what: a sample that is played with recording on agrees with the rows that counted."""

import numpy as np
import pandas as pd
import pytest

from analysis import runs
from analysis.experiments import Experiment, bases_again
from simcore.games_file import GAMES_NAME
from simcore.takings import sample_takings

N_GAMES = 12


@pytest.fixture(scope="module")
def sampled(balanced):
    made = Experiment.load(balanced[0])
    number, case = next(
        (n, c) for n, c in enumerate(made.cases, 1) if made.options["bases"][c.base] == {"kind": "mixed", "players": 3}
    )
    setup = runs.make_ready(bases_again(made)[case.base])
    sample = sample_takings(setup.plan("rotations", case.seed), N_GAMES)
    rows = pd.read_parquet(made.run_folder(number) / GAMES_NAME)[: N_GAMES * 3]
    return sample, rows, setup


def test_it_is_the_games_that_counted(sampled):
    sample, rows, setup = sampled
    assert sample.win.shape == (N_GAMES, 3)
    np.testing.assert_allclose(sample.win, rows["win"].to_numpy().reshape(-1, 3) / 60)
    names = np.array([entrant.name for entrant in setup.entrants])
    assert (names[sample.entrant] == rows["strategy"].astype(str).to_numpy().reshape(-1, 3)).all()
    assert sample.block.tolist() == [game // 3 for game in range(N_GAMES)]


def test_items_with_a_column_are_taken_by_who_has_them_in_the_end(sampled):
    sample, rows, setup = sampled
    items = setup.spec.items(setup.edition, 3)
    checked = 0
    for number, item in enumerate(items):
        if item.kind in ("hero", "distinction"):
            had = rows[item.column].to_numpy().reshape(-1, 3) == 1
            np.testing.assert_array_equal(sample.n_taken[:, :, number] > 0, had, err_msg=item.item_id)
            checked += had.any()
    assert checked > 5


def test_rounds_are_those_of_the_game(sampled):
    sample, _, _ = sampled
    taken = sample.n_taken > 0
    assert (sample.first_round[~taken] == -1).all()
    assert (sample.first_round[taken] >= 0).all()
    assert sample.first_round.max() <= 8


def test_a_sample_is_rounded_up_to_whole_blocks(sampled):
    _, _, setup = sampled
    assert len(sample_takings(setup.plan("rotations", 1), 4).win) == 6
