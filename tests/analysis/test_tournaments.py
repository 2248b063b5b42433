"""A tournament from its schedule to its tables, with the toy game: folders, bytes, interruption, numbers."""

import hashlib
import itertools
import json

import numpy as np
import pandas as pd
import pytest
from toy_field import NAMES, begin, play, toy_field
from toy_run import result_bytes

from analysis import tournament_tables, tournaments
from analysis.tables import write_csvs
from analysis.tournament_tables import COLUMNS, gather, tables
from simcore.contract import DataError, TaflError
from simcore.execution import Interrupted
from simcore.store import load_result, open_run


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return play(begin(tmp_path_factory.mktemp("tour") / "t"), 2)


@pytest.fixture(scope="module")
def found(made):
    return tables(gather(made))


def test_its_folder_says_everything_first(tmp_path):
    made = begin(tmp_path / "t")
    said = json.loads((tmp_path / "t" / "tournament.json").read_text())
    assert said == made.manifest
    assert len(said["lineups"]) == 7  # ten multisets of three, but for the three of one strategy
    assert [one["seed"] for one in said["lineups"]] == [tournaments.lineup_seed(5, n) for n in range(1, 8)]
    assert said["n_games"] == sum(one["n_games"] for one in said["lineups"]) >= 1400
    assert (tmp_path / "t" / "strategies" / "toy.py").is_file()
    assert (tmp_path / "t" / "edition" / "toy.csv").is_file()
    assert tournaments.Tournament.load(tmp_path / "t") == made
    with pytest.raises(DataError, match=r"is not finished \(0 of 7 line-ups are\).*tafl tournament --resume"):
        gather(made)


def test_seeds_are_those_that_are_documented():
    digest = hashlib.sha256(b"tafl tournament 5 3").digest()
    assert tournaments.lineup_seed(5, 3) == int.from_bytes(digest[:8], "big")
    assert len({tournaments.lineup_seed(seed, n) for seed in range(30) for n in range(30)}) == 900


def test_every_run_keeps_a_few_columns(made):
    for number in range(1, 8):
        folder = made.run_folder(number)
        rows = pd.read_parquet(folder / "games")
        assert list(rows.columns) == ["game", "block", "seat", "strategy", "win", "score", "margin", "place"]
        assert len(rows) == 3 * made.manifest["lineups"][number - 1]["n_games"]
        assert load_result(folder).manifest["seed"] == made.manifest["lineups"][number - 1]["seed"]


def test_threads_and_interruptions_leave_no_trace(made, tmp_path):
    stopped = begin(tmp_path / "t")
    looks = []

    def stop_in_the_third(progress):
        looks.append(progress)
        if progress.n_runs_done == 2:
            raise KeyboardInterrupt

    with pytest.raises((KeyboardInterrupt, Interrupted)):
        play(stopped, 1, progress=stop_in_the_third, chunk_blocks=13)
    assert 2 <= stopped.n_complete() < 7
    assert looks[-1].n_games == made.manifest["n_games"]
    play(tournaments.Tournament.load(tmp_path / "t"), 3)
    assert result_bytes(tmp_path / "t").keys() == result_bytes(made.folder).keys()
    assert {n: d for n, d in result_bytes(tmp_path / "t").items() if not n.endswith("log.jsonl")} == {
        n: d for n, d in result_bytes(made.folder).items() if not n.endswith("log.jsonl")
    }
    first, second = (write_csvs(tables(gather(t)), t.folder / "x", COLUMNS) for t in (made, stopped))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_only_one_process_plays(made):
    held = made.lock()
    try:
        with pytest.raises(TaflError, match="is in use"):
            made.lock()
    finally:
        held.release()


def rows_of(made):
    """Every seat-game of every line-up, with the number of the line-up."""
    parts = []
    for number in range(1, made.n_lineups + 1):
        rows = pd.read_parquet(made.run_folder(number) / "games")
        parts.append(rows.assign(lineup=number, strategy=rows["strategy"].astype(str), win=rows["win"] / 60))
    return pd.concat(parts)


def test_the_tables_are_what_the_rows_say(made, found):
    rows = rows_of(made)
    for r in found["strategies"].to_dict("records"):
        own = rows[rows["strategy"] == r["strategy"]].groupby("lineup")
        assert r["win_share"] == pytest.approx(own["win"].mean().mean())
        assert r["score"] == pytest.approx(own["score"].mean().mean())
        assert r["margin"] == pytest.approx(own["margin"].mean().mean())
        assert r["n_lineups"] == len(own)
        assert r["win_share_low"] < r["win_share"] < r["win_share_high"]
    for r in found["places"].to_dict("records"):
        own = rows[rows["strategy"] == r["strategy"]]
        assert r["share"] == pytest.approx((own["place"] == r["place"]).groupby(own["lineup"]).mean().mean())
    together = rows.groupby("lineup")["strategy"].unique()
    for r in found["cross"].to_dict("records"):
        both = [n for n, names in together.items() if {r["a"], r["b"]} <= set(names)]
        own = rows[(rows["strategy"] == r["a"]) & rows["lineup"].isin(both)]
        assert r["win_share"] == pytest.approx(own.groupby("lineup")["win"].mean().mean())
        assert r["n_lineups"] == len(both)
    for r in found["pairs"].to_dict("records"):
        a, b = (
            found["lineups"][found["lineups"]["strategy"] == name].set_index("lineup")["win_share"]
            for name in (r["a"], r["b"])
        )
        assert r["difference"] == pytest.approx((a - b).dropna().mean())


