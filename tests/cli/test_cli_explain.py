"""``tafl replay RUN GAME --explain``: what each option was worth to the strategy that chose."""

import json

import pytest
from command import finish, start

OWN = """
from strategies.explaining import tell_nb
from strategies.registry import strategy


@strategy(game="nidavellir", name="last-card", idea="Likes what lies last.", base="random")
class LastCard:
    def choose_card(game, own, n_options):
        for i in range(n_options):
            tell_nb(i, i, 2)
        return n_options - 1
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A run of strategies that explain themselves, and one that does not; not to be changed."""
    folder = tmp_path_factory.mktemp("told")
    (folder / "own.py").write_text(OWN)
    play = ("compare", "nidavellir", "balanced", "greedy", "last-card", "random", "--strategy-file", "own.py")
    said = finish(start(folder, *play, "--games", 4, "--seed", 3, "-q", "--no-report", "--out", "run"), 300)
    assert said.code == 0, said.err
    return folder / "run"


@pytest.fixture(scope="module")
def decisions(told):
    """The decisions of one of its games, with what their options were worth."""
    said = finish(start(told.parent, "replay", told, 1, "--explain", "--json"), 300)
    assert said.code == 0, said.err
    return [event for event in json.loads(said.out)["events"] if event["event"] == "decision"]


def test_the_chosen_option_is_the_one_worth_most(decisions):
    valued = {"balanced": 0, "greedy": 0, "last-card": 0}
    for event in decisions:
        worth = event["worth"]
        assert len(worth) == len(event["options"])
        if event["strategy"] == "random":
            assert worth == [None] * len(worth)
        elif event["decision"] == "choose_card" or (event["strategy"], event["decision"]) == ("balanced", "choose_bid"):
            assert worth[event["index"]] == max(worth)
            valued[event["strategy"]] += 1
    assert min(valued.values()) > 5


def test_a_strategy_of_ones_own_tells_in_its_own_scale(decisions):
    cards = [e for e in decisions if e["strategy"] == "last-card" and e["decision"] == "choose_card"]
    assert all(event["worth"] == [i / 2 for i in range(len(event["options"]))] for event in cards)


def test_in_words_it_stands_before_what_was_done(tafl, told):
    plain, explained = tafl("replay", told, 1), tafl("replay", told, 1, "--explain")
    lines = explained.out.splitlines()
    assert [line for line in lines if " weighs " not in line] == plain.out.splitlines()
    assert any("(balanced) weighs bid: " in line and " less" in line for line in lines)


def test_a_file_of_the_users_is_not_taken_for_one_of_tafl(tafl, told, tmp_path):
    (tmp_path / "analysis.py").write_text("raise SystemExit('the wrong analysis')")
    said = tafl("replay", told, 1, "--explain")
    assert said.code == 0, said.err


def test_where_nobody_tells_it_is_said(tafl):
    assert tafl("compare", "nidavellir", "random", "--games", 2, "--no-report", "-q", "--out", "run").code == 0
    tafl("replay", "run", 0, "--explain").refuses(2, "no strategy of the run 'run' says what its options are worth")
