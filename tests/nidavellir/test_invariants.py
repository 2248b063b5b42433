"""Rule 9.3 and everything else, over random games: a follower in plain Python must agree to the last event."""

import numpy as np
import pytest
from follower import DisagreementError, Follower
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_cards import CLASSES, HEROES
from play_games import POLICIES, Record

from simcore.nidavellir.cards import RULE_SWITCHES
from simcore.nidavellir.events import EVENTS
from simcore.nidavellir.layout import (
    BROTHERS_SLOT,
    CLASS_NAMES,
    COINS_BY_ROUND_SLOT,
    COINS_SLOT,
    COMMAND_ZONE,
    DISTINCTION_SLOT,
    GEM_POINTS_SLOT,
    HERO_SLOT,
    LARGEST_COIN_SLOT,
    MARGIN_SLOT,
    MAX_BROTHERS,
    MAX_EVENTS,
    MAX_HEROES,
    N_BROTHERS_SLOT,
    N_EXCHANGES_SLOT,
    N_HEROES_SLOT,
    N_LINES_SLOT,
    PLACE_SLOT,
    RANKS_SLOT,
    SCORE_SLOT,
    SEAT_SLOT,
    STARTING_GEM_SLOT,
    WARRIOR_SLOT,
    WIN_SLOT,
)
from simcore.nidavellir.spec import SPEC
from simcore.play import replay
from strategies import registry

RULES = st.fixed_dictionaries({switch.key: st.sampled_from(switch.choices) for switch in RULE_SWITCHES})
POLICY = st.sampled_from(range(len(POLICIES)))


def assert_same_end(record: Record, follower: Follower) -> None:
    """The public record at the end of the game against the followed one."""
    game = record.game
    assert {v: int(n) for v, n in enumerate(game.treasure) if n} == dict(+follower.treasure)
    assert game.n_in_box == follower.box
    assert [int(seat) for seat in game.distinction_owner] == [-1 if s is None else s for s in follower.distinctions]
    owners = {hero: seat.number for seat in follower.seats for hero in seat.heroes}
    assert [int(owner) for owner in game.hero_owner[:21]] == [owners.get(hero, -1) for hero in range(21)]
    assert not game.n_cards.any()
    assert not game.unseen.any()
    assert game.rounds_left == -1
    for seat in follower.seats:
        player = game.pl[seat.number]
        columns = [list(map(int, player.column[c, : player.n_column[c]])) for c in range(5)]
        assert columns == seat.columns
        assert [int(r) for r in player.rank] == [seat.ranks(c) for c in range(5)]
        assert list(map(int, player.coin)) == seat.coins
        assert list(map(int, player.coin_colour)) == seat.colours
        assert player.gem == seat.gem
        assert bool(player.has_uline) == seat.has_uline
        names = {HEROES[hero]["name"]: hero for hero in seat.heroes}
        assert player.thrud_column == (COMMAND_ZONE if "Thrud" in names else -1)
        assert player.ylud_column == (seat.column_of(names["Ylud"]) if "Ylud" in names else -1)


