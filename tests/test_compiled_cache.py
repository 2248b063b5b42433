"""The cache of compiled functions in processes of their own: edits, homes that cannot be written, two at once."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simcore import accel, codegen

pytestmark = pytest.mark.skipif(accel.INTERPRETED, reason="about compiled functions")

ENGINE = """
import numpy as np
from simcore.accel import call_decision, kernel, record_dtype
from simcore.helper import helper_nb

GAME = record_dtype([("number", "i8")])
OWN = record_dtype([("param", "i8")])

@kernel
def play_nb(address, game, own):
    return helper_nb(call_decision(address, game, own, 3))
"""
HELPER = """
from simcore.accel import kernel

@kernel
def helper_nb(x):
    return {factor} * x
"""
STRATEGY = """
from strategies.tool import tool_nb

def choose(game, own, n_options):
    return tool_nb(n_options)
"""
TOOL = """
from simcore.accel import kernel

@kernel
def tool_nb(x):
    return x + {more}
"""
PLAY = """
import numpy as np
from simcore.accel import cache_folder, compile_decision
from simcore.engine import GAME, OWN, play_nb
from strategies.mine import choose
address, owner = compile_decision(choose, GAME, OWN, cached=True)
print(play_nb(np.uint64(address), np.zeros(1, GAME)[0], np.zeros(1, OWN)[0]), cache_folder("simcore.engine"))
"""


@pytest.fixture
def project(tmp_path):
    """An installation as small as can be: an engine with a helper, a strategy with a helper."""
    root = tmp_path / "project"
    for package in ("simcore", "strategies"):
        (root / package).mkdir(parents=True)
        (root / package / "__init__.py").touch()
    for file in (accel.__file__, codegen.__file__):
        shutil.copy(file, root / "simcore")
    (root / "simcore" / "engine.py").write_text(ENGINE)
    (root / "strategies" / "mine.py").write_text(STRATEGY)
    (root / "simcore" / "helper.py").write_text(HELPER.format(factor=10))
    (root / "strategies" / "tool.py").write_text(TOOL.format(more=1))
    return root


def start(root: Path, **environment: str) -> subprocess.Popen:
    kept = {name: value for name, value in os.environ.items() if name not in ("TAFL_CACHE_DIR", "XDG_CACHE_HOME")}
    return subprocess.Popen(
        [sys.executable, "-B", "-c", PLAY],
        cwd=root,
        env={**kept, "PYTHONPATH": str(root), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen) -> tuple[int, str]:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    number, _, folder = out.strip().partition(" ")
    return int(number), folder


def test_an_edit_of_any_helper_shows_at_once_and_what_is_unchanged_is_not_compiled_again(project, tmp_path):
    cache = tmp_path / "cache"

    def play():
        number, _ = finish(start(project, TAFL_CACHE_DIR=str(cache)))
        return number, {path.name for path in cache.rglob("*.nbc")}

    number, files = play()
    assert number == 40
    assert play() == (40, files)
    (project / "strategies" / "tool.py").write_text(TOOL.format(more=2))
    assert play()[0] == 50
    (project / "simcore" / "helper.py").write_text(HELPER.format(factor=100))
    assert play()[0] == 500
    (project / "simcore" / "helper.py").write_text(HELPER.format(factor=10))
    (project / "strategies" / "tool.py").write_text(TOOL.format(more=1))
    before = sorted(cache.rglob("*.nbc"))
    assert play()[0] == 40
    assert sorted(cache.rglob("*.nbc")) == before, "what was compiled once is found again"


def test_with_a_home_that_cannot_be_written_it_plays_without_a_cache(project, tmp_path):
    (tmp_path / "file").touch()
    home = str(tmp_path / "file" / "home")
    assert finish(start(project, HOME=home, XDG_CACHE_HOME=home, LOCALAPPDATA=home)) == (40, "None")


def test_two_processes_that_compile_at_once_agree(project, tmp_path):
    cache = str(tmp_path / "cache")
    both = [start(project, TAFL_CACHE_DIR=cache) for _ in range(2)]
    assert [finish(process)[0] for process in both] == [40, 40]
    number, folder = finish(start(project, TAFL_CACHE_DIR=cache))
    assert number == 40
    assert any(Path(folder).rglob("*.nbc"))


def test_an_installation_that_cannot_be_written_keeps_its_cache_elsewhere(project, tmp_path):
    before = sorted(path.relative_to(project) for path in project.rglob("*"))
    for path in [project, *project.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        number, folder = finish(start(project, TAFL_CACHE_DIR=str(tmp_path / "cache")))
    finally:
        for path in [project, *project.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert number == 40
    assert folder.startswith(str(tmp_path / "cache"))
    assert sorted(path.relative_to(project) for path in project.rglob("*")) == before, "nothing is written beside it"
