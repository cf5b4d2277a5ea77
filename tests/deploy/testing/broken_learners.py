"""A learner that keeps its contract, and others that break it in one place each, all on TextCraft."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any, ClassVar, TypeAlias

from pydantic import BaseModel, Field

from quintet.errors import BudgetSpent
from quintet.messages.execution import Execute
from quintet.messages.learning import Learned
from quintet.messages.message import Request
from quintet.messages.parts import PromptPart
from quintet.messages.planning import Lesson, MakePlan, PlanRevised, RevisePlan
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.autoplan.autoplan import AutoPlan
from quintet.methods.base.episode import Episode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec, Method


class Config(BaseModel):
    """The options of an episode."""

    turns: int = Field(default=1, ge=1)


class LearningConfig(BaseModel):
    """No options."""


_UPDATES = 2


Run: TypeAlias = LearnerContext
Update: TypeAlias = Callable[[Run, str, int], Awaitable[str]]
"""The text of a version, by the text and the number of the one before it."""
Choose: TypeAlias = Callable[[Run], Awaitable[int]]
"""Chooses a version."""


async def _revise_after(run: Run, tasks: Sequence[str], text: str, version: int) -> str:
    """The planner's revision of a version, after its experience on some tasks."""
    ran = await run.experience(tasks, version)
    lessons = [Lesson(opening=e.experience.opening, succeeded=e.succeeded) for e in ran if e.experience is not None]
    revised = await run.ask(RevisePlan(plan=text, lessons=tuple(lessons)))
    return revised.text if isinstance(revised, PlanRevised) else text


async def _from_training(run: Run, text: str, version: int) -> str:
    return await _revise_after(run, run.training[:2], text, version)


async def _from_tests(run: Run, text: str, version: int) -> str:
    return await _revise_after(run, (*run.training[:1], *run.test), text, version)


async def _for_tests(run: Run, text: str, version: int) -> str:
    return f"{await _from_training(run, text, version)} {run.test}"


async def _from_held_out(run: Run, text: str, version: int) -> str:
    return await _revise_after(run, (*run.training[:1], *run.held_out), text, version)


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
    went = [await run.measure(tasks, version) or 0.0 for version in range(_UPDATES + 1)]
    return went.index(max(went))


async def _by_held_out(run: Run) -> int:
    return await _best(run, run.held_out)


async def _by_tests(run: Run) -> int:
    return await _best(run, run.test)


async def _beyond(run: Run) -> int:
    return 10 * _UPDATES  # its digits begin with those of a version


async def _tested(run: Run, chosen: int) -> None:
    await run.measure(run.test, min(chosen, _UPDATES))


async def _last_tested(run: Run, chosen: int) -> None:
    await run.measure(run.test, _UPDATES)


class GoodLearner(LearnerSpec[LearningConfig]):
    """Makes two versions from training tasks, and chooses one by held-out tasks."""

    requests: ClassVar[tuple[type[Request[Any]], ...]] = (RevisePlan,)
    worlds = {"textcraft": {"split": "dev"}}
    update: ClassVar[Update] = staticmethod(_from_training)
    choose: ClassVar[Choose] = staticmethod(_by_held_out)
    test: ClassVar[Callable[[Run, int], Awaitable[None]]] = staticmethod(_tested)

    async def learn(self, run: Run) -> Learned:
        how = type(self)
        text = self.begin(run)
        await run.publish(0, text)
        for version in range(_UPDATES):
            text = await how.update(run, text, version)
            await run.publish(version + 1, text)
        chosen = await how.choose(run)
        await how.test(run, chosen)
        return Learned(version=chosen)

    def begin(self, run: Run) -> str:
        return run.start

    def versions(self, training: int, trajectories: int = 0) -> int:
        return _UPDATES


class Good(Method[Config]):
    """A few turns of the executor."""

    name = "pupil"
    version = "1"
    requests = (Execute,)
    prompt_folders = AutoPlan.prompt_folders
    worlds = {"textcraft": {}}
    learner: ClassVar[type[LearnerSpec[Any]] | None] = GoodLearner

    def parts(self, episode: Episode) -> tuple[PromptPart, ...]:
        return episode.parts

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.execute(parts=self.parts(episode), max_calls=self.config.turns, patience=3)


class Deaf(Good):
    def parts(self, episode: Episode) -> tuple[PromptPart, ...]:
        return ()


_remembered: list[PromptPart] = []


class Nostalgic(Good):
    def parts(self, episode: Episode) -> tuple[PromptPart, ...]:
        _remembered.extend(episode.parts)
        return tuple(dict.fromkeys(_remembered))


class _Miscounting(GoodLearner):
    def versions(self, training: int, trajectories: int = 0) -> int:
        return _UPDATES + 1


class _Headstrong(GoodLearner):
    def begin(self, run: Run) -> str:
        return "1. Begin as I like."


def _with(learner: type[LearnerSpec[Any]]) -> type[Good]:
    return type("LearningMethod", (Good,), {"learner": learner})


def _taking(**parts: Any) -> type[Good]:
    return _with(type("OwnLearner", (GoodLearner,), parts))


Promptless = _taking(requests=(RevisePlan, MakePlan))
Miscounting = _with(_Miscounting)
Headstrong = _with(_Headstrong)
Boasting = _taking(choose=staticmethod(_beyond))
Hasty = _taking(update=staticmethod(_too_early))
Nosy = _taking(update=staticmethod(_from_tests))
Cunning = _taking(update=staticmethod(_for_tests))
Prying = _taking(update=staticmethod(_from_held_out))
Straying = _taking(update=staticmethod(_abroad))
Cramming = _taking(update=staticmethod(_while_tests_fail))
Cheating = _taking(choose=staticmethod(_by_tests))
Evasive = _taking(test=staticmethod(_last_tested))
Racing = _taking(update=staticmethod(_as_they_ended))
Counted = _taking(update=staticmethod(_counted))
Thrifty = _taking(update=staticmethod(_if_paid_for))
