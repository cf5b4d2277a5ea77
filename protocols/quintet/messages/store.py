"""Messages of the store of a memory's tuples or a notebook's notes, on the driver's host.

The memory role asks it, and so do learners.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from quintet.messages.learning import Version
from quintet.messages.memory import MemoryTuple, NotesChanged, StoredTuple, Trajectory, TypeNumber
from quintet.messages.message import Message, Request
from quintet.messages.notes import NoteChange, NoteId, StoredNote
from quintet.messages.parts import BatchNumber, Retrieval


class TuplesStored(Message, frozen=True, kw_only=True, tag="tuples_stored"):
    """The tuples are stored, now or already."""

    tuples: int
    """How many the request has."""


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
    """Those of its tuples that are new in this version; the same again is accepted."""
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
    """Look tuples up: the newest of a type in the order of entry, or the best by reward, words or embedding."""

    version: Version
    batch: BatchNumber
    goal_type: TypeNumber | None = None
    observation_type: TypeNumber | None = None
    """Both None: in the whole batch memory (by embedding)."""
    retrieval: Retrieval = "type"
    query: str = ""
    """Words to look for (lexical)."""
    vector: bytes = b""
    """The vector of the state whose nearest tuples are wanted (embedding)."""
    embedder: str = ""
    """The name of the embedder that made it."""
    budget: Annotated[int, Meta(ge=0)]
    shuffled: bool = False
    """As many tuples of other goals in place of those that are found."""
    seed: int = 0
    """By which they are drawn."""

    def subject(self) -> str:
        return f"batch {self.batch}"


class FetchTuples(Request[TuplesFound], frozen=True, kw_only=True, tag="fetch_tuples"):
    """Ask for tuples by id, for a replay."""

    ids: tuple[int, ...]


class ChangeNotes(Request[NotesChanged], frozen=True, kw_only=True, tag="change_notes"):
    """Change a notebook, in a version that is not sealed. Idempotent: version and place say which changes they are.

    A change may be about any note of an earlier version, of a lower place, or before it in the same request.
    """

    version: Version
    place: Annotated[int, Meta(ge=0)]
    """In the version. Places order changes, whichever arrives first."""
    changes: tuple[NoteChange, ...]
    vectors: tuple[bytes, ...] = ()
    """Of each change that has a note, in order, the embedding of `Note.found_by`; see `StoreTuples.vectors`."""
    embedder: str = ""

    def subject(self) -> str:
        return f"place {self.place}"


class NotesFound(Message, frozen=True, kw_only=True, tag="notes_found"):
    """Notes of a notebook."""

    notes: tuple[StoredNote, ...]
    scores: tuple[float, ...] = ()
    """Of each note, how near it is: BM25 (lexical) or the cosine (embedding), to six decimals. Otherwise empty."""
    left_out: int = 0
    """How many more there were, for which the budget had no room."""


class FindNotes(Request[NotesFound], frozen=True, kw_only=True, tag="find_notes"):
    """Look active notes up, as `RecallNotes` does; without any limit, all of a version."""

    version: Version
    retrieval: Retrieval = "all"
    section: str = ""
    task_type: str = ""
    """Of the task (type)."""
    query: str = ""
    """Words to look for (lexical)."""
    vector: bytes = b""
    """The vector whose nearest notes are wanted (embedding)."""
    embedder: str = ""
    """The name of the embedder that made it."""
    budget: Annotated[int, Meta(ge=0)] | None = None
    """Bytes; None: any."""
    most: Annotated[int, Meta(ge=1)] | None = None
    shuffled: bool = False
    """As many notes for another task in place of those that are found."""
    seed: int = 0
    """By which that task is drawn."""


class FetchNotes(Request[NotesFound], frozen=True, kw_only=True, tag="fetch_notes"):
    """Ask for notes by id, as they are in a version."""

    version: Version
    ids: tuple[NoteId, ...]


class Sealed(Message, frozen=True, kw_only=True, tag="sealed"):
    """A version is complete."""

    added: int
    """Tuples, or changes of notes, in this version."""
    digest: str
    """SHA-256 of everything up to this version, in hex."""
    batches: int = 0
    tuples: int = 0
    """With those of the versions before."""
    goal_types: int = 0
    observation_types: int = 0
    notes: int = 0
    """Of a notebook, those that are active."""
    replaced: int = 0
    """Those that are not."""


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


StoreRequest: TypeAlias = (
    StoreTuples | ListTypes | FindTuples | FetchTuples | ChangeNotes | FindNotes | FetchNotes | Seal | ReadTrajectories
)
