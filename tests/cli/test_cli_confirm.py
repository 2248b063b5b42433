"""``tafl confirm``: the claims of a run on fresh luck."""

import json

import pytest
from command import finish, start

from simcore.store import load_result


@pytest.fixture(scope="module")
def clear(tmp_path_factory):
    """A run whose winner is beyond doubt; not to be changed."""
    folder = tmp_path_factory.mktemp("clear")
    play = ("compare", "nidavellir", "greedy", "random", "--games", 400, "--seed", 4, "--quiet", "--no-report")
    said = finish(start(folder, *play, "--rule", "heroes=beginner", "--out", "run"), 300)
    assert said.code == 0, said.err
    return folder / "run"


def test_every_claim_is_tried_on_other_luck_under_the_same_rules(tafl, clear, tmp_path):
    said = tafl("confirm", clear, "--seed", 5, "--no-report", "--out", "fresh")
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[1].startswith("greedy wins more than its fair share")
    assert lines[2].startswith("greedy is ahead of random")
    assert all(line.endswith("holds") for line in lines[1:3])
    assert "All 2 claims hold on 400 games of fresh luck (200 blocks, seed 5" in said.out
    first, fresh = load_result(clear), load_result(tmp_path / "fresh")
    assert fresh.manifest["seed"] == 5
    same = ("lineup", "entrants", "edition", "seating", "n_games", "game")
    assert {key: fresh.manifest[key] for key in same} == {key: first.manifest[key] for key in same}
    assert fresh.manifest["edition"]["name"].endswith("heroes=beginner")
    assert (tmp_path / "fresh" / "tables" / "summary.csv").is_file()


def test_a_confirmation_can_be_gone_on_with(tafl, clear, tmp_path):
    assert tafl("confirm", clear, "--seed", 5, "--no-report", "--out", "fresh", "--games", 40, "-q").code == 0
    again = tafl("confirm", clear, "--resume", "fresh", "--no-report", "-q")
    assert again.code == 0
    assert "on 40 games of fresh luck" in again.out
    other = tmp_path / "fresh" / "confirms.json"
    other.write_text(json.dumps({"manifest": "another"}))
    tafl("confirm", clear, "--resume", "fresh").refuses(2, "was not begun to confirm")
    tafl("confirm", clear, "--resume", clear).refuses(2, "was not begun to confirm")


def test_what_confirms_nothing_is_refused(tafl, clear):
    tafl("confirm", clear, "--seed", 4).refuses(2, "the same luck confirms nothing")
    tafl("confirm", clear, "--resume", "x", "--games", 9).refuses(2, "leave out --games")
    tafl("confirm", clear, "--games", 0).refuses(2, "at least 1")
    tafl("confirm", clear, "--seed", -1).refuses(2, "seed must be from 0")
    tafl("confirm", "nowhere").refuses(2, "there is no run folder 'nowhere'")


def test_another_engine_confirms_only_when_told(tafl, clear, monkeypatch):
    monkeypatch.setattr("analysis.confirmation.engine_digest", lambda game: "another")
    tafl("confirm", clear, "--no-report").refuses(3, "--any-engine")


def test_a_tournament_is_confirmed_on_the_same_line_ups(tafl, tmp_path):
    play = ("tournament", "nidavellir", "greedy", "random", "top-coins", "--players", 2, "--games", 600, "-q")
    assert tafl(*play, "--seed", 3, "--no-report", "--out", "t").code == 0
    said = tafl("confirm", "t", "--seed", 4, "--no-report", "-q", "--out", "fresh")
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert lines[1].startswith(("greedy is ahead of", "top-coins is ahead of"))
    assert "claims hold on 600 games of fresh luck (300 blocks, seed 4" in said.out
    first, fresh = (json.loads((tmp_path / name / "tournament.json").read_text()) for name in ("t", "fresh"))
    assert [one["lineup"] for one in fresh["lineups"]] == [one["lineup"] for one in first["lineups"]]
    assert not {one["seed"] for one in fresh["lineups"]} & {one["seed"] for one in first["lineups"]}
    assert (tmp_path / "fresh" / "tables" / "claims.csv").is_file()
    again = tafl("confirm", "t", "--resume", "fresh", "--no-report", "-q")
    assert again.out.splitlines()[1:3] == lines[1:3]
    tafl("confirm", "t", "--seed", 3).refuses(2, "the same luck confirms nothing")
    tafl("confirm", "t", "--resume", "t").refuses(2, "was not begun to confirm")
