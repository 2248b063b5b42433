"""Artifacts: taking them and using the die stored on them (rule 6.3). Storing dice is in `dice`, paying in `paying`."""

from simcore.accel import kernel, separate_kernel
from simcore.reavers.decisions import CHOOSE_ARTIFACT_USE, CHOOSE_GIVEN_UP_ARTIFACT
from simcore.reavers.dice import empty_artifact_nb, load_at_decision_nb
from simcore.reavers.effects import gain_nb
from simcore.reavers.events import (
    ARTIFACT_GIVEN_UP,
    ARTIFACT_PLACED,
    ARTIFACT_USED,
    STORED_DIE_SPENT,
    ask_nb,
    record_nb,
)
from simcore.reavers.layout import FROM_ARTIFACTS, GAME, HIDDEN, NOWHERE


@separate_kernel(GAME, HIDDEN)
def place_artifact_nb(game, hidden, seat, artifact, seen):
    """Put an artifact on the board; with no space left one of them, old or new, goes to the Glory pile (rule 6.3).

    Its owner keeps it for final scoring wherever it lies; a die stored on one that leaves returns to the supply.
    """
    me = game.pl[seat]
    own = hidden.own[seat]
    own.n_artifacts += 1
    own.artifact_glory += game.edition.artifact_glory[artifact]
    space = me.n_artifacts
    if space == game.edition.artifact_spaces:
        for i in range(space + 1):
            own.option[i] = i
        space = own.option[ask_nb(game, hidden, seat, CHOOSE_GIVEN_UP_ARTIFACT, space + 1)]
        if space == me.n_artifacts:
            me.artifacts_seen += seen
            own.had_artifact[artifact] = 1
            record_nb(hidden, ARTIFACT_GIVEN_UP, seat, artifact, 0, 0)
            return
        if me.stored[space] != NOWHERE:
            face = game.edition.artifact_face[me.artifact[space]]
            record_nb(hidden, STORED_DIE_SPENT, seat, space, me.stored[space], face)
            empty_artifact_nb(game, seat, space)
        record_nb(hidden, ARTIFACT_GIVEN_UP, seat, me.artifact[space], 0, 0)
    else:
        me.n_artifacts += 1
    me.artifact[space] = artifact
    me.artifacts_seen += 1
    me.stored[space] = NOWHERE
    me.artifact_used[space] = 0
    own.had_artifact[artifact] = 1
    record_nb(hidden, ARTIFACT_PLACED, seat, space, artifact, 0)
    load_at_decision_nb(game, hidden, seat)


@separate_kernel(GAME, HIDDEN)
def use_artifacts_nb(game, hidden, seat):
    """Let a seat discard dice stored on artifacts of the present location for their effects, each once (rule 6.3).

    One that is of no use to a resting player waits until its owner has decided to act.
    """
    me = game.pl[seat]
    own = hidden.own[seat]
    while me.n_stored > 0:
        n = 0
        for space in range(me.n_artifacts):
            artifact = me.artifact[space]
            is_here = game.edition.artifact_location[artifact] == game.location
            is_of_use = (me.acts == 1) | (game.edition.artifact_when_resting[artifact] == 1)
            own.option[n] = space
            n += (me.stored[space] != NOWHERE) & (me.artifact_used[space] == 0) & is_here & is_of_use
        if n == 0:
            return
        own.option[n] = NOWHERE
        space = own.option[ask_nb(game, hidden, seat, CHOOSE_ARTIFACT_USE, n + 1)]
        if space == NOWHERE:
            return
        artifact = me.artifact[space]
        me.artifact_used[space] = 1
        me.n_artifact_uses += 1
        record_nb(hidden, ARTIFACT_USED, seat, space, artifact, 0)
        record_nb(hidden, STORED_DIE_SPENT, seat, space, me.stored[space], game.edition.artifact_face[artifact])
        empty_artifact_nb(game, seat, space)
        gain_nb(game, hidden, seat, game.edition.artifact_gain[artifact], FROM_ARTIFACTS, NOWHERE)


@kernel
def prepare_nb(game, hidden, seat):
    """At an own decision point: store dice on artifacts, then use what is stored (rule 6.3)."""
    if game.pl[seat].n_artifacts > 0:
        load_at_decision_nb(game, hidden, seat)
        use_artifacts_nb(game, hidden, seat)
