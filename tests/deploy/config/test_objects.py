"""Objects among the settings: the configuration keeps their names, and the run is brought them."""

from typing import Any

import pytest

from quintet.config.objects import take_methods, take_objects
from quintet.config.settings import Settings, from_table
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
