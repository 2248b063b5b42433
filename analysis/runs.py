"""Beginning a run, going on with one, replaying one of its games: names become strategies, strategies a run folder."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analysis import stopping
from simcore import blocks
from simcore.cluster import play_on_cluster
from simcore.contract import DataError, Entrant, GameSpec, TaflError
from simcore.editions import parse_rules
from simcore.games import find_entry, find_game
from simcore.items import check_withheld
from simcore.manifest import default_folder, make_manifest
from simcore.naming import unknown
from simcore.runner import Plan, Progress, default_threads, play_run, warm_up
from simcore.store import (
    EDITION_NAME,
    LOG_NAME,
    STRATEGIES_NAME,
    RunResult,
    RunStore,
    check_new,
    create_run,
    load_result,
    open_run,
)
from strategies import registry

__all__ = [
    "Choice",
    "Setup",
    "begin_run",
    "choose",
    "choose_again",
    "default_edition",
    "go_on",
    "load_plan",
    "load_result",
    "make_ready",
    "play",
    "set_up",
]


@dataclass(frozen=True)
class Choice:
    """A line-up that was found and checked, not compiled yet.

    Attributes
    ----------
    spec, edition
        The game with its cards and rules.
    lineup : tuple of str
        The strategy of each seat.
    strategies : tuple of Strategy
        The distinct ones, in the order of `simcore.blocks.entrants`.
    """

    spec: GameSpec
    edition: Any
    lineup: tuple[str, ...]
    strategies: tuple[registry.Strategy, ...]

    def modules(self) -> list[str]:
        """Return the modules whose functions have to be compiled, a user's own files left out: they always are."""
        functions = [function for strategy in self.strategies for function in strategy.functions.values()]
        shipped = {f.__module__ for f in functions if f.__module__.startswith(f"{registry.__package__}.")}
        return [f"simcore.{self.spec.game_id}.game", *sorted(shipped)]


@dataclass(frozen=True)
class Setup(Choice):
    """A line-up made ready to play.

    Attributes
    ----------
    entrants : tuple of Entrant
        The strategies, compiled.
    """

    entrants: tuple[Entrant, ...]

    def plan(self, seating_mode: str, seed: int) -> Plan:
        """Return what the runner plays."""
        _, seats = blocks.entrants(self.lineup)
        return Plan(self.spec, self.edition, self.entrants, blocks.seatings(seats, seating_mode), seed)


def default_edition(spec: GameSpec) -> str:
    """Return the edition that is played when none is named: the first preset."""
    return next(iter(spec.presets))


def load_edition(spec: GameSpec, name: str | None, rules: Sequence[str], withheld: Sequence[str] = ()) -> Any:
    """Return an edition by name or folder with ``KEY=VALUE`` switches over it, items withheld from it.

    Its name says which switches were changed and what is withheld, wherever results built on it are shown.
    """
    if name is None:
        name = default_edition(spec)
    edition = spec.load_edition(name, parse_rules(rules, spec.rule_switches), tuple(withheld))
    if not rules:
        return edition
    before = spec.load_edition(name, {}).rules
    changed = [f"{key}={value}" for key, value in edition.rules.items() if value != before[key]]
    return replace(edition, name=f"{edition.name} with {', '.join(changed)}") if changed else edition


def load_files(strategy_files: Sequence[str | Path]) -> list[registry.Strategy]:
    """Return the strategies of a user's files; one may be the base of another in a later file."""
    loaded: list[registry.Strategy] = []
    for path in strategy_files:
        loaded += registry.load_file(path, loaded)
    return loaded


def find_strategies(
    game: str, names: Sequence[str], loaded: Sequence[registry.Strategy]
) -> tuple[registry.Strategy, ...]:
    """Return the strategies of these names: shipped ones and those of a user's files.

    Raises
    ------
    TaflError
        There is none of such a name.
    """
    known = {*registry.names(game), *(s.name for s in loaded if s.game == game)}
    for name in names:
        if name not in known:
            raise TaflError(unknown("strategy", name, sorted(known)))
    return tuple(registry.find(game, name, loaded) for name in names)


