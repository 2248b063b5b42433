"""Every example of examples.json, by its id, through the engine."""

import json
from pathlib import Path

import pytest
from reavers_table import Table

from simcore.reavers import activation, recruit
from simcore.reavers.layout import LOCATION_NAMES, REAVER_DECK, TERRITORY_NAMES
from simcore.reavers.scoring import score_kinds_nb, set_glory_nb

EXAMPLES = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))["examples"]
BY_ID = {example["id"]: example for example in EXAMPLES}
CHECKS = {}


def check(*ids):
    def register(function):
        for example_id in ids:
            CHECKS[example_id] = function
        return function

    return register


@pytest.mark.parametrize(
    ("example_id", "name"), [(e["id"], name) for e in EXAMPLES for name in e["editions"]], ids=lambda value: value
)
def test_example(example_id, name):
    example = BY_ID[example_id]
    CHECKS[example_id](name, example["given"], example["action"], example["expected"])


def test_every_example_is_checked():
    assert len(EXAMPLES) == 45
    assert set(CHECKS) == set(BY_ID)


def give(t: Table, seat: int, player: dict) -> None:
    """Put what an example says about a player on the board; bare faces are red."""
    t.give(seat, ", ".join(f"red {face}" for face in player.get("dice", [])))
    for field in ("food", "favor", "glory"):
        if field in player:
            t.give(seat, **{field: player[field]})


def set_up(n_players: int, name: str, start_player: int) -> Table:
    """A table set up with this start player: another block until the luck says so."""
    from simcore.reavers import setup

    t = Table(n_players, name)
    t.free()
    for block in range(100):
        t.hidden.block = block
        setup.choose_start_player_nb(t.game, t.hidden)
        if t.game.start_player == start_player:
            t.clear_log()
            setup.set_up_game_nb(t.game, t.hidden)
            return t
    raise AssertionError("no luck makes this seat the start player")


@check("E02")
def starting_food(name, given, action, expected):
    events = set_up(given["players"], name, given["start_player"]).events()
    for field in ("food", "favor"):
        first = {}
        for event in events:
            if event["event"] == field:
                first.setdefault(event["seat"], event[field])
        assert [first[seat] for seat in range(given["players"])] == expected[field]


@check("E04")
def pawns(name, given, action, expected):
    t = set_up(2, name, 0)
    order = [activation.selector_nb(t.game, k) for k in range(t.game.edition.n_selections)]
    assert [order.count(seat) for seat in (0, 1)] == [expected["pawns_each"]] * 2
    assert expected["board_side"] == "2p"


@check("E05")
def starting_crew(name, given, action, expected):
    events = set_up(given["players"], name, 0).events()
    for seat in range(given["players"]):
        drawn = [e for e in events if e["event"] == "card_drawn" and e["seat"] == seat and e["deck"] == REAVER_DECK]
        assert len(drawn) == expected["reavers_drawn_each"]
    assert sum(e["event"] == "card_kept" and e["deck"] == 5 for e in events) == expected["prophecies_each"]


@check("E09")
def turn_order(name, given, action, expected):
    t = set_up(given["players"], name, given["start_player"])
    assert [activation.selector_nb(t.game, k) for k in range(4)] == expected["selector_order"]


@check("E10")
def own_selections(name, given, action, expected):
    for n_players in (2, 3, 4):
        t = Table(n_players, name)
        n = dict.fromkeys(range(n_players), 0)
        t.game.first_player = 0
        for round_number in range(given["rounds"]):
            t.game.honor_ship = round_number % 3 if n_players == 3 else -1
            for k in range(4):
                n[activation.selector_nb(t.game, k)] += 1
        assert set(n.values()) == {expected[f"{n_players}p"]}


@check("E11")
def once_a_round(name, given, action, expected):
    t = Table(3, name)
    t.free()
    for location in given["selected_this_round"]:
        t.game.is_selected[LOCATION_NAMES.index(location)] = 1
    t.call(activation.choose_location_nb, 0)
    assert [LOCATION_NAMES[i] for i in t.offered("location")[0]] == expected["legal"]


@check("E12", "E13", "E15", "E46")
def participate(name, given, action, expected):
    t = Table(2, name)
    give(t, 0, given["player"])
    location = action["participate"]
    t.free(0)
    t.script(1, "action rest 0")
    for deck in ("village", "keep"):
        t.stack(deck, *["Gold Coins"] * 4 if deck == "keep" else ["Artifact 11"] * 4)
    t.select(0, location)
    offered = t.offered("action")[0]
    assert (0 in offered) == expected["participates"]
    if expected["participates"]:
        assert t.player(0).food == expected["food"]
        assert t.faces(0) == expected["dice"]
    else:
        assert expected["must"] == "rest"
        assert min(offered) >= 1


