"""A balance sheet: printed, and as a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.balance_lights import COLUMNS as LIGHTS_COLUMNS
from analysis.balance_lights import DEAD, GREEN, OPEN, RED, YELLOW, lights, read_limits
from analysis.balance_sheet import BalanceSheet
from analysis.case_evidence import SHARE
from analysis.case_tables import frames
from analysis.experiments import Experiment
from analysis.tables import STAND_INS, stand_in_note
from reports import balance_grids, theme
from reports.captions import spoken
from reports.charts import Chart
from reports.figures.flags import WIDEST
from reports.figures.picks import pick_figure
from reports.figures.side_by_side import side_by_side_figure
from reports.lab_charts import lab_words, scaled
from reports.lab_page import LabPage, Section, write_lab_page
from reports.lab_playing import finish
from reports.lab_words import gap, moved, scope
from reports.lights import TERMINAL_COLOURS, WORDS
from reports.numbers import FIXED, count, decimal, percent, value
from simcore import disk

MAX_SHOWN = 12
"""Items that a chart and the printed table show of a kind, the most telling ones."""

BAN, GRANT, ASSOCIATION = "not allowed to have it", "has it from the start", "who has it, less who has not"
WORTH = dict(zip((BAN, GRANT, ASSOCIATION), theme.strategy_styles([BAN, GRANT, ASSOCIATION]).values(), strict=True))

LIMITS_NAME = "limits.toml"
"""Limits of one's own, in the folder of a balance sheet."""

MIXED_FIELDS = "mixed fields"
EVERYBODY = theme.Style(theme.INK, "o", True, "-")

METHOD = (
    "Mirror matches: every strategy against copies of itself, so that whoever wins more had the better seat or was "
    "dealt better. Mixed fields: all strategies together, each in every seat equally often, so that seat and strategy "
    "come apart.",
    "Association and effect are two numbers. The association is the win share of those who have an item less that of "
    "those who have it not, in mixed fields: it mixes what the item brings with who gets it, and good players get good "
    "items. The effect is what changes for one copy of the first strategy (the subject) among copies of itself when it "
    "may not have the item, or has it from the start, all luck being the same; withheld is what changes for the whole "
    "table when nobody can have it and a blank lies in its place. A ban costs little where something as good is left; "
    "a grant is worth much even of a weak item, since it comes on top: compare it with the others of its kind.",
    "A decision is worth what the subject loses by taking it at random.",
    "Luck and skill: the variance of single scores is split into what strategies have of their own, what all "
    "strategies of a block have in common (the deal), and the rest (a seat's own luck, and what rivals do to it).",
    f"Traffic lights compare a number with two limits (tafl balance --limits FILE): {WORDS[GREEN]} if its whole "
    f"interval is within the first, {WORDS[RED]} if its whole interval lies beyond the second, {WORDS[YELLOW]} between "
    f"them, {WORDS[OPEN]} if the games played do not settle it. The largest of many looks larger than it is.",
)


def finish_balance(made: Experiment, report: bool, limits: Path | None = None) -> None:
    """Print a balance sheet and write its tables and its page; limits that were given once are kept in its folder."""
    kept = made.folder / LIMITS_NAME
    if limits is not None and limits != kept:
        read_limits(limits)
        with disk.on(made.folder, "write to"):
            disk.write_whole(kept, limits.read_bytes())
    found = found_of(made)
    page = (lambda: write_lab_page(made, balance_page(found))) if report else None
    finish(made, found, lambda: print_balance(found), page)


def found_of(made: Experiment) -> _Found:
    """Return a balance sheet with the limits that its folder keeps."""
    kept = made.folder / LIMITS_NAME
    return _Found(made, kept if kept.is_file() else None)


class _Found:
    """A balance sheet with its lights, as `reports.lab_playing.finish` wants it."""

    def __init__(self, made: Experiment, limits: Path | None):
        chosen = read_limits(limits)
        self.made = made
        self.sheet = BalanceSheet(made)
        lit = frames(made, {"lights": LIGHTS_COLUMNS}, {"lights": lights(self.sheet.tables, chosen)})
        self.tables: dict[str, pd.DataFrame] = {**lit, **self.sheet.tables}
        self.columns = {"lights": LIGHTS_COLUMNS, **self.sheet.columns}
        self.about = self.sheet.about

    def rows(self, table: str, players: int | None = None) -> list[dict[str, Any]]:
        """Return the rows of a table, of one number of players."""
        found = self.tables[table]
        found = found if players is None else found[found["players"] == players]
        return [dict(row) for row in found.to_dict("records")]


