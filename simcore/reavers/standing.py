"""The standing at the end of a round: what the result rows would be, had the game ended there."""

from simcore.accel import separate_kernel
from simcore.reavers.layout import GAME, HIDDEN, N_SLOTS
from simcore.reavers.scoring import score_game_nb


@separate_kernel(GAME, HIDDEN)
def note_standing_nb(game, hidden):
    """Score the game as it stands into the next row of ``hidden.standing``; nothing else changes, no event is written.

    That is the Glory on the track, the round's territory income included, and all that section 12 adds at the end.
    """
    rows = hidden.standing[hidden.n_standings]
    hidden.n_standings += 1
    for seat in range(game.n_players):
        for slot in range(N_SLOTS):
            rows[seat, slot] = 0
    recording = hidden.recording
    hidden.recording = 0
    score_game_nb(game, hidden, rows)
    hidden.recording = recording
