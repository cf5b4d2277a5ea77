import pytest

from quintet.environments.bfcl.session import BfclState
from quintet.environments.bfcl.world import Bfcl
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.bfcl.installed import needs_package, opened

pytestmark = needs_package


def play(state: BfclState, *actions: str) -> list[str]:
    return [state.step(action).observation for action in actions]


def test_the_opening_has_the_tools_and_the_first_message() -> None:
    opening = opened("multi_turn_base_0").opening
    said = "Move 'final_report.pdf' within document directory to 'temp' directory in document. "
    said += "Make sure to create the directory"
    assert opening.goal == f'do what the user asks, message by message; the first one is "{said}"'
    assert opening.observation == f"{opening.setting}\n\nUser: {said}"
    assert '\n{"name": "cd", "description": ' in opening.setting


def test_a_first_message_of_several_lines_stands_on_one() -> None:
    opening = opened("multi_turn_base_198").opening
    assert "information. However, I just realized" in opening.goal
    assert "\n" not in opening.goal


def test_a_reply_brings_the_next_message_and_the_last_one_the_reward() -> None:
    state = opened("multi_turn_base_0")
    *before, last = [state.step(action) for action in state.expert() or ()]
    assert not any(outcome.done or outcome.rejected or outcome.final_answer for outcome in before)
    assert (last.reward, last.done, last.final_answer) == (1.0, True, True)
    assert last.figures == {"served": 1.0}
    assert state.step("ls()").rejected
    assert state.expert() == ()


def test_replies_alone_serve_nobody() -> None:
    state = opened("multi_turn_base_0")
    seen = play(state, "reply(message='Hello.')", "reply('Hello.')", "reply()")
    assert all(each.startswith("User: ") for each in seen)
    outcome = state.step("reply(message='Hello.')")
    assert (outcome.reward, outcome.done, outcome.figures) == (0.0, True, {"served": 0.0})


def test_a_missing_tool_is_told_after_the_reply_that_asks_for_it() -> None:
    state = opened("multi_turn_miss_func_0")
    play(state, "reply()", "reply()")
    told = state.step("reply(message='I have no tool for that.')").observation
    assert told.startswith('User: {"name": "sort", "description": ')
    assert state.step("cd('document')").rejected is False
    assert "sorted_content" in state.step("sort('final_report.pdf')").observation


def test_a_tool_that_is_not_shown_yet_is_carried_out_as_in_the_package() -> None:
    state = opened("multi_turn_miss_func_0")
    assert '"name": "sort"' not in state.opening.setting
    assert "sorted_content" in play(state, "cd('document')", "sort('final_report.pdf')")[-1]


def test_a_call_that_is_not_one_is_rejected_and_leaves_no_trace() -> None:
    state = opened("multi_turn_base_0")
    before = state.snapshot()
    for action in ("Hello.", "cd()", "fly()", "cd(folder=ls())"):
        outcome = state.step(action)
        assert outcome.rejected
        assert outcome.observation.startswith("Not called: ")
    assert state.snapshot() == before


def test_a_fork_goes_its_own_way() -> None:
    state = opened("multi_turn_base_0")
    play(state, "cd('document')")
    fork = state.fork()
    play(fork, "mkdir('temp')", "cd('temp')")
    assert "temp" not in play(state, "ls()")[-1]
    assert len(fork.made[0]) == 3


def test_a_snapshot_restores_what_the_calls_have_changed() -> None:
    world, task = Bfcl(), Task(name="multi_turn_long_context_60", seed=0)
    state = world.open(task)
    actions = state.expert() or ()
    for number, action in enumerate(actions):
        restored = world.restore(task, state.snapshot())
        assert restored.observation == state.observation
        assert restored.expert() == state.expert() == actions[number:]
        state.step(action)


def test_what_is_no_snapshot_is_a_fault() -> None:
    with pytest.raises(WorldFault, match="snapshot: expected one of BfclState"):
        Bfcl().restore(Task(name="multi_turn_base_0", seed=0), b"\xc1")


def test_the_expert_makes_the_calls_that_are_left_whatever_their_order_and_form() -> None:
    state = opened("multi_turn_base_2")
    way = state.expert() or ()
    assert way[:2] == ("cd(folder='documents')", "touch(file_name='TeamNotes.txt')")
    play(state, "ls()", "cd('documents')")
    assert state.expert() == way[1:]


def test_the_expert_knows_no_way_once_a_message_was_not_served() -> None:
    state = opened("multi_turn_base_0")
    play(state, "reply(message='No.')")
    assert state.expert() is None


def test_where_something_is_missing_the_expert_asks() -> None:
    assert [each for each in opened("multi_turn_miss_param_0").expert() or () if "missing" in each] == [
        "reply(message='I cannot do this yet. What am I missing?')"
    ]
