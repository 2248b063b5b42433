"""How games unfold: sums and tables of a sample against plain Python, and the sample of a real run."""

import itertools
import math
import random
from types import SimpleNamespace

import numpy as np
import pytest

from analysis import runs, unfolding
from analysis.intervals import ONCE
from simcore.contract import WIN_UNITS, Column
from simcore.store import load_result
from simcore.unfolding import SAMPLE_GAMES, Sample, pack, sample_blocks, sum_up, unpack

N_BLOCKS, N_SEATS, N_ROUNDS = 40, 3, 5
SEATING = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1]])
COLUMNS = (
    Column("score", "score", 1, "outcome", "score_by_round", "points"),
    Column("lead", "share of the lead", 0, "outcome", "lead", "sixtieths of a win"),
)


def made_up(seed: int) -> np.ndarray:
    """Standings of games whose scores wander, with many ties: int64[blocks, games, rounds, seats, columns]."""
    scores = np.random.default_rng(seed).integers(0, 4, (N_BLOCKS, len(SEATING), N_ROUNDS, N_SEATS)).cumsum(axis=2)
    best = scores == scores.max(axis=-1, keepdims=True)
    return np.stack([scores, best * (WIN_UNITS // best.sum(axis=-1, keepdims=True))], axis=-1)


def leaders(scores: list[list[int]]) -> list[set[int]]:
    return [{seat for seat, score in enumerate(now) if score == max(now)} for now in scores]


def told(scores: list[list[int]]) -> tuple[list[float], int, int]:
    """Of one game: wins of each round's leader, the deciding round, changes of the lead; all in plain words."""
    led = leaders(scores)
    won = led[-1]
    wins = [sum(1 / len(now) / len(won) for seat in now if seat in won) for now in led]
    deciding = next(n for n in range(1, N_ROUNDS + 1) if all(now == won for now in led[n - 1 :]))
    alone = [next(iter(now)) for now in led if len(now) == 1]
    return wins, deciding, sum(1 for a, b in itertools.pairwise(alone) if a != b)


@pytest.fixture(scope="module")
def standings():
    return made_up(5)


@pytest.fixture(scope="module")
def sample(standings) -> Sample:
    return sum_up(standings, SEATING, 2)


def test_a_sample_holds_what_plain_counting_finds(standings, sample):
    wins, decided, changes = np.zeros(N_ROUNDS), np.zeros(N_ROUNDS, int), np.zeros(N_ROUNDS, int)
    block_squares = np.zeros(N_ROUNDS, int)
    for block in standings[..., 0].tolist():
        in_block = np.zeros(N_ROUNDS, int)
        for game in block:
            share, deciding, n_changes = told(game)
            wins += share
            in_block[deciding - 1] += 1
            changes[n_changes] += 1
        decided += in_block
        block_squares += in_block**2
    assert sample.leader_wins / WIN_UNITS**2 == pytest.approx(wins)
    assert sample.decided.tolist() == decided.tolist()
    assert sample.decided_square.tolist() == block_squares.tolist()
    assert sample.decided_by.tolist() == decided.cumsum().tolist()
    assert sample.changes.tolist() == changes.tolist()
    assert sample.n_changes[0] == sum(n * k for n, k in enumerate(changes))
    assert sample.deciding_round[0] == sum((n + 1) * k for n, k in enumerate(decided))


def test_scores_are_summed_by_entrant_whichever_seat_it_had(standings, sample):
    for entrant, at in itertools.product(range(2), range(N_ROUNDS)):
        values = [
            sum(int(block[g, at, s, 0]) for g, seats in enumerate(SEATING) for s in range(3) if seats[s] == entrant)
            for block in standings
        ]
        assert sample.total[entrant, at, 0] == sum(values)
        assert sample.total_square[entrant, at, 0] == sum(v * v for v in values)


def test_what_always_holds(sample):
    n_games = N_BLOCKS * len(SEATING)
    assert sample.decided.sum() == sample.changes.sum() == n_games == sample.decided_by[-1]
    assert sample.total[:, :, 1].sum(axis=0).tolist() == [WIN_UNITS * n_games] * N_ROUNDS
    assert len(sample.changes) == N_ROUNDS  # fewer changes than rounds


def test_the_tables_have_the_estimates_and_the_intervals_of_block_means(standings, sample):
    found = unfolding.tables_of(sample, COLUMNS, ("a", "b"), (2, 1), ONCE)
    assert set(found) == set(unfolding.COLUMNS)
    for name, table in found.items():
        assert list(table.columns) == [column for column, _, _ in unfolding.COLUMNS[name]]
        assert set(table["n_games"]) == {N_BLOCKS * 3}
        assert set(table["n_blocks"]) == {N_BLOCKS}
    row = found["by_round"].query("strategy == 'a' and round == 3 and measure == 'score'").iloc[0]
    blocks = [np.mean([b[g, 2, s, 0] for g in range(3) for s in range(3) if SEATING[g, s] == 0]) for b in standings]
    assert row["mean"] == pytest.approx(np.mean(blocks))
    assert row["se"] == pytest.approx(np.std(blocks, ddof=1) / math.sqrt(N_BLOCKS))
    assert row["high"] - row["mean"] == pytest.approx(2.0227 * row["se"], rel=1e-4)  # t with 39 degrees of freedom
    assert found["leaders"]["decided"].sum() == pytest.approx(1)
    assert found["lead_changes"]["share"].sum() == pytest.approx(1)
    assert found["leaders"]["decided_by"].is_monotonic_increasing
    assert tuple(found["leaders"].iloc[-1][["decided_by", "decided_by_low", "decided_by_high"]]) == (1, 1, 1)
    leads = found["by_round"].query("measure == 'lead'").groupby("round")["mean"].apply(list)
    assert [2 * a + b for a, b in leads] == pytest.approx([1] * N_ROUNDS)  # two copies of a
    course = found["course"].set_index("quantity")
    half = found["leaders"].query("round == 2").iloc[0]  # of five rounds
    assert course.loc["half_time_leader_wins", "mean"] == half["leader_wins"]
    assert course.loc["half_time_leader_wins", "low"] == half["leader_wins_low"]
    assert course.loc["lead_changes", "mean"] < N_ROUNDS


def test_intervals_cover_what_is_true():
    """The half-time leader's share and the changes of the lead, over many samples of a game with known truth."""
    many = [made_up(seed) for seed in range(1000, 1240)]
    truth = {"half_time_leader_wins": [], "lead_changes": [], "deciding_round": []}
    for standings in many:
        games = [told(game) for block in standings[..., 0].tolist() for game in block]
        for key, values in (
            ("half_time_leader_wins", [g[0][1] for g in games]),
            ("lead_changes", [g[2] for g in games]),
            ("deciding_round", [g[1] for g in games]),
        ):
            truth[key].append(np.mean(values))
    for key, means in truth.items():
        true, covered = np.mean(means), 0
        for standings in many:
            interval = unfolding.course_of(sum_up(standings, SEATING, 2))[key].interval
            covered += interval.low <= true <= interval.high
        most = 1 if key == "half_time_leader_wins" else 0.99  # Wilson's is wide where ties make shares vary less
        assert 0.91 <= covered / len(many) <= most, key


def test_a_file_gives_the_sample_back_and_another_runs_file_does_not(sample):
    data = pack(sample, "a" * 64)
    again = unpack(data, "a" * 64)
    assert all((getattr(again, name) == getattr(sample, name)).all() for name in Sample.__dataclass_fields__)
    assert pack(sample, "a" * 64) == data
    assert unpack(data, "b" * 64) is None
    for cut in (0, 10, len(data) // 2, len(data) - 1):
        assert unpack(data[:cut], "a" * 64) is None


def test_a_sample_is_no_larger_than_its_run():
    assert sample_blocks(10, 4) == 10
    assert sample_blocks(10**6, 4) == SAMPLE_GAMES // 4
    assert sample_blocks(10**6, 3) == math.ceil(SAMPLE_GAMES / 3)


# --- a real run ---


@pytest.fixture(scope="module")
def setup():
    return runs.make_ready(runs.choose("nidavellir", ["greedy", "random"], 2))


@pytest.fixture(scope="module")
def run(setup, tmp_path_factory):
    with runs.begin_run(setup, 60, 3, out=tmp_path_factory.mktemp("unfolding") / "run", keep_games=True) as store:
        return runs.play(setup, store)


def test_the_last_round_of_a_sample_is_the_runs_result(run, setup):
    assert unfolding.tables(run).keys() == set(unfolding.tables(run)) - set(unfolding.COLUMNS)  # nothing was kept yet
    assert unfolding.course(run) == {}
    unfolding.keep_sample(run, setup)
    found = unfolding.tables(run)
    by_round = found["by_round"]
    last = by_round[by_round["round"] == 8].set_index(["strategy", "measure"])
    for row in found["summary"].to_dict("records"):
        mine = last.loc[row["strategy"]]
        assert mine.loc["score", ["mean", "low", "high"]].tolist() == pytest.approx(
            [row["score_mean"], row["score_low"], row["score_high"]]
        )
        assert mine.loc["lead", ["mean", "low", "high"]].tolist() == pytest.approx(
            [row["win_share"], row["win_share_low"], row["win_share_high"]]
        )
    for row in found["components"].to_dict("records"):
        assert last.loc[(row["strategy"], row["component"]), "mean"] == pytest.approx(row["mean"])
    coins = found["measures"][found["measures"]["group"] == "coins_by_round"].set_index(["strategy", "measure"])
    for row in by_round[by_round["measure"] == "coins"].to_dict("records"):  # a column of the result rows as well
        assert row["mean"] == pytest.approx(coins.loc[(row["strategy"], f"coins_round_{row['round']}"), "mean"])
    known = unfolding.course(run)
    assert known["half_time_leader_wins"].n_games == 60
    assert known["half_time_leader_wins"].n_blocks == 30


def test_the_sample_is_the_same_for_any_threads_and_is_made_again_if_it_is_lost(run, monkeypatch):
    path = run.folder / unfolding.SAMPLE_NAME
    unfolding.keep_sample(run)
    first = path.read_bytes()
    for n_threads, spoil in ((1, path.unlink), (3, lambda: path.write_bytes(first[:500]))):
        spoil()
        monkeypatch.setattr(unfolding, "default_threads", lambda n=n_threads: n)
        unfolding.keep_sample(load_result(run.folder))
        assert path.read_bytes() == first


def test_what_is_played_again_is_only_what_comes_out_the_same(run, monkeypatch):
    path = run.folder / unfolding.SAMPLE_NAME
    path.unlink(missing_ok=True)
    other = SimpleNamespace(**{**vars(run), "manifest": {**run.manifest, "engine": "of another tafl"}})
    unfolding.keep_sample(other)
    unfolding.keep_sample(SimpleNamespace(**{**vars(run), "complete": False}))
    monkeypatch.setattr(unfolding, "has_own_code", lambda _: True)
    unfolding.keep_sample(run)
    assert not path.exists()


def test_a_single_game_has_no_interval_and_nothing_says_nan():
    rng = random.Random(1)
    scores = np.array([[rng.randrange(9) for _ in range(3)] for _ in range(2)]).cumsum(axis=0)
    best = scores == scores.max(axis=-1, keepdims=True)
    one = np.stack([scores, best * (60 // best.sum(axis=-1, keepdims=True))], axis=-1)[None, None]
    found = unfolding.tables_of(sum_up(one, np.array([[0, 1, 2]]), 3), COLUMNS, ("a", "b", "c"), (1, 1, 1))
    assert "nan" not in "".join(table.to_csv() for table in found.values()).lower()
    assert set(found["by_round"]["note"]) == {"not determined: one block"}
