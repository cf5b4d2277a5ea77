"""The face by which the environment role calls a world: that of a slow one, whatever it is."""

from quintet.environments.calls.at_once import AtOnce
from quintet.environments.calls.plain import PlainFace
from quintet.environments.calls.processes import InProcesses
from quintet.environments.calls.threads import InThreads
from quintet.errors import UsageError
from quintet.ports.world import Blocking, SlowWorld, World


def calls_to(world: World, *, workers: int) -> SlowWorld:
    """The world as a host calls it.

    Args:
        world: of any kind.
        workers: the most calls at a time, if it blocks.

    Raises:
        UsageError: it declares another way of blocking than there are, or cannot be pickled for its processes.
    """
    if isinstance(world, PlainFace):
        return world.slow
    blocking = world.blocking if isinstance(world, Blocking) else None
    match blocking:
        case None:
            return AtOnce(world)
        case "thread":
            return InThreads(world, workers)
        case "process":
            return InProcesses(world, workers)
    raise UsageError(f"environment {world.name}: blocking: expected thread, process or None, got {blocking!r}")
