"""A table to try rules at: any position, scripted decisions, chosen dice, the engine's own kernels.

    t = Table(3)
    t.give(0, food=1, dice="red chest, blue chest, red ship")
    t.script(0, "action act", "spoils unseen")
    t.stack("village", "Runic Carvings", "Axes and Spears")
    t.select(0, "raid_villages")

A script is the list of answers that a seat gives: each must be asked for and offered, in this order, or the call fails.
A decision that no script foresees gets its first option if the seat is free (`free`), else the call fails too.
"""

from functools import cache

import numpy as np
from reavers_games import edition

from simcore.accel import array_at, compile_decision
from simcore.luck import draw_below_nb, open_stream_nb
from simcore.reavers import activation, cleanup, combat, decks, dice, effects, paying, recruit, resolving, setup
from simcore.reavers.cards import fill_edition
from simcore.reavers.decisions import DECISIONS
from simcore.reavers.events import EVENTS
from simcore.reavers.layout import (
    COLOUR_NAMES,
    DECK_NAMES,
    FACE_NAMES,
    GAME,
    HIDDEN,
    LOCATION_NAMES,
    N_COMBAT_FACES,
    N_FACES,
    N_SLOTS,
    OWN,
    STORED_CODE,
    TERRITORY_NAMES,
    TOKEN_NAMES,
    UPGRADE_CODE,
)

NUMBER = {decision.name.removeprefix("choose_"): number for number, decision in enumerate(DECISIONS)}
_WORDS = {
    "ability": ("use", "skip"),
    "pillage": ("yes", "no"),
    "journey": ("pay", "suffer"),
    "battle_way": ("dice", "combat"),
    "colour": COLOUR_NAMES,
    "face": FACE_NAMES,
    "location": LOCATION_NAMES,
}
_LAST_WORDS = ("unseen", "none", "stop")


def scripted(game, own, n_options):
    """Give the next answer of the script in ``own.table``: decision and option, decision and option..."""
    said = own.memory[0]
    if 2 * said >= own.n_table:
        if own.param[0] == 1:
            return 0
        raise ValueError("a decision is asked that the script does not foresee")
    script = array_at(own.table, own.n_table)
    if script[2 * said] != own.decision:
        if own.param[0] == 1:
            return 0
        raise ValueError("the script foresees another decision")
    own.memory[0] = said + 1
    for i in range(n_options):
        if own.option[i] == script[2 * said + 1]:
            return i
    raise ValueError("the scripted option is not offered")


@cache
def scripted_address():
    """Address and owner of `scripted`, compiled once."""
    return compile_decision(scripted, GAME, OWN, cached=False)


def kind(text: str) -> int:
    """Number of a kind of die: ``red chest``; a face alone is red."""
    colour, _, face = text.strip().rpartition(" ")
    return COLOUR_NAMES.index(colour or "red") * N_FACES + FACE_NAMES.index(face)


