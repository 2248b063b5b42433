"""The rule switches: each choice changes what it should, at the place where it should, and nothing else."""

import numpy as np
import pytest
from follower import Follower
from play_games import LINES, Record
from table import Table, one_rank_each

from simcore.nidavellir.cards import PRESETS, RULE_SWITCHES, load_edition
from simcore.nidavellir.events import EVENTS
from simcore.nidavellir.layout import DECISIONS, WARRIOR_SLOT

OTHER_CHOICES = [(switch.key, choice) for switch in RULE_SWITCHES for choice in switch.choices[1:]]


def decision_at(events: np.ndarray, at: int) -> str:
    """Name of the next decision asked at or after an event."""
    for row in events[at:]:
        if EVENTS[row[0]][0] == "decision":
            return DECISIONS[row[2]].name
    return ""


def first_difference(record: Record, other: Record, seed: int) -> tuple[str, list, str, list] | None:
    """What happens first where two games of the same luck part: names (of decisions for options) and fields in both."""
    parts = []
    logs = [r.record(seed, policies=(LINES,))[0] for r in (record, other)]
    n = min(len(log) for log in logs)
    apart = np.flatnonzero((logs[0][:n] != logs[1][:n]).any(axis=1))
    if len(apart) == 0:
        assert len(logs[0]) == len(logs[1])
        return None
    for log in logs:
        row = log[apart[0]]
        name = EVENTS[row[0]][0]
        parts += [decision_at(log, apart[0]) if name == "options" else name, row[1:].tolist()]
    return tuple(parts)


def is_due_to(switch: str, difference: tuple[str, list, str, list]) -> bool:
    """Whether two games may part in this way because of a switch."""
    name, fields, other, other_fields = difference
    names = {name, other}
    if switch in ("exchange_gives_up", "return_before_take", "treasure_small"):
        target = fields[7]
        return names == {"coin_changed"} and target == other_fields[7]
    if switch == "warrior_majority":
        return names == {"scored"} and fields[1] == other_fields[1] == WARRIOR_SLOT
    if switch == "exchange_optional":
        return other == "choose_exchange" and name in ("coins_exchanged", "choose_exchange_pair")
    if switch == "distinction_snapshot":
        return names == {"distinction"} and fields[0] == other_fields[0] == 4  # only after the Great Armorer
    if switch == "discard_target":
        return names <= {"choose_hero", "choose_discard"}
    if switch == "heroes":
        return names == {"choose_hero"}
    return "choose_hero" in names  # hero_rule, line_check: one of the two games asks for a hero


@pytest.mark.parametrize(("switch", "choice"), OTHER_CHOICES)
def test_games_of_one_luck_part_only_where_the_switch_says(switch, choice):
    n_games = n_apart = 0
    sizes = (2, 3) if switch == "treasure_small" else (2, 3, 4, 5)
    tables = [(Record(n), Record(n, **{switch: choice})) for n in sizes]
    while n_apart < 4:
        record, other = tables[n_games % len(tables)]
        difference = first_difference(record, other, n_games)
        n_games += 1
        assert n_games < 4000, "the switch changes nothing"
        if difference is not None:
            n_apart += 1
            assert is_due_to(switch, difference), difference


@pytest.mark.parametrize("choice", ["31", "34"])
def test_the_small_treasure_is_that_of_two_and_three_players(choice):
    for n in (4, 5):
        assert Table(n, treasure_small=choice).treasure() == Table(n).treasure()
    copies = {"31": 2, "34": 3}[choice]
    for n in (2, 3):
        treasure = Table(n, treasure_small=choice).treasure()
        assert treasure == Table(n).treasure() | {7: copies, 9: copies, 11: copies}
        assert sum(treasure.values()) == int(choice)


@pytest.mark.parametrize(
    ("choice", "coins"), [("higher", ["0", "2", "3", "4", "8g"]), ("lower", ["0", "2", "8g", "4", "5"])]
)
def test_exchange_gives_up(choice, coins):
    table = Table(3, exchange_gives_up=choice)
    table.to_pouch(0, "3", "5")
    table.exchange(0)
    assert table.coins(0) == coins
    assert table.log("coins_exchanged") == [("coins_exchanged", 0, 2, 4, 8)]


def test_under_exchange_gives_up_lower_the_total_grows_by_the_higher_coin():
    grown = []
    for choice in ("higher", "lower"):
        table = Table(3, exchange_gives_up=choice)
        table.to_pouch(0, "2", "5")
        table.exchange(0)
        grown.append(int(table.game.pl[0].coin.sum()) - 14)
    assert grown == [2, 5]


