"""Line-ups, seatings and game numbers, as properties over all small line-ups."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcore import blocks
from simcore.contract import TaflError

lineups = st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=5)


def test_fewer_strategies_than_seats_repeat_in_turn():
    assert blocks.fill_lineup(["A", "B"], 4) == ("A", "B", "A", "B")
    assert blocks.fill_lineup(["A", "B", "C"], 5) == ("A", "B", "C", "A", "B")
    assert blocks.fill_lineup(["A"], 2) == ("A", "A")


@pytest.mark.parametrize(("names", "words"), [([], "at least one"), (list("ABC"), "3 strategies do not fit")])
def test_a_lineup_that_cannot_be_is_refused(names, words):
    with pytest.raises(TaflError, match=words):
        blocks.fill_lineup(names, 2)


@given(lineups)
def test_entrants_are_distinct_and_seats_spell_the_lineup(lineup):
    names, seats = blocks.entrants(lineup)
    assert len(set(names)) == len(names)
    assert [names[e] for e in seats] == lineup
    assert blocks.copies(seats).tolist() == [lineup.count(name) for name in names]


@given(lineups, st.sampled_from(blocks.SEATING_MODES))
def test_seatings_are_distinct_orders_of_the_lineup(lineup, mode):
    _, seats = blocks.entrants(lineup)
    seating = blocks.seatings(seats, mode)
    assert seating.dtype == np.int64
    assert len({tuple(row) for row in seating.tolist()}) == len(seating)
    assert all(sorted(row) == sorted(seats.tolist()) for row in seating.tolist())
    assert seats.tolist() in seating.tolist()


@given(lineups, st.sampled_from(["rotations", "all"]))
def test_every_entrant_sits_in_every_seat_equally_often(lineup, mode):
    names, seats = blocks.entrants(lineup)
    seating = blocks.seatings(seats, mode)
    copies = blocks.copies(seats)
    for seat in range(len(lineup)):
        times = Counter(seating[:, seat].tolist())
        for entrant in range(len(names)):
            assert times[entrant] * len(lineup) == copies[entrant] * len(seating)


@pytest.mark.parametrize(
    ("lineup", "mode", "n_games"),
    [
        ("ABCD", "rotations", 4),
        ("ABAB", "rotations", 2),
        ("AAAA", "rotations", 1),
        ("AABB", "rotations", 4),
        ("ABCD", "all", 24),
        ("ABAB", "all", 6),
        ("ABCDE", "all", 120),
        ("ABCD", "fixed", 1),
    ],
)
def test_number_of_games_in_a_block(lineup, mode, n_games):
    assert len(blocks.seatings(blocks.entrants(lineup)[1], mode)) == n_games


def test_rotations_turn_the_lineup_round_the_table():
    assert blocks.seatings(np.array([0, 1, 2])).tolist() == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_an_unknown_seating_names_the_choices():
    with pytest.raises(TaflError, match=r"'rotation'.*rotations, fixed, all"):
        blocks.seatings(np.array([0, 1]), "rotation")


@given(st.integers(1, 10**12), st.integers(1, 120))
def test_games_are_rounded_up_to_whole_blocks(n_games, per_block):
    n_blocks = blocks.n_blocks_for(n_games, per_block)
    assert (n_blocks - 1) * per_block < n_games <= n_blocks * per_block
    block, game = blocks.game_place(n_games - 1, per_block)
    assert block < n_blocks
    assert block * per_block + game == n_games - 1
    assert game < per_block


@pytest.mark.parametrize("n_games", [0, -3, 1 << 63])
def test_numbers_of_games_that_cannot_be_are_refused(n_games):
    with pytest.raises(TaflError, match="number of games"):
        blocks.n_blocks_for(n_games, 4)


@given(st.integers(1, 40), st.sets(st.integers(0, 39)))
def test_missing_blocks_are_exactly_those_in_no_range(n_blocks, done):
    done = {block for block in done if block < n_blocks}
    spans = [(block, block + 1) for block in sorted(done)]
    left = [block for first, stop in blocks.missing(spans, 0, n_blocks) for block in range(first, stop)]
    assert left == [block for block in range(n_blocks) if block not in done]
