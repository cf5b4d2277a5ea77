"""Attempts are repeated, endpoints that are away are waited for, and a prompt's own fault is told from an outage."""

import asyncio

import pytest

from quintet.errors import (
    DeadlineExceeded,
    EndpointFailed,
    EndpointUnavailable,
    ModelFault,
    NoAnswer,
    Overloaded,
    Unreachable,
)
from quintet.events import CallMade
from quintet.messages.paths import child
from quintet.messages.prompts import Prompt, user
from quintet.messages.quota import Settle
from quintet.ports.model import Completion, Sampling
from quintet.quota.limiter import RateLimits
from quintet.quota.quota import LocalLimiters, Quota
from quintet.runtime.retries import RetryPolicy
from tests.deploy.runtime.journaled_calls import (
    DEFAULTS,
    HERE,
    Echo,
    Faulty,
    Slate,
    call,
    is_plain,
    journaled_model,
    requested,
    root,
)


def failing(*faults: Exception) -> Faulty:
    """Raises the given faults, and then answers."""
    left = list(faults)
    return Faulty(lambda prompt, attempt: left.pop(0) if left else None)


def poisoned(fault: Exception) -> Faulty:
    """Answers anything but the prompts of `root`."""
    return Faulty(lambda prompt, attempt: None if is_plain(prompt) else fault)


def away(fault: Exception, *, since: float, until: float) -> Faulty:
    """Fails at any prompt from one virtual second to another."""
    return Faulty(lambda prompt, attempt: fault if since <= asyncio.get_running_loop().time() < until else None)


def later(seconds: float) -> Overloaded:
    fault = Overloaded("429")
    fault.retry_after = seconds
    return fault


BROKEN = [NoAnswer("reset"), EndpointFailed("502"), DeadlineExceeded("late")]
OUTAGES = [*BROKEN, Unreachable("refused")]


@pytest.mark.parametrize("fault", [*OUTAGES, later(1)])
def test_an_attempt_that_brings_no_answer_is_repeated_after_a_pause(fault: Exception) -> None:
    model = failing(fault)
    (completion,), (record,) = call(root(), model=model)
    assert completion.text == "Crafting commands:\ncraft 1 tea using 1 leaf\n\nGoal: craft tea."
    assert isinstance(record.event, CallMade)
    assert model.times[1] - model.times[0] >= 0.5


def test_a_pause_is_no_shorter_than_the_endpoint_asks_for() -> None:
    model = failing(later(70.0), later(2.0))
    call(root(), model=model)
    first, second, third = model.times
    assert second - first >= 70
    assert 2 <= third - second < 70


@pytest.mark.parametrize("fault", BROKEN)
def test_a_prompt_that_an_endpoint_fails_at_while_it_answers_others_is_the_episodes_fault(fault: Exception) -> None:
    model = poisoned(fault)
    with pytest.raises(type(fault)):
        call(root(), model=model, policy=RetryPolicy(repeats=2))
    assert len(model.times) == 3 + 1  # the last between two answers to others


@pytest.mark.parametrize("fault", OUTAGES)
def test_an_endpoint_that_is_away_is_waited_for(fault: Exception) -> None:
    model = away(fault, since=0.5, until=60.0)
    completions, records = call(root(), root(), model=model)
    assert len(completions) == len(records) == 2
    assert len(model.times) < 12


def test_a_call_that_an_outage_failed_until_its_very_end_is_made_once_more() -> None:
    class Stalled(Echo):
        """Takes requests without answering; when it goes on, it answers those still open."""

        async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
            await asyncio.sleep(max(0.0, 110.0 - asyncio.get_running_loop().time()))
            return await super().complete(prompt, sampling)

    (completion,), _ = call(root(), model=Stalled(), policy=RetryPolicy(deadline=25.0, repeats=3))
    assert completion.text


@pytest.mark.parametrize("fault", OUTAGES)
def test_an_endpoint_that_stays_away_suspends_the_run_and_says_how_long_it_was_waited_for(fault: Exception) -> None:
    with pytest.raises(EndpointUnavailable, match=rf"{fault} \(waited for 1\d\d s\)"):
        call(root(), root(), model=away(fault, since=0.5, until=1e9), policy=RetryPolicy(seconds=100.0))


