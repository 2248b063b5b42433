"""A small experiment of each kind, played once for all tests, which must not change it."""

import lab
import pytest

from reports import theme


@pytest.fixture(scope="session")
def small_pictures():
    """Draw PNG files small: nobody looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "PNG_DPI", 40)
        yield


def _experiment(tmp_path_factory, name, arguments):
    folder = tmp_path_factory.mktemp(name)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        said = lab.played(*arguments, "--out", name, "--threads", 1)
    return folder / name, said


@pytest.fixture(scope="session")
def swept(tmp_path_factory, small_pictures):
    return _experiment(tmp_path_factory, "sweep", lab.SWEEP)


@pytest.fixture(scope="session")
def tuned(tmp_path_factory, small_pictures):
    return _experiment(tmp_path_factory, "tune-rules", lab.TUNE)


@pytest.fixture(scope="session")
def moved(tmp_path_factory, small_pictures):
    return _experiment(tmp_path_factory, "sensitivity", lab.SENSITIVITY)


@pytest.fixture(scope="session")
def drawn(tmp_path_factory, small_pictures):
    return _experiment(tmp_path_factory, "robustness", lab.ROBUSTNESS)


@pytest.fixture(scope="session")
def balanced(tmp_path_factory, small_pictures):
    return _experiment(tmp_path_factory, "balance", lab.BALANCE)
