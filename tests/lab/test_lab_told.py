"""What the laboratory calls its cases, how its tables fit a window, and numbers over several line-ups."""

import io
import math
import re

import pytest

from analysis import runs
from analysis.balance_field import over_lineups
from analysis.changes import TOGETHER, in_readers_words, title_of, told_apart
from analysis.intervals import Interval
from reports.terminal import print_folded_table


@pytest.fixture(scope="module")
def choice():
    return runs.choose("nidavellir", ["planner", "greedy"], 2)


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ((), "unchanged"),
        ((("withhold", "hero:uline"),), "without Uline"),
        ((("planner:ban", "hero:zoral"),), "planner may not have Zoral"),
        ((("greedy:grant", "hero:skaa"),), "greedy has Skaa from the start"),
        ((("planner:at-random", "choose_card"),), "planner takes choose card at random"),
        (
            (("warrior_majority", "points"), ("heroes.grid.amount", "5")),
            "warrior_majority=points, heroes.grid.amount=5",
        ),
        ((("heroes.kraal.points+heroes.tarah.points", "5"),), "points of Kraal and Tarah =\u00a05"),
    ],
)
def test_a_case_is_called_by_printed_names(choice, setting, told):
    assert in_readers_words(setting, choice) == told


def test_what_is_varied_is_called_by_printed_names(choice):
    assert title_of("heroes.zoral.points", choice) == "points of Zoral"
    assert title_of("scoring_tables.3.dwerg_brothers_total", choice) == "dwerg brothers total of scoring tables 3"
    assert title_of("heroes.kraal.points+heroes.tarah.points", choice) == "points of Kraal and Tarah"
    assert title_of("heroes.grid.points+heroes.grid.amount", choice) == "points and amount of Grid"
    assert title_of("heroes.grid.points+heroes.thrud.amount", choice) == "points of Grid and amount of Thrud"
    totals = TOGETHER.join(f"scoring_tables.{n}.dwerg_brothers_total" for n in (2, 3, 4))
    assert title_of(totals, choice) == "dwerg brothers total of scoring tables 2, 3 and 4"
    many = TOGETHER.join(f"heroes.{name}.points" for name in ("grid", "thrud", "zoral", "aral", "skaa"))
    assert title_of(many, choice) == "points of Grid, Thrud and 3 more"
    assert title_of("withhold", choice) == "items withheld"
    assert title_of("planner:line", choice) == "line"
    assert title_of("warrior_majority", choice) == "warrior_majority"


def test_things_of_one_title_keep_their_keys():
    titles = {"a": "points of Grid", "b": "points", "c": "points"}
    assert told_apart(titles) == {"a": "points of Grid", "b": "b", "c": "c"}


class Window(io.StringIO):
    def isatty(self):
        return True


def test_a_table_folds_in_a_window_and_loses_nothing(monkeypatch):
    header = ["change", *(f"strategy number {i}" for i in range(8))]
    rows = [[f"scoring_tables.{i}.dwerg_brothers_total=76", *["38.4 % (37.4 to 39.4)"] * 8] for i in (3, 4)]
    window, pipe = Window(), io.StringIO()
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr("sys.stdout", window)
    print_folded_table(header, rows)
    monkeypatch.setattr("sys.stdout", pipe)
    print_folded_table(header, rows)
    folded, whole = re.sub(r"\x1b\[[0-9;]*m", "", window.getvalue()), pipe.getvalue()
    assert max(map(len, folded.splitlines())) <= 100 < max(map(len, whole.splitlines()))
    assert sorted("".join(folded.split())) == sorted("".join(whole.split()))


def test_a_number_over_line_ups_is_their_mean_and_errors_add_as_those_of_independent_means():
    found = over_lineups([Interval(10.0, 3.0, 4.0, 16.0), Interval(20.0, 4.0, 12.0, 28.0)])
    assert found.estimate == 15.0
    assert found.se == 2.5
    assert math.isclose(found.high - 15.0, 1.959964 * 2.5, rel_tol=1e-5)
    alone = Interval(10.0, 3.0, 4.0, 16.0)
    assert over_lineups([alone]) is alone
    assert over_lineups([alone, Interval(None, note="why")]) == Interval(None, note="why")
