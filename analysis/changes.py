"""Changes of a game: what ``--vary KEY=VALUES`` names, and a line-up with some of it changed.

What can be varied:

``warrior_majority=ranks,points``
    a rule switch;
``heroes.grid.amount=5..9`` or ``scoring_tables.5.dwerg_brothers_total=100..160:10``
    a number (or text) of the edition's tables (`simcore.cells`); several cells that go together are joined with ``+``;
``planner:line=240..480:60``
    a parameter of a strategy of the line-up;
``withhold=hero:uline,hero:grid``
    what nobody can have (`simcore.items`): one item at a time, the others in play;
``planner:ban=hero:uline``, ``planner:grant=hero:uline``
    what one strategy may not have, or gets at the start;
``planner:at-random=choose_bid``
    a decision that the strategy takes at random instead;
``edition=official,review``
    the edition itself.

`subject` makes a line-up in which one seat's strategy has a name of its own, so that it alone can be changed among
copies of itself. A plausible edition (`simcore.plausible`) is the setting ``plausible=SEED/NUMBER``.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis import runs
from analysis.runs import Choice
from analysis.settings import CHANGED
from simcore.blocks import entrants
from simcore.cells import cells_title, change_edition, find_cell
from simcore.contract import GameSpec, TaflError
from simcore.items import check_withheld, pack_handicap
from simcore.naming import unknown
from simcore.plausible import draw, unknowns
from strategies.registry import Strategy, variant, with_random

RULE, CELL, PARAMETER, EDITION, ITEM, HANDICAP, DRAWN = (
    "rule",
    "cell",
    "parameter",
    "edition",
    "item",
    "handicap",
    "drawn",
)
WITHHOLD, PLAUSIBLE = "withhold", "plausible"
WAY_OF = {"ban": "banned", "grant": "granted"}
AT_RANDOM = "at-random"
NOTHING = "nothing"
SUBJECT = " (subject)"
"""Ends the name of the strategy that is changed among copies of itself."""

TOGETHER = "+"
"""Joins the addresses of cells that are changed together."""

SET_TO = " =\u00a0"
"""Stands between the title of joined cells and their value, which no line parts from the sign."""

MAX_VALUES = 200
"""Values of one factor."""

_RANGE = re.compile(r"([+-]?\d+)\.\.([+-]?\d+)(?::(0*[1-9]\d*))?", re.ASCII)
_NEARLY_RANGE = re.compile(
    r"([+-]?\d{1,15}(?:\.\d+)?)\s*(?:\.{2,}|[-–…])\s*([+-]?\d{1,15}(?:\.\d+)?)\s*(?:(?::|\.\.)\s*(.*))?", re.ASCII
)
_RANGE_OF_DOTS = re.compile(r"\d\s*(?:\.\.|…)|(?:\.\.|…)\s*[+-]?\d")
"""What is meant as a range, wherever it stands."""
_RANGE_MEANT = re.compile(r"\.\.|…|\d\s*[-–:]")
"""What is meant as a range where a whole number is wanted."""
_WHOLE = re.compile(r"[+-]?\d+")


@dataclass(frozen=True)
class Factor:
    """One thing that is varied.

    Attributes
    ----------
    key : str
        As the user wrote it.
    kind : {'rule', 'cell', 'parameter', 'edition', 'item', 'handicap', 'drawn'}
    values : tuple of str
        In the order in which they were named.
    before : str
        The value it has without a change.
    """

    key: str
    kind: str
    values: tuple[str, ...]
    before: str

    @property
    def is_numeric(self) -> bool:
        """Whether all its values are whole numbers, so that what lies between two of them means something."""
        return all(_WHOLE.fullmatch(value) for value in (*self.values, self.before))


Setting = tuple[tuple[str, str], ...]
"""A value for each of some factors, by key; empty: nothing is changed."""


def parse_factor(text: str, choice: Choice) -> Factor:
    """Read ``KEY=VALUES``.

    Parameters
    ----------
    text : str
    choice : Choice
        The line-up and edition without a change.

    Raises
    ------
    TaflError
        If it names nothing that can be varied, or no values.
    """
    key, sign, values = (part.strip() for part in text.partition("="))
    if not sign or not key or not values:
        raise TaflError(f"--vary '{text}' is not of the form KEY=VALUES, such as {_example(choice.spec)}.")
    kind = kind_of(key, choice)
    if kind == EDITION and CHANGED in choice.edition.name:
        raise TaflError(
            f"--vary '{text}' takes each edition as it is: leave --rule out, or vary that switch as well, with --cross."
        )
    before = value_before(key, kind, choice)
    ranges = _RANGE_MEANT if kind in (CELL, PARAMETER) and _WHOLE.fullmatch(before) else _RANGE_OF_DOTS
    return Factor(key, kind, _values(text, values, None if kind == EDITION else ranges), before)


def _example(spec: GameSpec) -> str:
    switch = spec.rule_switches[0]
    return f"{switch.key}={','.join(switch.choices)}"


def _values(text: str, written: str, meant: re.Pattern[str] | None) -> tuple[str, ...]:
    """Return the values of a list; what looks like a range (`meant`) has to be one."""
    found: list[str] = []
    for part in (part.strip() for part in written.split(",")):
        match = _RANGE.fullmatch(part)
        if match:
            found += _range(text, int(match[1]), int(match[2]), int(match[3] or 1))
        elif not part:
            raise TaflError(f"--vary '{text}': there is nothing between two commas.")
        elif meant is not None and meant.search(part):
            raise TaflError(f"--vary '{text}': {_no_range(part)}.")
        else:
            found.append(part)
    if len(found) > MAX_VALUES:
        raise TaflError(f"--vary '{text}' has {len(found)} values; at most {MAX_VALUES} are possible.")
    if len(set(found)) < len(found):
        twice = next(value for value in found if found.count(value) > 1)
        raise TaflError(f"--vary '{text}' names {twice} twice.")
    return tuple(found)


def _range(text: str, first: int, last: int, step: int) -> list[str]:
    """Return the values from `first` to `last`, up or down."""
    length = abs(last - first)
    if length // step >= MAX_VALUES:
        nearest = f"{first}..{last}:{length // MAX_VALUES + 1}"
        raise TaflError(f"--vary '{text}': a range has at most {MAX_VALUES} values; the nearest is {nearest}.")
    way = 1 if last >= first else -1
    return [str(first + way * ahead) for ahead in range(0, length + 1, step)]


def _no_range(part: str) -> str:
    """Return what is wrong with what was meant as a range, and the range that is nearest to it."""
    says = f"{part} is no range FIRST..LAST:STEP of whole numbers with a step of 1 or more"
    match = _NEARLY_RANGE.fullmatch(part)
    if match is None:
        return f"{says}, such as 5..9 or 100..160:10"
    first, last = (round(float(end)) for end in match.group(1, 2))
    number = re.fullmatch(r"[+-]?\d{1,15}(\.\d+)?", match[3] or "")
    step = max(1, round(abs(float(number[0])))) if number else 1
    by = "" if step == 1 else f":{step}"
    down = f" ({last}..{first}{by} counts down)" if number and number[0].startswith("-") and first < last else ""
    return f"{says}; the nearest is {first}..{last}{by}{down}"


def kind_of(key: str, choice: Choice) -> str:
    """Return what kind of thing a key names.

    Raises
    ------
    TaflError
        If it names nothing that can be varied.
    """
    switches = [switch.key for switch in choice.spec.rule_switches]
    named = {EDITION: EDITION, WITHHOLD: ITEM, PLAUSIBLE: DRAWN}
    if key in named:
        return named[key]
    if ":" in key:
        if key.partition(":")[2] in (*WAY_OF, AT_RANDOM):
            _strategy(key, choice)
            return HANDICAP
        _parameter(key, choice)
        return PARAMETER
    if "." in key:
        for address in key.split(TOGETHER):
            find_cell(choice.spec, choice.edition, address)
        return CELL
    if key in switches:
        return RULE
    raise TaflError(
        f"{unknown('rule switch', key, switches)}; a number of a table is written TABLE.ROW.COLUMN, a parameter of a "
        "strategy STRATEGY:PARAMETER."
    )


def _strategy(key: str, choice: Choice) -> Strategy:
    name = key.partition(":")[0]
    by_name = {strategy.name: strategy for strategy in choice.strategies}
    if name not in by_name:
        raise TaflError(f"'{key}': {unknown('strategy in the line-up', name, by_name)}.")
    return by_name[name]


def _parameter(key: str, choice: Choice) -> tuple[Strategy, str]:
    strategy, parameter = _strategy(key, choice), key.partition(":")[2]
    if parameter not in strategy.params:
        known = [*strategy.params, *WAY_OF, AT_RANDOM]
        raise TaflError(f"'{key}': {unknown(f'parameter of {strategy.name}', parameter, known)}.")
    return strategy, parameter


def value_before(key: str, kind: str, choice: Choice) -> str:
    """Return the value that something has without a change; of cells that go together and differ, all: ``7+5``."""
    if kind == RULE:
        return str(choice.edition.rules[key])
    if kind == EDITION:
        return str(choice.edition.name)
    if kind in (ITEM, HANDICAP, DRAWN):
        return NOTHING
    if kind == PARAMETER:
        strategy, parameter = _parameter(key, choice)
        return str(strategy.params_for(len(choice.lineup))[parameter])
    texts = cell_texts(key, choice)
    return texts[0] if len(set(texts)) == 1 else TOGETHER.join(texts)


def cell_texts(key: str, choice: Choice) -> list[str]:
    """Return what stands in the cells of a key, in their order."""
    return [find_cell(choice.spec, choice.edition, address).text for address in key.split(TOGETHER)]


def settings_of(factors: Sequence[Factor], crossed: bool) -> list[Setting]:
    """Return what is tried: the unchanged game first, then every value of every factor.

    Parameters
    ----------
    factors : sequence of Factor
    crossed : bool
        Every combination of values, the unchanged ones too; otherwise one factor at a time.
    """
    keys = [factor.key for factor in factors]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise TaflError(f"--vary {twice} is there twice: put all its values into one.")
    if crossed:
        combined = itertools.product(*(dict.fromkeys([factor.before, *factor.values]) for factor in factors))
        tried = [tuple(zip(keys, values, strict=True)) for values in combined]
    else:
        tried = [((factor.key, value),) for factor in factors for value in factor.values]
    before = {factor.key: factor.before for factor in factors}
    reduced = [tuple((key, value) for key, value in one if value != before[key]) for one in tried]
    return list(dict.fromkeys([(), *reduced]))


def apply(setting: Setting, choice: Choice) -> Choice:
    """Return a line-up with a setting's changes.

    Raises
    ------
    TaflError, DataError
        If a value cannot be.
    """
    spec = choice.spec
    by_kind: dict[str, dict[str, str]] = {}
    for key, value in setting:
        by_kind.setdefault(kind_of(key, choice), {})[key] = value
    edition = choice.edition
    if EDITION in by_kind:
        edition = runs.load_edition(spec, by_kind[EDITION][EDITION], ())
    for value in by_kind.get(DRAWN, {}).values():
        edition = _drawn(spec, edition, value)
    cells = {a: value for key, value in by_kind.get(CELL, {}).items() for a in key.split(TOGETHER)}
    withheld = tuple(by_kind.get(ITEM, {}).values())
    edition = change_edition(spec, edition, cells, by_kind.get(RULE, {}), withheld)
    check_withheld(spec.items(edition, len(choice.lineup)), withheld)
    told = [f"{key}={value}" for key, value in setting if kind_of(key, choice) in (RULE, CELL)]
    if told:
        edition = replace(edition, name=f"{edition.name} with {', '.join(told)}")
    strategies = choice.strategies
    for key, value in by_kind.get(PARAMETER, {}).items():
        strategies = tuple(_with_parameter(s, key, value, len(choice.lineup)) for s in strategies)
    for key, value in by_kind.get(HANDICAP, {}).items():
        strategies = tuple(_with_handicap(s, key, value) for s in strategies)
    changed = replace(choice, edition=edition, strategies=strategies)
    _check_handicaps(changed)
    return changed


def _drawn(spec: GameSpec, edition: Any, value: str) -> Any:
    match = re.fullmatch(r"(\d+)/(\d+)", value)
    if match is None:
        raise TaflError(f"{PLAUSIBLE}={value}: write SEED/NUMBER, such as 1/0.")
    return draw(spec, edition, unknowns(spec, edition), int(match[1]), int(match[2])).edition


def _check_handicaps(choice: Choice) -> None:
    """Refuse, before anything is compiled, what cannot be banned or granted."""
    items = choice.spec.items(choice.edition, len(choice.lineup))
    for strategy in choice.strategies:
        pack_handicap(items, strategy.handicap, choice.edition.withheld, strategy.name)
        if "granted" in strategy.handicap.values() and choice.lineup.count(strategy.name) > 1:
            raise TaflError(f"{strategy.name} has several seats: what is granted goes to a strategy with one seat.")


def _with_handicap(strategy: Strategy, key: str, value: str) -> Strategy:
    name, _, way = key.partition(":")
    if strategy.name != name:
        return strategy
    if way == AT_RANDOM:
        return with_random(strategy, [value])
    return replace(strategy, handicap={**strategy.handicap, value: WAY_OF[way]})


def subject(choice: Choice) -> Choice:
    """Return a line-up whose first seat's strategy has a name of its own, and plays as before."""
    of = next(s for s in choice.strategies if s.name == choice.lineup[0])
    own = variant(of, of.name + SUBJECT)
    lineup = (own.name, *choice.lineup[1:])
    known = {s.name: s for s in (own, *choice.strategies)}
    return replace(choice, lineup=lineup, strategies=tuple(known[name] for name in entrants(lineup)[0]))


