"""Greedy of Reavers of Midgard takes what adds most Glory at once: held against the rules' own scoring, and by hand."""

import random
from functools import cache

import numpy as np
import pytest

from simcore.accel import kernel
from simcore.blocks import seatings
from simcore.play import Plan, Table
from simcore.reavers.layout import (
    ARTIFACT,
    BATTLE_DECK,
    CHEST,
    CLAN,
    DOUBLE_HAMMER,
    FACE_NAMES,
    HAMMER,
    KEEP_DECK,
    KEEPS,
    N_COLOURS,
    N_FACES,
    N_KINDS,
    N_LOCATIONS,
    NOWHERE,
    OWN,
    PROPHECY_DECK,
    RECRUIT,
    RUNIC,
    SEA,
    SHIELD,
    SHIP,
    SHIP_UPGRADE,
    SUBDUE,
    TAPESTRY,
    TERROR_TOKEN,
    TRADE,
    TREASURE,
    VILLAGE_DECK,
    VILLAGES,
    WEAPONS,
    WIN_SLOT,
)
from simcore.reavers.paying import can_pay_nb
from simcore.reavers.scoring import prophecy_glory_nb, score_kinds_nb, score_sets_nb
from simcore.reavers.spec import SPEC
from strategies import registry
from strategies.definition import plain
from strategies.reavers.greedy import Greedy
from strategies.reavers.greedy_tables import BATTLE_DICE, LOCATION_DICE, prepare
from strategies.reavers.greedy_values import dice_nb, missing_nb, n_wild_nb

EDITION = SPEC.load_edition("published", {})
N_PLAYERS = 4


@cache
def compiled(decision):
    return kernel(plain(getattr(Greedy, decision)))


class Seat:
    """Seat 0 of a record in which nothing but the edition is filled in: first round, nobody has anything."""

    def __init__(self):
        self.games = SPEC.filled(EDITION, N_PLAYERS)
        self.game = self.games[0]
        self.owns = np.zeros(1, OWN)
        self.own = self.owns[0]
        self.table = prepare(self.game)
        self.own.table = self.table.ctypes.data
        self.own.n_table = len(self.table)
        self.own.card = self.own.card_deck = NOWHERE
        self.game.round_number = 1
        self.game.rounds_left = 5
        self.game.offer[:] = NOWHERE
        self.game.tile_shown[:] = NOWHERE
        self.me = self.game.pl[0]
        for player in self.game.pl:
            player.leader = player.wild_kind = NOWHERE
            player.stored[:] = NOWHERE

    def dice(self, **counts):
        """Put red dice on the board, by face."""
        for face, n in counts.items():
            self.me.die[FACE_NAMES.index(face)] = n
        self.me.n_dice = self.me.die.sum()

    def choose(self, decision, options):
        """Return the option chosen."""
        self.own.option[: len(options)] = options
        return options[compiled(decision)(self.game, self.own, len(options))]

    def glory_of_cards(self):
        """Glory of the kept cards by the rules (12.2 to 12.5)."""
        edition = self.game.edition
        total = sum(score_sets_nb(self.game, self.own, category) for category in (*range(TREASURE, TAPESTRY), RUNIC))
        total += score_kinds_nb(self.game, self.own, TAPESTRY, edition.tapestry_set, edition.tapestry_single)
        return total + score_kinds_nb(self.game, self.own, WEAPONS, edition.weapons_set, edition.weapons_single)

    def glory_gained(self, cards):
        """Glory that some spoils without buildings add, by scoring what one has with them and without."""
        before = self.glory_of_cards()
        others = 0
        for card in cards:
            category = self.game.edition.spoils_category[card]
            if category == ARTIFACT:
                others += self.game.edition.artifact_glory[self.game.edition.spoils_ref[card]]
            elif category == SHIP_UPGRADE:
                others += 3  # instead of the token (rule 6.4)
            else:
                self.own.spoils[card] += 1
        gained = self.glory_of_cards() - before + others
        for card in cards:
            if self.game.edition.spoils_category[card] not in (ARTIFACT, SHIP_UPGRADE):
                self.own.spoils[card] -= 1
        return gained


@pytest.fixture
def seat():
    return Seat()


def spoils(name):
    return [row["name"] for row in EDITION.spoils].index(name)


