"""What a coin wins by the place it gets: the rivals' coins are public, their armies say what they will take (H5, H15)."""

from simcore.accel import kernel
from strategies.nidavellir.memory import AHEAD, SHARES
from strategies.nidavellir.valuing import card_value_nb, card_value_to_nb


@kernel
def fill_left_at_place_nb(game, own, table, tavern):
    """Write into ``own.memory[AHEAD + k]`` the best card left to oneself when k rivals have chosen, 1/256 point.

    They are taken to choose in the order of what all rivals together think of the cards.
    """
    memory = own.memory
    n = game.n_cards[tavern]
    for i in range(n):
        card = game.card[tavern, i]
        liking = 0
        for seat in range(game.n_players):
            if seat != own.seat:
                liking += card_value_to_nb(game, own, seat, card)
        value = card_value_nb(game, own, table, card)
        j = i
        while j > 0 and memory[SHARES + j - 1] < liking:  # sorted by liking, descending
            memory[SHARES + j] = memory[SHARES + j - 1]
            memory[AHEAD + j] = memory[AHEAD + j - 1]
            j -= 1
        memory[SHARES + j] = liking
        memory[AHEAD + j] = value
    for i in range(n - 2, -1, -1):
        memory[AHEAD + i] = max(memory[AHEAD + i], memory[AHEAD + i + 1])
