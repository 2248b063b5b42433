"""A recorded game in words, and as dictionaries that an independent program can follow without our generator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simcore.reavers.cards import ReaversEdition
from simcore.reavers.columns import COMPONENT_TITLES
from simcore.reavers.decisions import DECISIONS
from simcore.reavers.events import DECISION, EVENTS, NO_OPTION, OPTIONS
from simcore.reavers.items import items
from simcore.reavers.layout import (
    COLOUR_NAMES,
    COMPONENT_NAMES,
    DECK_NAMES,
    FACE_NAMES,
    LOCATION_NAMES,
    N_COLOURS,
    N_FACES,
    N_LEVELS,
    N_SOURCES,
    N_SUCCESSES,
    REAVER_DECK,
    STORED_CODE,
    TERRITORY_NAMES,
    TOKEN_NAMES,
    UPGRADE_CODE,
)
from simcore.weighing import Worths, in_words, with_worths

SLOTS = LOCATION_NAMES[2:]
_DECISION_NAMES = tuple(decision.name for decision in DECISIONS)
_REROLL_BITS = 5


class _Namer:
    """Names everything that an event's numbers stand for, in the terms of the game."""

    def __init__(self, edition: ReaversEdition, seat_names: Sequence[str]):
        self.edition = edition
        self.seat_names = seat_names
        spoils = tuple(row["name"] for row in edition.spoils)
        files = ("reavers.csv", "", "", "sea_journeys.csv", "sea_battles.csv", "prophecies.csv")
        self.decks = tuple(edition.names(file) if file else spoils for file in files)
        self.artifacts = edition.names("artifacts.csv")
        self.upgrades = edition.names("ship_upgrades.csv")
        self.tiles = edition.rows["territories.csv"]
        self.items = items(edition, len(seat_names))

    def who(self, seat: int) -> str:
        """Return ``seat 2 (planner)``."""
        return f"seat {seat + 1} ({self.seat_names[seat]})"

    def card(self, deck: int, card: int) -> str:
        """Return the name of a card."""
        return self.decks[deck][card]

    @staticmethod
    def stack(stack: int) -> str:
        """Return ``food territory of level 2``."""
        return f"{TERRITORY_NAMES[stack // N_LEVELS]} territory of level {stack % N_LEVELS + 1}"

    @staticmethod
    def kind(kind: int) -> str:
        """Return ``red shield``."""
        return f"{COLOUR_NAMES[kind // N_FACES]} {FACE_NAMES[kind % N_FACES]}"

    def source(self, source: int) -> str:
        """Return what pays a die or brings hammers."""
        if source < UPGRADE_CODE:
            return self.kind(source)
        if source < STORED_CODE:
            return f"ship upgrade {source - UPGRADE_CODE + 1}"
        return f"die stored on artifact {source - STORED_CODE + 1}"

    def tile(self, tile: int) -> str:
        """Return a tile with the reward on its back."""
        row = self.tiles[tile]
        return f"{row['type']} territory of level {row['level']} ({row['hidden_reward'] or 'nothing'})"

    def option(self, decision: str, option: int) -> Any:
        """Return an option of a decision as a reader would name it."""
        if option == -1:
            return _NONE[decision]
        if decision in _LISTS:
            return _LISTS[decision][option]
        if decision in (
            "choose_die",
            "choose_discard",
            "choose_market_die",
            "choose_die_to_turn",
            "choose_die_to_reroll",
        ):
            return self.kind(option)
        if decision in ("choose_payment", "choose_lost_die", "choose_hammer"):
            return self.source(option)
        if decision == "choose_action":
            return "act" if option == 0 else f"rest, way {option}"
        if decision == "choose_loading":
            return f"{COLOUR_NAMES[option % N_COLOURS]} die on artifact {option // N_COLOURS + 1}"
        if decision == "choose_reaver_use":
            return ("rally", "promote")[option] if option < 2 else f"specialise at {SLOTS[option - 2]}"
        if decision == "choose_combat_reroll":
            return [(option >> (_REROLL_BITS * value)) & 31 for value in range(N_SUCCESSES)]
        if decision == "choose_territory":
            return f"{self.stack(option // 2)} by {'force' if option % 2 else 'peace'}"
        if decision == "choose_upgrade":
            return self.upgrades[option]
        return option + 1  # a space, a group, an alternative: counted from 1