@pytest.mark.parametrize(("location", "deck"), [(VILLAGES, VILLAGE_DECK), (KEEPS, KEEP_DECK)])
def test_the_group_taken_adds_most_to_the_score(seat, location, deck):
    edition = seat.game.edition
    seat.game.location = location
    cards = [int(c) for c in edition.deck[deck, : edition.n_deck[deck]] if edition.spoils_defense[c] == 0]
    kept = [card for card in cards if edition.spoils_kept[card] == 1]
    rng = random.Random(1)
    for _ in range(300):
        seat.own.spoils[:] = 0
        for card in rng.choices(kept, k=rng.randrange(12)):
            seat.own.spoils[card] += 1
        for space in range(4):
            seat.game.offer[deck, space, :2] = rng.choices(cards, k=2)
        space = seat.choose("choose_spoils", [0, 1, 2, 3])
        gained = [seat.glory_gained([int(card) for card in seat.game.offer[deck, s]]) for s in range(4)]
        assert gained[space] == max(gained), (gained, space)


def test_a_tower_counts_with_its_pillage_if_that_can_be_won(seat):
    """Five Glory, 3 and a token's 2, by the chance; two first Paintings bring five without a fight."""
    seat.game.location = KEEPS
    seat.game.offer[KEEP_DECK, 0, :2] = spoils("Painting"), spoils("Gold Coins")  # 2 + 1
    seat.game.offer[KEEP_DECK, 1, :2] = spoils("Tower"), spoils("Keep Wall")  # 5 and 2
    assert seat.choose("choose_spoils", [0, 1]) == 0
    seat.dice(hammer=1)
    assert seat.choose("choose_spoils", [0, 1]) == 0
    seat.dice(hammer=6)
    assert seat.choose("choose_spoils", [0, 1]) == 1


def test_a_farm_is_pillaged_until_terror_costs_more_than_it_brings(seat):
    """A small farm's token brings 2; the first terror costs 1, the second 2, the third 3 (rules 12.8, 12.9)."""
    seat.own.card, seat.own.card_deck = spoils("Farm (small)"), VILLAGE_DECK
    seat.dice(hammer=2)
    taken = []
    for n_terror in range(4):
        seat.me.token[TERROR_TOKEN] = n_terror
        taken.append(seat.choose("choose_pillage", [0, 1]) == 0)
    assert taken == [True, False, False, False]
    seat.own.card = spoils("Farm (large)")  # 3 more
    for n_terror, pillages in enumerate([True, True, True, True, False]):  # 5 - 1, - 2, - 3, - 4, - 5
        seat.me.token[TERROR_TOKEN] = n_terror
        assert (seat.choose("choose_pillage", [0, 1]) == 0) == pillages


def test_dice_suffice_where_the_rules_let_them_pay(seat):
    """Hammers, shields, chests and ships of all colours, double hammers, wild dice; no ship upgrades."""
    edition = seat.game.edition
    battles = [(BATTLE_DICE + int(b), edition.battle_cost[b]) for b in set(edition.deck[BATTLE_DECK].tolist())]
    costs = [*battles, *((LOCATION_DICE + place, edition.location_cost[place]) for place in (VILLAGES, KEEPS))]
    seat.me.food = 9
    rng = random.Random(2)
    n_payable = 0
    for _ in range(500):
        seat.me.die[:] = [rng.choice((0, 0, 0, 1, 2)) for _ in range(N_KINDS)]
        seat.me.n_dice = seat.me.die.sum()
        seat.me.wild_kind = rng.choice((NOWHERE, CLAN, N_FACES + CLAN))
        dice = dice_nb(seat.game, seat.me)
        for place, cost in costs:
            suffice = missing_nb(dice, seat.table[place]) <= n_wild_nb(seat.me)
            assert suffice == can_pay_nb(seat.game, 0, cost)
            n_payable += suffice
    assert 500 < n_payable < 500 * len(costs) - 500


def test_missing_dice_are_counted_face_by_face():
    rng = random.Random(3)
    for _ in range(500):
        have, need = ([rng.randrange(12) for _ in range(N_FACES)] for _ in range(2))
        packed = [sum(n << (8 * face) for face, n in enumerate(counts)) for counts in (have, need)]
        assert missing_nb(*packed) == sum(max(0, n - m) for m, n in zip(have, need, strict=True))


