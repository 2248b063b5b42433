"""The commands of the laboratory: the same bytes however they are played, refusals, pages that open by themselves."""

import re
import shutil

import lab
import pandas as pd
import pytest
from lab import Page, tafl

from analysis import series_play
from analysis.experiments import Experiment

KINDS = {
    "swept": lab.SWEEP,
    "tuned": lab.TUNE,
    "moved": lab.SENSITIVITY,
    "drawn": lab.ROBUSTNESS,
    "balanced": lab.BALANCE,
}
UNSAID = re.compile(r"(?:^|[\s,(])(nan|NaN|None|<NA>|NA|inf|null)(?:$|[\s,.)])", re.MULTILINE)


@pytest.fixture(params=[pytest.param(name, marks=pytest.mark.slow) if name == "drawn" else name for name in KINDS])
def resumed(request):
    """The same for what plays all again: many editions take long."""
    folder, said = request.getfixturevalue(request.param)
    return folder, said, KINDS[request.param]


@pytest.fixture(params=KINDS)
def kind(request):
    """An experiment of each kind: folder, what was said, and the command."""
    folder, said = request.getfixturevalue(request.param)
    return folder, said, KINDS[request.param]


@pytest.fixture
def here(tmp_path, monkeypatch, small_pictures):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def results(folder) -> dict[str, bytes]:
    """Return all files that may not differ from one execution to the next; the page names its command."""
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    found = {name: text for name, text in found.items() if name.rpartition("/")[2] not in ("log.jsonl", "lock")}
    if "report.html" in found:
        found["report.html"] = re.sub(rb"--threads \d", b"--threads N", found["report.html"])
    return found


def without_page(found: dict[str, bytes]) -> dict[str, bytes]:
    return {name: text for name, text in found.items() if name != "report.html" and not name.startswith("charts/")}


SLOW_PAGES = ("robustness", "balance")
"""Their pages have many charts: whether a page comes out the same is seen from those of the others."""


# --- what is printed and written ---


def test_it_says_what_it_costs_and_where_it_lies(kind):
    folder, said, command = kind
    made = Experiment.load(folder)
    n_games = sum(case["n_games"] for case in made.planned)
    assert re.search(
        rf"{made.n_runs} cases, .* {n_games} in all, seed 3, about \d+:\d\d on 1 thread, folder ", said.err
    )
    assert f"Experiment: {folder.name} (seed 3, tables as CSV in {folder.name}/tables)" in said.out
    assert f"Report:     {folder.name}/report.html" in said.out
    assert made.kind == command[0]
    assert "Traceback" not in said.out + said.err


def test_nothing_prints_what_is_no_number(kind):
    folder, said, _ = kind
    for text in (said.out, said.err, Page(folder / "report.html").text):
        assert UNSAID.findall(re.sub(r"\bNone of (the )?[\d\u202f]+ ", "", text)) == []
    tables = sorted((folder / "tables").glob("*.csv"))
    assert len(tables) > 2
    for path in tables:
        assert UNSAID.findall(path.read_text(encoding="utf-8")) == [], path.name


def test_its_tables_have_the_columns_they_declare(kind):
    folder, _, _ = kind
    for path in (folder / "tables").glob("*.csv"):
        table = pd.read_csv(path, comment="#")
        assert len(table.columns) > 2
        assert not any(str(column).startswith("Unnamed") for column in table.columns), path.name
    cases = pd.read_csv(folder / "tables" / "cases.csv", comment="#")
    assert len(cases) == Experiment.load(folder).n_runs
    assert (cases["n_blocks"] > 0).all()


def test_the_page_opens_by_itself_and_can_be_heard(kind):
    folder, _, _ = kind
    page = Page(folder / "report.html")
    for tag, attributes in page.tags:
        for name in ("src", "href", "xlink:href"):
            link = attributes.get(name) or ""
            if tag != "a":
                assert link.startswith(("#", "data:", "")), (tag, link)
                assert "//" not in link.partition(",")[0], (tag, link)
        if tag == "img":
            assert attributes.get("alt"), attributes
        if tag == "svg" and attributes.get("role") == "img":
            assert attributes.get("aria-label") or attributes.get("aria-labelledby"), attributes
    ids = [attributes["id"] for _, attributes in page.tags if attributes.get("id")]
    twice = {name for name in ids if ids.count(name) > 1}
    assert not twice
    drawn = [attributes for tag, attributes in page.tags if tag == "svg" and attributes.get("role") == "img"]
    assert drawn or made_without_charts(folder)


