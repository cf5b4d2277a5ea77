from collections.abc import Callable
from typing import Any

import pytest

from quintet.environments.adapters.plain import as_world
from quintet.environments.webarena.observation.page_text import PAGE_CHARACTERS
from quintet.messages.environment import Close, Open, Snapshot
from quintet.messages.execution import Decide, Retarget
from quintet.messages.parts import FreeText, History, LastAction, NotesTaken, OpenPage, Situation, TaskSteps
from quintet.messages.paths import episode_path
from quintet.messages.planning import MakePlan
from quintet.messages.reflection import Align, Condense, GiveAnswer, Judge
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.devils_advocate.config import DevilsAdvocateConfig
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.ports.model import SamplingOverride
from quintet.roles.turn_text import ENDED
from tests.actors.fakes import SETTING, TASK, Kitchen
from tests.actors.methods.devils_advocate.play import NO_ANSWER, REFUSED, Play, served
from tests.actors.shop import TEA, Shop


def but(*wrong: str) -> Callable[[Align], bool]:
    """All actions serve their step but these."""
    return lambda align: align.action not in wrong


def shown(request: Decide, kind: type[Any]) -> Any:
    (part,) = [part for part in request.parts if isinstance(part, kind)]
    return part


def test_an_action_that_serves_its_step_is_followed_by_the_next_until_the_task_is_completed() -> None:
    play = Play(actions=["take salt", "serve"])
    answer = play.solved(remedies=0)
    assert isinstance(answer, Solved)
    assert (answer.claimed, answer.reward, answer.done, answer.depth) == (True, 1.0, True, 1)
    assert (answer.last_action, answer.last_observation) == ("serve", "Supper is served.")
    assert [turn.completion for turn in answer.turns] == [
        "Thought: Hm.\nAction: take salt",
        "Thought: Hm.\nAction: serve",
    ]
    assert play.actions == ["take salt", "serve"]


def test_a_prompt_shows_the_plan_with_its_step_the_history_the_notes_and_what_is_seen() -> None:
    play = Play(plans=[("get salt", "serve")], actions=["take salt", "serve"])
    play.solved(remedies=0)
    first, second = play.requests(Decide)
    assert first.parts == (
        TaskSteps(steps=("get salt", "serve"), current=1),
        History(texts=()),
        NotesTaken(texts=()),
    ), "what is seen first is the setting, which every prompt shows"
    assert {first.setting, second.setting} == {SETTING}
    assert shown(second, History).texts == ("The action is to take salt.",)
    assert shown(second, Situation).observation == "You take salt."


def test_remedies_are_asked_for_after_the_action_each_told_of_it_alone() -> None:
    play = Play(actions=["serve"], remedies={"serve": ["taste", "wait", "burn"]})
    play.solved(remedies=3)
    asked = [(each.instead_of, each.tried, each.n, each.phase) for each in play.requests(Decide)]
    assert asked == [((), True, 1, "actions"), (("serve",), False, 3, "remedies")]


@pytest.mark.parametrize(("temperature", "n"), [(1.0, 3), (0.0, 1)])
def test_remedies_that_cannot_differ_are_asked_for_once(temperature: float, n: int) -> None:
    play = Play(actions=["serve"])
    play.solved(remedies=3, temperature=temperature)
    assert [each.n for each in play.requests(Decide)] == [1, n]


def test_every_question_has_the_temperature_of_the_paper_or_what_came_with_the_goal() -> None:
    play = Play(actions=["take salt", "serve"])
    play.solved(remedies=1)
    asked = [each.sampling for each in play.asked if isinstance(each, MakePlan | Decide | Align | Judge)]
    assert set(asked) == {SamplingOverride(temperature=1.0, top_p=1.0)}
    play = Play(actions=["serve"])
    play.solve_by(DevilsAdvocate(DevilsAdvocateConfig()), sampling=SamplingOverride(temperature=0.0, top_p=1.0))
    assert {each.sampling.temperature for each in play.requests(Decide) if each.sampling} == {0.0}


def test_a_model_that_refuses_remedies_gives_none() -> None:
    play = Play(actions=["serve"], remedies={"serve": ["wait", REFUSED]})
    assert isinstance(play.solved(remedies=2), Solved)
    assert play.requests(Snapshot) == []


