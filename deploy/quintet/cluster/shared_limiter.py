"""Shared pace: one gate for the model calls of several runs on a cluster, known to them by the quota's name."""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.host_actor import HostHandle
from quintet.cluster.ray_api import ray
from quintet.cluster.threads import in_thread
from quintet.errors import RoleLost, UsageError, one_line
from quintet.messages.quota import Permit, PermitOutcome
from quintet.ports.transport import HostName
from quintet.quota.limiter import AdaptiveLimiter, RateLimits
from quintet.quota.quota import Gate

log = logging.getLogger("quintet.cluster")

_NAMESPACE = "quintet"
"""Of all runs: a shared quota belongs to none of them."""

_CALLS = 100_000
"""That may wait at once."""

_TRIES = 3
"""A quota that nobody shares any more ends itself, perhaps in the moment in which it is found."""


class SharedQuota:
    """The actor. It ends with the last run that shares it, however that run ends."""

    def __init__(self, ceilings: RateLimits) -> None:
        self._ceilings = ceilings
        self._paces: defaultdict[str, AdaptiveLimiter] = defaultdict(lambda: AdaptiveLimiter(ceilings))
        self._held: dict[Permit, tuple[str, asyncio.Future[None]]] = {}
        """Permits that were asked for and have not returned, each with its model and its way in."""
        self._runs: dict[str, asyncio.Task[None]] = {}

    async def welcome(self, run: str, ceilings: RateLimits, hosts: list[HostHandle]) -> RateLimits:
        """Let a run share, until all of its hosts are gone; the ceilings that hold, perhaps not those it wants."""
        if ceilings == self._ceilings:
            self._runs[run] = asyncio.create_task(self._attend(run, hosts))
        return self._ceilings

    async def enter(self, model: str, permit: Permit, tokens: int) -> None:
        """Wait for room, or until the permit returns."""
        entering = asyncio.ensure_future(self._paces[model].enter(permit, tokens))
        self._held[permit] = model, entering
        await asyncio.wait([entering])

    async def leave(
        self, permit: Permit, outcome: PermitOutcome, tokens: int | None, retry_after: float | None
    ) -> None:
        """A call is over, or not wanted any more."""
        if permit in self._held:
            model, entering = self._held.pop(permit)
            entering.cancel()
            self._paces[model].leave(permit, outcome, tokens=tokens, retry_after=retry_after)

    async def _attend(self, run: str, hosts: Sequence[HostHandle]) -> None:
        for host in hosts:
            with suppress(RayError):  # it is gone, and the run with the last of them
                await host.stay.remote()
        for permit in [permit for permit in self._held if permit.startswith(f"{run}/")]:
            await self.leave(permit, "failed", None, None)
        del self._runs[run]
        if not self._runs:
            asyncio.get_running_loop().call_soon(ray.actor.exit_actor)


class SharedGates:
    """A run's side of a shared quota.

    Args:
        name: by which runs on one cluster share it.
        ceilings: of every model; the same in all of these runs.
    """

    def __init__(self, name: str, ceilings: RateLimits) -> None:
        self._name = name
        self._ceilings = ceilings
        self._run = secrets.token_hex(8)
        self._quota: Any = None
        self._hosts: Mapping[HostName, HostHandle] = {}
        self._joining = asyncio.Lock()

    async def join(self, hosts: Mapping[HostName, HostHandle]) -> None:
        """Share the quota from now on, until all of the run's hosts are gone.

        Raises:
            UsageError: it has other ceilings.
        """
        self._hosts = hosts
        for _ in range(_TRIES):
            self._quota = await in_thread(partial(_found, self._name, self._ceilings))
            try:
                found = await self._quota.welcome.remote(self._run, self._ceilings, list(hosts.values()))
            except ActorDiedError:
                continue
            if found != self._ceilings:
                expected = f"the ceilings of quota {self._name}, which runs share ({found})"
                raise UsageError(f"runtime.quota: expected {expected}, got {self._ceilings}")
            return
        raise RoleLost(f"quota {self._name} ended {_TRIES} times while it was joined")

    def gate(self, model: str) -> Gate:
        """The gate of a model."""
        return _SharedGate(self, model)

    async def enter(self, model: str, permit: Permit, tokens: int) -> None:
        """See `AdaptiveLimiter.enter`. A quota that died is made anew by whichever of its runs first finds it dead.

        Raises:
            RoleLost: it cannot be, or is shared by runs with other ceilings now.
        """
        for _ in range(_TRIES):
            quota = self._quota
            try:
                await quota.enter.remote(model, f"{self._run}/{permit}", tokens)
                return
            except ActorDiedError:
                await self._join_again(quota)
            except RayError as error:
                raise RoleLost(f"quota {self._name}: {one_line(error)}") from error
        raise RoleLost(f"quota {self._name} died {_TRIES} times while a call waited for it")

    async def _join_again(self, dead: Any) -> None:
        async with self._joining:
            if self._quota is not dead:
                return  # another call was here first
            log.warning("quota %s died; it begins anew, without the calls that are in flight", self._name)
            try:
                await self.join(self._hosts)
            except UsageError as error:
                raise RoleLost(str(error)) from error

    def leave(self, permit: Permit, outcome: PermitOutcome, tokens: int | None, retry_after: float | None) -> None:
        """See `AdaptiveLimiter.leave`. Nobody waits for it, and a quota that died needs it no more."""
        self._quota.leave.remote(f"{self._run}/{permit}", outcome, tokens, retry_after)


class _SharedGate:
    def __init__(self, gates: SharedGates, model: str) -> None:
        self._gates = gates
        self._model = model

    async def enter(self, permit: Permit, tokens: int) -> None:
        try:
            await self._gates.enter(self._model, permit, tokens)
        except asyncio.CancelledError:
            self.leave(permit, "refused")
            raise

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        self._gates.leave(permit, outcome, tokens, retry_after)


def _found(name: str, ceilings: RateLimits) -> Any:
    actor = ray.remote(SharedQuota)
    return actor.options(
        name=f"quota {name}",
        namespace=_NAMESPACE,
        lifetime="detached",  # it outlives the run that happened to be first
        get_if_exists=True,
        num_cpus=0,
        max_concurrency=_CALLS,
    ).remote(ceilings)
