"""Model calls: looked up, made, committed; seeds by path; divergence named by its first differing line."""

import asyncio
from collections.abc import Iterable
from typing import Any, cast

import pytest

from actors.conversation import Conversation, speaking
from deploy.quota.quota import QUOTA, unlimited
from deploy.runtime.calls import JournaledModel, call_seed
from deploy.runtime.host import Host
from deploy.runtime.loopback import Loopback
from deploy.runtime.patience import Patience
from deploy.runtime.permits import Attempt, Permits, settlement_of
from protocols.errors import (
    DeadlineExceeded,
    Divergence,
    EndpointUnavailable,
    ModelFault,
    Overloaded,
    Unanswered,
    Unreachable,
)
from protocols.events import CallMade, Decided, Published, Record, StepTaken
from protocols.models import Completion, Model, Sampling, Usage
from protocols.paths import child, episode_path
from protocols.prompts import Prompt, assistant, system, user
from protocols.quota import Settle
from protocols.recording import Recording
from protocols.transport import DRIVER
from tests.simulation.virtual import run

HERE = episode_path("task", 0, 0)
CALM = Patience()


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


async def _no_decision(event: Decided | Published) -> None:
    raise AssertionError("a call decides nothing")


def journaled(model: Model, slate: Slate, patience: Patience) -> JournaledModel:
    """On a host of its own, with a quota beside it."""
    host = Host(DRIVER, Loopback(DRIVER), slate)
    host.spawn(QUOTA, unlimited())
    return JournaledModel(model, host.witness, Permits(host), seed=7, patience=patience)


def call(
    *prompts: Prompt,
    recorded: Iterable[Record] = (),
    model: Model | None = None,
    patience: Patience = CALM,
) -> tuple[list[Completion], list[Record]]:
    slate = Slate()

    async def scene() -> list[Completion]:
        calls = journaled(model or Echo(), slate, patience)
        with speaking(Conversation(HERE, 1, Recording(HERE, list(recorded)), _no_decision)):
            return [await calls.complete(prompt, Sampling()) for prompt in prompts]

    return run(scene()), slate.records


def test_a_completion_is_handed_on_only_after_its_commit() -> None:
    slate = Slate()

    async def scene() -> None:
        model = journaled(Echo(), slate, CALM)
        with speaking(Conversation(HERE, 1, Recording(HERE), _no_decision)):
            await model.complete(root(), Sampling())
            assert len(slate.records) == 1

    run(scene())


