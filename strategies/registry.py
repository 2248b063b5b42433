"""Where strategies come from: files that ship with tafl, files of a user's own, files kept in a run's folder.

A strategy is written in one of two ways. A *policy* is a Python file with one decorated class or function::

    from strategies.registry import strategy

    @strategy(game="nidavellir", name="first-card", idea="Takes the first card that is offered.")
    class FirstCard:
        def choose_card(game, own, n_options):
            return 0

A *parameter set* is a TOML file that changes weights of another strategy::

    game = "nidavellir"
    name = "patient"
    idea = "Thinks more of coins."
    base = "balanced"
    [weights]
    coin_growth = 300

What a policy leaves out is decided by its `base`. There is nothing else to register.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simcore.contract import MAX_PARAMS, Entrant, GameSpec, StrategyError, no_handicap
from simcore.items import pack_handicap
from simcore.naming import unknown
from strategies import loading
from strategies.definition import (
    DEFAULT_BASE,
    EVERY_DECISION,
    PROFILES,
    ROOT,
    Definition,
    check_game,
    decision_names,
    definitions,
    games,
    location,
    read_profile,
    shown,
    strategy,
)

__all__ = [
    "Strategy",
    "describe",
    "enter",
    "find",
    "games",
    "load_file",
    "load_stored",
    "names",
    "strategy",
    "variant",
    "with_random",
]


@dataclass(frozen=True)
class Strategy:
    """A strategy that can be entered in a line-up: every decision has a function.

    Attributes
    ----------
    game, name, idea, source, kind, base :
        As in `strategies.definition.Definition`.
    params : mapping
        Parameter name -> integer, in the order of ``own.param``.
    at_players : mapping
        Number of players -> parameters that differ at such a table.
    functions : mapping
        Decision name -> plain Python function, complete, in the order of the decisions' numbers.
    tables : tuple of callable
        They prepare ``own.table``; their arrays are joined in this order, the base's first.
    sources : mapping
        Relative path -> text of every file the strategy is made of: what a run's folder keeps.
    shipped : bool
        Whether its files are part of tafl.
    where : str
        File (and line) for messages.
    handicap : mapping
        Item id -> ``banned`` or ``granted``: what it may not have, what it gets at the start (`simcore.items`).
    original : str or None
        Name of the strategy that this one is a variant of (`variant`).
    at_random : tuple of str
        Decisions that are taken at random instead (`with_random`).
    """

    game: str
    name: str
    idea: str
    source: str
    kind: str
    base: str | None
    params: Mapping[str, int]
    at_players: Mapping[int, Mapping[str, int]]
    functions: Mapping[str, Callable[..., int]]
    tables: tuple[Callable[..., Any], ...]
    sources: Mapping[str, str]
    shipped: bool
    where: str
    handicap: Mapping[str, str] = field(default_factory=dict)
    original: str | None = None
    at_random: tuple[str, ...] = ()

    def params_for(self, n_players: int) -> dict[str, int]:
        """Return the parameters at a table of so many players."""
        return {**self.params, **self.at_players.get(n_players, {})}


def describe(game: str) -> list[dict[str, str]]:
    """Return name, kind, idea, source, base and file of every strategy that ships for a game, sorted by name.

    The files are read, not imported, so that a listing does not wait for the compiler.
    """
    check_game(game)
    rows = []
    for path in sorted((ROOT / game).glob("*.py")):
        rows += [said | {"kind": "policy", "file": shown(path)} for said in _declared(path)]
    for path in sorted((PROFILES / game).glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        said = {key: str(content.get(key, "")) for key in ("name", "idea", "source")}
        said["base"] = str(content.get("base", DEFAULT_BASE))
        rows.append(said | {"kind": "parameter set", "file": shown(path)})
    return sorted(rows, key=lambda row: row["name"])


@cache
def _declared(path: Path) -> tuple[dict[str, str], ...]:
    """Return what the ``@strategy(...)`` lines of a Python file say."""
    text = path.read_text(encoding="utf-8")
    found: list[dict[str, str]] = []
    for node in ast.parse(text).body if "@strategy(" in text else ():
        for call in getattr(node, "decorator_list", ()):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "strategy":
                literal = {k.arg: k.value for k in call.keywords if k.arg in ("name", "idea", "source", "base")}
                said = {key: str(ast.literal_eval(value) or "") for key, value in literal.items()}
                default_base = DEFAULT_BASE if isinstance(node, ast.ClassDef) else ""
                found.append({"name": "", "idea": "", "source": "", "base": default_base} | said)
    return tuple(found)


def names(game: str) -> list[str]:
    """Return the names of the strategies that ship for a game, sorted."""
    return [row["name"] for row in describe(game)]


def find(game: str, name: str, loaded: Iterable[Strategy] = ()) -> Strategy:
    """Return a strategy by name.

    Parameters
    ----------
    game, name : str
        Which.
    loaded : iterable of Strategy
        Strategies of a user's files, or of a run's folder; they are looked at first.

    Raises
    ------
    StrategyError
        If there is none of this name, with the nearest one.
    """
    own = {s.name: s for s in loaded if s.game == game}
    if name in own:
        return own[name]
    rows = {row["name"]: row for row in describe(game)}
    if name not in rows:
        raise StrategyError(unknown(f"strategy for {game}", name, sorted([*rows, *own])))
    return _resolve(_shipped_definition(game, rows[name]), list(own.values()), shipped=True)


def _shipped_definition(game: str, row: Mapping[str, str]) -> Definition:
    path = ROOT.parent / row["file"]
    if path.suffix == ".toml":
        return read_profile(path)
    module = f"{__package__}.{game}.{path.stem}"
    importlib.import_module(module)
    return next(d for d in definitions[module] if d.name == row["name"])


def load_file(path: str | Path, loaded: Iterable[Strategy] = ()) -> list[Strategy]:
    """Return the strategies of a user's file.

    Parameters
    ----------
    path : str or pathlib.Path
        ``my.py`` or ``my.toml``.
    loaded : iterable of Strategy
        Strategies of files read before; one of them may be the base.

    Raises
    ------
    StrategyError
        If the file cannot be read or run, declares nothing, or uses a name that is taken.
    """
    path = Path(path)
    loaded = list(loaded)
    if path.suffix == ".toml":
        found = [read_profile(path)]
        text = path.read_text(encoding="utf-8")
        sources = {loading.user_name(path, text): text}
    elif path.suffix == ".py":
        found, sources = loading.load_module(path)
    else:
        raise StrategyError(f"{shown(path)}: a strategy file ends in .py or .toml")
    for definition in found:
        if definition.name in names(definition.game):
            raise StrategyError(f"{definition.where}: {definition.name!r} ships with tafl; choose another name")
        if definition.name in [s.name for s in loaded if s.game == definition.game]:
            raise StrategyError(f"{definition.where}: another file already calls a strategy {definition.name!r}")
    return _resolve_all(found, loaded, sources)


def load_stored(folder: str | Path, game: str, name: str) -> Strategy:
    """Return a strategy from the sources kept in a run's folder (`Strategy.sources` as files).

    Where the files of tafl have not changed since, the shipped strategy is returned; otherwise the stored files are run
    beside the present ones, so that an old run can still be replayed.

    Raises
    ------
    StrategyError
        If the folder has no strategy of that name.
    """
    folder = Path(folder)
    files = {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*")) if p.suffix in (".py", ".toml")}
    changed = [n for n, p in files.items() if not n.startswith("user/") and not loading.is_unchanged(n, p)]
    strategies: list[Strategy] = []
    if changed:
        strategies += _resolve_all(loading.load_shipped_copy(files), [], loading.texts(files))
    users = {n: p for n, p in files.items() if n.startswith("user/")}
    found = [read_profile(p) for p in users.values() if p.suffix == ".toml"]
    for path in users.values():
        if path.suffix == ".py" and _declared(path):  # others were imported by one that does
            found += loading.load_module(path)[0]
    strategies += _resolve_all(found, strategies, loading.texts(users))
    kept = {s.name: s for s in strategies if s.game == game}
    if name in kept:
        return kept[name]
    shipped = [row["name"] for row in describe(game) if loading.stored_name(row["file"]) in files]
    if name in shipped and not changed:
        return find(game, name)
    raise StrategyError(f"{shown(folder)}: {unknown(f'strategy for {game}', name, sorted([*kept, *shipped]))}")


def variant(
    of: Strategy,
    name: str,
    handicap: Mapping[str, str] | None = None,
    params: Mapping[str, int] | None = None,
) -> Strategy:
    """Return a strategy under another name, so that a line-up can hold both: ``planner (subject)`` beside ``planner``.

    Parameters
    ----------
    of : Strategy
    name : str
    handicap : mapping, optional
        Item id -> ``banned`` or ``granted``, over that of `of`; checked when the strategy is entered.
    params : mapping, optional
        Parameters that differ, at every number of players.

    Raises
    ------
    StrategyError
        If there is no such parameter.
    """
    changed = dict(params or {})
    for key in changed:
        if key not in of.params:
            raise StrategyError(unknown(f"parameter of {of.name}", key, of.params))
    at_players = {n: {k: v for k, v in own.items() if k not in changed} for n, own in of.at_players.items()}
    return replace(
        of,
        name=name,
        handicap={**of.handicap, **(handicap or {})},
        params={**of.params, **changed},
        at_players=at_players,
        original=of.original or of.name,
    )


def with_random(of: Strategy, decisions: Iterable[str]) -> Strategy:
    """Return a strategy that takes some of its decisions at random, to see how much they matter.

    Raises
    ------
    StrategyError
        If there is no such decision, or the game has no strategy that plays at random.
    """
    found = tuple(decisions)
    for decision in found:
        if decision not in of.functions:
            raise StrategyError(unknown("decision", decision, of.functions))
    blind = find(of.game, RANDOM)
    functions = {name: blind.functions[name] if name in found else own for name, own in of.functions.items()}
    return replace(of, functions=functions, sources={**of.sources, **blind.sources}, at_random=(*of.at_random, *found))


def _resolve_all(found: list[Definition], loaded: list[Strategy], sources: Mapping[str, str]) -> list[Strategy]:
    """Resolve definitions that may be each other's base."""
    resolved: list[Strategy] = []
    waiting = list(found)
    while waiting:
        names_waiting = {d.name for d in waiting}
        ready = [d for d in waiting if d.base not in names_waiting or d.base == d.name] or waiting
        for definition in ready:
            resolved.append(_resolve(definition, [*loaded, *resolved], shipped=False, sources=sources))
            waiting.remove(definition)
    return resolved


