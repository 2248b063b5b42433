"""Checks for any strategy: does it answer, does it keep its hands off, does it use only what it may see.

`check` plays games with the strategy in every seat, in a second process in which everything is plain Python
(``NUMBA_DISABLE_JIT=1``). There, around every single decision,

* the public record of the game is compared before and after: a strategy may not change it;
* so is what the seat is given (its options, bids, parameters, prepared table): only its memory and luck are its own;
* what the seat cannot know is reshuffled and the question asked again: the answer must stay the same. So is the seat's
  own luck, if it drew none: the state of its stream would tell it all other luck of the block;
* the answer must be an integer and the index of an option.

Then it plays the same games compiled. Both ways must give the same results, number for number.

    python -m strategies.conformance nidavellir my-strategy --strategy-file my.py
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simcore.blocks import seatings
from simcore.contract import Entrant, GameSpec, StrategyError
from simcore.games import find_game
from simcore.play import Plan, Table
from strategies import registry

PARTNER = "random"
"""Sits in every second seat, so that strange positions come up."""


@dataclass(frozen=True)
class Findings:
    """What one pass found.

    Attributes
    ----------
    digest : str
        SHA-256 over the result rows of all games.
    n_decisions : int
        Decisions that were looked at; 0 in a compiled pass.
    problems : tuple of str
        One sentence each; empty for a strategy that conforms.
    """

    digest: str
    n_decisions: int
    problems: tuple[str, ...]


def check(
    game: str,
    name: str,
    files: Sequence[str | Path] = (),
    n_blocks: int = 1,
    seed: int = 1,
    rules: Sequence[str] = (),
    players: Sequence[int] = (),
) -> list[str]:
    """Return what is wrong with a strategy, one sentence each; nothing for one that conforms.

    Parameters
    ----------
    game, name : str
        Which strategy.
    files : sequence of str or Path
        A user's strategy files.
    n_blocks : int
        Blocks of games for each number of players.
    seed : int
        Of the games.
    rules : sequence of str
        ``key=value`` rule switches.
    players : sequence of int
        Numbers of players at the tables; all that the rules allow if empty.
    """
    return check_all(game, [name], files, n_blocks, seed, rules, players)[name]


def check_all(
    game: str,
    names: Sequence[str],
    files: Sequence[str | Path] = (),
    n_blocks: int = 1,
    seed: int = 1,
    rules: Sequence[str] = (),
    players: Sequence[int] = (),
) -> dict[str, list[str]]:
    """Check several strategies (see `check`) and return the problems of each."""
    problems: dict[str, list[str]] = {}
    for name, watched in _in_second_process(game, names, files, n_blocks, seed, rules, players).items():
        problems[name] = list(watched.problems)
        if watched.problems:  # compiled, a strategy that changes the game could end the process
            continue
        if watched.n_decisions == 0:
            problems[name].append(f"{name} was never asked anything")
        compiled = play_compiled(game, name, files, n_blocks, seed, rules, players)
        problems[name] += compiled.problems
        if not compiled.problems and compiled.digest != watched.digest:
            problems[name].append(f"{name} plays other games compiled than in plain Python")
    return problems


def play_compiled(
    game: str,
    name: str,
    files: Sequence[str | Path],
    n_blocks: int,
    seed: int,
    rules: Sequence[str] = (),
    players: Sequence[int] = (),
) -> Findings:
    """Play with every number of players and return the findings: only answers out of range and exceptions show."""
    return _play(game, name, files, n_blocks, seed, rules, players, None)


def play_watched(
    game: str,
    name: str,
    files: Sequence[str | Path],
    n_blocks: int,
    seed: int,
    rules: Sequence[str] = (),
    players: Sequence[int] = (),
) -> Findings:
    """Play the same games in plain Python with every decision watched; the process must be interpreted."""
    from simcore.accel import INTERPRETED

    if not INTERPRETED:
        raise RuntimeError("watching needs NUMBA_DISABLE_JIT=1")
    return _play(game, name, files, n_blocks, seed, rules, players, Watcher(game, name, seed))


def _play(
    game: str,
    name: str,
    files: Sequence[str | Path],
    n_blocks: int,
    seed: int,
    rules: Sequence[str],
    players: Sequence[int],
    watcher: Watcher | None,
) -> Findings:
    spec = find_game(game)
    loaded: list[registry.Strategy] = []
    for file in files:
        loaded += registry.load_file(file, loaded)
    edition = spec.load_edition(next(iter(spec.presets)), dict(rule.split("=") for rule in rules))
    digest = hashlib.sha256()
    problems: list[str] = []
    for n_players in players or spec.table_sizes(edition):
        entrants = [
            registry.enter(registry.find(game, entered, loaded), spec, edition, n_players)
            for entered in (name, PARTNER)
        ]
        if watcher:
            entrants[0] = watcher.around(entrants[0], spec)
        seats = np.arange(n_players) % len(entrants)
        table = Table(Plan(spec, edition, entrants, seatings(seats, "fixed"), seed))
        if watcher:
            watcher.hidden = table.hidden[0]
        for block in range(n_blocks):
            try:
                digest.update(np.ascontiguousarray(table.play(block, 1)).tobytes())
            except StrategyError as error:
                problems.append(str(error))
    found = watcher.problems if watcher else []
    return Findings(digest.hexdigest(), watcher.n_decisions if watcher else 0, (*found, *problems))


class Watcher:
    """Stands between the engine and a strategy in an interpreted process, and looks at every decision.

    Parameters
    ----------
    game, name : str
        Which strategy.
    seed : int
        Of the reshuffling.
    """

    def __init__(self, game: str, name: str, seed: int):
        self.name = name
        self.reshuffle_hidden = importlib.import_module(f"strategies.{game}.hiding").reshuffle_hidden
        self.chance = np.random.default_rng(seed)
        self.hidden: Any = None
        self.n_decisions = 0
        self.problems: list[str] = []

    def around(self, entrant: Entrant, spec: GameSpec) -> Entrant:
        """Return an entrant whose decisions are watched."""
        from simcore.accel import compile_decision

        addresses = []
        for number, decision in enumerate(spec.decisions):
            function = self._watched(entrant.owners[number], decision.name, entrant.location[number])
            addresses.append(compile_decision(function, spec.game_dtype, spec.own_dtype, cached=False)[0])
        address = np.array(addresses, np.uint64)
        return Entrant(entrant.name, address, entrant.param, entrant.table, entrant.location, entrant.owners)

    def _report(self, decision: str, location: str, what: str) -> None:
        sentence = f"{self.name}: {decision} ({location}) {what}"
        if sentence not in self.problems:
            self.problems.append(sentence)

    def _watched(self, function: Any, decision: str, location: str) -> Any:
        from simcore.accel import array_at

        def watched(game: Any, own: Any, n_options: int) -> Any:
            self.n_decisions += 1
            table = array_at(own["table"], own["n_table"]) if own["n_table"] else np.zeros(0, np.int64)
            public, kept, private, prepared = game.tobytes(), _keep(game), _keep(own), table.copy()
            answer = function(game, own, n_options)
            after = _keep(own)
            if game.tobytes() != public:
                self._report(decision, location, "changes the public state of the game")
                _restore(game, kept)
            for name in private:
                if name not in ITS_OWN and not np.array_equal(after[name], private[name]):
                    self._report(decision, location, f"changes own.{name}, which is only to be read")
                    after[name] = private[name]
            if not np.array_equal(table, prepared):
                self._report(decision, location, "changes its prepared table, which all its seats and games share")
                table[:] = prepared
            if not isinstance(answer, int | np.integer | np.bool_):
                self._report(decision, location, f"answers with {type(answer).__name__}, not with an integer")
            elif not 0 <= answer < n_options:
                self._report(decision, location, f"answers {answer} where there are {n_options} options")
            hidden = _keep(self.hidden)
            _restore(own, private)
            self.reshuffle_hidden(game, self.hidden, int(own["seat"]), self.chance)
            if np.array_equal(after["luck"], private["luck"]):
                own["luck"][:] = self.chance.integers(0, 2**63, own["luck"].shape, np.uint64)
            again = function(game, own, n_options)
            _restore(game, kept)
            table[:] = prepared
            if again != answer:
                self._report(decision, location, "depends on what its player cannot know")
            _restore(self.hidden, hidden)
            _restore(own, after)
            return answer

        return watched


ITS_OWN = ("memory", "luck")
"""Fields of a seat's own record that its strategy may change: what it writes down, and the luck that it draws."""

