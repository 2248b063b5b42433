"""The commands that tell what there is: games, strategies, rules, cards, editions, help."""

import json
import os
import re
import subprocess
import sys

import pytest
from command import ROOT, on_terminal
from own_strategies import FIRST_CARD, PATIENT

import cli
from simcore.nidavellir.spec import SPEC
from strategies import registry

HEAVY = ("numpy", "numba", "pandas", "matplotlib", "jinja2")


@pytest.mark.parametrize("arguments", [["--help"], ["compare", "--help"], ["edition", "--help"]])
def test_help_imports_nothing_heavy(arguments):
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import cli\n"
        "try:\n    cli.main(sys.argv[1:])\n"
        "except SystemExit as ended:\n    assert not ended.code, ended.code\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr.split() == []
    assert "tafl" in done.stdout


def test_help_names_every_command_and_the_exit_codes(tafl):
    said = tafl("--help")
    assert said.code == 0
    for command in (
        "games",
        "strategies",
        "rules",
        "cards",
        "compare",
        "report",
        "replay",
        "check",
        "bench",
        "edition",
    ):
        assert re.search(rf"^  {command} ", said.out, re.MULTILINE)
    for code in ("0 done", "2 usage", "3 bad data", "4 a strategy", "130 interrupted"):
        assert code in " ".join(said.out.split())


def test_the_version_is_the_projects(tafl):
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert tafl("--version").out == f"tafl {version[1]}\n"


def test_games(tafl):
    said = tafl("games")
    assert said.code == 0
    assert re.search(r"^nidavellir +2 to 5 +Nidavellir", said.out, re.MULTILINE)


def test_strategies_lists_each_with_its_idea(tafl):
    said = tafl("strategies", "nidavellir")
    assert said.code == 0
    assert said.err == ""
    for row in registry.describe("nidavellir"):
        assert re.search(rf"^{row['name']} +(policy|parameter set) +\S", said.out, re.MULTILINE)
        assert row["idea"].split()[0] in said.out
    assert all(line == line.rstrip() for line in said.out.splitlines())


def test_strategies_lists_ones_own(tafl, tmp_path):
    (tmp_path / "my.py").write_text(FIRST_CARD)
    (tmp_path / "my.toml").write_text(PATIENT)
    said = tafl("strategies", "nidavellir", "--strategy-file", "my.py", "--strategy-file", "my.toml")
    assert said.code == 0
    assert re.search(r"^first-card +policy \(yours\) +For a test\.", said.out, re.MULTILINE)
    assert re.search(r"^patient +parameter set \(yours\) +Thinks more", said.out, re.MULTILINE)


def test_rules_shows_every_switch_with_what_is_in_force(tafl):
    said = tafl("rules", "nidavellir")
    assert said.code == 0
    for switch in SPEC.rule_switches:
        assert re.search(rf"^{switch.key} +{switch.choices[0]} +\S", said.out, re.MULTILINE)
    assert "Shipped editions: official, review, primer; official is played" in said.out


@pytest.mark.parametrize("edition", list(SPEC.presets))
def test_rules_of_a_shipped_edition(tafl, edition):
    said = tafl("rules", "nidavellir", "--edition", edition)
    assert said.code == 0
    assert f"edition {edition}." in said.out
    for key, value in SPEC.presets[edition].items():
        assert re.search(rf"^{key} +{value} ", said.out, re.MULTILINE)


@pytest.mark.parametrize("switch", SPEC.rule_switches, ids=lambda switch: switch.key)
def test_every_value_of_every_switch_can_be_set(tafl, switch):
    for value in switch.choices:
        said = tafl("rules", "nidavellir", "--rule", f"{switch.key}={value}")
        assert said.code == 0
        assert re.search(rf"^{switch.key} +{value} ", said.out, re.MULTILINE)


def test_cards_lists_every_card_coin_and_gem(tafl):
    said = tafl("cards", "nidavellir")
    assert said.code == 0
    lines = said.out.splitlines()
    rows = SPEC.card_rows(SPEC.load_edition("official", {}))
    assert len(lines) == len(rows) + 3
    assert lines[0].split() == [
        "kind",
        "id",
        "name",
        "class",
        "points",
        "ranks",
        "copies",
        "players",
        "confidence",
        "text",
    ]
    assert lines[-1].endswith("table rows are sourced.")
    assert sum(line.startswith("hero ") for line in lines) == 21
    assert said.out.count("(not on display") == 0
    assert tafl("cards", "nidavellir", "--rule", "heroes=beginner").out.count("(not on display") == 3