def test_the_prophecy_taken_pays_most_now(seat):
    edition = seat.game.edition
    rng = random.Random(4)
    for turn in range(200):
        seat.game.selection = turn % 4
        seat.game.round_number = 1 + turn // 4  # another turn: they are valued once in each
        seat.me.favor, seat.me.food = rng.randrange(6), rng.randrange(12)
        seat.me.n_battles, seat.me.n_tiles = rng.randrange(5), rng.randrange(8)
        seat.own.reavers[:] = [rng.randrange(6) for _ in range(N_COLOURS)]
        seat.own.n_artifacts = rng.randrange(4)
        seat.own.spoils[edition.category_first[TREASURE]] = rng.randrange(6)
        offered = rng.sample(range(edition.n_prophecies), 3)
        seat.game.offer[PROPHECY_DECK, :3, 0] = offered
        pays = [int(prophecy_glory_nb(seat.game, seat.me, seat.own, prophecy)) for prophecy in offered]
        trades = list(range(edition.n_trade_options))
        trade = seat.choose("choose_trade", trades)
        assert (trade == 2) == (max(pays) > 0)  # dice, food, prophecy, favor
        assert pays[seat.choose("choose_prophecy", [0, 1, 2, NOWHERE])] == max(pays)


def test_a_second_prophecy_of_a_turn_is_not_the_one_that_is_gone(seat):
    seat.me.n_battles, seat.me.n_tiles = 2, 1
    seat.game.offer[PROPHECY_DECK, :2, 0] = 0, 1  # 2 for each battle, 1 for each territory
    assert seat.choose("choose_prophecy", [0, 1, NOWHERE]) == 0
    seat.game.offer[PROPHECY_DECK, 0, 0] = NOWHERE
    assert seat.choose("choose_trade", [0, 1, 2, 3]) == 2
    assert seat.choose("choose_prophecy", [1, NOWHERE]) == 1


def test_territories_count_by_reward_income_and_chance(seat):
    """Rewards of level 1 bring 1/4 Glory on average, of 2 7/3, of 3 13/3 and a third of a Keep Spoils."""
    seat.game.n_stack[:] = seat.game.edition.n_stack
    peace_1, peace_3, force_1, force_2, force_3 = 0, 4, 1, 3, 5
    assert seat.choose("choose_territory", [peace_1, peace_3]) == peace_3
    seat.dice(hammer=1)  # level 1 by force: two chances in three; level 2: one in six
    assert seat.choose("choose_territory", [peace_1, force_1, NOWHERE]) == peace_1
    assert seat.choose("choose_territory", [force_1, force_2, force_3, NOWHERE]) == force_1  # 0.83 against 0.56
    seat.dice(hammer=2)  # 0.89, 0.56, 7/36
    assert seat.choose("choose_territory", [force_1, force_2, force_3, NOWHERE]) == force_2
    seat.dice(hammer=6)
    assert seat.choose("choose_territory", [force_1, force_2, force_3, NOWHERE]) == force_3
    seat.dice(hammer=0)
    assert seat.choose("choose_territory", [force_3, NOWHERE]) == NOWHERE


def battle(name):
    return EDITION.names("sea_battles.csv").index(name)


def test_the_battle_taken_is_the_richest_that_can_be_won(seat):
    seat.game.offer[BATTLE_DECK, :3, 0] = battle("Raider Skiff"), battle("Draugr Ship"), battle("Kraken")  # 7, 11, 15
    seat.dice(hammer=1, ship=1)
    assert seat.choose("choose_battle", [0, 1, 2]) == 0
    seat.dice(hammer=1, ship=1, shield=1, chest=1)
    assert seat.choose("choose_battle", [0, 1, 2]) == 1
    seat.dice(hammer=0, hammer2=5, ship=0, shield=0, chest=0)  # Defense 6 with nine dice
    assert seat.choose("choose_battle", [0, 1, 2]) == 2
    assert seat.choose("choose_battle_way", [0, 1]) == 0


def test_the_location_selected_brings_most(seat):
    """Two shields that complete a Tapestry set; else a sea battle; else whatever is free."""
    places = list(range(N_LOCATIONS))
    seat.game.offer[KEEP_DECK, 0, :2] = spoils("Tapestry A"), spoils("Tapestry B")
    seat.own.spoils[spoils("Tapestry C")] = 1
    seat.game.offer[BATTLE_DECK, 0, 0] = battle("Raider Skiff")
    assert seat.choose("choose_location", places) == RECRUIT
    seat.dice(hammer=1, ship=1, shield=2)
    assert seat.choose("choose_location", places) == RECRUIT  # no Food
    seat.me.food = 4
    assert seat.choose("choose_location", places) == KEEPS  # 13 and two unseen cards against 7 and 2
    seat.own.spoils[:] = 0
    assert seat.choose("choose_location", places) == SEA  # 4 and two unseen cards
    seat.dice(hammer=0, ship=0, shield=2)
    assert seat.choose("choose_location", places) == KEEPS
    seat.me.food = 3
    seat.me.n_tiles = 8
    seat.game.offer[PROPHECY_DECK, :2, 0] = 1, 1  # 8 each
    seat.game.selection = 1
    assert seat.choose("choose_location", places) == TRADE
    seat.game.offer[PROPHECY_DECK, :2, 0] = NOWHERE
    seat.game.selection = 2
    seat.dice(shield=0, hammer2=5)
    seat.game.n_stack[:] = seat.game.edition.n_stack
    assert seat.choose("choose_location", places) == SUBDUE


