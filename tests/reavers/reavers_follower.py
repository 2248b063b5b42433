"""Follows a recorded game in plain Python, from its events alone: where every die, card, tile and point is.

It knows what is in the box (from the CSV rows in force) and nothing of the engine's state; what cannot be, raises.
"""

from collections import Counter

from reavers_table import NUMBER

from simcore.reavers.checks import DECK_FILES
from simcore.reavers.events import EVENTS
from simcore.reavers.layout import DECK_NAMES, N_COLOURS, N_FACES


class Follower:
    """The table as the events leave it.

    Parameters
    ----------
    edition : ReaversEdition
    n_players : int
    limited : bool
        Whether crew dice are limited to the box.
    """

    def __init__(self, edition, n_players: int, limited: bool = True):
        self.n_players = n_players
        self.limited = limited
        rows = edition.rows
        self.supply = [
            next(r["dice_in_supply"] for r in rows["crew_dice.csv"] if r["color"] == c)
            for c in ("red", "yellow", "blue")
        ]
        self.board = [Counter() for _ in range(n_players)]  # (colour, face)
        self.hand = [Counter() for _ in range(n_players)]  # colour
        self.stored: list[dict[int, tuple[int, int]]] = [{} for _ in range(n_players)]
        self.market: Counter = Counter()
        self.deck, self.box = [], []
        first_keep = len(rows["village_spoils.csv"])
        for name in DECK_NAMES:
            first = first_keep if name == "keep" else 0
            cards = Counter({first + i: r["count"] for i, r in enumerate(rows[DECK_FILES[name]])})
            self.deck.append(Counter(cards))
            self.box.append(cards)
        self.discard = [Counter() for _ in DECK_NAMES]
        self.offer: list[dict[tuple[int, int], int]] = [{} for _ in DECK_NAMES]
        self.owned = [[Counter() for _ in DECK_NAMES] for _ in range(n_players)]
        self.limbo = [Counter() for _ in DECK_NAMES]  # a journey or a sea battle being faced
        self.tiles = Counter({i: r["count"] for i, r in enumerate(rows["territories.csv"])})
        self.claimed = Counter()
        self.n_claimed = [0] * n_players
        self.food = [0] * n_players
        self.favor = [0] * n_players
        self.glory = [0] * n_players
        self.tokens = [Counter() for _ in range(n_players)]
        self.selected: list[list[tuple[int, int]]] = []
        self.rounds = 0
        self.scores = [0] * n_players
        self.combat_on_table = 0
        self.n_combat_dice = rows["combat_dice.csv"][0]["dice_in_supply"]
        self.dice_spaces = 10

    def follow(self, events) -> None:
        """Follow all events of a game."""
        for row in events.tolist():
            name, fields = EVENTS[row[0]]
            handler = getattr(self, f"on_{name}", None)
            if handler:
                handler(**dict(zip((f.replace("event", "e") for f in fields), row[1:], strict=False)))
        assert self.n_dice() == self.in_box or not self.limited

    in_box = 54

    def n_dice(self) -> int:
        """All crew dice, wherever they are."""
        n = sum(self.supply) + sum(self.market.values())
        for seat in range(self.n_players):
            n += sum(self.board[seat].values()) + sum(self.hand[seat].values()) + len(self.stored[seat])
        return n

    # rounds and decisions

    def on_round_starts(self, **_):
        self.rounds += 1
        self.selected.append([])

    def on_location_selected(self, seat, location):
        assert location not in [place for _, place in self.selected[-1]]
        self.selected[-1].append((seat, location))

    def on_decision(self, seat, decision, n_options, index, **_):
        assert 0 <= index < n_options
        assert n_options > 1
        if decision in (NUMBER["action"], NUMBER["location"]):
            for board in self.board:
                assert sum(board.values()) <= self.dice_spaces
            if self.limited:
                assert self.n_dice() == self.in_box

    # dice

    def _from_supply(self, colour):
        self.supply[colour] -= 1
        assert self.supply[colour] >= 0 or not self.limited

    def on_die_rolled(self, seat, colour, face):
        self._from_supply(colour)
        self.board[seat][colour, face] += 1

    on_die_chosen = on_die_rolled

    def _off_board(self, seat, colour, face):
        self.board[seat][colour, face] -= 1
        assert self.board[seat][colour, face] >= 0

    def on_die_spent(self, seat, colour, face):
        self._off_board(seat, colour, face)
        self.supply[colour] += 1

    on_die_discarded = on_die_spent

    def on_die_picked_up(self, seat, colour, face):
        self._off_board(seat, colour, face)
        self.hand[seat][colour] += 1

    def on_die_rerolled(self, seat, colour, face):
        self.hand[seat][colour] -= 1
        assert self.hand[seat][colour] >= 0
        self.board[seat][colour, face] += 1

    def on_die_turned(self, seat, colour, face, new_face):
        self._off_board(seat, colour, face)
        self.board[seat][colour, new_face] += 1

    def on_die_stored(self, seat, space, colour, face):
        assert space not in self.stored[seat]
        self._off_board(seat, colour, face)
        self.stored[seat][space] = (colour, face)

    def on_stored_die_spent(self, seat, space, colour, face):
        assert self.stored[seat].pop(space) == (colour, face)
        self.supply[colour] += 1

    def on_market_cleared(self):
        for (colour, _), n in self.market.items():
            self.supply[colour] += n
        self.market.clear()

    def on_market_die_rolled(self, colour, face):
        assert colour < N_COLOURS
        assert face < N_FACES
        self._from_supply(colour)
        self.market[colour, face] += 1

    def on_market_die_taken(self, seat, colour, face):
        self.market[colour, face] -= 1
        assert self.market[colour, face] >= 0
        self.board[seat][colour, face] += 1

    # cards

    def _from_deck(self, deck, card):
        self.deck[deck][card] -= 1
        assert self.deck[deck][card] >= 0

    def on_card_dealt(self, deck, space, place, card):
        self._from_deck(deck, card)
        assert (space, place) not in self.offer[deck]
        self.offer[deck][space, place] = card

    def on_deck_reshuffled(self, deck, n_cards):
        assert sum(self.deck[deck].values()) == 0
        assert sum(self.discard[deck].values()) == n_cards
        self.deck[deck], self.discard[deck] = self.discard[deck], Counter()

    def on_card_drawn(self, seat, deck, card):
        self._from_deck(deck, card)
        (self.limbo[deck] if DECK_NAMES[deck] == "battle" else self.owned[seat][deck])[card] += 1

    def on_card_taken(self, seat, deck, card, space):
        place = next(p for p in (0, 1) if self.offer[deck].get((space, p)) == card)
        del self.offer[deck][space, place]
        (self.limbo[deck] if DECK_NAMES[deck] == "battle" else self.owned[seat][deck])[card] += 1

    def on_card_returned(self, deck, space, card):
        self.limbo[deck][card] -= 1
        assert self.limbo[deck][card] == 0
        self.offer[deck][space, 0] = card

    def on_journey_revealed(self, seat, journey):
        deck = DECK_NAMES.index("journey")
        self._from_deck(deck, journey)
        self.limbo[deck][journey] += 1

    def on_battle_ends(self, seat, battle, is_won):
        deck = DECK_NAMES.index("battle")
        self.limbo[deck][battle] -= 1
        assert self.limbo[deck][battle] == 0
        if is_won:
            self.owned[seat][deck][battle] += 1
        else:
            self.lost = battle
            self.limbo[deck][battle] += 1

    def on_card_to_bottom(self, deck, card):
        self.discard[deck][card] += 1
        if self.limbo[deck][card]:
            self.limbo[deck][card] -= 1
            return
        for key, lying in self.offer[deck].items():
            if lying == card and not self._somebody_resolves(deck, card):
                del self.offer[deck][key]
                return
        owner = self._somebody_resolves(deck, card)
        assert owner is not None
        owner[card] -= 1

    def _somebody_resolves(self, deck, card):
        """The cards of a seat that holds a card which is only resolved, never kept."""
        if DECK_NAMES[deck] not in ("village", "keep"):
            return None
        return next((cards[deck] for cards in self.owned if cards[deck][card] and card in self.passing), None)

    passing: frozenset = frozenset()

    def all_cards(self, deck) -> Counter:
        """Where all cards of a deck are."""
        total = Counter(self.deck[deck]) + self.discard[deck] + Counter(self.offer[deck].values()) + self.limbo[deck]
        for cards in self.owned:
            total += cards[deck]
        return total

    # territories

    def on_territory_claimed(self, seat, stack):
        self.n_claimed[seat] += 1

    def on_territory_turned_over(self, seat, tile):
        self.tiles[tile] -= 1
        assert self.tiles[tile] >= 0

    # amounts

    def on_food(self, seat, change, food):
        self.food[seat] += change
        assert self.food[seat] == food >= 0

    def on_favor(self, seat, change, favor):
        self.favor[seat] += change
        assert self.favor[seat] == favor >= 0

    def on_glory(self, seat, change, glory, component):
        self.glory[seat] += change
        assert self.glory[seat] == glory

    def on_token(self, seat, token, n):
        self.tokens[seat][token] += n

    # combat

    def on_combat_begins(self, **_):
        self.combat_on_table = 0
        self.results = Counter()
        self.noted = None

    def on_combat_die(self, seat, successes):
        self.combat_on_table += 1
        assert self.combat_on_table <= self.n_combat_dice
        self.results[successes] += 1

    def on_combat_dice_picked_up(self, seat, n_0, n_1, n_2, n_3):
        for value, n in enumerate((n_0, n_1, n_2, n_3)):
            self.results[value] -= n
            self.combat_on_table -= n
            assert self.results[value] >= 0

    def on_combat_dice_noted(self, seat, successes):
        self.combat_on_table = 0
        self.results = Counter()
        self.noted = successes

    def on_scored(self, seat, component, glory):
        self.scores[seat] += glory
