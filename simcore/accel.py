"""The only file that knows Numba: how kernels are compiled, where they are cached, how decisions are called.

Everything else imports `kernel`, `call_decision` and `array_at` from here and would not notice another compiler.

Numba stamps a cached function with its own file only, so an edited helper would leave its cached callers stale. The cache
therefore lies in a folder named by a hash of every kernel source, the Python and the Numba version: any edit gives
a new folder. Where no folder can be written, kernels are compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

INTERPRETED = bool(numba.config.DISABLE_JIT)
"""True under NUMBA_DISABLE_JIT=1: kernels are plain Python then, slow and easy to step through, with equal results."""

BOUNDS_CHECKED = os.environ.get("TAFL_BOUNDSCHECK", "") == "1"
"""True under TAFL_BOUNDSCHECK=1: the engine's own indices are checked too (a strategy's always are)."""

if INTERPRETED:
    np.seterr(over="ignore")  # unsigned arithmetic of the generator wraps on purpose


def _kernel_sources() -> list[Path]:
    root = Path(__file__).resolve().parent.parent
    return sorted(p for package in ("simcore", "strategies") for p in (root / package).rglob("*.py"))


def cache_key() -> str:
    """Return the name of the cache folder: 16 hex digits of a hash over sources, versions and compile options."""
    digest = hashlib.sha256()
    for part in (sys.version, numba.__version__, np.__version__, str(BOUNDS_CHECKED)):
        digest.update(part.encode() + b"\0")
    for source in _kernel_sources():
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _open_cache() -> Path | None:
    base = os.environ.get("TAFL_CACHE_DIR") or platformdirs.user_cache_dir("tafl")
    folder = Path(base) / "kernels" / cache_key()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError:
        return None
    return folder


CACHE_FOLDER = None if INTERPRETED else _open_cache()
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an engine function: no GIL, cached where possible."""
    return numba.njit(nogil=True, cache=CACHE_FOLDER is not None, boundscheck=BOUNDS_CHECKED)(function)


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype:
    """Return an aligned record dtype whose fields read as attributes, compiled or not."""
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
            status, result = context.call_conv.call_function(
                builder, pointer, sig.return_type, arguments, values[1:]
            )
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
        Whether the machine code may be kept on disk; only for sources that `cache_key` covers.

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
    # Strategies are always bounds-checked: an index past a record's array must not read what lies behind it.
    jit = numba.njit(nogil=True, cache=cached and CACHE_FOLDER is not None, boundscheck=True)
    dispatcher = jit(getattr(function, "py_func", function))
    try:
        dispatcher.compile(arguments)
    except numba.core.errors.NumbaError as error:
        raise DecisionError(f"does not compile: {_reason(error)}") from error
    answer = dispatcher.overloads[arguments].signature.return_type
    if not isinstance(answer, types.Integer | types.Boolean):
        raise DecisionError(f"answers with {answer}, not with the index of an option (an integer)")
    if answer != types.int64:  # another integer width: fix the calling convention to the one that is called
        dispatcher = jit(getattr(function, "py_func", function))
        dispatcher.compile(types.int64(*arguments))
    compiled = dispatcher.overloads[arguments]
    return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name), dispatcher


def _reason(error: Exception) -> str:
    """Return the telling lines of one of Numba's long messages."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in nopython", "During:", "- ", "To see"))]
    where = [line for line in lines if line.startswith("File ")]
    return " ".join((telling[:2] or lines[:1]) + where[-1:])
