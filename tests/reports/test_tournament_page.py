"""What a tournament says and shows: sentences, charts, the page."""

import re
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from types import SimpleNamespace

import pandas as pd
import pytest

from analysis.tables import frame
from analysis.tournament_tables import COLUMNS
from analysis.tournaments import Tournament
from reports import one_chart
from reports import tournament_words as words
from reports.figures.cross_table import shade
from reports.language import LANGUAGES
from reports.tournament_page import write_page
from simcore.contract import TaflError

NAMES = ["rock", "paper", "scissors"]


def empty(name, **values):
    return {column: None for column, _, _ in COLUMNS[name]} | values


def made_up(complete=True, circle=True, known=True):
    """Return tables of a made-up tournament at a table of two."""
    ends = {"low": 0.6, "high": 0.7} if known else {"low": None, "high": None}
    strategies = [
        empty(
            "strategies",
            strategy=name,
            rating=0.1 - 0.1 * i,
            rating_low=-0.05 if known else None,
            rating_high=0.2 if known else None,
            chance=0.5,
            first_share=0.4 if known else None,
            win_share=0.65,
            win_share_low=ends["low"],
            win_share_high=ends["high"],
            fair_share=0.5,
            score=50.0,
            margin=1.0,
            n_beats=1 if circle else 0,
            n_beaten_by=1 if circle else 0,
            n_lineups=2,
            n_games=400,
            n_blocks=200,
        )
        for i, name in enumerate(NAMES)
    ]
    beats = [("paper", "rock"), ("scissors", "paper"), ("rock", "scissors")]
    rows = {
        "tournament": [
            empty("tournament", mode="all", n_strategies=3, n_players=2, n_lineups=3, n_games=600, n_blocks=300,
                  fair_share=0.5, separated=False, complete=complete, mix_gain=0.0)
        ],
        "strategies": strategies,
        "places": [
            empty("places", strategy=n, place=p, share=0.5, share_low=0.4, share_high=0.6, up_to=0.5 * p,
                  up_to_low=0.4 if p == 1 else 1.0, up_to_high=0.6 if p == 1 else 1.0)
            for n in NAMES for p in (1, 2)
        ],
        "cross": [
            empty("cross", a=a, b=b, win_share=0.65 if (a, b) in beats else 0.35, n_lineups=1, n_games=200)
            for a in NAMES for b in NAMES if a != b
        ],
        "pairs": [
            empty("pairs", a=a, b=b, difference=0.3, difference_low=0.2, difference_high=0.4,
                  p_holm=0.001 if known else None, winner=a if circle else "", n_games=200)
            for a, b in beats
        ],
        "cycles": [empty("cycles", cycle="paper > rock > scissors > paper", length=3, p_holm=0.001)] if circle else [],
        "dominance": [],
        "mix": [
            empty("mix", strategy=n, weight=1 / 3, weight_low=0.2, weight_high=0.5, in_mix_share=1.0, against_mix=0.5,
                  alpha_rank=1 / 3)
            for n in NAMES
        ] if complete else [],
        "lineups": [],
    }  # fmt: skip
    return {name: frame(name, found, COLUMNS) for name, found in rows.items()}


MANIFEST = {
    "game": "made-up", "title": "Made-up", "n_players": 2, "n_games": 600, "n_blocks": 300, "seed": 7,
    "tafl_version": "1", "engine": "e" * 64, "mode": "all", "focus": None, "lineups": [{}] * 3,
    "strategies": [{"name": n, "idea": f"Plays {n} & wins.", "source": "", "kind": "policy"} for n in NAMES],
    "edition": {"name": "made-up", "digest": "d" * 64, "rules": {"key": "value"}, "sentence": "All rows are sourced."},
}  # fmt: skip


def plain(text):
    return text.replace("\u202f", " ").replace("\u00a0", " ").replace("\u2212", "-")


def said(tables, manifest=MANIFEST):
    parts = [*words.verdict(tables), *words.game_in_words(tables, manifest), words.scope(tables, manifest)]
    return plain(" ".join(parts))


def test_circles_and_mixes_are_told():
    text = said(made_up())
    assert "rock has the highest rating, 0.1 (-0.1 to 0.2); it has the highest in 40.0 % of the resampled" in text
    assert "Of the 3 pairs, all are told apart beyond doubt (tested together at 5 %, Holm)." in text
    assert "Round in circles, beyond doubt: paper beats rock beats scissors beats paper." in text
    assert "No strategy is dominated (worse than another one against all rivals) beyond doubt." in text
    assert "The mix that no strategy beats (maximin): rock 33.3 % (20.0 to 50.0)" in text
    assert "rock, paper and scissors are in it" in text
    assert "Alpha-rank (large alpha, populations of 50" in text


def test_what_is_not_known_is_told():
    text = said(made_up(complete=False, circle=False, known=False), MANIFEST | {"n_players": 4})
    assert "one block a line-up is too little" in text
    assert "Of the 3 pairs, 3 are not told apart" in text
    assert "No circle" in text
    assert "need every line-up: --lineups all, 12 of them, which at as many games each is 2 400 games" in text
    assert not re.search(r"\bnan\b|NA\b|None", text)


