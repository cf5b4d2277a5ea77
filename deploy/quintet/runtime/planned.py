"""What a driver is given to run."""

from dataclasses import dataclass

from quintet.messages.learning import Learn
from quintet.messages.paths import LEARNER, Path
from quintet.messages.solving import Solve


@dataclass(frozen=True)
class Planned:
    """An episode to run, or the run's learner: new, or begun before and taken up from the journal."""

    path: Path
    request: Solve | Learn

    @property
    def has_slot(self) -> bool:
        """Whether it takes an episode's place on a host. A learner waits for episodes, so it must not keep one."""
        return self.path != LEARNER
