from typing import Any

import pytest

from quintet.environments.scienceworld import simulator, world
from quintet.environments.scienceworld.package import scienceworld_version
from quintet.environments.scienceworld.variations import VARIATIONS, variations
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.errors import UsageError, WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.scienceworld.installed import SHORT, needs_simulator, opened

pytestmark = needs_simulator


@pytest.mark.slow
@pytest.mark.parametrize("kind", VARIATIONS)
@pytest.mark.parametrize("split", ScienceWorld.splits)
def test_the_packages_way_scores_100(kind: str, split: str) -> None:
    state = opened(f"{kind}-{variations(kind, split)[-1]}")
    outcomes = [state.step(action) for action in state.expert() or ()]
    assert not any(outcome.rejected for outcome in outcomes)
    assert (outcomes[-1].reward, outcomes[-1].done) == (1.0, True)


def test_tasks_have_their_type_and_their_variation() -> None:
    found = ScienceWorld()
    assert found.tasks("train")[0] == "boil-0"
    assert found.metadata("identify-life-stages-1-9") == {"task type": "identify-life-stages-1"}


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="find-animal-299"):
        ScienceWorld().open(Task(name="find-animal-2999", seed=0))


def test_the_content_names_the_package() -> None:
    assert ScienceWorld().content("test") == {"package": scienceworld_version()}
    with pytest.raises(UsageError, match="split: expected test or"):
        ScienceWorld().content("all")


@pytest.mark.real_time
async def test_getting_ready_starts_the_simulator_that_sessions_share(monkeypatch: pytest.MonkeyPatch) -> None:
    started: dict[str, Any] = {}
    monkeypatch.setattr(simulator, "_STARTED", started)
    await ScienceWorld().get_ready([SHORT])
    assert list(started) == ["games"]
    assert started["games"] is simulator.simulator()


@pytest.mark.real_time
async def test_a_java_that_does_not_answer_is_told_before_the_first_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(_kind: str, _variation: int) -> None:
        raise WorldFault("scienceworld: expected an answer of the simulator, got none")

    monkeypatch.setattr(world, "ScienceState", lost)
    with pytest.raises(UsageError, match="expected an answer of the simulator"):
        await ScienceWorld().get_ready([SHORT])
