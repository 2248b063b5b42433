"""Games, decisions and draws a second, start-up times, peak memory: as a table and as JSON.

Machines are noisy. One and two threads are therefore measured in turn within one run, several times, and what is
reported is the median with the lowest and highest; a ratio is the median of the ratios within each turn.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.runs import Setup, load_edition, set_up
from simcore.games import find_game
from simcore.play import Plan, Table
from simcore.runner import default_threads
from simcore.sums import Sums

TURNS = 5
STRATEGIES = ("random", "greedy", "balanced", "planner")
"""Each in every seat. Those a game does not have are left out."""
MEMORY_GAMES = (10_000, 100_000, 1_000_000)


def run_benchmark(
    game: str = "nidavellir", seconds: float = 1.0, as_json: bool = False, out: Path | None = None
) -> dict[str, Any]:
    """Measure, print and return everything.

    Parameters
    ----------
    game : str
        Which.
    seconds : float
        Play time of each single measurement; there are `TURNS` of them for each number.
    as_json : bool
        Print JSON instead of a table.
    out : path, optional
        Write the JSON there too.
    """
    spec = find_game(game)
    found: dict[str, Any] = {"machine": _machine(), "game": game, "turns": TURNS, "seconds": seconds}
    found["start"] = _start_up(game)
    found["speed"] = [
        _speed(set_up(game, [name], n_players), seconds)
        for n_players in spec.table_sizes(load_edition(spec, None, ()))
        for name in _present(game)
    ]
    found["memory"] = _memory(game)
    text = json.dumps(found, indent=1)
    if out is not None:
        out.write_text(text + "\n", encoding="utf-8")
    if as_json:
        print(text)
    else:
        _print(found)
    return found


def _present(game: str) -> list[str]:
    from strategies import registry

    there = registry.names(game)
    return [name for name in STRATEGIES if name in there]


def _machine() -> dict[str, Any]:
    import numba
    import numpy

    return {
        "processor": _processor(),
        "cores": default_threads(),
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
    }


def _processor() -> str:
    """Return the processor's name; Linux tells it in a file, others through `platform`."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


