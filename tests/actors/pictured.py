"""A world that can be seen: stairs, with a picture after every action."""

from base64 import b64decode
from typing import Any, Final

from quintet.ports.world import CallsIn
from tests.deploy.testing.broken_environments import Climb, Stairs

JPEG: Final = b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////////////////////////////////////"
    "//////wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z"
)
"""Eight grey pixels by eight."""


def picture_at(steps: int) -> bytes:
    """What is seen after so many steps: browsers ignore what follows the end of a picture."""
    return JPEG + bytes([steps])


class SeenClimb(Climb):
    @property
    def picture(self) -> Any:
        return picture_at(self.steps)


class SeenStairs(Stairs):
    name = "seen-stairs"
    climb = SeenClimb


class BlockedStairs(SeenStairs):
    blocking: CallsIn | None = "thread"


class RemoteStairs(SeenStairs):
    blocking: CallsIn | None = "process"


class Unseen(SeenClimb):
    @property
    def picture(self) -> Any:
        return b""


class Painted(SeenClimb):
    @property
    def picture(self) -> Any:
        return "a drawing of stairs"


class Framed(SeenClimb):
    @property
    def picture(self) -> Any:
        return b"<svg/>"
