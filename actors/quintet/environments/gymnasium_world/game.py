"""A Gymnasium environment as a world reads it: its steps as texts, rewards in [0, 1], and how it is copied."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final, Protocol

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
        read = self.reading.to_action(action)
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
        return GameStep(seen, float(reward), done, info, rejected=self.reading.rejected(seen, info))

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
