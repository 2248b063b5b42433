"""The follower of a game in which items are withheld, banned or granted: what that changes, and nothing else."""

from collections.abc import Mapping, Sequence

from follower import Follower
from plain_cards import CARDS, CLASSES, HEROES, Seat

BLANK = len(CARDS)
_HEROES = [row["hero_id"] for row in HEROES]
_CARDS = [row["card_id"] for row in CARDS]


class HandicapFollower(Follower):
    """Follow a log.

    Parameters
    ----------
    events, n_players, rules
        As in `Follower`.
    withheld : sequence of str
        Ids of items.
    handicaps : mapping
        Seat -> {item id: ``banned`` or ``granted``}.
    order : sequence of str
        Ids of all items: what is granted to a seat comes in this order.
    """

    def __init__(
        self,
        events,
        n_players: int,
        rules,
        withheld: Sequence[str],
        handicaps: Mapping[int, Mapping[str, str]],
        order: Sequence[str],
    ):
        super().__init__(events, n_players, rules)
        self.withheld = withheld
        self.order = order
        self.handicaps = [handicaps.get(seat, {}) for seat in range(n_players)]
        self.display -= {_HEROES.index(item[5:]) for item in withheld if item.startswith("hero:")}
        self.n_display = len(self.display)

    def open_deck(self, age: int) -> None:
        super().open_deck(age)
        for item in self.withheld:
            kind, _, name = item.partition(":")
            if kind == "card" and self.deck[_CARDS.index(name)]:
                self.deck[_CARDS.index(name)] -= 1
                self.deck[BLANK] += 1
        if age == 1:
            for seat in self.seats:
                self.grant(seat)

    def grant(self, seat: Seat) -> None:
        mine = self.handicaps[seat.number]
        for item in sorted((item for item, way in mine.items() if way == "granted"), key=self.order.index):
            self.expect("granted", seat.number, self.order.index(item))
            kind, _, name = item.partition(":")
            if kind == "hero":
                assert seat.lines() == 0
                seat.n_extra += 1
                self.recruit(seat, _HEROES.index(name))
            elif kind == "card":
                super().gain(seat, _CARDS.index(name))
        seat.coins_after_round = [sum(seat.coins)]

    def gain(self, seat: Seat, card: int) -> None:
        if card != BLANK:
            super().gain(seat, card)

    def effect(self, seat: Seat, hero: int) -> None:
        if seat.n_extra and not any(card >= 0 for column in seat.columns for card in column) and not seat.picks:
            if _HEROES[hero] in ("dagda", "bonfur"):
                return  # granted: nobody to discard
        super().effect(seat, hero)

    def recruitable(self, seat: Seat, hero: int) -> bool:
        banned = self.handicaps[seat.number].get(f"hero:{_HEROES[hero]}") == "banned"
        return not banned and super().recruitable(seat, hero)

    def majority(self, c: int) -> Seat | None:
        item = f"distinction:{CLASSES[c]}"
        if item in self.withheld:
            return None
        ways = [handicap.get(item) for handicap in self.handicaps]
        if "granted" in ways:
            return self.seats[ways.index("granted")]
        counted = [seat for seat in self.seats if ways[seat.number] != "banned"]
        ranks = sorted((seat.ranks(c) for seat in counted), reverse=True)
        if not ranks or ranks[0] == 0 or ranks[1:2] == ranks[:1]:
            return None
        return next(seat for seat in counted if seat.ranks(c) == ranks[0])
