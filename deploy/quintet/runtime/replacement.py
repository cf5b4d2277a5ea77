"""Replacement: a host that died is followed by one under a new name, with the same roles and as many slots."""

import asyncio
import itertools
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from quintet.errors import HostLost, UsageError
from quintet.ports.transport import HostName
from quintet.runtime.driver import Driver
from quintet.runtime.host import Host

_log = logging.getLogger("quintet.driver")


class HostStarter(Protocol):
    """Starts hosts in the place of dead ones."""

    async def start(self, name: HostName, in_place_of: HostName) -> None:
        """Start a host with the roles of a dead one. When it returns, every host can reach it, and none asks it yet.

        Raises:
            UsageError: it does not start; says why.
            HostLost: it died at once.
        """
        ...

    async def announce(self, name: HostName, in_place_of: HostName) -> None:
        """Let all hosts but the driver's ask it in the place of the dead one."""
        ...


@dataclass(eq=False)
class _Group:
    names: list[HostName]
    """All that there ever were."""
    numbers: Iterator[int]
    """Of the next ones."""
    coming: int = 0
    """How many are on their way."""


class Replacer:
    """Replaces the hosts of a run that die, one after another.

    A dead host's name is never used again, since its asks carry numbers. What was asked of it fails as if nothing
    followed it; what begins later is asked of the new host.

    Args:
        driver: gives work to new hosts. While a role has no host and one is on its way, it starts no episode.
        groups: the hosts with the same roles. The first gives the group its name.
        most: how many hosts are replaced at most, so that one that dies again and again ends the run.
    """

    def __init__(
        self, host: Host, driver: Driver, groups: Iterable[Sequence[HostName]], starter: HostStarter, *, most: int
    ) -> None:
        self._host = host
        self._driver = driver
        self._groups = [_Group(list(group), itertools.count(len(group) + 1)) for group in groups]
        self._starter = starter
        self._left = most
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        host.watchers.append(self._host_lost)
        driver.replacement = self

    @property
    def is_awaited(self) -> bool:
        """Whether a role has no host, and one is on its way."""
        return any(group.coming for group in self._lost_groups())

    @property
    def gave_up(self) -> bool:
        """Whether a role has no host, and none is on its way."""
        return not all(group.coming for group in self._lost_groups())

    def _lost_groups(self) -> list[_Group]:
        return [group for group in self._groups if self._host.lost.issuperset(group.names)]

    def _host_lost(self, dead: HostName) -> None:
        if self._left == 0:
            return
        self._left -= 1
        group = next(group for group in self._groups if dead in group.names)
        group.coming += 1
        task = asyncio.create_task(self._replace(dead, group))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace(self, dead: HostName, group: _Group) -> None:
        try:
            async with self._one_at_a_time:
                new = HostName(f"{group.names[0]}-{next(group.numbers)}")
                await self._starter.start(new, dead)
                # No await from here to the driver: the death of the new host is noticed only after that.
                group.names.append(new)
                self._host.replaced[dead] = new
                self._driver.add_host(new, in_place_of=dead)
                _log.warning("host %s takes the place of %s; %d more can be replaced", new, dead, self._left)
                await self._starter.announce(new, dead)
        except (UsageError, HostLost) as failed:
            _log.warning("host %s is not replaced: %s", dead, failed)
        finally:
            group.coming -= 1
            self._driver.wake()

    def stop(self) -> None:
        """Replace no more."""
        self._left = 0

    async def close(self) -> None:
        """Replace no more, and stop what is being started."""
        self.stop()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
