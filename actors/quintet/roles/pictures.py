"""Pictures of states, which the environment role journals for people to look at."""

from quintet.environments.adapters.called import CalledState
from quintet.errors import WorldFault
from quintet.events import Pictured
from quintet.roles.context import current

_JPEG = b"\xff\xd8\xff"
"""How every such file begins."""


def checked_picture(state: CalledState, world: str) -> bytes:
    """What a state looks like, empty if it has no picture; a `WorldFault` if that is not JPEG."""
    picture = state.picture
    if not isinstance(picture, bytes) or (picture and not picture.startswith(_JPEG)):
        raise WorldFault(f"{world}: picture: expected JPEG as bytes, got {picture!r:.60}")
    return picture


def note_picture(picture: bytes, kind: str) -> None:
    """Journal a picture at the running request's path, without waiting.

    A replay of a request that is recorded journals none: the picture was journaled before it.

    Args:
        kind: of the event that the request is journaled as.
    """
    context = current()
    if context.recording.here(kind) is None:
        context.note(Pictured(path=context.path, picture=picture))
