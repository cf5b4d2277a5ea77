"""The memory or notebook that a run is given, and the store of its own that the run opens beside its journal."""

from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from quintet.config.memory_section import MemorySection
from quintet.config.settings import Settings, first_below
from quintet.errors import UsageError
from quintet.learned.given_trajectories import gather_trajectories
from quintet.memory.copy import copy_version
from quintet.memory.place import find_memory
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE, MEMORY_FORMAT
from quintet.memory.store import Store
from quintet.memory.trajectories import GivenTrajectories
from quintet.messages.learning import MemoryKind
from quintet.messages.store import Sealed
from quintet.runs.folder import read_record
from quintet.runs.record import RUN_RECORD, GivenMemory, RunRecord
from quintet.trust.refusal import refuse_untrusted_embedder


def read_memory(
    source: str,
    world: str,
    kind: MemoryKind | None = None,
    *,
    learner: str | None = None,
    other_world: str | None = None,
    empty: bool = False,
) -> GivenMemory:
    """Look up the memory or notebook that a person names.

    Args:
        world: the run's.
        kind: which it must be; None: either.
        learner: the method that goes on with it; None: nobody learns.
        other_world: the world that a notebook is from (`memory.world`); None: the run's.
        empty: whether it may be empty.

    Raises:
        UsageError: it is empty, or none of this format, kind and world; or the run of another learner has it.
    """
    if learner is not None and other_world not in (None, world):
        raise UsageError(f"memory.world: expected {world!r} in a run that learns, got {other_world!r}")
    found = find_memory(source)
    with closing(found.reader) as reader:
        if kind not in (None, reader.kind):
            raise UsageError(f"memory.source: expected a {kind}, got a {reader.kind} ({source})")
        _refuse_other_world(reader, world, other_world, source)
        sealed = found.sealed
        if not (sealed.tuples or sealed.notes or empty):
            expected = "tuples" if reader.kind == "memory" else "notes"
            raise UsageError(
                f"memory.source: expected {expected}, got version {found.version}, which is empty ({source})"
            )
        if learner is not None:
            _refuse_other_learner(Path(reader.file), learner)
        counts = msgspec.structs.asdict(sealed)
        counts["added"] = sum(each.added for number, each in reader.versions().items() if number <= found.version)
        return GivenMemory(
            file=Path(reader.file),
            version=found.version,
            format=MEMORY_FORMAT,
            kind=reader.kind,
            world=reader.world,
            **counts,
        )


def _refuse_other_world(reader: MemoryReader, world: str, other_world: str | None, source: str) -> None:
    if reader.world != (other_world or world):
        say_so = reader.kind == "notebook" and other_world is None
        hint = f'; to recall its notes in {world}, say memory.world = "{reader.world}"' if say_so else ""
        expected = f"expected a {reader.kind} of {other_world or world}"
        raise UsageError(f"memory.source: {expected}, got one of {reader.world}{hint} ({source})")
    if reader.world != world and reader.kind == "memory":
        why = f"expected {world!r} of a memory, whose types are a world's"
        raise UsageError(f"memory.world: {why}, got {other_world!r} ({source})")


def recalled_as(memory: MemorySection | None) -> dict[str, Any]:
    """How a run recalls, where that is not the default, for another run to do the same; None: it recalls nothing."""
    if memory is None:
        return {}
    shown = {"retrieval", "sections", "most", "budget", "embedder"}
    return memory.model_dump(mode="json", include=shown, exclude_defaults=True)


def as_learnt(section: MemorySection, file: Path, given: Settings) -> MemorySection:
    """A section that recalls as the run did in whose folder the memory is, but for what was given.

    Args:
        file: of the memory.
        given: the settings that are more than defaults.

    Raises:
        UsageError: the run is somebody else's, and its embedder would do more than embed here.
    """
    run = file.parent / RUN_RECORD
    if file.name != MEMORY_FILE or not run.is_file():
        return section
    record = read_record(run, RunRecord)
    theirs = recalled_as(record.configuration.memory)
    taken = {name: value for name, value in theirs.items() if first_below(f"memory.{name}", given) is None}
    if "embedder" in taken:
        refuse_untrusted_embedder(record, file.parent)
    found = MemorySection.model_validate(taken)
    return section.model_copy(update={name: getattr(found, name) for name in taken})


