"""Results to report on, by number of strategies."""

import pytest
from made_up import FOUR, make

from reports import theme


@pytest.fixture(scope="session")
def four():
    return make(FOUR)


@pytest.fixture(scope="module", autouse=True)
def small_pictures():
    """Draw PNG files at a third of their size: they are drawn and compared, but nobody looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "PNG_DPI", 60)
        yield
