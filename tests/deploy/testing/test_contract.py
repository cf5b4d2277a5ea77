"""How contracts are run: through pytest, in another process, and what a failed expectation says."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import Struct

from quintet.errors import UsageError
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.expectations import expect, expect_equal, expect_error, expect_type
from quintet.testing.subprocesses import NamedPlugIn, in_subprocess, name_plug_in
from tests.actors import fakes
from tests.actors.fakes import Kitchen
from tests.deploy.testing import toy_contract


def verdicts(cases: Sequence[int]) -> list[Verdict]:
    found: list[Verdict] = []
    run_contracts({toy_contract: cases}, found.append)
    return found


def test_clauses_are_reported_as_sentences_in_order() -> None:
    assert list(clauses(toy_contract)) == ["it is even", "it divides twelve"]
    assert verdicts([4]) == [Verdict("it is even", "holds"), Verdict("it divides twelve", "holds")]


def test_one_case_breaks_a_clause_and_only_all_skip_it() -> None:
    assert verdicts([0, 4, 3, 5])[0] == Verdict("it is even", "broken", "expected an even number, got 3 (3)")
    assert verdicts([0, 4])[0].state == "holds"
    assert verdicts([0, 0])[0] == Verdict("it is even", "skipped", "there is nothing")


def test_any_exception_breaks_a_clause_and_is_reported_with_its_place() -> None:
    _, broken = verdicts([2])
    assert broken.state == "broken"
    assert "expected no exception, got ZeroDivisionError: " in broken.text
    assert " in toy_contract.py, line " in broken.text
    assert "got SystemExit: too large" in verdicts([14])[1].text


def test_an_interrupt_ends_the_run() -> None:
    with pytest.raises(KeyboardInterrupt):
        verdicts([9])


def test_an_error_while_reporting_is_raised() -> None:
    def report(verdict: Verdict) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run_contracts({toy_contract: [4]}, report)


def test_the_users_pytest_configuration_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (tmp_path / "conftest.py").write_text("raise RuntimeError\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option")
    monkeypatch.setenv("PYTEST_PLUGINS", "no_such_plugin")
    assert [verdict.state for verdict in verdicts([4])] == ["holds", "holds"]
    assert {file.name for file in tmp_path.iterdir()} == {"pytest.ini", "conftest.py"}


def test_without_pytest_the_extra_is_named() -> None:
    code = "import sys; sys.modules['pytest'] = None; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "check", "model", "sim-weak"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "expected pytest, got none; install it with pip install 'quintet-agents[testing]'" in done.stderr


def test_a_test_module_can_import_a_contract(tmp_path: Path) -> None:
    (tmp_path / "test_numbers.py").write_text(
        "import pytest\n"
        "from tests.deploy.testing.toy_contract import *\n"
        "@pytest.fixture(params=[4, 3])\n"
        "def case(request):\n"
        "    return request.param\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    root = str(Path(__file__).parents[3])
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    assert "1 failed, 3 passed" in done.stdout
    assert "Failed: expected an even number, got 3" in done.stdout


class Place(Struct, frozen=True):
    """A place."""

    name: str
    steps: list[int]


class Unshowable:
    """Cannot be written down."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_the_first_part_that_differs_is_named() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        expect_equal("the way", {"there": Place("roof", [1, 2, 3])}, {"there": Place("roof", [1, 5, 3])})
    assert str(caught.value) == "expected the way['there'].steps[1] to be 2, got 5"
    with pytest.raises(pytest.fail.Exception, match=r"expected the way\['back'\] to be None, got 'path'"):
        expect_equal("the way", {}, {"back": "path"})
    with pytest.raises(pytest.fail.Exception, match=r"expected the way to be \[1\], got \[1, 2\]"):
        expect_equal("the way", [1], [1, 2])


def test_a_long_or_unprintable_value_is_shortened() -> None:
    with pytest.raises(pytest.fail.Exception) as caught:
        expect_equal("a text", "", "x" * 10_000)
    assert len(str(caught.value)) < 400
    with pytest.raises(pytest.fail.Exception, match="got <Unshowable without a readable form>"):
        expect(False, "something", Unshowable())


def test_parts_of_a_struct_are_of_their_types() -> None:
    expect_type("a place", Place, Place("roof", [1]))
    with pytest.raises(
        pytest.fail.Exception, match=r"a place with parts of their types, got Expected `int`, got `str` - at"
    ):
        expect_type("a place", Place, Place("roof", ["one"]))  # type: ignore[list-item]  # pyright: ignore[reportArgumentType]
    with pytest.raises(pytest.fail.Exception, match=r"expected a place of type Place, got 'roof'"):
        expect_type("a place", Place, "roof")


def test_an_exception_is_of_its_kind_and_names_what_it_should() -> None:
    def refuse() -> None:
        raise UsageError("expected more")

    expect_error(UsageError, refuse, naming="more")
    with pytest.raises(pytest.fail.Exception, match="expected a UsageError that names 'less', got 'expected more'"):
        expect_error(UsageError, refuse, naming="less")
    with pytest.raises(
        pytest.fail.Exception, match=r"expected a KeyError, got UsageError: expected more in test_contract\.py"
    ):
        expect_error(KeyError, refuse)
    with pytest.raises(pytest.fail.Exception, match="expected a KeyError from a test, got no exception but None"):
        expect_error(KeyError, lambda: None, when="a test")


class Text(Struct):
    """Some text."""

    text: str


def hashed(request: Text) -> int:
    print("on the way")
    return hash(request.text)


def failing(request: Text) -> int:
    raise ValueError(f"no {request.text}")


def dying(request: Text) -> int:
    os._exit(3)


def number(request: Text) -> int:
    return os.getpid()


def test_another_process_has_the_hash_seed_it_is_given_and_may_print() -> None:
    first = in_subprocess(hashed, Text("stairs"), hash_seed=1)
    assert first == in_subprocess(hashed, Text("stairs"), hash_seed=1)
    assert first != in_subprocess(hashed, Text("stairs"), hash_seed=2)


def test_an_exception_there_fails_the_test_here() -> None:
    with pytest.raises(pytest.fail.Exception, match="expected the same in another process, got ValueError: no stairs"):
        in_subprocess(failing, Text("stairs"))


def test_one_process_does_all_work_until_it_dies() -> None:
    first = in_subprocess(number, Text(""))
    assert first not in (os.getpid(), in_subprocess(number, Text(""), hash_seed=2))
    assert in_subprocess(number, Text("")) == first
    with pytest.raises(pytest.fail.Exception, match="expected the same in another process, got its exit code 3"):
        in_subprocess(dying, Text(""))
    assert in_subprocess(number, Text("")) != first


def test_an_object_of_a_file_is_made_in_any_process() -> None:
    named = name_plug_in("environment", Kitchen)
    assert (named.name, named.place) == ("kitchen", f"{fakes.__file__}:Kitchen")
    assert named.world().name == "kitchen"
    assert in_subprocess(name_of, named) == "kitchen"
    with pytest.raises(UsageError, match="environment kitchen: expected a class or a function of a file, which"):
        name_plug_in("environment", Kitchen())


def name_of(named: NamedPlugIn) -> str:
    return named.world().name
