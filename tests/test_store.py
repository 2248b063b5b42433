"""Run folders: what is refused, what is found damaged, what survives. Nothing here plays a game: sums are made up."""

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from toy_run import create_toy, result_bytes, toy_manifest

from simcore import chunks, disk, manifest, store
from simcore.contract import DataError, TaflError
from simcore.locks import LOCK_NAME, FolderLock
from simcore.sums import Sums


def made_up(run, first, stop):
    """Sums that look like those of these blocks and differ for every range."""
    sums = Sums(run.layout)
    sums.vector[:] = stop**2 - first**2
    sums["n_blocks"][0] = stop - first
    sums["n_games"][0] = 4 * (stop - first)
    return sums


def write(run, *spans):
    for first, stop in spans:
        run.write_chunk(first, stop, made_up(run, first, stop))


@pytest.fixture
def run(tmp_path):
    with create_toy(tmp_path / "run", names=("cautious", "bold"), n_players=2, n_games=20) as run:
        yield run  # ten blocks of two games


def test_manifest_says_what_decides_the_results_and_nothing_else(run):
    said = json.loads((run.folder / "manifest.json").read_bytes())
    assert said == run.manifest
    assert {key: said[key] for key in ("game", "lineup", "n_blocks", "n_games", "n_games_per_block", "seed")} == {
        "game": "toy",
        "lineup": ["cautious", "bold"],
        "n_blocks": 10,
        "n_games": 20,
        "n_games_per_block": 2,
        "seed": 7,
    }
    assert set(said["files"]) == {"columns.json", "edition/toy.csv", "strategies/toy.py"}
    assert said["edition"]["sentence"] == "All 1 table rows are sourced."


def test_the_same_run_has_the_same_manifest_bytes(run, tmp_path):
    with create_toy(tmp_path / "again", names=("cautious", "bold"), n_players=2, n_games=19) as again:
        assert result_bytes(again.folder) == result_bytes(run.folder)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": -1}, "seed must be from 0 to 18446744073709551615, not -1"),
        ({"seed": 1 << 64}, "seed must be"),
        ({"n_games": 0}, "at least 1, not 0"),
        ({"seating": "random"}, "'random'"),
        ({"n_players": 5}, "Toy is for 1 to 4 players, not 5"),
    ],
)
def test_a_run_that_cannot_be_is_refused(changes, words):
    with pytest.raises(TaflError, match=words):
        toy_manifest(("bold",), **{"n_games": 10, **changes})


def test_an_existing_folder_is_never_overwritten(run):
    before = result_bytes(run.folder)
    with pytest.raises(TaflError, match="exists already and is never overwritten"):
        create_toy(run.folder)
    assert result_bytes(run.folder) == before
    assert [path.name for path in run.folder.parent.iterdir()] == ["run"]


