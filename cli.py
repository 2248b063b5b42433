"""The ``tafl`` command. Nothing heavy is imported before a command needs it: ``tafl --help`` answers at once."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from analysis.runs import Setup
    from simcore.store import RunResult, RunStore

HELP = """Who wins, by how much, and how sure is that? Millions of games between strategies of your choice.

Begin with `tafl games`, then `tafl strategies nidavellir`, then `tafl compare nidavellir planner greedy`."""

EXIT_CODES = "Exit codes: 0 done, 2 usage, 3 bad data or strategy, 4 a strategy that never answers, 130 interrupted."

app = typer.Typer(help=HELP, epilog=EXIT_CODES, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
edition_app = typer.Typer(help="Copy a game's cards and rules, check a copy.", no_args_is_help=True)
app.add_typer(edition_app, name="edition")

Game = Annotated[str, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")]
Run = Annotated[Path, typer.Argument(help="A run's folder.", metavar="RUN")]
EditionOption = Annotated[
    str | None,
    typer.Option("--edition", help="A shipped edition (see `tafl rules GAME`) or your own folder.", metavar="NAME"),
]
RuleOption = Annotated[
    list[str] | None, typer.Option("--rule", help="Set one rule switch; may be repeated.", metavar="KEY=VALUE")
]
FileOption = Annotated[
    list[Path] | None,
    typer.Option("--strategy-file", help="A strategy of your own, .py or .toml; may be repeated.", metavar="FILE"),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, no progress.")]


def whole_number(text: str) -> int:
    """Return the whole number that a user wrote: ``1_000_000``, ``1000000``, ``1e6`` and ``1M`` are the same.

    Raises
    ------
    typer.BadParameter
        It is none.
    """
    plain = text.strip().lower().replace("_", "").replace(",", "")
    factor = {"k": 1_000, "m": 1_000_000}.get(plain[-1:], 1)
    if factor > 1:
        plain = plain[:-1]
    try:
        return int(plain) * factor
    except ValueError:
        pass
    try:
        number = float(plain) * factor
    except ValueError:
        number = float("nan")
    if not number.is_integer():
        raise typer.BadParameter(f"{text!r} is no whole number; write it as 100000, 100_000 or 100k.")
    return int(number)


def _number(help_text: str, metavar: str = "N", *names: str) -> Any:
    return typer.Option(*names, help=help_text, metavar=metavar, parser=whole_number)


@app.command()
def games() -> None:
    """List the games."""
    from reports.terminal import print_table
    from simcore.games import GAMES

    rows = [(g.game_id, f"{g.min_players} to {g.max_players}", f"{g.title}, {g.says}") for g in GAMES]
    print_table(("game", "players", "what it is"), rows)


@app.command()
def strategies(game: Game, strategy_file: FileOption = None) -> None:
    """List a game's strategies with the idea of each and where it comes from."""
    from reports.terminal import print_wrapped_table
    from simcore.games import find_entry
    from strategies import registry

    find_entry(game)
    rows = [(s["name"], s["kind"], _idea(s["idea"], s["source"])) for s in registry.describe(game)]
    loaded: list[registry.Strategy] = []
    for path in strategy_file or []:
        loaded += registry.load_file(path, loaded)
    rows += [(s.name, f"{s.kind} (yours)", _idea(s.idea, s.source)) for s in loaded if s.game == game]
    print_wrapped_table(("strategy", "kind", "idea"), rows)


def _idea(idea: str, source: str) -> str:
    return f"{idea} [{source}]" if source else idea


@app.command()
def rules(game: Game, edition: EditionOption = None, rule: RuleOption = None) -> None:
    """Show the rule switches in force, what they mean and what else they can be."""
    from analysis.runs import default_edition, load_edition
    from reports.terminal import print_wrapped_table
    from simcore.games import find_game

    spec = find_game(game)
    loaded = load_edition(spec, edition, rule or [])
    print(f"{spec.title}, edition {loaded.name}. {loaded.provenance.sentence()}\n")
    rows = []
    for switch in spec.rule_switches:
        value = loaded.rules[switch.key]
        others = [choice for choice in switch.choices if choice != value]
        rows.append((switch.key, value, f"{switch.says} [{switch.source}]. Or: {', '.join(others)}."))
    print_wrapped_table(("switch", "in force", "what it decides"), rows)
    print(f"\nShipped editions: {', '.join(spec.presets)}; {default_edition(spec)} is played unless you say otherwise.")


