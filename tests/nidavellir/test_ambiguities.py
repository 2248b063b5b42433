"""Every contested point of ambiguities.md: that the default is what is played (switches: see test_switches.py too)."""

import re
from pathlib import Path

import numpy as np
import pytest
from table import Table, one_rank_each

from simcore.nidavellir import bids, taverns
from simcore.nidavellir.layout import N_SLOTS, SCORE_SLOT, WIN_SLOT
from simcore.nidavellir.scoring import write_outcomes_nb


def test_every_point_has_a_test():
    page = Path(__file__).parents[2] / "docs" / "nidavellir" / "ambiguities.md"
    points = re.findall(r"^\| A(\d\d) ", page.read_text(encoding="utf-8"), re.MULTILINE)
    source = Path(__file__).read_text(encoding="utf-8")
    assert re.findall(r"^def test_a(\d\d)_", source, re.MULTILINE) == points
    assert len(points) == 40


def exchange(*coins: str, **rules: str) -> Table:
    """Exchange two pouch coins at slots 1 and 2."""
    table = Table(3, **rules)
    table.set_coins(0, "0", *coins, "4", "5")
    table.to_pouch(0, "#1", "#2")
    table.free()
    table.exchange(0)
    return table


def test_a01_the_higher_pouch_coin_is_given_up():
    assert exchange("2", "3").coins(0) == ["0", "2", "5g", "4", "5"]


def test_a02_the_exchange_is_compulsory():
    table = exchange("2", "3")
    assert table.asked() == []
    assert table.game.pl[0].n_exchanges == 1


def test_a03_the_new_coin_is_taken_before_the_old_one_is_back():
    table = Table(4)
    table.set_coins(0, "0", "2", "3", "4", "25g")
    table.set_treasure({24: 1})
    table.script(0, "transform 25g")
    table.transform(0, 5)
    assert table.coins(0)[4] == "24g"


@pytest.mark.parametrize(("given_up", "in_box", "fives"), [("5", 1, 2), ("5g", 0, 3)])
def test_a04_of_equal_pouch_coins_of_different_colour_the_player_chooses(given_up, in_box, fives):
    table = Table(3)
    table.set_coins(0, "0", "5g", "5", "3", "4")
    table.to_pouch(0, "#1", "#2")
    table.script(0, f"give_up {given_up}")
    table.exchange(0)
    assert sorted(table.coins(0)) == sorted(["0", "3", "4", "10g", "5" if given_up == "5g" else "5g"])
    assert (table.game.n_in_box, table.treasure()[5]) == (in_box, fives)


def test_equal_pouch_coins_of_one_colour_are_not_asked_about():
    table = exchange("7g", "7g")
    assert table.asked() == []
    assert sorted(table.coins(0)) == ["0", "14g", "4", "5", "7g"]


def test_a05_the_warrior_bonus_goes_by_ranks():
    table = Table(2)
    table.army(0, warrior=[9, 8])
    table.army(1, warrior=[3, 4, 5])
    assert [sheet["warrior"] for sheet in table.score()] == [17, 12 + 5]


def test_a06_distinctions_are_counted_one_after_another():
    table = Table(3)
    table.game.tavern = -1
    for seat in (0, 1):
        table.army(seat, warrior=[5, 6], hunter=["H", "H"], miner=[1, 2], explorer=[5])
    table.army(0, blacksmith=["B"])
    table.script(0, "hero Idunn")  # owed by the Armorer's hero check; she breaks the explorers' tie
    table.free(0)
    table.evaluate_troops()
    assert [event[2] for event in table.log("distinction")] == [-1, -1, -1, 0, 0]


def test_a07_heroes_are_owed_while_lines_exceed_heroes():
    for owned, recruited in (([], 2), (["Skaa"], 1), (["Skaa", "Astrid"], 0)):
        table = Table(3)
        table.army(0, warrior=[5, 6], hunter=["H", "H"], miner=[1, 2], explorer=[7, 8])
        table.command(0, *owned)
        table.script(0, *["hero DwergYmir", "hero DwergAesir"][:recruited])
        table.grant("blacksmith", 0)  # two lines at once
        assert len(table.log("hero_recruited")) == recruited


def test_a08_a_line_completed_again_gives_nothing():
    table = Table(3)
    table.command(0, "Skaa")
    one_rank_each(table)
    table.place(0, "explorer 7")
    assert table.lines(0) == 1
    assert table.heroes_of(0) == ["Skaa"]


def test_a09_discards_come_before_thrud_lies_again():
    table = Table(3)
    table.army(0, warrior=[5, 6], hunter=["H", "Thrud"], miner=[1, 2], blacksmith=["B", "B"], explorer=[5])
    table.script(0, "hero Dagda", "discard warrior", "discard miner", "thrud explorer")
    table.place(0, "explorer 7")
    order = [event[0] for event in table.log("card_lifted", "card_placed", "card_discarded")]
    assert order == ["card_placed", "card_lifted", "card_placed", "card_discarded", "card_discarded", "card_placed"]


