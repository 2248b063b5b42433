"""Strategies do what they are named for, and are as strong as is said of them.

The number of blocks is chosen so that a true strength passes by several standard errors; games are the same in every
run.
"""

import numpy as np
import pytest

from simcore.nidavellir.layout import (
    BID_LAST,
    BLACKSMITH,
    COINS_SLOT,
    DISTINCTION_SLOT,
    EXPLORER,
    HERO_SLOT,
    HUNTER,
    MINER,
    N_BROTHERS_SLOT,
    N_HEROES_SLOT,
    RANKS_SLOT,
    WARRIOR,
    WARRIOR_BONUS_SLOT,
    WIN_SLOT,
)
from simcore.play import Plan, Table
from strategies import registry
from tests.strategies.matches import SPEC, edition, one_against, play, win_share

PLAYERS = (2, 3, 4, 5)
SIMPLE = [name for name in registry.names("nidavellir") if name != "planner"]


@pytest.mark.parametrize("n_players", PLAYERS)
@pytest.mark.parametrize(("better", "worse"), [("balanced", "greedy"), ("greedy", "random")])
def test_the_plain_strategies_are_in_order(better, worse, n_players):
    share, error = win_share(one_against(better, worse, n_players, 120))
    assert share - 3 * error > 1 / n_players


@pytest.mark.parametrize("n_players", PLAYERS)
@pytest.mark.parametrize("rival", SIMPLE)
def test_planner_beats_every_other_strategy(rival, n_players):
    share, error = win_share(one_against("planner", rival, n_players, 150))
    assert share - 2 * error > 1 / n_players


@pytest.mark.parametrize("n_players", [3, 4, 5])
def test_planner_wins_mixed_tables(n_players):
    lineup = ("planner", "balanced", "warriors", "lines", "coin-builder")[:n_players]
    shares = {name: win_share(rows) for name, rows in play(lineup, 500).items()}
    share, error = shares.pop("planner")
    assert share - 2 * error > 1 / n_players
    assert share > max(other for other, _ in shares.values())


@pytest.mark.parametrize(("n_players", "least"), [(2, 0.5), (3, 0.5), (4, 1 / 3), (5, 1 / 3)])
def test_dwerg_rush_gets_its_brothers(n_players, least):
    got = (one_against("dwerg-rush", "balanced", n_players, 200)[..., N_BROTHERS_SLOT] >= 3).mean(axis=1)
    assert got.mean() - 3 * got.std() / np.sqrt(len(got)) > least


@pytest.mark.parametrize("n_players", PLAYERS)
def test_early_uline_gets_uline(n_players):
    game = np.zeros(1, SPEC.game_dtype)
    SPEC.fill_edition(edition(), n_players, game[0])
    uline = list(game[0]["edition"]["hero_effect"]).index(BID_LAST)
    assert one_against("early-uline", "balanced", n_players, 150)[..., HERO_SLOT + uline].mean() > 0.9


@pytest.mark.parametrize("n_players", PLAYERS)
@pytest.mark.parametrize(
    ("name", "slot"),
    [
        ("hunters", RANKS_SLOT + HUNTER),
        ("blacksmiths", RANKS_SLOT + BLACKSMITH),
        ("miners-gem", RANKS_SLOT + MINER),
        ("warriors", RANKS_SLOT + WARRIOR),
        ("explorers", RANKS_SLOT + EXPLORER),
        ("hunters", DISTINCTION_SLOT + HUNTER),
        ("blacksmiths", DISTINCTION_SLOT + BLACKSMITH),
        ("miners-gem", DISTINCTION_SLOT + MINER),
        ("warriors", WARRIOR_BONUS_SLOT),
        ("explorers", DISTINCTION_SLOT + EXPLORER),
        ("lines", N_HEROES_SLOT),
    ],
)
def test_specialists_have_more_of_their_own(name, slot, n_players):
    both = play((name, *["balanced"] * (n_players - 1)), 150)
    own = both[name][..., slot].mean(axis=1)
    rivals = both["balanced"][..., slot].mean(axis=1)
    difference = own - rivals
    assert difference.mean() > 3 * difference.std() / np.sqrt(len(difference))


@pytest.mark.parametrize("n_players", PLAYERS)
def test_coin_builder_ends_with_more_coins_than_when_it_bids_like_the_others(n_players):
    own = one_against("coin-builder", "balanced", n_players, 150)[..., COINS_SLOT].mean(axis=1)
    usual = play(("balanced",) * n_players, 150)["balanced"][..., COINS_SLOT].mean(axis=1)
    difference = own - usual
    assert difference.mean() > 2 * difference.std() / np.sqrt(len(difference))


COUNTING = """
from strategies.nidavellir.card_choice import choose_card_nb, value_to_nb
from strategies.registry import strategy

@strategy(game="nidavellir", name="counting", idea="Counts the next bidder's favourites.", base="{base}")
class Counting:
    def choose_card(game, own, n_options):
        answer = choose_card_nb(game, own, n_options)
        if game.turn + 1 == game.n_players:
            return answer
        rival = game.order[game.turn + 1]
        favourite = 0
        for i in range(1, n_options):
            if value_to_nb(own.memory, rival, i) > value_to_nb(own.memory, rival, favourite):
                favourite = i
        own.memory[160] += 1
        own.memory[161] += 1 if answer == favourite else 0
        return answer
"""


def favourites_taken(base, n_players, folder):
    """Return how often a strategy takes the card that the next bidder likes best, when it does not choose last."""
    path = folder / f"{base}.py"
    path.write_text(COUNTING.replace("{base}", base), encoding="utf-8")
    strategies = [*registry.load_file(path), registry.find("nidavellir", "balanced")]
    entered = [registry.enter(s, SPEC, edition(), n_players) for s in strategies]
    seating = np.array([[0] + [1] * (n_players - 1)])
    table = Table(Plan(SPEC, edition(), entered, seating, 3))
    counts = np.zeros(2)
    for block in range(150):
        table.play(block, 1)
        counts += table.hidden[0]["own"][0]["memory"][160:162]
    return counts[1] / counts[0]


@pytest.mark.parametrize("n_players", PLAYERS)
def test_denier_takes_what_the_next_bidder_likes_best(n_players, tmp_path):
    usual = favourites_taken("balanced", n_players, tmp_path)
    assert favourites_taken("denier", n_players, tmp_path) > usual + 0.05


def test_win_shares_of_a_table_sum_to_one():
    rows = play(("planner", "balanced", "greedy"), 20)
    assert sum(r[..., WIN_SLOT].sum() for r in rows.values()) == 60 * 20 * 3