@pytest.mark.parametrize("fault", OUTAGES)
def test_an_endpoint_that_never_answered_and_fails_suspends_the_run_soon(fault: Exception) -> None:
    model = away(fault, since=0.0, until=1e9)
    with pytest.raises(EndpointUnavailable):
        call(root(), model=model)
    assert len(model.times) <= 5


def test_a_call_that_fails_after_an_outage_too_is_the_episodes_fault() -> None:
    fault = EndpointFailed("500")

    def meets(prompt: Prompt, attempt: int) -> Exception | None:
        out = 0.5 <= asyncio.get_running_loop().time() < 60
        return fault if out or (prompt.messages()[-1].content not in ("other", "Hello.")) else None

    with pytest.raises(EndpointFailed, match="500"):
        call(Prompt(user("other")), root(), model=Faulty(meets))


def test_a_refusal_that_every_prompt_meets_suspends_the_run() -> None:
    model = Faulty(lambda prompt, attempt: ModelFault(f"400: 'seed' is not taken (request {attempt})"))
    with pytest.raises(EndpointUnavailable, match=r"'seed' is not taken \(request 1\) \(so is any other prompt\)"):
        call(root(), model=model)
    assert len(model.times) == 1


def test_a_refusal_of_one_prompt_is_the_episodes_fault_also_where_another_is_refused_for_another_reason() -> None:
    model = Faulty(lambda prompt, attempt: ModelFault("400: no goal" if is_plain(prompt) else "400: odd characters"))
    with pytest.raises(ModelFault, match="400: odd characters"):
        call(root(), model=model)


async def test_whether_an_endpoint_answers_is_asked_under_a_permit_and_not_journaled() -> None:
    settlement_of: list[Settle] = []

    class Listening(Quota):
        def hear(self, settle: Settle) -> None:
            settlement_of.append(settle)
            super().hear(settle)

    slate, quota = Slate(), Listening(LocalLimiters(RateLimits()).limiter)
    model = journaled_model(poisoned(ModelFault("400")), slate, RetryPolicy(repeats=0), quota)
    with requested(), pytest.raises(ModelFault):
        await model.complete(root(), Sampling())
    await asyncio.sleep(1)
    assert slate.records == []
    assert not quota.permits
    assert [settle.outcome for settle in settlement_of] == ["refused", "answered"]


def test_an_overloaded_endpoint_is_asked_until_the_pauses_are_used_up_and_then_suspends_the_run() -> None:
    model = failing(*(Overloaded("429") for _ in range(1000)))
    with pytest.raises(EndpointUnavailable, match="429"):
        call(root(), model=model, policy=RetryPolicy(repeats=0, seconds=100.0))
    assert 100 <= model.times[-1] < 200


@pytest.mark.parametrize("fault", [ModelFault("400"), EndpointUnavailable("401"), ZeroDivisionError("bug")])
def test_a_fault_that_another_attempt_cannot_mend_is_not_repeated(fault: Exception) -> None:
    model = poisoned(fault)
    with pytest.raises(type(fault)):
        call(root(), model=model)
    assert len(model.times) == 1


def test_refusals_that_cost_nothing_use_up_no_repetition_of_those_that_may_have_cost_something() -> None:
    model = failing(*(later(0.1) for _ in range(9)), NoAnswer("502"), NoAnswer("502"), Overloaded("429"))
    (completion,), _ = call(root(), model=model, policy=RetryPolicy(repeats=2))
    assert completion.text
    assert len(model.times) == 13


def test_an_endpoint_that_asks_for_a_pause_above_the_limit_suspends_at_once() -> None:
    model = failing(later(3600.0))
    with pytest.raises(EndpointUnavailable):
        call(root(), model=model)
    assert len(model.times) == 1
    assert model.times[0] < 1


async def test_an_endpoint_that_answered_another_call_counts_as_known() -> None:
    left = [Unreachable("connection refused") for _ in range(8)]
    other = Prompt(user("other"))
    model = Faulty(lambda prompt, attempt: left.pop() if left and prompt is not other else None)
    model.seconds = 1.0
    calls = journaled_model(model, Slate(), DEFAULTS)

    async def one(number: int, prompt: Prompt) -> None:
        path = child(HERE, number)
        with requested(path):
            await calls.complete(prompt, Sampling())

    await asyncio.gather(one(1, root()), one(2, other))
    assert len(model.times) == 10
