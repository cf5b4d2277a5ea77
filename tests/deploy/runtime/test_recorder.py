"""The recorder: what a replay must not change, how a difference is named, and which prompts are journaled."""

import asyncio
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.errors import PromptUnknown, ReplayMismatch
from quintet.events import CallMade, Record, StepTaken
from quintet.messages.paths import Path
from quintet.messages.prompts import Prompt, user
from quintet.ports.model import Completion, Sampling
from quintet.ports.transport import DRIVER
from quintet.runtime.recorder import JournaledPrompts, Recorder, check_same, first_difference, remember
from tests.simulation.virtual import run

HERE = Path("task/0/0/1")


def step(observation: str, reward: float = 0.0) -> StepTaken:
    return StepTaken(
        path=HERE, session="s", action="look", observation=observation, reward=reward, done=False, rejected=False
    )


def test_an_equal_step_passes() -> None:
    check_same(HERE, step("a\nb"), step("a\nb"))
    assert step("a\nb") == step("a\nb")


def test_another_observation_is_a_replay_mismatch_at_its_first_differing_line() -> None:
    expected = "task/0/0/1: step_taken: observation: line 2: expected 'b', got 'c'"
    with pytest.raises(ReplayMismatch, match=expected):
        check_same(HERE, step("a\nb\nx"), step("a\nc\ny"))


def test_another_reward_is_a_replay_mismatch_too() -> None:
    with pytest.raises(ReplayMismatch, match=r"reward: line 1: expected '0\.0', got '1\.0'"):
        check_same(HERE, step("a"), step("a", reward=1.0))


def test_a_missing_line_is_called_nothing() -> None:
    assert first_difference("a\nb", "a") == "line 2: expected 'b', got nothing"


@given(st.text(), st.text())
def test_a_difference_is_found_exactly_where_lines_differ(expected: str, got: str) -> None:
    found = first_difference(expected, got)
    assert found.startswith("line ")
    assert (found == "line ends differ") == (expected.splitlines() == got.splitlines())


def test_only_the_newest_are_remembered() -> None:
    memory: dict[int, bool] = {}
    for number in range(10_001):
        remember(memory, number, True)
    assert len(memory) == 10_000
    assert 0 not in memory


ROOT = Prompt(user("Hello."))
GROWN = ROOT.extend(user("Go on."))


@pytest.mark.parametrize("commits", [True, False])
def test_of_two_calls_at_once_the_second_brings_a_node_only_if_the_first_commit_failed(commits: bool) -> None:
    async def scene() -> None:
        prompts = JournaledPrompts()
        nodes = await prompts.take(ROOT)
        second = asyncio.create_task(prompts.take(GROWN))
        await asyncio.sleep(0)
        assert not second.done()
        if commits:
            prompts.add(ROOT)
        prompts.release(nodes)
        assert await second == ((GROWN.node,) if commits else (ROOT.node, GROWN.node))

    run(scene())


def test_a_prompt_that_was_used_lately_is_not_forgotten() -> None:
    async def scene() -> None:
        prompts = JournaledPrompts(bound=2)
        other, third = Prompt(user("Other.")), Prompt(user("Third."))
        prompts.add(ROOT)
        prompts.add(other)
        prompts.release(await prompts.take(GROWN))
        prompts.add(third)
        assert [len(await prompts.take(prompt)) for prompt in (ROOT, other, third)] == [0, 1, 0]

    run(scene())


def test_a_prompt_brings_its_ancestors_into_the_journal() -> None:
    async def scene() -> None:
        prompts = JournaledPrompts()
        prompts.add(GROWN)
        assert await prompts.take(ROOT) == ()

    run(scene())


class Forgetful:
    """A journal that does not know any prompt that it is not given whole."""

    def __init__(self) -> None:
        self.offered: list[int] = []

    async def append(self, records: Iterable[Record]) -> None:
        (record,) = records
        self.offered.append(len(record.prompts))
        if record.prompts[0].parent is not None:
            raise PromptUnknown(record.event.path)


def test_a_call_whose_prompt_the_journal_forgot_brings_all_of_it() -> None:
    async def scene() -> Sequence[int]:
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
            await recorder.commit_call(event, 1, prompt, seconds=0.0)
        return journal.offered

    assert run(scene()) == [1, 1, 2]