# --- printed ---


def print_balance(found: _Found) -> None:
    """Print the lights, the items that are worth most and least, and what it means."""
    from reports.terminal import coloured, print_folded_table, wrapped

    several = len(found.sheet.players) > 1
    rows = [
        [*([str(r["players"])] * several), WORDS[r["light"]], r["title"], _number(r), r["what"]]
        for r in found.rows("lights")
    ]
    print_folded_table(
        (*(["players"] * several), "light", "what is checked", "number", "where"), rows, TERMINAL_COLOURS
    )
    print()
    for sentence in verdict(found):
        print(coloured(wrapped(sentence), TERMINAL_COLOURS))
    print("\n" + wrapped(scope(found.made.manifest)))


def _number(row: Mapping[str, Any]) -> str:
    if row["check"] == "dead":
        return count(row["estimate"])
    if value(row["low"]) is None:
        return percent(row["estimate"], 1)
    return f"{percent(row['estimate'], 1)} ({decimal(100 * row['low'], 1)} to {decimal(100 * row['high'], 1)})"


def verdict(found: _Found) -> list[str]:
    """Return what a balance sheet says, in sentences."""
    sentences = []
    for players in found.sheet.players:
        own = found.rows("lights", players)
        red = [f"{r['title']}{_where(r)}: {_number(r)}" for r in own if r["light"] == RED]
        shown = [(words, sum(r["light"] == state for r in own)) for state, words in WORDS.items()]
        told = f" {WORDS[RED]}: {'; '.join(red)}." if red else ""
        sentences.append(f"With {players} players: {', '.join(f'{n} {words}' for words, n in shown)}.{told}")
        sentences += _items_in_words(found, players)
    return sentences


def _where(row: Mapping[str, Any]) -> str:
    return f" ({row['what']})" if row["what"] else ""


def _items_in_words(found: _Found, players: int) -> list[str]:
    items = found.rows("items", players)
    banned = [r for r in items if value(r["ban"]) is not None and "ban" in str(r["distinguishable"])]
    sentences = []
    if banned:
        worst = min(banned, key=lambda r: float(r["ban"]))
        sentences.append(f"What the subject would miss most is {worst['title']}: without it {_moved(worst, 'ban')}.")
    granted = [r for r in items if value(r["grant"]) is not None and "grant" in str(r["distinguishable"])]
    if granted:
        best = max(granted, key=lambda r: float(r["grant"]))
        sentences.append(f"Given at the start, {best['title']} is worth most: with it {_moved(best, 'grant')}.")
    dead = next(r for r in found.rows("lights", players) if r["check"] == "dead")
    if dead["what"] and dead["light"] != RED:
        sentences.append(f"Hardly anybody takes {dead['what']} (under {percent(DEAD, 1)} of seats).")
    return sentences


def _moved(row: Mapping[str, Any], name: str) -> str:
    """Return what an effect does: ``the win share of the subject is 4.1 percentage points lower (3.3 to 4.9)``."""
    ends = {"estimate": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}
    size, interval = moved({**ends, "unit": SHARE})
    return f"the win share of the subject is {size} ({interval})"


# --- the page ---


def balance_page(found: _Found) -> LabPage:
    """Return what the page says."""
    manifest = found.made.manifest
    lights_of = [(balance_grids.lights_grid(found.rows, players), "lights") for players in found.sheet.players]
    sections = [Section("lights", "Traffic lights", [], [], lights_of)]
    for players in found.sheet.players:
        sections += _sections(found, players)
    return LabPage(
        title=f"{manifest['title']}: a balance sheet",
        verdict=verdict(found),
        sections=sections,
        method=METHOD,
        tables=found.tables,
        styles=theme.strategy_styles(found.sheet.strategies),
    )