def test_the_action_is_tried_first_and_then_its_remedies_the_last_one_first() -> None:
    play = Play(actions=["burn", "serve"], remedies={"burn": ["taste", "wait"]}, aligned=but("burn", "wait"))
    answer = play.solved(trials=1)
    assert play.actions == ["burn", "wait", "taste", "serve"]
    assert [turn.observation for turn in answer.turns] == ["Not bad.", "Supper is served."]


def test_equal_remedies_count_once_and_those_that_are_no_actions_not_at_all() -> None:
    remedies = ["wait", "burn", " wait ", "note_down [salt]", "?", "Action: task completed"]
    play = Play(actions=["burn"], remedies={"burn": remedies}, aligned=lambda _: False)
    play.solved(remedies=6, trials=1)
    assert play.actions == ["burn", "wait"]
    assert play.requests(Judge)[0].notes == ()


def test_going_back_opens_a_snapshot_with_one_session_at_a_time() -> None:
    play = Play(actions=["take salt", "serve"], remedies={"take salt": ["take tea"]}, aligned=but("take salt"))
    answer = play.solved(remedies=1)
    assert play.actions == ["take salt", "take tea", "serve"]
    (taken,) = play.requests(Snapshot)
    first, back = play.requests(Open)
    assert (first.snapshot, back.origin) == (None, taken.session.id)
    assert back.snapshot is not None
    assert play.requests(Close)[0].session == taken.session
    assert play.most_sessions == 1
    assert answer.session is not None
    assert answer.session.id != taken.session.id


def test_a_state_is_written_down_once_however_often_it_is_gone_back_to() -> None:
    play = Play(actions=["burn"], remedies={"burn": ["taste", "wait", "inventory"]}, aligned=lambda _: False)
    play.solved(remedies=3, trials=1)
    assert play.actions == ["burn", "inventory", "wait", "taste"]
    assert len(play.requests(Snapshot)) == 1
    assert len(play.requests(Open)) == 4


def test_what_was_undone_says_so_and_is_no_turn_of_the_answer() -> None:
    play = Play(actions=["take salt", "serve"], remedies={"take salt": ["take tea"]}, aligned=but("take salt"))
    answer = play.solved(remedies=1)
    last = play.requests(Decide)[-2]
    assert shown(last, History).texts == ("(undone) The action is to take salt.", "The action is to take tea.")
    assert [turn.observation for turn in answer.turns] == ["You take tea.", "Supper is served."]


def test_going_back_further_undoes_all_that_came_after() -> None:
    play = Play(
        actions=["wait", "burn", "serve"],
        remedies={"wait": ["taste"], "burn": ["inventory"]},
        aligned=but("burn", "inventory"),
    )
    answer = play.solved(remedies=1, trials=1)
    assert play.actions == ["wait", "burn", "inventory", "taste", "serve"]
    history = shown(play.requests(Decide)[-2], History).texts
    assert [text.startswith("(undone) ") for text in history] == [True, True, True, False]
    assert [turn.observation for turn in answer.turns] == ["Not bad.", "Supper is served."]
    assert play.actor.sessions == 1


def test_a_rejected_action_leaves_the_state_so_its_remedy_needs_no_going_back() -> None:
    play = Play(actions=["juggle", "serve"], remedies={"juggle": ["taste"]}, aligned=but("juggle"))
    answer = play.solved(remedies=1)
    assert play.actions == ["juggle", "taste", "serve"]
    assert len(play.requests(Open)) == 1
    assert [turn.observation for turn in answer.turns] == ["Not bad.", "Supper is served."]
    assert shown(play.requests(Decide)[-2], History).texts == ("The action is to juggle.", "The action is to taste.")


def test_alignment_compares_what_was_seen_before_and_after() -> None:
    play = Play(plans=[("get salt",)], actions=["take salt", "serve"])
    play.solved(remedies=0)
    asked = [(align.action, align.before, align.after, align.current) for align in play.requests(Align)]
    assert asked == [
        ("take salt", SETTING, "You take salt.", 1),
        ("serve", "You take salt.", "Supper is served.", 1),
    ]


