import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.hotpotqa.commands import ReaderAction, parse_reader_action


@pytest.mark.parametrize(
    ("action", "last_action", "read"),
    [
        ("search[Rope Hall]", False, ReaderAction("search", "Rope Hall")),
        (" Lookup[knots]\n", False, ReaderAction("lookup", "knots")),
        ("Finish[]", False, ReaderAction("finish", "")),
        ("search[The Petrel [ship]]", False, ReaderAction("search", "The Petrel [ship]")),
        *((text, False, None) for text in ("SEARCH[x]", "search [x]", "search[x", "search", "I search[x]", "think[x]")),
        ("First search[A], then lookup[b] there.", True, ReaderAction("lookup", "b")),
        ("Action: Finish[42]", True, ReaderAction("finish", "42")),
        *((text, True, None) for text in ("I research[A]", "search[A] or finish[", "nothing")),
    ],
)
def test_a_text_is_an_action_or_none(action: str, last_action: bool, read: ReaderAction | None) -> None:
    assert parse_reader_action(action, last_action=last_action) == read


@given(st.sampled_from(["search", "lookup", "finish"]), st.text(), st.booleans(), st.booleans())
def test_any_argument_is_read_back(verb: str, argument: str, capital: bool, last_action: bool) -> None:
    action = f"{verb.capitalize() if capital else verb}[{argument}]"
    found = parse_reader_action(action, last_action=last_action)
    assert found is not None
    if not last_action:
        assert (found.verb, found.argument) == (verb, argument)
