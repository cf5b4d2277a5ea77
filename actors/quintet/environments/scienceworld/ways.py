"""How a task is solved: the package's way, and what is left of it after any actions."""

from contextlib import suppress
from typing import Final

from quintet.environments.scienceworld.simulator import SimulatorGame, Turns, way_finder

_LOOKS: Final = ("look ", "inventory", "task", "objects", "help")
"""How actions begin that take no time."""
_FULL: Final = 100
_KEPT: Final = 10_000
"""Ways that are kept, the latest."""


def way_left(kind: str, variation: int, actions: tuple[str, ...]) -> tuple[str, ...] | None:
    """The rest of the package's way after some actions, which may have been understood or not.

    After an action off the way it is tried first: None if it does not solve the task then. The same action once more
    is taken to lead no further off.
    """
    if (whole := _way(kind, variation)) is None:
        return None
    ahead, strayed, left_at, rest = whole, set[str](), 0, whole
    for number, action in enumerate(actions, start=1):
        if ahead[:1] == (action,):
            ahead = ahead[1:]
        elif not action.startswith(_LOOKS) and action not in strayed:
            strayed.add(action)
            left_at, rest = number, ahead
    found = _way(kind, variation, actions[:left_at], rest) if left_at else whole
    for action in actions[left_at:] if found else ():
        found = found[1:] if found and found[0] == action else found
    return found


_FINDING: Final = Turns()
_FOUND: Final[dict[tuple[str, int, tuple[str, ...]], tuple[str, ...] | None]] = {}


def _way(
    kind: str, variation: int, done: tuple[str, ...] = (), ahead: tuple[str, ...] | None = None
) -> tuple[str, ...] | None:
    """What solves a task after what was done, without what is not needed of it; None if it is not solved.

    One is tried at a time, and each once in this process: side by side all would be late.

    Args:
        ahead: what is tried, by `done` alone. None: the package's way.
    """
    task = (kind, variation, done)
    with suppress(KeyError):
        return _FOUND[task]
    with _FINDING:
        if task not in _FOUND:
            _FOUND[task] = _tried(kind, variation, done, ahead)
            if len(_FOUND) > _KEPT:
                del _FOUND[next(iter(_FOUND))]
        return _FOUND[task]


def _tried(kind: str, variation: int, done: tuple[str, ...], ahead: tuple[str, ...] | None) -> tuple[str, ...] | None:
    finder = way_finder()
    game = SimulatorGame(finder, kind, variation)
    if any(game.step(action).ends for action in done):
        return ()
    way = list[str]()
    for action in finder.gold_path(kind, variation) if ahead is None else ahead:
        answer = game.step(action)
        if answer.understood:
            way.append(action)
        if answer.ends:
            return tuple(way) if answer.score == _FULL else None
    return None
