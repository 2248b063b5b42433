"""Exact sums over blocks: all that a run remembers of its games, in fixed memory, for any game.

Everything is an int64 and additive, so sums of any two sets of blocks may be added in any order and give the same bits:
results do not depend on threads, chunks or interruptions. From them come means, spreads, standard errors by
block, paired differences and histograms.

Bounds. Let ``|x| <= 2**15`` be the values of a game's rows, `g` the games of a block and `s` the seats of a table. An
entrant's block value is at most ``2**15 * g * s``, so a chunk of `MAX_CHUNK_GAMES` = 2**20 games adds at most
``2**50 * g * s**2`` to a block square, which fits int64 while ``g * s**2 < 8192`` (120 games of five seats: 3000).
Across chunks `Sums.add` looks: squares cannot be negative, so one that is has overflowed; plain and crossed sums are
bounded by the squares (Cauchy and Schwarz). With scores near 100 and 20 seats in a block a run may have 10**10 blocks.

Values times wins are up to 60 times as large. Their block squares are kept in two parts, `LIMB` bits and the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simcore.accel import contained_kernel, kernel
from simcore.contract import Column, DataError

MAX_CHUNK_GAMES = 1 << 20
"""Games that may be added up without looking for overflow."""

MAX_SQUARE = 1 << 57
"""Game squares stay below, so that sums of value times win (at most 60 times) fit as well."""

LIMB = 24
"""Bits of the lower part of a square that is kept in two: each part has room for 10**11 blocks."""

MAX_PRODUCT = 2.0**62
"""A crossed sum whose bound by the squares is larger may have overflowed."""

STRETCH_ENDS = np.array([1, *(m << k for k in range(40) for m in (2, 3))], np.int64)
"""Numbers of blocks after which the wins so far are told: 1, 2, 3, 4, 6, 8, 12... What comes later is one stretch."""

WIN_COLUMN = "win"
SCORE_COLUMN = "score"


class SumArrays(NamedTuple):
    """The sums, in the order in which they lie in `Sums.vector`.

    `e` is an entrant, `m` a measure, `f` a flag, `h` a histogram. Wins are in sixtieths. A *block value* is the sum
    over the block's games and over the entrant's seats in them.

    Attributes
    ----------
    n_blocks, n_games : int64[1]
        Blocks and games added up.
    total : int64[e, m]
        Sum of the values.
    total_won : int64[e, m]
        Sum of value times win.
    game_square : int64[e, m]
        Sum of squared values, for the spread between games.
    block_square : int64[e, m]
        Sum over blocks of squared block values, for the standard error.
    won_square_high, won_square_low : int64[e, m]
        Sum over blocks of squared *won values*, in two parts: ``square >> LIMB`` and the rest. A won value is the sum
        of value times win over the block's games and the entrant's seats.
    won_value, won_win, value_win : int64[e, m]
        Sums over blocks of products: won value and block value, won value and wins, block value and wins. With the
        squares they tell how sure the means of won and of lost games are.
    course_n : int64[stretch]
        Blocks by stretch of the run. Stretch `i` holds those up to ``STRETCH_ENDS[i]``, from where the last one ended.
    course_win, course_square : int64[e, stretch]
        Sums over their blocks of wins and of squared wins: how the win share settled while the run went on.
    win_cross, score_cross : int64[e, e]
        Sum over blocks of the product of two entrants' block values, for paired differences.
    flag_n, flag_win, flag_score : int64[e, f]
        Seat-games with the flag; their wins; their scores.
    flag_nn, flag_ww, flag_nw, flag_nt, flag_wt : int64[e, f]
        Sums over blocks of products: `n` seat-games with the flag, `w` wins with the flag, `t` the entrant's wins.
    table_nn, table_ww, table_nw : int64[f]
        The same products with `n` and `w` of all seats of the table together.
    hist_n, hist_won : int64[e, h, bin]
        Seat-games by value, and their wins. Bin ``i`` is the value ``low + i``; values beyond lie in the end bins.
    """

    n_blocks: np.ndarray
    n_games: np.ndarray
    total: np.ndarray
    total_won: np.ndarray
    game_square: np.ndarray
    block_square: np.ndarray
    won_square_high: np.ndarray
    won_square_low: np.ndarray
    won_value: np.ndarray
    won_win: np.ndarray
    value_win: np.ndarray
    course_n: np.ndarray
    course_win: np.ndarray
    course_square: np.ndarray
    win_cross: np.ndarray
    score_cross: np.ndarray
    flag_n: np.ndarray
    flag_win: np.ndarray
    flag_score: np.ndarray
    flag_nn: np.ndarray
    flag_ww: np.ndarray
    flag_nw: np.ndarray
    flag_nt: np.ndarray
    flag_wt: np.ndarray
    table_nn: np.ndarray
    table_ww: np.ndarray
    table_nw: np.ndarray
    hist_n: np.ndarray
    hist_won: np.ndarray


class SumsLayout:
    """Which column is summed where.

    Parameters
    ----------
    columns : sequence of Column
        The game's columns; one called ``win`` and one called ``score`` are among them.
    n_entrants : int
        Distinct strategies of the line-up.

    Attributes
    ----------
    measures, flags, histograms : tuple of Column
        All columns that are not flags; the flags; the measures with ``high > low``. In the order of the columns.
    win, score : int
        Their numbers among the measures.
    n_bins : int
        Bins of every histogram: of the widest.
    """

    def __init__(self, columns: Sequence[Column], n_entrants: int):
        self.columns = tuple(columns)
        self.n_entrants = n_entrants
        self.measures = tuple(c for c in self.columns if c.kind != "flag")
        self.flags = tuple(c for c in self.columns if c.kind == "flag")
        self.histograms = tuple(c for c in self.measures if c.high > c.low)
        self.n_bins = max((c.high - c.low + 1 for c in self.histograms), default=0)
        self.win = self.measure_number(WIN_COLUMN)
        self.score = self.measure_number(SCORE_COLUMN)

    def measure_number(self, name: str) -> int:
        """Return the number of a measure (its place on the `m` axis)."""
        return [c.name for c in self.measures].index(name)

    def flag_number(self, name: str) -> int:
        """Return the number of a flag (its place on the `f` axis)."""
        return [c.name for c in self.flags].index(name)

    def histogram_number(self, name: str) -> int:
        """Return the number of a histogram (its place on the `h` axis)."""
        return [c.name for c in self.histograms].index(name)

    @cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of each of the `SumArrays`."""
        e, m, f = self.n_entrants, len(self.measures), len(self.flags)
        h = len(self.histograms)
        stretches = len(STRETCH_ENDS)
        special = {"n_blocks": (1,), "n_games": (1,), "win_cross": (e, e), "score_cross": (e, e)}
        special |= {"course_n": (stretches,), "course_win": (e, stretches), "course_square": (e, stretches)}
        by_prefix = {"flag": (e, f), "tabl": (f,), "hist": (e, h, self.n_bins)}
        return {name: special.get(name) or by_prefix.get(name[:4], (e, m)) for name in SumArrays._fields}

    @cached_property
    def size(self) -> int:
        """Integers of one `Sums`."""
        return sum(int(np.prod(shape)) for shape in self.shapes.values())

    @cached_property
    def slots(self) -> tuple[np.ndarray, ...]:
        """int64 arrays for the kernel: slots of measures, of flags; slot, low and high of histograms; of win, score."""
        return (
            np.array([c.slot for c in self.measures], np.int64),
            np.array([c.slot for c in self.flags], np.int64),
            np.array([(c.slot, c.low, c.high) for c in self.histograms], np.int64).reshape(-1, 3),
            np.array([self.win, self.score], np.int64),
        )


