"""The strategies of Reavers of Midgard do what they are named for, and the planner beats every other."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from simcore.blocks import seatings
from simcore.play import Plan, Table
from simcore.reavers.layout import (
    ACTED_SLOT,
    COUNT_NAMES,
    COUNT_SLOT,
    KEEPS,
    RECRUIT,
    SCORE_SLOT,
    SEA,
    SUBDUE,
    TRADE,
    VILLAGES,
    WIN_SLOT,
)
from simcore.reavers.spec import SPEC
from strategies import registry

WANTED = [
    "random",
    "greedy",
    "balanced",
    "raid-keeps",
    "raid-villages",
    "sea-battles",
    "territories",
    "prophecies",
    "recruit-engine",
    "combat",
    "planner",
]
DOCS = Path(__file__).resolve().parents[2] / "docs" / "reavers"
N_ROUNDS = 6


@cache
def edition(name: str = "published"):
    return SPEC.load_edition(name, {})


@cache
def rows_of(name: str, rival: str, n_players: int, n_blocks: int, edition_name: str = "published"):
    """Result rows of one copy of a strategy and of all copies of its rival, in every seat."""
    used = edition(edition_name)
    entrants = [registry.enter(registry.find("reavers", n), SPEC, used, n_players) for n in (name, rival)]
    seating = seatings(np.array([0] + [1] * (n_players - 1)), "rotations")
    table = Table(Plan(SPEC, used, entrants, seating, 21))
    n_at_once = min(n_blocks, table.max_blocks)
    rows = np.concatenate([table.play(first, n_at_once).copy() for first in range(0, n_blocks, n_at_once)])
    is_first = np.broadcast_to(seating[None] == 0, rows.shape[:3])
    return rows[is_first], rows[~is_first]


def acted(rows, location: int) -> float:
    """Share of rounds in which the seat acted at a location."""
    return rows[:, ACTED_SLOT + location].mean() / N_ROUNDS


def count(rows, name: str) -> float:
    return rows[:, COUNT_SLOT + COUNT_NAMES.index(name)].mean()


def test_the_strategies_that_are_wanted_ship():
    assert sorted(WANTED) == registry.names("reavers")


@pytest.mark.parametrize("row", registry.describe("reavers"), ids=lambda row: row["name"])
def test_each_says_its_idea_and_names_a_source_that_can_be_read(row):
    assert row["idea"].endswith(".")
    notes = (DOCS / "strategies.md").read_text(encoding="utf-8")
    for section in re.findall(r"sections? (\d)", row["source"]):
        assert f"\n## {section}. " in notes
    if row["name"] != "random":
        assert "strategies.md" in row["source"]


@pytest.mark.parametrize("n_players", [2, 3, 4])
@pytest.mark.parametrize(
    ("name", "location", "least"),
    [("raid-keeps", KEEPS, 0.8), ("raid-villages", VILLAGES, 0.9), ("sea-battles", SEA, 0.75), ("prophecies", TRADE, 0.9)],
)
def test_raiders_seafarers_and_traders_do_it_in_most_rounds(name, location, least, n_players):
    mine, _ = rows_of(name, "balanced", n_players, 24)
    assert acted(mine, location) > least


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_each_does_more_of_its_own_than_the_balanced_one(n_players):
    for name, what, factor in [
        ("territories", "n_tiles", 1.2),
        ("prophecies", "n_prophecies", 1.5),
        ("recruit-engine", "n_specialised", 1.8),
        ("combat", "n_combat_dice", 1.3),
        ("sea-battles", "n_battles", 1.6),
    ]:
        mine, theirs = rows_of(name, "balanced", n_players, 24)
        assert count(mine, what) > factor * count(theirs, what), name
    mine, theirs = rows_of("territories", "balanced", n_players, 24)
    assert acted(mine, SUBDUE) > acted(theirs, SUBDUE)
    mine, theirs = rows_of("raid-keeps", "balanced", n_players, 24)
    assert acted(mine, RECRUIT) < 1 and acted(mine, KEEPS) > 1.4 * acted(theirs, KEEPS)


@pytest.mark.parametrize("n_players", [2, 3, 4])
@pytest.mark.parametrize("rival", [name for name in WANTED if name != "planner"])
def test_the_planner_beats_every_other(rival, n_players):
    mine, theirs = rows_of("planner", rival, n_players, 120)
    assert mine[:, WIN_SLOT].mean() / 60 > 1 / n_players
    assert mine[:, SCORE_SLOT].mean() > theirs[:, SCORE_SLOT].mean()


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_strategies_play_the_early_edition(n_players):
    mine, theirs = rows_of("planner", "random", n_players, 4, "early")
    assert mine[:, WIN_SLOT].mean() == 60
    assert theirs[:, WIN_SLOT].mean() == 0


def test_weights_change_what_is_played():
    values = registry.find("reavers", "raid-keeps").params
    assert values["like_keeps"] != registry.find("reavers", "balanced").params["like_keeps"]
    assert list(values) == list(registry.find("reavers", "balanced").params)
