"""The contract of environments that methods play: there are prompts, and episodes end.

The fixture `case` gives the `EnvironmentCase` to try it on. `quintet.testing.environment` comes first.
"""

from typing import Final

import msgspec
import pytest

from quintet.errors import UsageError
from quintet.events import EpisodeEnded
from quintet.plugins import catalogue
from quintet.plugins.prompts import find_prompts, required_prompts
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.expectations import expect, fail
from quintet.testing.method_case import MethodCase
from quintet.testing.replay import run_episode

_CALLS: Final = 6
"""The most model calls of an episode."""


def test_every_method_of_ours_has_prompts_for_it(case: EnvironmentCase) -> None:
    with case.plug_in.brought("environment"):
        for name in catalogue.METHODS:
            prompts = find_prompts(catalogue.method(name), case.plug_in.name)
            for prompt in sorted({*prompts.names, *_prompts_of(name)}):
                try:
                    prompts.text(prompt)
                except UsageError as error:
                    fail(f"{prompt}.txt for {name}", str(error))


def test_methods_play_it_with_a_model_that_acts_at_random(case: EnvironmentCase) -> None:
    if case.world().needs_judge:
        pytest.skip("its reward depends on a judge")
    given = tuple(
        f"environment.{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in case.plug_in.options.items()
    )
    asked: set[str] = set()
    for name in sorted(catalogue.METHODS, key=lambda name: len(_prompts_of(name)), reverse=True):
        if _prompts_of(name) <= asked:
            continue  # other methods asked for all of that
        tried = MethodCase(name=name, world=case.plug_in.name, origin=case.plug_in.origin, assignments=given)
        with tried.brought():
            if tried.obstacle():
                continue
            asked |= _prompts_of(name)
            records = run_episode(tried.spec, case.task.name, calls=_CALLS)
        (end,) = (record.event for record in records if isinstance(record.event, EpisodeEnded))
        expect(end.fault is None, f"an episode of {name} without a fault", end.fault and end.fault.text)


def _prompts_of(method: str) -> frozenset[str]:
    return frozenset(required_prompts(catalogue.method(method)))
