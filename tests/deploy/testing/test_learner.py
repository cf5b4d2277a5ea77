"""The contract of learners: a good learner keeps it, and every clause is broken by one that breaks it."""

import re
from collections.abc import Callable

import pytest

from quintet.journal.reader import JournalReader
from quintet.plugins import catalogue
from quintet.testing import learner
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.learner import LearnerCase, learner_cases
from tests.deploy.testing import broken_learners


@pytest.fixture
def registered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "GOOD")
    monkeypatch.setattr(catalogue, "METHODS", {"pupil": f"{broken_learners.__name__}:{target}"})


@pytest.mark.usefixtures("registered")
def test_a_learner_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts: list[Verdict] = []
    run_contracts({learner: learner_cases("pupil")}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(learner))


BROKEN: list[tuple[str, Callable[[LearnerCase], None], str]] = [
    (
        "PROMPTLESS",
        learner.test_every_prompt_that_learning_needs_is_there,
        "expected the prompt letter, got prompt: expect",
    ),
    (
        "UNINSTRUCTED",
        learner.test_every_prompt_that_learning_needs_is_there,
        "expected prompts of planner, got ('update',)",
    ),
    ("MISCOUNTING", learner.test_it_says_how_many_versions_there_will_be, "expected the versions that it publishes"),
    (
        "HEADSTRONG",
        learner.test_it_begins_with_what_it_is_given,
        "expected version 0 to be '', got '1. Begin as I like.'",
    ),
    ("BOASTING", learner.test_it_ends_and_chooses_a_version_that_it_published, "a version among [0, 1, 2], got 20"),
    (
        "HASTY",
        learner.test_no_episode_begins_before_its_version_is_published,
        "expected a version that was published, got 1",
    ),
    (
        "DEAF",
        learner.test_every_episode_reads_the_version_that_its_path_names,
        "expected version 0 in the first prompts of ",
    ),
    (
        "NOSTALGIC",
        learner.test_every_episode_reads_the_version_that_its_path_names,
        "expected version 1 alone in the first prompts of ",
    ),
    ("SILENT", learner.test_every_episode_reads_the_version_that_its_path_names, "to be shown in other words, got ()"),
    ("STUBBORN", learner.test_every_episode_reads_the_version_that_its_path_names, "got ('1. Do as always.',)"),
    (
        "NOSY",
        learner.test_it_learns_from_its_training_tasks_and_from_no_others,
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "CRAMMING",
        learner.test_it_learns_from_its_training_tasks_and_from_no_others,
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "CHEATING",
        learner.test_it_learns_from_its_training_tasks_and_from_no_others,
        "expected the version that it chooses, tested by other tasks, to be 0, got ",
    ),
    (
        "CUNNING",
        learner.test_it_learns_from_its_training_tasks_and_from_no_others,
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "PRYING",
        learner.test_it_learns_from_its_training_tasks_and_from_no_others,
        "expected experience of training tasks",
    ),
    ("STRAYING", learner.test_it_learns_from_its_training_tasks_and_from_no_others, "of its own tasks, got ['cake']"),
    (
        "EVASIVE",
        learner.test_it_is_measured_by_its_test_tasks_with_the_version_it_chose,
        "expected the test tasks that were run with version 0 to be [",
    ),
    ("RACING", learner.test_the_order_in_which_episodes_end_changes_nothing, "with eight episodes at a time, at [("),
    ("COUNTED", learner.test_a_learner_that_was_killed_goes_on_to_the_same_content, "and resumed, at [("),
    ("THRIFTY", learner.test_a_budget_that_ends_inside_a_phase_loses_nothing, "expected what was paid for"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Callable[[LearnerCase], None], said: str) -> None:
    (case,) = learner_cases("pupil")
    with pytest.raises((pytest.fail.Exception, Exception), match=re.escape(said)):
        clause(case)


@pytest.mark.parametrize("registered", ["HASTY"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_an_episode_that_was_not_refused_its_version_is_found_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(_reader: JournalReader, number: int) -> str:
        return f"Version {number}."

    monkeypatch.setattr(JournalReader, "version", found)
    (case,) = learner_cases("pupil")
    with pytest.raises(pytest.fail.Exception, match="expected version 1 to be published before "):
        learner.test_no_episode_begins_before_its_version_is_published(case)


def test_every_clause_is_broken_above() -> None:
    assert {clause for _, clause, _ in BROKEN} == {*clauses(learner).values()}
