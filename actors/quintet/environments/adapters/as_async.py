"""Makes an `AsyncWorld`, which is what the environment role calls, of any world."""

from quintet.environments.adapters.inline import InlineWorld
from quintet.environments.adapters.processes import ProcessWorld
from quintet.environments.adapters.sync import SyncWorld
from quintet.environments.adapters.threads import ThreadedWorld
from quintet.errors import UsageError
from quintet.ports.world import AsyncWorld, Blocking, World


def as_async(world: World, *, workers: int) -> AsyncWorld:
    """The world as a host calls it.

    Args:
        world: of any kind.
        workers: the most calls at a time, if it blocks.

    Raises:
        UsageError: it declares another way of blocking than there are, or cannot be pickled for its processes.
    """
    if isinstance(world, SyncWorld):
        return world.wrapped
    blocking = world.blocking if isinstance(world, Blocking) else None
    match blocking:
        case None:
            return InlineWorld(world)
        case "thread":
            return ThreadedWorld(world, workers)
        case "process":
            return ProcessWorld(world, workers)
    raise UsageError(f"environment {world.name}: blocking: expected thread, process or None, got {blocking!r}")
