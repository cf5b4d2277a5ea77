"""Marks, choices and reflections of the simulated levels, asked by the roles with the methods' own prompts."""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import pytest
from msgspec.structs import replace

import quintet.methods
from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.messages.execution import Act, Candidates, Decide, Decision, Turn
from quintet.messages.parts import Reflections
from quintet.messages.reflection import Choose, Chosen, LookBack, LookedBack, Value, Valued
from quintet.methods.base.prompts import Prompts
from quintet.methods.react.react import React
from quintet.models.sim.draws import Misreading
from quintet.models.sim.model import STRONG, WEAK, Simulated, fallible
from quintet.models.sim.styles import LOOK_BACKS, VERDICTS, TextForm
from quintet.parsing.look_backs import read_look_back
from quintet.parsing.verdicts import read_choice, read_mark
from quintet.ports.model import Sampling
from quintet.roles.asking import Asking
from quintet.roles.executor import Executor
from quintet.roles.role_model import RoleModel
from tests.actors.asking import start_reflector
from tests.actors.fakes import Kitchens, Script, converse

WORLDS = pytest.mark.parametrize("name", ["textcraft", "alfworld"])
STEPS = 40
READER = Simulated(STRONG)
METHODS = Path(next(iter(quintet.methods.__path__)))


@cache
def world(name: str) -> TextCraft | AlfWorld:
    return TextCraft() if name == "textcraft" else AlfWorld()


@cache
def texts(name: str) -> Mapping[str, str]:
    folders = [METHODS / "search" / "prompts", METHODS / "reflexion" / "prompts"]
    own = Prompts(folders, name)
    found = {prompt: own.text(prompt) for prompt in ("value", "choose", "look_back")}
    return {**found, "decide": Prompts(React.prompt_folders, name).text("execute")}


def tasks(name: str, number: int) -> tuple[str, ...]:
    of = world(name)
    return of.tasks(of.splits[-1])[:number]


def reflector(name: str, model: Simulated) -> Asking:
    return start_reflector(RoleModel(model, Sampling()), texts(name))


@cache
def trial(name: str, task: str, model: Simulated = READER) -> Value:
    """A trial of a level, as a request for its value."""
    state = world(name).open(Task(name=task, seed=0))
    executor = Executor(RoleModel(model, Sampling()), Kitchens(Script({})), texts(name))
    turns: list[Turn] = []
    for _ in range(STEPS):
        asked = Decide(setting=state.opening.setting, goal=state.opening.goal, history=tuple(turns))
        reply = converse(partial(executor.receive, asked))
        assert isinstance(reply, Candidates)
        (candidate,) = reply.candidates
        if not isinstance(candidate.decision, Act):
            break
        outcome = state.step(candidate.decision.action)
        turns.append(Turn(completion=candidate.completion, observation=outcome.observation))
        if outcome.done:
            break
    return Value(setting=state.opening.setting, goal=state.opening.goal, turns=tuple(turns))


def value(name: str, request: Value, model: Simulated = READER) -> float:
    reply = converse(lambda: reflector(name, model).receive(request))
    assert isinstance(reply, Valued), reply
    return reply.value


def values(name: str, request: Value, model: Simulated = READER) -> list[float]:
    """The values of all states of a trial, the start first."""
    return [value(name, replace(request, turns=request.turns[:end]), model) for end in range(len(request.turns) + 1)]


@WORLDS
def test_the_value_of_a_trial_that_succeeds_rises_from_the_lowest_to_the_highest(name: str) -> None:
    for task in tasks(name, 4):
        found = values(name, trial(name, task))
        assert found[0] == 0.0
        assert found[-1] == 1.0
        assert max(found[:-1]) < 1.0
        assert len(set(found)) > 2


@WORLDS
def test_with_observations_blanked_all_states_have_one_value(name: str) -> None:
    for task in tasks(name, 4):
        request = trial(name, task)
        blank = tuple(replace(turn, observation="") for turn in request.turns)
        assert len(set(values(name, replace(request, turns=blank)))) == 1


@WORLDS
def test_a_judge_that_misreads_errs_in_some_states_and_alike_each_time(name: str) -> None:
    erring = fallible(0.3)
    wrong = 0
    for task in tasks(name, 4):
        request = trial(name, task)
        found = values(name, request, erring)
        assert found == values(name, request, erring)
        assert all(0 <= each <= 1 for each in found)
        wrong += found != values(name, request)
    assert wrong


def choice(name: str, request: Choose, model: Simulated = READER) -> Chosen:
    reply = converse(lambda: reflector(name, model).receive(request))
    assert isinstance(reply, Chosen), reply
    return reply