@pytest.mark.parametrize(("choice", "bonuses"), [("ranks", [0, 5]), ("points", [5, 0])])
def test_warrior_majority(choice, bonuses):
    table = Table(2, warrior_majority=choice)
    table.army(0, warrior=[9, 8])
    table.army(1, warrior=[3, 4, 5])
    assert [sheet["warrior"] for sheet in table.score()] == [17 + bonuses[0], 12 + bonuses[1]]


@pytest.mark.parametrize("choice", ["ranks", "points"])
def test_warrior_majority_does_not_concern_the_kings_hand(choice):
    table = Table(2, warrior_majority=choice)
    table.army(0, warrior=[9, 8])
    table.army(1, warrior=[3, 4, 5])
    assert table.majority("warrior") == 1


@pytest.mark.parametrize("answer", ["no", "yes"])
def test_exchange_optional(answer):
    table = Table(3, exchange_optional="yes")
    table.to_pouch(0, "3", "5")
    table.script(0, f"exchange {answer}")
    table.exchange(0)
    assert table.coins(0) == (["0", "2", "3", "4", "5"] if answer == "no" else ["0", "2", "3", "4", "8g"])
    assert table.game.pl[0].n_exchanges == (answer == "yes")
    if answer == "no":
        assert table.game.pl[0].known_place[2] == table.game.pl[0].known_place[4] != 3  # nothing was revealed


@pytest.mark.parametrize(("choice", "coin"), [("no", 24), ("yes", 25)])
def test_return_before_take(choice, coin):
    table = Table(4, return_before_take=choice)
    table.set_coins(0, "0", "2", "3", "4", "25g")
    table.set_treasure({24: 1})
    table.script(0, "transform 25g")
    table.transform(0, 5)
    assert table.coins(0)[4] == f"{coin}g"
    assert sum(table.treasure().values()) == 1


def test_return_before_take_never_brings_a_bronze_coin_back():
    table = Table(4, return_before_take="yes")
    table.set_treasure({6: 1})
    table.to_pouch(0, "4", "5")
    table.exchange(0)
    assert table.coins(0)[4] == "6g"
    assert table.treasure() == {}


@pytest.mark.parametrize(("choice", "pioneer"), [("no", 0), ("yes", -1)])
def test_distinction_snapshot(choice, pioneer):
    """The Great Armorer brings Idunn, who breaks the explorers' tie: too late if all winners were fixed before."""
    table = Table(3, distinction_snapshot=choice)
    table.game.tavern = -1
    table.army(0, warrior=[5], hunter=["H"], miner=[1], explorer=[5])
    table.army(1, warrior=[5], hunter=["H"], miner=[1], explorer=[5])
    table.army(0, blacksmith=["B"])
    table.army(0, warrior=[6], hunter=["H"], miner=[2])
    table.army(1, warrior=[6], hunter=["H"], miner=[2])
    table.script(0, "hero Idunn")
    table.free()
    table.evaluate_troops()
    assert [event[2] for event in table.log("distinction")] == [-1, -1, -1, 0, pioneer]


@pytest.mark.parametrize(("choice", "heroes"), [("lines_vs_heroes", ["Skaa"]), ("every_completion", ["Skaa", "Grid"])])
def test_hero_rule(choice, heroes):
    """A line is lost and completed again: owed a hero only if every completion counts."""
    table = Table(3, hero_rule=choice)
    table.command(0, "Skaa")
    one_rank_each(table)
    if choice == "every_completion":
        table.script(0, "hero Grid", "transform 5")
    table.place(0, "explorer 7")
    assert table.heroes_of(0) == heroes


def test_under_every_completion_lines_that_stand_give_nothing_more():
    table = Table(3, hero_rule="every_completion")
    one_rank_each(table)
    table.army(0, explorer=[5])
    table.place(0, "explorer 7")  # a line without a hero, but not completed now
    assert table.heroes_of(0) == []
    assert Table(3).game.edition.every_completion == 0


def test_under_every_completion_the_lines_after_thrud_lies_again_count():
    table = Table(3, hero_rule="every_completion")
    table.army(0, warrior=[5], hunter=["H"], miner=[1], blacksmith=["B"], explorer=["Thrud"])
    table.script(0, "thrud warrior")
    table.place(0, "explorer 7")  # one line before and one after
    assert table.heroes_of(0) == ["Thrud"]


