"""A single chart as a file: same bytes, exact sizes, themes, tables to be pasted, and one sentence for bad input."""

import io
import re

import pytest
from made_up import make
from matplotlib.text import Text
from PIL import Image

from reports import one_chart, theme
from reports.charts import all_charts
from reports.one_chart import find_chart, format_of, parse_size, render, write_chart
from simcore.contract import TaflError


@pytest.fixture
def result(four, monkeypatch):
    """The made-up run, whose tables need no games."""
    made, tables = four
    monkeypatch.setattr(one_chart, "tables", lambda _: tables)
    return made


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "csv", "md", "bbcode"])
def test_the_same_run_gives_the_same_bytes(result, kind):
    first = render(result, "hero_pick", kind, look="dark", lang="de")
    assert render(result, "hero_pick", kind, look="dark", lang="de") == first
    assert not re.search(rb"CreationDate|ModDate|<dc:date>|20\d\d-\d\d-\d\dT", first)


def test_a_picture_has_the_size_asked_for(result):
    for size in ((1200, 675), (1001, 1333)):
        assert Image.open(io.BytesIO(render(result, "win_share", "png", size))).size == size
    head = render(result, "win_share", "svg", (1200, 675)).decode()[:400]
    assert 'width="1200" height="675"' in head
    wide, tall = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head).groups())
    assert tall / wide == pytest.approx(675 / 1200, rel=1e-4)


@pytest.mark.parametrize("look", ["dark", "paper"])
@pytest.mark.parametrize("name", ["won_lost", "hero_pick", "pair_differences"])
def test_a_theme_leaves_no_colour_of_the_light_one(result, look, name):
    light, turned = (render(result, name, "svg", look=one).decode() for one in ("light", look))
    colours = theme.THEMES[look]
    replaced = set(colours) - set(colours.values())
    assert set(re.findall(r"#[0-9a-f]{6}", light)) & replaced
    assert set(re.findall(r"#[0-9a-f]{6}", turned)) & replaced == set()


def test_only_the_font_that_comes_with_matplotlib_is_used(result):
    for name in ("coins_by_round", "hero_rate"):
        with one_chart.matplotlib.rc_context(theme.RC):
            figure = find_chart(result, name).draw()
        for text in figure.findobj(Text):
            if text.get_text():
                assert text.get_fontproperties().get_file() in (str(theme.FONT_FILE), str(theme.BOLD_FILE))
    assert {*re.findall(rb"/BaseFont /\w*\+?([\w-]+)", render(result, "win_share", "pdf"))} <= {
        b"DejaVuSans",
        b"DejaVuSans-Bold",
    }


def test_a_picture_says_what_it_rests_on_and_warns_of_what_goes_together(result):
    for name in ("hero_pick", "hero_difference", "distinction_pick"):
        text = " ".join(re.findall(r">([^<>]+)</text>", render(result, name, "svg").decode()))
        assert "not what causes what" in text
        assert re.search(r"100.000 games", text)
        assert "Intervals" in text
    text = " ".join(re.findall(r">([^<>]+)</text>", render(result, "gem_win_share", "svg").decode()))
    assert "the difference is an effect" in text


def test_a_title_of_your_own_and_another_language(result):
    drawn = render(result, "win_share", "svg", title="Mein Titel", lang="de").decode()
    assert '<title id="title">Mein Titel</title>' in drawn
    assert "Siege zählen anteilig" in drawn
    assert re.search(r"\d,\d", drawn.split("<desc")[1].split("</desc>")[0])


def test_tables_to_be_pasted_hold_the_numbers(result, four):
    _, tables = four
    shares = {str(r["strategy"]): f"{100 * r['win_share']:.1f}" for r in tables["summary"].to_dict("records")}
    lines = render(result, "win_share", "md").decode().splitlines()
    assert lines[0].startswith("**")
    assert lines[2:4] == ["| strategy | win share |", "| :--- | ---: |"]
    cells = [line.strip("| ").split(" | ") for line in lines[4:8]]
    assert {name: re.match(r"[\d.]+", text)[0] for name, text in cells} == shares
    post = render(result, "breakdown", "bbcode", lang="fr").decode()
    head, *rows = post.split("[code]\n")[1].split("\n[/code]")[0].splitlines()
    assert head.split()[1:] == [
        c.strategy for c in tables["summary"].sort_values("win_share", ascending=False).itertuples()
    ]
    assert len({len(line) for line in (head, *rows)}) == 1
    assert all(re.search(r"\d,\d$", row) for row in rows)


def test_a_stroke_in_a_name_breaks_no_table(monkeypatch):
    made, tables = make(["a|b", "c*d"])
    monkeypatch.setattr(one_chart, "tables", lambda _: tables)
    text = render(made, "win_share", "md").decode()
    assert "a\\|b" in text
    assert "c\\*d" in text


def test_the_format_follows_the_files_name(tmp_path):
    assert format_of(None, None) == "svg"
    assert format_of(None, tmp_path / "a.PNG") == "png"
    assert format_of("md", tmp_path / "a.png") == "md"
    assert format_of(None, tmp_path / "a.txt") == "bbcode"
    with pytest.raises(TaflError, match="no format 'gif'"):
        format_of(None, tmp_path / "a.gif")


@pytest.mark.parametrize("text", ["12", "0x0", "1200x", "axb", "-5x9", "399x800", "1200x99999", "1e3x700", "9" * 60])
def test_nonsense_is_no_size(text):
    with pytest.raises(TaflError, match=r"size|cannot be drawn") as error:
        parse_size(text)
    assert len(str(error.value)) < 150


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("win_shar",), "no chart 'win_shar'; the nearest is 'win_share'"),
        (("gem_rate",), "no data for the chart 'gem_rate': the group is dealt out"),
        (("win_share", "svg", None, "blue"), "no theme 'blue'"),
        (("win_share", "svg", None, "light", None, "it"), "no language 'it'"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(result, arguments, says):
    with pytest.raises(TaflError) as error:
        render(result, *arguments)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_size_that_is_too_small_names_one_that_will_do(result):
    with pytest.raises(TaflError, match="does not fit 700x300") as error:
        render(result, "hero_rate", "svg", (700, 300))
    size = parse_size(re.search(r"--size (\d+x\d+)", str(error.value))[1])
    assert render(result, "hero_rate", "svg", size)


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    for out in (tmp_path / "file" / "a.svg", tmp_path):
        with pytest.raises(TaflError) as error:
            write_chart(b"x", out)
        assert str(out) in str(error.value)
    write_chart(b"x", tmp_path / "new" / "a.svg")
    assert (tmp_path / "new" / "a.svg").read_bytes() == b"x"


def test_the_list_names_every_chart(result):
    names = [name for name, _ in one_chart.listed(result)]
    assert [chart.name for chart in all_charts(result, one_chart.tables(result))] == names
    assert len(names) == len(set(names))
    assert {"win_share", "fair_difference", "pair_differences", "places", "close_games", "hero_pick"} <= set(names)
