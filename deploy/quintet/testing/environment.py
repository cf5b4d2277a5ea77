"""The contract of environments. The fixture `case` gives the `EnvironmentCase` to try it on.

The tests are in order: later ones rely on what earlier ones check.
"""

import re
from typing import Final, get_args

import pytest

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.messages.paths import episode_path
from quintet.ports.world import Forks, Opening, WorldState
from quintet.testing.environment_case import EnvironmentCase, StepsRequest, step, step_through, trace
from quintet.testing.environment_checks import (
    GIVE_ACTIONS,
    check_admissible,
    check_expert,
    follow_expert,
    play_at_once,
    skip_without,
)
from quintet.testing.expectations import expect, expect_equal, expect_error, expect_type, fail, short_repr
from quintet.testing.subprocesses import in_subprocess

_REPETITIONS: Final = 10
"""About how many listed actions are tried at each step where a copy is a repetition."""

_QUOTED = re.compile('"(.+)"')


def test_it_has_its_name_a_version_and_splits(case: EnvironmentCase) -> None:
    world = case.world()
    expect_equal("name", case.plug_in.name, world.name)
    expect_type("a version", str, world.version)
    expect(world.version.strip(), "a version", short_repr(world.version))
    expect_type("splits", tuple[str, ...], world.splits)
    expect(world.splits, "at least one split", "none")
    expect(len(set(world.splits)) == len(world.splits), "every split once", world.splits)


def test_it_says_how_it_copies_a_state(case: EnvironmentCase) -> None:
    forks: object = case.world().forks
    expect(forks in get_args(Forks), f"forks to be one of {', '.join(get_args(Forks))}", short_repr(forks))
    expect_type("goes_back", bool, case.world().goes_back)


def test_it_says_whether_going_back_is_exact(case: EnvironmentCase) -> None:
    world, state = case.world(), case.open()
    expect_type("exact", bool, world.exact)
    for action in case.actions:
        lasting = step(state, action).lasting
        expect(not (world.exact and lasting), f"a world that is not exact, since {action!r} is lasting", "exact")


def test_tasks_are_distinct_and_every_split_can_be_opened(case: EnvironmentCase) -> None:
    world = case.world()
    expect(world.tasks(world.splits[0]), f"tasks in the first split, {world.splits[0]!r}", "none")
    for split in world.splits:
        tasks = world.tasks(split)
        expect(len(set(tasks)) == len(tasks), f"every task of split {split!r} once", tasks)
        for name in (*tasks[:1], *tasks[-1:]):
            opening = world.open(Task(name=name, seed=0)).opening
            expect(opening.observation, f"an observation as task {name!r} opens", opening)


def test_tasks_have_names_that_can_stand_in_a_path(case: EnvironmentCase) -> None:
    world = case.world()
    for name in (name for split in world.splits for name in world.tasks(split)):
        try:
            episode_path(name, 0, 0)
        except ValueError as error:
            fail("task names that can stand in a path", str(error))


def test_metadata_has_the_same_keys_for_every_task(case: EnvironmentCase) -> None:
    world = case.world()
    expected = tuple(world.metadata(world.tasks(world.splits[0])[0]))
    for name in (name for split in world.splits for name in world.tasks(split)):
        metadata = world.metadata(name)
        expect_type(f"metadata of task {name!r}", dict[str, str], dict(metadata))
        expect_equal(f"the keys of the metadata of task {name!r}", expected, tuple(metadata))


def test_an_unknown_split_is_a_usage_error_naming_those_there_are(case: EnvironmentCase) -> None:
    world = case.world()
    expect_error(UsageError, lambda: world.tasks("no such split"), naming=world.splits[0])


def test_an_unknown_task_is_a_usage_error_naming_the_nearest(case: EnvironmentCase) -> None:
    world = case.world()
    mistyped = Task(name=f"{case.task.name}#", seed=case.task.seed)
    expect_error(UsageError, lambda: world.open(mistyped), naming=case.task.name)
    expect_error(UsageError, lambda: world.metadata(mistyped.name), naming=case.task.name)
    if world.takes_snapshots:
        expect_error(UsageError, lambda: world.restore(mistyped, b""), naming=case.task.name)


