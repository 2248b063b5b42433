"""A balance sheet: what of a game is too strong, too weak, or never used, and how sure that is.

For each number of players it plays

mirror matches
    every strategy against copies of itself: who wins more there has the better seat, or was dealt better;
mixed fields
    the strategies together, every one in every seat: seat and strategy come apart, because each strategy sits in each
    seat equally often;
the effects
    the first strategy against copies of itself (the *subject* in one seat): the same blocks again with each item
    withheld from everybody, banned from the subject, granted to it, and with each of its decisions taken at random.

What an item is worth is two numbers, kept apart. The *association* is how much more often those win who have it; it
mixes what the item brings with who gets it. The *effect* is what changes when it is taken away or given, all luck being
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from analysis import runs
from analysis.changes import AT_RANDOM, SUBJECT, WITHHOLD, apply, subject
from analysis.experiments import Case, Experiment, make_manifest
from analysis.runs import Choice
from analysis.tournaments import lineup_seed
from simcore.contract import Item, TaflError
from simcore.games import find_entry, find_game
from simcore.naming import unknown
from strategies import registry

KIND = "balance"
GAMES_BY_DEFAULT = 10_000
"""Of each case."""

USUAL = ("planner", "balanced", "greedy")
"""The strategies that play unless others are named."""

BAN, GRANT = "ban", "grant"
MIRROR, MIXED, EFFECTS = "mirror", "mixed", "effects"


def players_of(game: str, written: str | None, edition: str | None, rules: Sequence[str]) -> list[int]:
    """Read ``--players``: ``4``, ``2,3``, ``2-5``; every number that the edition is for by default.

    Raises
    ------
    TaflError
        If it is no number of players of the game.
    """
    entry = find_entry(game)
    if written is None:
        spec = find_game(game)
        return spec.table_sizes(runs.load_edition(spec, edition, rules))
    found: list[int] = []
    for part in written.split(","):
        ends = part.strip().split("-")
        if not all(end.isdigit() for end in ends) or len(ends) > 2:
            raise TaflError(f"--players {written}: write 4, or 2,3, or {entry.min_players}-{entry.max_players}.")
        first, last = int(ends[0]), int(ends[-1])
        for n in (first, last):
            if not entry.min_players <= n <= entry.max_players:
                nearest = min(max(n, entry.min_players), entry.max_players)
                raise TaflError(
                    f"{entry.title} is for {entry.min_players} to {entry.max_players} players, not {n}: "
                    f"choose {nearest}."
                )
        if first > last:
            raise TaflError(f"--players {written}: {first}-{last} holds no number; the nearest is {last}-{first}.")
        found += range(first, last + 1)
    return sorted(set(found))


def plan(
    game: str,
    names: Sequence[str],
    players: Sequence[int],
    only: Sequence[str],
    effects: bool,
    n_games: int | None,
    seed: int | None,
    edition: str | None = None,
    rules: Sequence[str] = (),
    strategy_files: Sequence[Any] = (),
) -> tuple[list[Choice], dict[str, Any]]:
    """Return the line-ups and the manifest.

    Parameters
    ----------
    game : str
    names : sequence of str
        Strategies; the first is the subject. `USUAL` by default.
    players : sequence of int
        Numbers of players.
    only : sequence of str
        Patterns of the items whose effect is asked for; all by default.
    effects : bool
        Whether effects are played at all.
    n_games : int, optional
        Of each case.
    seed : int, optional
        Fresh if none is given.
    edition, rules, strategy_files
        As in `analysis.runs.choose`.
    """
    known = registry.names(game)
    _check_patterns(only, game, players, edition, rules)
    names = list(dict.fromkeys(names)) or [name for name in USUAL if name in known] or known[:3]
    seed = runs.fresh_seed() if seed is None else seed
    bases: list[Choice] = []
    cases: list[Case] = []
    parts: list[dict[str, Any]] = []
    asked = _Asked(game, edition, rules, strategy_files)
    for n in players:
        for kind, lineup in [*_mirrors(names, n), *_mixed(names, n)]:
            cases.append(Case((), len(bases), lineup_seed(seed, len(bases)), keep_all=True))
            bases.append(asked.choose(lineup, n))
            parts.append({"kind": kind, "players": n})
        if effects:
            base = subject(asked.choose(names[:1], n))
            own = lineup_seed(seed, len(bases))
            cases += [Case(setting, len(bases), own) for setting in [(), *_changes(base, only)]]
            bases.append(base)
            parts.append({"kind": EFFECTS, "players": n})
    n_games = GAMES_BY_DEFAULT if n_games is None else n_games
    options = {"bases": parts, "strategies": names, "only": list(only)}
    return bases, make_manifest(KIND, bases, cases, n_games, options, seed, checked=True)


def _check_patterns(
    only: Sequence[str], game: str, players: Sequence[int], edition: str | None, rules: Sequence[str]
) -> None:
    """Refuse a pattern that no item is like."""
    spec = find_game(game)
    loaded = runs.load_edition(spec, edition, rules)
    ids = list(dict.fromkeys(item.item_id for n in players for item in spec.items(loaded, n)))
    for pattern in only:
        if not any(fnmatchcase(item_id, pattern) for item_id in ids):
            raise TaflError(f"--items {pattern}: {unknown('item', pattern, ids)}.")


class _Asked:
    """What a user asks for, but for the line-up."""

    def __init__(self, game: str, edition: str | None, rules: Sequence[str], strategy_files: Sequence[Any]):
        self.game, self.edition, self.rules, self.strategy_files = game, edition, rules, strategy_files

    def choose(self, lineup: Sequence[str], n_players: int) -> Choice:
        """Find a line-up."""
        return runs.choose(self.game, lineup, n_players, self.edition, self.rules, self.strategy_files)


def _mirrors(names: Sequence[str], n_players: int) -> list[tuple[str, list[str]]]:
    return [(MIRROR, [name] * n_players) for name in names]


def _mixed(names: Sequence[str], n_players: int) -> list[tuple[str, list[str]]]:
    """Return line-ups in which every strategy plays, each of neighbours in the order of the names."""
    if len(names) < 2:
        return []
    if len(names) <= n_players:
        return [(MIXED, list(names))]
    turned = [*names, *names]
    return [(MIXED, turned[i : i + n_players]) for i in range(len(names))]


def _changes(base: Choice, only: Sequence[str]) -> list[Any]:
    """Return everything that is changed for the subject of a line-up."""
    name = base.lineup[0]
    found = []
    for item in base.spec.items(base.edition, len(base.lineup)):
        if not only or any(fnmatchcase(item.item_id, pattern) for pattern in only):
            found += [((key, item.item_id),) for key in _ways(item, name)]
    if not only:
        of = base.strategies[0]
        found += [((f"{name}:{AT_RANDOM}", decision),) for decision in of.functions]
    possible = [setting for setting in found if _is_possible(setting, base)]
    if only and not possible:
        raise TaflError(
            f"--items {', '.join(only)}: nothing of it can be withheld, banned or granted with {len(base.lineup)} "
            "players."
        )
    return possible


def _ways(item: Item, name: str) -> list[str]:
    keys = {"withheld": WITHHOLD, "banned": f"{name}:{BAN}", "granted": f"{name}:{GRANT}"}
    return [keys[way] for way in item.ways]


def _is_possible(setting: Any, base: Choice) -> bool:
    """Whether an edition does without an item: a game may need the last of a kind."""
    try:
        apply(setting, base)
    except TaflError:
        return False
    return True


def subject_of(made: Experiment, base: int) -> str:
    """Return what the subject of a line-up is called."""
    return made.lineup(base)[0]


__all__ = ["BAN", "EFFECTS", "GRANT", "KIND", "MIRROR", "MIXED", "SUBJECT", "plan", "players_of", "subject_of"]
