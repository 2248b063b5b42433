"""The ``tafl`` command. Nothing heavy is imported before a command needs it: ``tafl --help`` answers at once."""

from __future__ import annotations

import os
import signal
import sys


def _leave_at_once(number: int, frame: object) -> None:
    os._exit(130)


try:  # Ctrl-C while Python is still importing: nothing has begun, so there is nothing to say
    _before = signal.signal(signal.SIGINT, _leave_at_once)
except ValueError:  # imported elsewhere than in the main thread
    _before = None

import re
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from reports import shell

HELP = """Who wins, by how much, and how sure is that? Millions of games between strategies of your choice.

Begin with `tafl games`, then `tafl strategies nidavellir`, then `tafl compare nidavellir planner greedy`."""

EXIT_CODES = (
    "Exit codes: 0 done, 2 usage, 3 bad data, a bad strategy or trouble with the disk, 4 a strategy that never "
    "answers, 130 interrupted."
)

NOTHING_LOST = "interrupted: nothing was begun that could be lost."
GAMES_BY_DEFAULT = 100_000
_NUMBER = re.compile(r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)(?:\.\d+)?(?:e\+?\d{1,3})?)([km]?)", re.ASCII)

app = typer.Typer(help=HELP, epilog=EXIT_CODES, no_args_is_help=True, add_completion=False, rich_markup_mode=None)
edition_app = typer.Typer(help="Copy a game's cards and rules, check a copy.", no_args_is_help=True)
app.add_typer(edition_app, name="edition")


def whole_number(text: str) -> int:
    """Return the whole number that a user wrote: ``1_000_000``, ``1000000``, ``1e6`` and ``1M`` are the same.

    Raises
    ------
    typer.BadParameter
        It is none.
    """
    from fractions import Fraction  # exact, where a float would round a long seed

    shown = text if len(text) <= 40 else f"{text[:37]}..."
    match = _NUMBER.fullmatch(text.strip().lower())
    if match is None or len(text) > 1000:
        raise typer.BadParameter(f"{shown!r} is no whole number; write it as 100000, 100_000 or 100k.")
    number = Fraction(re.sub("[_,]", "", match[1])) * {"": 1, "k": 1_000, "m": 1_000_000}[match[2]]
    if number.denominator != 1:
        raise typer.BadParameter(f"{shown!r} is no whole number; write it as 100000, 100_000 or 100k.")
    if abs(number) >= 10**40:
        raise typer.BadParameter(f"{shown!r} is more than can be counted here.")
    return int(number)


def _version(wanted: bool) -> None:
    if wanted:
        from simcore.manifest import tafl_version

        print(f"tafl {tafl_version()}")
        raise typer.Exit


def _number(help_text: str, *names: str) -> Any:
    return typer.Option(*names, help=help_text, metavar="N", parser=whole_number)


