"""A live Gymnasium environment as a state: what it answered, and the actions that led there."""

from copy import copy
from typing import Any, Self

import msgspec
from msgspec import Struct

from quintet.environments.gymnasium_world.game import EnvTask, GameStep, TextEnv, close_env, finite
from quintet.errors import WorldFault
from quintet.ports.world import Opening, Outcome, WorldState


class _Way(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds: how to get there, and what was answered on the way."""

    actions: tuple[bytes, ...]
    digests: tuple[bytes, ...]
    """One for each action."""


class GymnasiumState(WorldState):
    """A live environment. Rejected actions are among those that are repeated, since it may count them."""

    def __init__(self, game: EnvTask, env: TextEnv, opening: Opening, info: dict[str, Any]) -> None:
        super().__init__(opening)
        self.game = game
        self._env = env
        self._info = info
        self._actions: tuple[str, ...] = ()
        self._digests: tuple[bytes, ...] = ()
        self._total = 0.0
        """The sum of all rewards."""

    def step(self, action: str) -> Outcome:
        if self.done:
            return self.reject("The episode is over.")
        try:
            step = self.game.step(self._env, action)
        except ValueError as error:
            return self.reject(f"Nothing happens: {error}")
        self._take(action, step)
        return Outcome(observation=step.seen, reward=self.reward, done=self.done, rejected=step.rejected)

    def admissible(self) -> tuple[str, ...] | None:
        listed = self.game.reading.admissible(self._info)
        return () if self.done and listed is not None else listed

    def expert(self) -> tuple[str, ...] | None:
        return () if self.done else self.game.reading.expert(self._env, self._actions, self._info)

    def fork(self) -> Self:
        fork = copy(self)
        self._env, fork._env = self.game.copy(self._env, self._actions, self._digests)
        return fork

    def snapshot(self) -> bytes:
        actions = tuple(action.encode(errors="surrogatepass") for action in self._actions)
        return msgspec.msgpack.encode(_Way(actions, self._digests))

    def close(self) -> None:
        close_env(self._env)

    def load(self, snapshot: bytes) -> None:
        """Repeat what a snapshot says, in a state that has just begun.

        Raises:
            WorldFault: the environment answers otherwise.
        """
        held = msgspec.msgpack.decode(snapshot, type=_Way)
        actions = [action.decode(errors="surrogatepass") for action in held.actions]
        for action, digest in zip(actions, held.digests, strict=True):
            self.step(action)
            if self._digests[-1:] != (digest,):
                raise WorldFault(f"snapshot: {action!r:.100}: expected the answer that it had before, got another")

    def _take(self, action: str, step: GameStep) -> None:
        self._actions += (action,)
        self._digests += (step.digest,)
        self._info = dict(step.info)
        self._total += step.reward
        score = finite("score", self.game.reading.score(self._total, step.info))
        self.reward = max(self.reward, min(max(score, 0.0), 1.0))
        self.done = step.done
        if not step.rejected:
            self.observation = step.seen
