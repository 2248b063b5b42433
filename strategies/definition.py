"""How a strategy is declared: the decorator, the TOML file, and the checks on both."""

from __future__ import annotations

import importlib
import inspect
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.contract import StrategyError
from simcore.naming import unknown

ROOT = Path(__file__).resolve().parent
PROFILES = ROOT / "profiles"
DEFAULT_BASE = "balanced"
EVERY_DECISION = "*"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PROFILE_KEYS = ("game", "name", "idea", "source", "base", "weights", "players")


@dataclass(frozen=True)
class Definition:
    """What a file says about one strategy, before its base is looked up.

    Attributes
    ----------
    game, name, idea, source : str
        See `strategy`.
    kind : {'policy', 'parameter set'}
        Compiled functions, or weights of another strategy.
    base : str or None
        The strategy that decides what this one leaves out.
    params : mapping
        Parameter name -> integer.
    at_players : mapping
        Number of players -> parameters that differ at such a table.
    functions : mapping
        Decision name -> plain Python function; `EVERY_DECISION` for one that takes them all.
    table : callable or None
        ``game record -> int64 array``.
    where : str
        File (and line) for messages.
    module : str
        Module that defined it; empty for a TOML file.
    lines : mapping
        Parameter name -> its line in the TOML file.
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
    table: Callable[[Any], Any] | None
    where: str
    module: str
    lines: Mapping[str, int]


definitions: dict[str, list[Definition]] = {}
"""Module name -> the strategies it declared."""


def strategy(
    game: str,
    name: str,
    idea: str,
    source: str = "",
    base: str | None = DEFAULT_BASE,
    params: Mapping[str, int] | None = None,
    table: Callable[..., Any] | None = None,
    at_players: Mapping[int, Mapping[str, int]] | None = None,
) -> Callable[[Any], Any]:
    """Declare the decorated class or function to be a strategy.

    A class has functions named after the decisions they take, each ``(game, own, n_options) -> index`` without
    ``self``. A function takes every decision; ``own.decision`` is the number of the one that is asked.

    Parameters
    ----------
    game : str
        ``"nidavellir"``.
    name : str
        Lower case words joined by hyphens.
    idea : str
        One sentence: what the strategy tries.
    source : str
        Where the idea comes from.
    base : str or None
        The strategy that takes the decisions a class leaves out; None if it leaves out nothing. A function has no base.
    params : mapping, optional
        Name -> integer. Names that the base has change the base's values; new names follow the base's in
        ``own.param : int64[64]``, in the order given.
    table : callable, optional
        ``table(game)`` or ``table(game, params)``, returning ``int64[:]``; called once for each edition and number of
        players with a public record of a game in which only the edition is filled in. A decision reads it as
        ``simcore.accel.array_at(own.table, own.n_table)``. If the base has a table too, the base's comes first.
    at_players : mapping, optional
        Number of players -> parameters that differ at such a table.

    Returns
    -------
    callable
        A decorator that returns what it decorates unchanged.

    Raises
    ------
    StrategyError
        If the declaration cannot be right: unknown decision, wrong arguments, a value that is no integer.
    """

    def decorate(thing: Any) -> Any:
        where = _where(thing)
        is_function = inspect.isfunction(plain(thing))
        _check_words(where, game, name, idea, base)
        _check_params(where, params or {}, {})
        for weights in (at_players or {}).values():
            _check_params(where, weights, {})
        functions = _decision_functions(thing, game, where)
        definitions.setdefault(thing.__module__, []).append(
            Definition(
                game=game,
                name=name,
                idea=idea,
                source=source,
                kind="policy",
                base=None if is_function else base,
                params=dict(params or {}),
                at_players={int(n): dict(weights) for n, weights in (at_players or {}).items()},
                functions=functions,
                table=table,
                where=where,
                module=thing.__module__,
                lines={},
            )
        )
        return thing

    return decorate


def plain(function: Any) -> Any:
    """Return the plain Python function of a function, a static method or a compiled function."""
    function = getattr(function, "__func__", function)
    return getattr(function, "py_func", function)


def shown(path: str | Path) -> str:
    """Return a file's name for messages: relative to tafl's folder, or to the present one, where it lies inside."""
    path = Path(path)
    for folder in (ROOT.parent, Path.cwd()):
        if path.is_absolute() and path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return str(path)


def location(function: Callable[..., Any]) -> str:
    """Return ``file:line`` of a function."""
    code = plain(function).__code__
    return f"{shown(code.co_filename)}:{code.co_firstlineno}"


def _where(thing: Any) -> str:
    if inspect.isfunction(plain(thing)):
        return location(thing)
    for item in vars(thing).values():
        if inspect.isfunction(plain(item)) and plain(item).__module__ == thing.__module__:
            return shown(plain(item).__code__.co_filename)
    return shown(inspect.getsourcefile(thing) or thing.__module__)


def games() -> list[str]:
    """Return the games that have a folder of strategies."""
    return sorted(p.parent.name for p in ROOT.glob("*/__init__.py") if p.parent != PROFILES)


def check_game(game: str, where: str = "") -> None:
    """Refuse a game that has no strategies."""
    if game not in games():
        raise StrategyError(f"{where}{': ' if where else ''}{unknown('game', str(game), games())}")


def decision_names(game: str) -> tuple[str, ...]:
    """Return the names of a game's decisions in the order of their numbers."""
    check_game(game)
    return tuple(d.name for d in importlib.import_module(f"simcore.{game}.spec").SPEC.decisions)


