"""A tournament: a folder with a run for each line-up of a schedule.

::

    tournament.json     first, with everything that decides the results: strategies, edition, schedule, seeds
    edition/*           the edition's tables; strategies/* the strategies' sources
    lineups/0001/ ...   an ordinary run folder for each line-up, made when its turn comes
    log.jsonl           times, threads, command

Line-up ``n`` (from 1) plays with a seed of its own, `lineup_seed` of the tournament's seed and ``n``: line-ups are
independent of each other, and within a line-up blocks share their luck as in any run. Every run keeps the columns
`KEPT` of its per-game rows, from which places are read by block.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis import runs, schedule
from analysis.runs import Choice, Setup
from analysis.series import Series, free_folder
from analysis.series_play import SEATING
from simcore import blocks
from simcore.contract import Entrant, TaflError
from simcore.games import find_entry, find_game
from simcore.items import check_withheld
from simcore.manifest import MAX_SEED, edition_entry, engine_digest, tafl_version
from simcore.store import TOURNAMENT_NAME
from strategies import registry

FORMAT = 1
GAMES_BY_DEFAULT = 500_000
"""Games of all line-ups together."""

KEPT = ("win", "score", "margin", "place")
"""Columns of the per-game rows that each run keeps."""

_KEYS = ("engine", "game", "n_players", "strategies", "mode", "lineups", "seed", "edition", "files", "n_games")


@dataclass(frozen=True)
class Tournament(Series):
    """A tournament's folder and what is played there.

    Attributes
    ----------
    folder : pathlib.Path
    manifest : dict
        What ``tournament.json`` holds.
    """

    what, part, command = "tournament", "line-up", "tournament"
    manifest_name, runs_name = TOURNAMENT_NAME, "lineups"
    format, keys = FORMAT, _KEYS

    def kept(self, number: int) -> tuple[str, ...]:
        """Return the columns of the per-game rows that a run keeps."""
        return KEPT

    @property
    def names(self) -> list[str]:
        """The strategies, in the order in which they were named."""
        return [entry["name"] for entry in self.manifest["strategies"]]

    @property
    def n_players(self) -> int:
        """Seats at the table."""
        return int(self.manifest["n_players"])

    @property
    def n_lineups(self) -> int:
        """Line-ups of the schedule."""
        return self.n_runs


def lineup_seed(seed: int, number: int) -> int:
    """Return the seed of a line-up: the first 64 bits of the SHA-256 of ``tafl tournament SEED NUMBER``."""
    return int.from_bytes(hashlib.sha256(f"tafl tournament {seed} {number}".encode()).digest()[:8], "big")


def choose_field(
    game: str,
    names: Sequence[str],
    n_players: int,
    edition: str | None = None,
    rules: Sequence[str] = (),
    strategy_files: Sequence[str | Path] = (),
    withheld: Sequence[str] = (),
) -> Choice:
    """Find and check the strategies of a tournament.

    Parameters
    ----------
    game : str
    names : sequence of str
        At least two strategies; by default all that ship and all of `strategy_files`.
    n_players : int
        Seats at the table.
    edition, rules, strategy_files, withheld
        As in `analysis.runs.choose`.

    Returns
    -------
    Choice
        Its line-up holds each strategy once, however many seats the table has.

    Raises
    ------
    TaflError
        With one sentence on what is wrong and what could be right.
    """
    entry = find_entry(game)
    if not entry.min_players <= n_players <= entry.max_players:
        nearest = min(max(n_players, entry.min_players), entry.max_players)
        raise TaflError(
            f"{entry.title} is for {entry.min_players} to {entry.max_players} players, not {n_players}: "
            f"choose --players {nearest}."
        )
    if n_players < 2:
        raise TaflError("a tournament needs at least 2 players at the table.")
    loaded = runs.load_files(strategy_files)
    distinct = list(dict.fromkeys(names)) or [*registry.names(game), *(s.name for s in loaded if s.game == game)]
    strategies = runs.find_strategies(game, distinct, loaded)
    if len(distinct) < 2:
        raise TaflError(
            f"a tournament needs at least two strategies, and '{distinct[0]}' is one: name another, or none for all."
        )
    spec = find_game(game)
    found_edition = runs.load_edition(spec, edition, rules, withheld)
    check_withheld(spec.items(found_edition, n_players), found_edition.withheld)
    return Choice(spec, found_edition, tuple(distinct), strategies)


def plan(
    game: str,
    names: Sequence[str],
    n_players: int | None,
    lineups: str | None = None,
    n_games: int | None = None,
    seed: int | None = None,
    edition: str | None = None,
    rules: Sequence[str] = (),
    strategy_files: Sequence[str | Path] = (),
    withheld: Sequence[str] = (),
) -> tuple[Choice, dict[str, Any]]:
    """Find the strategies of a tournament and make its schedule, from what a user asks for.

    Parameters
    ----------
    game, names, n_players, edition, rules, strategy_files, withheld
        See `choose_field`.
    lineups : str, optional
        See `analysis.schedule.parse_lineups`.
    n_games : int, optional
        `GAMES_BY_DEFAULT` by default.
    seed : int, optional
        Fresh if none is given.

    Returns
    -------
    Choice
        The field.
    dict
        As `make_manifest` returns it.
    """
    entry = find_entry(game)
    if n_players is None:
        raise TaflError(
            f"say how many sit at the table: --players {max(2, entry.min_players)} to {entry.max_players} "
            f"for {entry.title}."
        )
    field = choose_field(game, names, n_players, edition, rules, strategy_files, withheld)
    mode, focus = schedule.parse_lineups(lineups, field.lineup)
    seed = runs.fresh_seed() if seed is None else seed
    return field, make_manifest(field, n_players, GAMES_BY_DEFAULT if n_games is None else n_games, seed, mode, focus)


def make_manifest(
    field: Choice, n_players: int, n_games: int, seed: int, mode: str | None = None, focus: str | None = None
) -> dict[str, Any]:
    """Return what ``tournament.json`` holds, but for the hashes of the files beside it.

    Parameters
    ----------
    field : Choice
        From `choose_field`.
    n_players : int
    n_games : int
        Games in all; each line-up plays an equal share, rounded up to whole blocks.
    seed : int
        0 to 2**64 - 1.
    mode, focus
        As in `analysis.schedule.make_schedule`.

    Raises
    ------
    TaflError
        If a number or the schedule cannot be.
    """
    if not 0 <= seed <= MAX_SEED:
        raise TaflError(f"the seed must be from 0 to {MAX_SEED}, not {seed}.")
    made = schedule.make_schedule(field.lineup, n_players, seed, mode, focus)
    edition, even = field.edition, schedule.balance(made, field.lineup)
    return {
        "format": FORMAT,
        "tafl_version": tafl_version(),
        "engine": engine_digest(field.spec.game_id),
        "game": field.spec.game_id,
        "title": field.spec.title,
        "n_players": n_players,
        "strategies": [runs.described(strategy, n_players) for strategy in field.strategies],
        "mode": made.mode,
        "focus": made.focus,
        "balance": {"plays": list(even.plays), "meetings": list(even.meetings)},
        **planned(made.lineups, n_games, seed),
        "edition": edition_entry(edition),
    }


def planned(lineups: Sequence[Sequence[str]], n_games: int, seed: int) -> dict[str, Any]:
    """Return what a manifest says of line-ups: the games, blocks and seed of each, and of all together.

    Parameters
    ----------
    lineups : sequence of sequence of str
    n_games : int
        In all; each line-up plays an equal share, rounded up to whole blocks.
    seed : int
        Of the tournament.

    Raises
    ------
    TaflError
        If a number cannot be.
    """
    if not 0 <= seed <= MAX_SEED:
        raise TaflError(f"the seed must be from 0 to {MAX_SEED}, not {seed}.")
    blocks.n_blocks_for(n_games, 1)
    share = -(-n_games // len(lineups))
    runs_of = []
    for number, lineup in enumerate(lineups, 1):
        per_block = len(blocks.seatings(blocks.entrants(lineup)[1], SEATING))
        n_blocks = blocks.n_blocks_for(share, per_block)
        one: dict[str, Any] = {"lineup": list(lineup), "seed": lineup_seed(seed, number)}
        runs_of.append({**one, "n_blocks": n_blocks, "n_games": n_blocks * per_block})
    totals = {key: sum(one[key] for one in runs_of) for key in ("n_games", "n_blocks")}
    return {"lineups": runs_of, **totals, "seed": seed}


def create(manifest: dict[str, Any], field: Choice, out: Path | None = None) -> Tournament:
    """Make a tournament's folder: under ``runs/``, named by game, players and seed, unless `out` names another.

    Raises
    ------
    TaflError
        If the folder exists or cannot be written.
    """
    ending = "-confirmation" if "confirms" in manifest else ""
    stem = f"{manifest['game']}-tournament-{manifest['n_players']}p-{manifest['seed']}{ending}"
    return Tournament.create(manifest, field, free_folder(stem) if out is None else out)


def field_again(tournament: Tournament) -> Choice:
    """Find the strategies and the edition that a tournament's folder keeps.

    Raises
    ------
    DataError
        If they were played by another engine.
    """
    tournament.check_engine()
    manifest = tournament.manifest
    as_of_run = {**manifest, "lineup": tournament.names, "entrants": manifest["strategies"]}
    found = runs.choose_again(tournament.folder, as_of_run)
    named = dataclasses.replace(found.edition, name=manifest["edition"]["name"])  # not what the copy's folder is called
    return dataclasses.replace(found, edition=named)


def enter(field: Choice, n_players: int) -> tuple[Entrant, ...]:
    """Compile all strategies of a tournament, each once.

    Raises
    ------
    StrategyError
        If one does not compile, or its table cannot be prepared.
    """
    return tuple(registry.enter(strategy, field.spec, field.edition, n_players) for strategy in field.strategies)


def setups(planned: Sequence[dict[str, Any]], field: Choice, entrants: Sequence[Entrant]) -> Callable[[int], Setup]:
    """Return what tells what the run of a line-up plays, by the line-up's number, from 1."""
    return lambda number: _setup(field, entrants, planned[number - 1]["lineup"])


def _setup(field: Choice, entrants: Sequence[Entrant], lineup: Sequence[str]) -> Setup:
    names, _ = blocks.entrants(lineup)
    places = [field.lineup.index(name) for name in names]
    strategies = tuple(field.strategies[place] for place in places)
    return Setup(field.spec, field.edition, tuple(lineup), strategies, tuple(entrants[place] for place in places))
