"""Strategy files that cannot work: which strategy, which file and line, which decision, which game."""

import re

import pytest
from command import finish, start
from own_strategies import FIRST_CARD, HEADER, PATIENT, policy

from simcore.games import find_game
from simcore.store import load_result
from strategies import registry

# One thread: with more, chance decides whose failure is told first.
COMPARE = (
    "compare",
    "nidavellir",
    "--players",
    2,
    "--games",
    40,
    "--seed",
    1,
    "--threads",
    1,
    "--no-report",
    "--out",
    "r",
)


def refused(tafl, tmp_path, text, *words, name="my.py", code=3):
    """Check that a strategy file of this text is refused, leaves nothing behind, and return the sentence."""
    (tmp_path / name).write_text(text, encoding="utf-8")
    sentence = tafl(*COMPARE, "--strategy-file", name).refuses(code, *words)
    left = {path.name for path in tmp_path.iterdir()} - {"__pycache__"}
    assert left == {name}, "mended, the same command must work"
    return sentence


FILES = [
    # text of my.py, words of the sentence
    ("def f(:\n", ["my.py:1", "no valid Python"]),
    (FIRST_CARD.replace("return 0", "return (0"), ["my.py:8", "no valid Python"]),
    ("x = 1\n", ["my.py", "nothing is decorated with @strategy"]),
    ("import nowhere_to_be_found\n", ["my.py:1", "ModuleNotFoundError", "nowhere_to_be_found"]),
    (HEADER + "x = 1 / 0\n", ["my.py:3", "ZeroDivisionError"]),
    (policy("a", "return 0", "choose_crd"), ["my.py:7", "no decision 'choose_crd'", "nearest is 'choose_card'"]),
    (
        policy("a", "return 0").replace("game, own, n_options", "self, game, own, n_options"),
        ["my.py:7", "without self"],
    ),
    (policy("a", "return 0").replace("game, own, n_options", "game"), ["my.py:7", "(game, own, n_options)"]),
    (policy("A Name", "return 0"), ["my.py", "'A Name' is no name", "hyphens"]),
    (policy("greedy", "return 0"), ["my.py", "'greedy' ships with tafl; choose another name"]),
    (policy("a", "return 0", options=', base="balancd"'), ["my.py", "no strategy", "'balancd'", "'balanced'"]),
    (policy("a", "return 0", options=', base="a"'), ["my.py", "names itself as its base"]),
    (policy("a", "return 0", options=", base=None"), ["my.py", "leaves out choose_bid"]),
    (policy("a", "return 0", options=', params={"reach": 1.5}'), ["my.py", "reach must be an integer, not 1.5"]),
    (policy("a", "return 0").replace('game="nidavellir"', 'game="nidavelir"'), ["my.py", "'nidavellir'"]),
    # what does not compile
    (policy("a", "return 0.5"), ["my.py:7", "choose_card of a", "float64", "index of an option"]),
    (policy("a", "return own.opton[0]"), ["my.py:7", "'opton'", "'option'"]),
    (policy("a", "return 'first'"), ["my.py:7", "choose_card of a", "index of an option"]),
    (policy("a", "pass"), ["my.py:7", "none", "index of an option"]),
    (policy("a", "return unheard_of(own)"), ["my.py:7", "does not compile", "unheard_of"]),
    (policy("a", "return open('x')"), ["my.py:7", "does not compile"]),
    # what fails while it plays
    (policy("a", "return n_options"), ["'a' (my.py:7)", "asked to choose card in game 0", "no option", "0 to 2"]),
    (policy("a", "return -1"), ["'a' (my.py:7)", "answered -1, which is no option"]),
    (policy("a", "return 1 // (n_options - 2)"), ["'a' (my.py:", "in game 0", "ZeroDivisionError"]),
    (
        policy("a", "if n_options > 1:\n    raise ValueError('no idea')\nreturn 0"),
        ["'a' (my.py:", "choose card", "ValueError: no idea"],
    ),
    (policy("a", "return own.option[n_options + 99]"), ["'a' (my.py:", "IndexError"]),
    (policy("a", "own.option[0] += 1\nreturn 0"), ["'a' (my.py:7)", "choose card", "changed its options"]),
    (
        policy("a", "array_at(own.table, own.n_table)[0] += 1\nreturn 0", extra="from simcore.accel import array_at\n"),
        ["'a' writes into its prepared table", "own.memory"],
    ),
]


@pytest.mark.parametrize(("text", "words"), FILES, ids=lambda value: value[-1] if isinstance(value, list) else "")
def test_a_file_that_cannot_work(tafl, tmp_path, text, words):
    refused(tafl, tmp_path, text, *words)


