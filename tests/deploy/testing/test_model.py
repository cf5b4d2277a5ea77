"""The contract of models: a good model keeps it in few calls, and every clause is broken by one that breaks it."""

from pathlib import Path

import pytest

from quintet.testing import model, questions
from quintet.testing.clauses import Clause, judged, sentence
from quintet.testing.model import MODEL, REPEATABLE
from quintet.testing.named import Named
from quintet.testing.questions import Questioned
from tests.deploy.testing import broken_models
from tests.distributions import install


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Parrot")
    install(tmp_path, monkeypatch, {"models": {"parrot": f"{broken_models.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_model_that_keeps_the_contract_is_called_less_than_ten_times() -> None:
    with Questioned(Named("parrot")) as asked:
        assert [verdict for verdict in judged(MODEL, [asked]) if verdict.state != "holds"] == []
        assert asked.calls == 7
        assert [verdict for verdict in judged(REPEATABLE, [asked]) if verdict.state != "holds"] == []
        assert asked.calls > 100


@pytest.mark.parametrize("registered", ["Dumb"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_that_does_not_answer_is_asked_once() -> None:
    with Questioned(Named("parrot")) as asked:
        states = [verdict.state for verdict in judged([*MODEL, *REPEATABLE], [asked])]
    assert states == ["holds", "broken", *["skipped"] * 13]
    assert asked.calls == 1


@pytest.mark.parametrize("registered", ["Hanging"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_that_hangs_is_given_up_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "PATIENCE", 0.01)
    with Questioned(Named("parrot")) as asked:
        _, answered, *others = judged(MODEL, [asked])
    assert answered.text == "expected a completion, got ModelFault: parrot: no completion within 0.01 s (model parrot)"
    assert {verdict.state for verdict in others} == {"skipped"}


@pytest.mark.parametrize("registered", ["Uncounting"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_model_without_usage_is_told_what_that_costs() -> None:
    with Questioned(Named("parrot")) as asked:
        (skipped,) = [verdict for verdict in judged(MODEL, [asked]) if verdict.state != "holds"]
    assert skipped.state == "skipped"
    assert skipped.text == "it brings no usage, so under a budget each of its calls is charged in full"


BROKEN: list[tuple[str, Clause[Questioned], str]] = [
    ("Nameless", model.it_has_a_name, "expected a name, got ' '"),
    ("Dumb", model.a_prompt_is_answered_with_a_completion, "expected a completion, got ModelFault: no voice"),
    ("Wordless", model.a_prompt_is_answered_with_a_completion, "an answer of type Completion, got 'hello'"),
    ("Miscounting", model.usage_counts_what_was_read_and_said, "tokens read and tokens said, got Usage("),
    ("Endless", model.max_tokens_cuts_the_text_and_says_so, "the finish with max_tokens 2 to be 'length', got 'stop'"),
    ("Unstoppable", model.a_stop_sequence_ends_the_text_before_it, "expected no ' sev' in the text, got 'Which sev"),
    ("Solitary", model.calls_can_be_in_flight_at_once, "expected no exception, got RuntimeError: busy"),
    ("Prim", model.an_odd_prompt_is_answered_or_ends_in_a_model_fault, "got UnicodeEncodeError"),
    ("Moody", model.the_same_prompt_is_answered_the_same, "expected the same answer.text to be 'Which"),
    ("Hashed", model.another_process_answers_the_same, "expected the answers in another process[0].text to be"),
    ("Seeded", model.at_temperature_0_the_seed_is_ignored, "expected the answer with seed 0.text to be"),
    ("Flat", model.usage_grows_with_what_was_read_and_is_within_what_was_said, "400 further characters, got 0"),
    ("Rephrasing", model.a_cut_text_is_the_beginning_of_the_whole, "a beginning of 'Which"),
    ("Rephrasing", model.a_stopped_text_is_the_whole_before_the_stop_sequence, "the text before ' sev' to be 'Which'"),
    ("Solitary", model.concurrent_calls_do_not_disturb_each_other, "got RuntimeError: busy"),
    ("Prim", model.odd_prompts_are_answered_or_end_in_a_model_fault, "got UnicodeEncodeError"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Clause[Questioned], said: str) -> None:
    with Questioned(Named("parrot")) as asked:
        (verdict,) = judged([clause], [asked])
    assert verdict.state == "broken"
    assert said in verdict.text


def test_every_clause_is_broken_above() -> None:
    assert {sentence(clause) for _, clause, _ in BROKEN} == {sentence(clause) for clause in (*MODEL, *REPEATABLE)}
