"""What is drawn is what the CSV twin holds, and what is worked out for a chart is right."""

import io
import re

import matplotlib
import numpy as np
import pandas as pd
import pytest
from made_up import FOUR, make
from matplotlib.text import Text

from analysis.tables import csv_text
from reports import theme
from reports.charts import all_charts
from reports.figures import breakdown, flags, measures, pairs, parts
from reports.figures.vocabulary import SETS
from reports.findings import counted_finding
from reports.sheet import Words

SAYS = Words("A finding", "What is plotted", "How it was played")
ENDS = ["difference", "difference_low", "difference_high"]
RATES = ["rate", "rate_low", "rate_high"]
DRAWN = {
    "win_share": ["win_share", "win_share_low", "win_share_high"],
    "fair_difference": ENDS,
    "breakdown_difference": ["difference", "low", "high"],
    "places": ["up_to", "up_to_low", "up_to_high"],
    "close_games": ["up_to", "up_to_low", "up_to_high"],
    "margins": ["mean", "low", "high"],
    "scores": ["mean", "low", "high"],
    "coins_by_round": ["mean", "low", "high"],
    "ranks": ["mean", "low", "high"],
    "hero_rate": RATES,
    "hero_difference": ENDS,
    "hero_pick": [*RATES, *ENDS],
    "gem_win_share": ["win_share_with", "with_low", "with_high"],
}


def coordinates(figure) -> np.ndarray:
    """Return every coordinate at which something is drawn in the plots of a figure."""
    found = []
    for axes in figure.axes[1:]:
        found += [np.asarray(c, float).ravel() for line in axes.lines for c in line.get_data()]
        found += [p.vertices.ravel() for c in axes.collections for p in c.get_paths()]
    return np.sort(np.concatenate(found))


@pytest.fixture(scope="module")
def charts():
    return {chart.name: chart for chart in all_charts(*make(FOUR))}


@pytest.mark.parametrize("name", DRAWN)
def test_every_number_of_the_csv_twin_is_drawn_where_it_belongs(charts, name):
    chart = charts[name]
    with matplotlib.rc_context(theme.RC):
        at = coordinates(chart.draw())
    read = pd.read_csv(io.StringIO(csv_text(chart.table)), comment="#")
    for column in DRAWN[name]:
        values = read[column].dropna().to_numpy(float)
        if column.startswith("up_to_"):  # the last cut is the end of the bar
            values = read.loc[read["up_to"] < 1 - 1e-9, column].to_numpy(float)
        assert len(values)
        near = at[np.clip(np.searchsorted(at, values), 1, len(at) - 1)], at[np.searchsorted(at, values) - 1]
        assert np.minimum(abs(near[0] - values), abs(near[1] - values)).max() < 1e-6 * max(1, abs(values).max()), column


def test_intervals_by_round_are_seen_though_the_start_has_none():
    result, tables = make(FOUR)
    first = tables["measures"]["measure"] == "coins_round_0"
    tables["measures"].loc[first, ["low", "high"]] = pd.NA
    chart = next(chart for chart in all_charts(result, tables) if chart.name == "coins_by_round")
    with matplotlib.rc_context(theme.RC):
        at = coordinates(chart.draw())
    for value in (*chart.table["low"].dropna(), *chart.table["high"].dropna()):
        assert np.abs(at - value).min() < 1e-9


def test_every_chart_tells_its_numbers_to_who_does_not_see_it(charts):
    for chart in charts.values():
        assert len(re.findall(r"\d", chart.spoken)) > 8, chart.name
        read = chart.readout()
        assert read.rows, chart.name
        first = re.search(r"[\d.]+", read.rows[0][read.n_labels])
        assert first is None or first[0] in chart.spoken, chart.name


def test_a_strategy_looks_the_same_however_the_line_up_was_written():
    assert theme.strategy_styles(FOUR) == theme.strategy_styles(FOUR[::-1])
    assert len(set(map(str, theme.strategy_styles(FOUR).values()))) == 4


def test_components_against_the_field_add_up_to_nothing_over_the_table():
    result, tables = make(["a", "b", "a", "c"], n_seats=4)
    table = breakdown.field_table(tables["components"], tables["summary"], list(result.names))
    copies = dict(zip(result.names, result.copies, strict=True))
    for title, rows in table.groupby("title"):
        assert sum(copies[r.strategy] * r.difference for r in rows.itertuples()) == pytest.approx(0, abs=1e-9)
        mean = tables["components"].set_index(["title", "strategy"])["mean"][title]
        field = (2 * mean["a"] + mean["b"] + mean["c"]) / 4
        assert rows.set_index("strategy")["difference"]["b"] == pytest.approx(mean["b"] - field)
        assert (rows["high"] - rows["low"] > 0).all()


