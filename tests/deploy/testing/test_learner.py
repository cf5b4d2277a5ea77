"""The contract of learners: a good learner keeps it, and every clause is broken by one that breaks it."""

import re

import pytest

from quintet.journal.reader import JournalReader
from quintet.plugins import catalogue
from quintet.testing import learner
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.learner import learner_cases
from tests.deploy.testing import broken_learners, broken_rememberers


@pytest.fixture
def registered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    target = request.param
    module = broken_learners if hasattr(broken_learners, target) else broken_rememberers
    monkeypatch.setattr(catalogue, "METHODS", {"pupil": f"{module.__name__}:{target}"})


@pytest.mark.parametrize("registered", ["Good", "Rememberer"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_learner_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts: list[Verdict] = []
    run_contracts({learner: learner_cases("pupil")}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(learner))


BROKEN = [
    ("Promptless", "every prompt that learning needs is there", "expected the prompt make_plan, got prompt: "),
    ("Miscounting", "it says how many versions there will be", "expected the versions that it publishes"),
    ("Headstrong", "it begins with what it is given", "expected version 0 to be '', got '1. Begin as I like.'"),
    ("Boasting", "it ends and chooses a version that it published", "a version among [0, 1, 2], got 20"),
    ("Hasty", "no episode begins before its version is published", "expected a version that was published, got 1"),
    ("Deaf", "every episode reads the version that its path names", "expected version 0 in the first prompts of "),
    (
        "Nostalgic",
        "every episode reads the version that its path names",
        " alone in the first prompts of ",
    ),
    (
        "Nosy",
        "it learns from its training tasks and from no others",
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "Cramming",
        "it learns from its training tasks and from no others",
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "Cheating",
        "it learns from its training tasks and from no others",
        "expected the version that it chooses, tested by other tasks, to be 0, got ",
    ),
    (
        "Cunning",
        "it learns from its training tasks and from no others",
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    ("Prying", "it learns from its training tasks and from no others", "expected experience of training tasks"),
    ("Straying", "it learns from its training tasks and from no others", "of its own tasks, got ['cake']"),
    (
        "Evasive",
        "it is measured by its test tasks with the version it chose",
        "expected the test tasks that were run with version 0 to be [",
    ),
    ("Racing", "the order in which episodes end changes nothing", "with eight episodes at a time, at [("),
    ("Counted", "a learner that was killed goes on to the same content", "and resumed, at [("),
    ("Blank", "it begins with what it is given", "expected version 0 to be "),
    ("Newer", "every episode reads the version that its path names", "alone in "),
    ("Oblivious", "every episode reads the version that its path names", "to be recalled from in "),
    ("RacingRememberer", "the order in which episodes end changes nothing", "with eight episodes at a time, at [("),
    ("Forgetful", "a learner that was killed goes on to the same content", "killed after event 1 and resumed, at [("),
    ("Thrifty", "a budget that ends inside a phase loses nothing", "expected what was paid for"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: str, said: str) -> None:
    (case,) = learner_cases("pupil")
    with pytest.raises((pytest.fail.Exception, Exception), match=re.escape(said)):
        clauses(learner)[clause](case)


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
    assert {clause for _, clause, _ in BROKEN} == clauses(learner).keys()
