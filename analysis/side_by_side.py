"""Several runs of a game side by side: what their common strategies did in each, and the differences between the runs.

Win shares are compared above the fair share (1 divided by the players), so that tables of different sizes can stand
side by side. A difference is a run minus the first run that has the strategy. How its interval is made depends on the
luck of the two:

other seeds
    The runs are independent and their variances add up. Means: Welch's interval (Welch 1947), with the degrees of
    freedom of Satterthwaite. Win shares: the square-and-add interval of the two score intervals (Newcombe 1998, method
    10), whose p value agrees with it.
the same seed, players and blocks, both with per-game rows
    Block by block the runs have the same luck, so their differences are paired: Student's t on the differences of block
    means; win shares as within a line-up (`analysis.paired.share_difference`).
the same seed otherwise
    The luck is shared but cannot be paired. The interval is that of independent runs: too wide where luck that is good
    for a strategy in one run is good for it in the other, which is the rule.
a run that a rule stopped, or that is not finished
    Its interval is valid however often one looks (`analysis.sequential`), and so is that of the difference: the ends of
    both intervals are subtracted, each interval at half the error rate.

All differences that are shown are tested together (Holm 1979).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.intervals import (
    BY_CONSTRUCTION,
    LEVEL,
    SAME,
    Interval,
    mean_from,
    mean_interval,
    share_of_blocks,
)
from analysis.paired import holm, share_difference
from analysis.sequential import is_anytime, looking_at
from analysis.shares import win_share
from analysis.tables import STAND_INS, frame, stand_in_note
from analysis.tails import normal_quantile, normal_tail, t_quantile, t_tail
from simcore.contract import WIN_UNITS, TaflError
from simcore.games_file import GAMES_NAME
from simcore.store import RunResult

WIN, SCORE, MARGIN = "win_share", "score", "margin"
PAIRED, INDEPENDENT, SHARED, ANYTIME = "paired", "independent", "shared luck", "anytime-valid"
SMALLEST_P = 1e-9
"""No p value of an anytime-valid difference is told to be smaller."""
Outcome = tuple[Interval, float | None]
"""A difference with its interval, and its two-sided p value."""


@dataclass(frozen=True)
class Measure:
    """What is compared: its column, what a reader sees, its unit."""

    name: str
    title: str
    unit: str


def labels(runs: Sequence[RunResult]) -> list[str]:
    """Return what each run is called: its folder's name, with as many parents as tell them apart."""
    parts = [run.folder.resolve().parts for run in runs]
    for n in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-n:]) for part in parts]
        if len(set(names)) == len(names):
            return names
    raise TaflError(f"the run '{_twice(runs)}' is named twice: name each run once.")


def _twice(runs: Sequence[RunResult]) -> str:
    seen: set[Any] = set()
    for run in runs:
        if run.folder.resolve() in seen:
            return str(run.folder)
        seen.add(run.folder.resolve())
    return str(runs[-1].folder)


def check(runs: Sequence[RunResult]) -> list[str]:
    """Return the strategies that two runs or more have in common, in the order of the line-ups.

    Raises
    ------
    TaflError
        If there is nothing to compare: fewer than two runs, one of them twice, runs of different games, a run without a
        finished block, or no strategy that two of them have.
    """
    if len(runs) < 2:
        raise TaflError("name two runs or more to put side by side.")
    labels(runs)
    first = runs[0]
    for run in runs:
        if run.manifest["game"] != first.manifest["game"]:
            raise TaflError(
                f"'{first.folder}' is a run of {first.manifest['title']} and '{run.folder}' one of "
                f"{run.manifest['title']}: only runs of one game can be put side by side."
            )
        if not run.n_blocks:
            raise TaflError(
                f"no block of the run '{run.folder}' is finished yet: go on with it (tafl compare --resume) or leave "
                "it out."
            )
    names = list(dict.fromkeys(name for run in runs for name in run.names))
    common = [name for name in names if sum(name in run.names for run in runs) > 1]
    if not common:
        raise TaflError("no strategy plays in two of these runs, so there is nothing to compare.")
    return common


