"""Runs of the toy game: the same bytes however they are cut, and one sentence for whatever goes wrong."""

import dataclasses
import errno
import json
import os
import re
import shutil
import threading

import numpy as np
import pytest
import toy_game
from toy_game import ToyEdition, columns, toy_spec
from toy_run import SEED, create_toy, play_toy, result_bytes, toy_entrants

from simcore import blocks, runner, store
from simcore.accel import INTERPRETED
from simcore.contract import DataError, StrategyError, TaflError
from simcore.execution import Interrupted, Ranges
from simcore.play import Plan, Table, replay
from simcore.sums import Sums, SumsLayout

NAMES = ("cautious", "bold", "by_lot")
N_BLOCKS = 60 if INTERPRETED else 1000
N_GAMES = 4 * N_BLOCKS
MANY_GAMES = 200 if INTERPRETED else 200_000

compiled = pytest.mark.skipif(INTERPRETED, reason="plays more games than an interpreted engine can")


class StopsAfter:
    """Interrupts a run as a signal would, after a number of slices."""

    def __init__(self, monkeypatch, n_slices):
        self.left = n_slices
        add = Table.add

        def counted(table, *arguments):
            self.left -= 1
            if self.left == 0:
                self.run.interrupt(2, None)
            return add(table, *arguments)

        make = runner._Run.__init__

        def kept(run, *arguments):
            make(run, *arguments)
            self.run = run

        monkeypatch.setattr(Table, "add", counted)
        monkeypatch.setattr(runner._Run, "__init__", kept)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "undisturbed"
    with create_toy(folder, NAMES, N_GAMES, keep_games=True) as run:
        result = play_toy(run, NAMES)
    assert result.complete
    return result, result_bytes(folder)


@pytest.mark.parametrize("n_threads", [1, 2, 7])
@pytest.mark.parametrize("chunk_blocks", [1000, 7, None])
def test_same_bytes_for_any_threads_chunks_and_interruption(
    tmp_path, monkeypatch, undisturbed, n_threads, chunk_blocks
):
    folder = tmp_path / "run"
    with create_toy(folder, NAMES, N_GAMES, keep_games=True) as run:
        with monkeypatch.context() as patched:
            StopsAfter(patched, 5)
            with pytest.raises(Interrupted):
                play_toy(run, NAMES, n_threads, chunk_blocks=chunk_blocks)
        spans, sums = run.finished()
        assert 0 < sums["n_blocks"][0] < run.manifest["n_blocks"]
        assert sums["n_blocks"][0] == sum(stop - first for first, stop in spans)
    with store.open_run(folder) as run:
        play_toy(run, NAMES, 3 - n_threads % 2, chunk_blocks=chunk_blocks)
    assert result_bytes(folder) == undisturbed[1]


def test_sums_are_those_of_all_games_played_one_by_one(undisturbed):
    result, _ = undisturbed
    _, seats = blocks.entrants(result.manifest["lineup"])
    plan = Plan(toy_spec(), ToyEdition(), toy_entrants(NAMES), blocks.seatings(seats), SEED)
    table, sums = Table(plan), Sums(result.layout)
    for block in reversed(range(result.n_blocks)):
        sums.add_blocks(table.play(block, 1), plan.seating, block)
    assert result.n_games == 4 * result.n_blocks == N_GAMES
    np.testing.assert_array_equal(sums.vector, result.sums.vector)


def test_win_shares_of_a_lineup_sum_to_one(undisturbed):
    result, _ = undisturbed
    won = result.sums["total"][:, result.layout.win]
    assert won.sum() == 60 * result.n_games
    assert result.copies.tolist() == [2, 1, 1]
    share = won / 60 / result.n_games / result.copies
    assert share[1] > 0.8  # large dice win
    assert share[0] < 0.01


def test_every_entrant_sat_in_every_seat_equally_often(undisturbed):
    result, _ = undisturbed
    first_seat = result.layout.flag_number("seat_0")
    for seat in range(4):
        had = result.sums["flag_n"][:, first_seat + seat]
        assert (had == result.copies * result.n_blocks).all()


def test_result_is_read_back_equal(undisturbed):
    result, _ = undisturbed
    again = store.load_result(result.folder)
    assert again.complete
    assert again.columns == columns(ToyEdition(), 4)
    assert again.names == NAMES
    np.testing.assert_array_equal(again.sums.vector, result.sums.vector)


def test_a_complete_run_plays_nothing_more(undisturbed, tmp_path):
    folder = shutil.copytree(undisturbed[0].folder, tmp_path / "run")
    with store.open_run(folder) as run:
        seen = []
        assert play_toy(run, NAMES, progress=seen.append).complete
    assert seen[-1].n_blocks_done == seen[-1].n_blocks
    assert seen[-1].games_per_second == 0
    assert result_bytes(folder) == undisturbed[1]


