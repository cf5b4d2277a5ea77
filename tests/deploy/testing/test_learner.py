"""The contract of learners: a good learner keeps it, and every clause is broken by one that breaks it."""

import re

import pytest

from quintet.journal.reader import JournalReader
from quintet.plugins import catalogue
from quintet.testing import learner
from quintet.testing.contract import clauses
from quintet.testing.learner import learner_cases
from tests.deploy.testing import broken_learners, broken_rememberers
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on


@pytest.fixture
def registered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    target = request.param
    module = broken_learners if hasattr(broken_learners, target) else broken_rememberers
    monkeypatch.setattr(catalogue, "METHODS", {"pupil": f"{module.__name__}:{target}"})


@pytest.mark.parametrize(
    "registered", ["Good", "Rememberer", pytest.param("NoteTaker", marks=pytest.mark.slow)], indirect=True
)
@pytest.mark.usefixtures("registered")
def test_a_learner_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts = verdicts_on({learner: learner_cases("pupil")})
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(learner))


TRAINED = "expected what it publishes, tested by other tasks, at [1] to be "
BROKEN = [
    ("Promptless", "every prompt", "expected the prompt make_plan, got prompt: "),
    ("Miscounting", "it says how many", "expected the versions that it publishes"),
    ("Headstrong", "it begins", "expected version 0 to be '', got '1. Begin as I like.'"),
    ("Blank", "it begins", "expected version 0 to be "),
    ("Boasting", "it ends", "a version among [0, 1, 2], got 20"),
    ("Hasty", "no episode begins", "expected a version that was published, got 1"),
    ("Deaf", "every episode reads", "expected version 1 in the first prompts of "),
    ("Nostalgic", "every episode reads", " alone in the first prompts of "),
    ("Newer", "every episode reads", "alone in "),
    ("Oblivious", "every episode reads", "to be recalled from in "),
    ("Nosy", "it learns from", TRAINED),
    ("Cramming", "it learns from", TRAINED),
    ("Cunning", "it learns from", TRAINED),
    ("Cheating", "it learns from", "expected the version that it chooses, tested by other tasks, to be 0, got "),
    ("Prying", "it learns from", "expected experience of training tasks"),
    ("Straying", "it learns from", "of its own tasks, got ['cake']"),
    ("Evasive", "it is measured", "expected the test tasks that were run with version 0 to be ["),
    ("Racing", "the order", "with eight episodes at a time, at [("),
    ("RacingRememberer", "the order", "with eight episodes at a time, at [("),
    ("Counted", "a learner that was killed", "and resumed, at [("),
    ("Forgetful", "a learner that was killed", "killed after event 1 and resumed, at [("),
    ("Thrifty", "a budget", "expected what was paid for"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: str, said: str) -> None:
    (case,) = learner_cases("pupil")
    with pytest.raises((pytest.fail.Exception, Exception), match=re.escape(said)):
        clause_of(clause, learner)(case)


@pytest.mark.parametrize("registered", ["Hasty"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_an_episode_with_the_wrong_version_is_found_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(_reader: JournalReader, number: int) -> str:
        return f"Version {number}."

    monkeypatch.setattr(JournalReader, "version", found)
    (case,) = learner_cases("pupil")
    with pytest.raises(pytest.fail.Exception, match="expected version 1 to be published before "):
        learner.test_no_episode_begins_before_its_version_is_published(case)


def test_every_clause_is_broken_above() -> None:
    assert unbroken_clauses((clause for _, clause, _ in BROKEN), learner) == set()
