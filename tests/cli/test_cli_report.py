"""``tafl report``: the page of a run, and several runs side by side."""

import re
import shutil

import pytest
from command import finish, start

PLAY = ("compare", "nidavellir", "greedy", "random", "--games", 60, "--no-report", "--quiet")
OWN = """from strategies.registry import strategy


@strategy(game="nidavellir", name="first-card", idea="Takes the first card.")
class FirstCard:
    def choose_card(game, own, n_options):
        return 0
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs by folder, not to be changed: on the same luck with and without rows, and at three."""
    folder = tmp_path_factory.mktemp("runs")
    beginner = ("--rule", "heroes=beginner")
    for name, more in (
        ("base", ("--seed", 1, "--keep-games")),
        ("rule", ("--seed", 1, "--keep-games", *beginner)),
        ("three", ("--seed", 2, "--players", 3)),
        ("bare", ("--seed", 1)),
    ):
        said = finish(start(folder, *PLAY, *more, "--out", name), 300)
        assert said.code == 0, said.err
    return folder


@pytest.fixture
def copied(runs, tmp_path):
    """The runs in the folder where commands are run."""
    for run in runs.iterdir():
        shutil.copytree(run, tmp_path / run.name)
    return tmp_path


def test_the_page_can_lie_anywhere_and_tells_the_game_that_is_wanted(tafl, copied):
    assert tafl("report", "base", "--out", "pages/base.html", "--game", 17).code == 0
    page = (copied / "pages" / "base.html").read_text(encoding="utf-8")
    assert "Game 17 of the run, which was asked for" in page
    told = tafl("replay", "base", 17).out.splitlines()[2:]
    for line in filter(None, told[:40]):
        assert line.replace("<", "&lt;").replace(">", "&gt;") in page
    assert not (copied / "base" / "report.html").exists()
    tafl("report", "base", "--game", 60).refuses(2, "there is no game 60: the run's games are 0 to 59")
    tafl("report", "base", "--out", "pages").refuses(2, "'pages' is a folder")
    tafl("report", "base", "rule", "--game", 1).refuses(2, "--game is for the page of one run")


def test_a_run_that_has_no_sample_gets_it_with_its_report(tafl, copied):
    path = copied / "bare" / "unfolding.npz"
    first = path.read_bytes()
    drawn = tafl("chart", "bare", "leader_wins", "--format", "md").out
    assert "won by the leader" in drawn
    path.unlink()
    tafl("chart", "bare", "leader_wins").refuses(2, "no data for the chart 'leader_wins'", "`tafl report RUN`")
    assert tafl("report", "bare").code == 0
    assert path.read_bytes() == first
    assert tafl("chart", "bare", "leader_wins", "--format", "md").out == drawn
    page = (copied / "bare" / "report.html").read_text(encoding="utf-8")
    assert "When games are decided" in page
    assert "by_round.csv" in page
    path.write_bytes(first[:300])
    assert tafl("report", "bare", "--quiet").code == 0
    assert path.read_bytes() == first


def test_quiet_says_nothing_but_the_result(tafl, copied):
    said = tafl("report", "base", "--quiet")
    assert (said.code, said.err) == (0, "")
    assert "win share" in said.out


def test_no_code_of_a_run_is_run_for_its_page(tafl, copied, monkeypatch):
    (copied / "own.py").write_text(OWN)
    assert tafl(*PLAY[:2], "first-card", *PLAY[3:], "--strategy-file", "own.py", "--seed", 1, "--out", "own").code == 0
    ran = []
    monkeypatch.setattr("strategies.loading.load_module", lambda *_: ran.append(1))
    assert tafl("report", "own").code == 0
    page = (copied / "own" / "report.html").read_text(encoding="utf-8")
    assert "a page is made without running them" in page
    assert ran == []
    monkeypatch.undo()


def test_another_engine_has_no_game_and_says_so(tafl, copied, monkeypatch):
    monkeypatch.setattr("reports.sample_game.engine_digest", lambda game: "another")
    assert tafl("report", "base").code == 0
    page = (copied / "base" / "report.html").read_text(encoding="utf-8")
    assert "No game is told here: the run was played by another tafl" in page


def test_runs_side_by_side(tafl, copied):
    said = tafl("report", "base", "rule", "three", "bare", "--out", "all.html")
    assert (said.code, said.err) == (0, "")
    assert "The runs differ in the number of players: 2 in base, rule and bare; 3 in three." in said.out
    assert "The runs differ in the rule switch heroes: all in base, three and bare; beginner in rule." in said.out
    assert "three and base were played with other seeds" in said.out
    assert "rule and base were played on the same luck" in said.out
    assert "bare and base were played with the same seed" in said.out
    assert re.search(r"\d+ of \d+ differences between the runs hold beyond chance", said.out)
    page = (copied / "all.html").read_text(encoding="utf-8")
    again = tafl("report", "base", "rule", "three", "bare", "--out", "again.html")
    assert again.out == said.out.replace("all.html", "again.html")
    assert (copied / "again.html").read_text(encoding="utf-8") == page
    assert len(page) < 3_000_000
    assert "nan" not in re.findall(r"\w+", re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL))
    assert tafl("report", "base", "rule").code == 0
    assert (copied / "base" / "side-by-side.html").is_file()


def test_runs_that_cannot_stand_side_by_side(tafl, copied):
    tafl("report", "base", "base").refuses(2, "the run 'base' is named twice")
    tafl("report", "base", "nowhere").refuses(2, "no run folder 'nowhere'")
    others = ("compare", "nidavellir", "balanced", "--players", 2, "--games", 4, "--no-report", "-q", "--seed", 1)
    assert tafl(*others, "--out", "others").code == 0
    tafl("report", "base", "others").refuses(2, "no strategy plays in two of these runs")
    reavers = ("compare", "reavers", "greedy", "--players", 2, "--games", 2, "--no-report", "-q", "--seed", 1)
    assert tafl(*reavers, "--out", "reavers").code == 0
    tafl("report", "base", "reavers").refuses(2, "only runs of one game can be put side by side")
    (copied / "rule" / "sums.npz").unlink()
    tafl("report", "base", "rule").refuses(2, "no block of the run 'rule' is finished yet")
