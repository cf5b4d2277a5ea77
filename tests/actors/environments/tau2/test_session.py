import pytest

from quintet.environments.tau2.scenarios import scenarios
from quintet.environments.tau2.session import Tau2State
from quintet.environments.tau2.world import Tau2
from quintet.errors import WorldFault
from quintet.messages.environment import Task
from tests.actors.environments.tau2.installed import needs_package, opened

pytestmark = needs_package


def play(state: Tau2State, *actions: str) -> list[str]:
    return [state.step(action).observation for action in actions]


def test_the_opening_has_the_policy_the_tools_and_the_first_message_on_one_line() -> None:
    opening = opened("airline_0").opening
    said = "You want to cancel reservation EHGLP3. It may be more than 24 hours after booking, but it is ok because "
    said += "you were out of town for that time."
    assert opening.goal == f'do what the policy allows for the user, who begins with "{said}"'
    assert opening.observation == f"{opening.setting}\n\nUser: {said}"
    assert "# Airline Agent Policy" in opening.setting
    assert '\n{"name":"cancel_reservation",' in opening.setting


def test_a_reply_brings_the_next_part_of_the_script_and_the_last_one_the_reward() -> None:
    state = opened("airline_0")
    heard = play(state, "reply(message='Hello.')", "reply('Go on.')")
    assert heard[0] == "User: You are Emma Kim.\nYour user id is emma_kim_9957."
    assert heard[1].startswith("User: If Agent tells you that cancellation is not possible,")
    outcome = state.step("reply('It cannot be cancelled.')")
    assert (outcome.reward, outcome.done, outcome.final_answer) == (1.0, True, True)
    assert outcome.figures == {"database": 1.0, "told": 1.0, "actions": 1.0}
    assert state.step("reply('Bye.')").rejected
    assert state.expert() == ()


def test_a_change_that_should_not_be_made_earns_nothing() -> None:
    state = opened("airline_0")
    play(state, "cancel_reservation(reservation_id='EHGLP3')", "reply('.')", "reply('.')")
    assert state.expert() is None
    outcome = state.step("reply('Done.')")
    assert (outcome.reward, outcome.figures["database"], outcome.figures["actions"]) == (0.0, 0.0, 1.0)


def test_what_should_be_told_is_looked_for_in_all_replies_without_commas() -> None:
    state = opened("retail_5")
    wanted = scenarios("retail")["retail_5"].criteria.communicate_info
    way = state.expert()
    assert way
    play(state, *way[:-1])
    fork = state.fork()
    assert fork.step("reply(message='Done.')").figures["told"] == (0.0 if wanted else 1.0)
    assert state.step(way[-1]).reward == 1.0


def test_a_ticket_is_worked_on_without_a_user_and_ended_by_done() -> None:
    state = opened("telecom_0")
    assert state.opening.goal.startswith('do what the policy allows for the ticket "')
    assert state.step("reply(message='Hello.')").rejected
    assert state.step("done(why='x')").rejected
    assert state.step("done()").done
    assert state.reward == 0.0


@pytest.mark.parametrize("action", ["Hello.", "reply()", "reply(1)", "reply(text='a')", "done()", "get_user_details()"])
def test_what_is_no_call_is_rejected_and_leaves_no_trace(action: str) -> None:
    state = opened("airline_0")
    before = state.snapshot()
    outcome = state.step(action)
    assert outcome.rejected
    assert outcome.observation.startswith("Not called: ")
    assert state.snapshot() == before


def test_a_fork_goes_its_own_way() -> None:
    state = opened("airline_0")
    fork = state.fork()
    play(fork, "cancel_reservation('EHGLP3')", "reply('.')")
    assert '"status": null' in play(state, "get_reservation_details('EHGLP3')")[0]
    assert len(state.taken) == 1


@pytest.mark.parametrize("name", ["airline_9", "retail_0", "telecom_40"])
def test_a_snapshot_restores_what_the_calls_have_changed(name: str) -> None:
    world, task = Tau2(), Task(name=name, seed=0)
    state = world.open(task)
    actions = state.expert() or ()
    for number, action in enumerate(actions):
        restored = world.restore(task, state.snapshot())
        assert restored.observation == state.observation
        assert restored.expert() == state.expert() == actions[number:]
        state.step(action)


