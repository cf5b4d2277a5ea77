"""Suites that every plug-in of a kind passes."""

import pytest

for suite in ("model", "runtime", "world"):
    pytest.register_assert_rewrite(f"tests.contracts.{suite}")
