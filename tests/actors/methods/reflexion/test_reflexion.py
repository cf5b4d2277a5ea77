from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.errors import ModelFault
from quintet.messages.environment import Open, Task
from quintet.messages.execution import Execute
from quintet.messages.parts import Reflections, TaskPlan
from quintet.messages.reflection import LookBack
from quintet.messages.solving import Unsolved
from quintet.methods.reflexion.reflexion import Reflexion
from tests.actors.fakes import GOAL, SETTING, TASK, Answering, Kitchen, Kitchens, KitchenState, Script, contents
from tests.actors.methods.over_react import over_react
from tests.actors.methods.trials import trial_of

FAILS = ["Action: take salt", "Action: task failed"]
SERVES = ["Action: serve", "Action: task completed"]
TASTES = ["Action: taste", "Action: task failed"]
CLAIMS = ["Action: task completed"]


class Restaurant(Kitchen):
    """Every task is another dish."""

    def open(self, task: Task) -> "Dish":
        return Dish(task.name)


class Dish(KitchenState):
    def __init__(self, name: str) -> None:
        super().__init__(GOAL if name == TASK.name else f"serve {name}")


class Play:
    """An episode, by what the model says in each trial; each reflection has a number.

    Args:
        trials: at the episode's own task.
        elsewhere: by another goal, the one trial there.
        silent: the numbers of reflections that the model does not write.
        refused: those whose prompts it refuses.
        inner: ReAct's options.
    """

    def __init__(
        self,
        *trials: Sequence[str],
        elsewhere: Mapping[str, Sequence[str]] | None = None,
        silent: Sequence[int] = (),
        refused: Sequence[int] = (),
        inner: Mapping[str, Any] | None = None,
        **config: Any,
    ) -> None:
        said = {GOAL: [answer for trial in trials for answer in trial], **(elsewhere or {})}
        self.model = Script(said)
        written = iter(range(1, 100))

        def reflect(_prompt: list[str]) -> str:
            number = next(written)
            if number in refused:
                raise ModelFault("400: not allowed")
            return "" if number in silent else f"Reflection: Lesson {number}."

        self.roles = Kitchens(self.model, world=Restaurant(), reflecting=Answering(reflect))
        self.answer = self.roles.solve(over_react(Reflexion, inner, **config), given=(TaskPlan(text="Serve."),))
        self.runs = self.roles.requests(Execute)
        self.looks = self.roles.requests(LookBack)

    @property
    def shown(self) -> list[tuple[str, ...]]:
        """The reflections that each trial was shown."""
        return [next((part.texts for part in asked.parts if isinstance(part, Reflections)), ()) for asked in self.runs]


def lessons(*numbers: int) -> tuple[str, ...]:
    return tuple(f"Lesson {number}." for number in numbers)


def test_a_failed_trial_is_looked_back_on_and_the_next_is_shown_what_was_learnt() -> None:
    play = Play(FAILS, SERVES, trials=3)
    (asked,) = play.looks
    assert (asked.setting, asked.goal, asked.reason) == (SETTING, GOAL, "given up as impossible")
    assert [turn.observation for turn in asked.turns] == ["You take salt."]
    assert play.shown == [(), lessons(1)]
    assert play.runs[1].parts == (*play.runs[0].parts, Reflections(texts=lessons(1)))
    assert "Lesson 1." in "\n".join(contents(play.model.prompts[2]))


def test_each_trial_begins_anew_in_a_session_of_its_own() -> None:
    play = Play(FAILS, ["Action: inventory", *FAILS], trials=2)
    assert [asked.task for asked in play.roles.requests(Open)] == [TASK, TASK]
    assert len({asked.session.id for asked in play.runs}) == 2
    assert contents(play.model.prompts[3])[-1] == "user: You carry: nothing"


REPEATED = "the same action with the same answer too often in a row"


