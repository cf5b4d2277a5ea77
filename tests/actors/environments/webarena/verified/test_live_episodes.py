"""Episodes in a real browser are evaluated by what was recorded of them."""

from pathlib import Path

import msgspec
import pytest

from quintet.messages.environment import Task
from tests.actors.environments.webarena.verified.installed import needs_package, old_idna
from tests.actors.environments.webarena.verified.recorded import any_sites

pytestmark = [pytest.mark.web, needs_package, old_idna]

TODOS = Task(name="webarena-44", seed=0)


def stop(task_type: str, status: str = "SUCCESS", items: list[object] | None = None) -> str:
    answer = {"task_type": task_type, "status": status, "retrieved_data": items}
    return f"stop [{msgspec.json.encode(answer).decode()}]"


@pytest.mark.parametrize(
    ("actions", "reward"),
    [
        (["goto [http://gitlab.com/dashboard/todos]", stop("NAVIGATE")], 1.0),
        (["goto [http://gitlab.com/dashboard/todos]", stop("RETRIEVE", items=["todos"])], 0.0),
        (["goto [http://gitlab.com/dashboard/todos]", "stop [It is open]"], 0.0),
        (["goto [http://gitlab.com/dashboard]", stop("NAVIGATE")], 0.0),
        (["goto [http://gitlab.com/dashboard/todos]", "goto [http://gitlab.com/]", stop("NAVIGATE")], 0.0),
        ([stop("NAVIGATE")], 0.0),
        (["scroll [down]"] * 3, 0.0),
    ],
)
async def test_an_episode_is_evaluated_by_its_answer_and_by_what_it_loaded(
    actions: list[str], reward: float, tmp_path: Path
) -> None:
    async with any_sites(tmp_path) as world:
        session = await world.open(TODOS)
        outcomes = [await session.step(action) for action in actions]
        assert (outcomes[-1].done, outcomes[-1].reward) == (True, reward)
        assert session.opening.goal.startswith("Open my todos page. The answer in `stop [...]` is JSON")
