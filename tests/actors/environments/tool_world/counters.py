"""A world whose sessions are processes of their own: each counts what it is asked, in a child with pipes."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

from quintet.environments.guard import guarded
from quintet.environments.tool_world.tool import ToolSet
from quintet.environments.tool_world.world import ToolWorld
from quintet.errors import WorldFault
from quintet.messages.environment import Task

_SERVER = """
import sys
count = 0
for line in sys.stdin:
    if line == "die\\n":
        sys.exit(3)
    if line != "hang\\n":
        count += 1
        print(count, flush=True)
"""


ASKED = asyncio.Event()
"""Something was sent to a counter."""


class Counter:
    """A child process that counts."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def ask(self, word: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{word}\n".encode())
        ASKED.set()
        answer = await self.process.stdout.readline()
        if not answer:
            raise WorldFault(f"counter: expected an answer to {word}, got the end of its process")
        return answer.decode().strip()


@asynccontextmanager
async def counter(sample: str) -> AsyncGenerator[Counter]:
    process = await asyncio.create_subprocess_exec(
        *guarded(sys.executable, "-c", _SERVER), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        found = Counter(process)
        if sample == "late":
            await found.ask("hang")
        yield found
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
        if sample == "sticky":
            raise RuntimeError("the server would not close")


async def tools(found: Counter) -> ToolSet:
    async def say(word: str) -> str:
        """Say a word to the counter."""
        return await found.ask(word)

    return {"say": say}


def broken_tools(found: Counter) -> ToolSet:
    raise RuntimeError(f"no tools for {found.process.pid}")


COUNTERS = ToolWorld(
    "counters",
    {name: name for name in ("one", "late", "sticky")},
    question=lambda sample: f"Count for {sample}.",
    tools=tools,
    rubric={"count": lambda found, answer: float(answer == "2" and isinstance(found, Counter))},
    session=counter,
    forks="replay",
)


async def hold() -> None:
    """Open a session, say so, and wait to be killed."""
    state = await COUNTERS.open(Task(name="one", seed=0))
    print((await state.step('say {"word": "tea"}')).observation, flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(hold())
