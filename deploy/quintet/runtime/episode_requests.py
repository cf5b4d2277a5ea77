"""What an episode is asked: its task, and what it is given of what outlives episodes."""

from collections.abc import Callable, Collection

from quintet.errors import UsageError
from quintet.messages.learning import Learn
from quintet.messages.parts import TaskPlan
from quintet.messages.solving import Solve
from quintet.runtime.spec import RunSpec


class EpisodeRequests:
    """Poses the episodes of a run.

    Args:
        assembly: of the run.
        plan: shown to every episode of a run in which nothing is learnt; empty: none.
        learn: what the learner is asked; None where nothing is learnt.
        version: what the learner published as a version; None where it has not.
    """

    def __init__(
        self,
        spec: RunSpec,
        *,
        plan: str = "",
        learn: Learn | None = None,
        version: Callable[[int], str | None] = lambda _: None,
    ) -> None:
        self._assembly = spec
        self._plan = plan
        self._explored: Collection[str] = frozenset(() if learn is None else learn.training)
        self._version = version

    def __call__(self, task: str, epoch: int) -> Solve:
        """What an episode of a task is asked in an epoch, which of a run that learns is the version it reads.

        Raises:
            UsageError: no such version was published.
        """
        learner = self._assembly.learner
        if learner is None:
            given = (TaskPlan(text=self._plan),) if self._plan else ()
            return Solve(task=self._assembly.task(task, epoch), parts=given)
        content = self._version(epoch)
        if content is None:
            raise UsageError(f"{task}: expected a version that was published, got {epoch}")
        return Solve(
            task=self._assembly.task(task, 0),
            parts=learner.parts(content),
            sampling=learner.exploration() if task in self._explored else None,
        )