@app.command()
def cards(game: Game, edition: EditionOption = None, rule: RuleOption = None) -> None:
    """List every card, coin and table row, and whether it is sourced."""
    from analysis.runs import load_edition
    from reports.terminal import print_table
    from simcore.games import find_game

    spec = find_game(game)
    loaded = load_edition(spec, edition, rule or [])
    rows = spec.card_rows(loaded)
    header = list(rows[0])
    print_table(header, [[row[key] for key in header] for row in rows])
    print(f"\n{spec.title}, edition {loaded.name}. {loaded.provenance.sentence()}")


@app.command()
def compare(
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Argument(help="One or more; fewer than seats repeat in turn.", metavar="STRATEGY..."),
    ] = None,
    players: Annotated[int | None, _number("Seats at the table; one for each strategy by default.")] = None,
    games: Annotated[int, _number("Games to play, rounded up to whole blocks.")] = 100_000,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: Annotated[Path | None, typer.Option(help="New folder for the run.", metavar="FOLDER")] = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    strategy_file: FileOption = None,
    seating: Annotated[
        str, typer.Option(help="rotations, fixed or all: how a block seats the line-up.", metavar="MODE")
    ] = "rotations",
    threads: Annotated[int | None, _number("Threads; all cores by default.")] = None,
    patience: Annotated[
        float, typer.Option(help="Seconds a strategy has for one decision.", metavar="SECONDS", min=0.1)
    ] = 20.0,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with an interrupted run; takes no strategies.", metavar="RUN")
    ] = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Play strategies against each other and report who wins, by how much, and where the points come from."""
    from analysis import runs

    if threads is not None and threads < 1:
        raise typer.BadParameter(f"--threads must be at least 1, not {threads}.")
    if resume is not None:
        given = {"GAME": game, "--players": players, "--seed": seed, "--out": out, "--edition": edition, "--rule": rule}
        clashing = [name for name, value in given.items() if value is not None]
        if clashing:
            raise typer.BadParameter(f"--resume takes everything from the run: leave out {', '.join(clashing)}.")
        with _said_before_compiling(str(_stored_game(resume)), quiet):
            setup, store = runs.go_on(resume)
    else:
        if game is None:
            raise typer.BadParameter("name a game and some strategies, such as: tafl compare nidavellir planner greedy")
        with _said_before_compiling(game, quiet):
            setup = runs.set_up(game, strategy or [], players, edition, rule or [], strategy_file or [])
            store = runs.begin_run(setup, games, seed, seating, out)
    with store:
        result = _play(setup, store, threads, patience, quiet)
    _finish(result, report)


def _stored_game(folder: Path) -> str:
    from simcore.store import load_result

    game: str = load_result(folder).manifest["game"]
    return game


class _said_before_compiling:  # noqa: N801 - reads as what it does
    """Says that the first run compiles, where it will, so that nobody wonders at the silence."""

    def __init__(self, game: str, quiet: bool):
        self.game, self.quiet = game, quiet

    def __enter__(self) -> None:
        from simcore.accel import is_compiled

        if not self.quiet and not is_compiled(f"simcore.{self.game}.game"):
            print("Compiling the game (once on this machine, about half a minute)...", file=sys.stderr, flush=True)

    def __exit__(self, *_: object) -> None:
        return None


def _play(setup: Setup, store: RunStore, threads: int | None, patience: float, quiet: bool) -> RunResult:
    """Play what is missing of a run, with a line before, one meanwhile, and what could not be used."""
    from analysis import runs
    from reports.numbers import count
    from reports.terminal import progress_line
    from simcore.runner import Interrupted, default_threads

    manifest = store.manifest
    n_threads = threads or default_threads()
    for sentence in store.damaged:
        print(sentence, file=sys.stderr)
    if not quiet:
        print(
            f"{manifest['title']}, {manifest['n_players']} players, edition {manifest['edition']['name']}: "
            f"{count(manifest['n_games'])} games in {count(manifest['n_blocks'])} blocks, seed {manifest['seed']}, "
            f"{n_threads} threads, folder {store.folder}",
            file=sys.stderr,
            flush=True,
        )
    store.log("begin", command=_command(), threads=n_threads)
    show, close = progress_line(store.result(), quiet)
    try:
        result = runs.play(setup, store, n_threads, show, patience=patience)
    except Interrupted as interrupted:
        close()
        print(f"\n{interrupted} Go on with:\n  tafl compare --resume {shlex.quote(str(store.folder))}", file=sys.stderr)
        raise typer.Exit(interrupted.exit_code) from None
    finally:
        close()
    store.log("end", command=_command())
    return result


def _command() -> str:
    return shlex.join(["tafl", *sys.argv[1:]])


def _finish(result: RunResult, report: bool) -> None:
    """Print the result of a run and write its tables, its charts and its page."""
    from analysis.tables import tables, write_csvs
    from reports.terminal import print_result

    found = tables(result)
    write_csvs(found, result.folder / "tables")
    print_result(result, found)
    print(f"\nRun:    {result.folder} (seed {result.manifest['seed']}, tables as CSV in {result.folder / 'tables'})")
    if report:
        from reports.page import write_report

        print(f"Report: {write_report(result, found, result.folder)}")


@app.command()
def report(run: Run) -> None:
    """Write a run's report page, charts and tables again; of an interrupted run, what it has."""
    from simcore.store import load_result

    result = load_result(run)
    if not result.complete:
        manifest = result.manifest
        print(f"The run is not complete: {result.n_blocks} of {manifest['n_blocks']} blocks.", file=sys.stderr)
    _finish(result, report=True)


