"""Runs that stop when they have enough: what a user writes, what is said, and the same bytes again."""

import json
import re
import shutil

import pytest
from command import finish, start

from analysis.stopping import MOST_GAMES
from simcore.store import load_result

COMPARE = ("compare", "nidavellir", "greedy", "random", "--seed", 3, "--no-report")
GREEDY = "greedy is ahead of random"

REFUSED = [
    # what was typed, words of the sentence
    (("--precision", "0.001"), ["--precision: '0.001' is no percentage", "--precision 0.5%"]),
    (("--precision", "much"), ["'much' is no percentage"]),
    (("--precision", "nan%"), ["'nan%' is no percentage"]),
    (("--precision", "-1%"), ["'-1%' is no percentage"]),
    (("--precision", ""), ["'' is no percentage"]),
    (("--precision", "9" * 500), ["9...' is no percentage"]),
    (("--precision", "0%"), ["--precision must be above 0% and below 50%, not 0%"]),
    (("--precision", "50%"), ["below 50%, not 50%"]),
    (("--precision",), ["--precision", "requires an argument"]),
    (("--precision", "1%", "--until-distinguished"), ["choose one of --precision, --until-distinguished"]),
    (
        ("--precision", "1%", "--sprt", "greedy", "random", "--margin", "1%"),
        ["one rule stops a run", "--precision, --sprt"],
    ),
    (("--until-distinguished", "--shard", "1/2"), ["a shard cannot know", "--until-distinguished or --shard"]),
    (("--precision", "1%", "--shard", "1/2"), ["a shard cannot know"]),
    (("--margin", "1%"), ["--margin belongs to --sprt A B"]),
    (("--margin", "1%", "--precision", "1%"), ["--margin belongs to --sprt A B"]),
    (("--sprt", "greedy", "random"), ["--sprt needs the lead that matters", "--margin 1%"]),
    (("--sprt", "greedy"), ["--sprt", "2 arguments"]),
    (("--sprt", "greedy", "random", "--margin", "0%"), ["--margin must be above 0% and below 100%, not 0%"]),
    (("--sprt", "greedy", "random", "--margin", "100%"), ["below 100%"]),
    (("--sprt", "greedy", "random", "--margin", "1"), ["--margin: '1' is no percentage"]),
    (("--sprt", "greedy", "planner", "--margin", "1%"), ["no strategy of the line-up 'planner'", "greedy, random"]),
    (("--sprt", "gredy", "random", "--margin", "1%"), ["'gredy'", "the nearest is 'greedy'"]),
    (("--sprt", "greedy", "greedy", "--margin", "1%"), ["two different strategies", "never ahead of itself"]),
]


@pytest.mark.parametrize(("options", "words"), REFUSED, ids=lambda value: " ".join(map(str, value))[:60])
def test_usage_is_refused_with_code_2(tafl, tmp_path, options, words):
    tafl(*COMPARE, *options).refuses(2, *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [("--precision", "1%"), ("--until-distinguished",)])
def test_one_strategy_is_too_few(tafl, tmp_path, options):
    tafl("compare", "nidavellir", "greedy", *options).refuses(2, f"{options[0]} needs two strategies or more", "greedy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "options",
    [("--precision", "1%"), ("--until-distinguished",), ("--sprt", "a", "b"), ("--margin", "1%")],
    ids=lambda options: options[0],
)
def test_resuming_takes_the_rule_from_the_run(tafl, options):
    tafl("compare", "--resume", "r", *options).refuses(2, f"leave out {options[0]}.")


def test_help_says_how_they_are_written(tafl):
    text = " ".join(tafl("compare", "--help").out.split())
    for words in ("--precision", "0.1%", "--until-distinguished", "--sprt", "--margin", "1%", "10000000"):
        assert words in text


def plain(text):
    return text.replace("\u202f", " ").replace("\u00a0", " ")


@pytest.fixture(scope="module")
def precise(tmp_path_factory):
    """A run that stopped when it was precise; not to be changed."""
    folder = tmp_path_factory.mktemp("stopping")
    said = finish(start(folder, *COMPARE, "--precision", "2.5%", "--keep-games", "--out", "run"), 300)
    assert said.code == 0, said.err
    return folder / "run", said


def result_files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("log.jsonl", "lock") and path.suffix not in (".svg", ".png", ".html")
    }


def test_it_says_what_stopped_it(precise):
    folder, said = precise
    result = load_result(folder)
    assert result.stopped.rule == "precision"
    assert result.n_games < MOST_GAMES == result.manifest["n_games"]
    n_games = f"{result.n_games:,}".replace(",", " ")
    words = plain(said.out)
    assert f"The rule --precision stopped the run after {n_games} games: every win share is known to ±2.5" in words
    assert "Intervals and tests are valid however often one looks." in words
    assert "After " not in words
    assert "until every win share is known to ±2.5 percentage points, at most 10 000 000 games in" in plain(said.err)
    assert (folder / "games" / "games-00000.parquet").is_file()
    said.is_plain()


