"""Runs of the toy game, here or as a process of its own: ``python toy_run.py FOLDER NAMES GAMES [options]``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import toy_game
from toy_game import ToyEdition, columns, toy_spec, toys

from simcore import blocks
from simcore.cluster import play_on_cluster
from simcore.contract import TaflError
from simcore.looks import schedule
from simcore.manifest import make_manifest
from simcore.play import Plan
from simcore.runner import play_run
from simcore.store import RunStore, create_run, open_run

SEED = 7


def toy_manifest(names, n_games, seed=SEED, n_players=4, seating="rotations", edition=None, keep_games=False):
    """Return entrants, lineup and manifest of a toy run between the toy strategies of these names."""
    lineup = blocks.fill_lineup(names, n_players)
    entered = [{"name": name, "params": {}, "files": []} for name in blocks.entrants(lineup)[0]]
    return make_manifest(toy_spec(), edition or ToyEdition(), lineup, entered, n_games, seed, seating, keep_games)


def toy_entrants(names):
    return [toys(getattr(toy_game, name)) for name in dict.fromkeys(names)]


def create_toy(
    folder, names=("cautious", "bold", "by_lot"), n_games=2000, shard=None, stopping=None, **changes
) -> RunStore:
    """Make a run; `stopping` is the name of a rule that may end it."""
    manifest = toy_manifest(names, n_games, **changes)
    if stopping:
        manifest["stopping"] = {"rule": stopping, "options": {}, "looks": schedule(manifest["n_blocks"])}
    edition = changes.get("edition") or ToyEdition()
    kept = {"toy.py": "# the toys' source\n"}
    return create_run(folder, manifest, columns(edition, manifest["n_players"]), edition.files, kept, shard)


def play_toy(store, names=("cautious", "bold", "by_lot"), n_threads=1, edition=None, **options):
    return play_run(toy_spec(), edition or ToyEdition(), toy_entrants(names), store, n_threads, **options)


def plan_of(folder, manifest) -> Plan:
    """What a worker of a cluster plays: its own copy of the run's files is in `folder`."""
    edition = ToyEdition(*map(int, (folder / "edition" / "toy.csv").read_text().split()[1].split(",")))
    names, seats = blocks.entrants(manifest["lineup"])
    seating = blocks.seatings(seats, manifest["seating"])
    return Plan(toy_spec(), edition, toy_entrants(names), seating, manifest["seed"])


def play_toy_on_cluster(store, address, **options):
    return play_on_cluster(store, address, "toy_run:plan_of", **options)


def result_bytes(folder) -> dict[str, bytes]:
    """Return all files of a run folder that must not differ between two executions."""
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    found.pop("log.jsonl", None)
    for name in ("lock", "shard.json"):
        found.pop(name, None)
    return found


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("names")
    parser.add_argument("games", type=int)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--chunk", type=int)
    parser.add_argument("--patience", type=float, default=20.0)
    parser.add_argument("--cluster", help="local:N or an address")
    parser.add_argument("--keep-games", action="store_true")
    parser.add_argument("--memory", action="store_true", help="print the peak memory at the end")
    parser.add_argument("--slow", type=float, default=0.0, help="seconds that each call of progress takes")
    asked = parser.parse_args()
    names = asked.names.split(",")

    def progress(state):
        print(f"played {state.n_blocks_done}", flush=True)
        time.sleep(asked.slow)

    try:
        if asked.folder.exists():
            store = open_run(asked.folder)
        else:
            store = create_toy(asked.folder, names, asked.games, keep_games=asked.keep_games)
        options = {"chunk_blocks": asked.chunk, "progress": progress, "patience": asked.patience}
        with store:
            if asked.cluster:
                play_toy_on_cluster(store, asked.cluster, **options)
            else:
                play_toy(store, names, asked.threads, **options)
    except TaflError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    if asked.memory:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
        print(f"peak {peak:.1f} MiB")
    print("complete", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
