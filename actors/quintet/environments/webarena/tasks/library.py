"""The tasks of a world by name, their splits and what reports group them by."""

from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, get_args

import msgspec

from quintet.environments.webarena.addresses import SiteName
from quintet.environments.webarena.tasks.read import read_tasks
from quintet.environments.webarena.tasks.schema import TaskKind, WebTask
from quintet.environments.webarena.tasks.walks import Walk, read_walks
from quintet.errors import UsageError
from quintet.ports.task_names import unknown_task

_OWN = Path(__file__).parent / "own.json"
_WALKS = Path(__file__).parent / "own.walks.json"
_WORLD = "webarena"


class TaskLibrary:
    """Tasks in the official schema.

    Args:
        walks: how tasks are solved, by name.
        further: splits besides those of all tasks.
    """

    def __init__(
        self,
        tasks: Sequence[WebTask],
        walks: Mapping[str, Walk] | None = None,
        *,
        further: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.tasks: Final = {task.name: task for task in tasks}
        self.walks: Final = walks or {}
        """How our own tasks are solved, by name; a user's have none."""
        self.splits: Final = {**_splits(tasks), **(further or {})}
        """Names of tasks by split: `test`, all of them; by the one site, or `several`; by kind; and `templates`, the
        first of each template; and further ones. A split without tasks is left out."""
        texts = msgspec.json.encode((list(tasks), self.walks), order="sorted")
        self.digest: Final = blake2b(texts, digest_size=4).hexdigest()

    def find(self, name: str) -> WebTask:
        """The task of a name."""
        found = self.tasks.get(name)
        if found is None:
            raise unknown_task(name, self.tasks, _WORLD)
        return found

    def metadata(self, name: str) -> Mapping[str, str]:
        """What reports group a task by: its sites, its kind, and when it needs a judge."""
        task = self.find(name)
        return {"task type": "+".join(sorted(task.sites)), "kind": task.kind, "judge": task.judge}

    def refusal(self, name: str, *, judged: bool, sites: Collection[SiteName]) -> str:
        """Why a task cannot be played with the sites there are; empty: it can."""
        task = self.find(name)
        if missing := sorted(site for site in task.sites if site not in sites):
            return f"needs the site {' and the site '.join(missing)}"
        return "needs a judge" if task.judge != "never" and not judged else ""


def open_library(tasks: Path | None) -> TaskLibrary:
    """The library of a user's file, or of our own tasks with their walks.

    Args:
        tasks: a file in the official schema; None: our own.

    Raises:
        UsageError: a file cannot be read, or a task or a walk in it.
    """
    if tasks is not None:
        return TaskLibrary(read_tasks(tasks))
    walks, library = read_walks(_WALKS), read_tasks(_OWN)
    if unknown := sorted(walks.keys() - {task.name for task in library}):
        raise UsageError(f"walk of {unknown[0]}: expected a task of that id, got none ({_OWN})")
    return TaskLibrary(library, walks)


def _splits(tasks: Sequence[WebTask]) -> Mapping[str, tuple[str, ...]]:
    first = {task.intent_template_id: task for task in reversed(tasks)}
    splits: dict[str, list[WebTask]] = {
        "test": [*tasks],
        **{site: [task for task in tasks if task.sites == (site,)] for site in get_args(SiteName)},
        "several": [task for task in tasks if len(task.sites) > 1],
        **{kind: [task for task in tasks if task.kind == kind] for kind in get_args(TaskKind)},
        "templates": [task for task in tasks if first[task.intent_template_id] is task],
    }
    return {name: tuple(task.name for task in found) for name, found in splits.items() if found}
