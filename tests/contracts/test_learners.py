"""Every learner of ours keeps the contract of learners."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.clauses import Clause, sentence
from quintet.testing.learner import LEARNER_CONTRACT, LearnerCase, apprenticeships

SETTINGS = {
    "autoplan": (
        ("learning.batch=2", "method.max_steps=3"),
        ("learning.batch=1", "method.max_steps=1", "learning.select=best", "learning.eval_every=0", "run.seed=1"),
        ("learning.batch=4", "method.max_steps=2", "learning.one_conversation=true", "run.seed=2"),
    )
}
"""Options under which courses are short, and have several phases."""


@pytest.mark.parametrize(
    "practice",
    [
        practice
        for name in METHODS
        for settings in SETTINGS.get(name, ((),))
        for practice in apprenticeships(name, settings)
    ],
    ids=lambda practice: f"{practice.name} {practice} {' '.join(practice.assignments)}",
)
@pytest.mark.parametrize("clause", LEARNER_CONTRACT, ids=sentence)
def test_a_learner_of_ours_keeps_to(clause: Clause[LearnerCase], practice: LearnerCase) -> None:
    clause(practice)
