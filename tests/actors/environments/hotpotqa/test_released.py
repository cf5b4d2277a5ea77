"""A hundred released questions, where they are there: all are read, and the expert answers them from their pages."""

from pathlib import Path

import pytest

from quintet.environments.hotpotqa.data import build_pages, check_questions
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.messages.environment import Task

RELEASED = Path(__file__).parents[5] / "shared" / "data" / "hotpotqa" / "questions.jsonl.gz"

pytestmark = pytest.mark.skipif(not RELEASED.is_file(), reason="no released questions beside the repository")


def test_they_are_reflexions_hundred_in_its_order() -> None:
    world = HotpotQa(RELEASED)
    assert world.splits == ("dev", "react", "autoplan", "reflexion")
    assert world.tasks("reflexion") == world.tasks("dev")
    assert len(world.tasks("reflexion")) == 100
    types = [world.metadata(task)["type"] for task in world.tasks("dev")]
    assert (types.count("bridge"), types.count("comparison")) == (85, 15)
    assert check_questions(RELEASED).errors == ()


def test_the_expert_reads_their_pages_and_is_right(tmp_path: Path) -> None:
    build_pages(out=tmp_path / "corpus.sqlite", questions=RELEASED)
    world = HotpotQa(RELEASED, corpus=tmp_path / "corpus.sqlite", max_steps=10)
    for task in world.tasks("dev"):
        state = world.open(Task(name=task, seed=0))
        outcomes = [state.step(action) for action in state.expert()]
        assert outcomes[-1].figures == {"exact": 1.0, "f1": 1.0}, task
        assert not any(outcome.observation.startswith("Could not find") for outcome in outcomes), task


def test_titles_with_a_word_less_are_found_among_the_similar() -> None:
    world = HotpotQa(RELEASED)
    state = world.open(Task(name=world.tasks("dev")[0], seed=0))
    sought = state.step("search[Gesellschaft beschrankter Haftung]").observation
    assert "Similar: ['Gesellschaft mit beschränkter Haftung'" in sought
    assert state.step("search[gesellschaft mit beschrankter haftung]").observation.startswith("A Gesellschaft")