def _check_words(where: str, game: Any, name: Any, idea: Any, base: Any) -> None:
    for key, value in (("game", game), ("name", name), ("idea", idea)):
        if not isinstance(value, str) or not value.strip():
            raise StrategyError(f"{where}: {key} must be a text, not {value!r}")
    if not _NAME.fullmatch(name):
        raise StrategyError(f"{where}: {name!r} is no name for a strategy; use lower case words joined by hyphens")
    if base is not None and not isinstance(base, str):
        raise StrategyError(f"{where}: base must be the name of a strategy, not {base!r}")
    check_game(game, where)


def _check_params(where: str, params: Mapping[str, Any], lines: Mapping[str, int]) -> None:
    for key, value in params.items():
        at = f"{where}:{lines[key]}" if key in lines else where
        if isinstance(value, bool) or not isinstance(value, int):
            raise StrategyError(f"{at}: {key} must be an integer, not {value!r}")
        if not -(2**40) <= value <= 2**40:
            raise StrategyError(f"{at}: {key} must lie between -2^40 and 2^40, not be {value}")


def _decision_functions(thing: Any, game: str, where: str) -> dict[str, Callable[..., int]]:
    """Return decision name -> function of a decorated class, or `EVERY_DECISION` -> a decorated function."""
    decisions = decision_names(game)
    if inspect.isfunction(plain(thing)):
        _check_arguments(plain(thing))
        return {EVERY_DECISION: plain(thing)}
    found: dict[str, Callable[..., int]] = {}
    for name, item in vars(thing).items():
        function = plain(item)
        if not inspect.isfunction(function):
            continue
        if name in decisions:
            _check_arguments(function)
            found[name] = function
        elif name.startswith("choose"):
            raise StrategyError(f"{location(function)}: {unknown('decision', name, decisions)}")
    if not found:
        raise StrategyError(f"{where}: no function is named after a decision (there are: {', '.join(decisions)})")
    return found


def _check_arguments(function: Callable[..., Any]) -> None:
    arguments = list(inspect.signature(function).parameters)
    if len(arguments) != 3:
        hint = ", without self" if arguments[:1] == ["self"] else ""
        raise StrategyError(
            f"{location(function)}: {function.__name__} must take (game, own, n_options){hint}, "
            f"not ({', '.join(arguments)})"
        )


def read_text(path: Path) -> str:
    """Return the text of a strategy file, or say in one sentence why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise StrategyError(f"there is no strategy file {shown(path)}") from None
    except UnicodeDecodeError:
        raise StrategyError(f"{shown(path)} is no UTF-8 text") from None
    except OSError as error:
        raise StrategyError(f"{shown(path)} cannot be read: {error.strerror}") from None


def _line_of(text: str, key: str) -> int:
    """Return the line on which a TOML file sets `key` (1 if none is found)."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(rf"\s*\[?\s*[\"']?{re.escape(key)}[\"']?\s*[=\]]", line):
            return number
    return 1


def read_profile(path: Path) -> Definition:
    """Read a parameter set.

    Parameters
    ----------
    path : pathlib.Path
        A TOML file with ``game``, ``name``, ``idea``, optionally ``source`` and ``base``, a table ``[weights]`` and
        tables like ``[players.2]`` with the weights that differ at a table of two.

    Returns
    -------
    Definition

    Raises
    ------
    StrategyError
        With file and line.
    """
    text = read_text(path)
    where = shown(path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StrategyError(f"{where} is no TOML file: {error}") from None
    for key in content:
        if key not in _PROFILE_KEYS:
            raise StrategyError(f"{where}:{_line_of(text, key)}: {unknown('key', key, _PROFILE_KEYS)}")
    for key in ("game", "name", "idea"):
        if key not in content:
            raise StrategyError(f'{where}: the line {key} = "..." is missing')
    weights = content.get("weights", {})
    if not isinstance(weights, dict):
        raise StrategyError(f"{where}:{_line_of(text, 'weights')}: write the weights below a line [weights]")
    players = content.get("players", {})
    if not isinstance(players, dict) or not all(n.isdigit() and isinstance(w, dict) for n, w in players.items()):
        raise StrategyError(
            f"{where}:{_line_of(text, 'players')}: write weights for two players below a line [players.2]"
        )
    lines = {key: _line_of(text, key) for table in (weights, *players.values()) for key in table}
    base = content.get("base", DEFAULT_BASE)
    _check_words(where, content["game"], content["name"], content["idea"], base)
    for table in (weights, *players.values()):
        _check_params(where, table, lines)
    return Definition(
        game=content["game"],
        name=content["name"],
        idea=content["idea"],
        source=str(content.get("source", "")),
        kind="parameter set",
        base=base,
        params=weights,
        at_players={int(n): table for n, table in players.items()},
        functions={},
        table=None,
        where=where,
        module="",
        lines=lines,
    )
