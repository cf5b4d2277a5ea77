"""LDM2's episodes at test time: a process for each batch memory, and a choice that no reward decides."""

import pytest

from quintet.errors import ModelFault
from quintet.messages.environment import Fork
from quintet.messages.execution import Decide
from quintet.messages.memory import Classify, Summarize
from quintet.messages.message import ReplyT, Request
from quintet.messages.parts import Recollection
from quintet.messages.reflection import Choose
from quintet.messages.solving import Solved, Unsolved
from tests.actors.fakes import GOAL, SETTING
from tests.actors.methods.ldm2.kitchen import Ldm2Kitchen, actions_of, batch_of


def by_batch(_request: Decide, batch: int, done: int) -> str:
    """Batch memory 2 leads to supper, any other to a burnt one."""
    return ["wait", "serve" if batch == 2 else "burn"][done]


@pytest.mark.parametrize("batches", [None, 0])
def test_an_empty_memory_leads_to_one_process_without_anything_recalled(batches: int | None) -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["wait", "serve"][done], batches=batches)
    answer = roles.play()
    assert isinstance(answer, Solved)
    assert actions_of(answer.turns) == ["wait", "serve"]
    assert [batch_of(request) for request in roles.requests(Decide)] == [0, 0]
    assert len(roles.requests(Fork)) == 1
    assert roles.requests(Choose) == []
    assert roles.requests(Classify) == []


def test_every_batch_memory_has_a_process_in_a_copy_of_its_own() -> None:
    roles = Ldm2Kitchen(by_batch, batches=3, choice=2)
    answer = roles.play()
    assert isinstance(answer, Solved)
    (choose,) = roles.requests(Choose)
    assert [actions_of(turns) for turns in choose.options] == [["wait", "burn"], ["wait", "serve"]], "equal ones once"
    assert len(roles.requests(Fork)) == 3
    assert answer.session is not None
    assert roles.actor.sessions == 2  # the episode's own, and the chosen one


def test_between_equal_processes_nothing_is_chosen() -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["wait", "serve"][done], batches=3)
    assert actions_of(roles.play().turns) == ["wait", "serve"]
    assert roles.requests(Choose) == []
    assert roles.actor.sessions == 2  # the episode's own, and the first one


def test_no_option_shows_its_last_observation() -> None:
    roles = Ldm2Kitchen(by_batch, batches=2)
    roles.play()
    (choose,) = roles.requests(Choose)
    assert choose.ended == (1, 2)


def test_what_is_chosen_is_the_answer_whatever_it_earned() -> None:
    answer = Ldm2Kitchen(by_batch, batches=2, choice=1).play()
    assert isinstance(answer, Unsolved)
    assert actions_of(answer.turns) == ["wait", "burn"]


def test_without_a_choice_the_first_process_is_the_answer() -> None:
    assert actions_of(Ldm2Kitchen(by_batch, batches=2, choice=None).play().turns) == ["wait", "burn"]


class Refusing(Ldm2Kitchen):
    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        if isinstance(request, Choose):
            raise ModelFault("the prompt is too long")
        return await super().ask(request)


def test_if_the_choice_is_refused_the_first_process_is_the_answer() -> None:
    assert actions_of(Refusing(by_batch, batches=2).play().turns) == ["wait", "burn"]


def test_each_step_recalls_from_its_batch_memory_of_the_version_and_of_the_type_of_its_goal() -> None:
    roles = Ldm2Kitchen(by_batch, batches=2, direct=0.9)
    roles.play(budget=99, control="shuffled")
    recalled = {part for request in roles.requests(Decide) for part in request.parts if isinstance(part, Recollection)}
    expected = {
        Recollection(
            version=3,
            batches=2,
            batch=batch,
            budget=99,
            control="shuffled",
            agreement=0.9,
            goal=GOAL,
            goal_type=10 + batch,
        )
        for batch in (1, 2)
    }
    assert recalled == expected
    assert [request.batch for request in roles.requests(Classify)] == [1, 2]


def test_a_process_always_asks_the_model_unless_it_may_act_directly() -> None:
    roles = Ldm2Kitchen(by_batch, batches=2, agreement=0.7)
    roles.play()
    recalled = {part for request in roles.requests(Decide) for part in request.parts if isinstance(part, Recollection)}
    assert {part.agreement for part in recalled} == {None}


def test_by_embedding_no_type_is_asked_for() -> None:
    roles = Ldm2Kitchen(by_batch, batches=2)
    roles.play(retrieval="embedding")
    assert roles.requests(Classify) == []


def test_a_summary_of_the_past_is_asked_for_before_every_step() -> None:
    roles = Ldm2Kitchen(lambda _request, _batch, done: ["wait", "taste", "serve"][done])
    roles.play()
    asked = roles.requests(Summarize)
    assert [(len(request.steps), request.observation) for request in asked] == [(0, SETTING), (1, ""), (2, "Not bad.")]
    assert [(step.observation, step.action) for step in asked[-1].steps] == [(SETTING, "wait"), ("", "taste")]
