"""Nidavellir as the rest of the program sees it."""

from simcore.contract import GameSpec
from simcore.nidavellir.cards import (
    DATA_FOLDER,
    PRESETS,
    RULE_SWITCHES,
    card_rows,
    columns,
    fill_edition,
    load_edition,
)
from simcore.nidavellir.columns import STANDING_COLUMNS
from simcore.nidavellir.game import play_blocks_nb
from simcore.nidavellir.items import items, takings
from simcore.nidavellir.layout import DECISIONS, GAME, HIDDEN, N_SLOTS, OWN
from simcore.nidavellir.narration import events_as_json, narrate
from simcore.nidavellir.schema import SCHEMAS

SPEC = GameSpec(
    game_id="nidavellir",
    title="Nidavellir",
    min_players=2,
    max_players=5,
    decisions=DECISIONS,
    rule_switches=RULE_SWITCHES,
    presets=PRESETS,
    game_dtype=GAME,
    own_dtype=OWN,
    hidden_dtype=HIDDEN,
    n_slots=N_SLOTS,
    load_edition=load_edition,
    fill_edition=fill_edition,
    columns=columns,
    play_blocks=play_blocks_nb,
    narrate=narrate,
    events_as_json=events_as_json,
    card_rows=card_rows,
    schemas=SCHEMAS,
    data_folder=DATA_FOLDER,
    items=items,
    takings=takings,
    standing_columns=STANDING_COLUMNS,
)