class Sums(Mapping[str, np.ndarray]):
    """One set of sums: ``sums["total"]`` and so on (see `SumArrays`), all views of one `vector`.

    Parameters
    ----------
    layout : SumsLayout
        Names and shapes.
    vector : int64[layout.size], optional
        Taken as it is; zeros by default.
    """

    def __init__(self, layout: SumsLayout, vector: np.ndarray | None = None):
        self.layout = layout
        self.vector = np.zeros(layout.size, np.int64) if vector is None else vector
        views = []
        first = 0
        for shape in layout.shapes.values():
            stop = first + int(np.prod(shape))
            views.append(self.vector[first:stop].reshape(shape))
            first = stop
        self.arrays = SumArrays(*views)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in SumArrays._fields:
            raise KeyError(name)
        array: np.ndarray = getattr(self.arrays, name)
        return array

    def __iter__(self) -> Iterator[str]:
        return iter(SumArrays._fields)

    def __len__(self) -> int:
        return len(SumArrays._fields)

    def clear(self) -> None:
        """Start again from zero."""
        self.vector[:] = 0

    def copy(self) -> Sums:
        """Return sums of their own."""
        return Sums(self.layout, self.vector.copy())

    def add(self, other: Sums) -> None:
        """Add another set of blocks to this one.

        Raises
        ------
        DataError
            If the sums no longer fit 64 bits.
        """
        self.vector += other.vector
        names = ("block_square", "game_square", "won_square_high", "won_square_low", "flag_nn", "flag_ww")
        if (
            any(self[name].size and self[name].min() < 0 for name in names)
            or self._too_large(self.arrays.game_square)
            or self._largest_product() >= MAX_PRODUCT
        ):
            raise DataError(
                "the sums of this run no longer fit 64 bits: play fewer games in one run, or values nearer to zero."
            )

    def won_square(self, entrant: int, measure: int) -> int:
        """Return the sum over blocks of an entrant's squared won values."""
        high, low = self.arrays.won_square_high, self.arrays.won_square_low
        return (int(high[entrant, measure]) << LIMB) + int(low[entrant, measure])

    def _largest_product(self) -> float:
        """Return what bounds the sums of won values times block values, which are no smaller than wins."""
        won_square = self.arrays.won_square_high * 2.0**LIMB + self.arrays.won_square_low
        square = self.arrays.block_square.astype(float)
        others = np.maximum(square, square[:, [self.layout.win]])
        return float(np.sqrt(won_square * others).max(initial=0.0))

    @staticmethod
    def _too_large(array: np.ndarray) -> bool:
        return bool(array.size) and int(array.max()) >= MAX_SQUARE

    def add_blocks(self, rows: np.ndarray, seating: np.ndarray, first_block: int) -> None:
        """Add blocks of games.

        Parameters
        ----------
        rows : int64[n_blocks, n_games, n_seats, n_slots]
            Result rows of whole blocks.
        seating : int64[n_games, n_seats]
            The entrant in each seat of each game of a block.
        first_block : int
            Number of the first block, counted from 0.
        """
        add_blocks_nb(self.arrays, *self.layout.slots, self._scratch, rows, seating, first_block)

    @cached_property
    def _scratch(self) -> tuple[np.ndarray, ...]:
        """What `add_blocks_nb` counts a block in, all zero between blocks: kernels make no arrays of their own."""
        e, m, f = self.layout.n_entrants, len(self.layout.measures), len(self.layout.flags)
        return tuple(np.zeros(shape, np.int64) for shape in ((e, m), (e, m), (e, f), (e, f), f, f, f + 1))


