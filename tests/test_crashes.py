"""A power cut before any single file operation of a run: the folder as it was then goes on to the same bytes."""

import os
import shutil

import pytest
from toy_run import create_toy, play_toy, result_bytes

from simcore import games_file, looks, store

NAMES = ("cautious", "bold", "by_lot")
N_GAMES = 120
OPERATIONS = ("fsync", "replace", "rename", "unlink", "rmdir")


class Snapshots:
    """Copies a folder before each file operation of the process."""

    def __init__(self, monkeypatch, disk, copies):
        self.disk, self.copies, self.n, self.busy = disk, copies, 0, False
        for name in OPERATIONS:
            monkeypatch.setattr(os, name, self.before(getattr(os, name)))

    def before(self, operation):
        def patched(*arguments, **options):
            if not self.busy:
                self.busy = True
                shutil.copytree(self.disk, self.copies / f"{self.n:03d}")
                self.n += 1
                self.busy = False
            return operation(*arguments, **options)

        return patched


def lose_what_was_not_synced(folder):
    """Empty the half-written files, as a power cut may."""
    for part in folder.rglob(".*.part-*"):
        part.write_bytes(b"")


def enough(result):
    return "enough" if result.n_blocks >= 16 else None


@pytest.mark.parametrize(
    ("options", "rule"),
    [({}, None), ({"keep_games": True}, None), ({"keep_games": True, "stopping": "enough"}, enough)],
    ids=["sums", "with per-game rows", "stopped by a rule"],
)
def test_a_power_cut_before_any_file_operation_loses_nothing_that_was_finished(tmp_path, monkeypatch, options, rule):
    monkeypatch.setattr(games_file, "ROWS_PER_FILE", 200)  # three files
    monkeypatch.setattr(looks, "FIRST_LOOK", 12)  # then 14, 16...
    disk = tmp_path / "disk"
    disk.mkdir()
    copies = tmp_path / "copies"
    copies.mkdir()
    with monkeypatch.context() as patched:
        snapshots = Snapshots(patched, disk, copies)
        with create_toy(disk / "run", NAMES, N_GAMES, **options) as run:
            play_toy(run, NAMES, chunk_blocks=6, rule=rule)
    wanted = result_bytes(disk / "run")
    assert snapshots.n > 20

    monkeypatch.setattr(os, "fsync", lambda descriptor: None)  # no second power cut: be quick
    kept = []
    for folder in sorted(copies.iterdir()):
        lose_what_was_not_synced(folder)
        begun = (folder / "run").exists()
        with store.open_run(folder / "run") if begun else create_toy(folder / "run", NAMES, N_GAMES, **options) as run:
            n_finished = int(run.finished()[1]["n_blocks"][0])
            kept.append(n_finished if rule is None else min(n_finished, 16))  # what lies beyond the stop is dropped
            assert run.damaged == []
            play_toy(run, NAMES, rule=rule)
        assert result_bytes(folder / "run") == wanted
    assert kept == sorted(kept)
    if rule is None:
        assert set(kept) == {0, 6, 12, 18, 24, 30}
    else:  # which thread comes first decides what was there in between
        assert {0, 16} <= set(kept) <= {0, 2, 4, 6, 8, 10, 12, 14, 16}


@pytest.mark.parametrize("threads", [1, 3])
def test_a_progress_display_that_fails_loses_nothing(tmp_path, threads):
    def broken(_):
        raise BrokenPipeError

    folder = tmp_path / "run"
    with create_toy(folder, NAMES, 2000) as run:
        with pytest.raises(BrokenPipeError):
            play_toy(run, NAMES, threads, chunk_blocks=2, progress=broken)
        spans, sums = run.finished()
        assert sums["n_blocks"][0] == sum(stop - first for first, stop in spans)
        assert play_toy(run, NAMES).complete
