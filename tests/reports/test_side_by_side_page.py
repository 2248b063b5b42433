"""The page of several runs: what it says, what it holds, what it draws."""

import io
import itertools
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pandas as pd
import pytest
from made_up import make
from test_report_page import Page

from analysis.settings import Setting, settings_table
from analysis.tables import COLUMNS, frame
from reports import side_by_side_words as words
from reports.figures.side_by_side import side_by_side_table
from reports.page_figures import drawn
from reports.sheet import FramedFigure
from reports.side_by_side_page import SideBySide, _chart, render
from reports.theme import strategy_styles
from simcore.store import RunResult

CALLED = ["base", "a <rule>"]


def row(strategy, measure, estimate, half, p, **more):
    apart = p is not None and p < 0.05
    ends = {"low": None, "high": None} if half is None else {"low": estimate - half, "high": estimate + half}
    values = dict.fromkeys((c for c, _, _ in COLUMNS["run_differences"]), None)
    values |= {"strategy": strategy, "measure": measure, "title": measure, "unit": "points", "estimate": estimate}
    return values | ends | {"p": p, "p_holm": p, "distinguishable": apart, "note": "", "luck": "paired"} | more


@pytest.fixture(scope="module")
def found():
    runs = []
    for label, heroes in zip(CALLED, ("all", "beginner"), strict=True):
        result, _ = make(["greedy", "planner"], n_games=1000)
        manifest = result.manifest | {"edition": result.manifest["edition"] | {"rules": {"heroes": heroes}}}
        layout = type("Layout", (), {"measures": [c for c in result.columns if c.kind in ("outcome", "component")]})()
        fields = {k: v for k, v in vars(result).items() if k in RunResult.__dataclass_fields__}
        fields |= {"manifest": manifest, "folder": Path(label), "layout": layout, "sums": None}
        runs.append(RunResult(**fields))
    pair = {"run": CALLED[1], "against": CALLED[0]}
    differences = [
        row("greedy", "win_share", -0.1, 0.03, 0.001, **pair),
        row("planner", "win_share", 0.01, 0.03, 0.6, **pair),
        row("greedy", "score", 4.0, 1.5, 0.01, **pair),
        row("planner", "score", 0.0, None, None, **pair),
    ]
    estimates = []
    for (name, measure), label in itertools.product(
        itertools.product(("greedy", "planner"), ("win_share", "score")), CALLED
    ):
        values = dict.fromkeys((c for c, _, _ in COLUMNS["run_estimates"]), None)
        middle = 0.1 if measure == "win_share" else 200.0
        values |= {"run": label, "strategy": name, "measure": measure, "title": measure, "unit": "points", "note": ""}
        estimates.append(values | {"estimate": middle, "low": middle * 0.9, "high": middle * 1.1})
    settings = [Setting("rule", "heroes", ("all", "beginner")), Setting("seed", "seed", ("1", "2"))]
    tables = {
        "run_settings": settings_table(CALLED, settings),
        "run_estimates": frame("run_estimates", estimates),
        "run_differences": frame("run_differences", differences),
    }
    for table in tables.values():
        table.attrs["stand_ins"] = "Of 9 rows 1 is a guess."
    return SideBySide(runs, CALLED, settings, tables)


def test_the_page_holds_and_says_it_all(found):
    text = render(found)
    page = Page(text)
    assert page.open == []
    assert all(b <= a + 1 for a, b in itertools.pairwise(page.headings))
    ids = [a["id"] for _, a in page.attributes if "id" in a]
    assert len(ids) == len(set(ids))
    links = [a["href"] for tag, a in page.attributes if tag == "a"]
    assert all(link.startswith("data:") or link[1:] in ids for link in links)
    assert "a &lt;rule&gt;" in text
    assert "Of 9 rows 1 is a guess." in page.text
    assert "2 of 3 differences between the runs hold beyond chance" in page.text
    assert "wins 10.0 percentage points less in a <rule> than in base" in page.text
    assert "No difference in win share is shown for planner (a <rule>)" in page.text
    drawings = [a for tag, a in page.attributes if tag == "svg"]
    assert [d["role"] for d in drawings] == ["img"] * 4  # two charts, each with its twin for phones
    files = {a["download"]: a["href"] for tag, a in page.attributes if tag == "a" and "download" in a}
    table = pd.read_csv(io.StringIO(unquote(files["run_differences.csv"].partition(",")[2])), comment="#")
    assert len(table) == 4
    assert render(found) == text


def test_an_unfinished_run_is_named_at_the_top(found):
    cut = replace(found.runs[1], complete=False, n_games=400)
    text = Page(render(replace(found, runs=[found.runs[0], cut]))).text
    assert "a <rule> is not finished: it has 400 of its 1\u202f000 games so far." in text.split("Contents")[0]


def test_what_differs_is_said_once_with_what_it_means():
    two = ["x", "y"]
    told = words.settings_in_words(
        two, [Setting("players", "players", ("4", "3")), Setting("seed", "seed", ("1", "2"))]
    )
    assert told[0] == "The runs differ in the number of players: 4 in x; 3 in y."
    assert told[1] == "They differ in the seed, which decides how sure the numbers are and not what they are of."
    assert told[2].startswith("Win shares are compared above the fair share")
    assert words.settings_in_words(two, []) == ["The runs do not differ in anything that decides their results."]
    [same, _] = words.settings_in_words(two, [Setting("seed", "seed", ("1", "2"))])
    assert same == "The runs are of the same games, strategies and rules."
    [own] = words.settings_in_words(two, [Setting("strategy", "source of mine", ("a", "b"))])
    assert own == "The source of mine is not the same in all of the runs, though the name is."


def test_nothing_is_claimed_where_nothing_can_be_tested():
    table = frame("run_differences", [row("a", "win_share", 0.3, None, None, run="y", against="x")])
    assert words.verdict(table) == [
        "None of the differences between the runs can be tested: too little was played, or nothing varies."
    ]
    assert words.finding(table, "win_share", "Win share", True) == "Win share: no difference between the runs is shown"


def test_the_chart_shows_every_run_of_every_strategy(found):
    chart = _chart(found, "win_share", strategy_styles(CALLED))
    assert (
        chart.words.title == "greedy wins 10.0\xa0percentage points less above its fair share in a <rule> than in base"
    )
    assert list(chart.table["estimate"]) == pytest.approx([10.0] * 4)
    assert list(side_by_side_table(found.tables["run_estimates"], "score")["estimate"]) == pytest.approx([200.0] * 4)
    [drawing] = drawn([chart])
    assert drawing.document.count("10.0 (9.0 to 11.0)") == 4
    for text in ("fair share", "greedy", "planner", "base", "a &lt;rule&gt;"):
        assert f">{text}<" in drawing.document
    assert isinstance(chart.draw(), FramedFigure)
