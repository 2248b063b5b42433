"""Items withheld, banned and granted: what a balance test takes out of a game or gives to somebody.

*Withheld* belongs to the edition: nobody can have the item; a withheld card leaves a blank in its place, so that the
rest of the luck stays as it was. *Banned* and *granted* belong to an entrant, its *handicap*: it may not have the item,
or gets it at the start on top of everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from simcore.contract import MAX_BANNABLE, MAX_GRANTS, WAYS, Item, TaflError, no_handicap
from simcore.naming import unknown


def item_number(items: Sequence[Item], item_id: str) -> int:
    """Return the number of an item.

    Raises
    ------
    TaflError
        If there is none of this id, with the nearest.
    """
    ids = [item.item_id for item in items]
    if item_id not in ids:
        raise TaflError(unknown("item", item_id, ids))
    return ids.index(item_id)


def _check_way(items: Sequence[Item], item_id: str, way: str) -> int:
    """Return the number of an item that can be `way`."""
    number = item_number(items, item_id)
    ways = items[number].ways
    if way not in WAYS:
        raise TaflError(unknown("way to treat an item", way, WAYS))
    if way not in ways:
        can = f"it can only be {' or '.join(ways)}" if ways else "it is only counted, or is not in the game"
        raise TaflError(f"{item_id} ({items[number].title}) cannot be {way} at this table: {can}.")
    return number


def check_withheld(items: Sequence[Item], withheld: Sequence[str]) -> None:
    """Refuse what cannot be withheld at a table.

    Parameters
    ----------
    items : sequence of Item
        Of the edition at this number of players.
    withheld : sequence of str
        Ids; a card may be there once for each of its copies.

    Raises
    ------
    TaflError
    """
    for item_id in withheld:
        _check_way(items, item_id, "withheld")


def check_copies(withheld: Sequence[str], copies: Mapping[str, int]) -> None:
    """Refuse an item that is withheld more often than there are copies of it.

    Parameters
    ----------
    withheld : sequence of str
    copies : mapping
        Item id -> copies, where there are more than one.

    Raises
    ------
    TaflError
    """
    for item_id, n in Counter(withheld).items():
        most = copies.get(item_id, 1)
        if n > most:
            raise TaflError(f"{item_id} is withheld {n} times, but there {'is' if most == 1 else 'are'} only {most}.")


def name_without(name: str, items: Sequence[Item], withheld: Sequence[str]) -> str:
    """Return ``official without Uline``; the name itself if nothing is withheld."""
    if not withheld:
        return name
    titles = {item.item_id: item.title for item in items}
    counted = Counter(titles[item_id] for item_id in withheld)
    words = [title if n == 1 else f"{n} x {title}" for title, n in counted.items()]
    return f"{name} without {', '.join(words)}"


def pack_handicap(
    items: Sequence[Item], handicap: Mapping[str, str], withheld: Sequence[str] = (), who: str = ""
) -> np.ndarray:
    """Return a handicap as the engine reads it.

    Parameters
    ----------
    items : sequence of Item
    handicap : mapping
        Item id -> ``banned`` or ``granted``.
    withheld : sequence of str
        What the edition withholds: nobody can be banned from it or granted it.
    who : str
        The strategy, for messages.

    Returns
    -------
    int64[1 + MAX_GRANTS]
        See `simcore.contract.Entrant`.

    Raises
    ------
    TaflError
        An unknown item, a way that is not possible for it, too many grants.
    """
    packed = no_handicap()
    granted = []
    for item_id, way in handicap.items():
        number = _check_way(items, item_id, way)
        if way == "withheld":
            raise TaflError(f"{item_id} cannot be withheld from {who or 'one entrant'}: write banned.")
        if item_id in withheld:
            raise TaflError(f"{item_id} is withheld from this edition: it can be neither banned nor granted as well.")
        if way == "granted":
            granted.append(number)
        elif number >= MAX_BANNABLE:
            raise TaflError(f"{item_id} cannot be banned: only the first {MAX_BANNABLE} items of a game can.")
        else:
            packed[0] |= 1 << number
    if len(granted) > MAX_GRANTS:
        raise TaflError(f"{len(granted)} items are granted to {who or 'one entrant'}; at most {MAX_GRANTS} can be.")
    packed[1 : 1 + len(granted)] = sorted(granted)
    return packed


def check_grants(handicap: np.ndarray, seats: np.ndarray, items: Sequence[Item]) -> None:
    """Refuse an item that two seats of a table would be granted: there may be one of it only.

    Parameters
    ----------
    handicap : int64[n_entrants, 1 + MAX_GRANTS]
    seats : int64[n_seats]
        The entrant of each seat.
    items : sequence of Item

    Raises
    ------
    TaflError
    """
    granted = handicap[seats, 1:]
    numbers, seated = np.unique(granted[granted >= 0], return_counts=True)
    for number in numbers[seated > 1]:
        raise TaflError(
            f"{items[number].item_id} would be granted to two seats of one table: seat the strategy that is granted "
            "it once."
        )
