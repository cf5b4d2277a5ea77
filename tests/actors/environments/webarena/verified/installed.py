"""Marks of tests that need the package, and of those that evaluate with it."""

from importlib.util import find_spec

import pytest

needs_package = pytest.mark.skipif(
    find_spec("webarena_verified") is None, reason="needs webarena-verified: `make test-worlds`"
)
old_idna = pytest.mark.filterwarnings("ignore:Transitional processing is deprecated:DeprecationWarning")
"""The package normalises addresses with an option that means nothing any more."""