def test_a10_a_column_must_end_in_a_dwarf_to_be_discarded_from():
    table = Table(3)
    one_rank_each(table)
    table.army(0, warrior=["Kraal"])
    table.game.pl[0].n_heroes = 0
    table.script(0, "hero Bonfur", "discard hunter")
    table.place(0, "explorer 7")
    assert dict(table.asked(0))["choose_discard"] == (1, 2, 4)


def test_a11_who_cannot_pay_does_not_get_dagda_or_bonfur():
    table = Table(3)
    table.army(0, blacksmith=["B"], hunter=["H"])
    assert not table.recruitable(0, "Dagda")
    assert table.recruitable(0, "Bonfur")


def test_a12_the_great_armorer_card_is_a_dwarf():
    table = Table(3)
    table.army(0, blacksmith=["KGA"], warrior=[5])
    assert table.game.pl[0].n_heroes == 0
    assert table.recruitable(0, "Dagda")  # he can be discarded


def test_a13_without_warriors_nobody_gets_the_bonus():
    assert [sheet["total"] for sheet in Table(3).score()] == [14, 14, 14]


def test_a14_three_cards_a_tavern_with_two_players():
    assert Table(2).game.edition.cards_per_tavern == 3


def test_a15_one_coin_each_of_seven_nine_and_eleven_stays_with_two_or_three_players():
    for n in (2, 3):
        treasure = Table(n).treasure()
        assert [treasure[value] for value in (7, 9, 11)] == [1, 1, 1]
        assert sum(treasure.values()) == 28


def test_a16_gem_six_is_worth_three_points():
    table = Table(2)
    table.gems(6, 4)
    assert [sheet["gem6"] for sheet in table.score()] == [3, 0]


def traded(gems: list[int]) -> list[int]:
    table = Table(len(gems))
    table.gems(*gems)
    table.game.bid_value[: len(gems)] = 4
    bids.set_turn_order_nb(table.game, table.hidden)
    taverns.trade_gems_nb(table.game, table.hidden)
    return table.gems_of_all()


def test_a17_gems_and_not_seats_decide_who_swaps_with_whom():
    assert traded([4, 3, 5]) == [4, 5, 3]
    assert traded([2, 5, 3, 4]) == [5, 2, 4, 3]


def test_a18_the_owner_of_gem_six_is_not_counted_in_the_group():
    assert traded([4, 6, 3, 2]) == [2, 6, 3, 4]


def test_a19_thrud_counts_for_hourya():
    table = Table(3)
    table.army(0, explorer=[5, 6, 7, 8, "Thrud"])
    assert table.recruitable(0, "Hourya")


def test_a20_ylud_is_placed_before_thrud_leaves():
    table = Table(3)
    table.army(0, warrior=[5, 6, 7], hunter=["H", "H", "H"], miner=[1, 2, "Thrud"], blacksmith=["B", "B"])
    table.army(0, explorer=[5, 6, 7])
    table.command(0, "Ylud")
    table.script(0, "ylud blacksmith", "hero Skaa")  # line 3 with Thrud's rank
    table.ylud_step()
    table.retire_thrud()
    assert table.heroes_of(0) == ["Skaa", "Ylud", "Thrud"]
    assert table.lines(0) == 2


def test_a21_ylud_may_stay_and_staying_does_nothing():
    table = Table(3)
    table.army(0, miner=["Ylud", 2])
    table.script(0, "ylud miner")
    table.ylud_step()
    assert table.army_of(0) == {"miner": ["Ylud", 2]}
    assert table.log("card_lifted", "card_placed") == []


def test_a22_heroes_gained_through_ylud_at_the_end_have_all_their_effects():
    table = Table(3)
    one_rank_each(table)
    table.army(0, warrior=[6], hunter=["H"], miner=[2], blacksmith=["B"], explorer=[5])
    table.command(0, "Ylud")
    table.script(0, "ylud explorer", "hero Grid", "transform 5")
    table.ylud_step()
    assert table.coins(0)[4] == "12g"


def test_a23_hidden_bids_may_be_transformed():
    table = Table(3)
    table.bids("5 4 3", "5 4 3", "5 4 3")
    table.script(0, "transform 3")
    table.transform(0, 3)
    assert table.places(0)["6g"] == "tavern 3"


def test_a24_the_order_and_the_ties_of_the_tavern_are_frozen():
    table = Table(2)
    table.gems(5, 4)
    table.tavern(0, "offering 3", "hunter", "hunter")
    table.bids("4 3 2", "4 3 2")
    table.script(0, "card offering 3", "transform 4")
    table.script(1, "card hunter")
    table.open_tavern(0)
    assert table.coins(0)[3] == "7g"
    assert table.gems_of_all() == [4, 5]


