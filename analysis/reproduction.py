"""Playing a whole run again from its manifest, and comparing every result file with the first time's, byte by byte."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analysis import runs
from analysis.tables import write_csvs
from analysis.unfolding import SAMPLE_NAME, keep_sample, tables
from simcore.contract import DataError, TaflError, UnansweredError
from simcore.execution import Interrupted, Progress
from simcore.games_file import GAMES_NAME
from simcore.looks import STOPPED_NAME
from simcore.manifest import MANIFEST_NAME, engine_digest
from simcore.play import leave
from simcore.store import EDITION_NAME, STRATEGIES_NAME, SUMS_NAME, RunResult, create_run, load_result

TABLES_NAME = "tables"
Shown = Callable[[RunResult], tuple[Callable[[Progress], Any] | None, Callable[[], None]]]


class StoppedError(TaflError):
    """Interrupted; the run that was to be reproduced is as it was."""

    exit_code = 130


@dataclass(frozen=True)
class FileCheck:
    """One result file of a run and of its reproduction.

    Attributes
    ----------
    name : str
        Relative to the run folder.
    agrees : bool
        Whether every byte does.
    says : str
        Empty, or in what way it does not.
    """

    name: str
    agrees: bool
    says: str = ""


@dataclass(frozen=True)
class Reproduction:
    """What came of playing a run again.

    Attributes
    ----------
    folder : pathlib.Path
        The run.
    n_games : int
        Games played again.
    same_engine : bool
        Whether tafl's rules and luck are those of the first time.
    files : list of FileCheck
        Every result file.
    """

    folder: Path
    n_games: int
    same_engine: bool
    files: list[FileCheck]

    @property
    def agrees(self) -> bool:
        """Whether every byte of every result file agrees."""
        return all(file.agrees for file in self.files)


def reproduce(
    folder: str | Path,
    out: str | Path | None = None,
    any_engine: bool = False,
    n_threads: int | None = None,
    shown: Shown | None = None,
    **options: Any,
) -> Reproduction:
    """Play a run again, from the manifest, the edition and the strategies that its folder keeps.

    Parameters
    ----------
    folder : path
        A complete run.
    out : path, optional
        A new folder in which the reproduction stays; a temporary one by default.
    any_engine : bool
        Play although tafl's rules or luck have changed since: to see whether that changes anything.
    n_threads : int, optional
        All cores by default.
    shown : callable
        Makes what shows the progress, and what ends showing it, from the new run as it is before it is played.
    **options
        As in `analysis.runs.play`.

    Raises
    ------
    TaflError, DataError
        If it is no complete run, or one of another engine.
    StoppedError
        If it was interrupted.
    """
    folder = Path(folder)
    first = load_result(folder)
    if not first.complete:
        raise DataError(
            f"the run '{folder}' is not complete ({first.n_blocks} of {first.manifest['n_blocks']} blocks), so there "
            "is no result to reproduce: resume it first."
        )
    same_engine = first.manifest["engine"] == engine_digest(first.manifest["game"])
    if not same_engine and not any_engine:
        raise DataError(
            f"the run '{folder}' was played by another tafl ({first.manifest['tafl_version']}): its rules or luck have "
            "changed since, so that its bytes need not come again. --any-engine plays it all the same."
        )
    with _new_folder(out) as (again, is_kept):
        _play_again(first, again, n_threads, shown, is_kept, options)
        files = _compare(folder, again, first)
    return Reproduction(folder, first.n_games, same_engine, files)


@contextmanager
def _new_folder(out: str | Path | None) -> Iterator[tuple[Path, bool]]:
    if out is not None:
        yield Path(out), True
        return
    with tempfile.TemporaryDirectory(prefix="tafl-reproduce-", ignore_cleanup_errors=True) as parent:
        yield Path(parent) / "run", False


def _play_again(
    first: RunResult, again: Path, n_threads: int | None, shown: Shown | None, is_kept: bool, options: dict[str, Any]
) -> None:
    """Make a run of the same manifest and play it."""
    manifest = {key: value for key, value in first.manifest.items() if key != "files"}
    texts = {part: _texts(first.folder / part) for part in (EDITION_NAME, STRATEGIES_NAME)}
    setup = runs.make_ready(runs.choose_again(first.folder, first.manifest))
    if setup.spec.columns(setup.edition, first.n_seats) != first.columns:
        raise DataError(f"the result columns of {setup.spec.title} have changed since '{first.folder}' was played.")

    def abandon(error: UnansweredError) -> None:
        close()
        if not is_kept:
            shutil.rmtree(again.parent, ignore_errors=True)
        leave(error)

    with create_run(again, manifest, first.columns, texts[EDITION_NAME], texts[STRATEGIES_NAME]) as store:
        show, close = shown(store.result()) if shown else (None, lambda: None)
        try:
            result = runs.play(setup, store, n_threads, show, abandon=abandon, **options)
            if (first.folder / SAMPLE_NAME).is_file():
                keep_sample(result, setup)
        except Interrupted:
            raise StoppedError(f"interrupted: the run '{first.folder}' is as it was.") from None
        finally:
            close()


def _texts(folder: Path) -> dict[str, str]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in files}


def _compare(folder: Path, again: Path, first: RunResult) -> list[FileCheck]:
    """Compare the manifest, the sums, the sample, the per-game rows and the tables."""
    names = [MANIFEST_NAME, SUMS_NAME]
    if any((at / STOPPED_NAME).exists() for at in (folder, again)):
        names.append(STOPPED_NAME)
    if (folder / SAMPLE_NAME).is_file():
        names.append(SAMPLE_NAME)
    if first.manifest.get("keep_games"):
        names += sorted({f"{GAMES_NAME}/{path.name}" for at in (folder, again) for path in (at / GAMES_NAME).iterdir()})
    if (folder / TABLES_NAME).is_dir():
        write_csvs(tables(load_result(again)), again / TABLES_NAME)
        found = {path.name for at in (folder, again) for path in (at / TABLES_NAME).glob("*.csv")}
        names += sorted(f"{TABLES_NAME}/{name}" for name in found)
    return [_check(name, folder / name, again / name) for name in names]


def _check(name: str, first: Path, again: Path) -> FileCheck:
    if not first.is_file():
        return FileCheck(name, False, "the run does not have it")
    if not again.is_file():
        return FileCheck(name, False, "it did not come again")
    data = first.read_bytes(), again.read_bytes()
    if data[0] == data[1]:
        return FileCheck(name, True)
    try:
        return FileCheck(name, False, _difference(name, *data))
    except Exception:  # whatever a damaged file makes its reader say
        return FileCheck(name, False, "it differs, and one of the two cannot be read")


def _difference(name: str, first: bytes, again: bytes) -> str:
    """Say in what two files of one name differ."""
    if name in (SUMS_NAME, SAMPLE_NAME):
        with np.load(io.BytesIO(first)) as old, np.load(io.BytesIO(again)) as new:
            differing = [key for key in new if key not in old or not np.array_equal(old[key], new[key])]
        return f"other numbers in {', '.join(differing)}" if differing else "the same numbers in other bytes"
    if name.endswith(".parquet"):
        import pyarrow.parquet as pq

        old, new = (pq.ParquetFile(io.BytesIO(data)) for data in (first, again))
        if not old.read().equals(new.read()):
            return "other rows"
        writers = {old.metadata.created_by, new.metadata.created_by}
        return f"the same rows, written by {' and '.join(sorted(writers))}"
    lines = [data.decode().splitlines() for data in (first, again)]
    both = zip(*lines, strict=False)
    number = next((n for n, (a, b) in enumerate(both, 1) if a != b), min(map(len, lines)) + 1)
    return f"it differs from line {number} on"
