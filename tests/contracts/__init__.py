"""Contracts tried on all of our plug-ins (the contracts are in `quintet.testing`) and runtimes (theirs is here)."""

import pytest

pytest.register_assert_rewrite("tests.contracts.runtime")
