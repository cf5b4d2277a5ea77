import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.webarena.observation.tree import safe_words


@pytest.mark.parametrize(
    ("words", "safe"),
    [
        ("plain words, Grüße, 你好", "plain words, Grüße, 你好"),
        ("two\r\nlines\tand a tab", "two lines and a tab"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://evil.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jgone\x7f\x08", "gone"),
        ("a\u202eb\u2066c", "abc"),
        ("half \ud83d", "half "),
    ],
)
def test_words_lose_what_a_terminal_or_a_prompt_would_obey(words: str, safe: str) -> None:
    assert safe_words(words) == safe


@given(st.text(st.characters(), max_size=200), st.integers(min_value=3, max_value=100))
def test_safe_words_are_one_line_that_encodes_and_keeps_to_its_length(words: str, longest: int) -> None:
    safe = safe_words(words, longest)
    assert len(safe) <= longest
    assert len(safe.splitlines()) <= 1
    assert "\x1b" not in safe
    assert safe.encode().decode() == safe
    assert safe_words(safe, longest) == safe
