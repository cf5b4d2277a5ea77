"""The contract of embedders: a good one keeps it, and every clause is broken by one that breaks it."""

from collections.abc import Iterator

import pytest

from quintet.testing import embedder
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.embedder_case import EmbedderCase
from tests.deploy.testing import broken_embedders
from tests.distributions import install

BREAKS = {
    "Nameless": "the embedder has a name",
    "Long": "every text has a vector of length one",
    "Short": "every text has a vector of length one",
    "Wordy": "no texts have no vectors",
    "Companionable": "a text has the same vector whatever it is embedded with",
    "Elsewhere": "another process makes the same vectors",
    "Constant": "a text is nearer to its like than to another",
}


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """All at once: so they share the other process, whose start costs more than all the clauses."""
    with pytest.MonkeyPatch.context() as patch:
        embedders = {name.lower(): f"{broken_embedders.__name__}:{name}" for name in ("Words", *BREAKS)}
        install(tmp_path_factory.mktemp("embedders"), patch, {"embedders": embedders})
        yield


def verdicts_on(target: str) -> list[Verdict]:
    verdicts: list[Verdict] = []
    with EmbedderCase(target.lower()) as case:
        run_contracts({embedder: [case]}, verdicts.append)
    return verdicts


def test_an_embedder_that_keeps_the_contract_is_said_to() -> None:
    assert {verdict.state for verdict in verdicts_on("Words")} == {"holds"}


@pytest.mark.parametrize(("target", "clause"), BREAKS.items())
def test_what_breaks_a_clause_is_named(target: str, clause: str) -> None:
    assert clause in [verdict.clause for verdict in verdicts_on(target) if verdict.state == "broken"]


def test_every_clause_is_broken_by_some() -> None:
    assert set(clauses(embedder)) == set(BREAKS.values())