def test_the_opening_is_its_setting_and_its_goal_and_never_changes(case: EnvironmentCase) -> None:
    state = case.open()
    first = state.opening
    expect_type("an opening", Opening, first)
    words = iter(first.observation.split())
    in_order = all(word in words for word in first.setting.split())
    expect(in_order, "an observation with the setting's words in order", first)
    expect(first.goal.strip(), "a goal", first)
    stated = first.goal in first.observation or any(
        quoted in first.observation for quoted in _QUOTED.findall(first.goal)
    )
    expect(stated, "an observation that states the goal, or what the goal quotes", first)
    expect(first.goal not in first.setting, "a setting that does not state the goal", first)
    expect(not first.goal.endswith((".", "!", "?")), "a goal without final punctuation", short_repr(first.goal))
    for action in case.actions:
        step(state, action)
        expect_equal(f"the opening after {action!r}", first, state.opening)
    if case.world().forks != "none":
        expect_equal("the opening of a fork", first, state.fork().opening)


def test_it_shows_the_answer_to_the_last_action_that_was_carried_out(case: EnvironmentCase) -> None:
    world, state = case.world(), case.open()
    seen = state.opening.observation
    expect_equal("the observation before the first action", seen, state.observation)
    for action in (*case.malformed_actions, *case.actions):
        outcome = step(state, action)
        if outcome.done and outcome.rejected:
            break  # the task was solved as it opened
        seen = seen if outcome.rejected else outcome.observation
        when = f"after {short_repr(action)}"
        expect_equal(f"the observation {when}", seen, state.observation)
        if world.forks != "none":
            expect_equal(f"the observation of a fork {when}", seen, state.fork().observation)
        if world.takes_snapshots and world.exact:
            restored = world.restore(case.task, state.snapshot())
            expect_equal(f"the observation of what was restored {when}", seen, restored.observation)


def test_the_actions_are_carried_out_and_solve_the_task(case: EnvironmentCase) -> None:
    if not case.solves:
        pytest.skip(f"no actions that solve a task were found; {GIVE_ACTIONS}")
    state = case.open()
    outcomes = [step(state, action) for action in case.actions]
    for action, outcome in zip(case.actions, outcomes, strict=True):
        expect(not outcome.rejected, f"{action!r} to be carried out", outcome)
    expect(outcomes, "at least one action", "none")
    expect_equal("done, step by step,", [False] * (len(outcomes) - 1) + [True], [outcome.done for outcome in outcomes])
    expect_equal("the reward at the end", 1.0, outcomes[-1].reward)


def test_a_reward_never_falls_and_stays_when_the_task_is_done(case: EnvironmentCase) -> None:
    state = case.open()
    earned, done = 0.0, False
    for action in (*case.actions, *case.malformed_actions, *case.actions):
        outcome = step(state, action)
        most = earned if done else 1.0
        expect(
            earned <= outcome.reward <= most, f"a reward within [{earned}, {most}] for {short_repr(action)}", outcome
        )
        earned, done = outcome.reward, outcome.done


def test_a_done_state_accepts_no_action(case: EnvironmentCase) -> None:
    writes = case.world().takes_snapshots
    state = case.open()
    if [outcome.done for outcome in step_through(state, case.actions)][-1:] != [True]:
        pytest.skip(f"no actions that end a task were found; {GIVE_ACTIONS}")
    before = state.snapshot() if writes else b""
    for action in (*case.actions, *case.malformed_actions):
        outcome = step(state, action)
        expect(
            outcome.rejected and outcome.done, f"{short_repr(action)} to be rejected, since the task is done", outcome
        )
    expect_equal("the snapshot of a done state", before, state.snapshot() if writes else b"")


def test_malformed_actions_do_not_raise_and_do_not_keep_the_task_from_being_solved(case: EnvironmentCase) -> None:
    skip_without(case, "copies", "rejections")
    state = case.open()
    for action in case.malformed_actions:
        if step(state.fork(), action).rejected:
            step(state, action)
    expect_equal(
        "the outcomes after malformed actions",
        step_through(case.open(), case.actions),
        step_through(state, case.actions),
    )