def test_a_folder_that_appears_meanwhile_is_not_overwritten_either(tmp_path, monkeypatch):
    def rival(path, data):
        (tmp_path / "run").mkdir(exist_ok=True)
        (tmp_path / "run" / "mine").write_bytes(b"")
        return disk_write(path, data)

    disk_write = disk.write_whole
    monkeypatch.setattr(disk, "write_whole", rival)
    with pytest.raises(TaflError, match="exists already"):
        create_toy(tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_parents_are_made_and_a_file_for_a_parent_is_refused(tmp_path):
    create_toy(tmp_path / "a" / "b" / "run").close()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(TaflError, match=r"cannot create the run folder '.*file/run': not a directory"):
        create_toy(tmp_path / "file" / "run")


def test_a_name_that_no_folder_can_have_is_one_sentence(tmp_path):
    with pytest.raises(TaflError, match="cannot create the run folder"):
        create_toy(tmp_path / ("x" * 300))
    with pytest.raises(TaflError, match="cannot read the run folder"):
        store.load_result(tmp_path / ("x" * 300))


def test_an_unwritable_parent_is_one_sentence(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(TaflError, match=r"cannot create the run folder .*: permission denied") as caught:
        create_toy(tmp_path / "run")
    assert caught.value.exit_code == 2


def test_chunks_fold_to_the_same_file_in_any_cut_and_order(tmp_path):
    files = []
    for number, spans in enumerate([[(0, 10)], [(3, 10), (0, 3)], [(7, 8), (0, 1), (8, 10), (1, 7)]]):
        with create_toy(tmp_path / str(number), ("cautious", "bold"), 20, n_players=2) as run:
            write(run, *spans)
            assert run.finish()
            files.append(result_bytes(run.folder))
    assert files[0] == files[1] == files[2]
    assert "sums.npz" in files[0]
    assert not any(name.startswith("chunks") for name in files[0])


def test_sums_file_can_be_read_with_numpy_alone(run):
    write(run, (0, 10))
    run.finish()
    with np.load(run.folder / "sums.npz") as archive:
        assert archive["n_blocks"].tolist() == [10]
        np.testing.assert_array_equal(archive["total"], made_up(run, 0, 10)["total"])


def test_a_run_with_gaps_does_not_finish(run):
    write(run, (0, 4), (6, 10))
    assert not run.finish()
    spans, sums = run.finished()
    assert spans == [(0, 4), (6, 10)]
    assert sums["n_blocks"].tolist() == [8]
    assert not store.load_result(run.folder).complete


def truncate(path):
    path.write_bytes(path.read_bytes()[:-3])


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 64
    path.write_bytes(bytes(data))


def flip_head(path):
    path.write_bytes(path.read_bytes().replace(b'"first": 3', b'"first": 4'))


def empty(path):
    path.write_bytes(b"")


@pytest.mark.parametrize("harm", [truncate, flip, flip_head, empty])
def test_a_damaged_chunk_is_named_and_its_blocks_are_missing(run, harm):
    write(run, (0, 3), (3, 6), (6, 10))
    [chunk] = run.folder.glob("chunks/*003-*.chunk")
    harm(chunk)
    with pytest.raises(DataError, match=f"{chunk.name}.*resume"):
        store.load_result(run.folder)
    assert run.finished()[0] == [(0, 3), (6, 10)]
    assert len(run.damaged) == 1
    assert chunk.name in run.damaged[0]
    assert "played again" in run.damaged[0]
    assert not chunk.exists()
    write(run, (3, 6))
    assert run.finish()


def test_a_chunk_of_another_run_is_not_added_in(run, tmp_path):
    with create_toy(tmp_path / "other", ("cautious", "bold"), 20, n_players=2, seed=8) as other:
        write(other, (0, 5))
        [chunk] = other.folder.glob("chunks/*.chunk")
        shutil.copy(chunk, run.folder / "chunks")
    assert run.finished()[0] == []
    assert "belongs to another run" in run.damaged[0]


def test_a_block_is_never_counted_twice(run):
    write(run, (0, 5), (3, 10))
    spans, sums = run.finished()
    assert spans == [(0, 5)]
    assert sums["n_blocks"].tolist() == [5]
    assert "in another chunk as well" in run.damaged[0]


@pytest.mark.parametrize("harm", [truncate, flip, empty])
def test_a_damaged_sums_file_is_named_and_everything_is_missing(run, harm):
    write(run, (0, 10))
    run.finish()
    harm(run.folder / "sums.npz")
    with pytest.raises(DataError, match=r"sums.npz.*damaged"):
        store.load_result(run.folder)
    assert run.finished()[0] == []
    assert "sums.npz" in run.damaged[0]


def test_a_sums_file_of_another_run_is_not_used(run, tmp_path):
    with create_toy(tmp_path / "other", ("cautious", "bold"), 20, n_players=2, seed=8) as other:
        write(other, (0, 10))
        other.finish()
        shutil.copy(other.folder / "sums.npz", run.folder)
    assert run.finished()[0] == []
    assert "belongs to another run" in run.damaged[0]


def test_chunks_left_beside_a_complete_file_are_removed(run):
    write(run, (0, 10))
    [chunk] = run.folder.glob("chunks/*.chunk")
    data = chunk.read_bytes()
    run.finish()
    chunk.parent.mkdir()
    chunk.write_bytes(data)
    assert run.finish()
    assert not chunk.parent.exists()


def test_half_written_files_of_a_killed_process_are_swept_up(run):
    part = run.folder / "chunks" / ".blocks-000000000000-000000000003.chunk.part-1"
    part.write_bytes(b"half")
    run.close()
    with store.open_run(run.folder) as again:
        assert again.finished()[0] == []
    assert not part.exists()


@pytest.mark.parametrize("name", ["edition/toy.csv", "strategies/toy.py", "columns.json"])
def test_a_file_changed_after_the_run_began_is_refused(run, name):
    (run.folder / name).write_text("something else", encoding="utf-8")
    run.close()
    with pytest.raises(DataError, match=f"{Path(name).name}' is missing or was changed"):
        store.open_run(run.folder)


def test_changed_manifest_makes_all_chunks_foreign(run):
    write(run, (0, 10))
    run.close()
    path = run.folder / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"seed": 7', b'"seed": 8'))
    with store.open_run(run.folder) as again:
        assert again.finished()[0] == []


@pytest.mark.parametrize(("version", "words"), [(0, "an older tafl"), (2, "a newer tafl"), ("x", "an older tafl")])
def test_another_format_is_refused_with_a_reason(run, version, words):
    run.close()
    changed = {**run.manifest, "format": version}
    (run.folder / "manifest.json").write_bytes(manifest.encode(changed))
    with pytest.raises(DataError, match=words):
        store.load_result(run.folder)


@pytest.mark.parametrize("data", [b"", b"[1, 2]", b"{}", b"\xff\xfe", b'{"format": 1}'])
def test_a_damaged_manifest_is_one_sentence(run, data):
    run.close()
    (run.folder / "manifest.json").write_bytes(data)
    with pytest.raises(DataError, match="cannot be read"):
        store.open_run(run.folder)


def test_another_engine_is_refused_unless_told_otherwise(run):
    run.close()
    changed = {**run.manifest, "engine": "0" * 64}
    (run.folder / "manifest.json").write_bytes(manifest.encode(changed))
    with pytest.raises(DataError, match="rules or luck differ from this one"):
        store.open_run(run.folder)
    store.open_run(run.folder, any_engine=True).close()


def test_no_run_folder_is_one_sentence(tmp_path):
    with pytest.raises(TaflError, match="there is no run folder"):
        store.open_run(tmp_path / "nothing")
    with pytest.raises(TaflError, match=r"no run folder: it has no manifest\.json"):
        store.load_result(tmp_path)


def test_a_second_opener_refuses_and_names_the_first(run):
    with pytest.raises(TaflError, match=f"in use by process {os.getpid()} on "):
        store.open_run(run.folder)
    code = "import sys; from simcore import store; store.open_run(sys.argv[1])"
    root = Path(store.__file__).parent.parent
    second = subprocess.run([sys.executable, "-c", code, run.folder], cwd=root, capture_output=True, text=True)
    assert "in use by process" in second.stderr
    run.close()
    store.open_run(run.folder).close()
    assert not (run.folder / LOCK_NAME).exists()


def test_a_lock_left_by_a_process_that_is_gone_does_not_hold(tmp_path):
    (tmp_path / LOCK_NAME).write_text('{"pid": 1, "host": "elsewhere"}', encoding="utf-8")
    lock = FolderLock(tmp_path)
    assert str(os.getpid()) in (tmp_path / LOCK_NAME).read_text()
    lock.release()
    lock.release()


def no_room(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_one_sentence_and_keeps_what_was_written(run, monkeypatch):
    write(run, (0, 4))
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", no_room)
        with pytest.raises(DataError, match=r"disk is full.*Finished blocks are kept"):
            write(run, (4, 10))
    assert run.finished()[0] == [(0, 4)]
    assert run.damaged == []
    assert len(list((run.folder / "chunks").iterdir())) == 1


def test_a_full_disk_at_the_start_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", no_room)
    with pytest.raises(DataError, match="disk is full: cannot create"):
        create_toy(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_vanished_folder_is_one_sentence(run):
    shutil.rmtree(run.folder)
    with pytest.raises(DataError, match="has vanished"):
        write(run, (0, 4))
    with pytest.raises(DataError, match="has vanished"):
        run.log("note")
    run.close()
    assert not run.folder.exists()


def test_log_lines_are_json_with_time_and_host(run):
    run.log("started", command="tafl compare")
    run.log("complete")
    lines = [json.loads(line) for line in (run.folder / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines] == ["started", "complete"]
    assert lines[0]["command"] == "tafl compare"
    assert {"time", "host", "pid"} <= set(lines[0])


def test_default_folders_are_named_by_game_lineup_and_seed_and_never_taken_twice(tmp_path):
    lineup = ("dwerg-rush", "early-uline", "dwerg-rush", "early-uline")
    first = manifest.default_folder("nidavellir", lineup, 7, tmp_path)
    assert first == tmp_path / "nidavellir-dwerg-rush-early-uline-4p-7"
    first.mkdir()
    second = manifest.default_folder("nidavellir", lineup, 7, tmp_path)
    assert second.name == f"{first.name}-2"
    second.mkdir()
    assert manifest.default_folder("nidavellir", lineup, 7, tmp_path).name == f"{first.name}-3"
    long = manifest.default_folder("nidavellir", [f"a-strategy-of-a-long-name-{i}" for i in range(5)], 7, tmp_path)
    assert len(long.name) < 80
    odd = manifest.default_folder("nidavellir", ["../Über / strategy"], 7, tmp_path)
    assert odd.parent == tmp_path
    assert odd.name == "nidavellir-ber-strategy-1p-7"


def test_engine_digest_changes_with_the_sources_that_count(monkeypatch, tmp_path):
    root = Path(store.__file__).parent.parent
    shutil.copytree(root / "simcore", tmp_path / "simcore", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(manifest, "_ROOT", tmp_path)
    before = manifest.engine_digest("nidavellir")
    layout = tmp_path / "simcore" / "nidavellir" / "layout.py"
    layout.write_bytes(layout.read_bytes().replace(b"\n", b"\r\n"))
    (tmp_path / "simcore" / "runner.py").write_text("# shows progress otherwise\n")
    assert manifest.engine_digest("nidavellir") == before
    layout.write_bytes(layout.read_bytes() + b"# changed\n")
    assert manifest.engine_digest("nidavellir") != before


def test_chunk_files_list_in_the_order_of_their_blocks(tmp_path):
    for first in (10**13, 5, 0):
        chunks.write(tmp_path, "id", first, first + 1, np.zeros(3, np.int64))
    (tmp_path / "notes.txt").write_text("mine")
    assert [chunks.read(path, "id", 3)[0] for path in chunks.listed(tmp_path)] == [0, 5, 10**13]