def measures(runs: Sequence[RunResult]) -> list[Measure]:
    """Return what can be compared: win share, score, margin, and every part of the score."""
    found = {WIN: Measure(WIN, "Win share above the fair share", "share"), SCORE: Measure(SCORE, "Score", "points")}
    for run in runs:
        for column in run.layout.measures:
            if column.name == MARGIN:
                found[MARGIN] = Measure(MARGIN, "Margin", "points")
            elif column.kind == "component":
                found[column.name] = Measure(column.name, column.title, "points")
    return list(found.values())


def estimate(run: RunResult, name: str, measure: Measure, level: float = LEVEL) -> Interval:
    """Return a strategy's mean of a measure in a run, per copy and game; the win share above the fair share."""
    entrant = run.names.index(name)
    if measure.name == WIN:
        share, fair = _share(run, entrant, level), 1 / int(run.n_seats)
        ends = [None if end is None else end - fair for end in (share.estimate, share.low, share.high)]
        return Interval(ends[0], share.se, ends[1], ends[2], share.note)
    number = next((i for i, column in enumerate(run.layout.measures) if column.name == measure.name), None)
    if number is None:
        return Interval(None, note="not determined: the run has no such part")
    return mean_interval(*_sums(run, entrant, number), level, looking_at(run))


def _share(run: RunResult, entrant: int, level: float) -> Interval:
    if level == LEVEL or len(run.names) == 1:
        return win_share(run, entrant)
    return share_of_blocks(*_sums(run, entrant, run.layout.win), WIN_UNITS, level, looking_at(run))


def _sums(run: RunResult, entrant: int, number: int) -> tuple[int, int, int, int]:
    """Sums over blocks of the block value and of its square, blocks, and seat-games in each."""
    total, square = (int(run.sums[kind][entrant, number]) for kind in ("total", "block_square"))
    return total, square, int(run.n_blocks), int(run.games_per_block) * int(run.copies[entrant])


def luck_of(run: RunResult, other: RunResult) -> str:
    """Return how the evidence of two runs hangs together: `PAIRED`, `INDEPENDENT`, `SHARED` or `ANYTIME`."""
    if any(is_anytime(each.manifest, int(each.n_games)) for each in (run, other)):
        return ANYTIME
    if run.manifest["seed"] != other.manifest["seed"]:
        return INDEPENDENT
    same = all(run.manifest[key] == other.manifest[key] for key in ("n_players", "n_blocks"))
    kept = all(each.manifest.get("keep_games") is True for each in (run, other))  # all columns, not some
    return PAIRED if same and kept else SHARED


# --- differences ---


def independent_means(run: Interval, other: Interval, df: tuple[int, int], level: float = LEVEL) -> Outcome:
    """Return the difference of two independent means and its p value (Welch).

    Parameters
    ----------
    run, other : Interval
        Of means of blocks.
    df : tuple of int
        Degrees of freedom of both: blocks less 1.
    """
    if run.estimate is None or other.estimate is None:
        return Interval(None, note=run.note or other.note), None
    difference = run.estimate - other.estimate
    if run.se is None or other.se is None:
        return Interval(difference, note=_why(run, other)), None
    parts = run.se**2, other.se**2
    se = math.sqrt(sum(parts))
    freedom = sum(parts) ** 2 / sum(part**2 / n for part, n in zip(parts, df, strict=True))
    half = t_quantile(0.5 + level / 2, max(1.0, freedom)) * se
    p = min(1.0, 2 * t_tail(abs(difference) / se, max(1.0, freedom)))
    return Interval(difference, se, difference - half, difference + half), p


def independent_shares(run: Interval, other: Interval, level: float = LEVEL) -> Outcome:
    """Return the difference of two independent shares and its p value (Newcombe's method 10).

    Parameters
    ----------
    run, other : Interval
        Score intervals; both may be shifted by a constant.
    """
    if run.estimate is None or other.estimate is None:
        return Interval(None, note=run.note or other.note), None
    difference = run.estimate - other.estimate
    if run.low is None or run.high is None or other.low is None or other.high is None:
        return Interval(difference, note=_why(run, other)), None
    down = math.hypot(run.estimate - run.low, other.high - other.estimate)
    up = math.hypot(run.high - run.estimate, other.estimate - other.low)
    if down + up == 0:
        return Interval(difference, 0.0, difference, difference, BY_CONSTRUCTION), None
    z = normal_quantile(0.5 + level / 2)
    towards_zero = down if difference > 0 else up
    if difference == 0:
        p: float | None = 1.0
    else:
        p = 2 * normal_tail(z * abs(difference) / towards_zero) if towards_zero > 0 else None
    return Interval(difference, (down + up) / 2 / z, difference - down, difference + up), p