def test_cards_follow_the_treasure_switch(tafl):
    texts = {
        value: tafl("cards", "nidavellir", "--rule", f"treasure_small={value}").out for value in ("28", "31", "34")
    }
    assert len(set(texts.values())) == 3
    assert texts["28"].count("with 2 or 3 players") > texts["34"].count("with 2 or 3 players")


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("columns", [80, 120, 300])
def test_cards_fit_a_window(tmp_path, columns):
    shown = re.sub(r"\x1b\[[\d;]*m", "", on_terminal(tmp_path, columns, "cards", "nidavellir")).splitlines()
    assert max(map(len, shown)) <= columns
    kinds = ("age 1", "age 2", "distinction card", "hero", "distinction", "coin", "gem")
    assert [line for line in shown if line.rstrip(":") in kinds and line[-1] == ":"] == [f"{kind}:" for kind in kinds]
    thrud = next(line for line in shown if line.startswith("Thrud") or "  Thrud" in line)
    assert ("thrud" in thrud) == (columns == 300)
    assert any(line.startswith("No room for some of") for line in shown) == (columns < 300)


def test_an_edition_is_copied_checked_and_played(tafl, tmp_path):
    said = tafl("edition", "copy", "nidavellir", "mine", "--edition", "review", "--rule", "treasure_small=31")
    assert said.code == 0
    assert said.out.startswith("9 files written to mine.")
    said = tafl("edition", "check", "mine")
    assert said.code == 0
    assert said.out.startswith("mine is a complete edition of Nidavellir.")
    rules = tafl("rules", "nidavellir", "--edition", "mine").out
    assert re.search(r"^treasure_small +31 ", rules, re.MULTILINE)
    for key, value in SPEC.presets["review"].items():
        assert re.search(rf"^{key} +{value} ", rules, re.MULTILINE)
    table = tmp_path / "mine" / "scoring_tables.csv"
    table.write_text(table.read_text().replace("blacksmith,1,3", "blacksmith,1,4"))
    said = tafl("compare", "nidavellir", "greedy", "--edition", "mine", "--games", 4, "--no-report", "--out", "r")
    assert said.code == 0
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert manifest["edition"]["name"] == "mine"
    assert manifest["edition"]["rules"]["treasure_small"] == "31"
    assert (tmp_path / "r" / "edition" / "scoring_tables.csv").read_text() == table.read_text()


def test_check_says_whether_a_strategy_conforms(tafl, tmp_path):
    said = tafl("check", "nidavellir", "greedy")
    assert said.code == 0, said.err
    assert said.out.startswith("greedy conforms")


def test_a_plain_encoding_gets_plain_characters(tmp_path):
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from reports import shell; shell.write_plainly_where_needed()"
    )
    script += r"; print('1\u202f000\u00a0%, \u22121 \u2013 \u4e00')"
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", script],
        capture_output=True,
        env={"PYTHONIOENCODING": "cp1252", "PATH": ""},
        check=True,
    )
    assert done.stdout.decode("cp1252").split("\n")[0].rstrip() == "1 000\u00a0%, -1 \u2013 ?"


def test_the_reader_may_leave(tmp_path):
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), "cards", "nidavellir"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(60) == 0
    process.stderr.close()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1000000", 10**6),
        ("1_000_000", 10**6),
        ("1,000,000", 10**6),
        ("1e6", 10**6),
        ("1M", 10**6),
        ("1.5m", 1_500_000),
        ("100k", 100_000),
        (" 7 ", 7),
        ("0", 0),
        ("-5", -5),
        ("18446744073709551615", 2**64 - 1),
        ("12345678901234567.0", 12345678901234567),
    ],
)
def test_numbers_as_people_write_them(text, number):
    assert cli.whole_number(text) == number


@pytest.mark.parametrize(
    "text",
    ["", "k", "abc", "1.5", "1,5", "1_", "_1", "1__0", "nan", "inf", "1e-3", "0x10", "1e999", "9" * 5000, "1 000", "٣"],
)
def test_what_is_no_whole_number(text):
    with pytest.raises(cli.typer.BadParameter) as refused:
        cli.whole_number(text)
    assert len(str(refused.value)) < 150
