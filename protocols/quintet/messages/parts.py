"""Prompt parts: what a request adds to the executor's prompt, in order. They know nothing of each other."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.notes import Note

BatchNumber: TypeAlias = Annotated[int, Meta(ge=1)]
"""The number of a batch memory."""

Retrieval: TypeAlias = Literal["type", "best", "lexical", "embedding", "all"]
"""Of tuples, `type`: the newest of a goal type and an observation type, as LDM2 finds them. `best`: of the greatest
reward within that type. `lexical`: the nearest by words (BM25) within it. `embedding`: the nearest to goal and
observation in the batch memory; no model is asked for types.

Of notes, `all`: the newest. `type`: the newest for the task's type or for all types. `best`: those with the most votes,
helpful ones less harmful ones. `lexical`, `embedding`: the nearest to the goal."""

BY_GOAL: Final[tuple[Retrieval, ...]] = ("lexical", "embedding")
"""Those by which the notes depend on the goal, of a task or of a subtask."""
BY_TASK: Final[tuple[Retrieval, ...]] = ("type", *BY_GOAL)
"""Those by which they differ from task to task."""

Control: TypeAlias = Literal["none", "shuffled", "random"]
"""What is shown in place of what is recalled. `shuffled`: as much of what would be recalled elsewhere: tuples of other
goals, notes for another task. `random`: texts as long, of words that say nothing."""


class Demonstrations(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="demonstrations"):
    """Worked examples, shown before the task."""

    text: str


class Inventory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="inventory"):
    """The agent's inventory at the start of a subtask, in the world's own words.

    Source: ADaPT, appendix A (controller, TextCraft).
    """

    text: str


class LastAction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="last_action"):
    """The last action before a subtask begins.

    Source: ADaPT, appendix A (controller, ALFWorld); the observation is from its released code.
    """

    action: str
    """As the executor wrote it."""
    observation: str = ""
    """The world's answer."""


class OpenPage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="open_page"):
    """The page that is open when a subtask begins.

    Source: ADaPT, appendix A (controller, WebShop).
    """

    text: str
    """As the world showed it."""
    product: str = ""
    """The id of the product that was opened last; empty: none was."""


LONGEST_PLAN = 64 * 1024
"""The most bytes of a plan for all tasks of a kind."""


class TaskPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="task_plan"):
    """A plan for all tasks of a kind, shown before the task.

    Source: AutoPlan, section 3.2 (the custom prompt).
    """

    text: str
    """Never empty; at most `LONGEST_PLAN`."""


class Reflections(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="reflections"):
    """What was learnt from failed attempts at this task, shown before the task.

    Source: Reflexion (Shinn et al., 2023), section 3 (long-term memory).
    """

    texts: tuple[str, ...]
    """Oldest first."""


class Recollection(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="recollection"):
    """A memory to recall from before every turn. What is recalled is shown in that turn alone.

    It is the only part for which the executor asks another role.

    Source: LDM2, section 3.1, equations 2 and 3.
    """

    version: Annotated[int, Meta(ge=0)]
    """Of the memory."""
    batches: Annotated[int, Meta(ge=0)]
    """How many batch memories the version has. 0: it is empty, and nothing is recalled."""
    batch: BatchNumber = 1
    """The batch memory to recall from."""
    retrieval: Retrieval = "type"
    budget: Annotated[int, Meta(ge=0)] = 8_192
    """The most bytes to recall; see `Recall`."""
    control: Control = "none"
    seed: int = 0
    """Of the control."""
    agreement: Annotated[float, Meta(gt=0, le=1)] | None = None
    """The share of the recalled tuples whose equal action is taken without asking the model. None: it is always asked.
    Only `Decide` reads it."""
    goal: str = ""
    """The goal whose type `goal_type` is."""
    goal_type: Annotated[int, Meta(ge=1)] | None = None
    """None: not known; the memory asks its model."""


class SectionRecall(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which notes of a section are recalled."""

    section: str = ""
    """Of the notebook; empty: all of it."""
    retrieval: Retrieval = "all"
    most: Annotated[int, Meta(ge=1)] | None = None
    """The most notes to recall; None: as many as the budget allows."""


class Notebook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="notebook"):
    """A notebook to recall from where a task or a subtask begins. What is recalled is shown before the task."""

    version: Annotated[int, Meta(ge=0)]
    notes: Annotated[int, Meta(ge=0)]
    """How many active notes the version has. 0: nothing is recalled."""
    sections: Annotated[tuple[SectionRecall, ...], Meta(min_length=1)] = (SectionRecall(),)
    """In the order in which they are recalled and shown."""
    budget: Annotated[int, Meta(ge=0)] = 8_192
    """The most bytes to recall; see `RecallNotes`. Each section has what those before it left."""
    control: Control = "none"
    seed: int = 0
    """Of the control."""
    goal: str = ""
    """That `recalled` was recalled for; empty: nothing was recalled yet."""
    recalled: tuple[Note, ...] = ()
    """In the order in which they are shown."""


class Situation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="situation"):
    """A state in short, in place of the turns that led to it. Only `Decide` reads it.

    Source: LDM2, tables 5 and 6.
    """

    observation: str
    """What is seen now."""
    evaluation: str = ""
    """Which subgoals are complete."""
    summary: str = ""
    """Of what was done before."""


class TaskSteps(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="task_steps"):
    """A plan for this task alone, and the step of it that is pursued or judged now.

    Source: Devil's Advocate, equations 2 and 3.
    """

    steps: Annotated[tuple[str, ...], Meta(min_length=1)]
    """In order."""
    current: Annotated[int, Meta(ge=1)] | None = None
    """The number of that step, from 1; None: the plan as a whole is shown."""


class History(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="history"):
    """What was done at this task so far, in words: one sentence an action.

    Source: Devil's Advocate, equation 4.
    """

    texts: tuple[str, ...]
    """Oldest first."""


class NotesTaken(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="notes"):
    """What the agent noted down at this task.

    Source: Devil's Advocate, section 4.1 (`note_down`).
    """

    texts: tuple[str, ...]
    """Oldest first."""


class FreeText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="note"):
    """Any text, shown as it is beside the task. For what no other part says."""

    text: str


PromptPart: TypeAlias = (
    Demonstrations
    | TaskPlan
    | Reflections
    | Inventory
    | LastAction
    | OpenPage
    | Recollection
    | Notebook
    | Situation
    | TaskSteps
    | History
    | NotesTaken
    | FreeText
)
