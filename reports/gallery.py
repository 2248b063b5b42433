"""The gallery of the documentation: every chart of a run of each game, made by ``python -m reports.gallery``."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

from analysis import runs
from analysis.unfolding import keep_sample, tables
from reports import language, svg, theme
from reports.chart import Chart
from reports.charts import all_charts, described, quiet_about_glyphs
from reports.one_chart import render

GAMES_PLAYED = 20_000
SEED = 7
PAGE = "gallery.md"
PICTURES = "gallery"
HEAD = """# Gallery

Every chart of two runs, as `tafl chart` draws it. Made by `python -m reports.gallery`, with the runs of these commands:

```text
{commands}
```

What each chart is for, its sizes, themes and languages: [charts.md](charts.md). How to use them: \
[citing-charts.md](citing-charts.md).
"""
OTHER_LOOKS = (
    ("win_share", "dark", "de", (1200, 675)),
    ("hero_pick", "paper", "fr", (1200, 900)),
    ("breakdown", "dark", "pt", None),
    ("places", "paper", "es", (1080, 1080)),
)
"""Charts of the first game in another theme, language and size."""


@dataclass(frozen=True)
class Show:
    """A run of the gallery."""

    game: str
    strategies: tuple[str, ...]

    @property
    def folder(self) -> str:
        """Name of the run's folder in the commands shown."""
        return f"runs/gallery-{self.game}"

    def command(self, n_games: int) -> str:
        """Return the command line that plays it."""
        names = " ".join(self.strategies)
        return f"tafl compare {self.game} {names} --games {n_games} --seed {SEED} --keep-games --out {self.folder}"


SHOWS = (
    Show("nidavellir", ("planner", "dwerg-rush", "early-uline", "greedy")),
    Show("reavers", ("planner", "raid-keeps", "sea-battles", "prophecies")),
)


def make_gallery(folder: Path, n_games: int = GAMES_PLAYED, shows: Sequence[Show] = SHOWS) -> Path:
    """Play the runs and write the page with its pictures; the same number of games gives the same bytes.

    Parameters
    ----------
    folder : pathlib.Path
        Of the page, ``gallery.md``; the pictures are in its folder ``gallery``, those of old are removed.
    n_games : int
        Of each run.
    shows : sequence of Show

    Returns
    -------
    pathlib.Path
        The page.
    """
    pictures = folder / PICTURES
    pictures.mkdir(parents=True, exist_ok=True)
    for old in pictures.glob("*.svg"):
        old.unlink()
    parts = [HEAD.format(commands="\n".join(show.command(n_games) for show in shows))]
    quiet_about_glyphs()
    for number, show in enumerate(shows):
        with tempfile.TemporaryDirectory() as scratch:
            result = _played(show, n_games, Path(scratch) / "run")
            parts.append(_section(result, show, pictures))
            if number == 0:
                parts.append(_other_looks(result, show, pictures))
    page = folder / PAGE
    page.write_bytes("\n".join(parts).encode("utf-8"))
    return page


def _played(show: Show, n_games: int, folder: Path) -> Any:
    setup = runs.make_ready(runs.choose(show.game, list(show.strategies)))
    with runs.begin_run(setup, n_games, SEED, out=folder, keep_games=True) as store:
        result = runs.play(setup, store)
    keep_sample(result, setup)
    return result


def _section(result: Any, show: Show, pictures: Path) -> str:
    lines = [f"## {result.manifest['title']}", ""]
    heading = ""
    with matplotlib.rc_context(theme.RC):
        for chart in all_charts(result, tables(result)):
            if chart.section != heading:
                heading = chart.section
                lines += [f"### {heading}", ""]
            document = svg.svg_of(chart.draw(), chart.words.title, described(chart))
            name = f"{show.game}-{chart.name}.svg"
            (pictures / name).write_bytes(document.encode("utf-8"))
            lines += [_picture(chart, name), "", f"`tafl chart {show.folder} {chart.name}`", ""]
    return "\n".join(lines)


def _picture(chart: Chart, name: str) -> str:
    return f"![{chart.words.title.replace('[', '(').replace(']', ')')}]({PICTURES}/{name})"


def _other_looks(result: Any, show: Show, pictures: Path) -> str:
    lines = ["## Other themes, languages and sizes", ""]
    there = {path.name for path in pictures.iterdir()}
    for chart, look, lang, size in OTHER_LOOKS:
        if f"{show.game}-{chart}.svg" not in there:  # a small run has not every chart
            continue
        name = f"{show.game}-{chart}-{look}-{lang}.svg"
        (pictures / name).write_bytes(render(result, chart, "svg", size, look, None, lang))
        asked = f" --size {size[0]}x{size[1]}" if size else ""
        command = f"tafl chart {show.folder} {chart} --theme {look} --lang {lang}{asked}"
        lines += [f"![{chart}, {look}, {lang}]({PICTURES}/{name})", "", f"`{command}`", ""]
    with language.use("en"):
        for kind, fence in (("md", "markdown"), ("bbcode", "text")):
            text = render(result, "fair_difference", kind).decode("utf-8").rstrip()
            lines += [f"`tafl chart {show.folder} fair_difference --format {kind}`", "", f"```{fence}", text, "```", ""]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the gallery; see ``--help``."""
    parser = argparse.ArgumentParser(prog="python -m reports.gallery", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES_PLAYED, help="games of each run")
    parser.add_argument("--folder", type=Path, default=Path("docs"), help="folder of the page; docs by default")
    wanted = parser.parse_args(arguments)
    print(make_gallery(wanted.folder, wanted.games))


if __name__ == "__main__":
    main()
