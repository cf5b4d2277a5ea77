"""What only some worlds declare, found beneath whatever adapts them to another kind of world."""

from quintet.environments.adapters.adapter import WorldAdapter
from quintet.errors import UsageError
from quintet.ports.world import (
    CountsRejections,
    GetsReady,
    GoesBack,
    HasPlaces,
    JudgedWorld,
    RefusesTasks,
    Unrepeatable,
    WorldDefinition,
)


def declared_by(world: WorldDefinition) -> object:
    """The world itself, beneath its adapters: look there for members that only some worlds have."""
    while isinstance(world, WorldAdapter):
        world = world.adapted
    return world


def as_judged(world: WorldDefinition) -> JudgedWorld | None:
    """The world as one that has answers for a judge; None: it has none."""
    found = declared_by(world)
    return found if isinstance(found, JudgedWorld) else None


def as_refusing(world: WorldDefinition) -> RefusesTasks | None:
    """The world as one that refuses some of its tasks; None: it refuses none."""
    found = declared_by(world)
    return found if isinstance(found, RefusesTasks) else None


def as_getting_ready(world: WorldDefinition) -> GetsReady | None:
    """The world as one that needs something on its hosts; None: it needs nothing."""
    found = declared_by(world)
    return found if isinstance(found, GetsReady) else None


def as_unrepeatable(world: WorldDefinition) -> Unrepeatable | None:
    """The world as one that may answer the same actions otherwise, as it is configured; None: it answers alike."""
    found = declared_by(world)
    return found if isinstance(found, Unrepeatable) and not found.repeats else None


def goes_back(world: WorldDefinition) -> bool:
    """Whether snapshots of its states can be taken and opened: where it copies them, and where it `GoesBack`."""
    found = declared_by(world)
    return world.forks != "none" or (isinstance(found, GoesBack) and found.goes_back)


def counts_rejections(world: WorldDefinition) -> bool:
    """Whether a rejected action may leave a trace in it."""
    found = declared_by(world)
    return isinstance(found, CountsRejections) and found.counts_rejections


def places_of(world: WorldDefinition) -> int | None:
    """How many sessions of it a host holds at a time; None: any number.

    Raises:
        UsageError: it says less than one.
    """
    found = declared_by(world)
    if not isinstance(found, HasPlaces):
        return None
    if found.places < 1:
        raise UsageError(f"environment {world.name}: places: expected at least 1, got {found.places}")
    return found.places
