"""Answers in the styles of language models are read as the plain ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.events import Record, StepTaken
from quintet.models.stand_in.model import strong
from quintet.questions.shape import SHAPES
from quintet.testing.method_case import MethodCase
from quintet.testing.replay import run_episode, with_model
from tests.actors.questions.styles import STYLES, Styled

METHODS = ("react", "adapt", "reflexion", "lats", "devils_advocate", "plan_execute")

PLAINLY: Mapping[str, Mapping[str, Any]] = {
    "plan": {"steps": ("a cup", "a tea pot"), "order": "(Step 1 OR Step 2)"},
    "alignment": {"description": "The action is to take the cup.", "aligned": False},
}
"""What is written where the example explains something."""


def _steps(records: Sequence[Record]) -> list[tuple[str, str]]:
    events = (record.event for record in records)
    return sorted((event.path, event.action) for event in events if isinstance(event, StepTaken))


@pytest.mark.parametrize("method", METHODS)
def test_a_run_in_styles_takes_the_same_steps(method: str) -> None:
    spec = MethodCase(name=method, world="textcraft").prepared()
    plain, styled = (
        [run_episode(with_model(spec, model), task, calls=40) for task in spec.world.tasks(spec.world.splits[0])[:3]]
        for model in (strong(), Styled(strong(), 7))
    )
    assert [_steps(records) for records in styled] == [_steps(records) for records in plain]
    assert any(map(_steps, plain))


@pytest.mark.parametrize("name", STYLES)
def test_every_style_of_a_shape_is_read_as_its_example(name: str) -> None:
    shape = SHAPES[name]
    plain = shape.write(PLAINLY[name]) if name in PLAINLY else shape.example(structured=False)
    for style in STYLES[name]:
        assert shape.reading(style(plain), "stop") == shape.reading(plain, "stop"), style(plain)
