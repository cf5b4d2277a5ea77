"""How the attempts at model calls are settled."""

import asyncio
from typing import Any

import pytest

from quintet.errors import (
    DeadlineExceeded,
    EndpointFailed,
    EndpointUnavailable,
    JournalFault,
    KeyRefused,
    ModelFault,
    NoAnswer,
    Overloaded,
    Unreachable,
)
from quintet.messages.quota import Refuses, Settle
from quintet.ports.model import Completion, Usage
from quintet.runtime.calls import HeldPermit


def settlement_of(error: BaseException) -> Settle:
    permit = HeldPermit("host/1")
    permit.failed(error)
    return permit.settlement


@pytest.mark.parametrize("malformed", ["3", -1, float("nan"), float("inf"), [5]])
def test_a_malformed_pause_that_a_plug_in_asks_for_leaks_no_permit(malformed: Any) -> None:
    fault = Overloaded("429")
    fault.retry_after = malformed
    assert settlement_of(fault) == Settle(permit="host/1", outcome="overloaded")


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (NoAnswer("reset"), "failed"),
        (EndpointFailed("502"), "refused"),
        (asyncio.CancelledError(), "cancelled"),
        (DeadlineExceeded("late"), "failed"),
        (ZeroDivisionError(), "failed"),
        (Unreachable("refused"), "refused"),
        (ModelFault("400"), "refused"),
        (EndpointUnavailable("401"), "refused"),
        (Overloaded("429"), "overloaded"),
    ],
)
def test_an_attempt_that_may_have_been_charged_differs_from_one_that_was_refused(
    error: BaseException, outcome: str
) -> None:
    assert settlement_of(error).outcome == outcome


@pytest.mark.parametrize(("model_only", "refuses"), [(False, "key"), (True, "model")])
def test_a_refused_key_says_which_other_calls_it_refuses(model_only: bool, refuses: Refuses) -> None:
    fault = KeyRefused("401")
    fault.model_only = model_only
    assert settlement_of(fault) == Settle(permit="host/1", outcome="refused", refuses=refuses)


def test_an_answer_whose_commit_fails_was_an_answer() -> None:
    permit = HeldPermit("host/1")
    permit.answered(Completion(text="a", usage=Usage(prompt_tokens=7)))
    permit.failed(JournalFault("disk full"))
    assert permit.settlement == Settle(permit="host/1", outcome="answered", usage=Usage(prompt_tokens=7))
    permit.answered(Completion(text="a"))
    assert permit.settlement == Settle(permit="host/1", outcome="answered", usage=None)


def test_a_prompt_that_did_not_fit_costs_nothing() -> None:
    permit = HeldPermit("host/1")
    permit.answered(Completion(text="", finish="context_full"))
    assert permit.settlement == Settle(permit="host/1", outcome="answered", usage=Usage())
