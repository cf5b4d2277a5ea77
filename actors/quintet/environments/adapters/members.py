"""The members of a world or a state that need not inherit anything: where it lacks one, its base class answers."""

from inspect import getattr_static
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from quintet.messages.tools import OfferedTool
from quintet.ports.world import Opening, WorldState

Member: TypeAlias = Literal[
    "open",
    "restore",
    "fork",
    "step",
    "graded",
    "answered",
    "user_called",
    "admissible",
    "expert",
    "naive",
    "snapshot",
    "close",
]
"""Of a world, those that make a state; and those of a state."""
CHANGING: Final[tuple[Member, ...]] = ("step", "graded", "answered", "user_called")
"""After these a state is seen anew."""
_MISSING: Final = object()


class Seen(NamedTuple):
    """What a state shows without being asked."""

    opening: Opening
    observation: str
    picture: object
    offered: tuple[OfferedTool, ...]


class WorkerCall(NamedTuple):
    """A call of a member, as a host pickles it for the process of a world."""

    member: Member
    state: int
    """The number of the state that it is about, or that it makes."""
    arguments: tuple[Any, ...] = ()


class Returned(NamedTuple):
    """The answer to a call."""

    value: Any = None
    error: BaseException | None = None
    """What it raised, with its traceback among its notes."""


def member_of(found: object, base: type, name: str, to: object | None = None) -> Any:
    """A member of a world or a state; a default is bound to `to`, or else to the object itself."""
    value = getattr(found, name, _MISSING)
    if value is not _MISSING:
        return value
    default = getattr_static(base, name)
    return default.__get__(found if to is None else to) if hasattr(default, "__get__") else default


def call_state(state: object, member: Member, *arguments: Any) -> Any:
    """What a member of a state returns; a coroutine, if its members are such."""
    return member_of(state, WorldState, member)(*arguments)


def see(state: Any) -> Seen:
    """What a state shows."""
    try:
        offered = state.opening.tools and _shown(state, "offered", state.opening.tools)
        return Seen(state.opening, state.observation, _shown(state, "picture", b""), offered)
    except AttributeError as error:
        if lacks := [name for name in ("opening", "observation") if not hasattr(state, name)]:
            raise TypeError(f"expected a state, got {state!r:.100}, which lacks {' and '.join(lacks)}") from error
        raise


def _shown(state: object, name: str, default: Any) -> Any:
    """What a state shows by a member that it may lack; what goes wrong within that member is raised."""
    try:
        return getattr(state, name)
    except AttributeError as error:
        if error.name != name or error.obj is not state:
            raise
        return default


def overrides(found: object, base: type, name: str) -> bool:
    """Whether an object has a member that is not its base class's own."""
    return getattr(type(found), name, None) not in (None, getattr(base, name, None))
