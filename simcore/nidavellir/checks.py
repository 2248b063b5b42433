"""Whether Nidavellir's tables fit together and into the engine's arrays. Each error names file, row and column."""

from __future__ import annotations

import re
from collections.abc import Mapping

from simcore.naming import unknown
from simcore.nidavellir.layout import (
    CLASS_NAMES,
    MAX_BROTHERS,
    MAX_CARD_TYPES,
    MAX_COLUMN,
    MAX_DECK,
    MAX_HEROES,
    MAX_RANKS,
    N_COINS,
    N_TAVERNS,
)
from simcore.nidavellir.schema import DISTINCTION_EFFECTS, MAX_POINTS, PLAYER_COUNTS, SCORED_BY
from simcore.tables import Row, Table

SINGLE_EFFECTS = ("bid_last", "headhunter", "unpredictable")
"""Effects that the engine keeps track of for one hero only."""

EFFECTS_WITH_AMOUNT = ("discard_dwarves", "transform_coin", "largest_coin", "points_per_rank")


def deck_cards(dwarves: Table, age: int, n_players: int) -> list[int]:
    """Return the card types of a deck, one entry a copy (rule 2.4)."""
    return [
        card
        for card, row in enumerate(dwarves)
        if row["age"] == str(age) and row["count_min_players"] <= n_players
        for _ in range(row["copies"])
    ]


def treasure_copies(row: Row, n_players: int, rules: Mapping[str, str]) -> int:
    """Return the copies of a treasure coin (rule 2.3); ``treasure_small`` changes them with 2 or 3 players (A15)."""
    choice = rules["treasure_small"]
    copies: int | None = row[f"copies_{n_players}p"]
    if n_players <= 3 and choice != "28":
        copies = row[f"copies_small_{choice}"]
        if copies is None:
            raise row.error(f"copies_small_{choice}", f"is empty, but treasure_small={choice} is in force")
    return copies or 0


def points_by_class(row: Row) -> list[int]:
    """Return an unpredictable hero's points in each column (rule 8.5); a class that is not named brings 0."""
    points = [0] * len(CLASS_NAMES)
    for part in filter(None, row["points_by_class"].split("|")):
        match = re.fullmatch(r"\s*([a-z]+) ([0-9]{1,3})\s*", part)
        if match is None:
            raise row.error("points_by_class", f"{part!r} is not a class and its points, such as 'warrior 7'")
        if match[1] not in CLASS_NAMES:
            raise row.error("points_by_class", unknown("class", match[1], CLASS_NAMES))
        points[CLASS_NAMES.index(match[1])] = min(int(match[2]), MAX_POINTS)
    return points


def check_tables(tables: Mapping[str, Table], rules: Mapping[str, str]) -> None:
    """Check all tables of an edition.

    Raises
    ------
    DataError
        On the first thing that does not fit.
    """
    _check_dwarves(tables["dwarves.csv"])
    _check_heroes(tables["heroes.csv"])
    _check_coins(tables["coins.csv"], rules)
    _check_gems(tables["gems.csv"])
    _check_distinctions(tables)
    _check_scoring(tables["scoring_tables.csv"])
    _check_setup(tables, rules)
    _check_army_bounds(tables)


def _check_dwarves(dwarves: Table) -> None:
    if len(dwarves) > MAX_CARD_TYPES:
        raise dwarves.error(f"has {len(dwarves)} rows; at most {MAX_CARD_TYPES} kinds of card fit")
    for row in dwarves:
        offering = row["class"] == "royal_offering"
        if offering and row["coin_bonus"] == 0:
            raise row.error("coin_bonus", "is 0, but a royal offering adds coins")
        for column in ("points", "ranks") if offering else ("coin_bonus",):
            if row[column]:
                what = "a royal offering has none" if offering else "only a royal offering has one"
                raise row.error(column, f"is {row[column]}, but {what}; write 0")
        if not offering and row["ranks"] == 0:
            raise row.error("ranks", "is 0, but every dwarf brings at least one rank")
        if row["count_min_players"] not in (2, 5):
            raise row.error("count_min_players", f"is {row['count_min_players']}; it is 2 (always) or 5 (five players)")
        expected = SCORED_BY[(*CLASS_NAMES, "royal_offering").index(row["class"])]
        if row["scored_by"] not in ("", expected):
            raise row.error("scored_by", f"is {row['scored_by']}, but {row['class']} cards score by {expected}")
    reward = [row for row in dwarves if row["age"] == "distinction"]
    if len(reward) != 1:
        raise dwarves.error(f"has {len(reward)} rows with age 'distinction'; the armorer's card is the only one")
    if reward[0]["class"] != "blacksmith" or reward[0]["copies"] != 1:
        raise reward[0].error("class", "the armorer's card is one blacksmith card")


