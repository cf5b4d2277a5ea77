import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.hotpotqa.commands import ReaderAction, parse_reader_action


@pytest.mark.parametrize(
    ("action", "read"),
    [
        ("search[Rope Hall]", ReaderAction("search", "Rope Hall")),
        (" Lookup[knots]\n", ReaderAction("lookup", "knots")),
        ("Finish[]", ReaderAction("finish", "")),
        ("search[The Petrel [ship]]", ReaderAction("search", "The Petrel [ship]")),
        ("SEARCH[x]", None),
        ("search [x]", None),
        ("search[x", None),
        ("search", None),
        ("I search[x]", None),
        ("think[x]", None),
    ],
)
def test_a_text_is_an_action_or_none(action: str, read: ReaderAction | None) -> None:
    assert parse_reader_action(action) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("First search[A], then lookup[b] there.", ReaderAction("lookup", "b")),
        ("Action: Finish[42]", ReaderAction("finish", "42")),
        ("I research[A]", None),
        ("search[A] or finish[", None),
        ("nothing", None),
    ],
)
def test_where_the_last_action_of_a_text_counts_words_may_stand_around_it(text: str, read: ReaderAction | None) -> None:
    assert parse_reader_action(text, last_action=True) == read


@given(st.sampled_from(["search", "lookup", "finish"]), st.text(), st.booleans(), st.booleans())
def test_any_argument_is_read_back(verb: str, argument: str, capital: bool, last_action: bool) -> None:
    action = f"{verb.capitalize() if capital else verb}[{argument}]"
    found = parse_reader_action(action, last_action=last_action)
    assert found is not None
    if not last_action:
        assert (found.verb, found.argument) == (verb, argument)