UNTOUCHED = ("event",)
"""Large fields that reshuffling leaves alone."""


def _keep(record: Any) -> dict[str, Any]:
    """Return a copy of a record's fields."""
    return {name: np.copy(record[name]) for name in record.dtype.names if name not in UNTOUCHED}


def _restore(record: Any, kept: dict[str, Any]) -> None:
    """Write back the fields of a record."""
    for name, value in kept.items():
        record[name] = value


def _in_second_process(
    game: str,
    names: Sequence[str],
    files: Sequence[str | Path],
    n_blocks: int,
    seed: int,
    rules: Sequence[str],
    players: Sequence[int],
) -> dict[str, Findings]:
    # -P: a user's own folder may hold an analysis.py, which is not to be taken for ours
    command = [
        sys.executable,
        "-P",
        "-m",
        "strategies.conformance",
        game,
        *names,
        "--watched",
        str(n_blocks),
        str(seed),
    ]
    for file in files:
        command += ["--strategy-file", str(file)]
    for rule in rules:
        command += ["--rule", rule]
    for n_players in players:
        command += ["--players", str(n_players)]
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return {name: Findings("", 0, (f"{name}: the pass in plain Python ended with: {last}",)) for name in names}
    return {
        name: Findings(found["digest"], found["n_decisions"], tuple(found["problems"]))
        for name, found in json.loads(done.stdout).items()
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the checks from the command line; return 0 if the strategies conform, 3 if not."""
    parser = argparse.ArgumentParser(prog="python -m strategies.conformance", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("names", nargs="+", metavar="strategy")
    parser.add_argument("--strategy-file", action="append", default=[], dest="files")
    parser.add_argument("--rule", action="append", default=[], dest="rules", metavar="KEY=VALUE")
    parser.add_argument("--players", action="append", default=[], type=int, metavar="N")
    parser.add_argument("--watched", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.watched:
        n_blocks, seed = given.watched
        found = {
            name: asdict(play_watched(given.game, name, given.files, n_blocks, seed, given.rules, given.players))
            for name in given.names
        }
        print(json.dumps(found))
        return 0
    problems = check_all(given.game, given.names, given.files, rules=given.rules, players=given.players)
    for name, sentences in problems.items():
        print("\n".join(sentences) or f"{name} conforms")
    return 3 if any(problems.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
