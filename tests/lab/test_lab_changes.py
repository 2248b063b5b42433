"""What can be varied: keys and values read, settings made of them, and each kind of change seen in play."""

import numpy as np
import pandas as pd
import pytest

from analysis import experiments, runs, series_play
from analysis.changes import apply, in_words, kind_of, parse_factor, settings_of, subject
from analysis.experiments import Case
from analysis.replaying import replay_game
from analysis.reproduction import reproduce
from simcore.contract import TaflError
from simcore.games_file import GAMES_NAME
from simcore.store import load_result


@pytest.fixture(scope="module")
def choice():
    return runs.choose("nidavellir", ["planner", "balanced"], 2)


# --- values ---


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("heroes.grid.amount=5", ("5",)),
        ("heroes.grid.amount=5,7, 9", ("5", "7", "9")),
        ("heroes.grid.amount=5..8", ("5", "6", "7", "8")),
        ("heroes.grid.amount=8..5", ("8", "7", "6", "5")),
        ("heroes.grid.amount=0..10:4", ("0", "4", "8")),
        ("heroes.grid.amount=10..0:4", ("10", "6", "2")),
        ("heroes.grid.amount=-1..1,5", ("-1", "0", "1", "5")),
        (" heroes.grid.amount = 3 ", ("3",)),
        ("warrior_majority=points", ("points",)),
        ("planner:ban=hero:uline,hero:grid", ("hero:uline", "hero:grid")),
        ("edition=official,./mine,../1..9", ("official", "./mine", "../1..9")),
    ],
)
def test_values_and_ranges(choice, text, values):
    assert parse_factor(text, choice).values == values


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("heroes.grid.amount", "KEY=VALUES"),
        ("=5", "KEY=VALUES"),
        ("heroes.grid.amount=", "KEY=VALUES"),
        ("heroes.grid.amount=1,,2", "nothing between two commas"),
        ("heroes.grid.amount=1..9:0", r"a step of 1 or more; the nearest is 1\.\.9\."),
        ("heroes.grid.amount=5..9:-1", r"5\.\.9:-1 is no range .*; the nearest is 5\.\.9 \(9\.\.5 counts down\)\."),
        ("heroes.grid.amount=9..5:-2", r"the nearest is 9\.\.5:2\."),
        ("heroes.grid.amount=3,5..9:1.6", r": 5\.\.9:1\.6 is no range .* the nearest is 5\.\.9:2\."),
        ("heroes.grid.amount=5.2..9", r"the nearest is 5\.\.9\."),
        ("heroes.grid.amount=5...9", r"the nearest is 5\.\.9\."),
        ("heroes.grid.amount=5-9", r"the nearest is 5\.\.9\."),
        ("heroes.grid.amount=5..9:two", r"the nearest is 5\.\.9\."),
        ("heroes.grid.amount=5..9..2", r"the nearest is 5\.\.9:2\."),
        ("heroes.grid.amount=5..", r"5\.\. is no range .*, such as 5\.\.9"),
        ("heroes.grid.amount=..9", r"such as 5\.\.9"),
        ("heroes.grid.points+heroes.thrud.points=5..9:-1", r"the nearest is 5\.\.9 "),
        ("planner:line=240..480:-60", r"the nearest is 240\.\.480:60 \(480\.\.240:60 counts down\)"),
        ("heroes.grid.amount=1..900", r"at most 200 values; the nearest is 1\.\.900:5"),
        ("heroes.grid.amount=1..150,200..300", "at most 200"),
        ("heroes.grid.amount=3,1..4", "names 3 twice"),
        ("warrior_majorities=points", "warrior_majority"),
        ("heros.grid.amount=5", "heroes"),
        ("planer:line=5", "planner"),
        ("planner:lime=5", "line"),
        ("heroes.grid.amount+heroes.grid.pointz=5", "points"),
    ],
)
def test_what_cannot_be_read_is_refused(choice, text, says):
    with pytest.raises(TaflError, match=says) as caught:
        parse_factor(text, choice)
    assert "\n" not in str(caught.value)