Game = Annotated[str, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")]
Run = Annotated[Path, typer.Argument(help="A run's folder.", metavar="RUN")]
EditionOption = Annotated[
    str | None,
    typer.Option("--edition", help="A shipped edition (see `tafl rules GAME`) or your own folder.", metavar="NAME"),
]
RuleOption = Annotated[
    list[str] | None, typer.Option("--rule", help="Set one rule switch; may be repeated.", metavar="KEY=VALUE")
]
WithholdOption = Annotated[
    list[str] | None,
    typer.Option(
        "--withhold",
        help="Take an item out of the game, such as hero:uline; a withheld card becomes a blank. May be repeated.",
        metavar="ITEM",
    ),
]
FileOption = Annotated[
    list[Path] | None,
    typer.Option("--strategy-file", help="A strategy of your own, .py or .toml; may be repeated.", metavar="FILE"),
]
ThreadsOption = Annotated[int | None, _number("Threads; all cores by default.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only, no progress.")]
JsonProgressOption = Annotated[
    bool, typer.Option("--json-progress", help="For programs: progress as lines of JSON on the error stream.")
]
ClusterOption = Annotated[
    str | None,
    typer.Option(help="Play on a Dask cluster: a scheduler's address, or local:N here.", metavar="ADDRESS"),
]
PatienceOption = Annotated[
    float, typer.Option(help="Seconds a strategy has for one decision.", metavar="SECONDS", min=0.1)
]


@app.callback()
def _tafl(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


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
    from analysis.runs import load_files
    from reports.terminal import print_wrapped_table
    from simcore.games import find_entry
    from strategies import registry

    find_entry(game)
    rows = [(s["name"], s["kind"], _idea(s["idea"], s["source"])) for s in registry.describe(game)]
    own = load_files(strategy_file or [])
    rows += [(s.name, f"{s.kind} (yours)", _idea(s.idea, s.source)) for s in own if s.game == game]
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
    """List every card, coin and gem, and whether it is sourced."""
    from analysis.runs import load_edition
    from reports.terminal import print_grouped_table
    from simcore.games import find_game

    spec = find_game(game)
    loaded = load_edition(spec, edition, rule or [])
    rows = spec.card_rows(loaded)
    header = sorted(rows[0], key="text".__eq__)  # what is long comes last
    spare = ("id", "confidence", "copies", "players", "text")
    print_grouped_table(header, [[row[key] for key in header] for row in rows], spare)
    print(f"\n{spec.title}, edition {loaded.name}. {loaded.provenance.sentence()}")


@app.command()
def compare(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Argument(help="One or more; fewer than seats repeat in turn.", metavar="STRATEGY..."),
    ] = None,
    players: Annotated[int | None, _number("Seats at the table; one for each strategy by default.")] = None,
    games: Annotated[
        int | None,
        _number(
            f"Games to play, {GAMES_BY_DEFAULT} by default, rounded up to whole blocks; with a rule that stops the "
            "run, the most, 10000000 by default."
        ),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(help="Stop once every win share is known to plus or minus this: 0.1%.", metavar="PERCENT"),
    ] = None,
    until_distinguished: Annotated[
        bool, typer.Option("--until-distinguished", help="Stop once every two strategies are told apart.")
    ] = False,
    sprt: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Stop once it is decided whether A is ahead of B; needs --margin.", metavar="A B"),
    ] = None,
    margin: Annotated[
        str | None, typer.Option(help="For --sprt: the lead in win share that matters: 1%.", metavar="PERCENT")
    ] = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="New folder for the run; one under runs/ by default.", metavar="FOLDER")
    ] = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    withhold: WithholdOption = None,
    strategy_file: FileOption = None,
    seating: Annotated[
        str | None,
        typer.Option(help="How a block seats the line-up: rotations (default), fixed or all.", metavar="MODE"),
    ] = None,
    keep_games: Annotated[
        bool, typer.Option("--keep-games", help="Keep a row for each seat of each game, as Parquet.")
    ] = False,
    shard: Annotated[
        str | None,
        typer.Option(help="Play only share I of N, to be put together by `tafl merge`.", metavar="I/N"),
    ] = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with an interrupted run; takes no strategies.", metavar="RUN")
    ] = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
    json_progress: JsonProgressOption = False,
) -> None:
    """Play strategies against each other and report who wins, by how much, and where the points come from."""
    from analysis import runs, stopping
    from reports.playing import How, finish, play, played_is_kept, say_if_it_compiles, shard_is_done
    from simcore.contract import TaflError
    from simcore.shards import parse_shard

    how = How(context.obj, threads, patience, cluster, quiet, json_progress)
    how.check()
    given: dict[str, object] = {"GAME": game, "--players": players, "--games": games, "--seed": seed, "--out": out}
    given |= {"--edition": edition, "--rule": rule, "--strategy-file": strategy_file, "--seating": seating}
    given |= {
        "--withhold": withhold,
        "--shard": shard,
        "--keep-games": keep_games or None,
        "--precision": precision,
        "--sprt": sprt,
    }
    given |= {"--until-distinguished": until_distinguished or None, "--margin": margin}
    if resume is not None:
        clashing = [name for name, value in given.items() if value not in (None, [])]
        if clashing:
            raise TaflError(f"--resume takes everything from the run: leave out {', '.join(clashing)}.")
        wanted, store = runs.go_on(resume)
        with store, played_is_kept(store, is_new=False):
            say_if_it_compiles(wanted, how)
            setup = runs.make_ready(wanted)
            result = play(setup, store, how)
    elif game is None:
        raise TaflError("name a game and some strategies, such as: tafl compare nidavellir planner greedy")
    else:
        until = stopping.asked(precision, until_distinguished, sprt, margin, shard is not None)
        wanted = runs.choose(
            game, strategy or [], players, edition, rule or [], strategy_file or [], withheld=withhold or []
        )
        part = None if shard is None else parse_shard(shard)
        by_default = GAMES_BY_DEFAULT if until is None else stopping.MOST_GAMES
        numbers = (by_default if games is None else games, seed, seating or "rotations", out, keep_games, part, until)
        runs.check_numbers(wanted, *numbers)
        say_if_it_compiles(wanted, how)
        setup = runs.make_ready(wanted)
        with runs.begin_run(setup, *numbers) as store, played_is_kept(store, is_new=True):
            result = play(setup, store, how)
    if result.complete:
        finish(result, report, setup=setup)
    else:
        print(shard_is_done(store))


