"""The ids of prompts: read anew, or on from those of a prompt that they extend, they are the same."""

from itertools import count

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.messages.prompts import Prompt, user
from quintet.models.endpoint.prompt_ids import PromptIds
from quintet.ports.tokens import unpack_ids

BEGIN = Prompt(user("Begin."))
NEXT = BEGIN.extend(user("Go on."))


@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 12), max_size=4), st.sampled_from([b"", b" "]))))
def test_whatever_was_read_before_the_ids_are_those_of_the_text(reads: list[tuple[bool, list[int], bytes]]) -> None:
    ids, prompts, number = PromptIds(), [BEGIN], count()
    for extends, wanted, space in reads:
        if extends:
            prompts.append(prompts[-1].extend(user(str(next(number)))))
        text = b"[" + (b"," + space).join(b"%d" % each for each in wanted) + b"]"
        assert unpack_ids(ids.read(prompts[-1], text)) == wanted


def test_of_a_prompt_that_extends_another_only_the_rest_is_read() -> None:
    ids = PromptIds()
    ids.read(BEGIN, b"[1,2]")
    assert unpack_ids(ids.read(NEXT, b"[1,2,3]")) == [1, 2, 3]
    assert unpack_ids(ids.read(NEXT, b"[1,2,3]")) == [1, 2, 3]
    assert unpack_ids(ids.read(NEXT, b"[1,23]")) == [1, 23], "another number begins with the same digit"


@pytest.mark.parametrize("text", [b"[1,2,-1]", b'[1,2,"3"]', b"[1,2,16777216]", b"[1,2,null]", b"[-1,2]", b"7"])
def test_what_is_no_list_of_ids_is_refused_wherever_it_is_wrong(text: bytes) -> None:
    ids = PromptIds()
    ids.read(BEGIN, b"[1,2]")
    for prompt in (BEGIN, NEXT):
        with pytest.raises((msgspec.DecodeError, OverflowError)):
            ids.read(prompt, text)
