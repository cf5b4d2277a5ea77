"""Shared limiter: one limiter for the model calls of several runs on a cluster, found by the quota's name."""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ray.exceptions import ActorDiedError, RayError

from quintet.cluster.head import Head
from quintet.cluster.host_actor import HostHandle
from quintet.cluster.ray_api import ray
from quintet.errors import HostLost, RoleLost, UsageError, one_line
from quintet.messages.quota import Permit, PermitOutcome
from quintet.ports.transport import HostName
from quintet.quota.limiter import AdaptiveLimiter, RateLimits
from quintet.quota.quota import Limiter

_log = logging.getLogger("quintet.cluster")

_NAMESPACE = "quintet"
"""Of all shared quotas, since they belong to no single run."""

_CALLS = 100_000
"""Calls that may wait at once."""

_TRIES = 3
"""A quota that no run shares any more ends itself, perhaps while another run joins it."""


class SharedQuota:
    """The actor. It ends with the last run that shares it, however that run ends."""

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        self._limiters: defaultdict[str, AdaptiveLimiter] = defaultdict(lambda: AdaptiveLimiter(limits))
        self._held: dict[Permit, tuple[str, asyncio.Future[None]]] = {}
        """Permits that were requested and have not returned, each with its model and its entry."""
        self._runs: dict[str, asyncio.Task[None]] = {}
        self._hosts: dict[str, Sequence[HostHandle]] = {}
        """By run, all that it ever had."""

    async def join(self, run: str, limits: RateLimits, hosts: list[HostHandle]) -> RateLimits:
        """Let a run share the limiters until all of its hosts have ended, if its limits are the ones in force.

        Args:
            run: may have joined already, with fewer hosts.
            hosts: all that it ever had, in the same order.

        Returns:
            The limits in force.
        """
        if limits == self._limits:
            self._hosts[run] = hosts
            if run not in self._runs:
                self._runs[run] = asyncio.create_task(self._serve(run))
        return self._limits

    async def enter(self, model: str, permit: Permit, tokens: int) -> None:
        """Wait for room, or until the permit returns."""
        entering = asyncio.ensure_future(self._limiters[model].enter(permit, tokens))
        self._held[permit] = model, entering
        await asyncio.wait([entering])

    async def leave(
        self, permit: Permit, outcome: PermitOutcome, tokens: int | None, retry_after: float | None
    ) -> None:
        """A call ended, or was abandoned."""
        if permit in self._held:
            model, entering = self._held.pop(permit)
            entering.cancel()
            self._limiters[model].leave(permit, outcome, tokens=tokens, retry_after=retry_after)

    async def _serve(self, run: str) -> None:
        ended = 0
        while ended < len(self._hosts[run]):
            with suppress(RayError):  # raised when the host ends; the run ends with its last host
                await self._hosts[run][ended].wait_forever.remote()
            ended += 1
        for permit in [permit for permit in self._held if permit.startswith(f"{run}/")]:
            await self.leave(permit, "failed", None, None)
        del self._runs[run], self._hosts[run]
        if not self._runs:
            asyncio.get_running_loop().call_soon(ray.actor.exit_actor)


class SharedLimiters:
    """A run's side of a shared quota: the runs on one cluster that use the same `name` share it."""

    def __init__(self, name: str, limits: RateLimits) -> None:
        self._name = name
        self._limits = limits
        self._run = secrets.token_hex(8)
        self._quota: Any = None
        self._hosts: Mapping[HostName, HostHandle] = {}
        self._joining = asyncio.Lock()

    async def join(self, hosts: Mapping[HostName, HostHandle], head: Head) -> None:
        """Share the quota until all of the run's hosts have ended.

        Raises:
            UsageError: it has other limits.
            HostLost: Ray's head does not answer.
        """
        self._hosts, self._head = hosts, head
        for _ in range(_TRIES):
            self._quota = await head.ask(partial(_find_or_start, self._name, self._limits))
            try:
                found = await self._quota.join.remote(self._run, self._limits, list(hosts.values()))
            except ActorDiedError:
                continue
            if found != self._limits:
                expected = f"the limits of quota {self._name}, which other runs share ({found})"
                raise UsageError(f"runtime.quota: expected {expected}, got {self._limits}")
            return
        raise RoleLost(f"quota {self._name} ended {_TRIES} times while this run joined it")

    def limiter(self, model: str) -> Limiter:
        """The shared limiter of a model."""
        return _SharedLimiter(self, model)

    async def enter(self, model: str, permit: Permit, tokens: int) -> None:
        """As `AdaptiveLimiter.enter`; the first run to find the quota dead starts it again, or raises a `RoleLost`."""
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
            _log.warning("quota %s died; starting it again, without the calls in flight", self._name)
            try:
                await self.join(self._hosts, self._head)
            except (UsageError, HostLost) as error:
                raise RoleLost(str(error)) from error

    def leave(self, permit: Permit, outcome: PermitOutcome, tokens: int | None, retry_after: float | None) -> None:
        """See `AdaptiveLimiter.leave`. Not waited for: a quota that died does not need it."""
        self._quota.leave.remote(f"{self._run}/{permit}", outcome, tokens, retry_after)


class _SharedLimiter:
    def __init__(self, shared: SharedLimiters, model: str) -> None:
        self._shared = shared
        self._model = model

    async def enter(self, permit: Permit, tokens: int) -> None:
        try:
            await self._shared.enter(self._model, permit, tokens)
        except asyncio.CancelledError:
            self.leave(permit, "refused")
            raise

    def leave(
        self, permit: Permit, outcome: PermitOutcome, *, tokens: int | None = None, retry_after: float | None = None
    ) -> None:
        self._shared.leave(permit, outcome, tokens, retry_after)


def _find_or_start(name: str, limits: RateLimits) -> Any:
    actor = ray.remote(SharedQuota)
    return actor.options(
        name=f"quota {name}",
        namespace=_NAMESPACE,
        lifetime="detached",  # it outlives the run that started it
        get_if_exists=True,
        num_cpus=0,
        max_concurrency=_CALLS,
    ).remote(limits)
