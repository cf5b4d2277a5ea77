"""The contract of methods: a good method keeps it, and every clause is broken by one that breaks it."""

import re
from pathlib import Path

import pytest

from quintet.testing import method
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.method import method_cases
from tests.deploy.testing import broken_methods
from tests.distributions import install


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Good")
    install(tmp_path, monkeypatch, {"methods": {"toy": f"{broken_methods.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_method_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts: list[Verdict] = []
    run_contracts({method: method_cases("toy")}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(method))


@pytest.mark.parametrize("registered", ["Timed"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_decisions_that_depend_on_time_may_differ_in_a_new_run() -> None:
    (case,) = method_cases("toy")
    for clause in (
        method.test_the_same_seed_gives_the_same_content,
        method.test_another_process_with_another_hash_seed_gives_the_same_content,
    ):
        with pytest.raises(pytest.skip.Exception, match="decided differently"):
            clause(case)
    method.test_an_episode_that_was_killed_goes_on_to_the_same_content(case)


@pytest.mark.parametrize("registered", ["OtherWorld"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_without_its_world_a_method_is_not_run() -> None:
    (case,) = method_cases("toy")
    with pytest.raises(pytest.skip.Exception, match="environment nowhere is not installed"):
        method.test_an_episode_ends_and_not_by_a_fault(case)


BROKEN = [
    ("Misnamed", "it has its name and a version", "expected name to be 'toy', got 'other'"),
    ("Versionless", "it has its name and a version", "expected a version, got ''"),
    ("Unanswered", "a role answers each of its requests", "that a role answers, got role: expected one"),
    ("Worldless", "it names worlds one of which is installed", "that it has prompts for, got none"),
    ("OtherWorld", "it names worlds one of which is installed", "a world that is installed, got ('nowhere',)"),
    ("Misspelt", "its values for the world are valid", "options that the configuration has, got 'cals'"),
    ("Invalid", "its values for the world are valid", "greater than or equal to 1"),
    ("Promptless", "every request has its prompts", "expected the prompt execute, got prompt: expected a file"),
    ("Talkative", "its budget is one line", "a budget of one line or none, got '2\\nor more'"),
    (
        "Crashing",
        "an episode ends and not by a fault",
        "expected no fault in 'polished granite stairs', got ActorCrashed: ",
    ),
    ("Unseeded", "the same seed gives the same content", "expected the content of another run of 'polished"),
    (
        "Hashed",
        "another process with another hash seed gives the same content",
        "expected the content of a run in another process, at [(",
    ),
    ("Persistent", "an episode that used up its calls ends as it offered", "to be cut short, got no calls left"),
    ("Counted", "an episode that was killed goes on to the same content", " and resumed, at [('polished"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: str, said: str) -> None:
    (case,) = method_cases("toy")
    with pytest.raises((pytest.fail.Exception, ValueError), match=re.escape(said)):
        clauses(method)[clause](case)


def test_every_clause_is_broken_above() -> None:
    assert {clause for _, clause, _ in BROKEN} == clauses(method).keys()
