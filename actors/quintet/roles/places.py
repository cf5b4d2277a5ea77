"""Places: how many sessions of a world a host holds at a time, and who waits for one."""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import NamedTuple

from quintet.messages.paths import Path
from quintet.roles.by_episode import ByEpisode


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


@dataclass(slots=True, eq=False)
class _Stay:
    """What a tenant has."""

    tenant: Tenant
    sessions: int = 0
    """Places that it took and did not give back."""
    lasts: bool = False
    """It was not released since it had its first one."""

    @property
    def places(self) -> int:
        return self.sessions or int(self.lasts)


class SessionPlaces:
    """The places of one host.

    A tenant that has had one keeps one until it is released, also while no session of it is open, and gets further ones
    at once, beyond the number too. So nobody who holds a place waits for another one, and nobody waits for one who
    waits. All others get theirs in the order in which they came.

    Args:
        number: how many there are, at least 1.
    """

    def __init__(self, number: int) -> None:
        self.held = 0
        """How many are taken or kept."""
        self._number = number
        self._stays: ByEpisode[_Stay] = ByEpisode()
        self._waiting: OrderedDict[Tenant, list[asyncio.Future[HeldPlace]]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many are waited for."""
        return sum(map(len, self._waiting.values()))

    async def take(self, tenant: Tenant) -> HeldPlace:
        """Take a place, once there is one. A caller that is cancelled meanwhile has none."""
        if self.is_free_for(tenant):
            return self._give(tenant)
        granted: asyncio.Future[HeldPlace] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, []).append(granted)
        self._serve()
        try:
            return await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                self._stop_waiting(tenant, granted)
            else:
                granted.result().give_back()  # it was granted as its caller was cancelled
            raise

    def is_free_for(self, tenant: Tenant) -> bool:
        """Whether a tenant gets one without waiting."""
        return self._stay_of(tenant) is not None or (self.held < self._number and not self._waiting)

    def leave(self, tenant: Tenant) -> None:
        """A place of a tenant is free again, unless it is kept; see `HeldPlace.give_back`."""
        stay = self._stay_of(tenant)
        assert stay is not None
        self._change(stay, sessions=stay.sessions - 1, lasts=stay.lasts)

    def release(self, episode: Path, incarnation: int) -> None:
        """The episode's starts up to this one are over: they keep nothing, and what is still closing is theirs."""
        for stay in self._stays.of(episode):
            if stay.tenant.incarnation <= incarnation:
                self._change(stay, sessions=stay.sessions, lasts=False)

    def _stay_of(self, tenant: Tenant) -> _Stay | None:
        return next((stay for stay in self._stays.of(tenant.episode) if stay.tenant == tenant), None)

    def _give(self, tenant: Tenant) -> HeldPlace:
        stay = self._stay_of(tenant)
        if stay is None:
            stay = _Stay(tenant)
            self._stays.add(tenant.episode, stay)
        self._change(stay, sessions=stay.sessions + 1, lasts=True)
        return HeldPlace(self, tenant)

    def _change(self, stay: _Stay, *, sessions: int, lasts: bool) -> None:
        self.held -= stay.places
        stay.sessions, stay.lasts = sessions, lasts
        self.held += stay.places
        if not stay.places:
            self._stays.discard(stay.tenant.episode, stay)
        self._serve()

    def _serve(self) -> None:
        while self._waiting and self.held < self._number:
            tenant, waiting = self._waiting.popitem(last=False)
            for granted in waiting:
                if not granted.cancelled():
                    granted.set_result(self._give(tenant))

    def _stop_waiting(self, tenant: Tenant, granted: asyncio.Future[HeldPlace]) -> None:
        waiting = self._waiting.get(tenant, [])
        if granted in waiting:
            waiting.remove(granted)
            if not waiting:
                del self._waiting[tenant]
