"""`serve-world`: worlds over OpenEnv's protocol."""

from typing import Final

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
    sessions: Whole = _USUAL.sessions,
    client_sessions: Whole | None = None,
    idle_seconds: float = _USUAL.idle_seconds,
    call_seconds: float = _USUAL.call_seconds,
    frame_bytes: Whole = _USUAL.frame_bytes,
) -> int:
    """Serve until the first SIGINT or SIGTERM.

    Args:
        worlds: `quintet list environments`, or FILE.py:OBJECT; the first is also at the root of the address.
        port: Where to listen; 0 for any that is free.
        host: Whose connections to take; only this machine's by default. Another host needs --key.
        key: The environment variable with the token that clients send as Authorization: Bearer.
        assignments: An option of a world, WORLD.KEY=VALUE; may be repeated.
        sessions: The most sessions at a time.
        client_sessions: The most at a time of one client, by its address; by default as many as of all.
        idle_seconds: A session without a message for so long ends.
        call_seconds: A session ends if one call of its world takes longer.
        frame_bytes: The most bytes of a client's message.
    """
    server = serve_worlds(
        worlds,
        options=nest(from_assignments(assignments)),
        host=host,
        port=port,
        key=key,
        limits=SessionLimits(
            sessions=sessions,
            client_sessions=client_sessions,
            idle_seconds=idle_seconds,
            call_seconds=call_seconds,
            frame_bytes=frame_bytes,
        ),
    )
    return serve_until_stopped(server, ", ".join(worlds))
