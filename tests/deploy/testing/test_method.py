"""The contract of methods: a good method keeps it, and every clause is broken by one that breaks it."""

from pathlib import Path

import pytest

from quintet.testing import method
from quintet.testing.clauses import Clause, judged, sentence
from quintet.testing.method import METHOD, MethodCase, practices
from tests.deploy.testing import broken_methods
from tests.distributions import install


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Good")
    install(tmp_path, monkeypatch, {"methods": {"routine": f"{broken_methods.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_method_that_keeps_the_contract_keeps_every_clause() -> None:
    assert [verdict for verdict in judged(METHOD, practices("routine")) if verdict.state != "holds"] == []


@pytest.mark.parametrize("registered", ["Timed"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_what_a_method_decides_of_time_may_differ_where_it_is_decided_anew() -> None:
    found = list(judged(METHOD, practices("routine")))
    skipped = {verdict.clause: verdict.text for verdict in found if verdict.state == "skipped"}
    assert [verdict for verdict in found if verdict.state == "broken"] == []
    assert set(skipped) == {
        sentence(method.the_same_seed_gives_the_same_content),
        sentence(method.another_process_with_another_hash_seed_gives_the_same_content),
    }
    assert all("decided differently" in why for why in skipped.values())


@pytest.mark.parametrize("registered", ["Elsewhere"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_without_its_world_a_method_is_not_run() -> None:
    found = {verdict.clause: verdict for verdict in judged(METHOD, practices("routine"))}
    verdict = found[sentence(method.an_episode_ends_and_not_by_a_fault)]
    assert (verdict.state, verdict.text) == ("skipped", "environment nowhere is not installed")


BROKEN: list[tuple[str, Clause[MethodCase], str]] = [
    ("Misnamed", method.it_has_its_name_and_a_version, "expected name to be 'routine', got 'other' (on textcraft)"),
    ("Versionless", method.it_has_its_name_and_a_version, "expected a version, got ''"),
    (
        "Unanswered",
        method.a_role_answers_each_of_its_requests,
        "that a role answers, got role: expected one",
    ),
    ("Worldless", method.it_names_worlds_one_of_which_can_be_had, "that it has prompts for, got none"),
    ("Elsewhere", method.it_names_worlds_one_of_which_can_be_had, "a world that is installed, got ('nowhere',)"),
    ("Misspelt", method.its_values_for_the_world_are_valid, "options that the configuration has, got 'cals'"),
    ("Invalid", method.its_values_for_the_world_are_valid, "greater than or equal to 1"),
    ("Promptless", method.every_request_has_its_prompts, "expected the prompt execute, got prompt: expected a file"),
    ("Talkative", method.its_budget_is_one_line, "a budget of one line or none, got '2\\nor more'"),
    (
        "Crashing",
        method.an_episode_ends_and_not_by_a_fault,
        "expected no fault in 'polished granite stairs', got ActorCrashed: ",
    ),
    ("Unseeded", method.the_same_seed_gives_the_same_content, "expected the content of another run of 'polished"),
    (
        "Hashed",
        method.another_process_with_another_hash_seed_gives_the_same_content,
        "expected the content of a run in another process, at [(",
    ),
    (
        "Counted",
        method.an_episode_that_was_killed_goes_on_to_the_same_content,
        "event 1 and taken up again, at [('polished",
    ),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Clause[MethodCase], said: str) -> None:
    (verdict,) = judged([clause], practices("routine"))
    assert verdict.state == "broken"
    assert said in verdict.text


def test_every_clause_is_broken_above() -> None:
    assert {sentence(clause) for _, clause, _ in BROKEN} == {sentence(clause) for clause in METHOD}
