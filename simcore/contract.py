"""What a game, a strategy and a result column are. Everything above this file speaks in these terms.

A game is a `GameSpec`; a third game needs a folder under ``simcore/`` that defines one, and a line in `simcore.games`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np

WIN_UNITS = 60
"""A won game is counted in sixtieths, so that a win shared by 2, 3, 4 or 5 players stays an exact integer."""

MAX_PARAMS = 64
"""Parameters that a strategy can be given: ``own.param : int64[MAX_PARAMS]``."""

MAX_MEMORY = 192
"""Scratch memory of a strategy within one game: ``own.memory : int64[MAX_MEMORY]``, zero when a game starts."""

FREE_MEMORY = 160
"""From here on shipped strategies leave ``own.memory`` to strategies that are built on them."""

MAX_GRANTS = 4
"""Items that an entrant can be granted at the start."""

MAX_BANNABLE = 62
"""Items that an entrant can be refused come first in a game's list, and are no more than this: one bit each."""

WAYS = ("withheld", "banned", "granted")
"""What can be done with an item: nobody can have it, one entrant may not have it, one entrant gets it at the start."""

CHANGED_OPTION = "a decision changed the option it chose"
"""What an engine raises when a strategy wrote into its options; the runner makes a sentence of it."""

WRONG_ANSWER = "a decision's answer is not the index of an option"
"""What an engine's ValueError says when ``hidden.answer`` is none of the ``hidden.asked_options``."""


UNFINISHED = "unfinished"
"""The flag column of a game that could go on for ever: 1 in every seat's row of a game that its step limit ended.

Such a game has a limit of decisions in its ``play_blocks`` (a strategy that always answers cannot keep it from ending),
scores what is there when the limit is reached, and sets the flag. The game counts like any other; how many there were
is said with every result (`simcore.store.RunResult.n_unfinished`). A game that always ends has no such column.
"""


class TaflError(Exception):
    """Anything a user can mend. The message is one sentence: what is wrong, where, the nearest valid choice."""

    exit_code = 2


class DataError(TaflError):
    """Bad data or a bad strategy: an edition that does not check, a file that cannot be read (exit code 3)."""

    exit_code = 3


class StrategyError(DataError):
    """A strategy that does not compile, raises, or answers nonsense (exit code 3)."""


class UnansweredError(TaflError):
    """A strategy that never answers (exit code 4)."""

    exit_code = 4


@dataclass(frozen=True)
class Decision:
    """One kind of decision.

    Attributes
    ----------
    name : str
        What a strategy's function for it is called.
    options : str
        What ``own.option[:n_options]`` holds.
    says : str
        When it is taken.
    """

    name: str
    options: str
    says: str


@dataclass(frozen=True)
class Column:
    """One column of a game's result rows (one row for each seat of each game).

    Attributes
    ----------
    name : str
        Identifier, unique in the game; the column's name in tables and files.
    title : str
        What a reader sees.
    slot : int
        Its place in a result row.
    kind : {'outcome', 'component', 'measure', 'flag'}
        `outcome`: win share, score, margin, place. `component`: parts that add up to the score. `measure`: any other
        number worth a mean. `flag`: 0 or 1, something a player had or had not.
    group : str
        Flags and measures shown together: ``hero``, ``distinction``, ``gem``, ``seat``, ``coins_by_round``...
    unit : str
        ``points``, ``coins``, ``cards``, ``sixtieths of a win``...
    low, high : int
        Bounds of a histogram, both included; equal if none is kept.
    """

    name: str
    title: str
    slot: int
    kind: str
    group: str = ""
    unit: str = ""
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Item:
    """Something of a game whose worth can be asked for. Its place in `GameSpec.items` is its number.

    Attributes
    ----------
    kind : str
        ``hero``, ``card``, ``location``...
    item_id : str
        ``hero:uline``: what a user writes. Unique in the game.
    title : str
        What a reader sees.
    ways : tuple of str
        Which of `WAYS` are possible.
    column : str
        The flag column that says who had it; empty if there is none.
    """

    kind: str
    item_id: str
    title: str
    ways: tuple[str, ...]
    column: str = ""


