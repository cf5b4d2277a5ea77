"""Our worlds as gymnasium environments.

Importing this module registers them. gymnasium imports it by itself if the id names it:
`gymnasium.make("quintet.environments.gym:quintet/TextCraft-v0", goal="beehive", seed=1)`. After an import the id alone
is enough.
"""

import os
import string
from importlib import import_module
from typing import Any, ClassVar

import gymnasium
from gymnasium.spaces import Text

from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.ports.world import World, WorldState

TEXTCRAFT = "quintet/TextCraft-v0"
ALFWORLD = "quintet/ALFWorld-v0"
HOTPOTQA = "quintet/HotpotQA-v0"
WEBSHOP = "quintet/WebShop-v0"

_WORLDS = {
    TEXTCRAFT: "quintet.environments.textcraft.world:TextCraft",
    ALFWORLD: "quintet.environments.alfworld.world:AlfWorld",
    HOTPOTQA: "quintet.environments.hotpotqa.world:HotpotQa",
    WEBSHOP: "quintet.environments.webshop.world:WebShop",
}
_MAX_ACTION = 1_000
_MAX_OBSERVATION = 100_000
_ONE_LINE = string.ascii_letters + string.digits + string.punctuation + " "


def register_environments() -> None:
    """Register our worlds with gymnasium. A second call has no effect."""
    for name, world in _WORLDS.items():
        if name not in gymnasium.registry:
            # gymnasium leaves the type of an unused option open.
            gymnasium.register(name, entry_point=f"{__name__}:make_env", kwargs={"world": world})  # pyright: ignore[reportUnknownMemberType]


def make_env(
    world: str, goal: str | None = None, seed: int = 0, render_mode: str | None = None, **options: Any
) -> "WorldEnv":
    """A world of ours with one task, which `reset(options={"goal": ...})` replaces for one episode.

    Args:
        world: where its class is found, `module:name`.
        goal: the name of a task; None: the first of the default split.
        seed: of the world, until a reset passes another. Only TextCraft's tasks depend on it.
        render_mode: None or `ansi`.
        options: the world's. Where it has an environment variable for one, that is its default.

    Raises:
        UsageError: there is no such task, or the data or an option cannot be used.
    """
    module, _, name = world.partition(":")
    made: type[World] = getattr(import_module(module), name)
    given: dict[str, Any] = {
        option: value for option, variable in made.variables.items() if (value := os.environ.get(variable))
    }
    given |= {option: value for option, value in options.items() if value is not None}
    return WorldEnv(made(**given), goal=goal, seed=seed, render_mode=render_mode)


class WorldEnv(gymnasium.Env[str, str]):
    """A world of ours behind gymnasium's interface.

    A step's reward is the increase of the world's reward, so an episode's return equals it. `info` says whether the
    action was `rejected`, and has the outcome's `figures` if there are any; at a reset it holds the `goal` as an
    instruction and the `setting` without it. If the world can list its actions, `info["admissible_commands"]` are those
    that would be carried out now. Any text is answered. An action outside the action space may be quoted in an
    observation outside the observation space. No judge is asked: an outcome with answers to grade is as without one.

    Args:
        world: the world.
        goal: name of a task; None: the first of the default split.
        seed: the world's, for every reset that passes none.
        render_mode: None or `ansi`: `render` gives the last observation.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(self, world: World, *, goal: str | None, seed: int, render_mode: str | None = None) -> None:
        self.observation_space = Text(_MAX_OBSERVATION, min_length=0, charset=string.printable)
        self.action_space = Text(_MAX_ACTION, min_length=0, charset=_ONE_LINE)
        self.render_mode = render_mode
        self._world = world
        self._goal = _first_goal(world) if goal is None else goal
        self._seed = seed
        self._observation = ""
        self._earned = 0.0
        self._state: WorldState = self._open(self._goal, seed)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: the world's, for this episode; None: the one the environment was made with.
            options: `goal`: another task for this episode.

        Raises:
            UsageError: there is no such option, or no such goal.
        """
        super().reset(seed=seed)
        options = options or {}
        if not options.keys() <= {"goal"}:
            raise UsageError(f"reset: expected no option but 'goal', got {sorted(options)} ({self._world.name})")
        goal = options.get("goal", self._goal)
        if not isinstance(goal, str):
            raise UsageError(f"reset: expected the name of a task, got {goal!r} ({self._world.name})")
        self._state = self._open(goal, self._seed if seed is None else seed)
        self._earned = 0.0
        opening = self._state.opening
        self._observation = opening.observation
        return opening.observation, {"goal": opening.goal, "setting": opening.setting, **self._admissible()}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        outcome = self._state.step(action)
        added, self._earned = outcome.reward - self._earned, outcome.reward
        self._observation = outcome.observation
        figures = {"figures": dict(outcome.figures)} if outcome.figures else {}
        info = {"rejected": outcome.rejected, **figures, **self._admissible()}
        return outcome.observation, added, outcome.done, False, info

    def render(self) -> str | None:
        return self._observation if self.render_mode == "ansi" else None

    def _admissible(self) -> dict[str, list[str]]:
        listed = self._state.admissible()
        return {} if listed is None else {"admissible_commands": list(listed)}

    def _open(self, goal: str, seed: int) -> WorldState:
        return self._world.open(Task(name=goal, seed=seed))


def _first_goal(world: World) -> str:
    split = world.splits[0]
    if not world.tasks(split):
        raise UsageError(f"goal: expected a name, since split {split!r} has no tasks, got none ({world.name})")
    return world.tasks(split)[0]


register_environments()