def test_a_factor_knows_its_value_before(choice):
    assert parse_factor("heroes.grid.amount=5", choice).before == "7"
    assert parse_factor("warrior_majority=points", choice).before == "ranks"
    line = parse_factor("planner:line=5", choice)
    assert line.before == str(choice.strategies[0].params_for(2)["line"])
    assert parse_factor("withhold=hero:grid", choice).before == "nothing"
    assert parse_factor("edition=official", choice).before == "official"
    assert parse_factor("heroes.grid.points+heroes.grid.amount=5", choice).before == "7"  # both are
    assert parse_factor("heroes.grid.points+heroes.thrud.points=5", choice).before == "7+13"
    assert not parse_factor("heroes.grid.points+heroes.thrud.points=5", choice).is_numeric
    assert parse_factor("heroes.grid.points=5", choice).is_numeric
    assert not parse_factor("warrior_majority=points", choice).is_numeric


# --- settings ---


def test_one_at_a_time_and_crossed(choice):
    factors = [parse_factor(text, choice) for text in ("heroes.grid.amount=7..8", "warrior_majority=ranks,points")]
    amount, majority = ("heroes.grid.amount", "8"), ("warrior_majority", "points")
    assert settings_of(factors, crossed=False) == [(), (amount,), (majority,)]
    assert settings_of(factors, crossed=True) == [(), (majority,), (amount,), (amount, majority)]
    assert in_words(()) == "unchanged"
    assert in_words((amount, majority)) == "heroes.grid.amount=8, warrior_majority=points"


def test_joined_cells_that_differ_are_never_taken_for_unchanged(choice):
    """Grid has 7 points, Thrud 13: setting both to 7 is a change, though the first has it already."""
    factor = parse_factor("heroes.grid.points+heroes.thrud.points=7", choice)
    assert settings_of([factor], crossed=False) == [(), ((factor.key, "7"),)]


def test_a_key_twice_is_refused(choice):
    factors = [parse_factor(text, choice) for text in ("heroes.grid.amount=5", "heroes.grid.amount=6")]
    with pytest.raises(TaflError, match="put all its values into one"):
        settings_of(factors, crossed=False)


# --- applied ---

GRID = "hero:grid"
CHANGES = {
    "rule": ("nidavellir", (("warrior_majority", "points"),)),
    "cell": ("nidavellir", (("heroes.grid.points", "99"),)),
    "joined cells": ("nidavellir", (("heroes.grid.points+heroes.bonfur.points", "99"),)),
    "parameter": ("nidavellir", (("planner (subject):line", "0"),)),
    "withhold": ("nidavellir", (("withhold", GRID),)),
    "ban": ("nidavellir", (("planner (subject):ban", GRID),)),
    "grant": ("nidavellir", (("planner (subject):grant", GRID),)),
    "at random": ("nidavellir", (("planner (subject):at-random", "choose_bid"),)),
    "edition": ("nidavellir", (("edition", "X"),)),
    "several": ("nidavellir", (("warrior_majority", "points"), ("withhold", GRID), ("planner (subject):line", "0"))),
    "plausible": ("reavers", (("plausible", "3/1"),)),
}
SUBJECTS = {"nidavellir": "planner", "reavers": "raid-keeps"}
N_GAMES = 40


def other_edition():
    spec = runs.choose("nidavellir", ["planner"], 2).spec
    return next(name for name in spec.presets if name != runs.default_edition(spec))


