"""The contract of environments: a good world keeps it, and every clause is broken by a world that breaks it."""

from pathlib import Path

import pytest

from quintet.messages.environment import Task
from quintet.testing import environment
from quintet.testing.clauses import Clause, judged, sentence
from quintet.testing.environment import ENVIRONMENT
from quintet.testing.environment_cases import EnvironmentCase, visits
from quintet.testing.named import Named
from tests.deploy.testing import broken_environments
from tests.distributions import install

STAIRS = EnvironmentCase(Named("stairs"), Task(name="low stairs", seed=0), ("up", "up"), solves=True)


@pytest.fixture
def registered(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = getattr(request, "param", "Stairs")
    install(tmp_path, monkeypatch, {"environments": {"stairs": f"{broken_environments.__name__}:{target}"}})


@pytest.mark.usefixtures("registered")
def test_a_world_that_keeps_the_contract_is_visited_without_its_authors_help() -> None:
    found = visits(Named("stairs"))
    assert [(visit.task.name, visit.walk, visit.solves) for visit in found] == [
        ("low stairs", ("up",) * 2, True),
        ("high stairs", ("up",) * 4, True),
    ]
    assert [verdict for verdict in judged(ENVIRONMENT, found) if verdict.state != "holds"] == []


@pytest.mark.usefixtures("registered")
def test_a_task_and_a_walk_can_be_given() -> None:
    (visit,) = visits(Named("stairs"), "high stairs", ["up", "up"])
    assert (visit.task.name, visit.walk, visit.solves) == ("high stairs", ("up", "up"), True)
    first, other = visits(Named("stairs"), walk=["jump"])
    assert (first.walk, first.solves, other.walk) == (("jump",), True, ("up",) * 4)


@pytest.mark.usefixtures("registered")
def test_a_walk_that_does_not_solve_its_task_breaks_the_clause_it_was_given_for() -> None:
    visit = EnvironmentCase(STAIRS.named, STAIRS.task, ("up",), solves=True)
    (verdict,) = judged([environment.the_walk_is_carried_out_and_solves_the_task], [visit])
    assert verdict.state == "broken"
    assert verdict.text == "expected done, step by step,[0] to be True, got False (task 'low stairs', seed 0)"


@pytest.mark.usefixtures("registered")
def test_what_cannot_be_tried_is_skipped_and_says_why() -> None:
    visit = EnvironmentCase(STAIRS.named, STAIRS.task, (), solves=False)
    skipped = {verdict.clause: verdict.text for verdict in judged(ENVIRONMENT, [visit]) if verdict.state == "skipped"}
    assert sentence(environment.a_done_state_accepts_no_action) in skipped
    assert sentence(environment.a_fork_goes_its_own_way) in skipped
    assert len(skipped) == 8
    assert all("--walk FILE" in why for why in skipped.values())


@pytest.mark.parametrize("registered", ["BLIND"], indirect=True)
@pytest.mark.usefixtures("registered")
def test_a_world_that_lists_no_actions_and_knows_no_expert_skips_what_is_said_of_them() -> None:
    found = visits(Named("stairs"))
    assert [visit.solves for visit in found] == [True, True]  # by walks at random
    others = {verdict.clause: verdict.text for verdict in judged(ENVIRONMENT, found) if verdict.state != "holds"}
    assert others == {
        sentence(environment.admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done): (
            "its actions cannot be listed"
        ),
        sentence(environment.an_experts_actions_solve_the_task): "it knows of no expert",
    }


BROKEN: list[tuple[str, Clause[EnvironmentCase], str]] = [
    ("Misnamed", environment.it_has_its_name_a_version_and_splits, "expected name to be 'stairs', got 'stars'"),
    ("Splitless", environment.it_has_its_name_a_version_and_splits, "expected at least one split, got none"),
    ("Twice", environment.tasks_are_distinct_and_every_split_can_be_opened, "every task of split 'test' once, got"),
    ("Slashed", environment.tasks_have_names_that_can_stand_in_a_path, "text without '/'"),
    ("Uneven", environment.metadata_has_the_same_keys_for_every_task, "to be ('steps',), got ('steps', 'high')"),
    ("Lenient", environment.an_unknown_split_is_a_usage_error_naming_those_there_are, "got no exception but ('low"),
    (
        "Unknowing",
        environment.an_unknown_task_is_a_usage_error_naming_the_nearest,
        "expected a UsageError that names 'low stairs', got ValueError: 'low stairs#' is not in list in broken_",
    ),
    ("WANDERING", environment.the_opening_is_its_setting_and_its_goal_and_never_changes, "the opening after 'up'"),
    ("UNTYPED", environment.a_reward_never_falls_and_stays_when_the_task_is_done, "Expected `float`, got `null`"),
    ("FALLING", environment.a_reward_never_falls_and_stays_when_the_task_is_done, "a reward within ["),
    ("RESTLESS", environment.a_done_state_accepts_no_action, "'up' to be rejected, since the task is done"),
    (
        "FRAGILE",
        environment.odd_actions_do_not_raise_and_the_walk_can_still_be_taken,
        "expected no exception, got ValueError: Exceeds the limit",
    ),
    ("COUNTING", environment.a_rejected_action_leaves_no_trace, "expected the snapshot after '' was rejected"),
    (
        "WISHFUL",
        environment.admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done,
        "the admissible action 'down' to be carried out, got Outcome(",
    ),
    (
        "HIDING",
        environment.admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done,
        "an admissible action that does what 'up' does at step 1, got ()",
    ),
    (
        "LAZY",
        environment.an_experts_actions_solve_the_task,
        "expected the task to be solved by the expert's actions at the opening, got Outcome(",
    ),
    ("TIMED", environment.the_same_task_gives_the_same_walk, "expected a second visit.outcomes[0].observation to be"),
    (
        "HASHED",
        environment.another_process_with_another_hash_seed_gives_the_same_walk,
        "expected a visit in a process with hash seed 1.outcomes[0].observation to be 'You are 1 steps up. ",
    ),
    ("SHARED", environment.a_fork_goes_its_own_way, "after its fork went on, to be"),
    (
        "Forgetting",
        environment.a_snapshot_changes_nothing_and_goes_on_where_it_was_taken,
        "expected the snapshot of what was restored to be",
    ),
    ("HASHED", environment.a_snapshot_is_restored_in_another_process, "the walk after a restore in another process"),
    ("HISTORIC", environment.a_snapshot_is_what_a_replay_arrives_at, "expected the snapshot of a replay of 1 steps"),
    (
        "Careless",
        environment.a_damaged_snapshot_is_a_fault_or_a_state_and_nothing_worse,
        "expected a WorldFault or a state, with byte 0 damaged by 0x1, got ValidationError",
    ),
    ("Generous", environment.bytes_that_are_no_snapshot_are_a_fault, "a WorldFault from a restore of b'', got no exc"),
    ("Confused", environment.a_snapshot_of_another_task_is_a_fault, "from one of task 'high stairs', got no exception"),
    ("Seedless", environment.a_snapshot_of_another_seed_is_a_fault, "from one of seed 1, got no exception"),
]


@pytest.mark.parametrize(("registered", "clause", "said"), BROKEN, indirect=["registered"])
@pytest.mark.usefixtures("registered")
def test_a_clause_is_broken_by(clause: Clause[EnvironmentCase], said: str) -> None:
    (verdict,) = judged([clause], [STAIRS])
    assert verdict.state == "broken"
    assert said in verdict.text


def test_every_clause_is_broken_above() -> None:
    unbroken = {sentence(clause) for clause in ENVIRONMENT} - {sentence(clause) for _, clause, _ in BROKEN}
    assert unbroken == {sentence(environment.the_walk_is_carried_out_and_solves_the_task)}  # by a walk of its own
