"""Per-game rows: what is in them, how they are cut into files, and what happens when they are damaged."""

import shutil

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from toy_game import ToyEdition, columns, toy_spec
from toy_run import SEED, create_toy, play_toy, result_bytes, toy_entrants

from simcore import blocks, games_file, store
from simcore.accel import INTERPRETED
from simcore.contract import Column, DataError, TaflError
from simcore.execution import Interrupted
from simcore.games_file import KeptRows, kept_columns, n_files
from simcore.play import Plan, Table

NAMES = ("cautious", "bold", "by_lot")
N_GAMES = 400
N_BLOCKS = N_GAMES // 4


@pytest.fixture
def small_files(monkeypatch):
    """Files of 30 blocks: four for the run."""
    monkeypatch.setattr(games_file, "ROWS_PER_FILE", 30 * 16 + 7)


def kept(folder, **options):
    with create_toy(folder, NAMES, N_GAMES, keep_games=True) as run:
        play_toy(run, NAMES, **options)
    return result_bytes(folder)


def all_rows():
    """The rows int64[n_games, n_seats, n_slots] of the run, played on their own."""
    seating = blocks.seatings(np.array([0, 1, 2, 0]))
    table = Table(Plan(toy_spec(), ToyEdition(), toy_entrants(NAMES), seating, SEED))
    rows = [table.play(block, 1)[0].copy() for block in range(N_BLOCKS)]
    return seating, np.concatenate(rows)


def test_pandas_reads_every_row_in_one_line(tmp_path, small_files):
    kept(tmp_path / "run", n_threads=3, chunk_blocks=7)
    found = pd.read_parquet(tmp_path / "run" / "games")
    seating, rows = all_rows()
    assert len(found) == 4 * N_GAMES
    np.testing.assert_array_equal(found["game"], np.repeat(np.arange(N_GAMES), 4))
    np.testing.assert_array_equal(found["block"], np.repeat(np.arange(N_BLOCKS), 16))
    np.testing.assert_array_equal(found["seat"], np.tile([1, 2, 3, 4], N_GAMES))
    names = np.array(NAMES)[np.tile(seating.ravel(), N_BLOCKS)]
    assert (found["strategy"] == names).all()
    for column in columns(ToyEdition(), 4):
        np.testing.assert_array_equal(found[column.name], rows[:, :, column.slot].ravel())
        assert found[column.name].dtype == (bool if column.kind == "flag" else np.int16)
    assert str(found["strategy"].dtype) == "category"
    assert list(found.columns[:4]) == ["game", "block", "seat", "strategy"]


def test_chosen_columns_are_those_of_a_run_that_keeps_all(tmp_path, small_files):
    chosen = ["place", "win", "had_twenty"]
    kept(tmp_path / "all", n_threads=2)
    first, again = ({}, {})
    for folder, options, found in (("a", {"chunk_blocks": 9}, first), ("b", {"n_threads": 3}, again)):
        with create_toy(tmp_path / folder, NAMES, N_GAMES, keep_games=chosen) as run:
            play_toy(run, NAMES, **options)
        found |= result_bytes(tmp_path / folder)
    assert first == again
    whole, part = (pd.read_parquet(tmp_path / folder / "games") for folder in ("all", "a"))
    assert list(part.columns) == ["game", "block", "seat", "strategy", "win", "place", "had_twenty"]
    pd.testing.assert_frame_equal(part, whole[list(part.columns)])


def test_a_column_that_is_not_there_is_refused():
    with pytest.raises(TaflError, match="there is no column 'plase'; the nearest is 'place'"):
        kept_columns(columns(ToyEdition(), 4), ["win", "plase"])
    assert kept_columns(columns(ToyEdition(), 4), False) == ()


def test_rows_agree_with_the_sums(tmp_path):
    kept(tmp_path / "run")
    result = store.load_result(tmp_path / "run")
    found = pd.read_parquet(tmp_path / "run" / "games").groupby("strategy", observed=True)
    for measure in ("win", "score", "n_ones"):
        total = result.sums["total"][:, result.layout.measure_number(measure)]
        assert [found[measure].sum()[name] for name in result.names] == total.tolist()


def test_files_hold_the_same_whole_blocks_whatever_the_chunks_were(tmp_path, small_files):
    first = kept(tmp_path / "a", n_threads=1, chunk_blocks=N_BLOCKS)
    assert kept(tmp_path / "b", n_threads=3, chunk_blocks=11) == first
    files = sorted(name for name in first if name.startswith("games/"))
    assert files == [f"games/games-0000{n}.parquet" for n in range(4)]
    sizes = []
    for name in files:
        file = pq.ParquetFile(tmp_path / "a" / name)
        assert file.num_row_groups == 1
        sizes.append(file.metadata.num_rows)
    assert sizes == [480, 480, 480, 160]


def test_columns_say_what_they_are(tmp_path):
    kept(tmp_path / "run")
    schema = pq.read_schema(tmp_path / "run" / "games" / "games-00000.parquet")
    assert schema.metadata[b"tafl.game"] == b"toy"
    assert schema.field("best").metadata == {b"title": b"Best throw", b"kind": b"measure", b"unit": b"points"}
    assert all(not field.nullable for field in schema)


