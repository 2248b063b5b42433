"""Games of Reavers of Midgard that must never change unless a rule does; see `test_nidavellir_games`."""

import hashlib

import pytest
from reavers_games import ANY, MOSTLY_FIRST, Record

from simcore.reavers.events import ROUND_STARTS
from simcore.reavers.layout import SCORE_SLOT
from simcore.reavers.narration import narrate

BLOCK = 3


def pinned(n_players: int, seed: int, policies: tuple[int, ...], name: str = "published", **rules: str) -> dict:
    """Scores, and for each stretch between the starts of rounds the number and a digest of its events."""
    record = Record(n_players, policies, name, **rules)
    events = record.events(BLOCK, seed)
    rows = record.play(BLOCK, 1, seed)[0, 0]
    starts = [at for at, row in enumerate(events) if row[0] == ROUND_STARTS]
    stretches = {}
    for number, (first, stop) in enumerate(zip([0, *starts], [*starts, len(events)], strict=True)):
        digest = hashlib.sha256(events[first:stop].astype("<i8").tobytes()).hexdigest()[:12]
        stretches["set-up" if number == 0 else f"round {number}"] = f"{stop - first} events {digest}"
    digest = hashlib.sha256(rows.astype("<i8").tobytes()).hexdigest()[:12]
    return {"scores": rows[:, SCORE_SLOT].tolist(), "rows": digest, **stretches}


@pytest.mark.parametrize("n_players", [2, 3, 4])
@pytest.mark.parametrize("policies", [(ANY,), (MOSTLY_FIRST, ANY)], ids=["any", "both"])
def test_games_of_the_published_edition(n_players, policies, snapshot):
    assert pinned(n_players, 20, policies) == snapshot


@pytest.mark.parametrize("n_players", [2, 5])
def test_games_of_the_early_edition(n_players, snapshot):
    assert pinned(n_players, 21, (MOSTLY_FIRST,), "early") == snapshot


def test_games_under_other_switches(snapshot):
    switches = {"add_hammers_between_rolls": "yes", "offer_refill_within_activation": "yes", "crew_dice": "skewed"}
    assert pinned(3, 22, (MOSTLY_FIRST,), **switches) == snapshot


def test_a_round_and_the_score_in_words(snapshot):
    record = Record(3, (MOSTLY_FIRST,))
    lines = "\n".join(narrate(record.edition, record.events(4), ["Aegir", "Bera", "Ceolwulf"])).splitlines()
    first, stop = lines.index("Round 3"), lines.index("Round 4")
    assert "\n".join([*lines[first:stop], *lines[lines.index("Final score") :]]) == snapshot