_LISTS = {
    "choose_location": LOCATION_NAMES,
    "choose_colour": COLOUR_NAMES,
    "choose_face": FACE_NAMES,
    "choose_ability": ("use", "skip"),
    "choose_pillage": ("pillage", "leave"),
    "choose_journey": ("pay", "suffer"),
    "choose_battle_way": ("dice combination", "combat"),
}
_NONE = {
    "choose_artifact_use": "none",
    "choose_loading": "none",
    "choose_recruits": "unseen cards",
    "choose_prophecy": "unseen card",
    "choose_spoils": "unseen cards",
    "choose_hammer": "no more",
    "choose_battle": "unseen card",
    "choose_territory": "stop",
    "choose_die_to_reroll": "no more",
}
_NAME_LISTS = {
    "location": LOCATION_NAMES,
    "colour": COLOUR_NAMES,
    "face": FACE_NAMES,
    "new_face": FACE_NAMES,
    "deck": DECK_NAMES,
    "token": TOKEN_NAMES,
    "component": COMPONENT_NAMES,
    "slot": SLOTS,
}
_FROM_ONE = ("seat", "start_player", "first_player", "honor_ship", "space", "place", "alternative")


_COUNTED = {
    "choose_recruits": "space",
    "choose_prophecy": "space",
    "choose_battle": "space",
    "choose_spoils": "group",
    "choose_artifact_use": "artifact",
    "choose_given_up_artifact": "artifact",
    "choose_returned_upgrade": "ship upgrade",
    "choose_next_card": "card",
    "choose_gain": "alternative",
    "choose_trade": "trade",
}
"""Decision -> what its numbered options are called where a reader does not see the cards."""
_DECKS = {"choose_recruits": "reaver", "choose_prophecy": "prophecy", "choose_battle": "battle"}
_SPOILS = {"raid_villages": "village", "raid_keeps": "keep"}


def _spoken(name: str) -> str:
    """Return a name as a reader of the rules knows it."""
    return name.replace("_", " ").replace("hammer2", "double hammer")


class _Display:
    """The cards that lie face up, so that an option is called by what lies there and not by its number."""

    def __init__(self) -> None:
        self.cards: dict[tuple[str, int], dict[int, str]] = {}
        self.location = ""

    def follow(self, event: dict[str, Any]) -> None:
        """Take note of what an event changes."""
        name = event["event"]
        if name == "acts":
            self.location = event["location"]
        elif name in ("card_dealt", "card_returned"):
            space = self.cards.setdefault((event["deck"], event["space"]), {})
            space[event.get("place", len(space))] = event["card"]
        elif name in ("card_taken", "card_to_bottom"):
            self._remove(event["deck"], event.get("space"), event["card"])

    def _remove(self, deck: str, space: int | None, card: str) -> None:
        """Take a card away: from a space, or from the first space of the deck that has it."""
        for (of_deck, number), cards in self.cards.items():
            places = [place for place, lies_there in cards.items() if lies_there == card]
            if of_deck == deck and space in (None, number) and places:
                del cards[places[0]]
                return

    def named(self, event: dict[str, Any]) -> dict[str, Any]:
        """Return a decision with its options as a reader would name them."""
        return {**event, "options": [self._option(event["decision"], option) for option in event["options"]]}

    def _option(self, decision: str, option: Any) -> Any:
        if isinstance(option, str):
            return _spoken(option)
        if decision not in _COUNTED or not isinstance(option, int):
            return option
        deck = _SPOILS.get(self.location, "") if decision == "choose_spoils" else _DECKS.get(decision, "")
        cards = self.cards.get((deck, option), {}).values()
        return _spoken(" + ".join(cards)) or f"{_COUNTED[decision]} {option}"


def _events(events: np.ndarray, namer: _Namer) -> Iterator[dict[str, Any]]:
    """Yield each event with its fields in the game's terms; options are joined to their decision."""
    options: list[int] = []
    for row in events.tolist():
        name, fields = EVENTS[row[0]]
        if row[0] == OPTIONS:
            options += [option for option in row[2:] if option != NO_OPTION]
            continue
        values = dict(zip(fields, row[1:], strict=False))
        event: dict[str, Any] = {"event": name}
        if row[0] == DECISION:
            event |= _decision(values, options, namer)
            options = []
        else:
            event |= {field: _value(field, value, values, namer) for field, value in values.items()}
        if "seat" in values:
            event["strategy"] = namer.seat_names[values["seat"]]
        yield event