@app.command()
def tournament(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None, typer.Argument(help="Two or more; all that ship by default.", metavar="STRATEGY...")
    ] = None,
    players: Annotated[int | None, _number("Seats at the table.")] = None,
    lineups: Annotated[
        str | None,
        typer.Option(
            help="all; balanced (distinct strategies, each equally often); or 'focus NAME' (NAME in every line-up). "
            "By default all if they are few, else balanced.",
            metavar="WHICH",
        ),
    ] = None,
    games: Annotated[
        int | None, _number("Games in all, 500000 by default; equally many a line-up, rounded up to whole blocks.")
    ] = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="New folder for the tournament; one under runs/ by default.", metavar="FOLDER")
    ] = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    withhold: WithholdOption = None,
    strategy_file: FileOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: Annotated[Path | None, typer.Option(help="Go on with an interrupted tournament.", metavar="FOLDER")] = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Play many line-ups of strategies, and rate them: who beats whom, circles, mixes that nobody beats."""
    from reports.playing import How
    from reports.tournament_playing import Asked, begin, finish, go_on
    from simcore.contract import TaflError

    how = How(context.obj, threads, patience, cluster, quiet, json_progress=False)
    how.check()
    given: dict[str, object] = {"GAME": game, "--players": players, "--lineups": lineups, "--games": games}
    given |= {"--seed": seed, "--out": out, "--edition": edition, "--rule": rule}
    given |= {"--withhold": withhold, "--strategy-file": strategy_file}
    if resume is not None:
        clashing = [name for name, value in given.items() if value not in (None, [])]
        if clashing:
            raise TaflError(f"--resume takes everything from the tournament: leave out {', '.join(clashing)}.")
        made = go_on(resume, how)
    elif game is None:
        raise TaflError("name a game and the seats at the table, such as: tafl tournament nidavellir --players 4")
    else:
        asked = (game, strategy or [], players, lineups, games, seed, out)
        made = begin(Asked(*asked, edition, rule or [], strategy_file or [], withhold or []), how)
    finish(made, report)


VaryOption = Annotated[
    list[str] | None,
    typer.Option(
        help="What to vary: a rule switch, TABLE.ROW.COLUMN of the edition (several joined with +), "
        "STRATEGY:PARAMETER, edition, withhold=ITEM, STRATEGY:ban=ITEM, STRATEGY:grant=ITEM, "
        "STRATEGY:at-random=DECISION; a list (a,b,c) or a range (5..9, 100..160:10). May be repeated.",
        metavar="KEY=VALUES",
    ),
]
CaseGamesOption = Annotated[int | None, _number("Games of each case, 20000 by default, rounded up to whole blocks.")]
ExperimentOut = Annotated[
    Path | None, typer.Option("--out", help="New folder; one under runs/ by default.", metavar="FOLDER")
]
ExperimentResume = Annotated[
    Path | None, typer.Option("--resume", help="Go on with an interrupted experiment.", metavar="FOLDER")
]


@app.command()
def sweep(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None, typer.Argument(help="The line-up; fewer than seats repeat in turn.", metavar="STRATEGY...")
    ] = None,
    vary: VaryOption = None,
    cross: Annotated[
        bool, typer.Option("--cross", help="Every combination of values; otherwise one thing at a time.")
    ] = False,
    target: Annotated[
        list[str] | None,
        typer.Option(
            help="Find the value at which a measure reaches a level: win_share:planner=fair, seat_spread=1%, "
            "mean_score=200. May be repeated.",
            metavar="MEASURE=LEVEL",
        ),
    ] = None,
    players: Annotated[int | None, _number("Seats at the table; one for each strategy by default.")] = None,
    games: CaseGamesOption = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: ExperimentOut = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    strategy_file: FileOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: ExperimentResume = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Change rules, numbers or weights over a range, on shared luck, and say what each change does."""
    from analysis import runs, sweeps
    from reports import lab_playing
    from reports.sweep_page import finish_sweep

    how = _how(context, threads, patience, cluster, quiet)
    given: dict[str, object] = {"GAME": game, "--vary": vary, "--target": target, "--players": players}
    given |= {"--games": games, "--seed": seed, "--out": out, "--edition": edition, "--rule": rule}
    given |= {"--strategy-file": strategy_file, "--cross": cross or None}
    _check_begin(resume, game, given, "sweep nidavellir planner greedy --vary warrior_majority=points")
    if resume is not None:
        made = lab_playing.go_on(resume, sweeps.KIND, how)
    else:
        choice = runs.choose(game or "", strategy or [], players, edition, rule or [], strategy_file or [])
        manifest = sweeps.plan(choice, vary or [], cross, games, seed, target or [])
        made = lab_playing.begin(manifest, [choice], out, how)
    finish_sweep(made, report)


