"""Bad input on the command line: one clear sentence, the documented exit code, and nothing left behind."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command import ROOT

from analysis.runs import first_command
from simcore import chunks

COMPARE = ("compare", "nidavellir")
QUICK = ("--games", 4, "--seed", 1, "--no-report", "--out", "r")
HUGE = 10**30

REFUSED = [
    # what was typed, words of the sentence
    (("compare", "nidavelir", "greedy"), ["no game 'nidavelir'", "nearest is 'nidavellir'"]),
    (("compare", "chess", "greedy"), ["no game 'chess'"]),
    (("compare",), ["name a game and some strategies"]),
    ((*COMPARE,), ["name at least one strategy", "tafl strategies nidavellir"]),
    ((*COMPARE, "greedy", "--players", 1), ["is for 2 to 5 players, not 1", "--players 2"]),
    ((*COMPARE, "greedy", "--players", 6), ["is for 2 to 5 players, not 6", "--players 5"]),
    ((*COMPARE, "greedy", "--players", 0), ["not 0"]),
    ((*COMPARE, "greedy", "--players", -3), ["not -3"]),
    ((*COMPARE, "greedy", "--players", "two"), ["--players", "'two' is no whole number"]),
    (
        (*COMPARE, "greedy", "random", "planner", "--players", 2),
        ["3 strategies do not fit", "table of 2", "name at most 2"],
    ),
    ((*COMPARE, *["greedy"] * 6), ["6 strategies need 6 seats", "2 to 5 players"]),
    ((*COMPARE, "greedy", "--games", 0), ["at least 1, not 0"]),
    ((*COMPARE, "greedy", "--games", -5), ["at least 1, not -5"]),
    ((*COMPARE, "greedy", "--games", HUGE), ["at most", str(HUGE)]),
    ((*COMPARE, "greedy", "--games", "1" * 5000), ["1...' is no whole number"]),
    ((*COMPARE, "greedy", "--games", "many"), ["--games", "'many' is no whole number", "100_000"]),
    ((*COMPARE, "greedy", "--games", "1.5"), ["'1.5' is no whole number"]),
    ((*COMPARE, "greedy", "--games", "nan"), ["'nan' is no whole number"]),
    ((*COMPARE, "greedy", "--games", ""), ["'' is no whole number"]),
    ((*COMPARE, "greedy", "--games"), ["--games", "requires an argument"]),
    ((*COMPARE, "greedy", "--seed", -1), ["seed must be from 0 to 18446744073709551615, not -1"]),
    ((*COMPARE, "greedy", "--seed", 2**64), ["seed must be from 0", str(2**64)]),
    ((*COMPARE, "greedy", "--seed", "lucky"), ["--seed", "'lucky' is no whole number"]),
    ((*COMPARE, "greedy", "--seed", "0.5"), ["'0.5' is no whole number"]),
    ((*COMPARE, "greedy", "--threads", 0), ["threads must be from 1 to 256, not 0"]),
    ((*COMPARE, "greedy", "--threads", -2), ["threads", "not -2"]),
    ((*COMPARE, "greedy", "--threads", HUGE), ["threads", "to 256"]),
    ((*COMPARE, "greedy", "--patience", 0), ["--patience"]),
    ((*COMPARE, "greedy", "--patience", "nan"), ["--patience"]),
    ((*COMPARE, "greedy", "--patience", "soon"), ["--patience"]),
    ((*COMPARE, "greedy", "--seating", "circle"), ["no seating is called 'circle'", "rotations, fixed, all"]),
    ((*COMPARE, "greedy", "--gmes", 5), ["--gmes", "--games", "tafl compare --help"]),
    ((*COMPARE, "greedy", "--edition", "offical"), ["no edition 'offical'", "nearest is 'official'"]),
    ((*COMPARE, "greedy", "--withhold", "hero:ulin"), ["no item 'hero:ulin'", "nearest is 'hero:uline'"]),
    ((*COMPARE, "greedy", "--withhold", "gem:5"), ["gem:5 (starting gem 5) cannot be withheld at this table"]),
    ((*COMPARE, "greedy", "--rule", "tresure_small=28"), ["no rule switch 'tresure_small'", "'treasure_small'"]),
    ((*COMPARE, "greedy", "--rule", "treasure_small=33"), ["treasure_small", "'33'", "28, 31, 34"]),
    ((*COMPARE, "greedy", "--rule", "treasure_small"), ["'treasure_small' is not of the form KEY=VALUE"]),
    ((*COMPARE, "greedy", "--rule", "=28"), ["KEY=VALUE"]),
    ((*COMPARE, "greedy", "--rule", "heroes=all", "--rule", "heroes=beginner"), ["heroes is set twice"]),
    (("compare", "--resume", "nowhere"), ["no run folder 'nowhere'"]),
    (("compare", "nidavellir", "--resume", "r", "--games", 5, "--seed", 1), ["leave out GAME, --games, --seed"]),
    (("report", "nowhere"), ["no run folder 'nowhere'"]),
    (("report",), ["Missing argument 'RUN...'", "tafl report --help"]),
    (("report", "."), ["'.' is no run folder", "manifest.json"]),
    (("replay", "nowhere", 0), ["no run folder 'nowhere'"]),
    (("replay", ".", 0), ["'.' is no run folder"]),
    (("rules", "nidavellir", "--edition", "primar"), ["nearest is 'primer'"]),
    (("rules", "nidavelir"), ["nearest is 'nidavellir'"]),
    (("cards", "nidavelir"), ["nearest is 'nidavellir'"]),
    (("strategies", "nidavelir"), ["nearest is 'nidavellir'"]),
    (("check", "nidavelir", "greedy"), ["nearest is 'nidavellir'"]),
    (("edition", "copy", "nidavelir", "mine"), ["nearest is 'nidavellir'"]),
    (("compere", "nidavellir"), ["No such command 'compere'", "compare"]),
    (("edition", "chek"), ["No such command 'chek'", "check"]),
]


@pytest.mark.parametrize(("arguments", "words"), REFUSED, ids=lambda value: " ".join(map(str, value))[:60])
def test_usage_is_refused_with_code_2(tafl, tmp_path, arguments, words):
    tafl(*arguments).refuses(2, *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "nearest"), [("plannr", "planner"), ("gredy", "greedy"), ("Greedy", "greedy")])
def test_an_unknown_strategy_names_the_nearest(tafl, tmp_path, name, nearest):
    tafl(*COMPARE, name, *QUICK).refuses(2, f"no strategy '{name}'", f"the nearest is '{nearest}'")
    tafl("check", "nidavellir", name).refuses(2, f"the nearest is '{nearest}'")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [60, 10**12, 10**30])
def test_a_game_that_does_not_exist(tafl, played, number):
    tafl("replay", played, number).refuses(2, f"no game {number}", "0 to 59")


@pytest.mark.parametrize(("number", "words"), [("-1", "not negative"), ("first", "no whole number"), ("1.5", "'1.5'")])
def test_what_is_no_number_of_a_game(tafl, played, number, words):
    tafl("replay", played, number).refuses(2, words)


# an edition of one's own


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


BAD_EDITIONS = [
    ("gems.csv", "gem,tradable,", "gem,", ["gems.csv", "tradable"]),
    ("dwarves.csv", "age1-warrior-3,1,warrior,3,1,0,2,1", "age1-warrior-3,1,warrior,3,1,0,2,2", ["dwarves.csv"]),
    (
        "heroes.csv",
        "tarah,Tarah,Lethal Strike,warrior,1,14",
        "tarah,Tarah,Lethal Strike,warrior,1,-14",
        ["heroes.csv", "-14"],
    ),
    ("heroes.csv", "tarah,Tarah", "kraal,Tarah", ["heroes.csv", "kraal"]),
    ("heroes.csv", "points_by_class,effect", "points_by_class,efect", ["heroes.csv", "effect"]),
    ("heroes.csv", ",bid_last,", ",bid_lst,", ["heroes.csv", "bid_lst", "bid_last"]),
    ("coins.csv", "initial,3,", "initial,three,", ["coins.csv", "three"]),
    ("rules.toml", 'heroes = "all"', 'heroes = "al"', ["rules.toml", "'al'"]),
    ("rules.toml", 'heroes = "all"', "heroes = ", ["rules.toml", "TOML"]),
]


@pytest.mark.parametrize(("file", "old", "new", "words"), BAD_EDITIONS, ids=lambda value: str(value)[:24])
def test_a_bad_edition_is_refused_with_file_and_place(tafl, tmp_path, file, old, new, words):
    assert tafl("edition", "copy", "nidavellir", "mine").code == 0
    edit(tmp_path / "mine" / file, old, new)
    sentence = tafl("edition", "check", "mine").refuses(3, "mine", *words)
    assert sentence == tafl(*COMPARE, "greedy", "--edition", "mine", *QUICK).refuses(3)
    assert not (tmp_path / "r").exists()


BAD_RANGES = [
    ("sea_batles,,defense,,25,1,worse,", ["column table", "the nearest is 'sea_battles'"]),
    ("sea_battles,X9,defense,,25,1,worse,", ["column row", "B01"]),
    ("sea_battles,,defence,,25,1,worse,", ["column column", "the nearest is 'defense'"]),
    ("sea_battles,,defense,familly,25,1,worse,", ["column group", "the nearest is 'family'"]),
    ("sea_battles,,defense,,250,1,worse,", ["column spread", "too large"]),
    ("sea_battles,,defense,,25,1,worst,", ["column sense", "the nearest is 'worse'"]),
    ("sea_battles,,defense", ["has 3 cells"]),
]


@pytest.mark.parametrize(("line", "words"), BAD_RANGES, ids=lambda value: str(value)[:40])
def test_bad_ranges_are_refused_by_the_check_as_by_robustness(tafl, tmp_path, line, words):
    assert tafl("edition", "copy", "reavers", "mine").code == 0
    path = tmp_path / "mine" / "ranges.csv"
    number = len(path.read_text(encoding="utf-8").splitlines()) + 1
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    sentence = tafl("edition", "check", "mine").refuses(3, f"ranges.csv, row {number}", *words)
    drawn = tafl("robustness", "reavers", "balanced", "greedy", "--edition", "mine", "--out", "r")
    assert sentence == drawn.refuses(3)


def test_ranges_of_an_edition_that_leaves_nothing_open_are_no_error(tafl, tmp_path):
    assert tafl("edition", "copy", "nidavellir", "mine").code == 0
    header = "table,row,column,group,spread,low,sense,says\n"
    (tmp_path / "mine" / "ranges.csv").write_text(f"{header}heroes,,points,,25,1,better,\n", encoding="utf-8")
    assert tafl("edition", "check", "mine").code == 0


def test_an_edition_that_lacks_a_table(tafl, tmp_path):
    assert tafl("edition", "copy", "nidavellir", "mine").code == 0
    (tmp_path / "mine" / "gems.csv").unlink()
    tafl("edition", "check", "mine").refuses(3, "gems.csv")


def test_an_edition_is_never_copied_over_anything(tafl, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes").write_text("mine")
    tafl("edition", "copy", "nidavellir", "mine").refuses(3, "mine is not empty")
    tafl("edition", "copy", "nidavellir", "mine/notes").refuses(3, "is a file")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes"]
    tafl("edition", "check", "nowhere").refuses(3, "nowhere is not a folder")


# run folders


def test_an_existing_folder_is_never_overwritten(tafl, tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "precious").write_text("mine")
    tafl(*COMPARE, "greedy", *QUICK).refuses(2, "'r' exists already and is never overwritten")
    assert (tmp_path / "r" / "precious").read_text() == "mine"
    tafl(*COMPARE, "greedy", *QUICK[:-1], "r/precious").refuses(2, "exists already")
    tafl(*COMPARE, "greedy", *QUICK[:-1], "r/precious/below").refuses(2, "cannot create", "precious' is a file")
    assert (tmp_path / "r" / "precious").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tafl, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    tafl(*COMPARE, "greedy", *QUICK[:-1], "closed/r").refuses(2, "cannot create", "permission denied")


def test_a_folder_that_the_system_refuses(tafl, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    tafl(*COMPARE, "greedy", *QUICK).refuses(2, "cannot create", "permission denied")
    assert list(tmp_path.iterdir()) == []


def full(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_before_the_run(tafl, tmp_path, monkeypatch):
    monkeypatch.setattr("simcore.disk.write_whole", full)
    tafl(*COMPARE, "greedy", *QUICK).refuses(3, "the disk is full", "create")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_in_mid_run_loses_nothing(tafl, tmp_path, monkeypatch):
    arguments = (*COMPARE, "random", "--games", 4000, "--seed", 1, "--no-report", "--threads", 1, "--out")
    assert tafl(*arguments, "whole").code == 0
    write, n_written = chunks.write, []

    def fill_up(*given):
        n_written.append(given)
        return write(*given) if len(n_written) < 3 else full()

    with monkeypatch.context() as patched:
        patched.setattr(chunks, "write", fill_up)
        tafl(*arguments, "r").refuses(3, "the disk is full", "Finished blocks are kept")
    assert len(list((tmp_path / "r" / "chunks").iterdir())) == 2
    assert tafl("compare", "--resume", "r", "--no-report").code == 0
    assert (tmp_path / "r" / "sums.npz").read_bytes() == (tmp_path / "whole" / "sums.npz").read_bytes()


@pytest.mark.parametrize("where", ["analysis.tables.write_csvs", "reports.page.save"])
def test_a_full_disk_while_the_report_is_written(tafl, tmp_path, monkeypatch, where):
    with monkeypatch.context() as patched:
        patched.setattr(where, full)
        said = tafl(*COMPARE, "random", "--games", 4, "--seed", 1, "--out", "r")
        said.refuses(3, "the disk is full", "The games are kept: `tafl report r`")
        assert "win share" in said.out
    assert (tmp_path / "r" / "sums.npz").is_file()
    assert tafl("compare", "--resume", "r", "--no-report").code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no full device")
def test_an_output_that_is_full():
    with Path("/dev/full").open("w") as device:
        done = subprocess.run(
            [sys.executable, str(ROOT / "cli.py"), "games"],
            stdout=device,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == "error: no space left on device.\n"


# damaged run folders


@pytest.fixture
def run(tmp_path, played):
    shutil.copytree(played, tmp_path / "r")
    return tmp_path / "r"


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "{}", '{"format": 1}', "\x00\x00"])
def test_a_damaged_manifest(tafl, run, content):
    (run / "manifest.json").write_text(content)
    for arguments in (("report", "r"), ("replay", "r", 0), ("compare", "--resume", "r")):
        tafl(*arguments).refuses(3, "manifest.json", "cannot be read")


def test_a_manifest_of_another_format(tafl, run):
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps(manifest | {"format": 2}))
    tafl("report", "r").refuses(3, "format 2", "newer tafl")


@pytest.mark.parametrize("change", [b"", b"PK", None])
def test_damaged_sums_are_named_and_played_again(tafl, run, change):
    good = (run / "sums.npz").read_bytes()
    (run / "sums.npz").write_bytes(good[:200] + good[300:] if change is None else change)
    tafl("report", "r").refuses(3, "sums.npz", "resume the run")
    said = tafl("compare", "--resume", "r", "--no-report")
    assert said.code == 0
    assert "sums.npz' cannot be used" in said.err
    assert (run / "sums.npz").read_bytes() == good


@pytest.mark.parametrize("name", ["edition/heroes.csv", "strategies/nidavellir/random.py", "columns.json"])
def test_what_a_run_keeps_must_not_be_changed(tafl, run, name):
    (run / name).write_text((run / name).read_text() + " ")
    for arguments in (("report", "r"), ("replay", "r", 0), ("compare", "--resume", "r")):
        tafl(*arguments).refuses(3, name.rpartition("/")[2], "was changed after the run began")


def test_a_run_of_which_nothing_is_finished(tafl, run):
    (run / "sums.npz").unlink()
    tafl("report", "r").refuses(3, "no block of the run 'r' is finished", "tafl compare --resume r")
    assert tafl("replay", "r", 3).code == 0, "a game can be replayed before it is played"


@pytest.mark.parametrize("log", [b"\x00 command\n", b'{"command": \n', b"\xff", b"", None])
def test_a_log_that_is_no_log_does_not_matter(run, log):
    (run / "log.jsonl").unlink() if log is None else (run / "log.jsonl").write_bytes(log)
    assert first_command(run) is None
