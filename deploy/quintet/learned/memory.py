"""Memories: a version is a sealed set of tuples in the run's store; its content has their counts and their digest."""

import msgspec
from msgspec.structs import replace

from quintet.messages.memory import Sealed
from quintet.messages.parts import Recollection


class MemoryKind:
    """Memories."""

    def parts(self, version: int, content: str, recollection: Recollection | None) -> tuple[Recollection, ...]:
        assert recollection is not None
        return (replace(recollection, version=version, batches=sealed(content).batches),)


def sealed(content: str) -> Sealed:
    """A version's counts and digest, as it was published.

    Raises:
        msgspec.DecodeError: the content is something else.
    """
    return msgspec.json.decode(content, type=Sealed)
