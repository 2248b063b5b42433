"""Traffic lights: every state, every check, and limits of one's own."""

import io
import re
from collections import Counter

import pandas as pd
import pytest

from analysis.balance_lights import GREEN, LIMITS, OPEN, RED, YELLOW, Limit, light, lights, read_limits
from reports.lights import SIGNS, TERMINAL_COLOURS, WORDS, lit
from reports.terminal import coloured, print_folded_table
from simcore.contract import DataError

LIMIT = Limit("seat", "seat", 0.01, 0.03)


@pytest.mark.parametrize(
    ("numbers", "state"),
    [
        ((0.002, -0.004, 0.008), GREEN),
        ((0.005, 0.0, 0.01), GREEN),  # up to the limit
        ((0.05, 0.031, 0.07), RED),
        ((0.05, 0.03, 0.07), YELLOW),  # not beyond the limit
        ((0.02, 0.012, 0.028), YELLOW),
        ((0.012, 0.005, 0.02), YELLOW),
        ((0.028, 0.02, 0.036), YELLOW),
        ((0.02, 0.005, 0.05), OPEN),
        ((0.02, 0.01, 0.031), OPEN),
        ((None, None, None), OPEN),
        ((0.2, None, None), OPEN),  # nobody knows how sure that is
        ((0.005, None, None), OPEN),
        ((0.0, None, None), GREEN),  # exactly nothing, in every block
    ],
)
def test_states(numbers, state):
    assert light(LIMIT, *numbers) == state


@pytest.mark.parametrize(("n", "state"), [(0, GREEN), (1, YELLOW), (2, YELLOW), (3, RED)])
def test_items_are_counted_without_an_interval(n, state):
    dead = next(limit for limit in LIMITS if limit.name == "dead")
    assert light(dead, float(n), None, None) == state


# --- from the tables of a balance sheet ---


def ends(name, estimate, half):
    return {name: estimate, f"{name}_low": estimate - half, f"{name}_high": estimate + half}


def interval(estimate, half):
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half}


def item(name, ban=None, grant=None, rate=0.2, kind="hero"):
    missing = {f"{what}{end}": None for what in ("ban", "grant") for end in ("", "_low", "_high")}
    given = (ends("ban", *ban) if ban else {}) | (ends("grant", *grant) if grant else {})
    return {"players": 3, "kind": kind, "item": name, "title": name, **missing, **given, **ends("rate", rate, rate / 2)}


def tables(**changes):
    found = {
        "game": [
            {"measure": "close_games", **interval(0.2, 0.01)},
            {"measure": "half_time_leader_wins", **interval(0.7, 0.01)},
            {"measure": "variance_strategy", **interval(0.1, 0.02)},
            {"measure": "strategy_spread", **interval(0.05, 0.01)},
        ],
        "seats": [
            {"field": "mixed", "strategy": "all", "seat": 1, **interval(0.02, 0.002)},
            {"field": "mixed", "strategy": "all", "seat": 2, **interval(-0.04, 0.002)},
            {"field": "mixed", "strategy": "a", "seat": 2, **interval(-0.4, 0.002)},
            {"field": "mirror", "strategy": "a", "seat": 3, **interval(0.005, 0.002)},
        ],
        "dealt": [
            {"strategy": "all", "title": "gem 5", **interval(0.03, 0.001)},
            {"strategy": "a", "title": "gem 5", **interval(0.3, 0.001)},
        ],
        "items": [
            item("x", ban=(-0.06, 0.005), grant=(0.30, 0.01)),
            item("y", ban=(0.01, 0.005), grant=(0.10, 0.01)),
            item("z", grant=(0.12, 0.01), rate=0.0),
            item("gem", grant=(0.9, 0.01), rate=0.0, kind="gem"),
        ],
    }
    found |= changes
    return {name: pd.DataFrame([{"players": 3, **row} for row in rows]) for name, rows in found.items()}


def by_check(found):
    return {row["check"]: row for row in found}


def test_each_check_looks_at_its_number():
    found = by_check(lights(tables()))
    assert set(found) == {limit.name for limit in LIMITS}
    numbers = {name: (row["what"], pytest.approx(row["estimate"]), row["light"]) for name, row in found.items()}
    assert numbers["seat"] == ("seat 2: worse", 0.04, RED)
    assert numbers["seat_of_strategy"] == ("seat 3, a: better", 0.005, GREEN)
    assert numbers["dealt"] == ("gem 5: better", 0.03, YELLOW)
    assert numbers["strategies"] == ("", 0.05, GREEN)
    assert numbers["ban"] == ("x", 0.06, RED)
    assert numbers["grant"] == ("x", 0.18, YELLOW)  # beyond the median of its kind, 0.12
    assert numbers["close"] == ("", 0.8, YELLOW)
    assert numbers["half_time"] == ("", 0.7, YELLOW)
    assert numbers["luck"] == ("", 0.9, YELLOW)
    assert numbers["dead"] == ("z", 1.0, YELLOW)


def test_a_number_that_is_turned_has_its_interval_turned():
    found = by_check(lights(tables()))
    assert (found["close"]["low"], found["close"]["high"]) == pytest.approx((0.79, 0.81))
    assert (found["seat"]["low"], found["seat"]["high"]) == pytest.approx((0.038, 0.042))
    assert (found["ban"]["low"], found["ban"]["high"]) == pytest.approx((0.055, 0.065))
    assert (found["grant"]["low"], found["grant"]["high"]) == pytest.approx((0.17, 0.19))


