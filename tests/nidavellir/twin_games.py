"""Plays a few games and prints their rows and events; `test_twin.py` runs it with and without the compiler."""

import hashlib
import json
import sys

from play_games import ANY, LINES, MOVES, Record

from simcore.accel import INTERPRETED
from simcore.items import pack_handicap
from simcore.nidavellir.cards import fill_edition, load_edition
from simcore.nidavellir.items import items

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
    record = Record(3)
    record.edition = load_edition("official", {}, ("hero:skaa", "distinction:hunter", "card:age1-blacksmith"))
    fill_edition(record.edition, 3, record.game)
    listed = items(record.edition, 3)
    record.handicap[0] = pack_handicap(listed, {"hero:uline": "granted", "card:age1-offering-3": "granted"})
    record.handicap[1] = pack_handicap(listed, {"hero:grid": "banned", "distinction:miner": "granted"})
    events, rows = record.record(8, 5, (LINES, ANY, LINES))
    digest = hashlib.sha256(events.tobytes()).hexdigest()
    return [*games, {"rows": rows.tolist(), "n_events": len(events), "events": digest}]


if __name__ == "__main__":
    json.dump({"interpreted": INTERPRETED, "games": played()}, sys.stdout)
