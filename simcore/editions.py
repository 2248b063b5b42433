"""What every game's editions share: shipped ones and folders of one's own, rule switches, digest, provenance, copying.

An edition is a set of CSV tables and a value for each rule switch. A shipped edition is a name (a preset of switches
over the shipped tables); a folder holds its own tables and, if it likes, a ``rules.toml``. Switches given on the
command line come on top of either.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.contract import DataError, Edition, Provenance, RuleSwitch, TaflError
from simcore.naming import unknown
from simcore.tables import Row, Schema, Table, read_text

RULES_FILE = "rules.toml"
"""Switches of an edition's folder."""

RANGES_FILE = "ranges.csv"
"""How far the numbers of assumed rows may plausibly lie from the tables; changes no game, and may be missing."""

WITHHELD_KEY = "withheld"
"""Key of ``rules.toml`` that lists the items nobody can have; no switch is called so."""

README_FILE = "README.md"
"""What the columns of an edition's folder mean."""


_README_OPENING = (
    "Edit numbers, add or take out rows, then check the folder (`tafl edition check`) and pass it (`--edition`).",
    "Commas stand between cells, the text is UTF-8. Each row says how sure it is: its `confidence` is `sourced`,",
    "`inferred` or `assumed`. A changed row that still names a shipped row's `source` counts as assumed.",
)


@dataclass(frozen=True)
class EditionSource:
    """An edition before its tables are checked.

    Attributes
    ----------
    name : str
        What the user called it.
    where : str
        What stands before a file's name in messages.
    texts : dict of str
        File name -> text of each table.
    rules : dict of str
        Every switch with the value in force.
    beside : dict of str
        File name -> text of what lies beside the tables and changes no game.
    withheld : tuple of str
        Ids of the items that nobody can have: the folder's, then those asked for.
    """

    name: str
    where: str
    texts: dict[str, str]
    rules: dict[str, str]
    beside: dict[str, str]
    withheld: tuple[str, ...] = ()


def parse_rules(settings: Iterable[str], switches: Sequence[RuleSwitch]) -> dict[str, str]:
    """Return the switches that ``--rule KEY=VALUE`` options set.

    Raises
    ------
    TaflError
        For an option without an equals sign, an unknown key or value, or a key set to two values.
    """
    rules: dict[str, str] = {}
    for setting in settings:
        key, sign, value = (part.strip() for part in setting.partition("="))
        if not sign or not key or not value:
            raise TaflError(f"--rule {setting!r} is not of the form KEY=VALUE, such as {_example(switches)}")
        if rules.get(key, value) != value:
            raise TaflError(f"--rule {key} is set twice, to {rules[key]!r} and to {value!r}; set it once")
        rules[key] = value
    check_rules(rules, switches)
    return rules


def _example(switches: Sequence[RuleSwitch]) -> str:
    return f"{switches[0].key}={switches[0].choices[-1]}" if switches else "KEY=VALUE"


def check_rules(rules: Mapping[str, str], switches: Sequence[RuleSwitch], where: str = "") -> None:
    """Check that each key is a switch and each value one of its choices.

    Raises
    ------
    TaflError
        Or `DataError` if `where` names a file: the message starts with it.
    """
    by_key = {switch.key: switch for switch in switches}
    for key, value in rules.items():
        problem = ""
        if key not in by_key:
            problem = unknown("rule switch", key, by_key)
        elif value not in by_key[key].choices:
            problem = unknown(f"value of rule switch {key}", value, by_key[key].choices)
        if problem:
            raise DataError(f"{where}: {problem}") if where else TaflError(problem)


def default_rules(switches: Sequence[RuleSwitch]) -> dict[str, str]:
    """Return every switch with its default."""
    return {switch.key: switch.choices[0] for switch in switches}


def read_presets(path: Path, switches: Sequence[RuleSwitch]) -> dict[str, dict[str, str]]:
    """Return the shipped editions of an ``editions.toml``: name -> switches that differ from the defaults."""
    presets: dict[str, dict[str, str]] = {}
    for name, entry in _read_toml(path, path.name).items():
        presets[name] = _as_rules(entry.get("rules", {}), f"{path.name}, [{name}]")
        check_rules(presets[name], switches, f"{path.name}, [{name}]")
    return presets


def _read_toml(path: Path, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path, where))
    except tomllib.TOMLDecodeError as error:
        raise DataError(f"{where} is not TOML: {error}") from None


