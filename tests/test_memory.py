"""Memory does not grow with the number of games, with or without per-game rows."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simcore.accel import INTERPRETED

SCRIPT = Path(__file__).parent / "toy_run.py"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(INTERPRETED or os.name != "posix", reason="compiled runs whose memory the system tells"),
]


def peak_mib(folder, n_games, *options):
    """Play in a process of its own and return its peak resident memory, MiB."""
    command = [sys.executable, SCRIPT, folder, "cautious,bold,by_lot", str(n_games), "--memory", *options]
    environment = {**os.environ, "PYTHONPATH": str(SCRIPT.parent.parent)}
    out = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=600).stdout
    return float(re.search(r"peak (\d+\.\d) MiB", out)[1])


@pytest.mark.parametrize("options", [(), ("--keep-games",)], ids=["sums", "with per-game rows"])
def test_peak_memory_is_flat(tmp_path, options):
    peaks = {n: peak_mib(tmp_path / str(n), n, *options) for n in (100_000, 1_000_000, 10_000_000)}
    print(peaks)
    # Up to a million games the buffers of chunks and files fill; from then on nothing may grow.
    assert peaks[10_000_000] < peaks[1_000_000] + 60
    assert peaks[1_000_000] < peaks[100_000] + (500 if options else 20)
