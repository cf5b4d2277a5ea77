import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.errors import DeadlineExceeded, ModelFault
from quintet.messages.environment import Step
from quintet.messages.execution import Decide, Turn
from quintet.messages.parts import Inventory, PromptPart, Reflections
from quintet.messages.prompts import Prompt
from quintet.messages.reflection import Value
from quintet.methods.base.episode import Episode
from quintet.ports.model import Completion, Model, Sampling
from quintet.roles.turn_text import ENDED
from quintet.search.best_first import search_best_first
from quintet.search.expansion import Child, Point
from quintet.search.tree_search import TreeSearch
from tests.actors.fakes import Kitchens
from tests.actors.search.kitchen import Cook, Taster, expander, inside, kitchens, path


def expanded(
    menu: Mapping[str, Sequence[str]],
    marks: Mapping[str, str] | None = None,
    *,
    value: float | None = None,
    **options: Any,
) -> tuple[Kitchens, list[tuple[str, float, float | None]]]:
    """The children of the root: action, confidence and value. Only their sessions and the root's are open then."""
    roles = kitchens(menu, marks)

    async def work(episode: Episode) -> tuple[Child, ...]:
        point = Point(session=episode.session, turns=(), value=value)
        children = await expander(episode, **options).expand(point)
        assert roles.actor.sessions == 1 + len(children)
        return children

    return roles, [(child.action, child.confidence, child.value) for child in inside(roles, work)]


def test_candidates_become_children_with_their_values() -> None:
    roles, children = expanded({"": ["wait", "taste"]}, {"wait": "Mark: 10", "taste": "Mark: 1"})
    assert children == [("wait", 0.5, 1.0), ("taste", 0.5, 0.0)]
    assert [(request.n, request.history) for request in roles.requests(Decide)] == [(2, ())]


def test_repeats_are_tried_once_and_what_the_world_rejects_is_no_child() -> None:
    roles, children = expanded({"": ["wait", "fly", "wait", "Action: task completed"]}, candidates=4)
    assert [child[:2] for child in children] == [("wait", 0.5)]
    assert [step.action for step in roles.requests(Step)] == ["wait", "fly"]


def test_a_state_is_judged_without_sight_of_the_reward() -> None:
    roles, _ = expanded({"": ["sell"]})
    assert [turn.observation for request in roles.requests(Value) for turn in request.turns] == [ENDED]


def test_where_nothing_can_be_done_there_are_no_children_and_no_values() -> None:
    roles, children = expanded({"": ["fly", "Hm: hm."]})
    assert (children, roles.requests(Value)) == ([], [])


def test_the_root_may_have_other_numbers_of_candidates() -> None:
    roles, _ = expanded({"": ["wait"]}, root_candidates=3)
    assert [request.n for request in roles.requests(Decide)] == [3]


def test_siblings_are_told_what_was_proposed_before_them() -> None:
    roles, children = expanded({"": ["wait", "taste", "wait"]}, candidates=3, siblings=True)
    assert [request.instead_of for request in roles.requests(Decide)] == [(), ("wait",), ("wait", "taste")]
    assert [child[0] for child in children] == ["wait", "taste"]


def test_where_candidates_agree_the_tree_goes_on_in_a_line_without_a_call_for_a_value() -> None:
    roles, children = expanded({"": ["wait", "wait", "taste"]}, candidates=3, agreement=0.6, value=0.3)
    assert children == [("wait", 1.0, 0.3)]
    assert roles.requests(Value) == []


def test_where_they_disagree_all_are_tried() -> None:
    _, children = expanded({"": ["wait", "wait", "taste"]}, candidates=3, agreement=0.8)
    assert [child[0] for child in children] == ["wait", "taste"]


def test_where_the_world_rejects_all_candidates_others_are_drawn_as_often_as_it_may() -> None:
    roles, children = expanded({"": ["fly", "swim", "wait", "taste"]}, redraws=2)
    assert [request.instead_of for request in roles.requests(Decide)] == [(), ("fly", "swim")]
    assert [child[0] for child in children] == ["wait", "taste"]
    roles, children = expanded({"": ["fly", "swim", "crawl"]}, candidates=1, redraws=1)
    assert [request.instead_of for request in roles.requests(Decide)] == [(), ("fly",)]
    assert children == []


