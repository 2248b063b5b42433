"""Runs on a real cluster of processes: killed, frozen, restarted, they give the bytes of an undisturbed run."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_run import create_toy, play_toy, play_toy_on_cluster, result_bytes

from simcore import cluster, parcel, store
from simcore.accel import INTERPRETED
from simcore.cluster import parse_cluster
from simcore.contract import DataError, StrategyError, TaflError, UnansweredError

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
pytestmark = pytest.mark.skipif(
    INTERPRETED or os.name != "posix", reason="compiled runs on processes that POSIX signals are sent to"
)

NAMES = ("cautious", "bold", "by_lot")
N_GAMES = 1_200_000
ROOT = Path(__file__).parent.parent


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers = []
        self.start_scheduler()

    def start(self, *command):
        paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
        arguments = [sys.executable, "-m", "dask", *command, "--no-dashboard"]
        environment = {**os.environ, "PYTHONPATH": paths}
        return subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_scheduler(self):
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", str(self.port))

    def add_worker(self):
        self.workers.append(self.start("worker", self.address, "--nthreads", "1", "--no-nanny"))

    def kill_scheduler(self):
        self.scheduler.kill()
        self.scheduler.wait()

    def end(self):
        for process in [*self.workers, self.scheduler]:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


@pytest.fixture
def two_workers():
    made = Cluster()
    made.add_worker()
    made.add_worker()
    yield made
    made.end()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "undisturbed"
    with create_toy(folder, NAMES, N_GAMES, keep_games=True) as run:
        play_toy(run, NAMES, 2)
    return result_bytes(folder)


class At:
    """Does something once, when a share of the blocks is done."""

    def __init__(self, share, action):
        self.share, self.action, self.acted = share, action, False

    def __call__(self, state):
        if not self.acted and state.n_blocks_done >= self.share * state.n_blocks:
            self.acted = True
            assert state.n_blocks_done < state.n_blocks, "it ended before it was disturbed"
            self.action()


@pytest.mark.slow
def test_a_worker_is_killed_in_mid_run(tmp_path, two_workers, undisturbed):
    kill = At(0.1, lambda: two_workers.workers[0].kill())
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        result = play_toy_on_cluster(run, two_workers.address, progress=kill, chunk_blocks=5000)
    assert kill.acted
    assert two_workers.workers[0].poll() == -signal.SIGKILL
    assert result.complete
    assert result_bytes(tmp_path / "run") == undisturbed


@pytest.mark.slow
def test_the_scheduler_restarts_in_mid_run(tmp_path, two_workers, undisturbed):
    def restart():
        two_workers.kill_scheduler()
        two_workers.start_scheduler()
        two_workers.add_worker()

    disturb = At(0.1, restart)
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        play_toy_on_cluster(run, two_workers.address, progress=disturb, chunk_blocks=5000)
    assert disturb.acted
    assert result_bytes(tmp_path / "run") == undisturbed


@pytest.mark.slow
def test_a_worker_that_stops_answering_is_overtaken(tmp_path, monkeypatch, two_workers, undisturbed):
    monkeypatch.setattr(cluster, "SLOW_SECONDS", 1.0)
    freeze = At(0.1, lambda: two_workers.workers[0].send_signal(signal.SIGSTOP))
    with create_toy(tmp_path / "run", NAMES, N_GAMES, keep_games=True) as run:
        play_toy_on_cluster(run, two_workers.address, progress=freeze, chunk_blocks=5000)
    assert freeze.acted
    assert result_bytes(tmp_path / "run") == undisturbed


def test_a_local_cluster_goes_on_with_an_interrupted_run(tmp_path, undisturbed):
    """Interrupted here, resumed there: threads and clusters write the same chunks."""
    folder = tmp_path / "run"
    script = Path(__file__).parent / "toy_run.py"
    command = [sys.executable, script, folder, ",".join(NAMES), str(N_GAMES), "--keep-games", "--cluster", "local:2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    process = subprocess.Popen([*command, "--chunk", "3000"], env=environment, **pipes)
    for line in process.stdout:
        if line.startswith("played") and not line.startswith("played 0"):
            break
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers as well
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert re.fullmatch(r"error: interrupted: \d+ of 300000 blocks \(.* %\) are kept in '.*run'.\n", errors)
    with store.open_run(folder) as run:
        assert 0 < run.finished()[1]["n_blocks"][0] < N_GAMES // 4
        play_toy(run, NAMES, 2)
    assert result_bytes(folder) == undisturbed


@pytest.mark.slow
def test_a_strategys_errors_reach_the_user_and_what_was_played_is_kept(tmp_path):
    wrong = r"strategy 'unlucky' .* in game \d+, raised ZeroDivisionError"
    with (
        create_toy(tmp_path / "wrong", ("cautious", "unlucky"), 400_000) as run,
        pytest.raises(StrategyError, match=wrong),
    ):
        play_toy_on_cluster(run, "local:1")
    with create_toy(tmp_path / "stuck", ("cautious", "never_answers"), 400_000) as run:
        start = time.monotonic()
        with pytest.raises(UnansweredError, match=r"'never_answers' .* in game \d+, has not answered for"):
            play_toy_on_cluster(run, "local:1", chunk_blocks=10, patience=1.5)
        assert time.monotonic() - start < 60
        assert run.finished()[1]["n_blocks"][0] > 0


def test_without_a_scheduler_or_workers_it_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.1)
    said = "no Dask scheduler answers at 'tcp://127"
    with create_toy(tmp_path / "run", NAMES) as run, pytest.raises(TaflError, match=said):
        play_toy_on_cluster(run, "tcp://127.0.0.1:9")


@pytest.mark.parametrize("text", ["local", "local:0", "local:x", "somewhere", "tcp://host", "local:1000"])
def test_what_is_no_cluster_is_refused(text):
    with pytest.raises(TaflError, match=r"is no (local cluster|address)"):
        parse_cluster(text)


@pytest.mark.parametrize(("text", "n"), [("local:3", 3), ("tcp://10.0.0.1:8786", None), ("host:8786", None)])
def test_what_is_a_cluster(text, n):
    assert parse_cluster(text) == n


# what a worker checks, without a cluster


@pytest.fixture
def packed(tmp_path):
    with create_toy(tmp_path / "run", NAMES, 4000, keep_games=True) as run:
        return parcel.make_parcel(run.folder, "toy_run:plan_of")


def test_a_worker_plays_a_range_and_stops_in_time(tmp_path, packed):
    whole = parcel.play_parcel(packed, 0, 1000, None, 20.0)
    assert whole.stop == 1000
    assert whole.error is None
    part = parcel.play_parcel(packed, 0, 1000, 0.0, 20.0)
    assert part.stop == 0
    assert not part.vector().any()
    with create_toy(tmp_path / "again", NAMES, 4000, keep_games=True) as run:
        assert whole.vector().tolist() == play_toy(run, NAMES).sums.vector.tolist()


def test_a_worker_keeps_nothing_once_a_prepared_table_has_changed(monkeypatch, packed):
    unpacked = parcel.Unpacked(packed)
    changed = StrategyError("writes into its prepared table")

    def refuse(plan):
        raise changed

    monkeypatch.setattr(type(unpacked.plan), "check_tables", refuse)
    played = unpacked.play(0, 1000, None, 20.0)
    assert (played.stop, played.rows, played.error) == (0, None, changed)
    assert not played.vector().any()


def test_a_worker_with_another_engine_refuses(monkeypatch, packed):
    monkeypatch.setattr(parcel, "engine_digest", lambda game: "another")
    with pytest.raises(DataError, match=r"the worker on .* has another tafl"):
        parcel.Unpacked(packed)


def test_a_worker_refuses_a_file_that_is_not_the_manifests(tmp_path):
    with create_toy(tmp_path / "run", NAMES) as run:
        (run.folder / "strategies" / "toy.py").write_text("# another one\n")
        changed = parcel.make_parcel(run.folder, "toy_run:plan_of")
    with pytest.raises(DataError, match=r"'strategies/toy.py' reached the worker on .* damaged"):
        parcel.Unpacked(changed)
