"""The files that ALFWorld has released, where they are there: all of them play natively, as they are."""

from pathlib import Path

import pytest

from quintet.environments.alfworld.games.dialect import DIALECTS
from quintet.environments.alfworld.sources.folder import roots
from quintet.environments.alfworld.world import AlfWorld
from quintet.messages.environment import Task
from tests.conformance.games import PUBLISHED

RELEASED = PUBLISHED / "released"

pytestmark = pytest.mark.skipif(not RELEASED.is_dir(), reason="no released files beside the repository")


def tasks(world: AlfWorld) -> list[Task]:
    return [Task(name=name, seed=0) for split in world.splits for name in world.tasks(split)]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_a_file_of_every_type_is_won_by_the_expert_and_tells_causes(dialect: str) -> None:
    world = AlfWorld(RELEASED / dialect, engine="native", causes=True)
    found = tasks(world)
    assert {world.metadata(task.name)["task type"] for task in found} == (
        {"pick", "look", "clean", "heat", "cool", "pick two"}
    )
    for task in found:
        state = world.open(task)
        assert state.step("dance").observation == "Nothing happens. dance is no action here."
        assert ("help" in (state.admissible() or ())) == (dialect == "new")
        assert [state.step(action).done for action in state.expert() or ()][-1], task.name


def test_files_of_both_dialects_are_played_together_in_either(tmp_path: Path) -> None:
    for dialect in DIALECTS:
        for split, root in roots(RELEASED / dialect).items():
            (tmp_path / split).symlink_to(root.resolve(), target_is_directory=True)
    for name in DIALECTS:
        world = AlfWorld(tmp_path, dialect=name, engine="native")
        for task in tasks(world):
            state = world.open(task)
            assert [state.step(action).done for action in state.expert() or ()][-1], task.name
