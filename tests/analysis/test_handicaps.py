"""Runs with items withheld, banned and granted, and with changed parameters: their folders hold all that decided."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis import runs
from analysis.replaying import replay_game
from simcore.contract import StrategyError, TaflError
from simcore.manifest import MANIFEST_NAME
from simcore.play import Table, replay
from simcore.store import SUMS_NAME
from strategies import registry

SUBJECT = "planner (subject)"
GREEDY = registry.find("nidavellir", "greedy")
PLANNER = registry.find("nidavellir", "planner")
HANDICAP = {"hero:skaa": "granted", "distinction:miner": "banned"}


def changed_params(strategy: registry.Strategy, n_players: int) -> dict[str, int]:
    """Every parameter a little larger, so that a wrong order would show."""
    return {key: value + 1 + place for place, (key, value) in enumerate(strategy.params_for(n_players).items())}


def choice(handicap=HANDICAP, withheld=("hero:uline",)) -> runs.Choice:
    """A subject with a handicap beside its original and a strategy whose parameters are changed."""
    plain = runs.choose("nidavellir", ["planner", "greedy"], 3, withheld=withheld)
    subject = registry.variant(PLANNER, SUBJECT, handicap, {"line": PLANNER.params["line"] + 7})
    greedy = replace(GREEDY, params=changed_params(GREEDY, 3), at_players={})
    return replace(plain, lineup=(SUBJECT, "planner", "greedy"), strategies=(subject, PLANNER, greedy))


def rows_of(wanted: runs.Choice, n_blocks: int = 20) -> np.ndarray:
    return Table(runs.make_ready(wanted).plan("rotations", 5)).play(0, n_blocks).copy()


def test_a_run_is_resumed_and_replayed_from_its_folder(tmp_path):
    wanted = choice()
    setup = runs.make_ready(wanted)
    with runs.begin_run(setup, 120, 5, out=tmp_path / "whole") as store:
        runs.play(setup, store, 1)
    runs.begin_run(setup, 120, 5, out=tmp_path / "begun").close()
    again, store = runs.go_on(tmp_path / "begun")
    with store:
        assert [s.name for s in again.strategies] == [SUBJECT, "planner", "greedy"]
        assert again.strategies[0].original == "planner"
        assert again.strategies[0].handicap == HANDICAP
        for entered, found in zip(wanted.strategies, again.strategies, strict=True):
            assert list(found.params_for(3).items()) == list(entered.params_for(3).items())
        runs.play(runs.make_ready(again), store, 1)
    for name in (MANIFEST_NAME, SUMS_NAME):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "begun" / name).read_bytes()
    plan = setup.plan("rotations", 5)
    for game in (0, 4, 119):
        _, rows = replay(setup.spec, setup.edition, setup.entrants, plan.seating, 5, game)
        assert np.array_equal(replay_game(tmp_path / "whole", game).rows, rows)


def test_the_manifest_says_what_was_changed_and_no_more(tmp_path):
    with runs.begin_run(choice(), 3, 5, out=tmp_path / "run") as store:
        manifest = store.manifest
    subject, planner, greedy = manifest["entrants"]
    assert (subject["original"], subject["handicap"]) == ("planner", HANDICAP)
    assert subject["params"]["line"] == PLANNER.params_for(3)["line"] + 7
    assert greedy["params"] == changed_params(GREEDY, 3)
    assert not {"original", "handicap"} & {*planner, *greedy}
    assert manifest["edition"]["withheld"] == ["hero:uline"]
    assert manifest["edition"]["name"] == "official without Uline"
    plain = runs.choose("nidavellir", ["greedy"])
    with runs.begin_run(plain, 3, 5, out=tmp_path / "plain") as store:
        assert "withheld" not in store.manifest["edition"]
        assert "withheld" not in (tmp_path / "plain" / "edition" / "rules.toml").read_text()


def test_parameters_that_the_stored_strategy_lacks_are_refused(tmp_path):
    with runs.begin_run(choice(), 3, 5, out=tmp_path / "run") as store:
        manifest = json.loads(json.dumps(store.manifest))
    manifest["entrants"][2]["params"]["no_such"] = 1
    with pytest.raises(TaflError, match="the parameters of greedy"):
        runs.choose_again(tmp_path / "run", manifest)


def test_a_variant_without_handicap_plays_as_its_original():
    plain = runs.choose("nidavellir", ["planner", "greedy"], 4)
    renamed = registry.variant(PLANNER, SUBJECT)
    lineup = (SUBJECT, "greedy", SUBJECT, "greedy")
    subject = replace(plain, lineup=lineup, strategies=(renamed, plain.strategies[1]))
    assert np.array_equal(rows_of(plain), rows_of(subject))


def test_a_handicap_is_of_its_entrant_whichever_seat_it_has():
    wanted = choice({"hero:skaa": "granted", "hero:grid": "banned"}, ())
    setup = runs.make_ready(wanted)
    rows = rows_of(wanted)
    slots = {column.name: column.slot for column in setup.spec.columns(setup.edition, 3)}
    is_subject = setup.plan("rotations", 5).seating == 0
    skaa, grid = rows[..., slots["hero_skaa"]], rows[..., slots["hero_grid"]]
    assert np.array_equal(skaa.astype(bool), np.broadcast_to(is_subject, skaa.shape))
    assert not grid[:, is_subject].any()
    assert grid.any()


def test_the_pages_example_runs(tmp_path, monkeypatch):
    page = Path(__file__).parents[2] / "docs" / "editions-and-rules.md"
    (example,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    said: dict = {}
    exec(example, said)
    assert said["result"].complete
    assert [entry["name"] for entry in said["result"].manifest["entrants"]] == [SUBJECT, "planner"]


def test_two_seats_are_not_granted_one_hero():
    wanted = choice()
    twice = replace(wanted, lineup=(SUBJECT, "planner", SUBJECT), strategies=wanted.strategies[:2])
    with pytest.raises(TaflError, match="hero:skaa would be granted to two seats"):
        runs.make_ready(twice).plan("rotations", 5)


def test_what_the_edition_withholds_cannot_be_granted():
    with pytest.raises(TaflError, match="hero:uline is withheld from this edition"):
        runs.make_ready(choice({"hero:uline": "granted"}))


def test_a_variant_of_a_variant_is_a_variant_of_the_first():
    first = registry.variant(PLANNER, "one", {"hero:skaa": "banned"})
    second = registry.variant(first, "two", {"hero:grid": "granted"})
    assert second.original == "planner"
    assert second.handicap == {"hero:skaa": "banned", "hero:grid": "granted"}
    with pytest.raises(StrategyError, match="no parameter of planner 'lin'; the nearest is 'line'"):
        registry.variant(PLANNER, "three", params={"lin": 1})


def test_a_card_that_is_not_in_the_decks_of_a_table_is_not_withheld_there():
    with pytest.raises(TaflError, match=r"card:age1-hunter-5p .* cannot be withheld at this table"):
        runs.choose("nidavellir", ["greedy"], 4, withheld=["card:age1-hunter-5p"])
    assert runs.choose("nidavellir", ["greedy"], 5, withheld=["card:age1-hunter-5p"]).edition.withheld
