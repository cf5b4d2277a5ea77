"""Watches Ray's head. Ray's own client, which `join` tells not to, would end this process a minute after it is gone."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from quintet.cluster import ray_private
from quintet.cluster.ray_api import in_thread

_log = logging.getLogger("quintet.cluster")

AWAY_SECONDS = 60.0
"""How long the head may be silent; as long as Ray's own processes wait before they end themselves."""

_EVERY = 5.0


class Head:
    """Ray's head, as the driver sees it; it may be silent for `away` seconds."""

    def __init__(self, away: float = AWAY_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self._away = away
        self._clock = clock
        self.lost = ""
        """Why it counts as lost; empty while it does not."""

    async def watch(self, answers: Callable[[], Awaitable[bool]], lose: Callable[[], None]) -> None:
        """Ask by `answers` every few seconds, until that is silent for too long; then call `lose` once."""
        answered_at = self._clock()
        while self._clock() - answered_at < self._away:
            if await answers():
                answered_at = self._clock()
            else:
                _log.warning("Ray's head has not answered for %.0f s", self._clock() - answered_at)
            await asyncio.sleep(min(_EVERY, self._away / 4))
        self.lost = f"Ray's head did not answer for {self._away:.0f} s; everything on its cluster is lost"
        _log.error("%s", self.lost)
        lose()


async def head_answers() -> bool:
    """Ask the head of this process's cluster once. Returns whether it answered."""
    return await in_thread(ray_private.ask_head)
