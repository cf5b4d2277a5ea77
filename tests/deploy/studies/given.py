"""What arms of a comparison can be given: a memory of kitchens, a notebook, and runs that learnt a plan or nothing."""

from contextlib import closing
from pathlib import Path

from quintet.memory.store import Store
from quintet.messages.notes import Note
from quintet.messages.store import ChangeNotes
from tests.deploy import learning_runs, samples
from tests.deploy.learning_runs import LOST, Step
from tests.deploy.memory.notebooks import added
from tests.deploy.samples import Went

PLAN = "Fetch a log first."


def a_notebook(file: Path, world: str = "textcraft") -> Path:
    """A notebook with two notes in version 0, and another in version 1."""
    with closing(Store(file, world=world, kind="notebook")) as store:
        notes = [Note(text="Get what the recipe needs first.", about="craft beehive"), Note(text="Look around.")]
        store.change(ChangeNotes(version=0, place=0, changes=added(*notes)))
        store.seal(0)
        store.change(ChangeNotes(version=1, place=0, changes=added(Note(text="Count what you have."))))
        store.seal(1)
    return file


def a_run_with_a_plan(path: Path, *, chosen: int | None = 1) -> Path:
    """A run of AutoPlan with the versions 0 to 2 of a plan, of which it chose one; its files are there."""
    record = learning_runs.record(("stick", "torch", "cake", "ladder"), ("chest",))
    record = record.model_copy(update={"tasks": tuple(each for each in record.tasks if each.name == "beehive")})
    steps = [Step({"stick": Went(calls=2), "torch": LOST}, PLAN), Step({"cake": Went(calls=5)}, "Wait.")]
    measured = {0: {"chest": Went(calls=7)}, 1: {"chest": LOST, "beehive": Went()}, 2: {"chest": Went(calls=11)}}
    learning_runs.write(path, record, steps, measured, chosen=chosen)
    for number, text in enumerate(("", PLAN, "Wait.")):
        file = path / "plans" / f"{number}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return path


def a_run_without(path: Path) -> Path:
    """A run that learnt nothing, and was given nothing."""
    return samples.write(path, samples.record(), {"beehive": Went()})
