"""The columns of the tables of Reavers of Midgard, and its rule switches (facts: rules.md, ambiguities.md)."""

from pathlib import Path

from simcore.contract import RuleSwitch
from simcore.editions import read_presets
from simcore.reavers.layout import (
    COLOUR_NAMES,
    FACE_NAMES,
    LOCATION_NAMES,
    MAX_SUCCESSES,
    METRIC_NAMES,
    TERRITORY_NAMES,
)
from simcore.tables import PROVENANCE_FIELDS, Field, Schema

DATA_FOLDER = Path(__file__).parent / "data"

MAX_GLORY = 99
EDITION_WORDS = ("both", "published", "early")
VILLAGE_CATEGORIES = ("artifact", "ship_upgrade", "farm", "village_wall", "weapons", "runic")
KEEP_CATEGORIES = ("treasure", "art", "armor", "tapestry", "keep_wall", "tower")
SET_CATEGORIES = ("treasure", "art", "armor", "runic")
KIND_CATEGORIES = ("tapestry", "weapons")
BUILDING_CATEGORIES = ("keep_wall", "tower", "farm", "village_wall")

_COPIES = Field("count", "copies", low=1, high=99)
_NOTES = Field("notes", "anything", "text", optional=True)
_EDITIONS = Field("editions", "edition the row is used in", "word", choices=EDITION_WORDS)
_GAIN = "in the language of gains and costs (see the page on editing)"

