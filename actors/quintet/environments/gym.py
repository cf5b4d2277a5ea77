"""Our worlds as gymnasium environments.

Importing this module registers them. gymnasium imports it by itself if the id names it:
`gymnasium.make("quintet.environments.gym:quintet/TextCraft-v0", goal="beehive", seed=1)`. After an import the id alone
is enough.
"""

import os
import string
from pathlib import Path
from typing import Any, ClassVar, Literal

import gymnasium
from gymnasium.spaces import Text

from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.ports.world import World, WorldState

TEXTCRAFT = "quintet/TextCraft-v0"
ALFWORLD = "quintet/ALFWorld-v0"
HOTPOTQA = "quintet/HotpotQA-v0"
WEBSHOP = "quintet/WebShop-v0"

_MAX_ACTION = 1_000
_MAX_OBSERVATION = 100_000
_ONE_LINE = string.ascii_letters + string.digits + string.punctuation + " "


def register_environments() -> None:
    """Register our worlds with gymnasium. A second call has no effect."""
    factories = {TEXTCRAFT: text_craft, ALFWORLD: alf_world, HOTPOTQA: hotpot_qa, WEBSHOP: web_shop}
    for name, factory in factories.items():
        if name not in gymnasium.registry:
            entry = f"{__name__}:{factory.__name__}"
            # gymnasium leaves the type of an unused option open.
            gymnasium.register(name, entry_point=entry)  # pyright: ignore[reportUnknownMemberType]


def text_craft(
    goal: str | None = None,
    seed: int = 0,
    recipes: Path | str | None = None,
    render_mode: str | None = None,
) -> "WorldEnv":
    """TextCraft with one goal, which `reset(options={"goal": ...})` replaces for one episode.

    Args:
        goal: an item; None: the first of the test split.
        seed: of the world, until a reset passes another.
        recipes: a folder of the game's recipe files instead of the paper's.
        render_mode: None or `ansi`.

    Raises:
        UsageError: there is no such goal, or the folder cannot be used.
    """
    return WorldEnv(TextCraft(recipes), goal=goal, seed=seed, render_mode=render_mode)


def alf_world(
    goal: str | None = None,
    seed: int = 0,
    data: Path | str | None = None,
    dialect: Literal["classic", "new"] | None = None,
    engine: Literal["auto", "native", "textworld"] = "auto",
    either_put: bool = False,
    causes: bool = False,
    on_bad_file: Literal["refuse", "skip"] = "refuse",
    render_mode: str | None = None,
) -> "WorldEnv":
    """ALFWorld with one task, which `reset(options={"goal": ...})` replaces for one episode.

    Args:
        goal: the name of a task; None: the first of the default split.
        seed: has no effect.
        data: a folder or a file of games; None: the folder in $ALFWORLD_DATA, or else generated households. The further
            options except the last are those of `AlfWorld`.
        render_mode: None or `ansi`.

    Raises:
        UsageError: there is no such task, or the data cannot be used.
    """
    from quintet.environments.alfworld.world import AlfWorld

    world = AlfWorld(
        _given(AlfWorld.variables["data"], data),
        dialect=dialect,
        engine=engine,
        either_put=either_put,
        causes=causes,
        on_bad_file=on_bad_file,
    )
    return WorldEnv(world, goal=goal, seed=seed, render_mode=render_mode)


def hotpot_qa(
    goal: str | None = None,
    seed: int = 0,
    data: Path | str | None = None,
    corpus: Path | str | None = None,
    wording: Literal["react", "autoplan", "reflexion"] = "react",
    max_steps: int | None = None,
    render_mode: str | None = None,
) -> "WorldEnv":
    """HotpotQA with one question, which `reset(options={"goal": ...})` replaces for one episode.

    Args:
        goal: the name of a task; None: the first of the default split.
        seed: has no effect.
        data: a file or a folder of questions; None: what $HOTPOTQA_DATA names, or else the shipped ones.
        corpus: a file of pages; None: what $HOTPOTQA_CORPUS names, or else those that come with the questions. The
            further options except the last are those of `HotpotQa`.
        render_mode: None or `ansi`.

    Raises:
        UsageError: there is no such task, or the data cannot be used.
    """
    from quintet.environments.hotpotqa.world import HotpotQa

    world = HotpotQa(
        _given(HotpotQa.variables["data"], data),
        corpus=_given(HotpotQa.variables["corpus"], corpus),
        wording=wording,
        max_steps=max_steps,
    )
    return WorldEnv(world, goal=goal, seed=seed, render_mode=render_mode)


def web_shop(
    goal: str | None = None,
    seed: int = 0,
    data: Path | str | None = None,
    goals: Literal["human", "synthetic"] = "human",
    text: Literal["client", "gym"] = "client",
    page_len: int = 10,
    clicks: Literal["line", "page"] = "line",
    max_steps: int | None = None,
    tagger: Literal["words", "spacy"] = "words",
    render_mode: str | None = None,
) -> "WorldEnv":
    """WebShop with one task, which `reset(options={"goal": ...})` replaces for one episode.

    Args:
        goal: the name of a task; None: the first of the default split.
        seed: has no effect.
        data: official files, or a file built of them; None: what $WEBSHOP_DATA names, or else the made-up shop. The
            further options except the last are those of `WebShop`.
        render_mode: None or `ansi`.

    Raises:
        UsageError: there is no such task, or the data or an option cannot be used.
    """
    from quintet.environments.webshop.world import WebShop

    world = WebShop(
        _given(WebShop.variables["data"], data),
        goals=goals,
        text=text,
        page_len=page_len,
        clicks=clicks,
        max_steps=max_steps,
        tagger=tagger,
    )
    return WorldEnv(world, goal=goal, seed=seed, render_mode=render_mode)


def _given(variable: str, value: Path | str | None) -> Path | str | None:
    """An option's value, or else what an environment variable says, if it says anything."""
    return value or os.environ.get(variable) or None


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
