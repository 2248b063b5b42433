"""The pages in a real browser: nothing is asked of the network, tables sort, links lead somewhere, nothing overflows.

Skipped where there is no Chromium. Pictures of every page, on a desktop, on a phone, dark and in print, are left in
the folder that pytest names.
"""

import os

import pytest
from browser import Browser, find_browser
from made_up import FOUR, LONG, make

from analysis.notebook import compare
from reports.page import write_report
from reports.sample_game import SampleGame
from reports.side_by_side_page import put_side_by_side, write_side_by_side

PROGRAM = find_browser()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None or os.name != "posix", reason="no Chromium on this machine"),
]

UNRESOLVED = """[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href'))
    .filter(link => !document.getElementById(link.slice(1)))"""
OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth"
FIRST_COLUMN = "[...document.querySelectorAll('#summary ~ .scroll tbody th')].map(cell => cell.textContent)"
SORTED_BY = "document.querySelector('#summary ~ .scroll [aria-sort]').textContent"
CLICK = "document.querySelectorAll('#summary ~ .scroll thead button')[{}].click()"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    opened = Browser(PROGRAM, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages by name."""
    folder = tmp_path_factory.mktemp("pages")
    game = SampleGame(0, "Game 0.", ["seat 1 (planner) takes a card"] * 60)
    cases = {"four": FOUR, "two": ["greedy", "planner"], "long": [f"{LONG}{i}" for i in range(4)]}
    found = {name: write_report(*make(names), folder / name, None, game) for name, names in cases.items()}
    runs = [
        compare("nidavellir", "greedy", "random", games=60, seed=1, rule=[f"heroes={heroes}"], out=folder / heroes)
        for heroes in ("all", "beginner")
    ]
    found["runs"] = write_side_by_side(put_side_by_side([run.result for run in runs]), folder / "runs.html")
    return found


@pytest.mark.parametrize("name", ["four", "two", "long", "runs"])
def test_a_page_opens_by_itself_and_fits_the_window(browser, pages, name, tmp_path):
    for width, dark in ((1280, False), (1280, True), (390, False)):
        browser.open(pages[name], width, dark)
        assert browser.problems == []
        assert [url for url in browser.requests if not url.startswith("data:")] == []
        assert browser.value(UNRESOLVED) == []
        assert browser.value(OVERFLOW) <= 0, width
        browser.picture(tmp_path / f"{name}-{width}{'-dark' if dark else ''}.png")
    browser.print(tmp_path / f"{name}.pdf")
    assert all(path.stat().st_size > 20_000 for path in tmp_path.iterdir())
    assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_tables_of_a_usual_page_need_no_scrolling_on_a_desktop(browser, pages):
    browser.open(pages["four"], 1280)
    wide = browser.value(
        "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)"
        ".map(e => e.querySelector('caption').textContent)"
    )
    assert wide == []


def test_text_of_charts_is_readable_on_every_screen(browser, pages):
    smallest = (
        "Math.min(...[...document.querySelectorAll('.chart svg')].filter(e => e.clientWidth)"
        ".map(e => 7.5 * e.clientWidth / e.viewBox.baseVal.width))"
    )
    for width in (390, 1280):
        browser.open(pages["four"], width)
        assert browser.value(smallest) >= 9.5, width
        shown = browser.value("[...document.querySelectorAll('.chart')].filter(e => e.clientWidth).length")
        assert shown == browser.value("document.querySelectorAll('figure').length")


def test_charts_fit_a_phone_and_the_first_column_stays_in_view(browser, pages):
    browser.open(pages["four"], 390)
    too_wide = "[...document.querySelectorAll('.chart')].filter(e => e.scrollWidth > e.clientWidth).length"
    assert browser.value(too_wide) == 0
    left = "document.querySelector('#summary ~ .scroll tbody th').getBoundingClientRect().left"
    before = browser.value(left)
    browser.value("document.querySelector('#summary ~ .scroll').scrollLeft = 120")
    assert browser.value(left) == pytest.approx(before, abs=1.5)


def test_a_click_on_a_head_sorts_and_another_turns_the_order(browser, pages):
    browser.open(pages["four"], 1280)
    before = browser.value(FIRST_COLUMN)
    assert sorted(before) == sorted(FOUR)
    browser.value(CLICK.format(0))
    assert browser.value(FIRST_COLUMN) == sorted(FOUR)
    assert browser.value(SORTED_BY) == "strategy"
    browser.value(CLICK.format(0))
    assert browser.value(FIRST_COLUMN) == sorted(FOUR, reverse=True)
    browser.value(CLICK.format(1))
    assert browser.value(FIRST_COLUMN) == before
    assert browser.value("document.querySelectorAll('#summary ~ .scroll [aria-sort]').length") == 1


def test_the_keyboard_reaches_the_skip_link_and_the_heads(browser, pages):
    browser.open(pages["four"], 1280)
    browser.press("Tab")
    assert browser.value("document.activeElement.className") == "skip"
    assert browser.value("document.activeElement.getBoundingClientRect().left >= 0")
    browser.value("document.querySelector('#summary ~ .scroll thead button').focus()")
    browser.press("Enter")
    assert browser.value(FIRST_COLUMN) == sorted(FOUR)
    assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
