"""`tafl compare` with every option, `tafl report` and `tafl replay`."""

import csv
import json
import re
import shutil
from html.parser import HTMLParser

import numpy as np
import pytest
from own_strategies import EVERYTHING, FIRST_CARD, PATIENT

from simcore.nidavellir.layout import DECISIONS
from simcore.store import load_result

QUICK = ("--games", 20, "--seed", 3, "--no-report")


class Links(HTMLParser):
    """The addresses a page refers to."""

    def __init__(self, page):
        super().__init__()
        self.sources, self.links = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.sources += [value for name, value in attrs if name in ("src", "srcset") or (tag, name) == ("link", "href")]
        self.links += [value for name, value in attrs if name in ("href", "xlink:href")]


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_compare_prints_a_table_sentences_and_where_it_is(tafl, tmp_path):
    said = tafl(
        "compare", "nidavellir", "greedy", "random", "--players", 4, "--games", "2_00", "--seed", 5, "--out", "r"
    )
    assert said.code == 0, said.err
    said.is_plain()
    rows = {line[:22].strip(): line[22:].split("  ") for line in said.out.splitlines()}
    for row in ("win share", "95 % interval", "mean score", "spread of games (SD)", "mean margin", "games", "copies"):
        assert row in rows
    for component in ("warriors", "hunters", "miners", "blacksmiths", "explorers", "neutral heroes", "coins", "gem"):
        assert component in rows
    assert re.search(r"^ +greedy +random$", said.out, re.MULTILINE)
    assert re.search(r"^Each of the 2 copies of greedy wins \d", said.out, re.MULTILINE)
    assert "These numbers describe the line-up greedy, random, greedy and random at a table of 4" in said.out
    assert f"Run:    r (seed 5, tables as CSV in {tmp_path.joinpath('r/tables').relative_to(tmp_path)})" in said.out
    assert "Report: r/report.html" in said.out.replace("\\", "/")
    assert re.search(
        r"^Nidavellir, 4 players, edition official: 200 games in 100 blocks, seed 5, \d+ thread", said.err, re.M
    )
    manifest = manifest_of(tmp_path / "r")
    assert manifest["lineup"] == ["greedy", "random"] * 2
    assert (manifest["n_games"], manifest["seed"]) == (200, 5)
    page = (tmp_path / "r" / "report.html").read_text(encoding="utf-8")
    assert "tafl compare nidavellir greedy random --players 4 --games 2_00 --seed 5 --out r" in page
    links = Links(page)
    assert all(source.startswith("data:") for source in links.sources), "the page must open offline"
    assert all(link.startswith(("data:", "#", "charts/")) for link in links.links)
    names = {path.stem for path in (tmp_path / "r" / "charts").iterdir()}
    for name in names:
        for suffix in (".png", ".svg", ".csv"):
            assert (tmp_path / "r" / "charts" / (name + suffix)).is_file()
    with (tmp_path / "r" / "tables" / "summary.csv").open(newline="") as file:
        summary = list(csv.DictReader(file))
    assert sum(int(row["copies"]) * float(row["win_share"]) for row in summary) == pytest.approx(1)


