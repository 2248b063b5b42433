"""Playing a tournament in sight of a user: what it will cost, how far it is, what it found, how to go on."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reports import shell
from reports.playing import How, games_are_kept, say_if_it_compiles

if TYPE_CHECKING:
    from analysis.runs import Choice
    from analysis.tournament_play import TournamentProgress
    from analysis.tournaments import Tournament
    from simcore.contract import UnansweredError


class Asked(NamedTuple):
    """What a user asks of a new tournament."""

    game: str
    strategies: Sequence[str]
    players: int | None
    lineups: str | None
    games: int | None
    seed: int | None
    out: Path | None
    edition: str | None
    rules: Sequence[str]
    strategy_files: Sequence[Path]


def begin(asked: Asked, how: How) -> Tournament:
    """Plan a new tournament, say what it costs, play it."""
    from analysis import tournament_play, tournaments
    from simcore.runner import default_threads
    from simcore.store import check_new

    planned = (asked.game, asked.strategies, asked.players, asked.lineups, asked.games, asked.seed)
    field, manifest = tournaments.plan(*planned, asked.edition, asked.rules, asked.strategy_files)
    if asked.out is not None:
        check_new(asked.out)
    say_if_it_compiles(field, how)
    entrants = tournaments.enter(field, manifest["n_players"])
    cost = ""
    if not how.quiet and how.cluster is None:
        speed = tournament_play.games_per_second(field, entrants, manifest, how.patience, _abandon(None))
        n_threads = how.threads or default_threads()
        cost = in_about(tournament_play.seconds_of(manifest, speed, n_threads), n_threads)
    made = tournaments.create(manifest, field, asked.out)
    if not how.quiet:
        for sentence in [
            plan_in_words(manifest, asked.lineups is None),
            f"{cost_in_words(manifest)}{cost}, folder {made.folder}",
        ]:
            print(sentence, file=sys.stderr, flush=True)
    _play(made, field, entrants, how, is_new=True)
    return made


def go_on(folder: Path, how: How) -> Tournament:
    """Play what is missing of a tournament."""
    from analysis import tournaments

    made = tournaments.load(folder)
    if made.n_complete() < made.n_lineups:
        field = tournaments.field_again(made)
        say_if_it_compiles(field, how)
        entrants = tournaments.enter(field, made.n_players)
        if not how.quiet:
            print(
                f"{made.n_complete()} of {made.n_lineups} line-ups are played; going on.", file=sys.stderr, flush=True
            )
        _play(made, field, entrants, how, is_new=False)
    return made


def plan_in_words(manifest: dict[str, Any], by_default: bool) -> str:
    """Return which line-ups are played, and how even they are."""
    from analysis.schedule import MOST_BY_DEFAULT, n_all
    from reports.numbers import count

    n, n_players, n_lineups = len(manifest["strategies"]), manifest["n_players"], len(manifest["lineups"])
    head = (
        f"{manifest['title']}, {n_players} players, edition {manifest['edition']['name']}: {n} strategies in "
        f"{count(n_lineups)} line-ups"
    )
    if manifest["mode"] == "all":
        return f"{head}, all there are" + (" (each pair)." if n_players == 2 else ".")
    plays, meetings = (_range(manifest["balance"][what]) for what in ("plays", "meetings"))
    total = n_all(n, n_players)
    why = (
        f"; all would be {count(total)}, more than the {MOST_BY_DEFAULT} that are played by default"
        if by_default
        else ""
    )
    if manifest["mode"] == "focus":
        others = f"each other strategy is in {plays} of them"
        pairs = f", each two of them together in {meetings}" if n_players > 2 else ""
        return f"{head}, {manifest['focus']} in each; {others}{pairs}."
    return f"{head} of distinct strategies (balanced{why}): each plays in {plays}, each two meet in {meetings}."


def _range(ends: Sequence[int]) -> str:
    return str(ends[0]) if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def cost_in_words(manifest: dict[str, Any]) -> str:
    """Return how much is played."""
    from reports.numbers import count

    games = sorted({one["n_games"] for one in manifest["lineups"]})
    each = count(games[0]) if len(games) == 1 else f"{count(games[0])} to {count(games[-1])}"
    return (
        f"{count(manifest['n_games'])} games in {count(manifest['n_blocks'])} blocks, {each} a line-up, "
        f"seed {manifest['seed']}"
    )


def in_about(seconds: float, n_threads: int) -> str:
    """Return how long it takes, as part of a sentence."""
    from reports.terminal import clock

    return f", about {clock(max(1.0, seconds))} on {n_threads} thread{'s' if n_threads > 1 else ''}"


def _play(made: Tournament, field: Choice, entrants: Sequence[Any], how: How, is_new: bool) -> None:
    """Play what is missing, with a line that shows how far it is."""
    from analysis import tournament_play, tournaments
    from simcore.runner import default_threads

    held = tournaments.lock(made)
    try:
        made.log("begin", command=how.command, threads=how.threads or default_threads())
        show, close = _line(how.quiet)
        with _played_is_kept(made, is_new):
            try:
                tournament_play.play(
                    made,
                    field,
                    entrants,
                    how.threads or default_threads(),
                    show,
                    how.cluster,
                    patience=how.patience,
                    abandon=_abandon(made, close),
                )
            finally:
                close()
        made.log("complete")
    finally:
        held.release()


def _line(quiet: bool) -> tuple[Callable[[TournamentProgress], None] | None, Callable[[], None]]:
    from reports.terminal import overwritten_line

    if quiet or not sys.stderr.isatty():
        return None, lambda: None
    write, close = overwritten_line()
    return lambda progress: write(_progress_text(progress)), close


def _progress_text(progress: TournamentProgress) -> str:
    from reports.numbers import count
    from reports.terminal import bar, clock

    parts = [f"{progress.n_lineups_done} of {progress.n_lineups} line-ups", f"{count(progress.n_games_done)} games"]
    if progress.games_per_second:
        parts.append(f"{count(round(progress.games_per_second))} games/s")
    if progress.seconds_left is not None:
        parts.append(f"{clock(progress.seconds_left)} left")
    return bar(progress.n_games_done / progress.n_games, ", ".join(parts))


def _resume(made: Tournament) -> str:
    return f"tafl tournament --resume {shlex.quote(str(made.folder))}"


def _abandon(made: Tournament | None, close: Callable[[], None] = lambda: None) -> Callable[[UnansweredError], None]:
    """Return what ends the process when a strategy never answers."""

    def abandon(error: UnansweredError) -> None:
        from simcore.play import leave

        close()
        if made is not None:
            print(_kept(made), file=sys.stderr)
        leave(error)

    return abandon


@contextmanager
def _played_is_kept(made: Tournament, is_new: bool) -> Iterator[None]:
    """Say what is left of a tournament that ends early, and how to go on."""
    from simcore.contract import StrategyError, UnansweredError
    from simcore.runner import Interrupted

    try:
        yield
    except (Interrupted, KeyboardInterrupt):
        n_done = made.n_complete()
        print(
            f"interrupted: {n_done} of {made.n_lineups} line-ups, and what was played of the next, are kept in "
            f"'{made.folder}'. Go on with:\n  {_resume(made)}",
            file=sys.stderr,
        )
        raise shell.Stopped from None
    except UnansweredError:  # on a cluster; here the process has ended
        print(_kept(made), file=sys.stderr)
        raise
    except StrategyError:
        if is_new and not made.n_complete():
            shutil.rmtree(made.folder, ignore_errors=True)  # so that the same command works once it is mended
        else:
            print(_kept(made), file=sys.stderr)
        raise


def _kept(made: Tournament) -> str:
    return f"What was played before is kept in '{made.folder}': {_resume(made)}"


def finish(
    made: Tournament,
    report: bool,
    show: Callable[[], None] | None = None,
    more: Mapping[str, list[dict[str, Any]]] | None = None,
) -> None:
    """Print what a tournament found and write its tables and its page.

    Parameters
    ----------
    made : Tournament
    report : bool
        Whether the page is written.
    show : callable, optional
        Prints the result; by default the standings and what they mean.
    more : mapping, optional
        Rows of further tables (`analysis.tables.COLUMNS`) that are written as CSV beside the tournament's.
    """
    folder = made.folder
    with games_are_kept(folder):
        from analysis import tournament_tables
        from analysis.runs import first_command
        from analysis.tables import COLUMNS, frame, write_csvs
        from reports.tournament_words import print_tournament
        from simcore import disk
        from simcore.contract import TaflError

        found = tournament_tables.tables(tournament_tables.gather(made))
        page = trouble = None
        try:
            with disk.on(folder, "write tables and report into"):  # before anything is printed: a reader may hang up
                own = {name: frame(name, rows) for name, rows in (more or {}).items()}
                columns = {**tournament_tables.COLUMNS, **{name: COLUMNS[name] for name in own}}
                write_csvs(found | own, folder / "tables", columns, tournament_tables.__doc__)
                if report:
                    from reports.tournament_page import write_page

                    page = write_page(made, found, first_command(folder))
        except TaflError as error:
            trouble = error  # the result is shown whatever the disk says
        if show is None:
            print_tournament(found, made.manifest)
        else:
            show()
        seed = made.manifest["seed"]
        print(f"\nTournament: {folder} (seed {seed}, tables as CSV in {folder / 'tables'})", flush=True)
        if trouble is not None:
            raise trouble
        if page is not None:
            print(f"Report:     {page}")


def confirm(
    folder: Path, n_games: int | None, seed: int | None, out: Path | None, fresh: Path | None, how: How, report: bool
) -> None:
    """Play a tournament's line-ups again on fresh luck, and say which claims of its winner hold.

    Parameters
    ----------
    folder : pathlib.Path
        The tournament.
    n_games, seed, out
        See `analysis.tournament_confirmation.begin`.
    fresh : pathlib.Path, optional
        A confirmation that was interrupted: go on with it.
    how : How
    report : bool
        Write the page and the charts of the new games.
    """
    from analysis import tournament_confirmation as confirmation
    from analysis import tournaments
    from analysis.confirmation import rows
    from analysis.tournament_tables import gather
    from reports.confirmation import print_confirmation
    from simcore.contract import TaflError

    first = tournaments.load(folder)
    evidence = gather(first)
    confirmation.claims(evidence)
    if fresh is None:
        field, made = confirmation.begin(first, n_games, seed, out)
        say_if_it_compiles(field, how)
        if not how.quiet:
            print(f"{cost_in_words(made.manifest)}, folder {made.folder}", file=sys.stderr, flush=True)
        _play(made, field, tournaments.enter(field, made.n_players), how, is_new=True)
    else:
        if tournaments.load(fresh).manifest.get("confirms") != str(folder):
            raise TaflError(f"'{fresh}' was not begun to confirm '{folder}': leave --resume out to begin anew.")
        made = go_on(fresh, how)
    verdicts = confirmation.judge(evidence, gather(made))
    finish(made, report, lambda: print_confirmation(verdicts, made.manifest), {"claims": rows(verdicts)})
