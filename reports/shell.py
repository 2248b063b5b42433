"""What a shell is told: errors in a sentence, exit codes, characters that its encoding has. Imports nothing heavy."""

from __future__ import annotations

import codecs
import os
import re
import sys
from typing import Any

USAGE = 2
BAD_DATA = 3
INTERRUPTED = 130

_PLAIN = {"\u202f": " ", "\u00a0": " ", "\u2212": "-", "\u2013": "-"}


class Stopped(Exception):  # noqa: N818 - nothing is wrong
    """Ends a command that was interrupted and has said what there is to say."""

    exit_code = INTERRUPTED


def write_plainly_where_needed() -> None:
    """Write plain characters where an output's encoding lacks the thin space, the minus sign or another."""

    def instead(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end

    codecs.register_error("tafl-plain", instead)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="tafl-plain")


def explain(error: BaseException) -> int:
    """Print what a user can do about an error and return the exit code; anything else is raised again as it is.

    Parameters
    ----------
    error : BaseException
        What ended the command: a `simcore.contract.TaflError`, an error of usage, the system's refusal, an exit.
    """
    if _is_broken_pipe(error):  # `tafl cards ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, SystemExit):
        raise error
    if hasattr(error, "format_message"):  # usage: an unknown option, a missing argument
        say(_usage(error))
        return USAGE
    if type(error).__name__ == "Abort":
        return INTERRUPTED
    if hasattr(error, "exit_code"):
        say(str(error))
        return int(error.exit_code)
    if isinstance(error, OSError):
        name = f"'{error.filename}': " if error.filename else ""
        say(f"{name}{(error.strerror or str(error)).lower()}")
        return BAD_DATA
    raise error


def _is_broken_pipe(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, BrokenPipeError):
        error = error.__context__
    return error is not None


def _usage(error: Any) -> str:
    message = str(error.format_message())
    if re.match(r"No such option: -\d", message):
        message = f"{message.split()[-1]} is read as an option: numbers here are not negative"
    context = getattr(error, "ctx", None)
    if not message or context is None:
        return message
    return f"{message.rstrip('.')}. See `{context.command_path} --help`"


def say(message: str) -> None:
    """Print an error's sentence, with its full stop."""
    if message:
        end = "" if message[-1] in ".!?" else "."
        print(f"error: {message}{end}", file=sys.stderr)
