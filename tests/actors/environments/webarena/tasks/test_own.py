"""Our own tasks: each is solved by its walk in a real browser, and all that the world has is tried by one of them."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import get_args

import pytest
from msgspec.structs import fields

from quintet.environments.webarena.actions import WebStop
from quintet.environments.webarena.evaluators.compare import is_exact
from quintet.environments.webarena.evaluators.evaluate import answer_holds, answers_to_grade
from quintet.environments.webarena.session import WebSession
from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.tasks.schema import NOT_ACHIEVABLE, EvalType, JudgeUse, TaskKind
from quintet.environments.webarena.tasks.walks import WalkStep
from quintet.environments.webarena.world import WebArena
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from tests.actors.environments.loops import in_loop
from tests.actors.environments.webarena.live import world_of

LIBRARY = open_library(None)
TASKS = LIBRARY.tasks.values()
AT_ONCE = 2
WRONG = {"read": "stop [I could not find it.]", "impossible": "stop [I could not find it.]"}


def test_there_are_some_of_each_kind_and_on_several_sites() -> None:
    assert Counter(task.kind for task in TASKS).keys() == set(get_args(TaskKind))
    assert Counter(task.judge for task in TASKS).keys() == set(get_args(JudgeUse))
    assert Counter(task.judge for task in TASKS)["always"] == 1
    assert len(LIBRARY.splits["several"]) >= 3
    asked = Counter((task.intent, task.start_url) for task in TASKS)
    assert max(asked.values()) == 1


def test_they_use_every_action_and_every_evaluator() -> None:
    steps = {type(step) for walk in LIBRARY.walks.values() for page in walk for step in page.steps}
    assert steps == set(get_args(WalkStep))
    assert {each for task in TASKS for each in task.eval.eval_types} == set(get_args(EvalType))
    answers = [task.eval.reference_answers for task in TASKS if task.eval.reference_answers]
    assert all(any(getattr(each, way.name) for each in answers) for way in fields(answers[0]))
    checks = [check for task in TASKS for check in task.eval.program_html]
    for way in ("exact_match", "must_include"):
        assert any(getattr(check.required_contents, way) for check in checks), way
    assert any(check.prep_actions for check in checks)
    assert {"", "last"} <= {check.locator for check in checks} | {check.url for check in checks}
    called = {text.partition("(")[0] for check in checks for text in (check.url, check.locator) if "func:" in text}
    assert called == {
        "func:reddit_get_post_url",
        "func:shopping_get_latest_order_url",
        "func:gitlab_get_project_memeber_role",
        "func:shopping_get_sku_latest_review_author",
        "func:shopping_get_sku_latest_review_rating",
    }
    assert any(" |OR| " in (task.eval.reference_url or "") for task in TASKS)


def test_each_has_a_walk_whose_answer_holds() -> None:
    assert LIBRARY.walks.keys() == LIBRARY.tasks.keys()
    for name, task in LIBRARY.tasks.items():
        last = LIBRARY.walks[name][-1].steps[-1]
        assert isinstance(last, WebStop)
        references = task.eval.reference_answers
        assert references is None or answer_holds(references, last.answer), name
        assert bool(answers_to_grade(task, last.answer)) == (task.judge == "always"), name
        assert is_exact(NOT_ACHIEVABLE, last.answer) == (task.kind == "impossible"), name


async def follow(world: WebArena, session: WebSession, name: str, steps: int) -> list[Outcome]:
    """Take so many steps of the walk: those that the expert advises, and the world without a browser too."""
    done: list[str] = []
    outcomes: list[Outcome] = []
    for _ in range(steps):
        advised = await session.expert()
        assert advised == await world.advise(Task(name=name, seed=0), done, session.observation)
        assert advised, f"the walk leads nowhere from here:\n{session.observation}"
        done += advised
        outcomes.append(await session.step(advised[0]))
        assert not outcomes[-1].rejected, f"{advised[0]}: {outcomes[-1].observation}"
    return outcomes


def length(name: str) -> int:
    return sum(len(page.steps) for page in LIBRARY.walks[name])


async def solved(world: WebArena, session: WebSession, name: str) -> float:
    """The reward of the whole walk; a judge, if the task has one, finds its answer correct."""
    *_, outcome = await follow(world, session, name, length(name))
    assert outcome.done
    return (await session.graded((True,))).reward if outcome.to_grade else outcome.reward


async def fallen_short(world: WebArena, session: WebSession, name: str) -> float:
    """The reward of a wrong answer, or of a walk without its last action."""
    if wrong := WRONG.get(LIBRARY.tasks[name].kind):
        outcome = await session.step(wrong)
        return (await session.graded((False,))).reward if outcome.to_grade else outcome.reward
    await follow(world, session, name, length(name) - 2)
    return (await session.step("stop []")).reward


@pytest.mark.web
@pytest.mark.parametrize(("play", "reward"), [(solved, 1.0), (fallen_short, 0.0)])
@in_loop
async def test_a_walk_solves_its_task_and_one_that_falls_short_earns_nothing(
    play: Callable[[WebArena, WebSession, str], Awaitable[float]], reward: float
) -> None:
    places = asyncio.Semaphore(AT_ONCE)

    async def one(world: WebArena, name: str) -> float:
        async with places:
            session = await world.open(Task(name=name, seed=0))
            try:
                return await play(world, session, name)
            except AssertionError as error:
                raise AssertionError(f"{name}: {error}") from error
            finally:
                await session.close()

    async with world_of() as world:
        found = await asyncio.gather(*(one(world, name) for name in LIBRARY.tasks))
    assert dict(zip(LIBRARY.tasks, found, strict=True)) == dict.fromkeys(LIBRARY.tasks, reward)
