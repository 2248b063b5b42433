"""Games whose places are drawn from the Davidson-Luce model, with luck that the games of a block share; plain code."""

from __future__ import annotations

import itertools

import numpy as np

from analysis.places import LineupPlaces, count_places
from simcore.blocks import entrants, seatings


def all_places(n):
    """Every way in which `n` may be placed: competition ranking, ties share the better place."""
    found = []
    for scores in itertools.product(range(n), repeat=n):
        places = tuple(1 + sum(other > own for other in scores) for own in scores)
        if places not in found:
            found.append(places)
    return found


def chance(places, strength, delta):
    """Probability of these places: one choice after the other, each among all sets that could have been chosen."""
    left = list(range(len(places)))
    result = 1.0
    while left:
        best = min(places[i] for i in left)
        chosen = [i for i in left if places[i] == best]
        total = 0.0
        for size in range(1, len(left) + 1):
            for subset in itertools.combinations(left, size):
                total += delta.get(size, 0.0) * np.prod([strength[i] for i in subset]) ** (1 / size)
        result *= delta.get(len(chosen), 0.0) * np.prod([strength[i] for i in chosen]) ** (1 / len(chosen)) / total
        left = [i for i in left if i not in chosen]
    return float(result)


def draw(items, log_strength, delta, n_blocks, seed, shared=0.0) -> LineupPlaces:
    """Return the places of a line-up's games.

    `items`: the strategy of each seat. In a share `shared` of the blocks all games end alike: each game for itself
    still follows the model. `delta`: size of a choice -> weight; 1 for size 1.
    """
    luck = np.random.default_rng(seed)
    names, seats = entrants([str(i) for i in items])
    seating = seatings(seats)
    n_games, n_seats = seating.shape
    patterns = np.array(all_places(n_seats))
    by_strategy = [int(names[seat]) for seat in np.sort(seats)]
    odds = np.array([chance(p, np.exp(np.array(log_strength)[by_strategy]), {1: 1.0, **delta}) for p in patterns])
    picked = luck.choice(len(patterns), size=(n_blocks, n_games), p=odds / odds.sum())
    alike = luck.random(n_blocks) < shared
    picked[alike] = picked[alike, :1]
    by_item = patterns[picked]
    place = np.zeros_like(by_item)
    for game, row in enumerate(seating):
        place[:, game, np.argsort(row, kind="stable")] = by_item[:, game]
    return count_places(place, seats, seating, np.array([int(name) for name in names]))


def field(lineups, log_strength, delta, n_blocks, seed, shared=0.0):
    """Return the places of several line-ups, each with luck of its own."""
    return [draw(items, log_strength, delta, n_blocks, [seed, i], shared) for i, items in enumerate(lineups)]
