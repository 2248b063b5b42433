"""Runs that a rule stops: where they stop does not depend on who plays, how it is cut or what comes between."""

import itertools
import json
import os
import shutil

import numpy as np
import pytest
from test_runner import StopsAfter
from toy_game import ToyEdition, toy_spec
from toy_run import SEED, create_toy, play_toy, play_toy_on_cluster, result_bytes, toy_entrants

from simcore import blocks, looks, store
from simcore.accel import INTERPRETED
from simcore.contract import DataError, StrategyError, TaflError
from simcore.execution import Interrupted, Ranges
from simcore.looks import STOPPED_NAME, Looks, Stop, cut, schedule
from simcore.play import Plan, Table
from simcore.shards import merge
from simcore.sums import Sums

NAMES = ("cautious", "bold", "by_lot")
MOST = 300 if INTERPRETED else 2000
N_GAMES = 4 * MOST


def by_digits(result):
    """A rule that depends on every block before the look and on nothing else: on the last digits of all points."""
    points = int(result.sums["total"][:, result.layout.score].sum())
    return f"points {points}" if points % 16 == 3 else None


def never(result):
    return None


def create(folder, n_games=N_GAMES, **changes):
    return create_toy(folder, NAMES, n_games, stopping="by-digits", **changes)


def expected_stop():
    """The stop by playing block after block and adding up: a plain loop."""
    _, seats = blocks.entrants(blocks.fill_lineup(NAMES, 4))
    plan = Plan(toy_spec(), ToyEdition(), toy_entrants(NAMES), blocks.seatings(seats), SEED)
    table, points, at = Table(plan), 0, 0
    slot = next(column.slot for column in plan.layout().columns if column.name == "score")
    for look in schedule(MOST):
        points += int(table.play(at, look - at)[..., slot].sum())
        at = look
        if points % 16 == 3:
            return Stop("by-digits", f"points {points}", at, 4 * at)
    raise AssertionError("it never stops: choose another rule")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "undisturbed"
    with create(folder, keep_games=True) as run:
        result = play_toy(run, NAMES, rule=by_digits)
    return result, result_bytes(folder)


def test_it_stops_at_the_first_look_at_which_the_rule_says_so(undisturbed):
    result, files = undisturbed
    expected = expected_stop()
    assert 100 < expected.n_blocks < MOST
    assert (result.stopped, result.complete) == (expected, True)
    assert (result.n_blocks, result.n_games) == (expected.n_blocks, expected.n_games)
    assert result.manifest["n_blocks"] == MOST
    said = json.loads(files[STOPPED_NAME])
    assert (said["rule"], said["answer"], said["n_blocks"]) == ("by-digits", expected.answer, expected.n_blocks)
    again = store.load_result(result.folder)
    assert again.stopped == expected
    np.testing.assert_array_equal(again.sums.vector, result.sums.vector)


@pytest.mark.parametrize("n_threads", [1, 2, 7])
@pytest.mark.parametrize("chunk_blocks", [1000, 7, None])
def test_same_bytes_for_any_threads_chunks_and_interruption(
    tmp_path, monkeypatch, undisturbed, n_threads, chunk_blocks
):
    folder = tmp_path / "run"
    with create(folder, keep_games=True) as run:
        with monkeypatch.context() as patched:
            StopsAfter(patched, 5)
            with pytest.raises(Interrupted):
                play_toy(run, NAMES, n_threads, chunk_blocks=chunk_blocks, rule=by_digits)
        assert not (folder / STOPPED_NAME).exists()
    with store.open_run(folder) as run:
        play_toy(run, NAMES, 3 - n_threads % 2, chunk_blocks=chunk_blocks, rule=by_digits)
    assert result_bytes(folder) == undisturbed[1]


@pytest.mark.skipif(INTERPRETED or os.name != "posix", reason="processes of compiled runs")
@pytest.mark.parametrize("chunk_blocks", [pytest.param(50, marks=pytest.mark.slow), None])
def test_same_bytes_on_a_cluster(tmp_path, undisturbed, chunk_blocks):
    pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    with create(tmp_path / "run", keep_games=True) as run:
        result = play_toy_on_cluster(run, "local:2", chunk_blocks=chunk_blocks, rule=by_digits)
    assert result.stopped == undisturbed[0].stopped
    assert result_bytes(tmp_path / "run") == undisturbed[1]


def test_what_was_played_beyond_the_stop_is_left_out(tmp_path, undisturbed):
    """The folder as a kill leaves it: all chunks of a longer run are there, the stop is not decided."""
    folder, stop = tmp_path / "run", undisturbed[0].stopped
    with create(folder, keep_games=True) as run:
        seen = []
        real = run.finish
        run.finish = lambda *_: False
        with pytest.raises(DataError, match="vanished"):
            play_toy(run, NAMES, 2, chunk_blocks=50, rule=never)
        run.finish = real
    assert store.load_result(folder).n_blocks == MOST
    for decided in (False, True):  # before and after the stop is written down
        copy = shutil.copytree(folder, tmp_path / f"copy-{decided}")
        with store.open_run(copy) as run:
            if decided:
                run.stop(stop)
                assert store.load_result(copy).n_blocks == stop.n_blocks
            result = play_toy(run, NAMES, progress=seen.append, rule=by_digits)
            assert run.damaged == []
        assert (result.stopped, result.n_blocks) == (stop, stop.n_blocks)
        assert seen[-1].n_blocks_done == seen[-1].n_blocks == stop.n_blocks
        assert seen[-1].games_per_second == 0
        assert result_bytes(copy) == undisturbed[1]