@app.command()
def balance(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            help="Strategies, with commas between; the first is the subject of all effects. By default planner, "
            "balanced, greedy.",
            metavar="NAMES",
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(help="4, or 2,3, or 2-5; every number by default.", metavar="NUMBERS")
    ] = None,
    items: Annotated[
        list[str] | None,
        typer.Option(help="Effects of matching items only: hero:*, card:age1-*. May be repeated.", metavar="PATTERN"),
    ] = None,
    effects: Annotated[bool, typer.Option(help="Replay the games with items withheld, banned, granted.")] = True,
    limits: Annotated[
        Path | None, typer.Option(help="A TOML file with limits of your own for the traffic lights.", metavar="FILE")
    ] = None,
    games: Annotated[int | None, _number("Games of each case, 10000 by default, rounded up to whole blocks.")] = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: ExperimentOut = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    strategy_file: FileOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: ExperimentResume = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Take stock of a game: seats, what is dealt, every item, decisions, luck; with traffic lights."""
    from analysis import balance_plan as lab
    from analysis.balance_lights import read_limits
    from reports import lab_playing
    from reports.balance_page import finish_balance

    how = _how(context, threads, patience, cluster, quiet)
    given: dict[str, object] = {"GAME": game, "--strategies": strategies, "--players": players, "--items": items}
    given |= {"--games": games, "--seed": seed, "--out": out, "--edition": edition, "--rule": rule}
    given |= {"--strategy-file": strategy_file, "--no-effects": None if effects else True}
    _check_begin(resume, game, given, "balance nidavellir --players 4")
    read_limits(limits)
    if resume is not None:
        made = lab_playing.go_on(resume, lab.KIND, how)
    else:
        names = [name.strip() for name in (strategies or "").split(",") if name.strip()]
        numbers = lab.players_of(game or "", players, edition, rule or [])
        asked = (items or [], effects, games, seed, edition, rule or [], strategy_file or [])
        bases, manifest = lab.plan(game or "", names, numbers, *asked)
        made = lab_playing.begin(manifest, bases, out, how)
    finish_balance(made, report, limits)


@app.command()
def sensitivity(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None,
        typer.Argument(
            help="The strategy in question, then its rivals: copies of itself by default.", metavar="STRATEGY..."
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Move only what matches: line, heroes.*, *.points. May be repeated.", metavar="PATTERN"),
    ] = None,
    parameters: Annotated[bool, typer.Option(help="Move the strategy's parameters.")] = True,
    numbers: Annotated[bool, typer.Option(help="Move the numbers of the edition's tables.")] = True,
    players: Annotated[int | None, _number("Seats at the table; one for each strategy by default.")] = None,
    games: Annotated[int | None, _number("Games of each case, 10000 by default, rounded up to whole blocks.")] = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: ExperimentOut = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    strategy_file: FileOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: ExperimentResume = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Move each parameter of a strategy and each number of the edition a step, and say which matter most."""
    from analysis import runs
    from analysis import sensitivity_steps as lab
    from reports import lab_playing
    from reports.sensitivity_page import finish_sensitivity

    how = _how(context, threads, patience, cluster, quiet)
    given: dict[str, object] = {"GAME": game, "--only": only, "--players": players, "--games": games, "--seed": seed}
    given |= {"--out": out, "--edition": edition, "--rule": rule, "--strategy-file": strategy_file}
    given |= {"--no-parameters": None if parameters else True, "--no-numbers": None if numbers else True}
    _check_begin(resume, game, given, "sensitivity nidavellir balanced --players 4")
    if resume is not None:
        made = lab_playing.go_on(resume, lab.KIND, how)
    else:
        choice = runs.choose(game or "", strategy or [], players, edition, rule or [], strategy_file or [])
        base, manifest = lab.plan(choice, only or [], games, seed, parameters, numbers)
        made = lab_playing.begin(manifest, [base], out, how)
    finish_sensitivity(made, report)


