"""Every method of ours keeps the contract of methods."""

import pytest

from actors.catalogue import METHODS
from deploy.contracts.clauses import Clause, sentence
from deploy.contracts.method import METHOD, Practice, practices


@pytest.mark.parametrize("practice", [practice for name in METHODS for practice in practices(name)], ids=str)
@pytest.mark.parametrize("clause", METHOD, ids=sentence)
def test_a_method_of_ours_keeps_to(clause: Clause[Practice], practice: Practice) -> None:
    clause(practice)
