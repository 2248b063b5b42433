"""What a balance sheet says: its tables, from the runs of `analysis.balance_plan`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analysis import runs, unfolding
from analysis.balance_field import Association, Field, associate, inside, over_lineups, together
from analysis.balance_plan import BAN, EFFECTS, GRANT, MIRROR, MIXED
from analysis.case_evidence import (
    CLOSE_GAMES,
    LENGTH,
    MEAN_SCORE,
    SCORE,
    SEAT_SPREAD,
    SHARE,
    STRATEGY_SPREAD,
    WIN,
    WINNING_MARGIN,
    WINNING_SCORE,
    Evidence,
    difference,
    estimate_together,
    find_measure,
    mean_of,
    measures_of,
)
from analysis.case_tables import CASES, MEASURE, Columns, adjusted, case_rows, frames, parts, tested
from analysis.changes import AT_RANDOM, WITHHOLD
from analysis.experiments import Case, Experiment, bases_again
from analysis.intervals import Interval
from analysis.series_play import SEATING
from analysis.tables import REAL, TEXT, WHOLE, YES_NO
from simcore import disk
from simcore.contract import WIN_UNITS, Column, Item
from simcore.manifest import digest, encode
from simcore.runner import default_threads
from simcore.takings import Takings, sample_takings
from simcore.unfolding import play_sample, sample_blocks

_PLAYERS = ("players", WHOLE, "players at the table")
_ENDS: Columns = [
    ("estimate", REAL, "the number"),
    ("low", REAL, "its 95 % interval, from blocks"),
    ("high", REAL, ""),
]
_TESTED: Columns = [
    ("p", REAL, "two-sided p value of no difference"),
    ("p_holm", REAL, "the same, adjusted for all rows of the table (Holm)"),
    ("distinguishable", YES_NO, "p_holm below 0.05"),
]
_N: Columns = [("n_games", WHOLE, "games that the number rests on"), ("n_blocks", WHOLE, "blocks of them")]

COLUMNS: dict[str, Columns] = {
    "cases": [_PLAYERS, ("kind", TEXT, "mirror, mixed or effects"), *CASES],
    "game": [_PLAYERS, *MEASURE, *_ENDS, *_N],
    "seats": [
        _PLAYERS,
        ("field", TEXT, "mirror: the strategy against its copies; mixed: all strategies together"),
        ("strategy", TEXT, "whose; `all` of the table"),
        ("seat", WHOLE, "seat, from 1"),
        *_ENDS,
        *_TESTED,
        *_N,
    ],
    "dealt": [
        _PLAYERS,
        ("group", TEXT, "what is dealt"),
        ("title", TEXT, "what a reader sees"),
        ("strategy", TEXT, "in the mirror match of this strategy, or `all` in mixed fields"),
        *_ENDS,
        *_TESTED,
        *_N,
    ],
    "items": [
        _PLAYERS,
        ("kind", TEXT, "hero, card, location..."),
        ("item", TEXT, "identifier"),
        ("title", TEXT, "what a reader sees"),
        ("rate", REAL, "share of seats that take it in a game, in mixed fields"),
        ("rate_low", REAL, "its 95 % interval"),
        ("rate_high", REAL, ""),
        ("round", REAL, "mean round in which it is taken first, counted over the game; 0 is set-up"),
        ("by", TEXT, "the strategy that takes it most often"),
        ("by_rate", REAL, "how often that one does"),
        ("association", REAL, "win share with it less that without: what goes together"),
        ("association_low", REAL, ""),
        ("association_high", REAL, ""),
        ("n_games", WHOLE, "games that rate and association rest on"),
        ("ban", REAL, "effect on the subject's win share of not being allowed to have it"),
        ("ban_low", REAL, ""),
        ("ban_high", REAL, ""),
        ("grant", REAL, "effect on the subject's win share of having it from the start"),
        ("grant_low", REAL, ""),
        ("grant_high", REAL, ""),
        ("grant_score", REAL, "effect of that on its score, points"),
        ("grant_score_low", REAL, ""),
        ("grant_score_high", REAL, ""),
        ("withheld", REAL, "effect on the mean score of the table of nobody having it, points"),
        ("withheld_low", REAL, ""),
        ("withheld_high", REAL, ""),
        ("distinguishable", TEXT, "which of ban, grant and withheld are told from 0 (Holm, over all effects)"),
    ],
    "effects": [
        _PLAYERS,
        ("case", TEXT, "what is changed"),
        ("item", TEXT, "identifier of the item or the decision"),
        ("way", TEXT, "withhold, ban, grant or at-random"),
        *MEASURE,
        ("estimate", REAL, "change from the unchanged game"),
        ("se", REAL, "its standard error, from differences of blocks"),
        ("low", REAL, "its 95 % interval"),
        ("high", REAL, ""),
        ("note", TEXT, "empty, or why an interval is missing"),
        *_TESTED,
        *_N,
    ],
    "decisions": [
        _PLAYERS,
        ("decision", TEXT, "taken at random by the subject alone"),
        *_ENDS,
        *_TESTED,
        *_N,
    ],
    "components": [
        _PLAYERS,
        ("component", TEXT, "part of the score"),
        ("title", TEXT, "what a reader sees"),
        ("estimate", REAL, "points by which the winner lies above the table's mean in this part"),
        ("low", REAL, "its 95 % interval"),
        ("high", REAL, ""),
        ("share", REAL, "of the winner's whole lead over the table's mean"),
        *_N,
    ],
}

GAME_MEASURES = (MEAN_SCORE, WINNING_SCORE, WINNING_MARGIN, CLOSE_GAMES, LENGTH, SEAT_SPREAD, STRATEGY_SPREAD)
UNFOLDING = (
    ("half_time_leader_wins", "games won by who leads at half-time", SHARE),
    ("lead_changes", "changes of the lead in a game", "changes"),
    ("deciding_round", "round that decides a game", "rounds"),
)
VARIANCE = (
    ("strategy", "variance of scores that comes from the strategy (skill)"),
    ("deal", "variance of scores that comes from the deal that all share"),
    ("rest", "variance of scores that comes from a seat's own luck and its rivals"),
)
SAMPLED_NAME = "sampled.json"
"""What games played again with their log have told, in a balance sheet's folder."""

