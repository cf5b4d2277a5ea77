"""The contract of methods: a good method keeps it, and every clause is broken by one that breaks it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quintet.testing import method
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.method import MethodCase, method_cases
from tests.deploy.testing import broken_methods
from tests.distributions import install


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "GOOD")
    install(tmp_path, monkeypatch, {"methods": {"routine": f"{broken_methods.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_method_that_keeps_the_contract_keeps_every_clause() -> None:
    verdicts: list[Verdict] = []
    run_contracts({method: method_cases("routine")}, verdicts.append)
    assert [verdict.state for verdict in verdicts] == ["holds"] * len(clauses(method))


@pytest.mark.parametrize("registered", ["TIMED"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_what_a_method_decides_of_time_may_differ_when_it_is_decided_anew() -> None:
    (case,) = method_cases("routine")
    for clause in (
        method.test_the_same_seed_gives_the_same_content,
        method.test_another_process_with_another_hash_seed_gives_the_same_content,
    ):
        with pytest.raises(pytest.skip.Exception, match="decided differently"):
            clause(case)
    method.test_an_episode_that_was_killed_goes_on_to_the_same_content(case)


@pytest.mark.parametrize("registered", ["ELSEWHERE"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_without_its_world_a_method_is_not_run() -> None:
    (case,) = method_cases("routine")
    with pytest.raises(pytest.skip.Exception, match="environment nowhere is not installed"):
        method.test_an_episode_ends_and_not_by_a_fault(case)


BROKEN: list[tuple[str, Callable[[MethodCase], None], str]] = [
    ("MISNAMED", method.test_it_has_its_name_and_a_version, "expected name to be 'routine', got 'other'"),
    ("VERSIONLESS", method.test_it_has_its_name_and_a_version, "expected a version, got ''"),
    (
        "SINGING",
        method.test_its_roles_are_those_that_have_a_model,
        "among planner, executor, reflector, got ('singer',)",
    ),
    ("WORLDLESS", method.test_it_names_worlds_one_of_which_is_installed, "that it has prompts for, got none"),
    ("ELSEWHERE", method.test_it_names_worlds_one_of_which_is_installed, "a world that is installed, got ('nowhere',)"),
    ("MISSPELT", method.test_its_values_for_the_world_are_valid, "options that the configuration has, got 'cals'"),
    ("INVALID", method.test_its_values_for_the_world_are_valid, "greater than or equal to 1"),
    (
        "PROMPTLESS",
        method.test_every_role_has_its_prompt,
        "expected a prompt for the executor, got prompt: expected a file",
    ),
    ("TALKATIVE", method.test_its_budget_is_one_line, "a budget of one line or none, got '2\\nor more'"),
    (
        "CRASHING",
        method.test_an_episode_ends_and_not_by_a_fault,
        "expected no fault in 'polished granite stairs', got ActorCrashed: ",
    ),
    ("UNSEEDED", method.test_the_same_seed_gives_the_same_content, "expected the content of another run of 'polished"),
    (
        "HASHED",
        method.test_another_process_with_another_hash_seed_gives_the_same_content,
        "expected the content of a run in another process, at [(",
    ),
    (
        "COUNTED",
        method.test_an_episode_that_was_killed_goes_on_to_the_same_content,
        " and resumed, at [('polished",
    ),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Callable[[MethodCase], None], said: str) -> None:
    (case,) = method_cases("routine")
    with pytest.raises((pytest.fail.Exception, ValueError), match=re.escape(said)):
        clause(case)


def test_every_clause_is_broken_above() -> None:
    assert {clause for _, clause, _ in BROKEN} == {*clauses(method).values()}
