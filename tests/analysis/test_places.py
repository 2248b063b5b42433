"""Patterns of places counted by block against plain counting."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import places
from analysis.places import count_places
from simcore.blocks import entrants, seatings


def plainly(place, seating, strategies):
    """Return a Counter of patterns for each block: sorted (strategy, place) pairs."""
    return [
        Counter(
            tuple(sorted((int(strategies[e]), int(p)) for e, p in zip(row, game, strict=True)))
            for row, game in zip(seating, block, strict=True)
        )
        for block in place
    ]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["ab", "aab", "abab", "abc", "cab", "abcd", "aabbc"]), st.integers(1, 30), st.integers(0, 10**6))
def test_patterns_are_counted_by_block(lineup, n_blocks, seed):
    names, seats = entrants(list(lineup))
    seating = seatings(seats)
    strategies = np.array([ord(name) - ord("a") for name in names])
    score = np.random.default_rng(seed).integers(0, 4, (n_blocks, *seating.shape))
    place = 1 + (score[..., None, :] > score[..., :, None]).sum(axis=-1)
    found = count_places(place, seats, seating, strategies)
    by_block = plainly(place, seating, strategies)
    patterns = [tuple(sorted((int(i), int(p)) for i, p in zip(found.items, row, strict=True))) for row in found.places]
    assert len(set(patterns)) == len(patterns)
    assert dict(zip(patterns, found.counts.tolist(), strict=True)) == dict(sum(by_block, Counter()))
    matrix = np.array([[block[pattern] for pattern in patterns] for block in by_block])
    np.testing.assert_array_equal(found.groups, matrix)
    np.testing.assert_array_equal(found.second, matrix.T @ matrix)
    assert (found.n_blocks, found.per_block) == (n_blocks, len(seating))
    for strategy in set(strategies):
        won = np.where(place == 1, 1 / (place == 1).sum(axis=2, keepdims=True), 0)
        own = (strategies[seating] == strategy)[None]
        share = (won * own).sum(axis=(1, 2)) / own.sum()
        mean, centred = found.moments(found.win_share(int(strategy)))
        assert mean == pytest.approx(share.mean())
        assert centred == pytest.approx(((share - share.mean()) ** 2).sum(), abs=1e-9)


def test_many_blocks_are_grouped_in_order(monkeypatch):
    monkeypatch.setattr(places, "MAX_GROUPS", 7)
    seats, seating = np.array([0, 1]), np.array([[0, 1], [1, 0]])
    place = np.random.default_rng(1).permuted(np.tile([1, 2], (50, 2, 1)), axis=2)
    found = count_places(place, seats, seating, np.arange(2))
    assert found.groups.shape == (7, 2)
    group = np.arange(50) * 7 // 50
    assert found.groups.sum(axis=1).tolist() == (2 * np.bincount(group)).tolist()
    monkeypatch.setattr(places, "SLICE", 11)
    again = count_places(place, seats, seating, np.arange(2))
    np.testing.assert_array_equal(again.groups, found.groups)
    np.testing.assert_array_equal(again.second, found.second)
