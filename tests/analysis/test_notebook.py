"""The commands as functions, and the example notebook."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import analysis
import cli
from analysis.tables import COLUMNS
from simcore.contract import TaflError

ROOT = Path(__file__).resolve().parents[2]
NO_FUNCTION = {"report", "warmup", "doctor", "check", "bench", "chart"}
"""Commands about files to look at, or about this installation."""


def test_the_example_notebook_runs_from_top_to_bottom(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    names: dict = {}
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "notebook", "exec"), names)
        if last is not None:
            shown.append(eval(compile(ast.Expression(last.value), "notebook", "eval"), names))
    strategies, summary, pairs, components, columns, claims, _, loaded = shown
    assert {"strategy", "idea"} <= set(strategies.columns)
    assert summary["win_share"].sum() == pytest.approx(1)
    assert len(pairs) == 3
    for strategy, mean in names["run"].summary.set_index("strategy")["score_mean"].items():
        assert components[strategy].sum() == pytest.approx(mean, abs=0.5)  # each of its parts is rounded to a tenth
    assert columns == COLUMNS["pairs"]
    every = [(c, str(t)) for c, t in names["claims"].dtypes.items()]
    assert every == [(c, t) for c, t, _ in COLUMNS["claims"]]
    assert set(claims["outcome"]) <= {"holds", "not confirmed", "reversed"}
    assert loaded["win_share"].tolist() == summary["win_share"].tolist()
    assert "Age 1" in capsys.readouterr().out


def test_every_command_that_returns_something_is_a_function():
    names = (command.name or command.callback.__name__ for command in cli.app.registered_commands)
    commands = {name.replace("-", "_") for name in names}
    assert commands - NO_FUNCTION <= set(analysis.__all__)


def test_importing_brings_nothing_heavy():
    code = "import sys, analysis; print([m for m in ('pandas', 'numba', 'matplotlib') if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_lists_are_tables():
    assert analysis.games()["game"].tolist() == ["nidavellir", "reavers"]
    assert "exchange_gives_up" in set(analysis.rules("nidavellir")["switch"])
    assert isinstance(analysis.cards("reavers"), pd.DataFrame)


def test_the_laboratory_returns_its_tables(tmp_path):
    from analysis.sweeps import COLUMNS as OF_SWEEP

    vary = ["warrior_majority=points"]
    found = analysis.sweep("nidavellir", "greedy", "random", vary=vary, games=40, seed=1, out=tmp_path / "s", threads=1)
    assert set(found) == set(OF_SWEEP)
    assert found["cases"]["case"].tolist() == ["unchanged", "warrior_majority=points"]


def test_a_tournament_returns_its_tables(tmp_path):
    from analysis.tournament_tables import COLUMNS as OF_TOURNAMENT

    found = analysis.tournament(
        "nidavellir", "greedy", "random", players=2, games=40, seed=1, out=tmp_path / "t", threads=1
    )
    assert set(found) == set(OF_TOURNAMENT)
    assert found["strategies"]["strategy"].tolist() == ["greedy", "random"]


def test_errors_are_the_sentences_of_the_commands(tmp_path):
    with pytest.raises(TaflError, match="the nearest is 'planner'"):
        analysis.compare("nidavellir", "plannr", games=4, out=tmp_path / "run")
    with pytest.raises(AttributeError, match="no attribute 'comparee'"):
        analysis.comparee  # noqa: B018


def test_a_rule_stops_a_run_as_on_the_command_line(tmp_path):
    found = analysis.compare("nidavellir", "greedy", "random", precision="5%", seed=3, out=tmp_path / "run", threads=1)
    assert found.result.stopped.answer == "precise"
    widths = found.summary["win_share_high"] - found.summary["win_share_low"]
    assert (widths <= 0.1).all()
    with pytest.raises(TaflError, match="--sprt needs the lead that matters"):
        analysis.compare("nidavellir", "greedy", "random", sprt=("greedy", "random"), out=tmp_path / "other")


def test_shards_resumed_and_merged_are_one_run(tmp_path):
    play = {"games": 24, "seed": 3, "threads": 1}
    whole = analysis.compare("nidavellir", "greedy", "random", out=tmp_path / "run", **play)
    assert analysis.reproduce(whole, threads=1)["agrees"].all()
    assert analysis.resume(tmp_path / "run").result.complete
