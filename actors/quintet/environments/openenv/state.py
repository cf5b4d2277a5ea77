"""A session of an environment as a state."""

from collections.abc import Awaitable, Callable, Mapping
from hashlib import blake2b
from typing import Any, Final, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from quintet.environments.gymnasium_world.game import scaled, split_opening
from quintet.environments.openenv.connection import ServerError, SessionConnection
from quintet.environments.openenv.forms import ActionForm, ObservationForm
from quintet.errors import WorldFault, one_line
from quintet.ports.async_world import AsyncState
from quintet.ports.world import Opening, Outcome

_DIGEST: Final = 8
"""Bytes of the digest of an answer."""


class SessionReading(Struct, frozen=True, kw_only=True):
    """How the sessions of an environment are read."""

    action: ActionForm
    observation: ObservationForm
    goal: str
    rejected: str
    admissible: str
    returns: tuple[float, float]


class _Observed(Struct, frozen=True):
    """The data of an observation's frame."""

    observation: dict[str, Any]
    reward: float | bool | None = None
    done: bool = False
    metadata: dict[str, Any] | None = None

    @property
    def said(self) -> Mapping[str, Any]:
        """Its metadata, which OpenEnv has in two places."""
        inner = self.observation.get("metadata")
        return self.metadata or (cast("dict[str, Any]", inner) if isinstance(inner, dict) else {})

    @property
    def figures(self) -> Mapping[str, float]:
        """Those of the metadata's `figures` that are figures."""
        try:
            found = msgspec.convert(self.said.get("figures", {}), dict[str, float])
        except msgspec.ValidationError:
            return {}
        return {name: value for name, value in found.items() if 0 <= value <= 1}


