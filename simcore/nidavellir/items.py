"""What can be withheld, banned or granted in Nidavellir, and who took what in a recorded game.

Items are numbered heroes first, then distinctions by class, card types, starting gems: the compiled engine finds a
hero's number in ``game.edition.n_heroes`` and the others behind it (`granting`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.contract import WAYS, Item, TaflError
from simcore.items import check_copies, check_withheld
from simcore.nidavellir.checks import deck_cards
from simcore.nidavellir.events import (
    CARD_TAKEN,
    DECISION,
    DISTINCTION,
    GEM_DEALT,
    GRANTED,
    HERO_RECRUITED,
    PIONEER_SAW,
    ROUND_STARTS,
)
from simcore.nidavellir.layout import (
    CHOOSE_PIONEER_CARD,
    CLASS_NAMES,
    MAX_CARD_TYPES,
    MAX_PLAYERS,
    N_CLASSES,
    ROYAL_OFFERING,
)

if TYPE_CHECKING:
    from simcore.nidavellir.cards import NidavellirEdition

BLANK_NAME = "blank"
"""What a reader calls the card that lies in the place of a withheld one."""


def items(edition: NidavellirEdition, n_players: int) -> tuple[Item, ...]:
    """Return every hero, distinction, card type and starting gem (see `simcore.contract.GameSpec`).

    A hero that is not on display and a card that is not in the decks of `n_players` are listed, but there is nothing to
    do with them.
    """
    on_display = edition.heroes_in_play()
    decks = {card for age in (1, 2) for card in deck_cards(edition.dwarves, age, n_players)}
    listed = []
    for hero, row in enumerate(edition.heroes):
        name = row["hero_id"]
        if hero in on_display:
            listed.append(Item("hero", f"hero:{name}", row["name"], WAYS, f"hero_{name.replace('-', '_')}"))
        else:
            listed.append(Item("hero", f"hero:{name}", row["name"], ()))
    for c, name in enumerate(CLASS_NAMES):
        title = edition.distinction_names[c]
        listed.append(Item("distinction", f"distinction:{name}", title, WAYS, f"distinction_{name}"))
    for card, row in enumerate(edition.dwarves):
        title = edition.card_names[card]
        if row["age"] != "distinction":
            five = ", five players" if row["count_min_players"] == 5 else ""
            title += f" (age {row['age']}{five})"
        ways = ("withheld", "granted") if card in decks else ()
        listed.append(Item("card", f"card:{row['card_id']}", title, ways))
    for gem in sorted(row["gem"] for row in edition.gems if row[f"in_play_{n_players}p"]):
        listed.append(Item("gem", f"gem:{gem}", f"starting gem {gem}", (), f"starting_gem_{gem}"))
    return tuple(listed)


def check_edition(edition: NidavellirEdition) -> None:
    """Refuse what the edition cannot withhold at any table; at five all cards are in the decks.

    Raises
    ------
    TaflError
    """
    check_withheld(items(edition, MAX_PLAYERS), edition.withheld)
    check_copies(edition.withheld, {f"card:{row['card_id']}": row["copies"] for row in edition.dwarves})
    if _withheld(edition, "card") and len(edition.dwarves) == MAX_CARD_TYPES:
        raise TaflError(
            f"no card can be withheld from an edition of {MAX_CARD_TYPES} kinds: there is no room for a blank."
        )


def _withheld(edition: NidavellirEdition, kind: str) -> list[str]:
    """Return the names of the withheld items of a kind, as the tables have them."""
    parted = [item_id.partition(":") for item_id in edition.withheld]
    return [name for what, _, name in parted if what == kind]


def withhold(edition: NidavellirEdition, table: Any) -> None:
    """Take what is withheld out of the filled ``game.edition``.

    A withheld hero is not on display, a withheld distinction goes to nobody. One copy of a card for each mention gives
    its place in the deck to a blank: a royal offering that adds nothing, so that a strategy sees a card it knows.
    """
    for name in _withheld(edition, "hero"):
        table.hero_in_play[edition.heroes.column("hero_id").index(name)] = 0
    for name in _withheld(edition, "distinction"):
        table.distinction_withheld[CLASS_NAMES.index(name)] = 1
    cards = [edition.dwarves.column("card_id").index(name) for name in _withheld(edition, "card")]
    if cards:
        _blank_cards(cards, table)


def _blank_cards(cards: Iterable[int], table: Any) -> None:
    blank = int(table.n_card_types)
    table.n_card_types = blank + 1
    table.blank_card = blank
    table.card_class[blank] = ROYAL_OFFERING
    for card in cards:
        for age in (1, 2):
            places = np.flatnonzero(table.deck[age, : table.n_deck[age]] == card)
            if len(places):
                table.deck[age, places[0]] = blank
                table.card_copies[age, card] -= 1
                table.card_copies[age, blank] += 1


def takings(edition: NidavellirEdition, n_players: int, events: np.ndarray) -> np.ndarray:
    """Return who took which item when, of one recorded game (see `simcore.contract.GameSpec`).

    Parameters
    ----------
    events : int64[n_events, EVENT_SIZE]
        See `simcore.nidavellir.events`.

    Returns
    -------
    int64[n, 3]
        Seat, item, round. A distinction and the Pioneer's card belong to the last round of age 1; starting gems and
        granted heroes and cards to round 0. Blanks are no items.
    """
    kind = events[:, 0]
    rounds = np.cumsum(kind == ROUND_STARTS)
    n_heroes, n_cards = len(edition.heroes), len(edition.dwarves)
    first_card = n_heroes + N_CLASSES
    gems = np.array(sorted(row["gem"] for row in edition.gems if row[f"in_play_{n_players}p"]))
    pioneer = (kind == DECISION) & (events[:, 2] == CHOOSE_PIONEER_CARD)
    if np.count_nonzero(kind == PIONEER_SAW) == 1:  # forced, and so not asked
        pioneer = kind == PIONEER_SAW
    seat, item = events[:, 1].copy(), np.full(len(events), -1)
    dealt = kind == GEM_DEALT
    item[dealt] = first_card + n_cards + np.searchsorted(gems, events[dealt, 2])
    for happened, field, first in (
        (kind == HERO_RECRUITED, 2, 0),
        (kind == CARD_TAKEN, 3, first_card),
        (pioneer, 2 if (kind[pioneer] == PIONEER_SAW).any() else 5, first_card),
        ((kind == GRANTED) & (events[:, 2] >= first_card), 2, 0),
    ):
        item[happened] = first + events[happened, field]
    won = (kind == DISTINCTION) & (events[:, 2] >= 0)
    seat[won], item[won] = events[won, 2], n_heroes + events[won, 1]
    item[(item == first_card + n_cards) & ~dealt] = -1  # the blank
    taken = item >= 0
    return np.stack([seat[taken], item[taken], rounds[taken]], axis=1)