def test_the_task_is_judged_before_the_step_and_neither_if_the_action_does_not_serve() -> None:
    play = Play(actions=["wait", "serve"], remedies={"wait": ["taste"]}, aligned=but("wait"), world=Asking())
    play.solved(remedies=1)
    assert [judge.current for judge in play.requests(Judge)] == [None, 1, None]


def test_where_the_world_itself_says_when_it_is_done_the_task_is_judged_only_then() -> None:
    play = Play(actions=["wait", "serve"])
    assert isinstance(play.solved(remedies=0), Solved)
    assert [(judge.current, judge.observation) for judge in play.requests(Judge)] == [
        (1, ""),
        (None, "Supper is served."),
    ]


def test_of_a_part_of_the_task_the_world_says_nothing_so_it_is_judged_after_each_action() -> None:
    play = Play(actions=["wait", "serve"])
    session = play.run(play.opened, episode_path(TASK.name, 0, 0))
    method = DevilsAdvocate(DevilsAdvocateConfig(remedies=0))
    play.solve_by(method, session, setting=SETTING, goal="find salt", subgoal=True)
    assert [judge.current for judge in play.requests(Judge)] == [None, 1, None]


class Asking(Kitchen):
    """Supper is served by the answer `tea`."""

    def answer_action(self, answer: str) -> str:
        return "serve" if answer == "tea" else "burn"


@pytest.mark.parametrize(("given", "action", "reward"), [("tea", "serve", 1.0), ("salt", "burn", 0.0)])
def test_once_the_task_is_judged_to_be_completed_its_answer_is_asked_for_and_ends_it(
    given: str, action: str, reward: float
) -> None:
    play = Play(actions=["take tea"], completed=lambda judge: True, answered=given, world=Asking())
    answer = play.solved(remedies=0)
    assert isinstance(answer, Solved)
    assert (answer.reward, answer.done, answer.last_action) == (reward, True, action)
    assert play.actions == ["take tea", action]
    assert [trial.actions for trial in play.trials] == [1], "an answer is no action"
    (asked,) = play.requests(GiveAnswer)
    assert (asked.judged, asked.observation) == (play.requests(Judge)[-1], "You take tea.")


@pytest.mark.parametrize("given", [NO_ANSWER, REFUSED])
def test_an_answer_that_cannot_be_read_ends_the_task_without_one(given: str) -> None:
    play = Play(actions=["take tea"], completed=lambda judge: True, answered=given, world=Asking())
    assert isinstance(play.solved(remedies=0), Solved)
    assert play.actions == ["take tea", "burn"]


def test_of_a_part_of_the_task_no_answer_is_asked_for_and_prompts_say_how_the_whole_ends() -> None:
    play = Play(actions=["take tea"], completed=lambda judge: True, world=Asking())
    session = play.run(play.opened, episode_path(TASK.name, 0, 0))
    method = DevilsAdvocate(DevilsAdvocateConfig(remedies=0))
    answer = play.solve_by(method, session, setting=SETTING, goal="find tea", subgoal=True)
    assert (answer.done, play.requests(GiveAnswer)) == (False, [])
    said = [part.text for part in play.requests(Decide)[0].parts if isinstance(part, FreeText)]
    assert said == ["A goal that asks to answer or finish the whole task ends by this action: burn"]


class Paged(Kitchen):
    """Its setting is a page."""

    opens_on_page = True


def test_a_page_that_is_gone_stands_in_no_prompt() -> None:
    play = Play(actions=["wait", "serve"], world=Paged())
    play.solved(remedies=0)
    asked = [each for each in play.asked if isinstance(each, Decide | Align | Judge)]
    assert {each.setting for each in asked} == {""}
    assert [shown(each, Situation).observation for each in play.requests(Decide)] == [SETTING, ""]
    assert [each.setting for each in play.requests(MakePlan)] == [SETTING]


