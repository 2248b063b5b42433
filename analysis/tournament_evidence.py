"""What a finished tournament's runs hold, and all that is computed of it, each once and when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from analysis import metagame, stability
from analysis.intervals import Interval
from analysis.places import LineupPlaces, read_places
from analysis.ratings import Model, Ratings, rate
from analysis.standings import Meeting, measure_part, meetings, share_interval
from analysis.tournaments import Tournament


@dataclass(frozen=True)
class Evidence:
    """All that a complete tournament's tables are made of."""

    tournament: Tournament
    results: list[Any]
    lineups: list[LineupPlaces]

    @property
    def names(self) -> list[str]:
        """The strategies."""
        return self.tournament.names

    def seated(self, *names: str) -> list[Any]:
        """Return the runs in which all these strategies sit."""
        return [result for result in self.results if all(name in result.names for name in names)]

    @cached_property
    def model(self) -> Model:
        """The rating model of all games."""
        return Model(self.lineups, len(self.names))

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings."""
        return rate(self.model, self.lineups)

    @cached_property
    def meetings(self) -> list[Meeting]:
        """Every pair of strategies."""
        return meetings(self.results, self.names)

    @cached_property
    def shares(self) -> dict[tuple[int, ...], dict[int, Interval]]:
        """Win shares by line-up and strategy, by number."""
        return {
            tuple(one.items.tolist()): {
                self.names.index(name): share_interval([measure_part(result, name, "win")]) for name in result.names
            }
            for result, one in zip(self.results, self.lineups, strict=True)
        }

    @cached_property
    def payoff(self) -> np.ndarray | None:
        """The empirical game, if every line-up was played."""
        shares = {
            lineup: {own: float(interval.estimate or 0.0) for own, interval in found.items()}
            for lineup, found in self.shares.items()
        }
        return metagame.payoff_tensor(shares, len(self.names), self.tournament.n_players)

    @cached_property
    def resampled(self) -> stability.Resampled | None:
        """Everything computed from resampled blocks."""
        seed = int(self.tournament.manifest["seed"])
        return stability.resample(self.model, self.lineups, self.tournament.n_players, seed)

    @cached_property
    def mix(self) -> np.ndarray | None:
        """The equilibrium mix of the empirical game."""
        return None if self.payoff is None else stability.mix_of(self.payoff)


def gather(tournament: Tournament) -> Evidence:
    """Read a tournament's runs.

    Raises
    ------
    DataError
        If it is not finished.
    """
    results = tournament.results()
    return Evidence(tournament, results, [read_places(result, tournament.names) for result in results])
