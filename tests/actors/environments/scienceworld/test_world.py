import pytest

from quintet.environments.scienceworld.package import scienceworld_version
from quintet.environments.scienceworld.variations import VARIATIONS, variations
from quintet.environments.scienceworld.world import ScienceWorld
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.scienceworld.installed import needs_simulator, opened

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
    world = ScienceWorld()
    assert world.tasks("train")[0] == "boil-0"
    assert world.metadata("identify-life-stages-1-9") == {"task type": "identify-life-stages-1"}


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="find-animal-299"):
        ScienceWorld().open(Task(name="find-animal-2999", seed=0))


def test_the_content_names_the_package() -> None:
    assert ScienceWorld().content("test") == {"package": scienceworld_version()}
    with pytest.raises(UsageError, match="split: expected test or"):
        ScienceWorld().content("all")
