"""An episode costs its host the same, however many others live there: counted in instructions, not in seconds."""

import asyncio
from itertools import pairwise

from benchmarks.turns import answers, scripted_react
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import episode_path
from quintet.messages.prompts import Prompt
from quintet.messages.solving import Solve
from quintet.models.scripted import Scripted
from quintet.ports.model import Completion, Sampling
from quintet.runtime.incarnation import Planned
from quintet.runtime.local import LocalRuntime
from quintet.runtime.spec import RunSpec
from tests.simulation.virtual import run
from tests.work import Work, work_of

FEW, MANY = 4, 64


class Silent:
    """A model that never answers."""

    name = "silent"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        await asyncio.Event().wait()
        raise AssertionError


def planned(spec: RunSpec, number: int) -> list[Planned]:
    return [
        Planned(episode_path("beehive", epoch, 0), Solve(task=spec.task("beehive", epoch))) for epoch in range(number)
    ]


def work_of_an_end_among(number: int) -> int:
    """With every episode waiting for its model."""
    spec = scripted_react(2, Silent())

    async def scene() -> int:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=number) as runtime:
            ends = asyncio.ensure_future(anext(runtime.run(planned(spec, number))))
            await asyncio.sleep(1)
            path = episode_path("beehive", 1, 0)
            work = work_of(lambda: runtime.host.end_episode(path, 1))
            ends.cancel()
            await asyncio.wait([ends])
            return work

    return run(scene())


def test_the_end_of_an_episode_looks_at_nothing_of_others() -> None:
    assert work_of_an_end_among(MANY) == work_of_an_end_among(FEW) > 0


def most_begun_in_a_turn(number: int) -> int:
    """Of the event loop, while so many episodes start."""
    spec = scripted_react(1, Silent())

    async def scene() -> int:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=number) as runtime:
            ends = asyncio.ensure_future(anext(runtime.run(planned(spec, number))))
            under_way = [0]
            while under_way[-1] < number:
                await asyncio.sleep(0)
                under_way.append(len(runtime.runner.under_way))
            ends.cancel()
            await asyncio.wait([ends])
            return max(after - before for before, after in pairwise(under_way))

    return run(scene())


def test_many_episodes_start_in_several_turns_of_the_event_loop() -> None:
    assert most_begun_in_a_turn(10) == 10
    assert most_begun_in_a_turn(40) == 16


def work_of_driving(number: int) -> float:
    """Of the driver's modules, for each of so many episodes at once."""
    spec = scripted_react(1, Scripted(answers(1)))

    async def scene() -> float:
        async with LocalRuntime(spec, SqliteJournal(":memory:"), concurrency=number) as runtime:
            with Work("/driver.py", "/driver_run.py", "/slots.py") as work:
                ends = [end async for end in runtime.run(planned(spec, number))]
            assert len(ends) == number
            return work.instructions / number

    return run(scene())


def test_the_driver_starts_and_ends_an_episode_without_a_look_at_others() -> None:
    assert work_of_driving(MANY) <= work_of_driving(FEW)
