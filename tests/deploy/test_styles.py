"""A model plays as well in any style: every method in every world, episode by episode."""

from functools import cache
from pathlib import Path

import pytest

from quintet.api import evaluate
from quintet.cli import main
from quintet.events import CallMade, EpisodeEnded
from quintet.journal.reader import JournalReader
from quintet.plugins.catalogue import method, names
from quintet.runs.run_folder import RunFolder

TASKS = {"textcraft": 4, "alfworld": 3}


@cache
def ends(by: str, world: str, model: str, style: str, seed: int = 0) -> dict[str, EpisodeEnded]:
    # A tree search of a model that finds nothing makes thousands of calls.
    settings = {"model": {"style": style, "style_seed": seed}, "limits": {"episode_calls": 100}}
    return {end.path: end for end in evaluate(by, world, model=model, tasks=TASKS[world], settings=settings)}


@pytest.mark.parametrize("model", ["sim-strong", pytest.param("sim-weak", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("by", "world"), [(by, world) for by in names("method") for world in method(by).worlds if world in TASKS]
)
def test_success_under_styles_equals_success_without(by: str, world: str, model: str, seed: int) -> None:
    assert ends(by, world, model, "mixed", seed) == ends(by, world, model, "plain")


def test_some_episodes_succeed() -> None:
    assert any(end.reward >= 1 for end in ends("react", "textcraft", "sim-strong", "mixed").values())


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
    for style in ("plain", "mixed"):
        flags = ["--tasks", "2", "--train-tasks", "4", "--set", "learning.batch=2", "--set", f"model.style={style}"]
        assert main(["optimize", by, world, *flags, *options, "--out", str(tmp_path / style)]) == 0
        reader = JournalReader.open(RunFolder.open_to_read(tmp_path / style).journal)
        learnt[style] = reader.published()
        events = [record.event for record in reader.records()]
        said[style] = {event.completion.text for event in events if isinstance(event, CallMade)}
        reader.close()
    assert learnt["mixed"] == learnt["plain"]
    assert len(set(learnt["plain"].values())) > 1
    assert len(said["mixed"] - said["plain"]) > len(said["mixed"]) / 2
