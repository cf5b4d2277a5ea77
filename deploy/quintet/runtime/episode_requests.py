"""Builds the request that starts an episode: its task, plus the learnt plan if there is one."""

from collections.abc import Callable, Collection

from quintet.errors import UsageError
from quintet.messages.learning import Learn
from quintet.messages.parts import TaskPlan
from quintet.messages.solving import Solve
from quintet.runtime.spec import RunSpec


class EpisodeRequests:
    """Builds the requests that start the episodes of a run.

    Args:
        spec: of the run.
        plan: shown to every episode of a run that does not learn; empty: none.
        learn: the learner's request; None in a run that does not learn.
        version: the content that the learner published as a version; None if it has not.
    """

    def __init__(
        self,
        spec: RunSpec,
        *,
        plan: str = "",
        learn: Learn | None = None,
        version: Callable[[int], str | None] = lambda _: None,
    ) -> None:
        self._spec = spec
        self._plan = plan
        self._explored: Collection[str] = frozenset(() if learn is None else learn.training)
        self._version = version

    def __call__(self, task: str, epoch: int) -> Solve:
        """The request for a task in an epoch; in a run that learns, the epoch is the version that the episode reads.

        Raises:
            UsageError: no such version was published.
        """
        learner = self._spec.learner
        if learner is None:
            given = (TaskPlan(text=self._plan),) if self._plan else ()
            return Solve(task=self._spec.task(task, epoch), parts=given)
        content = self._version(epoch)
        if content is None:
            raise UsageError(f"{task}: expected a version that was published, got {epoch}")
        return Solve(
            task=self._spec.task(task, 0),
            parts=learner.parts(content),
            sampling=learner.exploration() if task in self._explored else None,
        )
