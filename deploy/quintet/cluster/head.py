"""The head: whether Ray's control still answers. Ray's own client would end this process a minute after it does not."""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import Any

from ray.exceptions import RayError

from quintet.cluster.ray_api import ray
from quintet.cluster.threads import in_thread

log = logging.getLogger("quintet.cluster")

AWAY_SECONDS = 60.0
"""For how long the head may say nothing; as long as Ray's own processes wait for it before they end themselves."""

_EVERY = 5.0
_ANSWER_WITHIN = 2

_VARIABLE = "RAY_gcs_rpc_server_reconnect_timeout_s"
_NEVER = str(10**6)


@contextmanager
def left_to_us() -> Generator[None, None, None]:
    """Let Ray's client, which connects inside, wait for a head that is away: ending the process is for us."""
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = _NEVER
    try:
        yield
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


class Head:
    """Ray's head, as the driver hears of it.

    Args:
        away: seconds for which it may say nothing.
        clock: in seconds.
    """

    def __init__(self, away: float = AWAY_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._away = away
        self._clock = clock
        self.lost = ""
        """What became of it, once it has been away for too long; until then empty."""

    async def watch(self, answers: Callable[[], Awaitable[bool]], lose: Callable[[], None]) -> None:
        """Ask it again and again, until it has been away for too long.

        Args:
            answers: whether it does.
            lose: called once it is lost.
        """
        heard = self._clock()
        while self._clock() - heard < self._away:
            if await answers():
                heard = self._clock()
            else:
                log.warning("Ray's head does not answer, for %.0f s by now", self._clock() - heard)
            await asyncio.sleep(min(_EVERY, self._away / 4))
        self.lost = f"Ray's head did not answer for {self._away:.0f} s; what runs on its cluster is lost"
        log.error("%s", self.lost)
        lose()


async def answers() -> bool:
    """Whether the head that this process is connected to answers within seconds."""
    return await in_thread(_answers)


def _answers() -> bool:
    client: Any = ray._private.worker.global_worker.gcs_client
    try:
        client.internal_kv_exists(b"head", b"quintet", timeout=_ANSWER_WITHIN)
    except RayError as error:
        log.debug("%s", error)
        return False
    return True
