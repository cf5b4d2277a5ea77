"""Tasks played from situations alone: each step a prompt of its own, with a summary in place of the turns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

import quintet.roles
from quintet.environments.alfworld.world import AlfWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.messages.environment import Task
from quintet.messages.execution import Act
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.methods.base.prompts import Prompts
from quintet.methods.standard.standard import Standard
from quintet.models.sim.model import Simulated, fallible, newcomer, strong, weak
from quintet.parsing.candidates import read_candidates
from quintet.parsing.histories import read_evaluation, read_summary
from quintet.questions.shape import with_form
from tests.actors.models.sim.answers import action_in, said

WORLDS = pytest.mark.parametrize("name", ["textcraft", "alfworld"])
MEMORY = Path(next(iter(quintet.roles.__path__))) / "memory" / "prompts"
UNKNOWN = "Unknown. More information is needed."
TASKS = 8


@cache
def world(name: str) -> TextCraft | AlfWorld:
    return TextCraft() if name == "textcraft" else AlfWorld()


@cache
def prompt(name: str) -> ChatMessage:
    return system(with_form((MEMORY / f"{name}.txt").read_text(encoding="utf-8"), structured=False))


def tasks(name: str, number: int = TASKS) -> tuple[str, ...]:
    found = world(name).tasks(world(name).splits[-1])
    return found[:: len(found) // number][:number]


@dataclass(frozen=True)
class State:
    """What a tuple of a memory has."""

    observation: str
    evaluation: str
    summary: str
    action: str

    def shown(self, number: int) -> str:
        """As an example."""
        evaluation = self.evaluation.replace("\n", "; ")
        observation = " ".join(self.observation.split())
        return (
            f"{number}. Observation: {observation}\nEvaluation: {evaluation}\nSummary: {self.summary}\n"
            f"Action: {self.action}"
        )


@dataclass
class Game:
    """A task that is played from situations."""

    name: str
    task: str
    blank: bool = False
    examples: Sequence[State] = ()
    states: list[State] = field(default_factory=list[State])
    reward: float = 0.0

    def play(self, model: Simulated, calls: int = 60) -> float:
        """The reward after so many steps."""
        state = world(self.name).open(Task(name=self.task, seed=0))
        opening, act = state.opening, Prompts(Standard.prompt_folders, self.name).text("execute")
        task = f"{opening.setting}\n\nGoal: {opening.goal}."
        past: list[ChatMessage] = [user(task)]
        observation, reward = opening.setting, 0.0
        shown = [each.shown(number) for number, each in enumerate(self.examples, 1)]
        recalled = ["Examples of what was done before in situations like this one:", *shown] if shown else []
        for _ in range(calls):
            evaluation, summary = self._told(model, past)
            now = f"Now:\nObservation: {observation}\nEvaluation: {evaluation}\nSummary: {summary}"
            prompt = Prompt(system(act), user("\n\n".join([task, *recalled, now])))
            action = action_in(said(model, prompt))
            self.states.append(State(observation, evaluation, summary, action))
            if action.startswith("task"):
                break
            outcome = state.step(action)
            observation, reward = "" if self.blank else outcome.observation, outcome.reward
            past += [assistant(f"Action: {action}"), user(observation)]
            if outcome.done:
                break
        return reward

    def _told(self, model: Simulated, past: Sequence[ChatMessage]) -> tuple[str, str]:
        *before, last = past
        asked = user(f"{last.content}\n\nWhich subgoals are complete now?")
        evaluation = read_evaluation(said(model, Prompt(prompt("summarize.evaluation"), *before, asked)))
        assert evaluation is not None
        if not before:
            return evaluation, UNKNOWN
        asked = user(f"{last.content}\n\nWrite the summary now.")
        summary = read_summary(said(model, Prompt(prompt("summarize"), *before, asked)))
        assert summary is not None
        return evaluation, summary


@WORLDS
def test_a_task_is_played_to_its_end_from_situations_alone(name: str) -> None:
    for task in tasks(name):
        game = Game(name, task)
        assert game.play(strong()) == 1.0, game.states[-1]
        assert all(" - complete" not in state.evaluation for state in game.states[:1])
        done = [state.evaluation.count(" - complete") for state in game.states]
        assert done == sorted(done) or name == "alfworld"


def play(name: str, model: Simulated, *, blank: bool = False, examples: Sequence[Sequence[State]] = ()) -> list[Game]:
    """All tasks, each with the examples of its place."""
    shown = examples or [()] * TASKS
    games = [Game(name, task, blank=blank, examples=own) for task, own in zip(tasks(name), shown, strict=True)]
    for game in games:
        game.reward = game.play(model)
    return games


@cache
def strong_games(name: str) -> Sequence[Game]:
    return play(name, strong())


def steps(games: Sequence[Game]) -> int:
    return sum(len(game.states) for game in games)


@WORLDS
@pytest.mark.parametrize("model", [weak(), newcomer(), fallible()], ids=["weak", "newcomer", "fallible"])
def test_the_same_prompts_give_the_same_game(name: str, model: Simulated) -> None:
    task = tasks(name)[0]
    one, other = Game(name, task), Game(name, task)
    one.play(model)
    other.play(model)
    assert one.states == other.states


@WORLDS
@pytest.mark.parametrize(
    "model",
    [strong(), newcomer(), *(pytest.param(each, marks=pytest.mark.slow) for each in (weak(), fallible()))],
    ids=lambda model: model.skill.name,
)
def test_with_observations_blanked_nothing_is_solved_whatever_is_recalled(name: str, model: Simulated) -> None:
    recalled = [game.states[-4:] for game in strong_games(name)]
    assert {game.reward for game in play(name, model, blank=True)} == {0.0}
    assert {game.reward for game in play(name, model, blank=True, examples=recalled)} == {0.0}


@WORLDS
def test_a_summary_mends_a_reader_of_few_steps(name: str) -> None:
    assert sum(game.reward for game in play(name, weak())) >= TASKS - 1


def test_examples_of_the_same_task_spare_a_newcomer_a_search_and_those_of_others_do_not() -> None:
    recalled = [game.states[-4:] for game in strong_games("alfworld")]
    without = steps(play("alfworld", newcomer()))
    others = [*recalled[3:], *recalled[:3]]
    assert steps(play("alfworld", newcomer(), examples=recalled)) < without / 2
    assert steps(play("alfworld", newcomer(), examples=others)) > 0.9 * without


def test_a_newcomer_crafts_as_the_strong_level_does() -> None:
    assert [game.states for game in play("textcraft", newcomer())] == [
        game.states for game in strong_games("textcraft")
    ]


@WORLDS
def test_examples_change_nothing_for_a_level_that_knows_all(name: str) -> None:
    recalled = [game.states[-4:] for game in strong_games(name)]
    with_them = play(name, strong(), examples=[*recalled[1:], recalled[0]])
    assert [game.states for game in with_them] == [game.states for game in strong_games(name)]


@WORLDS
def test_a_fallible_reader_misjudges_some_subgoals_and_passes_over_some_steps(name: str) -> None:
    class Told(Game):
        """Plays as the strong level does, and lets another one tell the past."""

        def _told(self, model: Simulated, past: Sequence[ChatMessage]) -> tuple[str, str]:
            told.append((super()._told(fallible(0.2), past), super()._told(model, past)))
            return told[-1][1]

    told: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for task in tasks(name):
        Told(name, task).play(strong())
    assert any(one[0] != other[0] for one, other in told)
    assert any(one[1] != other[1] for one, other in told)
    assert any(one == other for one, other in told)


CANDIDATES = "Name 3 actions.\nAction: one action (confidence 0.6)\nAction: another (confidence 0.4)"


@WORLDS
def test_candidates_follow_from_a_situation_as_one_action_does(name: str) -> None:
    for game in strong_games(name):
        state = world(name).open(Task(name=game.task, seed=0))
        task = f"{state.opening.setting}\n\nGoal: {state.opening.goal}."
        act = system(Prompts(Standard.prompt_folders, name).text("execute"))
        examples = strong_games(name)[0].states[:2]
        for each in game.states:
            shown = "\n\n".join(example.shown(number) for number, example in enumerate(examples, 1))
            now = f"Now:\nObservation: {each.observation}\nSummary: {each.summary}"
            prompt = Prompt(act, user(f"{task}\n\nExamples:\n\n{shown}\n\n{now}\n\n{CANDIDATES}"))
            found = read_candidates(said(strong(), prompt))
            assert found[0].decision == Act(thought="", action=each.action)
            assert sum(one.confidence or 0 for one in found) == 1
