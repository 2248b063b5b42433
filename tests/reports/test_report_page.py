"""The page holds what it should, opens by itself, and comes out the same each time."""

import io
import itertools
import json
import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pandas as pd
import pytest
from made_up import FOUR, LONG, make, names_of

from reports.cells import pairs_grid, parts_grid, summary_grid
from reports.charts import charts_of
from reports.page import render, write_report
from reports.page_figures import drawn
from reports.sample_game import SampleGame
from reports.strategy_facts import strategy_facts
from reports.svg import for_page
from reports.terms import linked
from simcore.contract import TaflError

VOID = {"meta", "link", "br", "img", "input", "hr"}
GAME = SampleGame(0, "Game 0, the first.", ["A game of <4> players", "  seat 1 bids 5"])
COMMAND = "tafl compare nidavellir <b> --games 100_000"


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
        return " ".join(" ".join(self.words).replace("\u202f", "\u2060").split()).replace("\u2060", "\u202f")


def page_without_files(result, tables) -> str:
    """Return the page that `write_report` writes."""
    return render(result, tables, drawn(charts_of(result, tables)), None)


@pytest.fixture(scope="module")
def four_page(four, tmp_path_factory):
    folder = tmp_path_factory.mktemp("four")
    path = write_report(*four, folder, COMMAND, GAME)
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


def test_it_needs_nothing_but_itself(four_page):
    _, text, page = four_page
    assert "default-src 'none'" in text
    ids = {attributes["id"] for _, attributes in page.attributes if "id" in attributes}
    for tag, attributes in page.attributes:
        for name in ("src", "href", "action", "srcset", "data", "xlink:href"):
            link = attributes.get(name)
            if link is not None and link.startswith("#"):
                assert link[1:] in ids, f"{tag} {link}"
            elif link is not None:
                assert link.startswith("data:"), f"{tag} {link}"
        for reference in ("aria-labelledby", "aria-describedby"):
            assert set((attributes.get(reference) or "").split()) <= ids
    assert not re.search(r"@import|url\((?!#)", text)
    assert "://" not in text
    assert len(text.encode()) < 3_000_000


def test_ids_are_unique(four_page):
    _, _, page = four_page
    ids = [a["id"] for _, a in page.attributes if "id" in a]
    assert len(ids) == len(set(ids))


def test_charts_have_an_alternative_text_with_their_numbers(four_page):
    _, text, page = four_page
    drawings = [a for tag, a in page.attributes if tag == "svg"]
    assert len(drawings) == 2 * 26  # each is drawn for a wide window and for a phone
    for drawing in drawings:
        assert drawing["role"] == "img"
        for part in drawing["aria-labelledby"].split():
            assert f'id="{part}"' in text
    described = re.search(r'<desc id="chart-win_share-description">(.*?)</desc>', text).group(1)
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


def carried(page: Page) -> dict[str, str]:
    """Return the files that a page carries, by name."""
    links = [(a["download"], a["href"]) for tag, a in page.attributes if tag == "a" and "download" in a]
    assert len({name for name, _ in links}) == len(links), "a file is carried twice"
    return {name: unquote(link.partition(",")[2]) for name, link in links}


def test_it_carries_every_csv_file_and_the_manifest_once(four, four_page):
    folder, _, page = four_page
    files = carried(page)
    for path in (folder / "charts").glob("*.csv"):
        assert files[f"chart-{path.name}"] == path.read_text(encoding="utf-8")
    for name, table in four[1].items():
        if len(table):
            assert len(pd.read_csv(io.StringIO(files[f"{name}.csv"]), comment="#")) == len(table)
    assert json.loads(files["manifest.json"]) == four[0].manifest


def test_the_longest_table_is_carried_too():
    result, tables = make(names_of(12))
    assert len(carried(Page(render(result, tables, [], None)))["flags.csv"]) > 60_000


def test_each_strategy_has_its_own_parameters_and_no_others():
    result, tables = make(FOUR)
    weights = {f"weight_{i}": i for i in range(20)}
    entrants = [dict(e) for e in result.manifest["entrants"]]
    entrants[0]["params"], entrants[1]["params"] = weights, weights | {"weight_3": 99}
    entrants[2]["params"], entrants[3]["params"] = {"other": 1}, {}
    result.manifest["entrants"] = entrants
    text = render(result, tables, [], None)
    articles = dict(zip(FOUR, re.findall(r"<article>.*?</article>", text, re.DOTALL), strict=True))
    said = {name: dict(re.findall(r">(\w+) = (\w+)<", article)) for name, article in articles.items()}
    assert said[FOUR[0]] == {key: str(value) for key, value in weights.items()}
    assert "<summary>20 parameters</summary>" in articles[FOUR[0]]
    assert said[FOUR[1]] == {"weight_3": "99"}
    assert f"the same as those of {FOUR[0]} but for" in articles[FOUR[1]]
    assert said[FOUR[2]] == {"other": "1"}
    assert "<dt>parameters</dt>" not in articles[FOUR[3]]


