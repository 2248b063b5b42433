"""What a command prints: tables, the progress line, the words around them."""

from __future__ import annotations

import itertools
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.leading import leading
from analysis.runs import so_far
from reports.numbers import count, decimal, share_with_interval
from reports.stopped import how_valid, stopped_in_words, waits_for
from reports.words import cut_short, scope, summary_rows, verdict
from simcore.runner import Progress
from simcore.store import RunResult, RunStore

BAR = 20
"""Characters of the progress bar."""

WRAPPED = 30
"""A column of sentences needs this many characters to be read with pleasure."""


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> None:
    """Print an aligned table.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequence of str
    right : sequence of int
        Columns that are aligned to the right.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=any(header))
    for number, title in enumerate(header):
        table.add_column(title, justify="right" if number in right else "left", no_wrap=True, overflow="ignore")
    for row in rows:
        table.add_row(*row)
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = 10_000  # nobody's window: do not cut what a program may read
    with console.capture() as captured:
        console.print(table, crop=False)
    sys.stdout.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))


def print_wrapped_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose last column holds sentences, wrapped to the window (100 columns where there is none)."""
    _print_fitted(header, rows, range(len(header) - 1, len(header)))


def print_folded_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], colours: Mapping[str, str] | None = None
) -> None:
    """Print a table whole where no window limits it; in a window, with any of its cells folded so that it fits.

    Cells that `colours` names have their colour there.
    """
    if sys.stdout.isatty():
        _print_fitted(header, rows, range(len(header)), colours)
    else:
        print_table(header, rows)


def _print_fitted(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    folded: Sequence[int],
    colours: Mapping[str, str] | None = None,
) -> None:
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = 100
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for number, title in enumerate(header):
        table.add_column(title, no_wrap=number not in folded, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell, (colours or {}).get(cell, "")) for cell in row))
    with console.capture() as captured:
        console.print(table)
    sys.stdout.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))


def print_grouped_table(header: Sequence[str], rows: Sequence[Sequence[str]], spare: Sequence[str]) -> None:
    """Print a table whole where no window limits it; in a window, group by group, with the columns that fit.

    Parameters
    ----------
    header : sequence of str
        The first column names the group. The last may be wrapped.
    rows : sequence of sequence of str
        Rows of a group stand together.
    spare : sequence of str
        Titles of columns in the order in which they are left out.
    """
    if not sys.stdout.isatty():
        print_table(header, rows)
        return
    width = shutil.get_terminal_size().columns
    left_out: list[str] = []
    for group, members in itertools.groupby(rows, key=lambda row: row[0]):
        cells = [dict(zip(header, row, strict=True)) for row in members]
        kept = [name for name in header[1:] if any(row[name] for row in cells)]
        for name in spare:
            if name in kept and sum(_room(cells, title, title == header[-1]) + 2 for title in kept) > width:
                kept.remove(name)
                left_out.append(name)
        print(f"{group}:")
        print_wrapped_table(kept, [[row[name] for name in kept] for row in cells])
        print()
    if left_out:
        names = ", ".join(dict.fromkeys(left_out))
        print(wrapped(f"No room for some of {names}: a file or a pipe gets the whole table."))


def _room(cells: Sequence[Mapping[str, str]], title: str, is_wrapped: bool) -> int:
    """Return the characters that a column needs; a wrapped one can do with `WRAPPED`."""
    widest = max(len(text) for text in [title, *(row[title] for row in cells)])
    return min(widest, WRAPPED) if is_wrapped else widest


def print_result(result: RunResult, tables: dict[str, Any]) -> None:
    """Print the summary table of a run and what it means."""
    header, rows = summary_rows(tables)
    print_table(header, rows, right=range(1, len(header)))
    print()
    looked_at = [*stopped_in_words(result), *how_valid(result.manifest, result.n_games)]
    unfinished = cut_short(result.n_unfinished, result.n_games)
    said = verdict(tables, result.manifest, result.stopped is not None)
    for sentence in [*said, *looked_at, *unfinished, scope(result.manifest)]:
        print(wrapped(sentence))