PROFILES = [
    (PATIENT.replace("coin_growth", "coin_groth"), ["my.toml:7", "'coin_groth'", "nearest is 'coin_growth'"]),
    (PATIENT.replace("300", "1.5"), ["my.toml:7", "coin_growth must be an integer, not 1.5"]),
    (PATIENT.replace("300", "true"), ["my.toml:7", "must be an integer"]),
    (PATIENT.replace("300", "9" * 30), ["my.toml:7", "must lie between"]),
    (PATIENT.replace('base = "balanced"', 'base = "balancd"'), ["my.toml", "'balanced'"]),
    (PATIENT.replace("[weights]", "[weigths]"), ["my.toml:6", "'weigths'", "'weights'"]),
    (PATIENT.replace('idea = "', 'ida = "'), ["my.toml:3", "'ida'", "'idea'"]),
    (PATIENT.replace('name = "patient"\n', ""), ["my.toml", "name", "missing"]),
    (PATIENT.replace('"patient"', '"greedy"'), ["'greedy' ships with tafl"]),
    (PATIENT + "[", ["my.toml is no TOML file"]),
    ("", ["my.toml", "missing"]),
]


@pytest.mark.parametrize(("text", "words"), PROFILES, ids=lambda value: value[-1] if isinstance(value, list) else "")
def test_a_parameter_set_that_cannot_work(tafl, tmp_path, text, words):
    refused(tafl, tmp_path, text, *words, name="my.toml")


def test_files_that_are_none(tafl, tmp_path):
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "my.txt").write_text("x")
    for name, words in (
        ("nowhere.py", "there is no strategy file nowhere.py"),
        ("nowhere.toml", "there is no strategy file nowhere.toml"),
        ("my.txt", "my.txt: a strategy file ends in .py or .toml"),
        ("folder.py", "folder.py cannot be read"),
        ("bytes.py", "bytes.py is no UTF-8 text"),
        ("bytes.toml", "bytes.toml is no UTF-8 text"),
    ):
        tafl(*COMPARE, "--strategy-file", name).refuses(3, words)
        tafl("strategies", "nidavellir", "--strategy-file", name).refuses(3, words)
    assert not (tmp_path / "r").exists()


def test_two_files_with_the_same_name(tafl, tmp_path):
    (tmp_path / "one.py").write_text(FIRST_CARD)
    (tmp_path / "two.py").write_text(FIRST_CARD)
    tafl(*COMPARE, "--strategy-file", "one.py", "--strategy-file", "two.py").refuses(3, "already calls a strategy")


def test_what_was_finished_before_a_strategy_fails_is_kept(tafl, tmp_path):
    (tmp_path / "my.py").write_text(
        policy("late", "if game.order[0] == 0 and game.hero_owner[3] == 1:\n    return 9\nreturn 0")
    )
    arguments = (
        "compare",
        "nidavellir",
        "late",
        "random",
        "--games",
        "100_000",
        "--seed",
        1,
        "--threads",
        1,
        "--out",
        "r",
    )
    said = tafl(*arguments, "--strategy-file", "my.py", "--no-report")
    sentence = said.refuses(3, "'late' (my.py:7)", "answered 9")
    kept = load_result(tmp_path / "r").n_games if (tmp_path / "r").exists() else 0
    number = int(re.search(r"game (\d+)", sentence)[1])
    assert kept <= number
    if kept:
        assert "What was played before is kept: tafl report r" in said.err
        tafl("replay", "r", number).refuses(3, "'late'", f"game {number}", "answered 9")


NEVER = policy("never", "while n_options > 1:\n    n_options = n_options | 1\nreturn 0")


def test_a_strategy_that_never_answers_is_named_with_its_game(tmp_path):
    (tmp_path / "my.py").write_text(NEVER)
    said = finish(start(tmp_path, *COMPARE, "--strategy-file", "my.py", "--patience", 2))
    said.refuses(4, "strategy 'never' (my.py:7), asked to choose card in game ", "has not answered for 2 seconds")
    assert (tmp_path / "r" / "manifest.json").is_file()
    said = finish(start(tmp_path, "compare", "--resume", "r", "--patience", 1))
    said.refuses(4, "'never'")


WRITES = policy("cheat", "game.pl[own.seat].coin[4] = 25\nreturn 0")


def test_a_strategy_that_writes_to_the_public_state_is_found_out(tafl, tmp_path):
    (tmp_path / "my.py").write_text(WRITES)
    said = tafl("check", "nidavellir", "cheat", "--strategy-file", "my.py")
    said.refuses(3, "cheat: choose_card (my.py:7) changes the public state of the game")


def test_a_strategy_of_ones_own_can_be_checked(tafl, tmp_path):
    (tmp_path / "my.py").write_text(FIRST_CARD)
    said = tafl("check", "nidavellir", "first-card", "--strategy-file", "my.py", "--rule", "heroes=beginner")
    assert said.code == 0, said.err
    assert said.out.startswith("first-card conforms")


def test_what_a_strategy_writes_into_its_table_stays_in_its_run(tafl, tmp_path):
    """The table is that of `balanced`, its base, which later runs of the same process play with."""
    spec = find_game("nidavellir")
    balanced = registry.enter(registry.find("nidavellir", "balanced"), spec, spec.load_edition("official", {}), 2)
    before = balanced.table.copy()
    writes = "array_at(own.table, own.n_table)[0] += 1\nreturn 0"
    text = policy("a", writes, extra="from simcore.accel import array_at\n")
    refused(tafl, tmp_path, text, "writes into its prepared table")
    assert (balanced.table == before).all()
