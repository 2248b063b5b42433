"""A recorded game in words, and as dictionaries that an independent program can follow without our generator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from simcore.nidavellir.cards import NidavellirEdition
from simcore.nidavellir.events import DECISION, EVENTS, OPTIONS
from simcore.nidavellir.items import items
from simcore.nidavellir.layout import (
    CLASS_NAMES,
    COIN_COLOURS,
    COINS_SLOT,
    DECISIONS,
    GEM_POINTS_SLOT,
    N_COINS,
    N_TAVERNS,
    NEUTRAL_SLOT,
    WARRIOR_SLOT,
)
from simcore.weighing import Worths, in_words, with_worths

TAVERNS = ("Goblin", "Dragon", "Horse")
PLACES = (*(f"at the {name}" for name in TAVERNS), "in the pouch", "in hand")
COMPONENTS = {
    **{WARRIOR_SLOT + c: f"{name}s" for c, name in enumerate(CLASS_NAMES)},
    NEUTRAL_SLOT: "neutral heroes",
    COINS_SLOT: "coins",
    GEM_POINTS_SLOT: "gem",
}


class _Follower:
    """Follows the coins of every seat, since options and bids name coins by their slots."""

    def __init__(self, edition: NidavellirEdition, seat_names: Sequence[str]):
        self.edition = edition
        self.seat_names = seat_names
        self.items = items(edition, len(seat_names))
        initial = [row for row in edition.coins if row["kind"] == "initial"]
        initial.sort(key=lambda row: (not row["exchange_coin"], row["value"]))
        self.coins = [[int(row["value"]) for row in initial] for _ in seat_names]

    def who(self, seat: int) -> str:
        """Return ``seat 2 (planner)``."""
        return f"seat {seat + 1} ({self.seat_names[seat]})"

    def card(self, code: int) -> str:
        """Return the name of a card type, or of a hero lying in a column."""
        return self.edition.card_names[code] if code >= 0 else self.edition.hero_names[-1 - code]

    def option(self, seat: int, decision: int, option: int) -> Any:
        """Return an option of a decision as a reader would name it."""
        coins = self.coins[seat]
        name = DECISIONS[decision].name
        if name == "choose_bid":
            slots = [option // N_COINS**i % N_COINS for i in range(N_TAVERNS)]
            return [coins[slot] for slot in slots]
        if name == "choose_exchange_pair":
            return [coins[option % N_COINS], coins[option // N_COINS]]
        if name in ("choose_uline_bid", "choose_transform", "choose_given_up"):
            return coins[option]
        if name in ("choose_card", "choose_pioneer_card"):
            return self.card(option)
        if name == "choose_hero":
            return self.edition.hero_names[option]
        if name == "choose_exchange":
            return "yes" if option else "no"
        return CLASS_NAMES[option]


def _events(events: np.ndarray, follower: _Follower) -> Iterator[dict[str, Any]]:
    """Yield each event with its fields in the game's terms; options are joined to their decision."""
    options: list[int] = []
    for row in events.tolist():
        kind = row[0]
        name, fields = EVENTS[kind]
        values = dict(zip(fields, row[1:], strict=False))
        if kind == OPTIONS:
            options += [option for option in row[2:] if option >= 0]
            continue
        event: dict[str, Any] = {"event": name, **values}
        seat = values.get("seat", -1)
        if kind == DECISION:
            decision = values["decision"]
            event["decision"] = DECISIONS[decision].name
            event["options"] = [follower.option(seat, decision, option) for option in options]
            event["chosen"] = follower.option(seat, decision, event.pop("option"))
            options = []
        for key, names in (("tavern", TAVERNS), ("class", CLASS_NAMES), ("column", CLASS_NAMES), ("place", PLACES)):
            if key in values:
                event[key] = names[values[key]]
        if "card" in values:
            event["card"] = follower.card(values["card"])
        if "hero" in values:
            event["hero"] = follower.edition.hero_names[values["hero"]]
        if name == "granted":
            event["item"] = follower.items[values["item"]].title
        if name == "distinction":
            event["distinction"] = follower.edition.distinction_names[values["class"]]
        if name == "coin_changed":
            follower.coins[seat][values["slot"]] = values["new_value"]
            event["old_colour"] = COIN_COLOURS[values["old_colour"]]
            event["new_colour"] = COIN_COLOURS[values["new_colour"]]
        if name == "scored":
            event["component"] = COMPONENTS[values["component"]]
        for key in ("seat", "seat_a", "seat_b"):
            if key in values:
                event[key] = values[key] + 1 if values[key] >= 0 else None
        if seat >= 0:
            event["strategy"] = follower.seat_names[seat]
        yield event