def test_a_seat_acts_where_it_can_and_at_sea_only_for_glory(seat):
    seat.game.offer[BATTLE_DECK, 0, 0] = battle("Raider Skiff")
    for location in (RECRUIT, TRADE, VILLAGES, KEEPS, SUBDUE):
        seat.game.location = location
        assert seat.choose("choose_action", [0, 1, 2]) == 0
    seat.game.location, seat.game.distance = SEA, 1
    seat.me.food = 4
    assert seat.choose("choose_action", [0, 1, 2]) == 2  # a die: there is Food
    seat.me.food = 3
    assert seat.choose("choose_action", [1, 2]) == 1
    seat.dice(hammer=1, ship=1)
    assert seat.choose("choose_action", [0, 1, 2]) == 0


def test_dice_of_ones_choice_are_wild_then_for_raids_then_hammers(seat):
    kinds = list(range(N_KINDS))
    assert seat.choose("choose_die", kinds) == SHIELD
    seat.dice(shield=2)
    assert seat.choose("choose_die", kinds) == CHEST
    seat.dice(shield=2, chest=2)
    assert seat.choose("choose_die", kinds) == DOUBLE_HAMMER
    seat.me.wild_kind = 2 * N_FACES + CLAN
    assert seat.choose("choose_die", kinds) == 2 * N_FACES + CLAN
    assert seat.choose("choose_discard", [HAMMER, SHIELD, CLAN, 2 * N_FACES + CLAN]) == CLAN
    assert seat.choose("choose_market_die", [SHIP, SHIELD, CLAN]) == SHIELD
    seat.game.due_face = HAMMER
    assert seat.choose("choose_payment", [DOUBLE_HAMMER, N_FACES + HAMMER, 2 * N_FACES + CLAN]) == N_FACES + HAMMER


def test_hammers_are_committed_until_the_fight_is_all_but_won(seat):
    """Defense 2: three dice win four times in five, six dice 0.99 (strategies.md section 4, exact odds)."""
    seat.game.defense = 2
    seat.game.hammers = 3
    assert seat.choose("choose_hammer", [HAMMER, NOWHERE]) == HAMMER
    seat.game.hammers = 6
    assert seat.choose("choose_hammer", [HAMMER, NOWHERE]) == NOWHERE


def test_rerolls_are_of_dice_that_show_least_and_only_if_they_can_win(seat):
    seat.game.defense = 4
    seat.game.rolled[:3] = 2, 1, 0
    options = [n_0 | (n_1 << 5) for n_1 in range(2) for n_0 in range(3)]
    assert seat.choose("choose_combat_reroll", options) == 2  # both zeros: 3 are missing
    seat.game.defense = 6
    assert seat.choose("choose_combat_reroll", options) == (2 | (1 << 5))  # all three must show 2
    seat.game.defense = 7
    assert seat.choose("choose_combat_reroll", options) == 0


@cache
def win_shares(name, rival, n_players, n_blocks):
    """Win share of one copy among rivals in each block: every seat once."""
    entrants = [registry.enter(registry.find("reavers", n), SPEC, EDITION, n_players) for n in (name, rival)]
    seating = seatings(np.array([0] + [1] * (n_players - 1)), "rotations")
    table = Table(Plan(SPEC, EDITION, entrants, seating, 5))
    shares = []
    for first in range(0, n_blocks, table.max_blocks):
        rows = table.play(first, min(table.max_blocks, n_blocks - first))
        shares += [rows[block][seating == 0][:, WIN_SLOT].mean() / 60 for block in range(len(rows))]
    return np.array(shares)


@pytest.mark.parametrize("n_players", [2, 3, 4])
@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("balanced", "greedy")])
def test_greedy_stands_between_random_and_balanced(better, worse, n_players):
    shares = win_shares(better, worse, n_players, 100)
    error = shares.std(ddof=1) / np.sqrt(len(shares))
    assert shares.mean() - 4 * error > 1 / n_players
