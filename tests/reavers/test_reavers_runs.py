"""Reavers of Midgard in the machine that every game runs in: threads, replays, errors that name the strategy."""

import numpy as np
import pytest
from reavers_games import ANY, FIRST, MOSTLY_FIRST, address, edition, some

from simcore import blocks
from simcore.accel import compile_decision
from simcore.contract import MAX_PARAMS, Entrant, StrategyError
from simcore.manifest import make_manifest
from simcore.play import Plan, Table
from simcore.reavers.layout import GAME, HIDDEN, MAX_OPTIONS, N_DECISIONS, OWN
from simcore.reavers.spec import SPEC
from simcore.runner import play_run
from simcore.store import create_run, load_result


def entrant(name: str, policy: int, at=None) -> Entrant:
    """A strategy for the runner that plays one of the simple policies."""
    code, owner = at or address()
    param = np.zeros(MAX_PARAMS, np.int64)
    param[0] = policy
    addresses = np.full(N_DECISIONS, code, np.uint64)
    return Entrant(name, addresses, param, np.zeros(0, np.int64), ("test.py:1",) * N_DECISIONS, (owner,))


ENTRANTS = [entrant("any", ANY), entrant("eager", MOSTLY_FIRST), entrant("first", FIRST)]
NAMES = ("any", "eager", "first")


@pytest.mark.parametrize("name", ["published", "early"])
def test_a_run_has_the_same_result_for_any_number_of_threads(tmp_path, name):
    sums = []
    for n_threads in (1, 2):
        lineup = blocks.fill_lineup(NAMES, 3)
        entered = [{"name": e, "params": {}, "files": []} for e in NAMES]
        manifest = make_manifest(SPEC, edition(name), lineup, entered, 3 * some(100), 7, "rotations")
        folder = tmp_path / f"run{n_threads}"
        columns = SPEC.columns(edition(name), 3)
        with create_run(folder, manifest, columns, edition(name).files, {"test.py": "#\n"}) as store:
            play_run(SPEC, edition(name), ENTRANTS, store, n_threads, chunk_blocks=some(20))
        result = load_result(folder)
        assert (result.n_blocks, result.n_games) == (some(100), 3 * some(100))
        sums.append(next(folder.glob("*.npz")).read_bytes())
    assert sums[0] == sums[1]


def test_a_recorded_game_is_the_game_that_counted():
    seats = np.arange(3)
    plan = Plan(SPEC, edition(), ENTRANTS, blocks.seatings(seats, "rotations"), 11)
    table = Table(plan)
    rows = table.play(4, 1).copy()
    for game in range(3):
        events, row = table.play_one(4, game)
        assert np.array_equal(row, rows[0, game])
        seat_names = [NAMES[e] for e in plan.seating[game]]
        assert len(SPEC.narrate(edition(), events, seat_names)) > 100
        told = SPEC.events_as_json(edition(), events, seat_names)
        assert told[0]["event"] == "game_starts"
        assert told[-1]["event"] == "game_ends"
        decisions = [e for e in told if e["event"] == "decision"]
        assert all(e["options"][e["index"]] == e["chosen"] for e in decisions)


def test_what_lies_face_up_is_called_by_its_name():
    """A space's cards are those that are taken from it next; no name of a field shows in a line."""
    plan = Plan(SPEC, edition(), ENTRANTS, blocks.seatings(np.arange(3)), 11)
    table = Table(plan)
    n_named = 0
    for block in range(3):
        events, _ = table.play_one(block, 0)
        told = SPEC.events_as_json(edition(), events, ["a", "b", "c"])
        decisions = [event for event in told if event["event"] == "decision"]
        best = [[(i, float(i == d["index"])) for i in range(len(d["options"]))] for d in decisions]
        lines = SPEC.narrate(edition(), events, ["a", "b", "c"], best)
        assert not [line for line in lines if "_" in line]
        weighed = iter([line for line in lines if " weighs " in line])
        for at, event in enumerate(told):
            if event["event"] != "decision":
                continue
            line = next(weighed)
            if event["decision"] in ("choose_spoils", "choose_recruits", "choose_prophecy") and event["chosen"] in (
                1,
                2,
            ):
                after = told[at + 1 : at + 12]
                taken = [e["card"] for e in after if e["event"] == "card_taken" and e["space"] == event["chosen"]]
                said = line.split(": ")[1].split(" 1.0 Glory")[0].split(" + ")
                n_named += len(taken)
                assert {card.replace("_", " ") for card in taken} <= set(said), (line, taken)
    assert n_named > 20


def wrong(game, own, n_options):
    """Answer with no option's index."""
    return n_options


def test_a_wrong_answer_names_the_strategy_and_the_decision():
    seats = np.arange(3)
    entrants = [*ENTRANTS[:2], entrant("wrong", 0, compile_decision(wrong, GAME, OWN, cached=False))]
    table = Table(Plan(SPEC, edition(), entrants, blocks.seatings(seats, "fixed"), 11))
    with pytest.raises(StrategyError, match=r"strategy 'wrong' \(test.py:1\).*answered [0-9]+, which is no option"):
        table.play(0, 1)


def test_capacity_of_options_holds_the_largest_list():
    assert MAX_OPTIONS >= 5**3  # 12 combat dice of three kinds
    assert HIDDEN["event"].shape[0] > 3 * 2600
