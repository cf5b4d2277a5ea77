"""A skipped clause fails, unless its subject is known to lack what the clause checks."""

from collections.abc import Generator

import pytest

from quintet.testing import environment
from quintet.testing.environment_case import EnvironmentCase

SKIPS = {
    "textcraft": {
        environment.test_admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done.__name__,
    }
}
"""By world."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call" and not report.failed and isinstance(item, pytest.Function):
        case = item.funcargs.get("case")
        skips = isinstance(case, EnvironmentCase) and item.originalname in SKIPS.get(case.plug_in.name, set())
        if report.skipped != skips:
            report.longrepr = f"expected {'a skip' if skips else 'no skip'}, got {report.outcome}: {report.longrepr}"
            report.outcome = "failed"
    return report
