"""Ray's head: watched, and asked only while it answers. Without one, Ray's calls hang, or end this process in C++."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from ray.exceptions import RayError

from quintet.cluster import ray_private
from quintet.cluster.ray_api import in_thread, ray
from quintet.errors import HostLost, one_line

_log = logging.getLogger("quintet.cluster")

_T = TypeVar("_T")

AWAY_SECONDS = 40.0
"""How long the head may be silent. After 60 Ray's own processes end themselves, and ours with that of our node; until
then the run must be suspended, and reported."""

_EVERY = 5.0


async def _head_answers() -> bool:
    return await in_thread(ray_private.ask_head)


class Head:
    """Ray's head, as the driver sees it.

    Args:
        away: seconds for which it may be silent.
        answers: asks it once whether it is there.
    """

    def __init__(
        self,
        away: float = AWAY_SECONDS,
        answers: Callable[[], Awaitable[bool]] = _head_answers,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._away = away
        self._answers = answers
        self._clock = clock
        self.lost = ""
        """Why it counts as lost; empty while it does not."""

    async def watch(self, lose: Callable[[], None]) -> None:
        """Ask it every few seconds, until it is silent for too long; then call `lose` once."""
        answered_at = self._clock()
        while self._clock() - answered_at < self._away:
            if await self._answers():
                answered_at = self._clock()
            else:
                _log.warning("Ray's head has not answered for %.0f s", self._clock() - answered_at)
            await asyncio.sleep(min(_EVERY, self._away / 4))
        self.lost = f"Ray's head did not answer for {self._away:.0f} s; everything on its cluster is lost"
        _log.error("%s", self.lost)
        lose()

    async def ask(self, work: Callable[[], _T]) -> _T:
        """Do in a thread what only Ray's head can answer; a `HostLost` if it does not answer now, or by an error."""
        if self.lost or not await self._answers():
            raise HostLost(self.lost or "Ray's head does not answer")
        try:
            return await in_thread(work)
        except RayError as error:
            raise HostLost(f"Ray's head answered by an error: {one_line(error)}") from error

    async def kill(self, *actors: object) -> None:
        """Kill actors. Without a head they live on until they miss it themselves."""
        with suppress(HostLost):
            await self.ask(lambda: [ray.kill(actor) for actor in actors])
