"""What decides the results of several runs and is not the same in all of them, read from their manifests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pandas as pd

from analysis.tables import frame
from simcore.store import STRATEGIES_NAME, RunResult

ABSENT = "none"
CHANGED = " with "
"""Stands in an edition's name before the switches that were changed, which are told one by one here."""


@dataclass(frozen=True)
class Setting:
    """A setting that differs between runs.

    Attributes
    ----------
    kind : {'players', 'edition', 'cards', 'rule', 'line-up', 'strategy', 'seating', 'engine', 'seed', 'games'}
    name : str
        What it is called; of a rule the switch, of a strategy its name.
    values : tuple of str
        One for each run.
    """

    kind: str
    name: str
    values: tuple[str, ...]


def differing(runs: Sequence[RunResult]) -> list[Setting]:
    """Return the settings in which runs differ, those that matter most first.

    The seed and the number of games come last: they change how sure the numbers are and not what they are of.
    """
    manifests = [run.manifest for run in runs]
    editions = [manifest["edition"] for manifest in manifests]
    found = [
        Setting("players", "players", tuple(str(m["n_players"]) for m in manifests)),
        Setting("edition", "edition", tuple(str(e["name"]).partition(CHANGED)[0] for e in editions)),
        *_rules(editions),
        Setting("line-up", "line-up", tuple(_lineup(m["lineup"]) for m in manifests)),
        Setting("seating", "seating", tuple(str(m["seating"]) for m in manifests)),
        *_strategies(manifests),
        Setting("engine", "engine", tuple(f"{str(m['engine'])[:12]} (tafl {m['tafl_version']})" for m in manifests)),
        Setting("seed", "seed", tuple(str(m["seed"]) for m in manifests)),
        Setting("games", "games", tuple(str(int(run.n_games)) for run in runs)),
    ]
    return [setting for setting in found if len(set(setting.values)) > 1]


def _lineup(names: Sequence[str]) -> str:
    """Return a line-up; a strategy in several neighbouring seats is named once: ``planner, greedy x 2``."""
    runs = [(name, len(list(seats))) for name, seats in groupby(names)]
    return ", ".join(name if n == 1 else f"{name} x {n}" for name, n in runs)


def _rules(editions: Sequence[Mapping[str, Any]]) -> list[Setting]:
    """Rule switches; where none differs though the editions do, the cards do."""
    keys = sorted({key for edition in editions for key in edition["rules"]})
    rules = [Setting("rule", key, tuple(str(e["rules"].get(key, ABSENT)) for e in editions)) for key in keys]
    differ = [rule for rule in rules if len(set(rule.values)) > 1]
    if differ:
        return differ
    return [Setting("cards", "cards and tables", tuple(f"digest {str(e['digest'])[:12]}" for e in editions))]


def _strategies(manifests: Sequence[Mapping[str, Any]]) -> list[Setting]:
    """Strategies of one name whose parameters or sources differ."""
    entrants = [{e["name"]: e for e in manifest["entrants"]} for manifest in manifests]
    names = list(dict.fromkeys(name for each in entrants for name in each))
    found = []
    for name in names:
        present = [each[name] for each in entrants if name in each]
        changed = sorted(
            key
            for key in {key for entrant in present for key in entrant["params"]}
            if len({entrant["params"].get(key) for entrant in present}) > 1
        )
        if changed:
            values = [
                ", ".join(f"{k}={each[name]['params'].get(k, ABSENT)}" for k in changed) if name in each else ""
                for each in entrants
            ]
            found.append(Setting("strategy", f"parameters of {name}", _filled(values)))
        sources = [_sources(m, each[name]) if name in each else "" for m, each in zip(manifests, entrants, strict=True)]
        found.append(Setting("strategy", f"source of {name}", _filled(sources)))
    return found


def _sources(manifest: Mapping[str, Any], entrant: Mapping[str, Any]) -> str:
    """Return what tells the sources of a strategy from others: the beginning of a digest over all of them."""
    digests = manifest.get("files", {})
    text = " ".join(f"{file} {digests.get(f'{STRATEGIES_NAME}/{file}', '')}" for file in entrant["files"])
    return f"digest {hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _filled(values: Sequence[str]) -> tuple[str, ...]:
    """Return the values with that of the first run that has one where a run has none: what is absent differs not."""
    first = next((value for value in values if value), "")
    return tuple(value or first for value in values)


def settings_table(called: Sequence[str], settings: Sequence[Setting]) -> pd.DataFrame:
    """Return the table ``run_settings`` (`analysis.tables.COLUMNS`).

    Parameters
    ----------
    called : sequence of str
        What the runs are called.
    settings : sequence of Setting
        From `differing`.
    """
    rows = [
        {"setting": setting.name, "run": label, "value": value}
        for setting in settings
        for label, value in zip(called, setting.values, strict=True)
    ]
    return frame("run_settings", rows)