def choose(
    game: str,
    names: Sequence[str],
    n_players: int | None = None,
    edition: str | None = None,
    rules: Sequence[str] = (),
    strategy_files: Sequence[str | Path] = (),
    withheld: Sequence[str] = (),
) -> Choice:
    """Find and check everything a comparison needs.

    Parameters
    ----------
    game : str
        ``nidavellir``.
    names : sequence of str
        Strategies; fewer than seats repeat in turn. With `strategy_files` alone, all of theirs.
    n_players : int, optional
        Seats; by default one for each strategy, and no fewer than the game needs.
    edition : str, optional
        A shipped edition or a folder.
    rules : sequence of str
        ``KEY=VALUE`` switches.
    strategy_files : sequence of path
        Files of strategies of one's own.
    withheld : sequence of str
        Ids of items that nobody can have (`simcore.items`).

    Raises
    ------
    TaflError
        With one sentence on what is wrong and what could be right.
    """
    entry = find_entry(game)
    loaded = load_files(strategy_files)
    names = list(names) or [s.name for s in loaded if s.game == game]
    if not names:
        raise TaflError(f"name at least one strategy; `tafl strategies {game}` lists them.")
    if n_players is None:
        n_players = max(entry.min_players, len(names))
    if not entry.min_players <= n_players <= entry.max_players:
        what = f"{len(names)} strategies need {n_players} seats, but " if len(names) == n_players else ""
        nearest = min(max(n_players, entry.min_players), entry.max_players)
        raise TaflError(
            f"{what}{entry.title} is for {entry.min_players} to {entry.max_players} players, not {n_players}: "
            f"choose --players {nearest} and as many strategies or fewer."
        )
    lineup = blocks.fill_lineup(names, n_players)
    distinct, _ = blocks.entrants(lineup)
    strategies = find_strategies(game, distinct, loaded)
    spec = find_game(game)
    loaded_edition = load_edition(spec, edition, rules, withheld)
    check_withheld(spec.items(loaded_edition, n_players), loaded_edition.withheld)
    return Choice(spec, loaded_edition, tuple(lineup), strategies)


def make_ready(choice: Choice) -> Setup:
    """Compile a line-up's strategies.

    Raises
    ------
    StrategyError
        If one does not compile, or its table cannot be prepared.
    """
    spec, edition, n_players = choice.spec, choice.edition, len(choice.lineup)
    entrants = tuple(registry.enter(strategy, spec, edition, n_players) for strategy in choice.strategies)
    return Setup(spec, edition, choice.lineup, choice.strategies, entrants)


def set_up(
    game: str,
    names: Sequence[str],
    n_players: int | None = None,
    edition: str | None = None,
    rules: Sequence[str] = (),
    strategy_files: Sequence[str | Path] = (),
    withheld: Sequence[str] = (),
) -> Setup:
    """Find, check and compile everything a comparison needs: `choose`, then `make_ready`."""
    return make_ready(choose(game, names, n_players, edition, rules, strategy_files, withheld))


def fresh_seed() -> int:
    """Return a seed nobody chose, short enough to be written down."""
    return secrets.randbelow(10**9)


def begin_run(
    choice: Choice,
    n_games: int,
    seed: int | None = None,
    seating: str = "rotations",
    out: str | Path | None = None,
    keep_games: bool | Sequence[str] = False,
    shard: tuple[int, int] | None = None,
    rule: stopping.StoppingRule | None = None,
    marks: Mapping[str, Any] | None = None,
) -> RunStore:
    """Make the run's folder.

    Parameters
    ----------
    choice : Choice
        From `choose` or `set_up`.
    n_games : int
        Rounded up to whole blocks.
    seed : int, optional
        Fresh if none is given; the manifest has it.
    seating : {'rotations', 'fixed', 'all'}
        See `simcore.blocks.seatings`.
    out : path, optional
        A new folder under ``runs/`` by default, named by game, line-up and seed.
    keep_games : bool or sequence of str
        Keep per-game rows (`simcore.games_file`), or these columns of them.
    shard : (int, int), optional
        Number, from 1, and count: play only this share of the blocks. All shards need the same seed.
    rule : StoppingRule, optional
        What stops the run; `n_games` are then the most.
    marks : mapping, optional
        What the manifest says besides, such as the place of the run in a series.
    """
    seed = fresh_seed() if seed is None else seed
    manifest = {**_manifest(choice, n_games, seed, seating, keep_games, rule), **(marks or {})}
    sources: dict[str, str] = {}
    for strategy in choice.strategies:
        sources.update(strategy.sources)
    ending = f"-shard-{shard[0]}-of-{shard[1]}" if shard else ""
    folder = default_folder(choice.spec.game_id, choice.lineup, seed, ending=ending) if out is None else Path(out)
    columns = choice.spec.columns(choice.edition, len(choice.lineup))
    return create_run(folder, manifest, columns, choice.edition.files, sources, shard)


def described(strategy: registry.Strategy, n_players: int) -> dict[str, Any]:
    """Return what a manifest says of a strategy."""
    return {
        "name": strategy.name,
        "kind": strategy.kind,
        "idea": strategy.idea,
        "source": strategy.source,
        "params": strategy.params_for(n_players),
        "files": sorted(strategy.sources),
        **({"original": strategy.original} if strategy.original else {}),
        **({"handicap": dict(strategy.handicap)} if strategy.handicap else {}),
        **({"at_random": list(strategy.at_random)} if strategy.at_random else {}),
    }


def _manifest(
    choice: Choice,
    n_games: int,
    seed: int,
    seating: str,
    keep_games: bool | Sequence[str] = False,
    rule: stopping.StoppingRule | None = None,
) -> dict[str, Any]:
    entrants = [described(strategy, len(choice.lineup)) for strategy in choice.strategies]
    made = make_manifest(choice.spec, choice.edition, choice.lineup, entrants, n_games, seed, seating, keep_games)
    return made if rule is None else {**made, "stopping": stopping.entry(rule, made)}


