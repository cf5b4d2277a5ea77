"""What all adapters of a world share: its definition, which is answered without waiting."""

from collections.abc import Mapping

from quintet.ports.world import Forks, WorldDefinition


class WorldAdapter:
    """Passes on what a world says of itself.

    Args:
        world: of any kind.
    """

    def __init__(self, world: WorldDefinition) -> None:
        self._world = world

    @property
    def adapted(self) -> WorldDefinition:
        """The world that it passes on."""
        return self._world

    @property
    def name(self) -> str:
        return self._world.name

    @property
    def version(self) -> str:
        return self._world.version

    @property
    def forks(self) -> Forks:
        return self._world.forks

    @property
    def exact(self) -> bool:
        return self._world.exact

    @property
    def splits(self) -> tuple[str, ...]:
        return self._world.splits

    def tasks(self, split: str) -> tuple[str, ...]:
        return self._world.tasks(split)

    def metadata(self, task: str) -> Mapping[str, str]:
        return self._world.metadata(task)
