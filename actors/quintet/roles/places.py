"""Places: how many sessions of a world a host holds at a time, and who waits for one."""

import asyncio
from collections import Counter
from typing import NamedTuple

from quintet.messages.paths import Path


class Tenant(NamedTuple):
    """Who holds sessions: an episode in one of its starts."""

    episode: Path
    incarnation: int


class HeldPlace:
    """One that is taken; made by `SessionPlaces.take`."""

    def __init__(self, places: "SessionPlaces", tenant: Tenant) -> None:
        self._places = places
        self._tenant: Tenant | None = tenant

    def give_back(self) -> None:
        """Return it. Another time changes nothing."""
        tenant, self._tenant = self._tenant, None
        if tenant is not None:
            self._places.leave(tenant)


class SessionPlaces:
    """The places of one host.

    A tenant that has had one keeps one until it is released, also while no session of it is open, and gets further ones
    at once, beyond the number too. So nobody who holds a place waits for another one, and nobody waits for one who
    waits. All others get theirs in the order in which they came.

    Args:
        number: how many there are, at least 1.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._sessions: Counter[Tenant] = Counter()
        """Places that were taken and not given back."""
        self._staying: set[Tenant] = set()
        """Tenants that were not released since they had their first one."""
        self._waiting: list[tuple[Tenant, asyncio.Future[HeldPlace]]] = []

    @property
    def held(self) -> int:
        """How many are taken or kept."""
        return self._sessions.total() + sum(not self._sessions[tenant] for tenant in self._staying)

    @property
    def waiting(self) -> int:
        """How many are waited for."""
        return len(self._waiting)

    async def take(self, tenant: Tenant) -> HeldPlace:
        """Take a place, once there is one. A caller that is cancelled meanwhile has none."""
        granted: asyncio.Future[HeldPlace] = asyncio.get_running_loop().create_future()
        self._waiting.append((tenant, granted))
        self._serve()
        try:
            return await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                self._waiting.remove((tenant, granted))
            else:
                granted.result().give_back()  # it was granted as its caller was cancelled
            raise

    def is_free_for(self, tenant: Tenant) -> bool:
        """Whether a tenant gets one without waiting."""
        return self._is_here(tenant) or (self.held < self._number and not self._waiting)

    def leave(self, tenant: Tenant) -> None:
        """A place of a tenant is free again, unless it is kept; see `HeldPlace.give_back`."""
        self._sessions[tenant] -= 1
        self._serve()

    def release(self, episode: Path, incarnation: int) -> None:
        """The episode's starts up to this one are over: they keep nothing, and what is still closing is theirs."""
        self._staying = {each for each in self._staying if each.episode != episode or each.incarnation > incarnation}
        self._serve()

    def _is_here(self, tenant: Tenant) -> bool:
        return tenant in self._staying or self._sessions[tenant] > 0

    def _serve(self) -> None:
        self._sessions = +self._sessions
        for waiter in list(self._waiting):
            tenant, granted = waiter
            if not granted.cancelled() and (self._is_here(tenant) or self.held < self._number):
                self._waiting.remove(waiter)
                self._sessions[tenant] += 1
                self._staying.add(tenant)
                granted.set_result(HeldPlace(self, tenant))
