"""Every strategy that ships conforms, and the suite finds those that do not."""

from pathlib import Path

import pytest

from strategies import conformance, registry

SHIPPED = registry.names("nidavellir")

BAD = """
import gc
from simcore.accel import array_at
from strategies.registry import strategy

@strategy(game="nidavellir", name="vandal", idea="Writes into the public record.")
class Vandal:
    def choose_card(game, own, n_options):
        game.pl[own.seat].points[0] += 1
        return 0

@strategy(game="nidavellir", name="far", idea="Answers out of range.")
class Far:
    def choose_hero(game, own, n_options):
        return n_options

@strategy(game="nidavellir", name="half", idea="Answers with a float.")
class Half:
    def choose_hero(game, own, n_options):
        return 0.5

@strategy(game="nidavellir", name="spy", idea="Finds the hidden record and looks at the deck.")
class Spy:
    def choose_card(game, own, n_options):
        hidden = own.base
        while getattr(hidden, "base", None) is not None:
            hidden = hidden.base
        return int(hidden[0]["deck"][hidden[0]["next_card"]]) % n_options

@strategy(game="nidavellir", name="moody", idea="Answers by something outside of the game.")
class Moody:
    def choose_card(game, own, n_options):
        return mood(n_options)

@strategy(game="nidavellir", name="forger", idea="Writes what it wants among its options.")
class Forger:
    def choose_hero(game, own, n_options):
        own.option[0] = 0
        return 0

@strategy(game="nidavellir", name="scribe", idea="Remembers earlier games in its table.", table=lambda game: [0] * 8)
class Scribe:
    def choose_card(game, own, n_options):
        array_at(own.table, own.n_table)[-1] += 1
        return 0

@strategy(game="nidavellir", name="astrologer", idea="Reads its luck without drawing any.")
class Astrologer:
    def choose_card(game, own, n_options):
        return int(own.luck[0] % 1000) * n_options // 1000

MOOD = [0]

def mood(n_options):
    MOOD[0] += 1
    return MOOD[0] % n_options
"""


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_strategies_conform(name):
    assert conformance.check("nidavellir", name) == []


def test_strategies_conform_under_the_other_rules():
    rules = ["exchange_optional=yes", "exchange_gives_up=lower", "discard_target=last_dwarf_anywhere"]
    found = conformance.check_all("nidavellir", ["planner", "early-uline"], rules=rules)
    assert found == {"planner": [], "early-uline": []}


@pytest.fixture(scope="module")
def bad_problems(tmp_path_factory):
    path = Path(tmp_path_factory.mktemp("bad")) / "bad.py"
    path.write_text(BAD, encoding="utf-8")
    names = ["vandal", "far", "half", "spy", "forger", "scribe", "astrologer", "moody"]
    return conformance.check_all("nidavellir", names, [path])


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("vandal", "changes the public state of the game"),
        ("far", "options"),
        ("half", "answers with float, not with an integer"),
        ("spy", "depends on what its player cannot know"),
        ("forger", "changes own.option"),
        ("scribe", "changes its prepared table"),
        ("astrologer", "depends on what its player cannot know"),
        ("moody", "depends on what its player cannot know"),
    ],
)
def test_what_does_not_conform_is_found(bad_problems, name, says):
    assert any(says in sentence for sentence in bad_problems[name]), bad_problems[name]