def _as_rules(values: Mapping[str, Any], where: str) -> dict[str, str]:
    rules = {}
    for key, value in values.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        if not isinstance(value, str | int):
            raise DataError(f'{where}: {key} is {type(value).__name__}, not a switch\'s value such as {key} = "yes"')
        rules[key] = str(value)
    return rules


def read_source(
    name: str,
    rules: Mapping[str, str],
    *,
    data_folder: Path,
    files: Sequence[str],
    switches: Sequence[RuleSwitch],
    presets: Mapping[str, Mapping[str, str]],
    withheld: Sequence[str] = (),
) -> EditionSource:
    """Return the tables' texts and the switches in force of an edition.

    Parameters
    ----------
    name : str
        A shipped edition, or a folder. A shipped name wins; ``./official`` is always a folder.
    rules : mapping
        Switches that come on top.
    data_folder : pathlib.Path
        The tables that ship.
    files : sequence of str
        The tables' file names.
    switches, presets
        The game's.
    withheld : sequence of str
        Ids of items that nobody can have, on top of those of the folder's ``rules.toml``.

    Raises
    ------
    DataError, TaflError
        If there is no such edition, a table is missing, or a switch unknown.
    """
    check_rules(rules, switches)
    in_force = default_rules(switches)
    kept: tuple[str, ...] = ()
    if name in presets:
        in_force.update(presets[name])
        folder, where = data_folder, ""
    else:
        folder = Path(name)
        _check_folder(folder, name, files, presets)
        where = name.rstrip("/\\") + "/"
        if (folder / RULES_FILE).exists():
            written = _read_toml(folder / RULES_FILE, where + RULES_FILE)
            kept = _as_withheld(written.pop(WITHHELD_KEY, []), where + RULES_FILE)
            of_folder = _as_rules(written, where + RULES_FILE)
            check_rules(of_folder, switches, where + RULES_FILE)
            in_force.update(of_folder)
    in_force.update(rules)
    texts = {file: read_text(folder / file, where + file) for file in files}
    beside = {RANGES_FILE: read_text(folder / RANGES_FILE)} if (folder / RANGES_FILE).is_file() else {}
    shown = _shown_name(name, folder, presets)
    return EditionSource(shown, where, texts, in_force, beside, (*kept, *withheld))


def _as_withheld(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item_id, str) for item_id in value):
        raise DataError(f'{where}: {WITHHELD_KEY} is no list of items such as {WITHHELD_KEY} = ["hero:uline"]')
    return tuple(value)


def _shown_name(name: str, folder: Path, presets: Mapping[str, Any]) -> str:
    if name in presets:
        return name
    own = folder.resolve().name
    return f"./{own}" if own in presets else own  # a folder called "official" is not the official edition


def _check_folder(folder: Path, name: str, files: Sequence[str], presets: Mapping[str, Any]) -> None:
    try:
        is_folder, is_file = bool(name) and folder.is_dir(), folder.is_file()
        present = [file for file in files if (folder / file).is_file()]
    except OSError as error:
        raise DataError(f"the edition's folder {name} cannot be read: {error.strerror}") from None
    if not is_folder:
        what = "is a file, not a folder with tables" if is_file else "is not a folder either"
        raise TaflError(f"{unknown('edition', name, presets)}, and {name!r} {what}")
    missing = [file for file in files if file not in present]
    if missing:
        raise DataError(
            f"{name} is no complete edition: it lacks {', '.join(missing)}; `tafl edition copy` writes a complete one"
        )


def find_game(folder: Path, data_folders: Mapping[str, Path]) -> str:
    """Return the game whose tables a folder holds.

    Parameters
    ----------
    folder : pathlib.Path
        An edition's folder.
    data_folders : mapping
        Game id -> folder of the tables that ship with it.

    Raises
    ------
    DataError
        If it is no folder, or holds no game's tables.
    """
    if not folder.is_dir():
        raise DataError(f"{folder} is not a folder")
    present = {path.name for path in folder.glob("*.csv")}
    shared = {game: len(present & {path.name for path in data.glob("*.csv")}) for game, data in data_folders.items()}
    best = max(shared, key=lambda game: shared[game])
    if shared[best] == 0:
        raise DataError(f"{folder} holds no tables of {' or '.join(shared)}; `tafl edition copy` writes such a folder")
    return best