def test_parameters_that_mostly_differ_stand_for_themselves():
    entrant = {"name": "a", "kind": "policy", "idea": "", "source": "", "files": []}
    params = {f"w{i}": i for i in range(8)}
    other = {key: value + (i < 5) for i, (key, value) in enumerate(params.items())}
    first, second = strategy_facts([entrant | {"params": params}, entrant | {"name": "b", "params": other}])
    assert (second.like, second.params) == ("", other)
    assert first.folded


def test_words_of_the_glossary_are_linked_once_and_not_inside_links():
    text = str(linked("The win share of a block, of two blocks and the win share; a <b>blockade</b>"))
    assert text.count('href="#word-win-share"') == 1
    assert text.count('href="#word-block"') == 1
    assert "&lt;b&gt;blockade" in text
    from markupsafe import Markup

    assert "word-" not in linked(Markup('<a href="#x">win share</a> <code>block</code>'))
    assert "word-copy" in linked("two copies")


def test_a_game_is_told_with_its_reason_or_the_reason_why_not(four, four_page):
    _, text, page = four_page
    assert "A game of &lt;4&gt; players" in text
    assert "Game 0, the first." in page.text
    told = render(*four, [], None, SampleGame(0, "No game is told here: another tafl."))
    assert "No game is told here: another tafl." in told
    assert "move by move" not in told


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_has_contrast_enough(four_page, scheme):
    _, text, _ = four_page
    colours = dict(
        re.findall(r"--(\w+): (#[0-9a-f]{6})", text.split(":root {")[1 + scheme].split("/*")[0].split("}")[0])
    )
    for ink in ("ink", "muted", "link", "green", "yellow", "red", "open"):
        for ground in ("paper", "page", "soft"):
            bright, dim = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
            assert (bright + 0.05) / (dim + 0.05) >= 4.5, (ink, ground)


def test_tables_have_captions_and_buttons_to_sort_by(four_page):
    _, text, _ = four_page
    tables = re.findall(r"<table.*?</table>", text, re.DOTALL)
    assert len(tables) > 5
    for table in tables:
        assert re.search(r"<caption>\S", table)
        heads = re.findall(r"<th scope=\"col\".*?</th>", table)
        assert heads
        assert all('<button type="button">' in head for head in heads)
    assert '<html lang="en">' in text
    assert '<a class="skip" href="#summary">' in text


def test_the_same_input_gives_the_same_bytes(four, four_page, tmp_path):
    folder, _, _ = four_page
    write_report(*four, tmp_path, COMMAND, GAME)
    first = {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    second = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert first == second


@pytest.mark.parametrize("case", ["itself", "two", "one block", "twelve", "long"])
def test_unusual_runs_have_a_report(case):
    names = {"itself": ["only"], "two": ["a", "b"], "twelve": names_of(12), "long": [f"{LONG}{i}" for i in range(4)]}
    made = make(names.get(case, FOUR), n_seats=4, one_block=case == "one block")
    text = page_without_files(*made)
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
def test_names_of_any_characters_are_shown_as_they_are():
    names = ['<i>$x$&"', "a\\b{}%", "\u65e5\u672c", "planner --bid_high=3"]
    text = page_without_files(*make(names))
    page = Page(text)
    assert "<i>" not in text
    assert page.open == []
    for name in names:
        assert name in page.text


def test_an_unfinished_run_says_so():
    result, tables = make(FOUR)
    result.complete, result.n_games, result.manifest["n_games"] = False, 100_000, 200_000
    text = Page(render(result, tables, [], None)).text
    assert "This run is not finished" in text.split("Contents")[0]
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
    assert [name for name, _ in grid.head] == ["strategy", "win share", "score", "margin", "spread (SD)", "games"]
    assert all(" to " in cell.under for row in grid.rows for cell in row[1:4])


def test_parts_have_a_row_each_and_a_column_for_each_strategy(four):
    _, tables = four
    grid = parts_grid(tables)
    components = tables["components"]
    assert len(grid.rows) == components["component"].nunique()
    first = grid.head[1][0]
    means = components[components["strategy"] == first]["mean"]
    assert [row[1].key for row in grid.rows] == pytest.approx(list(means))


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
