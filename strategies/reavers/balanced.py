"""The shared heuristic with its default weights: what every other strategy falls back to."""

from strategies.reavers.fighting import choose_combat_reroll_nb, choose_hammer_nb
from strategies.reavers.gaining import (
    choose_ability_nb,
    choose_colour_nb,
    choose_die_nb,
    choose_die_to_reroll_nb,
    choose_die_to_turn_nb,
    choose_face_nb,
    choose_gain_nb,
    choose_market_die_nb,
    choose_prophecy_nb,
    choose_trade_nb,
)
from strategies.reavers.selecting import choose_action_nb, choose_location_nb
from strategies.reavers.spending import (
    choose_artifact_use_nb,
    choose_discard_nb,
    choose_given_up_artifact_nb,
    choose_loading_nb,
    choose_lost_die_nb,
    choose_payment_nb,
    choose_returned_upgrade_nb,
    choose_upgrade_nb,
)
from strategies.reavers.tables import prepare
from strategies.reavers.taking import (
    choose_battle_nb,
    choose_battle_way_nb,
    choose_journey_nb,
    choose_next_card_nb,
    choose_pillage_nb,
    choose_reaver_use_nb,
    choose_recruits_nb,
    choose_spoils_nb,
    choose_territory_nb,
)
from strategies.reavers.weights import WEIGHTS
from strategies.registry import strategy


@strategy(
    game="reavers",
    name="balanced",
    idea="Values every option by the Glory it can expect, by exact combat odds and by what is still to come.",
    source="strategies.md section 2, and 'balanced' of section 3: all locations alike, the best of three uses",
    base=None,
    params=WEIGHTS,
    table=prepare,
)
class Balanced:
    """Every decision of the shared heuristic."""

    choose_location = choose_location_nb
    choose_action = choose_action_nb
    choose_payment = choose_payment_nb
    choose_ability = choose_ability_nb
    choose_artifact_use = choose_artifact_use_nb
    choose_loading = choose_loading_nb
    choose_recruits = choose_recruits_nb
    choose_next_card = choose_next_card_nb
    choose_reaver_use = choose_reaver_use_nb
    choose_die = choose_die_nb
    choose_colour = choose_colour_nb
    choose_discard = choose_discard_nb
    choose_lost_die = choose_lost_die_nb
    choose_trade = choose_trade_nb
    choose_market_die = choose_market_die_nb
    choose_prophecy = choose_prophecy_nb
    choose_spoils = choose_spoils_nb
    choose_given_up_artifact = choose_given_up_artifact_nb
    choose_returned_upgrade = choose_returned_upgrade_nb
    choose_gain = choose_gain_nb
    choose_pillage = choose_pillage_nb
    choose_hammer = choose_hammer_nb
    choose_combat_reroll = choose_combat_reroll_nb
    choose_journey = choose_journey_nb
    choose_battle = choose_battle_nb
    choose_battle_way = choose_battle_way_nb
    choose_territory = choose_territory_nb
    choose_die_to_turn = choose_die_to_turn_nb
    choose_face = choose_face_nb
    choose_die_to_reroll = choose_die_to_reroll_nb
    choose_upgrade = choose_upgrade_nb
