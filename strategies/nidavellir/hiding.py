"""What a Nidavellir strategy must not know, and how to shuffle it: for the conformance checks, never for a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.nidavellir.layout import N_COINS, N_TAVERNS, POUCH, UNKNOWN_PLACE


def reshuffle_hidden(game: Any, hidden: Any, seat: int, chance: np.random.Generator) -> None:
    """Change everything that `seat` cannot know, keeping what the table has seen (rules 4.3, 9.5).

    Parameters
    ----------
    game : GAME record
        Left as it is.
    hidden : HIDDEN record
        Changed: the order of the undealt cards, the rivals' face-down coins, every other stream of luck and all that is
        the rivals' own.
    seat : int
        The seat that decides.
    chance : numpy.random.Generator
        Where the new order comes from.
    """
    deck = hidden["deck"]
    first, stop = int(hidden["next_card"]), int(hidden["n_deck"])
    deck[first:stop] = chance.permutation(deck[first:stop])
    hidden["luck"][:] = chance.integers(0, 2**63, hidden["luck"].shape, np.uint64)
    hidden["seed"] = chance.integers(0, 2**63, dtype=np.uint64)
    hidden["block"] = chance.integers(0, 2**40)
    for other in range(int(game["n_players"])):
        if other == seat:
            continue
        own = hidden["own"][other]
        for name in ("luck", "memory", "param", "option"):
            own[name][:] = chance.integers(0, 2**31, own[name].shape).astype(own[name].dtype)
        _shuffle_bids(game["pl"][other], hidden, other, chance)


def _shuffle_bids(player: Any, hidden: Any, seat: int, chance: np.random.Generator) -> None:
    """Lay the coins whose places nobody has seen somewhere else among the places nobody has seen."""
    if player["has_uline"] == 1:
        return
    unseen = [slot for slot in range(N_COINS) if player["known_place"][slot] == UNKNOWN_PLACE]
    places = [int(hidden["place"][seat, slot]) for slot in unseen]
    for slot, place in zip(unseen, chance.permutation(places), strict=True):
        hidden["place"][seat, slot] = place
        hidden["own"][seat]["place"][slot] = place
        if place < N_TAVERNS and place != POUCH:
            hidden["bid"][seat, place] = slot
            hidden["own"][seat]["bid"][place] = slot