def _resolve(
    definition: Definition, loaded: list[Strategy], shipped: bool, sources: Mapping[str, str] | None = None
) -> Strategy:
    """Return the strategy of a definition: look up its base, merge parameters, give every decision a function."""
    decisions = decision_names(definition.game)
    everything = definition.functions.get(EVERY_DECISION)
    functions = dict.fromkeys(decisions, everything) if everything else dict(definition.functions)
    base = None
    if definition.base is not None:
        if definition.base == definition.name:
            raise StrategyError(f"{definition.where}: {definition.name} names itself as its base")
        try:
            base = find(definition.game, definition.base, loaded)
        except StrategyError as error:
            raise StrategyError(f"{definition.where}: base: {error}") from None
    missing = [d for d in decisions if d not in functions]
    if missing and base is None:
        raise StrategyError(f"{definition.where}: {definition.name} has no base and leaves out {', '.join(missing)}")
    params, at_players = _merge_params(definition, base)
    if len(params) > MAX_PARAMS:
        raise StrategyError(f"{definition.where}: {len(params)} parameters, at most {MAX_PARAMS} are possible")
    tables = base.tables if base else ()
    own_sources = loading.shipped_sources(definition) if sources is None else dict(sources)
    return Strategy(
        game=definition.game,
        name=definition.name,
        idea=definition.idea,
        source=definition.source,
        kind=definition.kind,
        base=definition.base,
        params=params,
        at_players=at_players,
        functions={d: functions[d] if d in functions else base.functions[d] for d in decisions},  # type: ignore[union-attr]
        tables=(*tables, definition.table) if definition.table else tables,
        sources={**(base.sources if base else {}), **own_sources},
        shipped=shipped,
        where=definition.where,
    )