def test_a_damaged_chunk_is_played_again(tmp_path, monkeypatch, undisturbed):
    folder = tmp_path / "run"
    with create_toy(folder, NAMES, N_GAMES, keep_games=True) as run:
        with monkeypatch.context() as patched:
            StopsAfter(patched, 6)
            with pytest.raises(Interrupted):
                play_toy(run, NAMES, chunk_blocks=2)
        chunk = sorted(folder.glob("chunks/*.chunk"))[0]
        chunk.write_bytes(chunk.read_bytes()[:-1])
        play_toy(run, NAMES)
        assert chunk.name in run.damaged[0]
    assert result_bytes(folder) == undisturbed[1]


def test_interruption_says_what_is_kept(tmp_path, monkeypatch):
    with create_toy(tmp_path / "run", NAMES, N_GAMES) as run:
        StopsAfter(monkeypatch, 4)
        with pytest.raises(Interrupted, match=r"of \d+ blocks \(.* %\) are kept in '.*run'") as caught:
            play_toy(run, NAMES)
        assert caught.value.exit_code == 130
        assert caught.value.folder == run.folder
        assert caught.value.n_blocks_done == run.finished()[1]["n_blocks"][0]


def test_progress_counts_up_to_the_whole(tmp_path):
    seen = []
    with create_toy(tmp_path / "run", NAMES, MANY_GAMES) as run:
        play_toy(run, NAMES, 2, progress=seen.append)
    done = [state.n_blocks_done for state in seen]
    assert done == sorted(done)
    assert done[-1] == seen[-1].n_blocks == MANY_GAMES // 4
    assert seen[-1].n_games_done == MANY_GAMES
    assert seen[-1].seconds_left == 0
    assert seen[-1].games_per_second > 1
    assert seen[-1].sums["n_blocks"][0] == MANY_GAMES // 4