@app.command()
def replay(
    run: Run,
    game_number: Annotated[int, typer.Argument(help="Game, counted from 0.", metavar="NUMBER", parser=whole_number)],
    json: Annotated[bool, typer.Option("--json", help="Every event as JSON.")] = False,
    any_engine: Annotated[bool, typer.Option(help="Replay although tafl's rules have changed since.")] = False,
) -> None:
    """Play one game of a run again and tell it in words, or event by event as JSON."""
    from analysis.runs import replay_game

    found = replay_game(run, game_number, any_engine)
    if json:
        import json as codec

        data = {
            "game": found.manifest["game"],
            "number": found.game_number,
            "seats": list(found.seat_names),
            "edition": found.manifest["edition"]["name"],
            "seed": found.manifest["seed"],
            "events": found.events,
        }
        print(codec.dumps(data, indent=1, ensure_ascii=False))
    else:
        print(f"{found.manifest['title']}, game {found.game_number} of {run}, seed {found.manifest['seed']}\n")
        print("\n".join(found.lines))


@app.command()
def bench(
    game: Annotated[str, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = "nidavellir",
    seconds: Annotated[float, typer.Option(help="Play time of each measurement.", metavar="SECONDS", min=0.1)] = 1.0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the JSON to a file as well.", metavar="FILE")] = None,
) -> None:
    """Measure games, decisions and draws a second, start-up times and memory on this machine."""
    from benchmarks.speed import run_benchmark

    run_benchmark(game, seconds, json, out)


@edition_app.command("copy")
def edition_copy(
    game: Game,
    folder: Annotated[Path, typer.Argument(help="A new folder.", metavar="FOLDER")],
    edition: EditionOption = None,
    rule: RuleOption = None,
) -> None:
    """Copy a game's tables and switches to a folder of your own, to be edited."""
    from analysis.runs import load_edition
    from simcore.editions import copy_edition
    from simcore.games import find_game

    written = copy_edition(load_edition(find_game(game), edition, rule or []), folder)
    print(f"{len(written)} files written to {folder}. Edit them, then: tafl edition check {shlex.quote(str(folder))}")


@edition_app.command("check")
def edition_check(folder: Annotated[Path, typer.Argument(help="An edition's folder.", metavar="FOLDER")]) -> None:
    """Check an edition's tables: types, counts, names, and that they fit together."""
    from simcore import editions
    from simcore.games import GAMES, find_game

    specs = {game.game_id: find_game(game.game_id) for game in GAMES}
    spec = specs[editions.find_game(folder, {name: spec.data_folder for name, spec in specs.items()})]
    loaded = spec.load_edition(str(folder), {})
    print(f"{folder} is a complete edition of {spec.title}. {loaded.provenance.sentence()}")
    print(f"Use it: tafl compare {spec.game_id} STRATEGY... --edition {shlex.quote(str(folder))}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command: every error a user can mend is one sentence and an exit code, never a traceback."""
    command = typer.main.get_command(app)
    try:
        code = command.main(args=arguments, prog_name="tafl", standalone_mode=False)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # `tafl cards ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:
        code = _explain(error)
    sys.exit(code or 0)


def _explain(error: Exception) -> int:
    """Print what a user can do about an error and return the exit code; anything else goes on as it is."""
    if hasattr(error, "format_message"):  # usage: an unknown option, a missing argument
        if error.format_message():
            print(f"error: {error.format_message()}", file=sys.stderr)
        return 2
    if type(error).__name__ == "Abort":
        return 130
    exit_code = getattr(error, "exit_code", None)
    if exit_code is None:
        raise error
    if str(error):
        print(f"error: {error}", file=sys.stderr)
    return int(exit_code)


if __name__ == "__main__":
    main()
