"""Contracts that everything of a kind keeps: of plug-ins those in `quintet.testing`, with ours as their subjects."""

import pytest

pytest.register_assert_rewrite("tests.contracts.runtime")
