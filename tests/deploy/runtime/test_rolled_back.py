"""An episode's reward and figures are those of the session that it ended in, in a world that pays in part."""

from collections.abc import Mapping, Sequence

import pytest

from quintet.events import EpisodeEnded, StepTaken
from quintet.messages.environment import Task
from quintet.messages.prompts import Prompt
from quintet.methods.adapt.adapt import Adapt
from quintet.ports.model import Completion, Sampling
from quintet.ports.world import Opening, Outcome, World, WorldState
from quintet.runtime.spec import MethodSpec, RunSpec
from quintet.testing.replay import run_episode
from tests.actors.fakes import PROMPTS, goal_of
from tests.actors.methods.over_react import over_react

BED = Task(name="bed", seed=0)


class GardenState(WorldState):
    """`plant` earns a quarter each time; the figure `score` is the reward."""

    def __init__(self) -> None:
        super().__init__(Opening(observation="A bed. Please plant it.", setting="A bed.", goal="plant it"))

    def step(self, action: str) -> Outcome:
        reward = self.reward + 0.25 * (action == "plant")
        return self.accept("Well.", reward, done=False, figures={"score": reward})


class Garden(World):
    name = "garden"
    splits: tuple[str, ...] = ("all",)

    def tasks(self, split: str) -> tuple[str, ...]:
        return (BED.name,)

    def open(self, task: Task) -> GardenState:
        return GardenState()


class Gardener:
    """Takes the actions of each goal, and then gives it up as failed; the plan has the steps `a` and `b`."""

    name = "gardener"

    def __init__(self, attempts: Mapping[str, Sequence[str]], order: str) -> None:
        self._left = {goal: [*actions, "task failed"] for goal, actions in attempts.items()}
        self._order = order

    async def complete(self, prompt: Prompt, sampling: Sampling) -> Completion:
        if prompt.messages()[0].content == PROMPTS["decompose"]:
            return Completion(text=f"Step 1: a\nStep 2: b\nExecution Order: {self._order}")
        return Completion(text=f"Action: {self._left[goal_of(prompt)].pop(0)}")


def ended(model: Gardener, calls: int | None = None) -> tuple[EpisodeEnded, list[float]]:
    """The end of an episode of ADaPT, and what had been earned in its session by every step, in order.

    Args:
        calls: after so many it is cut short.
    """
    outer = over_react(Adapt, max_depth=2, rollback=True)
    assert outer.inner is not None
    methods = tuple(
        MethodSpec(
            name=each.name,
            method=each,
            models=dict.fromkeys(("planner", "executor"), model),
            sampling=dict.fromkeys(("planner", "executor"), Sampling()),
            prompts=PROMPTS,
        )
        for each in (outer, outer.inner)
    )
    spec = RunSpec(methods=methods, world=Garden(), seed=0)
    events = [record.event for record in run_episode(spec, BED.name, calls=calls)]
    end = events[-1]
    assert isinstance(end, EpisodeEnded)
    return end, [event.reward for event in events if isinstance(event, StepTaken)]


@pytest.mark.parametrize(
    ("attempts", "order", "steps", "reward"),
    [
        ({"plant it": ["plant", "plant"], "a": ["plant"]}, "Step 1 AND Step 2", [0.25, 0.5, 0.25], 0.25),
        (
            {"plant it": [], "a": ["plant", "plant", "plant"], "b": ["plant"]},
            "Step 1 OR Step 2",
            [0.25, 0.5, 0.75, 0.25],
            0.25,
        ),
        ({"plant it": ["plant"], "a": ["wait"]}, "Step 1 AND Step 2", [0.25, 0.0], 0.0),
    ],
)
def test_a_reward_of_a_session_that_was_rolled_back_is_not_the_episodes(
    attempts: Mapping[str, Sequence[str]], order: str, steps: list[float], reward: float
) -> None:
    end, earned = ended(Gardener(attempts, order))
    assert earned == steps
    assert (end.reward, end.figures) == (reward, {"score": reward})


def test_an_episode_that_is_cut_short_has_earned_what_the_session_has_that_it_acted_in_last() -> None:
    attempts = {"plant it": ["plant", "plant"], "a": ["plant", "wait"]}
    end, earned = ended(Gardener(attempts, "Step 1 AND Step 2"), calls=6)
    assert earned == [0.25, 0.5, 0.25, 0.25]
    assert (end.reason, end.reward, end.figures) == ("episode budget", 0.25, {"score": 0.25})
