"""The PNG files of a report, drawn by a second process while the first one draws the page.

Drawing holds the interpreter, so threads do not help; the PNG files are about a third of the work.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
Pictures = subprocess.Popen[bytes]


@contextmanager
def drawn_aside(run: Path, wanted: bool) -> Iterator[Pictures | None]:
    """Draw the PNG files of a run's charts aside, if they are wanted; None where there is no second core or process.

    Parameters
    ----------
    run : pathlib.Path
        A complete run: the other process reads its folder, once it was told to `go_ahead`.
    wanted : bool
    """
    from simcore.runner import default_threads

    pictures = _begin(run) if wanted and default_threads() > 1 else None
    try:
        yield pictures
    finally:
        if pictures is not None and pictures.poll() is None:
            pictures.kill()
            pictures.wait()


def _begin(run: Path) -> Pictures | None:
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-P", "-m", __name__, str(run)]  # -P: not what lies where the user is
    quiet = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env={**os.environ, "PYTHONPATH": path}
        )
    except OSError:
        return None


def go_ahead(pictures: Pictures | None) -> None:
    """Tell the other process, which has begun to load what it needs, that the folder holds all that is drawn."""
    if pictures is not None and pictures.stdin is not None:
        pictures.stdin.close()


def are_drawn(pictures: Pictures | None) -> bool:
    """Wait for the PNG files; return whether they were drawn."""
    return pictures is not None and pictures.wait() == 0


def main(arguments: list[str] | None = None) -> None:
    """Draw the PNG files of a run's charts into its folder."""
    from analysis.unfolding import tables
    from reports.charts import charts_of, save_pictures
    from reports.page import CHARTS
    from simcore.store import load_result

    sys.stdin.read()  # ends when it is told to go ahead
    (run,) = sys.argv[1:] if arguments is None else arguments
    result = load_result(run)
    folder = Path(run) / CHARTS
    folder.mkdir(exist_ok=True)
    save_pictures(charts_of(result, tables(result)), folder)


if __name__ == "__main__":
    main()
