"""What can be withheld, banned or granted in Reavers of Midgard, and who took what in a recorded game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.contract import Item
from simcore.items import check_withheld

if TYPE_CHECKING:
    from simcore.reavers.cards import ReaversEdition


def items(edition: ReaversEdition, n_players: int) -> tuple[Item, ...]:
    """Return every item (see `simcore.contract.GameSpec`)."""
    return ()


def check_edition(edition: ReaversEdition) -> None:
    """Refuse what the edition cannot withhold.

    Raises
    ------
    TaflError
    """
    check_withheld(items(edition, 2), edition.withheld)
