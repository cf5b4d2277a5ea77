"""Episodes to learn from: the world's expert is followed, or a tree grows beside what the memory leads to."""

from collections.abc import Sequence

import pytest

from quintet.messages.environment import Step, Task
from quintet.messages.execution import Decide
from quintet.messages.parts import Recollection
from quintet.messages.reflection import Choose, Compare
from quintet.messages.solving import DecisionProcess, Solved, Unsolved
from quintet.methods.ldm2.learning import EXPERT, EXPLORE
from tests.actors.fakes import GOAL, SETTING, Kitchen, KitchenState
from tests.actors.methods.ldm2.kitchen import Ldm2Kitchen, actions_of, situation_of


def menu(request: Decide, _batch: int, done: int) -> str | Sequence[str]:
    """The ground process burns supper; the tree knows better at the second step."""
    if done == 0:
        return "wait"
    return ["burn", "serve", "fly"] if request.with_confidence else "burn"


def test_what_surpasses_the_ground_process_is_worth_remembering_from_the_step_that_the_reflector_names() -> None:
    roles = Ldm2Kitchen(menu, batches=2, step=2)
    answer = roles.play(EXPLORE)
    assert isinstance(answer, Solved)
    assert actions_of(answer.turns) == ["wait", "serve"]
    assert [(found.batch, found.first, found.reward) for found in answer.processes] == [(1, 2, 1.0), (2, 2, 1.0)]
    assert {(found.goal, found.setting) for found in answer.processes} == {(GOAL, SETTING)}
    assert answer.session is not None
    assert answer.processes[0].session == answer.session.id
    assert [[actions_of(turns) for turns in (asked.better, asked.worse)] for asked in roles.requests(Compare)] == [
        [["wait", "serve"], ["wait", "burn"]]
    ] * 2
    assert roles.requests(Choose) == []


def test_all_sessions_but_the_answers_are_closed() -> None:
    roles = Ldm2Kitchen(menu, batches=3)
    roles.play(EXPLORE)
    assert roles.actor.sessions == 2  # the episode's own, and the best


def test_if_the_reflector_names_no_step_the_first_turn_that_differs_counts() -> None:
    (found,) = Ldm2Kitchen(menu, step=None).play(EXPLORE).processes
    assert found.first == 2


@pytest.mark.parametrize("ground", ["serve", "burn"])
def test_what_is_no_better_than_the_ground_process_is_not(ground: str) -> None:
    def same(request: Decide, _batch: int, _done: int) -> str | Sequence[str]:
        return [ground, "fly"] if request.with_confidence else ground

    roles = Ldm2Kitchen(same)
    answer = roles.play(EXPLORE)
    assert answer.processes == ()
    assert roles.requests(Compare) == []
    assert answer.done
    assert roles.actor.sessions == 2


def test_a_reward_that_is_not_the_end_is_not_read() -> None:
    """Tasting earns 0.5 before the world is done."""

    def endless(request: Decide, _batch: int, done: int) -> str | Sequence[str]:
        return ["taste", "wait"] if request.with_confidence else "wait"

    assert Ldm2Kitchen(endless, max_steps=3).play(EXPLORE).processes == ()


def test_with_an_empty_memory_what_is_found_is_for_a_new_batch_memory() -> None:
    (found,) = Ldm2Kitchen(menu, batches=0).play(EXPLORE).processes
    assert found.batch == 0


def test_the_page_that_the_task_opened_on_is_shown_only_while_it_is_what_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Kitchen, "opens_on_page", True)
    roles = Ldm2Kitchen(menu)
    roles.play(EXPLORE)
    asked = roles.requests(Decide)
    assert {request.with_confidence for request in asked} == {False, True}
    assert {request.setting for request in asked} == {""}
    assert {situation_of(request).observation for request in asked} == {SETTING, ""}


def tree(roles: Ldm2Kitchen) -> list[Decide]:
    return [request for request in roles.requests(Decide) if request.with_confidence]


def test_a_node_is_asked_about_by_its_situation_with_the_memory_of_the_tree() -> None:
    roles = Ldm2Kitchen(menu, candidates=3, agreement=0.7, direct=0.9)
    roles.play(EXPLORE)
    assert [(request.n, request.history, request.thoughts) for request in tree(roles)] == [(3, (), False)] * 2
    assert [situation_of(request).summary for request in tree(roles)] == ["0 actions", "1 actions"]
    recalled = [part for request in tree(roles) for part in request.parts if isinstance(part, Recollection)]
    assert [(part.batch, part.agreement) for part in recalled] == [(1, 0.7)] * 2


def test_only_admissible_actions_branch_and_the_most_confident_paths_are_kept() -> None:
    def wide(request: Decide, _batch: int, done: int) -> str | Sequence[str]:
        return ["wait", "fly", "taste", "inventory", "burn"] if request.with_confidence else "burn"

    roles = Ldm2Kitchen(wide, candidates=5, width=2, max_steps=3)
    roles.play(EXPLORE)
    by_depth = [sum(situation_of(request).summary == f"{done} actions" for request in tree(roles)) for done in range(3)]
    assert by_depth == [1, 2, 2]


def test_where_the_world_rejects_every_action_the_model_is_asked_once_more() -> None:
    def agreed(request: Decide, _batch: int, done: int) -> str | Sequence[str]:
        if not request.with_confidence:
            return "burn"
        return "serve" if request.instead_of else "fly"

    roles = Ldm2Kitchen(agreed)
    answer = roles.play(EXPLORE)
    assert [request.instead_of for request in tree(roles)] == [(), ("fly",)]
    assert actions_of(answer.turns) == ["serve"]


def test_a_refused_process_is_surpassed_by_a_tree_that_goes_on() -> None:
    def refused(request: Decide, _batch: int, _done: int) -> str | Sequence[str]:
        return ["serve", "wait"] if request.with_confidence else "refuse"

    (found,) = Ldm2Kitchen(refused).play(EXPLORE).processes
    assert found.first == 1


class _Advised(KitchenState):
    def expert(self) -> tuple[str, ...] | None:
        return () if self.done else ("take salt", "serve")


class _ExpertKitchen(Kitchen):
    def open(self, task: Task) -> KitchenState:
        return _Advised()


def test_the_experts_actions_are_a_process_for_a_new_batch_memory() -> None:
    roles = Ldm2Kitchen(menu, world=_ExpertKitchen())
    answer = roles.play(EXPERT)
    assert isinstance(answer, Solved)
    assert answer.session is not None
    assert answer.processes == (
        DecisionProcess(goal=GOAL, setting=SETTING, session=answer.session.id, reward=1.0, batch=0, first=1),
    )
    assert [step.action for step in roles.requests(Step)] == ["take salt", "serve"]
    assert roles.requests(Decide) == []


def test_a_world_without_an_expert_gives_no_process_and_says_why() -> None:
    answer = Ldm2Kitchen(menu).play(EXPERT)
    assert isinstance(answer, Unsolved)
    assert (answer.reason, answer.processes) == ("the world knows of no expert", ())