def test_a_rejected_action_leaves_no_trace(case: EnvironmentCase) -> None:
    skip_without(case, "snapshots", "rejections")
    state = case.open()
    before, done = state.snapshot(), False
    for action in case.malformed_actions:
        outcome = step(state, action)
        if outcome.rejected:
            expect_equal(f"the snapshot after {short_repr(action)} was rejected", before, state.snapshot())
            expect_equal(f"done after {short_repr(action)} was rejected", done, outcome.done)
        before, done = state.snapshot(), outcome.done


def test_admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done(case: EnvironmentCase) -> None:
    skip_without(case, "copies")
    state = case.open()
    listed = _admissible_actions(state, "at the opening")
    for place, action in enumerate(case.actions, start=1):
        tried = _some_of(listed, action) if case.world().forks == "replay" else listed
        outcomes = [step(state.fork(), each) for each in tried]
        for each, outcome in zip(tried, outcomes, strict=True):
            expect(not outcome.rejected, f"the admissible action {each!r} to be carried out", outcome)
        outcome = step(state, action)
        # It need not be listed itself: a world may read one action in several forms.
        among = outcome.rejected or outcome in outcomes or (action not in listed and len(tried) < len(listed))
        expect(among, f"an admissible action that does what {action!r} does at step {place}", listed)
        listed = _admissible_actions(state, f"after {action!r}")
        expect(not (outcome.done and listed), f"no admissible action after {action!r}, since the task is done", listed)


def test_an_experts_actions_solve_the_task(case: EnvironmentCase) -> None:
    state = case.open()
    if case.world().forks == "none":
        advice = state.expert()
        if advice is None:
            pytest.skip("it knows of no expert")
        expect_type("the expert's actions at the opening", tuple[str, ...], advice)
        follow_expert(state, advice, "at the opening")
        return
    if not check_expert(state, "at the opening"):
        pytest.skip("it knows of no expert")
    if case.actions:
        step(state, case.actions[0])
        check_expert(state, f"after {case.actions[0]!r}")


def test_nothing_is_advised_once_the_task_is_solved(case: EnvironmentCase) -> None:
    skip_without(case, "actions", "repeats")
    state = case.open()
    if state.expert() is None:
        pytest.skip("it knows of no expert")
    last = step_through(state, case.actions)[-1]
    if not last.done or last.reward < 1:
        pytest.skip(f"no actions that solve a task were found; {GIVE_ACTIONS}")
    advice = case.world().advise(case.task, case.actions, last.observation)
    expect_equal("what is advised once the task is solved", (), advice)


def test_the_same_actions_give_the_same_outcomes(case: EnvironmentCase) -> None:
    skip_without(case, "actions", "repeats")
    expect_equal("a second trace", trace(_steps(case)), trace(_steps(case)))


def test_sessions_that_are_played_at_once_do_not_disturb_each_other(case: EnvironmentCase) -> None:
    skip_without(case, "actions", "repeats")
    if not case.world().exact:
        pytest.skip("its steps may last, so sessions may see each other")
    alone = step_through(case.open(), case.actions)
    for number, outcomes in enumerate(play_at_once(case), start=1):
        expect_equal(f"the outcomes of session {number}, played beside others,", alone, outcomes)


def test_another_process_with_another_hash_seed_gives_the_same_outcomes(case: EnvironmentCase) -> None:
    skip_without(case, "actions", "repeats")
    here = trace(_steps(case))
    for hash_seed in (1, 2):
        there = in_subprocess(trace, _steps(case), hash_seed=hash_seed)
        expect_equal(f"a trace in a process with hash seed {hash_seed}", here, there)


def _admissible_actions(state: WorldState, when: str) -> tuple[str, ...]:
    listed = check_admissible(state, when)
    if listed is None:
        pytest.skip("its actions cannot be listed")
    return listed


def _some_of(listed: tuple[str, ...], action: str) -> tuple[str, ...]:
    """Actions from all over a list, and the one that is taken if it is listed: each takes a repetition to try."""
    apart = -(-len(listed) // _REPETITIONS) or 1
    return tuple(dict.fromkeys((*listed[::apart], *(each for each in listed if each == action))))


def _steps(case: EnvironmentCase) -> StepsRequest:
    return StepsRequest(plug_in=case.plug_in, task=case.task, actions=case.actions)
