"""A scenario of the soak: what it draws from its seed, and what it found."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct


class Verdict(Struct, frozen=True, kw_only=True):
    """What one scenario found."""

    kind: str
    """Of the scenario, as `Kind.name`."""
    seed: int
    drawn: Mapping[str, str]
    """What the seed chose, by aspect: `method`, `world`, `placement`, `fault` and others; the report counts these."""
    deaths: int = 0
    """Processes, hosts, raylets, browsers or endpoints that died."""
    calls: int = 0
    """Completions that were committed."""
    repeated: int = 0
    """Committed calls that were asked again."""
    broken: tuple[str, ...] = ()
    """Promises that did not hold, a sentence each; empty: all held."""


class Kind(NamedTuple):
    """A kind of scenario."""

    name: str
    check: Callable[[int], Verdict]
    """Runs the scenario of a seed and checks it. Blocks. Raises only for a fault of the soak itself."""
    weight: int
    """Scenarios of this kind among all kinds' weights."""
    missing: Callable[[], str] = str
    """Why it cannot run here, such as a missing browser; empty: it can."""
