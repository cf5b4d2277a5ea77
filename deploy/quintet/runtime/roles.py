"""Where requests go: the placement of roles on hosts, and the way from a request to the host that answers it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from zlib import crc32

from quintet.errors import RoleLost
from quintet.messages.environment import Open, Session, Task
from quintet.messages.learning import RunEpisode
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import Path
from quintet.messages.store import StoreRequest
from quintet.ports.transport import DRIVER, Address, HostName
from quintet.roles.context import current
from quintet.roles.environment import ENVIRONMENT_ROLE
from quintet.roles.registry import role_of
from quintet.roles.role import Role
from quintet.roles.trails import note_trail, trail_before
from quintet.runtime.host import Host

EPISODES: Final = "episodes"
"""The role that runs episodes for a learner. It lives on the driver's host only, and no placement names it."""

STORE: Final = "store"
"""The role that keeps the tuples of a memory. It too lives on the driver's host only, and is asked from every host."""


@dataclass(frozen=True)
class Placement:
    """Which hosts a role lives on, as seen from one of them."""

    hosts: Mapping[str, Sequence[HostName]]
    """By role. A role that is not named lives on every host, and is asked on the asker's own."""
    own: Collection[str] = ()
    """Roles that the asker's host has too. Outside a spread branch they are asked there."""

    def lives_on(self, role: str, host: HostName) -> bool:
        """Whether a host has the role."""
        return role not in self.hosts or host in self.hosts[role]

    def host_for(self, role: str, path: Path, asker: Host, *, branch: Path | None = None) -> HostName:
        """The host that answers a request under `path`: the same for the same path while the same hosts live.

        A host that replaced a dead one has its turn.

        Args:
            branch: path of the spread branch that asks. All its requests to a role go to the same host.

        Raises:
            RoleLost: every host of the role died.
        """
        if role not in self.hosts or (role in self.own and branch is None):
            return asker.name
        alive = [name for name in map(asker.newest, self.hosts[role]) if name not in asker.lost]
        if not alive:
            raise RoleLost(f"{path}: every host of role {role} died")
        return alive[_turn(branch or path) % len(alive)]

    def host_of(self, session: Session | None, role: Role) -> HostName | None:
        """The session's host, if requests to the role follow the session and the role lives there."""
        if session is None or not role.at_session:
            return None
        apart = ({role.name, ENVIRONMENT_ROLE.name} & self.hosts.keys()).difference(self.own)
        return HostName(session.host) if role is ENVIRONMENT_ROLE or not apart else None


def _turn(path: Path) -> int:
    """Siblings take the hosts in turn, beginning at one that their parent's path gives."""
    group, _, number = path.rpartition("/")
    return crc32(group.encode()) + int(number)


class HostRoles:
    """The roles as one host asks them. Implements the `Roles` port.

    Args:
        placement: as seen from that host.
        step_deadline: seconds until a request to the environment is given up; None: none.
        repeats: whether the world answers the same actions alike. Where it may not, no method learns of a session
            before it is journaled, so that the journal knows of every attempt that may have acted.
        tasks: makes a task of the run from its name, where a model takes typed questions: requests are then sent with
            their trails. None: none does.
        actors: by role, another name of the actor that answers.
        brought: the roles that the asking method brings.
    """

    def __init__(
        self,
        host: Host,
        placement: Placement,
        *,
        step_deadline: float | None,
        repeats: bool = True,
        tasks: Callable[[str], Task] | None = None,
        actors: Mapping[str, str] = MappingProxyType({}),
        brought: Sequence[Role] = (),
    ) -> None:
        self._host = host
        self._placement = placement
        self._step_deadline = step_deadline
        self._repeats = repeats
        self._tasks = tasks
        self._actors = actors
        self._brought = brought

    def of(self, actors: Mapping[str, str], brought: Sequence[Role]) -> "HostRoles":
        """The roles as one of the run's methods asks them.

        Args:
            actors: by role, the names of those that are the method's own; any other role is the run's.
        """
        return HostRoles(
            self._host,
            self._placement,
            step_deadline=self._step_deadline,
            repeats=self._repeats,
            tasks=self._tasks,
            actors=actors,
            brought=brought,
        )

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        context = current()
        with context.turn() as (path, recording):
            home = None if context.home is None else HostName(context.home)
            reply = await self._host.ask(
                self._address(request, path, context.spread, home),
                request,
                path=path,
                incarnation=context.incarnation,
                recording=recording,
                seconds=self._step_deadline if type(request) in ENVIRONMENT_ROLE.requests else None,
                home=home,
                trail=trail_before(request, context, self._tasks) if self._tasks else None,
            )
            if self._tasks:
                note_trail(request, reply, context)
            if isinstance(request, Open) and not self._repeats:
                await self._host.recorder.settle(path, context.incarnation)
            return reply

    def _address(self, request: Request[ReplyT], path: Path, branch: Path | None, home: HostName | None) -> Address:
        if isinstance(request, RunEpisode):
            return Address(host=self._host.name, role=EPISODES)
        if isinstance(request, StoreRequest):
            return Address(host=DRIVER, role=STORE)
        role = role_of(request, self._brought)
        host = self._placement.host_of(getattr(request, "session", None), role)
        if isinstance(request, Open) and branch is None:
            host = home
        host = host or self._placement.host_for(role.name, path, self._host, branch=branch)
        return Address(host=host, role=self._actors.get(role.name, role.name))