@check("E18", "E19")
def two_player_bonus(name, given, action, expected):
    t = Table(2, name)
    for seat in range(2):
        t.give(seat, "red chest, red chest", food=1)
        t.script(seat, "action act", "spoils unseen")
    t.offer("village", "Artifact 1 + Artifact 2")
    t.free()
    t.select(given["active"], action["select"])
    drawn = [e["seat"] for e in t.events("card_drawn")]
    assert [drawn.count(seat) for seat in range(2)] == expected["cards_gained"]


@check("E20")
def rest_options(name, given, action, expected):
    for way, option in enumerate(expected["options"]):
        t = Table(2, name)
        give(t, 0, given["player"])
        t.free(0)
        t.script(0, f"action rest {way}")
        t.script(1, "action rest 0")
        t.select(0, "raid_keeps")
        if "food" in option:
            assert t.player(0).food == option["food"]
        else:
            assert t.offered("die") == [list(range(18))]
            assert option["add_die"] == {"color": "any", "face": "any"}


@check("E21", "E22")
def recruit_bonus(name, given, action, expected):
    t = Table(given["players"], name)
    for seat, favor in enumerate(given["favor"]):
        t.give(seat, favor=favor)
        t.script(seat, "action act")
    t.free()
    t.select(given["active"], action["select"])
    assert [t.player(seat).favor for seat in range(given["players"])] == expected["favor"]
    for seat, n in enumerate(expected.get("reavers_gained", [])):
        assert t.own(seat).reavers.sum() == n


@check("E23")
def overflow(name, given, action, expected):
    t = Table(2, name)
    t.give(0, ", ".join(["red ship"] * given["player"]["dice_count"]))
    t.give(0, ", ".join(["blue chest"] * action["gain_dice"]))
    t.free(0)
    t.settle(0)
    assert t.player(0).n_dice == expected["dice_count"] == given["player"]["dice_spaces"]
    assert t.player(0).n_dice_discarded == expected["discarded"]
    assert len(t.offered("discard")[0]) == 2  # old or new


@check("E24")
def promotion(name, given, action, expected):
    t = Table(2, name)
    t.give(0, food=given["player"]["food"])
    reaver = t.reaver(promote_bonus=action["promote"]["clan_bonus"])
    t.call(recruit.promote_nb, 0, reaver)
    assert t.player(0).food == expected["food"]
    assert t.player(0).leader == reaver


@check("E25")
def promotion_over_a_leader(name, given, action, expected):
    t = Table(2, name)
    for reaver in (given["player"]["leader"], action["promote"]):
        t.call(recruit.promote_nb, 0, t.card("reaver", reaver))
    assert t.player(0).leader == t.card("reaver", expected["leader"])
    assert [e["old_leader"] for e in t.events("reaver_promoted")][1:] == [t.card("reaver", expected["glory_pile"][0])]


@check("E26", "E27")
def slots(name, given, action, expected):
    t = Table(2, name)
    player = given["player"]
    t.player(0).n_specialists[:] = player.get("specialized_per_slot") or list(player["specialized"].values())
    t.free(0)
    t.use_reaver(0, 0)
    offered = t.offered("reaver_use")[0]
    words = ["rally", "promote", "slot1", "slot2", "slot3", "slot4"]
    legal = [words[i] for i in offered]
    assert legal == expected.get("legal", ["rally", "promote", *expected.get("legal_slots", [])])


@check("E28")
def specialists(name, given, action, expected):
    t = Table(given["players"], name)
    t.specialise(2, "raid_villages", "A01")
    t.script(2, "ability use")
    t.everybody_rests()
    t.select(given["active"], "raid_villages")
    assert t.player(2).food == expected["player2_food"]


@check("E31")
def artifact_when_resting(name, given, action, expected):
    t = Table(2, name)
    t.artifact(0, "AR01", "red")
    t.give(0, "blue shield")
    t.stack("keep", "Jewels", "Helm")
    t.script(0, "artifact_use 0", "action rest 0")
    t.script(1, "action rest 0")
    t.select(1, action["someone_selects"])
    assert t.own(0).spoils.sum() == expected["keep_cards_gained"]
    assert (t.player(0).stored[0] == -1) == (expected["artifact_stored"] is None)
    assert t.asked("artifact_use") == [0]


