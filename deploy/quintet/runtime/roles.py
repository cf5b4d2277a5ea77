"""Where a role's requests go: the placement of roles on hosts, and the refs that follow it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from quintet.errors import RoleLost
from quintet.messages.environment import Session
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path
from quintet.ports.transport import Address, HostName
from quintet.roles.context import current
from quintet.runtime.host import Host

EPISODES: Final = "episodes"
"""On the driver's host only, and asked from there, so no placement names it."""


@dataclass(frozen=True)
class Placement:
    """Which hosts a role lives on. A role that is not named lives on every host, and is asked on the asker's own."""

    hosts: Mapping[str, Sequence[HostName]]

    def host_for(self, role: str, path: Path, asker: Host) -> HostName:
        """The host that answers a request under `path`: the same for the same path while the same hosts live.

        Raises:
            RoleLost: every host of the role died.
        """
        if role not in self.hosts:
            return asker.name
        alive = [name for name in self.hosts[role] if name not in asker.lost]
        if not alive:
            raise RoleLost(f"{path}: every host of role {role} died")
        return alive[crc32(path.encode()) % len(alive)]


class HostRef:
    """A ref to a role, asked from one host. Path and recording come from the running request."""

    def __init__(
        self,
        host: Host,
        role: str,
        placement: Placement,
        *,
        session: Session | None = None,
        seconds: float | None = None,
    ) -> None:
        self._host = host
        self._role = role
        self._placement = placement
        self._session = session
        self._seconds = seconds

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        context = current()
        with context.turn() as (path, recording):
            if self._session is None:
                to = self._placement.host_for(self._role, path, self._host)
            else:
                to = HostName(self._session.host)
            return await self._host.ask(
                Address(host=to, role=self._role),
                request,
                path=path,
                incarnation=context.incarnation,
                recording=recording,
                seconds=self._seconds,
            )


class HostRoles:
    """The roles as seen from one host. Implements the `Roles` port."""

    def __init__(self, host: Host, placement: Placement, *, step_deadline: float | None) -> None:
        self._host = host
        self._placement = placement
        self._step_deadline = step_deadline
        self.planner = HostRef(host, "planner", placement)
        self.executor = HostRef(host, "executor", placement)
        self.reflector = HostRef(host, "reflector", placement)
        self.episodes = HostRef(host, EPISODES, placement)

    def environment(self, session: Session | None = None) -> HostRef:
        return HostRef(self._host, "environment", self._placement, session=session, seconds=self._step_deadline)

    def subtask(self, session: Session | None = None) -> HostRef:
        # On its session's host if subtasks live there too, else by its path.
        apart = {"subtask", "environment"} & self._placement.hosts.keys()
        beside = None if apart else session
        return HostRef(self._host, "subtask", self._placement, session=beside)
