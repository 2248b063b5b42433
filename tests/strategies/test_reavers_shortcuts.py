"""What the strategies of Reavers keep from one decision to the next, held against working it out anew."""

from functools import cache

import numpy as np
import pytest

from simcore.blocks import seatings
from simcore.play import Plan, Table
from simcore.reavers.layout import MAX_PROPHECIES
from simcore.reavers.scoring import count_metric_nb
from simcore.reavers.spec import SPEC
from strategies import registry
from strategies.reavers.cards import list_prophecies_nb, steer_nb
from strategies.reavers.memory import LISTED, MAX_LISTED, N_LISTED, N_STEERED, PROPHECIES_SEEN, STEERED
from strategies.reavers.weights import ONE, STEER

SELECTORS = """
from strategies.reavers.memory import ACTING, SELECTED_AT
from strategies.reavers.outlook import moment_nb
from strategies.reavers.places import ALL_OF_IT, NOT_PAYABLE, action_value_nb, survey_nb
from strategies.reavers.selecting import choose_action_nb
from strategies.registry import strategy

KEPT, SAME, NEAR = 160, 161, 162


@strategy(game="reavers", name="comparing", idea="Compares.", source="a test", base="planner")
class Comparing:
    def choose_action(game, own, n_options):
        survey_nb(game, own)
        kept = own.memory[ACTING + game.location]
        if own.memory[SELECTED_AT] == moment_nb(game) and kept != NOT_PAYABLE and own.option[0] == 0:
            anew = action_value_nb(game, own, game.location, game.distance, ALL_OF_IT)
            own.memory[KEPT] += 1
            own.memory[SAME] += anew == kept
            own.memory[NEAR] += abs(anew - kept) <= 150
        return choose_action_nb(game, own, n_options)
"""
KEPT, SAME, NEAR = 160, 161, 162


@cache
def edition():
    return SPEC.load_edition("published", {})


def table_of(strategies, n_players: int) -> Table:
    entered = [registry.enter(s, SPEC, edition(), n_players) for s in strategies]
    seats = np.arange(n_players) % len(entered)
    return Table(Plan(SPEC, edition(), entered, seatings(seats, "rotations"), 9))


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_what_acting_was_worth_to_the_selector_still_holds_when_it_acts(n_players, tmp_path):
    path = tmp_path / "comparing.py"
    path.write_text(SELECTORS, encoding="utf-8")
    table = table_of(registry.load_file(path), n_players)
    counts = np.zeros(3)
    for block in range(30):
        table.play(block, 1)
        for seat in range(n_players):
            memory = table.hidden[0]["own"][seat]["memory"]
            counts += memory[KEPT : NEAR + 1]
    kept, same, near = counts
    assert kept > 30 * 10  # each seat selects several times a game
    assert same > 0.35 * kept  # specialists and artifacts bring something in between
    assert near > 0.9 * kept


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_prophecies_steer_by_what_one_more_of_each_pays(n_players):
    table = table_of([registry.find("reavers", "prophecies")], n_players)
    game = table.game[0]
    n_steered = 0
    for block in range(10):
        table.play(block, 1)
        for seat in range(n_players):
            own = table.hidden[0]["own"][seat]
            own.memory[PROPHECIES_SEEN] = -1
            steer_nb(game, own)
            wanted = np.zeros(N_STEERED, np.int64)
            for prophecy in np.flatnonzero(own.prophecy):
                metric, pays, cap = (
                    int(game.edition[f"prophecy_{part}"][prophecy]) for part in ("metric", "glory", "cap")
                )
                if metric < N_STEERED and pays * (count_metric_nb(game, game.pl[seat], own, metric) + 1) <= cap:
                    wanted[metric] += ONE * int(own.prophecy[prophecy]) * pays * int(own.param[STEER]) // 256
            assert list(own.memory[STEERED : STEERED + N_STEERED]) == list(wanted)
            n_steered += np.count_nonzero(wanted)
    assert n_steered > 0


CHANGES = """
from simcore.luck import draw_below_nb
from strategies.registry import strategy


@strategy(game="reavers", name="counting", idea="Counts changes.", source="a test", base=None)
def choose(game, own, n_options):
    me = game.pl[own.seat]
    board = me.wild_kind + 1
    for kind in range(18):
        board = 31 * board + me.die[kind]
    for space in range(me.n_artifacts):
        if me.stored[space] >= 0:
            board = 31 * board + 3 * space + me.stored[space] + 1
    for space in range(me.n_upgrades):
        board = 31 * board + me.upgrade[space] + 1
    if board != own.memory[0]:
        own.memory[1] += 1
        own.memory[2] += me.n_changes == own.memory[3]
    own.memory[0] = board
    own.memory[3] = me.n_changes
    return draw_below_nb(own.luck, n_options)
"""


@pytest.mark.parametrize("n_players", [2, 3, 4])
def test_every_change_of_a_board_is_counted(n_players, tmp_path):
    path = tmp_path / "counting.py"
    path.write_text(CHANGES, encoding="utf-8")
    table = table_of(registry.load_file(path), n_players)
    n_changes = 0
    for block in range(60):
        table.play(block, 1)
        for seat in range(n_players):
            memory = table.hidden[0]["own"][seat]["memory"]
            n_changes += memory[1]
            assert memory[2] == 0, "the board changed and n_changes did not"
    assert n_changes > 60 * 10 * n_players


def test_a_seat_can_have_every_prophecy_there_is():
    table = table_of([registry.find("reavers", "balanced")], 2)
    game, own = table.game[0], table.hidden[0]["own"][0]
    n = int(game.edition.n_prophecies)
    own.prophecy[:n] = 1
    list_prophecies_nb(game, own)
    assert own.memory[N_LISTED] == n
    assert list(own.memory[LISTED : LISTED + n]) == list(range(n))
    game.edition.n_prophecies = MAX_PROPHECIES  # an edition of one's own
    own.prophecy[:] = 1
    list_prophecies_nb(game, own)
    assert own.memory[N_LISTED] == MAX_LISTED
    assert list(own.memory[LISTED : LISTED + MAX_LISTED - 1]) == list(range(MAX_LISTED - 1))
