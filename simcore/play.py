"""One thread's table: a game's records, the strategies' addresses, the rows, and the call of the compiled engine."""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from simcore import blocks
from simcore.accel import BOUNDS_CHECKED
from simcore.contract import (
    CHANGED_OPTION,
    MAX_GRANTS,
    MAX_PARAMS,
    WRONG_ANSWER,
    DataError,
    Entrant,
    GameSpec,
    StrategyError,
    UnansweredError,
)
from simcore.games_file import KeptRows, kept_columns
from simcore.items import check_grants
from simcore.sums import Sums, SumsLayout

ROWS_BYTES = 640 * 1024
"""Rows are added up while they are still in a core's cache."""

SLICE_SECONDS = 0.04
"""A call of the engine cannot be interrupted, so it is kept short."""

PATIENCE = 20.0
"""Seconds that a strategy has for one decision."""


@dataclass(frozen=True)
class Plan:
    """All that decides the rows of a run's games.

    Attributes
    ----------
    spec, edition
        The game.
    entrants : sequence of Entrant
        In the order of `simcore.blocks.entrants`.
    seating : int64[n_games, n_seats]
        See `simcore.blocks.seatings`.
    seed : int
    """

    spec: GameSpec
    edition: Any
    entrants: Sequence[Entrant]
    seating: np.ndarray
    seed: int
    address: np.ndarray = field(init=False)
    param: np.ndarray = field(init=False)
    handicap: np.ndarray = field(init=False)
    tables: tuple[np.ndarray, ...] = field(init=False)
    _prepared: tuple[bytes, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        n_decisions = len(self.spec.decisions)
        address = np.zeros((len(self.entrants), n_decisions), np.uint64)
        param = np.zeros((len(self.entrants), MAX_PARAMS), np.int64)
        handicap = np.zeros((len(self.entrants), 1 + MAX_GRANTS), np.int64)
        for number, entrant in enumerate(self.entrants):
            address[number] = entrant.address
            param[number] = entrant.param
            handicap[number] = entrant.handicap
        check_grants(handicap, self.seating[0], self.spec.items(self.edition, self.n_seats))
        # copies: what a bad strategy writes into its table must not reach the next run of this process
        tables = tuple(np.array(entrant.table, np.int64) for entrant in self.entrants)
        prepared = tuple(table.tobytes() for table in tables)
        made = {"address": address, "param": param, "handicap": handicap, "tables": tables, "_prepared": prepared}
        for name, value in made.items():
            object.__setattr__(self, name, value)

    def check_tables(self) -> None:
        """Refuse what was played if a strategy wrote into its prepared table: it would depend on who played when.

        All threads, games and seats share a strategy's table. Whoever keeps what was played asks first.

        Raises
        ------
        StrategyError
        """
        for entrant, table, prepared in zip(self.entrants, self.tables, self._prepared, strict=True):
            if table.tobytes() != prepared:
                raise StrategyError(
                    f"strategy '{entrant.name}' writes into its prepared table, which all its games share: what it has "
                    "to remember within a game belongs into own.memory."
                )

    @property
    def games_per_block(self) -> int:
        """Games of a block."""
        return int(self.seating.shape[0])

    @property
    def n_seats(self) -> int:
        """Players at the table."""
        return int(self.seating.shape[1])

    def layout(self) -> SumsLayout:
        """Return the layout of the run's sums."""
        return SumsLayout(self.spec.columns(self.edition, self.n_seats), len(self.entrants))

    def kept_rows(self, keep: bool | Sequence[str] = True) -> KeptRows:
        """Return what gathers per-game rows for one thread; `keep` as in the manifest."""
        columns = kept_columns(self.spec.columns(self.edition, self.n_seats), keep)
        return KeptRows(columns, self.games_per_block, self.n_seats)


class Table:
    """The records one thread plays with, allocated once.

    Parameters
    ----------
    plan : Plan
    """

    def __init__(self, plan: Plan):
        spec = plan.spec
        self.plan = plan
        self.game = spec.filled(plan.edition, plan.n_seats)
        self.hidden = np.zeros(1, spec.hidden_dtype)
        self.trusting = not BOUNDS_CHECKED and all(entrant.ships for entrant in plan.entrants)
        self.hidden["trusting"] = self.trusting
        shape = (plan.games_per_block, plan.n_seats, spec.n_slots)
        self.max_blocks = max(1, ROWS_BYTES // (8 * int(np.prod(shape))))
        self.rows = np.zeros((self.max_blocks, *shape), np.int64)
        self.n_table = np.array([table.size for table in plan.tables], np.int64)
        self.table = np.array([table.ctypes.data if table.size else 0 for table in plan.tables], np.uint64)
        self.slice_blocks = 1
        self.n_calls = 0
        self.playing = False

    def play(self, first_block: int, n_blocks: int) -> np.ndarray:
        """Play up to `max_blocks` blocks.

        Returns
        -------
        int64[n_blocks, n_games, n_seats, n_slots]
            Result rows; overwritten by the next call.

        Raises
        ------
        StrategyError
            If a strategy raises or answers nonsense.
        """
        rows = self.rows[:n_blocks]
        self._call(self.plan.seating, first_block, 0, n_blocks, rows)
        return rows

    def play_one(self, block: int, game_in_block: int) -> tuple[np.ndarray, np.ndarray]:
        """Play one game with recording on and return copies of its events and its rows ``int64[n_seats, n_slots]``."""
        self.hidden["recording"] = 1
        self.hidden["trusting"] = 0
        self.hidden["n_events"] = 0
        rows = self.rows[:1, :1]
        self._call(self.plan.seating[game_in_block : game_in_block + 1], block, game_in_block, 1, rows)
        self.hidden["recording"] = 0
        self.hidden["trusting"] = self.trusting
        n_events = int(self.hidden["n_events"][0])
        events = self.hidden["event"][0]
        if n_events > len(events):
            raise DataError(
                f"{self.game_in_words()} has {n_events} events, more than the {len(events)} that can be recorded."
            )
        return events[:n_events].copy(), rows[0, 0].copy()

    def play_standings(self, block: int, slots: Sequence[int]) -> np.ndarray:
        """Play one block again and return how its games stood at the end of each round.

        Parameters
        ----------
        block : int
        slots : sequence of int
            Places of a result row that are wanted.

        Returns
        -------
        int64[n_games, n_rounds, n_seats, n_wanted]
            What the result rows would hold, had the game ended after that round; after the last one, what they do hold.
        """
        games = []
        self.hidden["noting"] = 1
        for game in range(self.plan.games_per_block):
            self.hidden["n_standings"] = 0
            rows = self.rows[:1, :1]
            self._call(self.plan.seating[game : game + 1], block, game, 1, rows)
            noted = self.hidden["standing"][0, : int(self.hidden["n_standings"][0]), : self.plan.n_seats]
            noted[-1] = rows[0, 0]  # what is left to do after the last round (rule 8.1 of Nidavellir) counts in it
            games.append(noted[:, :, slots])
        self.hidden["noting"] = 0
        return np.stack(games)

    def add(self, sums: Sums, first_block: int, stop_block: int, kept: KeptRows | None = None) -> int:
        """Play one short slice of the blocks, add it to `sums` and return the block to go on with.

        Parameters
        ----------
        sums : Sums
        first_block, stop_block : int
        kept : KeptRows, optional
            Takes the rows as well.
        """
        n_blocks = min(self.slice_blocks, self.max_blocks, stop_block - first_block)
        start = time.perf_counter()
        rows = self.play(first_block, n_blocks)
        if kept is not None:
            kept.add(rows, first_block)
        sums.add_blocks(rows, self.plan.seating, first_block)
        seconds = max(time.perf_counter() - start, 1e-6)
        wanted = max(1, int(n_blocks * min(2.0, SLICE_SECONDS / seconds)))
        self.slice_blocks = min(self.max_blocks, wanted)
        return first_block + n_blocks

    def _call(self, seating: np.ndarray, first_block: int, first_game: int, n_blocks: int, rows: np.ndarray) -> None:
        plan = self.plan
        self.n_calls += 1
        self.playing = True
        try:
            with np.errstate(
                over="ignore"
            ):  # the interpreted generator wraps on purpose; the setting is a thread's own
                plan.spec.play_blocks(
                    self.game,
                    self.hidden,
                    plan.address,
                    plan.param,
                    self.table,
                    self.n_table,
                    plan.handicap,
                    seating,
                    np.uint64(plan.seed),
                    first_block,
                    first_game,
                    n_blocks,
                    rows,
                )
        except Exception as error:
            raise self._strategy_error(error) from error
        finally:
            self.playing = False

    def state(self) -> tuple[int, ...] | None:
        """Return what changes while decisions are answered, or None while no game is being played."""
        if not self.playing:
            return None
        hidden = self.hidden
        return (self.n_calls, *(int(hidden[name][0]) for name in ("n_decisions", "block", "game_in_block")))

    def game_in_words(self) -> str:
        """Return ``game 17`` of the game being played."""
        block, game = int(self.hidden["block"][0]), int(self.hidden["game_in_block"][0])
        return f"game {block * self.plan.games_per_block + game}"

    def who_is_asked(self) -> str:
        """Return the strategy, its file and line and the decision that were asked last."""
        game, seat = int(self.hidden["game_in_block"][0]), int(self.hidden["asked_seat"][0])
        number = int(self.hidden["asked_decision"][0])
        entrant = self.plan.entrants[int(self.plan.seating[game, seat])]
        return f"strategy '{entrant.name}' ({entrant.location[number]}), asked to {self._decision()}"

    def _decision(self) -> str:
        name = self.plan.spec.decisions[int(self.hidden["asked_decision"][0])].name
        return name.replace("_", " ") if name.startswith("choose_") else f"decide '{name}'"

    def _strategy_error(self, error: Exception) -> StrategyError:
        where = f"{self.who_is_asked()} in {self.game_in_words()}"
        if str(error) == WRONG_ANSWER:
            answer, n_options = int(self.hidden["answer"][0]), int(self.hidden["asked_options"][0])
            return StrategyError(
                f"{where}, answered {answer}, which is no option: it had {n_options}, numbered 0 to {n_options - 1}."
            )
        if str(error) == CHANGED_OPTION:
            return StrategyError(f"{where}, changed its options: own.option is only to be read.")
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        return StrategyError(f"{where}, raised {words}{_raised_at(error)}.")


def _raised_at(error: Exception) -> str:
    """Return where a strategy's ``raise`` stands; nothing for what has none, such as a division by zero."""
    frames = traceback.extract_tb(error.__traceback__)
    if len(frames) < 2:
        return ""
    return f" (line {frames[-1].lineno} of {Path(frames[-1].filename).name})"


class Watch:
    """Notices a table whose strategy has not answered for too long.

    Parameters
    ----------
    patience : float
        Seconds.
    """

    def __init__(self, patience: float = PATIENCE):
        self.patience = patience
        self._seen: dict[int, tuple[tuple[int, ...] | None, float]] = {}

    def look(self, tables: Sequence[Table]) -> UnansweredError | None:
        """Return what to say about the first table that is stuck, if any. Call it a few times a second."""
        now = time.monotonic()
        for number, table in enumerate(tables):
            state = table.state()
            last, since = self._seen.get(number, (None, now))
            if state is None or state != last:
                self._seen[number] = (state, now)
            elif now - since >= self.patience:
                return UnansweredError(
                    f"{table.who_is_asked()} in {table.game_in_words()}, has not answered for {now - since:.0f} "
                    "seconds, and compiled code cannot be stopped from outside: the process ends here. Finished "
                    "blocks are kept."
                )
        return None


def leave(error: UnansweredError) -> NoReturn:
    """Print the sentence and end the process: what is left to do when a strategy never answers."""
    print(f"error: {error}", file=sys.stderr, flush=True)
    os._exit(error.exit_code)


def warm_up(plan: Plan) -> float:
    """Compile the engine and the sums, or load them from the cache; return the seconds it took."""
    start = time.perf_counter()
    table = Table(plan)
    rows = table.play(0, 0)
    Sums(plan.layout()).add_blocks(rows, plan.seating, 0)
    plan.kept_rows().add(rows, 0)
    return time.perf_counter() - start


def replay(
    spec: GameSpec,
    edition: Any,
    entrants: Sequence[Entrant],
    seating: np.ndarray,
    seed: int,
    game_number: int,
    patience: float = PATIENCE,
    abandon: Callable[[UnansweredError], Any] = leave,
) -> tuple[np.ndarray, np.ndarray]:
    """Play one game of a run again, with its events.

    Parameters
    ----------
    spec, edition, entrants, seating, seed
        As in `Plan`.
    game_number : int
        0 and up.
    patience, abandon
        As in `simcore.runner.play_run`.

    Returns
    -------
    events : int64[n_events, EVENT_SIZE]
        As the game's ``events.py`` describes them.
    rows : int64[n_seats, n_slots]
        The same rows that counted in the run.

    Raises
    ------
    StrategyError
        If a strategy raises or answers nonsense.
    DataError
        If there is no such game, or it has more events than the buffer holds.
    """
    if not 0 <= game_number < blocks.MAX_GAMES:
        raise DataError(f"there is no game {game_number}: games are numbered from 0.")
    plan = Plan(spec, edition, entrants, seating, seed)
    table = Table(plan)
    table.play(0, 0)  # compiled before the watch begins
    outcome: list[Any] = []

    def work() -> None:
        try:
            outcome.append(table.play_one(*blocks.game_place(game_number, plan.games_per_block)))
        except Exception as error:
            outcome.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    watch = Watch(patience)
    while thread.is_alive():
        thread.join(0.05)
        stuck = watch.look([table])
        if stuck is not None:
            abandon(stuck)
    if isinstance(outcome[0], Exception):
        raise outcome[0]
    events, rows = outcome[0]
    return events, rows
