"""The contract of learners: a good learner keeps it, and every clause is broken by one that breaks it."""

import pytest

from quintet.journal.reader import JournalReader
from quintet.plugins import catalogue
from quintet.testing import learner
from quintet.testing.clauses import Clause, judged, sentence
from quintet.testing.learner import LEARNER_CONTRACT, LearnerCase, apprenticeships
from tests.deploy.testing import broken_learners


@pytest.fixture
def enrolled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Good")
    monkeypatch.setattr(catalogue, "METHODS", {"apprentice": f"{broken_learners.__name__}:{target}"})


@pytest.mark.usefixtures("enrolled")
def test_a_learner_that_keeps_the_contract_keeps_every_clause() -> None:
    found = list(judged(LEARNER_CONTRACT, apprenticeships("apprentice")))
    assert [verdict for verdict in found if verdict.state != "holds"] == []


BROKEN: list[tuple[str, Clause[LearnerCase], str]] = [
    (
        "Promptless",
        learner.every_prompt_that_learning_needs_is_there,
        "expected the prompt make_plan, got prompt: ",
    ),
    ("Miscounting", learner.it_says_how_many_versions_there_will_be, "expected the versions that it publishes"),
    ("Headstrong", learner.it_begins_with_what_it_is_given, "expected version 0 to be '', got '1. Begin as I like.'"),
    ("Boasting", learner.it_ends_and_stands_by_a_version_that_it_published, "a version among [0, 1, 2], got 20"),
    (
        "Hasty",
        learner.no_episode_begins_before_its_version_is_published,
        "expected a version that was published, got 1",
    ),
    ("Deaf", learner.every_episode_reads_the_version_that_its_path_names, "expected version 0 in what "),
    ("Nostalgic", learner.every_episode_reads_the_version_that_its_path_names, "expected version 1 alone in what "),
    ("Silent", learner.every_episode_reads_the_version_that_its_path_names, "to be shown in other words, got ()"),
    ("Stubborn", learner.every_episode_reads_the_version_that_its_path_names, "got ('1. Do as always.',)"),
    (
        "Nosy",
        learner.it_learns_from_its_training_tasks_and_from_no_others,
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "Cramming",
        learner.it_learns_from_its_training_tasks_and_from_no_others,
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    (
        "Cheating",
        learner.it_learns_from_its_training_tasks_and_from_no_others,
        "expected the version that it stands by, tested by other tasks, to be 0, got ",
    ),
    (
        "Cunning",
        learner.it_learns_from_its_training_tasks_and_from_no_others,
        "expected what it publishes, tested by other tasks, at [1] to be ",
    ),
    ("Prying", learner.it_learns_from_its_training_tasks_and_from_no_others, "expected experience of training tasks"),
    ("Straying", learner.it_learns_from_its_training_tasks_and_from_no_others, "of its own tasks, got ['cake']"),
    (
        "Evasive",
        learner.it_is_measured_by_its_test_tasks_with_the_version_it_stands_by,
        "expected the test tasks that were run with version 0 to be [",
    ),
    ("Racing", learner.the_order_in_which_episodes_end_changes_nothing, "with eight episodes at a time, at [("),
    ("Counted", learner.a_learner_that_was_killed_goes_on_to_the_same_content, "and taken up again, at [("),
    ("Thrifty", learner.a_budget_that_ends_inside_a_phase_loses_nothing, "expected what was paid for"),
]


@pytest.mark.parametrize(("enrolled", "clause", "said"), BROKEN, indirect=["enrolled"])
@pytest.mark.usefixtures("enrolled")
def test_a_clause_is_broken_by(clause: Clause[LearnerCase], said: str) -> None:
    (verdict,) = judged([clause], apprenticeships("apprentice"))
    assert verdict.state == "broken"
    assert said in verdict.text


@pytest.mark.parametrize("enrolled", ["Hasty"], indirect=True)
@pytest.mark.usefixtures("enrolled")
def test_an_episode_that_was_not_refused_its_version_is_found_in_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(_reader: JournalReader, number: int) -> str:
        return f"Version {number}."

    monkeypatch.setattr(JournalReader, "version", found)
    (verdict,) = judged([learner.no_episode_begins_before_its_version_is_published], apprenticeships("apprentice"))
    assert "expected version 1 to be published before " in verdict.text


def test_every_clause_is_broken_above() -> None:
    assert {sentence(clause) for _, clause, _ in BROKEN} == {sentence(clause) for clause in LEARNER_CONTRACT}