@WORLDS
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_the_attempt_that_has_come_furthest_is_chosen_wherever_it_stands(name: str, order: tuple[int, ...]) -> None:
    whole = trial(name, tasks(name, 1)[0])
    attempts = [whole.turns[: len(whole.turns) * part // 2] for part in range(3)]
    options = tuple(attempts[number] for number in order)
    request = Choose(setting=whole.setting, goal=whole.goal, options=options)
    found = choice(name, request)
    assert order[found.number - 1] == 2
    assert sum(found.votes) == 1


@WORLDS
def test_the_last_observation_of_an_attempt_that_has_ended_is_not_read(name: str) -> None:
    whole = trial(name, tasks(name, 1)[0])
    request = Choose(setting=whole.setting, goal=whole.goal, options=(whole.turns[:-1], whole.turns))
    assert choice(name, request).number == 2
    assert choice(name, replace(request, ended=(2,))).number == 1


def look_back(name: str, request: Value, model: Simulated, reason: str = "step limit") -> str:
    asked = LookBack(setting=request.setting, goal=request.goal, turns=request.turns, reason=reason)
    reply = converse(lambda: reflector(name, model).receive(asked))
    assert isinstance(reply, LookedBack), reply
    return reply.reflection


@WORLDS
def test_a_reflection_names_the_goal_what_was_refused_and_what_is_left(name: str) -> None:
    request = trial(name, tasks(name, 1)[0])
    refusal = "Could not find paper" if name == "textcraft" else "Nothing happens."
    action = "get 1 paper" if name == "textcraft" else "open sofa 9"
    failed = replace(request, turns=(Turn(completion=f"Action: {action}", observation=refusal),))
    said = look_back(name, failed, Simulated(STRONG))
    assert request.goal in said
    assert f"{action}: " in said
    assert "Next time: " in said
    assert look_back(name, replace(failed, turns=()), Simulated(STRONG)) != said


def test_a_reflection_tells_a_reader_of_few_steps_to_look_into_the_inventory() -> None:
    """It reads reflections as it reads a plan."""
    said = "Before you get or craft anything, look into the inventory, unless you have just seen it."
    request = trial("textcraft", tasks("textcraft", 1)[0])
    executor = Executor(RoleModel(Simulated(WEAK), Sampling()), Kitchens(Script({})), texts("textcraft"))
    done = tuple(Turn(completion="Action: get 1 stick", observation="Got 1 stick") for _ in range(3))
    asked = Decide(setting=request.setting, goal=request.goal, history=done)
    shown = replace(asked, parts=(Reflections(texts=(said,)),))
    decisions: list[Decision] = []
    for each in (asked, shown):
        reply = converse(partial(executor.receive, each))
        assert isinstance(reply, Candidates)
        decisions.append(reply.candidates[0].decision)
    first, second = decisions
    assert isinstance(first, Act)
    assert isinstance(second, Act)
    assert first.action != "inventory"
    assert second.action == "inventory"


def test_reflections_are_among_the_words_of_the_questions_whose_things_they_name() -> None:
    learnt = "I did not reach the goal: craft rail.\nNext time: craft 16 rail using 6 iron ingot, 1 stick."
    plain, shown = (Misreading.of_call(0.5, Sampling(), text) for text in ("", learnt))
    items = [f"item {number}" for number in range(200)]
    assert [plain.wrong("craft rail", "makes", item) for item in items] == [
        shown.wrong("craft rail", "makes", item) for item in items
    ]
    goals = [f"craft rail {number}" for number in range(200)]
    assert [plain.wrong(goal, "makes", "rail") for goal in goals] != [
        shown.wrong(goal, "makes", "rail") for goal in goals
    ]
    assert [plain.wrong(goal, "makes", "trail") for goal in goals] == [
        shown.wrong(goal, "makes", "trail") for goal in goals
    ]


def test_above_temperature_0_every_seed_is_a_draw_of_its_own_and_at_0_none_is() -> None:
    request = trial("textcraft", tasks("textcraft", 1)[0])
    model = fallible(0.3)
    found: dict[float, set[float]] = {}
    for temperature in (0.0, 1.0):
        samplings = [Sampling(temperature=temperature, seed=seed) for seed in range(10)]
        judges = [start_reflector(RoleModel(model, sampling), texts("textcraft")) for sampling in samplings]
        replies = [converse(partial(judge.receive, request)) for judge in judges]
        found[temperature] = {reply.value for reply in replies if isinstance(reply, Valued)}
    assert len(found[0.0]) == 1
    assert len(found[1.0]) > 1


@pytest.mark.parametrize("form", VERDICTS)
def test_a_verdict_is_the_same_in_every_style(form: TextForm) -> None:
    assert read_mark(form("Mark: 7")) == 7
    assert read_choice(form("Choice: 2"), 3) == 2


@pytest.mark.parametrize("form", LOOK_BACKS)
def test_a_reflection_is_the_same_in_every_style(form: TextForm) -> None:
    said = "I did not reach the goal: craft rail.\nNext time: get 1 stick."
    assert read_look_back(form(f"Reflection: {said}")) == said
