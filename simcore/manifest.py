"""What a run is, in a form that does not change: the manifest, its bytes, and the hash of the code that counts."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from simcore import blocks
from simcore.contract import Column, DataError, GameSpec, TaflError

FORMAT = 1
"""Version of the run folder. A folder of another version is refused with a reason."""

MANIFEST_NAME = "manifest.json"
COLUMNS_NAME = "columns.json"
MAX_SEED = (1 << 64) - 1

_ROOT = Path(__file__).resolve().parent.parent
_DECIDING = ("accel", "luck", "contract", "blocks", "sums")
_KEYS = (
    "format",
    "tafl_version",
    "engine",
    "game",
    "title",
    "n_players",
    "lineup",
    "entrants",
    "seating",
    "n_games_per_block",
    "n_blocks",
    "n_games",
    "seed",
    "edition",
)


def tafl_version() -> str:
    """Return the version of the installed package, or of the checkout."""
    try:
        return metadata.version("tafl")
    except metadata.PackageNotFoundError:
        with contextlib.suppress(OSError, KeyError, ValueError):
            return str(tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
        return "unknown"


def engine_digest(game_id: str) -> str:
    """Return 64 hex digits of SHA-256 over the sources that decide a game's results.

    These are the luck, the compiler boundary, blocks and sums, and the game's own folder. Tables and strategies are not
    among them: the run folder has its own copies. Line ends do not count, so that checkouts on different systems agree.
    """
    sources = [_ROOT / "simcore" / f"{name}.py" for name in _DECIDING]
    sources += sorted((_ROOT / "simcore" / game_id).rglob("*.py"))
    digest = hashlib.sha256()
    for source in sources:
        text = source.read_bytes().replace(b"\r\n", b"\n")
        digest.update(source.relative_to(_ROOT).as_posix().encode() + b"\0" + text + b"\0")
    return digest.hexdigest()


def make_manifest(
    spec: GameSpec,
    edition: Any,
    lineup: Sequence[str],
    entrants: Sequence[Mapping[str, Any]],
    n_games: int,
    seed: int,
    seating: str = "rotations",
    keep_games: bool | Sequence[str] = False,
) -> dict[str, Any]:
    """Return the manifest of a new run: everything that decides its results and nothing else.

    Parameters
    ----------
    spec : GameSpec
        The game.
    edition : Edition
        Read and checked.
    lineup : sequence of str
        The strategy of each seat; its length is the number of players.
    entrants : sequence of mapping
        One for each distinct strategy, in the order of `simcore.blocks.entrants`:
        ``{name, kind, idea, source, params: {name: int}, files: [names in the folder strategies/]}``; a variant has
        its ``original`` too, and ``handicap: {item id: way}`` if there is any.
    n_games : int
        Games asked for; rounded up to whole blocks.
    seed : int
        0 to 2**64 - 1.
    seating : {'rotations', 'fixed', 'all'}
        See `simcore.blocks.seatings`.
    keep_games : bool or sequence of str
        Whether per-game rows are kept (`simcore.games_file`), or the names of the columns to keep.

    Raises
    ------
    TaflError
        If the number of players, of games or the seed cannot be.
    """
    names, seats = blocks.entrants(lineup)
    if [entrant["name"] for entrant in entrants] != list(names):
        raise TaflError(f"the entrants must be {', '.join(names)}, in this order.")
    if not spec.min_players <= len(lineup) <= spec.max_players:
        raise TaflError(f"{spec.title} is for {spec.min_players} to {spec.max_players} players, not {len(lineup)}.")
    if not 0 <= seed <= MAX_SEED:
        raise TaflError(f"the seed must be from 0 to {MAX_SEED}, not {seed}.")
    per_block = len(blocks.seatings(seats, seating))
    n_blocks = blocks.n_blocks_for(n_games, per_block)
    return {
        "format": FORMAT,
        "tafl_version": tafl_version(),
        "engine": engine_digest(spec.game_id),
        "game": spec.game_id,
        "title": spec.title,
        "n_players": len(lineup),
        "lineup": list(lineup),
        "entrants": [dict(entrant) for entrant in entrants],
        "seating": seating,
        "n_games_per_block": per_block,
        "n_blocks": n_blocks,
        "n_games": n_blocks * per_block,
        "seed": seed,
        "keep_games": keep_games if isinstance(keep_games, bool) else list(keep_games),
        "edition": edition_entry(edition),
    }


def edition_entry(edition: Any) -> dict[str, Any]:
    """Return what a manifest says of an edition."""
    return {
        "name": edition.name,
        "digest": edition.digest,
        "rules": dict(edition.rules),
        "provenance": dataclasses.asdict(edition.provenance),
        "sentence": edition.provenance.sentence(),
        **({"withheld": list(edition.withheld)} if edition.withheld else {}),
    }


def encode(data: Any) -> bytes:
    """Return JSON whose bytes depend on the data only: sorted keys, two spaces, UTF-8, a line end."""
    text = json.dumps(data, sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def digest(data: bytes) -> str:
    """Return 64 hex digits of SHA-256."""
    return hashlib.sha256(data).hexdigest()


def decode(data: bytes, folder: Path) -> dict[str, Any]:
    """Read a manifest's bytes.

    Raises
    ------
    DataError
        If it is no manifest, or one of another version.
    """
    try:
        manifest = json.loads(data)
        version = manifest["format"]
    except (ValueError, KeyError, TypeError):
        raise DataError(f"'{folder / MANIFEST_NAME}' is damaged or is no manifest: the run cannot be read.") from None
    if version != FORMAT:
        age = "a newer" if isinstance(version, int) and version > FORMAT else "an older"
        raise DataError(
            f"the run folder '{folder}' has format {version}, of {age} tafl {manifest.get('tafl_version', 'unknown')}, "
            f"but this tafl ({tafl_version()}) reads format {FORMAT}: use the one that wrote it."
        )
    missing = [key for key in _KEYS if key not in manifest]
    if missing:
        raise DataError(f"'{folder / MANIFEST_NAME}' lacks {', '.join(missing)}: the run cannot be read.")
    return dict(manifest)


def encode_columns(columns: Sequence[Column]) -> str:
    """Return the columns as JSON: kept in the run folder, so that its sums can be read whatever tafl becomes."""
    return encode([dataclasses.asdict(column) for column in columns]).decode()


def decode_columns(text: str, folder: Path) -> tuple[Column, ...]:
    """Read `encode_columns`.

    Raises
    ------
    DataError
        If the file is damaged.
    """
    try:
        return tuple(Column(**column) for column in json.loads(text))
    except (ValueError, TypeError):
        raise DataError(f"'{folder / COLUMNS_NAME}' is damaged: the run cannot be read.") from None


def default_folder(
    game_id: str, lineup: Sequence[str], seed: int, parent: Path = Path("runs"), ending: str = ""
) -> Path:
    """Return a folder that does not exist: ``runs/<game>-<strategies>-<n>p-<seed><ending>``, ``-2``... behind."""
    names = list(dict.fromkeys(lineup))
    joined = "-".join(re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "x" for name in names)
    if len(joined) > 48:
        joined = joined[:48].rpartition("-")[0] or joined[:48]
    stem = f"{game_id}-{joined}-{len(lineup)}p-{seed}{ending}"
    folder = parent / stem
    again = 2
    while folder.exists():
        folder = parent / f"{stem}-{again}"
        again += 1
    return folder
