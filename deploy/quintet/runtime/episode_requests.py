"""Builds the request that starts an episode: its task, plus what was learnt or given."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

import msgspec
from msgspec.structs import replace

from quintet.errors import UsageError
from quintet.messages.learning import Learn, LearntKind
from quintet.messages.parts import Notebook, PromptPart, Recollection, TaskPlan
from quintet.messages.paths import episode_path
from quintet.messages.solving import Solve
from quintet.messages.store import Sealed
from quintet.runtime.incarnation import Beginning, Planned
from quintet.runtime.spec import RunSpec


@dataclass(frozen=True)
class EpisodeRequests:
    """Builds the requests that start the episodes of a run."""

    spec: RunSpec
    _: KW_ONLY
    given: tuple[PromptPart, ...] = ()
    """Prompt parts of every episode of a run that does not learn."""
    learn: Learn | None = None
    """The learner's request; None in a run that does not learn."""
    beginning: Callable[[str, int], Beginning | None] = lambda _task, _epoch: None
    """What the episode of a task and an epoch goes on from; None: it begins by itself."""
    version: Callable[[int], str | None] = lambda _: None
    """The content that the learner published as a version; None if it has not."""

    def __call__(self, task: str, epoch: int) -> Solve:
        """The request for a task in an epoch, or in a version if the run learns; a `UsageError` if it is none."""
        learner = self.spec.learner
        if learner is None:
            beginning = self.beginning(task, epoch)
            if beginning is None:
                return Solve(task=self.spec.task(task, epoch), parts=self.given)
            return Solve(
                task=self.spec.task(task, beginning.world),
                parts=self.given,
                sampling=beginning.sampling,
                purpose=beginning.purpose,
            )
        content = self.version(epoch)
        if content is None:
            raise UsageError(f"{task}: expected a version that was published, got {epoch}")
        trains = self.learn is not None and task in self.learn.training
        return Solve(
            task=self.spec.task(task, 0),
            parts=learnt_parts(learner.learns, epoch, content, self.spec.recollection),
            sampling=learner.exploration() if trains and not learner.stream else None,
            purpose=learner.purpose(epoch) if trains else "",
        )

    def planned(self, task: str, epoch: int, attempt: int, *, after_reset: bool = False) -> Planned:
        """An attempt to run. One that goes on from a recorded episode plays that again, in a world that was reset."""
        beginning = self.beginning(task, epoch)
        return Planned(
            episode_path(task, epoch, attempt),
            self(task, epoch),
            after_reset=after_reset or beginning is not None,
            beginning=beginning,
        )


def learnt_parts(
    kind: LearntKind, version: int, content: str, recollection: Recollection | Notebook | None
) -> tuple[PromptPart, ...]:
    """The prompt parts that an episode gets from a version of what is learnt; `recollection`: None without a store."""
    if kind == "plan":
        return (TaskPlan(text=content),) if content.strip() else ()
    assert recollection is not None
    sealed = msgspec.json.decode(content, type=Sealed)
    if isinstance(recollection, Notebook):
        return (replace(recollection, version=version, notes=sealed.notes),)
    return (replace(recollection, version=version, batches=sealed.batches),)
