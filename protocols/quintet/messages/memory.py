"""Messages of the memory role, which forms memories of tuples, and recalls from them and from notebooks.

A memory consists of batch memories. Each has goal types, and each goal type has observation types; both are numbered
from 1. A version is all tuples that came in with it or before.
"""

from typing import Annotated, Any, ClassVar, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.learning import MemoryKind, Version
from quintet.messages.message import Message, Request
from quintet.messages.notes import NoteChange, NoteId, StoredNote
from quintet.messages.parts import BatchNumber, Control, Retrieval

TypeNumber: TypeAlias = Annotated[int, Meta(ge=1)]
"""The number of a type: of goals in its batch memory, of observations in its goal type."""


class ObservedAction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was seen, and what was done then."""

    observation: str
    action: str


class Trajectory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A decision process from the start of a task.

    Source: LDM2, section 3.1, equation 4.
    """

    goal: str
    steps: tuple[ObservedAction, ...]
    """In order. The first observation is the setting of the task."""
    reward: float = 0.0
    """At its end, in [0, 1]."""
    source: str = ""
    """Where it comes from: the path of an episode, with its run if that is another; or a file and its line."""
    task: str = ""
    """The name of its task; empty: unknown, or said by the source."""
    task_type: str = ""
    """As the world names it; empty: as there, or its tasks have no types."""


