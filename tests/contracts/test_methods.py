"""Every method of ours keeps the contract of methods."""

import pytest

from quintet.plugins.catalogue import METHODS
from quintet.testing.clauses import Clause, sentence
from quintet.testing.method import METHOD, MethodCase, practices


@pytest.mark.parametrize("practice", [practice for name in METHODS for practice in practices(name)], ids=str)
@pytest.mark.parametrize("clause", METHOD, ids=sentence)
def test_a_method_of_ours_keeps_to(clause: Clause[MethodCase], practice: MethodCase) -> None:
    clause(practice)
