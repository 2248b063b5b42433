"""Playing a tournament in sight of a user: what it will cost, how far it is, what it found, how to go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reports.playing import How, games_are_kept, say_if_it_compiles
from reports.series_playing import in_about, play_series, say_how_far

if TYPE_CHECKING:
    from analysis.tournaments import Tournament


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
    withheld: Sequence[str]


def begin(asked: Asked, how: How) -> Tournament:
    """Plan a new tournament, say what it costs, play it."""
    from analysis import tournaments
    from simcore.store import check_new

    planned = (asked.game, asked.strategies, asked.players, asked.lineups, asked.games, asked.seed)
    field, manifest = tournaments.plan(*planned, asked.edition, asked.rules, asked.strategy_files, asked.withheld)
    if asked.out is not None:
        check_new(asked.out)
    say_if_it_compiles(field, how)
    lineups = manifest["lineups"]
    setup_of = tournaments.setups(lineups, field, tournaments.enter(field, manifest["n_players"]))
    cost = in_about(lineups, setup_of, tournaments.KEPT, how)
    made = tournaments.create(manifest, field, asked.out)
    if not how.quiet:
        for sentence in [
            plan_in_words(manifest, asked.lineups is None),
            f"{cost_in_words(manifest)}{cost}, folder {made.folder}",
        ]:
            print(sentence, file=sys.stderr, flush=True)
    play_series(made, setup_of, how, is_new=True)
    return made


def go_on(folder: Path, how: How) -> Tournament:
    """Play what is missing of a tournament."""
    from analysis import tournaments

    made = tournaments.Tournament.load(folder)
    if made.n_complete() < made.n_lineups:
        field = tournaments.field_again(made)
        say_if_it_compiles(field, how)
        entrants = tournaments.enter(field, made.n_players)
        say_how_far(made, how)
        play_series(made, tournaments.setups(made.planned, field, entrants), how, is_new=False)
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

    first = tournaments.Tournament.load(folder)
    evidence = gather(first)
    confirmation.claims(evidence)
    if fresh is None:
        field, made = confirmation.begin(first, n_games, seed, out)
        say_if_it_compiles(field, how)
        if not how.quiet:
            print(f"{cost_in_words(made.manifest)}, folder {made.folder}", file=sys.stderr, flush=True)
        setup_of = tournaments.setups(made.planned, field, tournaments.enter(field, made.n_players))
        play_series(made, setup_of, how, is_new=True)
    else:
        if tournaments.Tournament.load(fresh).manifest.get("confirms") != str(folder):
            raise TaflError(f"'{fresh}' was not begun to confirm '{folder}': leave --resume out to begin anew.")
        made = go_on(fresh, how)
    verdicts = confirmation.judge(evidence, gather(made))
    finish(made, report, lambda: print_confirmation(verdicts, made.manifest), {"claims": rows(verdicts)})
