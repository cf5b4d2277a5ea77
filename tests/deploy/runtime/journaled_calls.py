"""Journaled calls of models that answer and fail as a test says, beside a journal in memory."""

import asyncio
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import cast

from quintet.events import AnyEvent, Record
from quintet.events.recording import Recording
from quintet.messages.paths import Path, episode_path
from quintet.messages.prompts import Prompt, system, user
from quintet.ports.model import Completion, Model, Sampling
from quintet.ports.transport import DRIVER
from quintet.quota.quota import QUOTA, Quota, unlimited
from quintet.roles.context import RequestContext, running
from quintet.runtime.calls import JournaledModel, Permits
from quintet.runtime.host import Host
from quintet.runtime.local import Loopback
from quintet.runtime.retries import RetryPolicy
from tests.simulation.virtual import run

HERE = episode_path("task", 0, 0)
DEFAULTS = RetryPolicy()


def root(leaves: int = 1) -> Prompt:
    """The first messages of an episode's prompt."""
    return Prompt(system("Act."), user(f"Crafting commands:\ncraft 1 tea using {leaves} leaf\n\nGoal: craft tea."))


class Echo:
    name = "echo"

    def __init__(self) -> None:
        self.asked: list[Sampling] = []
        self.seconds = 0.0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.asked.append(sampling)
        await asyncio.sleep(self.seconds)
        return Completion(text=prompt.messages()[-1].content)


def is_plain(prompt: Prompt) -> bool:
    """Whether a prompt only asks if the endpoint answers at all."""
    return [message.content for message in prompt.messages()] == ["Hello."]


class Slate:
    """A journal in memory whose commits take a virtual second."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    async def append(self, records: Iterable[Record]) -> None:
        await asyncio.sleep(1)
        self.records.extend(records)


async def _no_decision(*events: AnyEvent) -> None:
    raise AssertionError("a call decides nothing")


def _no_note(event: AnyEvent) -> None:
    raise AssertionError("a call notes nothing")


@contextmanager
def requested(path: Path = HERE, recorded: Iterable[Record] = ()) -> Generator[None]:
    """Within a request at a path, of which this is recorded."""
    with running(RequestContext(path, 1, Recording(path, list(recorded)), _no_decision, _no_note)):
        yield


def journaled_model(model: Model, slate: Slate, policy: RetryPolicy, quota: Quota | None = None) -> JournaledModel:
    """On a host of its own, with a quota beside it."""
    host = Host(DRIVER, Loopback(DRIVER), slate)
    host.spawn(QUOTA, quota or unlimited())
    return JournaledModel(model, host.recorder, Permits(host), seed=7, policy=policy)


def call(
    *prompts: Prompt,
    recorded: Iterable[Record] = (),
    model: Model | None = None,
    policy: RetryPolicy = DEFAULTS,
) -> tuple[list[Completion], list[Record]]:
    slate = Slate()

    async def scene() -> list[Completion]:
        calls = journaled_model(model or Echo(), slate, policy)
        with requested(recorded=recorded):
            return [await calls.complete(prompt, Sampling()) for prompt in prompts]

    return run(scene()), slate.records


class Faulty(Echo):
    """Meets what it is told to.

    Args:
        meets: given a prompt and how many came so far, that one included: a fault, an answer, or None for an echo.
    """

    def __init__(self, meets: Callable[[Prompt, int], object]) -> None:
        super().__init__()
        self._meets = meets
        self.times: list[float] = []
        """Of the prompts that ask for more than a sign of life."""
        self._attempts = 0

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if not is_plain(prompt):
            self.times.append(asyncio.get_running_loop().time())
        self._attempts += 1
        met = self._meets(prompt, self._attempts)
        if isinstance(met, Exception):
            raise met
        return await super().complete(prompt, sampling) if met is None else cast("Completion", met)
