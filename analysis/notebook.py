"""The commands as functions, for a notebook or a script: each returns tidy pandas tables.

A function is called what its command is called and takes the same options by the same names, with ``_`` for ``-``.
Tables have the columns, dtypes and units of `analysis.tables.COLUMNS` (``tables/columns.md`` in every run folder). What
a command would say as an error is raised as a `simcore.contract.TaflError` with the same sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import confirmation, runs, series_play, stopping, tournament_tables, tournaments
from analysis import reproduction as reproducing
from analysis.notebook_lab import balance, robustness, sensitivity, sweep, tune_rules
from analysis.replaying import Replay, replay_game
from analysis.shared_luck import games_saved as saved
from analysis.tables import frame, tables
from simcore.games import GAMES, find_entry, find_game
from simcore.runner import default_threads
from simcore.shards import merge as put_together
from simcore.store import RunResult, RunStore, load_result
from strategies import registry

__all__ = [
    "Run",
    "balance",
    "cards",
    "compare",
    "confirm",
    "games",
    "games_saved",
    "load",
    "merge",
    "replay",
    "reproduce",
    "resume",
    "robustness",
    "rules",
    "sensitivity",
    "strategies",
    "sweep",
    "tournament",
    "tune_rules",
]

PathLike = str | Path
GAMES_BY_DEFAULT = 100_000


@dataclass(frozen=True)
class Run:
    """A run and what it found.

    Attributes
    ----------
    folder : pathlib.Path
        The run folder, as the command line knows it.
    result : simcore.store.RunResult
        Exact sums, manifest, number of blocks.
    """

    folder: Path
    result: RunResult

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables by name; columns as in `analysis.tables.COLUMNS`."""
        return tables(self.result)

    @property
    def summary(self) -> pd.DataFrame:
        """Win share, score and margin of each strategy, with intervals."""
        return self.tables["summary"]

    @property
    def pairs(self) -> pd.DataFrame:
        """Differences between strategies, paired within blocks, with Holm's p values."""
        return self.tables["pairs"]

    @property
    def manifest(self) -> dict[str, Any]:
        """Everything that decided the results."""
        return self.result.manifest


def games() -> pd.DataFrame:
    """Return the games: ``game``, ``title``, ``min_players``, ``max_players``, ``says``."""
    rows = [(g.game_id, g.title, g.min_players, g.max_players, g.says) for g in GAMES]
    return pd.DataFrame(rows, columns=["game", "title", "min_players", "max_players", "says"])


def strategies(game: str, strategy_file: Sequence[PathLike] = ()) -> pd.DataFrame:
    """Return a game's strategies: ``strategy``, ``kind``, ``idea``, ``source``.

    Parameters
    ----------
    game : str
    strategy_file : sequence of path
        Files of your own, listed as well.
    """
    find_entry(game)
    rows = [(s["name"], s["kind"], s["idea"], s["source"]) for s in registry.describe(game)]
    rows += [(s.name, s.kind, s.idea, s.source) for s in runs.load_files(strategy_file) if s.game == game]
    return pd.DataFrame(rows, columns=["strategy", "kind", "idea", "source"])


def rules(game: str, edition: str | None = None, rule: Sequence[str] = ()) -> pd.DataFrame:
    """Return the rule switches: ``switch``, ``in_force``, ``choices`` (a tuple), ``says``, ``source``."""
    spec = find_game(game)
    loaded = runs.load_edition(spec, edition, rule)
    rows = [(s.key, loaded.rules[s.key], s.choices, s.says, s.source) for s in spec.rule_switches]
    return pd.DataFrame(rows, columns=["switch", "in_force", "choices", "says", "source"])


def cards(game: str, edition: str | None = None, rule: Sequence[str] = ()) -> pd.DataFrame:
    """Return every card, coin, tile and gem of an edition, as text, with ``confidence`` where it is stated."""
    spec = find_game(game)
    return pd.DataFrame(spec.card_rows(runs.load_edition(spec, edition, rule)))


def compare(
    game: str,
    *strategy: str,
    players: int | None = None,
    games: int | None = None,
    precision: str | None = None,
    until_distinguished: bool = False,
    sprt: tuple[str, str] | None = None,
    margin: str | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    withhold: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    seating: str = "rotations",
    keep_games: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
) -> Run:
    """Play strategies against each other.

    Parameters
    ----------
    game : str
        ``nidavellir`` or ``reavers``.
    *strategy : str
        One or more; fewer than seats repeat in turn.
    players : int, optional
        Seats; one for each strategy by default.
    games : int, optional
        Rounded up to whole blocks; 100,000 by default. With a rule that stops the run, the most: 10 million by default.
    precision, until_distinguished, sprt, margin
        Rules that stop a run when it has enough, written as for ``tafl compare``: ``precision="0.1%"``,
        ``sprt=("planner", "greedy"), margin="1%"``.
    seed : int, optional
        Of all luck; fresh if none is given, and in ``manifest["seed"]``.
    out : path, optional
        A new run folder; one under ``runs/`` by default.
    edition, rule, withhold, strategy_file, seating, keep_games, threads, cluster
        As the options of ``tafl compare``.

    Returns
    -------
    Run

    Raises
    ------
    TaflError
        With the sentence that the command would say.
    """
    until = stopping.asked(precision, until_distinguished, sprt, margin)
    wanted = runs.choose(game, strategy, players, edition, rule, strategy_file, withheld=withhold)
    if games is None:
        games = GAMES_BY_DEFAULT if until is None else stopping.MOST_GAMES
    numbers = (games, seed, seating, out, keep_games, None, until)
    runs.check_numbers(wanted, *numbers)
    setup = runs.make_ready(wanted)
    with runs.begin_run(setup, *numbers) as store:
        return _played(setup, store, threads, cluster)


