"""What a host and the process of a world say to each other, pickled."""

from typing import Any, NamedTuple

from quintet.environments.adapters.members import Member


class WorkerCall(NamedTuple):
    """A call of a member."""

    member: Member
    state: int
    """The number of the state that it is about, or that it makes."""
    arguments: tuple[Any, ...] = ()


class Returned(NamedTuple):
    """The answer to a call."""

    value: Any = None
    error: BaseException | None = None
    """What it raised, with its traceback among its notes."""
