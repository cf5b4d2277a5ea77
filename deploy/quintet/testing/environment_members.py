"""The contract of what only some environments have: needs, places, resets, ways back, refused tasks, verdicts.

The fixture `case` gives the `EnvironmentCase` to try it on. `quintet.testing.environment` comes first.
"""

from typing import cast

import pytest

from quintet.environments.adapters.members import overrides
from quintet.environments.adapters.plain import run_now
from quintet.errors import UsageError
from quintet.ports.world import AnswerToGrade, Outcome, World, WorldState
from quintet.testing.actions import MALFORMED_TEXTS
from quintet.testing.environment_case import EnvironmentCase, step, step_through
from quintet.testing.environment_checks import play_at_once, skip_without
from quintet.testing.expectations import expect, expect_equal, expect_type, fail, short_repr
from quintet.testing.open_states import unnoted


def test_it_gets_ready_for_its_tasks_and_again_where_it_is(case: EnvironmentCase) -> None:
    world = case.world()
    if not overrides(unnoted(world), World, "get_ready"):
        pytest.skip("it needs nothing on its hosts")
    for time in ("once", "twice"):
        try:
            run_now(world.get_ready([case.task.name]))
        except UsageError as error:
            fail(f"a world that gets ready {time}", str(error))


def test_it_says_how_many_sessions_a_host_may_hold(case: EnvironmentCase) -> None:
    places = cast("object", case.world().places)
    expect(places is None or isinstance(places, int), "places, a number or None", short_repr(places))


def test_as_many_sessions_as_it_has_places_are_played_at_once(case: EnvironmentCase) -> None:
    if case.world().places is None:
        pytest.skip("it has any number of places")
    skip_without(case, "actions", "repeats")
    alone = _played(case)
    for number, outcomes in enumerate(play_at_once(case), start=1):
        done = [outcome.done for outcome in alone]
        expect_equal(f"done, step by step, in session {number}", done, [outcome.done for outcome in outcomes])


def test_it_says_whether_it_answers_alike_twice(case: EnvironmentCase) -> None:
    expect_type("repeats", bool, case.world().repeats)


def test_a_reset_brings_it_to_its_beginning(case: EnvironmentCase) -> None:
    if case.world().repeats:
        pytest.skip("it always answers alike")
    skip_without(case, "actions")
    expect_equal("the outcomes after another reset", _played(case), _played(case))


def test_a_snapshot_leads_back_where_states_are_not_copied(case: EnvironmentCase) -> None:
    skip_without(case, "snapshots")
    if case.world().forks != "none":
        pytest.skip("the world copies its states")
    world, state = case.world(), case.open()
    for action in ("", *case.actions):
        if action and step(state, action).done:
            break
        when = f"after {action!r}" if action else "at the opening"
        before = state.observation
        snapshot = state.snapshot()
        expect_type(f"a snapshot {when}", bytes, snapshot)
        expect_equal(f"the observation after a snapshot {when}", before, state.observation)
        restored = world.restore(case.task, snapshot)
        expect_equal(f"the opening of what was restored {when}", state.opening, restored.opening)
        expect_equal(f"the observation after another state was restored {when}", before, state.observation)
        rejected = step(restored, MALFORMED_TEXTS[0])
        expect_type(f"what is seen in what was restored {when}", str, rejected.observation)


def test_it_says_in_words_which_tasks_it_refuses(case: EnvironmentCase) -> None:
    world = case.world()
    for name in dict.fromkeys(name for split in world.splits for name in world.tasks(split)):
        alone, judged = (world.refusal(name, judged=judged) for judged in (False, True))
        expect_type(f"why task {name!r} is refused", str, alone)
        expect_type(f"why task {name!r} is refused in a run with a judge", str, judged)
        expect("\n" not in alone + judged, f"one line for task {name!r}", short_repr(alone + judged))
        expect(alone or not judged, f"task {name!r}, refused with a judge, to be refused without", "no refusal")
    expect_equal("why the task of this case is refused", "", world.refusal(case.task.name, judged=True))


def test_it_says_alike_each_time_what_its_tasks_are_made_of(case: EnvironmentCase) -> None:
    world, another = case.world(), case.world()
    for split in world.splits:
        content = world.content(split)
        expect_type(f"the content of split {split}", dict[str, str], dict(content))
        expect_equal(f"the content of split {split} in another world", content, another.content(split))


def test_figures_have_names_and_are_shares(case: EnvironmentCase) -> None:
    state, seen = case.open(), False
    scores = case.world().scores(case.task.name)
    expect_type("scores", tuple[str, ...], scores)
    for action in (*case.malformed_actions, *case.actions):
        outcome = step(state, action)
        expect_type(f"the figures of {short_repr(action)}", dict[str, float], dict(outcome.figures))
        for name, value in outcome.figures.items():
            seen = True
            expect(name.strip(), f"a name for each figure of {short_repr(action)}", short_repr(name))
            expect(0 <= value <= 1, f"figure {name!r} of {short_repr(action)} within [0, 1]", value)
        for name in scores if outcome.done and not outcome.rejected else ():
            expect(name in outcome.figures, f"figure {name!r} of {short_repr(action)}, a score", outcome.figures)
    state.close()
    if not seen:
        pytest.skip("it has no figures")


