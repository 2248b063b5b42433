"""Tournaments of the toy game: its strategies as a field, and the tournament played."""

from __future__ import annotations

from toy_game import ToyEdition, toy_spec
from toy_run import toy_entrants

from analysis import series_play, tournaments
from analysis.runs import Choice
from strategies.registry import Strategy

NAMES = ("cautious", "bold", "by_lot")


def toy_strategy(name) -> Strategy:
    return Strategy(
        "toy", name, f"Plays {name}.", "", "policy", None, {}, {}, {}, (), {"toy.py": "# toys\n"}, False, ""
    )


def toy_field(names=NAMES) -> Choice:
    return Choice(toy_spec(), ToyEdition(), tuple(names), tuple(toy_strategy(name) for name in names))


def begin(folder, n_players=3, n_games=1400, seed=5, names=NAMES, **which) -> tournaments.Tournament:
    field = toy_field(names)
    return tournaments.create(tournaments.make_manifest(field, n_players, n_games, seed, **which), field, folder)


def play(made, n_threads=1, names=NAMES, **options) -> tournaments.Tournament:
    setup_of = tournaments.setups(made.planned, toy_field(names), toy_entrants(names))
    series_play.play(made, setup_of, n_threads, **options)
    return made