class Table:
    """A game in any position: boards empty, no food, no favor, seat 0 has the start marker.

    Parameters
    ----------
    n_players : int
    name : str
        Edition.
    **rules : str
        Switches that differ from the edition's.
    """

    def __init__(self, n_players: int = 3, name: str = "published", **rules: str):
        self.edition = edition(name, **rules)
        self.n_players = n_players
        self._games = np.zeros(1, GAME)
        self._hiddens = np.zeros(1, HIDDEN)
        self.game, self.hidden = self._games[0], self._hiddens[0]
        fill_edition(self.edition, n_players, self.game)
        self.hidden.seed, self.hidden.block = np.uint64(7), 0
        self.hidden.address[:] = scripted_address()[0]
        self._scripts = [np.zeros(0, np.int64)] * n_players
        self.hidden.recording = 1
        self.free()
        setup.set_up_game_nb(self.game, self.hidden)
        self.set_up_events = self.events()
        self.game.start_player = self.game.first_player = 0
        self.game.round_number = 1
        self.game.rounds_left = self.game.edition.n_rounds - 1
        for seat in range(n_players):
            self._empty(seat)
            self.hidden.own[seat].param[0] = 0
        self.clear_log()

    def _empty(self, seat: int) -> None:
        player = self.game.pl[seat]
        for k, n in enumerate(player.die):
            self.game.supply[k // N_FACES] += n
        setup._clear_board_nb(self.game, seat)
        setup._clear_counts_nb(self.game, seat)
        setup._clear_own_nb(self.game, self.hidden, seat)
        player.food = player.favor = 0

    # names and numbers

    def player(self, seat: int):
        return self.game.pl[seat]

    def own(self, seat: int):
        return self.hidden.own[seat]

    def card(self, deck: str, name: str) -> int:
        """Number of a card by its name or id."""
        file = {"reaver": "reavers.csv", "journey": "sea_journeys.csv", "battle": "sea_battles.csv"}
        file["prophecy"] = "prophecies.csv"
        rows = self.edition.spoils if deck in ("village", "keep") else self.edition.rows[file[deck]]
        return next(i for i, row in enumerate(rows) if name in (row["name"], row["id"]))

    def row(self, file: str, name: str) -> int:
        """Number of a row in force by its id or name."""
        return next(i for i, row in enumerate(self.edition.rows[file]) if name in (row["id"], row.cells.get("name")))

    def reaver(self, **cells: str) -> int:
        """Number of the first Reaver whose cells are these."""
        rows = self.edition.rows["reavers.csv"]
        return next(i for i, row in enumerate(rows) if all(row[key] == value for key, value in cells.items()))

    @staticmethod
    def stack_of(tile_type: str, level: int) -> int:
        """Number of a stack of territories."""
        return 3 * TERRITORY_NAMES.index(tile_type) + level - 1

    # setting a position

    def give(self, seat: int, dice: str = "", **amounts: int) -> None:
        """Give a seat dice (``red chest, blue ship``) and set amounts: food, favor, glory, token wall..."""
        player = self.game.pl[seat]
        for text in filter(None, dice.split(",")):
            k = kind(text)
            self.game.supply[k // N_FACES] -= 1
            player.die[k] += 1
            player.n_dice += 1
        for field, value in amounts.items():
            if field in TOKEN_NAMES:
                player.token[TOKEN_NAMES.index(field)] = value
            else:
                player[field] = value

    def dice(self, seat: int) -> list[str]:
        """The dice on a seat's board, ``red chest``, in the order of their kinds."""
        texts = []
        for k, n in enumerate(self.game.pl[seat].die):
            texts += [f"{COLOUR_NAMES[k // N_FACES]} {FACE_NAMES[k % N_FACES]}"] * int(n)
        return texts

    def faces(self, seat: int) -> list[str]:
        """The faces of a seat's dice."""
        return [text.split()[1] for text in self.dice(seat)]

    def lead(self, seat: int, colour: str) -> None:
        """Make a Reaver of a colour the leader, without its bonus."""
        player = self.game.pl[seat]
        player.leader = self.reaver(color=colour)
        if not self.game.edition.leader_not_wild:
            player.wild_kind = kind(f"{colour} clan")

    def specialise(self, seat: int, location: str, *abilities: str) -> None:
        """Put Reavers with these abilities into the slot of a location, top first."""
        player = self.game.pl[seat]
        slot = LOCATION_NAMES.index(location) - 2
        for ability in abilities:
            player.specialist[slot, player.n_specialists[slot]] = self.reaver(ability_id=ability)
            player.n_specialists[slot] += 1

    def artifact(self, seat: int, name: str, stored: str = "") -> int:
        """Put an artifact on a seat's board, with a die of a colour on it; return its space."""
        player = self.game.pl[seat]
        space = int(player.n_artifacts)
        player.artifact[space] = self.row("artifacts.csv", name)
        player.n_artifacts += 1
        self.own(seat).n_artifacts += 1
        self.own(seat).artifact_glory += 2
        if stored:
            player.stored[space] = COLOUR_NAMES.index(stored)
            player.n_stored += 1
            self.game.supply[player.stored[space]] -= 1
        return space

    def upgrade(self, seat: int, name: str, ready: int = 1) -> int:
        """Put a ship upgrade on a seat's board; return its space."""
        player = self.game.pl[seat]
        space = int(player.n_upgrades)
        player.upgrade[space] = self.row("ship_upgrades.csv", name)
        player.upgrade_ready[space] = ready
        player.n_upgrades += 1
        return space

    def offer(self, deck: str, *spaces: str) -> None:
        """Lay cards face up, one text a space, two cards of a space joined with +; the other spaces are empty."""
        d = DECK_NAMES.index(deck)
        self.game.offer[d] = -1
        for space, text in enumerate(spaces):
            for place, name in enumerate(filter(None, (name.strip() for name in text.split("+")))):
                self.game.offer[d, space, place] = self.card(deck, name)

    def stack(self, deck: str, *names: str) -> None:
        """Let a deck hold exactly these cards, to be drawn in this order; none are discarded."""
        d = DECK_NAMES.index(deck)
        cards = [self.card(deck, name) for name in names]
        self.game.n_deck[d], self.game.n_discard[d] = len(cards), 0
        for block in range(100_000):
            self.hidden.deck[d, : len(cards)] = cards
            self.game.n_deck[d] = len(cards)
            self._open(self.hidden.deck_luck[d], block)
            drawn = [int(decks.draw_nb(self.game, self.hidden, d)) for _ in cards]
            if drawn == cards:
                self.hidden.deck[d, : len(cards)] = cards
                self.game.n_deck[d] = len(cards)
                self._open(self.hidden.deck_luck[d], block)
                return
        raise AssertionError("no luck draws the cards in this order")

    @staticmethod
    def _open(stream, block: int) -> None:
        open_stream_nb(stream, np.uint64(99), block, 99, 0)

    def _find_luck(self, stream, wanted: list[int], sides: list[list[int]]) -> None:
        """Open a stream so that dice with these sides show what is wanted."""
        for block in range(200_000):
            self._open(stream, block)
            if all(side[draw_below_nb(stream, len(side))] == want for side, want in zip(sides, wanted, strict=True)):
                self._open(stream, block)
                return
        raise AssertionError("no luck rolls this")

    def combat_rolls(self, seat: int, *successes: int) -> None:
        """Let a seat's next combat dice show these successes."""
        sides = [int(v) for v in self.game.edition.combat_face[:N_COMBAT_FACES]]
        self._find_luck(self.hidden.combat_luck[seat], list(successes), [sides] * len(successes))

    def crew_rolls(self, seat: int, text: str) -> None:
        """Let a seat's next crew dice show these: ``red chest, blue ship``."""
        kinds = [kind(part) for part in text.split(",")]
        sides = [[int(f) for f in self.game.edition.crew_face[k // N_FACES]] for k in kinds]
        self._find_luck(self.hidden.crew_luck[seat], [k % N_FACES for k in kinds], sides)

    # scripts

    def script(self, seat: int, *answers: str) -> None:
        """Foresee what a seat answers: ``action act``, ``payment red chest``, ``territory food 2 force``..."""
        said = []
        for answer in answers:
            verb, _, rest = answer.partition(" ")
            said += [NUMBER[verb], self._option(verb, rest)]
        left = self._scripts[seat][2 * int(self.own(seat).memory[0]) :]
        self._scripts[seat] = np.array([*left, *said], np.int64)
        own = self.own(seat)
        own.memory[0] = 0
        own.table, own.n_table = self._scripts[seat].ctypes.data, self._scripts[seat].size

    def _option(self, verb: str, rest: str) -> int:
        if rest in _LAST_WORDS:
            return -1
        if verb in _WORDS:
            return _WORDS[verb].index(rest)
        if verb == "action":
            return 0 if rest == "act" else 1 + int(rest.split()[1])
        if verb == "reaver_use":
            return {"rally": 0, "promote": 1}.get(rest) if " " not in rest else 2 + int(rest.split()[1])
        if verb == "territory":
            tile_type, level, way = rest.split()
            return 2 * self.stack_of(tile_type, int(level)) + ("peace", "force").index(way)
        if verb == "combat_reroll":
            return sum(int(n) << 5 * value for value, n in enumerate(rest.split()))
        if verb == "loading":
            space, colour = rest.split()
            return 3 * int(space) + COLOUR_NAMES.index(colour)
        if rest.startswith("upgrade "):
            return UPGRADE_CODE + int(rest.split()[1])
        if rest.startswith("stored "):
            return STORED_CODE + int(rest.split()[1])
        return int(rest) if rest.isdigit() else kind(rest)

    def free(self, *seats: int) -> None:
        """Let seats take the first option of whatever their scripts do not foresee."""
        for seat in seats or range(self.n_players):
            self.own(seat).param[0] = 1

    # playing

    def call(self, kernel, *arguments):
        """Call a kernel on this game; every script must have been used up by its end."""
        result = kernel(self.game, self.hidden, *arguments)
        for seat in range(self.n_players):
            unsaid = self._scripts[seat].size // 2 - int(self.own(seat).memory[0])
            assert unsaid == 0, f"seat {seat} was not asked for {unsaid} of its answers"
        return result

    def select(self, selector: int, location: str) -> None:
        """Let a seat select a location and everybody take a turn at it."""
        self.game.is_selected[:] = 1
        self.game.is_selected[LOCATION_NAMES.index(location)] = 0
        self.call(activation.activate_nb, selector)

    def at(self, location: str, active: int = 0, distance: int = 0) -> None:
        """Put the game into a seat's turn at a location."""
        self.game.location = LOCATION_NAMES.index(location)
        self.game.active, self.game.distance = active, distance

    def everybody_rests(self, *but: int) -> None:
        """Foresee that all seats but these rest for food."""
        for seat in range(self.n_players):
            if seat not in but:
                self.script(seat, "action rest 0")

    def gain(self, seat: int, effect: int) -> None:
        self.call(effects.gain_nb, seat, effect, 9, -1)

    def fight(self, seat: int, defense: int) -> bool:
        return bool(self.call(combat.fight_nb, seat, defense))

    def can_pay(self, seat: int, cost: int) -> bool:
        return bool(paying.can_pay_nb(self.game, seat, cost))

    def gain_card(self, seat: int, deck: str, name: str) -> None:
        """Hand a card to a seat, drawn unseen, and resolve it."""
        d, card = DECK_NAMES.index(deck), self.card(deck, name)
        decks.gain_card_nb(self.game, self.hidden, seat, d, card, 0)
        self.call(resolving.resolve_cards_nb, seat)

    def use_reaver(self, seat: int, reaver: int) -> None:
        self.call(recruit.use_reaver_nb, seat, reaver, 1)

    def settle(self, seat: int) -> None:
        self.call(dice.settle_dice_nb, seat)

    def clean_up(self) -> None:
        self.call(cleanup.clean_up_nb)

    def rows(self) -> np.ndarray:
        """Score the game and return the rows."""
        from simcore.reavers.scoring import clear_rows_nb, score_game_nb

        rows = np.zeros((self.n_players, N_SLOTS), np.int64)
        clear_rows_nb(self.game, rows)
        self.call(score_game_nb, rows)
        return rows

    # the log

    def clear_log(self) -> None:
        self.hidden.n_events = 0

    def events(self, name: str = "") -> list[dict[str, int]]:
        """Recorded events, all or of one name, as dictionaries with the event's name."""
        found = []
        for row in self.hidden.event[: self.hidden.n_events].tolist():
            event, fields = EVENTS[row[0]]
            if name in ("", event):
                found.append({"event": event, **dict(zip(fields, row[1:], strict=False))})
        return found

    def asked(self, decision: str) -> list[int]:
        """Seats that were asked a decision, in order."""
        return [e["seat"] for e in self.events("decision") if e["decision"] == NUMBER[decision]]

    def offered(self, decision: str) -> list[list[int]]:
        """The options of each decision of one kind that was asked."""
        found, options = [], []
        for event in self.events():
            if event["event"] == "options":
                options += [v for k, v in event.items() if k.startswith("option_") and v > -(2**61)]
            elif event["event"] == "decision":
                if event["decision"] == NUMBER[decision]:
                    found.append(options)
                options = []
        return found
