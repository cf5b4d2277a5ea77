"""What the driver asks of a host of the environment role, from outside any episode."""

from quintet.errors import HostLost, Suspension
from quintet.messages.message import ReplyT, Request
from quintet.messages.paths import VISIT, Path
from quintet.ports.transport import Address, HostName
from quintet.roles.environment import ENVIRONMENT_ROLE
from quintet.runtime.host import Host


async def ask_home(
    host: Host, name: HostName, request: Request[ReplyT], visit: str, *, tries: int, seconds: float | None = None
) -> ReplyT | None:
    """Ask the environment role of a host, and ask again where a message or a process was lost.

    Args:
        host: the driver's own.
        name: who is asked.
        visit: the end of the request's path, used once.
        tries: how often it is asked.
        seconds: how long each answer may take; None: no limit.

    Returns:
        The answer; None: the host has died.

    Raises:
        Suspension: no answer came, though the host is alive.
        Fault: it failed.
    """
    to = Address(host=name, role=ENVIRONMENT_ROLE.name)
    last: HostLost | None = None
    for _ in range(tries):
        try:
            return await host.ask(to, request, path=Path(f"{VISIT}/{visit}"), incarnation=1, seconds=seconds)
        except HostLost as lost:
            if name in host.lost:
                return None
            last = lost
    raise Suspension(f"environment host {name}: expected an answer, got none: {last}")
