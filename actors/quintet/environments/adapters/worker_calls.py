"""What a host and the process of a world say to each other, pickled."""

from typing import Any, Literal, NamedTuple, TypeAlias

from quintet.ports.world import Opening, Outcome

Member: TypeAlias = Literal[
    "open", "restore", "fork", "step", "graded", "admissible", "expert", "naive", "snapshot", "close"
]


class WorkerCall(NamedTuple):
    """A call of a member."""

    member: Member
    state: int
    """The number of the state that it is about, or that it makes."""
    arguments: tuple[Any, ...] = ()


class Begun(NamedTuple):
    """What the calls that make a state return."""

    opening: Opening
    observation: str
    picture: object


class Changed(NamedTuple):
    """What the calls that change a state return."""

    outcome: Outcome
    observation: str
    picture: object


class Returned(NamedTuple):
    """The answer to a call."""

    value: Any = None
    error: BaseException | None = None
    """What it raised, with its traceback among its notes."""
