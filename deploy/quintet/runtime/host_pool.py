"""The pool of a run's hosts: one that died is followed by one under a new name; and groups grow and shrink."""

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from quintet.errors import HostLost, UsageError
from quintet.ports.transport import HostName
from quintet.runtime.driver import Driver
from quintet.runtime.host import Host

_log = logging.getLogger("quintet.driver")

_PAUSES = (0.0, 10.0, 60.0)
"""Seconds before each attempt to start a host, after which it is given up."""

_LOOK_EVERY = 1.0
"""Seconds between two looks whether a host that leaves is idle."""

_IDLE_EVERY, _IDLE_LOOKS = 10.0, 6
"""Seconds between two looks for idle hosts near the end of a run, and after how many in a row a host leaves."""


class HostStarter(Protocol):
    """Starts hosts with the roles of others, in the place of dead ones or beside living ones, and ends them."""

    async def start(self, name: HostName, like: HostName, *, instead: bool) -> None:
        """Start a host. When it returns, every host can reach it, and none asks it yet.

        Args:
            like: the host whose roles it gets.
            instead: whether it takes that one's place.

        Raises:
            UsageError: it does not start; says why.
            HostLost: it died at once.
        """
        ...

    async def announce(self, name: HostName, like: HostName, *, instead: bool) -> None:
        """Let all hosts but the driver's ask it, too or instead."""
        ...

    async def retire(self, name: HostName) -> None:
        """Let no host but the driver's, which does so already, ask it any more, but for the sessions that it has."""
        ...

    async def is_free(self, name: HostName) -> bool:
        """Whether it does nothing and has no session, or died."""
        ...

    async def give_back(self, name: HostName) -> None:
        """End a host. What is still asked of it counts as lost."""
        ...


@dataclass(eq=False)
class _Group:
    name: HostName
    """That of its first host."""
    names: list[HostName]
    """All, dead ones too until they are replaced. The first is never given back, so others can be started like it."""
    numbers: Iterator[int]
    """Of the next ones."""
    wanted: int
    """How many are to live."""
    coming: int = 0
    """How many are on their way."""
    failed: str = ""
    """Why the newest that did not start did not, unless one has started since."""


