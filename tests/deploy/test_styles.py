"""A model plays as well in any style, and every style of a shape is read as the plain answer."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from quintet.api import evaluate
from quintet.cli import main
from quintet.events import CallMade, EpisodeEnded
from quintet.journal.reader import JournalReader
from quintet.plugins.catalogue import method, names
from quintet.questions.shape import SHAPES
from quintet.runs.run_folder import RunFolder
from tests.deploy.styles import STYLES, mixed

STYLES_FILE = Path(__file__).with_name("styles.py")

TASKS = {"textcraft": 2, "alfworld": 2}


@cache
def ends(by: str, world: str, rate: float, seed: int | None = None) -> dict[str, EpisodeEnded]:
    # A tree search of a model that finds nothing makes thousands of calls.
    model = "sim-fallible" if seed is None else mixed(rate, seed)
    settings = {"limits": {"episode_calls": 100}, "model": {"error_rate": rate} if seed is None else {}}
    return {end.path: end for end in evaluate(by, world, model=model, tasks=TASKS[world], settings=settings)}


@pytest.mark.parametrize("rate", [0.1, pytest.param(0.3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("by", "world"),
    [
        pytest.param(by, world, marks=[pytest.mark.slow] if number else [])
        for by in names("method")
        for number, world in enumerate(world for world in method(by).worlds if world in TASKS)
    ],
)
def test_success_under_styles_equals_success_without(by: str, world: str, rate: float, seed: int) -> None:
    assert ends(by, world, rate, seed) == ends(by, world, rate)


def test_some_episodes_succeed() -> None:
    assert any(end.reward >= 1 for end in ends("react", "textcraft", 0.1, 0).values())


@pytest.mark.parametrize(
    ("by", "world", "options"),
    [
        ("autoplan", "alfworld", ()),
        ("ldm2", "textcraft", ("--set", "learning.goals=2")),
        pytest.param("autoplan", "textcraft", (), marks=pytest.mark.slow),
        pytest.param("ldm2", "alfworld", ("--set", "learning.goals=2"), marks=pytest.mark.slow),
    ],
)
def test_a_learner_learns_the_same_under_styles(by: str, options: tuple[str, ...], world: str, tmp_path: Path) -> None:
    learnt: dict[str, dict[int, str]] = {}
    said: dict[str, set[str]] = {}
    for style, model in (("plain", "sim-fallible"), ("mixed", f"{STYLES_FILE}:mixed")):
        flags = ["--tasks", "1", "--train-tasks", "4", "--set", "learning.batch=2", "--eval-every", "9"]
        assert main(["optimize", by, world, "--model", model, *flags, *options, "--out", str(tmp_path / style)]) == 0
        reader = JournalReader.open(RunFolder.open_to_read(tmp_path / style).journal)
        learnt[style] = reader.published()
        events = [record.event for record in reader.records()]
        said[style] = {event.completion.text for event in events if isinstance(event, CallMade)}
        reader.close()
    assert learnt["mixed"] == learnt["plain"]
    assert len(set(learnt["plain"].values())) > 1
    assert len(said["mixed"] - said["plain"]) > len(said["mixed"]) / 2


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
