"""Nidavellir's tables and a player's possessions in plain Python, for the follower."""

import csv
from dataclasses import dataclass, field

from simcore.nidavellir.cards import DATA_FOLDER

CLASSES = ("warrior", "hunter", "miner", "blacksmith", "explorer")
BRONZE, GOLD, SPECIAL = range(3)
POUCH, HAND = 3, 4
ZONE = 5


def read(file: str) -> list[dict[str, str]]:
    with (DATA_FOLDER / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


CARDS = read("dwarves.csv")
HEROES = read("heroes.csv")
HERO = {row["name"]: number for number, row in enumerate(HEROES)}
COIN_ROWS = read("coins.csv")
THRUD, YLUD, ULINE, GRID = (HERO[name] for name in ("Thrud", "Ylud", "Uline", "Grid"))
ARMORER = next(number for number, row in enumerate(CARDS) if row["age"] == "distinction")
BROTHERS = (0, 13, 40, 81, 108, 135)
DISCARDS = {HERO["Dagda"]: 2, HERO["Bonfur"]: 1}


@dataclass
class Seat:
    number: int
    gem: int = 0
    columns: list[list[int]] = field(default_factory=lambda: [[] for _ in CLASSES])  # cards, heroes as -1 - hero
    heroes: list[int] = field(default_factory=list)
    n_extra: int = 0  # of them granted: no line is charged for them
    coins: list[int] = field(default_factory=lambda: [0, 2, 3, 4, 5])
    colours: list[int] = field(default_factory=lambda: [BRONZE] * 5)
    places: list[int] = field(default_factory=lambda: [HAND] * 5)
    has_uline: bool = False
    picks: int = 0
    exchanges: int = 0
    coins_after_round: list[int] = field(default_factory=lambda: [14])

    def ranks(self, c: int) -> int:
        return sum(int((CARDS[card] if card >= 0 else HEROES[-1 - card])["ranks"]) for card in self.columns[c])

    def lines(self) -> int:
        return min(self.ranks(c) for c in range(5))

    def points(self, c: int) -> int:
        total = 0
        for card in self.columns[c]:
            if card >= 0:
                total += int(CARDS[card]["points"])
            elif card == -1 - YLUD:
                total += (7, 0, 1, 0, 11)[c]
            else:
                total += int(HEROES[-1 - card]["points"])
        return total

    def column_of(self, hero: int) -> int:
        return next((c for c in range(5) if -1 - hero in self.columns[c]), ZONE)