def with_edition(setting):
    return tuple((key, other_edition() if value == "X" else value) for key, value in setting)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An experiment of each game with a case for every kind of change, all rows kept."""
    found = {}
    for game, name in SUBJECTS.items():
        base = subject(runs.choose(game, [name], 2))
        settings = [(), *(with_edition(setting) for of, setting in CHANGES.values() if of == game)]
        cases = [Case(setting, 0, 3, keep_all=True) for setting in settings]
        manifest = experiments.make_manifest("sweep", [base], cases, N_GAMES, {}, 3)
        folder = tmp_path_factory.mktemp(game) / "e"
        experiment = experiments.create(manifest, [base], folder)
        series_play.play(experiment, experiments.setups(experiment.cases, [base]), 1)
        found[game] = experiment, base
    return found


def case_of(made, what):
    game, setting = CHANGES[what]
    experiment, base = made[game]
    number = 1 + [case.setting for case in experiment.cases].index(with_edition(setting))
    rows = [pd.read_parquet(experiment.run_folder(n) / GAMES_NAME) for n in (number, 1)]
    return experiment.run_folder(number), rows[0], rows[1], base


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_played(made, what):
    """Another game is played, but for a hero that nobody wanted: each case differs from the unchanged one."""
    folder, rows, before, base = case_of(made, what)
    assert len(rows) == len(before) == 2 * N_GAMES
    assert (rows["block"] == before["block"]).all()
    assert not rows["score"].equals(before["score"])
    result = load_result(folder)
    _, setting = CHANGES[what]
    changed = apply(with_edition(setting), base)
    assert result.manifest["edition"]["digest"] == changed.edition.digest


def test_what_was_changed_can_be_seen_in_the_rows(made):
    mine = "planner (subject)"
    _, rows, before, _ = case_of(made, "withhold")
    assert before["hero_grid"].sum() > 0
    assert rows["hero_grid"].sum() == 0
    _, rows, _, _ = case_of(made, "ban")
    assert rows.loc[rows["strategy"] == mine, "hero_grid"].sum() == 0
    assert rows.loc[rows["strategy"] != mine, "hero_grid"].sum() > 0
    _, rows, _, _ = case_of(made, "grant")
    assert (rows.loc[rows["strategy"] == mine, "hero_grid"] == 1).all()
    _, rows, _, _ = case_of(made, "at random")
    of = rows.groupby("strategy", observed=True)["score"].mean()
    assert of[mine] < of["planner"]
    _, rows, before, _ = case_of(made, "cell")
    kept = rows["hero_grid"] == 1
    assert kept.any()
    assert rows.loc[kept, "score"].mean() > before["score"].mean() + 50


def test_the_subject_plays_as_its_copies(made):
    """Unchanged, subject and copy play alike: in a block both sittings are the same game with the names turned."""
    experiment, _ = made["nidavellir"]
    rows = pd.read_parquet(experiment.run_folder(1) / GAMES_NAME)
    scores = rows["score"].to_numpy().reshape(-1, 2, 2)
    np.testing.assert_array_equal(scores[:, 0], scores[:, 1])


def test_the_same_values_are_no_change(made):
    """Cases that change nothing have the unchanged game's results: shared luck, block for block."""
    base = made["nidavellir"][1]
    same = (("heroes.grid.points", "7"), ("warrior_majority", "ranks"))
    same_again = apply(same, base).edition
    assert base.spec.filled(same_again, 2).tobytes() == base.spec.filled(base.edition, 2).tobytes()


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ((("warrior_majority", "point"),), "points"),
        ((("heroes.grid.points", "many"),), "whole number"),
        ((("planner:line", "many"),), "whole number"),
        ((("planner:line", "3.5"),), "whole number"),
        ((("withhold", "hero:gird"),), "hero:grid"),
        ((("withhold", "gem:1"),), "gem"),
        ((("planner:ban", "hero:gird"),), "hero:grid"),
        ((("planner:at-random", "choose_bits"),), "choose_bid"),
        ((("edition", "offical"),), "official"),
        ((("plausible", "3"),), "SEED/NUMBER"),
        ((("plausible", "3/1"),), "ranges"),
    ],
)
def test_what_cannot_be_applied_is_refused_in_one_sentence(choice, setting, says):
    with pytest.raises(TaflError, match=says) as caught:
        apply(setting, choice)
    assert "\n" not in str(caught.value)
    assert "/tmp" not in str(caught.value)


def test_what_is_granted_goes_to_one_seat():
    choice = runs.choose("nidavellir", ["planner"], 3)
    with pytest.raises(TaflError, match="one seat"):
        apply((("planner:grant", GRID),), choice)


def test_kinds(choice):
    keys = ("warrior_majority", "heroes.grid.points", "planner:line", "planner:ban", "withhold", "edition", "plausible")
    assert [kind_of(key, choice) for key in keys] == [
        *("rule", "cell", "parameter", "handicap", "item", "edition", "drawn")
    ]


# --- each case is an ordinary run ---


@pytest.mark.parametrize("what", CHANGES)
def test_a_case_is_replayed_as_it_was_played(made, what):
    folder, rows, _, base = case_of(made, what)
    slots = {column.name: column.slot for column in base.spec.columns(base.edition, 2)}
    told = replay_game(folder, 7)
    counted = rows.iloc[14:16]
    assert list(told.seat_names) == list(counted["strategy"])
    for name in ("win", "score", "place"):
        assert list(told.rows[:, slots[name]]) == list(counted[name]), name
    assert told.lines


@pytest.mark.parametrize("what", CHANGES)
def test_a_case_is_reproduced_byte_for_byte(made, what):
    folder = case_of(made, what)[0]
    found = reproduce(folder, n_threads=2)
    assert found.agrees, [file for file in found.files if not file.agrees]
    assert found.same_engine
