"""Progress for programs: one JSON object a line on the error stream."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from analysis.leading import leading
from analysis.runs import so_far
from simcore.execution import Progress
from simcore.store import RunResult, RunStore


def say(event: str, **facts: Any) -> None:
    """Print one event."""
    print(json.dumps({"event": event, **facts}), file=sys.stderr, flush=True)


def say_begin(store: RunStore, n_threads: int, cluster: str | None) -> None:
    """Print what is going to be played."""
    manifest = store.manifest
    facts = {key: manifest[key] for key in ("game", "lineup", "n_players", "seed", "n_games", "n_blocks")}
    where = {"cluster": cluster} if cluster else {"threads": n_threads}
    shard = {"shard": list(store.shard)} if store.shard else {}
    stopping = store.manifest.get("stopping")
    rule = {"rule": stopping["rule"], **stopping["options"]} if stopping else {}
    say("begin", folder=str(store.folder), **facts, **where, **shard, **rule)


def say_stopped(result: RunResult) -> None:
    """Print what stopped a run, if a rule could: its answer, or null if the most was reached without one."""
    stopping, stop = result.manifest.get("stopping"), result.stopped
    if stopping and result.complete:
        facts = {"rule": stopping["rule"], "answer": stop and stop.answer}
        say("stopped", **facts, n_blocks=result.n_blocks, n_games=result.n_games)


def json_progress(result: RunResult) -> tuple[Callable[[Progress], None], Callable[[], None]]:
    """Return what shows a run's progress, and what ends it (nothing is to be ended).

    Each ``progress`` event has ``n_blocks_done``, ``n_blocks``, ``n_games_done``, ``games_per_second``,
    ``seconds_left`` (null while unknown) and, once two blocks are finished, ``leader``, its ``win_share`` with ``low``
    and ``high``, ``second``, the ``difference`` of the two win shares and the ``half_width`` of its 95 % interval. The
    intervals are valid however often one looks, and null while there are too few blocks for one.
    """

    def show(progress: Progress) -> None:
        facts: dict[str, Any] = {
            "n_blocks_done": progress.n_blocks_done,
            "n_blocks": progress.n_blocks,
            "n_games_done": progress.n_games_done,
            "games_per_second": round(progress.games_per_second, 1),
            "seconds_left": None if progress.seconds_left is None else round(progress.seconds_left, 1),
        }
        found = leading(so_far(result, progress))
        if found is not None:
            facts |= {"leader": found.leader, "win_share": found.win_share.estimate}
            facts |= {"low": found.win_share.low, "high": found.win_share.high, "second": found.second}
            facts |= {"difference": found.difference and found.difference.estimate, "half_width": found.half_width}
        say("progress", **facts)

    return show, lambda: None
