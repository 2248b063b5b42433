"""Items withheld, banned and granted: nobody has them, one seat has not, one seat has; all other luck stays."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from handicap_follower import HandicapFollower
from hypothesis import given, settings
from hypothesis import strategies as st
from play_games import ANY, LINES, Record
from test_invariants import RULES, assert_same_end, assert_same_rows

from simcore.contract import MAX_BANNABLE, TaflError, no_handicap
from simcore.editions import copy_edition
from simcore.items import item_number, pack_handicap
from simcore.nidavellir.cards import columns, fill_edition, load_edition
from simcore.nidavellir.events import (
    CARD_DEALT,
    CARD_PLACED,
    COIN_CHANGED,
    DECK_RESHUFFLED,
    DISTINCTION,
    EVENTS,
    GEM_DEALT,
    GEM_TAKEN,
    HERO_RECRUITED,
    PIONEER_SAW,
    TOP_CARD_DISCARDED,
)
from simcore.nidavellir.items import items, takings
from simcore.nidavellir.layout import (
    COINS_BY_ROUND_SLOT,
    EXPLORER,
    N_CLASSES,
    N_COINS,
)
from simcore.nidavellir.spec import SPEC

OFFICIAL = load_edition("official")
PLAYERS = st.integers(2, 5)
SEEDS = st.integers(0, 2**64 - 1)
ITEM_IDS = [item.item_id for item in items(OFFICIAL, 5) if item.ways]
HEROES = [item_id for item_id in ITEM_IDS if item_id.startswith("hero:")]
BANNABLE = [item.item_id for item in items(OFFICIAL, 5) if "banned" in item.ways]
CARDS = [item_id for item_id in ITEM_IDS if item_id.startswith("card:")]


def of_table(item_id: str, n_players: int) -> bool:
    """Whether an item is in the game of so many players."""
    return bool(items(OFFICIAL, n_players)[item_number(items(OFFICIAL, n_players), item_id)].ways)


@cache
def record_without(n_players: int, *withheld: str) -> Record:
    record = Record(n_players)
    record.edition = load_edition("official", {}, withheld)
    fill_edition(record.edition, n_players, record.game)
    return record


def record_with(n_players: int, handicaps: dict[int, dict[str, str]]) -> Record:
    """Records of a game in which each policy, one a seat, has its handicap."""
    record = Record(n_players)
    for seat, handicap in handicaps.items():
        record.handicap[seat] = pack_handicap(items(record.edition, n_players), handicap)
    return record


def seats(n_players: int) -> tuple[int, ...]:
    """One policy a seat, so that every seat is an entrant of its own."""
    return (LINES,) * n_players


def flags(record: Record, rows: np.ndarray) -> dict[str, np.ndarray]:
    return {c.name: rows[..., c.slot] for c in columns(record.edition, record.n_players)}


def column_of(item_id: str) -> str:
    return items(OFFICIAL, 5)[item_number(items(OFFICIAL, 5), item_id)].column


def dealt(events: np.ndarray) -> np.ndarray:
    """Gems and cards as luck dealt them, until the age-2 deck is shuffled again or a card of it is put away."""
    kinds = events[:, 0]
    ends = np.flatnonzero((kinds == DECK_RESHUFFLED) | (kinds == TOP_CARD_DISCARDED))
    shown = np.isin(kinds[: ends[0]], (GEM_DEALT, CARD_DEALT, PIONEER_SAW))
    return events[: ends[0]][shown][:, [0, 2]]


@settings(max_examples=60, deadline=None)
@given(PLAYERS, st.sampled_from(ITEM_IDS), SEEDS)
def test_what_is_withheld_is_taken_by_nobody_and_leaves_the_rest_of_luck(n_players, item_id, seed):
    if not of_table(item_id, n_players):
        return
    kind, _, name = item_id.partition(":")
    record = record_without(n_players, item_id)
    plain, _ = Record(n_players).record(seed, policies=(LINES,))
    events, rows = record.record(seed, policies=(LINES,))
    taken = takings(record.edition, n_players, events)[:, 1]
    before, after = dealt(plain), dealt(events)
    before, after = (d[d[:, 0] != PIONEER_SAW] for d in (before, after))
    if kind == "card":
        blank = int(record.game.edition.blank_card)
        card = OFFICIAL.dwarves.column("card_id").index(name)
        copies = OFFICIAL.dwarves[card]["copies"]
        found = np.flatnonzero((after[:, 0] == CARD_DEALT) & (after[:, 1] == blank))
        assert len(found) <= 1
        assert np.count_nonzero(taken == item_number(items(OFFICIAL, n_players), item_id)) <= copies - 1
        after[found, 1] = card
    else:
        assert item_number(items(OFFICIAL, n_players), item_id) not in taken
        assert not flags(record, rows)[column_of(item_id)].any()
    assert np.array_equal(before, after)


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_without_any_card_nothing_but_coins_and_gems_is_left(n_players):
    withheld = [
        f"card:{row['card_id']}"
        for row in OFFICIAL.dwarves
        if row["age"] != "distinction" and row["count_min_players"] <= n_players
        for _ in range(row["copies"])
    ]
    record = record_without(n_players, *withheld)
    for seed in range(20):
        events, rows = record.record(seed, policies=(ANY,))
        kinds = Counter(EVENTS[kind][0] for kind in events[:, 0])
        assert not kinds["card_placed"] + kinds["hero_recruited"]
        assert kinds["coin_changed"] == kinds["coins_exchanged"] == rows[:, flags_slot(record, "n_exchanges")].sum()
        assert kinds["top_card_discarded"] == 1
        found = flags(record, rows)
        for part in ("warriors", "hunters", "miners", "blacksmiths", "explorers", "neutral_heroes", "gem"):
            assert not found[part].any()
        assert np.array_equal(found["score"], found["coins"])
        assert not record.game.unseen.any()


def flags_slot(record: Record, name: str) -> int:
    return next(c.slot for c in columns(record.edition, record.n_players) if c.name == name)


@settings(max_examples=25, deadline=None)
@given(PLAYERS, st.lists(st.sampled_from(BANNABLE), min_size=1, max_size=12, unique=True), SEEDS)
def test_a_banned_seat_never_has_it(n_players, banned, seed):
    record = record_with(n_players, {1: dict.fromkeys(banned, "banned")})
    found = flags(record, record.play(seed, policies=seats(n_players), n_blocks=40))
    for item_id in banned:
        assert not found[column_of(item_id)][:, 1].any()


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_what_one_seat_is_banned_from_the_others_take(n_players):
    record = record_with(n_players, {0: dict.fromkeys(BANNABLE, "banned")})
    found = flags(record, record.play(11, policies=seats(n_players), n_blocks=400))
    for item_id in BANNABLE:
        had = found[column_of(item_id)]
        assert not had[:, 0].any()
        assert had[:, 1:].any() or item_id == "hero:hourya", item_id  # she wants five explorers
    assert not found["n_heroes"][:, 0].any()  # and nobody else gets the heroes that its lines are owed


@settings(max_examples=40, deadline=None)
@given(PLAYERS, st.lists(st.sampled_from(BANNABLE), min_size=1, max_size=4, unique=True), SEEDS)
def test_a_granted_seat_has_it_from_the_start_and_no_line_pays_for_it(n_players, granted, seed):
    record = record_with(n_players, {1: dict.fromkeys(granted, "granted")})
    rows = record.play(seed, policies=seats(n_players), n_blocks=40)
    found = flags(record, rows)
    heroes = [item_id for item_id in granted if item_id in HEROES]
    for item_id in granted:
        assert found[column_of(item_id)][:, 1].all()
        assert not np.delete(found[column_of(item_id)], 1, axis=1).any()
    all_heroes = sum(found[c] for c in found if c.startswith("hero_"))
    assert np.array_equal(found["n_heroes"], all_heroes)
    by_class = [item_id for item_id in heroes if item_id not in ("hero:thrud", "hero:ylud")]
    if by_class == heroes:  # these two leave or move at the end, lines with them
        assert (found["n_heroes"][:, 1] - len(heroes) >= 0).all()
    if "distinction:miner" in granted:
        assert (found["gem"][:, 1] == 3).all()


def test_a_granted_hero_leaves_the_first_line_its_own_hero():
    record = record_with(2, {0: {"hero:uline": "granted", "hero:dagda": "granted", "hero:skaa": "granted"}})
    events, _ = record.record(3, policies=seats(2))
    kinds = events[:, 0]
    first_deal = np.flatnonzero(kinds == CARD_DEALT)[0]
    given = events[:first_deal][kinds[:first_deal] == HERO_RECRUITED][:, 2]
    assert [OFFICIAL.heroes[int(hero)]["hero_id"] for hero in given] == ["dagda", "skaa", "uline"]
    assert np.count_nonzero(kinds[:first_deal] == CARD_PLACED) == 1  # Dagda, who found no dwarf to discard
    rows = record.play(3, policies=seats(2), n_blocks=200)
    found = flags(record, rows)
    stays = (found["hero_thrud"] + found["hero_ylud"])[:, 0] == 0  # these two take lines with them at the end
    extra, lines = found["n_heroes"][stays, 0] - 3, found["n_lines"][stays, 0]
    assert (extra >= lines).all()  # every line was owed its hero, as if nothing had been granted
    assert (lines > 0).any()


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_granted_cards_are_gained_at_the_start(n_players):
    granted = {"card:age1-offering-3": "granted", "card:age2-miner-2": "granted", "card:age1-hunter": "granted"}
    record = record_with(n_players, {1: granted})
    events, rows = record.record(8, policies=seats(n_players))
    first_deal = np.flatnonzero(events[:, 0] == CARD_DEALT)[0]
    placed = events[:first_deal][events[:first_deal, 0] == CARD_PLACED]
    assert [(int(seat), OFFICIAL.dwarves[int(card)]["card_id"]) for _, seat, card, *_ in placed] == [
        (1, "age1-hunter"),
        (1, "age2-miner-2"),
    ]
    changed = events[:first_deal][events[:first_deal, 0] == COIN_CHANGED]
    assert changed[:, 1].tolist() == [1]
    gained = int(changed[0, 5] - changed[0, 3])
    at_start = rows[:, COINS_BY_ROUND_SLOT].tolist()
    assert at_start == [at_start[0] + (gained if seat == 1 else 0) for seat in range(n_players)]
    taken = takings(record.edition, n_players, events)
    at_setup = {items(OFFICIAL, n_players)[i].item_id for s, i, r in taken if r == 0 and s == 1}
    assert set(granted) <= at_setup


@settings(max_examples=40, deadline=None)
@given(
    PLAYERS,
    SEEDS,
    st.lists(st.sampled_from(BANNABLE), max_size=4, unique=True),
    st.lists(st.sampled_from(ITEM_IDS), max_size=4, unique=True),
)
def test_coins_are_conserved_and_takings_agree_with_the_flags(n_players, seed, banned, granted):
    granted = [item_id for item_id in granted if of_table(item_id, n_players)]
    handicaps = {0: dict.fromkeys(banned, "banned"), 1: dict.fromkeys(granted, "granted")}
    record = record_with(n_players, handicaps)
    events, rows = record.record(seed, policies=seats(n_players))
    game = record.game
    special = sum(int(c == 2) for seat in range(n_players) for c in game.pl[seat].coin_colour)
    n_coins = int(game.treasure.sum()) + N_COINS * n_players + int(game.n_in_box)
    assert n_coins == int(game.edition.n_treasure) + N_COINS * n_players + special
    assert min(game.treasure) >= 0
    listed = items(record.edition, n_players)
    taken = takings(record.edition, n_players, events)
    found = flags(record, rows)
    for number, item in enumerate(listed):
        if item.column:
            who = sorted(taken[taken[:, 1] == number][:, 0].tolist())
            assert who == np.flatnonzero(found[item.column]).tolist(), item
    n_cards = Counter(listed[i].item_id for _, i, r in taken if listed[i].kind == "card" and r > 0)
    copies = {f"card:{row['card_id']}": row["copies"] for row in OFFICIAL.dwarves}
    assert all(n <= copies[item_id] for item_id, n in n_cards.items())
    n_taken = sum(n_cards.values())
    pioneer = bool(found["distinction_explorer"].any())
    assert n_taken == (24 if n_players < 4 else 18) * n_players + pioneer
    assert taken[:, 2].max() <= (8 if n_players < 4 else 6)
    assert (np.diff(taken[:, 2]) >= 0).all()


@settings(max_examples=60, deadline=None)
@given(st.data(), PLAYERS, SEEDS, RULES)
def test_an_independent_follower_agrees_under_any_switches(data, n_players, seed, rules):
    listed = items(load_edition("official", rules), n_players)
    order = [item.item_id for item in listed]

    def some(way: str, most: int) -> list[str]:
        possible = [item.item_id for item in listed if way in item.ways and item.item_id not in used]
        chosen = data.draw(st.lists(st.sampled_from(possible), max_size=most, unique=True))
        used.update(chosen)
        return chosen

    used: set[str] = set()
    withheld = some("withheld", 8)
    handicaps = {seat: dict.fromkeys(some("granted", 4), "granted") for seat in range(2)}
    handicaps[0] |= dict.fromkeys(some("banned", 6), "banned")
    record = Record(n_players)
    record.edition = load_edition("official", rules, withheld)
    fill_edition(record.edition, n_players, record.game)
    for seat, handicap in handicaps.items():
        record.handicap[seat] = pack_handicap(listed, handicap, withheld)
    events, rows = record.record(seed, policies=seats(n_players))
    follower = HandicapFollower(events, n_players, rules, withheld, handicaps, order).follow()
    assert_same_end(record, follower)
    assert_same_rows(rows, follower, [int(event[2]) for event in events[1 : 1 + n_players]])


def test_takings_say_when():
    record = Record(4)
    events, _ = record.record(5, policies=(LINES,))
    taken = takings(record.edition, 4, events)
    listed = items(record.edition, 4)
    rounds = {kind: {int(r) for _, i, r in taken if listed[i].kind == kind} for kind in ("gem", "distinction", "card")}
    assert rounds == {"gem": {0}, "distinction": {3}, "card": {1, 2, 3, 4, 5, 6}}


def test_a_withheld_explorer_distinction_costs_the_top_card():
    record = record_without(3, "distinction:explorer")
    events, _ = record.record(2, policies=(LINES,))
    said = events[(events[:, 0] == DISTINCTION) & (events[:, 1] == EXPLORER)]
    assert said[:, 2].tolist() == [-1]
    assert np.count_nonzero(events[:, 0] == TOP_CARD_DISCARDED) == 1


def test_a_granted_distinction_needs_no_ranks():
    record = record_with(2, {1: {"distinction:miner": "granted"}})
    events, _ = record.record(1, policies=seats(2))
    assert events[events[:, 0] == GEM_TAKEN][:, 1].tolist() == [1]


def test_a_ban_from_a_distinction_leaves_the_count_to_the_others():
    record = record_with(2, {0: {"distinction:hunter": "banned"}})
    rows = record.play(4, policies=seats(2), n_blocks=300)
    had = flags(record, rows)["distinction_hunter"]
    assert had[:, 1].mean() > 0.99  # whoever has a hunter at all


def test_no_handicap_is_the_ordinary_game():
    plain = Record(3).play(6, policies=seats(3), n_blocks=50)
    assert np.array_equal(record_with(3, {0: {}}).play(6, policies=seats(3), n_blocks=50), plain)
    assert pack_handicap(items(OFFICIAL, 3), {}).tolist() == no_handicap().tolist() == [0, -1, -1, -1, -1]


@pytest.mark.parametrize("n_players", [2, 3, 4, 5])
def test_items_have_one_order_and_columns_that_exist(n_players):
    listed = items(OFFICIAL, n_players)
    names = {column.name for column in columns(OFFICIAL, n_players)}
    assert len({item.item_id for item in listed}) == len(listed)
    assert {item.column for item in listed} - {""} <= names
    bannable = [number for number, item in enumerate(listed) if "banned" in item.ways]
    assert bannable == list(range(len(bannable)))
    assert len(bannable) <= MAX_BANNABLE
    same = len([item for item in listed if item.kind != "gem"])
    assert [i.item_id for i in listed[:same]] == [i.item_id for i in items(OFFICIAL, 2)[:same]]
    assert all(item.ways == () for item in listed if item.kind == "gem")
    assert SPEC.items is items
    assert sum(item.kind == "distinction" for item in listed) == N_CLASSES


def test_the_edition_says_what_it_withholds_and_is_read_back(tmp_path):
    withheld = ("hero:uline", "card:age1-hunter", "card:age1-hunter")
    edition = load_edition("official", {}, withheld)
    assert edition.name == "official without Uline, 2 x hunter (age 1)"
    assert edition.digest != OFFICIAL.digest
    assert load_edition("official", {}, withheld[::-1]).digest == edition.digest
    copy_edition(edition, tmp_path / "mine")
    again = load_edition(str(tmp_path / "mine"))
    assert again.withheld == withheld
    assert again.digest == edition.digest
    assert again.name == "mine without Uline, 2 x hunter (age 1)"
    more = load_edition(str(tmp_path / "mine"), {}, ("hero:grid",))
    assert more.withheld == (*withheld, "hero:grid")
    copy_edition(OFFICIAL, tmp_path / "plain")
    assert "withheld" not in (tmp_path / "plain" / "rules.toml").read_text()


def bad_folder(tmp_path, line: str):
    copy_edition(OFFICIAL, tmp_path / "bad")
    path = tmp_path / "bad" / "rules.toml"
    path.write_text(line + "\n" + path.read_text())
    return str(tmp_path / "bad")


def test_a_rules_file_whose_withheld_is_no_list_is_refused(tmp_path):
    with pytest.raises(TaflError, match="withheld is no list of items"):
        load_edition(bad_folder(tmp_path, 'withheld = "hero:uline"'))


@pytest.mark.parametrize(
    ("withheld", "says"),
    [
        (("hero:ulin",), "there is no item 'hero:ulin'; the nearest is 'hero:uline'"),
        (("hero:uline", "hero:uline"), "hero:uline is withheld 2 times, but there is only 1"),
        (("card:age1-warrior-6",) * 3, "withheld 3 times, but there are only 2"),
        (("card:great-armorer",), "cannot be withheld"),
        (("gem:5",), r"gem:5 \(starting gem 5\) cannot be withheld at this table: it is only counted"),
    ],
)
def test_what_cannot_be_withheld_is_refused_in_a_sentence(withheld, says):
    with pytest.raises(TaflError, match=says):
        load_edition("official", {}, withheld)


@pytest.mark.parametrize(
    ("handicap", "withheld", "says"),
    [
        ({"hero:skaaa": "banned"}, (), "the nearest is 'hero:skaa'"),
        ({"hero:skaa": "bannd"}, (), "there is no way to treat an item 'bannd'; the nearest is 'banned'"),
        ({"hero:skaa": "withheld"}, (), "cannot be withheld from one entrant: write banned"),
        ({"card:age1-hunter": "banned"}, (), "cannot be banned at this table: it can only be withheld or granted"),
        ({"card:age1-hunter-5p": "granted"}, (), "cannot be granted at this table"),
        ({"hero:skaa": "granted"}, ("hero:skaa",), "hero:skaa is withheld from this edition"),
        (dict.fromkeys(HEROES[:5], "granted"), (), "5 items are granted to one entrant; at most 4 can be"),
    ],
)
def test_a_handicap_that_cannot_be_is_refused_in_a_sentence(handicap, withheld, says):
    with pytest.raises(TaflError, match=says):
        pack_handicap(items(OFFICIAL, 4), handicap, withheld)