def _merge_params(definition: Definition, base: Strategy | None) -> tuple[dict[str, int], dict[int, dict[str, int]]]:
    """Return a definition's parameters over its base's, and those that differ by the number of players."""
    params = dict(base.params) if base else {}
    own = [definition.params, *definition.at_players.values()]
    if definition.kind == "policy":
        params.update(definition.params)
    for key in (key for weights in own for key in weights):
        if key not in params:
            at = f":{definition.lines[key]}" if key in definition.lines else ""
            kind = f"weight of {definition.base}" if definition.base else "parameter"
            raise StrategyError(f"{definition.where}{at}: {unknown(kind, key, params)}")
    params.update(definition.params)
    at_players: dict[int, dict[str, int]] = {}
    for n_players in {*(base.at_players if base else {}), *definition.at_players}:
        inherited = base.at_players.get(n_players, {}) if base else {}
        kept = {key: value for key, value in inherited.items() if key not in definition.params}
        at_players[n_players] = {**kept, **definition.at_players.get(n_players, {})}
    return params, at_players


RANDOM = "random"
"""The strategy that plays at random."""

_compiled: dict[tuple[Any, ...], tuple[int, Any]] = {}
"""Function and records -> address and owner, so that entrants share compiled functions."""


def _ships(function: Callable[..., Any]) -> bool:
    """Return whether a decision's function is the project's own."""
    return function.__module__.startswith(f"{__package__}.")


