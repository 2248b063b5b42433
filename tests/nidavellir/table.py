"""A table to try rules at: positions in the notation of examples.json, scripted decisions, the engine's own kernels.

    table = Table(3)
    table.army(0, warrior=[5], hunter=["H"], miner=[1], blacksmith=["B"])
    table.tavern(0, "explorer 7", "hunter", "miner 2")
    table.bids("5 2 3", "4 2 3", "3 2 0")
    table.script(0, "card explorer 7", "hero Grid", "transform 5")
    table.script(1, "card hunter")
    table.open_tavern(0)
    assert table.coins(0) == ["0", "2", "3", "4", "12g"]

A script is the list of answers a seat will give. Each must be asked for and offered, in this order, or the call fails;
so does a decision that no script foresees, unless `table.free(seat)` lets the seat take the first option.
"""

from functools import cache

import numpy as np

from simcore.accel import array_at, compile_decision
from simcore.nidavellir import bids, coins, game, heroes, scoring, setup, taverns, troops
from simcore.nidavellir.cards import fill_edition, load_edition
from simcore.nidavellir.events import EVENTS
from simcore.nidavellir.layout import (
    BRONZE,
    CLASS_NAMES,
    COMMAND_ZONE,
    DECISIONS,
    GAME,
    GOLD,
    HIDDEN,
    MAX_COIN_VALUE,
    N_COINS,
    N_SLOTS,
    OWN,
    POUCH,
    SPECIAL,
    WARRIOR_SLOT,
)

PLACES = ("tavern 1", "tavern 2", "tavern 3", "pouch", "hand")
COMPONENTS = ("warrior", "hunter", "miner", "blacksmith", "explorer", "neutral", "coins", "gem6")
_EXPECTED = {
    "bid": "choose_bid",
    "uline": "choose_uline_bid",
    "card": "choose_card",
    "thrud": "choose_thrud_column",
    "hero": "choose_hero",
    "discard": "choose_discard",
    "transform": "choose_transform",
    "pair": "choose_exchange_pair",
    "ylud": "choose_ylud_column",
    "pioneer": "choose_pioneer_card",
    "give_up": "choose_given_up",
    "exchange": "choose_exchange",
}
_NUMBER = {decision.name: number for number, decision in enumerate(DECISIONS)}


def scripted(game, own, n_options):
    """Give the next answer of the script in ``own.table``: decision and option, decision and option..."""
    said = own.memory[0]
    if 2 * said >= own.n_table:
        if own.param[0] == 1:
            return 0
        raise ValueError("a decision is asked that the script does not foresee")
    script = array_at(own.table, own.n_table)
    if script[2 * said] != own.decision:
        raise ValueError("the script foresees another decision")
    own.memory[0] = said + 1
    for i in range(n_options):
        if own.option[i] == script[2 * said + 1]:
            return i
    raise ValueError("the scripted option is not offered")


@cache
def scripted_address() -> tuple[int, object]:
    """Address and owner of `scripted`, compiled once."""
    return compile_decision(scripted, GAME, OWN, cached=False)


@cache
def edition(name: str = "official", **rules: str):
    """An edition with switches on top; read once."""
    return load_edition(name, rules)