def _with_parameter(strategy: Strategy, key: str, value: str, n_players: int) -> Strategy:
    name, _, parameter = key.partition(":")
    if strategy.name != name:
        return strategy
    if not re.fullmatch(r"[+-]?\d{1,18}", value):
        raise TaflError(f"{key}={value}: a parameter is a whole number.")
    changed = {**strategy.params_for(n_players), parameter: int(value)}
    return replace(strategy, params=changed, at_players={})


def in_words(setting: Setting) -> str:
    """Return what a reader calls a setting."""
    return ", ".join(f"{key}={value}" for key, value in setting) or "unchanged"


def in_readers_words(setting: Setting, choice: Choice) -> str:
    """Return what a reader calls a setting, with items and joined cells by their printed names: ``without Uline``."""
    titles = {item.item_id: item.title for item in choice.spec.items(choice.edition, len(choice.lineup))}
    told = []
    for key, value in setting:
        name, _, way = key.partition(":")
        title = titles.get(value, value)
        if key == WITHHOLD:
            told.append(f"without {title}")
        elif way == AT_RANDOM:
            told.append(f"{name} takes {value.replace('_', ' ')} at random")
        elif way in WAY_OF:
            told.append(f"{name} may not have {title}" if way == "ban" else f"{name} has {title} from the start")
        else:
            told.append(f"{called(key, choice)}{SET_TO if is_joined(key) else '='}{value}")
    return ", ".join(told) or in_words(setting)


def called(key: str, choice: Choice) -> str:
    """Return what a reader calls something that is varied where its key may stand: joined cells by their title."""
    return title_of(key, choice) if is_joined(key) else key


def is_joined(key: str) -> bool:
    """Whether a key joins cells that are changed together."""
    return TOGETHER in key and ":" not in key


def told_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """Return what a reader calls things, by key; of those that would be called alike each keeps its key."""
    alike = {title for title, n in Counter(titles.values()).items() if n > 1}
    return {key: key if title in alike else title for key, title in titles.items()}


def title_of(key: str, choice: Choice) -> str:
    """Return what a reader calls something that is varied: ``points of Zoral``; a parameter by its own name."""
    kind = kind_of(key, choice)
    if kind == CELL:
        return cells_title(choice.spec, choice.edition, key.split(TOGETHER))
    name, _, way = key.partition(":")
    told = {
        **{WITHHOLD: "items withheld", f"{name}:ban": f"items that {name} may not have"},
        **{f"{name}:grant": f"items that {name} has from the start"},
        f"{name}:{AT_RANDOM}": f"decisions that {name} takes at random",
    }
    return told.get(key, way if kind == PARAMETER else key)
