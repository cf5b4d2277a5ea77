"""Live things by the episode that they belong to, so that ending one costs what it holds, however many others live."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from quintet.messages.paths import Path

_T = TypeVar("_T")


class ByEpisode(Generic[_T]):
    """Things of many episodes, each under the path of its episode, in the order in which they came."""

    __slots__ = ("_things",)

    def __init__(self) -> None:
        self._things: dict[Path, dict[_T, None]] = {}

    def add(self, episode: Path, thing: _T) -> None:
        """Keep a thing; one that is there already stays where it is."""
        things = self._things.get(episode)
        if things is None:
            self._things[episode] = {thing: None}
        else:
            things[thing] = None

    def discard(self, episode: Path, thing: _T) -> None:
        """Drop a thing, if it is there."""
        things = self._things.get(episode)
        if things is None:
            return
        things.pop(thing, None)
        if not things:
            del self._things[episode]

    def of(self, episode: Path) -> Sequence[_T]:
        """Those of an episode, as they are now."""
        return tuple(self._things.get(episode, ()))
