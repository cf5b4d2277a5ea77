"""A negative control: the real runtime with one defect, made by replacing functions of its classes for a while."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, TypeAlias


class Touched:
    """How often the code of a defect was called."""

    def __init__(self) -> None:
        self.times = 0


Defect: TypeAlias = Callable[[Any], Callable[..., Any]]
"""Makes a broken function of the real one."""


class Control(NamedTuple):
    """A broken runtime."""

    name: str
    breaks: str
    """The promise that it breaks, in words."""
    patch: Callable[[], AbstractContextManager[Touched]]
    """Breaks the runtime inside a block."""


@contextmanager
def replaced(owner: type | object, name: str, defect: Defect) -> Generator[Touched, None, None]:
    """A block in which a function of a class or module is broken.

    Raises:
        KeyError: there is no such function any more: the control would break nothing.
    """
    original, touched = vars(owner)[name], Touched()
    broken = defect(original)

    def counted(*args: Any, **options: Any) -> Any:
        touched.times += 1
        return broken(*args, **options)

    setattr(owner, name, counted)
    try:
        yield touched
    finally:
        setattr(owner, name, original)
