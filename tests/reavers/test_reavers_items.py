"""Items withheld, banned and granted: nobody has them, one seat has not, one seat has; all other luck stays."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reavers_games import ANY, MOSTLY_FIRST, Record, some
from test_reavers_invariants import check_game

from simcore.contract import MAX_BANNABLE, TaflError
from simcore.editions import copy_edition
from simcore.items import item_number, pack_handicap
from simcore.reavers.cards import columns, fill_edition, load_edition
from simcore.reavers.events import (
    CARD_DEALT,
    CARD_DRAWN,
    DIE_ROLLED,
    FOOD_CHANGED,
    GAME_STARTS,
    GLORY_CHANGED,
    LOCATION_SELECTED,
    ROUND_STARTS,
    TERRITORY_ON_TOP,
)
from simcore.reavers.items import items, takings
from simcore.reavers.layout import (
    BLANK,
    COMPONENT_NAMES,
    DECK_NAMES,
    FROM_BATTLES,
    FROM_TILES,
    LOCATION_NAMES,
    N_LOCATIONS,
    SCORE_SLOT,
    WIN_SLOT,
)
from simcore.reavers.spec import SPEC

TABLES = (("published", 2), ("published", 3), ("published", 4), ("early", 2), ("early", 5))
EDITIONS = {name: load_edition(name) for name in ("published", "early")}
LISTED = {name: items(edition, 2) for name, edition in EDITIONS.items()}
IDS = {name: [item.item_id for item in listed] for name, listed in LISTED.items()}
FOR_ALL = [item_id for item_id in IDS["published"] if item_id in IDS["early"]]


def ids_of(name: str, way: str, kind: str = "") -> list[str]:
    return [item.item_id for item in LISTED[name] if way in item.ways and kind in ("", item.kind)]


def record_of(table: tuple[str, int], withheld=(), handicaps=None) -> Record:
    """Records of a game whose seats are entrants of their own, with handicaps by seat."""
    name, n_players = table
    record = Record(n_players, (MOSTLY_FIRST, ANY), name)
    if withheld:
        record.edition = load_edition(name, {}, withheld)
        fill_edition(record.edition, n_players, record.game)
    for seat, handicap in (handicaps or {}).items():
        record.handicap[seat] = pack_handicap(LISTED[name], handicap)
    return record


def found(record: Record, rows: np.ndarray) -> dict[str, np.ndarray]:
    return {c.name: rows[..., c.slot] for c in columns(record.edition, record.n_players)}


def at_set_up(events: np.ndarray) -> np.ndarray:
    """What luck deals before the first round: cards, tiles, dice, the start player."""
    before = events[: np.flatnonzero(events[:, 0] == ROUND_STARTS)[0]]
    return before[np.isin(before[:, 0], (GAME_STARTS, CARD_DEALT, CARD_DRAWN, DIE_ROLLED, TERRITORY_ON_TOP))]


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=8, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_what_is_withheld_is_taken_by_nobody_and_leaves_the_rest_of_luck(table, data, seed):
    item_id = data.draw(st.sampled_from(ids_of(table[0], "withheld")))
    item = LISTED[table[0]][item_number(LISTED[table[0]], item_id)]
    record = record_of(table, (item_id,))
    events = record.events(3, seed=seed)
    rows = record.play(3, 1, seed=seed)[0, 0]
    assert item_number(items(record.edition, table[1]), item_id) not in takings(record.edition, table[1], events)[:, 1]
    if item.column:
        assert not found(record, rows)[item.column].any()
    if item.kind == "location":
        assert not found(record, rows)[f"selected_{item_id.partition(':')[2]}"].any()
    plain = at_set_up(record_of(table).events(3, seed=seed))
    dealt = at_set_up(events)
    if item.kind == "territory":  # only its own stack shows nothing
        stack = LISTED[table[0]].index(item) - IDS[table[0]].index("territory:food-1")
        plain = plain[~((plain[:, 0] == TERRITORY_ON_TOP) & (plain[:, 1] == stack))]
    if table[0] == "early":  # what Reavers' uses bring is dealt later there, if ever
        assert np.array_equal(dealt, plain)
    else:  # the first Reavers are used at set-up; the board was laid before
        first = np.flatnonzero(plain[:, 0] == CARD_DRAWN)[0] + 1
        assert np.array_equal(dealt[:first], plain[:first])


@pytest.mark.parametrize("table", TABLES)
def test_without_any_item_no_card_brings_a_thing(table):
    withheld = [item_id for item_id in ids_of(table[0], "withheld") if not item_id.startswith("location:")]
    record = record_of(table, withheld)
    rows = record.play(0, some(120), seed=4)[:, 0]
    got = found(record, rows)
    nothing = set(COMPONENT_NAMES) - {"sea_bonus", "journeys", "other", "reavers", "leftovers"}
    for component in nothing:
        assert not got[f"glory_{component}"].any(), component
    parts = sum(got[f"glory_{component}"] for component in COMPONENT_NAMES)
    assert np.array_equal(parts, rows[..., SCORE_SLOT])
    assert not got["n_tiles"].any()
    assert not got["n_battles"].any()
    assert not got["n_artifacts"].any()
    assert not got["n_upgrades"].any()
    assert not got["n_abilities"].any()
    assert (rows[..., WIN_SLOT].sum(axis=1) == 60).all()
    taken = takings(record.edition, table[1], record.events(1))
    kinds = {items(record.edition, table[1])[i].kind for _, i, _ in taken}
    assert kinds == {"location"}


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("location", LOCATION_NAMES)
def test_a_banned_seat_never_selects_it_but_acts_there_when_others_do(table, location):
    record = record_of(table, handicaps={0: {f"location:{location}": "banned"}})
    got = found(record, record.play(0, some(60), seed=9)[:, 0])
    assert not got[f"selected_{location}"][:, 0].any()
    assert got[f"selected_{location}"][:, 1:].any()
    assert got[f"acted_{location}"][:, 0].any() or location in ("raid_villages", "battle_at_sea")


def test_a_seat_banned_from_all_that_is_left_selects_all_the_same():
    record = record_of(("early", 5), handicaps={0: {f"location:{name}": "banned" for name in LOCATION_NAMES}})
    rows = record.play(0, some(60), seed=2)[:, 0]
    assert (found(record, rows)["n_own_selections"] == 6).all()


def test_too_few_locations_are_refused():
    two = ("location:raid_keeps", "location:battle_at_sea")
    assert load_edition("published", {}, two).name == "published without raid keeps, battle at sea"
    with pytest.raises(TaflError, match="a round selects 5 locations, but without the withheld ones 4 are left"):
        load_edition("early", {}, two)


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=12, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_what_is_granted_is_owned_from_the_start(table, data, seed):
    granted = data.draw(st.lists(st.sampled_from(ids_of(table[0], "granted")), min_size=1, max_size=4, unique=True))
    record = record_of(table, handicaps={1: dict.fromkeys(granted, "granted")})
    events = record.events(0, seed=seed)
    rows = record.play(0, 1, seed=seed)[0, 0]
    listed = LISTED[table[0]]
    taken = takings(record.edition, table[1], events)
    at_setup = Counter(listed[i].item_id for s, i, r in taken if s == 1 and r == 0)
    n_upgrades = sum(item_id.startswith("upgrade:") for item_id in granted)
    for item_id in granted:
        if item_id.startswith("upgrade:") and n_upgrades > 3:
            continue  # more than there are spaces for
        assert at_setup[item_id] >= 1
        item = listed[item_number(listed, item_id)]
        if item.column:
            assert found(record, rows)[item.column][1] == 1
    supply = sum(int(n) for n in record.game.upgrade_supply) + sum(
        int(record.game.pl[seat].n_upgrades) for seat in range(table[1])
    )
    assert supply == sum(int(n) for n in record.game.edition.upgrade_copies) + n_upgrades
    parts = sum(found(record, rows)[f"glory_{component}"] for component in COMPONENT_NAMES)
    assert np.array_equal(parts, rows[:, SCORE_SLOT])


@pytest.mark.parametrize("table", TABLES)
def test_a_granted_battle_and_territory_bring_what_they_say(table):
    granted = {"battle:B01": "granted", "territory:favor-3": "granted"}
    record = record_of(table, handicaps={1: granted})
    events = record.events(0, seed=5)
    before = events[: np.flatnonzero(events[:, 0] == ROUND_STARTS)[0]]
    glory = before[(before[:, 0] == GLORY_CHANGED) & (before[:, 1] == 1)]
    by_source = {int(source): int(change) for _, _, change, _, source, *_ in glory}
    assert by_source[FROM_BATTLES] == 7  # sea_battles.csv: glory:7;food:2
    assert by_source[FROM_TILES] in (3, 4, 6)  # territories.csv: T18 to T20
    food = before[(before[:, 0] == FOOD_CHANGED) & (before[:, 1] == 1)]
    assert 2 in food[:, 2].tolist()
    rows = record.play(0, some(40), seed=5)[:, 0]
    assert (found(record, rows)["n_battles"][:, 1] >= 1).all()
    assert (found(record, rows)["territories_round_0"][:, 1] == 1).all()


@pytest.mark.parametrize("name", ["published", "early"])
def test_a_withheld_kind_leaves_the_others_their_single_worth(name):
    for spoils, category in (("K07", "tapestry"), ("K08", "tapestry")):
        if f"spoils:{spoils}" not in IDS[name]:
            continue
        record = record_of((name, 2), (f"spoils:{spoils}",))
        edition = record.game.edition
        assert edition.tapestry_set == 2 * edition.tapestry_single
        rows = [row["category"] for row in record.edition.spoils]
        categories = edition.spoils_category[: edition.n_spoils]
        assert np.count_nonzero(categories == BLANK) == 1
        assert rows[int(np.flatnonzero(categories == BLANK)[0])] == category


@pytest.mark.parametrize("table", TABLES)
def test_takings_agree_with_flags_and_counts(table):
    for block in range(some(30)):
        record = record_of(table)
        events = record.events(block, seed=6)
        got = found(record, record.play(block, 1, seed=6)[0, 0])
        taken = takings(record.edition, table[1], events)
        listed = LISTED[table[0]]
        for number, item in enumerate(listed):
            who = np.bincount(taken[taken[:, 1] == number][:, 0], minlength=table[1])
            if item.column:
                assert np.array_equal(np.minimum(who, 1), got[item.column]), item
            if item.kind == "location":
                assert np.array_equal(who, got[f"selected_{item.item_id.partition(':')[2]}"])
        for kind, column in (("battle", "n_battles"), ("territory", "n_tiles"), ("ability", "n_specialised")):
            who = taken[[listed[i].kind == kind for i in taken[:, 1]]][:, 0]
            assert np.array_equal(np.bincount(who, minlength=table[1]), got[column])
        assert (np.diff(taken[:, 2]) >= 0).all()
        selected = events[events[:, 0] == LOCATION_SELECTED]
        assert np.count_nonzero([listed[i].kind == "location" for i in taken[:, 1]]) == len(selected)


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=8, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**64 - 1))
def test_cards_dice_and_points_are_conserved(table, data, seed):
    kinds = ("location", "prophecy", "artifact", "upgrade", "spoils", "ability")  # won blanks and no tiles: see above
    possible = [item_id for kind in kinds for item_id in ids_of(table[0], "withheld", kind)]
    withheld = data.draw(st.lists(st.sampled_from(possible), max_size=12, unique=True))
    withheld = [w for w in withheld if not w.startswith("location:")] + [w for w in withheld if w[:9] == "location:"][
        :1
    ]
    banned = data.draw(st.sampled_from([i for i in ids_of(table[0], "banned") if i not in withheld]))
    check_game(record_of(table, withheld, {0: {banned: "banned"}}), 3, seed)


def test_no_handicap_is_the_ordinary_game():
    plain = record_of(("published", 3)).play(0, some(30), seed=3)
    assert np.array_equal(record_of(("published", 3), handicaps={0: {}}).play(0, some(30), seed=3), plain)


@pytest.mark.parametrize("name", ["published", "early"])
def test_items_have_one_order_and_columns_that_exist(name):
    listed = LISTED[name]
    edition = EDITIONS[name]
    assert len(set(IDS[name])) == len(listed)
    for n_players in (2, 3, 4):
        assert items(edition, n_players) == listed
        names = {column.name for column in columns(edition, n_players)}
        assert {item.column for item in listed} - {""} <= names
    bannable = [number for number, item in enumerate(listed) if "banned" in item.ways]
    assert bannable == list(range(N_LOCATIONS))
    assert bannable[-1] < MAX_BANNABLE
    assert len(DECK_NAMES) == 6
    assert SPEC.takings is takings
    artifacts = [row["id"] for row in edition.spoils if row["category"] == "artifact"]
    assert artifacts
    assert not set(artifacts) & {item_id.partition(":")[2] for item_id in ids_of(name, "granted", "spoils")}


def test_the_edition_is_read_back(tmp_path):
    edition = load_edition("early", {}, ("artifact:AR01", "territory:dice-3"))
    copy_edition(edition, tmp_path / "mine")
    again = load_edition(str(tmp_path / "mine"))
    assert (again.withheld, again.digest) == (edition.withheld, edition.digest)
    assert again.digest != EDITIONS["early"].digest


@pytest.mark.parametrize(
    ("withheld", "says"),
    [
        (("artifact:AR1",), "there is no item 'artifact:AR1'; the nearest is 'artifact:AR"),
        (("prophecy:P01", "prophecy:P01"), "prophecy:P01 is withheld 2 times, but there is only 1"),
        (("spoils:V01",), "there is no item 'spoils:V01'; the nearest is 'spoils:V"),  # the card is the artifact
    ],
)
def test_what_cannot_be_withheld_is_refused_in_a_sentence(withheld, says):
    with pytest.raises(TaflError, match=says):
        load_edition("published", {}, withheld)
