"""How games unfold: who leads after each round and what it is worth, from a sample of the run played again.

The sample is a run's first blocks, `simcore.unfolding.SAMPLE_GAMES` games or what the run has. The standing after a
round is what the result would be, had the game ended there: the score as final scoring counts it. ``low`` and ``high``
are the ends of 95 % intervals from the blocks of the sample. The winners share a game, and those in front the lead, 1/k
each. The numbers lie in the run's folder, so that they can be read without playing.

    found = unfolding.course(load_result("runs/first"))
    found["half_time_leader_wins"].interval.estimate, found["half_time_leader_wins"].n_games
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import runs
from analysis import tables as run_tables
from analysis.intervals import BY_CONSTRUCTION, LEVEL, ONCE, Interval, Looking, mean_interval, share_of_blocks
from analysis.sequential import looking_at
from analysis.tables import REAL, STAND_INS, TEXT, WHOLE, frame, stand_in_note
from simcore import disk
from simcore.contract import WIN_UNITS, Column
from simcore.games import find_game
from simcore.manifest import MANIFEST_NAME, digest, engine_digest
from simcore.runner import default_threads
from simcore.store import STRATEGIES_NAME
from simcore.unfolding import Sample, pack, play_sample, sample_blocks, unpack
from strategies.loading import has_own_code

SAMPLE_NAME = "unfolding.npz"
"""The sample's sums in a run's folder."""

_OF_SAMPLE = [
    ("n_games", WHOLE, "games of the sample"),
    ("n_blocks", WHOLE, "blocks of the sample"),
    ("note", TEXT, "empty, or why an interval is missing or a number certain"),
]
COLUMNS: dict[str, list[tuple[str, str, str]]] = {
    "by_round": [
        ("strategy", TEXT, "name of the entrant; all numbers are per copy"),
        ("round", WHOLE, "after this round, from 1"),
        (
            "measure",
            TEXT,
            "identifier; `score` and its parts as if the game ended there; `lead`: leads, shared ones 1/k",
        ),
        ("group", TEXT, "measures shown together"),
        ("title", TEXT, "what a reader sees"),
        ("unit", TEXT, "of mean, se, low and high"),
        ("mean", REAL, "per game of the sample"),
        ("se", REAL, "standard error of the mean, from blocks"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        *_OF_SAMPLE,
    ],
    "leaders": [
        ("round", WHOLE, "after this round, from 1"),
        ("leader_wins", REAL, "games won by who led then; shared leads and shared wins count 1/k each"),
        ("leader_wins_se", REAL, "its standard error, from blocks"),
        ("leader_wins_low", REAL, ""),
        ("leader_wins_high", REAL, ""),
        ("decided", REAL, "share of games that this round decided: the first after which the winners lead to the end"),
        ("decided_low", REAL, ""),
        ("decided_high", REAL, ""),
        ("decided_by", REAL, "share of games decided by this round or an earlier one"),
        ("decided_by_low", REAL, ""),
        ("decided_by_high", REAL, ""),
        *_OF_SAMPLE,
    ],
    "lead_changes": [
        ("changes", WHOLE, "times that somebody led alone after a round who was not the last to do so"),
        ("share", REAL, "of games with so many changes"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        *_OF_SAMPLE,
    ],
    "course": [
        ("quantity", TEXT, "half_time_leader_wins: share of games; lead_changes: a game; deciding_round: its number"),
        ("mean", REAL, ""),
        ("se", REAL, "standard error of the mean, from blocks"),
        ("low", REAL, ""),
        ("high", REAL, ""),
        *_OF_SAMPLE,
    ],
}
"""Table -> its columns: name, pandas dtype, meaning and unit."""


@dataclass(frozen=True)
class Known:
    """A number of a sample: its interval, and the games and blocks that it rests on."""

    interval: Interval
    n_games: int
    n_blocks: int


# --- the sample ---


def keep_sample(result: Any, setup: runs.Setup | None = None) -> None:
    """Play a complete run's sample and keep it in its folder, unless it is there or cannot be had.

    Parameters
    ----------
    result : simcore.store.RunResult
    setup : Setup, optional
        The line-up made ready, if it is. Without it, nothing is played of a run of another tafl (games could be others)
        or with strategies that do not ship with this one: a report can be written without running what is in a run.

    Raises
    ------
    TaflError
        If it cannot be written.
    """
    if not result.complete or not find_game(result.manifest["game"]).standing_columns or sample_of(result):
        return
    if setup is None:
        is_other = result.manifest["engine"] != engine_digest(result.manifest["game"])
        if is_other or has_own_code(result.folder / STRATEGIES_NAME):
            return
        setup = runs.make_ready(runs.choose_again(result.folder, result.manifest))
    plan = setup.plan(result.manifest["seating"], result.manifest["seed"])
    n_blocks = sample_blocks(int(result.n_blocks), int(result.games_per_block))
    sample = play_sample(plan, n_blocks, default_threads())
    with disk.on(result.folder, "write to"):
        disk.write_whole(result.folder / SAMPLE_NAME, pack(sample, _identity(result.folder)))


def sample_of(result: Any) -> Sample | None:
    """Return the sample that a run's folder holds, or None."""
    if result.folder is None or not (result.folder / SAMPLE_NAME).is_file():
        return None
    with disk.on(result.folder, "read"):
        return unpack((result.folder / SAMPLE_NAME).read_bytes(), _identity(result.folder))


