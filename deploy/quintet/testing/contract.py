"""Runs contracts through pytest, apart from any pytest configuration of the user's, and reports each clause."""

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Literal, TypeAlias, cast

import pytest

from quintet.errors import one_line
from quintet.testing.expectations import describe_error

State: TypeAlias = Literal["holds", "broken", "skipped"]

_UNUSED = ("cacheprovider", "capture", "faulthandler", "logging", "terminal", "threadexception", "unraisableexception")
_OPTIONS = (
    *("-c", os.devnull, "--rootdir=/", "--noconftest", "--disable-plugin-autoload", "--assert=plain"),
    *("--import-mode=importlib", "-o", "consider_namespace_packages=true", "--collect-in-virtualenv"),
    *(option for name in (*_UNUSED, "warnings") for option in ("-p", f"no:{name}")),
    "--pyargs",
)
"""No configuration, conftest, cache or plug-in of the folder or the environment; plug-ins print as they do in a run."""


@dataclass(frozen=True)
class Verdict:
    """The result of one clause."""

    clause: str
    state: State
    text: str = ""
    """Why it is broken or was skipped."""


def clauses(contract: ModuleType) -> dict[str, Callable[..., None]]:
    """The tests of a contract, in order, by the sentence that each is reported as."""
    return {_sentence(name): test for name, test in vars(contract).items() if name.startswith("test_")}


def run_contracts(contracts: Mapping[ModuleType, Sequence[object]], on_verdict: Callable[[Verdict], None]) -> None:
    """Try every clause of some contracts on every case.

    A clause is broken if one case breaks it, and skipped if all cases skip it.

    Args:
        contracts: modules of `quintet.testing`, each with its cases, at least one; a case is shown as its `str`, and
            its `end_clause`, if it has one, is called after each clause.
        on_verdict: gets each clause's verdict as soon as the clause was tried on all cases.
    """
    plugin = _ContractPlugin(contracts, on_verdict)
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
            patch.delenv(variable, raising=False)
        code = pytest.main([*_OPTIONS, *(contract.__name__ for contract in contracts)], plugins=[plugin])
    if plugin.error is not None:
        raise plugin.error
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"pytest: expected to run the clauses, got exit code {int(code)}")


class _ContractPlugin:
    def __init__(self, cases: Mapping[ModuleType, Sequence[object]], on_verdict: Callable[[Verdict], None]) -> None:
        self._cases = cases
        self._on_verdict = on_verdict
        self._verdicts: list[Verdict] = []
        """Of the clause that is being tried, by case."""
        self.error: BaseException | None = None
        """An interrupt, or an error of our own, to be raised again when pytest has finished."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        contract = cast("ModuleType", metafunc.module)  # pyright: ignore[reportUnknownMemberType]
        metafunc.parametrize("case", self._cases[contract], ids=str)

    def pytest_runtest_makereport(self, item: pytest.Function, call: pytest.CallInfo[None]) -> None:
        if call.when == "call" or call.excinfo is not None:
            self._verdicts.append(_verdict(item, call.excinfo.value if call.excinfo else None))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Function, nextitem: pytest.Function | None
    ) -> Generator[None, object, object]:
        done = yield
        if (end_clause := getattr(item.callspec.params["case"], "end_clause", None)) is not None:
            end_clause()
        if nextitem is None or nextitem.originalname != item.originalname:
            by_state = {verdict.state: verdict for verdict in reversed(self._verdicts)}
            self._verdicts.clear()
            self._on_verdict(by_state.get("broken") or by_state.get("holds") or by_state["skipped"])
        return done

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        self.error = excinfo.value

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        self.error = excinfo.value
        return True  # it is raised again, so pytest need not print it


def _verdict(item: pytest.Function, error: BaseException | None) -> Verdict:
    clause, case = _sentence(item.originalname), item.callspec.params["case"]
    match error:
        case None:
            return Verdict(clause, "holds")
        case pytest.skip.Exception():
            return Verdict(clause, "skipped", str(error))
        case pytest.fail.Exception():
            return Verdict(clause, "broken", f"{one_line(error)} ({case})")
        case _:
            return Verdict(clause, "broken", f"expected no exception, got {describe_error(error)} ({case})")


def _sentence(test: str) -> str:
    return test.removeprefix("test_").replace("_", " ")
