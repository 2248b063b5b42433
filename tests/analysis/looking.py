"""Many runs of a made-up game, each looked at again and again as it goes on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from simulated import World, result_of

from analysis.flags import cross_error
from analysis.intervals import RatioMoments, mean_interval, ratio_difference, ratio_interval, share_of_blocks
from analysis.paired import share_difference
from analysis.sequential import Anytime
from analysis.stopping import entry
from simcore.looks import Looks, Stop
from simcore.store import RunResult
from simcore.sums import Sums

LEVEL = 0.95


def most_missed(n_runs: int, rate: float = 0.05) -> float:
    """Return the share of runs that may err where `rate` is allowed: four standard deviations up."""
    return rate + 4 * (rate * (1 - rate) / n_runs) ** 0.5


class Runs:
    """Sums of many runs at every look.

    Attributes
    ----------
    looks : list of int
        Blocks before each look.
    sums : dict of str to int64[n_runs, n_looks]
        Sums over the blocks before the look; the keys are factors of a product of block values: ``w`` and ``v`` wins of
        the first and second entrant, ``s`` score, ``f`` seat-games with the flag, ``g`` wins with the flag.
    """

    def __init__(self, world: World, n_runs: int, looks: list[int], seed: int, batch: int = 200_000):
        self.world, self.looks, most = world, looks, looks[-1]
        self.per_block = [len(world.seating) * int(c) for c in world.copies]
        at = np.array(self.looks) - 1
        parts: list[dict[str, np.ndarray]] = []
        per_batch = max(1, batch // most)
        for first in range(0, n_runs, per_batch):
            n = min(per_batch, n_runs - first)
            values = _block_values(world, n * most, seed + first)
            parts.append({key: _product(values, key, n, most)[:, at] for key in PRODUCTS})
        self.sums = {key: np.concatenate([part[key] for part in parts]) for key in PRODUCTS}

    def at(self, run: int, look: int) -> dict[str, int]:
        return {key: int(sums[run, look]) for key, sums in self.sums.items()}


PRODUCTS = ("w", "v", "s", "f", "g", "ww", "vv", "wv", "ss", "ff", "gg", "fg", "fw", "gw")


def _block_values(world: World, n_blocks: int, seed: int) -> dict[str, np.ndarray]:
    games = world.play(n_blocks, seed)
    flag, win = games["flag"], games["win"]
    return {
        "w": world.by_block(win, 0),
        "v": world.by_block(win, 1),
        "s": world.by_block(games["score"], 0),
        "f": world.by_block(flag, 0),
        "g": world.by_block(flag * win, 0),
    }


def _product(values: dict[str, np.ndarray], key: str, n_runs: int, most: int) -> np.ndarray:
    product = np.prod([values[factor] for factor in key], axis=0)
    return product.reshape(n_runs, most).cumsum(axis=1)


def truth(world: World, n_blocks: int = 400_000) -> dict[str, float]:
    """Return the true values, from blocks of its own."""
    totals = dict.fromkeys("wvsfg", 0)
    for part in range(4):
        for key, values in _block_values(world, n_blocks // 4, 990_000 + part).items():
            totals[key] += int(values.sum())
    k, j = (len(world.seating) * int(c) for c in world.copies[:2])
    n = n_blocks // 4 * 4
    share = totals["w"] / 60 / n / k
    with_it = totals["g"] / 60 / totals["f"]
    without = (totals["w"] - totals["g"]) / 60 / (n * k - totals["f"])
    return {
        "win share": share,
        "score": totals["s"] / n / k,
        "flag rate": totals["f"] / n / k,
        "flag win share": with_it,
        "flag difference": with_it - without,
        "paired difference": share - totals["v"] / 60 / n / j,
    }


def difference(runs: Runs, sums: dict[str, int], n: int) -> tuple[float, float]:
    """Return mean difference of the first two entrants' win shares and its sum of squared deviations."""
    k, j = runs.per_block[:2]
    total = sums["w"] * j - sums["v"] * k
    square = sums["ww"] * j * j - 2 * sums["wv"] * j * k + sums["vv"] * k * k
    scale = 60 * k * j
    return total / scale / n, (n * square - total * total) / n / scale**2


