from collections import Counter

import msgspec
import pytest

from quintet.environments.bfcl.conversations import CONVERSATION_SETS, conversations
from tests.actors.environments.bfcl.installed import needs_package

pytestmark = needs_package


@pytest.mark.parametrize("split", CONVERSATION_SETS)
def test_a_split_has_two_hundred_conversations_fifty_of_each_kind(split: str) -> None:
    held = conversations(split)
    assert len(held) == 200
    assert Counter(each.kind for each in held.values()) == dict.fromkeys(("files", "trading", "travel", "vehicle"), 50)


@pytest.mark.parametrize("split", CONVERSATION_SETS)
def test_every_message_has_words_and_an_answer_and_some_answer_has_a_call(split: str) -> None:
    for each in conversations(split).values():
        assert len(each.messages) == len(each.answers)
        assert all(each.messages)
        assert any(each.answers)


@pytest.mark.parametrize(
    ("split", "without"), [("base", 3), ("miss_func", 203), ("miss_param", 203), ("long_context", 3)]
)
def test_where_something_is_missing_one_message_more_has_no_call_for_an_answer(split: str, without: int) -> None:
    assert sum(not answer for each in conversations(split).values() for answer in each.answers) == without


def test_a_tool_that_is_missing_is_described_by_the_message_after_the_one_that_needs_it() -> None:
    asked = conversations("miss_func")["multi_turn_miss_func_0"]
    shown = [msgspec.json.decode(line)["name"] for line in asked.tools[0]]
    doc, words = asked.messages[3].splitlines()
    assert "sort" not in shown
    assert {"mv", "post_tweet"} <= set(shown)
    assert msgspec.json.decode(doc)["name"] == "sort"
    assert words == "I have updated some more functions you can choose from. What about now?"
    assert asked.answers[2:4] == ((), ("sort('final_report.pdf')",))


def test_the_sets_are_variants_of_the_same_conversations() -> None:
    first = [next(iter(conversations(split).values())) for split in CONVERSATION_SETS]
    assert len({each.messages[0] for each in first}) == 1
    assert [each.long_context for each in first] == [False, False, False, True]
