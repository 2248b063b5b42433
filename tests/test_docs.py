"""The documentation is true: its commands run, its examples work, its tables are those of the source."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

import cli
from analysis.experiments import make_manifest
from simcore.nidavellir import layout

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MANY_GAMES = 400
"""Comparisons of more games than this are shortened."""

LABORATORY = ("balance", "sweep", "sensitivity", "robustness", "tune-rules")
"""Commands that play many cases: with few games each, few cases and few editions."""

FEW_GAMES, FEW_CASES, FEW_EDITIONS, FEW_PLAYERS = 40, 3, 10, "3"

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    return [Block(language, text) for language, text in _FENCE.findall(page.read_text(encoding="utf-8"))]


def shortened(words: list[str], report: bool) -> list[str]:
    """Return a command with fewer games, and without the report if it is left to another command."""
    in_laboratory = words[0] in LABORATORY
    most = {"--games": FEW_GAMES if in_laboratory else MANY_GAMES, "--editions": FEW_EDITIONS}
    for place, word in enumerate(words[:-1]):
        if word in most and cli.whole_number(words[place + 1]) > most[word]:
            words[place + 1] = str(most[word])
    if in_laboratory and "--resume" not in words:
        words += ["--games", str(FEW_GAMES)] * ("--games" not in words)
    if words[0] == "balance" and not {"--players", "--resume"} & set(words):
        words += ["--players", FEW_PLAYERS]  # not every number
    return words if report or words[0] not in ("compare", "tournament", *LABORATORY) else [*words, "--no-report"]


def with_few_cases(kind, bases, cases, *others, **named):
    """Return an experiment's manifest with the first cases of each line-up only."""
    kept = [case for base in range(len(bases)) for case in [c for c in cases if c.base == base][:FEW_CASES]]
    return make_manifest(kind, bases, kept, *others, **named)