def test_real_files_hold_near_a_million_rows():
    manifest = {"n_games_per_block": 4, "n_players": 4, "n_blocks": 1_000_000}
    assert n_files(manifest) == -(-16_000_000 // (1 << 20))
    assert n_files(manifest | {"n_blocks": 1}) == 1
    assert n_files({"n_games_per_block": 120, "n_players": 5, "n_blocks": 1747}) == 1
    assert n_files({"n_games_per_block": 120, "n_players": 5, "n_blocks": 1748}) == 2


@pytest.mark.parametrize("damage", ["missing", "cut", "changed", "foreign"])
def test_damaged_rows_are_named_and_their_blocks_played_again(tmp_path, monkeypatch, damage):
    wanted = kept(tmp_path / "whole")
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        with monkeypatch.context() as patched:
            patched.setattr(run, "finish", lambda *_: True)
            patched.setattr(run, "result", lambda: None)
            play_toy(run, NAMES, chunk_blocks=20)
        part = sorted((run.folder / "chunks").glob("*.rows"))[2]
        data = part.read_bytes()
        if damage == "missing":
            part.unlink()
        elif damage == "foreign":
            shutil.copy(sorted((run.folder / "chunks").glob("*.rows"))[0], part)
        else:
            part.write_bytes(data[:-9] if damage == "cut" else data[:-9] + b"X" + data[-8:])
        assert run.finished()[0] == [(0, 20), (20, 40), (60, 80), (80, 100)]
        [said] = run.damaged
        assert "000040" in said
        assert "per-game rows" in said
        play_toy(run, NAMES)
    assert result_bytes(tmp_path / "run") == wanted


def test_rows_damaged_while_the_run_went_on_are_noticed_when_they_are_written(tmp_path, monkeypatch):
    wanted = kept(tmp_path / "whole")
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        finish = run.finish

        def damage_and_finish(*arguments):
            part = sorted((run.folder / "chunks").glob("*.rows"))[1]
            part.write_bytes(part.read_bytes()[:-1])
            return finish(*arguments)

        monkeypatch.setattr(run, "finish", damage_and_finish)
        with pytest.raises(DataError, match=r"blocks-0+20-0+40.chunk' cannot be used .*: its blocks are played again"):
            play_toy(run, NAMES, chunk_blocks=20)
        monkeypatch.setattr(run, "finish", finish)
        play_toy(run, NAMES)
    assert result_bytes(tmp_path / "run") == wanted


def test_a_complete_run_whose_rows_are_gone_is_played_again(tmp_path):
    wanted = kept(tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "games")
    with store.open_run(tmp_path / "run") as run:
        assert run.finished()[0] == []
        assert "per-game rows in 'games' are missing" in run.damaged[0]
        play_toy(run, NAMES)
    assert result_bytes(tmp_path / "run") == wanted


def test_interrupted_while_rows_are_written_it_goes_on(tmp_path, monkeypatch, small_files):
    wanted = kept(tmp_path / "whole")
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        finish = run.finish
        with monkeypatch.context() as patched:
            asked = []

            def stopped():
                asked.append(1)
                return len(asked) > 3

            patched.setattr(run, "finish", lambda n_threads, _: finish(n_threads, stopped))
            with pytest.raises((Interrupted, DataError)):
                play_toy(run, NAMES)
        assert run.finished()[1]["n_blocks"][0] == N_BLOCKS
        assert not (run.folder / "games").exists()
        play_toy(run, NAMES)
    assert result_bytes(tmp_path / "run") == wanted


@pytest.mark.parametrize("value", [40_000, -32_769])
def test_a_value_that_does_not_fit_names_the_game(value):
    kept_rows = KeptRows((Column("win", "", 0, "outcome"), Column("had", "", 1, "flag")), 2, 3)
    rows = np.ones((5, 2, 3, 2), np.int64)
    kept_rows.add(rows, 100)
    rows[3, 1, 2, 0] = value
    with pytest.raises(DataError, match="game 217 has a result beyond -32768 to 32767"):
        kept_rows.add(rows, 105)


def test_the_widest_values_fit():
    kept_rows = KeptRows((Column("win", "", 0, "outcome"),), 1, 2)
    kept_rows.add(np.array([-(2**15), 2**15 - 1]).reshape(1, 1, 2, 1), 0)
    assert kept_rows._values[0, :2].tolist() == [-(2**15), 2**15 - 1]


@pytest.mark.skipif(INTERPRETED, reason="plays more games than an interpreted engine can")
def test_a_thread_gathers_no_more_rows_than_it_may(tmp_path, monkeypatch):
    monkeypatch.setattr(games_file, "MAX_PART_ROWS", 160)
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        spans = []
        write = run.write_chunk
        monkeypatch.setattr(run, "write_chunk", lambda *parts: spans.append(parts[1] - parts[0]) or write(*parts))
        play_toy(run, NAMES, chunk_blocks=50)
    assert max(spans) == 10
