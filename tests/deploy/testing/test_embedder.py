"""The contract of embedders: a good one keeps it, and every clause is broken by one that breaks it."""

import pytest

from quintet.testing import embedder
from quintet.testing.contract import Verdict, clauses
from quintet.testing.embedder_case import EmbedderCase
from tests.deploy.testing.verdicts import verdicts_on

pytestmark = pytest.mark.usefixtures("registered")

BREAKS = {
    "Nameless": "the embedder has a name",
    "Long": "every text has a vector of length one",
    "Short": "every text has a vector of length one",
    "Wordy": "no texts have no vectors",
    "Companionable": "a text has the same vector whatever it is embedded with",
    "Elsewhere": "another process makes the same vectors",
    "Constant": "a text is nearer to its like than to another",
}


def verdicts_of(name: str) -> list[Verdict]:
    with EmbedderCase(name) as case:
        return verdicts_on({embedder: [case]})


def test_an_embedder_that_keeps_the_contract_is_said_to() -> None:
    assert {verdict.state for verdict in verdicts_of("Words")} == {"holds"}


@pytest.mark.parametrize(("name", "clause"), BREAKS.items())
def test_what_breaks_a_clause_is_named(name: str, clause: str) -> None:
    assert clause in [verdict.clause for verdict in verdicts_of(name) if verdict.state == "broken"]


def test_every_clause_is_broken_by_some() -> None:
    assert set(clauses(embedder)) == set(BREAKS.values())
