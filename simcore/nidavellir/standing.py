"""The standing at the end of a round: what the result rows would be, had the game ended there."""

from simcore.accel import separate_kernel
from simcore.nidavellir.layout import GAME, HIDDEN, N_CLASSES, N_SLOTS, NOWHERE
from simcore.nidavellir.scoring import score_game_nb


@separate_kernel(GAME, HIDDEN)
def note_standing_nb(game, hidden):
    """Score the game as it stands into the next row of ``hidden.standing``; nothing else changes, no event is written.

    Thrud counts as she will, from the command zone, so that her rank counts nowhere (rule 8.2). Ylud counts where she
    stands: her owner has not said yet where she will end (rule 8.1).
    """
    rows = hidden.standing[hidden.n_standings]
    hidden.n_standings += 1
    for seat in range(game.n_players):
        for slot in range(N_SLOTS):
            rows[seat, slot] = 0
    thrud = game.edition.thrud
    owner = NOWHERE if thrud == NOWHERE else game.hero_owner[thrud]
    column = NOWHERE if owner == NOWHERE else game.pl[owner].thrud_column
    is_placed = 0 <= column < N_CLASSES
    if is_placed:
        game.pl[owner].rank[column] -= game.edition.hero_ranks[thrud]
    recording = hidden.recording
    hidden.recording = 0
    score_game_nb(game, hidden, rows)
    hidden.recording = recording
    if is_placed:
        game.pl[owner].rank[column] += game.edition.hero_ranks[thrud]
