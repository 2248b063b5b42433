"""A folder of many runs: its manifest, the runs below it, its log. Tournaments and experiments are made of it.

::

    <manifest>.json     first, with everything that decides the results
    edition/*           the edition's tables; strategies/* the strategies' sources
    <runs>/0001/ ...    an ordinary run folder for each run, made when its turn comes
    log.jsonl           times, threads, command
"""

from __future__ import annotations

import json
import secrets
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar, Self

from analysis.runs import Choice
from simcore import disk
from simcore.contract import DataError, TaflError
from simcore.locks import FolderLock
from simcore.manifest import digest, encode, engine_digest
from simcore.store import (
    EDITION_NAME,
    LOG_NAME,
    MANIFEST_NAME,
    STRATEGIES_NAME,
    SUMS_NAME,
    RunResult,
    check_new,
    load_result,
    put_in_place,
)


@dataclass(frozen=True)
class Series:
    """A folder of runs that are played one after the other.

    Attributes
    ----------
    folder : pathlib.Path
    manifest : dict
        What the manifest holds: all that decides the results.
    """

    folder: Path
    manifest: dict[str, Any]

    what: ClassVar[str]
    """What a reader calls it: ``tournament``."""
    command: ClassVar[str]
    """The command of tafl that plays it."""
    manifest_name: ClassVar[str]
    runs_name: ClassVar[str]
    """Name of the folder of the runs, and of their list in the manifest."""
    part: ClassVar[str]
    """What a reader calls one of its runs: ``line-up``."""
    format: ClassVar[int]
    keys: ClassVar[tuple[str, ...]]
    """What a manifest must have."""

    @classmethod
    def is_at(cls, folder: Path | str) -> bool:
        """Whether a folder is such a series."""
        return (Path(folder) / cls.manifest_name).is_file()

    @classmethod
    def create(cls, manifest: dict[str, Any], played: Choice, folder: Path) -> Self:
        """Make the folder, complete with its manifest in one rename.

        Parameters
        ----------
        manifest : dict
            But for the hashes of the files beside it.
        played : Choice
            The edition and the strategies that the folder keeps.
        folder : pathlib.Path

        Raises
        ------
        TaflError
            If the folder exists or cannot be written.
        """
        check_new(folder)
        files = {f"{EDITION_NAME}/{name}": text for name, text in played.edition.files.items()}
        for strategy in played.strategies:
            files |= {f"{STRATEGIES_NAME}/{name}": text for name, text in strategy.sources.items()}
        whole = {**manifest, "files": {name: digest(text.encode()) for name, text in files.items()}}
        making = folder.with_name(f".{folder.name}.new-{secrets.token_hex(4)}")
        with disk.on(folder, "create"):
            try:
                (making / cls.runs_name).mkdir(parents=True)
                disk.write_whole(making / cls.manifest_name, encode(whole))
                for name, text in files.items():
                    (making / name).parent.mkdir(parents=True, exist_ok=True)
                    disk.write_whole(making / name, text.encode())
                put_in_place(making, folder)
            except BaseException:
                shutil.rmtree(making, ignore_errors=True)
                raise
        return cls(folder, whole)

    @classmethod
    def load(cls, folder: Path | str) -> Self:
        """Read a folder.

        Raises
        ------
        TaflError, DataError
            If it is no such series, or is damaged.
        """
        folder = Path(folder)
        if not cls.is_at(folder):
            what = f"there is no folder '{folder}'" if not folder.exists() else f"'{folder}' is no {cls.what}'s folder"
            advice = ": it is a run, so go on with tafl compare --resume" if (folder / MANIFEST_NAME).exists() else ""
            raise TaflError(f"{what}{advice}.")
        path = folder / cls.manifest_name
        with disk.on(folder, "read"):
            try:
                manifest = json.loads(path.read_bytes())
                version = manifest["format"]
            except (ValueError, KeyError, TypeError):
                raise DataError(f"'{path}' is damaged: the {cls.what} cannot be read.") from None
            missing = [key for key in cls.keys if key not in manifest]
            if version != cls.format or missing:
                raise DataError(
                    f"'{path}' is of another tafl ({manifest.get('tafl_version', 'unknown')}): use that one."
                )
            for name, expected in manifest["files"].items():
                if not (folder / name).is_file() or digest((folder / name).read_bytes()) != expected:
                    raise DataError(
                        f"'{folder / name}' is missing or was changed after the {cls.what} began: put the original "
                        "back, or start a new one."
                    )
        return cls(folder, manifest)

    @property
    def planned(self) -> list[dict[str, Any]]:
        """What the manifest says of each run; they are numbered from 1."""
        return list(self.manifest[self.runs_name])

    def kept(self, number: int) -> bool | tuple[str, ...]:
        """Return the columns of the per-game rows that a run keeps; True: all."""
        raise NotImplementedError

    @property
    def n_runs(self) -> int:
        """Runs of the series."""
        return len(self.manifest[self.runs_name])

    def run_folder(self, number: int) -> Path:
        """Return the folder of a run; runs are numbered from 1."""
        return self.folder / self.runs_name / f"{number:0{max(4, len(str(self.n_runs)))}d}"

    def is_complete(self, number: int) -> bool:
        """Whether the games of a run are all played."""
        return (self.run_folder(number) / SUMS_NAME).exists()

    def n_complete(self) -> int:
        """Return how many runs are all played."""
        return sum(self.is_complete(number) for number in range(1, self.n_runs + 1))

    def result(self, number: int) -> RunResult:
        """Return the result of a run.

        Raises
        ------
        DataError
            If it is damaged, or not the run that the manifest plans at this place.
        """
        folder = self.run_folder(number)
        mend = f"remove the folder '{folder}' and go on with tafl {self.command} --resume {self.folder}."
        try:
            found = load_result(folder)
        except TaflError as error:
            raise DataError(f"{self.part} {number} cannot be read ({str(error).rstrip('.')}): {mend}") from None
        planned = self.planned[number - 1]
        expected = {key: planned[key] for key in ("seed", "n_games", "n_blocks")} | self.marks(number)
        differing = [key for key, value in expected.items() if found.manifest.get(key) != value]
        if differing:
            raise DataError(
                f"'{folder}' is not {self.part} {number} of the {self.what}: its {', '.join(differing)} differ from "
                f"what {self.manifest_name} plans; put the original back, or {mend}"
            )
        return found

    def marks(self, number: int) -> dict[str, Any]:
        """Return what a run's manifest says of its place in the series, beside what every run's says."""
        return {}

    def results(self) -> list[RunResult]:
        """Return the result of every run.

        Raises
        ------
        DataError
            If some are not played yet.
        """
        self.check_complete()
        return [self.result(number) for number in range(1, self.n_runs + 1)]

    def check_complete(self) -> None:
        """Refuse a series that is not finished.

        Raises
        ------
        DataError
            If some runs are not played yet.
        """
        n_complete = self.n_complete()
        if n_complete < self.n_runs:
            raise DataError(
                f"the {self.what} '{self.folder}' is not finished ({n_complete} of {self.n_runs} {self.part}s are): "
                f"its tables need every {self.part}, so go on with tafl {self.command} --resume {self.folder}."
            )

    def check_engine(self) -> None:
        """Refuse a series that another engine began.

        Raises
        ------
        DataError
        """
        if self.manifest["engine"] != engine_digest(self.manifest["game"]):
            raise DataError(
                f"the {self.what} '{self.folder}' was begun by another tafl ({self.manifest['tafl_version']}) whose "
                f"rules or luck differ from this one's: use that tafl, or start a new {self.what}."
            )

    def lock(self) -> FolderLock:
        """Keep other processes from playing in the folder, until the lock is released."""
        with disk.on(self.folder, "open"):
            return FolderLock(self.folder)

    def log(self, event: str, **facts: Any) -> None:
        """Add a line to the log."""
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, **facts}
        with disk.on(self.folder, "write to"), (self.folder / LOG_NAME).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def free_folder(stem: str, parent: Path = Path("runs")) -> Path:
    """Return a folder that does not exist: ``runs/<stem>``, ``-2``... behind."""
    folder, again = parent / stem, 2
    while folder.exists():
        folder, again = parent / f"{stem}-{again}", again + 1
    return folder