class MemoryTuple(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A state-action tuple.

    Source: LDM2, section 3.1, equation 1; the history is its evaluation and its summary (table 6).
    """

    goal: str
    evaluation: str
    """Which subgoals were complete; may be empty."""
    summary: str
    """Of what was done before; may be empty."""
    observation: str
    action: str
    reward: float = 0.0
    """Of its process, in [0, 1]."""
    source: str = ""
    """Of its process; see `Trajectory.source`."""
    goal_type: TypeNumber
    observation_type: TypeNumber


class StoredTuple(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tuple of a memory."""

    id: int
    """The same in every run that stores the same: it follows from version, place and number, and so orders tuples by
    their entry."""
    tuple: MemoryTuple


class Summarized(Message, frozen=True, kw_only=True, tag="summarized"):
    """The history in short. A part that the model did not write is empty."""

    evaluation: str
    summary: str


class Summarize(Request[Summarized], frozen=True, kw_only=True, tag="summarize"):
    """Ask which subgoals are complete, and for a summary of the past. Its calls are journaled, itself it is not.

    Without a past the summary is fixed words, and only the evaluation is asked for (ours).

    Source: LDM2, section 3.2, equation 6.
    """

    goal: str
    steps: tuple[ObservedAction, ...] = ()
    """The past, in order."""
    observation: str = ""
    """What is seen now: the answer to the last step; without steps, the setting."""
    phase: str = "summaries"


class Formed(Message, frozen=True, kw_only=True, tag="formed"):
    """A batch memory was formed and stored."""

    tuples: int
    goal_types: int
    observation_types: int
    """Of all goal types."""
    asked_again: int = 0
    """Cluster answers that left items out or could not be read, and were asked for once more."""
    unassigned: int = 0
    """Items that the model forgot twice; each is in the smallest type."""
    invented: int = 0
    """Numbers in cluster answers that are no items; they were dropped."""


class Form(Request[Formed], frozen=True, kw_only=True, tag="form"):
    """Form a batch memory: summaries, goal types, observation types of each goal type, and store its tuples.

    Source: LDM2, section 3.2, equations 6 to 8.
    """

    journaled: ClassVar[bool] = True
    changes_memory: ClassVar[bool] = True

    version: Version
    """The version that it comes in with."""
    batch: BatchNumber
    place: Annotated[int, Meta(ge=0)]
    """Of its first trajectory in the version; each further one has the next place."""
    trajectories: tuple[Trajectory, ...]
    phase: str = "formation"

    def subject(self) -> str:
        return f"batch {self.batch}"


class Remembered(Message, frozen=True, kw_only=True, tag="remembered"):
    """A sub-trajectory was stored."""

    tuples: int
    unreadable: int = 0
    """Index answers that could not be read twice; their tuples are in the smallest type."""


class Remember(Request[Remembered], frozen=True, kw_only=True, tag="remember"):
    """Store the tuples of a process from a step on, each in the types that the model finds for it.

    Source: LDM2, section 3.3, equation 10.
    """

    journaled: ClassVar[bool] = True
    changes_memory: ClassVar[bool] = True

    version: Version
    """The version that they come in with. The types are those of the version before."""
    batch: BatchNumber
    place: Annotated[int, Meta(ge=0)]
    """In the version: a process has a place of its own."""
    trajectory: Trajectory
    """Whole, for the summaries."""
    first: Annotated[int, Meta(ge=1)]
    """The step from which on it is stored, from 1."""
    phase: str = "enhancement"

    def subject(self) -> str:
        return f"batch {self.batch}"


class Classified(Message, frozen=True, kw_only=True, tag="classified"):
    """The type of a goal."""

    goal_type: TypeNumber | None
    """None: the batch memory is empty, or the model's answer could not be read twice."""


class Classify(Request[Classified], frozen=True, kw_only=True, tag="classify"):
    """Ask for the type of a goal. A goal that the memory has itself has its type, and nobody is asked."""

    version: Version
    batch: BatchNumber
    goal: str
    phase: str = "index"


class TuplesRecalled(Message, frozen=True, kw_only=True, tag="tuples_recalled"):
    """What the memory has about a state."""

    tuples: tuple[StoredTuple, ...]
    """By type in the order of their entry; otherwise the best first."""
    goal_type: TypeNumber | None = None
    """None: the goal has no type, or the tuples were found by embedding."""
    observation_type: TypeNumber | None = None
    """None: see `goal_type`."""
    failed: str = ""
    """Why the model named no type; then there are no tuples. Empty: nothing failed."""


class Recall(Request[TuplesRecalled], frozen=True, kw_only=True, tag="recall"):
    """Recall tuples about a state, as they were in a version. What is recalled is an event, so a replay gets the same.

    Source: LDM2, section 3.1, equation 3. Differs: a budget of bytes; the newest tuples that fit are taken,
    or those that `retrieval` puts first.
    """

    version: Version
    batch: BatchNumber
    goal: str
    observation: str
    goal_type: TypeNumber | None = None
    """If it is known already; None: the model is asked."""
    observation_type: TypeNumber | None = None
    """If it is known already, which needs `goal_type` too."""
    retrieval: Retrieval = "type"
    budget: Annotated[int, Meta(ge=0)] = 8_192
    """The most bytes of the tuples' observations, evaluations, summaries and actions."""
    control: Control = "none"
    seed: int = 0
    """Of the control."""
    phase: str = "index"


class NotesChanged(Message, frozen=True, kw_only=True, tag="notes_changed"):
    """The changes are stored, now or already."""

    ids: tuple[NoteId, ...]
    """Of the note that each change is about, in order: a learner's way to the ids of those that it added."""


class NotesRecalled(Message, frozen=True, kw_only=True, tag="notes_recalled"):
    """What a notebook has for a task."""

    notes: tuple[StoredNote, ...]
    """`all` and `type` in the order of their entry; otherwise the best first."""
    scores: tuple[float, ...] = ()
    """See `NotesFound`."""
    left_out: int = 0
    """How many more there were, for which the budget had no room."""


class RecallNotes(Request[NotesRecalled], frozen=True, kw_only=True, tag="recall_notes"):
    """Recall notes for a task, as they were in a version. What is recalled is an event, so a replay gets the same."""

    version: Version
    goal: str
    task_type: str = ""
    """Of the task; empty: it has none."""
    retrieval: Retrieval = "all"
    section: str = ""
    """Only notes of this section; empty: of all."""
    budget: Annotated[int, Meta(ge=0)] | None = 8_192
    """The most bytes of the notes' titles, descriptions and texts; None: any."""
    most: Annotated[int, Meta(ge=1)] | None = None
    """The most notes; None: as many as the budget allows."""
    control: Control = "none"
    seed: int = 0
    """Of the control."""


class RememberNotes(Request[NotesChanged], frozen=True, kw_only=True, tag="remember_notes"):
    """Change a notebook, as `ChangeNotes` does. In a run with an embedder the notes are embedded."""

    changes_memory: ClassVar[bool] = True

    version: Version
    place: Annotated[int, Meta(ge=0)]
    changes: tuple[NoteChange, ...]

    def subject(self) -> str:
        return f"place {self.place}"


def recall_requests(kind: MemoryKind) -> tuple[type[Request[Any]], ...]:
    """What an episode asks of the memory role to recall from a memory or from a notebook."""
    return (RecallNotes,) if kind == "notebook" else (Classify, Recall)


MemoryRequest: TypeAlias = Summarize | Form | Remember | Classify | Recall | RecallNotes | RememberNotes
