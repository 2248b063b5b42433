"""Reading tables: every message names the file, the row a spreadsheet shows, and the column."""

import pytest

from simcore.contract import DataError
from simcore.naming import nearest, unknown
from simcore.tables import PROVENANCE_FIELDS, Field, Schema, check_source, read_table, read_text

SCHEMA = Schema(
    "things.csv",
    "Things.",
    (
        Field("thing_id", "a name", "id"),
        Field("size", "a size", high=20),
        Field("kind", "a kind", "word", choices=("round", "square")),
        Field("note", "anything", "text", optional=True),
        Field("spare", "a number or nothing", optional=True),
    ),
)
GOOD = 'thing_id,size,kind,note,spare\nball,3,round,"red, and soft",\nbox,20,square,,7\n'


def test_cells_are_typed():
    table = read_table(GOOD, SCHEMA)
    assert [row.cells for row in table] == [
        {"thing_id": "ball", "size": 3, "kind": "round", "note": "red, and soft", "spare": None},
        {"thing_id": "box", "size": 20, "kind": "square", "note": "", "spare": 7},
    ]
    assert table.column("size") == [3, 20]
    assert [row.number for row in table] == [2, 3]


def test_columns_may_stand_in_any_order_and_optional_ones_may_be_missing():
    table = read_table("kind,size,thing_id\nround, 4 ,ball\n", SCHEMA)
    assert table[0].cells == {"thing_id": "ball", "size": 4, "kind": "round", "note": "", "spare": None}


def test_line_breaks_in_a_text_become_spaces():
    table = read_table('thing_id,size,kind,note\nball,1,round,"red\nand  soft"\n', SCHEMA)
    assert table[0]["note"] == "red and soft"


def test_blank_rows_are_skipped_but_counted():
    table = read_table("thing_id,size,kind\n\nball,1,round\n,,\nbox,2,square\n", SCHEMA)
    assert [row.number for row in table] == [3, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "things.csv is empty; its first row must name the columns thing_id, size, kind, note, spare"),
        ("thing_id,size,kind\n", "things.csv has a header but no rows"),
        ("thing_id,kind\nball,round\n", "things.csv, row 1: column 'size' is missing; it holds a size"),
        ("thing_id,sise,kind\nball,1,round\n", "things.csv, row 1: there is no column 'sise'; the nearest is 'size'"),
        ("thing_id,size,size,kind\nball,1,1,round\n", "row 1: column 'size' is there 2 times"),
        ("thing_id;size;kind\nball;1;round\n", "row 1: columns are separated by semicolons; save the file with commas"),
        ("thing_id,size,kind\nball,1,round,red\n", "things.csv, row 2: has 4 cells, the header has 3"),
        ("thing_id,size,kind\nball,1\n", "things.csv, row 2: has 2 cells, the header has 3"),
        ("thing_id,size,kind\nball,one,round\n", "things.csv, row 2, column size: 'one' is not a whole number"),
        ("thing_id,size,kind\nball,1.5,round\n", "things.csv, row 2, column size: '1.5' is not a whole number"),
        ("thing_id,size,kind\nball,²,round\n", "things.csv, row 2, column size: '²' is not a whole number"),
        ("thing_id,size,kind\nball,,round\n", "things.csv, row 2, column size: is empty; it holds a size"),
        ("thing_id,size,kind\nball,-1,round\n", "column size: -1 is negative; the smallest allowed is 0"),
        ("thing_id,size,kind\nball,21,round\n", "column size: 21 is too large; the largest that fits is 20"),
        ("thing_id,size,kind\nball," + "9" * 5000 + ",round\n", "is too large; the largest that fits is 20"),
        ("thing_id,size,kind\nball,1,rond\n", "column kind: 'rond' is none of round, square; the nearest is 'round'"),
        ("thing_id,size,kind\nBall 1,1,round\n", "column thing_id: 'Ball 1' is no id"),
        (
            "thing_id,size,kind\nball,1,round\nbox,1,square\nball,2,round\n",
            "things.csv, row 4, column thing_id: 'ball' stands already in row 2",
        ),
        ('thing_id,size,kind\n"ball,1,round\n', "things.csv is not a CSV table"),
    ],
)
def test_what_is_wrong_is_said(text, message):
    with pytest.raises(DataError) as caught:
        read_table(text, SCHEMA)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 5300
    assert "\n" not in str(caught.value)


def test_the_message_starts_with_the_users_own_path():
    with pytest.raises(DataError, match=r"^mine/things\.csv, row 2, column size: "):
        read_table("thing_id,size,kind\nball,x,round\n", SCHEMA, "mine/things.csv")


def test_a_sourced_row_names_its_source():
    schema = Schema("facts.csv", "Facts.", (Field("n", "a number"), *PROVENANCE_FIELDS))
    check_source(read_table("n,confidence,source\n1,sourced,rules.md\n2,assumed,\n", schema))
    with pytest.raises(DataError, match=r"facts\.csv, row 2, column source: is empty, but the row is called inferred"):
        check_source(read_table("n,confidence,source\n1,inferred,\n", schema))


def test_text_is_read_alike_whatever_saved_it(tmp_path):
    path = tmp_path / "things.csv"
    path.write_bytes(b"\xef\xbb\xbfa,b\r\n1,2\r\n")
    assert read_text(path) == "a,b\n1,2\n"


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        read_text(tmp_path / "none.csv", "none.csv")
    (tmp_path / "latin.csv").write_bytes("name\nH\xf6rn\n".encode("latin-1"))
    with pytest.raises(DataError, match=r"latin\.csv is not UTF-8 text \(byte 6\)"):
        read_text(tmp_path / "latin.csv", "latin.csv")
    with pytest.raises(DataError, match="cannot be read"):
        read_text(tmp_path, "a folder")


def test_nearest_names():
    names = ["planner", "greedy", "dwerg-rush", "early-uline"]
    assert nearest("Planer", names) == "planner"
    assert nearest("DWERG", names) == "dwerg-rush"
    assert nearest("early", names) == "early-uline"
    assert nearest("zzz", names) is None
    assert nearest("", names) is None
    assert unknown("strategy", "planer", names) == (
        "there is no strategy 'planer'; the nearest is 'planner' (there are: planner, greedy, dwerg-rush, early-uline)"
    )
    assert unknown("game", "x", []) == "there is no game 'x'"
    assert unknown("game", "chess", ["go"]) == "there is no game 'chess' (there is: go)"
    assert unknown("thing", "x", [f"t{i:02}" for i in range(30)]).endswith("t23 and 6 more)")