def _check_heroes(heroes: Table) -> None:
    if len(heroes) > MAX_HEROES:
        raise heroes.error(f"has {len(heroes)} heroes; at most {MAX_HEROES} fit")
    owner: dict[str, int] = {}
    for row in heroes:
        effect = row["effect"]
        if effect in SINGLE_EFFECTS:
            if effect in owner:
                raise row.error("effect", f"{effect!r} is also in row {owner[effect]}; only one hero may have it")
            owner[effect] = row.number
        _check_hero_body(row)
        _check_hero_effect(row)
        if row["needs_class"] and row["needs_ranks"] == 0:
            raise row.error("needs_ranks", f"is 0, but needs_class is {row['needs_class']}")
        if row["needs_ranks"] and not row["needs_class"]:
            raise row.error("needs_class", f"is empty, but needs_ranks is {row['needs_ranks']}")


def _check_hero_body(row: Row) -> None:
    effect, neutral = row["effect"], row["class"] == "neutral"
    in_column = effect in ("headhunter", "unpredictable")
    if in_column and not neutral:
        raise row.error("class", f"is {row['class']}, but a hero with effect {effect} is neutral: she changes columns")
    if in_column and row["ranks"] != 1:
        raise row.error("ranks", f"is {row['ranks']}, but a hero with effect {effect} counts as 1 (rule 1.5)")
    if neutral and not in_column and row["ranks"]:
        raise row.error("ranks", f"is {row['ranks']}, but a neutral hero stands in no column; write 0")
    if not neutral and row["ranks"] == 0:
        raise row.error("ranks", "is 0, but a hero in a column brings at least one rank")
    if effect == "unpredictable" and row["points"]:
        raise row.error("points", f"is {row['points']}, but her points go by column; write 0 and use points_by_class")
    if effect == "brother" and row["points"]:
        raise row.error("points", f"is {row['points']}, but brothers score as a set (scoring_tables.csv); write 0")
    if effect != "unpredictable" and row["points_by_class"]:
        raise row.error("points_by_class", "only a hero with effect unpredictable has points by class")
    points_by_class(row)


def _check_hero_effect(row: Row) -> None:
    effect, amount = row["effect"], row["amount"]
    if effect in EFFECTS_WITH_AMOUNT and amount == 0:
        raise row.error("amount", f"is 0, but effect {effect} needs one")
    if effect not in EFFECTS_WITH_AMOUNT and amount:
        raise row.error("amount", f"is {amount}, but effect {effect} has no amount; write 0")
    if effect == "discard_dwarves" and amount > len(CLASS_NAMES) - 1:
        raise row.error("amount", f"is {amount}; at most {len(CLASS_NAMES) - 1} other columns can lose a dwarf")
    if effect in ("discard_dwarves", "points_per_rank") and row["class"] == "neutral":
        raise row.error("class", f"is neutral, but effect {effect} speaks of the hero's own column")


def _check_coins(coins: Table, rules: Mapping[str, str]) -> None:
    initial = [row for row in coins if row["kind"] == "initial"]
    total = sum(row["per_player"] for row in initial)
    if total != N_COINS:
        raise coins.error(f"gives each player {total} initial coins (column per_player); there are {N_COINS}")
    exchange = sum(row["per_player"] for row in initial if row["exchange_coin"])
    if exchange != 1:
        raise coins.error(f"has {exchange} initial exchange coins a player (column exchange_coin); there is one")
    special = [row for row in coins if row["kind"] == "special"]
    if len(special) != 1:
        raise coins.error(f"has {len(special)} rows of kind 'special'; the hunters' coin is the only one")
    if not special[0]["exchange_coin"]:
        raise special[0].error("exchange_coin", "is 0, but the special coin takes the exchange coin's place")
    seen: dict[int, int] = {}
    for row in coins:
        if row["kind"] != "treasure":
            continue
        if row["exchange_coin"]:
            raise row.error("exchange_coin", "is 1, but no coin of the treasure is an exchange coin")
        if row["per_player"]:
            raise row.error("per_player", f"is {row['per_player']}, but treasure coins are not handed out; write 0")
        if row["value"] in seen:
            raise row.error("value", f"the treasure's {row['value']} stands already in row {seen[row['value']]}")
        seen[row["value"]] = row.number
        treasure_copies(row, 2, rules)
    for row in initial:
        for n in PLAYER_COUNTS:
            if row[f"copies_{n}p"] != n * row["per_player"]:
                raise row.error(
                    f"copies_{n}p",
                    f"is {row[f'copies_{n}p']}, but {n} players with {row['per_player']} each need "
                    f"{n * row['per_player']}",
                )