class _Meter:
    """Plays a line-up for a while on some threads and counts."""

    def __init__(self, plan: Plan, n_threads: int):
        self.plan = plan
        self.tables = [Table(plan) for _ in range(n_threads)]
        for table in self.tables:
            table.add(Sums(plan.layout()), 0, 1)

    def measure(self, seconds: float) -> tuple[float, float, float]:
        """Return games, decisions and draws a second over all threads."""
        before = self._counts()
        n_blocks = [0] * len(self.tables)
        start = time.perf_counter()
        end = start + seconds

        def work(number: int) -> None:
            sums = Sums(self.plan.layout())
            block = number << 40
            while time.perf_counter() < end:
                stop = self.tables[number].add(sums, block, block + (1 << 30))
                n_blocks[number] += stop - block
                block = stop

        threads = [threading.Thread(target=work, args=(number,)) for number in range(len(self.tables))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        spent = time.perf_counter() - start
        decisions, draws = (now - then for now, then in zip(self._counts(), before, strict=True))
        return sum(n_blocks) * self.plan.games_per_block / spent, decisions / spent, draws / spent

    def _counts(self) -> tuple[int, int]:
        decisions = sum(int(table.hidden["n_decisions"][0]) for table in self.tables)
        draws = sum(
            int(table.hidden["luck"][0, -1]) + int(table.hidden["own"]["luck"][0, :, -1].sum()) for table in self.tables
        )
        return decisions, draws


def _median(values: Sequence[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def _speed(setup: Setup, seconds: float) -> dict[str, Any]:
    """Measure one line-up on one thread and on all, in turn."""
    plan = setup.plan("rotations", 7)
    n_threads = default_threads()
    one, all_threads = _Meter(plan, 1), _Meter(plan, n_threads)
    single, several = [], []
    for _ in range(TURNS):
        single.append(one.measure(seconds))
        several.append(all_threads.measure(seconds))
    return {
        "strategy": setup.lineup[0],
        "n_players": len(setup.lineup),
        "games_per_second": _median([games for games, _, _ in single]),
        "decisions_per_second": _median([decisions for _, decisions, _ in single]),
        "draws_per_second": _median([draws for _, _, draws in single]),
        "nanoseconds_per_decision": _median([1e9 / decisions for _, decisions, _ in single]),
        "threads": n_threads,
        "games_per_second_on_all": _median([games for games, _, _ in several]),
        "ratio": _median([b[0] / a[0] for a, b in zip(single, several, strict=True)]),
    }


def _timed(arguments: Sequence[str], environment: dict[str, str], folder: str) -> float:
    start = time.perf_counter()
    command = [sys.executable, "-m", "cli", *arguments]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"tafl {' '.join(arguments)} failed: {done.stderr.strip()}")
    return time.perf_counter() - start


def _environment(**extra: str) -> dict[str, str]:
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, **extra}


def _start_up(game: str) -> dict[str, Any]:
    """Time the help, a first run that compiles everything, the same again, and a comparison with its report."""
    with tempfile.TemporaryDirectory() as folder:
        environment = _environment(TAFL_CACHE_DIR=str(Path(folder) / "cache"))
        small = ["compare", game, "planner", "greedy", "--players", "4", "--games", "4", "--seed", "1", "--no-report"]
        large = ["compare", game, "planner", "greedy", "balanced", "random", "--games", "100000", "--seed", "1"]
        cold = _timed([*small, "--out", "cold"], environment, folder)
        warm = [_timed([*small, "--out", f"warm-{turn}"], environment, folder) for turn in range(TURNS)]
        _timed([*large[:-4], "--games", "4", "--seed", "1", "--out", "compiled"], environment, folder)
        report = [_timed([*large, "--out", f"large-{turn}"], environment, folder) for turn in range(3)]
        return {
            "help_seconds": _median([_timed(["--help"], environment, folder) for _ in range(TURNS)]),
            "cold_seconds": cold,
            "warm_seconds": _median(warm),
            "compare_100000_with_report_seconds": _median(report),
        }


_PEAK = """
import sys
from cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
import resource
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print("PEAK", peak // 1024 if sys.platform == "darwin" else peak)
"""


def _memory(game: str) -> list[dict[str, Any]]:
    """Return the peak memory of whole runs of growing length; empty where the system does not tell."""
    if sys.platform == "win32":
        return []
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for n_games in MEMORY_GAMES:
            command = ["compare", game, "greedy", "random", "--games", str(n_games), "--seed", "1", "--no-report"]
            done = subprocess.run(
                [sys.executable, "-c", _PEAK, *command, "--out", str(n_games)],
                env=_environment(),
                cwd=folder,
                capture_output=True,
                text=True,
                check=True,
            )
            peak = int(done.stdout.rsplit("PEAK", 1)[1])
            found.append({"n_games": n_games, "peak_mib": peak / 1024})
    return found


def _print(found: dict[str, Any]) -> None:
    from reports.terminal import print_table

    machine, start = found["machine"], found["start"]
    print(f"{machine['processor']}, {machine['cores']} cores; Python {machine['python']}, Numba {machine['numba']}")
    print(f"Medians of {found['turns']} turns of {found['seconds']:g} s each, lowest and highest in brackets.\n")
    rows = [
        (
            str(line["n_players"]),
            line["strategy"],
            _thousands(line["games_per_second"]),
            _thousands(line["games_per_second_on_all"]),
            f"{line['ratio']['median']:.2f}",
            f"{line['decisions_per_second']['median'] / 1e6:.1f} M",
            f"{line['nanoseconds_per_decision']['median']:.0f}",
            f"{line['draws_per_second']['median'] / 1e6:.1f} M",
        )
        for line in found["speed"]
    ]
    header = (
        "players",
        "in every seat",
        "games/s, 1 thread",
        f"games/s, {machine['cores']} threads",
        "ratio",
        "decisions/s",
        "ns/decision",
        "draws/s",
    )
    print_table(header, rows, right=(0, 2, 3, 4, 5, 6, 7))
    print()
    print_table(
        ("start-up", "seconds"),
        [
            ("tafl --help", _seconds(start["help_seconds"])),
            ("first run, compiling everything", f"{start['cold_seconds']:.1f}"),
            ("the same again", _seconds(start["warm_seconds"])),
            ("100,000 games of 4 strategies with report", _seconds(start["compare_100000_with_report_seconds"])),
        ],
    )
    if found["memory"]:
        print()
        peaks = [(f"{line['n_games']:,}", f"{line['peak_mib']:.0f} MiB") for line in found["memory"]]
        print_table(("games", "peak memory of the whole run"), peaks, right=(0, 1))


def _thousands(values: dict[str, float]) -> str:
    return f"{values['median']:,.0f} ({values['low']:,.0f} to {values['high']:,.0f})"


def _seconds(values: dict[str, float]) -> str:
    return f"{values['median']:.2f} ({values['low']:.2f} to {values['high']:.2f})"