def test_the_interval_against_the_field_is_never_too_narrow():
    """By simulation: means whose errors are independent, alike, or opposed."""
    rng = np.random.default_rng(1)
    kinds = {"apart": rng.normal(size=(4000, 3)), "together": np.repeat(rng.normal(size=(4000, 1)), 3, axis=1)}
    kinds["opposed"] = kinds["together"] * [1, -1, -1]
    summary = pd.DataFrame({"strategy": list("abc"), "copies": [1, 1, 1]})
    for errors in kinds.values():
        means = 10 + errors.ravel()
        case = np.repeat(np.arange(len(errors)).astype(str), 3)
        rows = {"strategy": list("abc") * len(errors), "component": case, "title": case, "mean": means}
        components = pd.DataFrame(rows | {"low": means - 1.96, "high": means + 1.96})
        table = breakdown.field_table(components, summary, list("abc"))
        assert ((table["low"] <= 0) & (table["high"] >= 0)).mean() > 0.94


def flag_rows(entries):
    """Return flags given as (strategy, games, games with it, win share with it, without it)."""
    rows = []
    for name, n_all, n, with_, without in entries:
        row = {"strategy": name, "group": "hero", "flag": "h", "title": "Hourya", "n": n, "rate": n / n_all}
        row |= {"rate_low": n / n_all - 0.01, "rate_high": n / n_all + 0.01, "difference": with_ - without}
        rows.append(row | {"difference_low": with_ - without - 0.02, "difference_high": with_ - without + 0.02})
    return pd.DataFrame(rows)


def test_a_hero_of_strong_strategies_is_not_taken_for_a_strong_hero():
    """Within each strategy nothing differs; the strong one takes it nine times in ten. All together it looks strong."""
    each = [("strong", 1000, 900, 0.6, 0.6), ("weak", 1000, 100, 0.2, 0.2)]
    together = flag_rows([("all", 2000, 1000, (900 * 0.6 + 100 * 0.2) / 1000, (100 * 0.6 + 900 * 0.2) / 1000)])
    assert together["difference"].iloc[0] == pytest.approx(0.32)
    table = flags.pick_table(flag_rows(each), together, "hero")
    assert table["difference"].iloc[0] == pytest.approx(0)
    assert table["rate"].iloc[0] == 0.5


def test_differences_are_averaged_with_mantel_and_haenszels_weights():
    each = [("a", 1000, 300, 0.5, 0.4), ("b", 2000, 200, 0.3, 0.3), ("c", 1000, 0, 0.1, 0.1)]
    rows = flag_rows(each)
    rows.loc[2, ["difference", "difference_low", "difference_high"]] = np.nan
    table = flags.pick_table(rows, flag_rows([("all", 4000, 500, 0.4, 0.3)]), "hero")
    weights = 300 * 700 / 1000, 200 * 1800 / 2000
    assert table["difference"].iloc[0] == pytest.approx(weights[0] * 0.1 / sum(weights))
    assert table["difference_high"].iloc[0] - table["difference"].iloc[0] == pytest.approx(0.02)


def test_what_is_known_too_badly_is_left_out():
    rows = flag_rows([("a", 1000, 300, 0.5, 0.4), ("b", 1000, 3, 0.5, 0.4)])
    rows.loc[1, "difference_low"] = -0.3
    table = flags.difference_table(rows, flag_rows([("all", 2000, 303, 0.5, 0.4)]), "hero", ["a", "b"])
    assert table["strategy"].tolist() == ["a"]


def test_brothers_are_one_row_and_a_chart_of_their_number():
    result, tables = make(FOUR)
    old = [f"hero_{i}" for i in range(10, 15)]
    names = {name: f"hero_dwerg_{name}" for name in old}
    tables = {n: t.assign(flag=t["flag"].replace(names)) if "flag" in t.columns else t for n, t in tables.items()}
    m = tables["measures"]
    m.loc[m["measure"] == "n_heroes", ["measure", "group", "title"]] = ["n_brothers", "army", "Dwerg brothers"]
    for outcome, off in (("won", 0.5), ("lost", -0.5)):
        for end, away in (("", 0.0), ("_low", -0.1), ("_high", 0.1)):
            m[f"mean_{outcome}{end}"] = m["mean"] + off + away
    charts = {chart.name: chart for chart in all_charts(result, tables)}
    rate, pick, of_set = (charts[f"hero_{kind}"].table for kind in ("rate", "pick", "n_brothers"))
    assert not rate["flag"].str.startswith("hero_dwerg").any()
    assert not pick["flag"].str.startswith("hero_dwerg").any()
    five = tables["flags"][tables["flags"]["flag"].isin(names.values())]
    mine = rate[rate["flag"] == "n_brothers"].set_index("strategy")["rate"]
    for name in FOUR:
        assert mine[name] == pytest.approx(five.loc[five["strategy"] == name, "rate"].astype(float).mean())
    with matplotlib.rc_context(theme.RC):
        at = coordinates(measures.set_figure(of_set, SAYS, theme.strategy_styles(FOUR)))
    for value in (*of_set["mean_won"], *of_set["mean_lost_low"], *of_set["mean_lost"], *of_set["low"]):
        assert np.abs(at - value).min() < 1e-9
    assert SETS


