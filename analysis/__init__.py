"""From exact sums to evidence: intervals, paired differences and tidy tables.

In a notebook ``import analysis`` is all that is needed: `analysis.compare` and the other functions that are called what
the commands are called (see `analysis.notebook`). They are brought in when they are first used, so that importing this
package costs nothing: ``from analysis.tables import tables`` brings pandas, `analysis.intervals` does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.notebook import (
        Run,
        balance,
        cards,
        compare,
        confirm,
        games,
        games_saved,
        load,
        merge,
        replay,
        reproduce,
        resume,
        robustness,
        rules,
        sensitivity,
        strategies,
        sweep,
        tournament,
        tune_rules,
    )

__all__ = [
    "Run",
    "balance",
    "cards",
    "compare",
    "confirm",
    "games",
    "games_saved",
    "load",
    "merge",
    "replay",
    "reproduce",
    "resume",
    "robustness",
    "rules",
    "sensitivity",
    "strategies",
    "sweep",
    "tournament",
    "tune_rules",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from analysis import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module 'analysis' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
