"""Suites that every plug-in of a kind passes."""

import pytest

pytest.register_assert_rewrite("tests.contracts.world")