def test_shades():
    assert shade(0.5, 0.5) == shade(0.25, 0.25) == "#eeeeee"
    assert shade(1.0, 0.25) == "#77aadd"
    assert shade(0.0, 0.25) == "#ee8866"
    assert shade(0.6, 0.5) != shade(0.9, 0.5)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    return write_page(Tournament(folder, MANIFEST), made_up(), "tafl tournament made-up")


def test_the_page_stands_alone(page):
    text = page.read_text(encoding="utf-8")
    assert "<h1>Made-up, 2 players: a tournament of 3 strategies</h1>" in text
    assert "Plays rock &amp; wins." in text
    assert "tafl tournament made-up" in text
    assert not re.search(r'(?:src|href)="https?:', text)
    assert not re.search(r"\bnan\b|&lt;NA&gt;|\bNone\b", text)
    for target in re.findall(r'href="#([\w-]+)"', text):
        assert f'id="{target}"' in text
    for link in re.findall(r'href="(charts/[^"]+)"', text):
        assert (page.parent / link).is_file()


def test_the_same_input_gives_the_same_bytes(page, tmp_path):
    again = write_page(Tournament(tmp_path, MANIFEST), made_up(), "tafl tournament made-up")
    for path in [again, *sorted((tmp_path / "charts").iterdir())]:
        assert path.read_bytes() == (page.parent / path.relative_to(tmp_path)).read_bytes()


def test_the_charts_hold_their_numbers(page):
    ratings = pd.read_csv(page.parent / "charts" / "ratings.csv")
    assert ratings["strategy"].tolist() == NAMES
    cross = pd.read_csv(page.parent / "charts" / "cross_table.csv")
    assert len(cross) == 6
    svg = ElementTree.parse(page.parent / "charts" / "cross_table.svg")
    texts = ["".join(e.itertext()).strip() for e in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("65") == texts.count("35") == 3
    assert {"1 rock", "2 paper", "3 scissors"} <= set(texts)


def test_many_strategies_fit(tmp_path):
    names = [f"strategy-number-{i}" for i in range(25)]
    tables = made_up()
    one = tables["strategies"].iloc[[0]]
    tables["strategies"] = pd.concat([one.assign(strategy=n) for n in names], ignore_index=True)
    cell = tables["cross"].iloc[[0]]
    tables["cross"] = pd.concat([cell.assign(a=a, b=b) for a in names for b in names if a != b], ignore_index=True)
    pair = tables["pairs"].iloc[[0]]
    tables["pairs"] = pd.concat([pair.assign(a=a, b=b) for a, b in combinations(names, 2)], ignore_index=True)
    tables["places"] = pd.concat([tables["places"].iloc[[0]].assign(strategy=n) for n in names], ignore_index=True)
    strategies = [MANIFEST["strategies"][0] | {"name": n} for n in names]
    text = write_page(Tournament(tmp_path, MANIFEST | {"strategies": strategies}), tables).read_text(encoding="utf-8")
    assert text.count("<tr>") < 200  # 600 cells stand in the chart and the CSV file
    assert (tmp_path / "charts" / "cross_table.csv").read_text().count("\n") >= 600


@pytest.fixture
def field(tmp_path, monkeypatch):
    """The made-up tournament, whose tables need no games."""
    made_of = {"gather": lambda played: played, "tables": lambda _: made_up()}
    monkeypatch.setattr(one_chart, "tournament_tables", SimpleNamespace(**made_of))
    return Tournament(tmp_path, MANIFEST)


def test_every_chart_can_be_had_alone_in_every_language(field):
    names = [name for name, _ in one_chart.listed(field)]
    assert names == ["ratings", "win_share", "places", "cross_table", "pair_differences"]
    for name in names:
        drawn = {lang: one_chart.render(field, name, lang=lang) for lang in LANGUAGES}
        assert len(set(drawn.values())) == len(LANGUAGES)
        assert one_chart.render(field, name, lang="de") == drawn["de"]
    assert one_chart.render(field, "cross_table", "png", (900, 700), "dark").startswith(b"\x89PNG")


def test_a_chart_of_a_tournament_as_a_table(field):
    text = plain(one_chart.render(field, "cross_table", "md").decode())
    assert text.startswith("**Most one-sided: rock against scissors, 65.0 % of games**")
    assert "| rock | paper | 35.0 % (no interval) |" in text
    rating = plain(one_chart.render(field, "ratings", "bbcode", lang="es").decode())
    assert re.search(r"rock +0,1 \(-0,1 a 0,2\)", rating)
    pairs = plain(one_chart.render(field, "pair_differences", "md", title="Mine").decode())
    assert pairs.startswith("**Mine**")
    assert "+30 (+20 to +40)" in pairs.replace(".0", "")


def test_a_run_has_charts_that_a_tournament_lacks(field):
    with pytest.raises(TaflError, match=r"no chart 'convergence'.*ratings, win_share, places"):
        one_chart.render(field, "convergence")
