"""The contracts of models: a good model keeps them in few calls, and every clause is broken by one that breaks it."""

import re
from pathlib import Path

import pytest

from quintet.testing import model, model_case, repeatable_model
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.model_case import ModelCase
from tests.deploy.testing import broken_models
from tests.distributions import install


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Echo")
    install(tmp_path, monkeypatch, {"models": {"echo": f"{broken_models.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_model_that_keeps_the_contract_is_called_less_than_ten_times() -> None:
    verdicts: list[Verdict] = []
    with ModelCase("echo") as case:
        run_contracts({model: [case]}, verdicts.append)
        assert case.calls == 7
        run_contracts({repeatable_model: [case]}, verdicts.append)
        assert case.calls > 100
    assert [verdict.state for verdict in verdicts] == ["holds"] * 15


@pytest.mark.parametrize("registered", ["Dumb"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_that_does_not_answer_is_asked_once() -> None:
    verdicts: list[Verdict] = []
    with ModelCase("echo") as case:
        run_contracts({model: [case], repeatable_model: [case]}, verdicts.append)
        assert case.calls == 1
    assert [verdict.state for verdict in verdicts] == ["holds", "broken", *["skipped"] * 13]


@pytest.mark.parametrize("registered", ["Hanging"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_that_hangs_is_given_up_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_case, "TIME_LIMIT", 0.01)
    verdicts: list[Verdict] = []
    with ModelCase("echo") as case:
        run_contracts({model: [case]}, verdicts.append)
    _, answered, *others = verdicts
    assert answered.text == "expected a completion, got ModelFault: echo: no completion within 0.01 s (model echo)"
    assert {verdict.state for verdict in others} == {"skipped"}


@pytest.mark.parametrize("registered", ["Uncounting"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_without_usage_reports_what_that_costs() -> None:
    why = "it brings no usage, so under a budget each of its calls is charged in full"
    with ModelCase("echo") as case, pytest.raises(pytest.skip.Exception, match=why):
        model.test_usage_counts_what_was_read_and_said(case)


CLAUSES = {**clauses(model), **clauses(repeatable_model)}
BROKEN = [
    ("Nameless", "it has a name", "expected a name, got ' '"),
    ("Dumb", "a prompt is answered with a completion", "expected a completion, got ModelFault: no voice"),
    ("Wordless", "a prompt is answered with a completion", "an answer of type Completion, got 'hello'"),
    ("Miscounting", "usage counts what was read and said", "tokens read and tokens said, got Usage("),
    ("Endless", "max tokens cuts the text and says so", "the finish with max_tokens 2 to be 'length', got 'stop'"),
    ("Unstoppable", "a stop sequence ends the text before it", "expected no ' sev' in the text, got 'Which sev"),
    ("Solitary", "calls can be in flight at once", "busy"),
    ("Prim", "a malformed prompt is answered or ends in a model fault", "codec can't encode"),
    ("Moody", "the same prompt is answered the same", "expected the same answer.text to be 'Which"),
    ("Hashed", "another process answers the same", "expected the answers in another process[0].text to be"),
    ("Seeded", "at temperature 0 the seed is ignored", "expected the answer with seed 0.text to be"),
    ("Flat", "usage grows with what was read and is within what was said", "400 further characters, got 0"),
    ("Rephrasing", "a cut text is the beginning of the whole", "a beginning of 'Which"),
    ("Rephrasing", "a stopped text is the whole before the stop sequence", "the text before ' sev' to be 'Which'"),
    ("Solitary", "concurrent calls do not disturb each other", "busy"),
    ("Prim", "malformed prompts are answered or end in a model fault", "codec can't encode"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: str, said: str) -> None:
    with (
        ModelCase("echo") as case,
        pytest.raises((pytest.fail.Exception, RuntimeError, UnicodeEncodeError), match=re.escape(said)),
    ):
        CLAUSES[clause](case)


def test_every_clause_is_broken_above() -> None:
    assert {clause for _, clause, _ in BROKEN} == CLAUSES.keys()
