"""A Gymnasium environment as a world reads it: its steps as texts, rewards in [0, 1], and how it is copied."""

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, Protocol, SupportsFloat, cast

from quintet.errors import WorldFault
from quintet.messages.environment import Task
from quintet.ports.world import Opening

_DIGEST: Final = 8
"""Bytes of the digest of a step."""

_PROBES: Final = 8
"""Actions in which a copy must agree with a replay before copies are trusted."""


class TextEnv(Protocol):
    """What is used of `gymnasium.Env`; nothing else need be one."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]: ...

    def step(self, action: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]: ...


def close_env(env: object) -> None:
    """Close an environment, if it can be closed."""
    if (close := getattr(env, "close", None)) is not None:
        close()


@contextmanager
def closed_on_error(env: object) -> Generator[None, None, None]:
    """Close an environment if what is done with it inside raises."""
    try:
        yield
    except BaseException:
        close_env(env)
        raise


@dataclass(frozen=True)
class EnvReading:
    """How an environment is read; the functions are a user's, where it does not speak in texts itself."""

    to_text: Callable[[Any, Mapping[str, Any]], str]
    """Words an observation, given with its `info`."""
    to_action: Callable[[str], Any]
    """Reads an action. Raises ValueError if it is none; the text says what was expected."""
    opening: Callable[[str, Mapping[str, Any]], Opening]
    """Divides the first observation into setting and goal."""
    rejected: Callable[[str, Mapping[str, Any]], bool]
    """Whether the environment says that it did not carry the action out."""
    score: Callable[[float, Mapping[str, Any]], float]
    """The reward so far, from the sum of all rewards; what lies outside [0, 1] counts as its nearest end."""
    admissible: Callable[[Mapping[str, Any]], tuple[str, ...] | None]
    """The actions that are possible now; None: unknown."""
    expert: Callable[[Any, tuple[str, ...], Mapping[str, Any]], tuple[str, ...] | None]
    """The actions that lead on, from the environment, all that were taken and the last `info`; None: unknown."""


@dataclass(frozen=True)
class GameStep:
    """What an action came to."""

    seen: str
    reward: float
    """Of this step."""
    done: bool
    info: Mapping[str, Any]
    rejected: bool

    @property
    def digest(self) -> bytes:
        """The same where a replay came to the same."""
        content = f"{self.reward!r}\0{self.done}\0{self.rejected}\0{self.seen}"
        return blake2b(content.encode(errors="surrogatepass"), digest_size=_DIGEST).digest()


@dataclass
class EnvTask:
    """One task of a world, as all its states share it.

    `copies` is found at the first fork that can tell: what `copy_env` makes is trusted if two of its copies, and a
    replay, answer the same actions alike. Where it is not, a state is copied by a replay.
    """

    task: Task
    begin: Callable[[], tuple[TextEnv, Any, dict[str, Any]]]
    """Makes an environment and resets it: the environment, the first observation and its `info`."""
    reading: EnvReading
    copies: bool | None = field(default=None)
    """None: it was not tried yet."""
    copy_env: Callable[[Any], TextEnv] = deepcopy
    """Another environment in the same state."""

    def step(self, env: TextEnv, action: str) -> GameStep:
        """Take an action.

        Raises:
            ValueError: the text is no action, and the environment was not asked.
        """
        # An environment may hand the text on to what takes UTF-8 alone; a model may write a lone surrogate.
        read = self.reading.to_action(action.encode(errors="replace").decode())
        try:
            observation, reward, terminated, truncated, info = env.step(read)
        except Exception as error:
            # An action outside of what the environment declares is the model's mistake, not the environment's.
            space = getattr(env, "action_space", None)
            if space is None or space.contains(read):
                raise
            return GameStep(f"{type(error).__name__}: {error}", 0.0, done=False, info={}, rejected=True)
        seen = self.reading.to_text(observation, info)
        done = bool(terminated) or bool(truncated)
        return GameStep(seen, finite("reward", reward), done, info, rejected=self.reading.rejected(seen, info))

    def replay(self, actions: tuple[str, ...], digests: tuple[bytes, ...]) -> TextEnv:
        """An environment in which these actions were taken.

        Raises:
            WorldFault: it answered one of them otherwise than before.
        """
        env, *_ = self.begin()
        with closed_on_error(env):
            for number, (action, digest) in enumerate(zip(actions, digests, strict=True), start=1):
                if self.step(env, action).digest != digest:
                    raise WorldFault(
                        f"{self.task.name}: a replay expected the answer that it had before at action {number}, "
                        f"{action!r:.100}, got another; an environment that is not deterministic has forks none"
                    )
        return env

    def copy(self, env: TextEnv, actions: tuple[str, ...], digests: tuple[bytes, ...]) -> tuple[TextEnv, TextEnv]:
        """Two environments in the state of one, which share nothing that can change.

        Returns:
            The one itself, or a replay where trying copies may have changed it; and the other.
        """
        if self.copies is None and actions:
            self.copies = self._agrees(env, actions, digests)
            if not self.copies:
                close_env(env)
                env = self.replay(actions, digests)
        return env, self.copy_env(env) if self.copies else self.replay(actions, digests)

    def _agrees(self, env: TextEnv, actions: tuple[str, ...], digests: tuple[bytes, ...]) -> bool:
        """Whether copies go on as a replay does, each as if alone."""
        try:
            copies = [self.copy_env(env), self.copy_env(env)]
        except Exception:  # noqa: BLE001  an environment may hold anything
            return False
        tried = [self.replay(actions, digests), *copies]
        try:
            first, *others = ([self.step(each, action).digest for action in actions[:_PROBES]] for each in tried)
        except Exception:  # noqa: BLE001  what is over may refuse further steps
            return False
        finally:
            close_env(tried[0])
        return all(other == first for other in others)