class _Snapshot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What leads back to a state: what the server wrote, or the actions with the digests of their answers."""

    server: str = ""
    total: float = 0.0
    reward: float = 0.0
    taken: tuple[tuple[bytes, bytes], ...] = ()


class OpenEnvState(AsyncState):
    """A session. Rejected actions are among those that are repeated, since an environment may count them.

    Args:
        begun: the data of the answer to the reset.
        reopen: begins the task in another session.
        take_over: another connection, to a copy of the session; None: the server makes none, and they are repeated.

    Raises:
        WorldFault: what the server answered is no observation as it states them.
    """

    def __init__(
        self,
        connection: SessionConnection,
        reading: SessionReading,
        begun: Mapping[str, Any],
        reopen: Callable[[], Awaitable["OpenEnvState"]],
        take_over: Callable[[str], Awaitable[SessionConnection]] | None,
    ) -> None:
        self._connection = connection
        self._reading = reading
        self._reopen = reopen
        self._take_over = take_over
        self._way = _Snapshot()
        self._done = False
        observed, self._began = self._observed(begun)
        self._said = observed.said
        opening = split_opening(reading.goal, self._began, self._said)
        if rules := reading.action.rules:
            setting = f"{opening.setting}\n\n{rules}".lstrip()
            opening = Opening(observation=f"{setting}\n\nGoal: {opening.goal}.", setting=setting, goal=opening.goal)
        self.opening = opening
        self.observation = opening.observation

    @property
    def digest(self) -> bytes:
        """The same where a task begins alike."""
        return _digest(self.observation, self._way.reward, self._done)

    async def step(self, action: str) -> Outcome:
        if self._done:
            return self._outcome("The task is over.", rejected=True)
        try:
            written = self._reading.action.read(action.encode(errors="replace").decode())
        except ValueError as error:
            return self._outcome(f"Not sent: {one_line(error)}", rejected=True)
        try:
            outcome = await self._act(written)
        except ServerError as error:
            outcome = self._outcome(f"Not carried out: {one_line(error)}", rejected=True)
        if self._take_over is None:
            digest = _digest(outcome.observation, outcome.reward, outcome.done)
            taken = (*self._way.taken, (action.encode(errors="surrogatepass"), digest))
            self._way = replace(self._way, taken=taken)
        return outcome

    async def admissible(self) -> tuple[str, ...] | None:
        listed = self._said.get(self._reading.admissible)
        if not isinstance(listed, list):
            return None
        return () if self._done else tuple(sorted({str(action) for action in cast("list[object]", listed)}))

    async def fork(self) -> "OpenEnvState":
        if self._take_over is None:
            fork = await self._reopen()
            await fork.load(await self.snapshot())
            return fork
        name = (await self._ask("fork", answer="fork")).get("session_id")
        if not isinstance(name, str):
            raise WorldFault(f"fork: expected a session_id, got {name!r:.100}")
        fork = object.__new__(OpenEnvState)
        vars(fork).update(vars(self), _connection=await self._take_over(name))
        return fork

    async def snapshot(self) -> bytes:
        if self._take_over is None:
            return msgspec.msgpack.encode(self._way)
        server = (await self._ask("snapshot", answer="snapshot")).get("snapshot")
        if not isinstance(server, str):
            raise WorldFault(f"snapshot: expected a text, got {server!r:.100}")
        return msgspec.msgpack.encode(replace(self._way, server=server))

    async def load(self, snapshot: bytes) -> None:
        """Go to where a snapshot was taken, in a state that has just begun. If it cannot, the state is closed.

        Raises:
            WorldFault: it leads elsewhere, or the bytes are no snapshot.
        """
        try:
            await self._load(msgspec.msgpack.decode(snapshot, type=_Snapshot))
        except msgspec.MsgspecError as error:
            await self.close()
            raise WorldFault(f"snapshot: expected one of a session, got {one_line(error)}") from error
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        await self._connection.close()

    async def _load(self, held: _Snapshot) -> None:
        if held.server:
            restored = await self._ask("restore", {"snapshot": held.server}, answer="observation")
            observed, text = self._observed(restored)
            self._way = replace(held, server="")
            self._said, self._done = observed.said, observed.done
            self.observation = self.opening.observation if text == self._began else text
        for number, (action, digest) in enumerate(held.taken, start=1):
            await self.step(action.decode(errors="surrogatepass"))
            if self._way.taken[-1:] != ((action, digest),):
                expected = "expected the answer that it had before, got another"
                raise WorldFault(
                    f"action {number}, {action!r:.100}: {expected}; forks=none says that it does not repeat"
                )

    async def _ask(self, kind: str, data: Mapping[str, Any] | None = None, *, answer: str) -> dict[str, Any]:
        try:
            return await self._connection.ask(kind, data, answer=answer)
        except ServerError as error:
            raise WorldFault(f"{kind}: expected an answer, got: {one_line(error)}") from error

    async def _act(self, action: Mapping[str, Any]) -> Outcome:
        observed, text = self._observed(await self._connection.ask("step", action, answer="observation"))
        total = self._way.total + float(observed.reward or 0.0)
        score = min(max(scaled(*self._reading.returns, total, {}), 0.0), 1.0)
        self._way = replace(self._way, total=total, reward=max(self._way.reward, score))
        self._said, self._done = observed.said, observed.done
        rejected = bool(observed.said.get(self._reading.rejected, False))
        if not rejected:
            self.observation = text
        return replace(self._outcome(text, rejected=rejected), figures=observed.figures)

    def _observed(self, data: Mapping[str, Any]) -> tuple[_Observed, str]:
        try:
            observed = msgspec.convert(data, _Observed)
            return observed, self._reading.observation.word(observed.observation)
        except ValueError as error:  # msgspec's among them
            raise WorldFault(f"expected an observation as the schema has it, got another: {one_line(error)}") from error

    def _outcome(self, seen: str, *, rejected: bool) -> Outcome:
        return Outcome(observation=seen, reward=self._way.reward, done=self._done, rejected=rejected)


def _digest(seen: str, reward: float, done: bool) -> bytes:
    content = f"{reward!r}\0{done}\0{seen}"
    return blake2b(content.encode(errors="surrogatepass"), digest_size=_DIGEST).digest()