def _identity(folder: Path) -> str:
    return digest((folder / MANIFEST_NAME).read_bytes())


def _looking(result: Any, sample: Sample) -> Looking:
    """Return how a sample is looked at: once, since its size is fixed; a run that stopped before it was full, as that.

    A rule that stops a run later has no say in it: the sample is always of the first blocks.
    """
    planned = sample_blocks(int(result.manifest["n_blocks"]), int(result.games_per_block))
    return ONCE if sample.n_blocks == planned else looking_at(result)


# --- what it says ---


def half_time(n_rounds: int) -> int:
    """Return the round after which half of a game is over."""
    return n_rounds // 2


def course(result: Any) -> dict[str, Known]:
    """Return what is known of the course of a run's games in brief; empty where there is no sample.

    Parameters
    ----------
    result : simcore.store.RunResult

    Returns
    -------
    dict of str to Known
        ``half_time_leader_wins``: share of games won by who leads after half of the rounds. ``lead_changes``: changes
        of the lead in a game. ``deciding_round``: its number, from 1.
    """
    sample = sample_of(result)
    return {} if sample is None else course_of(sample, _looking(result, sample))


def course_of(sample: Sample, looking: Looking = ONCE) -> dict[str, Known]:
    """Return the same of a sample."""
    of = _Shares(sample, looking)
    half = half_time(sample.n_rounds)
    found = {} if half < 1 else {"half_time_leader_wins": of.share("leader_wins", half - 1, WIN_UNITS**2)}
    found |= {"lead_changes": of.mean("n_changes"), "deciding_round": of.mean("deciding_round")}
    n_games = sample.n_blocks * sample.games_per_block
    return {name: Known(interval, n_games, sample.n_blocks) for name, interval in found.items()}


@dataclass(frozen=True)
class _Shares:
    """Intervals of a sample's sums that are counted once a game."""

    sample: Sample
    looking: Looking

    def share(self, name: str, place: int, unit: int = 1) -> Interval:
        total, square = (int(getattr(self.sample, key)[place]) for key in (name, f"{name}_square"))
        sample = self.sample
        return share_of_blocks(total, square, sample.n_blocks, sample.games_per_block, unit, LEVEL, self.looking)

    def mean(self, name: str) -> Interval:
        total, square = (int(getattr(self.sample, key)[0]) for key in (name, f"{name}_square"))
        return mean_interval(total, square, self.sample.n_blocks, self.sample.games_per_block, LEVEL, self.looking)


def tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return all tables of a run: those of `analysis.tables`, and where there is a sample `unfolding_tables`."""
    return run_tables.tables(result) | unfolding_tables(result)


def unfolding_tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return what a run's sample says; empty where there is none.

    Parameters
    ----------
    result : simcore.store.RunResult

    Returns
    -------
    dict of str to pandas.DataFrame
        ``by_round, leaders, lead_changes, course``; columns as in `COLUMNS`.
    """
    sample = sample_of(result)
    if sample is None:
        return {}
    columns = find_game(result.manifest["game"]).standing_columns
    if sample.total.shape[-1] != len(columns):  # of another tafl
        return {}
    found = tables_of(sample, columns, result.names, result.copies, _looking(result, sample))
    for table in found.values():
        table.attrs[STAND_INS] = stand_in_note(result.manifest)
    return found


def tables_of(
    sample: Sample, columns: tuple[Column, ...], names: tuple[str, ...], copies: Any, looking: Looking = ONCE
) -> dict[str, pd.DataFrame]:
    """Return the tables of a sample.

    Parameters
    ----------
    sample : Sample
    columns : tuple of Column
        What was followed.
    names : tuple of str
        Entrants, by number.
    copies : int64[n_entrants]
        Seats of each.
    looking : Looking
    """
    of = {"n_games": sample.n_blocks * sample.games_per_block, "n_blocks": sample.n_blocks}
    makers = {
        "by_round": _by_round(sample, columns, names, copies, looking),
        "leaders": _leaders(sample, looking),
        "lead_changes": _lead_changes(sample, looking),
        "course": _course(sample, looking),
    }
    return {name: frame(name, [row | of for row in rows], COLUMNS) for name, rows in makers.items()}


def _by_round(
    sample: Sample, columns: tuple[Column, ...], names: tuple[str, ...], copies: Any, looking: Looking
) -> Iterator[dict[str, Any]]:
    for entrant, name in enumerate(names):
        per_block = sample.games_per_block * int(copies[entrant])
        for number, column in enumerate(columns):
            for at in range(sample.n_rounds):
                total, square = (int(sums[entrant, at, number]) for sums in (sample.total, sample.total_square))
                if column.name != "lead":
                    found = mean_interval(total, square, sample.n_blocks, per_block, LEVEL, looking)
                elif len(names) == 1:  # somebody leads every game, and everybody plays the same strategy
                    fair = total / (sample.n_blocks * per_block * WIN_UNITS)
                    found = Interval(fair, 0.0, fair, fair, BY_CONSTRUCTION)
                else:
                    found = share_of_blocks(total, square, sample.n_blocks, per_block, WIN_UNITS, LEVEL, looking)
                yield {
                    "strategy": name,
                    "round": at + 1,
                    "measure": column.name,
                    "group": column.group,
                    "title": column.title,
                    "unit": "share of games" if column.name == "lead" else column.unit,
                    **_ends(found, "mean"),
                }


def _leaders(sample: Sample, looking: Looking) -> Iterator[dict[str, Any]]:
    of = _Shares(sample, looking)
    for at in range(sample.n_rounds):
        wins = of.share("leader_wins", at, WIN_UNITS**2)
        decided = {name: of.share(name, at) for name in ("decided", "decided_by")}
        if at == sample.n_rounds - 1:
            decided["decided_by"] = Interval(1.0, 0.0, 1.0, 1.0, BY_CONSTRUCTION)
        yield {
            "round": at + 1,
            **_ends(wins, "leader_wins", "leader_wins_"),
            **{k: v for name, one in decided.items() for k, v in _ends(one, name, f"{name}_").items() if k != "note"},
            "note": wins.note,
        }


def _lead_changes(sample: Sample, looking: Looking) -> Iterator[dict[str, Any]]:
    """Yield a row for each number of changes up to the largest that was seen."""
    most = int(sample.changes.nonzero()[0].max(initial=0))
    for changes in range(most + 1):
        found = _Shares(sample, looking).share("changes", changes)
        yield {"changes": changes, **_ends(found, "share")}


def _course(sample: Sample, looking: Looking) -> Iterator[dict[str, Any]]:
    for name, known in course_of(sample, looking).items():
        yield {"quantity": name, **_ends(known.interval, "mean")}


def _ends(found: Interval, estimate: str, prefix: str = "") -> dict[str, Any]:
    """Return an interval as columns, and why it is missing."""
    ends = {f"{prefix}{end}": getattr(found, end) for end in ("se", "low", "high")}
    return {estimate: found.estimate, **ends, "note": found.note}
