"""A live Gymnasium environment as a state: what it answered, and the actions that led there."""

from copy import copy
from typing import Any

from msgspec import Struct

from quintet.environments.gymnasium_world.game import EnvTask, GameStep, TextEnv, close_env
from quintet.environments.snapshots import SnapshotCodec
from quintet.errors import WorldFault
from quintet.ports.world import Opening, Outcome


class _Held(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a snapshot holds: how to get there, and what was answered on the way."""

    actions: tuple[bytes, ...]
    digests: tuple[bytes, ...]
    """One for each action."""


_SNAPSHOTS = SnapshotCodec("gymnasium", _Held)


class GymnasiumState:
    """A live environment. Rejected actions are among those that are repeated, since it may count them."""

    def __init__(self, game: EnvTask, env: TextEnv, opening: Opening, info: dict[str, Any]) -> None:
        self.game = game
        self._env = env
        self._opening = opening
        self._info = info
        self._seen: str | None = None
        """The answer to the last action that was carried out; None: there is none yet."""
        self._actions: tuple[str, ...] = ()
        self._digests: tuple[bytes, ...] = ()
        self._total = 0.0
        """The sum of all rewards."""
        self._reward = 0.0
        self._done = False

    @property
    def opening(self) -> Opening:
        return self._opening

    @property
    def observation(self) -> str:
        return self._opening.observation if self._seen is None else self._seen

    def step(self, action: str) -> Outcome:
        if self._done:
            return self._outcome("The episode is over.", rejected=True)
        try:
            step = self.game.step(self._env, action)
        except ValueError as error:
            return self._outcome(f"Nothing happens: {error}", rejected=True)
        self._take(action, step)
        return self._outcome(step.seen, rejected=step.rejected)

    def admissible(self) -> tuple[str, ...] | None:
        listed = self.game.reading.admissible(self._info)
        return () if self._done and listed is not None else listed

    def expert(self) -> tuple[str, ...] | None:
        return None

    def fork(self) -> "GymnasiumState":
        fork = copy(self)
        self._env, fork._env = self.game.copy(self._env, self._actions, self._digests)
        return fork

    def snapshot(self) -> bytes:
        actions = tuple(action.encode(errors="surrogatepass") for action in self._actions)
        return _SNAPSHOTS.encode(self.game.task, self.game.version, _Held(actions, self._digests))

    def close(self) -> None:
        close_env(self._env)

    def go_on(self, snapshot: bytes) -> None:
        """Repeat what a snapshot says, in a state that has just begun.

        Raises:
            WorldFault: the bytes are no snapshot of this task in this version, or the environment answers otherwise.
        """
        held = _SNAPSHOTS.decode(self.game.task, self.game.version, snapshot)
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
        score = self.game.reading.score(self._total, step.info)
        self._reward = max(self._reward, min(max(score, 0.0), 1.0))
        self._done = step.done
        if not step.rejected:
            self._seen = step.seen

    def _outcome(self, observation: str, *, rejected: bool) -> Outcome:
        return Outcome(observation=observation, reward=self._reward, done=self._done, rejected=rejected)
