"""Users who answer within a step: journaled, killed, looked up, and gone on with."""

from dataclasses import replace

import msgspec

from quintet.events import CallMade, EpisodeEnded, Exchanged, StepTaken
from quintet.messages.environment import Task
from quintet.methods.base.prompts import Prompts
from quintet.methods.expert.config import ExpertConfig
from quintet.methods.expert.expert import Expert
from quintet.models.stand_in.model import strong
from quintet.ports.model import Model
from quintet.roles.registry import default_prompts
from quintet.runtime.spec import Limits, RunSpec
from quintet.testing.content import content_of
from quintet.testing.replay import run_episode
from tests.actors.counter import ORDER, Counter, CounterState
from tests.deploy.runtime.test_grading import Judge, ended
from tests.simulation.scenes import spec_of

PROMPTS = {"answer_as_user": Prompts([], "counter", defaults=default_prompts()).text("answer_as_user")}


def counter(user: Model | None, limits: Limits | None = None) -> RunSpec:
    method = Expert(ExpertConfig())
    return spec_of(method, PROMPTS, user, world=Counter(), roles=("user",), limits=limits or Limits())


def seen(spec: RunSpec) -> list[str]:
    records = run_episode(spec, ORDER.name)
    return [record.event.observation for record in records if isinstance(record.event, StepTaken)]


def test_an_answer_is_part_of_the_step_and_everything_of_it_is_journaled_below_the_step() -> None:
    user = Judge("Answer: Something warm.")
    records = run_episode(counter(user), ORDER.name, calls=0)
    assert ended(records).reward == 1.0  # by no call of its own
    events = [record.event for record in records]
    step = next(event for event in events if isinstance(event, StepTaken))
    (call,) = [event for event in events if isinstance(event, CallMade)]
    (answer,) = [event for event in events if isinstance(event, Exchanged) and event.request == "answer_as_user"]
    assert step.observation == "Something warm."
    assert (call.phase, call.path) == ("answer_as_user", f"{step.path}/1/1")
    assert (answer.path, answer.subject) == (f"{step.path}/1", "hello")
    assert answer.reply == '{"type":"user_answered","text":"Something warm.","leaves":false}'
    shown = user.prompts[0].messages()[-1].content
    assert "You want something warm.\nYou want tea." in shown
    assert "User: Good day.\nAgent: hello" in shown


def test_the_stand_in_says_the_parts_of_the_scenario_in_order() -> None:
    assert seen(counter(strong())) == ["You want tea.", "Served."]


def test_a_user_may_leave() -> None:
    assert seen(counter(Judge("Answer: Too slow. ###STOP###"))) == ["The guest is gone."]


def test_a_user_calls_its_tools_before_it_answers_and_each_call_is_journaled() -> None:
    answers = ("Answer: ###CALL### look()", "Answer: It is tea time.")
    user = Judge(*answers)
    records = run_episode(counter(user), ORDER.name)
    replies = [record.event.reply for record in records if isinstance(record.event, Exchanged)]
    assert [msgspec.json.decode(reply)["type"] for reply in replies] == ["user_called", "user_answered", "solved"]
    assert seen(counter(Judge(*answers))) == ["It is tea time.", "Served."]
    assert "Call: look()\nResult: It is five." in user.prompts[1].messages()[-1].content
    for most in range(1, len(records)):
        left, again = records[:most], Judge(*answers)
        again.asked = sum(isinstance(record.event, CallMade) for record in left)
        assert content_of(run_episode(counter(again), ORDER.name, left)) == content_of(records), most


def test_without_a_user_and_without_an_answer_the_world_s_own_outcome_stands() -> None:
    mute = Judge("")
    for user in (None, mute):
        assert seen(counter(user)) == ["Tea.", "Served."]
    assert mute.asked == 2


def test_a_kill_between_the_answer_and_its_step_or_anywhere_repeats_no_recorded_call() -> None:
    whole = run_episode(counter(Judge("Answer: Tea, please.")), ORDER.name)
    for most in range(1, len(whole)):
        left, user = whole[:most], Judge("Answer: Tea, please.")
        recorded = sum(isinstance(record.event, CallMade) for record in left)
        assert content_of(run_episode(counter(user), ORDER.name, left)) == content_of(whole), most
        assert recorded + user.asked == 1, most


def test_a_state_that_takes_no_answers_is_the_world_s_fault() -> None:
    end: EpisodeEnded = ended(run_episode(replace(counter(Judge("Answer: Tea.")), world=_Deaf()), ORDER.name))
    assert end.why.startswith("WorldFault: to_user: expected a state with answered(text, leaves), got _Mute")


class _Mute:
    """A state of the counter without `answered`."""

    def __init__(self, state: CounterState) -> None:
        self.opening, self.observation = state.opening, state.observation
        self.step, self.expert = state.step, state.expert


class _Deaf(Counter):
    def open(self, task: Task) -> _Mute:  # type: ignore[override]
        return _Mute(super().open(task))