def _decision(values: dict[str, int], options: list[int], namer: _Namer) -> dict[str, Any]:
    name = _DECISION_NAMES[values["decision"]]
    event: dict[str, Any] = {
        "seat": values["seat"] + 1,
        "decision": name,
        "options": [namer.option(name, option) for option in options],
        "index": values["index"],
        "chosen": namer.option(name, values["option"]),
    }
    if values["context"] >= 0:
        event["card"] = namer.card(values["context"], values["subject"])
    return event


def _value(field: str, value: int, values: dict[str, int], namer: _Namer) -> Any:
    if field in _NAME_LISTS:
        return _NAME_LISTS[field][value]
    if field == "card":
        return namer.card(values["deck"], value)
    if field in ("reaver", "old_leader"):
        return namer.card(REAVER_DECK, value) if value >= 0 else None
    if field in ("journey", "battle"):
        return namer.card(DECK_NAMES.index(field), value)
    if field in ("artifact", "upgrade"):
        return (namer.artifacts if field == "artifact" else namer.upgrades)[value]
    if field == "stack":
        return namer.stack(value)
    if field == "item":
        return namer.items[value].title
    if field == "tile":
        return namer.tile(value)
    if field in _FROM_ONE:
        return value + 1 if value >= 0 else None
    if field == "is_won":
        return bool(value)
    return value


def events_as_json(
    edition: ReaversEdition, events: np.ndarray, seat_names: Sequence[str], worths: Worths | None = None
) -> list[dict[str, Any]]:
    """Return one dictionary for each event of a game.

    Parameters
    ----------
    edition : ReaversEdition
    events : int64[n_events, EVENT_SIZE]
        See `simcore.reavers.events`.
    seat_names : sequence of str
        The strategy in each seat.
    worths : optional
        What the options of each decision were worth (`simcore.weighing`): each decision then has its ``worth``.

    Returns
    -------
    list of dict
        ``event`` is its name. Seats and spaces count from 1. A ``decision`` has its ``options`` in order, the ``index``
        of the chosen one, counted from 0, what was ``chosen``, and the ``card`` being resolved, if there is one.
    """
    return list(with_worths(_events(events, _Namer(edition, seat_names)), worths))


def narrate(
    edition: ReaversEdition, events: np.ndarray, seat_names: Sequence[str], worths: Worths | None = None
) -> list[str]:
    """Return a game's events as lines to read.

    Parameters
    ----------
    edition, events, seat_names, worths
        As in `events_as_json`.
    """
    namer = _Namer(edition, seat_names)
    lines: list[str] = []
    gathered: dict[str, list[str]] = {}
    points: dict[int, dict[str, int]] = {}
    display = _Display()
    for event in with_worths(_events(events, namer), worths):
        display.follow(event)
        gathering = _GATHERED.get(event["event"])
        if gathering:
            who = namer.who(event["seat"] - 1) if "seat" in event else ""
            head, part = (text.format(who=who, **event) for text in gathering)
            gathered.setdefault(head, []).append(_spoken(part))
            continue
        if event["event"] == "scored":
            points.setdefault(event["seat"] - 1, {})[event["component"]] = event["glory"]
            continue
        is_decision = event["event"] == "decision"
        weighed = in_words(display.named(event), namer.who(event["seat"] - 1), "Glory") if is_decision else []
        line = _sentence(event, namer)
        if line or weighed:
            lines += [f"{head} {', '.join(parts)}" for head, parts in gathered.items()]
            gathered = {}
            lines += [*weighed, *filter(None, [line])]
    lines += [f"{head} {', '.join(parts)}" for head, parts in gathered.items()]
    return lines + _score_lines(points, namer)


def _score_lines(points: dict[int, dict[str, int]], namer: _Namer) -> list[str]:
    totals = {seat: sum(parts.values()) for seat, parts in points.items()}
    best = max(totals.values(), default=0)
    lines = ["", "Final score"]
    for seat, parts in points.items():
        listed = ", ".join(f"{COMPONENT_TITLES[name]} {value}" for name, value in parts.items() if value)
        track = sum(parts[name] for name in COMPONENT_NAMES[:N_SOURCES])
        mark = "  <- most Glory" if totals[seat] == best else ""
        lines.append(f"  {namer.who(seat)}: {totals[seat]}, {track} of it on the track ({listed}){mark}")
    return lines


