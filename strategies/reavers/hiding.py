"""What a Reavers strategy must not know, and how to shuffle it: for the conformance checks, never for a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.reavers.layout import KEEP_DECK, N_DECKS, N_STACKS, PROPHECY_DECK, VILLAGE_DECK


def reshuffle_hidden(game: Any, hidden: Any, seat: int, chance: np.random.Generator) -> None:
    """Change everything that `seat` cannot know, keeping what the table has seen (section 15 of the rules).

    Parameters
    ----------
    game : GAME record
        Left as it is.
    hidden : HIDDEN record
        Changed: the order of decks and territory stacks, the rivals' unseen cards, every other stream of luck and all
        that is the rivals' own.
    seat : int
        The seat that decides.
    chance : numpy.random.Generator
        Where the new order comes from.
    """
    _swap_unseen_cards(game, hidden, seat, chance)
    for deck in range(N_DECKS):
        n = int(game["n_deck"][deck])
        hidden["deck"][deck, :n] = chance.permutation(hidden["deck"][deck, :n])
    if not game["edition"]["rewards_open"]:
        for stack in range(N_STACKS):
            n = int(game["n_stack"][stack])
            hidden["stack"][stack, :n] = chance.permutation(hidden["stack"][stack, :n])
        n = int(hidden["n_claimed"])
        hidden["claimed"][:n] = chance.permutation(hidden["claimed"][:n])
    for name in ("luck", "deck_luck", "crew_luck", "combat_luck", "market_luck"):
        hidden[name][:] = chance.integers(0, 2**63, hidden[name].shape, np.uint64)
    hidden["seed"] = chance.integers(0, 2**63, dtype=np.uint64)
    hidden["block"] = chance.integers(0, 2**40)
    for other in range(int(game["n_players"])):
        if other == seat:
            continue
        own = hidden["own"][other]
        for name in ("luck", "memory", "param", "option"):
            own[name][:] = chance.integers(0, 2**31, own[name].shape).astype(own[name].dtype)


def _swap_unseen_cards(game: Any, hidden: Any, seat: int, chance: np.random.Generator) -> None:
    """Exchange cards that rivals drew unseen for cards of the decks."""
    for other in range(int(game["n_players"])):
        if other == seat:
            continue
        player, own = game["pl"][other], hidden["own"][other]
        _swap(hidden, game, PROPHECY_DECK, own["prophecy"], player["prophecy_seen"], chance)
        first_keep = int(game["edition"]["first_keep_spoils"])
        for deck, part in ((VILLAGE_DECK, slice(0, first_keep)), (KEEP_DECK, slice(first_keep, None))):
            offset = part.start
            _swap(hidden, game, deck, own["spoils"][part], player["spoils_seen"][part], chance, offset)


def _swap(hidden: Any, game: Any, deck: int, has: Any, seen: Any, chance: np.random.Generator, offset: int = 0) -> None:
    n_deck = int(game["n_deck"][deck])
    for card in np.flatnonzero(has > seen):
        if n_deck == 0:
            return
        place = int(chance.integers(0, n_deck))
        drawn = int(hidden["deck"][deck, place]) - offset
        if deck != PROPHECY_DECK and game["edition"]["spoils_kept"][drawn + offset] == 0:
            continue  # it would not lie unseen in a Glory pile
        has[card] -= 1
        has[drawn] += 1
        hidden["deck"][deck, place] = card + offset
