"""Running strategy files: a user's own, and copies of tafl's that a run's folder kept."""

from __future__ import annotations

import ast
import hashlib
import sys
import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from simcore.contract import StrategyError
from strategies.definition import PROFILES, ROOT, Definition, definitions, read_profile, read_text, shown

PACKAGE = "strategies"


def texts(files: Mapping[str, Path]) -> dict[str, str]:
    """Return the texts of files by name."""
    return {name: read_text(path) for name, path in files.items()}


def stored_name(file: str) -> str:
    """Return the name under which a run's folder keeps one of tafl's own files (``strategies/...``)."""
    return file.removeprefix(f"{PACKAGE}/")


def is_unchanged(name: str, path: Path) -> bool:
    """Return whether a stored copy equals the file that ships now."""
    present = ROOT / name
    return present.is_file() and read_text(present) == read_text(path)


def has_own_code(folder: Path) -> bool:
    """Return whether a run's stored strategies hold Python code that does not ship with this tafl."""
    return any(not is_unchanged(p.relative_to(folder).as_posix(), p) for p in sorted(folder.rglob("*.py")))


def shipped_sources(definition: Definition) -> dict[str, str]:
    """Return stored name -> text of a shipped strategy's file and of every file of the package that it imports."""
    if not definition.module:
        path = ROOT.parent / definition.where
        return {path.relative_to(ROOT).as_posix(): read_text(path)}
    found: dict[str, str] = {}
    waiting = [_path_of(definition.module)]
    while waiting:
        path = waiting.pop()
        name = path.relative_to(ROOT).as_posix()
        if name in found:
            continue
        found[name] = read_text(path)
        waiting += [_path_of(module) for module in _imported(found[name]) if module.count(".") == 2]
    return found


def _path_of(module: str) -> Path:
    return ROOT.parent / (module.replace(".", "/") + ".py")


@cache
def _imported(text: str) -> list[str]:
    """Return the modules of this package that a source imports names from."""
    nodes = [n for n in ast.parse(text).body if isinstance(n, ast.ImportFrom) and n.level == 0]
    return [n.module for n in nodes if n.module and n.module.startswith(f"{PACKAGE}.")]


def _run(path: Path, text: str, tree: ast.Module | None, name: str) -> types.ModuleType:
    """Run a source as module `name`; the compiler looks it up in `sys.modules`, so the name has to be stable."""
    module = types.ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    definitions.pop(name, None)
    try:
        code = compile(tree if tree is not None else text, str(path), "exec")
        exec(code, module.__dict__)
    except StrategyError:
        raise
    except SyntaxError as error:
        raise StrategyError(f"{shown(path)}:{error.lineno}: no valid Python: {error.msg}") from None
    except Exception as error:
        raise StrategyError(
            f"{shown(path)}:{_line_of_failure(error, path)}: {type(error).__name__}: {error}"
        ) from error
    return module


def _line_of_failure(error: BaseException, path: Path) -> int:
    """Return the last line of `path` in an exception's traceback."""
    line = 1
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def user_name(path: Path, text: str) -> str:
    """Return the name under which a run's folder keeps a user's file: files of equal name must not meet."""
    return f"user/{hashlib.sha256(text.encode()).hexdigest()[:8]}/{path.name}"


def load_module(path: Path) -> tuple[list[Definition], dict[str, str]]:
    """Run a user's Python file.

    Parameters
    ----------
    path : pathlib.Path
        The file. It may import modules that lie beside it.

    Returns
    -------
    found : list of Definition
        The strategies it declares.
    sources : dict
        Stored name -> text, of the file and of the modules beside it that it imported.

    Raises
    ------
    StrategyError
        With file and line.
    """
    text = read_text(path)
    folder = path.resolve().parent
    name = f"tafl_user_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        _run(path, text, None, name)
    finally:
        sys.path.remove(str(folder))
    found = definitions.get(name, [])
    if not found:
        raise StrategyError(f"{shown(path)}: nothing is decorated with @strategy(...)")
    stored = user_name(path, text)
    sources = {stored: text}
    for module_name in [n for n in sys.modules if n not in before and n != name]:
        file = getattr(sys.modules[module_name], "__file__", None)
        if file and Path(file).resolve().parent == folder and Path(file).suffix == ".py":
            sources[f"{stored.rpartition('/')[0]}/{Path(file).name}"] = read_text(Path(file))
            del sys.modules[module_name]  # another file's helper may have the same name
    return found, sources


def load_shipped_copy(files: Mapping[str, Path]) -> list[Definition]:
    """Run stored copies of tafl's own strategy files beside the present ones.

    Parameters
    ----------
    files : mapping
        Stored name -> file.

    Returns
    -------
    list of Definition
        All strategies they declare, parameter sets included.
    """
    own = {name: path for name, path in files.items() if not name.startswith("user/")}
    digest = hashlib.sha256("\0".join(f"{n}\0{read_text(p)}" for n, p in own.items()).encode()).hexdigest()[:12]
    prefix = f"tafl_stored_{digest}"
    modules = {name: path for name, path in own.items() if path.suffix == ".py"}
    found: list[Definition] = []
    for name in modules:
        found += _run_copy(name, modules, prefix)
    profiles = f"{PROFILES.name}/"
    return found + [read_profile(path) for name, path in own.items() if name.startswith(profiles)]


def _module_name(prefix: str, stored: str) -> str:
    return f"{prefix}.{stored.removesuffix('.py').replace('/', '.')}"


def _run_copy(stored: str, modules: Mapping[str, Path], prefix: str) -> list[Definition]:
    """Run one stored module, and first those it imports; return what it declares."""
    name = _module_name(prefix, stored)
    if name in sys.modules:
        return definitions.get(name, [])
    text = read_text(modules[stored])
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{PACKAGE}."):
            wanted = stored_name(node.module.replace(".", "/")) + ".py"
            if wanted in modules:
                _run_copy(wanted, modules, prefix)
                node.module = _module_name(prefix, wanted)
    _run(modules[stored], text, tree, name)
    return definitions.get(name, [])
