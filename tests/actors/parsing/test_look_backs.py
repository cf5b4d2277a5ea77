"""Reflections on failed trials as models write them: the styles were written down before the reader was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.parsing.look_backs import read_look_back
from tests.actors.parsing.styles import Style, styles

STYLES = [*styles("look_back")]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.kind}: {style.text!r}")
def test_a_reflection_is_read(style: Style) -> None:
    assert read_look_back(style.text) == style.expected["look_back"]
    assert read_look_back(f"<think>\nReflection: not yet.\n</think>\n{style.text}") == style.expected["look_back"]


@given(st.text())
def test_a_reflection_is_never_empty_and_stands_in_the_text(text: str) -> None:
    for said in (text, f"Reflection: {text}"):
        reflection = read_look_back(said)
        assert reflection is None or reflection.strip()
