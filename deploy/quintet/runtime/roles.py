"""Where requests go: the placement of roles on hosts, and the way from a request to the host that answers it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, Final
from zlib import crc32

from quintet.errors import RoleLost
from quintet.messages.environment import AskExpert, Fork, Open, Session, Task
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

    hosts: Mapping[str, list[HostName]]
    """By role. A role that is not named lives on every host, and is asked on the asker's own."""
    own: Collection[str] = ()
    """Roles that the asker's host has too. Outside a spread branch they are asked there."""

    def add(self, host: HostName, roles: Iterable[str]) -> None:
        """Ask one host more for these roles from now on."""
        for role in roles:
            self.hosts[role].append(host)

    def lives_on(self, role: str, host: HostName) -> bool:
        """Whether a host has the role."""
        return role not in self.hosts or host in self.hosts[role]

    def host_for(self, role: str, path: Path, asker: Host, *, branch: Path | None = None) -> HostName:
        """The host that answers a request under `path`: the same for the same path while the same hosts live.

        A host that replaced a dead one has its turn; one that leaves has none.

        Args:
            branch: path of the spread branch that asks. All its requests to a role go to the same host.

        Raises:
            RoleLost: every host of the role died.
        """
        if role not in self.hosts or (role in self.own and branch is None):
            return asker.name
        gone = asker.lost | asker.leaving
        alive = [name for name in map(asker.newest, self.hosts[role]) if name not in gone]
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


@dataclass(frozen=True)
class HostRoles:
    """The roles as one host asks them. Implements the `Roles` port."""

    host: Host
    placement: Placement
    """As seen from that host."""
    _: KW_ONLY
    step_deadline: float | None
    """Seconds until a request to the environment is given up; None: none."""
    session_deadline: float | None = None
    """The same of one that may be many steps: to make a session, or to ask its expert."""
    repeats: bool = True
    """Whether the world answers the same actions alike. Where it may not, no method learns of a session before it is
    journaled, so that the journal knows of every attempt that may have acted."""
    tasks: Callable[[str], Task] | None = None
    """Makes a task of the run from its name, where a model takes typed questions: requests are then sent with their
    trails. None: none does."""
    actors: Mapping[str, str] = field(default_factory=dict[str, str])
    """By role, another name of the actor that answers."""
    brought: Sequence[Role] = ()
    """The roles that the asking method brings."""

    def of(self, actors: Mapping[str, str], brought: Sequence[Role]) -> "HostRoles":
        """The roles as one of the run's methods asks them, with its own actors' names by role."""
        return replace(self, actors=actors, brought=brought)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        context = current()
        with context.turn(numbered=request.numbered) as (path, recording):
            home = None if context.home is None else HostName(context.home)
            reply = await self.host.ask(
                self._address(request, path, context.spread, home),
                request,
                path=path,
                incarnation=context.incarnation,
                recording=recording,
                seconds=self._deadline(request),
                home=home,
                trail=trail_before(request, context, self.tasks) if self.tasks else None,
                continues=context.continues,
            )
            if self.tasks:
                note_trail(request, reply, context)
            if isinstance(request, Open) and not self.repeats:
                await self.host.recorder.settle(path, context.incarnation)
            return reply

    def _deadline(self, request: Request[Any]) -> float | None:
        match request:
            case Open() | Fork() | AskExpert():
                return self.session_deadline
            case _:
                return self.step_deadline if type(request) in ENVIRONMENT_ROLE.requests else None

    def _address(self, request: Request[ReplyT], path: Path, branch: Path | None, home: HostName | None) -> Address:
        if isinstance(request, RunEpisode):
            return Address(host=self.host.name, role=EPISODES)
        if isinstance(request, StoreRequest):
            return Address(host=DRIVER, role=STORE)
        role = role_of(request, self.brought)
        host = self.placement.host_of(getattr(request, "session", None), role)
        if isinstance(request, Open) and branch is None:
            host = home
        host = host or self.placement.host_for(role.name, path, self.host, branch=branch)
        return Address(host=host, role=self.actors.get(role.name, role.name))
