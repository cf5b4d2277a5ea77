"""AutoPlan's learner: reflects on batches of episodes, and rewrites the plan after each."""

from collections.abc import Iterator, Sequence
from math import ceil
from random import Random

from quintet.messages.learning import EpisodeRan, Experience, Learned, Version
from quintet.messages.planning import Lesson, PlanRevised, RevisePlan
from quintet.messages.reflection import Reflect, Reflected
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.method import LearnerSpec
from quintet.methods.base.versions import publish_versions
from quintet.ports.model import SamplingOverride


class AutoPlanLearner(LearnerSpec[AutoPlanLearning]):
    """Rewrites one plan after every batch of episodes with it."""

    requests = (RevisePlan, Reflect)
    follows_streams = True
    worlds = {
        "alfworld": {"split": "train", "tasks": 24},
        "textcraft": {"split": "dev", "tasks": 24},
        "hotpotqa": {"split": "train", "tasks": 50},
        "webshop": {"split": "train", "tasks": 24},
    }

    async def learn(self, run: LearnerContext) -> Learned:
        """Publish the first plan, and a new one after every batch of episodes.

        The next batch runs while a plan is measured, and does not depend on the measure.

        Source: AutoPlan, section 3.2. Differs: a batch's episodes run in parallel, as do its reflections; measuring
        overlaps with the next batch; held-out tasks may choose the plan (all ours). The paper's code does none of this,
        and takes batches in the order of the data set.
        """
        batches = self._batches(run.training, run.random())
        plan = run.start

        async def make(version: Version) -> str:
            nonlocal plan
            if version:
                plan = await self._improve(run, plan, version - 1, next(batches))
            return plan

        return await publish_versions(run, self.config, self.versions(len(run.training)), make)

    def _batches(self, tasks: Sequence[str], random: Random) -> Iterator[Sequence[str]]:
        """Batches in passes over the tasks, each pass in a new order; an incomplete batch at its end is dropped.

        Along a stream there is one pass, in its order, and its last batch may be smaller.

        Source: AutoPlan, section 3.2.1, for the random order; its code for the passes.
        """
        size = self.config.batch
        if self.stream:
            yield from (tasks[first : first + size] for first in range(0, len(tasks), size))
            return
        while True:
            order = random.sample(tasks, len(tasks))
            for first in range(0, len(tasks) - size + 1, size):
                yield order[first : first + size]

    async def _improve(self, run: LearnerContext, plan: str, version: Version, batch: Sequence[str]) -> str:
        """Rewrite the plan after a batch of episodes; it stays if there is no lesson or the planner fails.

        Source: AutoPlan, section 3.2.3, equation 9. Differs: an episode that faulted, or whose reflection failed, is
        left out of the batch; the paper has neither case.
        """
        ran = await run.experience(batch, version)
        async with run.branches() as group:
            asked = [
                group.start(self._lesson, run, plan, episode, episode.experience)
                for episode in ran
                if episode.experience is not None and not episode.faulted
            ]
        lessons = tuple(lesson for branch in asked if (lesson := branch.result()) is not None)
        if not lessons:
            return plan
        revised = await run.ask(RevisePlan(plan=plan, lessons=lessons, sampling=self.config.reflection_sampling))
        return revised.text if isinstance(revised, PlanRevised) else plan

    async def _lesson(
        self, run: LearnerContext, plan: str, episode: EpisodeRan, experience: Experience
    ) -> Lesson | None:
        """The lesson of an episode; None if the reflection on it failed.

        Source: AutoPlan, section 3.2.2, equations 6 to 8.
        """
        succeeded, depth = episode.succeeded, self.config.reflection
        if depth == "none":
            return Lesson(opening=experience.opening, succeeded=succeeded)
        reflected = await run.ask(
            Reflect(
                experience=experience,
                plan=plan,
                succeeded=succeeded,
                depth=depth,
                one_conversation=self.config.one_conversation,
                sampling=self.config.reflection_sampling,
            )
        )
        if not isinstance(reflected, Reflected):
            return None
        return Lesson(
            opening=experience.opening,
            succeeded=succeeded,
            summary=reflected.summary,
            flaws=reflected.flaws,
            revision=reflected.revision,
        )

    def versions(self, training: int, trajectories: int = 0) -> int:
        batch, iterations = self.config.batch, self.config.iterations
        if batch > training:
            raise ValueError(f"learning.batch: expected at most {training}, the tasks to learn from, got {batch}")
        if not self.stream:
            return training // batch if iterations is None else iterations
        if iterations is not None:
            expected = "none along a stream, whose tasks are played once"
            raise ValueError(f"learning.iterations: expected {expected}, got {iterations}")
        return ceil(training / batch)

    def most_calls(self, training: int) -> int:
        updates = self.versions(training)
        episodes = training if self.stream else updates * self.config.batch
        return updates + episodes * {"full": 3, "summary": 1, "none": 0}[self.config.reflection]

    def exploration(self) -> SamplingOverride:
        return self.config.exploration_sampling

    def episodes(self, training: int, held_out: int, test: int, trajectories: int = 0) -> int:
        last = self.versions(training)
        return self.config.batch * last + self.config.episodes(last, held_out, test)