def _sections(found: _Found, players: int) -> list[Section]:
    at = f"{players} players"
    sections = [
        Section(
            f"seats-{players}",
            f"{at}: seats and what is dealt",
            [],
            [_seat_chart(found, players)],
            _full([(balance_grids.dealt_grid(found.rows, players), "dealt")]),
            [(balance_grids.seats_grid(found.rows, players), "seats")],
        )
    ]
    kinds = list(dict.fromkeys(r["kind"] for r in found.rows("items", players) if r["kind"] != "gem"))
    for kind in kinds:
        rows = [r for r in found.rows("items", players) if r["kind"] == kind]
        charts = _full([_items_chart(found, players, kind, rows), _pick_chart(found, players, kind, rows)])
        grid = balance_grids.items_grid(kind, players, rows)
        sections.append(
            Section(
                f"{kind}-{players}",
                f"{at}: {_plural(kind)}",
                [],
                charts,
                [(grid, "items")] if len(rows) <= 24 else [],
                [(grid, "items")] if len(rows) > 24 else [],
            )
        )
    sections.append(
        Section(
            f"game-{players}",
            f"{at}: the game as a whole",
            [],
            _full([_decisions_chart(found, players)]),
            [
                (balance_grids.game_grid(found.rows, players), "game"),
                (balance_grids.components_grid(found.rows, players), "components"),
            ],
        )
    )
    return sections


def _plural(kind: str) -> str:
    """Return several of a kind: heroes, prophecies, cards; spoils are several already."""
    if kind.endswith("y"):
        return f"{kind[:-1]}ies"
    return kind if kind.endswith("s") else f"{kind}es" if kind.endswith("o") else f"{kind}s"


def _full(parts: Sequence[Any]) -> list[Any]:
    return [part for part in parts if part is not None]


def _chart(
    found: _Found,
    name: str,
    heading: str,
    title: str,
    subtitle: str,
    lines: Sequence[Mapping[str, Any]],
    styles: Mapping[str, theme.Style],
    reference: str,
    method: str,
    named: tuple[str, str],
) -> Chart:
    """Return a chart of rows with groups: `lines` have ``strategy`` (the group), ``run`` (the row) and an interval."""
    table = pd.DataFrame(lines, columns=["strategy", "run", "estimate", "low", "high"])
    table = table.astype({"estimate": "Float64", "low": "Float64", "high": "Float64"})
    words = lab_words(found.made.manifest, title, subtitle, method)
    said = [f"{r['strategy']}, {r['run']} {decimal(r['estimate'], 2, plus=True)}" for r in lines]
    draw = partial(side_by_side_figure, table, words, styles, reference)
    csv = table.rename(columns=dict(zip(("strategy", "run"), named, strict=True)))
    csv.attrs[STAND_INS] = stand_in_note(found.made.manifest)
    return Chart(name, "", heading, words, "", spoken(said), csv, draw)