def fold(layout: SumsLayout, parts: Iterable[Sums]) -> Sums:
    """Return the sum of all parts."""
    folded = Sums(layout)
    for part in parts:
        folded.add(part)
    return folded


@kernel
def add_blocks_nb(
    sums: Any,
    measure_slot: Any,
    flag_slot: Any,
    histogram: Any,
    win_score: Any,
    scratch: Any,
    rows: Any,
    seating: Any,
    first_block: int,
) -> None:
    """Add blocks to `sums` (`SumArrays`); the last three as in `Sums.add_blocks`, the rest `SumsLayout.slots`."""
    n_blocks, n_games, n_seats, _ = rows.shape
    n_measures = measure_slot.shape[0]
    n_flags = flag_slot.shape[0]
    win_slot = measure_slot[win_score[0]]
    score_slot = measure_slot[win_score[1]]
    value, won, with_flag, won_with_flag, _, _, raised = scratch
    n_entrants = value.shape[0]
    game_square, flag_score = sums.game_square, sums.flag_score
    hist_n, hist_won = sums.hist_n, sums.hist_won
    course_n, course_win, course_square = sums.course_n, sums.course_win, sums.course_square
    stretch = 0
    for block in range(n_blocks):
        while stretch < STRETCH_ENDS.shape[0] - 1 and first_block + block >= STRETCH_ENDS[stretch]:
            stretch += 1
        value[:] = 0
        won[:] = 0
        for game in range(n_games):
            for seat in range(n_seats):
                entrant = seating[game, seat]
                row = rows[block, game, seat]
                win = row[win_slot]
                for m in range(n_measures):
                    x = row[measure_slot[m]]
                    value[entrant, m] += x
                    game_square[entrant, m] += x * x
                if win != 0:
                    for m in range(n_measures):
                        won[entrant, m] += row[measure_slot[m]] * win
                n_raised = 0
                for f in range(n_flags):  # listed without a branch, as no processor guesses which flags are raised
                    raised[n_raised] = f
                    n_raised += row[flag_slot[f]] != 0
                for i in range(n_raised):
                    f = raised[i]
                    with_flag[entrant, f] += 1
                    won_with_flag[entrant, f] += win
                    flag_score[entrant, f] += row[score_slot]
                for h in range(histogram.shape[0]):
                    x = min(max(row[histogram[h, 0]], histogram[h, 1]), histogram[h, 2]) - histogram[h, 1]
                    hist_n[entrant, h, x] += 1
                    hist_won[entrant, h, x] += win
        _close_block_nb(sums, win_score, value, won)
        _close_flags_nb(sums, win_score, scratch)
        course_n[stretch] += 1
        for entrant in range(n_entrants):
            wins = value[entrant, win_score[0]]
            course_win[entrant, stretch] += wins
            course_square[entrant, stretch] += wins * wins
    sums.n_blocks[0] += n_blocks
    sums.n_games[0] += n_blocks * n_games


