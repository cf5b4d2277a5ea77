"""Objects that a run is brought in place of names of the catalogue."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quintet.plugins.entry_points import Kind
from quintet.plugins.sources import Sources, digests

FROM_PYTHON: Final = "given from Python"
"""The origin of an object that only a program can give again."""


@dataclass(frozen=True, eq=False)
class BroughtObject:
    """A method's class, or what is or makes a world, a model or an embedder, under a name of its own."""

    kind: Kind
    name: str
    """In the run's configuration: the object's own."""
    value: Any
    """The class, the function, or the instance."""
    origin: str
    """Where it is found again: `/abs/file.py:OBJECT`, `package.module:OBJECT`; or `FROM_PYTHON`."""
    texts: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    """Its source: by file the modules that it is made of, by name the definitions of a notebook cell or a script."""
    modules: Sources = field(default_factory=dict[str, Any])
    """Those that travel with it; what is installed does not."""
    folder: Path | None = None
    """Where its source lies; None: in no file."""

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each of its texts."""
        return digests(self.texts)

    @property
    def sha256(self) -> str:
        """Of all of its source."""
        return sha256("".join(f"{name}\0{digest}\n" for name, digest in self.digests.items()).encode()).hexdigest()

    @cached_property
    def factory(self) -> Callable[..., Any]:
        """What makes it: itself, or a function without parameters that returns the instance."""
        value = self.value
        if is_factory(value):
            made: Callable[..., Any] = value
            return made

        def give() -> Any:
            return value

        return give

    @property
    def is_given(self) -> bool:
        """Whether it is an instance: whoever made it closes it."""
        return not is_factory(self.value)


def is_factory(value: object) -> bool:
    """Whether an object is a class or a function; an instance is none, even if it can be called."""
    return isinstance(value, type) or hasattr(value, "__code__")


_BROUGHT: ContextVar[tuple[BroughtObject, ...]] = ContextVar("brought", default=())


@contextmanager
def bringing(objects: Sequence[BroughtObject]) -> Generator[None, None, None]:
    """Let the catalogue find these objects by their names, before all others, inside."""
    token = _BROUGHT.set((*objects, *_BROUGHT.get()))
    try:
        yield
    finally:
        _BROUGHT.reset(token)


def find_brought(kind: Kind, name: str) -> BroughtObject | None:
    """The object of that name; None if none was brought."""
    return next((each for each in _BROUGHT.get() if (each.kind, each.name) == (kind, name)), None)


def brought_names(kind: Kind) -> tuple[str, ...]:
    """The names of all that were brought."""
    return tuple(each.name for each in _BROUGHT.get() if each.kind == kind)
