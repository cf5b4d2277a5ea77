"""Quintet inside a Ray pipeline: tasks that evaluate, and tasks that ask a planner which the pipeline holds."""

import asyncio
from typing import Any

import ray

from quintet.api import Ref, evaluate, open_run
from quintet.messages.planning import Decompose, Decomposed

METHODS = ("react", "adapt")
GOALS = ("craft stick", "craft oak planks")
SETTING = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"


@ray.remote
def success(method: str, seed: int) -> tuple[str, float]:
    """An evaluation in the process of this task: it starts no Ray of its own."""
    ends = evaluate(method, "textcraft", model="sim-fallible", tasks=10, settings={"run": {"seed": seed}})
    return method, sum(end.reward for end in ends) / len(ends)


@ray.remote
def plan(planner: Ref, goal: str) -> str:
    """Asks through the ref that the pipeline handed over."""
    answer = asyncio.run(planner.ask(Decompose(setting=SETTING, goal=goal)))
    assert isinstance(answer.reply, Decomposed)
    return f"{goal}: {answer.reply.plan}, {answer.usage.completion_tokens} tokens"


async def main() -> None:
    for method, share in await asyncio.gather(*(success.remote(method, 0) for method in METHODS)):
        print(f"{method}: {share:.0%} solved")
    # A run on Ray in a process that uses a cluster joins that cluster.
    on_ray: dict[str, Any] = {"runtime": {"kind": "ray", "hosts": 1}}
    async with open_run("adapt", "textcraft", model="sim-strong", tasks=1, journal=None, settings=on_ray) as run:
        planner = run.ref("planner")
        for text in await asyncio.gather(*(plan.remote(planner, goal) for goal in GOALS)):
            print(text)


if __name__ == "__main__":
    asyncio.run(main())
