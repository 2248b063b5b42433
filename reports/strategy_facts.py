"""What a page says of each strategy: its idea, its source, and its own parameters, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

FEW = 6
"""So many parameters are shown at once; more are folded."""


@dataclass(frozen=True)
class StrategyFacts:
    """A strategy as a page describes it.

    Attributes
    ----------
    name, kind, idea, source : str
    files : list of str
    like : str
        A strategy described before, whose parameters it shares but for `params`; empty if it stands for itself.
    params : mapping
        The parameters to be listed: all, or those that differ from those of `like`.
    n_params : int
        How many it has.
    """

    name: str
    kind: str
    idea: str
    source: str
    files: list[str]
    like: str
    params: Mapping[str, Any]
    n_params: int

    @property
    def folded(self) -> bool:
        """Whether its parameters are too many to be shown at once."""
        return len(self.params) > FEW


def strategy_facts(entrants: Sequence[Mapping[str, Any]]) -> list[StrategyFacts]:
    """Return what is said of the strategies of a manifest, in its order.

    A strategy that has the parameters of one before it, and most of them with the same values, lists only its own.
    """
    found: list[StrategyFacts] = []
    for number, entrant in enumerate(entrants):
        params = entrant["params"]
        like, own = "", dict(params)
        for other in entrants[:number]:
            theirs = other["params"]
            differ = {key: value for key, value in params.items() if theirs.get(key) != value}
            if set(theirs) == set(params) and len(differ) < min(len(own), len(params) / 2):
                like, own = str(other["name"]), differ
        said = {key: str(entrant[key]) for key in ("name", "kind", "idea", "source")}
        found.append(StrategyFacts(**said, files=list(entrant["files"]), like=like, params=own, n_params=len(params)))
    return found
