"""Selecting a location, and acting there or resting (strategies.md section 2)."""

from simcore.accel import kernel
from simcore.reavers.layout import TRADE
from strategies.explaining import tell_nb
from strategies.reavers.effects import effect_value_nb
from strategies.reavers.memory import ACTING, DECIDED_AT, PLACES, PLACES_A_LOCATION, SELECTED_AT, TO_COME
from strategies.reavers.outlook import moment_nb
from strategies.reavers.places import NOT_PAYABLE, action_value_nb, rest_value_nb, survey_nb, value_places_nb
from strategies.reavers.weights import FOLLOW, LIKE, MARKER, ONE, SHARE

ACT, FIRST_REST = 0, 1


@kernel
def marker_value_nb(game, own):
    """Return what taking the start-player marker is worth: nothing to its holder and in the last round."""
    if game.start_player == own.seat or game.rounds_left == 0:
        return 0
    return own.param[MARKER]


@kernel
def choose_location_nb(game, own, n_options):
    """Select the location that is worth most more than what one could get there as a follower (rule 3.3)."""
    survey_nb(game, own)
    rest = rest_value_nb(game, own)
    best = 0
    best_value = -(1 << 30)
    far = min(1 + game.n_players // 2, game.n_players - 1)
    for i in range(n_options):
        location = own.option[i]
        is_payable = value_places_nb(game, own, location, rest)
        places = PLACES + PLACES_A_LOCATION * location
        chance = min(SHARE, own.memory[TO_COME + location])
        value = own.memory[places]
        value -= ((own.memory[places + far] - rest) * own.param[FOLLOW] >> 8) * chance >> 8
        if location == TRADE:
            value += marker_value_nb(game, own)
        if is_payable:
            value += own.param[LIKE + location]
        tell_nb(i, value, ONE)
        if value > best_value:
            best_value = value
            best = i
    return best


@kernel
def choose_action_nb(game, own, n_options):
    """Act if that is worth more than the best way to rest (rules 3.4, 3.5)."""
    own.memory[DECIDED_AT] = moment_nb(game)
    survey_nb(game, own)
    best = 0
    most = -(1 << 30)
    for i in range(n_options):
        action = own.option[i]
        if action != ACT:
            value = effect_value_nb(game, own, game.edition.rest[action - FIRST_REST])
            tell_nb(i, value, ONE)
            if value > most:
                most = value
                best = i
    if own.option[0] == ACT:
        enough = most - own.param[LIKE + game.location]
        if own.memory[SELECTED_AT] == moment_nb(game) and own.memory[ACTING + game.location] != NOT_PAYABLE:
            acting = own.memory[ACTING + game.location]  # its selector has just worked it out
        else:
            acting = action_value_nb(game, own, game.location, game.distance, enough)
        tell_nb(0, acting + own.param[LIKE + game.location], ONE)  # no further than it takes to beat resting
        if acting >= enough:
            return 0
    return best
