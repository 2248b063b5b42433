"""Weights that make no sense: a strategy may play badly with them, but never reads beside its tables.

Where bounds are checked (TAFL_BOUNDSCHECK=1, as in this suite), an index that a weight drives too far ends the run.
"""

import random
import warnings

import pytest

from analysis.runs import set_up
from simcore.play import Table
from strategies import registry

BASES = [("nidavellir", "balanced"), ("nidavellir", "planner"), ("reavers", "balanced"), ("reavers", "planner")]


@pytest.mark.parametrize(("game", "base"), BASES)
def test_no_weight_leads_beside_a_table(tmp_path, game, base):
    rng = random.Random(f"{game} {base}")
    names = sorted(registry.find(game, base).params)
    for largest in (1_000, 10**5, 10**8, 2**40):
        for number in range(5):
            weights = {name: rng.randint(-largest, largest) for name in rng.sample(names, 5)}
            path = tmp_path / f"wild-{largest}-{number}.toml"
            head = f'name = "{path.stem}"\ngame = "{game}"\nbase = "{base}"\nidea = "any"\nsource = "none"\n[weights]\n'
            path.write_text(head + "".join(f"{name} = {value}\n" for name, value in weights.items()))
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                setup = set_up(game, [path.stem, base], 3, strategy_files=[path])
            rows = Table(setup.plan("rotations", 5)).play(0, 3)
            assert rows[..., 1].min() >= 0, weights
