"""The table of docs/webarena-verified.md is what is counted."""

from pathlib import Path

import pytest

from tests.actors.environments.webarena.verified.agreement import report
from tests.actors.environments.webarena.verified.installed import needs_package, old_idna

PAGE = Path(__file__).parents[5] / "docs" / "webarena-verified.md"


@needs_package
@old_idna
@pytest.mark.web
@pytest.mark.slow
def test_the_shown_agreement_is_what_is_counted() -> None:
    assert report() in PAGE.read_text()
