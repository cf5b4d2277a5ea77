"""A hundred released questions, where they are there: the player reads pages that nobody here wrote."""

from collections.abc import Callable
from pathlib import Path

import pytest

from quintet.environments.hotpotqa.world import HotpotQa
from quintet.models.sim.model import Simulated, strong, weak
from tests.actors.models.sim.hotpotqa.playing import Game

RELEASED = Path(__file__).parents[6] / "shared" / "data" / "hotpotqa" / "questions.jsonl.gz"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not RELEASED.is_file(), reason="no released questions beside the repository"),
]


def answered(level: Callable[[], Simulated], seen: Callable[[str], str] = str) -> int:
    released = HotpotQa(RELEASED, max_steps=7)
    games = [Game(task, world=released, seen=seen) for task in released.tasks("dev")]
    for game in games:
        game.play(level())
    return sum(game.solved for game in games)


def test_strong_answers_some_within_seven_steps_and_weak_fewer() -> None:
    assert answered(weak) < answered(strong)
    assert answered(strong) > 10


def test_none_is_answered_unseen() -> None:
    assert answered(strong, lambda _: "(nothing)") == 0
