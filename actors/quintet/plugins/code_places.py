"""Where code stands, for messages: `FILE, line N`."""

import inspect
import traceback
from types import FrameType

from quintet.plugins.installed import is_installed, is_pythons_or_ours

_KEPT = "raised_at"
"""The attribute of an exception that came from another process, or of one that is not raised where the fault is."""


def defined_at(definition: type | object) -> str:
    """`FILE, line N` of a class or a function; `MODULE.NAME` where no source can be read."""
    try:
        file, (_, line) = inspect.getsourcefile(definition), inspect.getsourcelines(definition)  # type: ignore[arg-type]
    except (OSError, TypeError):
        return f"{getattr(definition, '__module__', '?')}.{getattr(definition, '__qualname__', repr(definition))}"
    return f"{file}, line {line}"


def raised_at(error: BaseException, *, own: bool = False) -> str:
    """`FILE, line N, in FUNCTION`: the innermost place of an exception's traceback in a user's own code.

    Where there is none, the innermost in an installed package, or else in Python or Quintet; empty without a traceback.

    Args:
        own: empty, too, if no place is in a user's own code.
    """
    if kept := getattr(error, _KEPT, ""):
        return str(kept)
    frames = list(traceback.walk_tb(error.__traceback__))
    users = [place for place in frames if not is_installed(_module(place[0]))]
    foreign = [place for place in frames if not is_pythons_or_ours(_module(place[0]))]
    for places in (users,) if own else (users, foreign, frames):
        if places:
            frame, line = places[-1]
            return f"{frame.f_code.co_filename}, line {line}, in {frame.f_code.co_name}"
    return ""


def blame(error: BaseException, definition: type | object) -> None:
    """Note on an exception that a class or a function is at fault, which returned what nobody can use."""
    setattr(error, _KEPT, defined_at(definition))


def keep_place(error: BaseException) -> None:
    """Note the place and the traceback of an exception on it, before it leaves this process without its frames."""
    error.add_note("".join(traceback.format_exception(error)))
    setattr(error, _KEPT, raised_at(error))


def copy_place(error: BaseException | None, to: BaseException) -> None:
    """Note on another exception what `keep_place` noted on one that cannot travel."""
    kept = {} if error is None else vars(error)
    vars(to).update({name: kept[name] for name in ("__notes__", _KEPT) if name in kept})


def _module(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__", "")
    return name