def test_an_item_of_a_sample_is_dead_however_small_the_sample():
    """Of 500 blocks without it, up to 0.8 % may still have it: its estimate counts."""
    rare = item("rare", rate=0.0) | {"rate_high": 0.008}
    assert by_check(lights(tables(items=[rare])))["dead"]["what"] == "rare"
    assert by_check(lights(tables(items=[item("some", rate=0.01)])))["dead"]["estimate"] == 0


def test_without_effects_or_several_strategies_their_checks_are_left_out():
    alone = tables(items=[item("x"), item("y")])
    alone["game"] = alone["game"][:1]
    alone["seats"] = alone["seats"][alone["seats"]["field"] == "mirror"]
    found = by_check(lights(alone))
    assert set(found) == {"seat_of_strategy", "dealt", "close", "dead"}


# --- limits of one's own ---


def limits_of(tmp_path, text):
    path = tmp_path / "limits.toml"
    path.write_text(text)
    return {limit.name: limit for limit in read_limits(path)}


def test_a_file_sets_some_limits_and_the_rest_stays(tmp_path):
    found = limits_of(tmp_path, "[seat]\ngreen = 0.02\nred = 0.2\n[dead]\nred = 9\n")
    assert (found["seat"].green, found["seat"].red) == (0.02, 0.2)
    assert (found["dead"].green, found["dead"].red, found["dead"].unit) == (0.0, 9.0, "items")
    usual = {limit.name: limit for limit in LIMITS}
    assert found["ban"] == usual["ban"]
    assert read_limits(None) == LIMITS
    states = {name: by_check(lights(tables(), tuple(found.values())))[name]["light"] for name in ("seat", "dealt")}
    assert states == {"seat": YELLOW, "dealt": YELLOW}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[seat\n", "is not TOML"),
        ("[seats]\ngreen = 1\n", "seat"),
        ("seat = 3\n", "table with green and red"),
        ("[seat]\ngren = 1\n", "green"),
        ("[seat]\ngreen = 'low'\n", "not a number"),
        ("[seat]\ngreen = true\n", "not a number"),
        ("[seat]\ngreen = nan\n", "not a number"),
        ("[seat]\nred = inf\n", "not a number"),
        ("[seat]\ngreen = 0.5\nred = 0.1\n", "below green"),
        ("[seat]\ngreen = 0.5\n", "below green"),
    ],
)
def test_limits_that_cannot_be_are_refused(tmp_path, text, says):
    with pytest.raises(DataError, match=says) as caught:
        limits_of(tmp_path, text)
    assert "limits.toml" in str(caught.value)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        read_limits(tmp_path / "none.toml")


# --- as they are shown ---


class Window(io.StringIO):
    def isatty(self):
        return True


def test_every_light_has_a_sign_and_a_word_of_its_own():
    assert set(WORDS) == {GREEN, YELLOW, RED, OPEN} == set(SIGNS)
    assert len(set(SIGNS.values())) == len(set(TERMINAL_COLOURS.values())) == 4
    assert all(words == f"{SIGNS[state]}\u00a0{state}" for state, words in WORDS.items())


def test_a_page_colours_every_light_and_nothing_else():
    assert str(lit(f"2 {WORDS[GREEN]}, 1 {WORDS[OPEN]} <")) == (
        '2 <span class="light green">●\u00a0green</span>, 1 <span class="light open">?\u00a0open</span> &lt;'
    )
    assert str(lit("a green house? open it")) == "a green house? open it"


def test_a_window_colours_lights_and_a_file_has_sign_and_word(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    sentence = f"1 {WORDS[RED]}, 3 {WORDS[GREEN]}"
    window, pipe = Window(), io.StringIO()
    for out in (window, pipe):
        monkeypatch.setattr("sys.stdout", out)
        print_folded_table(["light", "what"], [[words, "x"] for words in WORDS.values()], TERMINAL_COLOURS)
        print(coloured(sentence, TERMINAL_COLOURS))
    for state, code in ((GREEN, 32), (YELLOW, 33), (RED, 31), (OPEN, 36)):
        assert f"\x1b[{code}m{WORDS[state]}" in window.getvalue()
        assert WORDS[state] in pipe.getvalue()
    assert f"1 \x1b[31m{WORDS[RED]}\x1b[0m, 3 \x1b[32m{WORDS[GREEN]}\x1b[0m\n" in window.getvalue()
    assert "\x1b" not in pipe.getvalue()


def test_a_balance_sheet_shows_every_light_in_its_colour_by_sign_and_word(balanced):
    folder, said = balanced
    page = (folder / "report.html").read_text(encoding="utf-8")
    shown = Counter(pd.read_csv(folder / "tables" / "lights.csv", comment="#")["light"])
    for state, words in WORDS.items():
        span = f'<span class="light {state}">{words}</span>'
        assert page.count(f"<td>{span}</td>") == shown[state]
        assert page.count(words) == page.count(span) > shown[state]
        assert len(re.findall(rf"^(?:\d +)?{re.escape(words)} ", said.out, re.MULTILINE)) >= shown[state]
        assert re.search(rf"\.{state} {{ color: var\(--{state}\)", page)
