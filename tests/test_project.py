"""The project's own settings: what is installed, which layers there are."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))


def test_every_package_and_the_command_are_installed():
    installed = SETTINGS["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert sorted(installed) == sorted([*PACKAGES, "cli.py"])
    module, _, function = SETTINGS["project"]["scripts"]["tafl"].partition(":")
    assert f"{module}.py" in installed
    assert re.search(rf"^def {function}\(", (ROOT / f"{module}.py").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_package_has_a_place_among_the_layers():
    linter = SETTINGS["tool"]["importlinter"]
    assert sorted(linter["root_packages"]) == PACKAGES
    assert sorted(linter["contracts"][0]["layers"]) == PACKAGES
    assert sorted(SETTINGS["tool"]["mypy"]["packages"]) == sorted([*PACKAGES, "cli"])


def test_no_file_belongs_to_one_machine():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("no git checkout")
    wrong = re.compile("|".join(["/" + "work/", "/" + "tmp/venv", "/" + "home/", "T" + "ODO", "F" + "IXME"]))
    for name in listed.stdout.splitlines():
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".csv", ".html", ".css", ".js", ".json", ""):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                assert not wrong.search(line), f"{name}:{number}"
