"""`serve-world`: worlds over OpenEnv's protocol."""

from typing import Annotated, Final

from cyclopts import Parameter

from quintet.api.serving import serve_worlds
from quintet.cli.flags import Assignments, Whole
from quintet.cli.stoppable import serve_until_stopped
from quintet.config.settings import from_assignments, nest
from quintet.world_server.sessions import SessionLimits

_USUAL: Final = SessionLimits()


def serve_world_command(
    *worlds: str,
    port: Whole = 8000,
    host: str = "127.0.0.1",
    key: str | None = None,
    assignments: Assignments = (),
    limits: Annotated[SessionLimits, Parameter(name="*")] = _USUAL,
) -> int:
    """Serve until the first SIGINT or SIGTERM.

    Args:
        worlds: `quintet list environments`, or FILE.py:OBJECT; the first is also at the root of the address.
        port: Where to listen; 0 for any that is free.
        host: Whose connections to take; only this machine's by default. Another host needs --key.
        key: The environment variable with the token that clients send as Authorization: Bearer.
        assignments: An option of a world, WORLD.KEY=VALUE; may be repeated.
    """
    server = serve_worlds(
        worlds,
        options=nest(from_assignments(assignments)),
        host=host,
        port=port,
        key=key,
        limits=limits,
    )
    return serve_until_stopped(server, ", ".join(worlds))
