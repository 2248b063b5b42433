"""The compiled sums against a plain NumPy reference, which knows the definitions and nothing of the kernel."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore.contract import Column, DataError
from simcore.sums import MAX_SQUARE, SumArrays, Sums, SumsLayout, fold

COLUMNS = (
    Column("place", "", 7, "outcome", low=1, high=4),
    Column("win", "", 0, "outcome"),
    Column("hat", "", 6, "flag", "clothes"),
    Column("score", "", 1, "outcome", low=-5, high=20),
    Column("wood", "", 3, "component"),
    Column("coat", "", 2, "flag", "clothes"),
    Column("stone", "", 5, "measure", low=0, high=3),
)
N_SLOTS = 9


def reference(layout, rows, seating, first):
    """Sum everything by its definition (`SumArrays`), with Python's whole numbers."""
    n_blocks, n_games, n_seats, _ = rows.shape
    zeros = {name: np.zeros(shape, object) for name, shape in layout.shapes.items()}
    zeros["n_blocks"][0] = n_blocks
    zeros["n_games"][0] = n_blocks * n_games
    win_slot = next(c.slot for c in layout.columns if c.name == "win")
    score_slot = next(c.slot for c in layout.columns if c.name == "score")
    for b in range(n_blocks):
        n = first + b + 1  # stretches end after 1, 2, 3, 4, 6, 8, 12... blocks
        double = (n - 1).bit_length()
        stretch = 0 if n == 1 else 2 * double - 1 - (4 * n <= 3 * 2**double)
        zeros["course_n"][stretch] += 1
        mine = [
            [rows[b, g, s].astype(object) for g in range(n_games) for s in range(n_seats) if seating[g, s] == e]
            for e in range(layout.n_entrants)
        ]

        def block_value(e, slot, mine=mine):
            return sum(row[slot] for row in mine[e])

        for e in range(layout.n_entrants):
            for m, column in enumerate(layout.measures):
                zeros["total"][e, m] += block_value(e, column.slot)
                zeros["total_won"][e, m] += sum(row[column.slot] * row[win_slot] for row in mine[e])
                zeros["game_square"][e, m] += sum(row[column.slot] ** 2 for row in mine[e])
                zeros["block_square"][e, m] += block_value(e, column.slot) ** 2
            for other in range(layout.n_entrants):
                zeros["win_cross"][e, other] += block_value(e, win_slot) * block_value(other, win_slot)
                zeros["score_cross"][e, other] += block_value(e, score_slot) * block_value(other, score_slot)
            t = block_value(e, win_slot)
            zeros["course_win"][e, stretch] += t
            zeros["course_square"][e, stretch] += t * t
            for m, column in enumerate(layout.measures):
                x = block_value(e, column.slot)
                y = sum(row[column.slot] * row[win_slot] for row in mine[e])
                zeros["won_square_high"][e, m] += y * y // 2**24
                zeros["won_square_low"][e, m] += y * y % 2**24
                zeros["won_value"][e, m] += y * x
                zeros["won_win"][e, m] += y * t
                zeros["value_win"][e, m] += x * t
            for f, column in enumerate(layout.flags):
                having = [row for row in mine[e] if row[column.slot]]
                n, w = len(having), sum(row[win_slot] for row in having)
                score = sum(row[score_slot] for row in having)
                products = {"n": n, "win": w, "score": score, "nn": n * n, "ww": w * w}
                products |= {"nw": n * w, "nt": n * t, "wt": w * t}
                for name, product in products.items():
                    zeros[f"flag_{name}"][e, f] += product
            for h, column in enumerate(layout.histograms):
                for row in mine[e]:
                    value = int(np.clip(row[column.slot], column.low, column.high)) - column.low
                    zeros["hist_n"][e, h, value] += 1
                    zeros["hist_won"][e, h, value] += row[win_slot]
        for f, column in enumerate(layout.flags):
            having = [row for rows_of_e in mine for row in rows_of_e if row[column.slot]]
            n, w = len(having), sum(row[win_slot] for row in having)
            for name, product in {"nn": n * n, "ww": w * w, "nw": n * w}.items():
                zeros[f"table_{name}"][f] += product
    return {name: array.astype(np.int64) for name, array in zeros.items()}


