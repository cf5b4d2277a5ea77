"""Quintet inside your own program: stream an evaluation, and ask one role directly."""

import asyncio

from quintet.api import open_run
from quintet.messages.planning import Decompose


async def main() -> None:
    async with open_run("adapt", "textcraft", model="sim-strong", tasks=3) as run:
        async for episode in run.run(run.left()):
            print(f"{episode.path}: {episode.state}, reward {episode.reward:.0f}")
        setting = "Crafting commands:\ncraft 4 stick using 2 planks\ncraft 4 oak planks using 1 oak logs"
        answer = await run.ref("planner").ask(Decompose(setting=setting, goal="craft stick"))
        print(answer.reply, answer.usage.completion_tokens)


asyncio.run(main())
