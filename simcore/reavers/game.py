"""A whole game of Reavers of Midgard (section 3 of the rules), and the kernel that plays blocks of games."""

from simcore.accel import kernel
from simcore.contract import MAX_GRANTS, MAX_PARAMS
from simcore.reavers.activation import activate_nb, selector_nb
from simcore.reavers.cleanup import clean_up_nb
from simcore.reavers.events import GAME_ENDS, ROUND_STARTS, record_nb
from simcore.reavers.layout import DECISIONS_SLOT, N_DECISIONS, N_LOCATIONS
from simcore.reavers.scoring import clear_rows_nb, score_game_nb
from simcore.reavers.setup import set_up_game_nb
from simcore.reavers.standing import note_standing_nb


@kernel
def play_round_nb(game, hidden):
    """Select and resolve four locations, then clean up (rules 3.2, 3.8)."""
    game.round_number += 1
    game.rounds_left -= 1
    game.first_player = game.start_player
    for location in range(N_LOCATIONS):
        game.is_selected[location] = game.edition.location_withheld[location]
    record_nb(hidden, ROUND_STARTS, game.round_number, game.first_player, game.honor_ship, 0)
    for selection in range(game.edition.n_selections):
        game.selection = selection
        activate_nb(game, hidden, selector_nb(game, selection))
    clean_up_nb(game, hidden)
    if hidden.noting == 1:
        note_standing_nb(game, hidden)


@kernel
def play_game_nb(game, hidden, rows):
    """Play one game from set-up to final score (rules 2.1 to 3.8, section 12).

    Parameters
    ----------
    game, hidden
        Records of `layout.py`; the edition, the number of players, the seats' parameters and addresses are set.
    rows : int64[n_players, N_SLOTS]
        Filled with the result rows.
    """
    set_up_game_nb(game, hidden)
    clear_rows_nb(game, rows)
    for _ in range(game.edition.n_rounds):  # 3.1
        play_round_nb(game, hidden)
    score_game_nb(game, hidden, rows)
    record_nb(hidden, GAME_ENDS, game.n_players, 0, 0, 0)


@kernel
def seat_entrants_nb(game, hidden, address, param, table, n_table, handicap, seats):
    """Give every seat the decisions, parameters, table and handicap of the entrant that sits there."""
    for seat in range(game.n_players):
        entrant = seats[seat]
        for decision in range(N_DECISIONS):
            hidden.address[seat, decision] = address[entrant, decision]
        for i in range(MAX_PARAMS):
            hidden.own[seat].param[i] = param[entrant, i]
        hidden.own[seat].table = table[entrant]
        hidden.own[seat].n_table = n_table[entrant]
        game.pl[seat].banned = handicap[entrant, 0]
        for i in range(MAX_GRANTS):
            hidden.granted[seat, i] = handicap[entrant, 1 + i]


@kernel
def play_blocks_nb(
    games, hiddens, address, param, table, n_table, handicap, seating, seed, first_block, first_game, n_blocks, rows
):
    """Play blocks of games: each block's luck once for every seating.

    Parameters
    ----------
    games : GAME[1]
        With the edition and the number of players filled in.
    hiddens : HIDDEN[1]
        Arrays, as a record alone is described to the call field by field, which takes longer than a game.
    address : uint64[n_entrants, N_DECISIONS]
        Addresses of the entrants' decisions.
    param : int64[n_entrants, MAX_PARAMS]
    table : uint64[n_entrants]
        Addresses of the entrants' prepared tables of ``n_table`` int64.
    n_table : int64[n_entrants]
    handicap : int64[n_entrants, 1 + MAX_GRANTS]
        What each entrant may not have and what it is granted: see `simcore.contract.Entrant`.
    seating : int64[n_games, n_players]
        Entrant in each seat, for each game of a block.
    seed : uint64
    first_block, n_blocks : int64
    first_game : int64
        Number within its block of the first row of `seating`; not 0 only when a single game is replayed.
    rows : int64[n_blocks, n_games, n_players, N_SLOTS]
        Filled with the result rows.

    Raises
    ------
    ValueError
        A strategy answered with no option's index; see `simcore.reavers.events.ask_nb`.
    """
    game, hidden = games[0], hiddens[0]
    hidden.seed = seed
    for i in range(n_blocks):
        hidden.block = first_block + i
        for g in range(seating.shape[0]):
            hidden.game_in_block = first_game + g
            seat_entrants_nb(game, hidden, address, param, table, n_table, handicap, seating[g])
            asked_before = hidden.n_decisions
            play_game_nb(game, hidden, rows[i, g])
            for seat in range(game.n_players):
                rows[i, g, seat, DECISIONS_SLOT] = hidden.n_decisions - asked_before
