"""A Gymnasium environment of texts as a world: its tasks, and how each begins."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

from quintet.environments.gymnasium_world.game import (
    EnvReading,
    EnvTask,
    TextEnv,
    admissible_from,
    advice_from,
    close_env,
    closed_on_error,
    has,
    plain_text,
    read_actions,
    scaled,
    split_opening,
    won,
)
from quintet.environments.gymnasium_world.state import GymnasiumState
from quintet.errors import UsageError, one_line
from quintet.messages.environment import Task
from quintet.ports.effects import Effect
from quintet.ports.task_names import unknown_task
from quintet.ports.world import CallsIn, Forks, Opening, World

_RULES: Final = "1"
_SEEDS: Final = 2**31
"""Environments take seeds below."""

MakeEnv: TypeAlias = Callable[[], Any]
"""Makes an environment: `reset(seed=, options=)`, `step(action)` and `close()` as those of `gymnasium.Env`."""


class GymnasiumWorld(World):
    """Any environment with Gymnasium's interface, whose observations and actions are texts, or are made so.

    A task is a seed (`seed-7` begins with `reset(seed=7)`), or options for `reset`, under a name; then its seed is the
    run's. The reward so far is the sum of rewards, scaled to [0, 1], and never falls. A truncated episode is done.
    States are copied, deeply or by `copy`, if copies were seen to go on as a replay does, else by a replay that is
    compared with what was seen before.

    Args:
        make: makes an environment, or the id of one that is registered (`MODULE:ID` imports the module first).
        name: of the world; None: of `make`.
        version: raise it when the environment behaves otherwise.
        tasks: how many seeds are tasks of the split `test` (from 0) and, after them, of `train`; or options of `reset`
            by the names of tasks.
        splits: names of tasks by split, the default one first; None: as above, or one split `all` of the named ones.
        goal: the instruction, where neither `info["goal"]` nor the opening has one.
        actions: actions by the text that stands for each, such as `{"left": 0}`; None: texts are passed on.
        to_text: words an observation, given with its `info`; None: it is a text.
        to_action: reads an action; ValueError says what was expected. It replaces `actions`.
        opening: divides the first observation, given with its `info`, into setting and goal.
        rejected: whether an action was rejected: a key of `info`, or a function of the observation and `info`.
        admissible: a key of `info` with the actions that are possible now.
        returns: the sums of rewards that count as 0 and as 1.
        success: a key of `info` that says whether the task is solved; the reward is then 1 or 0.
        score: the reward in [0, 1] so far, from the sum of rewards and `info`; it replaces `returns` and `success`.
        metadata: properties of a task, by its name, by which reports group tasks; the same keys for every task.
        expert: the actions that lead on towards solving the task, all or at least the next: a key of `info`, or a
            function of the environment, which it does not change, and of all actions since the task began, rejected
            ones among them. None, from it as well: no solution is known.
        prompt_folder: a folder of prompts that suit it: `<method>/<name>.txt`, and `rules.txt` for all methods.
        copy: another environment in the state of the given one, where a deep copy does not do: `House.copy`, or what
            takes `clone_state` from the one and gives it to the other.
        forks: `copy` as above; `replay` always repeats; `none` if the environment is not deterministic.
        blocking: `thread` or `process` if its steps take long; see `quintet.ports.world.CallsIn`.

    Raises:
        UsageError: a value is wrong.

    Source: Gymnasium's `Env`, 1.0 and later.
    """

    counts_rejections = True

    def __init__(
        self,
        make: MakeEnv | str,
        *,
        name: str | None = None,
        version: str = "1",
        tasks: int | Mapping[str, Mapping[str, Any]] = 100,
        splits: Mapping[str, Sequence[str]] | None = None,
        goal: str = "complete the task",
        actions: Mapping[str, Any] | None = None,
        to_text: Callable[[Any, Mapping[str, Any]], str] | None = None,
        to_action: Callable[[str], Any] | None = None,
        opening: Callable[[str, Mapping[str, Any]], Opening] | None = None,
        rejected: str | Callable[[str, Mapping[str, Any]], bool] = "rejected",
        admissible: str = "admissible_commands",
        returns: tuple[float, float] = (0.0, 1.0),
        success: str | None = None,
        score: Callable[[float, Mapping[str, Any]], float] | None = None,
        metadata: Callable[[str], Mapping[str, str]] | None = None,
        expert: str | Callable[[Any, tuple[str, ...]], Sequence[str] | None] | None = None,
        prompt_folder: Path | None = None,
        copy: Callable[[Any], TextEnv] = deepcopy,
        forks: Forks = "copy",
        blocking: CallsIn | None = None,
    ) -> None:
        low, high = returns
        if not low < high:
            raise UsageError(f"returns: expected a lower and a higher sum of rewards, got {low} and {high}")
        self._copy = copy
        self._metadata = metadata
        if prompt_folder is not None:
            self.prompt_folder = prompt_folder
        self._make: MakeEnv = partial(make_registered, make, {}) if isinstance(make, str) else make
        self.name = name or _name_of(make)
        self.forks = forks
        self.blocking = blocking
        self._tasks, self._splits = _tasks_and_splits(tasks, splits)
        self.splits = tuple(self._splits)
        self._reading = EnvReading(
            to_text=to_text or partial(plain_text, self.name),
            to_action=to_action or (str if actions is None else partial(read_actions, actions)),
            opening=opening or partial(split_opening, goal),
            rejected=partial(has, rejected) if isinstance(rejected, str) else rejected,
            score=score or (partial(scaled, low, high) if success is None else partial(won, success)),
            admissible=partial(admissible_from, admissible, None if actions is None else tuple(sorted(actions))),
            expert=partial(advice_from, expert),
        )
        texts = (version, self._tasks, goal, list(actions or ()), admissible, returns, success)
        told = repr((*texts, rejected if isinstance(rejected, str) else ""))
        self.version = f"{_RULES}+{version}+{blake2b(told.encode(), digest_size=4).hexdigest()}"

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return self._splits[split]

    def metadata(self, task: str) -> Mapping[str, str]:
        self._options(task)
        return {} if self._metadata is None else self._metadata(task)

    def open(self, task: Task) -> GymnasiumState:
        game = EnvTask(
            task=task,
            begin=partial(_begin, self._make, task, self._options(task.name)),
            reading=self._reading,
            copies=None if self.forks == "copy" else False,
            copy_env=self._copy,
        )
        env, observation, info = game.begin()
        with closed_on_error(env):
            seen = self._reading.to_text(observation, info)
            return GymnasiumState(game, env, self._reading.opening(seen, info), info)

    def _options(self, task: str) -> Mapping[str, Any] | None:
        if task not in self._tasks:
            raise unknown_task(task, self._tasks, self.name)
        return self._tasks[task]


class RegisteredWorld(GymnasiumWorld):
    """An environment that is registered with Gymnasium, by its id: `gym:ID` on the command line.

    One is made and reset at once, so that what cannot be played is refused before a run. What further needs functions
    of yours is a `GymnasiumWorld`.

    Args:
        id: as `gymnasium.make` takes it; `MODULE:ID` imports the module first, which registers it.
        make: options of `gymnasium.make`.
        version: raise it when the environment behaves otherwise.
        tasks: how many seeds are tasks of the split `test` (from 0) and, after them, of `train`.
        goal: the instruction, where neither `info["goal"]` nor the opening has one.
        actions: actions by the text that stands for each, such as `{left = 0}`; None: texts are passed on.
        rejected: a key of `info` that says that an action was rejected.
        admissible: a key of `info` with the actions that are possible now.
        returns: the sums of rewards that count as 0 and as 1.
        success: a key of `info` that says whether the task is solved; the reward is then 1 or 0.
        forks: `copy` where copies prove right and else by repeating; `replay` always repeats; `none` if the
            environment is not deterministic.
        blocking: `thread` or `process` if its steps take long.

    Raises:
        UsageError: there is no such environment, it cannot be made, or it does not speak in texts.
    """

    name_option: ClassVar[str] = "id"
    """What follows the colon in `gym:ID`."""

    def __init__(
        self,
        id: Annotated[str, Effect.IMPORTS],
        *,
        make: Annotated[Mapping[str, Any] | None, Effect.PASSES] = None,
        version: Annotated[str, Effect.NONE] = "1",
        tasks: int = 100,
        goal: Annotated[str, Effect.NONE] = "complete the task",
        actions: Annotated[Mapping[str, Any] | None, Effect.NONE] = None,
        rejected: Annotated[str, Effect.NONE] = "rejected",
        admissible: Annotated[str, Effect.NONE] = "admissible_commands",
        returns: tuple[float, float] = (0.0, 1.0),
        success: Annotated[str | None, Effect.NONE] = None,
        forks: Forks = "copy",
        blocking: Literal["thread", "process"] | None = None,
    ) -> None:
        made = partial(make_registered, id, dict(make or {}))
        super().__init__(
            made,
            name="gym",
            version=f"{id}+{version}",
            tasks=tasks,
            goal=goal,
            actions=actions,
            rejected=rejected,
            admissible=admissible,
            returns=returns,
            success=success,
            forks=forks,
            blocking=blocking,
        )
        self.version = f"{self.version}+{blake2b(repr(make).encode(), digest_size=4).hexdigest()}"
        check_texts(id, made, actions)


def make_registered(id: str, options: Mapping[str, Any]) -> TextEnv:
    """Make a registered environment.

    Raises:
        UsageError: it cannot be made; the text is Gymnasium's.
    """
    import gymnasium

    try:
        # Gymnasium's own checker warns of texts outside the spaces that an environment declares.
        made: TextEnv = gymnasium.make(id, disable_env_checker=True, **options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    except (gymnasium.error.Error, ImportError, TypeError) as error:
        got = one_line(error)
        if isinstance(error, ModuleNotFoundError):
            got += " (PYTHONPATH=FOLDER finds a module that is not installed)"
        raise UsageError(f"environment gym:{id}: expected one that can be made, got: {got}") from error
    return made


def check_texts(id: str, make: MakeEnv, actions: Mapping[str, Any] | None) -> None:
    """Refuse an environment that needs functions to be played.

    Raises:
        UsageError: its observations are no texts, or its actions are none and are not named.
    """
    env = make()
    try:
        observation, _ = env.reset(seed=0)
        remedy = "write a GymnasiumWorld with to_text and to_action"
        if not isinstance(observation, str):
            kind = type(observation).__name__
            raise UsageError(f"environment gym:{id}: expected observations that are texts, got {kind}; {remedy}")
        space = type(getattr(env, "action_space", None)).__name__
        if actions is None and space not in ("Text", "NoneType"):
            named = "name them by environment.actions, or"
            raise UsageError(f"environment gym:{id}: expected actions that are texts, got {space}; {named} {remedy}")
    finally:
        close_env(env)


def _begin(make: MakeEnv, task: Task, options: Mapping[str, Any] | None) -> tuple[TextEnv, Any, dict[str, Any]]:
    env: TextEnv = make()
    with closed_on_error(env):
        if options is None:
            observation, info = env.reset(seed=int(task.name.rpartition("-")[2]))
        else:
            observation, info = env.reset(seed=task.seed % _SEEDS, options=dict(options))
    return env, observation, info


def _tasks_and_splits(
    tasks: int | Mapping[str, Mapping[str, Any]], splits: Mapping[str, Sequence[str]] | None
) -> tuple[dict[str, Mapping[str, Any] | None], dict[str, tuple[str, ...]]]:
    """Options by task, None for seeds; and tasks by split."""
    named: dict[str, Mapping[str, Any] | None]
    if isinstance(tasks, int):
        if tasks < 1:
            raise UsageError(f"tasks: expected >= 1, got {tasks}")
        names = [f"seed-{seed}" for seed in range(2 * tasks)]
        named, found = dict.fromkeys(names), {"test": tuple(names[:tasks]), "train": tuple(names[tasks:])}
    else:
        named, found = dict[str, Mapping[str, Any] | None](tasks), {"all": tuple(tasks)}
    if splits is not None:
        found = {split: tuple(names) for split, names in splits.items()}
    unknown = sorted({name for names in found.values() for name in names}.difference(named))
    if unknown or not found:
        raise UsageError(f"splits: expected names of tasks, got {', '.join(unknown) or 'none'}")
    return named, found


def _name_of(make: MakeEnv | str) -> str:
    if isinstance(make, str):
        return make.rpartition(":")[2].rpartition("/")[2]
    return getattr(make, "__name__", type(make).__name__)