def _line(group: str, run: str, row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    ends = {end: scaled(row[name], 100) for end, name in zip(("estimate", "low", "high"), names, strict=True)}
    return {"strategy": group, "run": run, **ends}


_PLAIN = ("estimate", "low", "high")


def _seat_chart(found: _Found, players: int) -> Chart:
    rows = found.rows("seats", players)
    mixed = [r for r in rows if r["field"] == "mixed" and r["strategy"] == "all"]
    mirrors = [r for r in rows if r["field"] == "mirror"]
    shown = [*mixed, *mirrors]
    lines = [_line(f"seat {r['seat']}", _field_name(r), r, _PLAIN) for r in sorted(shown, key=lambda r: r["seat"])]
    names = list(dict.fromkeys(line["run"] for line in lines))
    styles = {name: {**theme.strategy_styles(found.sheet.strategies), MIXED_FIELDS: EVERYBODY}[name] for name in names}
    apart = [r for r in shown if r["distinguishable"]]
    title = "No seat is told to be better than the others"
    if apart:
        most = max(apart, key=lambda r: abs(float(r["estimate"])))
        better = "more" if float(most["estimate"]) > 0 else "less"
        size = decimal(abs(100 * float(most["estimate"])), 1)
        title = f"Seat {most['seat']} wins {better} than the others: {size} percentage points ({_field_name(most)})"
    subtitle = "Win share in a seat less that in the others, in percentage points"
    method = f"Intervals 95{FIXED}%, from blocks; mirror matches, and all strategies in mixed fields"
    return _chart(
        found,
        f"seats_{players}",
        "Seats",
        title,
        subtitle,
        lines,
        styles,
        "no seat is better",
        method,
        ("seat", "field"),
    )


def _field_name(row: Mapping[str, Any]) -> str:
    return MIXED_FIELDS if row["strategy"] == "all" else str(row["strategy"])


def _items_chart(found: _Found, players: int, kind: str, rows: Sequence[dict[str, Any]]) -> Chart | None:
    def key(row: Mapping[str, Any]) -> tuple[float, float]:
        return value(row["ban"]) or 0.0, -abs(value(row["association"]) or 0.0)

    taken = [row for row in rows if (value(row["rate"]) or 0.0) >= DEAD or value(row["grant"])]
    ranked = sorted(taken, key=key)[:MAX_SHOWN]
    lines = []
    for row in ranked:
        for label, name in ((BAN, "ban"), (GRANT, "grant"), (ASSOCIATION, "association")):
            if value(row[f"{name}_low"]) is not None:
                lines.append(_line(row["title"], label, row, (name, f"{name}_low", f"{name}_high")))
    if not lines:
        return None
    styles = {label: style for label, style in WORTH.items() if any(line["run"] == label for line in lines)}
    missed = [r for r in rows if value(r["ban"]) is not None and "ban" in str(r["distinguishable"])]
    first = max(ranked, key=lambda r: abs(value(r["association"]) or 0.0))
    more = "more" if (value(first["association"]) or 0.0) > 0 else "less"
    goes = decimal(abs(100 * (value(first["association"]) or 0.0)), 1)
    title = f"Who has {first['title']} wins {more} than the others: {goes} percentage points"
    if missed and sum(value(r["ban"]) is not None for r in rows) > 1:
        worst = min(missed, key=lambda r: float(r["ban"]))
        size_of = decimal(abs(100 * float(worst["ban"])), 1)
        title = f"{worst['title']} would be missed most: {size_of} percentage points of win share without it"
    subtitle = "Change of the win share in percentage points: association in mixed fields; effects for one copy"
    method = f"Intervals 95{FIXED}%: effects paired by block. What goes together is not what causes what"
    return _chart(
        found, f"{kind}_{players}", "", title, subtitle, lines, styles, "no difference", method, (kind, "number")
    )


def _pick_chart(found: _Found, players: int, kind: str, rows: Sequence[dict[str, Any]]) -> Chart | None:
    """Return how often each item is taken against how the win share differs with it, where both are known well."""
    columns = {
        **{"title": "title", "rate": "rate", "rate_low": "rate_low", "rate_high": "rate_high"},
        **{"difference": "association", "difference_low": "association_low", "difference_high": "association_high"},
    }
    known = [row for row in rows if all(value(row[name]) is not None for name in columns.values() if name != "title")]
    shown = [row for row in known if row["association_high"] - row["association_low"] <= 2 * WIDEST]
    if len(shown) < 2:
        return None
    table = pd.DataFrame([{name: row[column] for name, column in columns.items()} for row in shown])
    table = table.astype({name: "Float64" for name in columns if name != "title"})
    often = max(shown, key=lambda row: float(row["rate"]))
    title = f"{often['title'].capitalize()}: taken by {percent(often['rate'], 0)} of the seats, most of all"
    subtitle = "How often a seat takes it, and win share with it less that without, in mixed fields"
    method = f"Intervals 95{FIXED}%, from blocks; left out: known less well than ± {decimal(100 * WIDEST, 0)} points"
    words = lab_words(found.made.manifest, title, subtitle, method)
    said = [f"{r['title']} {percent(r['rate'], 0)}, {decimal(100 * r['association'], 1, plus=True)}" for r in shown]
    csv = table.rename(columns={"title": kind})
    csv.attrs[STAND_INS] = stand_in_note(found.made.manifest)
    note = "What goes together, not what causes what: the effects are above."
    heading = "Pick rate against win share"
    return Chart(
        f"{kind}_{players}_pick", "", heading, words, note, spoken(said), csv, partial(pick_figure, table, words)
    )


def _decisions_chart(found: _Found, players: int) -> Chart | None:
    rows = [r for r in found.rows("decisions", players) if value(r["estimate"]) is not None]
    if not rows:
        return None
    rows = sorted(rows, key=lambda r: float(r["estimate"]))
    lines = [_line(r["decision"].replace("_", " "), "taken at random", r, _PLAIN) for r in rows]
    styles = theme.strategy_styles(["taken at random"])
    title = f"{rows[0]['decision'].replace('_', ' ').capitalize()} matters most"
    subtitle = "Win share of the subject when it takes one kind of decision at random: change in percentage points"
    method = f"Paired by block, intervals 95{FIXED}%"
    return _chart(
        found,
        f"decisions_{players}",
        "Decisions that matter",
        title,
        subtitle,
        lines,
        styles,
        "as it plays",
        method,
        ("decision", "how"),
    )


__all__ = ["balance_page", "finish_balance", "gap"]