@pytest.mark.parametrize(
    ("choice", "heroes"), [("after_discards", ["Dagda"]), ("before_discards", ["Dagda", "DwergYmir"])]
)
def test_line_check(choice, heroes):
    table = Table(3, line_check=choice)
    table.army(0, warrior=[5, 6], miner=[1, 2], blacksmith=["B", "B"], explorer=[5, 7])
    further = ["hero DwergYmir"] if choice == "before_discards" else []
    table.script(0, "hero Dagda", "discard warrior", "discard miner", *further)
    table.place(0, "hunter")
    assert table.heroes_of(0) == heroes


def test_under_before_discards_the_lines_reached_are_owed_once():
    """Dagda reaches four lines before her discards: four heroes in all, though Bonfur comes in between."""
    table = Table(3, line_check="before_discards")
    four = {"warrior": [5, 6, 7, 8], "miner": [0, 1, 2, 0], "blacksmith": ["B"] * 4, "explorer": [5, 6, 7, 8]}
    table.army(0, **four)
    bonfur = ["hero Bonfur", "discard explorer"]
    table.script(0, "hero Dagda", "discard warrior", "discard miner", *bonfur, "hero Skaa", "hero DwergYmir")
    table.place(0, "hunter")
    assert table.heroes_of(0) == ["Dagda", "Bonfur", "DwergYmir", "Skaa"]
    assert table.lines(0) == 3


@pytest.mark.parametrize("choice", ["top_must_be_dwarf", "last_dwarf_anywhere"])
def test_discard_target(choice):
    table = Table(3, discard_target=choice)
    table.army(0, warrior=[5, 9, "Kraal"], miner=["Zoral"], blacksmith=["B"], explorer=[7])
    columns = (3, 4) if choice == "top_must_be_dwarf" else (0, 3, 4)
    assert table.recruitable(0, "Dagda")
    table.game.pl[0].n_heroes = 0
    if choice == "top_must_be_dwarf":
        table.script(0, "hero Dagda", "discard explorer")  # the other column is then forced
    else:
        table.script(0, "hero Dagda", "discard warrior", "discard explorer")
    table.place(0, "hunter")
    assert dict(reversed(table.asked(0)))["choose_discard"] == columns
    army = table.army_of(0)
    assert army["warrior"] == ([5, 9, "Kraal"] if choice == "top_must_be_dwarf" else [5, "Kraal"])
    assert table.game.pl[0].rank[0] == len(army["warrior"]) + 1
    assert table.game.pl[0].points[0] == sum(card for card in army["warrior"] if card != "Kraal") + 7


@pytest.mark.parametrize(("choice", "recruitable"), [("top_must_be_dwarf", False), ("last_dwarf_anywhere", True)])
def test_discard_target_decides_who_can_pay(choice, recruitable):
    table = Table(3, discard_target=choice)
    table.army(0, warrior=[5, "Kraal"], hunter=["H", "Thrud"], miner=[1, "Zoral"], explorer=[5, "Idunn"])
    assert table.recruitable(0, "Dagda") == recruitable
    assert table.recruitable(0, "Bonfur") == recruitable


def test_heroes_beginner_leaves_thrud_ylud_and_uline_out():
    table = Table(3, heroes="beginner")
    left_out = [name for i, name in enumerate(table.edition.hero_names) if not table.game.edition.hero_in_play[i]]
    assert sorted(left_out) == ["Thrud", "Uline", "Ylud"]
    assert not any(table.recruitable(0, name) for name in left_out)
    assert table.recruitable(0, "Skaa")
    assert all(Table(3).recruitable(0, name) for name in left_out)


@pytest.mark.parametrize("preset", ["official", "review", "primer"])
def test_presets_are_as_recommended(preset):
    recommended = {
        "official": {},
        "review": {"exchange_gives_up": "lower", "warrior_majority": "points", "hero_rule": "every_completion"},
        "primer": {"exchange_optional": "yes", "return_before_take": "yes"},
    }[preset]
    assert dict(PRESETS[preset]) == recommended
    defaults = {switch.key: switch.choices[0] for switch in RULE_SWITCHES}
    assert dict(load_edition(preset).rules) == defaults | recommended
    record = Record(4, name=preset)
    events, _ = record.record(3, policies=(LINES,))
    Follower(events, 4, record.edition.rules).follow()
