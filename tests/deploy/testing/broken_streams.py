"""A learner that keeps the contract along a stream, and others that break it in one place each, all on TextCraft."""

from collections.abc import Awaitable, Callable, Sequence
from itertools import count
from typing import Any, ClassVar, TypeAlias

from quintet.messages.learning import EpisodeRan, Learned, RunEpisode
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec
from tests.deploy.testing.broken_learners import Good, LearningConfig

Play: TypeAlias = Callable[[LearnerContext, str, int], Awaitable[EpisodeRan]]
"""Plays a task with a version."""


async def _judged(run: LearnerContext, task: str, version: int) -> EpisodeRan:
    (ran,) = await run.experience([task], version)
    return ran


async def _with_the_first_version(run: LearnerContext, task: str, _version: int) -> EpisodeRan:
    return await _judged(run, task, 0)


async def _rewarded(run: LearnerContext, task: str, version: int) -> EpisodeRan:
    return await run.roles.ask(RunEpisode(task=task, version=version, for_training=True))


_plays = count()


async def _counted(run: LearnerContext, task: str, version: int) -> EpisodeRan:
    ran = await _judged(run, task, version)
    return EpisodeRan(faulted=ran.faulted, reward=next(_plays), experience=ran.experience)


class FollowerLearner(LearnerSpec[LearningConfig]):
    """Adds a line to its plan after every task."""

    worlds = {"textcraft": {}}
    follows_streams = True
    play: ClassVar[Play] = staticmethod(_judged)
    order: ClassVar[Callable[[Sequence[str]], Sequence[str]]] = staticmethod(tuple)

    async def learn(self, run: LearnerContext) -> Learned:
        how, text = type(self), run.start
        await run.publish(0, text)
        for version, task in enumerate(how.order(run.training)):
            ran = await how.play(run, task, version)
            text = f"{text}{version}. {task} came to {ran.reward:g}.\n"
            await run.publish(version + 1, text)
        return Learned(version=len(run.training))

    def versions(self, training: int, trajectories: int = 0) -> int:
        return training


class Follower(Good):
    learner = FollowerLearner


def _reversed(tasks: Sequence[str]) -> Sequence[str]:
    return tasks[::-1]


def _taking(**parts: Any) -> type[Good]:
    return type("LearningMethod", (Good,), {"learner": type("OwnLearner", (FollowerLearner,), parts)})


Backwards = _taking(order=staticmethod(_reversed))
Stale = _taking(play=staticmethod(_with_the_first_version))
Rewarded = _taking(play=staticmethod(_rewarded))
Counting = _taking(play=staticmethod(_counted))