CONSTANTS = Schema(
    "constants.csv",
    "Numbers that no card, tile or die carries. Lists go by seat from the selector, or by 2, 3, 4 players.",
    (
        Field("key", "what it is", "text", unique=True),
        Field("published", "its value in the published game", "text"),
        Field("early", "its value in the early text", "text"),
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
    twins=("published", "early"),
)

CREW_DICE = Schema(
    "crew_dice.csv",
    "The crew dice: one row a side, six a colour, for each profile (rule switch crew_dice).",
    (
        Field("profile", "profile", "text"),
        Field("color", "colour", "word", choices=COLOUR_NAMES),
        Field("clan", "the clan of that colour", "text", optional=True),
        Field("dice_in_supply", "dice of that colour", low=1, high=99),
        Field("face_index", "side", low=1, high=6),
        Field("face", "what it shows", "word", choices=FACE_NAMES),
        Field("hammers", "hammers on it", high=2),
        Field("wild_if_leader_same_clan", "1 on the clan icon", high=1),
        Field("probability", "only a reminder", "text", optional=True),
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
    key=("profile", "color", "face_index"),
)

COMBAT_DICE = Schema(
    "combat_dice.csv",
    "The combat dice: one row a side, for each profile (rule switch combat_dice).",
    (
        Field("profile", "profile", "text"),
        Field("face_index", "side", low=1, high=6),
        Field("successes", "successes on it", high=MAX_SUCCESSES),
        Field("probability", "only a reminder", "text", optional=True),
        Field("dice_in_supply", "combat dice in the box", low=1, high=31),
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
    key=("profile", "face_index"),
)

REAVERS = Schema(
    "reavers.csv",
    "The Reaver cards.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("clan", "its clan", "text", optional=True),
        Field("color", "colour of its clan", "word", choices=COLOUR_NAMES),
        Field("roll_dice", "dice at the top left: colours or choice, joined with +", "text", optional=True),
        Field("rally_dice", "dice at the top right: colours or choice, joined with +", "text", optional=True),
        Field("promote_bonus", f"what promoting it brings, {_GAIN}", "text", optional=True),
        Field(
            "leader_wild_color", "colour whose clan icon is wild under it", "word", choices=COLOUR_NAMES, optional=True
        ),
        Field("ability_id", "kind of its ability: the same for equal abilities", "text", optional=True),
        Field("ability_cost", f"what its ability costs, {_GAIN}", "text", optional=True),
        Field("ability_gain", f"what its ability brings, {_GAIN}", "text", optional=True),
        Field("ability_text", "what the card says", "text", optional=True),
        Field("end_glory", "Glory at the end", high=MAX_GLORY),
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

_SPOILS_FIELDS = (
    Field("set_table", "total Glory of 1, 2, 3... copies, with / between", "text", optional=True),
    Field("set_max", "copies of a full set", low=1, high=20, optional=True),
    Field("defense", "Defense of a building", low=1, high=20, optional=True),
    Field("immediate", f"what it brings at once, {_GAIN}", "text", optional=True),
    Field("pillage_reward", f"what pillaging it brings, {_GAIN}", "text", optional=True),
    Field(
        "goes_to",
        "where it ends up; fixed by its category",
        "word",
        choices=("glory_pile", "deck_bottom", "artifact_slot"),
    ),
    *PROVENANCE_FIELDS,
    _NOTES,
)

VILLAGE_SPOILS = Schema(
    "village_spoils.csv",
    "The Village Spoils cards. Rows of one edition only stand for each other; which counts is a rule switch's matter.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("category", "what kind of card it is", "word", choices=VILLAGE_CATEGORIES),
        _EDITIONS,
        _COPIES,
        Field("ref", "id of the artifact or ship upgrade", "text", optional=True),
        *_SPOILS_FIELDS,
    ),
)

KEEP_SPOILS = Schema(
    "keep_spoils.csv",
    "The Keep Spoils cards.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("category", "what kind of card it is", "word", choices=KEEP_CATEGORIES),
        _EDITIONS,
        _COPIES,
        *_SPOILS_FIELDS,
    ),
)

ARTIFACTS = Schema(
    "artifacts.csv",
    "The artifacts that Village Spoils name.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("stored_face", "face of the die it stores", "word", choices=FACE_NAMES),
        Field("location", "location at which it works", "word", choices=LOCATION_NAMES),
        Field("effect", f"what discarding the die brings, {_GAIN}", "text"),
        Field("extra_die_space", "dice it stores", high=1),
        Field("once_per_activation", "1: it works once in an activation", low=1, high=1),
        Field("usable_when_resting", "1: also for a player who rests", high=1),
        Field("wild_die_may_be_stored", "0: a wild die may not be stored", high=0),
        Field("end_glory", "Glory at the end", high=MAX_GLORY),
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

SHIP_UPGRADES = Schema(
    "ship_upgrades.csv",
    "The ship upgrade tokens that Village Spoils name.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("faces", "faces it shows, with | between", "text"),
        Field("use", "only a reminder", "text", optional=True),
        Field("refresh_published", "only a reminder", "text", optional=True),
        Field("refresh_early", "only a reminder", "text", optional=True),
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

SEA_JOURNEYS = Schema(
    "sea_journeys.csv",
    "The Sea Journey cards.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("pay_cost", f"what can be paid instead of suffering, {_GAIN}", "text", optional=True),
        Field("suffer_effect", f"what happens otherwise, {_GAIN}", "text", optional=True),
        Field("benefit", f"what it brings anyway, {_GAIN}", "text", optional=True),
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

SEA_BATTLES = Schema(
    "sea_battles.csv",
    "The Sea Battle cards.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("family", "kind of enemy", "text", optional=True),
        Field("defense", "its Defense", low=1, high=20),
        Field("dice_combo", f"dice that win without combat, {_GAIN}", "text", optional=True),
        Field("reward", f"what winning brings, {_GAIN}", "text"),
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

PROPHECIES = Schema(
    "prophecies.csv",
    "The prophecies.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("name", "what it is called", "text"),
        Field("metric", "what it counts", "word", choices=METRIC_NAMES),
        Field("counts", "the same in words", "text", optional=True),
        Field("glory_per", "Glory for each counted", low=1, high=MAX_GLORY),
        Field("cap", "most Glory one copy brings", low=1, high=MAX_GLORY),
        Field("category", "only a reminder", "text", optional=True),
        _EDITIONS,
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

TERRITORIES = Schema(
    "territories.csv",
    "The territory tiles.",
    (
        Field("id", "a name of its own", "text", unique=True),
        Field("type", "its type", "word", choices=TERRITORY_NAMES),
        Field("color", "its colour", "text", optional=True),
        Field("level", "its level", low=1, high=3),
        Field("defense", "its Defense: the level (rule 11.2)", low=1, high=3),
        Field("peaceful_cost", f"what taking it in peace costs, {_GAIN}", "text"),
        Field("hidden_reward", f"what its back brings, {_GAIN}", "text", optional=True),
        Field("glory_per_cleanup", "Glory it pays in each cleanup", high=MAX_GLORY),
        _COPIES,
        *PROVENANCE_FIELDS,
        _NOTES,
    ),
)

SCHEMAS = (
    CONSTANTS,
    CREW_DICE,
    COMBAT_DICE,
    REAVERS,
    VILLAGE_SPOILS,
    KEEP_SPOILS,
    ARTIFACTS,
    SHIP_UPGRADES,
    SEA_JOURNEYS,
    SEA_BATTLES,
    PROPHECIES,
    TERRITORIES,
)
FILES = tuple(schema.file for schema in SCHEMAS)


def _switch(key: str, choices: str, says: str, source: str) -> RuleSwitch:
    return RuleSwitch(key, tuple(choices.split()), says, source)


RULE_SWITCHES = (
    _switch(
        "recruit_offer",
        "stack space",
        "What is recruited: a stack of 2 (or 2 unseen), or a space of 1 or 2 (or 1 unseen)",
        "rule 4.1, A5",
    ),
    _switch("recruit_bonus", "2 0", "Favor that the selector of Recruit Reavers gains", "rule 4.2, A6"),
    _switch("leader_wild", "yes no", "Whether the clan icon of the leader's colour is wild", "rule 4.6, A7"),
    _switch("specialize_limit", "3 none", "Specialists that a slot holds", "rule 4.4, A8"),
    _switch(
        "trade_options", "four three", "Whether Trade with Villages offers Favor as its fourth option", "rule 5.2, A9"
    ),
    _switch("villages_food_cost", "1 0", "Food that Raid Villages costs", "rule 6.1, A10"),
    _switch("upgrade_glory_option", "yes no", "Whether a ship upgrade can be turned into Glory", "rule 6.4, A12"),
    _switch(
        "upgrade_refresh",
        "activation round",
        "When used ship upgrades are ready again: after each activation, or in cleanup",
        "rule 6.4, A13",
    ),
    _switch(
        "keep_deck", "full sets_only", "Whether the Keep Spoils hold tapestries, walls and towers", "rule 7.3, A14"
    ),
    _switch(
        "village_deck", "full early", "Whether the Village Spoils hold weapons and runic carvings", "rule 6.6, A15"
    ),
    _switch("terror", "yes no", "Whether pillaging a village building brings a Terror token", "rule 6.5, A16"),
    _switch(
        "two_player_bonus_seat",
        "4 2",
        "Whose bonus the other one of two players gets: seat 4's or seat 2's",
        "rule 3.7, A18",
    ),
    _switch(
        "offer_refill",
        "replace_all fill_gaps",
        "Whether cleanup replaces all face-up cards or fills the gaps",
        "rule 3.8, A19",
    ),
    _switch(
        "start_crew",
        "reavers dice_and_prophecy",
        "What players start with: 2 Reavers, or 3 crew dice and a prophecy",
        "rule 2.5, A2",
    ),
    _switch("territory_glory_round6", "no yes", "Whether territories pay after the last round too", "rule 3.8, B1"),
    _switch(
        "trade_marker_if_held",
        "keep pass_left",
        "What the selector of Trade does with a start marker already held",
        "rule 5.1, B2",
    ),
    _switch(
        "selector_bonus_without_participation",
        "no yes",
        "Whether the selector of Recruit Reavers or Battle at Sea has the bonus even when resting",
        "rule 8.1, B3",
    ),
    _switch("rest_at_free_location", "yes no", "Whether one may rest at a location that costs nothing", "rule 3.5, B4"),
    _switch(
        "journey_payment",
        "choice forced_if_able",
        "Whether one may suffer a Sea Journey that one could pay",
        "rule 8.2, B6",
    ),
    _switch("wild_as_double_hammer", "yes no", "Whether a wild die counts as a double hammer", "rule 4.6, B7"),
    _switch("double_pays_single", "yes no", "Whether a double hammer may pay a single one", "rule 9.4, B8"),
    _switch("add_hammers_between_rolls", "no yes", "Whether hammers may be added after a roll", "rule 10.1, B9"),
    _switch(
        "artifact_loading",
        "any_decision on_gain",
        "When dice may be stored on artifacts: at any own decision, or as they are gained",
        "rule 6.3, B10",
    ),
    _switch(
        "territory_rewards", "hidden open", "Whether the back of the top territory tile is known", "rule 11.3, B13"
    ),
    _switch(
        "terror_from_keep",
        "no yes",
        "Whether pillaging a keep's wall or tower brings Terror too (under terror=yes)",
        "rule 7.4, B14",
    ),
    _switch(
        "lost_battle",
        "deck_bottom stays",
        "Where a lost sea battle goes: under the deck, or back to its face-up space",
        "rule 8.3, B15",
    ),
    _switch(
        "offer_refill_within_activation",
        "no yes",
        "Whether face-up cards are refilled as soon as they are claimed",
        "rule 5.3, B16",
    ),
    _switch("dice_supply", "limited unlimited", "Whether crew dice are limited to those in the box", "rule 3.11, B18"),
    _switch("most_players", "4 5", "Players that the game allows; five are experimental", "rule 1.1, A1"),
    _switch(
        "crew_dice", "uniform skewed", "Faces of the crew dice: one of each on every die, or by colour", "rule 9.1"
    ),
    _switch(
        "combat_dice",
        "default mean1 swingy",
        "Faces of the combat dice: 0,0,1,1,1,2, or two others with mean 1",
        "rule 10.2",
    ),
)

PRESETS = read_presets(DATA_FOLDER / "editions.toml", RULE_SWITCHES)
"""Shipped editions: name -> switches that differ from the defaults."""
