"""The contract of environments: a good world keeps every clause, and another one breaks it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.gymnasium_world.world import GymnasiumWorld
from quintet.messages.environment import Task
from quintet.ports.world import World
from quintet.testing import environment, environment_copies, environment_members
from quintet.testing.contract import Verdict, clauses
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.subprocesses import NamedPlugIn
from tests.actors.environments.adapters import stairs
from tests.actors.environments.adapters.stairs import LOW
from tests.deploy.testing import declaring_environments as toys
from tests.deploy.testing.broken_environments import Stairs
from tests.deploy.testing.declaring_environments import Office, RepeatingOffice, with_desk, with_members
from tests.deploy.testing.verdicts import clause_of, unbroken_clauses, verdicts_on
from tests.distributions import install

AT_ONCE = "sessions that are played at once do not disturb each other"
CONTRACTS = (environment, environment_copies)
pytestmark = pytest.mark.usefixtures("registered")


def low(world: str, actions: tuple[str, ...] = ("up", "up"), *, solves: bool = True) -> EnvironmentCase:
    return EnvironmentCase(NamedPlugIn(world), Task(name="low stairs", seed=0), actions, solves=solves)


def test_a_world_that_inherits_nothing_and_is_not_exact_keeps_the_contract() -> None:
    tried = environment_cases("shop", task="tea")
    assert [(case.actions, case.solves) for case in tried] == [(("click 13", "order"), True)]
    assert _exceptions(tried) == {AT_ONCE: "its steps may last, so sessions may see each other"}


WAITING: tuple[tuple[str, dict[str, float]], ...] = (
    ("AsyncStairs", {"stepping": 0, "closing": 0}),
    ("ThreadStairs", {}),
    ("QuietStairs", {}),
)


@pytest.mark.slow
@pytest.mark.parametrize(("target", "options"), WAITING)
def test_worlds_that_wait_or_block_keep_the_contract(
    target: str, options: dict[str, float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"environments": {"stairs": f"{stairs.__name__}:{target}"}})
    assert _exceptions(environment_cases("stairs", options)) == {}


@pytest.mark.parametrize(("target", "options"), WAITING)
def test_sessions_of_worlds_that_wait_or_block_are_played_at_once(target: str, options: dict[str, float]) -> None:
    case = EnvironmentCase(NamedPlugIn(target, options), LOW, ("up", "up"), solves=True)
    environment.test_sessions_that_are_played_at_once_do_not_disturb_each_other(case)


def test_a_world_that_keeps_the_contract_is_tried_without_its_authors_help() -> None:
    found = environment_cases("stairs")
    assert [(case.task.name, case.actions, case.solves) for case in found] == [
        ("low stairs", ("up",) * 2, True),
        ("high stairs", ("up",) * 4, True),
    ]
    assert _exceptions(found) == {}


def test_a_task_and_actions_can_be_given() -> None:
    (case,) = environment_cases("Stairs", task="high stairs", actions=["up", "up"])
    assert (case.task.name, case.actions, case.solves) == ("high stairs", ("up", "up"), True)
    first, other = environment_cases("Stairs", actions=["jump"])
    assert (first.actions, first.solves, other.actions) == (("jump",), True, ("up",) * 4)


def test_given_actions_that_do_not_solve_the_task_break_a_clause() -> None:
    with pytest.raises(pytest.fail.Exception, match=r"expected done, step by step,\[0\] to be True, got False"):
        environment.test_the_actions_are_carried_out_and_solve_the_task(low("Stairs", ("up",)))


def test_a_clause_that_cannot_be_tried_is_skipped_with_a_reason() -> None:
    skipped = _exceptions([low("stairs", (), solves=False)])
    assert "a done state accepts no action" in skipped
    assert "a fork goes its own way" in skipped
    assert len(skipped) == 11
    assert all("--actions FILE" in why for why in skipped.values())


def test_a_world_that_lists_no_actions_and_knows_no_expert_skips_the_clauses_about_them() -> None:
    found = environment_cases("BLIND")
    assert [case.solves for case in found] == [True, True]  # by random actions
    assert _exceptions(found) == {
        "admissible actions are carried out and none is left when the task is done": "its actions cannot be listed",
        "an experts actions solve the task": "it knows of no expert",
        "nothing is advised once the task is solved": "it knows of no expert",
    }


def test_a_world_that_cannot_copy_a_state_skips_the_clauses_that_need_a_copy() -> None:
    skipped = _exceptions(environment_cases("RIGID", task="low stairs", actions=["up", "up"]))
    copies = {"the world cannot copy a state", "the world neither copies a state nor goes back to one"}
    assert set(skipped.values()) == copies
    assert "a fork goes its own way" in skipped
    assert "the same actions give the same outcomes" not in skipped


class Dial:
    """Sixty numbers, one of which ends it."""

    made = 0

    def reset(self, *, seed: int | None = None, options: object = None) -> tuple[str, dict[str, Any]]:
        Dial.made += 1
        return "A dial.", {}

    def step(self, number: int) -> tuple[str, float, bool, bool, dict[str, Any]]:
        return f"It shows {number}.", float(number == 7), number == 7, False, {}


class Dialled(NamedPlugIn, frozen=True):
    def world(self) -> World:
        return GymnasiumWorld(Dial, actions={f"turn to {number:02}": number for number in range(60)}, forks="replay")


def test_where_a_copy_is_a_repetition_some_of_a_long_list_are_tried() -> None:
    case = EnvironmentCase(Dialled("Dial"), Task(name="seed-0", seed=0), ("turn to 07",), solves=True)
    Dial.made = 0
    environment.test_admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done(case)
    assert Dial.made < 20


def _exceptions(cases: list[EnvironmentCase]) -> dict[str, str]:
    """The clauses that do not hold, with why."""
    verdicts = verdicts_on(dict.fromkeys(CONTRACTS, cases))
    assert len(verdicts) == sum(len(clauses(contract)) for contract in CONTRACTS)
    return {verdict.clause: verdict.text for verdict in verdicts if verdict.state != "holds"}


BROKEN = [
    ("MISNAMED", "it has its name", "expected name to be 'MISNAMED', got 'stars'"),
    ("SPLITLESS", "it has its name", "expected at least one split, got none"),
    ("VAGUE", "it says how it copies", "forks to be one of copy, replay, none, got 'maybe'"),
    ("UNSURE", "it says whether going back", "expected exact of type bool, got 'perhaps'"),
    ("LASTING", "it says whether going back", "a world that is not exact, since 'up' is lasting, got exact"),
    ("Twice", "tasks are distinct", "every task of split 'test' once, got"),
    ("Slashed", "tasks have names", "text without '/'"),
    ("Uneven", "metadata has", "to be ('steps',), got ('steps', 'high')"),
    ("Lenient", "an unknown split", "got no exception but ('low"),
    (
        "Unknowing",
        "an unknown task",
        "that names 'low stairs', got ValueError: 'low stairs#' is not in list in broken_",
    ),
    ("WANDERING", "the opening", "the opening after 'up'"),
    ("BLANK", "it shows", "expected the observation after 'up' to be 'You are 1 steps up.', got 'Stairs."),
    ("ECHOING", "it shows", "expected the observation after '' to be 'Stairs."),
    ("UNTYPED", "a reward", "Expected `float`, got `null`"),
    ("FALLING", "a reward", "a reward within ["),
    ("RESTLESS", "a done state", "'up' to be rejected, since the task is done"),
    ("FRAGILE", "malformed actions", "Exceeds the limit"),
    ("COUNTING", "a rejected action", "expected the snapshot after '' was rejected"),
    ("WISHFUL", "admissible actions", "the admissible action 'down' to be carried out, got Outcome("),
    ("HIDING", "admissible actions", "an admissible action that does what 'up' does at step 1, got ()"),
    ("LAZY", "an experts actions", "once the task is solved by those at the opening to be (), got ('up',)"),
    ("Denying", "nothing is advised", "expected what is advised once the task is solved to be (), got None"),
    ("TIMED", "the same actions", "expected a second trace.outcomes[0].observation to be"),
    ("CROWDED", AT_ONCE, "of session 1, played beside others,[1].observation to be 'You are 2 steps up.'"),
    ("HASHED", "another process", "in a process with hash seed 1.outcomes[0].observation to be 'You are 1 steps up. "),
    ("SHARED", "a fork", "after its fork went on, to be"),
    ("HAWKING", "a snapshot changes nothing", "expected what is offered by what was restored to be (OfferedTool"),
    ("FORGETTING", "a snapshot changes nothing", "expected the snapshot of what was restored to be"),
    ("FLICKERING", "a snapshot changes nothing", "expected the observation of what was restored a second time"),
    ("DEAF", "a snapshot changes nothing", "'down' in what was restored before step 1 to be carried out, got Outcome("),
    ("Ratchet", "going back undoes", "expected the snapshot of a state from before 'up' to be"),
    ("HASHED", "a snapshot is restored", "the outcomes after a restore in another process"),
    ("HISTORIC", "a snapshot is what", "expected the snapshot of a replay of 1 steps"),
]


@pytest.mark.parametrize(("world", "clause", "said"), BROKEN)
def test_a_clause_is_broken_by(world: str, clause: str, said: str) -> None:
    with pytest.raises((pytest.fail.Exception, ValueError), match=re.escape(said)):
        clause_of(clause, *CONTRACTS)(low(world))


def test_every_clause_is_broken_above() -> None:
    unbroken = unbroken_clauses((clause for _, clause, _ in BROKEN), *CONTRACTS)
    assert unbroken == {"the actions are carried out and solve the task"}


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
        "it leaves messages to a user only if it says so",
        "it says how many sessions a host may hold",
        "it says alike each time what its tasks are made of",
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


def answering(action: Any) -> Callable[[Office, str], Any]:
    """The member of a world where each answer is this action."""
    return lambda _world, _answer: action


BROKEN_MEMBERS: list[tuple[type[Office], str, str]] = [
    (toys.OpensOnce, "it gets ready", "expected a world that gets ready twice, got door"),
    (with_members(places="two"), "it says how many sessions", "expected places, a number or None, got 'two'"),
    (with_desk(toys.Jammed, repeats=True), "as many sessions", "expected done, step by step, in session"),
    (with_members(repeats="perhaps"), "it says whether", "expected repeats of type bool"),
    (with_desk(toys.Counting), "a reset", "expected the outcomes after another reset"),
    (toys.SilentOffice, "it says in words", "expected why task 'letter' is refused of type str"),
    (toys.Shifting, "it says alike", "expected the content of split"),
    (toys.Backward, "it says in words", "expected task 'letter', refused with a judge, to be refused without"),
    (with_desk(toys.Boastful), "figures", "figure 'letters' of 'send' within [0, 1], got 2.0"),
    (
        with_members(scores=answering(("stamps",))),
        "figures",
        "expected figure 'stamps' of 'send', a score, got {'letters'",
    ),
    (with_desk(toys.ListingNaive), "a naive", "expected the naive policy's actions of type tuple"),
    (with_desk(toys.HastyNaive), "a naive", "expected the naive policy's 'send' to be carried out"),
    (with_members(needs_user="at times"), "it leaves messages", "expected needs_user, a bool or None, got 'at times'"),
    (with_desk(toys.Chatty), "it leaves messages", "expected no message to a user for 'write', without `needs_user`"),
    (with_members(needs_judge="at times"), "it leaves answers", "expected needs_judge, a bool or None, got 'at times'"),
    (with_members(answer_action=answering(None)), "an answer", "expected answer_action(...) of type str"),
    (with_members(answer_action=answering("wave")), "an answer", "expected 'wave' to end the task"),
    (with_desk(toys.Contrary, repeats=True), "a judges", "expected a reward of at least 1.0 at step 2"),
    (with_desk(toys.Restless), "a snapshot", "expected the observation after a snapshot at the opening"),
]


@pytest.mark.parametrize(("world", "clause", "said"), BROKEN_MEMBERS)
def test_a_clause_about_a_member_is_broken_by(world: type[Office], clause: str, said: str) -> None:
    with pytest.raises(pytest.fail.Exception, match=re.escape(said)):
        clause_of(clause, environment_members)(case_of(world))


def test_every_clause_about_a_member_is_broken_above() -> None:
    assert unbroken_clauses((clause for _, clause, _ in BROKEN_MEMBERS), environment_members) == set()