def test_a_recorded_call_is_not_made_again() -> None:
    first, records = call(root())
    echo = Echo()
    replayed, written = call(root(), recorded=records, model=echo)
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
        call(root(), recorded=[Record(event=step, incarnation=1)], model=echo)
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
        Completion(text="", finish="tired"),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_what_is_no_completion_is_the_models_fault_and_is_not_journaled(answer: Any) -> None:
    class Odd(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            return cast("Completion", answer)

    with pytest.raises(ModelFault, match="task/0/0/1: echo: expected a Completion"):
        call(root(), model=Odd())


def test_text_that_utf8_cannot_say_is_escaped() -> None:
    class Odd(Echo):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            return Completion(text="a \ud800 b")

    (completion,), _ = call(root(), model=Odd())
    assert completion.text == "a \\ud800 b"


def test_the_seed_depends_on_run_and_path_but_not_on_the_attempt() -> None:
    echo = Echo()
    call(root(), root(), model=echo)
    assert [sampling.seed for sampling in echo.asked] == [call_seed(7, child(HERE, 1)), call_seed(7, child(HERE, 2))]
    assert call_seed(7, child(HERE, 1)) == call_seed(7, child(episode_path("task", 0, 3), 1))
    assert call_seed(7, child(HERE, 1)) != call_seed(7, child(episode_path("task", 1, 0), 1))
    assert call_seed(7, child(HERE, 1)) != call_seed(8, child(HERE, 1))
    assert all(0 <= call_seed(seed, HERE) < 2**31 for seed in range(100))


def test_a_call_past_its_deadline_is_a_fault() -> None:
    echo = Echo()
    echo.seconds = 60
    with pytest.raises(DeadlineExceeded, match=r"task/0/0/1: echo: no completion within 5\.0 s"):
        call(root(), model=echo, patience=Patience(deadline=5.0, repeats=0))


def test_the_record_says_how_long_the_call_took_and_who_made_it() -> None:
    _, (record,) = call(root())
    assert record.host == DRIVER
    assert record.incarnation == 1
    assert isinstance(record.event, CallMade)
    assert record.event.model == "echo"


class Moody(Echo):
    """Fails as it is told to, and then answers."""

    def __init__(self, *moods: Exception) -> None:
        super().__init__()
        self.moods = list(moods)
        self.times: list[float] = []

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        self.times.append(asyncio.get_running_loop().time())
        if self.moods:
            raise self.moods.pop(0)
        return await super().complete(prompt, sampling)


def later(seconds: float) -> Overloaded:
    fault = Overloaded("429")
    fault.retry_after = seconds
    return fault


@pytest.mark.parametrize("fault", [Unanswered("502"), DeadlineExceeded("late"), Unreachable("refused"), later(1)])
def test_an_attempt_that_brings_no_answer_is_repeated_after_a_pause(fault: Exception) -> None:
    moody = Moody(fault)
    (completion,), (record,) = call(root(), model=moody)
    assert completion.text == "Crafting commands:\ncraft 1 tea using 1 leaf\n\nGoal: craft tea."
    assert isinstance(record.event, CallMade)
    assert moody.times[1] - moody.times[0] >= 0.5


def test_a_pause_is_no_shorter_than_the_endpoint_asks_for() -> None:
    moody = Moody(later(70.0), later(2.0))
    call(root(), model=moody)
    first, second, third = moody.times
    assert second - first >= 70
    assert 2 <= third - second < 70


def test_what_may_have_been_charged_is_repeated_so_often_and_is_then_the_episodes_fault() -> None:
    moody = Moody(*(Unanswered("502") for _ in range(9)))
    with pytest.raises(Unanswered, match="502"):
        call(root(), model=moody, patience=Patience(repeats=2))
    assert len(moody.times) == 3


def test_an_overloaded_endpoint_is_asked_for_as_long_as_patience_lasts_and_then_suspends_the_run() -> None:
    moody = Moody(*(Overloaded("429") for _ in range(1000)))
    with pytest.raises(EndpointUnavailable, match="429"):
        call(root(), model=moody, patience=Patience(repeats=0, seconds=100.0))
    assert 100 <= moody.times[-1] < 200


def test_an_endpoint_that_never_answered_and_cannot_be_reached_suspends_the_run_soon() -> None:
    moody = Moody(*(Unreachable("connection refused") for _ in range(1000)))
    with pytest.raises(EndpointUnavailable, match="connection refused"):
        call(root(), model=moody)
    assert moody.times[-1] < 30


def test_an_endpoint_that_has_answered_may_be_away_for_longer() -> None:
    class Away(Moody):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            completion = await super().complete(prompt, sampling)
            if len(self.times) == 1:
                self.moods = [Unreachable("connection refused") for _ in range(9)]
            return completion

    away = Away()
    completions, _ = call(root(), root(), model=away)
    assert len(completions) == 2
    assert len(away.times) == 11


@pytest.mark.parametrize("fault", [ModelFault("400"), EndpointUnavailable("401"), ZeroDivisionError("bug")])
def test_what_another_attempt_would_not_mend_is_not_repeated(fault: Exception) -> None:
    moody = Moody(fault)
    with pytest.raises(type(fault)):
        call(root(), model=moody)
    assert len(moody.times) == 1


def test_refusals_that_cost_nothing_use_up_no_repetition_of_those_that_may_have_cost_something() -> None:
    moody = Moody(*(later(0.1) for _ in range(9)), Unanswered("502"), Unanswered("502"), Overloaded("429"))
    (completion,), _ = call(root(), model=moody, patience=Patience(repeats=2))
    assert completion.text
    assert len(moody.times) == 13


def test_a_wish_to_be_left_alone_for_longer_than_patience_suspends_at_once() -> None:
    moody = Moody(later(3600.0))
    with pytest.raises(EndpointUnavailable):
        call(root(), model=moody)
    assert len(moody.times) == 1
    assert moody.times[0] < 1


def test_an_endpoint_that_answered_somebody_meanwhile_is_no_stranger() -> None:
    class Late(Moody):
        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            if "other" in prompt.messages()[-1].content:
                await asyncio.sleep(1)
                return Completion(text="here")
            return await super().complete(prompt, sampling)

    moody = Late(*(Unreachable("connection refused") for _ in range(8)))

    async def scene() -> None:
        calls = journaled(moody, Slate(), CALM)

        async def one(number: int, prompt: Prompt) -> None:
            path = child(HERE, number)
            with speaking(Conversation(path, 1, Recording(path), _no_decision)):
                await calls.complete(prompt, Sampling())

        await asyncio.gather(one(1, root()), one(2, Prompt(user("other"))))

    run(scene())
    assert len(moody.times) == 9


@pytest.mark.parametrize("odd", ["3", -1, float("nan"), float("inf"), [5]])
def test_an_odd_wish_of_a_plug_in_leaks_no_permit(odd: Any) -> None:
    fault = Overloaded("429")
    fault.retry_after = odd
    assert settlement_of("host/1", fault) == Settle(permit="host/1", outcome="overloaded")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (Unanswered("502"), "failed"),
        (asyncio.CancelledError(), "failed"),
        (DeadlineExceeded("late"), "failed"),
        (ZeroDivisionError(), "failed"),
        (Unreachable("refused"), "refused"),
        (ModelFault("400"), "refused"),
        (EndpointUnavailable("401"), "refused"),
        (Overloaded("429"), "overloaded"),
    ],
)
def test_what_may_have_been_charged_is_told_from_what_was_refused(error: BaseException, outcome: str) -> None:
    assert settlement_of("host/1", error).outcome == outcome


def test_an_answer_whose_commit_fails_was_an_answer() -> None:
    attempt = Attempt("host/1")
    attempt.answered(Usage(prompt_tokens=7))
    assert attempt.settlement == Settle(permit="host/1", outcome="answered", usage=Usage(prompt_tokens=7))
    attempt.answered(Usage())
    assert attempt.settlement == Settle(permit="host/1", outcome="answered", usage=None)
