"""How AutoPlan learns: batches of experience, each reflected on and worked into the plan."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeAlias

from quintet.messages.learning import EpisodeRan, Experience, Learned, Version
from quintet.messages.parts import TaskPlan
from quintet.messages.planning import Lesson, PlanRevised, RevisePlan
from quintet.messages.reflection import Reflect, Reflected
from quintet.methods.autoplan.config import AutoPlanLearning
from quintet.methods.base.learner_context import LearnerContext
from quintet.methods.base.learning import LearnerSpec
from quintet.ports.model import SamplingOverride
from quintet.roles.context import Branch

Run: TypeAlias = LearnerContext[AutoPlanLearning]


async def learn(run: Run) -> Learned:
    """Publish the plan at the start, and after every batch of episodes with it the plan that was made from them.

    While a plan is measured, the batch after it is collected already, and nothing of the batch depends on the measure.

    Source: AutoPlan, section 3.2. Differs: a batch's episodes run at once, as do its reflections; measuring overlaps
    with collecting; a plan may be chosen by tasks that are held out (all ours). The paper's code does none of it, and
    takes batches in the order of the data set.
    """
    last = versions(run.config, len(run.training))
    batches = _batches(run.training, run.config.batch, run.random())
    plan = run.start
    async with run.branches() as measuring:
        held_out: list[Branch[float | None]] = []
        for version in range(last + 1):
            if version:
                plan = await _improved(run, plan, version - 1, next(batches))
            await run.publish(version, plan)
            if chooses(run.config):
                held_out.append(measuring.start(run.measure, run.held_out, version))
            if version in _measured(run.config, last):
                measuring.start(run.measure, run.test, version)
    if not chooses(run.config):
        return Learned(version=last)
    # A version of which nothing is known, since every episode faulted, is worse than any of which something is.
    rates = [-1.0 if (rate := branch.result()) is None else rate for branch in held_out]
    best = max(range(last + 1), key=lambda version: (rates[version], version))
    if best not in _measured(run.config, last):
        await run.measure(run.test, best)
    return Learned(version=best)


async def _improved(run: Run, plan: str, version: Version, batch: Sequence[str]) -> str:
    """The plan after a batch of episodes with it; the same where they taught nothing, or where none could be written.

    Source: AutoPlan, section 3.2.3, equation 9. Differs: an episode that faulted, or that could not be reflected on, is
    left out of the batch; the paper knows neither.
    """
    ran = await run.experience(batch, version)
    async with run.branches() as group:
        asked = [
            group.start(_lesson, run, plan, episode, episode.experience)
            for episode in ran
            if episode.experience is not None and not episode.faulted
        ]
    lessons = tuple(lesson for branch in asked if (lesson := branch.result()) is not None)
    if not lessons:
        return plan
    revised = await run.ask(run.planner, RevisePlan(plan=plan, lessons=lessons, sampling=run.config.reflecting))
    return revised.text if isinstance(revised, PlanRevised) else plan


async def _lesson(run: Run, plan: str, episode: EpisodeRan, experience: Experience) -> Lesson | None:
    """What an episode taught; None where it was to be reflected on and could not be.

    Source: AutoPlan, section 3.2.2, equations 6 to 8.
    """
    succeeded, depth = episode.succeeded, run.config.reflection
    if depth == "none":
        return Lesson(opening=experience.opening, succeeded=succeeded)
    reflected = await run.ask(
        run.reflector,
        Reflect(
            experience=experience,
            plan=plan,
            succeeded=succeeded,
            depth=depth,
            one_conversation=run.config.one_conversation,
            sampling=run.config.reflecting,
        ),
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


def _batches(tasks: Sequence[str], size: int, random: Random) -> Iterator[tuple[str, ...]]:
    """Batches in passes over the tasks, each pass in an order of its own; what makes no whole batch is left out of it.

    Source: AutoPlan, section 3.2.1, says random; that a pass is made over the tasks is its code's.
    """
    while True:
        order = random.sample(tasks, len(tasks))
        for first in range(0, len(tasks) - size + 1, size):
            yield tuple(order[first : first + size])


def versions(config: AutoPlanLearning, training: int) -> int:
    """How many plans are made.

    Raises:
        ValueError: a batch is larger than the tasks to learn from.
    """
    if config.batch > training:
        raise ValueError(f"learning.batch: expected at most {training}, the tasks to learn from, got {config.batch}")
    return training // config.batch if config.iterations is None else config.iterations


def episodes(config: AutoPlanLearning, training: int, held_out: int, test: int) -> int:
    """How many episodes there are at most, by the numbers of tasks."""
    last = versions(config, training)
    measured = len(_measured(config, last))
    if not chooses(config):
        return config.batch * last + test * measured
    return config.batch * last + held_out * (last + 1) + test * min(measured + 1, last + 1)


def chooses(config: AutoPlanLearning) -> bool:
    """Whether a plan is chosen by tasks that are held out."""
    return config.select == "best"


def exploration(config: AutoPlanLearning) -> SamplingOverride:
    """How far completions vary in episodes that are learnt from."""
    return config.nucleus


def parts(plan: str) -> tuple[TaskPlan, ...]:
    """What an episode is shown of a plan."""
    return (TaskPlan(text=plan),) if plan.strip() else ()


def _measured(config: AutoPlanLearning, last: Version) -> set[Version]:
    """The plans that the test tasks are run with whichever is chosen; and the last, where that is known to be it."""
    every = config.eval_every
    measured = set(range(0, last + 1, every)) if every else set[Version]()
    return measured if chooses(config) else measured | {last}


LEARNING = LearnerSpec(
    config=AutoPlanLearning,
    learn=learn,
    roles=("planner", "reflector"),
    prompts=("planner", "reflector", "summary", "flaw", "revision", "update"),
    parts=parts,
    exploration=exploration,
    versions=versions,
    chooses=chooses,
    episodes=episodes,
    worlds={
        "alfworld": {"split": "train", "tasks": 24},
        "textcraft": {"split": "dev", "tasks": 24},
    },
)
