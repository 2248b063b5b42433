"""``tafl tournament``: played, interrupted, resumed, reported, and refused in one sentence."""

import json
import os
import re
import shutil
import signal
import time

import pandas as pd
import pytest
from command import finish, start
from own_strategies import policy

FIELD = ("tournament", "nidavellir", "random", "greedy", "lines", "--players", 2)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A tournament of three strategies, 60 games; tests must not change it."""
    folder = tmp_path_factory.mktemp("small")
    said = finish(start(folder, *FIELD, "--games", 60, "--seed", 4, "--out", "t", "--threads", 1), 600)
    assert said.code == 0, said.err
    return folder / "t", said


def test_it_says_what_it_costs_and_what_it_found(small):
    folder, said = small
    said.is_plain()
    assert "Nidavellir, 2 players, edition official: 3 strategies in 3 line-ups, all there are (each pair)." in said.err
    assert re.search(r"60 games in 30 blocks, 20 a line-up, seed 4, about \d+:\d\d on 1 thread, folder t", said.err)
    assert "lines has the highest rating" in said.out
    assert "Report:     t/report.html" in said.out
    assert (folder / "report.html").is_file()
    assert len(pd.read_csv(folder / "tables" / "cross.csv")) == 6
    assert sorted(p.name for p in (folder / "lineups").iterdir()) == ["0001", "0002", "0003"]


def test_its_report_is_written_again(small, tafl, tmp_path):
    folder, _ = small
    shutil.copytree(folder, tmp_path / "t")
    (tmp_path / "t" / "report.html").unlink()
    said = tafl("report", "t")
    assert said.code == 0
    assert (tmp_path / "t" / "report.html").read_bytes() == (folder / "report.html").read_bytes()


def test_its_runs_are_runs(small, tafl):
    folder, _ = small
    said = tafl("replay", folder / "lineups" / "0001", 3)
    assert said.code == 0
    assert "Final score" in said.out


def test_a_finished_one_is_not_played_again(small, tafl, tmp_path):
    shutil.copytree(small[0], tmp_path / "t")
    said = tafl("tournament", "--resume", "t", "--no-report")
    assert said.code == 0
    assert said.err == ""


def test_other_commands_send_it_to_the_right_one(small, tafl):
    folder, _ = small
    tafl("compare", "--resume", folder).refuses(2, "is a tournament, not a run: tafl tournament --resume")
    tafl("replay", folder, 0).refuses(2, "is a tournament")
    tafl("tournament", "--resume", folder / "lineups" / "0001").refuses(2, "go on with tafl compare --resume")


def test_withheld_items_are_told_everywhere_and_confirmed(tafl, tmp_path):
    withheld = ("--withhold", "hero:grid", "--withhold", "card:age1-hunter")
    said = tafl(*FIELD, "--games", 60, "--seed", 4, *withheld, "--out", "t", "--threads", 1)
    assert said.code == 0, said.err
    name = "official without Grid, hunter (age 1)"
    assert f"edition {name}" in said.err
    assert f"edition {name}" in said.out.replace("\n", " ")
    assert name in (tmp_path / "t" / "report.html").read_text(encoding="utf-8")
    assert tafl("chart", "t", "ratings", "--out", "ratings.svg").code == 0
    assert "official without Grid" in (tmp_path / "ratings.svg").read_text(encoding="utf-8")
    confirmed = tafl("confirm", "t", "--seed", 5, "--out", "c", "--no-report")
    assert confirmed.code == 0, confirmed.err
    written = ["t/tournament.json", "c/tournament.json", "t/lineups/0001/manifest.json", "c/lineups/0001/manifest.json"]
    for edition in (json.loads((tmp_path / path).read_text(encoding="utf-8"))["edition"] for path in written):
        assert edition["withheld"] == ["hero:grid", "card:age1-hunter"]
    told = tafl("replay", "c/lineups/0001", 3)
    assert told.code == 0, told.err
    assert "Grid" not in told.out


OWN = """
name = "{name}"
game = "nidavellir"
base = "greedy"
idea = "Greedy under another name."
"""


@pytest.mark.skipif(os.name != "posix", reason="sends POSIX signals")
def test_interrupted_and_resumed_it_has_the_bytes_of_an_undisturbed_one(tmp_path):
    (tmp_path / "own.toml").write_text(OWN.format(name="own-greedy"))
    command = ("tournament", "nidavellir", "random", "greedy", "own-greedy", "--strategy-file", "own.toml")
    command += ("--players", 2, "--games", 40_000, "--seed", 6, "--rule", "heroes=beginner", "--no-report")
    command += ("--withhold", "hero:kraal")
    process = start(tmp_path, *command, "--out", "t", "--threads", 1, "--quiet")
    deadline = time.monotonic() + 300
    while not list((tmp_path / "t").glob("lineups/0002/chunks/*.chunk")):
        assert time.monotonic() < deadline, "it does not play"
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said = finish(process)
    assert said.code == 130, said.err
    said.is_plain()
    assert re.search(
        r"interrupted: [12] of 3 line-ups, .* are kept in 't'. Go on with:\n  tafl tournament --resume t\n", said.err
    )
    finish(start(tmp_path, "report", "t")).refuses(3, "is not finished", "tafl tournament --resume")
    (tmp_path / "own.toml").write_text("no strategy any more")
    said = finish(start(tmp_path, "tournament", "--resume", "t", "--threads", 2, "--no-report"))
    assert said.code == 0, said.err
    (tmp_path / "own.toml").write_text(OWN.format(name="own-greedy"))
    assert finish(start(tmp_path, *command, "--out", "whole", "--threads", 2, "--quiet"), 300).code == 0

    def written(folder):
        files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.name not in ("log.jsonl", "lock")]
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}

    assert written(tmp_path / "t") == written(tmp_path / "whole")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("name a game and the seats",)),
        (("nidavellir",), ("--players 2 to 5 for Nidavellir",)),
        (("nidavelir", "--players", 3), ("nidavellir",)),
        (("nidavellir", "planer", "greedy", "--players", 3), ("no strategy 'planer'; the nearest is 'planner'",)),
        (("nidavellir", "greedy", "--players", 3), ("needs at least two strategies, and 'greedy' is one",)),
        (("nidavellir", "greedy", "greedy", "--players", 3), ("needs at least two strategies",)),
        (("nidavellir", "--players", 6), ("2 to 5 players, not 6: choose --players 5",)),
        (("nidavellir", "--players", 1), ("not 1: choose --players 2",)),
        (("nidavellir", "--players", 3, "--games", 0), ("the number of games must be at least 1",)),
        (("nidavellir", "--players", 3, "--seed", -1), ("the seed must be from 0",)),
        (("nidavellir", "--players", 3, "--lineups", "some"), ("'all', 'balanced' or 'focus NAME', not 'some'",)),
        (("nidavellir", "--players", 3, "--lineups", "focus planer"), ("the nearest is 'planner'",)),
        (("nidavellir", "greedy", "lines", "--players", 3, "--lineups", "focus planner"), ("called 'planner'",)),
        (("nidavellir", "greedy", "lines", "--players", 3, "--lineups", "balanced"), ("at least 3 strategies",)),
        (("nidavellir", "--players", 5, "--lineups", "all"), ("15488 line-ups", "name fewer strategies")),
        (("nidavellir", "--players", 3, "--out", "there"), ("exists already",)),
        (("nidavellir", "--players", 3, "--resume", "there"), ("leave out GAME, --players",)),
        (("--withhold", "hero:uline", "--resume", "there"), ("leave out --withhold",)),
        (("nidavellir", "--players", 3, "--withhold", "hero:ulin"), ("the nearest is 'hero:uline'",)),
        (("nidavellir", "--players", 3, "--withhold", "gem:5"), ("gem:5 (starting gem 5) cannot be withheld",)),
        (("--resume", "there"), ("is no tournament's folder",)),
        (("--resume", "nowhere"), ("there is no folder 'nowhere'",)),
    ],
)
def test_bad_input_is_refused_in_a_sentence(tafl, tmp_path, arguments, words):
    (tmp_path / "there").mkdir()
    tafl("tournament", *arguments).refuses(2, *words)
    assert list((tmp_path / "there").iterdir()) == []
    assert not (tmp_path / "runs").exists()


def test_a_strategy_that_fails_leaves_no_folder(tafl, tmp_path):
    (tmp_path / "bad.py").write_text(policy("bad", "return n_options"))
    said = tafl("tournament", "nidavellir", "bad", "random", "--strategy-file", "bad.py", "--players", 2, "--out", "t")
    assert said.code == 3
    assert not (tmp_path / "t").exists()


def test_schedules_are_kept(small):
    said = json.loads((small[0] / "tournament.json").read_text())
    assert said["mode"] == "all"
    assert sorted(sorted(one["lineup"]) for one in said["lineups"]) == [
        ["greedy", "lines"], ["greedy", "random"], ["lines", "random"]
    ]  # fmt: skip
