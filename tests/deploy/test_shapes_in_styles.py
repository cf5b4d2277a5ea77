"""Every style of a shape is read as the plain answer."""

from collections.abc import Mapping
from typing import Any

import pytest

from quintet.questions.shape import SHAPES
from tests.deploy.styles import STYLES

PLAINLY: Mapping[str, Mapping[str, Any]] = {
    "plan": {"thought": "Either.", "steps": ("a cup", "a tea pot"), "order": "(Step 1 OR Step 2)"},
    "alignment": {"description": "The action is to take the cup.", "aligned": False},
}
"""What is written where the example explains something."""


@pytest.mark.parametrize("name", STYLES)
def test_every_style_of_a_shape_is_read_as_its_example(name: str) -> None:
    shape = SHAPES[name]
    plain = shape.write(PLAINLY[name]) if name in PLAINLY else shape.example(structured=False)
    for style in STYLES[name]:
        assert shape.reading(style(plain), "stop") == shape.reading(plain, "stop"), style(plain)
