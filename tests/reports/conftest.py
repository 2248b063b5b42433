"""Results to report on, by number of strategies."""

import pytest
from made_up import make

from reports import theme

FOUR = ["dwerg-rush", "early-uline", "planner", "greedy"]
LONG = "blacksmiths-and-miners-with-late-coins-" + "x"


def names_of(n: int) -> list[str]:
    """Return `n` names; every fifth is 40 characters long."""
    return [(f"{LONG[:37]}{i:03d}" if i % 5 == 4 else f"strategy-{i + 1}") for i in range(n)]


@pytest.fixture(scope="session")
def four():
    return make(FOUR)


@pytest.fixture(scope="module", autouse=True)
def small_pictures():
    """Draw PNG files at a third of their size: they are drawn and compared, but nobody looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "PNG_DPI", 60)
        yield