@check("E32")
def wild_is_not_stored(name, given, action, expected):
    t = Table(2, name)
    t.lead(0, given["player"]["leader_color"])
    t.give(0, " ".join(given["player"]["dice"][0]))
    t.artifact(0, "AR01")
    t.settle(0)
    assert bool(t.asked("loading")) == expected["legal"]
    assert t.player(0).n_stored == 0


@check("E33")
def fifth_artifact(name, given, action, expected):
    t = Table(2, name)
    for artifact in ("AR01", "AR02", "AR03", "AR04"):
        t.artifact(0, artifact)
    t.free(0)
    t.gain_card(0, "village", "Artifact 5")
    assert t.player(0).n_artifacts == expected["artifacts_count"]
    assert len(t.events("artifact_given_up")) == expected["to_glory_pile"]
    assert len(t.offered("given_up_artifact")[0]) == len(expected["may_be"])


@check("E34")
def combat_dice(name, given, action, expected):
    t = Table(2, name)
    t.give(0, ", ".join(f"red {face}" for face in given["spend"]))
    t.free(0)
    n = t.player(0).n_dice
    t.fight(0, 99)
    assert len(t.events("combat_die")) == expected["combat_dice"]
    assert n - t.player(0).n_dice == expected["crew_dice_lost"]


@check("E35")
def enough(name, given, action, expected):
    t = Table(2, name)
    t.give(0, ", ".join(["red hammer"] * len(given["roll"])))
    t.combat_rolls(0, *given["roll"])
    t.free(0)
    assert t.fight(0, given["defense"]) == expected["success"]


@check("E36")
def reroll(name, given, action, expected):
    t = Table(2, name)
    t.give(0, ", ".join(["red hammer"] * len(given["roll"])), favor=given["favor"])
    t.combat_rolls(0, *given["roll"], *given["reroll"]["result"])
    rerolled = [given["roll"][i] for i in given["reroll"]["dice"]]
    t.script(0, *["hammer red hammer"] * 3, "combat_reroll " + " ".join(str(rerolled.count(v)) for v in range(3)))
    assert t.fight(0, given["defense"]) == expected["success"]
    assert t.player(0).favor == expected["favor"]
    assert t.events("combat_ends")[0]["successes"] == expected["total"]


@check("E37")
def failed_pillage(name, given, action, expected):
    t = Table(2, name)
    farm = t.card("village", "Farm (small)")
    assert t.edition.spoils[farm]["immediate"] == given["card"]["immediate"]
    t.game.edition.spoils_defense[farm] = given["card"]["defense"]
    give(t, 0, given["player"])
    t.combat_rolls(0, *given["roll"])
    t.free(0)
    t.gain_card(0, "village", "Farm (small)")
    assert (t.player(0).food, t.dice(0)) == (expected["food"], expected["dice"])
    assert t.player(0).token.sum() == 0
    assert len(t.events("card_to_bottom")) == 1


@check("E39")
def keep_wall(name, given, action, expected):
    t = Table(2, name)
    give(t, 0, given["player"])
    t.combat_rolls(0, *given["roll"])
    t.free(0)
    t.gain_card(0, "keep", "Keep Wall")
    assert (t.player(0).favor, t.player(0).token[0], t.dice(0)) == (expected["favor"], expected["wall_tokens"], [])
    assert len(t.events("card_to_bottom")) == 1


@check("E40")
def tower(name, given, action, expected):
    t = Table(2, name)
    t.give(0, "blue hammer2, blue hammer2", glory=given["player"]["glory"])
    t.crew_rolls(0, "red ship, red ship")
    t.combat_rolls(0, 1, 1, 1, 1)
    t.free(0)
    t.gain_card(0, "keep", "Tower")
    assert t.player(0).glory == expected["glory"]
    assert len(t.events("die_rolled")) == expected["dice_gained_at_once"]
    assert t.events("combat_begins")[0]["defense"] == expected["defense"]


@check("E41", "E42")
def tapestries(name, given, action, expected):
    t = Table(2, name)
    for kind_name, n in given["tapestries"].items():
        t.own(0).spoils[t.card("keep", f"Tapestry {kind_name}")] = n
    edition = t.game.edition
    found = score_kinds_nb(t.game, t.own(0), 3, edition.tapestry_set, edition.tapestry_single)
    assert found == expected["glory"]


