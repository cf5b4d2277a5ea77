"""The settings of a stream: its method, and whether it learns."""

import pytest

from quintet.config.stream import stream_settings


@pytest.mark.parametrize(
    ("method", "learner", "expected"),
    [
        ("react", "insights", {"method.name": "insights", "method.inner.name": "react", "run.learn": True}),
        ("autoplan", None, {"method.name": "autoplan", "run.learn": True}),
        ("react", "none", {"method.name": "react", "run.learn": False}),
        (None, None, {"run.learn": True}),
    ],
)
def test_a_learner_is_around_the_method_unless_there_is_none(
    method: str | None, learner: str | None, expected: dict[str, object]
) -> None:
    assert stream_settings(method, learner) == {"run.stream": True, **expected}
