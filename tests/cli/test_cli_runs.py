"""Shards and merging, per-game rows, reproducing, progress for programs, warming up, the doctor."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from command import finish, start

from analysis import doctor, golden
from analysis.runs import default_edition
from simcore import accel
from simcore.games import GAMES, find_game
from simcore.store import load_result

GREEDY_RANDOM = ("compare", "nidavellir", "greedy", "random", "--players", 3, "--games", 90, "--seed", 4, "--quiet")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A complete run with per-game rows and tables, not to be changed."""
    folder = tmp_path_factory.mktemp("kept")
    said = finish(start(folder, *GREEDY_RANDOM, "--keep-games", "--no-report", "--out", "run"), 300)
    assert said.code == 0, said.err
    return folder / "run"


def result_files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "log.jsonl"
    }


# shards


def test_shards_are_merged_to_the_bytes_of_one_run(tafl, tmp_path, kept):
    for shard in ("1/2", "2/2"):
        said = tafl(*GREEDY_RANDOM, "--keep-games", "--shard", shard, "--out", shard[0])
        assert said.code == 0, said.err
        assert said.out.startswith(f"Shard {shard[0]} of 2 is done: blocks ")
        assert "tafl merge FOLDER SHARD..." in said.out
    said = tafl("merge", "whole", "2", "1", "--no-report")
    assert said.code == 0, said.err
    assert "win share" in said.out
    assert result_files(tmp_path / "whole") == result_files(kept)


