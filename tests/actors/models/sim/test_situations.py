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
from quintet.messages.prompts import ChatMessage, Prompt, assistant, system, user
from quintet.methods.base.prompts import Prompts
from quintet.methods.standard.standard import Standard
from quintet.models.sim.model import Simulated, strong
from quintet.parsing.forms import with_form
from quintet.parsing.histories import read_evaluation, read_summary
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
