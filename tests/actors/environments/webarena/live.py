"""Worlds in a real browser, on our sites, and what tests do in them."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from random import Random
from typing import Any

from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.sites.visit import OWN_SITES
from quintet.environments.webarena.world import WebArena
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from tests.actors.environments.webarena.official import task_record, write_records

_ELEMENT = re.compile(r"\[(\d+)\] (link|button|textbox|searchbox|combobox|checkbox|radio|tab) ")
_FIELDS = ("textbox", "searchbox")
_WORDS = ("blue mug", "order", "tea", "5", "bug in the login", "salt")


@asynccontextmanager
async def world_of(*args: Any, **options: Any) -> AsyncGenerator[WebArena]:
    """A world that ends with its browser and its server."""
    world = WebArena(*args, **options)
    try:
        yield world
    finally:
        await world.aclose()


@contextmanager
def served_sites() -> Generator[Mapping[str, str]]:
    """Our sites as somebody else serves them: addresses by the first part of the host, `reddit`."""
    command = [sys.executable, "-m", "quintet.environments.webarena.sites", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        addresses = [serving.stdout.readline().split()[-1] for _ in OWN_SITES]
        try:
            yield {address.partition("://")[2].partition(".")[0]: address for address in addresses}
        finally:
            serving.terminate()


def walk_of(name: str) -> tuple[str, ...]:
    """The actions with which the expert solves a task of ours."""

    async def play() -> tuple[str, ...]:
        async with world_of() as world:
            session, actions = await world.open(Task(name=name, seed=0)), list[str]()
            while advised := await session.expert():
                actions += advised
                await session.step(advised[0])
            return tuple(actions)

    return asyncio.run(play())


def tasks_file(folder: Path, *tasks: Mapping[str, Any]) -> Path:
    """A file of tasks, each with the fields that differ from a task to reach a page of the forum."""
    return write_records(folder, *(_task(number, task) for number, task in enumerate(tasks)))


def _task(number: int, task: Mapping[str, Any]) -> dict[str, Any]:
    forums = f"__{task.get('sites', ['reddit'])[0].upper()}__/forums"
    checks = {"eval_types": ["url_match"], "reference_answers": None, "reference_url": forums}
    asks = {"sites": ["reddit"], "start_url": "__REDDIT__", "intent": f"Reach page {number}.", "eval": checks}
    return task_record(number, **{**asks, **task})


def named(number: int = 0) -> Task:
    return Task(name=f"webarena-{number}", seed=0)


def number_of(text: str, role: str, name: str) -> int:
    """The number of an element in an observation."""
    found = re.search(rf"\[(\d+)\] {role} '{name}", text)
    assert found, f"expected {role} {name!r} in {text}"
    return int(found[1])


def any_action(observation: str, chance: Random) -> str:
    """An action that the page offers, at random."""
    elements = _ELEMENT.findall(observation)
    kind = chance.random()
    if kind < 0.1 or not elements:
        return chance.choice(
            ("scroll [down]", "scroll [up]", "go_back", "go_forward", "new_tab", "tab_focus [0]", "close_tab")
        )
    if kind < 0.15:
        return chance.choice(
            ("press [Tab]", "press [End]", "hover [3]", "goto [http://reddit.com]", "goto [http://evil.example]")
        )
    number, role = chance.choice(elements)
    if role in _FIELDS:
        return f"type [{number}] [{chance.choice(_WORDS)}] [{chance.randrange(2)}]"
    return f"click [{number}]"


async def wander(session: WebSession, steps: int, chance: Random) -> list[tuple[str, Outcome]]:
    """Take actions at random, until the task ends."""
    taken: list[tuple[str, Outcome]] = []
    for _ in range(steps):
        action = any_action(session.observation, chance)
        taken.append((action, await session.step(action)))
        if taken[-1][1].done:
            break
    return taken
