"""A learner that keeps its contract, and others that break it in one place each, all on TextCraft."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, TypeAlias

from pydantic import BaseModel, Field

from quintet.errors import BudgetSpent
from quintet.messages.execution import Execute
from quintet.messages.learning import Learned
from quintet.messages.parts import PromptPart, TaskPlan
from quintet.messages.planning import Lesson, PlanRevised, RevisePlan
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.autoplan.autoplan import AUTOPLAN
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.learning import LearnerSpec
from quintet.methods.base.method import Method
from quintet.methods.base.verdict import verdict


class Config(BaseModel):
    """What can be set of an episode."""

    turns: int = Field(default=1, ge=1)


class LearningConfig(BaseModel):
    """What can be set of learning."""

    updates: int = Field(default=2, ge=1)


Run: TypeAlias = LearnerContext[LearningConfig]
Update: TypeAlias = Callable[[Run, str, int], Awaitable[str]]
"""The text of a version, by the text and the number of the one before it."""
Choose: TypeAlias = Callable[[Run], Awaitable[int]]
"""The version that it stands by."""


async def _taught(run: Run, tasks: Sequence[str], text: str, version: int) -> str:
    """What the planner makes of a version and of how some tasks went with it."""
    ran = await run.experience(tasks, version)
    lessons = [Lesson(opening=e.experience.opening, succeeded=e.succeeded) for e in ran if e.experience is not None]
    revised = await run.planner.ask(RevisePlan(plan=text, lessons=tuple(lessons)))
    return revised.text if isinstance(revised, PlanRevised) else text


async def _from_training(run: Run, text: str, version: int) -> str:
    return await _taught(run, run.training[:2], text, version)


async def _from_tests(run: Run, text: str, version: int) -> str:
    return await _taught(run, (*run.training[:1], *run.test), text, version)


async def _for_tests(run: Run, text: str, version: int) -> str:
    return f"{await _from_training(run, text, version)} {run.test}"


async def _from_held_out(run: Run, text: str, version: int) -> str:
    return await _taught(run, (*run.training[:1], *run.held_out), text, version)


async def _abroad(run: Run, text: str, version: int) -> str:
    await run.measure(["cake"], version)
    return await _from_training(run, text, version)


async def _while_tests_fail(run: Run, text: str, version: int) -> str:
    return text if await run.measure(run.test, version) else await _from_training(run, text, version)


async def _as_they_ended(run: Run, text: str, version: int) -> str:
    ended: list[str] = []

    async def ran(task: str) -> None:
        await run.experience([task], version)
        ended.append(task)

    async with run.branches() as group:
        for task in run.training:
            group.start(ran, task)
    return f"{text} {ended}"


_updates = count()


async def _counted(run: Run, text: str, version: int) -> str:
    await run.experience(run.training[:2], version)
    return f"update {next(_updates)}"


async def _if_paid_for(run: Run, text: str, version: int) -> str:
    try:
        return await _from_training(run, text, version)
    except BudgetSpent:
        return text


async def _too_early(run: Run, text: str, version: int) -> str:
    await run.measure(run.held_out, version + 1)
    return await _from_training(run, text, version)


async def _best(run: Run, tasks: Sequence[str]) -> int:
    went = [await run.measure(tasks, version) or 0.0 for version in range(run.config.updates + 1)]
    return went.index(max(went))


async def _by_held_out(run: Run) -> int:
    return await _best(run, run.held_out)


async def _by_tests(run: Run) -> int:
    return await _best(run, run.test)


async def _beyond(run: Run) -> int:
    return 10 * run.config.updates  # whose digits begin with those of a version


async def _tested(run: Run, chosen: int) -> None:
    await run.measure(run.test, min(chosen, run.config.updates))


async def _last_tested(run: Run, chosen: int) -> None:
    await run.measure(run.test, run.config.updates)


def _learning(
    update: Update = _from_training,
    choose: Choose = _by_held_out,
    test: Callable[[Run, int], Awaitable[None]] = _tested,
    start: Callable[[Run], str] = lambda run: run.start,
) -> Callable[[Run], Awaitable[Learned]]:
    async def learn(run: Run) -> Learned:
        text = start(run)
        await run.publish(0, text)
        for version in range(run.config.updates):
            text = await update(run, text, version)
            await run.publish(version + 1, text)
        chosen = await choose(run)
        await test(run, chosen)
        return Learned(version=chosen)

    return learn


async def solve(episode: Episode[Config]) -> Solved | Unsolved:
    """A few turns of the executor."""
    return await _executed(episode, episode.parts)


async def _told_nothing(episode: Episode[Config]) -> Solved | Unsolved:
    return await _executed(episode, ())


_remembered: list[PromptPart] = []


async def _told_all_it_remembers(episode: Episode[Config]) -> Solved | Unsolved:
    _remembered.extend(episode.parts)
    return await _executed(episode, tuple(dict.fromkeys(_remembered)))


async def _executed(episode: Episode[Config], parts: tuple[PromptPart, ...]) -> Solved | Unsolved:
    executed = await episode.executor.ask(
        Execute(
            session=episode.session,
            setting=episode.setting,
            goal=episode.goal,
            parts=parts,
            max_calls=episode.config.turns,
            patience=3,
        )
    )
    return verdict(executed, session=episode.session, depth=episode.depth)


def _plan(content: str) -> tuple[PromptPart, ...]:
    return (TaskPlan(text=content),) if content else ()


def _nothing(_content: str) -> tuple[PromptPart, ...]:
    return ()


def _always_the_same(_content: str) -> tuple[PromptPart, ...]:
    return (TaskPlan(text="1. Do as always."),)


def _versions(config: LearningConfig, _training: int) -> int:
    return config.updates


def _one_more(config: LearningConfig, _training: int) -> int:
    return config.updates + 1


LEARNING = LearnerSpec(
    config=LearningConfig,
    learn=_learning(),
    roles=("planner",),
    prompts=("planner", "update"),
    parts=_plan,
    exploration=lambda _config: None,
    versions=_versions,
    worlds={"textcraft": {"split": "dev"}},
)

GOOD = Method(
    name="pupil",
    version="1",
    config=Config,
    solve=solve,
    roles=("executor",),
    prompt_folders=AUTOPLAN.prompt_folders,
    worlds={"textcraft": {}},
    learning=LEARNING,
)


def _taking(**parts: Any) -> Method:
    return replace(GOOD, learning=replace(LEARNING, **parts))


PROMPTLESS = _taking(prompts=("planner", "letter"))
UNINSTRUCTED = _taking(prompts=("update",))
MISCOUNTING = _taking(versions=_one_more)
HEADSTRONG = _taking(learn=_learning(start=lambda _run: "1. Begin as I like."))
BOASTING = _taking(learn=_learning(choose=_beyond))
HASTY = _taking(learn=_learning(update=_too_early))
DEAF = replace(GOOD, solve=_told_nothing)
NOSTALGIC = replace(GOOD, solve=_told_all_it_remembers)
SILENT = _taking(parts=_nothing)
STUBBORN = _taking(parts=_always_the_same)
NOSY = _taking(learn=_learning(update=_from_tests))
CUNNING = _taking(learn=_learning(update=_for_tests))
PRYING = _taking(learn=_learning(update=_from_held_out))
STRAYING = _taking(learn=_learning(update=_abroad))
CRAMMING = _taking(learn=_learning(update=_while_tests_fail))
CHEATING = _taking(learn=_learning(choose=_by_tests))
EVASIVE = _taking(learn=_learning(test=_last_tested))
RACING = _taking(learn=_learning(update=_as_they_ended))
COUNTED = _taking(learn=_learning(update=_counted))
THRIFTY = _taking(learn=_learning(update=_if_paid_for))