def counted(numbers):
    """Return flags of how many: strategy -> games with none, one, two... and the wins among them."""
    rows = []
    for name, cases in numbers.items():
        total = sum(n for n, _ in cases)
        for k, (n, won) in enumerate(cases):
            share = won / n if n else pd.NA
            ends = (share - 0.05, share + 0.05) if n else (pd.NA, pd.NA)
            rows.append((name, "brothers", f"brothers_{k}", f"{k} Dwerg brothers", n, n / total, share, *ends))
    columns = ["strategy", "group", "flag", "title", "n", "rate", "win_share_with", "with_low", "with_high"]
    return pd.DataFrame(rows, columns=columns)


def test_win_share_by_how_many_of_a_set():
    """Who never has one, and numbers that nobody has, are left out; every point has its games beside it."""
    rows = counted({"a": [(10, 1), (30, 15), (60, 50), (0, 0)], "b": [(100, 20), (0, 0), (0, 0), (0, 0)]})
    table = flags.counted_table(rows, rows, "brothers", ["a", "b"])
    assert table[["strategy", "n"]].to_numpy().tolist() == [["a", 10], ["a", 30], ["a", 60]]
    assert counted_finding(table).replace("\u00a0", " ") == "a: most often 2 Dwerg brothers, in 60.0 % of games"
    with matplotlib.rc_context(theme.RC):
        figure = flags.counted_figure(table, SAYS, theme.strategy_styles(["a", "b"]), 0.25)
    at = coordinates(figure)
    for value in (0.1, 0.5, 50 / 60, 0.45, 0.55, 0.25):
        assert np.abs(at - value).min() < 1e-9
    assert {"10", "30", "60"} <= {text.get_text() for text in figure.findobj(Text)}
    rows = counted({"a": [(10, 1), (0, 0)]})
    assert flags.counted_table(rows, rows, "brothers", ["a"]).empty


def test_places_and_endings_are_whole_and_their_intervals_hold_the_cuts():
    _, tables = make(FOUR)
    for table in (
        parts.places_table(tables["places"], tables["summary"], FOUR),
        parts.ends_table(tables["margins"], tables["summary"], FOUR),
    ):
        assert table.groupby("strategy")["share"].sum().tolist() == pytest.approx([1.0] * 4, abs=2e-3)
        assert (table["up_to_low"] <= table["up_to"]).all()
        assert (table["up_to"] <= table["up_to_high"] + 1e-12).all()
    margins = pd.DataFrame({"strategy": "a", "margin": [-6, -5, 0, 1, 5, 6], "share": [0.1, 0.2, 0.1, 0.2, 0.3, 0.1]})
    summary = pd.DataFrame({"strategy": ["a"], "n_blocks": [100]})
    ends = parts.ends_table(margins, summary, ["a"]).set_index("part")["share"].to_dict()
    assert ends == pytest.approx(
        {"won_clearly": 0.1, "won_closely": 0.5, "level": 0.1, "lost_closely": 0.2, "lost_clearly": 0.1}
    )


def test_an_interval_from_blocks_alone_covers_whatever_happens_within_them():
    """Games of a block may all end alike: the interval holds nineteen times in twenty even then."""
    rng = np.random.default_rng(5)
    for p in (0.05, 0.4):
        blocks = rng.random((2000, 60)) < p
        covered = [low <= p <= high for low, high in (parts.bounds(b.mean(), 60) for b in blocks)]
        assert np.mean(covered) > 0.93


def test_pairs_are_a_square_that_turns_its_sign():
    _, tables = make(FOUR)
    order = list(tables["summary"].sort_values("win_share", ascending=False)["strategy"])
    table = pairs.pairs_table(tables["pairs"], order).set_index(["a", "b"])
    share = tables["summary"].set_index("strategy")["win_share"]
    assert len(table) == 12
    for (a, b), row in table.iterrows():
        assert row["difference"] == pytest.approx(share[a] - share[b])
        assert row["low"] <= row["difference"] <= row["high"]
        assert table.loc[(b, a), "low"] == pytest.approx(-row["high"])


def test_a_start_player_is_shown_beside_the_others():
    rows = {"group": "start", "flag": "start_player", "title": "start player of round 1", "n": 400}
    flag = pd.DataFrame([rows | {"win_share_with": 0.28, "with_low": 0.25, "with_high": 0.31}])
    table = flags.dealt_table(flag, "start", 0.25)
    assert table["n"].tolist() == [400, 1200]
    others = table.iloc[1]
    assert (others["win_share_with"], others["with_low"], others["with_high"]) == pytest.approx((0.24, 0.23, 0.25))
