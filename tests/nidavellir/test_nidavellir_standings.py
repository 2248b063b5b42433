"""The standing at the end of each round of Nidavellir, against a follower of the log that scores in plain Python."""

import numpy as np
import pytest
from follower import Follower
from play_games import Record

from simcore.nidavellir.layout import (
    COINS_SLOT,
    GEM_POINTS_SLOT,
    N_HEROES_SLOT,
    N_LINES_SLOT,
    RANKS_SLOT,
    SCORE_SLOT,
    WARRIOR_SLOT,
    WIN_SLOT,
)


def noted(record: Record, seed: int, policies=(0, 1, 2)) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play a game with its log and its standings on; return events, rows and standings [round, seat, slot]."""
    record.hidden.noting, record.hidden.n_standings = 1, 0
    events, rows = record.record(seed, 3, policies)
    record.hidden.noting = 0
    return events, rows, record.hidden.standing[: record.hidden.n_standings, : record.n_players].copy()


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_a_standing_is_what_the_sheets_would_be_had_the_game_ended_there(n):
    record, seen = Record(n), set()
    for seed in range(12):
        events, _, standings = noted(record, seed)
        follower = Follower(events, n, record.edition.rules).follow()
        assert len(standings) == len(follower.standings) == (8 if n < 4 else 6)
        for standing, sheets, at in zip(standings, follower.standings, range(1, 9), strict=False):
            assert standing[:, WARRIOR_SLOT : GEM_POINTS_SLOT + 1].tolist() == sheets
            totals = [sum(sheet) for sheet in sheets]
            assert standing[:, SCORE_SLOT].tolist() == totals
            best = max(totals)
            assert standing[:, WIN_SLOT].tolist() == [60 // totals.count(best) * (t == best) for t in totals]
            assert standing[:, COINS_SLOT].tolist() == [seat.coins_after_round[at] for seat in follower.seats]
        seen.add(bool((record.game.pl["thrud_column"][:n] >= 0).any()))
    assert True in seen, "no game shows Thrud, whose rank counts nowhere at the end"


@pytest.mark.parametrize("n", [2, 5])
def test_the_last_standing_is_the_result_where_nobody_has_ylud(n):
    record = Record(n)
    n_same = 0
    for seed in range(10):
        _, rows, standings = noted(record, seed)
        if (record.game.pl["ylud_column"][:n] >= 0).any():
            continue  # her owner may still move her (rule 8.1)
        assert (standings[-1, :, : RANKS_SLOT + 5] == rows[:, : RANKS_SLOT + 5]).all()
        assert (standings[:, :, [N_LINES_SLOT, N_HEROES_SLOT]] >= 0).all()
        n_same += 1
    assert n_same > 1


def test_noting_standings_changes_neither_the_game_nor_its_log():
    record = Record(4)
    for seed in range(5):
        events, rows, _ = noted(record, seed)
        plain_events, plain_rows = record.record(seed, 3, (0, 1, 2))
        assert (events == plain_events).all()
        assert (rows == plain_rows).all()
