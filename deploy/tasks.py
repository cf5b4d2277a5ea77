"""Which tasks a run has: the split's, the first so many of it, or those that were named."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from deploy.config.sections import RunSection
from protocols.errors import UsageError
from protocols.worlds import World


class TaskEntry(BaseModel):
    """A task as a run's record keeps it, so that a report needs no world."""

    model_config = ConfigDict(frozen=True)

    name: str
    facts: Mapping[str, str]
    """What reports group it by."""


def choose(run: RunSection, world: World) -> tuple[TaskEntry, ...]:
    """The tasks of a run, in order.

    Raises:
        UsageError: no such split or task, one named twice, or more wanted than the split has.
    """
    split = world.tasks(run.split or world.splits[0])
    match run.tasks:
        case None:
            names = split
        case int(count):
            names = split[:count]
            if count > len(split):
                raise UsageError(
                    f"run.tasks: expected at most {len(names)}, the size of split {run.split!r}, got {count}"
                )
            names = names[:count]
        case names:
            twice = next((name for position, name in enumerate(names) if name in names[:position]), None)
            if twice is not None:
                raise UsageError(f"run.tasks: expected each name once, got {twice!r} twice")
    return tuple(TaskEntry(name=name, facts=dict(world.facts(name))) for name in names)
