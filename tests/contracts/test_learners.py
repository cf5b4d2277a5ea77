"""Every learner of ours keeps the contract of learners."""

import pytest

from actors.catalogue import METHODS
from deploy.contracts.clauses import Clause, sentence
from deploy.contracts.learner import LEARNER_CONTRACT, Apprenticeship, apprenticeships

SHORT = {"autoplan": ("learning.batch=2", "method.max_steps=4")}
"""Options that make a course short, and give it several phases."""


@pytest.mark.parametrize(
    "practice",
    [practice for name in METHODS for practice in apprenticeships(name, SHORT.get(name, ()))],
    ids=lambda practice: f"{practice.name} {practice}",
)
@pytest.mark.parametrize("clause", LEARNER_CONTRACT, ids=sentence)
def test_a_learner_of_ours_keeps_to(clause: Clause[Apprenticeship], practice: Apprenticeship) -> None:
    clause(practice)
