"""Model calls: looked up, made, committed; seeds by path; divergence named by its first differing line."""

import asyncio
from collections.abc import Iterable
from typing import Any, cast

import pytest

from actors.conversation import Conversation, speaking
from deploy.runtime.calls import JournaledModel, call_seed
from deploy.runtime.witness import Witness
from protocols.errors import DeadlineExceeded, Divergence, ModelFault
from protocols.events import CallMade, Decided, Record, StepTaken
from protocols.models import Completion, Sampling, Usage
from protocols.paths import child, episode_path
from protocols.prompts import Prompt, assistant, system, user
from protocols.recording import Recording
from protocols.transport import DRIVER
from tests.simulation.virtual import run

HERE = episode_path("task", 0, 0)


def root(leaves: int = 1) -> Prompt:
    """A conversation's beginning, as each episode makes its own."""
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


class Slate:
    """A journal in memory whose commits take a virtual second."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    async def append(self, records: Iterable[Record]) -> None:
        await asyncio.sleep(1)
        self.records.extend(records)


async def _no_decision(event: Decided) -> None:
    raise AssertionError("a call decides nothing")


def call(
    *prompts: Prompt, recorded: Iterable[Record] = (), echo: Echo | None = None, deadline: float | None = None
) -> tuple[list[Completion], list[Record]]:
    slate = Slate()
    model = JournaledModel(
        echo or Echo(), Witness(slate, DRIVER, lambda path, incarnation: None), seed=7, deadline=deadline
    )

    async def scene() -> list[Completion]:
        with speaking(Conversation(HERE, 1, Recording(HERE, list(recorded)), _no_decision)):
            return [await model.complete(prompt, Sampling()) for prompt in prompts]

    return run(scene()), slate.records


def test_a_completion_is_handed_on_only_after_its_commit() -> None:
    slate = Slate()
    model = JournaledModel(Echo(), Witness(slate, DRIVER, lambda path, incarnation: None), seed=7, deadline=None)

    async def scene() -> None:
        with speaking(Conversation(HERE, 1, Recording(HERE), _no_decision)):
            await model.complete(root(), Sampling())
            assert len(slate.records) == 1

    run(scene())


def test_a_recorded_call_is_not_made_again() -> None:
    first, records = call(root())
    echo = Echo()
    replayed, written = call(root(), recorded=records, echo=echo)
    assert replayed == first
    assert written == []
    assert echo.asked == []


def test_a_call_after_the_recorded_ones_is_made() -> None:
    begun = root()
    longer = begun.extend(assistant("tea"), user("Crafted tea"))
    _, records = call(begun)
    completions, written = call(begun, longer, recorded=records)
    assert completions[1].text == "Crafted tea"
    assert [record.event.path for record in written] == [child(HERE, 2)]


def test_only_the_nodes_that_the_journal_does_not_have_are_written() -> None:
    begun = root()
    longer = begun.extend(user("Go on.")).extend(user("And on."))
    _, records = call(begun, longer)
    assert [len(record.prompts) for record in records] == [1, 2]


def test_a_prompt_that_differs_diverges_and_the_first_differing_line_is_named() -> None:
    _, records = call(root())
    expected = r"prompt: line 3: expected 'craft 1 tea using 1 leaf', got 'craft 1 tea using 2 leaf'"
    with pytest.raises(Divergence, match=expected):
        call(root(leaves=2), recorded=records)


def test_after_a_replayed_call_only_what_is_new_is_written() -> None:
    begun = root()
    longer = begun.extend(assistant("tea"), user("Crafted tea"))
    _, records = call(begun)
    again = root()
    _, (record,) = call(again, again.extend(assistant("tea"), user("Crafted tea")), recorded=records)
    assert [node.address for node in record.prompts] == [longer.node.address]


def test_a_call_where_a_step_is_recorded_diverges_and_is_not_made() -> None:
    step = StepTaken(
        path=child(HERE, 1), session="s", action="look", observation="", reward=0.0, done=False, rejected=False
    )
    echo = Echo()
    with pytest.raises(Divergence, match="expected step_taken, got call_made"):
        call(root(), recorded=[Record(event=step, incarnation=1)], echo=echo)
    assert echo.asked == []


def test_a_call_where_a_request_is_recorded_diverges() -> None:
    below = Decided(path=child(child(HERE, 1), 1), question="which", answer="1")
    with pytest.raises(Divergence, match="expected a request with 1 events below it, got call_made"):
        call(root(), recorded=[Record(event=below, incarnation=1)])


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "text",
        Completion(text=None),  # type: ignore[arg-type]
        Completion(text="", usage=None),  # type: ignore[arg-type]
        Completion(text="", usage=Usage(prompt_tokens=1.5)),  # type: ignore[arg-type]
        Completion(text="", finish="tool_calls"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_what_is_no_completion_is_the_models_fault_and_is_not_journaled(answer: Any) -> None:
    class Odd(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            return cast("Completion", answer)

    with pytest.raises(ModelFault, match="task/0/0/1: echo: expected a Completion"):
        call(root(), echo=Odd())


def test_text_that_utf8_cannot_say_is_escaped() -> None:
    class Odd(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            return Completion(text="a \ud800 b")

    (completion,), _ = call(root(), echo=Odd())
    assert completion.text == "a \\ud800 b"


def test_the_seed_depends_on_run_and_path_but_not_on_the_attempt() -> None:
    echo = Echo()
    call(root(), root(), echo=echo)
    assert [sampling.seed for sampling in echo.asked] == [call_seed(7, child(HERE, 1)), call_seed(7, child(HERE, 2))]
    assert call_seed(7, child(HERE, 1)) == call_seed(7, child(episode_path("task", 0, 3), 1))
    assert call_seed(7, child(HERE, 1)) != call_seed(7, child(episode_path("task", 1, 0), 1))
    assert call_seed(7, child(HERE, 1)) != call_seed(8, child(HERE, 1))
    assert all(0 <= call_seed(seed, HERE) < 2**31 for seed in range(100))


def test_a_call_past_its_deadline_is_a_fault() -> None:
    echo = Echo()
    echo.seconds = 60
    with pytest.raises(DeadlineExceeded, match=r"task/0/0/1: echo: no completion within 5\.0 s"):
        call(root(), echo=echo, deadline=5.0)


def test_the_record_says_how_long_the_call_took_and_who_made_it() -> None:
    _, (record,) = call(root())
    assert record.host == DRIVER
    assert record.incarnation == 1
    assert isinstance(record.event, CallMade)
    assert record.event.model == "echo"
