"""The contracts of models: a good model keeps them in few calls, and every clause is broken by one that breaks it."""

import re

import pytest

from quintet.testing import model, model_case, repeatable_model
from quintet.testing.model_case import ModelCase
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on

pytestmark = pytest.mark.usefixtures("registered")


def test_a_model_that_keeps_the_contract_is_called_less_than_ten_times() -> None:
    with ModelCase("Echo") as case:
        verdicts = verdicts_on({model: [case]})
        assert case.calls == 7
        verdicts += verdicts_on({repeatable_model: [case]})
        assert case.calls > 100
    assert [verdict.state for verdict in verdicts] == ["holds"] * 15


def test_a_model_that_does_not_answer_is_asked_once() -> None:
    with ModelCase("Dumb") as case:
        verdicts = verdicts_on({model: [case], repeatable_model: [case]})
        assert case.calls == 1
    assert [verdict.state for verdict in verdicts] == ["holds", "broken", *["skipped"] * 13]


def test_a_model_that_hangs_is_given_up_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_case, "TIME_LIMIT", 0.01)
    with ModelCase("Hanging") as case:
        _, answered, *others = verdicts_on({model: [case]})
    assert (
        answered.text == "expected a completion, got ModelFault: Hanging: no completion within 0.01 s (model Hanging)"
    )
    assert {verdict.state for verdict in others} == {"skipped"}


def test_a_model_without_usage_reports_what_that_costs() -> None:
    why = "it brings no usage, so under a budget each of its calls is charged in full"
    with ModelCase("Uncounting") as case, pytest.raises(pytest.skip.Exception, match=why):
        model.test_usage_counts_what_was_read_and_said(case)


CONTRACTS = (model, repeatable_model)
BROKEN = [
    ("Nameless", "it has a name", "expected a name, got ' '"),
    ("Dumb", "a prompt is answered", "expected a completion, got ModelFault: no voice"),
    ("Wordless", "a prompt is answered", "an answer of type Completion, got 'hello'"),
    ("Miscounting", "usage counts", "tokens read and tokens said, got Usage("),
    ("Endless", "max tokens", "the finish with max_tokens 2 to be 'length', got 'stop'"),
    ("Unstoppable", "a stop sequence", "expected no ' sev' in the text, got 'Which sev"),
    ("Solitary", "calls can be", "busy"),
    ("Prim", "a malformed prompt", "codec can't encode"),
    ("Moody", "the same prompt", "expected the same answer.text to be 'Which"),
    ("Hashed", "another process", "expected the answers in another process[0].text to be"),
    ("Seeded", "at temperature 0", "expected the answer with seed 0.text to be"),
    ("Flat", "usage grows", "400 further characters, got 0"),
    ("Rephrasing", "a cut text", "a beginning of 'Which"),
    ("Rephrasing", "a stopped text", "the text before ' sev' to be 'Which'"),
    ("Solitary", "concurrent calls", "busy"),
    ("Prim", "malformed prompts", "codec can't encode"),
]


@pytest.mark.parametrize(("name", "clause", "said"), BROKEN)
def test_a_clause_is_broken_by(name: str, clause: str, said: str) -> None:
    broken = (pytest.fail.Exception, RuntimeError, UnicodeEncodeError)
    with ModelCase(name) as case, pytest.raises(broken, match=re.escape(said)):
        clause_of(clause, *CONTRACTS)(case)


def test_every_clause_is_broken_above() -> None:
    assert unbroken_clauses((clause for _, clause, _ in BROKEN), *CONTRACTS) == set()