def digest(game_id: str, texts: Mapping[str, str], rules: Mapping[str, str], withheld: Iterable[str] = ()) -> str:
    """Return 64 hex digits of SHA-256 over a game's tables, switches and withheld items.

    Equal for equal content, whatever its name; `withheld` counts in any order, and not at all if it is empty.
    """
    sha = hashlib.sha256()
    parts = [game_id]
    parts += [part for file in sorted(texts) for part in (file, texts[file])]
    parts += [part for key in sorted(rules) for part in (key, rules[key])]
    parts += [part for item_id in sorted(withheld) for part in (WITHHELD_KEY, item_id)]
    for part in parts:
        content = part.encode()
        sha.update(len(content).to_bytes(8, "little") + content)
    return sha.hexdigest()


def mark_changed_rows(tables: Iterable[Table], shipped: Iterable[Table]) -> None:
    """Call changed rows assumed wherever they are shown.

    A row that differs from every shipped row of its table although it names a shipped row's source is a stand-in:
    whoever changed a number did not find it in that source.
    """
    originals = {table.schema.file: table for table in shipped}
    for table in tables:
        if table.schema.file in originals:
            changed = changed_rows(table, originals[table.schema.file])
            for row in table:
                if row.number in changed:
                    row.cells["confidence"] = "assumed"


def count_provenance(tables: Iterable[Table]) -> Provenance:
    """Count the rows of each confidence."""
    counts = {"sourced": 0, "inferred": 0, "assumed": 0}
    for table in tables:
        for row in table:
            counts[row["confidence"]] += 1
    return Provenance(**counts)


def changed_rows(table: Table, shipped: Table) -> list[int]:
    """Return the numbers of the rows that claim a shipped row's source but are not among the shipped rows.

    Cells that only repeat what others say do not count.
    """
    sources = set(shipped.column("source"))
    derived = {field.name for field in table.schema.fields if field.derived}

    def told(row: Row) -> dict[str, Any]:
        return {name: cell for name, cell in row.cells.items() if name not in derived}

    rows = [told(row) for row in shipped]
    return [row.number for row in table if row["source"] in sources and told(row) not in rows]


def rules_text(rules: Mapping[str, str], switches: Sequence[RuleSwitch], withheld: Sequence[str] = ()) -> str:
    """Return a ``rules.toml`` that sets every switch, each with its choices and what it does, and what is withheld."""
    lines = ["# The rule switches of this edition. `--rule KEY=VALUE` on the command line comes on top.", ""]
    if withheld:
        listed = ", ".join(f'"{item_id}"' for item_id in withheld)
        lines += ["# Items that nobody can have; blanks lie in their places.", f"{WITHHELD_KEY} = [{listed}]", ""]
    for switch in switches:
        lines += [f"# {switch.says} ({switch.source})", f"# one of: {', '.join(switch.choices)}"]
        lines += [f'{switch.key} = "{rules[switch.key]}"', ""]
    return "\n".join(lines)


def readme_text(title: str, schemas: Sequence[Schema]) -> str:
    """Return the page that says what each column of each table means."""
    lines = [f"# An edition of {title}", "", *_README_OPENING, ""]
    for schema in schemas:
        lines += [f"## {schema.file}", "", schema.says, "", "| column | holds |", "|---|---|"]
        for field in schema.fields:
            words = f" One of: {', '.join(field.choices)}." if field.choices else ""
            lines.append(f"| {field.name} | {field.says}{' (may be empty)' if field.optional else ''}.{words} |")
        lines.append("")
    return "\n".join(lines)


def copy_edition(edition: Edition, target: Path) -> list[Path]:
    """Write an edition's files into a folder of one's own, all or none.

    Parameters
    ----------
    edition : Edition
        Any edition: a shipped one, with switches, or another folder's.
    target : pathlib.Path
        A folder that does not exist yet, or is empty.

    Returns
    -------
    list of pathlib.Path
        The files written.

    Raises
    ------
    DataError
        If `target` holds something or cannot be written.
    """
    is_new = False
    written: list[Path] = []
    try:
        is_new = not target.exists()
        if not is_new and not target.is_dir():
            raise DataError(f"{target} is a file; name a folder that does not exist yet")
        if not is_new and any(target.iterdir()):
            raise DataError(f"{target} is not empty; name a folder that does not exist yet: nothing is overwritten")
        target.mkdir(parents=True, exist_ok=True)
        for name, text in edition.files.items():
            written.append(target / name)
            written[-1].write_bytes(text.encode())
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        if is_new and target.is_dir():
            target.rmdir()
        raise DataError(f"{target} cannot be written: {error.strerror}") from None
    return written
