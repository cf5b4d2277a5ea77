"""A trainer in a process of its own, which tells of each call and each group on its standard output."""

import asyncio
import sys

from quintet.messages.prompts import Prompt
from quintet.ports.model import Completion, Sampling
from quintet.rollouts import TrainedPolicy, rollouts


class LooksOrGivesUp:
    """Ends an attempt at once, or after a few looks around, by the calls' seeds."""

    name = "looks-or-gives-up"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        print("call", sampling.seed, flush=True)
        looks = len(prompt.messages()) < 8 and (sampling.seed or 0) % 4
        return Completion(text="Action: inventory" if looks else "Action: task failed")


async def train(journal: str, version: str, *done: str) -> None:
    """Take all groups but those that are done, and update the weights after each."""
    policy = TrainedPolicy(LooksOrGivesUp(), weights_version=int(version))
    async for group in rollouts(
        "react",
        "textcraft",
        model=policy,
        tasks=["beehive", "stick", "torch"],
        group=4,
        rounds=2,
        in_flight=2,
        journal=journal,
        done=done,
    ):
        async with policy.update():
            print("group", group.name, *(call.event.sampling.seed for each in group.rollouts for call in each.calls))


def main() -> None:
    asyncio.run(train(*sys.argv[1:]))
