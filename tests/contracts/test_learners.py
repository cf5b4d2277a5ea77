"""Every learner of ours keeps the contract of learners."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.learner import *  # noqa: F403
from quintet.testing.learner import LearnerCase, learner_cases

SETTINGS = {
    "skill_discovery": (
        ("method.inner.attempts=2", "method.inner.max_actions=4", "learning.tries=1"),
        (
            "method.inner.reset_after=1",
            "method.inner.attempts=2",
            "method.inner.max_questions=0",
            "learning.rounds=2",
            "learning.tries=2",
            "learning.window=3",
            "learning.select=best",
            "learning.eval_every=0",
            "learning.feedback=judged",
            "run.seed=1",
        ),
    ),
    "ace": (
        ("learning.window=2", "method.inner.max_steps=2", "memory.embedder.name=hashed-words"),
        (
            "learning.rounds=2",
            "learning.window=3",
            "learning.reflections=1",
            "learning.merge=full",
            "learning.budget=1",
            "learning.similarity=0.5",
            "learning.select=best",
            "learning.eval_every=0",
            "learning.feedback=judged",
            "method.inner.max_steps=1",
            "memory.embedder.name=hashed-words",
            "run.seed=1",
        ),
    ),
    "autoplan": (
        ("learning.batch=2", "method.max_steps=3"),
        ("learning.batch=1", "method.max_steps=1", "learning.select=best", "learning.eval_every=0", "run.seed=1"),
        ("learning.batch=4", "method.max_steps=2", "learning.one_conversation=true", "run.seed=2"),
    ),
    "expel": (
        ("method.trials=2", "method.inner.max_steps=2", "memory.embedder.name=hashed-words"),
        (
            "learning.window=2",
            "learning.rounds=2",
            "learning.successes=1",
            "learning.insights=1",
            "learning.select=best",
            "learning.eval_every=0",
            "memory.sections.examples.retrieval=lexical",
            "method.trials=2",
            "method.inner.max_steps=1",
            "run.seed=1",
        ),
    ),
    "reasoning_bank": (
        ("memory.embedder.name=hashed-words", "method.inner.max_steps=3"),
        (
            "memory.embedder.name=hashed-words",
            "method.scaling=parallel",
            "method.attempts=2",
            "method.inner.max_steps=2",
            "learning.feedback=reward",
            "learning.window=3",
            "run.seed=1",
        ),
        (
            "memory.retrieval=lexical",
            "method.scaling=sequential",
            "method.attempts=2",
            "method.inner.max_steps=2",
            "learning.window=2",
            "learning.select=best",
            "learning.eval_every=0",
            "run.seed=2",
        ),
    ),
    "awm": (
        ("method.inner.max_steps=3",),
        ("memory.retrieval=type", "method.inner.max_steps=2", "learning.window=1", "learning.feedback=judged"),
    ),
    "ldm2": (
        ("learning.batch=1", "learning.goals=1", "method.max_steps=3", "method.candidates=2", "method.width=2"),
        (
            "learning.source=none",
            "learning.goals=2",
            "learning.rounds=2",
            "learning.select=best",
            "learning.eval_every=0",
            "method.max_steps=2",
            "method.spread=true",
            "run.seed=1",
        ),
    ),
}
"""Options under which learning is short, and has several phases."""

CASES = [
    pytest.param(case, marks=[pytest.mark.slow] if number else [])
    for name in METHODS
    for number, settings in enumerate(SETTINGS.get(name, ((),)))
    for case in learner_cases(name, settings)
]
"""Under the first settings in every world; slow ones under the rest."""


@pytest.fixture(params=CASES, ids=lambda case: f"{case.name} {case} {' '.join(case.assignments)}")
def case(request: pytest.FixtureRequest) -> LearnerCase:
    case: LearnerCase = request.param
    return case
