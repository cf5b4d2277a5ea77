import pytest

from quintet.messages.environment import Close, Open, Snapshot
from quintet.messages.execution import Decide
from quintet.messages.parts import History, NotesTaken, Reflections, TaskPlan
from quintet.messages.paths import episode_path
from quintet.messages.planning import MakePlan
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from tests.actors.fakes import GOAL, SETTING, TASK
from tests.actors.methods.devils_advocate.play import REFUSED, Play

PLANS = [("wait",), ("taste", "serve"), ("serve",)]


def test_the_plan_is_made_from_the_task_and_what_the_request_brought() -> None:
    play = Play(actions=["serve"])
    brought = TaskPlan(text="Serve at once."), Reflections(texts=("Do not burn it.",))
    play.solve_by(DevilsAdvocate(DevilsAdvocateConfig()), parts=brought)
    (asked,) = play.requests(MakePlan)
    assert (asked.setting, asked.goal, asked.failed) == (SETTING, GOAL, ())
    assert asked.parts == (*brought, History(texts=()), NotesTaken(texts=()))
    assert play.requests(Decide)[0].parts[:2] == brought


@pytest.mark.parametrize("plan", ["no step", REFUSED])
def test_without_a_plan_the_goal_is_the_only_step(plan: str) -> None:
    play = Play(plans=[plan], actions=["serve"])
    assert isinstance(play.solved(remedies=0), Solved)
    assert (play.trials[0].steps, play.requests(Decide)[0].parts[0].__class__.__name__) == (1, "TaskSteps")
    assert getattr(play.requests(Decide)[0].parts[0], "steps", ()) == (GOAL,)


def test_a_failed_plan_is_revised_and_tried_from_the_opening() -> None:
    play = Play(
        plans=PLANS,
        actions=["note_down [salt]", "wait", "burn", "serve"],
        aligned=lambda align: align.action == "serve",
    )
    answer = play.solved(remedies=0)
    assert isinstance(answer, Solved)
    assert [turn.observation for turn in answer.turns] == ["Supper is served."]
    first, second, third = play.requests(MakePlan)
    assert (first.failed, second.failed, third.failed) == ((), *PLANS[:2])
    sentences = "(undone) The action is to wait.", "(undone) The action is to burn."
    assert second.parts == (History(texts=sentences[:1]), NotesTaken(texts=("salt",)))
    assert third.parts == (History(texts=sentences), NotesTaken(texts=("salt",)))
    assert [opened.snapshot for opened in play.requests(Open)] == [None] * 3
    assert play.requests(Snapshot) == []
    assert (play.most_sessions, play.actor.sessions) == (1, 1)


def test_every_trial_is_journaled() -> None:
    play = Play(plans=PLANS, actions=["taste", "burn", "serve"], aligned=lambda align: align.action == "serve")
    play.solved(remedies=0)
    assert [(each.number, each.actions, each.reward, each.steps, each.revised) for each in play.trials] == [
        (1, 1, 0.5, 1, False),
        (2, 1, 0.0, 2, True),
        (3, 1, 1.0, 1, True),
    ]


def test_every_trial_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    offered: list[float] = []

    def note(_: Episode, answer: Solved | Unsolved) -> None:
        offered.append(answer.reward)

    monkeypatch.setattr(Episode, "offer", note)
    play = Play(plans=PLANS, actions=["taste", "burn", "serve"], aligned=lambda align: align.action == "serve")
    play.solved(remedies=0)
    assert offered == [0.5, 0.0, 1.0]


def test_actions_that_were_gone_back_on_count_in_their_trial() -> None:
    play = Play(actions=["burn", "serve"], remedies={"burn": ["wait"]}, aligned=lambda align: align.action != "burn")
    play.solved(remedies=1)
    assert [each.actions for each in play.trials] == [3]


def test_without_revision_every_trial_has_the_first_plan() -> None:
    play = Play(plans=PLANS, actions=["wait", "burn", "serve"], aligned=lambda align: align.action == "serve")
    assert isinstance(play.solved(remedies=0, revision=False), Solved)
    assert len(play.requests(MakePlan)) == 1
    assert [(each.steps, each.revised) for each in play.trials] == [(1, False)] * 3


def test_trials_are_limited_and_the_last_one_is_the_answer() -> None:
    play = Play(actions=["taste", "wait"], aligned=lambda _: False)
    answer = play.solved(remedies=0, trials=2)
    assert isinstance(answer, Unsolved)
    assert (answer.reward, answer.reason) == (0.0, "the plan failed, and no remedy is left")
    assert play.actor.sessions == 1


def test_actions_are_limited_for_all_trials_together() -> None:
    play = Play(actions=["wait"] * 99, aligned=lambda align: len(play.actions) % 2 == 1)
    answer = play.solved(remedies=0, max_actions=5)
    assert (answer.reason, len(play.actions)) == ("out of actions", 5)
    assert [each.actions for each in play.trials] == [2, 2, 1]


def test_actions_are_limited_in_each_trial() -> None:
    play = Play(actions=["wait"] * 99)
    answer = play.solved(remedies=0, max_actions=5, limit_per="trial", trials=3)
    assert (answer.reason, len(play.actions)) == ("out of actions", 15)
    assert [each.actions for each in play.trials] == [5, 5, 5]


def test_the_limit_counts_remedies_too() -> None:
    play = Play(actions=["wait"] * 99, remedies={"wait": ["taste"]}, aligned=lambda _: False)
    play.solved(remedies=1, max_actions=3)
    assert play.actions == ["wait", "taste", "wait"]


def test_an_inner_method_begins_every_trial_in_the_state_that_it_was_given() -> None:
    play = Play(plans=PLANS, actions=["burn", "taste", "serve"], aligned=lambda align: align.action != "burn")
    begun = play.run(play.opened, episode_path(TASK.name, 0, 0))
    method = DevilsAdvocate(DevilsAdvocateConfig(remedies=0))
    answer = play.solve_by(method, begun, setting=SETTING, goal="cook")
    assert isinstance(answer, Solved)
    assert [turn.observation for turn in answer.turns] == ["Not bad.", "Supper is served."]
    (taken,) = play.requests(Snapshot)
    assert taken.session == begun
    assert play.requests(Open)[-1].origin == begun.id
    assert play.requests(Close)[0].session == begun
    assert play.actor.sessions == 1


def test_an_inner_method_with_one_trial_writes_nothing_down() -> None:
    play = Play(actions=["serve"])
    begun = play.run(play.opened, episode_path(TASK.name, 0, 0))
    play.solve_by(DevilsAdvocate(DevilsAdvocateConfig(remedies=0, trials=1)), begun, setting=SETTING, goal="cook")
    assert play.requests(Snapshot) == []
