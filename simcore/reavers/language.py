"""The mini-language of cards (section 13), read into numbers when an edition is: effects and costs.

Items are joined with ``;``. A gain is ``food:2``, ``die:own:roll:1``, ``card:keep:1``, ``choice(food:1|glory:3)``...;
a cost is ``food:1``, ``favor:1``, ``face:chest:2`` or ``lose_die:any:1``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from simcore.naming import unknown
from simcore.reavers.layout import (
    ANY_COLOUR,
    CARD,
    CHOICE,
    CHOSEN,
    COLOUR_NAMES,
    DEFENSE,
    DIE,
    FACE_BITS,
    FACE_MASK,
    FACE_NAMES,
    GLORY,
    KEEP_DECK,
    LOSE_DIE,
    MARKET_DICE,
    MAX_COSTS,
    MAX_EFFECTS,
    MAX_ITEMS,
    N_FACES,
    NOWHERE,
    OPERATION_NAMES,
    PROPHECY_DECK,
    REAVER_DECK,
    REROLL,
    REROLL_ALL,
    REROLL_ANY,
    ROLLED,
    SKIP_JOURNEY,
    TOKEN,
    TOKEN_NAMES,
    UPGRADE_TOKEN,
    VILLAGE_DECK,
)
from simcore.tables import Row

CARD_WORDS = {"keep": KEEP_DECK, "village": VILLAGE_DECK, "reaver": REAVER_DECK, "prophecy": PROPHECY_DECK}
TOKEN_WORDS = {**{name: i for i, name in enumerate(TOKEN_NAMES)}, "upgrade": UPGRADE_TOKEN}
COLOUR_WORDS = {**{name: i for i, name in enumerate(COLOUR_NAMES)}, "choice": ANY_COLOUR}
MODE_WORDS = {"roll": ROLLED, "choose": CHOSEN}
REROLL_WORDS = {"any": REROLL_ANY, "all": REROLL_ALL}
COST_WORDS = ("food", "favor", "face", "lose_die")

MAX_AMOUNT = 99
MAX_DICE = 10
MAX_CARDS = 4
_CHOICE = re.compile(r"choice\((.*)\)")


@dataclass(frozen=True)
class Item:
    """One item of an effect; `parts` holds the alternatives of a choice."""

    operation: int
    kind: int = 0
    mode: int = 0
    n: int = 0
    parts: tuple[tuple[Item, ...], ...] = ()


@dataclass(frozen=True)
class Cost:
    """What is to be paid: food, favor, dice of any face, dice of given faces (rule 13)."""

    food: int = 0
    favor: int = 0
    any_die: int = 0
    faces: int = 0

    @property
    def only_face(self) -> int:
        """The face if all dice are due on the same, else NOWHERE."""
        due = [face for face in range(N_FACES) if (self.faces >> (FACE_BITS * face)) & FACE_MASK]
        return due[0] if len(due) == 1 else NOWHERE


class Reader:
    """Reads the cells of one row; every error names file, row and column.

    Parameters
    ----------
    row : Row
    column : str
    own : int
        The colour that ``die:own`` means; NOWHERE where it means nothing.
    market : bool
        Whether ``dice:n``, dice of the market, is allowed: among the trade options only.
    defense : bool
        Whether ``defense:+n`` is allowed: on Sea Journeys only.
    """

    def __init__(self, row: Row, column: str, own: int = NOWHERE, *, market: bool = False, defense: bool = False):
        self.row = row
        self.column = column
        self.own = own
        self.market = market
        self.defense = defense

    def error(self, says: str) -> Exception:
        """Return the error that names this cell."""
        return self.row.error(self.column, says)

    def effect(self, text: str) -> tuple[Item, ...]:
        """Return the items of a gain."""
        return tuple(self._item(part) for part in split_outside(text, ";"))

    def cost(self, text: str) -> Cost:
        """Return a cost."""
        food = favor = any_die = faces = 0
        for part in split_outside(text, ";"):
            word, *rest = part.split(":")
            if word in ("food", "favor") and len(rest) == 1:
                amount = self._number(part, rest[0], 1, MAX_AMOUNT)
                food, favor = (food + amount, favor) if word == "food" else (food, favor + amount)
            elif word == "lose_die" and len(rest) == 2 and rest[0] == "any":
                any_die += self._number(part, rest[1], 1, MAX_DICE)
            elif word == "face" and len(rest) == 2:
                face = FACE_NAMES.index(self._word(part, "face", rest[0], FACE_NAMES))
                faces += self._number(part, rest[1], 1, MAX_DICE) << (FACE_BITS * face)
                if (faces >> (FACE_BITS * face)) & FACE_MASK > 2 * MAX_DICE:
                    raise self.error(f"{part!r}: too many dice on one face")
            elif word in COST_WORDS:
                raise self.error(f"{part!r} is not of the form food:n, favor:n, face:<face>:n or lose_die:any:n")
            else:
                raise self.error(f"{part!r}: {unknown('cost', word, COST_WORDS)}")
        if any_die and faces:
            raise self.error("asks for dice of given faces and for dice of any face; a cost can ask for one of them")
        return Cost(food, favor, any_die, faces)

    def _word(self, part: str, what: str, word: str, words: Any) -> str:
        if word not in words:
            raise self.error(f"{part!r}: {unknown(what, word, words)}")
        return word

    def _number(self, part: str, text: str, low: int, high: int) -> int:
        if not re.fullmatch(r"[+-]?[0-9]{1,4}", text):
            raise self.error(f"{part!r}: {text!r} is not a whole number")
        number = int(text)
        if not low <= number <= high or number == 0:
            raise self.error(f"{part!r}: the number must lie between {low} and {high} and not be 0")
        return number

    def _item(self, part: str) -> Item:
        choice = _CHOICE.fullmatch(part)
        if choice:
            return self._choice(part, choice[1])
        word, *rest = part.split(":")
        if word == "face":
            raise self.error(f"{part!r} is a cost, not something gained; use setface, die or lose_die")
        self._word(part, "effect", word, [name for name in OPERATION_NAMES if name != "choice"])
        operation = OPERATION_NAMES.index(word)
        if operation == SKIP_JOURNEY and not rest:
            return Item(SKIP_JOURNEY)
        if operation == DIE:
            return self._die(part, rest)
        if operation in (CARD, TOKEN, LOSE_DIE, REROLL):
            return self._of_a_kind(part, operation, rest)
        if operation == MARKET_DICE and not self.market:
            raise self.error(f"{part!r} takes market dice, which only an option of Trade with Villages can")
        if operation == DEFENSE and not self.defense:
            raise self.error(f"{part!r} strengthens the next sea battle, which only a Sea Journey can")
        if operation == SKIP_JOURNEY or len(rest) != 1:
            raise self.error(
                f"{part!r} is not of the form {'skip_journey' if rest and word == 'skip_journey' else word + ':n'}"
            )
        low = -MAX_AMOUNT if operation <= GLORY else 1
        high = MAX_AMOUNT if operation <= GLORY else MAX_DICE
        return Item(operation, n=self._number(part, rest[0], low, high))

    def _choice(self, part: str, inside: str) -> Item:
        alternatives = tuple(self.effect(text) for text in split_outside(inside, "|"))
        if len(alternatives) < 2:
            raise self.error(f"{part!r} has fewer than two alternatives")
        for alternative in alternatives:
            if not alternative or any(item.operation == CHOICE for item in alternative):
                raise self.error(f"{part!r}: an alternative may be neither empty nor a choice")
        return Item(CHOICE, n=len(alternatives), parts=alternatives)

    def _die(self, part: str, rest: list[str]) -> Item:
        if len(rest) != 3:
            raise self.error(f"{part!r} is not of the form die:<red|yellow|blue|own|choice>:<roll|choose>:n")
        colours = dict(COLOUR_WORDS)
        if self.own != NOWHERE:
            colours["own"] = self.own
        elif rest[0] == "own":
            raise self.error(f"{part!r}: only a Reaver has an own colour")
        colour = colours[self._word(part, "colour", rest[0], colours)]
        mode = MODE_WORDS[self._word(part, "way to gain a die", rest[1], MODE_WORDS)]
        return Item(DIE, colour, mode, self._number(part, rest[2], 1, MAX_DICE))

    def _of_a_kind(self, part: str, operation: int, rest: list[str]) -> Item:
        if operation == REROLL:
            if len(rest) != 1:
                raise self.error(f"{part!r} is not of the form reroll:any or reroll:all")
            return Item(REROLL, REROLL_WORDS[self._word(part, "reroll", rest[0], REROLL_WORDS)])
        if len(rest) != 2:
            form = {CARD: "card:<deck>:n", TOKEN: "token:<kind>:n", LOSE_DIE: "lose_die:any:n"}[operation]
            raise self.error(f"{part!r} is not of the form {form}")
        if operation == LOSE_DIE:
            self._word(part, "die", rest[0], ("any",))
            return Item(LOSE_DIE, n=self._number(part, rest[1], 1, MAX_DICE))
        words = CARD_WORDS if operation == CARD else TOKEN_WORDS
        kind = words[self._word(part, "deck" if operation == CARD else "token", rest[0], words)]
        return Item(operation, kind, n=self._number(part, rest[1], 1, MAX_CARDS))


def split_outside(text: str, sign: str) -> list[str]:
    """Return the non-empty parts of `text` between `sign`, where it does not stand inside parentheses."""
    parts, depth, part = [], 0, ""
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == sign and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += letter
    return [p for p in [*parts, part.strip()] if p]


def cards_gained(items: tuple[Item, ...]) -> int:
    """Return the largest number of spoils cards that an effect can bring."""
    n = 0
    for item in items:
        if item.operation == CHOICE:
            n += max(cards_gained(part) for part in item.parts)
        elif item.operation == CARD and item.kind in (KEEP_DECK, VILLAGE_DECK):
            n += item.n
    return n


class Numbers:
    """Numbers the effects and costs of an edition; equal ones share a number, 0 is the empty one."""

    def __init__(self) -> None:
        self.effects: list[tuple[Item, ...]] = [()]
        self.costs: list[Cost] = [Cost()]

    def effect(self, items: tuple[Item, ...]) -> int:
        """Return the number of an effect. Alternatives of a choice have consecutive numbers."""
        if items in self.effects:
            return self.effects.index(items)
        for item in items:
            if item.operation == CHOICE and self._first(item) is None:
                self.effects += item.parts
        self.effects.append(items)
        return len(self.effects) - 1

    def _first(self, item: Item) -> int | None:
        parts = list(item.parts)
        for first in range(len(self.effects) - len(parts) + 1):
            if self.effects[first : first + len(parts)] == parts:
                return first
        return None

    def cost(self, cost: Cost) -> int:
        """Return the number of a cost."""
        if cost not in self.costs:
            self.costs.append(cost)
        return self.costs.index(cost)

    def fits(self) -> str:
        """Return what does not fit into the engine's arrays, or an empty text."""
        n_items = sum(len(effect) for effect in self.effects)
        if len(self.effects) > MAX_EFFECTS or n_items > MAX_ITEMS:
            return f"the cards have more different effects than fit ({MAX_EFFECTS}, {MAX_ITEMS} items in all)"
        if len(self.costs) > MAX_COSTS:
            return f"the cards have {len(self.costs)} different costs; at most {MAX_COSTS} fit"
        return ""

    def write(self, table: Any) -> None:
        """Write everything numbered into the edition's record."""
        place = 0
        table.n_effects = len(self.effects)
        for number, effect in enumerate(self.effects):
            table.effect_first[number] = place
            for item in effect:
                table.item_operation[place] = item.operation
                table.item_kind[place] = self._first(item) if item.operation == CHOICE else item.kind
                table.item_mode[place] = item.mode
                table.item_n[place] = item.n
                place += 1
            table.effect_stop[number] = place
        table.n_items = place
        table.n_costs = len(self.costs)
        for number, cost in enumerate(self.costs):
            table.cost_food[number] = cost.food
            table.cost_favor[number] = cost.favor
            table.cost_any_die[number] = cost.any_die
            table.cost_faces[number] = cost.faces
            table.cost_only_face[number] = cost.only_face
