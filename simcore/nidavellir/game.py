"""A whole game of Nidavellir (section 3 of the rules), and the kernel that plays blocks of games."""

from simcore.accel import kernel
from simcore.contract import MAX_GRANTS, MAX_PARAMS
from simcore.nidavellir.bids import place_bids_nb, take_back_coins_nb
from simcore.nidavellir.coins import sum_of_coins_nb
from simcore.nidavellir.events import GAME_ENDS, ROUND_STARTS, record_3_nb
from simcore.nidavellir.granting import grant_items_nb
from simcore.nidavellir.layout import DECISIONS_SLOT, N_DECISIONS, N_TAVERNS
from simcore.nidavellir.scoring import clear_rows_nb, score_game_nb
from simcore.nidavellir.setup import begin_age_nb, set_up_game_nb
from simcore.nidavellir.standing import note_standing_nb
from simcore.nidavellir.taverns import deal_taverns_nb, resolve_tavern_nb
from simcore.nidavellir.troops import evaluate_troops_nb, place_ylud_nb, retire_thrud_nb


@kernel
def play_round_nb(game, hidden):
    """Deal, bid, resolve the three taverns, take the coins back (rule 3.2)."""
    game.round_number += 1
    game.tavern = -1
    record_3_nb(hidden, ROUND_STARTS, game.age, game.round_number, 0)
    deal_taverns_nb(game, hidden)
    place_bids_nb(game, hidden)
    for tavern in range(N_TAVERNS):
        resolve_tavern_nb(game, hidden, tavern)
    game.tavern = -1
    take_back_coins_nb(game, hidden)
    played = (game.age - 1) * game.edition.rounds_per_age + game.round_number
    for seat in range(game.n_players):
        game.pl[seat].coins_after_round[played] = sum_of_coins_nb(game.pl[seat])
    game.rounds_left -= 1
    if hidden.noting == 1:
        note_standing_nb(game, hidden)


@kernel
def play_age_nb(game, hidden, age):
    """Play the rounds of one age."""
    begin_age_nb(game, hidden, age)
    for _ in range(game.edition.rounds_per_age):
        play_round_nb(game, hidden)


@kernel
def play_game_nb(game, hidden, rows):
    """Play one game from set-up to final score (rule 3.1).

    Parameters
    ----------
    game, hidden
        Records of `layout.py`; ``game.edition``, ``game.n_players``, the seats' parameters and ``hidden.address`` are
        set.
    rows : int64[n_players, N_SLOTS]
        Filled with the result rows.
    """
    set_up_game_nb(game, hidden)
    clear_rows_nb(game, rows)
    grant_items_nb(game, hidden)
    play_age_nb(game, hidden, 1)
    place_ylud_nb(game, hidden)  # 7.1
    evaluate_troops_nb(game, hidden)  # 7.2 to 7.6
    play_age_nb(game, hidden, 2)
    place_ylud_nb(game, hidden)  # 8.1
    retire_thrud_nb(game, hidden)  # 8.2
    score_game_nb(game, hidden, rows)  # 8.3 to 8.8
    record_3_nb(hidden, GAME_ENDS, game.n_players, 0, 0)


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
        A strategy answered with no option's index; see `simcore.nidavellir.events.ask_nb`.
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
