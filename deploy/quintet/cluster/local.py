"""A local Ray: started for one run, behind a keeper that ends it with the process that wanted it."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from quintet.cluster.threads import in_thread
from quintet.errors import UsageError

_KEEPER = Path(__file__).with_name("reaper.py")
_ENVIRONMENT = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # on every system: be at home on the loopback address only
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",  # kills hosts when the machine is full, whoever filled it
}


@dataclass(frozen=True)
class LocalRay:
    """Where it is: `address` to join it, `dashboard` for people, empty if there is none."""

    address: str
    dashboard: str


@asynccontextmanager
async def local_ray(*, dashboard: bool) -> AsyncGenerator[LocalRay, None]:
    """Start a Ray on this machine, which only this machine can reach.

    Raises:
        UsageError: it did not start; says why.
    """
    with tempfile.TemporaryFile() as said:
        # In a session of its own: Ctrl-C is for us, and we end the keeper. `-P`: our modules shadow nobody's.
        keeper = subprocess.Popen(  # noqa: ASYNC220  begins at once; what takes long is what it does then
            [sys.executable, "-P", str(_KEEPER), "dashboard" if dashboard else "plain"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=os.environ | _ENVIRONMENT,
            start_new_session=True,
        )
        with keeper:
            assert keeper.stdin is not None
            assert keeper.stdout is not None
            try:
                line = await asyncio.to_thread(keeper.stdout.readline)  # ends with the keeper
                if not line:
                    said.seek(0)
                    reason = said.read().decode(errors="replace").strip().rpartition("\n")[2]
                    raise UsageError(f"Ray did not start on this machine: {reason}")
                yield LocalRay(**json.loads(line))
            finally:
                keeper.stdin.close()
                await in_thread(keeper.wait)
