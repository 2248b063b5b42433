"""All that knows Numba, with `codegen`: how kernels are compiled, where they are cached, how decisions are called.

Everything else imports `kernel`, `call_decision` and `array_at` from here and would not notice another compiler.

Numba stamps a cached function with its own file only, so an edited helper would leave its cached callers stale. The
cache of a module therefore lies in a folder named by a hash of its source and the sources of everything it imports: an
edit gives a new folder to whatever could depend on it, and to nothing else. Where no folder can be written, kernels are
compiled anew in each process.
"""

# ruff: noqa: E402 (something is hidden from Numba while it is imported)
from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import threading
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import numpy as np
import platformdirs
from llvmlite import ir

_has_scipy = "scipy" in sys.modules
if not _has_scipy:
    # Where SciPy is installed, Numba loads its linear algebra on the way, which nothing here uses and which takes a
    # quarter of a second. Numba works without SciPy, so it is not to be found while Numba is loaded.
    sys.modules["scipy"] = None  # type: ignore[assignment]
import numba
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin
from numba.np import arraymath, arrayobj  # noqa: F401

from simcore.codegen import compiled_as

if not _has_scipy:
    del sys.modules["scipy"]

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""True under NUMBA_DISABLE_JIT=1: kernels are plain Python then, slow and easy to step through, with equal results."""

BOUNDS_CHECKED = os.environ.get("TAFL_BOUNDSCHECK", "") == "1"
"""True under TAFL_BOUNDSCHECK=1: indices of the engine and of shipped strategies are checked (a user's always are)."""

if INTERPRETED:
    np.seterr(over="ignore")  # unsigned arithmetic of the generator wraps on purpose


_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(r"^\s*(?:from|import)\s+((?:simcore|strategies)[\w.]*)", re.MULTILINE)


@cache
def _sources(module: str) -> dict[str, bytes]:
    """Return the sources behind a module's name: its file, or every file of the package it is."""
    path = _ROOT.joinpath(*module.split("."))
    files = sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
    return {str(file.relative_to(_ROOT)): file.read_bytes() for file in files}


@cache
def kernel_key(module: str) -> str:
    """Return 16 hex digits of a hash over everything a module's compiled functions can depend on.

    That is the sources of the module and of all it imports, in turn, from this project; the versions of Python, NumPy
    and Numba; the compile options.
    """
    found: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        for name, source in _sources(waiting.pop()).items():
            if name not in found:
                found[name] = source
                waiting += _IMPORT.findall(source.decode())
    digest = hashlib.sha256()
    for part in (sys.version, numba.__version__, np.__version__, str(BOUNDS_CHECKED)):
        digest.update(part.encode() + b"\0")
    for name in sorted(found):
        digest.update(name.encode() + b"\0" + found[name] + b"\0")
    return digest.hexdigest()[:16]


def cache_base() -> Path:
    """Return where compiled functions are kept, if it can be written: TAFL_CACHE_DIR, or the user's cache folder."""
    return Path(os.environ.get("TAFL_CACHE_DIR") or platformdirs.user_cache_dir("tafl"))


@cache
def cache_folder(module: str) -> Path | None:
    """Return the folder of a module's compiled functions, made if need be; None where none can be written.

    Modules from elsewhere (a user's strategy) get none: what they import is not known, so their code could go stale.
    """
    if INTERPRETED or not _ships(module):
        return None
    folder = cache_base() / "kernels" / kernel_key(module)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError:
        return None
    return folder


def is_compiled(module: str) -> bool:
    """Return whether a module's kernels need not be compiled now: they lie in the cache, or are interpreted."""
    folder = cache_folder(module)
    return INTERPRETED or (folder is not None and any(folder.rglob("*.nbi")))


def _ships(module: str) -> bool:
    """Return whether a module is this project's own, not a user's."""
    return module.split(".")[0] in ("simcore", "strategies")


def _jit(function: Callable[..., Any], bounds_checked: bool, cached: bool, contained: bool = False) -> Any:
    folder = cache_folder(function.__module__) if cached else None
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    options = {"nogil": True, "cache": folder is not None, "boundscheck": bounds_checked, "forceinline": contained}
    # No kernel of the project makes an array (`array_at` by a function of Numba's that might), so none has to count
    # references: three calls in each function that is handed an array. A user's strategy may make some.
    options["_nrt"] = not _ships(function.__module__) or function.__name__ == "array_at"
    compiled = numba.njit(**options)(function)
    return compiled if INTERPRETED else compiled_as(compiled, is_own=_ships(function.__module__))


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an engine function: no GIL, cached where possible, one copy for one set of argument types."""
    compiled = _jit(function, BOUNDS_CHECKED, cached=True)
    return compiled if INTERPRETED else _without_literals(compiled)


def contained_kernel(function: Callable[..., Any]) -> Any:
    """Compile an engine function that its callers always contain: a small step that every turn takes.

    A call of a kernel saves registers and passes on whether an exception was raised, which can cost more than the step.
    Left to itself the compiler weighs size only. What is rare is better a `separate_kernel`, out of the way.
    """
    compiled = _jit(function, BOUNDS_CHECKED, cached=True, contained=True)
    return compiled if INTERPRETED else _without_literals(compiled)


_unlinked: list[Callable[[], Any]] = []
_linking = threading.RLock()


def _link_all() -> None:
    """Compile or load every separate kernel declared so far; code loaded from a cache may call any of them."""
    with _linking:  # a second thread waits until all are there
        while _unlinked:
            _unlinked[0]()
            _unlinked.pop(0)


def separate_kernel(*records: np.dtype) -> Callable[[Callable[..., Any]], Any]:
    """Compile an engine function that its callers call rather than contain.

    Numba links the code of whatever a function calls into it and optimizes all of it anew, so an engine of many layers
    takes minutes to compile. A separate kernel is compiled once; a call costs about 2 ns more than contained code.

    Parameters
    ----------
    *records : numpy.dtype
        The records that it takes first; all other arguments are int64.

    Returns
    -------
    callable
        A decorator. The function it returns can be called from kernels and from Python.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        return function if INTERPRETED else _separate(function, records)

    return decorate


def _separate(function: Callable[..., Any], records: tuple[np.dtype, ...]) -> Any:
    n_arguments = function.__code__.co_argcount
    arguments = tuple(numba.from_dtype(record) for record in records) + (types.int64,) * (n_arguments - len(records))
    symbol = f"tafl.{function.__module__}.{function.__qualname__}"
    dispatcher = _jit(function, BOUNDS_CHECKED, cached=True)

    def link() -> Any:
        """Compile or load the kernel, make its symbol known once, and return its signature."""
        if arguments not in dispatcher.overloads:
            dispatcher.compile(arguments)
            compiled = dispatcher.overloads[arguments]
            address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
            llvmlite.binding.add_symbol(symbol, address)
        return dispatcher.overloads[arguments].signature

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        _link_all()
        return dispatcher(*args)

    class Template(AbstractTemplate):
        key = call

        def generic(self, args, kws):  # type: ignore[no-untyped-def]
            return link() if len(args) == n_arguments and not kws else None

    infer_global(call, types.Function(Template))

    @lower_builtin(call, *arguments)
    def lower(context, builder, signature, values):  # type: ignore[no-untyped-def]
        function_type = context.call_conv.get_function_type(signature.return_type, signature.args)
        callee = cgutils.get_or_insert_function(builder.module, function_type, symbol)
        status, result = context.call_conv.call_function(builder, callee, signature.return_type, signature.args, values)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    _unlinked.append(link)
    return call


def _without_literals(dispatcher: Any) -> Any:
    """Keep Numba from compiling one more copy of a kernel for every literal argument its callers write."""
    get_call_template = dispatcher.get_call_template

    def get_plain_call_template(args: Any, kws: Any) -> Any:
        plain = tuple(types.unliteral(a) for a in args)
        return get_call_template(plain, {name: types.unliteral(a) for name, a in kws.items()})

    compile_for_args = dispatcher._compile_for_args

    def compile_for_args_after_linking(*args: Any, **kws: Any) -> Any:
        _link_all()
        return compile_for_args(*args, **kws)

    dispatcher.get_call_template = get_plain_call_template
    dispatcher._compile_for_args = compile_for_args_after_linking
    return dispatcher


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype:
    """Return an aligned record dtype whose fields read as attributes, compiled or not.

    Raises
    ------
    ValueError
        A field has the name of an attribute of NumPy's records, which would hide it when interpreted.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"a record's field cannot be called {name!r}: NumPy's records have that attribute")
    return np.dtype((np.record, np.dtype(fields, align=True)))


def array_type(dtype: np.dtype) -> Any:
    """Return the compiled type of a one-dimensional, contiguous array of `dtype` records."""
    return types.Array(numba.from_dtype(dtype), 1, "C")


_python_decisions: list[Callable[..., int]] = []

if INTERPRETED:

    def call_decision(address: int, game: Any, own: Any, n_options: int) -> int:
        """Call the decision registered at `address`; the interpreted twin of the compiled call."""
        return _python_decisions[int(address)](game, own, n_options)

else:

    @intrinsic
    def call_decision(typingctx, address, game, own, n_options):  # type: ignore[no-untyped-def]
        """Call the compiled decision at `address` in Numba's own convention, so that its exceptions propagate.

        A call by address is what keeps the engine compiled once for every strategy there will ever be.
        """
        signature = types.int64(types.uint64, game, own, types.int64)

        def codegen(context, builder, sig, values):  # type: ignore[no-untyped-def]
            arguments = sig.args[1:]
            function_type = context.call_conv.get_function_type(sig.return_type, arguments)
            pointer = builder.inttoptr(values[0], ir.PointerType(function_type))
            status, result = context.call_conv.call_function(builder, pointer, sig.return_type, arguments, values[1:])
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return result

        return signature, codegen


@intrinsic
def _as_pointer(typingctx, address):  # type: ignore[no-untyped-def]
    def codegen(context, builder, sig, values):  # type: ignore[no-untyped-def]
        return builder.inttoptr(values[0], cgutils.voidptr_t)

    return types.voidptr(address), codegen


if INTERPRETED:

    def array_at(address: int, size: int) -> np.ndarray:
        """Return the int64 array of `size` items that lies at `address` (its owner must be kept alive)."""
        import ctypes

        return np.ctypeslib.as_array((ctypes.c_int64 * int(size)).from_address(int(address)))

else:

    @kernel
    def array_at(address, size):  # type: ignore[no-untyped-def]
        """Return the int64 array of `size` items that lies at `address` (its owner must be kept alive)."""
        return numba.carray(_as_pointer(address), (size,), np.int64)


class DecisionError(Exception):
    """A decision function that cannot be used: it does not compile, or does not answer with an integer."""


def compile_decision(
    function: Callable[..., int], game_dtype: np.dtype, own_dtype: np.dtype, cached: bool
) -> tuple[int, Any]:
    """Compile a decision function and return its address.

    Parameters
    ----------
    function : callable
        ``function(game, own, n_options) -> int``, plain Python that Numba can compile.
    game_dtype, own_dtype : numpy.dtype
        The game's public record and the player's own record.
    cached : bool
        Whether the machine code may be kept on disk; only for sources that `kernel_key` covers.

    Returns
    -------
    address : int
        What `call_decision` takes.
    owner : object
        Whatever has to stay alive as long as the address is in use.

    Raises
    ------
    DecisionError
        With the reason in one sentence.
    """
    if INTERPRETED:
        _python_decisions.append(function)
        return len(_python_decisions) - 1, function
    arguments = (numba.from_dtype(game_dtype), numba.from_dtype(own_dtype), types.int64)
    # A user's strategy is always bounds-checked: an index past a record's array must not read what lies behind it. What
    # ships is checked where the engine is, in the tests.
    plain = getattr(function, "py_func", function)
    bounds_checked = BOUNDS_CHECKED or not _ships(plain.__module__)
    dispatcher = _jit(plain, bounds_checked=bounds_checked, cached=cached)
    _link_all()
    try:
        dispatcher.compile(arguments)
    except numba.core.errors.NumbaError as error:
        raise DecisionError(f"does not compile: {_reason(error)}") from error
    except KeyError as error:  # how Numba says that a record has no such field
        raise DecisionError(_no_field(str(error.args[0]), [game_dtype, own_dtype])) from error
    answer = dispatcher.overloads[arguments].signature.return_type
    if not isinstance(answer, types.Integer | types.Boolean):
        raise DecisionError(f"answers with {answer}, not with the index of an option (an integer)")
    if answer != types.int64:  # another integer width: fix the calling convention to the one that is called
        dispatcher = _jit(plain, bounds_checked=bounds_checked, cached=False)
        dispatcher.compile(types.int64(*arguments))
    compiled = dispatcher.overloads[arguments]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name), dispatcher


def _field_names(dtype: np.dtype) -> list[str]:
    """Return the names of a record's fields and of the fields of records within it."""
    names = list(dtype.base.names or ())
    return names + [inner for name in names for inner in _field_names(dtype.base[name])]


def _no_field(name: str, dtypes: list[np.dtype]) -> str:
    """Say that no record has a field of this name, and which is nearest."""
    nearest = get_close_matches(name, [field for dtype in dtypes for field in _field_names(dtype)], n=1)
    hint = f"; the nearest is {nearest[0]!r}" if nearest else ""
    return f"does not compile: no record has a field {name!r}{hint}"


def _reason(error: Exception) -> str:
    """Return the telling lines of one of Numba's long messages."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in nopython", "During:", "- ", "To see"))]
    where = [line for line in lines if line.startswith("File ")]
    return " ".join((telling[:2] or lines[:1]) + where[-1:])
