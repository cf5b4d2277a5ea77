"""The model keeps its contract, and answers equal calls equally."""

from collections.abc import Iterator

import pytest

from quintet.testing.model import *  # noqa: F403
from quintet.testing.model_case import ModelCase
from quintet.testing.repeatable_model import *  # noqa: F403


@pytest.fixture(scope="module")
def case() -> Iterator[ModelCase]:
    with ModelCase("lamplighter") as case:
        yield case
