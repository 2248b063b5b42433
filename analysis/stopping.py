"""Rules that stop a run when the evidence suffices: by precision, by telling apart, by a sequential test.

Each rule is asked at the looks that the manifest names (`simcore.looks`) and uses statistics that are valid however
often one looks (`analysis.sequential`), so its answer and the intervals of the run it stopped hold as they say. A rule
stands in the manifest under ``stopping``, with the number of blocks near which the intervals are narrowest: it depends
on what was asked, not on what was seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from analysis.paired import mean_difference, pairs
from analysis.sequential import NARROWEST, log_likelihood_ratio, narrowest_at, sprt_decision
from analysis.shares import win_share
from simcore.contract import DataError, TaflError
from simcore.looks import FIRST_LOOK, schedule
from simcore.naming import unknown
from simcore.store import RunResult

MOST_GAMES = 10_000_000
"""Games that a run with a rule plays at most, unless told otherwise."""

FEW_BLOCKS = 10 * FIRST_LOOK
"""Where intervals are narrowest if nothing says how long it takes: at 5 million blocks they are a third wider."""

AHEAD, NOT_AHEAD = "ahead", "not ahead"


class StoppingRule(Protocol):
    """What stops a run.

    Attributes
    ----------
    name : str
        In the manifest and in ``stopped.json``.
    """

    name: ClassVar[str]

    def check(self, names: Sequence[str]) -> None:
        """Refuse a line-up with which the rule makes no sense."""

    def narrowest_at(self, manifest: Mapping[str, Any]) -> float:
        """Return near how many blocks intervals are to be narrowest, going by what was asked alone."""

    def decide(self, result: RunResult) -> str | None:
        """Return the answer that ends the run, or None to go on."""


@dataclass(frozen=True)
class Precision:
    """Stop when every strategy's win share is known closely enough.

    Attributes
    ----------
    half_width : float
        How far the 95 % interval may reach to either side, as a share of games.
    """

    half_width: float
    name: ClassVar[str] = "precision"

    def check(self, names: Sequence[str]) -> None:
        """Refuse a line-up of one strategy: its win share is known by construction."""
        if len(names) < 2:
            raise TaflError(f"--precision needs two strategies or more: {names[0]} alone has its fair share anyway.")

    def narrowest_at(self, manifest: Mapping[str, Any]) -> float:
        """Return a quarter of the blocks that suffice for fair shares if games were independent of each other.

        Shared luck and uneven shares need fewer, and to be early costs more than to be late.
        """
        fair = 1 / manifest["n_players"]
        quantile_square = 1 + NARROWEST  # of `sequential.anytime_quantile` where it is narrowest
        return fair * (1 - fair) * quantile_square / self.half_width**2 / manifest["n_games_per_block"] / 4

    def decide(self, result: RunResult) -> str | None:
        """Stop when the widest interval is narrow enough."""
        for entrant in range(len(result.names)):
            share = win_share(result, entrant)
            if share.estimate is None or share.low is None or share.high is None:
                return None
            if max(share.high - share.estimate, share.estimate - share.low) > self.half_width:
                return None
        return "precise"


@dataclass(frozen=True)
class Distinguished:
    """Stop when every pair of strategies is told apart (all pairs together at 5 %, Holm)."""

    name: ClassVar[str] = "until-distinguished"

    def check(self, names: Sequence[str]) -> None:
        """Refuse a line-up of one strategy: there is nothing to tell apart."""
        if len(names) < 2:
            raise TaflError(f"--until-distinguished needs two strategies or more: {names[0]} is the only one.")

    def narrowest_at(self, manifest: Mapping[str, Any]) -> float:
        """Return few: how far apart they are is not known, and to be early costs more than to be late."""
        return FEW_BLOCKS

    def decide(self, result: RunResult) -> str | None:
        """Stop when all pairs are told apart."""
        return "distinguished" if all(pair.distinguishable for pair in pairs(result)) else None


@dataclass(frozen=True)
class Sprt:
    """Stop when a sequential probability ratio test decides whether one strategy is ahead of another.

    Between "a's win share is not above b's" and "a's is ahead by at least the margin"; each is missed in at most 5 % of
    the runs in which it is true.

    Attributes
    ----------
    a, b : str
        Strategies of the line-up.
    margin : float
        Difference of win shares per copy, above 0.
    """

    a: str
    b: str
    margin: float
    name: ClassVar[str] = "sprt"

    def check(self, names: Sequence[str]) -> None:
        """Refuse strategies that are not in the line-up, and one against itself."""
        for name in (self.a, self.b):
            if name not in names:
                raise TaflError(f"--sprt: {unknown('strategy of the line-up', name, sorted(names))}")
        if self.a == self.b:
            raise TaflError(f"--sprt needs two different strategies: {self.a} is never ahead of itself.")

    def narrowest_at(self, manifest: Mapping[str, Any]) -> float:
        """Return few: a lead far from the margin is decided early."""
        return FEW_BLOCKS

    def decide(self, result: RunResult) -> str | None:
        """Stop when the ratio reaches a threshold."""
        a, b = (result.names.index(name) for name in (self.a, self.b))
        found = mean_difference(result, a, b)
        decided = sprt_decision(log_likelihood_ratio(*found, int(result.n_blocks), self.margin))
        return None if decided is None else AHEAD if decided else NOT_AHEAD


KINDS: dict[str, Callable[..., StoppingRule]] = {kind.name: kind for kind in (Precision, Distinguished, Sprt)}


def entry(rule: StoppingRule, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manifest of a run says of its rule: name, options, looks, and the blocks planned for.

    Raises
    ------
    TaflError
        If the rule makes no sense with the run's line-up.
    """
    rule.check([entrant["name"] for entrant in manifest["entrants"]])
    most = int(manifest["n_blocks"])
    at = narrowest_at(min(most, rule.narrowest_at(manifest)))
    options = asdict(rule)  # type: ignore[call-overload]
    return {"rule": rule.name, "options": options, "looks": schedule(most), "narrowest_at": at}


