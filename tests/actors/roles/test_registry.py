"""The registry of roles: every request is answered by one role, and roles and prompts follow from requests."""

from typing import Any, get_args

import pytest

from quintet.messages.curation import ReviseNotes
from quintet.messages.environment import Close, EnvironmentRequest, Fork
from quintet.messages.execution import Execute, ExecutorRequest
from quintet.messages.grading import Grade
from quintet.messages.learning import RunEpisode
from quintet.messages.memory import Form, MemoryRequest, Recall, Remember
from quintet.messages.message import Request
from quintet.messages.planning import Decompose, RevisePlan
from quintet.messages.reflection import Reflect
from quintet.messages.simulating import AnswerAsUser
from quintet.messages.solving import Solve
from quintet.roles.registry import ROLES, prompts_of, roles_answering, roles_of, with_models

MODELS = ("executor", "planner", "reflector", "curator", "memory", "judge", "user")
ACCEPTED: dict[str, Any] = {
    "executor": ExecutorRequest,
    "memory": MemoryRequest,
    "environment": EnvironmentRequest,
    "subtask": Solve,
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_role_declares_what_its_actor_accepts(name: str) -> None:
    (role,) = (role for role in ROLES if role.name == name)
    assert set(role.requests) == set(get_args(ACCEPTED[name]) or (ACCEPTED[name],))


def test_every_request_is_answered_by_one_role() -> None:
    requests = [request for role in ROLES for request in role.requests]
    assert len(set(requests)) == len(requests)
    assert all(len(roles_answering(request)) == 1 for request in requests)


def test_a_request_that_no_role_answers_is_refused_with_the_roles_there_are() -> None:
    with pytest.raises(LookupError, match="expected one that answers RunEpisode, got executor, planner, reflector"):
        roles_answering(RunEpisode)


@pytest.mark.parametrize(
    ("requests", "names", "models"),
    [
        ((), ["environment", "subtask"], ()),
        ((Fork, Close, Solve), ["environment", "subtask"], ()),
        ((Execute,), ["executor", "environment", "subtask"], ("executor",)),
        (
            (Reflect, Execute, RevisePlan, ReviseNotes, Recall, Grade, AnswerAsUser),
            [role.name for role in ROLES],
            MODELS,
        ),
    ],
)
def test_the_roles_of_a_run_follow_from_its_requests(
    requests: tuple[type[Request[Any]], ...], names: list[str], models: tuple[str, ...]
) -> None:
    roles = roles_of(requests)
    assert [role.name for role in roles] == names
    assert with_models(roles) == models


def test_the_prompts_of_a_run_follow_from_its_requests() -> None:
    assert prompts_of((Decompose, Fork, RevisePlan)) == ("decompose", "revise_plan", "revise_plan.update")
    assert prompts_of((Fork, Form, Remember)) == (
        "form",
        "form.observations",
        "summarize",
        "summarize.evaluation",
        "classify",
        "recall",
    )
    assert prompts_of((Reflect,)) == ("reflect", "reflect.summary", "reflect.flaw", "reflect.revision")