@pytest.mark.parametrize(
    ("trials", "config", "reasons", "reward"),
    [
        ([SERVES], {}, [], 1.0),
        ([["Action: serve", "Action: task failed"]], {}, [], 1.0),
        ([CLAIMS, SERVES], {}, ["it was claimed to be completed, and is not"], 1.0),
        ([["Action: sell", *CLAIMS], SERVES], {}, ["the task ended with a reward of 0.50 of 1"], 1.0),
        ([["Action: burn", *CLAIMS], SERVES], {}, ["the task ended without success"], 1.0),
        ([["Action: wait"] * 3, SERVES], {"inner": {"max_repeats": 3}}, [REPEATED], 1.0),
        ([FAILS, FAILS, SERVES], {"refused": [1]}, ["given up as impossible"] * 2, 1.0),
        ([FAILS, FAILS, FAILS], {}, ["given up as impossible"] * 2, 0.0),
    ],
)
def test_all_trials_but_the_last_that_earn_less_than_all_are_looked_back_on_with_the_reason(
    trials: Sequence[Sequence[str]], config: Mapping[str, Any], reasons: list[str], reward: float
) -> None:
    play = Play(*trials, trials=3, **config)
    assert [asked.reason for asked in play.looks] == reasons
    assert (play.answer.reward, play.answer.session) == (reward, play.runs[-1].session)
    assert len(play.runs) == len(trials)
    assert play.shown[-1] == tuple(lessons(*range(1, len(trials))))[len(config.get("refused", ())) :]


def test_the_newest_reflections_are_shown_to_trial_and_reflector() -> None:
    play = Play(*[FAILS] * 5, trials=5, memory=3)
    assert play.shown == [(), lessons(1), lessons(1, 2), lessons(1, 2, 3), lessons(2, 3, 4)]
    assert [asked.earlier for asked in play.looks] == [(), lessons(1), lessons(1, 2), lessons(1, 2, 3)]


def test_where_no_reflection_is_written_the_next_trial_is_shown_those_there_are() -> None:
    # An answer without text is not asked for twice where the model repeats itself: numbers count answers.
    play = Play(*[FAILS] * 3, trials=3, silent=[2, 3])
    assert play.shown[:2] == [(), lessons(1)]
    assert play.shown[2][:1] == lessons(1)


def test_the_latest_trial_is_looked_back_on_even_where_an_earlier_one_earned_more() -> None:
    play = Play(TASTES, FAILS, FAILS, trials=3)
    assert [asked.turns[0].completion for asked in play.looks] == ["Action: taste", "Action: take salt"]
    assert (play.answer.reward, play.answer.session) == (0.5, play.runs[0].session)


def test_without_reflections_there_are_only_trials() -> None:
    play = Play(FAILS, FAILS, SERVES, trials=3, reflections="none")
    assert (play.shown, play.looks, play.answer.reward) == ([(), (), ()], [], 1.0)


ELSEWHERE = {"serve soup": FAILS, "serve rice": FAILS}


def swapped(*trials: Sequence[str], elsewhere: Mapping[str, Sequence[str]], **config: Any) -> Play:
    others = (TASK.name, *(goal.removeprefix("serve ") for goal in elsewhere))
    return Play(*trials, elsewhere=elsewhere, reflections="swapped", other_tasks=others, **config)


def test_swapped_reflections_are_on_failed_trials_of_other_tasks() -> None:
    play = swapped(FAILS, FAILS, FAILS, elsewhere=ELSEWHERE, trials=3)
    assert sorted(asked.goal for asked in play.looks) == ["serve rice", "serve soup"]
    assert [asked.earlier for asked in play.looks] == [(), ()]
    own = [shown for asked, shown in zip(play.runs, play.shown, strict=True) if asked.goal == GOAL]
    assert own == [(), lessons(1), lessons(1, 2)]
    other = [shown for asked, shown in zip(play.runs, play.shown, strict=True) if asked.goal != GOAL]
    assert other == [(), ()]


def test_other_tasks_change_nothing_of_the_answer_and_leave_no_session() -> None:
    play = swapped(FAILS, FAILS, elsewhere=ELSEWHERE, trials=2)
    assert play.roles.actor.sessions == 1
    assert isinstance(play.answer, Unsolved)
    assert play.answer.session == [asked for asked in play.runs if asked.goal == GOAL][-1].session
    assert {asked.task.seed for asked in play.roles.requests(Open)} == {TASK.seed}


def test_another_task_that_is_solved_is_not_looked_back_on() -> None:
    play = swapped(FAILS, FAILS, FAILS, elsewhere={"serve soup": SERVES, "serve rice": FAILS}, trials=3)
    assert [asked.goal for asked in play.looks] == ["serve rice"]
    own = [shown for asked, shown in zip(play.runs, play.shown, strict=True) if asked.goal == GOAL]
    assert own[-1] == lessons(1)


def test_every_trial_at_the_task_itself_is_journaled() -> None:
    play = swapped(FAILS, TASTES, SERVES, elsewhere=ELSEWHERE, trials=4)
    assert [trial_of(event) for event in play.roles.noted] == [(1, 1, 0.0), (2, 1, 0.5), (3, 1, 1.0)]