@contained_kernel
def _close_block_nb(sums: Any, win_score: Any, value: Any, won: Any) -> None:
    """Add a block's values and their products."""
    n_entrants, n_measures = value.shape
    win = win_score[0]
    score = win_score[1]
    total, block_square = sums.total, sums.block_square
    for entrant in range(n_entrants):
        for m in range(n_measures):
            x = value[entrant, m]
            total[entrant, m] += x
            block_square[entrant, m] += x * x
        _close_won_nb(sums, entrant, value[entrant, win], value, won)
        for other in range(n_entrants):
            sums.win_cross[entrant, other] += value[entrant, win] * value[other, win]
            sums.score_cross[entrant, other] += value[entrant, score] * value[other, score]


@contained_kernel
def _close_flags_nb(sums: Any, win_score: Any, scratch: Any) -> None:
    """Add a block's flags and the products of their counts, each entrant's and the table's, and clear the counts."""
    value, _, with_flag, won_with_flag, all_with_flag, all_won, raised = scratch
    n_entrants, n_flags = with_flag.shape
    for entrant in range(n_entrants):
        t = value[entrant, win_score[0]]
        n_raised = 0
        for f in range(n_flags):  # listed first: of a flag that nobody raised there is nothing to add
            raised[n_raised] = f
            n_raised += with_flag[entrant, f] != 0
        for i in range(n_raised):
            f = raised[i]
            n = with_flag[entrant, f]
            w = won_with_flag[entrant, f]
            sums.flag_n[entrant, f] += n
            sums.flag_win[entrant, f] += w
            sums.flag_nn[entrant, f] += n * n
            sums.flag_ww[entrant, f] += w * w
            sums.flag_nw[entrant, f] += n * w
            sums.flag_nt[entrant, f] += n * t
            sums.flag_wt[entrant, f] += w * t
            all_with_flag[f] += n
            all_won[f] += w
            with_flag[entrant, f] = 0
            won_with_flag[entrant, f] = 0
    for f in range(n_flags):
        n = all_with_flag[f]
        w = all_won[f]
        sums.table_nn[f] += n * n
        sums.table_ww[f] += w * w
        sums.table_nw[f] += n * w
        all_with_flag[f] = 0
        all_won[f] = 0


@contained_kernel
def _close_won_nb(sums: Any, entrant: int, wins: int, value: Any, won: Any) -> None:
    """Add an entrant's won values of a block and their products."""
    total_won, high, low = sums.total_won, sums.won_square_high, sums.won_square_low
    won_value, won_win, value_win = sums.won_value, sums.won_win, sums.value_win
    if wins == 0:  # all of these are 0 then
        return
    for m in range(value.shape[1]):
        x = value[entrant, m]
        y = won[entrant, m]
        square = y * y
        total_won[entrant, m] += y
        high[entrant, m] += square >> LIMB
        low[entrant, m] += square & ((1 << LIMB) - 1)
        won_value[entrant, m] += y * x
        won_win[entrant, m] += y * wins
        value_win[entrant, m] += x * wins