STRONGEST, WEAKEST = "strongest", "weakest"


@dataclass(frozen=True)
class Base:
    """A line-up of a balance sheet.

    Attributes
    ----------
    number : int
        From 0.
    kind : {'mirror', 'mixed', 'effects'}
    players : int
    cases : list of (int, Case)
        Numbers of the run folders, from 1, and what is changed in each; the unchanged one first.
    """

    number: int
    kind: str
    players: int
    cases: list[tuple[int, Case]]


class BalanceSheet:
    """What a balance sheet says.

    Parameters
    ----------
    made : Experiment
        Complete.
    """

    columns = COLUMNS
    about = __doc__

    def __init__(self, made: Experiment):
        made.check_complete()
        self.made = made
        self.bases = [
            Base(i, of["kind"], of["players"], [(n, c) for n, c in enumerate(made.cases, 1) if c.base == i])
            for i, of in enumerate(made.options["bases"])
        ]
        self.players = list(dict.fromkeys(base.players for base in self.bases))
        self.strategies = list(made.options["strategies"])
        self._choices = bases_again(made, any_engine=True)

    def of(self, players: int, *kinds: str) -> list[Base]:
        """Return the line-ups of a number of players."""
        return [base for base in self.bases if base.players == players and base.kind in kinds]

    def field_bases(self, players: int) -> list[Base]:
        """Return the line-ups in which all strategies play; the mirror match where there is one strategy."""
        return self.of(players, MIXED) or self.of(players, MIRROR)

    def field(self, players: int) -> Field:
        """Return the games of the mixed fields."""
        if players not in self._fields:
            bases = self.field_bases(players)
            self._fields[players] = Field([self.made.result(base.cases[0][0]) for base in bases])
        return self._fields[players]

    @cached_property
    def _fields(self) -> dict[int, Field]:
        return {}

    def items(self, players: int) -> tuple[Item, ...]:
        """Return the game's items at a table."""
        choice = self._choices[self.field_bases(players)[0].number]
        return choice.spec.items(choice.edition, players)

    @cached_property
    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables of `COLUMNS`."""
        effects = adjusted([row for players in self.players for row in self._effects(players)])
        rows = {
            "cases": self._cases(),
            "game": [row for players in self.players for row in self._game(players)],
            "seats": adjusted([row for players in self.players for row in self._seats(players)]),
            "dealt": adjusted([row for players in self.players for row in self._dealt(players)]),
            "items": [row for players in self.players for row in self._items(players, effects)],
            "effects": effects,
            "decisions": list(_decisions(effects)),
            "components": [row for players in self.players for row in self._components(players)],
        }
        return frames(self.made, COLUMNS, rows)

    def _cases(self) -> list[dict[str, Any]]:
        of = {number: base for base in self.bases for number, _ in base.cases}
        return [{"players": of[n].players, "kind": of[n].kind, **row} for n, row in enumerate(case_rows(self.made), 1)]

    # --- the game as a whole ---

    def _game(self, players: int) -> Iterator[dict[str, Any]]:
        field = self.field(players)
        n = {"n_games": field.n_games, "n_blocks": field.n_blocks}
        bases = self.field_bases(players)
        evidence = [Evidence(self.made.result(base.cases[0][0])) for base in bases]
        known = {measure.name: measure for measure in measures_of(field.names, players)}
        for measure in (known[name] for name in GAME_MEASURES if name in known):
            found = estimate_together(evidence, measure)
            yield _game_row(players, measure.name, measure.title, measure.unit, found, n)
        yield from self.sampled[str(players)]["course"]
        if len(field.names) > 1:
            shares = sorted(
                ((field.share(i), name) for i, name in enumerate(field.names)), key=lambda s: s[0].estimate or 0
            )
            for which, (share, name) in ((STRONGEST, shares[-1]), (WEAKEST, shares[0])):
                yield _game_row(players, which, f"win share of {name}, the {which} of the field", SHARE, share, n)
            shares_of = field.variance_shares()
            for name, title in VARIANCE:
                if name in shares_of:
                    yield _game_row(players, f"variance_{name}", title, SHARE, shares_of[name].interval, n)

    # --- seats and what is dealt ---

    def _seats(self, players: int) -> Iterator[dict[str, Any]]:
        for base in self.of(players, MIRROR):
            field = Field([self.made.result(base.cases[0][0])])
            for seat in range(players):
                found = field.seat_share(seat)
                yield _seat_row(players, MIRROR, field.names[0], seat, found, field)
        if self.of(players, MIXED):
            field = self.field(players)
            for seat in range(players):
                yield _seat_row(players, MIXED, "all", seat, field.seat_share(seat), field)
            for i, name in enumerate(field.names):
                for seat in range(players):
                    yield _seat_row(players, MIXED, name, seat, field.seat_share(seat, i), field)

    def _dealt(self, players: int) -> Iterator[dict[str, Any]]:
        fields = [("all", self.field(players))] if self.of(players, MIXED) else []
        for base in self.of(players, MIRROR):
            own = Field([self.made.result(base.cases[0][0])])
            fields.append((own.names[0], own))
        for name, field in fields:
            for column in self._dealt_columns(players, field):
                found = field.associate(column.name)
                yield {
                    **{"players": players, "group": column.group, "title": column.title, "strategy": name},
                    **_association(found),
                    **{"n_games": field.n_games, "n_blocks": field.n_blocks},
                }

    def _dealt_columns(self, players: int, field: Field) -> list[Column]:
        """Return the flags that are dealt out; copies of one strategy cannot tell them from what each earns alike."""
        if self.of(players, MIXED):
            return self.field(players).dealt
        dealt = {item.column for item in self.items(players) if item.column and not item.ways}
        return [column for column in field.of_kind("flag") if column.name in dealt]

    # --- items ---

    def _items(self, players: int, effects: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        by_item: dict[str, list[Mapping[str, Any]]] = {}
        for row in effects:
            if row["players"] == players:
                by_item.setdefault(row["item"], []).append(row)
        for row in self.sampled[str(players)]["items"]:
            yield {**row, **_worth(by_item.get(row["item"], ()))}

    # --- samples that are played again ---

    @cached_property
    def sampled(self) -> dict[str, Any]:
        """What is read from games that are played again with their log: by players, ``course`` and ``items``.

        It is kept in the folder, so that the page can be written again without playing.
        """
        path = self.made.folder / SAMPLED_NAME
        of = digest((self.made.folder / self.made.manifest_name).read_bytes())
        with disk.on(self.made.folder, "read"):
            if path.is_file():
                kept = json.loads(path.read_bytes())
                if kept["experiment"] == of:
                    return dict(kept["players"])
        self.made.check_engine()
        found = {
            str(players): {"course": list(self._course_rows(players)), "items": list(self._item_rows(players))}
            for players in self.players
        }
        with disk.on(self.made.folder, "write to"):
            disk.write_whole(path, encode({"experiment": of, "players": found}))
        return found

    def _course_rows(self, players: int) -> Iterator[dict[str, Any]]:
        courses = [self._course(base) for base in self.field_bases(players)]
        for name, title, unit in UNFOLDING:
            if all(name in course for course in courses):
                each = [course[name] for course in courses]
                told = {key: sum(getattr(part, key) for part in each) for key in ("n_games", "n_blocks")}
                yield _game_row(players, name, title, unit, over_lineups([part.interval for part in each]), told)

    def _course(self, base: Base) -> dict[str, unfolding.Known]:
        """Return how a sample of a line-up's games unfolds; nothing where the game does not tell its standings."""
        choice = self._choices[base.number]
        if not choice.spec.standing_columns:
            return {}
        result = self.made.result(base.cases[0][0])
        plan = runs.make_ready(choice).plan(SEATING, base.cases[0][1].seed)
        n_blocks = sample_blocks(int(result.n_blocks), int(result.games_per_block))
        return unfolding.course_of(play_sample(plan, n_blocks, default_threads()))

    def _takings(self, players: int) -> Takings:
        """Return who takes what in a sample of the mixed fields, strategies numbered as in the field."""
        names = self.field(players).names
        samples = []
        for base in self.field_bases(players):
            setup = runs.make_ready(self._choices[base.number])
            sample = sample_takings(setup.plan(SEATING, base.cases[0][1].seed))
            number = np.array([names.index(entrant.name) for entrant in setup.entrants])
            samples.append(replace(sample, entrant=number[sample.entrant]))
        return together(samples)

    def _item_rows(self, players: int) -> Iterator[dict[str, Any]]:
        field, taken = self.field(players), self._takings(players)
        known = {column.name for column in field.of_kind("flag")}
        win = np.rint(taken.win * WIN_UNITS).astype(np.int64)
        for number, item in enumerate(self.items(players)):
            had = taken.n_taken[:, :, number] > 0
            if not item.ways and not had.any():
                continue  # not in the game at this table
            flagged = item.column in known
            found = field.associate(item.column) if flagged else associate(had, win, taken.block)
            yield {
                **{"players": players, "kind": item.kind, "item": item.item_id, "title": item.title},
                **_taken(found, had, taken.first_round[:, :, number], taken.entrant, field.names),
                "n_games": field.n_games if flagged else len(taken.block),
            }

    # --- effects ---

    def _effects(self, players: int) -> Iterator[dict[str, Any]]:
        for base in self.of(players, EFFECTS):
            before = Evidence(self.made.result(base.cases[0][0]))
            name = self.made.lineup(base.number)[0]
            known = measures_of(before.names, before.n_seats)
            own = [find_measure(f"{WIN}:{name}", known), find_measure(f"{SCORE}:{name}", known)]
            table = [find_measure(MEAN_SCORE, known)]
            for number, case in base.cases[1:]:
                evidence = Evidence(self.made.result(number))
                key, item = case.setting[0]
                way = key if key == WITHHOLD else key.partition(":")[2]
                for measure in table if way == WITHHOLD else own:
                    found = difference(evidence, before, measure)
                    yield {
                        **{"players": players, "case": case.name, "item": item, "way": way},
                        **{"measure": measure.name, "title": measure.title, "unit": measure.unit},
                        **tested(found),
                        **{"n_games": evidence.n_games, "n_blocks": evidence.n_blocks},
                    }

    # --- what decides ---

    def _components(self, players: int) -> Iterator[dict[str, Any]]:
        field = self.field(players)
        whole = float(field.winners_lead("score").mean())
        for column in field.of_kind("component"):
            values = field.winners_lead(column.name)
            interval = mean_of(values)
            yield {
                **{"players": players, "component": column.name, "title": column.title, "estimate": interval.estimate},
                **{"low": interval.low, "high": interval.high},
                "share": float(values.mean()) / whole if whole > 0 else None,
                **{"n_games": field.n_games, "n_blocks": field.n_blocks},
            }