@st.composite
def played(draw):
    n_entrants = draw(st.integers(1, 4))
    n_games = draw(st.integers(1, 3))
    n_seats = draw(st.integers(1, 4))
    n_blocks = draw(st.integers(0, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    seating = rng.integers(0, n_entrants, (n_games, n_seats))
    rows = rng.integers(-30, 31, (n_blocks, n_games, n_seats, N_SLOTS))
    rows[..., 0] = rng.choice([0, 0, 20, 30, 60], rows.shape[:3])
    rows[..., [2, 6]] = rng.integers(0, 2, (*rows.shape[:3], 2))
    return SumsLayout(COLUMNS, n_entrants), rows, seating


@settings(deadline=None, max_examples=60)
@given(played())
def test_compiled_sums_equal_the_reference(case):
    layout, rows, seating = case
    first = int(rows.sum()) % 40
    sums = Sums(layout)
    sums.add_blocks(rows, seating, first)
    for name, expected in reference(layout, rows, seating, first).items():
        np.testing.assert_array_equal(sums[name], expected, err_msg=name)


@settings(deadline=None, max_examples=20)
@given(played(), st.integers(0, 4))
def test_parts_add_up_to_the_whole(case, cut):
    layout, rows, seating = case
    whole, head, tail = Sums(layout), Sums(layout), Sums(layout)
    whole.add_blocks(rows, seating, 5)
    head.add_blocks(rows[:cut], seating, 5)
    tail.add_blocks(rows[cut:], seating, 5 + cut)
    np.testing.assert_array_equal(fold(layout, [tail, head]).vector, whole.vector)


def test_layout_sorts_columns_by_kind_in_their_order():
    layout = SumsLayout(COLUMNS, 2)
    assert [c.name for c in layout.measures] == ["place", "win", "score", "wood", "stone"]
    assert [c.name for c in layout.flags] == ["hat", "coat"]
    assert [c.name for c in layout.histograms] == ["place", "score", "stone"]
    assert layout.n_bins == 26
    assert (layout.win, layout.score) == (1, 2)
    assert (layout.measure_number("wood"), layout.flag_number("coat"), layout.histogram_number("stone")) == (3, 1, 2)
    assert Sums(layout)["hist_n"].shape == (2, 3, 26)


def test_sums_are_a_mapping_of_views():
    sums = Sums(SumsLayout(COLUMNS, 2))
    assert tuple(sums) == SumArrays._fields
    sums["flag_wt"][1, 1] = 5
    assert sums.vector.sum() == 5
    own = sums.copy()
    sums.clear()
    assert own["flag_wt"][1, 1] == 5
    assert not sums.vector.any()
    with pytest.raises(KeyError):
        sums["layout"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("block_square", (1 << 63) - 1),
        ("game_square", MAX_SQUARE - 1),
        ("won_square_low", (1 << 63) - 1),
        ("won_square_high", (1 << 63) - 1),
    ],
)
def test_sums_that_outgrow_64_bits_are_refused(name, value):
    layout = SumsLayout(COLUMNS, 2)
    sums, more = Sums(layout), Sums(layout)
    sums[name][0, 0] = value
    more[name][0, 0] = 1
    with pytest.raises(DataError, match="64 bits"):
        sums.add(more)


def test_products_that_may_have_outgrown_64_bits_are_refused():
    layout = SumsLayout(COLUMNS, 2)
    sums = Sums(layout)
    sums["won_square_high"][1, 3] = 1 << 50
    sums.add(Sums(layout))
    sums["block_square"][1, layout.win] = 1 << 51
    with pytest.raises(DataError, match="64 bits"):
        sums.add(Sums(layout))


def test_a_square_of_two_parts_is_put_together():
    layout = SumsLayout(COLUMNS, 1)
    sums = Sums(layout)
    won = 60 * 9_999_999
    sums.add_blocks(
        np.full((3, 1, 1, N_SLOTS), 1) * [[[[60, 9_999_999, *[0] * (N_SLOTS - 2)]]]], np.zeros((1, 1), np.int64), 0
    )
    assert sums.won_square(0, layout.score) == 3 * won**2


def test_a_game_without_flags_or_histograms_has_sums_too():
    layout = SumsLayout((Column("win", "", 0, "outcome"), Column("score", "", 1, "outcome")), 1)
    sums = Sums(layout)
    sums.add_blocks(np.full((2, 1, 3, 2), 2), np.zeros((1, 3), np.int64), 0)
    assert sums["total"].tolist() == [[12, 12]]
    assert sums["hist_n"].size == 0
