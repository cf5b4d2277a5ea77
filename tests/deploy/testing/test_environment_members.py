"""The clauses about members that only some environments have: a good world keeps each, and another one breaks it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from quintet.messages.environment import Task
from quintet.ports.world import World
from quintet.testing import environment, environment_copies, environment_members
from quintet.testing.contract import Verdict, clauses
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.subprocesses import NamedPlugIn
from tests.deploy.testing import declaring_environments as toys
from tests.deploy.testing.broken_environments import Stairs
from tests.deploy.testing.declaring_environments import Office, RepeatingOffice, with_desk, with_members
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on
from tests.distributions import install


@dataclass(frozen=True)
class CaseHere(EnvironmentCase):
    """In a world that only this process has."""

    make: Callable[[], World] = Office

    def world(self) -> World:
        return self.make()


LETTER, ACTIONS = Task(name="letter", seed=0), ("write", "send")


def case_of(make: Callable[[], World]) -> CaseHere:
    return CaseHere(NamedPlugIn("office"), LETTER, ACTIONS, solves=True, make=make)


def held(verdicts: list[Verdict]) -> set[str]:
    assert "broken" not in {verdict.state for verdict in verdicts}
    return {verdict.clause for verdict in verdicts if verdict.state == "holds"}


def test_a_world_with_all_of_them_keeps_their_contract() -> None:
    once, always = (held(verdicts_on({environment_members: [case_of(make)]})) for make in (Office, RepeatingOffice))
    assert once | always == clauses(environment_members).keys()


@pytest.mark.slow
def test_a_world_with_all_of_them_keeps_every_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: set[str] = set()
    for target in ("Office", "RepeatingOffice"):
        install(tmp_path / target, monkeypatch, {"environments": {"office": f"{toys.__name__}:{target}"}})
        cases = [EnvironmentCase(NamedPlugIn("office"), LETTER, ACTIONS, solves=True)]
        found |= held(verdicts_on(dict.fromkeys((environment, environment_copies, environment_members), cases)))
    assert clauses(environment_members).keys() <= found


def test_a_world_without_them_is_not_asked_for_them() -> None:
    stairs = CaseHere(NamedPlugIn("stairs"), Task(name="low stairs", seed=0), ("up", "up"), solves=True, make=Stairs)
    assert held(verdicts_on({environment_members: [stairs]})) == {
        "it leaves answers to a judge only if it says so",
        "it says how many sessions a host may hold",
        "it says in words which tasks it refuses",
        "it says whether it answers alike twice",
    }


def test_cases_are_tasks_that_are_not_refused_and_an_expert_may_tell_the_next_action_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"environments": {"office": f"{toys.__name__}:Office"}})
    assert [(case.task.name, case.actions, case.solves) for case in environment_cases("office")] == [
        ("letter", ("write", "send"), True)
    ]


BROKEN: list[tuple[type[Office], str, str]] = [
    (toys.OpensOnce, "it gets ready", "expected a world that gets ready twice, got door"),
    (with_members(places="two"), "it says how many sessions", "expected places, a number or None, got 'two'"),
    (with_desk(toys.Jammed, repeats=True), "as many sessions", "expected done, step by step, in session"),
    (with_members(repeats="perhaps"), "it says whether", "expected repeats of type bool"),
    (with_desk(toys.Counting), "a reset", "expected the outcomes after another reset"),
    (toys.SilentOffice, "it says in words", "expected why task 'letter' is refused of type str"),
    (toys.Backward, "it says in words", "expected task 'letter', refused with a judge, to be refused without"),
    (with_desk(toys.Boastful), "figures", "figure 'letters' of 'send' within [0, 1], got 2.0"),
    (with_desk(toys.ListingNaive), "a naive", "expected the naive policy's actions of type tuple"),
    (with_desk(toys.HastyNaive), "a naive", "expected the naive policy's 'send' to be carried out"),
    (with_members(needs_judge="at times"), "it leaves", "expected needs_judge, a bool or None, got 'at times'"),
    (with_members(answer_action=lambda _self, _answer: None), "an answer", "expected answer_action(...) of type str"),
    (with_members(answer_action=lambda _self, _answer: "wave"), "an answer", "expected 'wave' to end the task"),
    (with_desk(toys.Contrary, repeats=True), "a judges", "expected a reward of at least 1.0 at step 2"),
    (with_desk(toys.Restless), "a snapshot", "expected the observation after a snapshot at the opening"),
]


@pytest.mark.parametrize(("world", "clause", "said"), BROKEN)
def test_a_clause_about_a_member_is_broken_by(world: type[Office], clause: str, said: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=re.escape(said)):
        clause_of(clause, environment_members)(case_of(world))


def test_every_clause_about_a_member_is_broken_above() -> None:
    assert unbroken_clauses((clause for _, clause, _ in BROKEN), environment_members) == set()
