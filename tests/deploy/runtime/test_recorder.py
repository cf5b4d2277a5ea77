"""The recorder: which prompts are journaled, and what is remembered."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from quintet.errors import PromptUnknown
from quintet.events import CallMade, EpisodeEnded, NodeGrown, Record, SessionForked
from quintet.messages.paths import Path
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, Sampling
from quintet.ports.transport import DRIVER
from quintet.runtime.recorder import JournaledPrompts, Recorder, remember
from quintet.testing.content import content_of
from quintet.testing.replay import left_by_kill, run_episode
from tests.deploy.trees import grow

HERE = Path("task/0/0/1")


def test_only_the_newest_are_remembered() -> None:
    memory: OrderedDict[int, bool] = OrderedDict()
    for number in range(10_001):
        remember(memory, number, True)
    assert len(memory) == 10_000
    assert 0 not in memory


ROOT = Prompt(user("Hello."))
GROWN = ROOT.extend(user("Go on."))


@pytest.mark.parametrize("commits", [True, False])
async def test_of_two_calls_at_once_the_second_brings_a_node_only_if_the_first_commit_failed(commits: bool) -> None:
    prompts = JournaledPrompts()
    nodes = await prompts.take(ROOT)
    second = asyncio.create_task(prompts.take(GROWN))
    await asyncio.sleep(0)
    assert not second.done()
    if commits:
        prompts.add(ROOT)
    prompts.release(nodes)
    assert await second == ((GROWN.node,) if commits else (ROOT.node, GROWN.node))


async def test_a_prompt_that_was_used_lately_is_not_forgotten() -> None:
    prompts = JournaledPrompts(bound=2)
    other, third = Prompt(user("Other.")), Prompt(user("Third."))
    prompts.add(ROOT)
    prompts.add(other)
    prompts.release(await prompts.take(GROWN))
    prompts.add(third)
    assert [len(await prompts.take(prompt)) for prompt in (ROOT, other, third)] == [0, 1, 0]


async def test_a_prompt_brings_its_ancestors_into_the_journal() -> None:
    prompts = JournaledPrompts()
    prompts.add(GROWN)
    assert await prompts.take(ROOT) == ()


class Forgetful:
    """A journal that does not know any prompt that it is not given whole."""

    def __init__(self) -> None:
        self.offered: list[int] = []

    async def append(self, records: Iterable[Record]) -> None:
        (record,) = records
        self.offered.append(len(record.prompts))
        if record.prompts[0].parent is not None:
            raise PromptUnknown(record.event.path)


async def test_a_call_whose_prompt_the_journal_forgot_brings_all_of_it() -> None:
    journal = Forgetful()
    recorder = Recorder(journal, DRIVER)
    for prompt in (ROOT, GROWN):
        event = CallMade(
            path=HERE,
            model="m",
            prompt=prompt.node.address,
            sampling=Sampling(),
            completion=Completion(text=""),
        )
        await recorder.commit_call(event, incarnation=1, prompt=prompt, seconds=0.0)
    assert journal.offered == [1, 1, 2]


def test_wherever_an_episode_is_killed_its_nodes_and_copies_are_journaled_in_the_end() -> None:
    whole = run_episode(grow(), "stick")
    nodes = [record.event for record in whole if isinstance(record.event, NodeGrown)]
    assert {(event.tree.count("/"), event.node) for event in nodes} >= {(2, 0), (2, 1), (2, 4), (3, 0), (3, 1)}
    copies = [record.event for record in whole if isinstance(record.event, SessionForked)]
    assert {event.origin for event in copies} == {"stick/0/0/1"}
    for kept in range(len(whole)):
        left = left_by_kill(whole, kept)
        assert content_of(run_episode(grow(), "stick", left)) == content_of(whole), f"killed after {kept}"


def test_a_note_that_was_lost_on_its_way_is_journaled_by_the_replay() -> None:
    whole = run_episode(grow(), "stick")
    left = [record for record in whole[:-1] if not isinstance(record.event, NodeGrown | EpisodeEnded)]
    assert content_of(run_episode(grow(), "stick", left)) == content_of(whole)


def test_an_episode_is_not_answered_before_its_nodes_are_committed() -> None:
    whole = run_episode(grow(), "stick")
    kinds = [type(record.event) for record in whole]
    assert NodeGrown not in kinds[kinds.index(EpisodeEnded) :]


def test_a_node_that_stands_differently_in_a_replay_faults_the_episode() -> None:
    whole = run_episode(grow(), "stick")
    changed = [
        Record(event=replace(record.event, value=0.125), incarnation=1)
        if isinstance(record.event, NodeGrown) and record.event.node == 1
        else record
        for record in whole[:-3]
    ]
    end = run_episode(grow(), "stick", changed)[-1].event
    assert isinstance(end, EpisodeEnded)
    assert end.fault is not None
    assert end.fault.kind == "ReplayMismatch"
    assert "node_grown: value: line 1: expected '0.125', got" in end.fault.text