def test_a_page_that_is_handed_on_is_what_is_seen_first_and_stands_in_no_later_prompt() -> None:
    play = Play(actions=["wait", "serve"], world=Paged())
    session = play.run(play.opened, episode_path(TASK.name, 0, 0))
    parts = (LastAction(action="open", observation="An oven."), OpenPage(text="A fridge.", product="b1"))
    method = DevilsAdvocate(DevilsAdvocateConfig(remedies=0))
    play.solve_by(method, session, setting=SETTING, goal="find salt", subgoal=True, parts=parts)
    assert play.requests(MakePlan)[0].setting == "A fridge."
    assert [shown(each, Situation).observation for each in play.requests(Decide)] == ["A fridge.", ""]
    for shown_with in (*[each.parts for each in play.requests(Decide)], *[each.parts for each in play.requests(Align)]):
        handed_on = [part for part in shown_with if isinstance(part, LastAction | OpenPage | FreeText)]
        assert handed_on == [FreeText(text="The product that was found: [b1]")]


def test_a_completed_step_is_followed_by_its_successor_also_after_going_back() -> None:
    def completed(judge: Judge) -> bool:
        return served(judge) or (judge.current == 1 and "take" in judge.history[-1])

    play = Play(
        plans=[("get a thing", "serve")],
        actions=["take salt", "burn", "serve"],
        remedies={"take salt": ["take tea"], "burn": ["?"]},
        aligned=but("burn"),
        completed=completed,
    )
    play.solved(remedies=1)
    assert play.actions == ["take salt", "burn", "take tea", "serve"]
    assert [shown(each, TaskSteps).current for each in play.requests(Decide) if not each.instead_of] == [1, 2, 2]


def test_all_steps_that_are_done_are_passed_over() -> None:
    play = Play(
        plans=[("a", "b", "c")],
        actions=["take salt", "serve"],
        completed=lambda judge: served(judge) or judge.current in (1, 2),
    )
    play.solved(remedies=0)
    assert [judge.current for judge in play.requests(Judge)] == [1, 2, 3, None]
    assert [shown(each, TaskSteps).current for each in play.requests(Decide)] == [1, 3]


def test_behind_the_last_step_nothing_is_pushed() -> None:
    play = Play(
        actions=["taste"],
        remedies={"taste": ["serve"]},
        completed=lambda judge: judge.current == 1 or served(judge),
    )
    answer = play.solved(remedies=1, trials=1)
    assert isinstance(answer, Solved)
    assert play.actions == ["taste", "serve"]


def test_an_early_stop_ends_the_trial_whatever_is_left_of_the_plan_and_whatever_was_earned() -> None:
    play = Play(plans=[("a", "b", "c")], actions=["burn"], completed=lambda judge: judge.current is None)
    answer = play.solved(remedies=0)
    assert isinstance(answer, Solved)
    assert (answer.reward, answer.claimed, answer.done) == (0.0, True, True)


def test_in_a_world_that_is_done_the_task_is_judged_once_and_nothing_more_is_done() -> None:
    play = Play(actions=["burn"], aligned=lambda _: False)
    answer = play.solved(remedies=0, trials=1)
    assert isinstance(answer, Unsolved)
    assert (answer.reason, answer.done) == ("the plan failed, and no remedy is left", True)
    assert [judge.current for judge in play.requests(Judge)] == [None]


def test_alignment_and_completion_are_judged_without_sight_of_the_reward() -> None:
    play = Play(actions=["sell"])
    play.solved(remedies=0, trials=1)
    assert [align.after for align in play.requests(Align)] == [ENDED]
    assert {judge.observation for judge in play.requests(Judge)} == {ENDED}


def test_from_a_world_that_is_done_and_not_completed_a_remedy_goes_back() -> None:
    play = Play(actions=["burn"], remedies={"burn": ["serve"]})
    answer = play.solved(remedies=1)
    assert isinstance(answer, Solved)
    assert play.actions == ["burn", "serve"]
    assert [judge.current for judge in play.requests(Judge)] == [None, None]


def test_a_full_reward_that_the_judge_denies_does_not_end_a_trial() -> None:
    play = Play(actions=["serve"], completed=lambda _: False)
    answer = play.solved(remedies=0, trials=1)
    assert isinstance(answer, Unsolved)
    assert answer.reward == 1.0