def enter(entered: Strategy, spec: GameSpec, edition: Any, n_players: int) -> Entrant:
    """Compile a strategy and prepare its table.

    Parameters
    ----------
    entered : Strategy
        From `find`, `load_file` or `load_stored`.
    spec : GameSpec
        Its game.
    edition : Edition
        Cards and rules in force.
    n_players : int
        Players at the table.

    Returns
    -------
    Entrant
        What the runner seats.

    Raises
    ------
    StrategyError
        If a function does not compile or does not answer with an integer, or the table cannot be prepared.
    TaflError
        If its handicap is not possible.
    """
    from simcore.accel import DecisionError, compile_decision

    handicap = no_handicap()
    if entered.handicap:
        handicap = pack_handicap(spec.items(edition, n_players), entered.handicap, edition.withheld, entered.name)
    addresses, owners, locations = [], [], []
    for decision in spec.decisions:
        function = entered.functions[decision.name]
        key = (function, spec.game_dtype, spec.own_dtype)
        if key not in _compiled:
            # A user's helpers are no part of the cache's key: an edited one would go on being used.
            try:
                _compiled[key] = compile_decision(function, spec.game_dtype, spec.own_dtype, cached=_ships(function))
            except DecisionError as error:
                raise StrategyError(f"{location(function)}: {decision.name} of {entered.name} {error}") from None
        address, owner = _compiled[key]
        addresses.append(address)
        owners.append(owner)
        locations.append(location(function))
    params = entered.params_for(n_players)
    param = np.zeros(MAX_PARAMS, np.int64)
    param[: len(params)] = list(params.values())
    return Entrant(
        name=entered.name,
        address=np.array(addresses, np.uint64),
        param=param,
        table=_prepare(entered, spec, edition, n_players),
        location=tuple(locations),
        owners=tuple(owners),
        handicap=handicap,
        ships=all(_ships(function) for function in entered.functions.values()),
    )


_prepared: dict[tuple[Any, ...], np.ndarray] = {}


def _prepare(entered: Strategy, spec: GameSpec, edition: Any, n_players: int) -> np.ndarray:
    """Return the joined tables of a strategy, int64; the same array for all entrants that prepare the same."""
    params = entered.params_for(n_players)
    key = (entered.tables, tuple(params.items()), spec.game_id, edition.digest, n_players)
    if key in _prepared:
        return _prepared[key]
    parts = [np.zeros(0, np.int64)]
    for table in entered.tables:
        game = spec.filled(edition, n_players)
        where = f"{location(table)}: {getattr(table, '__name__', 'table')}, the table of {entered.name},"
        try:
            wants_params = len(inspect.signature(table).parameters) == 2
            part = np.asarray(table(game[0], params) if wants_params else table(game[0]))
        except Exception as error:
            raise StrategyError(f"{where} raises {type(error).__name__}: {error}") from error
        if part.ndim != 1 or part.dtype.kind not in "iub":
            raise StrategyError(
                f"{where} must return a one-dimensional array of integers, not {part.ndim} x {part.dtype}"
            )
        parts.append(part.astype(np.int64))
    _prepared[key] = np.ascontiguousarray(np.concatenate(parts))
    return _prepared[key]