@check("E44")
def second_set(name, given, action, expected):
    from simcore.reavers.filling import _fill_spoils
    from simcore.reavers.language import Numbers

    t = Table(2, name)
    rows = {file: list(found) for file, found in t.edition.rows.items()}
    coins = rows["keep_spoils.csv"][0]
    changed = type(coins)(
        coins.where, coins.number, {**coins.cells, "set_table": "/".join(map(str, given["set_table"]))}
    )
    rows["keep_spoils.csv"][0] = changed
    t.game.edition.n_deck[2] = 0
    _fill_spoils(rows, Numbers(), t.game.edition)
    table = int(t.game.edition.spoils_set[t.card("keep", "Gold Coins")])
    assert set_glory_nb(t.game, table, given["copies"]) == expected["glory"]


@check("E45")
def sea_bonus(name, given, action, expected):
    t = Table(given["players"], name)
    t.stack("journey", *["Calm Seas"] * 3)
    for seat, food in enumerate(given["food"]):
        t.give(seat, food=food)
        t.script(seat, "action act")
    t.free()
    t.select(given["active"], action["select"])
    assert [t.player(s).food for s in range(3)] == expected["food"]
    assert [t.player(s).glory for s in range(3)] == expected["glory"]
    assert t.game.pl["n_battles"].sum() == 0


@check("E48", "E49")
def attempts(name, given, action, expected):
    n = given["players"]
    t = Table(n, name)
    bonus = t.game.edition.bonus[LOCATION_NAMES.index(action["select"])]
    assert [int(bonus[(seat - given["active"]) % n]) for seat in range(n)] == expected["attempts"]


@check("E50")
def failed_attempt(name, given, action, expected):
    t = Table(2, name)
    assert t.game.edition.bonus[5, 0] == given["attempts"]
    t.give(0, "red hammer", food=6)
    t.combat_rolls(0, 0)
    t.free(0)
    t.script(0, "action act", "territory dice 1 force", "hammer red hammer")
    t.script(0, *["territory food 1 peace"] * given["results"].count("success"))
    t.script(1, "action rest 0")
    t.select(0, "subdue_territories")
    assert t.player(0).n_tiles == expected["tiles_claimed"]
    names = [e["event"] for e in t.events()]
    assert names.index("territory_turned_over") > max(i for i, n in enumerate(names) if n == "territory_claimed")
    assert t.game.actions_left == expected["attempts_left"]


@check("E51", "E52")
def territory_types(name, given, action, expected):
    rows = Table(2, name).edition.rows["territories.csv"]
    if "level" in expected:
        assert {row["level"] for row in rows if row["defense"] == given["tile_defense"]} == {expected["level"]}
    else:
        types = [next(row["type"] for row in rows if row["color"] == colour) for colour in given["colors"]]
        assert types == expected["types"] == list(TERRITORY_NAMES)


@check("E53", "E54")
def income(name, given, action, expected):
    n = len(given["territories"])
    t = Table(n, name)
    t.game.round_number = given["round"]
    t.game.rounds_left = 6 - given["round"]
    for seat in range(n):
        tiles = given["territories"][seat]
        t.give(seat, glory=given["glory"][seat], n_tiles=tiles, tile_income=tiles)
    t.clean_up()
    glory = [t.player(seat).glory for seat in range(n)]
    assert glory == expected.get("glory", expected.get("glory_before_final_scoring"))


@check("E55")
def honor_ship(name, given, action, expected):
    t = Table(given["players"], name)
    t.game.honor_ship = given["honor_ship_owner"]
    t.clean_up()
    assert t.game.honor_ship == expected["honor_ship_owner"]


@check("E57")
def trade_marker(name, given, action, expected):
    n = given["players"]
    t = Table(n, name)
    t.free()
    for seat in range(n):
        t.script(seat, "action act", *["trade 1"] * expected["actions"][seat])
    t.select(given["active"], action["select"])
    assert [t.player(seat).food for seat in range(n)] == [3 * k for k in expected["actions"]]
    assert t.game.start_player == expected["start_player"]


@check("E58")
def trade_for_food(name, given, action, expected):
    t = Table(4, name)
    t.give(0, food=given["player"]["food"])
    t.script(0, "action act", *["trade 1"] * given["actions"])
    t.everybody_rests(0)
    t.select(0, "trade_with_villages")
    assert t.player(0).food == expected["food"]


@check("E60")
def market(name, given, action, expected):
    t = Table(2, name)
    for colour, n in (("red", 0), ("yellow", 1), ("blue", 2)):
        assert t.game.market[6 * n : 6 * n + 6].sum() == expected[colour]
    assert expected["rolled"]