@pytest.mark.parametrize("verdict", [NO_ANSWER, REFUSED])
def test_an_alignment_that_cannot_be_read_is_none_and_the_history_has_what_the_world_said(verdict: str) -> None:
    play = Play(
        actions=["wait", "serve"], remedies={"wait": ["taste"]}, aligned=lambda align: align.action != "wait" or verdict
    )
    assert isinstance(play.solved(remedies=1), Solved)
    assert play.actions == ["wait", "taste", "serve"]
    assert play.requests(Judge)[0].history[0] == "(undone) wait: "


@pytest.mark.parametrize("verdict", [NO_ANSWER, REFUSED])
def test_a_judgement_that_cannot_be_read_is_not_completed(verdict: str) -> None:
    play = Play(actions=["serve"], completed=lambda _: verdict)
    assert isinstance(play.solved(remedies=0, trials=1), Unsolved)


def test_a_note_costs_no_action_and_is_shown_from_then_on() -> None:
    play = Play(actions=["note_down [salt is here]", "serve"])
    play.solved(remedies=0)
    assert play.actions == ["serve"]
    assert [shown(each, NotesTaken).texts for each in play.requests(Decide)] == [(), ("salt is here",)]
    assert play.requests(Judge)[0].notes == ("salt is here",)
    assert [trial.actions for trial in play.trials] == [1]


def test_a_note_without_a_text_reaches_no_world_and_is_asked_again() -> None:
    play = Play(actions=["note_down []", "serve"], remedies={"serve": ["note_down"]})
    assert isinstance(play.solved(remedies=1), Solved)
    assert play.actions == ["serve"]
    assert [len(each.history) for each in play.requests(Decide)] == [0, 1, 0]
    assert play.requests(Judge)[0].notes == ()


def test_notes_at_one_point_are_bounded() -> None:
    play = Play(actions=["note_down [salt]"] * 99)
    answer = play.solved(remedies=0, trials=1)
    assert (len(play.requests(Decide)), play.actions) == (4, [])
    assert isinstance(answer, Unsolved)


def test_an_answer_without_an_action_is_asked_again_with_a_reminder() -> None:
    play = Play(actions=["what now?", "Action: task completed", "serve"])
    assert isinstance(play.solved(remedies=0), Solved)
    reminded = [[turn.observation for turn in each.history] for each in play.requests(Decide)]
    assert reminded[0] == []
    assert "nothing was done" in reminded[1][0]
    assert "judged" in reminded[2][0]


def test_where_no_action_comes_a_remedy_from_before_is_tried() -> None:
    play = Play(actions=["wait", "?", "?", "?", "?"], remedies={"wait": ["serve"]})
    assert isinstance(play.solved(remedies=1, trials=1), Solved)
    assert play.actions == ["wait", "serve"]


def test_a_model_that_refuses_an_action_ends_the_trial() -> None:
    play = Play(actions=["wait", REFUSED], remedies={"wait": ["serve"]})
    answer = play.solved(remedies=1, trials=1)
    assert isinstance(answer, Unsolved)
    assert (answer.reason, play.actions) == ("a model refuses", ["wait"])
    assert play.actor.sessions == 1


def test_the_summary_of_a_long_observation_stands_in_its_place_but_for_actions_and_the_answer() -> None:
    play = Play(
        actions=["take salt", "taste"],
        completed=lambda judge: len(judge.history) == 2 and judge.current is None,
        condensed="You have it.",
        world=Asking(),
    )
    play.solved(remedies=0, summarize_above=13)
    assert [request.observation for request in play.requests(Condense)] == ["You take salt."]
    assert [(align.before, align.after) for align in play.requests(Align)] == [
        (SETTING, "You have it."),
        ("You have it.", "Not bad."),
    ], "the setting stands in the prompt whole"
    assert shown(play.requests(Decide)[1], Situation).observation == "You take salt."
    assert [judge.observation for judge in play.requests(Judge)] == ["You have it.", "You have it.", "Not bad."]
    assert play.requests(GiveAnswer)[0].observation == "Not bad."


def test_a_page_of_webarena_is_summarised_before_it_is_cut() -> None:
    above = DevilsAdvocateConfig().summarize_above
    assert above is not None
    assert above < PAGE_CHARACTERS


