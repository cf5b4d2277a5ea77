"""The contracts of models: a good model keeps them in few calls, and every clause is broken by one that breaks it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quintet.testing import model, model_case, repeatable_model
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.model_case import ModelCase
from tests.deploy.testing import broken_models
from tests.distributions import install


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Parrot")
    install(tmp_path, monkeypatch, {"models": {"parrot": f"{broken_models.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_model_that_keeps_the_contract_is_called_less_than_ten_times() -> None:
    verdicts: list[Verdict] = []
    with ModelCase("parrot") as case:
        run_contracts({model: [case]}, verdicts.append)
        assert case.calls == 7
        run_contracts({repeatable_model: [case]}, verdicts.append)
        assert case.calls > 100
    assert [verdict.state for verdict in verdicts] == ["holds"] * 15


@pytest.mark.parametrize("registered", ["Dumb"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_that_does_not_answer_is_asked_once() -> None:
    verdicts: list[Verdict] = []
    with ModelCase("parrot") as case:
        run_contracts({model: [case], repeatable_model: [case]}, verdicts.append)
        assert case.calls == 1
    assert [verdict.state for verdict in verdicts] == ["holds", "broken", *["skipped"] * 13]


@pytest.mark.parametrize("registered", ["Hanging"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_that_hangs_is_given_up_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_case, "TIME_LIMIT", 0.01)
    verdicts: list[Verdict] = []
    with ModelCase("parrot") as case:
        run_contracts({model: [case]}, verdicts.append)
    _, answered, *others = verdicts
    assert answered.text == "expected a completion, got ModelFault: parrot: no completion within 0.01 s (model parrot)"
    assert {verdict.state for verdict in others} == {"skipped"}


@pytest.mark.parametrize("registered", ["Uncounting"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_without_usage_reports_what_that_costs() -> None:
    why = "it brings no usage, so under a budget each of its calls is charged in full"
    with ModelCase("parrot") as case, pytest.raises(pytest.skip.Exception, match=why):
        model.test_usage_counts_what_was_read_and_said(case)


BROKEN: list[tuple[str, Callable[[ModelCase], None], str]] = [
    ("Nameless", model.test_it_has_a_name, "expected a name, got ' '"),
    ("Dumb", model.test_a_prompt_is_answered_with_a_completion, "expected a completion, got ModelFault: no voice"),
    ("Wordless", model.test_a_prompt_is_answered_with_a_completion, "an answer of type Completion, got 'hello'"),
    ("Miscounting", model.test_usage_counts_what_was_read_and_said, "tokens read and tokens said, got Usage("),
    (
        "Endless",
        model.test_max_tokens_cuts_the_text_and_says_so,
        "the finish with max_tokens 2 to be 'length', got 'stop'",
    ),
    (
        "Unstoppable",
        model.test_a_stop_sequence_ends_the_text_before_it,
        "expected no ' sev' in the text, got 'Which sev",
    ),
    ("Solitary", model.test_calls_can_be_in_flight_at_once, "busy"),
    ("Prim", model.test_a_malformed_prompt_is_answered_or_ends_in_a_model_fault, "codec can't encode"),
    ("Moody", repeatable_model.test_the_same_prompt_is_answered_the_same, "expected the same answer.text to be 'Which"),
    (
        "Hashed",
        repeatable_model.test_another_process_answers_the_same,
        "expected the answers in another process[0].text to be",
    ),
    (
        "Seeded",
        repeatable_model.test_at_temperature_0_the_seed_is_ignored,
        "expected the answer with seed 0.text to be",
    ),
    (
        "Flat",
        repeatable_model.test_usage_grows_with_what_was_read_and_is_within_what_was_said,
        "400 further characters, got 0",
    ),
    ("Rephrasing", repeatable_model.test_a_cut_text_is_the_beginning_of_the_whole, "a beginning of 'Which"),
    (
        "Rephrasing",
        repeatable_model.test_a_stopped_text_is_the_whole_before_the_stop_sequence,
        "the text before ' sev' to be 'Which'",
    ),
    ("Solitary", repeatable_model.test_concurrent_calls_do_not_disturb_each_other, "busy"),
    ("Prim", repeatable_model.test_malformed_prompts_are_answered_or_end_in_a_model_fault, "codec can't encode"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Callable[[ModelCase], None], said: str) -> None:
    with (
        ModelCase("parrot") as case,
        pytest.raises((pytest.fail.Exception, RuntimeError, UnicodeEncodeError), match=re.escape(said)),
    ):
        clause(case)


def test_every_clause_is_broken_above() -> None:
    every = {*clauses(model).values(), *clauses(repeatable_model).values()}
    assert {clause for _, clause, _ in BROKEN} == every
