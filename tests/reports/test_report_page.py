"""The page holds what it should, opens by itself, and comes out the same each time."""

import base64
import io
import itertools
import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from conftest import FOUR, LONG, names_of
from made_up import make

from reports.cells import pairs_grid, summary_grid
from reports.page import write_report
from reports.svg import for_page
from simcore.contract import TaflError

VOID = {"meta", "link", "br", "img", "input", "hr"}
SVG_ONLY_ONCE = ("path", "use", "rect", "line", "circle", "polygon", "stop")


class Page(HTMLParser):
    """Reads a page and checks that its elements are nested as they should be."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.headings: list[int] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))
        if re.fullmatch(r"h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)


@pytest.fixture(scope="module")
def four_page(four, tmp_path_factory):
    folder = tmp_path_factory.mktemp("four")
    path = write_report(*four, folder, "tafl compare nidavellir <b> --games 100_000")
    return folder, path.read_text(encoding="utf-8"), Page(path.read_text(encoding="utf-8"))


def test_the_page_is_well_formed(four_page):
    _, _, page = four_page
    assert page.open == []
    levels = page.headings
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))


def test_it_has_every_strategy_and_section(four_page):
    _, text, page = four_page
    for name in FOUR:
        assert name in page.text
    for words in (
        "Summary",
        "Who wins",
        "Heroes",
        "Starting gem",
        "What the numbers mean",
        "association is not effect",
    ):
        assert words.lower() in page.text.lower()
    assert "a check that nothing is wrong" in page.text
    assert "&lt;section 3&gt;" in text
    assert "nidavellir &lt;b&gt; --games" in text
    assert "exchange_gives_up=bronze" in page.text
    assert "98 % inferred" not in page.text
    assert "seed" in page.text


def test_it_loads_nothing_from_elsewhere(four_page):
    folder, text, page = four_page
    assert "default-src 'none'" in text
    for tag, attributes in page.attributes:
        for name in ("src", "href", "action", "srcset", "data", "xlink:href"):
            link = attributes.get(name)
            if link is None:
                continue
            if link.startswith("#"):
                assert re.search(rf'id="{re.escape(link[1:])}"', text), f"{tag} {link}"
            elif not link.startswith("data:"):
                assert (folder / link).is_file(), link
    assert not re.search(r"@import|url\((?!#)", text)
    assert "://" not in text


def test_ids_are_unique(four_page):
    _, _, page = four_page
    ids = [a["id"] for _, a in page.attributes if "id" in a]
    assert len(ids) == len(set(ids))


def test_charts_have_an_alternative_text_with_their_numbers(four_page):
    _, text, page = four_page
    drawings = [a for tag, a in page.attributes if tag == "svg"]
    assert len(drawings) == 19
    for drawing in drawings:
        assert drawing["role"] == "img"
        for part in drawing["aria-labelledby"].split():
            assert f'id="{part}"' in text
    described = re.search(r'<desc id="win_share-description">(.*?)</desc>', text).group(1)
    assert "early-uline: 31.6" in described


def test_each_chart_has_its_three_files(four_page):
    folder, _, _ = four_page
    names = {p.stem for p in (folder / "charts").iterdir()}
    assert {"win_share", "breakdown", "won_lost", "scores", "coins_by_round", "hero_rate", "seat_win_share"} <= names
    for name in names:
        picture = (folder / "charts" / f"{name}.png").read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert b"Software" not in picture
        drawing = (folder / "charts" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawing.startswith("<svg xmlns=")
        assert "<date>" not in drawing
        assert not pd.read_csv(folder / "charts" / f"{name}.csv").empty


def test_carried_csv_files_are_those_beside_the_page(four_page):
    folder, _, page = four_page
    links = {a["download"]: a["href"] for tag, a in page.attributes if tag == "a" and "download" in a}
    carried = base64.b64decode(links["hero_rate.csv"].partition(",")[2])
    assert carried == (folder / "charts" / "hero_rate.csv").read_bytes()
    summary = pd.read_csv(io.BytesIO(base64.b64decode(links["summary.csv"].partition(",")[2])))
    assert list(summary["strategy"]) == FOUR


def test_the_same_input_gives_the_same_bytes(four, four_page, tmp_path):
    folder, _, _ = four_page
    write_report(*four, tmp_path, "tafl compare nidavellir <b> --games 100_000")
    first = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    second = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert first == second


@pytest.mark.parametrize("case", ["itself", "two", "one block", "twelve", "long"])
def test_unusual_runs_have_a_report(case, tmp_path):
    names = {"itself": ["only"], "two": ["a", "b"], "twelve": names_of(12), "long": [f"{LONG}{i}" for i in range(4)]}
    made = make(names.get(case, FOUR), n_seats=4, one_block=case == "one block")
    text = write_report(*made, tmp_path).read_text(encoding="utf-8")
    page = Page(text)
    assert page.open == []
    said = page.text + " ".join(str(v) for _, a in page.attributes for k, v in a.items() if k.startswith("aria"))
    assert not re.search(r"\bnan\b|\bNone\b|<NA>|&lt;NA&gt;|\binf\b", said)
    for name in made[0].names:
        assert name in page.text
    assert len(text) < 3_000_000
    if case == "one block":
        assert "not determined" in page.text
    if case == "itself":
        assert "by construction" in page.text
        assert "told apart" not in page.text.split("What the numbers mean")[0]


@pytest.mark.filterwarnings("error")
def test_names_of_any_characters_are_shown_as_they_are(tmp_path):
    names = ['<i>$x$&"', "a\\b{}%", "\u65e5\u672c", "planner --bid_high=3"]
    text = write_report(*make(names), tmp_path).read_text(encoding="utf-8")
    page = Page(text)
    assert "<i>" not in text
    assert page.open == []
    for name in names:
        assert name in page.text


def test_an_unfinished_run_says_so(tmp_path):
    result, tables = make(FOUR)
    result.complete, result.n_games, result.manifest["n_games"] = False, 100_000, 200_000
    text = Page(write_report(result, tables, tmp_path).read_text(encoding="utf-8")).text
    assert "not finished" in text
    assert "of 200\u202f000 planned" in text


def test_without_components_measures_or_flags_there_is_still_a_report(tmp_path):
    result, tables = make(["a", "b"])
    bare = {name: t if name in ("summary", "pairs") else t.iloc[:0] for name, t in tables.items()}
    text = Page(write_report(result, bare, tmp_path).read_text(encoding="utf-8")).text
    assert "Win share" in text


def test_a_folder_that_cannot_be_written_is_a_sentence(four, tmp_path):
    (tmp_path / "charts").write_text("in the way")
    with pytest.raises(TaflError, match="report"):
        write_report(*four, tmp_path)


def test_the_summary_comes_sorted_with_numbers_to_sort_by(four):
    _, tables = four
    grid = summary_grid(tables)
    shares = [row[grid.sorted_by].key for row in grid.rows]
    assert shares == sorted(shares, reverse=True)
    assert [name for name, _ in grid.head].count("95 % interval") == 2
    assert "spread (SD)" in [name for name, _ in grid.head]


def test_pairs_put_the_stronger_first_and_turn_the_interval(four):
    _, tables = four
    grid = pairs_grid(tables)
    assert len(grid.rows) == 6
    assert all(row[2].key > 0 for row in grid.rows)
    turned = tables["pairs"].copy()
    turned[["a", "b"]] = turned[["b", "a"]].to_numpy()
    for column in ("win_share_difference", "score_difference"):
        turned[column] = -turned[column]
    for low, high in (("low", "high"), ("score_difference_low", "score_difference_high")):
        turned[low], turned[high] = -turned[high], -turned[low]
    assert pairs_grid({**tables, "pairs": turned}).rows == grid.rows


def test_a_drawing_in_the_page_turns_dark_and_leaves_its_frame_out():
    document = (
        '<svg xmlns="a" xmlns:xlink="b" width="504pt" height="90pt" viewBox="0 0 504 90" role="img" '
        'aria-labelledby="title description">\n<title id="title">T</title>\n<style>x</style>\n'
        '<g id="frame-title-0">\n<text>T</text>\n</g>\n<g clip-path="url(#p1)" style="fill: #1f2328"/></svg>'
    )
    text = for_page(document, "chart", (20.0, 80.0))
    assert 'viewBox="0 20 504 60"' in text
    assert "frame-title" not in text
    assert "url(#chart-p1)" in text
    assert "var(--c1f2328,#1f2328)" in text
