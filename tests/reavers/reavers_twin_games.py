"""Plays a few games and prints their rows and events; `test_reavers_twin.py` runs it with and without the compiler."""

import hashlib
import json
import sys

from reavers_games import ANY, FIRST, MOSTLY_FIRST, Record

from simcore.accel import INTERPRETED
from simcore.reavers.cards import RULE_SWITCHES

OTHERS = {switch.key: switch.choices[-1] for switch in RULE_SWITCHES if switch.key != "most_players"}


def played() -> list[dict]:
    """Rows and a digest of the events of games at every table size, under default, early and all other switches."""
    games = []
    for n_players in (2, 3, 4, 5):
        for name, rules in (("published", {}), ("early", {}), ("published", OTHERS)):
            if n_players == 5 and name == "published":
                continue
            record = Record(n_players, (MOSTLY_FIRST, ANY, FIRST), name, **rules)
            events = record.events(10**6, seed=2**64 - 1)
            digest = hashlib.sha256(events.astype("<i8").tobytes()).hexdigest()
            rows = record.play(7, 1, seed=3)
            games.append({"rows": rows.tolist(), "n_events": len(events), "events": digest})
    return games


if __name__ == "__main__":
    json.dump({"interpreted": INTERPRETED, "games": played()}, sys.stdout)