def made_without_charts(folder) -> bool:
    return Experiment.load(folder).kind == "tune-rules"


@pytest.mark.parametrize("command", [("sweep",), ("tune-rules", "--target", "win_share:random=fair")])
def test_joined_cells_are_called_by_printed_names(here, command):
    name, *options = command
    key, called = "heroes.kraal.points+heroes.tarah.points", "points of Kraal and Tarah"
    asked = ("nidavellir", "greedy", "random", "--vary", f"{key}=5,9", "--games", 4, "--seed", 1, "--out", "made")
    said = tafl(name, *asked, *options)
    assert said.code == 0, said.err
    assert f"{called} =\u00a05" in said.out
    assert key not in said.out
    told = re.sub(r"<dl.*?</dl>|<pre.*?</pre>", "", (here / "made" / "report.html").read_text("utf-8"), flags=re.DOTALL)
    shown = re.sub(r"<[^>]+>", "", told)
    assert f"{called} =\u00a09" in shown
    assert key not in shown
    if name == "sweep":
        assert f"Unchanged, {called}: 7, 14. Tried: 5, 9." in shown
    assert key in (here / "made" / "tables" / "cases.csv").read_text("utf-8")  # as it can be written again


# --- the same bytes ---


def test_interrupted_resumed_and_on_two_threads_it_has_the_same_bytes(resumed, here, monkeypatch):
    folder, _, command = resumed
    ended, end = [], series_play._Tracker.end

    def stop(tracker, number, before):
        end(tracker, number, before)
        ended.append(number)
        if len(ended) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(series_play._Tracker, "end", stop)
        said = tafl(*command, "--out", folder.name, "--threads", 2)
    assert said.code == 130
    again = f"tafl {command[0]} --resume {folder.name}"
    assert again in said.err
    made = Experiment.load(here / folder.name)
    assert made.n_complete() == 2
    assert not (here / folder.name / "report.html").exists()
    paged = ["--no-report"] if command[0] in SLOW_PAGES else []
    lab.played(command[0], "--resume", folder.name, "--threads", 2, *paged)
    one, other = results(folder), results(here / folder.name)
    if paged:
        one = without_page(one)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    assert len(one) > 3 * made.n_runs


def test_a_finished_one_is_told_again_and_not_played_again(kind, here, monkeypatch):
    folder, first, command = kind
    shutil.copytree(folder, here / folder.name)
    (here / folder.name / "report.html").unlink()
    monkeypatch.setattr(series_play, "play", lambda *_, **__: pytest.fail("it plays"))
    said = lab.played(command[0], "--resume", folder.name, "--no-report")
    assert said.out.strip() == re.sub(r"Report:.*", "", first.out).strip()
    assert without_page(results(here / folder.name)) == without_page(results(folder))


# --- folders ---


def test_a_folder_is_never_overwritten(swept, here):
    (here / "mine").mkdir()
    (here / "mine" / "letter.txt").write_text("dear")
    for command in KINDS.values():
        said = tafl(*command, "--out", "mine")
        assert said.code == 2
        assert "mine" in said.err.splitlines()[-1]
    assert [path.name for path in (here / "mine").iterdir()] == ["letter.txt"]


def test_a_folder_in_use_is_refused(swept, here):
    folder = here / "s"
    shutil.copytree(swept[0], folder)
    shutil.rmtree(folder / "cases" / "0004")
    before = results(folder)
    lock = Experiment.load(folder).lock()
    said = tafl("sweep", "--resume", "s", "--threads", 1)
    lock.release()
    assert said.code == 2
    assert said.err.splitlines()[-1].startswith("error: ")
    assert "is in use" in said.err.splitlines()[-1]
    assert results(folder) == before
    lab.played("sweep", "--resume", "s", "--threads", 1, "--no-report")


