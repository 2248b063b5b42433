"""The boundary to the compiler: calls by address, answers, errors in one sentence, and a cache that is never stale."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from simcore import accel, codegen
from simcore.accel import (
    DecisionError,
    array_at,
    call_decision,
    compile_decision,
    contained_kernel,
    kernel,
    record_dtype,
)
from simcore.codegen import compiled_as

GAME = record_dtype([("numbers", "i8", (4,))])
OWN = record_dtype([("param", "i8", (4,)), ("table", "u8"), ("n_table", "i8")])
COMPILED_ONLY = pytest.mark.skipif(accel.INTERPRETED, reason="about compiled functions")


@kernel
def ask(address, game, own, n_options):
    """Call a decision as an engine does."""
    return call_decision(address, game, own, n_options)


@kernel
def outer(x):
    return inner(x) + inner(2)


@kernel
def inner(x):
    return x + 1


def answer_of(function, n_options: int = 5):
    """What a decision answers when the compiled engine asks for it."""
    address, owner = compile_decision(function, GAME, OWN, cached=False)
    game, own = np.zeros(1, GAME)[0], np.zeros(1, OWN)[0]
    game.numbers[:] = 10, 11, 12, 13
    own.param[:] = 1, 2, 3, 4
    answer = ask(np.uint64(address), game, own, n_options)
    assert owner is not None
    return answer


# decisions


def test_a_decision_sees_the_public_record_its_own_and_the_number_of_options():
    def choose(game, own, n_options):
        return 100 * game.numbers[2] + 10 * own.param[3] + n_options

    assert answer_of(choose) == 1200 + 40 + 5


@pytest.mark.parametrize("answer", [0, 3, -2, 2**40])
def test_int64_answers(answer):
    assert answer_of(lambda game, own, n_options: answer) == answer


@pytest.mark.parametrize("answer", [0, 3, -2, 2**31 - 1])
def test_int32_answers(answer):
    def choose(game, own, n_options):
        return np.int32(answer)

    assert answer_of(choose) == answer


@pytest.mark.parametrize("limit", [4, 6])
def test_bool_answers(limit):
    assert answer_of(lambda game, own, n_options: n_options > limit) == (limit < 5)


def test_uint64_answers():
    def choose(game, own, n_options):
        return np.uint64(3)

    assert answer_of(choose) == 3


def test_the_engine_sees_an_int64_whatever_the_width_was():
    def choose(game, own, n_options):
        return np.int8(-1)

    answer = answer_of(choose)
    assert answer == -1
    assert answer < 0


@COMPILED_ONLY
@pytest.mark.parametrize(
    "choose",
    [
        lambda game, own, n_options: n_options / 2,
        lambda game, own, n_options: 1.0,
        lambda game, own, n_options: 0 if n_options > 3 else 1.7,
        lambda game, own, n_options: None,
        lambda game, own, n_options: (0, 1),
    ],
    ids=["quotient", "float", "sometimes a float", "nothing", "tuple"],
)
def test_anything_but_an_integer_is_refused(choose):
    with pytest.raises(DecisionError, match="not with the index of an option") as caught:
        compile_decision(choose, GAME, OWN, cached=False)
    assert "\n" not in str(caught.value)


def misspells_a_field(game, own, n_options):
    return game.nubmers[0]


def uses_what_is_not_there(game, own, n_options):
    return best_of(own.option)  # noqa: F821


def adds_what_cannot_be_added(game, own, n_options):
    return n_options + "one"


@COMPILED_ONLY
@pytest.mark.parametrize(
    ("choose", "telling"),
    [
        (misspells_a_field, "no record has a field 'nubmers'; the nearest is 'numbers'"),
        (uses_what_is_not_there, "best_of"),
        (adds_what_cannot_be_added, "add"),
    ],
)
def test_a_decision_that_does_not_compile_says_why_in_one_line(choose, telling):
    with pytest.raises(DecisionError, match="does not compile") as caught:
        compile_decision(choose, GAME, OWN, cached=False)
    text = str(caught.value)
    assert telling in text
    assert "\n" not in text
    assert len(text) < 600


def test_an_exception_of_a_decision_passes_through_the_engine():
    def choose(game, own, n_options):
        if n_options > 2:
            raise ValueError("five are too many for me")
        return 0

    with pytest.raises(ValueError, match="five are too many for me"):
        answer_of(choose)


def test_an_index_past_a_records_array_is_noticed():
    def choose(game, own, n_options):
        return game.numbers[n_options]

    with pytest.raises(IndexError):
        answer_of(choose)


def test_decisions_are_told_apart_by_their_addresses():
    kept = []
    for number in range(3):
        kept.append(compile_decision(_closing_over(number), GAME, OWN, cached=False))
    game, own = np.zeros(1, GAME)[0], np.zeros(1, OWN)[0]
    answers = [ask(np.uint64(address), game, own, 5) for address, _ in kept]
    assert answers == [0, 1, 2]


def _closing_over(number: int):
    def choose(game, own, n_options):
        return number

    return choose


def test_a_prepared_table_is_read_and_written_where_it_lies():
    def choose(game, own, n_options):
        table = array_at(own.table, own.n_table)
        table[0] += 1
        return table[2]

    address, _owner = compile_decision(choose, GAME, OWN, cached=False)
    game, own = np.zeros(1, GAME)[0], np.zeros(1, OWN)[0]
    table = np.array([5, 6, 7], np.int64)
    own.table, own.n_table = table.ctypes.data, table.size
    assert ask(np.uint64(address), game, own, 5) == 7
    assert list(table) == [6, 6, 7]


# records and kernels


@pytest.mark.parametrize("name", ["round", "item", "copy"])
def test_a_field_must_not_hide_an_attribute_of_records(name):
    with pytest.raises(ValueError, match=f"'{name}'"):
        record_dtype([(name, "i8")])


@COMPILED_ONLY
def test_only_the_projects_own_sources_give_up_indices_from_the_end():
    def last(a):
        return a[len(a) - 4]

    numbers = np.array([3, 1, 4])
    users = compiled_as(numba.njit(boundscheck=True)(last), is_own=False)
    own = compiled_as(numba.njit(boundscheck=True)(last), is_own=True)
    for _ in range(2):  # in any order: each is compiled in its own way
        assert users(numbers) == 4
        with pytest.raises(IndexError):
            own(numbers)
    assert kernel(last)(numbers) == 4
    assert answer_of(lambda game, own, n_options: game.numbers[n_options - 6]) == 13


@COMPILED_ONLY
def test_a_users_helper_counts_from_the_end_when_a_kernel_of_the_project_was_compiled_within():
    @numba.njit
    def helper(a):
        return array_at(np.uint64(a.ctypes.data), len(a))[0] + a[len(a) - 4]

    assert helper(np.array([3, 1, 4])) == 3 + 4


@COMPILED_ONLY
def test_functions_of_the_project_begin_at_places_of_their_own_in_a_page():
    def place(name, is_own):
        names = {}
        exec(f"def {name}(x):\n    return x + 1", names)
        function = compiled_as(numba.njit(names[name]), is_own)
        assert function(1) == 2
        compiled = function.overloads[function.signatures[0]]
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name) % 4096

    names = [f"add_{i}" for i in range(8)]
    own = [place(name, True) for name in names]
    assert len(set(own)) == len(own)
    assert {place(name, False) for name in names} == {0}, "Numba begins a page for each library"


def test_a_contained_kernel_is_a_kernel():
    @contained_kernel
    def twice(x):
        return 2 * x

    @kernel
    def four_times(x):
        return twice(twice(x))

    assert four_times(3) == 12
    assert twice(4) == 8


@COMPILED_ONLY
def test_a_literal_argument_compiles_no_second_copy():
    assert outer(5) == 9
    assert len(inner.signatures) == 1


# the cache


@pytest.fixture
def small_package(tmp_path, monkeypatch):
    """A project of three modules: user imports helper, other stands alone."""
    package = tmp_path / "simcore"
    (package / "parts").mkdir(parents=True)
    (package / "user.py").write_text("from simcore.helper import number\nimport simcore.parts\n", encoding="utf-8")
    (package / "helper.py").write_text("from simcore.deeper import number\n", encoding="utf-8")
    (package / "deeper.py").write_text("number = 1\n", encoding="utf-8")
    (package / "other.py").write_text("", encoding="utf-8")
    (package / "parts" / "one.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(accel, "_ROOT", tmp_path)
    forget()
    yield package
    forget()


def forget() -> None:
    """As a new process starts."""
    for cached in (accel._sources, accel.kernel_key, accel.cache_folder):
        cached.cache_clear()


@pytest.mark.parametrize("file", ["user.py", "helper.py", "deeper.py", "parts/one.py"])
def test_an_edit_of_anything_imported_changes_the_key(small_package, file):
    before = accel.kernel_key("simcore.user")
    with (small_package / file).open("a", encoding="utf-8") as stream:
        stream.write("# edited\n")
    forget()
    assert accel.kernel_key("simcore.user") != before


def test_an_edit_of_anything_else_leaves_the_key(small_package):
    before = accel.kernel_key("simcore.user")
    (small_package / "other.py").write_text("number = 2\n", encoding="utf-8")
    forget()
    assert accel.kernel_key("simcore.user") == before


def test_the_key_depends_on_the_compile_options(small_package, monkeypatch):
    before = accel.kernel_key("simcore.user")
    monkeypatch.setattr(accel, "BOUNDS_CHECKED", not accel.BOUNDS_CHECKED)
    forget()
    assert accel.kernel_key("simcore.user") != before


def run_python(code: str, cwd: Path, **environment: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


USER = """
from simcore.accel import kernel
from simcore.helper import helper_nb

