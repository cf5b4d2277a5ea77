"""Arms of a study that are given what an earlier arm of it learns: their configuration is known before that begins."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from quintet.config.resolve import as_tables, resolve
from quintet.config.sections import MemorySection, RunConfig
from quintet.config.settings import from_table
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared
from quintet.learned.kinds import CONTENT_KINDS
from quintet.learned.memories import recalled_as
from quintet.messages.parts import Control
from quintet.plugins.brought import BroughtObject, bringing
from quintet.runs.folder import shell_command
from quintet.runs.run_folder import RunFolder


class Given(NamedTuple):
    """What an arm is given."""

    learner: str
    """The earlier arm whose run learns it."""
    control: Control = "none"
    """What is shown in its place; see `memory.control`."""


def given_config(arm: str, prepared: Prepared, learner: Prepared, run: Path, control: Control = "none") -> RunConfig:
    """The configuration of an arm that is given what a run learns.

    It recalls as that run does, and names no version: it begins after that has chosen one.

    Args:
        arm: its name.
        prepared: the arm, without what it is given.
        learner: the run that learns.
        run: the folder in which that will be.
        control: what is shown in place of what is recalled.

    Raises:
        UsageError: that run learns nothing, the arm's method cannot be shown it, or there is no such control of it.
    """
    if not learner.record.learns:
        raise UsageError(f"arm {arm}: given: expected an arm that learns (run.learn), got one that does not")
    kind, config = CONTENT_KINDS[learner.record.learnt], prepared.config
    if kind.name == "plan":
        if control != "none":
            raise UsageError(f"arm {arm}: controls: expected none of a plan, got {control!r}")
        found = config.model_copy(update={"method": config.method.model_copy(update={"plan": run / kind.file})})
    else:
        shown = recalled_as(learner.config.memory)
        found = config.model_copy(
            update={"memory": MemorySection.model_validate({**shown, "source": str(run), "control": control})}
        )
    try:
        resolve([from_table(as_tables(found), f"what arm {run.name} learns")])
    except UsageError as error:
        raise UsageError(f"arm {arm}: {error}") from error
    return found


def given_configs(
    given: Mapping[str, Given], arms: Mapping[str, Prepared], folder: Path, objects: Sequence[BroughtObject]
) -> dict[str, RunConfig]:
    """Those of all such arms that are prepared, in a folder of arms; raises as `given_config`."""
    with bringing(objects):
        return {
            name: given_config(name, arms[name], arms[learner], folder / learner, control)
            for name, (learner, control) in given.items()
            if name in arms and learner in arms
        }


def refuse_unlearnt(arm: str, learner: Path) -> None:
    """Refuse to begin an arm whose learner ended without a choice of what it learnt; a `UsageError`."""
    journal = RunFolder.open_to_read(learner).read_journal()
    assert journal is not None, "it ended"
    with closing(journal):
        if journal.chosen_version() is None:
            why = f"expected what arm {learner.name} learnt, got none: its learner faulted"
            raise UsageError(f"arm {arm}: {why}; {shell_command('show', learner, '~learn')} says why")