@dataclass(frozen=True)
class Provenance:
    """How many rows of an edition's tables rest on what."""

    sourced: int
    inferred: int
    assumed: int

    def sentence(self) -> str:
        """Return the line that is shown wherever results built on the edition are."""
        total = self.sourced + self.inferred + self.assumed
        if self.inferred == 0 and self.assumed == 0:
            return f"All {total} table rows are sourced."
        return (
            f"Of {total} table rows {100 * self.sourced / total:.0f} % are sourced, "
            f"{100 * self.inferred / total:.0f} % inferred and {100 * self.assumed / total:.0f} % assumed (stand-ins)."
        )


class Edition(Protocol):
    """A game's cards, tables and rule switches, read and checked."""

    @property
    def name(self) -> str:
        """What the user called it: a shipped name, or the folder's."""

    @property
    def digest(self) -> str:
        """64 hex digits of SHA-256 over the tables and the switches in force."""

    @property
    def rules(self) -> Mapping[str, str]:
        """Every rule switch with the value in force."""

    @property
    def rows(self) -> Mapping[str, Sequence[Any]]:
        """File name -> the table's rows that are in force, each a `simcore.tables.Row`."""

    @property
    def withheld(self) -> tuple[str, ...]:
        """Ids of the items that nobody can have."""

    @property
    def files(self) -> Mapping[str, str]:
        """File name -> text: what a run folder keeps so that the run can be repeated."""

    @property
    def provenance(self) -> Provenance:
        """How much of it is sourced."""


@dataclass(frozen=True)
class RuleSwitch:
    """A rule on which the sources disagree, or which one may want to vary. `choices[0]` is the default."""

    key: str
    choices: tuple[str, ...]
    says: str
    source: str