def assert_same_rows(rows: np.ndarray, follower: Follower, gems: list[int]) -> None:
    """The result rows against the followed game, slot by slot."""
    totals = [sum(sheet) for sheet in follower.sheets]
    n_best = totals.count(max(totals))
    for seat, sheet, row in zip(follower.seats, follower.sheets, rows, strict=True):
        score = sum(sheet)
        others = totals[: seat.number] + totals[seat.number + 1 :]
        assert list(row[WARRIOR_SLOT : GEM_POINTS_SLOT + 1]) == sheet
        assert row[SCORE_SLOT] == score
        assert row[WIN_SLOT] == (60 // n_best if score == max(totals) else 0)
        assert row[MARGIN_SLOT] == score - max(others)
        assert row[PLACE_SLOT] == 1 + sum(other > score for other in others)
        assert row[N_HEROES_SLOT] == len(seat.heroes)
        n_brothers = sum(HEROES[hero]["name"].startswith("Dwerg") for hero in seat.heroes)
        assert row[N_BROTHERS_SLOT] == n_brothers
        counted = row[BROTHERS_SLOT : BROTHERS_SLOT + MAX_BROTHERS].tolist()
        assert counted == [int(n == n_brothers) for n in range(MAX_BROTHERS)]
        assert row[N_LINES_SLOT] == seat.lines()
        assert row[N_EXCHANGES_SLOT] == seat.exchanges
        assert row[LARGEST_COIN_SLOT] == max(seat.coins)
        assert row[COINS_SLOT] == sum(seat.coins)
        assert list(row[RANKS_SLOT : RANKS_SLOT + 5]) == [seat.ranks(c) for c in range(5)]
        by_round = row[COINS_BY_ROUND_SLOT : COINS_BY_ROUND_SLOT + len(seat.coins_after_round)]
        assert list(by_round) == seat.coins_after_round
        assert list(np.flatnonzero(row[HERO_SLOT : HERO_SLOT + MAX_HEROES])) == sorted(seat.heroes)
        owned = [c for c in range(5) if follower.distinctions[c] == seat.number]
        assert list(np.flatnonzero(row[DISTINCTION_SLOT : DISTINCTION_SLOT + 5])) == owned
        flags = row[STARTING_GEM_SLOT : STARTING_GEM_SLOT + 5]
        assert list(np.flatnonzero(flags)) == [sorted(gems).index(gems[seat.number])]
        assert list(np.flatnonzero(row[SEAT_SLOT : SEAT_SLOT + 5])) == [seat.number]


def follow(record: Record, seed: int, policies: tuple[int, ...]) -> Follower:
    events, rows = record.record(seed, policies=policies)
    assert len(events) < MAX_EVENTS
    follower = Follower(events, record.n_players, record.edition.rules).follow()
    assert_same_end(record, follower)
    assert_same_rows(rows, follower, [int(event[2]) for event in events[1 : 1 + record.n_players]])
    return follower


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 5), RULES, st.integers(0, 2**64 - 1), st.lists(POLICY, min_size=1, max_size=5))
def test_rule_9_3_the_log_of_any_game_under_any_switches_agrees_with_the_rules(n_players, rules, seed, policies):
    follow(Record(n_players, **rules), seed, tuple(policies))


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_games_of_players_who_seek_lines_agree_with_the_rules(n_players):
    record = Record(n_players)
    heroes = [len(seat.heroes) for seed in range(25) for seat in follow(record, seed, (2,)).seats]
    assert sum(heroes) / len(heroes) > 1.9  # many heroes, or the test would show little


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_games_of_the_shipped_strategies_agree_with_the_rules(n_players):
    names = registry.names("nidavellir")
    official = SPEC.load_edition("official", {})
    entrants = [registry.enter(registry.find("nidavellir", name), SPEC, official, n_players) for name in names]
    for first in range(len(names)):
        lineup = [entrants[(first + 3 * seat) % len(names)] for seat in range(n_players)]
        events, rows = replay(SPEC, official, lineup, np.arange(n_players)[None, :], 99, first)
        follower = Follower(events, n_players, official.rules).follow()
        assert [sum(sheet) for sheet in follower.sheets] == rows[:, SCORE_SLOT].tolist()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_follower_notices_any_changed_event(seed):
    record = Record(3)
    events, _ = record.record(seed, policies=(2,))
    names = [EVENTS[row[0]][0] for row in events]
    chance = {"card_dealt", "gem_dealt", "pioneer_saw", "top_card_discarded"}  # may lie otherwise, if the rest fits
    checked = [at for at, name in enumerate(names) if name not in chance and name != "game_starts"]
    for at in checked[:: len(checked) // 40]:
        changed = events.copy()
        changed[at, 2 if names[at] == "options" else 1] += 1
        with pytest.raises((DisagreementError, AssertionError, IndexError)):
            Follower(changed, 3, record.edition.rules).follow()


def test_classes_are_numbered_alike():
    assert CLASSES == CLASS_NAMES


def test_a_recorded_game_shows_nothing_of_games_recorded_before():
    record = Record(3)
    events, _ = record.record(5)
    record.record(6, policies=(2,))
    assert np.array_equal(record.record(5)[0], events)
    assert np.array_equal(Record(3).record(5)[0], events)
