"""What every game's editions share: switches, copies, digests, whose tables a folder holds."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from simcore.contract import DataError, RuleSwitch, TaflError
from simcore.editions import copy_edition, digest, find_game, parse_rules, read_presets, read_source, rules_text

SWITCHES = (
    RuleSwitch("size", ("small", "large"), "How large", "rule 1"),
    RuleSwitch("bonus", ("3", "5"), "How much", "rule 2"),
    RuleSwitch("ends", ("no", "yes"), "Whether", "rule 3"),
)
PRESETS = {"plain": {}, "grand": {"size": "large"}}


@dataclass
class Files:
    files: dict


def test_rules_are_parsed():
    assert parse_rules(["size=large", " bonus = 5 ", "size=large"], SWITCHES) == {"size": "large", "bonus": "5"}
    assert parse_rules([], SWITCHES) == {}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (["size"], "--rule 'size' is not of the form KEY=VALUE, such as size=large"),
        (["=large"], "is not of the form KEY=VALUE"),
        (["size="], "is not of the form KEY=VALUE"),
        (["sise=large"], "there is no rule switch 'sise'; the nearest is 'size' (there are: size, bonus, ends)"),
        (["size=larg"], "there is no value of rule switch size 'larg'; the nearest is 'large'"),
        (["size=large", "size=small"], "--rule size is set twice, to 'large' and to 'small'"),
    ],
)
def test_wrong_rules(setting, message):
    with pytest.raises(TaflError) as caught:
        parse_rules(setting, SWITCHES)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_digest_depends_on_content_only():
    base = digest("g", {"a.csv": "1", "b.csv": "2"}, {"x": "1", "y": "2"})
    assert len(base) == 64
    assert base == digest("g", {"b.csv": "2", "a.csv": "1"}, {"y": "2", "x": "1"})
    others = [
        digest("h", {"a.csv": "1", "b.csv": "2"}, {"x": "1", "y": "2"}),
        digest("g", {"a.csv": "1", "b.csv": "3"}, {"x": "1", "y": "2"}),
        digest("g", {"a.csv": "1b", ".csv": "2"}, {"x": "1", "y": "2"}),
        digest("g", {"a.csv": "1", "b.csv": "2"}, {"x": "1", "y": "3"}),
    ]
    assert len({base, *others}) == 5


def read(folder, name, rules=()):
    return read_source(
        name, dict(rules), data_folder=folder, files=("a.csv", "b.csv"), switches=SWITCHES, presets=PRESETS
    )


@pytest.fixture
def shipped(tmp_path):
    folder = tmp_path / "shipped"
    folder.mkdir()
    for name in ("a.csv", "b.csv"):
        (folder / name).write_text(name)
    return folder


def test_sources(shipped, tmp_path):
    plain = read(shipped, "plain")
    assert (plain.name, plain.where, plain.texts) == ("plain", "", {"a.csv": "a.csv", "b.csv": "b.csv"})
    assert plain.rules == {"size": "small", "bonus": "3", "ends": "no"}
    assert read(shipped, "grand", {"bonus": "5"}.items()).rules == {"size": "large", "bonus": "5", "ends": "no"}
    own = tmp_path / "plain"
    copy_edition(Files({**plain.texts, "rules.toml": 'size = "large"\nbonus = 5\nends = true\n'}), own)
    source = read(shipped, str(own), {"size": "small"}.items())
    assert source.rules == {"size": "small", "bonus": "5", "ends": "yes"}
    assert source.name == "./plain"  # not to be taken for the shipped one
    assert source.where == f"{own}/"


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("size = [1]", "rules.toml: size is list, not a switch's value"),
        ("sise = 'small'", "rules.toml: there is no rule switch 'sise'; the nearest is 'size'"),
        ("bonus = 4", "rules.toml: there is no value of rule switch bonus '4'"),
        ("size = ", "rules.toml is not TOML"),
    ],
)
def test_wrong_rules_of_a_folder(shipped, rules, message):
    (shipped / "rules.toml").write_text(rules)
    with pytest.raises(DataError) as caught:
        read(shipped, str(shipped))
    assert message in str(caught.value)


def test_editions_that_are_not_there(shipped, tmp_path):
    with pytest.raises(TaflError, match=r"no edition 'plane'; the nearest is 'plain' .*and 'plane' is not a folder"):
        read(shipped, "plane")
    with pytest.raises(TaflError, match="there is no edition ''"):
        read(shipped, "")
    with pytest.raises(DataError, match="cannot be read: File name too long"):
        read(shipped, "x" * 5000)
    (tmp_path / "file").write_text("")
    with pytest.raises(TaflError, match="is a file, not a folder with tables"):
        read(shipped, str(tmp_path / "file"))
    (shipped / "b.csv").unlink()
    with pytest.raises(DataError, match=r"lacks b\.csv"):
        read(shipped, str(shipped))


def test_presets_are_checked(tmp_path):
    path = tmp_path / "editions.toml"
    path.write_text('[one]\nsays = "One."\nrules = {}\n[two]\nrules = { size = "large" }\n')
    assert read_presets(path, SWITCHES) == {"one": {}, "two": {"size": "large"}}
    path.write_text('[two]\nrules = { size = "huge" }\n')
    with pytest.raises(DataError, match=r"editions\.toml, \[two\]: there is no value of rule switch size 'huge'"):
        read_presets(path, SWITCHES)


def test_rules_text_reads_back(tmp_path, shipped):
    rules = {"size": "large", "bonus": "5", "ends": "yes"}
    (shipped / "rules.toml").write_text(rules_text(rules, SWITCHES))
    assert read(shipped, str(shipped)).rules == rules


def test_a_copy_never_overwrites(tmp_path):
    edition = Files({"a.csv": "1\n"})
    target = tmp_path / "deep" / "copy"
    assert copy_edition(edition, target) == [target / "a.csv"]
    assert (target / "a.csv").read_bytes() == b"1\n"
    with pytest.raises(DataError, match="is not empty"):
        copy_edition(Files({"a.csv": "2\n"}), target)
    assert (target / "a.csv").read_bytes() == b"1\n"
    (tmp_path / "empty").mkdir()
    copy_edition(edition, tmp_path / "empty")
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="is a file"):
        copy_edition(edition, tmp_path / "file")
    with pytest.raises(DataError, match="cannot be written"):
        copy_edition(edition, tmp_path / "file" / "below")


def test_a_copy_that_fails_leaves_nothing(tmp_path):
    text = SimpleNamespace(encode=lambda: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(DataError, match="cannot be written: No space left on device"):
        copy_edition(Files({"a.csv": "1", "b.csv": text}), tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []


def test_whose_tables_a_folder_holds(tmp_path, shipped):
    other = tmp_path / "other"
    other.mkdir()
    (other / "c.csv").write_text("")
    games = {"one": shipped, "two": other}
    own = tmp_path / "own"
    own.mkdir()
    with pytest.raises(DataError, match="holds no tables of one or two"):
        find_game(own, games)
    (own / "b.csv").write_text("")
    assert find_game(own, games) == "one"
    with pytest.raises(DataError, match="is not a folder"):
        find_game(own / "b.csv", games)
