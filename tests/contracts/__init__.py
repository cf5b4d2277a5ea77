"""Contracts tried on all of ours: those of plug-ins are in `quintet.testing`, that of runtimes is here."""

import pytest

pytest.register_assert_rewrite("tests.contracts.runtime")
