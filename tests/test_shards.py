"""Shards of a run, played apart and merged: the bytes of an undisturbed run, or a sentence that says what is wrong."""

import json
import shutil
from itertools import pairwise

import pytest
from toy_run import create_toy, play_toy, result_bytes

from simcore import blocks, store
from simcore.contract import DataError, TaflError
from simcore.shards import merge, parse_shard

NAMES = ("cautious", "bold", "by_lot")
N_GAMES = 404  # 101 blocks: no equal shares
N_SHARDS = 3


def play_whole(folder, **changes):
    with create_toy(folder, NAMES, N_GAMES, **changes) as run:
        play_toy(run, NAMES)
    return result_bytes(folder)


def play_shard(folder, shard, n_shards=N_SHARDS, n_threads=1, chunk_blocks=None, **changes):
    with create_toy(folder, NAMES, N_GAMES, shard=(shard, n_shards), **changes) as run:
        play_toy(run, NAMES, n_threads, chunk_blocks=chunk_blocks)
    return folder


@pytest.fixture
def shards(tmp_path):
    return [play_shard(tmp_path / f"s{n}", n) for n in (1, 2, 3)]


@pytest.mark.parametrize("keep_games", [False, True], ids=["sums", "with per-game rows"])
def test_merged_shards_are_the_undisturbed_run(tmp_path, keep_games):
    wanted = play_whole(tmp_path / "whole", keep_games=keep_games)
    options = [(1, 30), (2, 7), (3, None)]
    found = [
        play_shard(tmp_path / f"s{n}", n, N_SHARDS, n_threads, chunk_blocks, keep_games=keep_games)
        for n, (n_threads, chunk_blocks) in enumerate(options, 1)
    ]
    before = [result_bytes(shard) for shard in found]
    assert merge(tmp_path / "merged", found[::-1]) == tmp_path / "merged"
    assert result_bytes(tmp_path / "merged") == wanted
    assert store.load_result(tmp_path / "merged").complete
    assert [result_bytes(shard) for shard in found] == before
    assert json.loads((tmp_path / "merged" / "log.jsonl").read_text())["event"] == "merged"


def test_a_shard_plays_its_share_only_and_says_so(shards):
    spans = []
    for folder in shards:
        with store.open_run(folder) as run:
            [(first, *_), *_] = found = run.finished()[0]
            spans.append((first, found[-1][1]))
            assert run.span == spans[-1]
        assert not store.load_result(folder).complete
    assert spans == [(0, 33), (33, 67), (67, 101)]


def test_an_interrupted_shard_is_resumed(tmp_path, shards):
    chunk = sorted((shards[1] / "chunks").glob("*.chunk"))[0]
    chunk.unlink()
    with pytest.raises(DataError, match=r"blocks 33 to \d+ of 101 are in no shard.*: tafl compare --resume .*s2 plays"):
        merge(tmp_path / "merged", shards)
    with store.open_run(shards[1]) as run:
        play_toy(run, NAMES)
    merge(tmp_path / "merged", shards)
    assert result_bytes(tmp_path / "merged") == play_whole(tmp_path / "whole")


def test_one_shard_of_one_is_the_run(tmp_path):
    play_shard(tmp_path / "one", 1, 1)
    assert result_bytes(tmp_path / "one") == play_whole(tmp_path / "whole")


def test_a_missing_shard_is_a_gap(tmp_path, shards):
    with pytest.raises(DataError, match="blocks 33 to 66 of 101 are in no shard: name the shard that has them"):
        merge(tmp_path / "merged", [shards[0], shards[2]])
    assert not (tmp_path / "merged").exists()


def test_a_shard_named_twice_is_an_overlap(tmp_path, shards):
    with pytest.raises(DataError, match=r"blocks 33 to \d+ are in '.*s2' and in '.*s2' as well"):
        merge(tmp_path / "merged", [*shards, shards[1]])


def test_shards_of_another_division_overlap(tmp_path, shards):
    other = play_shard(tmp_path / "half", 1, 2)
    with pytest.raises(DataError, match=r"blocks 0 to \d+ are in '.*' and in '.*' as well"):
        merge(tmp_path / "merged", [*shards, other])


@pytest.mark.parametrize(
    ("changes", "says"),
    [({"seed": 8}, "seed is 8 there and 7 here"), ({"keep_games": True}, "differ in keep_games")],
)
def test_a_shard_of_another_run_is_refused(tmp_path, shards, changes, says):
    foreign = play_shard(tmp_path / "foreign", 3, **changes)
    with pytest.raises(DataError, match=rf"'.*foreign' is no shard of the same run as '.*s1': .*{says}"):
        merge(tmp_path / "merged", [*shards[:2], foreign])


def test_a_damaged_chunk_is_named_and_left_where_it_is(tmp_path, shards):
    chunk = sorted((shards[0] / "chunks").glob("*.chunk"))[0]
    chunk.write_bytes(chunk.read_bytes()[:-1])
    with pytest.raises(DataError, match=rf"'.*{chunk.name}' cannot be used .*damaged.* --resume .*s1 plays it again"):
        merge(tmp_path / "merged", shards)
    assert chunk.exists()


def test_damaged_rows_are_named(tmp_path):
    found = [play_shard(tmp_path / f"s{n}", n, keep_games=True) for n in (1, 2, 3)]
    part = sorted((found[2] / "chunks").glob("*.rows"))[0]
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(DataError, match=r"per-game rows .* are damaged.* --resume .*s3 plays it again"):
        merge(tmp_path / "merged", found)
    assert not (tmp_path / "merged").exists()


def test_a_shard_in_use_is_refused(tmp_path, shards):
    with store.open_run(shards[1]), pytest.raises(TaflError, match=r"s2' is in use by process"):
        merge(tmp_path / "merged", shards)


def test_nothing_is_overwritten(tmp_path, shards):
    with pytest.raises(TaflError, match="exists already"):
        merge(shards[0], shards)


def test_a_complete_run_is_no_shard(tmp_path):
    play_whole(tmp_path / "whole")
    with pytest.raises(TaflError, match="is a complete run, not a shard"):
        merge(tmp_path / "merged", [tmp_path / "whole"])


def test_a_damaged_shard_file_is_refused(tmp_path, shards):
    (shards[0] / "shard.json").write_text("{}")
    with pytest.raises(DataError, match=r"shard.json' is damaged"):
        store.open_run(shards[0])
    shutil.rmtree(shards[0])
    with pytest.raises(TaflError, match="there is no run folder"):
        merge(tmp_path / "merged", shards)


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/3", "1/3/3"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(TaflError, match="no shard"):
        parse_shard(text)


@pytest.mark.parametrize("n_blocks", [1, 7, 100, 10**12])
@pytest.mark.parametrize("n_shards", [1, 2, 7, 64])
def test_shares_are_equal_and_cover_every_block_once(n_blocks, n_shards):
    if n_shards > n_blocks:
        with pytest.raises(TaflError, match=f"take at most {n_blocks}"):
            blocks.shard_span(1, n_shards, n_blocks)
        return
    spans = [blocks.shard_span(n, n_shards, n_blocks) for n in range(1, n_shards + 1)]
    assert spans[0][0] == 0
    assert spans[-1][1] == n_blocks
    assert all(a[1] == b[0] for a, b in pairwise(spans))
    assert {stop - first for first, stop in spans} <= {n_blocks // n_shards, n_blocks // n_shards + 1}
