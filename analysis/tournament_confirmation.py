"""What a tournament says of its winner, tried again on fresh luck: the same line-ups, other seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis import runs, tournaments
from analysis.confirmation import Claim, Verdict, decide, one_sided
from analysis.intervals import Interval
from analysis.runs import Choice
from analysis.standings import Meeting
from analysis.tournament_evidence import Evidence
from analysis.tournaments import Tournament
from simcore.contract import TaflError

__all__ = ["begin", "claims", "judge"]


def claims(evidence: Evidence) -> list[Claim]:
    """Return which strategies the one with the best rating beats beyond doubt.

    Raises
    ------
    TaflError
        If it beats none beyond doubt.
    """
    ratings = [float(value) for value in evidence.ratings.rating]
    winner = evidence.names[ratings.index(max(ratings))]
    found = [Claim(winner, _rival(m, winner)) for m in evidence.meetings if m.winner == winner]
    if not found:
        raise TaflError(
            f"the tournament '{evidence.tournament.folder}' says nothing of its winner beyond chance, so there is "
            "nothing to confirm: play more games instead."
        )
    return found


def _rival(meeting: Meeting, winner: str) -> str:
    return meeting.b if meeting.a == winner else meeting.a


def lead(evidence: Evidence, claim: Claim) -> tuple[Interval, float | None]:
    """Return the lead that a claim is about, and the one-sided p value of no lead."""
    meeting = next(m for m in evidence.meetings if {m.a, m.b} == {claim.winner, claim.rival})
    difference = meeting.difference if meeting.a == claim.winner else meeting.difference.turned()
    return difference, one_sided(meeting.p, difference.estimate)


def judge(first: Evidence, fresh: Evidence) -> list[Verdict]:
    """Return which claims of a tournament hold in another one of the same line-ups on fresh luck."""
    found = claims(first)
    return decide(found, [lead(first, claim)[0] for claim in found], [lead(fresh, claim) for claim in found])


def begin(
    first: Tournament, n_games: int | None = None, seed: int | None = None, out: Path | None = None
) -> tuple[Choice, Tournament]:
    """Make the folder of a tournament that confirms another: its line-ups, edition and strategies, other luck.

    Parameters
    ----------
    first : Tournament
    n_games : int, optional
        In all; as many as it played by default.
    seed : int, optional
        Must not be its own; fresh if none is given.
    out : path, optional
        A new folder.

    Raises
    ------
    TaflError
        If the seed is its own, or the folder exists.
    """
    own = int(first.manifest["seed"])
    if seed == own:
        raise TaflError(
            f"seed {seed} is the tournament's own, and the same luck confirms nothing: choose another --seed."
        )
    while seed is None or seed == own:
        seed = runs.fresh_seed()
    field = tournaments.field_again(first)
    lineups = [tuple(one["lineup"]) for one in first.manifest["lineups"]]
    manifest: dict[str, Any] = {
        **{key: value for key, value in first.manifest.items() if key != "files"},
        **tournaments.planned(lineups, first.manifest["n_games"] if n_games is None else n_games, seed),
        "confirms": str(first.folder),
    }
    return field, tournaments.create(manifest, field, out)
