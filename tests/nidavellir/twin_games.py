"""Plays a few games and prints their rows and events; `test_twin.py` runs it with and without the compiler."""

import hashlib
import json
import sys

from play_games import ANY, LINES, MOVES, Record

from simcore.accel import INTERPRETED

SWITCHES = {
    "exchange_gives_up": "lower",
    "warrior_majority": "points",
    "exchange_optional": "yes",
    "return_before_take": "yes",
    "distinction_snapshot": "yes",
    "hero_rule": "every_completion",
    "line_check": "before_discards",
    "discard_target": "last_dwarf_anywhere",
}


def played() -> list[dict]:
    """Rows and a digest of the events of games at every table size, under default and other switches."""
    games = []
    for n_players in (2, 3, 4, 5):
        for rules in ({}, SWITCHES):
            record = Record(n_players, **rules)
            for seed, policies in ((2**64 - 1, (LINES,)), (8, (ANY, MOVES, LINES))):
                events, rows = record.record(seed, 10**6, policies)
                digest = hashlib.sha256(events.tobytes()).hexdigest()
                games.append({"rows": rows.tolist(), "n_events": len(events), "events": digest})
    return games


if __name__ == "__main__":
    json.dump({"interpreted": INTERPRETED, "games": played()}, sys.stdout)