@pytest.mark.parametrize("victim", ["edition/heroes.csv", "strategies", "experiment.json", "cases/0002/sums.npz"])
def test_a_tampered_folder_is_refused(swept, here, victim):
    folder = here / "s"
    shutil.copytree(swept[0], folder)
    path = folder / victim
    if path.is_dir():
        path = next(path.rglob("*.py"))
    if victim == "experiment.json":
        path.write_text(path.read_text()[:-40])
    else:
        path.write_bytes(path.read_bytes()[:-7] + b"1234567")
    said = tafl("sweep", "--resume", "s")
    assert said.code == 3, said.err
    last = said.err.splitlines()[-1]
    assert last.startswith("error: ")
    assert "s/" in last or path.name in last


def test_an_edition_that_was_changed_in_the_meantime_is_refused(here):
    lab.played("edition", "copy", "nidavellir", "mine")
    table = here / "mine" / "heroes.csv"
    asked = ("sweep", "nidavellir", "balanced", "--players", 2, "--games", 4, "--seed", 1, "--vary", "edition=./mine")
    table.write_text(table.read_text().replace("grid,Grid,", "grid,Greed,"))
    lab.played(*asked, "--out", "s", "--no-report", "--threads", 1)
    shutil.rmtree(here / "s" / "cases" / "0002")
    table.write_text(table.read_text().replace("grid,Greed,", "grid,Gride,"))
    said = tafl("sweep", "--resume", "s", "--no-report", "--threads", 1)
    assert said.code == 3
    assert "edition=./mine was changed" in said.err


# --- bad input ---

SHORT = ("--games", 4, "--seed", 1, "--no-report")
PAIR = ("nidavellir", "planner", "balanced", *SHORT)
BAD = [
    (("sweep",), 2, "name a game"),
    (("sweep", "nidavelir", "planner", "--vary", "x=1"), 2, "nidavellir"),
    (("sweep", *PAIR), 2, "say what to vary"),
    (("sweep", *PAIR, "--vary", "warrior_majority"), 2, "KEY=VALUES"),
    (("sweep", *PAIR, "--vary", "warrior_majority=most"), 2, "points"),
    (("sweep", *PAIR, "--vary", "warrior_majority=ranks"), 2, "there already"),
    (("sweep", *PAIR, "--vary", "heros.grid.points=1"), 2, "heroes"),
    (("sweep", *PAIR, "--vary", "heroes.grit.points=1"), 2, "grid"),
    (("sweep", *PAIR, "--vary", "heroes.grid.points=many"), 3, "whole number"),
    (("sweep", *PAIR, "--vary", "heroes.grid.points=5..9:-1"), 2, "the nearest is 5..9 (9..5 counts down)"),
    (("sweep", *PAIR, "--vary", "planer:line=1"), 2, "planner"),
    (("sweep", *PAIR, "--vary", "planner:lime=1"), 2, "line"),
    (("sweep", *PAIR, "--vary", "withhold=hero:gird"), 2, "hero:grid"),
    (("sweep", *PAIR, "--vary", "edition=offical"), 2, "official"),
    (
        ("sweep", *PAIR, "--vary", "warrior_majority=points", "--target", "win_share:planer=fair"),
        2,
        "win_share:planner",
    ),
    (("sweep", *PAIR, "--vary", "warrior_majority=points", "--target", "mean_score=nan"), 2, "no number"),
    (("sweep", *PAIR, "--vary", "warrior_majority=points", "--games", 0), 2, "at least 1"),
    (("sweep", *PAIR, "--vary", "warrior_majority=points", "--players", 1), 2, "2 to 5"),
    (("sweep", *PAIR, "--vary", "warrior_majority=points", "--seed", -1), 2, "seed"),
    (("sweep", "nidavellir", "planer", "--vary", "warrior_majority=points"), 2, "planner"),
    (("sweep", "--resume", "nowhere"), 2, "nowhere"),
    (("sensitivity", "nidavellir", "balanced", *SHORT, "--only", "zzz"), 2, "zzz"),
    (("sensitivity", "nidavellir", "balanced", *SHORT, "--no-parameters", "--no-numbers"), 2, "no parameter"),
    (("sensitivity", "nidavellir", "balansed", *SHORT), 2, "balanced"),
    (("sensitivity", "nidavellir", "balanced", *SHORT, "--players", 1), 2, "2 to 5"),
    (("robustness", "nidavellir", "planner", "balanced", *SHORT), 2, "declares no plausible ranges"),
    (("robustness", "reavers", "raid-keeps", *SHORT), 2, "two strategies"),
    (("robustness", "reavers", "raid-keeps", "random", *SHORT, "--editions", 3), 2, "10 or more"),
    (("tune-rules", *PAIR, "--vary", "warrior_majority=points"), 2, "say what to reach"),
    (("tune-rules", *PAIR, "--vary", "warrior_majority=points", "--target", "equal-seat"), 2, "equal-seats"),
    (("tune-rules", *PAIR, "--vary", "warrior_majority=points", "--target", "length"), 2, "needs a level"),
    (("tune-rules", *PAIR, "--vary", "warrior_majority=points", "--target", "mean_score=before"), 2, "--within"),
    (("tune-rules", *PAIR, "--target", "equal-seats"), 2, "say what to vary"),
    (("balance", "nidavelir"), 2, "nidavellir"),
    (("balance", "nidavellir", *SHORT, "--players", "1"), 2, "2 to 5"),
    (("balance", "nidavellir", *SHORT, "--players", "two"), 2, "2,3"),
    (("balance", "nidavellir", *SHORT, "--players", "5-2"), 2, "the nearest is 2-5"),
    (("balance", "nidavellir", *SHORT, "--players", "2-99999999999"), 2, "not 99999999999: choose 5"),
    (("balance", "nidavellir", *SHORT, "--players", "2", "--strategies", "planer"), 2, "planner"),
    (("balance", "nidavellir", *SHORT, "--players", "2", "--items", "hero:gird"), 2, "hero:grid"),
    (("balance", "nidavellir", *SHORT, "--players", "2", "--limits", "none.toml"), 3, "does not exist"),
    (("balance", "nidavellir", "--games", 0, "--players", "2", "--items", "hero:grid"), 2, "at least 1"),
]


