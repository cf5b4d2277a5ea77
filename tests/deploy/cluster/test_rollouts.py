"""Rollouts inside a task of Ray, as trainers run them."""

import asyncio

import pytest

from quintet.cluster.ray_api import ray
from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling
from quintet.rollouts import TrainedPolicy, rollouts

pytestmark = [
    pytest.mark.real_time,
    pytest.mark.ray,
    pytest.mark.slow,
    # Ray looks for a free port with a socket that it leaves to the garbage collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.xdist_group("ray"),
    pytest.mark.usefixtures("local_cluster"),
]


class GivesUp:
    name = "gives-up"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        del prompt, sampling
        return Completion(text="Action: task failed")


def play_in_a_task() -> list[tuple[str, int, set[int | None]]]:
    async def play() -> list[tuple[str, int, set[int | None]]]:
        policy = TrainedPolicy(GivesUp(), weights_version=7)
        return [
            (
                group.name,
                len(group.rollouts),
                {call.event.completion.weights_version for each in group.rollouts for call in each.calls},
            )
            async for group in rollouts("react", "textcraft", model=policy, tasks=["stick"], group=2, rounds=2)
        ]

    return asyncio.run(play())


PLAYED = [("stick/0", 2, {7}), ("stick/1", 2, {7})]


async def test_groups_are_played_inside_a_task() -> None:
    assert await ray.remote(play_in_a_task).remote() == PLAYED


class Trainer:
    """An asynchronous actor: its groups come on Ray's event loop, beside its other methods."""

    def __init__(self) -> None:
        self.policy = TrainedPolicy(GivesUp())

    async def train(self) -> list[int]:
        found = list[int]()
        async for group in rollouts(
            "react", "textcraft", model=self.policy, tasks=["stick"], group=2, rounds=3, in_flight=1
        ):
            found.append(group.staleness)
            async with self.policy.update():
                pass
        return found

    async def version(self) -> int:
        return self.policy.weights_version


async def test_an_asynchronous_actor_trains_and_updates() -> None:
    trainer = ray.remote(Trainer).remote()
    assert await trainer.train.remote() == [0, 0, 0]
    assert await trainer.version.remote() == 3
    ray.kill(trainer)