@kernel
def user_nb(x):
    return helper_nb(x) + 1
"""

HELPER = """
from simcore.accel import kernel

@kernel
def helper_nb(x):
    return {factor} * x
"""


@COMPILED_ONLY
def test_an_edited_helper_reaches_its_cached_callers(tmp_path):
    package = tmp_path / "project" / "simcore"
    package.mkdir(parents=True)
    for file in (accel.__file__, codegen.__file__):
        shutil.copy(file, package)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "user.py").write_text(USER, encoding="utf-8")
    cache = tmp_path / "cache"
    answers, n_files = [], []
    for factor in (2, 2, 3):
        (package / "helper.py").write_text(HELPER.format(factor=factor), encoding="utf-8")
        code = "from simcore.user import user_nb; print(user_nb(10))"
        answers.append(run_python(code, package.parent, TAFL_CACHE_DIR=str(cache)))
        n_files.append(len(list(cache.rglob("*.nbc"))))
    assert answers == ["21", "21", "31"]
    assert n_files[0] == n_files[1] == 2  # the second process took both from the cache
    assert n_files[2] == 4


def test_without_a_folder_to_write_kernels_are_compiled_anew():
    code = (
        "import numpy as np; from simcore import accel; from simcore.luck import mix_nb; "
        "print(accel.cache_folder('simcore.luck'), int(mix_nb(np.uint64((1234567 + 0x9E3779B97F4A7C15) % 2**64))))"
    )
    root = Path(accel.__file__).parent.parent
    assert run_python(code, root, TAFL_CACHE_DIR="/proc/nope") == "None 6457827717110365317"


def test_a_users_module_is_never_cached():
    assert accel.cache_folder("my_strategy") is None
    assert accel.cache_folder("tests.anything") is None


# separate kernels


@accel.separate_kernel(GAME)
def add_separately(game, n):
    """Add to the first number and return it; a negative sum is refused."""
    game.numbers[0] += n
    if game.numbers[0] < 0:
        raise ValueError("less than nothing")
    return game.numbers[0]


@accel.separate_kernel(GAME)
def clear_separately(game):
    """Return nothing."""
    game.numbers[1] = 0


@kernel
def use_separate(game, n):
    clear_separately(game)
    return 10 * add_separately(game, n) + add_separately(game, 1)


def test_separate_kernels_are_called_from_kernels_and_from_python():
    game = np.zeros(1, GAME)[0]
    game.numbers[:] = 1, 2, 3, 4
    assert use_separate(game, 5) == 67
    assert game.numbers.tolist() == [7, 0, 3, 4]
    assert add_separately(game, 2) == 9
    assert clear_separately(game) is None


def test_exceptions_leave_separate_kernels():
    game = np.zeros(1, GAME)[0]
    with pytest.raises(ValueError, match="less than nothing"):
        use_separate(game, -5)


@COMPILED_ONLY
def test_code_from_the_cache_finds_its_separate_kernels(tmp_path):
    """A second process loads the callers from the cache, where only names of separate kernels are written."""
    code = (
        "import numpy as np; from simcore.reavers import paying; from simcore.reavers.layout import GAME, HIDDEN; "
        "g, h = np.zeros(1, GAME)[0], np.zeros(1, HIDDEN)[0]; h.recording = 1; "
        "paying.add_food_nb(g, h, 0, 3); print(g.pl[0].food, h.n_events)"
    )
    for _ in range(2):
        finished = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "TAFL_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            text=True,
        )
        assert (finished.returncode, finished.stdout.strip()) == (0, "3 1"), finished.stderr