def test_the_log_tells_how_the_run_went(undisturbed):
    lines = [json.loads(line) for line in (undisturbed[0].folder / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["started", "complete"]
    assert lines[0]["n_threads"] == 1
    assert lines[1]["n_blocks_played"] == N_BLOCKS


def test_ranges_are_handed_out_once_and_smaller_towards_the_end():
    ranges = Ranges([(0, 100), (150, 200)], n_threads=2)
    spans = []
    while (span := ranges.take(30, exact=False)) is not None:
        spans.append(span)
    played = [block for first, stop in spans for block in range(first, stop)]
    assert played == [*range(100), *range(150, 200)]
    assert spans[0] == (0, 30)
    assert spans[-1] == (199, 200)


def test_one_chunk_never_holds_more_games_than_the_sums_are_safe_for(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "MAX_CHUNK_GAMES", 400)
    with create_toy(tmp_path / "run", NAMES, 2000) as run:
        sizes = []
        monkeypatch.setattr(run, "write_chunk", lambda first, stop, *_: sizes.append(stop - first))
        with pytest.raises(DataError, match="vanished: resume"):
            play_toy(run, NAMES, chunk_blocks=500)
    assert sizes == [100] * 5


def failing(tmp_path, names, n_threads=1, error=StrategyError, n_games=2000):
    with create_toy(tmp_path / "run", names, n_games) as run:
        with pytest.raises(error) as caught:
            play_toy(run, names, n_threads, chunk_blocks=3)
        return run.finished()[1]["n_blocks"][0], str(caught.value)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_wrong_answer_names_strategy_file_decision_game_and_options(tmp_path, n_threads):
    _, words = failing(tmp_path, ("cautious", "far_out"), n_threads)
    assert re.fullmatch(
        r"strategy 'far_out' \(toy_game.py:\d+\), asked to choose die in game \d+, answered 7, which is no option: "
        r"it had 3, numbered 0 to 2.",
        words,
    )


def test_an_exception_is_told_with_its_words(tmp_path):
    _, words = failing(tmp_path, ("raises", "cautious"))
    assert re.fullmatch(
        r"strategy 'raises' \(toy_game.py:\d+\), asked to choose \w+ in game 0, raised ValueError: cannot decide "
        r"\(line \d+ of toy_game.py\).",
        words,
    )


@compiled
def test_the_first_game_that_fails_is_named_right_and_blocks_before_it_are_kept(tmp_path):
    n_kept, words = failing(tmp_path, ("cautious", "unlucky"))
    game = int(re.search(r"in game (\d+),", words)[1])
    assert "raised ZeroDivisionError: " in words
    assert n_kept <= game // 2
    plan = Plan(
        toy_spec(), ToyEdition(), toy_entrants(("cautious", "unlucky")), blocks.seatings(np.array([0, 1] * 2)), 7
    )
    table = Table(plan)
    for earlier in range(game // 2):
        table.play(earlier, 1)
    with pytest.raises(StrategyError):
        table.play(game // 2, 1)


def test_a_full_disk_ends_the_run_and_keeps_what_was_finished(tmp_path, monkeypatch, undisturbed):
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        with monkeypatch.context() as full:
            real, calls = os.fsync, []

            def fsync(descriptor):
                calls.append(descriptor)
                if len(calls) > 9:
                    raise OSError(errno.ENOSPC, "No space left on device")
                real(descriptor)

            full.setattr(os, "fsync", fsync)
            with pytest.raises(DataError, match="disk is full"):
                play_toy(run, NAMES, 2, chunk_blocks=N_BLOCKS // 20)
        assert 0 < run.finished()[1]["n_blocks"][0] < N_BLOCKS
        play_toy(run, NAMES, 2)
    assert result_bytes(run.folder) == undisturbed[1]


@compiled
def test_a_vanished_folder_ends_the_run(tmp_path):
    with create_toy(tmp_path / "run", NAMES, 400_000) as run:
        vanish = threading.Timer(0.1, shutil.rmtree, (run.folder,), {"ignore_errors": True})
        vanish.start()
        with pytest.raises(DataError, match="vanished"):
            play_toy(run, NAMES, 2, chunk_blocks=100)
        vanish.join()


@pytest.mark.parametrize(("option", "value"), [("n_threads", 0), ("n_threads", 10**6), ("chunk_blocks", -2)])
def test_numbers_that_cannot_be_are_refused(tmp_path, option, value):
    with (
        create_toy(tmp_path / "run", NAMES) as run,
        pytest.raises(TaflError, match=f"must be from 1 to .*, not {value}"),
    ):
        play_toy(run, NAMES, **{option: value})


def test_other_strategies_or_another_edition_are_refused(tmp_path):
    with create_toy(tmp_path / "run", NAMES) as run:
        with pytest.raises(DataError, match="not those of the run"):
            play_toy(run, NAMES[::-1])
        with pytest.raises(DataError, match="not those of the run"):
            play_toy(run, NAMES, edition=ToyEdition(n_rounds=6))


@pytest.mark.parametrize("game_number", [0, 5, 3999])
def test_replay_plays_the_game_that_counted(game_number):
    seating = blocks.seatings(np.array([0, 1, 2, 0]))
    plan = Plan(toy_spec(), ToyEdition(), toy_entrants(NAMES), seating, SEED)
    rows = Table(plan).play(game_number // 4, 1)[0, game_number % 4]
    events, again = replay(toy_spec(), ToyEdition(), toy_entrants(NAMES), seating, SEED, game_number)
    np.testing.assert_array_equal(again, rows)
    assert events.shape == (20, toy_game.EVENT_SIZE)
    thrown = np.bincount(events[:, 1], np.where(events[:, 3] > 1, events[:, 3], 0), 4)
    np.testing.assert_array_equal(thrown, rows[:, toy_game.THROWN])


def test_a_game_too_long_to_record_is_said_not_cut():
    seating = np.array([[0, 1, 2, 0]])
    edition = ToyEdition(n_rounds=17)
    with pytest.raises(DataError, match="game 3 has 68 events, more than the 64 that can be recorded"):
        replay(toy_spec(), edition, toy_entrants(NAMES), seating, SEED, 3)


@pytest.mark.parametrize("game_number", [-1, 1 << 62])
def test_a_game_that_cannot_be_is_refused(game_number):
    with pytest.raises(DataError, match=f"there is no game {game_number}"):
        replay(toy_spec(), ToyEdition(), toy_entrants(NAMES), np.array([[0, 1, 2, 0]]), SEED, game_number)


def test_a_game_that_its_step_limit_ends_counts_and_is_counted(tmp_path):
    edition = ToyEdition(n_rounds=6, step_limit=23)
    with create_toy(tmp_path / "run", NAMES, 400, edition=edition) as run:
        result = play_toy(run, NAMES, edition=edition)
    plan = Plan(toy_spec(), edition, toy_entrants(NAMES), blocks.seatings(np.array([0, 1, 2, 0])), SEED)
    ended = Table(plan).play(0, 100)[:, :, 0, toy_game.UNFINISHED]
    assert 0 < ended.sum() < 400
    assert result.n_unfinished == ended.sum()
    assert result.n_games == 400
    assert result.sums["total"][:, result.layout.win].sum() == 400 * 60


def test_without_a_step_limit_no_game_is_unfinished(undisturbed):
    assert undisturbed[0].n_unfinished == 0


def test_replay_tells_a_strategys_errors_too():
    with pytest.raises(StrategyError, match=r"'raises'.*game 8, raised ValueError"):
        replay(toy_spec(), ToyEdition(), toy_entrants(("raises",)), np.zeros((4, 4), np.int64), SEED, 8)


def test_strategies_read_their_own_table_and_parameters():
    [plain] = toy_entrants(("from_table",))
    given = dataclasses.replace(plain, name="given", table=np.array([0, 2, 2], np.int64))
    plan = Plan(toy_spec(), ToyEdition(), [plain, given], np.array([[0, 1], [1, 0]]), SEED)
    rows = Table(plan).play(0, 20)
    assert rows[:, 0, 0, toy_game.HAD_TWENTY].max() == 0
    assert rows[:, 0, 1, toy_game.HAD_TWENTY].min() == 1
    assert rows[:, 1, 0, toy_game.HAD_TWENTY].min() == 1
    assert SumsLayout(columns(ToyEdition(), 2), 2).n_entrants == 2
