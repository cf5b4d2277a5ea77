"""Settings that are objects, and names of methods: read, kept by name, or refused with the place."""

import re
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.config.method_names import MethodName, nested_name, parse_method, with_method_names
from quintet.config.objects import take_methods, take_objects
from quintet.config.settings import Setting, Settings, from_table
from quintet.errors import UsageError
from quintet.launch.prepare import prepare, prepare_config
from quintet.methods.adapt.adapt import Adapt
from quintet.methods.adapt.config import AdaptConfig
from tests.actors.fakes import Kitchen
from tests.actors.plugins import objects_of_tests
from tests.actors.plugins.objects_of_tests import Echo, Waiting, WaitingConfig, echo_of

FILE = objects_of_tests.__file__


def layer(**tables: Any) -> Settings:
    return from_table(tables, "a test")


def values(settings: Settings) -> dict[str, Any]:
    return {key: setting.value for key, setting in settings.items()}


def test_a_configured_method_is_its_name_and_the_values_of_its_options_with_its_inner_one() -> None:
    given = Adapt(AdaptConfig(max_depth=2), Waiting(WaitingConfig(tries=3)))
    (taken,), brought = take_objects([layer(method={"name": given})])
    expected = {"method.name": "adapt", "method.max_depth": 2, "method.inner.name": "waiting", "method.inner.tries": 3}
    assert expected.items() <= values(taken).items()
    assert [(each.kind, each.name) for each in brought] == [("method", "waiting")]


def test_objects_are_taken_wherever_a_name_is() -> None:
    settings = layer(
        method={"name": f"adapt({FILE}:Waiting):inner.tries=4", "inner": {"model": {"name": Echo}}},
        environment={"name": Kitchen()},
        model={"name": "sim-weak", "planner": {"name": f"{FILE}:echo_of", "times": 3}},
    )
    (taken,), brought = take_objects([settings])
    assert values(taken) == {
        "method.name": "adapt",
        "method.inner.name": "waiting",
        "method.inner.tries": 4,
        "method.inner.model.name": "echo",
        "environment.name": "kitchen",
        "model.name": "sim-weak",
        "model.planner.name": "echo_of",
        "model.planner.times": 3,
    }
    assert [each.name for each in brought] == ["waiting", "echo", "kitchen", "echo_of"]


class OtherEcho(Echo):
    pass


def test_two_objects_of_one_name_are_refused_and_one_twice_is_brought_once() -> None:
    (_, _), brought = take_objects([layer(model={"name": Echo}), layer(model={"planner": {"name": f"{FILE}:Echo"}})])
    assert [each.name for each in brought] == ["echo"]
    with pytest.raises(UsageError, match=r"model echo: expected one object of that name, got .*Echo and .*OtherEcho"):
        take_objects([layer(model={"name": Echo, "planner": {"name": OtherEcho}})])


def test_an_error_says_where_the_object_was_given() -> None:
    with pytest.raises(UsageError, match=r"environment: expected a World .* \(a test\)$"):
        take_objects([layer(environment={"name": Echo})])


def test_methods_with_objects_are_written_with_their_names() -> None:
    texts = ["react:max_steps=5", f"adapt({FILE}:Waiting):max_depth=2", f"{FILE}:configured"]
    names, brought = take_methods(texts, "METHODS")
    assert names == ["react:max_steps=5", "adapt(waiting):max_depth=2", "waiting:tries=5"]
    assert [each.name for each in brought] == ["waiting"]


def test_a_run_keeps_the_objects_that_it_names_and_is_prepared_again_with_them() -> None:
    tables = {
        "method": {"name": Waiting},
        "environment": {"name": "textcraft"},
        "model": {"name": "sim-weak", "executor": {"name": echo_of, "times": 2}},
        "run": {"tasks": 1},
    }
    prepared = prepare([from_table(tables, "a test")])
    assert {each.name: each.sha256 for each in prepared.record.code} == {
        each.name: each.sha256 for each in prepared.objects
    }
    assert prepared.record.models == {"react/executor": "echo"}
    alone = prepare_config(
        prepared.config, "a test", [*prepared.objects, *take_objects([layer(model={"name": Echo})])[1]]
    )
    assert alone.record.code == prepared.record.code
    with pytest.raises(UsageError, match=r"method: expected one of .*, got 'waiting'"):
        prepare_config(prepared.config, "a test")


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