def _refuse_other_learner(file: Path, learner: str) -> None:
    """Refuse to go on with what the run of another learner learnt, which has sections and types of its own."""
    run = file.parent / RUN_RECORD
    if file.name != MEMORY_FILE or not run.is_file():
        return
    record = read_record(run, RunRecord)
    found = record.configuration.method.name
    if record.learns and found != learner:
        raise UsageError(
            f"memory.source: expected what {learner} learnt, got what {found} did ({file.parent}); any learner takes a "
            "file of it, which `quintet memory copy` makes"
        )


def count_trajectories(section: MemorySection, world: str, measured: Collection[str]) -> GivenTrajectories:
    """Read a run's given trajectories, to count them; raises as `gather_trajectories`, and for no file."""
    for file in section.trajectories:
        if file.exists() and not file.is_file():
            raise UsageError(
                f"trajectories: expected a file, which a resume may read again, got a pipe or a folder ({file})"
            )
    with closing(Store(":memory:", world=world)) as store:
        return _give(section, store, measured)


def open_store(record: RunRecord, file: Path | None) -> Store:
    """Open a run's own store. It gets what the run was given, unless it has it.

    Args:
        file: None: in memory.

    Raises:
        UsageError: the store is of another world, format or digest than the record's; or it has to be made again, and
            what the run was given is gone or has changed.
    """
    section, given, counted = record.configuration.memory, record.memory, record.trajectories
    assert section is not None
    world = record.configuration.environment.name if given is None else given.world
    store = Store(":memory:" if file is None else file, world=world, kind=section.kind or "memory")
    try:
        begun = store.reader.versions().get(0)
        if counted is not None:
            if begun is None:
                again = _give(section, store, record.measured)
                _refuse_other(again.digest, counted.digest, "memory.trajectories, memory.from_runs")
            else:
                _refuse_other(store.given_trajectories().digest, counted.digest, f"trajectories in {store.reader.file}")
        if given is None:
            if added := store.seal(0).added:
                what = "tuples" if store.reader.kind == "memory" else "changes of notes"
                raise UsageError(
                    f"memory: expected an empty version 0, with which the run was begun, got one of {added:,} {what} "
                    f"({store.reader.file})"
                )
        else:
            _refuse_other((begun or _copy(given, store)).digest, given.digest, str(store.reader.file))
    except BaseException:
        store.close()
        raise
    return store


def refuse_lost_versions(record: RunRecord, store: Store, published: Mapping[int, str]) -> None:
    """Raise a `UsageError` if a version that a run's ended learner published is lost from its store, or another."""
    if record.learnt == "plan":
        return
    there = store.reader.versions()
    for version, content in published.items():
        expected = msgspec.json.decode(content, type=Sealed).digest
        found = there[version].digest if version in there else "none"
        if found != expected:
            raise UsageError(
                f"memory: expected version {version} with the digest {expected}, as the run's learner published it "
                f"before it ended, got {found}; put the file back ({store.reader.file})"
            )


def _give(section: MemorySection, store: Store, measured: Collection[str]) -> GivenTrajectories:
    world = store.reader.world
    found = gather_trajectories(section.trajectories, section.from_runs, world=world, measured=measured)
    return store.give_trajectories(found.trajectories)._replace(left_out=found.left_out)


def _copy(given: GivenMemory, store: Store) -> Sealed:
    found = find_memory(f"{given.file}@{given.version}")
    with closing(found.reader):
        _refuse_other(found.sealed.digest, given.digest, str(given.file))
        return copy_version(found, store)


def _refuse_other(found: str, expected: str, where: str) -> None:
    if found != expected:
        raise UsageError(f"memory: expected the digest {expected}, with which the run was begun, got {found} ({where})")