@dataclass(frozen=True)
class GameSpec:
    """A game, as the rest of the program sees it.

    Attributes
    ----------
    game_id, title : str
        ``nidavellir``, ``Nidavellir``.
    min_players, max_players : int
        Table sizes.
    decisions : tuple of Decision
        In the order of their numbers.
    rule_switches : tuple of RuleSwitch
        See `RuleSwitch`.
    presets : mapping
        Preset name -> switches that differ from the defaults.
    game_dtype, own_dtype, hidden_dtype : numpy.dtype
        The records of ``layout.py``: public, one seat's own, what no strategy sees.
    n_slots : int
        Length of a result row.
    load_edition : callable
        ``(name or folder, {switch: value}, withheld=()) -> Edition``; `withheld` are ids of items.
    fill_edition : callable
        ``(edition, n_players, game_record)``: writes the tables into ``game_record`` (and clears the rest).
    columns : callable
        ``(edition, n_players) -> tuple of Column``.
    play_blocks : callable
        Compiled: see `simcore.nidavellir.game.play_blocks_nb`.
    narrate, events_as_json : callable
        ``(edition, events, seat_names, worths) -> list``: the lines, or the dictionaries, of one game; `worths`
        is None, or what the options were worth to those who chose (`simcore.weighing`).
    cards, rules_in_words : callable
        ``edition -> pandas-free rows`` for ``tafl cards`` and ``tafl rules``.
    schemas : tuple of simcore.tables.Schema
        The columns of the tables.
    data_folder : pathlib.Path
        The tables that ship.
    items : callable
        ``(edition, n_players) -> tuple of Item``, the same order at every table size; see `simcore.items`.
    takings : callable
        ``(edition, n_players, events) -> int64[n, 3]``: seat, item number and round, counted over the whole game from
        1 (0: set-up), of every item taken in a recorded game, in the order of its events.
    standing_columns : tuple of Column
        What is followed from round to round, the score (`score`) and the share of the lead (`lead`) first; empty if
        nothing is. A game that has them writes, while ``hidden.noting`` is 1, what its result rows would be at the end
        of each round into ``hidden.standing[hidden.n_standings]``.
    """

    game_id: str
    title: str
    min_players: int
    max_players: int
    decisions: tuple[Decision, ...]
    rule_switches: tuple[RuleSwitch, ...]
    presets: Mapping[str, Mapping[str, str]]
    game_dtype: np.dtype
    own_dtype: np.dtype
    hidden_dtype: np.dtype
    n_slots: int
    load_edition: Callable[..., Any]
    fill_edition: Callable[[Any, int, Any], None]
    columns: Callable[[Any, int], tuple[Column, ...]]
    play_blocks: Callable[..., Any]
    narrate: Callable[..., list[str]]
    events_as_json: Callable[..., list[dict[str, Any]]]
    card_rows: Callable[[Any], list[dict[str, str]]]
    schemas: tuple[Any, ...] = ()
    data_folder: Path = field(default=Path())
    items: Callable[[Any, int], tuple[Item, ...]] = lambda edition, n_players: ()
    takings: Callable[[Any, int, np.ndarray], np.ndarray] = lambda edition, n_players, events: np.zeros(
        (0, 3), np.int64
    )
    standing_columns: tuple[Column, ...] = ()

    def filled(self, edition: Any, n_players: int) -> np.ndarray:
        """Return a new game record with an edition's tables in it, as an array of one, the rest zero.

        The tables take a while to write, and a run needs them for every thread and every strategy: the last ones are
        kept.

        Returns
        -------
        game_dtype[1]

        Raises
        ------
        DataError
            As `fill_edition`: the edition is not for so many players, or a table does not fit.
        """
        key = (self.game_id, edition.digest, n_players)
        with _filling:
            if key not in _filled:
                game = np.zeros(1, self.game_dtype)
                self.fill_edition(edition, n_players, game[0])
                while len(_filled) >= MAX_FILLED:
                    _filled.pop(next(iter(_filled)))
                _filled[key] = game
            return _filled[key].copy()

    def table_sizes(self, edition: Any) -> list[int]:
        """Return the numbers of players that an edition has rules for."""
        found = []
        for n_players in range(self.min_players, self.max_players + 1):
            try:
                self.filled(edition, n_players)
            except DataError:
                continue
            found.append(n_players)
        return found

    def decision_number(self, name: str) -> int:
        """Return the number of the decision called `name`."""
        return [d.name for d in self.decisions].index(name)


MAX_FILLED = 32
"""Filled records that are kept."""

_filled: dict[tuple[str, str, int], np.ndarray] = {}
_filling = Lock()


@dataclass(frozen=True)
class Entrant:
    """A strategy made ready for one game, edition and number of players: what the runner seats.

    Attributes
    ----------
    name : str
        The strategy's.
    address : uint64[n_decisions]
        Of its compiled decision functions, for `simcore.accel.call_decision`.
    param : int64[MAX_PARAMS]
        Goes into ``own.param``.
    table : int64[:]
        Its prepared table, may be empty; its address goes into ``own.table``.
    location : tuple of str
        ``file:line`` of each decision's function.
    owners : tuple of object
        Whatever has to stay alive as long as the addresses are in use.
    handicap : int64[1 + MAX_GRANTS]
        One bit for the number of each item that it may not have, then the numbers of the items it is granted,
        ascending, -1 behind them; see `simcore.items.pack_handicap`.
    ships : bool
        Part of the project, whose tests see to it that it leaves its options alone. Any other is watched.
    """

    name: str
    address: np.ndarray
    param: np.ndarray
    table: np.ndarray
    location: tuple[str, ...]
    owners: tuple[Any, ...]
    handicap: np.ndarray = field(default_factory=lambda: no_handicap())
    ships: bool = False


def no_handicap() -> np.ndarray:
    """Return int64[1 + MAX_GRANTS]: nothing banned, nothing granted."""
    return np.array([0] + [-1] * MAX_GRANTS, np.int64)
