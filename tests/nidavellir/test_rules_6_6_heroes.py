"""Section 6.6 of rules.md: heroes with rules."""

import pytest
from table import Table, one_rank_each

from simcore.nidavellir.layout import COMMAND_ZONE, HAND, NOWHERE


def test_rule_6_6_dagda_discards_the_last_dwarves_of_two_different_columns():
    table = Table(3)
    table.army(0, warrior=[5, 9], hunter=["H"], miner=[1, "Lokdur"], blacksmith=["B", "KGA"])
    table.script(0, "hero Dagda", "discard blacksmith", "discard explorer")
    table.game.pl[0].n_heroes = 0  # Lokdur only covers his column here
    table.place(0, "explorer 7")
    first, second = [options for name, options in table.asked(0) if name == "choose_discard"]
    assert first == (0, 3, 4)  # no hunters, no column that ends in a hero; the Great Armorer card is a dwarf
    assert second == (0, 4)  # another column
    assert table.army_of(0) == {
        "warrior": [5, 9],
        "hunter": ["H", "Dagda"],
        "miner": [1, "Lokdur"],
        "blacksmith": ["B"],
    }
    assert list(table.game.pl[0].rank) == [2, 4, 2, 1, 0]
    assert list(table.game.pl[0].points) == [14, 0, 4, 0, 0]


def test_rule_6_6_bonfur_discards_one_dwarf_of_another_column():
    table = Table(3)
    one_rank_each(table)
    table.script(0, "hero Bonfur", "discard explorer")
    table.place(0, "explorer 7")
    assert dict(table.asked(0))["choose_discard"] == (0, 1, 2, 4)
    assert list(table.game.pl[0].rank) == [1, 1, 1, 4, 0]
    assert len(table.log("card_discarded")) == 1


def test_rule_6_6_heroes_who_cannot_pay_their_discards_are_not_recruitable():
    table = Table(3)
    table.army(0, warrior=["Kraal"], hunter=["H"], miner=["Lokdur"], blacksmith=["B"], explorer=["Ylud"])
    assert not table.recruitable(0, "Dagda")  # only blacksmiths
    assert table.recruitable(0, "Bonfur")  # the hunter
    table.army(0, hunter=["Thrud"])
    assert not table.recruitable(0, "Bonfur")
    assert table.recruitable(0, "Skaa")


def test_rule_6_6_grid_transforms_a_coin_by_seven_at_once():
    table = Table(3)
    one_rank_each(table)
    table.script(0, "hero Grid", "transform 2")
    table.place(0, "explorer 7")
    assert table.coins(0) == ["0", "9g", "3", "4", "5"]


def test_rule_6_6_uline_takes_back_what_lies_face_down_and_bids_after_the_others():
    table = Table(3)
    one_rank_each(table)
    for tavern in range(3):
        table.tavern(tavern, "explorer 7", "hunter", "hunter")
    table.bids("5 4 3", "4 3 2", "3 2 0")
    table.free(1, 2)
    table.script(0, "card explorer 7", "hero Uline")
    table.open_tavern(0)
    assert table.places(0) == {"5": "tavern 1", "4": "hand", "3": "hand", "2": "hand", "0": "hand"}
    assert list(table.game.pl[0].known_place) == [HAND, HAND, HAND, HAND, 0]  # the table saw it
    table.script(0, "uline 4", "card hunter")
    table.open_tavern(1)
    assert dict(table.asked(0))["choose_uline_bid"] == (0, 1, 2, 3)
    assert table.places(0)["4"] == "tavern 2"
    assert table.places(0)["5"] == "tavern 1"


def test_rule_6_6_ulines_coins_are_replaced_where_they_lie():
    table = Table(3)
    table.command(0, "Uline")
    table.tavern(0, "offering 3", "hunter", "hunter")
    table.bids("", "4 3 2", "3 2 0")
    table.free(1, 2)
    table.script(0, "uline 5", "card offering 3", "transform 5")
    table.open_tavern(0)
    assert table.places(0)["8g"] == "tavern 1"
    table.script(0, "transform 4")
    table.transform(0, 5)
    assert table.places(0)["9g"] == "hand"


def test_rule_6_6_thrud_chooses_a_column_and_helps_its_line_at_once():
    table = Table(3)
    table.army(0, warrior=[5, 6], hunter=["H", "H"], miner=[1], blacksmith=["B", "B"], explorer=[5])
    table.army(0, explorer=[6])
    table.game.pl[0].n_heroes = 0
    table.script(0, "hero Thrud", "thrud miner", "hero Skaa")
    table.check_heroes(0)
    assert table.lines(0) == 2
    assert table.heroes_of(0) == ["Skaa", "Thrud"]
    assert table.game.pl[0].thrud_column == 2


def test_rule_6_6_ylud_waits_in_the_command_zone():
    table = Table(3)
    one_rank_each(table)
    table.script(0, "hero Ylud")
    table.place(0, "explorer 7")
    assert table.game.pl[0].ylud_column == COMMAND_ZONE
    assert list(table.game.pl[0].rank) == [1, 1, 1, 1, 1]
    assert table.game.pl[1].ylud_column == NOWHERE


@pytest.mark.parametrize(
    ("explorers", "recruitable"),
    [([5, 6, 7, 8], False), ([5, 6, 7, 8, 9], True), ([5, 6, 7, 8, "Thrud"], True), ([5, 6, 7, 8, "Ylud"], True)],
)
def test_rule_6_6_hourya_needs_five_explorer_ranks(explorers, recruitable):
    table = Table(3)
    table.army(0, explorer=explorers)
    assert table.recruitable(0, "Hourya") == recruitable


@pytest.mark.parametrize(
    ("hero", "column"),
    [
        ("Kraal", "warrior"),
        ("Tarah", "warrior"),
        ("Aral", "hunter"),
        ("Zoral", "miner"),
        ("Lokdur", "miner"),
        ("Aegur", "blacksmith"),
        ("Idunn", "explorer"),
        ("Skaa", None),
        ("Astrid", None),
        ("DwergYmir", None),
        ("DwergAesir", None),
        ("DwergSigmir", None),
        ("DwergJungir", None),
        ("DwergBergelmir", None),
    ],
)
def test_rule_6_6_other_heroes_only_lie_where_they_belong(hero, column):
    table = Table(3)
    one_rank_each(table)
    table.script(0, f"hero {hero}")
    table.place(0, "explorer 7")
    names = [name for name, cards in table.army_of(0).items() if cards[-1] == hero]
    assert names == ([column] if column else [])
    assert table.game.pl[0].n_brothers == hero.startswith("Dwerg")
    assert len(table.asked(0)) == 1