def _check_gems(gems: Table) -> None:
    jewels = [row for row in gems if not row["tradable"]]
    if len(jewels) != 1:
        raise gems.error(f"has {len(jewels)} gems with tradable 0; the crown jewel is the only one")
    jewel = jewels[0]
    for row in gems:
        if row is not jewel and row["gem"] > jewel["gem"]:
            raise row.error("gem", f"{row['gem']} is above the crown jewel {jewel['gem']}, which wins every tie (5.7)")
        if row is not jewel and row["end_points"]:
            raise row.error("end_points", f"is {row['end_points']}, but only the crown jewel brings points; write 0")
    for n in PLAYER_COUNTS:
        column = f"in_play_{n}p"
        if jewel[column]:
            raise jewel.error(column, "is 1, but the crown jewel is not dealt")
        dealt = sum(gems.column(column))
        if dealt != n:
            raise gems.error(f"deals {dealt} gems to {n} players (column {column}); each gets one")


def _check_distinctions(tables: Mapping[str, Table]) -> None:
    distinctions = tables["distinctions.csv"]
    if len(distinctions) != len(CLASS_NAMES):
        raise distinctions.error(f"has {len(distinctions)} rows; each of the {len(CLASS_NAMES)} classes has one")
    for row in distinctions:
        c = CLASS_NAMES.index(row["majority_of"])
        due = DISTINCTION_EFFECTS[c]
        if row["effect"] != due:
            raise row.error("effect", f"is {row['effect']}, but the {CLASS_NAMES[c]} distinction is {due}")
        if row["order"] != c + 1:
            raise row.error("order", f"is {row['order']}, but {CLASS_NAMES[c]} is counted as number {c + 1} (rule 7.2)")
    special = next(row["value"] for row in tables["coins.csv"] if row["kind"] == "special")
    jewel = next(row["gem"] for row in tables["gems.csv"] if not row["tradable"])
    armorer = next(row["ranks"] for row in tables["dwarves.csv"] if row["age"] == "distinction")
    for effect, amount, where in (
        ("special_coin", special, "the special coin of coins.csv is"),
        ("crown_jewel", jewel, "the crown jewel of gems.csv is"),
        ("armorer_card", armorer, "the ranks of the armorer's card in dwarves.csv are"),
    ):
        row = next(row for row in distinctions if row["effect"] == effect)
        if row["amount"] != amount:
            raise row.error("amount", f"is {row['amount']}, but {where} {amount}")
    pioneer = next(row for row in distinctions if row["effect"] == "pioneer")
    if pioneer["amount"] > 10:
        raise pioneer.error("amount", f"is {pioneer['amount']}; the Pioneer sees at most 10 cards")


def _check_scoring(scoring: Table) -> None:
    ended = False
    for place, row in enumerate(scoring):
        if row["ranks"] != place:
            raise row.error("ranks", f"is {row['ranks']} where {place} is due: one row for each number, from 0 up")
        total = row["dwerg_brothers_total"]
        if total is not None and ended:
            raise row.error("dwerg_brothers_total", "follows an empty cell; fill in every number of brothers")
        ended = ended or total is None
        for column, increment in (
            ("blacksmith", "blacksmith_increment"),
            ("hunter", "hunter_increment"),
            ("dwerg_brothers_total", "dwerg_increment"),
        ):
            if row[increment] is None:
                continue
            difference = (row[column] or 0) - ((scoring[place - 1][column] or 0) if place else 0)
            if row[increment] != difference:
                raise row.error(
                    increment,
                    f"is {row[increment]}, but the difference to the row above is {difference}, or leave it empty",
                )
    if scoring[0]["dwerg_brothers_total"] is None:
        raise scoring[0].error("dwerg_brothers_total", "is empty; no brothers bring 0 points")


def _check_setup(tables: Mapping[str, Table], rules: Mapping[str, str]) -> None:
    setup = tables["setup_by_players.csv"]
    players = sorted(setup.column("players"))
    if players != list(PLAYER_COUNTS):
        raise setup.error(f"has rows for {', '.join(map(str, players))} players; it needs one each for 2, 3, 4 and 5")
    for row in setup:
        if row["cards_per_tavern"] < row["players"]:
            says = f"is {row['cards_per_tavern']}, but {row['players']} players take one each"
            raise row.error("cards_per_tavern", says)
        _check_decks(tables["dwarves.csv"], row)
        _check_derived(tables, row, {**rules, "treasure_small": "28"})


