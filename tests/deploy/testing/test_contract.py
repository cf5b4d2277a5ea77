"""How contracts are run through pytest, and how each clause is reported."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from quintet.testing.contract import Verdict, clauses, run_contracts
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