@pytest.mark.parametrize(("arguments", "code", "says"), BAD)
def test_bad_input_is_one_sentence(here, arguments, code, says):
    said = tafl(*arguments)
    lines = said.err.splitlines()
    assert said.code == code, said.err
    assert lines[-1].startswith("error: ")
    assert lines[-1][-1] in ".)?!"
    assert says in lines[-1]
    assert "Traceback" not in said.err
    assert list(here.iterdir()) == []  # nothing was begun


def test_what_another_command_made_is_refused(swept, tuned, balanced):
    for command in ("tune-rules", "sensitivity", "robustness", "balance"):
        said = tafl(command, "--resume", swept[0])
        assert said.code == 2
        assert f"go on with tafl sweep --resume {swept[0]}" in said.err
    said = tafl("sweep", "--resume", balanced[0])
    assert said.code == 2
    assert "tafl balance" in said.err
    said = tafl("tune-rules", "--resume", tuned[0] / "confirmation")
    assert said.code == 2
    assert str(tuned[0]) in said.err


@pytest.mark.parametrize(
    "more",
    [
        ("sweep", "nidavellir"),
        ("sweep", "--games", "4"),
        ("sweep", "--cross"),
        ("balance", "--no-effects"),
        ("balance", "--strategies", "planner"),
        ("sensitivity", "--no-parameters"),
        ("sensitivity", "--no-numbers"),
        ("tune-rules", "--within", "1"),
        ("robustness", "--editions", "12"),
    ],
    ids=" ".join,
)
def test_resume_takes_everything_from_the_folder(more):
    said = tafl(more[0], "--resume", "s", *more[1:])
    assert said.code == 2
    assert "leave out" in said.err


def test_a_case_is_an_ordinary_run(swept):
    run = swept[0] / "cases" / "0002"
    assert "Final score" in lab.played("replay", run, 4).out
    assert "Every byte of the results" in lab.played("reproduce", run, "--threads", 1, "--quiet").out
    said = tafl("replay", swept[0], 0)
    assert said.code == 2
    assert "is an experiment, not a run" in said.err