def test_a_shard_without_out_names_its_folder(tafl, tmp_path):
    assert tafl(*GREEDY_RANDOM, "--shard", "2/3").code == 0
    [folder] = (tmp_path / "runs").iterdir()
    assert folder.name == "nidavellir-greedy-random-3p-4-shard-2-of-3"
    tafl("merge", "whole", folder).refuses(3, "blocks 0 to 9 of 30 are in no shard", "name the shard")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--shard", "4/3"), "there is no shard 4 of 3"),
        (("--shard", "one"), "write its number and how many there are, such as 2/8"),
        (("--shard", "1/1000"), "take at most 30"),
        (("--cluster", "local:0"), "write local:1 to local:64"),
        (("--cluster", "nowhere"), "tcp://HOST:PORT"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(tafl, tmp_path, options, words):
    tafl(*GREEDY_RANDOM, *options, "--out", "run").refuses(2, words)
    assert not list(tmp_path.iterdir())


def test_shards_need_a_seed(tafl):
    said = tafl("compare", "nidavellir", "random", "--games", 8, "--shard", "1/2")
    said.refuses(2, "give each of them the same --seed")


def test_a_missing_cluster_library_is_said(tafl, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    tafl(*GREEDY_RANDOM, "--cluster", "local:2").refuses(2, "pip install 'tafl[cluster]'")


@pytest.mark.slow
def test_a_local_cluster_gives_the_bytes_of_threads(tafl, tmp_path, kept):
    said = finish(start(tmp_path, *GREEDY_RANDOM, "--keep-games", "--no-report", "--cluster", "local:2", "--out", "c"))
    assert said.code == 0, said.err
    assert result_files(tmp_path / "c") == result_files(kept)


@pytest.mark.slow
def test_interpreted_it_gives_the_same_bytes(tmp_path, kept):
    options = ("--keep-games", "--no-report", "--out", "i")
    said = finish(start(tmp_path, *GREEDY_RANDOM, *options, NUMBA_DISABLE_JIT="1"), 600)
    assert said.code == 0, said.err
    assert result_files(tmp_path / "i") == result_files(kept)


# per-game rows


def test_per_game_rows_are_read_by_pandas_and_are_the_games_that_count(tafl, kept):
    found = pd.read_parquet(kept / "games")
    assert len(found) == 90 * 3
    scores = dict(found.groupby("strategy", observed=True)["score"].mean())
    result = load_result(kept)
    for entrant, name in enumerate(result.names):
        n = result.n_games * result.copies[entrant]
        assert scores[name] == result.sums["total"][entrant, result.layout.score] / n
    assert found.groupby("game")["win"].sum().eq(60).all()
    told = tafl("replay", kept, 17).out
    for _, row in found[found["game"] == 17].iterrows():
        assert f"seat {row['seat']} ({row['strategy']}): {row['score']} " in told


def test_every_column_of_the_rows_is_documented(kept):
    from pathlib import Path

    text = (Path(__file__).parents[2] / "docs" / "per-game-rows.md").read_text(encoding="utf-8")
    for name in pd.read_parquet(kept / "games").columns:
        stem = name.rstrip("0123456789")
        known = (f"`{name}`", f"`{stem}N`", f"`{name.split('_')[0]}_*`", f"`*_{name.split('_')[-1]}`")
        assert any(word in text for word in known), name


# reproduce


def test_reproduce_says_file_by_file_that_every_byte_came_again(tafl, tmp_path, kept):
    before = result_files(kept)
    said = tafl("reproduce", kept, "--quiet")
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    files = ("manifest.json", "sums.npz", "unfolding.npz", "games/games-00000.parquet", "tables/summary.csv")
    for name in (*files, "tables/pairs.csv", "tables/by_round.csv"):
        assert f"{name} the same".split() in [line.split() for line in lines]
    assert lines[-1] == "Every byte of the results of 90 games came again."
    assert result_files(kept) == before
    assert not list(tmp_path.iterdir())


def test_reproduce_can_keep_what_it_played(tafl, tmp_path, kept):
    assert tafl("reproduce", kept, "--quiet", "--out", "again").code == 0
    assert result_files(tmp_path / "again") == {**result_files(kept), **result_files(tmp_path / "again")}
    tafl("reproduce", kept, "--out", "again").refuses(2, "'again' exists already")


def test_reproduce_names_what_differs(tafl, tmp_path, kept):
    shutil.copytree(kept, tmp_path / "run")
    table = tmp_path / "run" / "tables" / "summary.csv"
    table.write_text(table.read_text().replace("greedy", "greedier"))
    (tmp_path / "run" / "tables" / "own.csv").write_text("a\n1\n")
    rows = tmp_path / "run" / "games" / "games-00000.parquet"
    found = pd.read_parquet(rows)
    found.loc[3, "score"] += 1
    found.to_parquet(rows)
    sums = dict(np.load(tmp_path / "run" / "sums.npz"))
    sums["total_won"][0, 0] += 1
    np.savez(tmp_path / "run" / "sums.npz", **sums)
    said = tafl("reproduce", "run", "--quiet")
    assert said.code == 3
    told = {line.split()[0]: " ".join(line.split()[1:]) for line in said.out.splitlines() if line}
    assert told["sums.npz"] == "DIFFERS other numbers in total_won"
    assert told["games/games-00000.parquet"] == "DIFFERS other rows"
    assert told["tables/summary.csv"] == "DIFFERS it differs from line 2 on"
    assert told["tables/own.csv"] == "DIFFERS it did not come again"
    assert told["tables/pairs.csv"] == "the same"
    assert "4 of 18 files differ from the first time." in said.out


def test_reproduce_refuses_another_engine_unless_told(tafl, tmp_path, kept, monkeypatch):
    monkeypatch.setattr("analysis.reproduction.engine_digest", lambda game: "another")
    tafl("reproduce", kept).refuses(3, "was played by another tafl", "--any-engine plays it all the same")
    said = tafl("reproduce", kept, "--any-engine", "--quiet")
    assert said.code == 0
    assert "Its rules or luck are not those of the first time." in said.out


def test_reproduce_works_after_the_strategys_file_has_gone(tafl, tmp_path):
    own = tmp_path / "mine.toml"
    own.write_text(
        'game = "nidavellir"\nname = "mine"\nidea = "Coins."\nbase = "balanced"\n[weights]\ncoin_growth = 300\n'
    )
    options = ("--strategy-file", own, "--games", 4, "--seed", 1, "--out", "run", "--no-report", "--quiet")
    assert tafl("compare", "nidavellir", "mine", *options).code == 0
    own.unlink()
    assert tafl("reproduce", "run", "--quiet").code == 0


def test_reproduce_needs_a_complete_run(tafl, tmp_path):
    assert tafl(*GREEDY_RANDOM, "--shard", "1/2", "--out", "half").code == 0
    tafl("reproduce", "half").refuses(3, "is not complete (15 of 30 blocks)")


# progress


def test_progress_for_programs_is_lines_of_json(tafl):
    arguments = [argument for argument in GREEDY_RANDOM if argument != "--quiet"]
    said = tafl(*arguments, "--json-progress", "--no-report", "--out", "run")
    events = [json.loads(line) for line in said.err.splitlines()]
    assert events[0]["event"] == "begin"
    assert events[0]["lineup"] == ["greedy", "random", "greedy"]
    assert events[0]["n_games"] == 90
    last = events[-1]
    assert last["event"] == "progress"
    assert last["n_blocks_done"] == last["n_blocks"] == 30
    assert last["seconds_left"] == 0
    assert (last["leader"], last["second"]) == ("greedy", "random")
    summary = pd.read_csv("run/tables/pairs.csv")
    assert last["difference"] == pytest.approx(summary["win_share_difference"][0])
    half = (summary["high"][0] - summary["low"][0]) / 2  # of the finished run: its number of games was fixed
    assert half < last["half_width"] < 2.5 * half  # of a run that one looks at while it goes on


# warming up and the doctor


def test_warmup_compiles_what_ships(tafl, monkeypatch):
    monkeypatch.setattr(doctor.registry, "names", lambda game: ["random"])
    said = tafl("warmup", "nidavellir")
    assert said.code == 0
    assert said.out.startswith("nidavellir: the engine and 1 strategies are compiled (")
    tafl("warmup", "nidavelir").refuses(2, "nidavellir")


def test_warmup_without_a_folder_to_write_says_how_to_mend_it(tafl, monkeypatch):
    monkeypatch.setattr(accel, "INTERPRETED", False)
    monkeypatch.setattr(accel, "cache_folder", lambda module: None)
    tafl("warmup").refuses(3, "cannot be written", "let TAFL_CACHE_DIR name a folder")


@pytest.mark.parametrize("game", [game.game_id for game in GAMES])
def test_the_golden_games_are_played_as_stored(game):
    """After a rule or the luck was changed on purpose: python -m analysis.golden."""
    assert golden.play(game) == golden.known(game)


@pytest.mark.parametrize("game", [game.game_id for game in GAMES])
def test_no_column_of_a_game_has_a_name_that_the_rows_use_themselves(game):
    spec = find_game(game)
    edition = default_edition(spec)
    for n_players in range(spec.min_players, spec.max_players + 1):
        columns = spec.columns(spec.load_edition(edition, {}), n_players)
        names = ["game", "block", "seat", "strategy", *(column.name for column in columns)]
        assert len(names) == len(set(names))


def test_a_sound_installation(tafl):
    said = tafl("doctor")
    assert said.code == 0, said.out
    said.is_plain()
    for name in ("packages", "compiler", "compiled cache", "threads", "cluster", "nidavellir, a known game"):
        assert f" {name} " in said.out
    assert said.out.endswith("Nothing is wrong.\n")


def test_the_doctor_says_how_to_mend_what_it_finds(tafl, monkeypatch):
    stored = golden.known("nidavellir")
    wrong = {**stored, "scores": [stored["scores"][0] + 1, *stored["scores"][1:]]}
    known = golden.known
    monkeypatch.setattr(golden, "known", lambda game: wrong if game == "nidavellir" else known(game))
    monkeypatch.setattr(doctor, "requirements", lambda: [("numba", "99.0"), ("no-such-package", "1.0")])
    monkeypatch.setattr(accel, "cache_folder", lambda module: None)
    said = tafl("doctor")
    assert said.code == 3
    out = " ".join(said.out.split())
    assert "older than 99.0 -> pip install 'numba>=99.0'" in out
    assert "no-such-package not installed -> pip install 'no-such-package>=1.0'" in out
    assert f"instead of {wrong['scores'][0]}, {wrong['scores'][1]} -> " in out
    assert "3 things are wrong." in said.out


def test_every_requirement_is_looked_at():
    assert {"numpy", "numba", "pandas", "pyarrow"} <= {name for name, _ in doctor.requirements()}
    assert "pytest" not in {name for name, _ in doctor.requirements()}
