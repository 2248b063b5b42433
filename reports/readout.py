"""A chart's numbers to be read: as a table for Markdown or a forum post, and as a sentence for who does not see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from reports import captions
from reports.figures.panels import ALL
from reports.figures.parts import part_label
from reports.language import capital, say, thing
from reports.numbers import count, decimal, digits_for, half_width, mean_with_interval, share_gap, share_with_interval
from reports.numbers import percent as in_percent

MAX_ACROSS = 6
"""Strategies that get a column each in a table of theirs and of other things."""


@dataclass(frozen=True)
class Value:
    """A number of a row: its columns, and how it is written.

    Attributes
    ----------
    column, low, high : str
        Columns of the estimate and its interval; no interval if empty.
    kind : {'share', 'gap', 'mean', 'count', 'signed'}
        A share in percent, a difference of shares in percentage points, a mean, a whole number, a mean with its sign.
    """

    column: str
    low: str = ""
    high: str = ""
    kind: str = "share"

    def text(self, row: Mapping[str, Any]) -> str:
        """Return the number of a row."""
        number = row[self.column]
        if not self.low:
            return (
                in_percent(number)
                if self.kind == "share"
                else count(number)
                if self.kind == "count"
                else decimal(number)
            )
        low, high = row[self.low], row[self.high]
        if self.kind == "share":
            return share_with_interval(number, low, high)
        if self.kind == "gap":
            return share_gap(number, low, high)
        if self.kind == "signed":
            digits = digits_for(half_width(low, high), most=2)
            ends = say("number.range", low=decimal(low, digits, plus=True), high=decimal(high, digits, plus=True))
            return f"{decimal(number, digits, plus=True)} ({ends})"
        return mean_with_interval(number, low, high)


@dataclass(frozen=True)
class Readout:
    """A table to be read: its head, its rows, and how many columns at the left are labels."""

    head: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    n_labels: int = 1


def _label(column: str, cell: Any) -> str:
    if column == "part":
        return part_label(str(cell))
    if column == "title":
        return capital(thing(cell))
    return say("label.all_strategies") if cell == ALL else str(cell)


def readout_of(table: pd.DataFrame, labels: Sequence[str], values: Sequence[Value]) -> Readout:
    """Return a chart's table to be read; few strategies with one number for each of other things stand side by side."""
    names = list(dict.fromkeys(table["strategy"])) if "strategy" in labels else []
    if len(labels) == 2 and len(values) == 1 and 1 < len(names) <= MAX_ACROSS:
        other = next(label for label in labels if label != "strategy")
        cells = {(row["strategy"], row[other]): values[0].text(row) for row in table.to_dict("records")}
        kinds = list(dict.fromkeys(table[other]))
        rows = [[_label(other, kind), *(cells.get((name, kind), "") for name in names)] for kind in kinds]
        return Readout([say(f"column.{other}"), *names], rows)
    head = [say(f"column.{name}") for name in (*labels, *(value.column for value in values))]
    rows = [
        [*(_label(label, row[label]) for label in labels), *(value.text(row) for value in values)]
        for row in table.to_dict("records")
    ]
    return Readout(head, rows, len(labels))


def spoken(table: pd.DataFrame, labels: Sequence[str], values: Sequence[Value]) -> str:
    """Return the numbers of a chart as one sentence, as `reports.captions.spoken` does."""
    texts = []
    for row in table.head(captions.MAX_SPOKEN).to_dict("records"):
        said = [value.text(row) for value in values]
        if len(values) > 1:
            said = [f"{say(f'column.{value.column}')} {text}" for value, text in zip(values, said, strict=True)]
        texts.append(f"{', '.join(_label(label, row[label]) for label in labels)}: {', '.join(said)}")
    return captions.spoken(texts, len(table))


def as_markdown(readout: Readout, title: str, caption: str) -> str:
    """Return a table for Markdown, with the finding above it and the caption below it."""
    n = len(readout.head)
    marks = [":---" if i < readout.n_labels else "---:" for i in range(n)]
    lines = [readout.head, marks, *readout.rows]
    table = "\n".join(f"| {' | '.join(_markdown(cell) for cell in line)} |" for line in lines)
    return f"**{_markdown(title)}**\n\n{table}\n\n*{_markdown(caption)}*\n"


def _markdown(text: str) -> str:
    for mark in "\\|*_<`":
        text = text.replace(mark, "\\" + mark)
    return text


def as_bbcode(readout: Readout, title: str, caption: str) -> str:
    """Return a table for a forum post: columns of equal characters, which every forum shows as they are."""
    lines = [readout.head, *readout.rows]
    wide = [max(len(line[i]) for line in lines) for i in range(len(readout.head))]
    n = readout.n_labels
    labels = [[c.ljust(w) for c, w in zip(line[:n], wide, strict=False)] for line in lines]
    numbers = [[c.rjust(w) for c, w in zip(line[n:], wide[n:], strict=True)] for line in lines]
    table = "\n".join("  ".join([*a, *b]).rstrip() for a, b in zip(labels, numbers, strict=True))
    return f"[b]{title}[/b]\n[code]\n{table}\n[/code]\n[i]{caption}[/i]\n"
