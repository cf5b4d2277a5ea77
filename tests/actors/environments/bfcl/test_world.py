import pytest

from quintet.environments.bfcl.conversations import CONVERSATION_SETS
from quintet.environments.bfcl.package import package_version
from quintet.environments.bfcl.world import Bfcl
from quintet.errors import UsageError
from quintet.messages.environment import Task
from tests.actors.environments.bfcl.installed import needs_package, opened

pytestmark = needs_package


@pytest.mark.parametrize("split", CONVERSATION_SETS)
@pytest.mark.parametrize("every", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_the_answers_of_the_package_serve_every_message(split: str, every: int) -> None:
    for name in Bfcl().tasks(split)[::every]:
        state = opened(name)
        outcomes = [state.step(action) for action in state.expert() or ()]
        assert not any(outcome.rejected for outcome in outcomes), name
        assert [outcome.done for outcome in outcomes] == [False] * (len(outcomes) - 1) + [True], name
        assert (outcomes[-1].reward, outcomes[-1].figures) == (1.0, {"served": 1.0}), name


def test_tasks_have_the_packages_names_and_the_kind_of_their_tools() -> None:
    world = Bfcl()
    assert [world.tasks(split)[0] for split in world.splits] == [f"multi_turn_{split}_0" for split in CONVERSATION_SETS]
    assert world.metadata("multi_turn_base_0") == {"task type": "files"}
    assert world.metadata("multi_turn_miss_param_100") == {"task type": "trading"}


def test_an_unknown_task_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="multi_turn_base_0"):
        Bfcl().open(Task(name="multi_turn_bas_0", seed=0))


def test_the_content_of_each_split_is_its_own_and_names_the_package() -> None:
    content = [Bfcl().content(split) for split in CONVERSATION_SETS]
    assert len({each["conversations"] for each in content}) == len(CONVERSATION_SETS)
    assert {each["package"] for each in content} == {package_version()}
    with pytest.raises(UsageError, match="split: expected base or"):
        Bfcl().content("all")


def test_the_seed_changes_nothing() -> None:
    world = Bfcl()
    first, second = (world.open(Task(name="multi_turn_base_150", seed=seed)) for seed in (0, 1))
    assert (first.opening, first.expert()) == (second.opening, second.expert())
