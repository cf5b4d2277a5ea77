"""Open files: a thousand connections are more than many systems let a process have at first."""

import resource
from contextlib import suppress

_CONNECTIONS = 65_536


def allow_connections() -> None:
    """Let this process have as many files open as it may, up to 65,536."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _CONNECTIONS if hard == resource.RLIM_INFINITY else min(hard, _CONNECTIONS)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):  # some systems allow less than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
