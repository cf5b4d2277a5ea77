"""The contract of environments: a good world keeps it, and every clause is broken by a world that breaks it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from quintet.messages.environment import Task
from quintet.testing import environment
from quintet.testing.contract import Verdict, clauses, run_contracts
from quintet.testing.environment_case import EnvironmentCase, environment_cases
from quintet.testing.subprocesses import NamedPlugIn
from tests.deploy.testing import broken_environments
from tests.distributions import install

STAIRS = EnvironmentCase(NamedPlugIn("stairs"), Task(name="low stairs", seed=0), ("up", "up"), solves=True)


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Stairs")
    install(tmp_path, monkeypatch, {"environments": {"stairs": f"{broken_environments.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_world_that_keeps_the_contract_is_tried_without_its_authors_help() -> None:
    found = environment_cases("stairs")
    assert [(case.task.name, case.actions, case.solves) for case in found] == [
        ("low stairs", ("up",) * 2, True),
        ("high stairs", ("up",) * 4, True),
    ]
    assert _exceptions(found) == {}


@pytest.mark.usefixtures("registered")
def test_a_task_and_actions_can_be_given() -> None:
    (case,) = environment_cases("stairs", task="high stairs", actions=["up", "up"])
    assert (case.task.name, case.actions, case.solves) == ("high stairs", ("up", "up"), True)
    first, other = environment_cases("stairs", actions=["jump"])
    assert (first.actions, first.solves, other.actions) == (("jump",), True, ("up",) * 4)


@pytest.mark.usefixtures("registered")
def test_actions_that_do_not_solve_their_task_break_the_clause_that_they_were_given_for() -> None:
    case = EnvironmentCase(STAIRS.plug_in, STAIRS.task, ("up",), solves=True)
    with pytest.raises(pytest.fail.Exception, match=r"expected done, step by step,\[0\] to be True, got False"):
        environment.test_the_actions_are_carried_out_and_solve_the_task(case)


@pytest.mark.usefixtures("registered")
def test_what_cannot_be_tried_is_skipped_and_says_why() -> None:
    skipped = _exceptions([EnvironmentCase(STAIRS.plug_in, STAIRS.task, (), solves=False)])
    assert "a done state accepts no action" in skipped
    assert "a fork goes its own way" in skipped
    assert len(skipped) == 8
    assert all("--actions FILE" in why for why in skipped.values())


@pytest.mark.parametrize("registered", ["BLIND"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_world_that_lists_no_actions_and_knows_no_expert_skips_the_clauses_about_them() -> None:
    found = environment_cases("stairs")
    assert [case.solves for case in found] == [True, True]  # by random actions
    assert _exceptions(found) == {
        "admissible actions are carried out and none is left when the task is done": "its actions cannot be listed",
        "an experts actions solve the task": "it knows of no expert",
    }


def _exceptions(cases: list[EnvironmentCase]) -> dict[str, str]:
    """The clauses that do not hold, with why."""
    verdicts: list[Verdict] = []
    run_contracts({environment: cases}, verdicts.append)
    assert len(verdicts) == len(clauses(environment))
    return {verdict.clause: verdict.text for verdict in verdicts if verdict.state != "holds"}


BROKEN: list[tuple[str, Callable[[EnvironmentCase], None], str]] = [
    ("Misnamed", environment.test_it_has_its_name_a_version_and_splits, "expected name to be 'stairs', got 'stars'"),
    ("Splitless", environment.test_it_has_its_name_a_version_and_splits, "expected at least one split, got none"),
    (
        "Twice",
        environment.test_tasks_are_distinct_and_every_split_can_be_opened,
        "every task of split 'test' once, got",
    ),
    ("Slashed", environment.test_tasks_have_names_that_can_stand_in_a_path, "text without '/'"),
    ("Uneven", environment.test_metadata_has_the_same_keys_for_every_task, "to be ('steps',), got ('steps', 'high')"),
    (
        "Lenient",
        environment.test_an_unknown_split_is_a_usage_error_naming_those_there_are,
        "got no exception but ('low",
    ),
    (
        "Unknowing",
        environment.test_an_unknown_task_is_a_usage_error_naming_the_nearest,
        "expected a UsageError that names 'low stairs', got ValueError: 'low stairs#' is not in list in broken_",
    ),
    ("WANDERING", environment.test_the_opening_is_its_setting_and_its_goal_and_never_changes, "the opening after 'up'"),
    ("UNTYPED", environment.test_a_reward_never_falls_and_stays_when_the_task_is_done, "Expected `float`, got `null`"),
    ("FALLING", environment.test_a_reward_never_falls_and_stays_when_the_task_is_done, "a reward within ["),
    ("RESTLESS", environment.test_a_done_state_accepts_no_action, "'up' to be rejected, since the task is done"),
    (
        "FRAGILE",
        environment.test_malformed_actions_do_not_raise_and_do_not_keep_the_task_from_being_solved,
        "Exceeds the limit",
    ),
    ("COUNTING", environment.test_a_rejected_action_leaves_no_trace, "expected the snapshot after '' was rejected"),
    (
        "WISHFUL",
        environment.test_admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done,
        "the admissible action 'down' to be carried out, got Outcome(",
    ),
    (
        "HIDING",
        environment.test_admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done,
        "an admissible action that does what 'up' does at step 1, got ()",
    ),
    (
        "LAZY",
        environment.test_an_experts_actions_solve_the_task,
        "expected the task to be solved by the expert's actions at the opening, got Outcome(",
    ),
    (
        "TIMED",
        environment.test_the_same_actions_give_the_same_outcomes,
        "expected a second trace.outcomes[0].observation to be",
    ),
    (
        "HASHED",
        environment.test_another_process_with_another_hash_seed_gives_the_same_outcomes,
        "expected a trace in a process with hash seed 1.outcomes[0].observation to be 'You are 1 steps up. ",
    ),
    ("SHARED", environment.test_a_fork_goes_its_own_way, "after its fork went on, to be"),
    (
        "Forgetting",
        environment.test_a_snapshot_changes_nothing_and_goes_on_where_it_was_taken,
        "expected the snapshot of what was restored to be",
    ),
    (
        "HASHED",
        environment.test_a_snapshot_is_restored_in_another_process,
        "the outcomes after a restore in another process",
    ),
    (
        "HISTORIC",
        environment.test_a_snapshot_is_what_a_replay_arrives_at,
        "expected the snapshot of a replay of 1 steps",
    ),
    (
        "Careless",
        environment.test_a_damaged_snapshot_is_a_fault_or_a_state_and_nothing_worse,
        "expected a WorldFault or a state, with byte 0 damaged by 0x1, got ValidationError",
    ),
    (
        "Generous",
        environment.test_bytes_that_are_no_snapshot_are_a_fault,
        "a WorldFault from a restore of b'', got no exc",
    ),
    (
        "Confused",
        environment.test_a_snapshot_of_another_task_is_a_fault,
        "from one of task 'high stairs', got no exception",
    ),
    ("Seedless", environment.test_a_snapshot_of_another_seed_is_a_fault, "from one of seed 1, got no exception"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Callable[[EnvironmentCase], None], said: str) -> None:
    with pytest.raises((pytest.fail.Exception, ValueError), match=re.escape(said)):
        clause(STAIRS)


def test_every_clause_is_broken_above() -> None:
    unbroken = {*clauses(environment).values()} - {clause for _, clause, _ in BROKEN}
    assert unbroken == {environment.test_the_actions_are_carried_out_and_solve_the_task}