def test_the_mix_is_an_equilibrium_of_the_rows(made, found):
    assert found["tournament"]["complete"][0]
    assert found["tournament"]["mix_gain"][0] < 1e-9
    rows = rows_of(made)
    share = {}
    for _, part in rows.groupby("lineup"):
        lineup = tuple(sorted(part[part["game"] == 0]["strategy"]))
        share[lineup] = part.groupby("strategy")["win"].mean()
    weight = found["mix"].set_index("strategy")["weight"]

    def payoff(own):
        total = 0.0
        for rivals in itertools.product(NAMES, repeat=2):
            lineup = tuple(sorted((own, *rivals)))
            value = 1 / 3 if len(set(lineup)) == 1 else share[lineup][own]
            total += value * weight[rivals[0]] * weight[rivals[1]]
        return total

    for r in found["mix"].to_dict("records"):
        assert r["against_mix"] == pytest.approx(payoff(r["strategy"]))
    assert max(map(payoff, NAMES)) == pytest.approx(1 / 3)


def test_every_column_is_documented(found, tmp_path):
    assert set(found) == set(COLUMNS)
    for name, table in found.items():
        assert [(c, str(t)) for c, t in table.dtypes.items()] == [(c, t) for c, t, _ in COLUMNS[name]]
        for column in table:
            if str(table[column].dtype) == "Float64":
                assert not np.isnan(table[column].dropna().to_numpy(float)).any()
    write_csvs(found, tmp_path, COLUMNS, tournament_tables.__doc__)
    text = (tmp_path / "columns.md").read_text(encoding="utf-8")
    assert "| in_mix_share | Float64 |" in text
    assert "each line-up counts alike" in text


def test_one_block_a_line_up_is_told_without_intervals(tmp_path):
    made = play(begin(tmp_path / "t", 2, 6))
    found = tables(gather(made))
    assert found["tournament"]["n_blocks"][0] == 3
    assert found["strategies"]["win_share_low"].isna().all()
    assert found["strategies"]["rating_se"].isna().all()
    assert found["strategies"]["first_share"].isna().all()
    assert (found["pairs"]["winner"] == "").all()
    assert found["mix"]["weight"].sum() == pytest.approx(1)


def test_a_focus_has_no_mix_but_ratings(tmp_path):
    names = ("cautious", "bold", "by_lot", "from_table")
    made = play(begin(tmp_path / "t", 3, 300, names=names, mode="focus", focus="bold"), names=names)
    assert all("bold" in one["lineup"] for one in made.manifest["lineups"])
    found = tables(gather(made))
    assert not found["tournament"]["complete"][0]
    assert len(found["mix"]) == len(found["dominance"]) == 0
    assert len(found["strategies"]) == 4


def test_what_is_no_tournament_is_refused(tmp_path, made):
    with pytest.raises(TaflError, match="there is no folder"):
        tournaments.Tournament.load(tmp_path / "no")
    with pytest.raises(TaflError, match="is a run, so go on with tafl compare --resume"):
        tournaments.Tournament.load(made.run_folder(1))
    with pytest.raises(TaflError, match="is a tournament, not a run: tafl tournament --resume goes on with it"):
        open_run(made.folder)
    with pytest.raises(TaflError, match="exists already"):
        begin(made.folder)
    damaged = begin(tmp_path / "t")
    (tmp_path / "t" / "strategies" / "toy.py").write_text("# others\n")
    with pytest.raises(DataError, match="was changed after the tournament began"):
        tournaments.Tournament.load(damaged.folder)
    (tmp_path / "t" / "tournament.json").write_text("{")
    with pytest.raises(DataError, match="is damaged"):
        tournaments.Tournament.load(damaged.folder)


def test_numbers_that_cannot_be_are_refused():
    field = toy_field()
    with pytest.raises(TaflError, match="the number of games must be at least 1, not 0"):
        tournaments.make_manifest(field, 2, 0, 1)
    with pytest.raises(TaflError, match="the seed must be from 0"):
        tournaments.make_manifest(field, 2, 10, -1)