def test_what_is_no_snapshot_is_a_fault() -> None:
    with pytest.raises(WorldFault, match="snapshot: expected one of Tau2State"):
        Tau2().restore(Task(name="airline_0", seed=0), b"\xc1")


def test_the_expert_takes_the_actions_that_are_left_whatever_their_order_and_form() -> None:
    state = opened("airline_2")
    way = state.expert() or ()
    first = next(action for action in way if action.startswith("get_user_details"))
    play(state, "get_user_details('noah_muller_9847')")
    assert state.expert() == tuple(action for action in way if action != first)


def test_a_users_own_words_take_the_place_of_its_scripts_and_it_says_when_it_leaves() -> None:
    state = opened("airline_0")
    asked = state.step("reply('Hello.')").to_user
    assert asked is not None
    assert asked.scenario[1:] == ("You are Emma Kim.\nYour user id is emma_kim_9957.", asked.scenario[2])
    assert state.answered("Well?", leaves=False).observation == "User: Well?"
    for _ in range(3):
        state.step("reply('No.')")
        assert not state.answered("Still here.", leaves=False).done
    assert state.reward == 0.0
    asked = state.step("reply('Sorry.')").to_user
    assert asked is not None
    said = [each.text for each in asked.conversation]
    assert said == [asked.scenario[0], "Hello.", "Well?", *["No.", "Still here."] * 3, "Sorry."]
    restored = Tau2().restore(Task(name="airline_0", seed=0), state.snapshot())
    assert isinstance(restored, Tau2State)
    assert (restored.heard, restored.done) == (state.heard, state.done)
    outcome = state.answered("", leaves=True)
    assert (outcome.reward, outcome.done, outcome.final_answer) == (1.0, True, True)


def test_where_there_is_a_ticket_no_user_is_asked() -> None:
    assert opened("telecom_0").step("done()").to_user is None


TELL = "reply('On your phone, please do this: toggle_roaming()')"


def test_on_telecom_a_customer_may_talk_and_its_script_makes_the_calls_that_a_reply_has() -> None:
    state = opened("telecom_3", "user")
    assert state.opening.observation.endswith("You do not have access to wifi.")
    assert '{"name":"toggle_roaming"' not in state.opening.setting
    assert state.step("toggle_roaming()").rejected
    assert state.step(TELL).observation.startswith("User: Data Roaming is now ON.\n")
    assert state.step("reply('Go on.')").observation.startswith("User: You are John Smith")
    assert (
        state.fork()
        .step("reply('On your phone: toggle_roaming()')")
        .observation.startswith("User: Data Roaming is now OFF")
    )


def test_a_users_own_calls_take_the_place_of_its_scripts() -> None:
    state = opened("telecom_3", "user")
    asked = state.step(TELL).to_user
    assert asked is not None
    assert "You are John Smith with phone number 555-123-2002. You are currently abroad in France." in asked.scenario
    assert asked.scenario[-1].startswith("As a 41-year-old office administrator")
    assert asked.tools["toggle_roaming"].startswith('{"name":"toggle_roaming"')
    again = state.user_called("toggle_roaming()").to_user
    assert again is not None
    assert [each.speaker for each in again.conversation] == ["user", "agent", "call", "result"]
    assert again.conversation[-1].text.startswith("Data Roaming is now ON.")
    state.user_called("fly('moon')")
    assert state.heard[0][-2].text == "Error: expected one of the tools that were shown, got fly"
    assert state.answered("It is on.", leaves=False).observation == "User: It is on."
    restored = Tau2("user").restore(Task(name="telecom_3", seed=0), state.snapshot())
    for each in (state, restored):
        assert each.step("reply('check_network_status()')").observation.count("Data Roaming Enabled: Yes") == 1


def test_a_user_that_does_not_stop_to_call_says_what_its_last_call_returned() -> None:
    state = opened("telecom_3", "user")
    outcome = state.step(TELL)
    calls = 0
    while outcome.to_user is not None:
        outcome = state.user_called("toggle_roaming()")
        calls += 1
    assert calls == 10
    assert outcome.observation.startswith("User: Data Roaming is now OFF.")
