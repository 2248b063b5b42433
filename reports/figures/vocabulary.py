"""What a game's flags mean beyond their group: which of them count as a set."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class FlagSet:
    """Flags that matter together: how many of them a player has, not which.

    Attributes
    ----------
    group : str
        Of the flags.
    prefix : str
        With which their names begin.
    measure : str
        The measure that counts them; its title is the set's.
    title : str
        What a row that stands for any one of them is called.
    counted : str
        The group of flags that say how many of them a player has, from none up.
    """

    group: str
    prefix: str
    measure: str
    title: str
    counted: str

    def holds(self, flag: str) -> bool:
        """Return whether a flag is one of the set."""
        return flag.startswith(self.prefix)


SETS = (FlagSet("hero", "hero_dwerg_", "n_brothers", "each Dwerg brother (mean)", "brothers"),)
COUNTS = frozenset(one.counted for one in SETS)
"""Groups that are shown with the set that they count."""


def sets_of(group: str, measures: Iterable[str]) -> list[FlagSet]:
    """Return the sets of a group whose measure there is."""
    known = set(measures)
    return [s for s in SETS if s.group == group and s.measure in known]