def rule_of(manifest: Mapping[str, Any]) -> StoppingRule | None:
    """Return the rule of a run, or None if its number of games is fixed.

    Raises
    ------
    DataError
        If this tafl does not know the rule.
    """
    said = manifest.get("stopping")
    if said is None:
        return None
    try:
        return KINDS[said["rule"]](**said["options"])
    except (KeyError, TypeError):
        raise DataError(f"this tafl knows no rule '{said.get('rule')}' that stops a run.") from None


# --- what a user writes ---


def share_of(text: str, option: str, most: int) -> float:
    """Return the share that a user wrote as a percentage, ``0.1%``.

    Parameters
    ----------
    text, option : str
        What was written, and after which option.
    most : int
        Percent that it must be below.

    Raises
    ------
    TaflError
        If it has no percent sign (0.1 could mean either), or is not above 0 and below `most`.
    """
    if not isinstance(text, str):
        raise TaflError(f"{option}: {text!r} is a number, which could mean a share or percent; write it as '0.5%'.")
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    match = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,12})?|\.\d{1,12})\s*%\s*", text, re.ASCII)
    if match is None:
        raise TaflError(f"{option}: '{shown}' is no percentage; write it with its sign, such as {option} 0.5%.")
    percent = Fraction(match[1])
    if not 0 < percent < most:
        raise TaflError(f"{option} must be above 0% and below {most}%, not {shown}.")
    return float(percent / 100)


def asked(
    precision: str | None = None,
    until_distinguished: bool = False,
    sprt: tuple[str, str] | None = None,
    margin: str | None = None,
    shard: bool = False,
) -> StoppingRule | None:
    """Return the rule that a user asked for, or None.

    Parameters
    ----------
    precision, margin : str, optional
        Percentages as written.
    until_distinguished : bool
    sprt : (str, str), optional
        Two strategies.
    shard : bool
        Whether only a share of the run is to be played here.

    Raises
    ------
    TaflError
        If options exclude each other, one is missing or nonsense.
    """
    chosen = {"--precision": precision is not None, "--until-distinguished": until_distinguished, "--sprt": bool(sprt)}
    names = [name for name, is_chosen in chosen.items() if is_chosen]
    if len(names) > 1:
        raise TaflError(f"one rule stops a run: choose one of {', '.join(names)}.")
    if margin is not None and not sprt:
        raise TaflError("--margin belongs to --sprt A B: name the two strategies, or leave it out.")
    if names and shard:
        raise TaflError(f"a shard cannot know when the whole run has enough: leave out {names[0]} or --shard.")
    if precision is not None:
        return Precision(share_of(precision, "--precision", 50))
    if until_distinguished:
        return Distinguished()
    if sprt is None:
        return None
    if isinstance(sprt, str) or len(sprt) != 2 or any(name.startswith("--") for name in sprt):
        raise TaflError("--sprt needs two strategies of the line-up: --sprt A B --margin 1%.")
    if margin is None:
        raise TaflError("--sprt needs the lead that matters: add --margin, such as --margin 1%.")
    return Sprt(*sprt, share_of(margin, "--margin", 100))
