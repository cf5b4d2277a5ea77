"""The beginning and the end of a long output."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.head_and_tail import HeadAndTail


def _shown(most: int, *parts: bytes) -> str:
    output = HeadAndTail(most)
    for part in parts:
        output.add(part)
    output.add(b"", final=True)
    return output.text()


def test_an_output_that_fits_is_shown_whole() -> None:
    assert _shown(10, b"12345", b"67890") == "1234567890"


def test_of_one_that_does_not_fit_the_middle_is_counted() -> None:
    assert _shown(4, b"abc", b"def", b"ghi") == "ab\n... 5 characters left out ...\nhi"


def test_a_character_in_two_parts_is_one() -> None:
    assert _shown(9, "é".encode()[:1], "é".encode()[1:], b"\xff") == "é\ufffd"


def test_control_characters_are_replaced() -> None:
    assert _shown(9, b"a\x1b\x00\t\n\r\x7f") == "a\ufffd\ufffd\t\n\ufffd\ufffd"


@given(parts=st.lists(st.text("abcé\n", max_size=9), max_size=9), most=st.integers(1, 30))
def test_nothing_is_lost_but_what_is_counted(parts: list[str], most: int) -> None:
    text = "".join(parts)
    shown = _shown(most, *(part.encode() for part in parts))
    if len(text) <= most:
        assert shown == text
    else:
        left_out = len(text) - most
        assert shown == (
            f"{text[: most // 2]}\n... {left_out:,} characters left out ...\n{text[len(text) - (most - most // 2) :]}"
        )
