"""The clauses about members that only some environments have: a good world keeps each, and another one breaks it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from quintet.messages.environment import Task
from quintet.ports.world import World
from quintet.testing import environment, environment_copies, environment_members
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.subprocesses import NamedPlugIn
from tests.deploy.testing import declaring_environments as toys
from tests.deploy.testing.broken_environments import Stairs
from tests.deploy.testing.declaring_environments import Office, RepeatingOffice
from tests.distributions import install

CLAUSES = clauses(environment_members)


@dataclass(frozen=True)
class CaseHere(EnvironmentCase):
    """In a world that only this process has."""

    make: Callable[[], World] = Office

    def world(self) -> World:
        return self.make()


LETTER, ACTIONS = Task(name="letter", seed=0), ("write", "send")


def verdicts_on(target: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Verdict]:
    install(folder, monkeypatch, {"environments": {"office": f"{toys.__name__}:{target}"}})
    found: list[Verdict] = []
    cases = [EnvironmentCase(NamedPlugIn("office"), LETTER, ACTIONS, solves=True)]
    run_contracts(dict.fromkeys((environment, environment_copies, environment_members), cases), found.append)
    return {verdict.clause: verdict for verdict in found}


def test_a_world_with_all_of_them_keeps_their_contract() -> None:
    found: list[Verdict] = []
    for make in (Office, RepeatingOffice):
        case = CaseHere(NamedPlugIn("office"), LETTER, ACTIONS, solves=True, make=make)
        run_contracts({environment_members: [case]}, found.append)
    assert {verdict.clause for verdict in found if verdict.state == "holds"} == clauses(environment_members).keys()
    assert not [verdict for verdict in found if verdict.state == "broken"]


@pytest.mark.slow
def test_a_world_with_all_of_them_keeps_every_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    once = verdicts_on("Office", tmp_path / "office", monkeypatch)
    always = verdicts_on("RepeatingOffice", tmp_path / "repeating", monkeypatch)
    assert [verdict for verdict in (*once.values(), *always.values()) if verdict.state == "broken"] == []
    held = {clause for each in (once, always) for clause, verdict in each.items() if verdict.state == "holds"}
    assert CLAUSES.keys() <= held
    assert once["the same actions give the same outcomes"].text == "the world does not answer alike twice"
    assert once["a fork goes its own way"].text == "the world cannot copy a state"


def test_a_world_without_them_is_not_asked_for_them() -> None:
    found: list[Verdict] = []
    stairs = CaseHere(NamedPlugIn("stairs"), Task(name="low stairs", seed=0), ("up", "up"), solves=True, make=Stairs)
    run_contracts({environment_members: [stairs]}, found.append)
    assert {verdict.clause for verdict in found if verdict.state == "holds"} == {
        "it leaves answers to a judge only if it says so",
        "it says how many sessions a host may hold",
        "it says in words which tasks it refuses",
        "it says whether it answers alike twice",
    }
    assert {verdict.state for verdict in found} == {"holds", "skipped"}


def test_cases_are_tasks_that_are_not_refused_and_an_expert_may_tell_the_next_action_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"environments": {"office": f"{toys.__name__}:Office"}})
    assert [(case.task.name, case.actions, case.solves) for case in environment_cases("office")] == [
        ("letter", ("write", "send"), True)
    ]


BROKEN: list[tuple[type[Office], str, str]] = [
    (
        toys.OpensOnce,
        "it gets ready for its tasks and again where it is",
        "expected a world that gets ready twice, got door",
    ),
    (
        toys.with_members(places="two"),
        "it says how many sessions a host may hold",
        "expected places, a number or None, got 'two'",
    ),
    (
        toys.with_desk(toys.Jammed),
        "as many sessions as it has places are played at once",
        "expected done, step by step, in session",
    ),
    (toys.with_members(repeats="perhaps"), "it says whether it answers alike twice", "expected repeats of type bool"),
    (toys.with_desk(toys.Counting), "a reset brings it to its beginning", "expected the outcomes after another reset"),
    (
        toys.SilentOffice,
        "it says in words which tasks it refuses",
        "expected why task 'letter' is refused of type str",
    ),
    (
        toys.Backward,
        "it says in words which tasks it refuses",
        "expected task 'letter', refused with a judge, to be refused without",
    ),
    (
        toys.with_desk(toys.Boastful),
        "figures have names and are shares",
        "figure 'letters' of 'send' within [0, 1], got 2.0",
    ),
    (
        toys.with_desk(toys.ListingNaive),
        "a naive policys actions are carried out and asking changes nothing",
        "expected the naive policy's actions of type tuple",
    ),
    (
        toys.with_desk(toys.HastyNaive),
        "a naive policys actions are carried out and asking changes nothing",
        "expected the naive policy's 'send' to be carried out",
    ),
    (
        toys.with_members(needs_judge="at times"),
        "it leaves answers to a judge only if it says so",
        "expected needs_judge, a bool or None, got 'at times'",
    ),
    (
        toys.with_desk(toys.Contrary),
        "a judges verdicts are taken and a good one earns no less",
        "expected a reward of at least 1.0 at step 2",
    ),
    (
        toys.with_desk(toys.Restless),
        "a snapshot leads back where states are not copied",
        "expected the observation after a snapshot at the opening",
    ),
]


@pytest.mark.parametrize(("world", "clause", "said"), BROKEN, ids=[clause for _, clause, _ in BROKEN])
def test_a_clause_about_a_member_is_broken_by(world: type[Office], clause: str, said: str) -> None:
    if "as many sessions" in clause or "verdicts" in clause:
        world.repeats = True
    with pytest.raises(pytest.fail.Exception, match=re.escape(said)):
        CLAUSES[clause](CaseHere(NamedPlugIn("office"), LETTER, ACTIONS, solves=True, make=world))


def test_every_clause_about_a_member_is_broken_above() -> None:
    assert CLAUSES.keys() - {clause for _, clause, _ in BROKEN} == set()
