"""Follows a recorded game in plain Python, by the numbers of rules.md and without the engine.

From the log it takes what it cannot know: how gems and cards lie, what players decide. Everything else it works out
itself: options, effects, their order, the score. Where the log says something else, `DisagreementError` is raised. The
invariants of rule 9.3 are asserted after every event.
"""

from collections import Counter
from itertools import permutations

from plain_cards import (
    ARMORER,
    BRONZE,
    BROTHERS,
    CARDS,
    CLASSES,
    COIN_ROWS,
    DISCARDS,
    GOLD,
    GRID,
    HAND,
    HEROES,
    POUCH,
    SPECIAL,
    THRUD,
    ULINE,
    YLUD,
    ZONE,
    Seat,
)

from simcore.nidavellir.events import EVENTS
from simcore.nidavellir.layout import DECISIONS


class DisagreementError(AssertionError):
    """The log says something that the rules do not."""


class Follower:
    """Follow a log.

    Parameters
    ----------
    events : int64[n_events, EVENT_SIZE]
    n_players : int
    rules : mapping
        Every switch with its value.
    """

    def __init__(self, events, n_players: int, rules):
        self.events = events.tolist()
        self.at = 0
        self.n = n_players
        self.rules = rules
        self.seats = [Seat(number) for number in range(n_players)]
        self.display = set(range(21))
        if rules["heroes"] == "beginner":
            self.display -= {THRUD, YLUD, ULINE}
        self.n_display = len(self.display)
        small = {"28": "copies_2p", "31": "copies_small_31", "34": "copies_small_34"}[rules["treasure_small"]]
        copies = small if n_players < 4 else "copies_5p"
        self.treasure = Counter({int(r["value"]): int(r[copies]) for r in COIN_ROWS if r["kind"] == "treasure"})
        self.n_coins = self.treasure.total() + 5 * n_players
        self.box = 0
        self.deck: Counter[int] = Counter()
        self.distinctions: list[int | None] = [None] * 5
        self.tavern = -1
        self.standings: list[list[list[int]]] = []

    # the log

    def take(self, name: str) -> list[int]:
        """Fields of the next event, which must be of this kind."""
        if self.at >= len(self.events):
            raise DisagreementError(f"the log ends where the rules have {name}")
        number, *fields = self.events[self.at]
        self.at += 1
        found, names = EVENTS[number]
        if found != name:
            raise DisagreementError(f"event {self.at - 1}: {found} {fields} where the rules have {name}")
        return fields[: len(names)]

    def expect(self, name: str, *fields: int) -> None:
        """The next event must be exactly this one."""
        said = self.take(name)
        if said != list(fields):
            raise DisagreementError(f"event {self.at - 1}: {name} {said} where the rules have {list(fields)}")
        self.assert_invariants()

    def ask(self, seat: Seat, decision: str, options: list[int]) -> int:
        """What the seat chose of the options that the rules give it; a single one is forced."""
        self.index = 0
        if len(options) == 1:
            return options[0]
        for first in range(0, len(options), 8):
            self.expect("options", seat.number, *(options[first : first + 8] + [-1] * 8)[:8])
        said, number, n_options, index, option = self.take("decision")
        if (said, DECISIONS[number].name, n_options, option) != (seat.number, decision, len(options), options[index]):
            raise DisagreementError(
                f"event {self.at - 1}: {DECISIONS[number].name} of seat {said} where {decision} is due"
            )
        self.index = index
        return option

    def assert_invariants(self) -> None:
        """Rule 9.3."""
        in_play = sum(1 for s in self.seats for colour in s.colours if colour == SPECIAL)
        assert self.treasure.total() + 5 * self.n + self.box == self.n_coins + in_play
        assert min(self.treasure.values()) >= 0
        gems = [s.gem for s in self.seats]
        assert 0 in gems or len(set(gems)) == self.n
        assert len(self.display) + sum(len(s.heroes) for s in self.seats) == self.n_display
        assert all(len(s.coins) == 5 and max(s.coins) <= 25 for s in self.seats)
        assert min(self.deck.values(), default=0) >= 0

    # sections 2, 3, 7.1, 8: the whole game

    def follow(self) -> "Follower":
        """Follow the game to its end and return this follower with everything as it is then."""
        self.expect("game_starts", self.n)
        for seat in self.seats:
            number, gem, *_ = self.take("gem_dealt")
            assert number == seat.number
            seat.gem = gem
        assert sorted(seat.gem for seat in self.seats) == list(range(6 - self.n, 6))  # 2.1
        self.open_deck(1)
        self.play_age(1)
        assert not +self.deck
        self.ylud_step()
        self.open_deck(2)
        self.evaluate_troops()
        self.play_age(2)
        assert not +self.deck
        self.ylud_step()
        self.retire_thrud()
        self.sheets = [self.score(seat) for seat in self.seats]
        for seat, sheet in zip(self.seats, self.sheets, strict=True):
            for component, points in enumerate(sheet):
                self.expect("scored", seat.number, 4 + component, points)
        self.expect("game_ends", self.n)
        assert self.at == len(self.events)
        assert {seat.picks for seat in self.seats} == {24 if self.n < 4 else 18}
        return self

    def open_deck(self, age: int) -> None:
        """Rule 2.4."""
        self.deck = Counter()
        for number, row in enumerate(CARDS):
            if row["age"] == str(age) and int(row["count_min_players"]) <= self.n:
                self.deck[number] += int(row["copies"])
        assert self.deck.total() == (45 if self.n == 5 else 36) + (age == 2)

    def play_age(self, age: int) -> None:
        """Rules 2.6, 3.2."""
        self.expect("age_starts", age)
        for number in range(1, (4 if self.n < 4 else 3) + 1):
            self.expect("round_starts", age, number)
            taverns: list[list[int]] = [[], [], []]
            for tavern in range(3):
                for _ in range(max(self.n, 3)):
                    where, card, *_rest = self.take("card_dealt")
                    assert where == tavern
                    self.deck[card] -= 1
                    taverns[tavern].append(card)
            self.bids()
            for self.tavern in range(3):
                self.resolve_tavern(taverns[self.tavern])
            self.tavern = -1
            for seat in self.seats:
                seat.places = [HAND] * 5
                seat.coins_after_round.append(sum(seat.coins))
            self.standings.append(self.standing())

    # sections 4 and 5: taverns

    def bids(self) -> None:
        codes = [a + 5 * b + 25 * c for a, b, c in permutations(range(5), 3)]
        said = [None if s.has_uline else self.ask(s, "choose_bid", codes) for s in self.seats]
        for seat, code in zip(self.seats, said, strict=True):
            if code is not None:
                seat.places = [POUCH] * 5
                for tavern in range(3):
                    seat.places[code // 5**tavern % 5] = tavern

    def resolve_tavern(self, cards: list[int]) -> None:
        tavern = self.tavern
        for seat in sorted(self.seats, key=lambda s: s.has_uline):  # 5.1: she bids last
            if seat.has_uline:
                slot = self.ask(seat, "choose_uline_bid", [i for i in range(5) if seat.places[i] == HAND])
                seat.places[slot] = tavern
            shown = seat.places.index(tavern)
            self.expect("bid_revealed", seat.number, tavern, shown, seat.coins[shown])
        bid = {seat.number: seat.coins[seat.places.index(tavern)] for seat in self.seats}
        order = sorted(self.seats, key=lambda seat: (-bid[seat.number], -seat.gem))
        for seat in order:
            self.expect("turn", seat.number, tavern)
            card = self.ask(seat, "choose_card", cards)
            self.expect("card_taken", seat.number, tavern, card)
            del cards[self.index]
            seat.picks += 1
            self.gain(seat, card)
            if seat.places[0] == tavern:
                self.exchange(seat)
        assert len(cards) == (1 if self.n == 2 else 0)
        for card in cards:
            self.expect("card_left_over", tavern, card)
        for value in sorted(set(bid.values()), reverse=True):
            tied = [seat for seat in order if bid[seat.number] == value and seat.gem != 6]
            for high, low in zip(tied[: len(tied) // 2], reversed(tied), strict=False):
                high.gem, low.gem = low.gem, high.gem
                self.expect("gems_traded", high.number, low.number, high.gem, low.gem)

    # rules 6.4, 6.5: coins

    def transform(self, seat: Seat, bonus: int) -> None:
        slot = self.ask(seat, "choose_transform", [1, 2, 3, 4])
        self.change(seat, slot, seat.coins[slot] + bonus)

    def change(self, seat: Seat, slot: int, target: int) -> None:
        old, colour = seat.coins[slot], seat.colours[slot]
        before = self.rules["return_before_take"] == "yes"
        if colour == GOLD and before:
            self.treasure[old] += 1
        there = sorted(+self.treasure)
        new = next((value for value in there if value >= target), there[-1])
        self.treasure[new] -= 1
        if colour == GOLD and not before:
            self.treasure[old] += 1
        self.box += colour == BRONZE
        seat.coins[slot], seat.colours[slot] = new, GOLD
        self.expect("coin_changed", seat.number, slot, old, colour, new, GOLD, seat.places[slot], target)

    def exchange(self, seat: Seat) -> None:
        if self.rules["exchange_optional"] == "yes" and self.ask(seat, "choose_exchange", [0, 1]) == 0:
            return
        place = HAND if seat.has_uline else POUCH
        slots = [i for i in range(5) if seat.places[i] == place]
        pairs = [a + 5 * b for a in slots for b in slots if a < b]
        assert seat.has_uline or len(pairs) == 1
        pair = self.ask(seat, "choose_exchange_pair", pairs)
        a, b = pair % 5, pair // 5
        target = seat.coins[a] + seat.coins[b]
        self.expect("coins_exchanged", seat.number, a, b, target)
        if seat.coins[a] != seat.coins[b]:
            lower, higher = sorted((a, b), key=lambda i: seat.coins[i])
            given_up = lower if self.rules["exchange_gives_up"] == "lower" else higher
        elif seat.colours[a] != seat.colours[b]:
            given_up = self.ask(seat, "choose_given_up", [a, b])
        else:
            given_up = b  # they are the same
        self.change(seat, given_up, target)
        seat.exchanges += 1

    # rules 6.1 to 6.3, 6.6: cards and heroes

    def gain(self, seat: Seat, card: int) -> None:
        if CARDS[card]["class"] == "royal_offering":
            self.transform(seat, int(CARDS[card]["coin_bonus"]))
        else:
            self.place_and_check(seat, card, CLASSES.index(CARDS[card]["class"]))

    def push(self, seat: Seat, card: int, column: int) -> None:
        seat.columns[column].append(card)
        row = CARDS[card] if card >= 0 else HEROES[-1 - card]
        points = 0 if card in (-1 - THRUD, -1 - YLUD) else int(row["points"])
        self.expect("card_placed", seat.number, card, column, int(row["ranks"]), points)

    def lift(self, seat: Seat, hero: int) -> None:
        column = seat.column_of(hero)
        seat.columns[column].remove(-1 - hero)
        self.expect("card_lifted", seat.number, -1 - hero, column)

    def place_thrud(self, seat: Seat) -> None:
        self.push(seat, -1 - THRUD, self.ask(seat, "choose_thrud_column", list(range(5))))

    def place(self, seat: Seat, card: int, column: int) -> tuple[int, int]:
        """PLACE; return the lines it completed (A08) and the lines before a hero's discards (A38)."""
        lines = seat.lines()
        thrud = -1 - THRUD in seat.columns[column]
        if thrud:
            self.lift(seat, THRUD)
        self.push(seat, card, column)
        reached = seat.lines()
        if card < 0:
            self.effect(seat, -1 - card)
        if thrud:
            self.place_thrud(seat)
        best = max(reached, seat.lines()) if self.rules["line_check"] == "before_discards" else seat.lines()
        return max(0, best - lines), reached if card < 0 else 0

    def place_and_check(self, seat: Seat, card: int, column: int) -> None:
        """HERO CHECK after a PLACE."""
        completed, reached = self.place(seat, card, column)
        while True:
            if self.rules["hero_rule"] == "every_completion":
                due = completed > 0
            elif self.rules["line_check"] == "before_discards":
                due = max(seat.lines(), reached) > len(seat.heroes) - seat.n_extra
            else:
                due = seat.lines() > len(seat.heroes) - seat.n_extra
            options = [hero for hero in sorted(self.display) if self.recruitable(seat, hero)]
            if not due or not options:
                return
            hero = self.ask(seat, "choose_hero", options)
            more, reached_now = self.recruit(seat, hero)
            completed += more - 1
            reached = max(reached, reached_now)

    def top_dwarf(self, seat: Seat, column: int) -> int | None:
        cards = seat.columns[column]
        if self.rules["discard_target"] == "top_must_be_dwarf":
            cards = cards[-1:]
        return next((card for card in reversed(cards) if card >= 0), None)

    def discardable(self, seat: Seat, hero: int) -> list[int]:
        own = CLASSES.index(HEROES[hero]["class"])
        return [c for c in range(5) if c != own and self.top_dwarf(seat, c) is not None]

    def recruitable(self, seat: Seat, hero: int) -> bool:
        if HEROES[hero]["name"] == "Hourya":
            return seat.ranks(4) >= 5
        return hero not in DISCARDS or len(self.discardable(seat, hero)) >= DISCARDS[hero]

    def recruit(self, seat: Seat, hero: int) -> tuple[int, int]:
        self.display.remove(hero)
        seat.heroes.append(hero)
        self.expect("hero_recruited", seat.number, hero)
        if HEROES[hero]["class"] != "neutral":
            return self.place(seat, -1 - hero, CLASSES.index(HEROES[hero]["class"]))
        if hero == THRUD:
            lines = seat.lines()
            self.place_thrud(seat)
            return seat.lines() - lines, 0
        self.expect("command_zone", seat.number, hero)
        self.effect(seat, hero)
        return 0, 0

    def effect(self, seat: Seat, hero: int) -> None:
        if hero == GRID:
            self.transform(seat, 7)
        elif hero == ULINE:
            self.expect("hands_taken_back", seat.number)
            seat.has_uline = True
            seat.places = [HAND if place == POUCH or place > self.tavern else place for place in seat.places]
        elif hero in DISCARDS:
            used: list[int] = []
            for _ in range(DISCARDS[hero]):
                columns = [c for c in self.discardable(seat, hero) if c not in used]
                used.append(self.ask(seat, "choose_discard", columns))
                card = self.top_dwarf(seat, used[-1])
                place = len(seat.columns[used[-1]]) - 1 - seat.columns[used[-1]][::-1].index(card)
                del seat.columns[used[-1]][place]
                self.expect("card_discarded", seat.number, card, used[-1])

    # section 7: between the ages

    def owner(self, hero: int) -> Seat | None:
        return next((seat for seat in self.seats if hero in seat.heroes), None)

    def ylud_step(self) -> None:
        seat = self.owner(YLUD)
        if seat is None:
            return
        present = seat.column_of(YLUD)
        column = self.ask(seat, "choose_ylud_column", list(range(5)))
        if column != present:
            if present != ZONE:
                self.lift(seat, YLUD)
            self.place_and_check(seat, -1 - YLUD, column)

    def majority(self, c: int) -> Seat | None:
        ranks = sorted(((seat.ranks(c), seat.number) for seat in self.seats), reverse=True)
        return self.seats[ranks[0][1]] if ranks[0][0] > ranks[1][0] else None

    def evaluate_troops(self) -> None:
        fixed = [self.majority(c) for c in range(5)]
        for c in range(5):
            seat = fixed[c] if self.rules["distinction_snapshot"] == "yes" else self.majority(c)
            self.expect("distinction", c, -1 if seat is None else seat.number)
            if seat is not None:
                self.distinctions[c] = seat.number
                (self.kings_hand, self.hunting_master, self.crown_jeweler, self.armorer, self.pioneer)[c](seat)
            elif c == 4:
                self.deck[self.take("top_card_discarded")[0]] -= 1

    def kings_hand(self, seat: Seat) -> None:
        self.transform(seat, 5)

    def hunting_master(self, seat: Seat) -> None:
        seat.coins[0], seat.colours[0] = 3, SPECIAL
        self.box += 1
        self.expect("coin_changed", seat.number, 0, 0, BRONZE, 3, SPECIAL, HAND, 0)

    def crown_jeweler(self, seat: Seat) -> None:
        seat.gem = 6
        self.expect("gem_taken", seat.number, 6)

    def armorer(self, seat: Seat) -> None:
        self.place_and_check(seat, ARMORER, 3)

    def pioneer(self, seat: Seat) -> None:
        seen = []
        for _ in range(3):
            number, card, *_rest = self.take("pioneer_saw")
            assert number == seat.number
            seen.append(card)
        assert not Counter(seen) - self.deck
        card = self.ask(seat, "choose_pioneer_card", seen)
        self.deck[card] -= 1
        self.expect("deck_reshuffled", self.deck.total())
        self.gain(seat, card)

    # section 8

    def retire_thrud(self) -> None:
        seat = self.owner(THRUD)
        if seat is not None:
            self.lift(seat, THRUD)
            self.expect("command_zone", seat.number, THRUD)

    def standing(self) -> list[list[int]]:
        """The sheets if the game ended here: Thrud's rank counts nowhere (8.2), and Ylud stays where she is."""
        thrud = self.owner(THRUD)
        before = [list(column) for column in thrud.columns] if thrud else []
        if thrud:
            thrud.columns = [[card for card in column if card != -1 - THRUD] for column in before]
        sheets = [self.score(seat) for seat in self.seats]
        if thrud:
            thrud.columns = before
        return sheets

    def score(self, seat: Seat) -> list[int]:
        """Rules 8.3 to 8.7: the eight components."""
        by_points = self.rules["warrior_majority"] == "points"
        strength = [s.points(0) if by_points else s.ranks(0) for s in self.seats]
        names = {HEROES[hero]["name"] for hero in seat.heroes}
        warriors = seat.points(0)
        if strength[seat.number] == max(strength) >= 1:
            warriors += max(seat.coins)
        smiths = seat.ranks(3)
        neutral = BROTHERS[sum(name.startswith("Dwerg") for name in names)]
        neutral += 17 * ("Skaa" in names) + 13 * ("Thrud" in names) + 9 * ("Uline" in names) + 7 * ("Grid" in names)
        neutral += max(seat.coins) * ("Astrid" in names)
        return [
            warriors,
            seat.ranks(1) ** 2,
            seat.points(2) * seat.ranks(2),
            smiths * (smiths + 5) // 2,
            seat.points(4) + 2 * seat.ranks(4) * ("Idunn" in names),
            neutral,
            sum(seat.coins),
            3 * (seat.gem == 6),
        ]
