"""The contract of embedders: a good one keeps it, and every clause is broken by one that breaks it."""

from pathlib import Path

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


def verdicts_on(target: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Verdict]:
    install(folder, monkeypatch, {"embedders": {"words": f"{broken_embedders.__name__}:{target}"}})
    verdicts: list[Verdict] = []
    with EmbedderCase("words") as case:
        run_contracts({embedder: [case]}, verdicts.append)
    return verdicts


def test_an_embedder_that_keeps_the_contract_is_said_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {verdict.state for verdict in verdicts_on("Words", tmp_path, monkeypatch)} == {"holds"}


@pytest.mark.parametrize(("target", "clause"), BREAKS.items())
def test_what_breaks_a_clause_is_named(
    target: str, clause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = [verdict.clause for verdict in verdicts_on(target, tmp_path, monkeypatch) if verdict.state == "broken"]
    assert clause in broken


def test_every_clause_is_broken_by_some() -> None:
    assert set(clauses(embedder)) == set(BREAKS.values())