def intervals(runs: Runs, run: int, look: int, looking, only: tuple[str, ...] = ()) -> dict:
    """Return every interval of a run at a look, and the paired difference's p value as ``p``."""
    x, n, k = runs.at(run, look), runs.looks[look], runs.per_block[0]
    inside = RatioMoments(n, x["g"], x["f"], x["gg"], x["fg"], x["ff"])
    rest = x["w"] - x["g"], n * k - x["f"]
    outside = RatioMoments(
        n,
        *rest,
        x["ww"] - 2 * x["gw"] + x["gg"],
        k * rest[0] - x["fw"] + x["fg"],
        k * k * n - 2 * k * x["f"] + x["ff"],
    )
    single = k == 1
    cross = cross_error(inside, outside, k, x["fw"], x["gw"])
    paired, p, _ = share_difference(*difference(runs, x, n), n, LEVEL, looking)
    return {
        "win share": share_of_blocks(x["w"], x["ww"], n, k, 60, LEVEL, looking),
        "score": mean_interval(x["s"], x["ss"], n, k, LEVEL, looking),
        "flag rate": share_of_blocks(x["f"], x["ff"], n, k, 1, LEVEL, looking),
        "flag win share": ratio_interval(inside, single, LEVEL, looking),
        "flag difference": ratio_difference(inside, outside, cross, single, LEVEL, looking)[0],
        "paired difference": paired,
        "p": p,
    }


def missed(world: World, n_runs: int, looks: list[int], seed: int, looking_at) -> dict[str, float]:
    """Return the share of runs in which an interval left the truth out at one look or more.

    `looking_at` maps a number of blocks to what is handed to the intervals.
    """
    runs, true = Runs(world, n_runs, looks, seed), truth(world)
    out = {name: np.zeros(n_runs, bool) for name in true}
    for look, n in enumerate(runs.looks):
        looking = looking_at(n)
        for run in range(n_runs):
            found = intervals(runs, run, look, looking)
            for name, value in true.items():
                interval = found[name]
                if interval.low is not None:
                    out[name][run] |= not interval.low <= value <= interval.high
    return {name: float(cases.mean()) for name, cases in out.items()}


def anytime(narrowest_at: int):
    """Return what hands out `Anytime` for a number of blocks."""
    return lambda n: Anytime.at(n, narrowest_at)


def looks_from(first: int, most: int) -> list[int]:
    """Return looks from `first` blocks on, 20 % more each time, the last at `most`."""
    looks = [first]
    while looks[-1] * 6 // 5 < most:
        looks.append(-(-looks[-1] * 6 // 5))
    return [*looks, most]


def play_until(world: World, rule, most: int, seed: int) -> tuple[Stop | None, RunResult]:
    """Play a run of at most `most` blocks as the runner does: look, ask the rule, stop or go on."""
    manifest = world.result(2).manifest | {"n_blocks": most, "n_games": most * len(world.seating)}
    manifest |= {"entrants": [{"name": name} for name in world.names]}
    manifest["stopping"] = entry(rule, manifest)
    rows = world.rows(most, seed)
    last = result_of(world, rows[:2])

    def ask(sums):
        nonlocal last
        n_blocks = int(sums["n_blocks"][0])
        last = replace(last, manifest=manifest, sums=sums, n_blocks=n_blocks, complete=False)
        return rule.decide(last)

    looks = Looks(manifest, last.layout, ask)
    first = 0
    for at in looks.looks:
        sums = Sums(last.layout)
        sums.add_blocks(rows[first:at], world.seating, first)
        looks.add(first, at, sums)
        first = at
        if looks.stop is not None:
            break
    return looks.stop, last