def coloured(text: str, colours: Mapping[str, str]) -> str:
    """Return a text in which the words that `colours` names have their colour, where a window shows it."""
    if not sys.stdout.isatty():
        return text
    console, shown = Console(highlight=False, markup=False, emoji=False, soft_wrap=True), Text(text)
    for words, colour in colours.items():
        shown.highlight_words([words], colour)
    with console.capture() as captured:
        console.print(shown, end="")
    return captured.get()


def wrapped(sentence: str) -> str:
    """Break a sentence to the window, where there is one; whoever reads a file wants it whole."""
    if not sys.stdout.isatty():
        return sentence
    return textwrap.fill(sentence, shutil.get_terminal_size().columns - 1)


def run_in_words(store: RunStore, n_threads: int) -> str:
    """Return the line that stands above a run: what is played, how much of it, with which seed, where."""
    manifest = store.manifest
    until = waits_for(manifest)
    most = f"until {until}, at most " if until else ""
    return (
        f"{manifest['title']}, {manifest['n_players']} players, edition {manifest['edition']['name']}: {most}"
        f"{count(manifest['n_games'])} games in {count(manifest['n_blocks'])} blocks, seed {manifest['seed']}, "
        f"{n_threads} thread{'s' if n_threads > 1 else ''}, folder {store.folder}"
    )


def progress_line(result: RunResult, quiet: bool) -> tuple[Callable[[Progress], None] | None, Callable[[], None]]:
    """Return what shows a run's progress, and what ends it.

    Parameters
    ----------
    result : RunResult
        Of the run as it stands before it goes on.
    quiet : bool
        Show nothing; so it is, too, where the error stream is no terminal.

    Returns
    -------
    show : callable or None
        To be called with each `Progress`.
    close : callable
        Removes the line; may be called again.
    """
    if quiet or not sys.stderr.isatty():
        return None, lambda: None
    write, close = overwritten_line()

    def show(progress: Progress) -> None:
        write(bar(progress.n_blocks_done / progress.n_blocks, progress_text(result, progress)))

    return show, close


def bar(share: float, text: str) -> str:
    """Return a line that shows how much is done, and `text` behind it as far as the window has room."""
    done = round(share * BAR)
    line = f"{int(100 * share):3} % {'#' * done}{'.' * (BAR - done)} {text}"
    return line[: shutil.get_terminal_size().columns - 1]


def overwritten_line() -> tuple[Callable[[str], None], Callable[[], None]]:
    """Return what writes a line of the error stream over the one before, and what removes it (again and again)."""
    shown = 0  # a line of its own making: the process may end at any moment and must leave the terminal as it was

    def write(text: str) -> None:
        nonlocal shown
        sys.stderr.write(f"\r{text.ljust(shown)}\r")
        sys.stderr.flush()
        shown = len(text)

    def close() -> None:
        if shown:
            write("")

    return write, close


def progress_text(result: RunResult, progress: Progress) -> str:
    """Return games played, games a second, time left and the leading comparison as it stands.

    Its intervals are valid however often one looks.
    """
    parts = [f"{count(progress.n_games_done)} games"]
    if progress.games_per_second:
        parts.append(f"{count(round(progress.games_per_second))} games/s")
    if progress.seconds_left is not None:
        most = "at most " if "stopping" in result.manifest else ""
        parts.append(f"{most}{clock(progress.seconds_left)} left")
    ahead = leading(so_far(result, progress))
    if ahead is not None:
        share = ahead.win_share
        parts.append(f"{ahead.leader} {share_with_interval(share.estimate, share.low, share.high)}")
        gap = ahead.difference
        if gap is not None and gap.estimate is not None and ahead.half_width is not None:
            parts.append(f"{decimal(100 * gap.estimate)} ± {decimal(100 * ahead.half_width)} ahead of {ahead.second}")
    return ", ".join(parts)


def clock(seconds: float) -> str:
    """Return a time as minutes and seconds, with hours if there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
