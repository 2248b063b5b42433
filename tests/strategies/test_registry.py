"""Where strategies come from, and what is said about files that cannot be right."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from simcore.blocks import seatings
from simcore.contract import StrategyError
from simcore.games import find_game
from simcore.play import Plan, Table
from strategies import registry
from strategies.nidavellir.weights import WEIGHTS

SPEC = find_game("nidavellir")
EDITION = SPEC.load_edition("official", {})
NAMES = registry.names("nidavellir")
WANTED = [
    "random",
    "greedy",
    "balanced",
    "planner",
    "dwerg-rush",
    "early-uline",
    "coin-builder",
    "top-coins",
    "hunters",
    "blacksmiths",
    "miners-gem",
    "warriors",
    "explorers",
    "lines",
    "denier",
]

GOOD = """
from strategies.registry import strategy

@strategy(game="nidavellir", name="first", idea="Takes the first card.")
class First:
    def choose_card(game, own, n_options):
        return 0
"""


def write(folder: Path, text: str, name: str = "my.py") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def play(entered: registry.Strategy, n_players: int = 2, n_blocks: int = 3) -> np.ndarray:
    """Return the rows of a few games against `random`."""
    opponent = registry.find("nidavellir", "random")
    entrants = [registry.enter(s, SPEC, EDITION, n_players) for s in (entered, opponent)]
    seats = np.arange(n_players) % 2
    return Table(Plan(SPEC, EDITION, entrants, seatings(seats, "rotations"), 4)).play(0, n_blocks).copy()


def test_every_wanted_strategy_ships_with_idea_and_source():
    rows = {row["name"]: row for row in registry.describe("nidavellir")}
    assert set(WANTED) <= set(rows)
    assert all(row["idea"].endswith(".") and row["source"] for row in rows.values())
    assert len(rows) == len(registry.names("nidavellir"))


def test_listing_does_not_load_the_compiler():
    code = (
        "import sys; from strategies import registry; registry.describe('nidavellir'); sys.exit('numba' in sys.modules)"
    )
    root = Path(registry.__file__).parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_what_a_listing_says_is_what_the_strategy_is(name):
    row = next(r for r in registry.describe("nidavellir") if r["name"] == name)
    found = registry.find("nidavellir", name)
    assert (found.name, found.idea, found.source, found.kind) == (name, row["idea"], row["source"], row["kind"])
    assert (found.base or "") == row["base"]
    assert list(found.functions) == [d.name for d in SPEC.decisions]
    assert row["file"].removeprefix("strategies/") in found.sources


def test_unknown_names_get_the_nearest():
    with pytest.raises(StrategyError, match="no strategy for nidavellir 'plannr'; the nearest is 'planner'"):
        registry.find("nidavellir", "plannr")
    with pytest.raises(StrategyError, match="no game 'nidavelir'; the nearest is 'nidavellir'"):
        registry.names("nidavelir")


def test_a_class_falls_back_to_balanced(tmp_path):
    first = registry.load_file(write(tmp_path, GOOD))[0]
    balanced = registry.find("nidavellir", "balanced")
    assert first.functions["choose_bid"] is balanced.functions["choose_bid"]
    assert first.functions["choose_card"] is not balanced.functions["choose_card"]
    assert first.params == balanced.params
    assert not first.shipped
    entrant = registry.enter(first, SPEC, EDITION, 3)
    assert entrant.location[2].endswith("my.py:6")
    assert entrant.location[0].startswith("strategies/nidavellir/")


def test_a_function_takes_every_decision(tmp_path):
    text = GOOD.replace("class First:\n    def choose_card(game, own, n_options):\n        return 0", "{}")
    text = text.format("def last(game, own, n_options):\n    return n_options - 1")
    last = registry.load_file(write(tmp_path, text))[0]
    assert last.params == {}
    assert len(set(last.functions.values())) == 1
    play(last)


def test_entrants_share_compiled_functions(tmp_path):
    one = registry.enter(registry.find("nidavellir", "hunters"), SPEC, EDITION, 2)
    other = registry.enter(registry.find("nidavellir", "balanced"), SPEC, EDITION, 2)
    assert np.array_equal(one.address, other.address)
    assert not np.array_equal(one.param, other.param)


def test_parameters_follow_those_of_the_base(tmp_path):
    text = GOOD.replace('card.")', 'card.", params={"line": 7, "mine": 5}, at_players={3: {"mine": 6}})')
    first = registry.load_file(write(tmp_path, text))[0]
    two = registry.enter(first, SPEC, EDITION, 2).param
    three = registry.enter(first, SPEC, EDITION, 3).param
    assert two[list(WEIGHTS).index("line")] == 7
    assert (two[len(WEIGHTS)], three[len(WEIGHTS)]) == (5, 6)


def test_tables_of_base_and_strategy_are_joined(tmp_path):
    text = GOOD.replace('card.")', 'card.", table=lambda game: [game.n_players, 17])')
    first = registry.load_file(write(tmp_path, text))[0]
    base = registry.enter(registry.find("nidavellir", "balanced"), SPEC, EDITION, 4).table
    table = registry.enter(first, SPEC, EDITION, 4).table
    assert np.array_equal(table[:-2], base)
    assert list(table[-2:]) == [4, 17]


def test_toml_weights(tmp_path):
    text = 'game = "nidavellir"\nname = "patient"\nidea = "Waits."\n[weights]\nline = 3\n[players.2]\nline = 4\n'
    patient = registry.load_file(write(tmp_path, text, "patient.toml"))[0]
    assert (patient.params_for(3)["line"], patient.params_for(2)["line"]) == (3, 4)
    assert patient.base == "balanced"
    play(patient)


def test_one_file_may_build_on_another(tmp_path):
    first = registry.load_file(write(tmp_path, GOOD))
    text = 'game = "nidavellir"\nname = "second"\nidea = "Like first."\nbase = "first"\n[weights]\nline = 3\n'
    second = registry.load_file(write(tmp_path, text, "second.toml"), first)[0]
    assert second.functions["choose_card"] is first[0].functions["choose_card"]
    assert len([name for name in second.sources if name.startswith("user/")]) == 2


TOML_HEAD = 'game = "nidavellir"\nname = "mine"\nidea = "Mine."\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            TOML_HEAD + "[weights]\nlin = 3\n",
            r"mine.toml:5: there is no weight of balanced 'lin'; the nearest is 'line'",
        ),
        (TOML_HEAD + "[weights]\nline = 3.5\n", r"mine.toml:5: line must be an integer, not 3.5"),
        (TOML_HEAD + "[weights]\nline = true\n", r"mine.toml:5: line must be an integer, not True"),
        (TOML_HEAD + "[weights]\nline = \n", r"mine.toml is no TOML file: .*line 5"),
        (TOML_HEAD + "[weigths]\nline = 3\n", r"mine.toml:4: there is no key 'weigths'; the nearest is 'weights'"),
        (TOML_HEAD + "[players.two]\nline = 3\n", r"mine.toml.*\[players.2\]"),
        (TOML_HEAD + 'base = "balancd"\n', r"mine.toml: base: .*the nearest is 'balanced'"),
        (TOML_HEAD + 'base = "mine"\n', r"names itself as its base"),
        ('game = "nidavellir"\nname = "mine"\n', r'mine.toml: the line idea = "..." is missing'),
        (TOML_HEAD.replace('"mine"', '"Mine!"'), r"'Mine!' is no name for a strategy"),
        (TOML_HEAD.replace("nidavellir", "nidavelli"), r"no game 'nidavelli'; the nearest is 'nidavellir'"),
        (TOML_HEAD.replace('"mine"', '"greedy"'), r"'greedy' ships with tafl; choose another name"),
    ],
)
def test_a_bad_toml_file_is_one_sentence(tmp_path, text, says):
    with pytest.raises(StrategyError, match=says) as caught:
        registry.load_file(write(tmp_path, text, "mine.toml"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("choose_card", "choose_cart", r"my.py:6: there is no decision 'choose_cart'; the nearest is 'choose_card'"),
        ("choose_card", "take_card", r"my.py.*no function is named after a decision"),
        ("(game, own, n_options)", "(self, game, own, n_options)", r"my.py:6: .*without self"),
        ("return 0", "return 0 +", r"my.py:7: no valid Python"),
        ("return 0", "return 0\n1 / 0", r"my.py:8: ZeroDivisionError"),
        ('name="first"', 'name="planner"', r"'planner' ships with tafl"),
        ('name="first"', 'nam="first"', r"my.py:4: TypeError: .*nam"),
        ('idea="Takes the first card."', "idea=3", r"idea must be a text, not 3"),
        ('card."', 'card.", params={"mine": 2.5}', r"mine must be an integer, not 2.5"),
        ("@strategy", "#@strategy", r"my.py: nothing is decorated"),
        ('card."', 'card.", base=None', r"first has no base and leaves out choose_bid, "),
    ],
)
def test_a_bad_python_file_is_one_sentence(tmp_path, old, new, says):
    with pytest.raises(StrategyError, match=says) as caught:
        registry.load_file(write(tmp_path, GOOD.replace(old, new)))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("1.5", r"my.py:6: choose_card of first answers with float64"),
        ("nothing_of_this_name", r"my.py:6: choose_card of first does not compile: .*nothing_of_this_name"),
        ("game.rank[0]", r"my.py:6: choose_card of first.*'rank'"),
        ("None", r"my.py:6: choose_card of first"),
    ],
)
def test_a_function_that_cannot_be_compiled_is_one_sentence(tmp_path, answer, says):
    from simcore.accel import INTERPRETED

    if INTERPRETED:
        pytest.skip("nothing is compiled")
    bad = registry.load_file(write(tmp_path, GOOD.replace("return 0", f"return {answer}")))[0]
    with pytest.raises(StrategyError, match=says) as caught:
        registry.enter(bad, SPEC, EDITION, 2)
    assert "\n" not in str(caught.value)


def test_missing_and_strange_files(tmp_path):
    with pytest.raises(StrategyError, match="there is no strategy file"):
        registry.load_file(tmp_path / "none.py")
    with pytest.raises(StrategyError, match=r"ends in \.py or \.toml"):
        registry.load_file(write(tmp_path, "", "my.txt"))
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    with pytest.raises(StrategyError, match="no UTF-8"):
        registry.load_file(tmp_path / "latin.toml")
    with pytest.raises(StrategyError, match="already calls a strategy 'first'"):
        registry.load_file(write(tmp_path, GOOD), registry.load_file(write(tmp_path, GOOD, "again.py")))


def store(strategy: registry.Strategy, folder: Path) -> None:
    """Write a strategy's sources as a run's folder keeps them."""
    for name, text in strategy.sources.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_a_stored_user_file_plays_on_after_the_original_changed(tmp_path):
    path = write(
        tmp_path,
        GOOD.replace("return 0", "return helper.LAST * (n_options - 1)").replace("from", "import helper\nfrom", 1),
    )
    write(tmp_path, "LAST = 1\n", "helper.py")
    first = registry.load_file(path)[0]
    rows = play(first)
    store(first, tmp_path / "run")
    write(tmp_path, "LAST = 0\n", "helper.py")
    changed = registry.load_file(path)[0]
    stored = registry.load_stored(tmp_path / "run", "nidavellir", "first")
    assert not np.array_equal(play(changed), rows)
    assert np.array_equal(play(stored), rows)


def test_a_stored_shipped_strategy_plays_on_after_tafl_changed(tmp_path):
    planner = registry.find("nidavellir", "planner")
    store(planner, tmp_path / "same")
    assert registry.load_stored(tmp_path / "same", "nidavellir", "planner").functions == planner.functions
    sources = dict(planner.sources)
    before = "return -best & (DEPTH - 1)"
    assert before in sources["nidavellir/bidding.py"]
    sources["nidavellir/bidding.py"] = sources["nidavellir/bidding.py"].replace(before, "return 0")
    store(dataclasses.replace(planner, sources=sources), tmp_path / "other")
    stored = registry.load_stored(tmp_path / "other", "nidavellir", "planner")
    assert stored.params == planner.params
    bid = stored.functions["choose_bid"]
    helper = getattr(bid.__globals__["best_bid_nb"], "py_func", bid.__globals__["best_bid_nb"])
    assert bid.__module__.startswith("tafl_stored_")
    assert helper.__code__.co_filename == str(tmp_path / "other" / "nidavellir" / "bidding.py")
    with pytest.raises(StrategyError, match="no strategy for nidavellir 'greedy'"):
        registry.load_stored(tmp_path / "other", "nidavellir", "greedy")


def test_a_stored_copy_is_what_plays(tmp_path):
    moves = registry.find("nidavellir", "random-moves")
    name = "nidavellir/random_moves.py"
    sources = {name: moves.sources[name].replace("own.decision != CHOOSE_HERO", "own.decision != 99")}
    assert sources != moves.sources
    store(dataclasses.replace(moves, sources=sources), tmp_path)
    stored = registry.load_stored(tmp_path, "nidavellir", "random-moves")
    assert not np.array_equal(play(stored), play(moves))