def test_where_nobody_says_what_an_action_did_the_history_has_the_summary() -> None:
    play = Play(actions=["serve"], condensed="Served.", aligned=lambda _: REFUSED, completed=lambda _: True)
    play.solved(remedies=0, summarize_above=15)
    assert [judge.history for judge in play.requests(Judge)] == [("serve: Served.",)]


def test_an_observation_that_nobody_summarises_is_shown_whole() -> None:
    play = Play(actions=["serve"], condensed=NO_ANSWER)
    play.solved(remedies=0, summarize_above=15)
    assert play.requests(Align)[0].after == "Supper is served."


@pytest.mark.parametrize("above", [None, max(len(SETTING), len("Supper is served."))])
def test_short_observations_are_not_summarised(above: int | None) -> None:
    play = Play(actions=["serve"])
    play.solved(remedies=0, summarize_above=above)
    assert play.requests(Condense) == []


def test_alignment_that_is_off_asks_and_goes_on_all_the_same() -> None:
    play = Play(actions=["wait", "serve"], remedies={"wait": ["taste"]}, aligned=lambda _: False)
    play.solved(remedies=1, alignment="off")
    assert play.actions == ["wait", "serve"]
    assert len(play.requests(Align)) == 2


def test_alignment_that_is_off_goes_on_where_the_model_refuses_it() -> None:
    play = Play(actions=["wait", "serve"], aligned=lambda _: REFUSED)
    assert isinstance(play.solved(remedies=0, alignment="off", trials=1), Solved)


def test_alignment_at_random_is_drawn_by_the_path_and_asks_as_usual() -> None:
    actions = ["wait"] * 30
    plays = [Play(actions=actions, aligned=lambda _: False), Play(actions=actions), Play(actions=actions)]
    for play in plays:
        play.solved(remedies=0, alignment="random", trials=1)
    first, second, third = (play.actions for play in plays)
    assert first == second == third
    assert len(first) < 30


def bought(judge: Judge) -> bool:
    return judge.current is None and "tea" in judge.observation.partition("Bought:")[2]


def test_in_a_world_that_looks_different_after_going_back_the_action_is_mapped_once() -> None:
    play = Play(
        world=as_world(Shop()),
        task=TEA,
        actions=["click 12", "order"],
        remedies={"click 12": ["click 13"]},
        aligned=but("click 12"),
        completed=bought,
        retargeted=lambda asked: asked.action.replace("click 1", "click 2"),
    )
    answer = play.solved(remedies=1)
    assert isinstance(answer, Solved)
    assert play.actions == ["click 12", "click 23", "order"]
    (asked,) = play.requests(Retarget)
    assert asked.action == "click 13"
    assert "[13] tea" in asked.seen
    assert "[23] tea" in asked.now
    assert [align.action for align in play.requests(Align)][1] == "click 23"
    assert "[23] tea" in play.requests(Align)[1].before


def test_an_action_that_nobody_maps_is_taken_as_it_is() -> None:
    play = Play(
        world=as_world(Shop()),
        task=TEA,
        actions=["click 12"],
        remedies={"click 12": ["click 13"]},
        aligned=lambda _: False,
    )
    play.solved(remedies=1, trials=1)
    assert play.actions == ["click 12", "click 13"]


def test_behind_a_step_that_lasts_nothing_is_gone_back_on() -> None:
    play = Play(
        world=as_world(Shop()),
        task=TEA,
        actions=["click 11", "order", "click 13", "order"],
        remedies={"click 11": ["click 12"], "order": ["click 12"]},
        completed=bought,
    )
    answer = play.solved(remedies=1, trials=1)
    assert isinstance(answer, Solved)
    assert play.actions == ["click 11", "order", "click 13", "order"]
    play = Play(
        world=as_world(Shop()),
        task=TEA,
        actions=["click 11", "order"],
        remedies={"click 11": ["click 12"], "order": ["click 12"]},
        aligned=but("order"),
        completed=bought,
    )
    answer = play.solved(remedies=1, trials=1)
    assert isinstance(answer, Unsolved)
    assert play.actions == ["click 11", "order"]