class Table:
    """A game in any position.

    Parameters
    ----------
    n_players : int
    block : int
        Chooses the luck.
    **rules : str
        Switches that differ from the defaults.
    """

    def __init__(self, n_players: int = 3, block: int = 0, **rules: str):
        self.edition = edition(**rules)
        self.n_players = n_players
        self._games = np.zeros(1, GAME)
        self._hiddens = np.zeros(1, HIDDEN)
        self.game, self.hidden = self._games[0], self._hiddens[0]
        fill_edition(self.edition, n_players, self.game)
        self.hidden.seed, self.hidden.block = np.uint64(7), block
        self.hidden.address[:] = scripted_address()[0]
        self.hidden.recording = 1
        self._scripts: list[np.ndarray] = [np.zeros(0, np.int64)] * n_players
        self.call(setup.set_up_game_nb)
        self.game.age = 1
        self.game.round_number = 1
        self.clear_log()

    # names and numbers

    def hero_id(self, name: str) -> int:
        """Number of a hero: ``Kraal``, ``DwergYmir``."""
        return [hero.replace(" ", "") for hero in self.edition.hero_names].index(name)

    def card_id(self, text: str) -> int:
        """Number of a card type: ``warrior 5``, ``hunter``, ``offering 3``, ``KGA``; of the present age, if in it."""
        fitting = [card for card in range(len(self.edition.dwarves)) if self._is(card, text)]
        of_the_age = [card for card in fitting if self.edition.dwarves[card]["age"] == str(self.game.age)]
        return (of_the_age or fitting)[0]

    def _is(self, card: int, text: str) -> bool:
        kind, _, amount = text.partition(" ")
        row = self.edition.dwarves[int(card)]
        if kind == "KGA" or row["age"] == "distinction":
            return kind == "KGA" and row["age"] == "distinction"
        if kind == "offering":
            return row["class"] == "royal_offering" and str(row["coin_bonus"]) == amount
        return row["class"] == kind and str(row["points"]) == (amount or "0")

    def card_text(self, card: int) -> object:
        """A card of a column in the notation of examples.json: 5, ``H``, ``B``, ``KGA``, ``Kraal``."""
        if card < 0:
            return self.edition.hero_names[-1 - card].replace(" ", "")
        row = self.edition.dwarves[int(card)]
        if row["age"] == "distinction":
            return "KGA"
        return {"hunter": "H", "blacksmith": "B"}.get(row["class"], row["points"])

    def slot(self, seat: int, text: str) -> int:
        """Slot of a seat's coin: ``4`` (any colour), ``5g``, ``3s``; ``#2`` is slot 2."""
        if text.startswith("#"):
            return int(text[1:])
        texts = self.coins(seat)
        return texts.index(text) if text in texts else [coin.rstrip("gs") for coin in texts].index(text)

    # setting a position

    def army(self, seat: int, **columns: list) -> None:
        """Lay cards on the columns, bottom first: numbers, ``H``, ``B``, ``KGA``, names of heroes."""
        for column, cards in columns.items():
            c = CLASS_NAMES.index(column)
            for text in cards:
                if text in ("H", "B"):
                    code = self.card_id(column)
                elif text == "KGA":
                    code = self.card_id("KGA")
                elif isinstance(text, int):
                    code = self.card_id(f"{column} {text}")
                else:
                    self._own_hero(seat, text)
                    code = -1 - self.hero_id(text)
                heroes.push_card_nb(self.game, self.hidden, seat, code, c)
        self.clear_log()

    def command(self, seat: int, *names: str) -> None:
        """Put heroes into a seat's command zone."""
        for name in names:
            self._own_hero(seat, name)
            player = self.game.pl[seat]
            if name == "Thrud":
                player.thrud_column = COMMAND_ZONE
            elif name == "Ylud":
                player.ylud_column = COMMAND_ZONE
            elif name == "Uline":
                player.has_uline = 1

    def _own_hero(self, seat: int, name: str) -> None:
        self.game.hero_owner[self.hero_id(name)] = seat
        self.game.pl[seat].n_heroes += 1
        self.game.pl[seat].n_brothers += name.startswith("Dwerg")

    def take_heroes(self, seat: int, *names: str) -> None:
        """Take heroes from the display to a seat that is none at the table, so that nobody else can have them."""
        for name in names:
            self.game.hero_owner[self.hero_id(name)] = seat

    def set_coins(self, seat: int, *texts: str) -> None:
        """Give a seat five coins, the exchange coin first; whatever is in the treasure stays there."""
        player = self.game.pl[seat]
        for slot, text in enumerate(texts):
            player.coin[slot] = int(text.rstrip("gs"))
            player.coin_colour[slot] = {"g": GOLD, "s": SPECIAL}.get(text[-1], BRONZE)

    def set_treasure(self, copies: dict) -> None:
        """Set the treasure: value -> coins."""
        self.game.treasure[:] = 0
        for value, n in copies.items():
            self.game.treasure[int(value)] = n

    def gems(self, *values: int) -> None:
        """Set every seat's gem."""
        for seat, gem in enumerate(values):
            self.game.pl[seat].gem = gem

    def tavern(self, tavern: int, *cards: str) -> None:
        """Lay cards open in a tavern."""
        for place, text in enumerate(cards):
            self.game.card[tavern, place] = self.card_id(text)
        self.game.n_cards[tavern] = len(cards)

    def stack(self, age: int, *cards: str) -> None:
        """Open an age's deck with these cards on top, the rest as the luck has it."""
        self.game.age = age
        setup.open_deck_nb(self.game, self.hidden, age)
        deck = list(self.hidden.deck[: self.hidden.n_deck])
        top = []
        for text in cards:
            card = next(card for card in deck if self._is(card, text))
            top.append(card)
            deck.remove(card)
        self.hidden.deck[: self.hidden.n_deck] = top + deck

    # scripts

    def script(self, seat: int, *answers: str) -> None:
        """Foresee what a seat answers: ``card explorer 7``, ``hero Grid``, ``transform 5``, ``thrud warrior``...

        Coins are named by what they are now; ``bid 0 2 4`` names three of them, ``pair 3 5`` two.
        """
        said = []
        for answer in answers:
            verb, _, rest = answer.partition(" ")
            said += [_NUMBER[_EXPECTED[verb]], self._option(seat, verb, rest)]
        left = self._scripts[seat][2 * int(self.hidden.own[seat].memory[0]) :]
        self._scripts[seat] = np.array([*left, *said], np.int64)
        own = self.hidden.own[seat]
        own.memory[0] = 0
        own.table, own.n_table = self._scripts[seat].ctypes.data, self._scripts[seat].size

    def _option(self, seat: int, verb: str, rest: str) -> int:
        if verb == "hero":
            return self.hero_id(rest)
        if verb in ("card", "pioneer"):
            return self.card_id(rest)
        if verb in ("thrud", "ylud", "discard"):
            return CLASS_NAMES.index(rest)
        if verb == "exchange":
            return ["no", "yes"].index(rest)
        code = 0
        slots = self._slots(seat, rest)
        for slot in reversed(sorted(slots) if verb == "pair" else slots):
            code = N_COINS * code + slot
        return code

    def _slots(self, seat: int, texts: str) -> list[int]:
        """Different slots for coins that are named together, as in ``bid 5 5 0``."""
        slots: list[int] = []
        for text in texts.split():
            free = [slot for slot in range(N_COINS) if slot not in slots]
            fitting = [slot for slot in free if text in (f"#{slot}", self.coins(seat)[slot])]
            fitting += [slot for slot in free if text == self.coins(seat)[slot].rstrip("gs")]
            slots.append(fitting[0])
        return slots

    def free(self, *seats: int) -> None:
        """Let seats take the first option of whatever their scripts do not foresee."""
        for seat in seats or range(self.n_players):
            self.hidden.own[seat].param[0] = 1

    def unsaid(self, seat: int) -> int:
        """Answers of a seat's script that nobody has asked for."""
        return self._scripts[seat].size // 2 - int(self.hidden.own[seat].memory[0])

    # playing

    def call(self, kernel, *arguments):
        """Call a kernel on this game; every script must have been used up by its end."""
        result = kernel(self.game, self.hidden, *arguments)
        assert [self.unsaid(seat) for seat in range(self.n_players)] == [0] * self.n_players, "answers nobody asked for"
        return result

    def place(self, seat: int, text: str, column: str | None = None) -> None:
        """PLACE a dwarf and do the hero check."""
        column = column or text.partition(" ")[0]
        c = CLASS_NAMES.index("blacksmith" if column == "KGA" else column)
        self.call(heroes.place_and_check_nb, seat, self.card_id(text), c)

    def check_heroes(self, seat: int) -> None:
        """Do a hero check."""
        self.call(heroes.check_heroes_nb, seat, 0)

    def recruitable(self, seat: int, name: str) -> bool:
        """Whether a seat may recruit a hero now."""
        n = heroes.list_heroes_nb(self.game, self.hidden, seat)
        return self.hero_id(name) in self.hidden.own[seat].option[:n]

    def lines(self, seat: int) -> int:
        """Complete lines of an army."""
        return int(heroes.count_lines_nb(self.game.pl[seat]))

    def bids(self, *said: str) -> None:
        """Bid as ``0 2 4`` (Goblin, Dragon, Horse), one text a seat, empty for Uline; the rest goes into the pouch."""
        for seat, text in enumerate(said):
            if text:
                self.script(seat, f"bid {text}")
        self.call(bids.place_bids_nb)

    def open_tavern(self, tavern: int) -> None:
        """Resolve a tavern completely."""
        self.call(taverns.resolve_tavern_nb, tavern)

    def transform(self, seat: int, bonus: int) -> None:
        """TRANSFORM."""
        self.call(coins.transform_nb, seat, bonus)

    def exchange(self, seat: int) -> None:
        """EXCHANGE."""
        self.call(coins.exchange_nb, seat)

    def to_pouch(self, seat: int, *texts: str) -> None:
        """Lay two coins into the pouch; the other three are bid."""
        slots = self._slots(seat, " ".join(texts))
        for slot in slots:
            coins.move_coin_nb(self.game, self.hidden, seat, slot, POUCH)
        for tavern, slot in enumerate(sorted(set(range(N_COINS)) - set(slots))):
            coins.move_coin_nb(self.game, self.hidden, seat, slot, tavern)
            self.hidden.bid[seat, tavern] = slot

    def grant(self, name: str, seat: int) -> None:
        """Resolve the distinction of a class for a seat (-1: nobody)."""
        self.call(troops._grant_distinction_nb, CLASS_NAMES.index(name), seat)

    def majority(self, name: str) -> int | None:
        """Seat with the strict majority of a class."""
        seat = int(troops.find_majority_nb(self.game, CLASS_NAMES.index(name)))
        return None if seat < 0 else seat

    def evaluate_troops(self) -> None:
        """Do the troop evaluation."""
        self.call(troops.evaluate_troops_nb)

    def ylud_step(self) -> None:
        """Do a Ylud step."""
        self.call(troops.place_ylud_nb)

    def retire_thrud(self) -> None:
        """Send Thrud to the command zone."""
        self.call(troops.retire_thrud_nb)

    def play_round(self) -> None:
        """Play a whole round."""
        self.call(game.play_round_nb)

    def rows(self) -> np.ndarray:
        """Result rows of the position as a final one: ``int64[n_players, N_SLOTS]``."""
        rows = np.zeros((self.n_players, N_SLOTS), np.int64)
        self.call(scoring.score_game_nb, rows)
        return rows

    def score(self) -> list[dict[str, int]]:
        """Final score by component, as in examples.json, one dictionary a seat."""
        sheets = []
        for row in self.rows():
            sheet = {name: int(row[WARRIOR_SLOT + i]) for i, name in enumerate(COMPONENTS)}
            sheets.append(sheet | {"total": sum(sheet.values())})
        return sheets

    # reading the position

    def army_of(self, seat: int) -> dict[str, list]:
        """Cards of the columns that have any, bottom first."""
        player = self.game.pl[seat]
        army = {
            name: [self.card_text(card) for card in player.column[c, : player.n_column[c]]]
            for c, name in enumerate(CLASS_NAMES)
        }
        return {name: column for name, column in army.items() if column}

    def heroes_of(self, seat: int) -> list[str]:
        """Names of the heroes a seat owns, in the order of the table."""
        names = self.edition.hero_names
        return [name.replace(" ", "") for i, name in enumerate(names) if self.game.hero_owner[i] == seat]

    def coins(self, seat: int) -> list[str]:
        """A seat's coins by slot: ``0``, ``5g``, ``3s``."""
        player = self.game.pl[seat]
        return [f"{player.coin[s]}{['', 'g', 's'][player.coin_colour[s]]}" for s in range(N_COINS)]

    def gems_of_all(self) -> list[int]:
        """Every seat's gem."""
        return [int(self.game.pl[seat].gem) for seat in range(self.n_players)]

    def places(self, seat: int) -> dict[str, str]:
        """Where a seat's coins lie."""
        return {coin: PLACES[self.hidden.place[seat, s]] for s, coin in enumerate(self.coins(seat))}

    def treasure(self) -> dict[int, int]:
        """Coins of the treasure: value -> number, without zeros."""
        return {v: int(self.game.treasure[v]) for v in range(MAX_COIN_VALUE + 1) if self.game.treasure[v]}

    def order(self) -> list[int]:
        """Seats in turn order."""
        return [int(seat) for seat in self.game.order[: self.n_players]]

    # what happened

    def clear_log(self) -> None:
        """Forget the events so far."""
        self.hidden.n_events = 0

    def log(self, *kinds: str) -> list[tuple]:
        """Events of these kinds (all by default): their name, then their fields."""
        events = [(EVENTS[row[0]], row) for row in self.hidden.event[: self.hidden.n_events]]
        found = [(name, *map(int, row[1 : 1 + len(fields)])) for (name, fields), row in events]
        return [event for event in found if not kinds or event[0] in kinds]

    def asked(self, seat: int | None = None) -> list[tuple[str, tuple[int, ...]]]:
        """Decisions asked since the log was cleared: name and options."""
        asked, options = [], []
        for name, *fields in self.log("options", "decision"):
            if name == "options":
                options += fields[1:]
            else:
                if seat in (None, fields[0]):
                    asked.append((DECISIONS[fields[1]].name, tuple(options[: fields[2]])))
                options = []
        return asked


def one_rank_each(table: Table, seat: int = 0) -> None:
    """One rank in every column but the explorers'."""
    table.army(seat, warrior=[5], hunter=["H"], miner=[1], blacksmith=["B"])