def _game_row(players: int, name: str, title: str, unit: str, found: Interval, n: Mapping[str, int]) -> dict[str, Any]:
    told = parts(inside(found) if unit == SHARE else found)
    ends = {end: told[end] for end in ("estimate", "low", "high")}
    return {"players": players, "measure": name, "title": title, "unit": unit, **ends, **n}


def _association(found: Association) -> dict[str, Any]:
    interval = found.difference
    return {"estimate": interval.estimate, "low": interval.low, "high": interval.high, "p": found.p}


def _seat_row(players: int, kind: str, strategy: str, seat: int, found: Association, field: Field) -> dict[str, Any]:
    return {
        **{"players": players, "field": kind, "strategy": strategy, "seat": seat + 1, **_association(found)},
        **{"n_games": field.n_games, "n_blocks": field.n_blocks},
    }


def _taken(
    found: Association, had: np.ndarray, first: np.ndarray, entrant: np.ndarray, names: Sequence[str]
) -> dict[str, Any]:
    """Return how often an item is taken, when and by whom, and its association."""
    seated = np.bincount(entrant.ravel(), minlength=len(names))
    rates = np.bincount(entrant.ravel(), had.ravel(), len(names)) / np.maximum(seated, 1)
    most = int(rates.argmax())
    difference_ = found.difference
    return {
        **{"rate": found.rate.estimate, "rate_low": found.rate.low, "rate_high": found.rate.high},
        "round": float(first[had].mean()) if had.any() else None,
        **{"by": names[most] if rates[most] > 0 else "", "by_rate": float(rates[most])},
        **{"association": difference_.estimate, "association_low": difference_.low},
        "association_high": difference_.high,
    }


def _worth(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return an item's effects, from the rows of the table ``effects``."""
    cells: dict[str, Any] = {}
    apart = []
    for row in rows:
        name = {BAN: "ban", GRANT: "grant", WITHHOLD: "withheld"}.get(row["way"])
        if name is None:
            continue
        if row["measure"].startswith(f"{SCORE}:"):
            if name != "grant":
                continue
            name = "grant_score"
        cells |= {name: row["estimate"], f"{name}_low": row["low"], f"{name}_high": row["high"]}
        if row["distinguishable"] and name != "grant_score":
            apart.append(name)
    return {**_NO_EFFECTS, **cells, "distinguishable": ", ".join(apart)}


_NO_EFFECTS: dict[str, Any] = {
    f"{name}{end}": None for name in ("ban", "grant", "grant_score", "withheld") for end in ("", "_low", "_high")
}


def _decisions(effects: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Return what each decision of the subject is worth, from the rows of the table ``effects``."""
    for row in effects:
        if row["way"] == AT_RANDOM and row["measure"].startswith(f"{WIN}:"):
            kept = ("players", "estimate", "low", "high", "p", "p_holm", "distinguishable", "n_games", "n_blocks")
            yield {"decision": row["item"], **{name: row[name] for name in kept}}