class HostPool:
    """The hosts of a run, in groups, which grow and shrink.

    Hosts that die are replaced, one after another; one that does not start is tried again elsewhere. A dead host's name
    is never used again, since its asks carry numbers. What was asked of it fails as if nothing followed it; what begins
    later is asked of the new host.

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
        self._groups = [_Group(group[0], list(group), itertools.count(len(group) + 1), len(group)) for group in groups]
        self._starter = starter
        self._left = most
        self._sizes: dict[HostName, int] = {}
        """Of groups that gave hosts back near a run's end, before they did."""
        self._stopped = False
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        host.watchers.append(self._host_lost)
        driver.pool = self

    @property
    def is_awaited(self) -> bool:
        """Whether a role has no host, and one is on its way."""
        return not self._stopped and any(group.coming for group in self._lost_groups())

    @property
    def gave_up(self) -> bool:
        """Whether a role has no host, and none is on its way."""
        return any(self._stopped or not group.coming for group in self._lost_groups())

    def _lost_groups(self) -> list[_Group]:
        return [group for group in self._groups if not self._living(group)]

    def _living(self, group: _Group) -> list[HostName]:
        return [name for name in group.names if name not in self._host.lost]

    @property
    def hosts_text(self) -> str:
        """How many hosts live, of how many; and why others did not start. Any thread may ask."""
        lacking = (group for group in self._groups if not group.coming and len(self._living(group)) < group.wanted)
        return "; ".join([self._lives(), *(group.failed for group in lacking if group.failed)])

    async def give_back_idle(self) -> None:
        """Give hosts back that what is left of a run does not need, until this is cancelled.

        A host leaves that did nothing for a minute while all that was left to run ran. Of each group one stays, and all
        while no host that dies would be replaced. Groups grow again if more is to run after all.
        """
        idle: Counter[HostName] = Counter()
        while True:
            await asyncio.sleep(_IDLE_EVERY)
            if not self._driver.is_ending:
                idle.clear()
                self.resize({**self._sizes})
                continue
            if self._left == 0:
                continue
            for group in self._groups:
                for name in self._living(group)[1:]:
                    is_free = self._driver.is_idle(name) and await self._starter.is_free(name)
                    idle[name] = idle[name] + 1 if is_free else 0
                    if idle[name] >= _IDLE_LOOKS and name in self._living(group)[1:]:
                        self._sizes.setdefault(group.name, group.wanted)
                        group.wanted = len(self._living(group)) - 1
                        self._leave(group, name)

    def resize(self, sizes: Mapping[HostName, int]) -> None:
        """Let groups, by their names, have so many hosts, at least 1 each.

        New ones start at once. The last get no more episodes and requests, and are given back as soon as they are idle.
        """
        for group in self._groups:
            if group.name not in sizes:
                continue
            group.wanted = sizes[group.name]
            self._sizes.pop(group.name, None)
            for _ in range(group.wanted - len(self._living(group)) - group.coming):
                self._bring(group, group.name, instead=False)
            self._give_back_surplus(group)

    def _give_back_surplus(self, group: _Group) -> None:
        for name in self._living(group)[group.wanted :]:
            self._leave(group, name)

    def _leave(self, group: _Group, name: HostName) -> None:
        group.names.remove(name)
        self._host.leaving.add(name)
        self._work(self._give_back(name))

    def _host_lost(self, dead: HostName) -> None:
        if self._left == 0 or self._stopped or dead in self._host.leaving:
            return
        self._left -= 1
        self._bring(next(group for group in self._groups if dead in group.names), dead, instead=True)

    def _bring(self, group: _Group, like: HostName, *, instead: bool) -> None:
        group.coming += 1
        self._work(self._start(group, like, instead=instead))

    def _work(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _start(self, group: _Group, like: HostName, *, instead: bool) -> None:
        try:
            for pause in _PAUSES:
                await asyncio.sleep(pause)
                if await self._start_once(group, like, instead=instead):
                    return
            _log.warning("host %s is not %s; %s", like, "replaced" if instead else "joined by another", self._lives())
        finally:
            group.coming -= 1
            self._driver.wake()

    async def _start_once(self, group: _Group, like: HostName, *, instead: bool) -> bool:
        async with self._one_at_a_time:
            if len(self._living(group)) >= group.wanted:
                return True  # fewer are wanted by now
            new = HostName(f"{group.name}-{next(group.numbers)}")
            like = like if instead else group.names[0]
            try:
                await self._starter.start(new, like, instead=instead)
            except (UsageError, HostLost) as failed:
                _log.warning("%s", failed)
                group.failed = str(failed)
                return False
            group.failed = ""
            # No await from here to the driver: the death of the new host is noticed only after that.
            if instead:
                group.names[group.names.index(like)] = new
                self._host.replaced[like] = new
            else:
                group.names.append(new)
            self._driver.add_host(new, like=like, instead=instead)
            how = "takes the place of" if instead else "joins"
            _log.warning("host %s %s %s; %s; %d more can be replaced", new, how, like, self._lives(), self._left)
            await self._starter.announce(new, like, instead=instead)
            self._give_back_surplus(group)  # fewer may be wanted since it began to start
            return True

    async def _give_back(self, name: HostName) -> None:
        self._driver.retire(name)
        async with self._one_at_a_time:  # a host that is being started learns whom it asks
            await self._starter.retire(name)
        await asyncio.sleep(_LOOK_EVERY)  # what was sent to it before may be on its way
        while not (self._driver.is_idle(name) and await self._starter.is_free(name)):  # noqa: ASYNC110  rare
            await asyncio.sleep(_LOOK_EVERY)
        await self._starter.give_back(name)
        self._driver.forget(name)
        _log.warning("host %s is given back; %s", name, self._lives())

    def _lives(self) -> str:
        living = sum(len(self._living(group)) for group in self._groups)
        return f"{living} of {sum(group.wanted for group in self._groups)} hosts live"

    def stop(self) -> None:
        """Start no more hosts, and wait for none."""
        self._stopped = True
        for task in self._tasks:
            task.cancel()

    async def close(self) -> None:
        """As `stop`; returns when nothing is being started any more."""
        self.stop()
        if self._tasks:
            await asyncio.wait(self._tasks)