def _sentence(event: dict[str, Any], namer: _Namer) -> str:
    """Return the line of one event, empty if a reader needs none."""
    name = event["event"]
    who = namer.who(event["seat"] - 1) if event.get("seat") else ""
    if name == "decision":
        return _DECISION_LINES.get((event["decision"], str(event["chosen"])), "").format(who=who, **event)
    if name in ("food", "favor", "glory"):
        if event["change"] == 0:
            return ""
        verb = "gains" if event["change"] > 0 else "loses"
        why = f" ({COMPONENT_TITLES[event['component']]})" if name == "glory" else ""
        return f"    {who} {verb} {abs(event['change'])} {name.replace('glory', 'Glory')}{why}: now {event[name]}"
    if name in ("combat_ends", "battle_ends"):
        outcome = "won" if event["is_won"] else "lost"
        if name == "combat_ends":
            return f"    {who} has {event['successes']} successes: the combat is {outcome}"
        return f"    {event['battle']} is {outcome}"
    if name == "reaver_promoted":
        old = f"; {event['old_leader']} goes to the Glory pile" if event["old_leader"] else ""
        return f"    {who} promotes {event['reaver']} to leader{old}"
    words = {key: _spoken(value) if isinstance(value, str) else value for key, value in event.items()}
    return _TEMPLATES.get(name, "").format(who=who, **{k: v for k, v in words.items() if k != "event"})


_DECISION_LINES = {
    ("choose_journey", "suffer"): "    {who} suffers it",
    ("choose_pillage", "leave"): "    {who} does not pillage {card}",
}
_GATHERED = {
    "card_dealt": ("  face up, {deck} deck:", "{card}"),
    "market_die_rolled": ("  market:", "{colour} {face}"),
    "die_rolled": ("    {who} rolls", "{colour} {face}"),
    "die_rerolled": ("    {who} rolls again:", "{colour} {face}"),
    "die_spent": ("    {who} spends", "{colour} {face}"),
    "combat_die": ("    combat dice:", "{successes}"),
}
"""Events of which several in a row make one line: how it begins, and each one's part."""
_TEMPLATES = {
    "game_starts": "A game of {n_players} players; seat {start_player} begins",
    "round_starts": "\nRound {round}",
    "granted": "  {who} is granted {item}",
    "location_selected": "\n  {who} selects {location}",
    "acts": "  {who} acts at {location}",
    "rests": "  {who} rests",
    "deck_reshuffled": "    the {deck} deck is shuffled anew: {n_cards} cards",
    "card_taken": "    {who} takes {card}",
    "card_returned": "    {card} stays face up",
    "card_drawn": "    {who} draws {card}",
    "reaver_rallied": "    {who} rallies {reaver}",
    "reaver_specialised": "    {who} specialises {reaver} at {slot}",
    "ability_used": "    {who} uses {reaver} at {slot}",
    "die_chosen": "    {who} gains {colour} {face}",
    "die_discarded": "    {who} has no space for {colour} {face}",
    "die_turned": "    {who} turns {colour} {face} to {new_face}",
    "die_forfeited": "    no die is left for {who}",
    "die_stored": "    {who} stores {colour} {face} on artifact {space}",
    "market_die_taken": "    {who} takes {colour} {face} from the market",
    "token": "    {who} takes {n} {token} token",
    "artifact_placed": "    {who} puts {artifact} on the board",
    "artifact_given_up": "    {who} gives up {artifact}",
    "artifact_used": "    {who} uses {artifact}",
    "upgrade_taken": "    {who} takes the ship upgrade {upgrade}",
    "upgrade_returned": "    {who} returns the ship upgrade {upgrade}",
    "upgrade_used": "    {who} spends the ship upgrade {upgrade}",
    "journey_revealed": "    {who} meets {journey}",
    "battle_begins": "    {who} faces {battle}",
    "combat_begins": "    {who} fights against Defense {defense}, {successes} successes sure",
    "combat_dice_picked_up": "    {who} pays for a reroll",
    "territory_claimed": "    {who} claims a {stack}",
    "territory_turned_over": "    {who} turns over a {tile}",
    "start_marker": "    seat {seat} has the start-player marker now",
    "honor_ship": "  the honor ship passes to seat {seat}",
}