def anytime_difference(pair: tuple[RunResult, RunResult], name: str, measure: Measure) -> Outcome:
    """Return the difference of two runs of which at least one has anytime-valid intervals, and its p value.

    Both intervals hold at every look but for half of the error rate each, so the difference lies between their ends but
    for the whole of it (Bonferroni). The p value is the error rate at which the interval just leaves 0 out.
    """
    plain = [estimate(run, name, measure) for run in pair]
    if plain[0].estimate is None or plain[1].estimate is None:
        return Interval(None, note=plain[0].note or plain[1].note), None
    difference = plain[0].estimate - plain[1].estimate
    ends = _ends(pair, name, measure, 1 - LEVEL)
    if ends is None:
        return Interval(difference, note=_why(*plain)), None
    least, most = SMALLEST_P, 1.0
    for _ in range(50):
        middle = math.sqrt(least * most)
        tried = _ends(pair, name, measure, middle)
        is_out = tried is not None and (tried[0] > 0 or tried[1] < 0)
        least, most = (least, middle) if is_out else (middle, most)
    se = math.hypot(*(interval.se or 0.0 for interval in plain))
    return Interval(difference, se, *ends), most


def _ends(
    pair: tuple[RunResult, RunResult], name: str, measure: Measure, error_rate: float
) -> tuple[float, float] | None:
    """Ends of the difference of two runs, each at half of an error rate; None if one has no interval."""
    one, other = (estimate(run, name, measure, 1 - error_rate / 2) for run in pair)
    if one.low is None or one.high is None or other.low is None or other.high is None:
        return None
    return one.low - other.high, one.high - other.low


def _why(run: Interval, other: Interval) -> str:
    note = run.note or other.note
    return note if note.startswith("not determined") else f"not determined: {note or SAME}"


def paired_means(run: np.ndarray, other: np.ndarray, per_block: tuple[int, int], level: float = LEVEL) -> Outcome:
    """Return the difference of two means on the same luck and its p value.

    Parameters
    ----------
    run, other : int64[n_blocks]
        Sums of blocks.
    per_block : tuple of int
        Seat-games in a block of each.
    """
    mean, square, n_blocks = _paired(run, other, per_block)
    interval = mean_from(mean, square, n_blocks, level)
    if interval.se is None:
        return interval, None
    return interval, min(1.0, 2 * t_tail(abs(mean) / interval.se, n_blocks - 1))


def paired_shares(run: np.ndarray, other: np.ndarray, per_block: tuple[int, int], level: float = LEVEL) -> Outcome:
    """Return the difference of two win shares on the same luck and its p value; see `paired_means`, sums in sixtieths.

    It errs on the wide side where hardly any block differs, and the more so the fewer blocks there are.
    """
    mean, square, n_blocks = _paired(run, other, per_block)
    if square == 0 and mean == 0 and n_blocks > 1:
        return Interval(0.0, note=SAME), None
    interval, p, _ = share_difference(mean / WIN_UNITS, square / WIN_UNITS**2, n_blocks, level)
    return interval, p


def _paired(run: np.ndarray, other: np.ndarray, per_block: tuple[int, int]) -> tuple[float, float, int]:
    """Mean difference per seat-game, and the sum over blocks of its squared deviations; integers until the end."""
    mine, theirs = per_block
    differences = run.astype(np.int64) * theirs - other.astype(np.int64) * mine
    n_blocks, total, square = len(differences), int(differences.sum()), int((differences * differences).sum())
    common = mine * theirs
    return total / (common * n_blocks), (n_blocks * square - total * total) / n_blocks / common**2, n_blocks


