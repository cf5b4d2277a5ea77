"""The contract of environments that copy their states, or go back to them: forks and snapshots.

The fixture `case` gives the `EnvironmentCase` to try it on. `quintet.testing.environment` comes first.
"""

from quintet.ports.world import WorldState
from quintet.testing.environment_case import EnvironmentCase, StepsRequest, step, step_on, step_through
from quintet.testing.environment_checks import check_admissible, check_expert, skip_without
from quintet.testing.expectations import expect, expect_equal, expect_type
from quintet.testing.subprocesses import in_subprocess


def test_a_fork_goes_its_own_way(case: EnvironmentCase) -> None:
    skip_without(case, "copies", "actions")
    state = case.open()
    outcomes = step_through(case.open(), case.actions)
    for place, action in enumerate(case.actions):
        before = state.snapshot()
        fork = state.fork()
        expect_equal("the snapshot of a fork", before, fork.snapshot())
        expect_equal("what a fork offers", state.offered, fork.offered)
        expect_equal(
            f"a fork's outcomes from step {place + 1} on", outcomes[place:], step_through(fork, case.actions[place:])
        )
        expect_equal(f"the snapshot before step {place + 1}, after its fork went on,", before, state.snapshot())
        other = state.fork()
        step(state, action)
        expect_equal(f"a fork's snapshot, after {action!r} in its origin,", before, other.snapshot())


def test_a_snapshot_changes_nothing_and_goes_on_where_it_was_taken(case: EnvironmentCase) -> None:
    skip_without(case, "copies", "actions")
    world, state = case.world(), case.open()
    expect_type("a snapshot", bytes, state.snapshot())
    for place in range(len(case.actions) + 1):
        snapshot, rest = state.snapshot(), case.actions[place:]
        restored = world.restore(case.task, snapshot)
        expect_equal("the opening of what was restored", state.opening, restored.opening)
        if world.exact:
            expect_equal("the snapshot of what was restored", snapshot, restored.snapshot())
            expect_equal("what is offered by what was restored", state.offered, restored.offered)
            outcomes = step_through(state.fork(), rest)
            expect_equal(f"the outcomes from step {place + 1} on", outcomes, step_through(restored, rest))
        else:
            again = world.restore(case.task, snapshot).observation
            expect_equal("the observation of what was restored a second time", restored.observation, again)
            _check_words(restored, f"in what was restored before step {place + 1}")
        if rest:
            step(state, rest[0])


def test_going_back_undoes_every_step_that_is_not_lasting(case: EnvironmentCase) -> None:
    skip_without(case, "copies", "actions")
    world, state = case.world(), case.open()
    for action in case.actions:
        snapshot = state.snapshot()
        before = world.restore(case.task, snapshot)
        lasting = step(state, action).lasting
        after = world.restore(case.task, snapshot)
        if not lasting:
            expect_equal(f"the snapshot of a state from before {action!r}", before.snapshot(), after.snapshot())
            expect_equal(f"the observation of a state from before {action!r}", before.observation, after.observation)


def test_a_snapshot_is_restored_in_another_process(case: EnvironmentCase) -> None:
    skip_without(case, "snapshots", "actions")
    world, state = case.world(), case.open()
    half = len(case.actions) // 2
    step_through(state, case.actions[:half])
    rest = case.actions[half:] if world.exact else ()  # what lasts in that process is not known
    request = StepsRequest(plug_in=case.plug_in, task=case.task, actions=rest, snapshot=state.snapshot())
    expect_equal("the outcomes after a restore in another process", step_on(request), in_subprocess(step_on, request))


def test_a_snapshot_is_what_a_replay_arrives_at(case: EnvironmentCase) -> None:
    skip_without(case, "snapshots", "actions", "repeats")
    world, state = case.world(), case.open()
    for place, action in enumerate(case.actions, start=1):
        step(state, action)
        again = world.open(case.task)
        step_through(again, case.actions[:place])
        expect_equal(f"the snapshot of a replay of {place} steps", state.snapshot(), again.snapshot())


def _check_words(state: WorldState, when: str) -> None:
    """A state takes the actions in the words that it shows, and can be solved from where it is."""
    for action in check_admissible(state, when) or ():
        outcome = step(state.fork(), action)
        expect(not outcome.rejected, f"the admissible action {action!r} {when} to be carried out", outcome)
    check_expert(state, when)