def test_a_stopped_run_plays_nothing_more(tmp_path, undisturbed):
    folder = shutil.copytree(undisturbed[0].folder, tmp_path / "run")
    with store.open_run(folder) as run:
        assert play_toy(run, NAMES, rule=None).stopped == undisturbed[0].stopped
    assert result_bytes(folder) == undisturbed[1]


@pytest.mark.parametrize("text", ["", "{}", '{"rule": 1}', None])
def test_a_damaged_stop_is_decided_again(tmp_path, undisturbed, text):
    folder = shutil.copytree(undisturbed[0].folder, tmp_path / "run")
    path = folder / STOPPED_NAME
    if text is None:
        said = json.loads(path.read_text())
        text = json.dumps(said | {"n_blocks": said["n_blocks"] - 1})
    path.write_text(text)
    with pytest.raises(DataError, match=r"stopped.json' cannot be used \(it .*\): resume the run to decide it again"):
        store.load_result(folder)
    with store.open_run(folder) as run:
        assert "where the run stops is decided again" in run.damaged[0]
        play_toy(run, NAMES, rule=by_digits)
    assert result_bytes(folder) == undisturbed[1]


def test_a_lost_stop_is_noticed(tmp_path, undisturbed):
    folder = shutil.copytree(undisturbed[0].folder, tmp_path / "run")
    (folder / STOPPED_NAME).unlink()
    with pytest.raises(DataError, match="does not hold all blocks"):
        store.load_result(folder)
    with store.open_run(folder) as run:
        play_toy(run, NAMES, rule=by_digits)
    assert result_bytes(folder) == undisturbed[1]


def test_the_most_is_reached_without_an_answer(tmp_path):
    with create(tmp_path / "run", 400) as run:
        result = play_toy(run, NAMES, 2, rule=never)
    assert (result.complete, result.stopped, result.n_games) == (True, None, 400)
    assert not (tmp_path / "run" / STOPPED_NAME).exists()


def test_a_rule_is_asked_at_the_looks_only_about_all_blocks_before(tmp_path):
    asked = []

    def rule(result):
        assert not result.complete
        asked.append(result.n_blocks)

    with create(tmp_path / "run") as run:
        play_toy(run, NAMES, 2, chunk_blocks=13, rule=rule)
    assert asked == schedule(MOST)


def test_an_error_before_the_stop_ends_the_run_and_one_beyond_it_does_not(tmp_path, monkeypatch):
    add = Table.add
    for broken, ends in ((50, True), (150, False)):

        def failing(table, sums, first, stop, kept=None, broken=broken):
            if first >= broken:
                raise StrategyError(f"broken from block {broken} on.")
            return add(table, sums, first, min(stop, broken), kept)

        monkeypatch.setattr(Table, "add", failing)
        with create(tmp_path / f"run-{broken}") as run:

            def play(run=run):
                return play_toy(run, NAMES, 1, chunk_blocks=10, rule=lambda result: "enough")

            if ends:
                with pytest.raises(StrategyError, match="broken from block 50"):
                    play()
            else:
                assert play().n_blocks == 100


def test_without_its_rule_it_is_not_played(tmp_path):
    with create(tmp_path / "run") as run, pytest.raises(DataError, match="ends by a rule, and none is given"):
        play_toy(run, NAMES)


def test_it_has_no_shards_to_be_merged(tmp_path):
    create(tmp_path / "run").close()
    with pytest.raises(TaflError, match="a run that ends by a rule, and such a run has no shards"):
        merge(tmp_path / "whole", [tmp_path / "run"])


@pytest.mark.parametrize("most", [1, 99, 100, 101, 1000, 5_000_000])
def test_the_schedule_grows_by_a_tenth(most):
    found = schedule(most)
    assert found[0] == min(looks.FIRST_LOOK, most)
    assert found[-1] == most
    for before, after in itertools.pairwise(found):
        assert before < after <= 1.1 * before + 1
    assert len(found) < 130


def test_cutting_leaves_nothing_out_and_crosses_nothing():
    where = [10, 20, 35]
    pieces = cut([(3, 12), (15, 35)], where)
    assert pieces == [(3, 10), (10, 12), (15, 20), (20, 35)]


def test_ranges_end_together_at_each_look():
    ranges = Ranges(cut([(0, 200)], [100, 200]), 2, looked_at=True)
    spans = list(iter(lambda: ranges.take(60, False, 4), None))
    assert [block for first, stop in spans for block in range(first, stop)] == list(range(200))
    assert (0, 25) in spans
    assert not [span for span in spans if span[0] < 100 < span[1]]
    assert min(stop - first for first, stop in spans if stop not in (100, 200)) >= 4


def test_looks_come_in_order_whatever_the_order_of_chunks(undisturbed):
    layout = undisturbed[0].layout
    manifest = {"stopping": {"rule": "r", "looks": [2, 5, 6]}}

    def part(n):
        sums = Sums(layout)
        sums["n_blocks"][0], sums["n_games"][0] = n, 4 * n
        return sums

    for order in itertools.permutations([(0, 1), (1, 2), (2, 4), (4, 5), (5, 6)]):
        asked = []
        follow = Looks(manifest, layout, lambda sums, asked=asked: asked.append(int(sums["n_blocks"][0])))
        for first, stop in order:
            follow.add(first, stop, part(stop - first))
        assert asked == [2, 5, 6]
    follow = Looks(manifest, layout, lambda sums: "enough" if sums["n_blocks"][0] == 5 else None)
    for first, stop in [(5, 6), (2, 5), (0, 2)]:
        follow.add(first, stop, part(stop - first))
    assert follow.stop == Stop("r", "enough", 5, 20)
    assert follow.sums["n_blocks"][0] == 5
    with pytest.raises(TaflError, match="lie across a look"):
        follow.add(1, 3, part(2))
