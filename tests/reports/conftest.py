"""Results to report on, by number of strategies."""

import pytest
from made_up import make

FOUR = ["dwerg-rush", "early-uline", "planner", "greedy"]
LONG = "blacksmiths-and-miners-with-late-coins-" + "x"


def names_of(n: int) -> list[str]:
    """Return `n` names; every fifth is 40 characters long."""
    return [(f"{LONG[:37]}{i:03d}" if i % 5 == 4 else f"strategy-{i + 1}") for i in range(n)]


@pytest.fixture(scope="session")
def four():
    return make(FOUR)


@pytest.fixture(scope="session", params=[1, 2, 4, 12, 60])
def any_number(request):
    return make(names_of(request.param), n_seats=max(2, request.param))
