"""The shared heuristic with its default weights: what every other strategy falls back to."""

from strategies.nidavellir.bidding import choose_bid_nb
from strategies.nidavellir.card_choice import choose_card_nb, choose_pioneer_card_nb
from strategies.nidavellir.coin_planning import (
    choose_exchange_nb,
    choose_exchange_pair_nb,
    choose_given_up_nb,
    choose_transform_nb,
)
from strategies.nidavellir.hero_placing import choose_thrud_column_nb, choose_ylud_column_nb
from strategies.nidavellir.recruiting import choose_discard_nb, choose_hero_nb
from strategies.nidavellir.tables import prepare
from strategies.nidavellir.uline import choose_uline_bid_nb
from strategies.nidavellir.weights import WEIGHTS
from strategies.registry import strategy


@strategy(
    game="nidavellir",
    name="balanced",
    idea="Values cards by the army to come, fills lines, plans its coins and bids by the spread of each tavern.",
    source="strategies.md section 3, H1 to H13 with middling weights",
    base=None,
    params=WEIGHTS,
    table=prepare,
)
class Balanced:
    """Every decision of the shared heuristic."""

    choose_bid = choose_bid_nb
    choose_uline_bid = choose_uline_bid_nb
    choose_card = choose_card_nb
    choose_thrud_column = choose_thrud_column_nb
    choose_hero = choose_hero_nb
    choose_discard = choose_discard_nb
    choose_transform = choose_transform_nb
    choose_exchange_pair = choose_exchange_pair_nb
    choose_ylud_column = choose_ylud_column_nb
    choose_pioneer_card = choose_pioneer_card_nb
    choose_given_up = choose_given_up_nb
    choose_exchange = choose_exchange_nb
