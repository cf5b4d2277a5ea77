"""The contracts of models and embedders: a good one keeps them, every clause is broken by one that breaks it."""

import asyncio
import re

import pytest
from msgspec import Struct

from quintet.messages.execution import Decide
from quintet.messages.prompts import Prompt, system, user
from quintet.parsing.candidates import rank, read_candidates
from quintet.ports.model import Asked, Sampling
from quintet.questions import QUESTIONS
from quintet.questions.shape import SHAPES
from quintet.testing import embedder, model, model_case, repeatable_model
from quintet.testing.contract import Verdict, clauses
from quintet.testing.embedder_case import EmbedderCase
from quintet.testing.model_case import ModelCase
from quintet.testing.random_model import RandomModel
from tests.deploy.testing.broken_models import Open
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on

pytestmark = pytest.mark.usefixtures("registered")


def test_a_model_that_keeps_the_contract_is_called_less_than_ten_times() -> None:
    with ModelCase("Joint") as case:
        verdicts = verdicts_on({model: [case]})
        assert case.calls == 8
        verdicts += verdicts_on({repeatable_model: [case]})
        assert case.calls > 100
    assert [verdict.state for verdict in verdicts] == ["holds"] * 16


def test_every_instance_is_closed() -> None:
    with ModelCase("Open") as case:
        verdicts_on({repeatable_model: [case]})
        assert Open.opened == {case.model}, "others are closed once they have answered"
    assert not Open.opened


def test_a_model_that_does_not_answer_is_asked_once() -> None:
    with ModelCase("Dumb") as case:
        verdicts = verdicts_on({model: [case], repeatable_model: [case]})
        assert case.calls == 1
    assert [verdict.state for verdict in verdicts] == ["holds", "broken", *["skipped"] * 14]


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
    ("Recounting", "several completions", "usage of those after the first[0].prompt_tokens to be 0"),
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


_TASK = "Crafting commands:\ncraft 4 oak planks using 1 oak logs\ncraft 1 stick using 2 bamboo\n\nGoal: craft stick."
_PROMPT = Prompt(system("Answer."), user(_TASK))
_DECIDE = Decide(setting="", goal="craft stick", n=3)


def _answers(question: str, about: Struct = _DECIDE, form: str | None = None) -> list[str]:
    asked = Asked(question=question, about=about)

    async def ask_all() -> list[str]:
        samplings = (Sampling(seed=seed, form=form) for seed in range(60))
        return [(await RandomModel().answer(_PROMPT, sampling, asked)).text for sampling in samplings]

    return asyncio.run(ask_all())


def test_it_names_candidates_that_repeat_and_whose_confidences_sum_to_anything() -> None:
    weighed = [each for each in map(read_candidates, _answers("candidates")) if each]
    assert len(weighed) > 40
    assert {len(each) for each in weighed} == {1, 2, 3, 4}
    rankings = [rank(each, 3) for each in weighed]
    assert any(ranking.adjusted for ranking in rankings)
    assert any(len(ranking.candidates) < len(each) for ranking, each in zip(rankings, weighed, strict=True))


def test_one_action_is_named_without_a_confidence() -> None:
    assert not any("confidence" in text for text in _answers("decision"))


@pytest.mark.parametrize("question", [each.shape.name for each in QUESTIONS])
def test_it_mostly_answers_every_question(question: str) -> None:
    shape = SHAPES[question]
    assert sum(shape.reading(text, "stop") != shape.reading("Let me see.", "stop") for text in _answers(question)) > 40


@pytest.mark.parametrize("question", [each.shape.name for each in QUESTIONS])
def test_it_answers_in_json_where_that_is_asked_for(question: str) -> None:
    shape = SHAPES[question]
    assert sum(shape.as_text(text) != text for text in _answers(question, form=question)) > 40