@pytest.mark.parametrize("how", [("--threads", 1), ("--threads", 2), ("--cluster", "local:2")], ids=lambda h: h[-1])
def test_the_same_bytes_whoever_plays(tafl, tmp_path, precise, how):
    if "--cluster" in how:
        pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    said = tafl(*COMPARE, "--precision", "2.5%", "--keep-games", "--out", "run", "--quiet", *how)
    assert said.code == 0, said.err
    assert result_files(tmp_path / "run") == result_files(precise[0])


def test_reproduced_replayed_and_reported(tafl, tmp_path, precise):
    folder = shutil.copytree(precise[0], tmp_path / "run")
    said = tafl("reproduce", folder, "--quiet")
    assert said.code == 0, said.out + said.err
    assert re.search(r"stopped.json +the same", said.out)
    n_games = load_result(folder).n_games
    assert tafl("replay", folder, n_games - 1).code == 0
    tafl("replay", folder, n_games).refuses(2, f"there is no game {n_games}: the run's games are 0 to {n_games - 1}")
    said = tafl("report", folder)
    assert said.code == 0, said.err
    assert "not complete" not in said.err
    page = re.sub("<[^>]*>", "", plain((folder / "report.html").read_text(encoding="utf-8")))
    assert "The rule --precision stopped the run after" in page
    assert "not finished" not in page
    assert "valid however often one looks" in page
    assert "(at most 10 000 000)" in page
    assert "valid however often" in (folder / "charts" / "win_share.svg").read_text(encoding="utf-8")
    assert "planned" not in page


def test_a_stopped_run_is_done(tafl, tmp_path, precise):
    folder = shutil.copytree(precise[0], tmp_path / "run")
    said = tafl("compare", "--resume", folder, "--no-report", "--quiet")
    assert said.code == 0, said.err
    assert result_files(folder) == result_files(precise[0])


def test_the_most_is_reached_without_an_answer(tafl):
    said = tafl(*COMPARE, "--precision", "0.1%", "--games", 400, "--out", "run", "--quiet")
    assert said.code == 0
    assert "The most was reached, 400 games, without an answer: it was to stop once every win share" in plain(said.out)


def test_until_distinguished_and_progress_for_programs(tafl, tmp_path):
    said = tafl(*COMPARE, "--until-distinguished", "--out", "run", "--json-progress")
    assert said.code == 0, said.err
    assert "The rule --until-distinguished stopped the run after 200 games: every two" in plain(said.out)
    assert "this order holds beyond chance" in said.out
    events = [json.loads(line) for line in said.err.splitlines() if line.startswith("{")]
    assert events[0]["rule"] == "until-distinguished"
    assert events[-1] == {
        "event": "stopped",
        "rule": "until-distinguished",
        "answer": "distinguished",
        "n_blocks": 100,
        "n_games": 200,
    }
    last = next(event for event in reversed(events) if event["event"] == "progress")
    assert last["n_blocks_done"] == last["n_blocks"] == 100
    assert 0 < last["half_width"] < last["difference"]
    assert last["low"] < last["win_share"] < last["high"]
    assert load_result(tmp_path / "run").complete


@pytest.mark.parametrize(("a", "b", "yes"), [("greedy", "random", True), ("random", "greedy", False)])
def test_the_sequential_test_says_what_it_decided(tafl, tmp_path, a, b, yes):
    said = tafl(*COMPARE, "--sprt", a, b, "--margin", "10%", "--out", "run", "--quiet")
    assert said.code == 0, said.err
    ahead, no = f"{a} is ahead of {b}", f"{a} is not ahead of {b} by 10 percentage points or more"
    assert f"the test decided that {ahead if yes else no} in win share; it does so wrongly" in plain(said.out)
    assert load_result(tmp_path / "run").stopped.answer == ("ahead" if yes else "not ahead")


def test_two_names_for_one_strategy_are_never_told_apart(tafl, tmp_path):
    """A copy under another name: no difference, no nan, and the test says it is not ahead."""
    (tmp_path / "twin.toml").write_text('name = "twin"\ngame = "nidavellir"\nbase = "greedy"\nidea = "the same"\n')
    twins = ("compare", "nidavellir", "greedy", "twin", "--strategy-file", "twin.toml", "--seed", 1, "--no-report")
    said = tafl(*twins, "--until-distinguished", "--games", 2000, "--out", "run", "--quiet")
    assert said.code == 0, said.err
    assert "The most was reached, 2 000 games, without an answer" in plain(said.out)
    said.is_plain()
    said = tafl(*twins, "--sprt", "twin", "greedy", "--margin", "20%", "--out", "sprt", "--quiet")
    assert said.code == 0, said.err
    assert "the test decided that twin is not ahead of greedy by 20 percentage points or more in win share" in plain(
        said.out
    )
