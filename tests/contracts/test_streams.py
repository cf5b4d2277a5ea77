"""Every learner of ours that follows streams keeps the contract of streams."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.stream import *  # noqa: F403
from quintet.testing.stream import StreamCase, stream_cases
from tests.contracts.test_learners import SETTINGS

CASES = [
    pytest.param(case, marks=[pytest.mark.slow] if number else [])
    for name in METHODS
    for number, settings in enumerate(SETTINGS.get(name, ((),)))
    for case in stream_cases(name, settings)
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case.name} {case} {' '.join(case.assignments)}")
def case(request: pytest.FixtureRequest) -> StreamCase:
    case: StreamCase = request.param
    return case
