"""The catalogue is complete: every phrase and every game thing in five languages, with the same placeholders."""

import re
import tomllib
from pathlib import Path

import pytest

from analysis.runs import load_edition
from reports import captions, language, numbers
from reports.language import LANGUAGES, catalogue, placeholders, say, thing
from simcore.contract import TaflError
from simcore.games import GAMES, find_game

REPORTS = Path(language.__file__).parent
DATA = tomllib.loads(language.CATALOGUE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", sorted(catalogue().phrases))
def test_a_phrase_has_its_five_texts_with_the_same_placeholders(key):
    texts = catalogue().phrases[key]
    assert list(texts) == list(LANGUAGES)
    for text in texts.values():
        assert text.strip() or key == "number.thousands"
        assert placeholders(text) == placeholders(texts["en"]), text
        assert text.count("{") == text.count("}") == len(re.findall(r"\{\w+\}", text))


def test_a_thing_has_its_five_names_with_the_placeholders_of_its_title():
    for title, texts in DATA["thing"].items():
        assert list(texts) == list(LANGUAGES), title
        for text in texts.values():
            assert text.strip()
            assert placeholders(text) == placeholders(title), text


def test_every_phrase_that_is_said_is_there_and_every_phrase_is_said():
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(REPORTS.rglob("*.py")))
    parts = "|".join(DATA["phrase"])
    said = set(re.findall(rf"""["']((?:{parts})\.\w+)["']""", source))
    assert said - set(catalogue().phrases) == set()
    built = re.compile(r"group|column|label\.(never|won|lost|level)|title\.no_effect_")  # keys put together
    unsaid = {key for key in catalogue().phrases if key not in said and not built.match(key)}
    assert unsaid == set()


def columns():
    for game in GAMES:
        spec = find_game(game.game_id)
        edition = load_edition(spec, None, [])
        for n_players in (spec.min_players, spec.max_players):
            yield from ((game.game_id, column) for column in spec.columns(edition, n_players))
        yield from ((game.game_id, column) for column in spec.standing_columns)


def is_known(title: str) -> bool:
    """Return whether a title, and each thing in it, is in the catalogue."""
    if title in catalogue().things:
        return True
    for pattern, _ in catalogue().patterns:
        if match := pattern.fullmatch(title):
            return all(name == "n" or is_known(part) for name, part in match.groupdict().items())
    return False


def test_every_game_thing_that_charts_name_is_in_the_catalogue():
    missing = {
        column.title
        for _, column in columns()
        if column.kind != "outcome" and column.group != "hero" and not is_known(column.title)
    }
    assert missing == set()
    for _, column in columns():
        if column.kind != "outcome" and column.group != "prophecy":
            assert thing(column.title) == column.title
        if column.group == "hero":  # proper names stay
            with language.use("fr"):
                assert thing(column.title) == column.title


def test_every_group_has_a_heading():
    groups = {c.group for _, c in columns() if c.kind in ("measure", "flag") or c.group.endswith("_by_round")}
    assert {group for group in groups - {""} if f"group.{group}" not in catalogue().phrases} == set()


@pytest.mark.parametrize(
    ("lang", "number", "share"),
    [
        ("en", "1\u202f234\u202f567.8", "38.2\u00a0%"),
        ("pt", "1.234.567,8", "38,2%"),
        ("es", "1\u202f234\u202f567,8", "38,2\u00a0%"),
        ("fr", "1\u202f234\u202f567,8", "38,2\u00a0%"),
        ("de", "1.234.567,8", "38,2\u00a0%"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(lang, number, share):
    with language.use(lang):
        assert numbers.decimal(1_234_567.8) == number
        assert numbers.percent(0.382) == share
        assert re.search(r"\D0,1|\D0\.1", numbers.percent(0.00001))
    assert numbers.percent(0.382) == "38.2\u00a0%"


def test_titles_with_things_in_them_are_translated_whole():
    with language.use("de"):
        assert thing("raid keeps selected") == "Burgen überfallen: gewählt"
        assert thing("coins after round 3") == "Münzen nach Runde 3"
        assert thing("food territory, level 2") == "Gebiet: Nahrung, Stufe 2"
        assert thing("a card of my own") == "a card of my own"
        assert captions.heading("hero") == "Helden"
        assert captions.heading("my_group") == "My group"
    with language.use("fr"):
        assert "\u00a0:" in say("title.measures", thing="a", fewest=1, other="b", most=2, strategy="c")


def test_an_unknown_language_is_a_sentence():
    with pytest.raises(TaflError, match="no language 'it'; there are: en, pt, es, fr, de"), language.use("it"):
        pass