def events_as_json(
    edition: NidavellirEdition, events: np.ndarray, seat_names: Sequence[str], worths: Worths | None = None
) -> list[dict[str, Any]]:
    """Return one dictionary for each event of a game.

    Parameters
    ----------
    edition : NidavellirEdition
    events : int64[n_events, EVENT_SIZE]
        See `simcore.nidavellir.events`.
    seat_names : sequence of str
        The strategy in each seat.
    worths : optional
        What the options of each decision were worth (`simcore.weighing`): each decision then has its ``worth``.

    Returns
    -------
    list of dict
        ``event`` is its name. Seats count from 1. A ``decision`` has its ``options`` in order, the ``index`` of the
        chosen one, counted from 0, and what was ``chosen``; bids are the values at Goblin, Dragon, Horse. Coin
        ``slot`` numbers a player's five coins: they stay with a coin through every change.
    """
    return list(with_worths(_events(events, _Follower(edition, seat_names)), worths))


def narrate(
    edition: NidavellirEdition, events: np.ndarray, seat_names: Sequence[str], worths: Worths | None = None
) -> list[str]:
    """Return a game's events as lines to read.

    Parameters
    ----------
    edition, events, seat_names, worths
        As in `events_as_json`.
    """
    follower = _Follower(edition, seat_names)
    lines: list[str] = []
    dealt: dict[str, list[str]] = {}
    points: dict[int, dict[str, int]] = {}
    for event in with_worths(_events(events, follower), worths):
        name = event["event"]
        if name == "card_dealt":
            dealt.setdefault(event["tavern"], []).append(event["card"])
            continue
        if dealt:
            lines += [f"  {tavern}: {', '.join(cards)}" for tavern, cards in dealt.items()]
            dealt = {}
        if name == "scored":
            points.setdefault(event["seat"] - 1, {})[event["component"]] = event["points"]
            continue
        if name == "decision":
            lines += in_words(event, follower.who(event["seat"] - 1), "points")
        line = _sentence(event, follower)
        if line:
            lines.append(line)
    return lines + _score_lines(points, follower)


def _score_lines(points: dict[int, dict[str, int]], follower: _Follower) -> list[str]:
    totals = {seat: sum(parts.values()) for seat, parts in points.items()}
    best = max(totals.values(), default=0)
    won = "  <- wins" if list(totals.values()).count(best) == 1 else "  <- shares the win"
    lines = ["", "Final score"]
    for seat, parts in points.items():
        listed = ", ".join(f"{component} {value}" for component, value in parts.items() if value)
        lines.append(f"  {follower.who(seat)}: {totals[seat]} ({listed}){won if totals[seat] == best else ''}")
    return lines


def _sentence(event: dict[str, Any], follower: _Follower) -> str:
    """Return the line of one event, empty if a reader needs none."""
    name = event["event"]
    who = follower.who(event["seat"] - 1) if event.get("seat") else ""
    if name == "decision":
        return _decision_sentence(event, who)
    if name == "gems_traded":
        a, b = follower.who(event["seat_a"] - 1), follower.who(event["seat_b"] - 1)
        return f"    {a} and {b} tied and trade gems: now {event['gem_a']} and {event['gem_b']}"
    if name == "distinction":
        winner = f"goes to {who}" if who else "goes to nobody"
        return f"  {event['distinction']} (most {event['class']} ranks) {winner}"
    if name == "coin_changed":
        short = f" (wanted {event['target']})" if event["target"] not in (0, event["new_value"]) else ""
        return f"    {who}: coin {event['old_value']} becomes {event['new_value']}{short}, {event['place']}"
    if name == "coins_exchanged":
        return f"    {who} exchanges: the two coins sum to {event['target']}"
    if name == "card_placed":
        return f"    {who} places {event['card']} in the {event['column']} column"
    template = _TEMPLATES.get(name, "")
    return template.format(who=who, **{key: value for key, value in event.items() if key != "event"})


def _decision_sentence(event: dict[str, Any], who: str) -> str:
    if event["decision"] == "choose_bid":
        bids = ", ".join(f"{tavern} {value}" for tavern, value in zip(TAVERNS, event["chosen"], strict=True))
        return f"  {who} bids {bids}"
    if event["decision"] == "choose_exchange" and event["chosen"] == "no":
        return f"    {who} declines the exchange"
    return ""


_TEMPLATES = {
    "game_starts": "A game of {n_players} players",
    "gem_dealt": "  {who} gets gem {gem}",
    "granted": "  {who} is granted {item}",
    "age_starts": "\nAge {age}",
    "round_starts": "\nAge {age}, round {round}",
    "bid_revealed": "  {tavern}: {who} shows {value}",
    "card_taken": "  {tavern}: {who} takes {card}",
    "card_lifted": "    {who} lifts {card} off the {column} column",
    "card_discarded": "    {who} discards {card} from the {column} column",
    "card_left_over": "  {tavern}: {card} is left over and discarded",
    "hero_recruited": "    {who} recruits {hero}",
    "hands_taken_back": "    {who} takes all coins that are still face down into hand",
    "gem_taken": "    {who} takes gem {gem}",
    "pioneer_saw": "    {who} looks at {card}",
    "top_card_discarded": "    the top card of the age-2 deck, {card}, is discarded",
    "deck_reshuffled": "    the other cards go back and the deck of {n_cards} is shuffled",
}
