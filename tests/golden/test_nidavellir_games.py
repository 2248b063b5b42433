"""Games that must never change unless a rule does; after such a change: ``pytest --snapshot-update``, and say so.

Each game is pinned round by round, so that a failure shows where it first went another way.
"""

import hashlib

import pytest
from play_games import ANY, LINES, Record

from simcore.nidavellir.events import ROUND_STARTS
from simcore.nidavellir.layout import SCORE_SLOT
from simcore.nidavellir.narration import narrate

BLOCK = 3


def pinned(n_players: int, seed: int, policies: tuple[int, ...], **rules: str) -> dict:
    """Scores, and for each stretch between the starts of rounds the number and a digest of its events."""
    events, rows = Record(n_players, **rules).record(seed, BLOCK, policies)
    starts = [at for at, row in enumerate(events) if row[0] == ROUND_STARTS]
    stretches = {}
    for number, (first, stop) in enumerate(zip([0, *starts], [*starts, len(events)], strict=True)):
        digest = hashlib.sha256(events[first:stop].astype("<i8").tobytes()).hexdigest()[:12]
        stretches["set-up" if number == 0 else f"round {number}"] = f"{stop - first} events {digest}"
    digest = hashlib.sha256(rows.astype("<i8").tobytes()).hexdigest()[:12]
    return {"scores": rows[:, SCORE_SLOT].tolist(), "rows": digest, **stretches}


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
@pytest.mark.parametrize("policies", [(ANY,), (LINES,), (ANY, LINES)], ids=["any", "lines", "both"])
def test_games_of_the_official_rules(n_players, policies, snapshot):
    assert pinned(n_players, 20, policies) == snapshot


@pytest.mark.parametrize("n_players", [2, 5])
def test_games_under_other_switches(n_players, snapshot):
    switches = {"exchange_gives_up": "lower", "exchange_optional": "yes", "hero_rule": "every_completion"}
    assert pinned(n_players, 21, (LINES,), **switches) == snapshot


def test_a_round_the_distinctions_and_the_score_in_words(snapshot):
    record = Record(3)
    events, _ = record.record(4, policies=(LINES,))
    lines = "\n".join(narrate(record.edition, events, ["Aegir", "Bera", "Ceolwulf"])).splitlines()
    first, stop = lines.index("Age 1, round 4"), lines.index("Age 2")
    assert "\n".join([*lines[first:stop], *lines[lines.index("Final score") :]]) == snapshot