def test_the_same_seed_gives_the_same_bytes_for_any_threads(tafl, tmp_path):
    for folder, threads in (("one", 1), ("two", 3)):
        said = tafl("compare", "nidavellir", "greedy", "random", *QUICK, "--out", folder, "--threads", threads)
        assert said.code == 0
    for name in ("sums.npz", "manifest.json", "tables/summary.csv"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert tafl("compare", "nidavellir", "greedy", "random", *QUICK, "--seed", 4, "--out", "other").code == 0
    assert (tmp_path / "one" / "sums.npz").read_bytes() != (tmp_path / "other" / "sums.npz").read_bytes()


def test_without_out_the_folder_is_named_by_game_lineup_and_seed(tafl, tmp_path):
    stems = ("nidavellir-greedy-random-3p-3", "nidavellir-greedy-random-3p-3-2")
    for stem in stems:
        said = tafl("compare", "nidavellir", "greedy", "random", "--players", 3, *QUICK)
        assert said.code == 0
        assert f"{stem} (seed 3," in said.out
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == sorted(stems)


def test_without_a_seed_a_fresh_one_is_printed_and_stored(tafl, tmp_path):
    seeds = []
    for folder in ("one", "two"):
        said = tafl("compare", "nidavellir", "random", "--games", 2, "--no-report", "--out", folder)
        seed = manifest_of(tmp_path / folder)["seed"]
        assert f"(seed {seed}," in said.out
        assert f"seed {seed}," in said.err
        seeds.append(seed)
    assert seeds[0] != seeds[1]


@pytest.mark.parametrize(
    ("mode", "n_games"), [("rotations", [2, 3]), ("fixed", [1, 1]), ("all", [2, 3])], ids=["rotations", "fixed", "all"]
)
def test_seatings(tafl, tmp_path, mode, n_games):
    for players, per_block in zip((2, 3), n_games, strict=True):
        said = tafl(
            "compare",
            "nidavellir",
            "greedy",
            "random",
            "--players",
            players,
            *QUICK,
            "--seating",
            mode,
            "--out",
            players,
        )
        assert said.code == 0
        manifest = manifest_of(tmp_path / str(players))
        assert manifest["n_games_per_block"] == per_block
        assert manifest["n_games"] == -(-20 // per_block) * per_block


@pytest.mark.parametrize("edition", ["official", "review", "primer"])
def test_shipped_editions_are_played(tafl, tmp_path, edition):
    said = tafl("compare", "nidavellir", "random", *QUICK, "--edition", edition, "--out", "r")
    assert said.code == 0
    assert f"with the edition {edition};" in said.out
    assert manifest_of(tmp_path / "r")["edition"]["name"] == edition


@pytest.mark.parametrize("value", ["28", "31", "34"])
def test_the_treasure_switch_changes_the_games(tafl, tmp_path, value):
    said = tafl("compare", "nidavellir", "greedy", *QUICK, "--rule", f"treasure_small={value}", "--out", "r")
    assert said.code == 0
    assert manifest_of(tmp_path / "r")["edition"]["rules"]["treasure_small"] == value


def test_several_rules_at_once_over_an_edition(tafl, tmp_path):
    rules = ("--rule", "heroes=beginner", "--rule", "exchange_optional=yes", "--edition", "primer")
    assert tafl("compare", "nidavellir", "greedy", *QUICK, *rules, "--out", "r").code == 0
    in_force = manifest_of(tmp_path / "r")["edition"]["rules"]
    assert (in_force["heroes"], in_force["exchange_optional"]) == ("beginner", "yes")


def test_withheld_items_are_in_the_name_and_in_nobodys_hands(tafl, tmp_path):
    withheld = ("--withhold", "hero:uline", "--withhold", "card:age1-hunter")
    said = tafl("compare", "nidavellir", "greedy", "random", *withheld, *QUICK, "--out", "r")
    assert said.code == 0, said.err
    assert "edition official without Uline, hunter (age 1)" in said.err
    assert manifest_of(tmp_path / "r")["edition"]["withheld"] == ["hero:uline", "card:age1-hunter"]
    result = load_result(tmp_path / "r")
    assert result.complete
    again = tafl("replay", "r", 3)
    assert again.code == 0, again.err
    assert "Uline" not in again.out


def test_strategies_of_ones_own_play_as_soon_as_they_are_written(tafl, tmp_path):
    for name, text in (("first.py", FIRST_CARD), ("last.py", EVERYTHING), ("patient.toml", PATIENT)):
        (tmp_path / name).write_text(text)
    files = ("--strategy-file", "first.py", "--strategy-file", "last.py", "--strategy-file", "patient.toml")
    said = tafl("compare", "nidavellir", "first-card", "last-option", "patient", *files, *QUICK, "--out", "r")
    assert said.code == 0, said.err
    manifest = manifest_of(tmp_path / "r")
    assert manifest["lineup"] == ["first-card", "last-option", "patient"]
    assert manifest["entrants"][2]["params"]["coin_growth"] == 300
    kept = {path.name: path.read_text() for path in (tmp_path / "r" / "strategies" / "user").rglob("*.*")}
    assert kept["first.py"] == FIRST_CARD
    assert kept["patient.toml"] == PATIENT
    for name in ("first.py", "last.py", "patient.toml"):
        (tmp_path / name).unlink()
    assert tafl("replay", "r", 4).code == 0, "a run keeps its strategies"


def test_files_alone_play_all_their_strategies(tafl, tmp_path):
    (tmp_path / "first.py").write_text(FIRST_CARD)
    said = tafl("compare", "nidavellir", "--strategy-file", "first.py", *QUICK, "--out", "r")
    assert said.code == 0
    assert manifest_of(tmp_path / "r")["lineup"] == ["first-card", "first-card"]
    assert (tmp_path / "r" / "unfolding.npz").is_file(), "games are played again while the strategies are at hand"


def test_one_game_says_what_cannot_be_determined(tafl):
    said = tafl("compare", "nidavellir", "greedy", "random", "--games", 1, "--seed", 1, "--out", "r")
    assert said.code == 0
    said.is_plain()
    assert "not determined" in said.out
    assert "play more games" in said.out


def test_quiet_prints_the_result_only(tafl):
    said = tafl("compare", "nidavellir", "random", *QUICK, "--quiet")
    assert said.code == 0
    assert said.err == ""
    assert said.out.startswith(" ")


def test_resuming_a_complete_run_shows_it_again(tafl, tmp_path, played):
    shutil.copytree(played, tmp_path / "r")
    before = (tmp_path / "r" / "sums.npz").read_bytes()
    said = tafl("compare", "--resume", "r", "--no-report")
    assert said.code == 0
    assert "win share" in said.out
    assert (tmp_path / "r" / "sums.npz").read_bytes() == before


def test_report_writes_the_same_page_again(tafl, tmp_path, played):
    shutil.copytree(played, tmp_path / "r")
    before = written(tmp_path / "r")
    assert len(before) > 20
    shutil.rmtree(tmp_path / "r" / "charts")
    shutil.rmtree(tmp_path / "r" / "tables")
    (tmp_path / "r" / "report.html").unlink()
    said = tafl("report", "r")
    assert said.code == 0
    assert said.err == ""
    assert written(tmp_path / "r") == before


def written(folder):
    """Return the files of a report by name."""
    names = [path for path in folder.rglob("*.*") if path.suffix in (".html", ".csv", ".svg", ".png", ".md")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in names}


def test_replay_tells_the_game_in_words(tafl, played):
    said = tafl("replay", played, 4)
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == f"Nidavellir, game 4 of {played}, seed 11"
    for words in ("Age 1", "Age 2"):
        assert words in lines
    assert sum("bids Goblin" in line for line in lines) == 3 * 8
    # game 4 is the second of block 1: the line-up turned by one seat
    assert "seat 1 (random) gets" in said.out
    assert "seat 2 (greedy) gets" in said.out


def test_replay_as_json_holds_every_decision_with_its_options(tafl, played):
    said = tafl("replay", played, 4, "--json")
    assert said.code == 0
    game = json.loads(said.out)
    assert set(game) == {"game", "number", "seats", "edition", "rules", "seed", "events"}
    assert (game["number"], game["seed"], game["seats"]) == (4, 11, ["random", "greedy", "greedy"])
    decisions = [event for event in game["events"] if event["event"] == "decision"]
    names = {decision.name for decision in DECISIONS}
    for decision in decisions:
        assert decision["decision"] in names
        assert decision["strategy"] == game["seats"][decision["seat"] - 1]
        assert 0 <= decision["index"] < decision["n_options"] == len(decision["options"])
        assert decision["options"][decision["index"]] == decision["chosen"]
    # eight rounds: each of three players bids, and at each tavern all but the last have a choice of cards
    counted = [decision["decision"] for decision in decisions]
    assert counted.count("choose_bid") == 8 * 3
    assert counted.count("choose_card") == 8 * 3 * 2
    assert tafl("replay", played, 4, "--json").out == said.out


def test_a_replayed_game_is_the_one_that_counted(tafl, tmp_path):
    """The scores of all games of a run, replayed one by one, add up to the run's sums."""
    assert (
        tafl("compare", "nidavellir", "greedy", "random", "--games", 4, "--seed", 2, "--no-report", "--out", "r").code
        == 0
    )
    total = {"greedy": 0, "random": 0}
    for number in range(4):
        game = json.loads(tafl("replay", "r", number, "--json").out)
        for event in game["events"]:
            if event["event"] == "scored":
                total[event["strategy"]] += event["points"]
    result = load_result(tmp_path / "r")
    score = [column.name for column in result.layout.measures].index("score")
    assert dict(zip(result.names, np.asarray(result.sums["total"])[:, score].tolist(), strict=True)) == total


def test_replay_refuses_another_engine_unless_told(tafl, tmp_path, played, monkeypatch):
    monkeypatch.setattr("analysis.replaying.engine_digest", lambda game: "0" * 64)
    said = tafl("replay", played, 0)
    said.refuses(3, "was played by another tafl", "--any-engine")
    assert tafl("replay", played, 0, "--any-engine").code == 0