def _played(setup: runs.Setup, store: RunStore, threads: int | None, cluster: str | None) -> Run:
    return Run(store.folder, runs.play(setup, store, threads, cluster=cluster))


def resume(run: PathLike, threads: int | None = None, cluster: str | None = None) -> Run:
    """Go on with a run that was interrupted."""
    wanted, store = runs.go_on(run)
    with store:
        return _played(runs.make_ready(wanted), store, threads, cluster)


def load(run: PathLike) -> Run:
    """Return a run that was played before, complete or as far as it got."""
    return Run(Path(run), load_result(run))


def merge(out: PathLike, *shard: PathLike) -> Run:
    """Put the shards of a run together in a new folder."""
    return load(put_together(Path(out), [Path(folder) for folder in shard], default_threads()))


def confirm(
    run: Run | PathLike,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    threads: int | None = None,
    cluster: str | None = None,
) -> tuple[pd.DataFrame, Run]:
    """Play a run's line-up again on fresh luck, and say which claims of its winner hold.

    Returns
    -------
    pandas.DataFrame
        One row a claim; columns as in ``analysis.tables.COLUMNS["claims"]``.
    Run
        The games on fresh luck.
    """
    first = load(run) if not isinstance(run, Run) else run
    wanted, store = confirmation.begin(first.folder, games, seed, out)
    with store:
        fresh = _played(runs.make_ready(wanted), store, threads, cluster)
    return frame("claims", confirmation.rows(confirmation.judge(first.result, fresh.result))), fresh


def tournament(
    game: str,
    *strategy: str,
    players: int,
    lineups: str | None = None,
    games: int | None = None,
    seed: int | None = None,
    out: PathLike | None = None,
    edition: str | None = None,
    rule: Sequence[str] = (),
    withhold: Sequence[str] = (),
    strategy_file: Sequence[PathLike] = (),
    threads: int | None = None,
    cluster: str | None = None,
) -> dict[str, pd.DataFrame]:
    """Play many line-ups of strategies and rate them.

    Parameters
    ----------
    game, *strategy, players, lineups, games, seed, out, edition, rule, withhold, strategy_file, threads, cluster
        As the options of ``tafl tournament``.

    Returns
    -------
    dict of str to pandas.DataFrame
        ``tournament, strategies, places, cross, pairs, cycles, dominance, mix, lineups``; columns as in
        `analysis.tournament_tables.COLUMNS`.
    """
    field, manifest = tournaments.plan(
        game, strategy, players, lineups, games, seed, edition, rule, strategy_file, withheld=withhold
    )
    entrants = tournaments.enter(field, players)
    made = tournaments.create(manifest, field, None if out is None else Path(out))
    held = made.lock()
    try:
        series_play.play(made, tournaments.setups(made.planned, field, entrants), threads, cluster=cluster)
    finally:
        held.release()
    return tournament_tables.tables(tournament_tables.gather(made))


def replay(run: Run | PathLike, number: int, any_engine: bool = False, explain: bool = False) -> Replay:
    """Play one game of a run again; ``lines`` tells it in words, ``events`` event by event."""
    return replay_game(run.folder if isinstance(run, Run) else run, number, any_engine, explain)


def reproduce(run: Run | PathLike, any_engine: bool = False, threads: int | None = None) -> pd.DataFrame:
    """Play a whole run again and compare every byte: ``file``, ``agrees``, ``says``."""
    folder = run.folder if isinstance(run, Run) else run
    found = reproducing.reproduce(folder, None, any_engine, threads)
    return pd.DataFrame([(f.name, f.agrees, f.says) for f in found.files], columns=["file", "agrees", "says"])


def games_saved(run: Run | PathLike, other: Run | PathLike | None = None) -> pd.DataFrame:
    """Return how many independent games one game of shared luck is worth; see `analysis.shared_luck.games_saved`."""
    first, second = (each if isinstance(each, Run) or each is None else load(each) for each in (run, other))
    assert first is not None
    return saved(first.result, None if second is None else second.result)
