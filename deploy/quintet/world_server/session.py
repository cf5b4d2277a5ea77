"""One session of a served world: what a client's messages do to it."""

from hashlib import blake2b
from hmac import compare_digest
from typing import Final, assert_never

import msgspec
from msgspec import Struct

from quintet.environments.adapters.called import CalledState
from quintet.errors import WorldFault, one_line, utf8
from quintet.messages.environment import Task
from quintet.ports.world import Outcome
from quintet.roles.snapshots import SessionSnapshot, decode_snapshot, encode_snapshot
from quintet.world_server.frames import (
    FrameError,
    Metadata,
    ObservationData,
    ObservationFrame,
    ResetMessage,
    ResetOptions,
    RestoreMessage,
    ServerFrame,
    SessionState,
    SnapshotData,
    SnapshotFrame,
    SnapshotMessage,
    StateFrame,
    StateMessage,
    StepMessage,
    TextObservation,
)
from quintet.world_server.served_world import ServedWorld

_DIGEST: Final = 16
"""Bytes of the signature of a snapshot."""


class _Place(Struct, frozen=True, array_like=True):
    """Where a session is, beside its state."""

    task: Task
    steps: int = 0
    score: float = 0.0
    done: bool = False


class WorldSession:
    """A session. Its messages are answered one at a time.

    Args:
        key: signs snapshots, since a world is handed no bytes but its own; who has the server's token can make some.
    """

    def __init__(self, world: ServedWorld, key: bytes) -> None:
        self._world = world
        self._key = key
        self._episode: str | None = None
        self._state: CalledState | None = None
        self._place: _Place | None = None

    async def answer(
        self, message: ResetMessage | StepMessage | StateMessage | SnapshotMessage | RestoreMessage
    ) -> ServerFrame:
        """The answer to a message.

        Raises:
            FrameError: the message does not fit, or the world failed.
        """
        match message:
            case StepMessage():
                return await self._step(message.data.text)
            case ResetMessage():
                return await self._reset(message.data)
            case StateMessage():
                return self._show()
            case SnapshotMessage():
                return SnapshotFrame(data=SnapshotData(snapshot=await self._snapshot()))
            case RestoreMessage():
                return await self._restore(message.data.snapshot)
            case _:
                assert_never(message)

    async def fork(self) -> "WorldSession":
        """A copy of the session, for another connection; raises FrameError as `answer`."""
        state, place = self._begun()
        if self._world.definition.forks == "none":
            raise self._cannot("copies its states")
        copy = WorldSession(self._world, self._key)
        copy._state, copy._place, copy._episode = await self._world.fork(state), place, self._episode
        return copy

    async def close(self) -> None:
        """Close its state, if there is one."""
        if self._state is not None:
            state, self._state = self._state, None
            await self._world.close(state)

    def _begun(self) -> tuple[CalledState, _Place]:
        if self._state is None or self._place is None:
            raise FrameError("EXECUTION_ERROR", "expected a reset first, got none")
        return self._state, self._place

    async def _reset(self, asked: ResetOptions) -> ObservationFrame:
        task = self._world.task(asked)
        await self.close()
        self._state = await self._world.open(task)
        self._place, self._episode = _Place(task), asked.episode_id
        return await self._opened(self._state)

    async def _opened(self, state: CalledState) -> ObservationFrame:
        _, place = self._begun()
        opening = state.opening
        metadata = Metadata(
            score=place.score,
            admissible=await self._world.call(state, "admissible"),
            task=place.task.name,
            seed=place.task.seed,
            goal=utf8(opening.goal),
            setting=utf8(opening.setting),
        )
        return _frame(state.observation, None, place.done, metadata)

    async def _step(self, action: str) -> ObservationFrame:
        state, place = self._begun()
        outcome: Outcome = await self._world.call(state, "step", action)
        reward = outcome.reward - place.score
        self._place = _Place(place.task, place.steps + 1, outcome.reward, outcome.done)
        metadata = Metadata(
            score=outcome.reward,
            rejected=outcome.rejected,
            admissible=await self._world.call(state, "admissible"),
            figures=outcome.figures,
        )
        return _frame(outcome.observation, reward, outcome.done, metadata)

    def _show(self) -> StateFrame:
        if self._state is None or self._place is None:
            return StateFrame(data=SessionState(episode_id=self._episode, step_count=0))
        task, steps, score, done = msgspec.structs.astuple(self._place)
        seen = utf8(self._state.observation)
        state = SessionState(
            episode_id=self._episode,
            step_count=steps,
            task=task.name,
            seed=task.seed,
            score=score,
            done=done,
            text=seen,
        )
        return StateFrame(data=state)

    async def _snapshot(self) -> bytes:
        state, place = self._begun()
        world = self._world.definition
        if not world.takes_snapshots:
            raise self._cannot("takes snapshots")
        wrote = await self._world.call(state, "snapshot")
        written = SessionSnapshot(place.task, world.version, state.observation, wrote)
        content = msgspec.msgpack.encode((place, encode_snapshot(written)))
        return self._signature(content) + content

    async def _restore(self, snapshot: bytes) -> ObservationFrame:
        content = snapshot[_DIGEST:]
        if not compare_digest(snapshot[:_DIGEST], self._signature(content)):
            got = f"{len(snapshot)} other bytes"
            raise FrameError("VALIDATION_ERROR", f"snapshot: expected one of this server, got {got}")
        try:
            place, written = msgspec.msgpack.decode(content, type=tuple[_Place, bytes])
            taken = decode_snapshot(written, place.task, self._world.definition.version)
        except (WorldFault, msgspec.DecodeError, UnicodeError) as error:  # whoever has the token can sign
            raise FrameError("VALIDATION_ERROR", one_line(error)) from error
        await self.close()
        self._state = await self._world.restore(place.task, taken.state)
        self._place = place
        return await self._opened(self._state)

    def _cannot(self, what: str) -> FrameError:
        return FrameError("EXECUTION_ERROR", f"{self._world.name}: expected a world that {what}, got one that cannot")

    def _signature(self, content: bytes) -> bytes:
        name = self._world.name.encode()
        return blake2b(name + b"\0" + content, key=self._key, digest_size=_DIGEST).digest()


def _frame(text: str, reward: float | None, done: bool, metadata: Metadata) -> ObservationFrame:
    seen = TextObservation(text=utf8(text), metadata=metadata)
    return ObservationFrame(data=ObservationData(observation=seen, reward=reward, done=done, metadata=metadata))