def _check_decks(dwarves: Table, setup: Row) -> None:
    """Check that each deck lasts exactly for its rounds, age 2 with one card more (rule 2.4)."""
    n, cards, rounds = setup["players"], setup["cards_per_tavern"], setup["rounds_per_age"]
    for age in (1, 2):
        found = len(deck_cards(dwarves, age, n))
        needed = N_TAVERNS * cards * rounds + (age == 2)
        if found > MAX_DECK:
            raise dwarves.error(f"the age-{age} deck has {found} cards with {n} players; at most {MAX_DECK} fit")
        if found != needed:
            one_more = ", and the one of the troop evaluation," if age == 2 else ""
            raise dwarves.error(
                f"the age-{age} deck has {found} cards with {n} players (columns copies, count_min_players), but "
                f"{rounds} rounds of {N_TAVERNS} x {cards} cards{one_more} need {needed}"
            )


def _check_derived(tables: Mapping[str, Table], row: Row, rules: Mapping[str, str]) -> None:
    """Check the cells of a set-up row that follow from other cells; an empty one is right."""
    n, cards, rounds = row["players"], row["cards_per_tavern"], row["rounds_per_age"]
    dealt = N_TAVERNS * cards * rounds
    gems = sorted(gem["gem"] for gem in tables["gems.csv"] if gem[f"in_play_{n}p"])
    treasure = sum(treasure_copies(coin, n, rules) for coin in tables["coins.csv"] if coin["kind"] == "treasure")
    for column, expected, why in (
        ("cards_taken_per_tavern", n, "each player takes one"),
        ("discarded_per_tavern", cards - n, "the rest of the tavern is discarded"),
        ("rounds_total", 2 * rounds, "there are two ages"),
        ("age1_deck", dealt, "dwarves.csv holds that many"),
        ("age2_deck", dealt + 1, "dwarves.csv holds that many"),
        ("age2_after_explorer_step", dealt, "one card is taken or discarded"),
        ("treasure_coins", treasure, "coins.csv holds that many"),
        ("tavern_cards_per_player_total", 2 * rounds * N_TAVERNS, "one from each tavern of each round"),
    ):
        if row[column] not in (None, expected):
            raise row.error(column, f"is {row[column]}, but {expected} is due: {why}")
    if row["gems"] and row["gems"].split() != [str(gem) for gem in gems]:
        raise row.error("gems", f"is {row['gems']!r}, but gems.csv deals {' '.join(map(str, gems))!r}")


def _check_army_bounds(tables: Mapping[str, Table]) -> None:
    """Check that no army can outgrow the engine's arrays or the scoring tables, at any player count."""
    scoring, heroes = tables["scoring_tables.csv"], tables["heroes.csv"]
    brothers = sum(row["effect"] == "brother" for row in heroes)
    filled = [total for total in scoring.column("dwerg_brothers_total") if total is not None]
    if brothers >= MAX_BROTHERS:
        raise heroes.error(f"has {brothers} brothers; at most {MAX_BROTHERS - 1} fit")
    if len(filled) <= brothers:
        raise scoring.error(
            f"column dwerg_brothers_total ends at {len(filled) - 1} brothers, but heroes.csv has {brothers}"
        )
    for setup in tables["setup_by_players.csv"]:
        for class_name in CLASS_NAMES:
            cards, ranks = _largest_column(tables, class_name, setup)
            if cards > MAX_COLUMN:
                raise tables["dwarves.csv"].error(
                    f"a {class_name} column could hold {cards} cards with {setup['players']} players; {MAX_COLUMN} fit"
                )
            if ranks >= MAX_RANKS:
                raise tables["dwarves.csv"].error(
                    f"{class_name} ranks could reach {ranks} with {setup['players']} players; {MAX_RANKS - 1} fit"
                )
            if class_name in ("blacksmith", "hunter") and ranks >= len(scoring):
                raise scoring.error(
                    f"ends at {len(scoring) - 1} ranks, but {class_name} ranks could reach {ranks} with "
                    f"{setup['players']} players; add rows"
                )


def _largest_column(tables: Mapping[str, Table], class_name: str, setup: Row) -> tuple[int, int]:
    """Return the most cards and the most ranks that one player's column of a class could ever hold."""
    dwarves = tables["dwarves.csv"]
    taken = 2 * setup["rounds_per_age"] * N_TAVERNS + 1  # one from each tavern, and the Pioneer's
    ranks = sorted(
        (
            dwarves[card]["ranks"]
            for age in (1, 2)
            for card in deck_cards(dwarves, age, setup["players"])
            if dwarves[card]["class"] == class_name
        ),
        reverse=True,
    )[:taken]
    extra = [row["ranks"] for row in dwarves if row["age"] == "distinction" and row["class"] == class_name]
    extra += [
        row["ranks"]
        for row in tables["heroes.csv"]
        if row["class"] == class_name or row["effect"] in ("headhunter", "unpredictable")
    ]
    return len(ranks) + len(extra), sum(ranks) + sum(extra)
