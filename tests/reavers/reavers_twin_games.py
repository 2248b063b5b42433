"""Plays a few games and prints their rows and events; `test_reavers_twin.py` runs it with and without the compiler."""

import hashlib
import json
import sys

from reavers_games import ANY, FIRST, MOSTLY_FIRST, Record

from simcore.accel import INTERPRETED
from simcore.items import pack_handicap
from simcore.reavers.cards import RULE_SWITCHES, fill_edition, load_edition
from simcore.reavers.items import items

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
    record = Record(3, (MOSTLY_FIRST, ANY, ANY))
    record.edition = load_edition("published", {}, ("location:raid_keeps", "spoils:V13", "battle:B02"))
    fill_edition(record.edition, 3, record.game)
    listed = items(record.edition, 3)
    granted = dict.fromkeys(("prophecy:P01", "artifact:AR01", "spoils:K11", "territory:food-2"), "granted")
    record.handicap[0] = pack_handicap(listed, granted)
    record.handicap[1] = pack_handicap(listed, {"location:battle_at_sea": "banned", "ability:A02": "granted"})
    digest = hashlib.sha256(record.events(5, seed=8).astype("<i8").tobytes()).hexdigest()
    return [*games, {"rows": record.play(5, 1, seed=8).tolist(), "events": digest}]


if __name__ == "__main__":
    json.dump({"interpreted": INTERPRETED, "games": played()}, sys.stdout)