def plain_text(name: str, observation: Any, _: Mapping[str, Any]) -> str:
    """An observation that is a text.

    Raises:
        WorldFault: it is none.
    """
    if not isinstance(observation, str):
        kind = type(observation).__name__
        raise WorldFault(f"{name}: expected an observation that is a text, got {kind}; give to_text, which words it")
    return observation


def read_actions(actions: Mapping[str, Any], text: str) -> Any:
    """The action that a text stands for."""
    if text.strip() not in actions:
        raise ValueError(f"expected one of {', '.join(actions)}, got {text!r:.100}")
    return actions[text.strip()]


def split_opening(goal: str, seen: str, info: Mapping[str, Any]) -> Opening:
    """Setting and goal of a first observation.

    Both are in `info` (`goal`, `setting`), or the setting is what comes before the goal in the observation; where the
    observation has no goal, it is the setting, and the goal is added below it.
    """
    goal = str(info.get("goal", goal)).rstrip(" .!?")
    if goal not in seen:
        setting = seen.strip()
        return Opening(observation=f"{setting}\n\nGoal: {goal}.".lstrip(), setting=setting, goal=goal)
    told: object = info.get("setting")
    fits = isinstance(told, str) and seen.startswith(told) and goal not in told
    before = seen.partition(goal)[0].rpartition("\n")[0].rstrip()
    return Opening(observation=seen, setting=str(told) if fits else before, goal=goal)


def finite(name: str, value: object) -> float:
    """A number that the environment gave; a `WorldFault` if it is none."""
    if isinstance(value, SupportsFloat) and math.isfinite(number := float(value)):
        return number
    raise WorldFault(f"{name}: expected a finite number, got {value!r:.100}")


def has(key: str, _: str, info: Mapping[str, Any]) -> bool:
    """Whether `info` says something, such as that an action was rejected."""
    return bool(info.get(key, False))


def scaled(low: float, high: float, total: float, _: Mapping[str, Any]) -> float:
    """A sum of rewards, where `low` counts as 0 and `high` as 1."""
    return (total - low) / (high - low)


def won(key: str, _: float, info: Mapping[str, Any]) -> float:
    """1 if `info` says that the task is solved, else 0."""
    return float(bool(info.get(key, False)))


def admissible_from(key: str, named: tuple[str, ...] | None, info: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The actions that `info` lists, sorted; else those that have names; None: unknown."""
    listed = info.get(key)
    if isinstance(listed, str) or not isinstance(listed, Iterable):
        return named
    return tuple(sorted({str(action) for action in cast("Iterable[object]", listed)}))


def advice_from(
    expert: str | Callable[[Any, tuple[str, ...]], Sequence[str] | None] | None,
    env: Any,
    actions: tuple[str, ...],
    info: Mapping[str, Any],
) -> tuple[str, ...] | None:
    """The actions that lead on, as `info` lists them or a function finds them; None: unknown."""
    found = expert(env, actions) if callable(expert) else info.get(expert or "")
    return None if found is None else tuple(map(str, found))
