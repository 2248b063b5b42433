"""Is this installation sound? One check after another, each with what was found and how to mend it.

``tafl warmup`` lives here too: it compiles ahead what would otherwise be compiled when first played.
"""

from __future__ import annotations

import platform
import re
import shutil
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from analysis import golden
from analysis.runs import choose, make_ready
from simcore import accel
from simcore.contract import DataError, TaflError
from simcore.games import GAMES, find_entry
from simcore.manifest import tafl_version
from simcore.runner import default_threads, warm_up
from strategies import registry

OK, NOTE, WRONG = "ok", "note", "wrong"
LITTLE_SPACE = 1 << 30
_REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)\s*>=\s*([\d.]+)")


@dataclass(frozen=True)
class Check:
    """What one check found.

    Attributes
    ----------
    name : str
        What was checked.
    state : {'ok', 'note', 'wrong'}
        `note`: it works, but something is slow or missing that could be there. `wrong`: it does not work.
    says : str
        What was found.
    mend : str
        How to change that; empty if there is nothing to mend.
    """

    name: str
    state: str
    says: str
    mend: str = ""


def examine() -> Iterator[Check]:
    """Yield every check as it is made; the last ones, which play, take longest."""
    yield Check("tafl", OK, f"{tafl_version()} on {platform.system()} {platform.machine()}")
    yield Check("Python", OK, platform.python_version())
    yield from _packages()
    yield _compiler()
    yield _cache()
    yield _threads()
    yield _cluster()
    yield _space()
    for game in GAMES:
        yield _warm(game.game_id)
        yield _golden(game.game_id)


def requirements() -> list[tuple[str, str]]:
    """Return name and least version of every package that tafl needs without extras."""
    try:
        lines = [line for line in metadata.requires("tafl") or [] if "extra ==" not in line]
    except metadata.PackageNotFoundError:
        path = Path(__file__).resolve().parents[1] / "pyproject.toml"
        lines = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["dependencies"]
    return [match.groups() for line in lines if (match := _REQUIREMENT.match(line))]  # type: ignore[misc]


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _packages() -> Iterator[Check]:
    found = []
    for name, least in requirements():
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Check(name, WRONG, "not installed", f"pip install '{name}>={least}'")
            continue
        if _numbers(version) < _numbers(least):
            yield Check(name, WRONG, f"{version}, older than {least}", f"pip install '{name}>={least}'")
        found.append(f"{name} {version}")
    yield Check("packages", OK, ", ".join(found))


def _compiler() -> Check:
    if accel.INTERPRETED:
        return Check(
            "compiler",
            NOTE,
            "switched off by NUMBA_DISABLE_JIT: the same results, hundreds of times slower",
            "unset NUMBA_DISABLE_JIT",
        )
    return Check("compiler", OK, "compiles")


def _cache() -> Check:
    folder = accel.cache_folder("simcore.luck")
    if accel.INTERPRETED:
        return Check("compiled cache", OK, "not used while interpreted")
    if folder is None:
        return Check(
            "compiled cache",
            NOTE,
            f"'{accel.cache_base()}' cannot be written, so every start compiles for up to a minute",
            "let TAFL_CACHE_DIR name a folder that you may write to",
        )
    return Check("compiled cache", OK, f"{folder.parent}")


def _threads() -> Check:
    n = default_threads()
    return Check("threads", OK, f"{n} core{'s' if n > 1 else ''} that this process may use; all play by default")


def _cluster() -> Check:
    try:
        return Check("cluster", OK, f"dask {metadata.version('dask')}, distributed {metadata.version('distributed')}")
    except metadata.PackageNotFoundError:
        return Check("cluster", NOTE, "not installed; only --cluster needs it", "pip install 'tafl[cluster]'")


def _space() -> Check:
    free = shutil.disk_usage(Path.cwd()).free
    says = f"{free / (1 << 30):.1f} GiB free in this folder"
    if free < LITTLE_SPACE:
        return Check(
            "disk", NOTE, says, "free some space: a run needs a few MiB, with --keep-games about 30 bytes a row"
        )
    return Check("disk", OK, says)


def _warm(game: str) -> Check:
    name = f"{game}, compiled"
    names = registry.names(game)
    cold = [
        strategy
        for strategy in names
        if not all(accel.is_compiled(module) for module in choose(game, [strategy]).modules())
    ]
    if cold:
        n = f"{len(cold)} of {len(names)} strategies" if len(cold) < len(names) else "the engine or all strategies"
        return Check(name, NOTE, f"{n} will be compiled when first played", f"tafl warmup {game}")
    return Check(name, OK, f"the engine and all {len(names)} strategies")


def _golden(game: str) -> Check:
    name = f"{game}, a known game"
    expected = golden.known(game)
    if expected is None:
        return Check(name, NOTE, "no result is stored to compare with")
    start = time.perf_counter()
    try:
        found = golden.play(game)
    except TaflError as error:
        return Check(name, WRONG, f"it cannot be played: {error}", "install tafl anew")
    seconds = time.perf_counter() - start
    if found == expected:
        return Check(name, OK, f"scores {_listed(found['scores'])} as stored, in {seconds:.1f} s")
    if found["scores"] != expected["scores"]:
        says = f"scores {_listed(found['scores'])} instead of {_listed(expected['scores'])}"
    else:
        says = "the right scores, but not every event or count as stored"
    return Check(
        name,
        WRONG,
        says,
        "results of this installation are not tafl's: install it anew (if you have changed rules or luck on purpose, "
        "python -m analysis.golden)",
    )


def _listed(scores: list[int]) -> str:
    return ", ".join(str(score) for score in scores)


@dataclass(frozen=True)
class Warmed:
    """A game that was compiled: its id, its strategies, and the seconds it took."""

    game: str
    n_strategies: int
    seconds: float


def warmup(game: str | None = None) -> Iterator[Warmed]:
    """Compile a game's engine and all strategies that ship, or all games', and keep them in the cache.

    Raises
    ------
    DataError
        If no cache can be written.
    """
    if not accel.INTERPRETED and accel.cache_folder("simcore.luck") is None:
        raise DataError(
            f"'{accel.cache_base()}' cannot be written, so nothing that is compiled can be kept: let TAFL_CACHE_DIR "
            "name a folder that you may write to."
        )
    for game_id in [find_entry(game).game_id] if game else [entry.game_id for entry in GAMES]:
        start = time.perf_counter()
        names = registry.names(game_id)
        for name in names:
            setup = make_ready(choose(game_id, [name]))
            warm_up(setup.plan("rotations", 0))
        yield Warmed(game_id, len(names), time.perf_counter() - start)
