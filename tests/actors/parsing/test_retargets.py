"""The same move in other words, as models write it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.retargets import read_retargeted
from tests.actors.parsing.styles import Style, styles

STYLES = [*styles("retargeted")]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_an_action_is_read(style: Style) -> None:
    assert read_retargeted(style.text) == style.expected["retargeted"]
    assert read_retargeted(f"<think>\nNew action is: wait\n</think>\n{style.text}") == style.expected["retargeted"]


@given(st.text())
def test_an_action_is_never_empty(text: str) -> None:
    for said in (text, f"New action is: {text}"):
        action = read_retargeted(said)
        assert action is None or action.strip()