def block_sums(run: RunResult, names: Sequence[str], columns: Sequence[str]) -> dict[tuple[str, str], np.ndarray]:
    """Return what each strategy collected in each block, from a run's per-game rows, file by file.

    Returns
    -------
    dict of (str, str) to int64[n_blocks]
        By strategy and column.
    """
    found: dict[tuple[str, str], list[np.ndarray]] = {}
    rows_per_block = int(run.games_per_block) * int(run.n_seats)
    for path in sorted((run.folder / GAMES_NAME).glob("*.parquet")):
        rows = pd.read_parquet(path, columns=["strategy", *columns])
        for name in names:
            sits = (rows["strategy"] == name).to_numpy()
            for column in columns:
                values = np.where(sits, rows[column].to_numpy(), 0).astype(np.int64)
                found.setdefault((name, column), []).append(values.reshape(-1, rows_per_block).sum(axis=1))
    return {key: np.concatenate(parts) for key, parts in found.items()}


# --- tables ---


def side_by_side(runs: Sequence[RunResult]) -> dict[str, pd.DataFrame]:
    """Return the tables ``run_estimates`` and ``run_differences`` of several runs (`analysis.tables.COLUMNS`).

    Raises
    ------
    TaflError
        If there is nothing to compare: see `check`.
    """
    common, called, compared = check(runs), labels(runs), measures(runs)
    estimates = [
        {
            **{"run": label, "strategy": name, "measure": measure.name, "title": measure.title, "unit": measure.unit},
            **_named(estimate(run, name, measure)),
            **{"n_players": int(run.n_seats), "n_games": int(run.n_games), "n_blocks": int(run.n_blocks)},
        }
        for name in common
        for measure in compared
        for label, run in zip(called, runs, strict=True)
        if name in run.names
    ]
    differences = list(_differences(runs, called, common, compared))
    adjusted = holm([row["p"] for row in differences])
    for row, p in zip(differences, adjusted, strict=True):
        row |= {"p_holm": p, "distinguishable": p is not None and p < 1 - LEVEL}
    found = {
        "run_estimates": frame("run_estimates", estimates),
        "run_differences": frame("run_differences", differences),
    }
    notes = dict.fromkeys(stand_in_note(run.manifest) for run in runs)
    for table in found.values():
        table.attrs[STAND_INS] = " ".join(filter(None, notes))
    return found


def _named(interval: Interval) -> dict[str, Any]:
    parts = ("estimate", "se", "low", "high", "note")
    return {part: getattr(interval, part) for part in parts}


def _differences(
    runs: Sequence[RunResult], called: Sequence[str], common: Sequence[str], compared: Sequence[Measure]
) -> Iterator[dict[str, Any]]:
    """Yield each difference, run by run, so that the rows of two runs at most are in memory."""
    for number, run in enumerate(runs):
        against: dict[int, list[str]] = {}
        for name in common:
            first = next(i for i, other in enumerate(runs) if name in other.names)
            if name in run.names and first < number:
                against.setdefault(first, []).append(name)
        for first, names in against.items():
            other = runs[first]
            luck = luck_of(run, other)
            sums = [block_sums(each, names, _columns(each, compared)) for each in (run, other) if luck == PAIRED]
            for name in names:
                for measure in compared:
                    interval, p = _difference((run, other), name, measure, sums)
                    yield {
                        **{"strategy": name, "measure": measure.name, "title": measure.title, "unit": measure.unit},
                        **{"run": called[number], "against": called[first], "luck": luck},
                        **_named(interval),
                        "p": p,
                    }


def _columns(run: RunResult, compared: Sequence[Measure]) -> list[str]:
    kept = {column.name for column in run.columns}
    return [_column(measure) for measure in compared if _column(measure) in kept]


def _column(measure: Measure) -> str:
    return "win" if measure.name == WIN else measure.name


def _difference(
    pair: tuple[RunResult, RunResult], name: str, measure: Measure, sums: Sequence[dict[tuple[str, str], np.ndarray]]
) -> Outcome:
    """Return the difference of a run from another; `sums`, of both, are empty where they cannot be paired."""
    key = (name, _column(measure))
    if all(key in each for each in sums) and sums:
        mine, theirs = (int(run.games_per_block) * int(run.copies[run.names.index(name)]) for run in pair)
        paired_by = paired_shares if measure.name == WIN else paired_means
        return paired_by(sums[0][key], sums[1][key], (mine, theirs))
    if luck_of(*pair) == ANYTIME:
        return anytime_difference(pair, name, measure)
    one, other = (estimate(run, name, measure) for run in pair)
    if measure.name == WIN:
        return independent_shares(one, other)
    return independent_means(one, other, (int(pair[0].n_blocks) - 1, int(pair[1].n_blocks) - 1))
