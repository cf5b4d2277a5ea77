"""A model that keeps its contract, and others that break it in one place each."""

import asyncio
import time
from collections.abc import Callable
from typing import ClassVar, cast

from msgspec.structs import replace

from quintet.errors import ModelFault
from quintet.messages.prompts import Prompt
from quintet.models.completion import complete_with
from quintet.ports.model import Asked, Completion, Sampling, Usage


class Echo:
    """Repeats the last message."""

    name = "echo"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        return complete_with(messages[-1].content if messages else "?", prompt, sampling)


class Joint(Echo):
    """Draws several completions by one request."""

    def draws_at_once(self, sampling: Sampling, n: int) -> int:
        return n

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        said = await self.complete(prompt, sampling)
        return [said, *[replace(said, usage=Usage())] * (n - 1)]


class Open(Echo):
    """Is open from its first call until it is closed."""

    opened: ClassVar[set["Open"]] = set()
    """Those that are."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.opened.add(self)
        return await super().complete(prompt, sampling)

    async def aclose(self) -> None:
        self.opened.discard(self)


class Recounting(Joint):
    """Counts the request's tokens with each of its completions."""

    async def several(self, prompt: Prompt, sampling: Sampling, asked: Asked, n: int) -> list[Completion]:
        return [await self.complete(prompt, sampling)] * n


class Nameless(Echo):
    name = " "


class Hanging(Echo):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await asyncio.Event().wait()
        raise AssertionError


class Dumb(Echo):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise ModelFault("no voice")


class Wordless(Echo):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return cast(Completion, "hello")


def _saying(change: Callable[[Completion, Sampling], Completion]) -> type[Echo]:
    """Echoes whose answers are changed."""

    class Changed(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            return change(await super().complete(prompt, sampling), sampling)

    return Changed


Miscounting = _saying(lambda said, _: replace(said, usage=Usage(prompt_tokens=1, completion_tokens=-1)))
Uncounting = _saying(lambda said, _: replace(said, usage=Usage()))
Flat = _saying(lambda said, _: replace(said, usage=Usage(prompt_tokens=9, completion_tokens=9)))
Moody = _saying(lambda said, _: replace(said, text=f"{said.text} {time.perf_counter_ns()}"))
Hashed = _saying(lambda said, _: replace(said, text=f"{said.text} {hash('echo')}"))
Seeded = _saying(lambda said, sampling: replace(said, text=f"{said.text} {sampling.seed}"))


class Endless(Echo):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await super().complete(prompt, replace(sampling, max_tokens=10_000))


class Unstoppable(Echo):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await super().complete(prompt, replace(sampling, stop=()))


class Solitary(Echo):
    """Takes one call at a time."""

    busy = False

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if self.busy:
            raise RuntimeError("busy")
        self.busy = True
        await asyncio.sleep(0)
        self.busy = False
        return await super().complete(prompt, sampling)


class Prim(Echo):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        for message in prompt.messages():
            message.content.encode("ascii")
        return await super().complete(prompt, sampling)


class Rephrasing(Echo):
    """Says something else where it is cut."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = await super().complete(prompt, sampling)
        uncut = await super().complete(prompt, Sampling(max_tokens=10_000))
        return said if said.text == uncut.text else replace(said, text=said.text.upper()[:-1])
