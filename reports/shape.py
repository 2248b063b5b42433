"""What a chart has to fill: its width, and a height if one is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from reports.theme import WIDTH


class TooSmallError(Exception):
    """A chart does not fit the height asked for.

    Attributes
    ----------
    needed : float
        Height in points that it needs at its width.
    """

    def __init__(self, needed: float):
        super().__init__(needed)
        self.needed = needed


@dataclass(frozen=True)
class Shape:
    """What a chart has to fill, in points; without a height it is as high as its content."""

    width: float = WIDTH
    height: float | None = None


_SHAPE: ContextVar[Shape] = ContextVar("shape", default=Shape())  # noqa: B039 - it is frozen


@contextmanager
def shaped(wide: float, tall: float | None = None) -> Iterator[None]:
    """Let every chart drawn inside have this width and, if one is given, this height, in points."""
    token = _SHAPE.set(Shape(wide, tall))
    try:
        yield
    finally:
        _SHAPE.reset(token)


def shape_now() -> Shape:
    """Return the shape of the charts drawn now."""
    return _SHAPE.get()


def page_width() -> float:
    """Return the width in points of the charts drawn now."""
    return _SHAPE.get().width


def elastic(tall: float) -> float:
    """Return how high a plot of any height is in points: `tall`, or half of it at least where it will be stretched."""
    return tall if _SHAPE.get().height is None else tall / 2
