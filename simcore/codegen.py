"""How machine code is made of the project's own sources, where Numba's own way costs a game much: three changes.

Indices are not tested for being negative, calls hand on their caller's place for exceptions, and functions do not all
begin at the start of a page. All else, a user's strategy too, is compiled as Numba does it; and where another Numba has
no such inner part, that change is left out. Only `simcore.accel` uses this file.
"""

from __future__ import annotations

import threading
import zlib
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.callconv import CPUCallConv
from numba.core.codegen import JITCodeLibrary
from numba.np import arrayobj

_compiling = threading.local()


def _is_own() -> bool:
    """Return whether what this thread compiles now is the project's own."""
    return getattr(_compiling, "is_own", False)


def compiled_as(dispatcher: Any, is_own: bool) -> Any:
    """Have a dispatcher's functions compiled as the project's own sources, or as Numba does it, and return it."""
    compile_now = dispatcher._compiler.compile

    def compile_as(args: Any, return_type: Any) -> Any:
        before = _is_own()
        _compiling.is_own = is_own
        try:
            return compile_now(args, return_type)
        finally:
            _compiling.is_own = before

    dispatcher._compiler.compile = compile_as
    return dispatcher


# indices

_fix_integer_index = getattr(arrayobj, "fix_integer_index", None)


def _fix_index(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    """Take an index as it is: the project's sources count none from the end.

    Numba tests every signed index for being negative. Without the tests a game takes a tenth less time. Where bounds
    are checked (TAFL_BOUNDSCHECK=1), a negative index is an error.
    """
    if not _is_own():
        assert _fix_integer_index is not None
        return _fix_integer_index(context, builder, index_type, index, size)
    return context.cast(builder, index, index_type, types.intp if index_type.signed else types.uintp)


if _fix_integer_index is not None:
    arrayobj.fix_integer_index = _fix_index


# calls

_call_function = getattr(CPUCallConv, "call_function", None)


def _call_in_place(self: Any, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None) -> Any:
    """Call a compiled function so that what it raises is raised by the caller itself.

    Numba makes and empties a place for the exception and one for the answer at each call. A function of the project
    hands on its own place for exceptions: five instructions less for each of a game's two thousand calls.
    """
    own = builder.function.args
    is_plain = len(own) > 1 and own[0].name == "retptr" and own[1].name == "excinfo"
    if not _is_own() or not is_plain or isinstance(resty, types.Optional) or attrs:
        assert _call_function is not None
        return _call_function(self, builder, callee, resty, argtys, args, attrs)
    with builder.goto_entry_block():
        answer = builder.alloca(self.get_return_type(resty).pointee)
    code = builder.call(callee, [answer, own[1], *self._get_arg_packer(argtys).as_arguments(builder, args)])
    status = self._get_return_status(builder, code, builder.load(own[1]))
    status = status._replace(is_error=builder.icmp_signed("!=", code, ir.Constant(code.type, 0)))
    return status, self.context.get_returned_value(builder, resty, builder.load(answer))


if _call_function is not None:
    CPUCallConv.call_function = _call_in_place


# places in memory

_LINE, _LINES_A_PAGE = 64, 64


def _spread(library: Any) -> None:
    """Let a library's code begin anywhere in a page, by a hash of its name: some bytes nobody runs stand before it.

    Each library has pages of its own, and a processor keeps only some eight lines of code with the same place in a
    page: if a hundred functions all begin at the start of one, their first lines drive each other out at every call.
    """
    n_bytes = _LINE * (zlib.crc32(library.name.encode()) % _LINES_A_PAGE)
    module = str(library._codegen._create_empty_module(library.name))
    before = f'define weak void @"before.{library.name}"() prefix [{n_bytes} x i8] zeroinitializer {{ ret void }}'
    library._final_module = llvmlite.binding.parse_assembly(f"{module}\n{before}\n")
    library._final_module.name = cgutils.normalize_ir_text(library.name)


_init_library = getattr(JITCodeLibrary, "__init__", None)


def _init_and_spread(self: Any, *args: Any, **kws: Any) -> None:
    assert _init_library is not None
    _init_library(self, *args, **kws)
    if _is_own() and hasattr(self, "_final_module"):
        _spread(self)


if _init_library is not None:
    JITCodeLibrary.__init__ = _init_and_spread
