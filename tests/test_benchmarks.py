"""The benchmark measures every table size that a game has, and says so as a table and as JSON."""

import json
import re

import pytest

from benchmarks import speed

START = {
    "help_seconds": {"median": 0.1, "low": 0.1, "high": 0.2},
    "cold_seconds": 30.0,
    "warm_seconds": {"median": 2.0, "low": 1.9, "high": 2.1},
    "compare_100000_with_report_seconds": {"median": 8.0, "low": 7.0, "high": 9.0},
}
MEMORY = [{"n_games": 10_000, "peak_mib": 260.0}]


@pytest.fixture
def quick(monkeypatch):
    """Speeds for a moment; what takes minutes (compiling anew, runs of a million games) is behind `pytest -m slow`."""
    monkeypatch.setattr(speed, "TURNS", 2)
    monkeypatch.setattr(speed, "_start_up", lambda game: START)
    monkeypatch.setattr(speed, "_memory", lambda game: MEMORY)


@pytest.mark.parametrize(("game", "sizes"), [("nidavellir", [2, 3, 4, 5]), ("reavers", [2, 3, 4])])
def test_every_table_size_is_measured(game, sizes, quick, capsys, tmp_path):
    found = speed.run_benchmark(game, 0.01, out=tmp_path / "bench.json")
    measured = [(line["n_players"], line["strategy"]) for line in found["speed"]]
    assert measured == [(n, name) for n in sizes for name in ("random", "greedy", "balanced", "planner")]
    for line in found["speed"]:
        games, decisions = line["games_per_second"], line["decisions_per_second"]
        assert 0 < games["low"] <= games["median"] <= games["high"]
        assert decisions["median"] > 20 * games["median"]
        assert line["nanoseconds_per_decision"]["median"] == pytest.approx(1e9 / decisions["median"], rel=0.5)
        assert line["ratio"]["median"] > 0
    assert json.loads((tmp_path / "bench.json").read_text(encoding="utf-8")) == found
    said = capsys.readouterr().out
    assert "nan" not in said
    assert len(re.findall(r"^\d +(?:random|greedy|balanced|planner) ", said, re.MULTILINE)) == len(measured)
    assert "260 MiB" in said


def test_as_json_it_prints_the_same(quick, capsys):
    found = speed.run_benchmark("reavers", 0.01, as_json=True)
    assert json.loads(capsys.readouterr().out) == found


@pytest.mark.slow
@pytest.mark.parametrize("game", ["nidavellir", "reavers"])
def test_start_up_times_and_memory_are_those_of_whole_commands(game, monkeypatch):
    monkeypatch.setattr(speed, "TURNS", 1)
    monkeypatch.setattr(speed, "MEMORY_GAMES", (100,))
    start = speed._start_up(game)
    assert start["cold_seconds"] > start["warm_seconds"]["median"] > start["help_seconds"]["median"] > 0
    (memory,) = speed._memory(game)
    assert 50 < memory["peak_mib"] < 2000
