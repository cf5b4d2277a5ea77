"""Copies of what a run learns, for people: kept up to date while it runs, whole when it is left."""

from collections.abc import Callable

from deploy.folders.plans import LookedBack, PlanFiles
from deploy.folders.run import RunFolder
from deploy.reports.episodes import results
from deploy.reports.learning import Iteration
from protocols.events import Published


class PlanCopies:
    """Writes a run folder's plans and reflections.

    Args:
        folder: of a run that learns.
        tell: told what a person should know.
    """

    def __init__(self, folder: RunFolder, tell: Callable[[str], None]) -> None:
        self._folder = folder
        self._files = PlanFiles(folder.path, tell)

    def add(self, published: Published) -> None:
        """A version was published. Cheap enough for the loop of the episodes."""
        self._files.write({published.version: published.content})

    def complete(self) -> None:
        """Write all that the journal has, the chosen plan and the reflections too."""
        learnt = results(self._folder).learnt
        assert learnt is not None
        self._files.write({version.number: version.text for version in learnt.versions}, learnt.chosen)
        for iteration in learnt.iterations:
            if iteration.reflections:
                self._files.write_reflections(iteration.number, _looked_back(iteration))


def _looked_back(iteration: Iteration) -> list[LookedBack]:
    succeeded = {row.task: row.success for row in iteration.batch}
    return [
        LookedBack(each.task, succeeded[each.task], each.summary, each.flaws, each.revision, each.failed)
        for each in iteration.reflections
    ]