def check_numbers(
    choice: Choice,
    n_games: int,
    seed: int | None,
    seating: str,
    out: str | Path | None,
    keep_games: bool = False,
    shard: tuple[int, int] | None = None,
    rule: stopping.StoppingRule | None = None,
) -> None:
    """Refuse what `begin_run` would refuse, before anything is compiled.

    Raises
    ------
    TaflError
        If the number of games, the seed, the seating, the shard, the folder or the rule cannot be.
    """
    manifest = _manifest(choice, n_games, seed or 0, seating, keep_games, rule)
    if shard is not None:
        if seed is None:
            raise TaflError("the shards of a run share its luck: give each of them the same --seed.")
        blocks.shard_span(*shard, manifest["n_blocks"])
    if out is not None:
        check_new(out)


def choose_again(folder: Path, manifest: dict[str, Any]) -> Choice:
    """Find what a run folder keeps: its own edition and strategies, whatever has become of the originals."""
    spec = find_game(manifest["game"])
    edition = spec.load_edition(str(folder / EDITION_NAME), {})
    if edition.digest != manifest["edition"]["digest"]:
        raise DataError(f"the edition kept in '{folder / EDITION_NAME}' is not the one the run was begun with.")
    names, _ = blocks.entrants(manifest["lineup"])
    stored = folder / STRATEGIES_NAME
    entries = {entry["name"]: entry for entry in manifest["entrants"]}
    n_players = manifest["n_players"]
    strategies = tuple(_restored(stored, spec.game_id, entries[name], n_players) for name in names)
    return Choice(spec, edition, tuple(manifest["lineup"]), strategies)


def _restored(stored: Path, game: str, entry: dict[str, Any], n_players: int) -> registry.Strategy:
    """Return a strategy as it was entered: its name, parameters and handicap are the manifest's, its code is stored."""
    strategy = registry.load_stored(stored, game, entry.get("original", entry["name"]))
    if "original" in entry:
        strategy = registry.variant(strategy, entry["name"], entry.get("handicap"))
    elif "handicap" in entry:
        strategy = replace(strategy, handicap=entry["handicap"])
    if "at_random" in entry:
        strategy = registry.with_random(strategy, entry["at_random"])
    present, played = strategy.params_for(n_players), entry["params"]
    if present == played:
        return strategy
    if set(present) != set(played):
        raise DataError(f"the parameters of {entry['name']} in '{stored}' are not those that the run was begun with.")
    return replace(strategy, params={key: played[key] for key in present}, at_players={})


def go_on(folder: str | Path) -> tuple[Choice, RunStore]:
    """Open a run folder to play what is missing; `make_ready` its line-up, then `play`.

    Raises
    ------
    TaflError
        If it is no run folder, is in use, or was begun by another version of the rules.
    """
    store = open_run(folder)
    try:
        return choose_again(store.folder, store.manifest), store
    except BaseException:
        store.close()
        raise


def first_command(folder: str | Path) -> str | None:
    """Return the command line that began a run, from its log; None if it is not known."""
    try:
        lines = (Path(folder) / LOG_NAME).read_text(encoding="utf-8").splitlines()
        return next((str(json.loads(line)["command"]) for line in lines if '"command"' in line), None)
    except (OSError, ValueError, KeyError):
        return None


def load_plan(folder: Path, manifest: dict[str, Any]) -> Plan:
    """Return what a worker of a cluster plays, from its own copy of the run's edition and strategies."""
    return make_ready(choose_again(folder, manifest)).plan(manifest["seating"], manifest["seed"])


def play(
    setup: Setup,
    store: RunStore,
    n_threads: int | None = None,
    progress: Callable[[Progress], Any] | None = None,
    cluster: str | None = None,
    **options: Any,
) -> RunResult:
    """Compile if need be, then play what is missing of a run.

    Parameters
    ----------
    setup : Setup
    store : RunStore
    n_threads : int, optional
        All cores by default.
    progress : callable, optional
    cluster : str, optional
        A scheduler's address or ``local:N``: play there (`simcore.cluster.play_on_cluster`), not on threads
        (`simcore.runner.play_run`).
    **options
        As these two take them.
    """
    manifest = store.manifest
    warm_up(setup.plan(manifest["seating"], manifest["seed"]))
    rule = stopping.rule_of(manifest)
    options["rule"] = None if rule is None else rule.decide
    if cluster is None:
        return play_run(setup.spec, setup.edition, setup.entrants, store, n_threads, progress=progress, **options)
    options.pop("abandon", None)  # the worker's process ends, not this one
    return play_on_cluster(
        store,
        cluster,
        f"{__name__}:{load_plan.__name__}",
        n_threads=n_threads or default_threads(),
        progress=progress,
        **options,
    )


def so_far(result: RunResult, progress: Progress) -> RunResult:
    """Return what is known while a run goes on, for looking at it the same way as at a finished one."""
    sums = progress.sums
    n_blocks, n_games = (int(sums[name][0]) for name in ("n_blocks", "n_games"))
    return replace(result, sums=sums, n_blocks=n_blocks, n_games=n_games, complete=False)