def test_a25_uline_takes_back_pouch_and_unopened_bids_and_bids_new_coins_the_same_round():
    table = Table(3)
    one_rank_each(table)
    for tavern in range(2):
        table.tavern(tavern, "hunter", "hunter", "explorer 7")
    table.bids("0 2 4", "5 4 3", "4 3 2")
    table.free(1, 2)
    table.script(0, "hero Uline", "pair 4 5")
    table.open_tavern(0)
    assert table.places(0) == {"0": "tavern 1", "2": "hand", "3": "hand", "4": "hand", "9g": "hand"}
    table.script(0, "uline 9g", "card explorer 7")
    table.open_tavern(1)
    assert table.order()[0] == 0


def test_a26_equal_totals_share_the_win():
    rows = np.zeros((3, N_SLOTS), np.int64)
    rows[:, SCORE_SLOT] = 200, 150, 200
    write_outcomes_nb(rows, 3)
    assert list(rows[:, WIN_SLOT]) == [30, 0, 30]


def test_a27_without_a_pioneer_the_top_card_is_discarded_face_up():
    table = Table(3)
    table.stack(2, "warrior 9")
    table.grant("explorer", -1)
    assert table.log("top_card_discarded") == [("top_card_discarded", table.card_id("warrior 9"))]
    assert table.game.unseen[table.card_id("warrior 9")] == 0


def test_a28_the_pioneers_cards_are_private_but_the_kept_one():
    table = Table(3)
    table.stack(2, "explorer 11", "warrior 9", "warrior 8")
    table.script(0, "pioneer explorer 11")
    table.grant("explorer", 0)
    assert [table.game.unseen[table.card_id(text)] for text in ("explorer 11", "warrior 9", "warrior 8")] == [0, 1, 1]


def test_a29_hunters_score_the_square():
    table = Table(2)
    table.army(0, hunter=["H"] * 9)
    assert table.score()[0]["hunter"] == 81


def test_a30_the_troop_evaluation_counts_ranks():
    table = Table(2)
    table.army(0, hunter=["Aral"])
    table.army(1, hunter=["H"])
    assert table.majority("hunter") == 0


def test_a31_there_are_21_base_heroes():
    names = Table(2).edition.hero_names
    assert len(names) == len(set(names)) == 21
    assert "Jarika" not in names


def test_a32_all_heroes_are_on_display():
    table = Table(2)
    assert table.game.edition.hero_in_play[:21].all()


def test_a33_zoral_has_three_ranks():
    table = Table(2)
    table.army(0, miner=["Zoral"])
    assert table.game.pl[0].rank[2] == 3


def test_a34_names_are_the_publishers():
    epithets = {row["name"]: row["epithet"] for row in Table(2).edition.heroes}
    assert epithets["Thrud"] == "the Headhunter"
    assert epithets["Ylud"] == "the Unpredictable"
    assert epithets["Tarah"] == "Lethal Strike"


def test_a35_the_new_coin_goes_into_the_pouch():
    assert exchange("2", "3").places(0)["5g"] == "pouch"


def test_a36_an_offering_never_brings_a_hero():
    table = Table(2)
    one_rank_each(table)
    table.army(0, explorer=[5])
    table.tavern(0, "offering 3", "hunter", "hunter")
    table.bids("5 4 3", "4 3 2")
    table.script(0, "card offering 3", "transform 5")
    table.free(1)
    table.open_tavern(0)
    assert table.heroes_of(0) == []


def test_a37_uline_gained_in_mid_round_bids_after_the_others_at_the_later_taverns():
    table = Table(3)
    one_rank_each(table)
    for tavern in range(2):
        table.tavern(tavern, "explorer 7", "hunter", "hunter")
    table.bids("5 4 3", "4 3 2", "3 2 0")
    table.free(1, 2)
    table.script(0, "card explorer 7", "hero Uline")
    table.open_tavern(0)
    table.clear_log()
    table.script(0, "uline 4", "card hunter")
    table.open_tavern(1)
    assert [seat for _, seat, *_ in table.log("bid_revealed")] == [1, 2, 0]


def test_a38_lines_are_counted_after_the_discards():
    table = Table(3)
    table.army(0, warrior=[5, 6], miner=[1, 2], blacksmith=["B", "B"], explorer=[5, 7])
    table.script(0, "hero Dagda", "discard warrior", "discard miner")
    table.place(0, "hunter")
    assert table.heroes_of(0) == ["Dagda"]


def test_a39_lines_are_counted_after_thrud_lies_again():
    table = Table(3)
    table.army(0, warrior=[5, 6], hunter=["H", "H"], miner=[1, 2], blacksmith=["B", "B"], explorer=["Thrud"])
    table.script(0, "thrud warrior")
    table.place(0, "explorer 7")
    assert table.heroes_of(0) == ["Thrud"]


def test_a40_no_promo_heroes():
    assert not any("Crovax" in name for name in Table(2).edition.hero_names)
