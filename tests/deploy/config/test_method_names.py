"""Names of methods: read what is written, refuse the rest with the place."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.config.method_names import MethodName, nested_name, parse_method, with_method_names
from quintet.config.settings import Setting
from quintet.errors import UsageError

_WORD = st.text(string.ascii_lowercase + string.digits + "_-", min_size=1, max_size=6)
_KEYS = st.lists(st.text(string.ascii_lowercase + "_", min_size=1, max_size=6), min_size=1, max_size=3).map(".".join)
_VALUES = st.one_of(
    st.integers().map(str), st.booleans().map(str), _WORD, st.just("[1, 2]"), st.just('"a, b:(c)"'), st.just("a=b")
)
_NAMES = st.builds(
    MethodName,
    st.lists(_WORD, min_size=1, max_size=4).map(tuple),
    st.dictionaries(_KEYS.filter(lambda key: key.rpartition(".")[2] != "name"), _VALUES, max_size=3),
)


@given(_NAMES)
def test_what_is_written_is_read(name: MethodName) -> None:
    assert parse_method(str(name)) == name


@given(st.text("ab(),:=. [\"'\n", max_size=12))
def test_any_text_is_a_name_or_an_error_that_says_where(text: str) -> None:
    try:
        found = parse_method(text)
    except UsageError as refused:
        error = str(refused)
    else:
        assert parse_method(str(found)) == found
        return
    assert re.fullmatch(r"method: expected .+ at character \d+ of .+, got .+", error)


def test_spaces_around_names_do_not_matter() -> None:
    assert parse_method(" reflexion( adapt ( react ) ) : trials=2 , inner.max_depth = 2 ") == MethodName(
        ("reflexion", "adapt", "react"), {"trials": "2", "inner.max_depth": "2"}
    )
    assert nested_name(["reflexion", "adapt", "react"]) == "reflexion(adapt(react))"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "expected a method's name at character 1 of '', got the end"),
        ("adapt()", "expected a method's name at character 7 of 'adapt()', got ')'"),
        ("adapt(react", "expected '(' or ')' at character 12 of 'adapt(react', got the end"),
        ("adapt(react))", "expected ':' or the end at character 13 of 'adapt(react))', got ')'"),
        ("adapt react", "expected '(', ':' or the end at character 7 of 'adapt react', got 'r'"),
        ("react:", "expected an option's name at character 7 of 'react:', got the end"),
        ("react:max_steps", "expected '=' at character 16 of 'react:max_steps', got the end"),
        ("react:max_steps=", "expected a value at character 17 of 'react:max_steps=', got the end"),
        ("react:a=1,a=2", "expected each option once at character 11 of 'react:a=1,a=2', got 'a'"),
        ("adapt:inner.name=x", "expected methods named in parentheses at character 7 of 'adapt:inner.name=x', "),
        ("a(" * 20, "expected at most 16 methods within each other at character 33 of 'a("),
    ],
)
def test_an_error_says_what_was_expected_and_where(text: str, error: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_method(text)
    assert str(refused.value).startswith(f"method: {error}")


def test_names_in_settings_become_names_and_options() -> None:
    given = {
        "method.name": Setting("adapt(plan_execute):or=parallel,inner.inner.max_steps=7", "METHOD"),
        "method.inner.inner.name": Setting("react(standard)", "mine.toml, line 3"),
        "model.name": Setting("a(b)", "--model"),
    }
    split = with_method_names(given)
    assert {key: setting.value for key, setting in split.items()} == {
        "method.name": "adapt",
        "method.inner.name": "plan_execute",
        "method.or": "parallel",
        "method.inner.inner.max_steps": 7,
        "method.inner.inner.name": "react",
        "method.inner.inner.inner.name": "standard",
        "model.name": "a(b)",
    }
    assert split["method.or"].where == "METHOD"
    with pytest.raises(UsageError, match=r"got the end \(mine\.toml, line 3\)"):
        with_method_names({"method.inner.name": Setting("adapt(react", "mine.toml, line 3")})
