"""The standing at the end of each round of Reavers of Midgard, against the log and against shorter games."""

import numpy as np
import pytest
from reavers_follower import Follower
from reavers_games import ANY, MOSTLY_FIRST, Record

from simcore.reavers.layout import (
    COMPONENT_NAMES,
    COMPONENT_SLOT,
    COUNT_NAMES,
    COUNT_SLOT,
    N_COMPONENTS,
    N_SOURCES,
    REAVER_DECK,
    SCORE_SLOT,
    TOKEN_NAMES,
    WIN_SLOT,
)


def noted(record: Record, block: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play a game with its log and its standings on; return events, rows and standings [round, seat, slot]."""
    record.hidden.noting, record.hidden.n_standings = 1, 0
    record.hidden.recording, record.hidden.n_events = 1, 0
    rows = record.play(block)[0, 0]
    record.hidden.noting = record.hidden.recording = 0
    n = int(record.hidden.n_standings)
    return (
        record.hidden.event[: int(record.hidden.n_events)].copy(),
        rows,
        record.hidden.standing[:n, : record.n_players].copy(),
    )


def count(standing, name):
    return standing[:, COUNT_SLOT + COUNT_NAMES.index(name)].tolist()


def part(standing, name):
    return standing[:, COMPONENT_SLOT + COMPONENT_NAMES.index(name)].tolist()


class ByRound(Follower):
    """A follower that compares the standing of a round with where everything lies when the next one starts."""

    standings: np.ndarray

    def on_round_starts(self, **fields):
        if self.rounds:
            self.compare(self.standings[self.rounds - 1])
        super().on_round_starts(**fields)

    def compare(self, standing):
        seats = range(self.n_players)
        track = standing[:, COMPONENT_SLOT : COMPONENT_SLOT + N_SOURCES].sum(axis=1)
        assert track.tolist() == self.glory
        assert count(standing, "food_left") == self.food
        assert count(standing, "favor_left") == self.favor
        assert count(standing, "dice_left") == [sum(self.board[s].values()) + len(self.stored[s]) for s in seats]
        assert count(standing, "n_tiles") == self.n_claimed
        assert count(standing, "n_reavers") == [sum(self.owned[s][REAVER_DECK].values()) for s in seats]
        for name, token in (("wall_tokens", "wall"), ("tower_tokens", "tower"), ("farm_tokens", "farm")):
            n = [self.tokens[s][TOKEN_NAMES.index(token)] for s in seats]
            assert [points > 0 for points in part(standing, name)] == [k > 0 for k in n]
        assert standing[:, COMPONENT_SLOT : COMPONENT_SLOT + N_COMPONENTS].sum(axis=1).tolist() == (
            standing[:, SCORE_SLOT].tolist()
        )
        assert standing[:, WIN_SLOT].sum() == 60


@pytest.mark.parametrize("n", [2, 3, 4])
def test_a_standing_agrees_with_a_follower_of_the_log(n):
    record = Record(n, (ANY, MOSTLY_FIRST))
    for block in range(6):
        events, rows, standings = noted(record, block)
        follower = ByRound(record.edition, n)
        kept = record.game.edition.spoils_kept[: record.game.edition.n_spoils]
        follower.passing = frozenset(np.flatnonzero(kept == 0).tolist())
        follower.standings = standings
        follower.follow(events)
        assert len(standings) == follower.rounds == 6
        assert (standings[-1, :, : COUNT_SLOT + len(COUNT_NAMES)] == rows[:, : COUNT_SLOT + len(COUNT_NAMES)]).all()
        assert standings[-1, :, SCORE_SLOT].tolist() == follower.scores


@pytest.mark.parametrize("n_rounds", [2, 4])
def test_a_game_of_fewer_rounds_ends_as_the_longer_one_stands_there(n_rounds):
    """With income after the last round too, so that both have had the same."""
    record = Record(3, (ANY, MOSTLY_FIRST), territory_glory_round6="yes")
    whole = [noted(record, block)[2] for block in range(6)]
    record.game.edition.n_rounds = n_rounds
    for block, standings in enumerate(whole):
        rows = record.play(block)[0, 0]
        parts = slice(SCORE_SLOT, COMPONENT_SLOT + N_COMPONENTS)
        assert standings[n_rounds - 1][:, parts].tolist() == rows[:, parts].tolist()


def test_noting_standings_changes_neither_the_game_nor_its_log():
    record = Record(4, (ANY, MOSTLY_FIRST))
    for block in range(3):
        events, rows, _ = noted(record, block)
        assert (events == record.events(block)).all()
        assert (rows == record.play(block)[0, 0]).all()
