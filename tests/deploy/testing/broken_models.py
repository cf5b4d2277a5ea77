"""A model that keeps its contract, and others that break it in one place each."""

import asyncio
import time
from typing import cast

from msgspec.structs import replace

from quintet.errors import ModelFault
from quintet.messages.prompts import Prompt
from quintet.models.completion import complete_with
from quintet.ports.model import Completion, Sampling, Usage


class Parrot:
    """Repeats the last message."""

    name = "parrot"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        messages = prompt.messages()
        return complete_with(messages[-1].content if messages else "?", messages, sampling)


class Nameless(Parrot):
    name = " "


class Hanging(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await asyncio.Event().wait()
        raise AssertionError


class Dumb(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise ModelFault("no voice")


class Wordless(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return cast(Completion, "hello")


class Miscounting(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return replace(await super().complete(prompt, sampling), usage=Usage(prompt_tokens=1, completion_tokens=-1))


class Uncounting(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return replace(await super().complete(prompt, sampling), usage=Usage())


class Flat(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return replace(await super().complete(prompt, sampling), usage=Usage(prompt_tokens=9, completion_tokens=9))


class Endless(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await super().complete(prompt, replace(sampling, max_tokens=10_000))


class Unstoppable(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        return await super().complete(prompt, replace(sampling, stop=()))


class Solitary(Parrot):
    """Takes one call at a time."""

    busy = False

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if self.busy:
            raise RuntimeError("busy")
        self.busy = True
        await asyncio.sleep(0)
        self.busy = False
        return await super().complete(prompt, sampling)


class Prim(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        for message in prompt.messages():
            message.content.encode("ascii")
        return await super().complete(prompt, sampling)


class Moody(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = await super().complete(prompt, sampling)
        return replace(said, text=f"{said.text} {time.perf_counter_ns()}")


class Hashed(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = await super().complete(prompt, sampling)
        return replace(said, text=f"{said.text} {hash('parrot')}")


class Seeded(Parrot):
    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = await super().complete(prompt, sampling)
        return replace(said, text=f"{said.text} {sampling.seed}")


class Rephrasing(Parrot):
    """Says something else where it is cut."""

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        said = await super().complete(prompt, sampling)
        uncut = await super().complete(prompt, Sampling(max_tokens=10_000))
        return said if said.text == uncut.text else replace(said, text=said.text.upper()[:-1])
