"""How long each episode has waited for permits and endpoints. Calls that wait at the same time count once."""

import asyncio
import math
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from quintet.messages.paths import Path


@dataclass
class _Wait:
    seconds: float = 0.0
    """Of finished waits."""
    calls: int = 0
    """That wait now."""
    since: float = 0.0
    """When the first of them started to wait."""
    counted: float = -math.inf
    """When the last finished wait ended. Time before it does not count again."""


class QueueTime:
    """Sums by episode, until the episode is forgotten."""

    def __init__(self) -> None:
        self._by_episode: dict[Path, _Wait] = {}

    @contextmanager
    def waiting(self, episode: Path, *, already: float = 0.0) -> Generator[None, None, None]:
        """Count the time inside as waiting.

        Args:
            episode: of the call that waits.
            already: seconds that the call has waited before.
        """
        loop = asyncio.get_running_loop()
        wait = self._by_episode.setdefault(episode, _Wait())
        start = max(loop.time() - already, wait.counted)
        wait.since = min(wait.since, start) if wait.calls else start
        wait.calls += 1
        try:
            yield
        finally:
            wait.calls -= 1
            if not wait.calls:
                wait.counted = loop.time()
                wait.seconds += wait.counted - wait.since

    def seconds(self, episode: Path) -> float:
        """How long it has waited so far."""
        wait = self._by_episode.get(episode, _Wait())
        return wait.seconds + (asyncio.get_running_loop().time() - wait.since if wait.calls else 0.0)

    def forget(self, episode: Path) -> None:
        """Drop an episode that ended."""
        self._by_episode.pop(episode, None)
