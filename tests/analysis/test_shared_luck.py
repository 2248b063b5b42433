"""What a game of a block is worth, against worlds where it is known."""

import numpy as np
import pytest

from analysis.notebook import compare, games_saved
from analysis.shared_luck import _between, _within, _worth
from simcore.contract import TaflError


def test_independent_games_are_worth_one():
    rng = np.random.default_rng(1)
    worth, low, high = _worth(rng.normal(0, 1, (4000, 4)), _within)
    assert low < 1 < high
    assert worth == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("shared", [-0.2, 0.5])
def test_correlated_games_are_worth_what_their_correlation_says(shared):
    """Var of a mean of n games with correlation r is (1 + (n - 1) r) / n: a game is worth 1 / (1 + (n - 1) r)."""
    rng = np.random.default_rng(2)
    n = 4
    covariance = np.full((n, n), shared) + (1 - shared) * np.eye(n)
    worth, low, high = _worth(rng.multivariate_normal(np.zeros(n), covariance, 20_000), _within)
    assert low < 1 / (1 + (n - 1) * shared) < high
    assert worth == pytest.approx(1 / (1 + (n - 1) * shared), rel=0.05)


def test_two_runs_are_worth_what_their_correlation_says():
    """Var of a difference of two with correlation r is (1 - r) times that of independent ones."""
    rng = np.random.default_rng(4)
    both = rng.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 20_000)
    assert _worth(both, _between)[0] == pytest.approx(5, rel=0.05)


def test_the_interval_holds_its_value_19_times_in_20():
    rng = np.random.default_rng(3)
    hits = sum(low < 1 < high for _, low, high in (_worth(rng.normal(0, 1, (200, 3)), _within) for _ in range(300)))
    assert 270 <= hits <= 298


def test_of_a_run(tmp_path):
    run = compare("nidavellir", "greedy", "random", games=400, seed=1, out=tmp_path / "kept", keep_games=True)
    [row] = games_saved(run).to_dict("records")
    assert (row["a"], row["b"], row["n_games"]) == ("greedy", "random", 400)
    assert 0 < row["low"] < row["worth"] < row["high"]
    other = compare("nidavellir", "balanced", "random", games=400, seed=1, out=tmp_path / "other", keep_games=True)
    assert games_saved(run, other)[["a", "b"]].values.tolist() == [["greedy", "balanced"], ["random", "random"]]
    elsewhere = compare("nidavellir", "greedy", "random", games=400, seed=2, out=tmp_path / "seed", keep_games=True)
    with pytest.raises(TaflError, match="do not share their luck: they differ in seed"):
        games_saved(run, elsewhere)
    bare = compare("nidavellir", "greedy", "random", games=40, seed=1, out=tmp_path / "bare")
    with pytest.raises(TaflError, match="--keep-games"):
        games_saved(bare)