def test_nothing_is_drawn_anew_where_nothing_was_proposed() -> None:
    roles, children = expanded({"": ["Hm: hm."]}, redraws=2)
    assert (len(roles.requests(Decide)), children) == (1, [])


def test_candidates_may_be_told_the_state_in_other_words_than_the_turns() -> None:
    roles = kitchens({"": ["wait"]})
    before = Turn(completion="Action: taste", observation="Not bad.")

    async def describe(point: Point) -> tuple[PromptPart, ...]:
        return (Inventory(text=f"after {len(point.turns)} turn"),)

    async def work(episode: Episode) -> tuple[Child, ...]:
        point = Point(session=episode.session, turns=(before,), value=None, parts=(Reflections(texts=("Hm.",)),))
        return await expander(episode, describe=describe, candidates=3, root_candidates=1).expand(point)

    (child,) = inside(roles, work)
    (asked,) = roles.requests(Decide)
    assert (asked.history, asked.n) == ((), 3)
    assert asked.parts[-2:] == (Reflections(texts=("Hm.",)), Inventory(text="after 1 turn"))
    (valued,) = roles.requests(Value)
    assert valued.turns == (before, child.turn)


def test_a_state_that_a_model_refuses_to_describe_has_no_children() -> None:
    async def describe(point: Point) -> tuple[PromptPart, ...]:
        raise ModelFault("the prompt is too long")

    roles, children = expanded({"": ["wait"]}, describe=describe, redraws=1)
    assert (roles.requests(Decide), children) == ([], [])


class Away:
    """A model that does not answer."""

    name = "away"

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        raise DeadlineExceeded("no answer")


def test_sessions_of_an_expansion_that_fails_are_closed() -> None:
    roles = Kitchens(Cook({"": ["wait", "taste"]}), reflecting=Away())

    async def work(episode: Episode) -> int:
        with pytest.raises(DeadlineExceeded):
            await expander(episode).expand(Point(session=episode.session, turns=(), value=None))
        assert len(roles.requests(Step)) == 2
        return roles.actor.sessions

    assert inside(roles, work) == 1


@pytest.mark.parametrize("action", ["serve", "burn"])
def test_a_done_child_says_so(action: str) -> None:
    roles = kitchens({"": [action]})

    async def work(episode: Episode) -> Child:
        (child,) = await expander(episode, candidates=1).expand(Point(session=episode.session, turns=(), value=None))
        return child

    child = inside(roles, work)
    assert (child.done, child.reward) == (True, float(action == "serve"))


class Refusing:
    """A model that refuses every prompt about a state behind one action."""

    def __init__(self, model: Model, after: str) -> None:
        self._model = model
        self._after = after

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if path(prompt)[-1:] == (self._after,):
            raise ModelFault("the prompt is too long")
        return await self._model.complete(prompt, sampling)


def test_a_refused_prompt_leaves_a_node_without_children_and_a_refused_mark_is_0() -> None:
    cook, taster = Cook({"": ["wait", "taste"], "taste": ["serve"]}), Taster({"taste": "Mark: 2"})
    roles = Kitchens(Refusing(cook, "wait"), reflecting=Refusing(taster, "wait"))

    async def work(episode: Episode) -> list[tuple[str, float | None, str]]:
        search = TreeSearch(episode, max_depth=3, rank=lambda node: -node.score, oracle=True)
        await search_best_first(search, expander(episode), rank=lambda node: -node.score)
        await search.conclude()
        return [(node.action, node.value, node.standing) for node in search.tree.nodes[1:]]

    expected = [("wait", 0.0, "pruned"), ("taste", pytest.approx(1 / 9), "chosen"), ("serve", 4 / 9, "chosen")]
    assert inside(roles, work) == expected


@pytest.mark.parametrize("turns", range(0, 120, 3))
def test_a_stop_at_any_moment_leaves_no_session_open_but_those_of_children_that_came_back(turns: int) -> None:
    roles = kitchens({"": ["wait", "fly", "taste", "swim"]})

    async def work(episode: Episode) -> int:
        found: list[Child] = []

        async def expand() -> None:
            found.extend(
                await expander(episode, candidates=4).expand(Point(session=episode.session, turns=(), value=None))
            )

        async with episode.branches() as group:
            group.start(expand)
            for _ in range(turns):
                await asyncio.sleep(0)
            await group.stop()
        return roles.actor.sessions - len(found)

    assert inside(roles, work) == 1
