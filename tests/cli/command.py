"""The command as a process of its own, and what a command said."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    def refuses(self, code: int, *words: str) -> str:
        """Check that the command refused in one sentence that holds `words`, and return the sentence."""
        assert self.code == code, self.err
        lines = self.err.splitlines()
        assert lines, "it said nothing"
        assert lines[-1].startswith("error: ")
        assert lines[-1][-1] in ".?!)"
        for word in words:
            assert word in lines[-1]
        self.is_plain()
        return lines[-1]

    def is_plain(self) -> None:
        """Check that nothing reads like a program's inside."""
        for text in (self.out, self.err):
            assert "Traceback" not in text
            assert "nan" not in text.lower().split()


def start(folder: Path, *arguments, **environment: str) -> subprocess.Popen[str]:
    """Start the command as a process of its own in `folder`."""
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *(str(argument) for argument in arguments)],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def on_terminal(folder: Path, columns: int, *arguments) -> str:
    """Run the command on a pseudo-terminal of so many columns and return everything that appears there."""
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *(str(argument) for argument in arguments)],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment | {"TERM": "xterm"},
    )
    os.close(slave)
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:  # how a pseudo-terminal ends
        pass
    os.close(master)
    assert process.wait(60) == 0
    return text.decode()


def finish(process: subprocess.Popen[str], seconds: float = 120) -> Said:
    """Wait for a process and return what it said."""
    out, err = process.communicate(timeout=seconds)
    return Said(process.returncode, out, err)