@pytest.fixture
def run(capsys, monkeypatch):
    """Return a function that runs a command line as a reader would, shortened, and returns what it printed."""
    monkeypatch.setattr("benchmarks.speed.run_benchmark", lambda *_: None)  # it has tests of its own
    for module in ("balance_plan", "sensitivity_steps"):  # their cases are many, and all of one kind
        monkeypatch.setattr(f"analysis.{module}.make_manifest", with_few_cases)

    def run(line: str, report: bool = False) -> str:
        program, *arguments = shlex.split(line)
        assert program == "tafl", line
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main(shortened(arguments, report))
        said = capsys.readouterr()
        assert not ended.value.code, f"{line}\n{said.err}"
        return said.out

    return run


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_works_with_the_files_it_shows(page, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    n_commands = 0
    for block in blocks(page):
        if block.language in ("python", "toml"):
            name = block.text.splitlines()[0].removeprefix("# ")
            (tmp_path / name).write_text(block.text, encoding="utf-8")
        if block.language == "sh":
            for line in block.text.splitlines():
                if line.startswith("python3 -m venv"):
                    continue  # the README's two lines: see below
                run(line)
                n_commands += 1
    assert n_commands or "```sh" not in page.read_text(encoding="utf-8")


def test_the_readmes_first_line_is_a_real_comparison(run, tmp_path, monkeypatch):
    first, second = (b.text.strip() for b in blocks(ROOT / "README.md") if "python3 -m venv" in b.text)
    set_up, install, compare = first.split(" && ")
    assert set_up == "python3 -m venv .venv"
    assert install == ".venv/bin/python -m pip install -q ."
    assert "--games 100_000" in compare
    monkeypatch.chdir(tmp_path)
    out = run(compare.removeprefix(".venv/bin/"), report=True)
    assert "Report: runs/first/report.html" in out.replace("\\", "/")
    assert (tmp_path / "runs" / "first" / "report.html").is_file()
    assert second.split(" && ")[1:] == [
        ".venv/bin/python -m pip install -q -e '.[test]'",
        ".venv/bin/python -m pytest -q -n auto",
    ]


def test_the_game_that_the_readme_shows_is_that_game(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compare, replay = "tafl compare ", "tafl replay runs/rush-vs-uline "
    lines = [line for block in blocks(ROOT / "README.md") if block.language == "sh" for line in block.text.splitlines()]
    run(next(line for line in lines if line.startswith(compare) and "rush-vs-uline" in line))
    told = run(next(line for line in lines if line.startswith(replay))).splitlines()
    shown = next(b.text for b in blocks(ROOT / "README.md") if b.text.startswith("Nidavellir, game")).splitlines()
    assert "Final score" in shown
    assert [line for line in shown if line.strip() != "..." and line not in told] == []


def test_every_command_is_documented():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [command.name or command.callback.__name__ for command in cli.app.registered_commands]
    for name in [*commands, *(f"edition {command.name}" for command in cli.edition_app.registered_commands)]:
        assert f"tafl {name}" in text


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def printed_lines(text: str) -> list[str]:
    """Return the lines of a page's output, without those that are left out."""
    return [line for line in text.splitlines() if line.strip() not in ("...", "")]


def test_what_the_readme_shows_of_lists_is_what_they_print(run):
    lists = run("tafl strategies nidavellir") + run("tafl rules nidavellir")
    shown = [
        b.text
        for b in blocks(ROOT / "README.md")
        if b.language == "text" and b.text.startswith(("strategy ", "switch "))
    ]
    assert len(shown) == 2
    for text in shown:
        for line in printed_lines(text):
            assert line in lists.splitlines()


def test_the_errors_that_pages_show_are_what_is_said(tmp_path, monkeypatch, capsys):
    def said(*arguments):
        capsys.readouterr()
        with pytest.raises(SystemExit):
            cli.main(list(arguments))
        return (capsys.readouterr().err.splitlines() or [""])[-1]

    monkeypatch.chdir(tmp_path)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    code = next(block.text for block in blocks(ROOT / "README.md") if block.language == "python")
    (tmp_path / "big_numbers.py").write_text(code.replace("return best", "return n_options"))
    play = ("compare", "nidavellir", "--games", "4", "--seed", "1", "--threads", "1", "--quiet")
    assert said(*play, "--strategy-file", "big_numbers.py") in readme.splitlines()
    assert said(*play, "plannr").partition("blacksmiths")[0] in readme

    said("edition", "copy", "nidavellir", "mine")
    heroes = tmp_path / "mine" / "heroes.csv"
    heroes.write_text(heroes.read_text().replace("Lethal Strike,warrior,1,14", "Lethal Strike,warrior,1,-14"))
    editions = (ROOT / "docs" / "editions-and-rules.md").read_text(encoding="utf-8")
    assert said("edition", "check", "mine") in editions.splitlines()


def test_the_table_of_decisions_is_the_layouts():
    text = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    table = re.search(r"<!-- decisions:.*?-->\n(.*?)\n<!-- end of decisions -->", text, re.DOTALL)[1]
    expected = ["| decision | when | what the options are |", "| --- | --- | --- |"]
    expected += [f"| `{d.name}` | {d.says} | {d.options} |" for d in layout.DECISIONS]
    assert table.splitlines() == expected


def test_every_field_the_pages_name_exists():
    records = {
        "game.edition": layout.EDITION,
        "game.pl[p]": layout.PLAYER,
        "game.pl[own.seat]": layout.PLAYER,
        "game": layout.GAME,
        "own": layout.OWN,
    }
    text = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
    found = re.findall(r"\b(game\.edition|game\.pl\[(?:p|own\.seat)\]|game|own)\.(\w+)", text)
    assert len(found) > 40
    for record, name in found:
        assert name in records[record].names, f"{record}.{name}"


def test_the_rule_editions_are_those_that_ship():
    from simcore.nidavellir.spec import SPEC

    text = (ROOT / "docs" / "editions-and-rules.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == list(SPEC.presets)


def test_every_table_file_is_described(tmp_path):
    from analysis import tables, unfolding

    text = (ROOT / "docs" / "reading-results.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+)\.csv`", text)) == {*tables.COLUMNS, *unfolding.COLUMNS}


def test_the_changelog_has_the_version():
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_ci_runs_the_readmes_test_line():
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "README.md" in script