@app.command()
def robustness(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None, typer.Argument(help="The line-up; fewer than seats repeat in turn.", metavar="STRATEGY...")
    ] = None,
    editions: Annotated[int | None, _number("Plausible editions to draw, 100 by default.")] = None,
    players: Annotated[int | None, _number("Seats at the table; one for each strategy by default.")] = None,
    games: Annotated[int | None, _number("Games of each edition, 4000 by default, rounded up to whole blocks.")] = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: ExperimentOut = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    strategy_file: FileOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: ExperimentResume = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Draw plausible editions around the assumed rows, and say how often each order of the strategies survives."""
    from analysis import robustness_draws as lab
    from analysis import runs
    from reports import lab_playing
    from reports.robustness_page import finish_robustness

    how = _how(context, threads, patience, cluster, quiet)
    given: dict[str, object] = {"GAME": game, "--editions": editions, "--players": players, "--games": games}
    given |= {"--seed": seed, "--out": out, "--edition": edition, "--rule": rule, "--strategy-file": strategy_file}
    _check_begin(resume, game, given, "robustness reavers raid-keeps sea-battles territories --players 4")
    if resume is not None:
        made = lab_playing.go_on(resume, lab.KIND, how)
    else:
        choice = runs.choose(game or "", strategy or [], players, edition, rule or [], strategy_file or [])
        made = lab_playing.begin(lab.plan(choice, editions, games, seed), [choice], out, how)
    finish_robustness(made, report)


@app.command("tune-rules")
def tune_rules(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(help="The game: see `tafl games`.", metavar="GAME")] = None,
    strategy: Annotated[
        list[str] | None, typer.Argument(help="The line-up; fewer than seats repeat in turn.", metavar="STRATEGY...")
    ] = None,
    vary: VaryOption = None,
    target: Annotated[
        str | None,
        typer.Option(
            help="equal-seats, equal-strategies, length=DECISIONS, or MEASURE=LEVEL as in `tafl sweep`.",
            metavar="TARGET",
        ),
    ] = None,
    within: Annotated[
        str | None,
        typer.Option(help="How near is near enough: 1% of win share by default, or 1% of the level.", metavar="NUMBER"),
    ] = None,
    players: Annotated[int | None, _number("Seats at the table; one for each strategy by default.")] = None,
    games: Annotated[int | None, _number("Games of each case, 20000 by default, rounded up to whole blocks.")] = None,
    seed: Annotated[int | None, _number("Seed of all luck; a fresh one is drawn, printed and stored.")] = None,
    out: ExperimentOut = None,
    edition: EditionOption = None,
    rule: RuleOption = None,
    strategy_file: FileOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    resume: ExperimentResume = None,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
    quiet: QuietOption = False,
) -> None:
    """Find the smallest change of the rules that reaches a target, and confirm it on fresh luck."""
    from analysis import runs
    from analysis import tuning as lab
    from reports import lab_playing
    from reports.tuning_page import finish_tuning
    from simcore.contract import TaflError

    how = _how(context, threads, patience, cluster, quiet)
    given: dict[str, object] = {"GAME": game, "--vary": vary, "--target": target, "--within": within}
    given |= {"--players": players, "--games": games, "--seed": seed, "--out": out, "--edition": edition}
    given |= {"--rule": rule, "--strategy-file": strategy_file}
    example = "tune-rules nidavellir planner dwerg-rush --vary warrior_majority=points --target equal-strategies"
    _check_begin(resume, game, given, example)
    if resume is not None:
        made = lab_playing.go_on(resume, lab.KIND, how)
    else:
        choice = runs.choose(game or "", strategy or [], players, edition, rule or [], strategy_file or [])
        if target is None:
            raise TaflError("say what to reach: --target equal-seats, equal-strategies, length=N or MEASURE=LEVEL.")
        made = lab_playing.begin(lab.plan(choice, vary or [], target, within, games, seed), [choice], out, how)
    finish_tuning(made, report, how)


def _how(context: typer.Context, threads: int | None, patience: float, cluster: str | None, quiet: bool) -> Any:
    """Return how an experiment is played, checked."""
    from reports.playing import How

    how = How(context.obj, threads, patience, cluster, quiet, json_progress=False)
    how.check()
    return how


def _check_begin(resume: Path | None, game: str | None, given: dict[str, object], example: str) -> None:
    """Refuse a command that names nothing to begin, or something beside what it is to go on with."""
    from simcore.contract import TaflError

    if resume is None:
        if game is None:
            raise TaflError(f"name a game and what to play, such as: tafl {example}")
        return
    clashing = [name for name, value in given.items() if value not in (None, [])]
    if clashing:
        raise TaflError(f"--resume takes everything from the folder: leave out {', '.join(clashing)}.")


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(help="A run's folder; several are put side by side.", metavar="RUN...")],
    out: Annotated[
        Path | None, typer.Option(help="The page's file; in the (first) run's folder by default.", metavar="FILE")
    ] = None,
    game: Annotated[int | None, _number("The game that the page of one run tells; the first by default.")] = None,
    quiet: QuietOption = False,
) -> None:
    """Write the page of a run or a tournament again (of an interrupted run, what it has), or compare several runs."""
    from reports.reporting import report_on, report_side_by_side
    from simcore.contract import TaflError

    if len(runs) == 1:
        report_on(runs[0], out, game, quiet)
    elif game is not None:
        raise TaflError("--game is for the page of one run: leave it out, or name one run.")
    else:
        report_side_by_side(runs, out, quiet)


@app.command()
def chart(
    run: Annotated[Path, typer.Argument(help="Folder of a run or a tournament.", metavar="FOLDER")],
    name: Annotated[str | None, typer.Argument(help="The chart; all are listed without.", metavar="NAME")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", help="svg, png, pdf, csv, md (Markdown) or bbcode (forums).", metavar="FORMAT"),
    ] = None,
    size: Annotated[str | None, typer.Option(help="Pixels, such as 1200x675.", metavar="SIZE")] = None,
    theme: Annotated[str, typer.Option(help="light, dark or paper.", metavar="THEME")] = "light",
    title: Annotated[str | None, typer.Option(help="Instead of the finding.", metavar="TEXT")] = None,
    lang: Annotated[str, typer.Option(help="en, pt, es, fr or de.", metavar="LANGUAGE")] = "en",
    out: Annotated[Path | None, typer.Option(help="The file; NAME in this folder by default.", metavar="FILE")] = None,
) -> None:
    """Draw a single chart of a run or a tournament, or write it as a table; without a name, list the charts."""
    from reports.one_chart import chart_command

    chart_command(run, name, form, size, theme, title, lang, out)


@app.command()
def replay(
    run: Run,
    game_number: Annotated[int, typer.Argument(help="Game, counted from 0.", metavar="NUMBER", parser=whole_number)],
    json: Annotated[bool, typer.Option("--json", help="Every event as JSON.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also what each option was worth to the strategy that chose.")
    ] = False,
    any_engine: Annotated[bool, typer.Option(help="Replay although tafl's rules have changed since.")] = False,
) -> None:
    """Play one game of a run again and tell it in words, or event by event as JSON."""
    from analysis.replaying import replay_game

    found = replay_game(run, game_number, any_engine, explain)
    if json:
        import json as codec

        data = {
            "game": found.manifest["game"],
            "number": found.game_number,
            "seats": list(found.seat_names),
            "edition": found.manifest["edition"]["name"],
            "rules": found.manifest["edition"]["rules"],
            "seed": found.manifest["seed"],
            "events": found.events,
        }
        print(codec.dumps(data, indent=1))
    else:
        print(f"{found.manifest['title']}, game {found.game_number} of {run}, seed {found.manifest['seed']}\n")
        print("\n".join(found.lines))


@app.command()
def reproduce(
    context: typer.Context,
    run: Run,
    out: Annotated[
        Path | None, typer.Option(help="Keep the reproduction in this new folder.", metavar="FOLDER")
    ] = None,
    any_engine: Annotated[bool, typer.Option(help="Play although tafl's rules have changed since.")] = False,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    quiet: QuietOption = False,
    json_progress: JsonProgressOption = False,
) -> None:
    """Play a whole run again from what its folder keeps, and say whether every byte of its results comes again."""
    from analysis.reproduction import reproduce as play_again
    from reports.numbers import count
    from reports.playing import How
    from reports.terminal import print_table

    how = How(context.obj, threads, patience, cluster, quiet, json_progress)
    how.check()
    found = play_again(run, out, any_engine, threads, how.progress, cluster=cluster, patience=patience)
    print_table(("file", "", ""), [(f.name, "the same" if f.agrees else "DIFFERS", f.says) for f in found.files])
    engine = "" if found.same_engine else " Its rules or luck are not those of the first time."
    if found.agrees:
        print(f"\nEvery byte of the results of {count(found.n_games)} games came again.{engine}")
        return
    n_differ = sum(not file.agrees for file in found.files)
    print(f"\n{n_differ} of {len(found.files)} files differ from the first time.{engine}")
    raise typer.Exit(shell.BAD_DATA)


@app.command()
def confirm(
    context: typer.Context,
    run: Run,
    games: Annotated[int | None, _number("Games to play; as many as the run by default.")] = None,
    seed: Annotated[int | None, _number("Seed of the fresh luck; one is drawn, printed and stored.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="New folder for the games; one under runs/ by default.", metavar="FOLDER")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="Go on with an interrupted confirmation.", metavar="FOLDER")
    ] = None,
    any_engine: Annotated[bool, typer.Option(help="Confirm although tafl's rules have changed since.")] = False,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    patience: PatienceOption = 20.0,
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts of the new games.")] = True,
    quiet: QuietOption = False,
    json_progress: JsonProgressOption = False,
) -> None:
    """Play a run or a tournament again on fresh luck, and say which claims of its winner hold."""
    from analysis import confirmation as claims
    from analysis import runs
    from reports.confirmation import print_confirmation
    from reports.playing import How, finish, play, played_is_kept, say_if_it_compiles
    from simcore.contract import TaflError
    from simcore.store import TOURNAMENT_NAME, load_result

    how = How(context.obj, threads, patience, cluster, quiet, json_progress)
    how.check()
    given = {"--games": games, "--seed": seed, "--out": out}
    clashing = [name for name, value in given.items() if value is not None and resume is not None]
    if clashing:
        raise TaflError(f"--resume takes everything from the confirmation: leave out {', '.join(clashing)}.")
    if (run / TOURNAMENT_NAME).is_file():
        from reports.tournament_playing import confirm as confirm_tournament

        confirm_tournament(run, games, seed, out, resume, how, report)
        return
    wanted, store = claims.go_on(run, resume) if resume else claims.begin(run, games, seed, out, any_engine)
    again = f"tafl confirm {shlex.quote(str(run))} --resume {shlex.quote(str(store.folder))}"
    with store, played_is_kept(store, is_new=resume is None, again=again):
        say_if_it_compiles(wanted, how)
        setup = runs.make_ready(wanted)
        fresh = play(setup, store, how)
    verdicts = claims.judge(load_result(run), fresh)
    finish(
        fresh,
        report,
        lambda result, _: print_confirmation(verdicts, result.manifest),
        {"claims": claims.rows(verdicts)},
        setup=setup,
    )


@app.command()
def merge(
    out: Annotated[Path, typer.Argument(help="A new folder for the whole run.", metavar="OUT")],
    shards: Annotated[list[Path], typer.Argument(help="Every shard of the run.", metavar="SHARD...")],
    report: Annotated[bool, typer.Option(help="Write the HTML report and the charts.")] = True,
) -> None:
    """Put the shards of a run together: the same bytes as if it had been played in one."""
    from reports.playing import finish
    from simcore.runner import default_threads
    from simcore.shards import merge as put_together
    from simcore.store import load_result

    finish(load_result(put_together(out, shards, default_threads())), report)


@app.command()
def warmup(
    game: Annotated[str | None, typer.Argument(help="The game; all games by default.", metavar="GAME")] = None,
) -> None:
    """Compile ahead: the engine and every strategy, so that no run has to."""
    from analysis.doctor import warmup as compile_ahead
    from simcore.accel import cache_base

    for warmed in compile_ahead(game):
        print(f"{warmed.game}: the engine and {warmed.n_strategies} strategies are compiled ({warmed.seconds:.1f} s)")
    print(f"They are kept in {cache_base()}")


@app.command()
def doctor() -> None:
    """Check this installation, and say how to mend what is found."""
    from analysis.doctor import WRONG, examine

    n_wrong = 0
    for check in examine():
        n_wrong += check.state == WRONG
        mend = f"\n{'':32}-> {check.mend}" if check.mend else ""
        print(f"{check.state:<6}{check.name:<26}{check.says}{mend}", flush=True)
    print(f"\n{n_wrong} things are wrong." if n_wrong else "\nNothing is wrong.")
    if n_wrong:
        raise typer.Exit(shell.BAD_DATA)


@app.command()
def check(
    game: Game,
    strategy: Annotated[str, typer.Argument(help="The strategy to check.", metavar="STRATEGY")],
    strategy_file: FileOption = None,
    rule: RuleOption = None,
) -> None:
    """Check a strategy: it answers with options, changes nothing, and uses only what its player may see."""
    from analysis.runs import choose
    from strategies import conformance

    wanted = choose(game, [strategy], strategy_files=strategy_file or [], rules=rule or [])
    problems = conformance.check(game, strategy, strategy_file or [], rules=rule or [])
    for problem in problems:
        shell.say(problem)
    if problems:
        raise typer.Exit(shell.BAD_DATA)
    sizes = wanted.spec.table_sizes(wanted.edition)
    asked = f"asked and asked again in games of {sizes[0]} to {sizes[-1]} players"
    print(f"{strategy} conforms: {asked}, compiled and interpreted.")


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
    """Check an edition's tables and plausible ranges: types, counts, names, and that they fit together."""
    from simcore import editions
    from simcore.games import GAMES, find_game
    from simcore.plausible import check_ranges

    specs = {game.game_id: find_game(game.game_id) for game in GAMES}
    spec = specs[editions.find_game(folder, {name: spec.data_folder for name, spec in specs.items()})]
    loaded = spec.load_edition(str(folder), {})
    check_ranges(spec, loaded)
    print(f"{folder} is a complete edition of {spec.title}. {loaded.provenance.sentence()}")
    print(f"Use it: tafl compare {spec.game_id} STRATEGY... --edition {shlex.quote(str(folder))}")


def main(arguments: list[str] | None = None) -> None:
    """Run the command: every error a user can mend is one sentence and an exit code, never a traceback."""
    try:
        arguments = sys.argv[1:] if arguments is None else arguments
        shell.write_plainly_where_needed()
        command = typer.main.get_command(app)
        line = shlex.join(["tafl", *arguments])
        code = command.main(args=arguments, prog_name="tafl", standalone_mode=False, obj=line)
        sys.stdout.flush()
        if code == shell.INTERRUPTED:
            print(NOTHING_LOST, file=sys.stderr)
    except KeyboardInterrupt:
        print(NOTHING_LOST, file=sys.stderr)
        code = shell.INTERRUPTED
    except (Exception, SystemExit) as error:
        code = shell.explain(error)
    sys.exit(code or 0)


if _before is not None:
    signal.signal(signal.SIGINT, _before)

if __name__ == "__main__":
    main()