def test_a_naive_policys_actions_are_carried_out_and_asking_changes_nothing(case: EnvironmentCase) -> None:
    state = case.open()
    seen, snapshot = state.observation, _snapshot(case, state)
    actions: object = state.naive()
    if actions is None:
        pytest.skip("it has no naive policy")
    expect_type("the naive policy's actions", tuple[str, ...], actions)
    expect_equal("the observation after the naive policy was asked", seen, state.observation)
    expect_equal("the snapshot after the naive policy was asked", snapshot, _snapshot(case, state))
    for action in state.naive() or ():
        outcome = step(state, action)
        expect(not outcome.rejected, f"the naive policy's {action!r} to be carried out", outcome)
        if outcome.done:
            break
    state.close()


def test_an_answer_is_an_action_that_ends_the_task(case: EnvironmentCase) -> None:
    action = cast("object", case.world().answer_action("an answer"))
    expect(isinstance(action, str), "answer_action(...) of type str", short_repr(action))
    if not action:
        pytest.skip("its tasks end by what is done")
    state = case.open()
    outcome = step(state, str(action))
    expect(outcome.done and not outcome.rejected, f"{action!r} to end the task", outcome)
    state.close()


def test_it_leaves_answers_to_a_judge_only_if_it_says_so(case: EnvironmentCase) -> None:
    needed = cast("object", case.world().needs_judge)
    expect(needed is None or isinstance(needed, bool), "needs_judge, a bool or None", short_repr(needed))
    if needed is not None:
        return
    state = case.open()
    harmless = () if case.world().counts_rejections else case.malformed_actions
    for action in (*harmless, *case.actions):
        outcome = step(state, action)
        expect(not outcome.to_grade, f"no answer to grade for {short_repr(action)}, without `needs_judge`", outcome)
    state.close()


def test_it_leaves_messages_to_a_user_only_if_it_says_so(case: EnvironmentCase) -> None:
    needed = cast("object", case.world().needs_user)
    expect(needed is None or isinstance(needed, bool), "needs_user, a bool or None", short_repr(needed))
    state, asked = case.open(), False
    for action in case.actions:
        outcome = step(state, action)
        if outcome.to_user is None:
            continue
        expect(needed is not None, f"no message to a user for {short_repr(action)}, without `needs_user`", outcome)
        if not asked:
            asked, copy = True, case.open()
            for each in case.actions[: case.actions.index(action) + 1]:
                step(copy, each)
            heard = copy.answered("I see.", leaves=False)
            expect_type(f"the outcome of {action!r} once the user has answered", Outcome, heard)
            expect(0 <= heard.reward <= 1, f"a reward of {action!r} within [0, 1]", heard.reward)
            copy.close()
    state.close()


def test_a_judges_verdicts_are_taken_and_a_good_one_earns_no_less(case: EnvironmentCase) -> None:
    if case.world().needs_judge is None:
        pytest.skip("it leaves no answer to a judge")
    skip_without(case, "actions", "repeats")
    bad, none, good = (_graded(case, verdict) for verdict in (False, None, True))
    for worse, better in ((bad, good), (none, good)):
        for place, (low, high) in enumerate(zip(worse, better, strict=False), start=1):
            expect(low.reward <= high.reward, f"a reward of at least {low.reward} at step {place}", high)


def _graded(case: EnvironmentCase, verdict: bool | None) -> list[Outcome]:
    """The final outcomes of the actions, with one verdict for all answers, up to the first that had some."""
    state, final = case.open(), list[Outcome]()
    for action in case.actions:
        outcome = step(state, action)
        final.append(outcome)
        if not outcome.to_grade:
            continue
        for answer in outcome.to_grade:
            expect_type(f"what {action!r} leaves to a judge", AnswerToGrade, answer)
        final[-1] = graded = state.graded((verdict,) * len(outcome.to_grade))
        expect_type(f"the final outcome of {action!r}", Outcome, graded)
        expect(not graded.to_grade, f"a final outcome of {action!r} without answers to grade", graded)
        expect(0 <= graded.reward <= 1, f"a final reward of {action!r} within [0, 1]", graded.reward)
        expect_equal(f"done in the final outcome of {action!r}", outcome.done, graded.done)
        state.close()
        return final
    state.close()
    pytest.skip("the actions leave no answer to a judge")


def _played(case: EnvironmentCase) -> list[Outcome]:
    state = case.open()
    outcomes = step_through(state, case.actions)
    state.close()
    return outcomes


def _snapshot(case: EnvironmentCase, state: WorldState) -> bytes:
    return state.snapshot() if case.world().takes_snapshots else b""
