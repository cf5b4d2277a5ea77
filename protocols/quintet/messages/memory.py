"""Messages of the memory role, and of the store of tuples that it asks.

A memory consists of batch memories. Each has goal types, and each goal type has observation types; both are numbered
from 1. A version is all tuples that came in with it or before.
"""

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.learning import Version
from quintet.messages.message import Message, Request
from quintet.messages.recall import BatchNumber, Retrieval

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
    """Its process's; see `Trajectory.source`."""
    goal_type: TypeNumber
    observation_type: TypeNumber


class StoredTuple(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tuple of a memory."""

    id: int
    """The same in every run that stores the same: it follows from version, place and number, and so orders tuples by
    their entry."""
    tuple: MemoryTuple


# The memory role


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
    """What the last of them led to."""
    phase: str = "summaries"

    def subject(self) -> str:
        return self.goal


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

    def subject(self) -> str:
        return self.goal


class TuplesRecalled(Message, frozen=True, kw_only=True, tag="tuples_recalled"):
    """What the memory has about a state."""

    tuples: tuple[StoredTuple, ...]
    """In the order of their entry; or by retrieval, the best first."""
    goal_type: TypeNumber | None = None
    observation_type: TypeNumber | None = None
    """None, as above: nothing was found, or (by embedding) nobody was asked for types."""
    failed: str = ""
    """Why the index could not be used; the tuples are none then."""


class Recall(Request[TuplesRecalled], frozen=True, kw_only=True, tag="recall"):
    """Recall tuples about a state, as they were in a version. What is recalled is an event, so a replay gets the same.

    Source: LDM2, section 3.1, equation 3. Differs: a budget of bytes; the newest tuples that fit are taken.
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
    shuffled: bool = False
    """A control: in place of the tuples that are found, as many of other goals."""
    phase: str = "index"

    def subject(self) -> str:
        return self.goal


MemoryRequest: TypeAlias = Summarize | Form | Remember | Classify | Recall


# The store, on the driver's host


class TuplesStored(Message, frozen=True, kw_only=True, tag="tuples_stored"):
    """The tuples are stored, now or already."""

    tuples: int


class NamedType(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of goals, or of the observations of a goal type."""

    number: TypeNumber
    name: str
    goal_type: TypeNumber | None = None
    """Of an observation type; None: it is a goal type."""


class StoreTuples(Request[TuplesStored], frozen=True, kw_only=True, tag="store_tuples"):
    """Add tuples and types to a version that is not sealed. Idempotent: version, batch and place say which they are."""

    version: Version
    batch: BatchNumber
    place: Annotated[int, Meta(ge=0)]
    """Of the first process; a tuple's is its process's."""
    processes: tuple[tuple[MemoryTuple, ...], ...]
    """The tuples of each process, in order; each further process has the next place."""
    types: tuple[NamedType, ...] = ()
    """New ones."""
    vectors: tuple[tuple[bytes, ...], ...] = ()
    """By process and tuple, the embedding: float32, little endian, of length one. Empty: none. They serve to find
    tuples and are no content: neither the digest nor the comparison with what is there already has them."""
    embedder: str = ""
    """Whose vectors they are. A memory has vectors of one embedder."""

    def subject(self) -> str:
        return f"batch {self.batch}"


class ListedType(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type with examples."""

    number: TypeNumber
    name: str
    examples: tuple[str, ...]
    """The first different texts of the type in order of entry, at most as many as were asked for."""
    tuples: int


class TypesListed(Message, frozen=True, kw_only=True, tag="types_listed"):
    """The types of a version that have tuples."""

    types: tuple[ListedType, ...]
    """By number."""
    known: TypeNumber | None = None
    """The type of this very text."""


class ListTypes(Request[TypesListed], frozen=True, kw_only=True, tag="list_types"):
    """Ask for the goal types of a batch memory, or for the observation types of a goal type."""

    version: Version
    batch: BatchNumber
    goal_type: TypeNumber | None = None
    """None: for goal types."""
    text: str = ""
    """The goal or observation whose type is looked for; if the memory has it, `known` says its type."""
    examples: Annotated[int, Meta(ge=0)] = 3

    def subject(self) -> str:
        return f"batch {self.batch}"


class TuplesFound(Message, frozen=True, kw_only=True, tag="tuples_found"):
    """Tuples of a memory."""

    tuples: tuple[StoredTuple, ...]


class FindTuples(Request[TuplesFound], frozen=True, kw_only=True, tag="find_tuples"):
    """Look tuples up: the newest of a type in the order of entry, or the best by words or by embedding."""

    version: Version
    batch: BatchNumber
    goal_type: TypeNumber | None = None
    observation_type: TypeNumber | None = None
    """Both None: in the whole batch memory (by embedding)."""
    retrieval: Retrieval = "type"
    query: str = ""
    """Words to look for (lexical)."""
    vector: bytes = b""
    """To be near to (embedding)."""
    embedder: str = ""
    """Whose vector it is."""
    budget: Annotated[int, Meta(ge=0)]
    shuffled: bool = False

    def subject(self) -> str:
        return f"batch {self.batch}"


class FetchTuples(Request[TuplesFound], frozen=True, kw_only=True, tag="fetch_tuples"):
    """Ask for tuples by id, for a replay."""

    ids: tuple[int, ...]


class Sealed(Message, frozen=True, kw_only=True, tag="sealed"):
    """A version is complete."""

    batches: int
    tuples: int
    """With those of the versions before."""
    added: int
    """In this version."""
    goal_types: int
    observation_types: int
    digest: str
    """SHA-256 of the version before and of everything added, in hex."""


class Seal(Request[Sealed], frozen=True, kw_only=True, tag="seal"):
    """Complete a version: nothing more is added to it. Idempotent."""

    version: Version


class TrajectoriesRead(Message, frozen=True, kw_only=True, tag="trajectories_read"):
    """Trajectories that the run was given."""

    trajectories: tuple[Trajectory, ...]


class ReadTrajectories(Request[TrajectoriesRead], frozen=True, kw_only=True, tag="read_trajectories"):
    """Ask for trajectories that lie in the store, from a file or from earlier runs."""

    first: Annotated[int, Meta(ge=0)]
    count: Annotated[int, Meta(ge=1)]


StoreRequest: TypeAlias = StoreTuples | ListTypes | FindTuples | FetchTuples | Seal | ReadTrajectories
