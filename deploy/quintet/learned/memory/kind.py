"""What memories offer to the rest of a run."""

from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec.structs import replace

from quintet.events import Record
from quintet.learned.iterations import by_iteration
from quintet.learned.memory.description import describe_version
from quintet.learned.memory.iterations import MemoryIteration, memory_iteration
from quintet.memory.copy import MemoryVersion
from quintet.memory.reader import MemoryReader
from quintet.memory.schema import MEMORY_FILE
from quintet.messages.parts import Recollection
from quintet.messages.store import Sealed
from quintet.reports.text_tables import plural
from quintet.runs.record import RunRecord


class MemoryKind:
    """Memories. The content of a version has its counts and its digest; what it says is in the run's store."""

    name = "memory"
    file = "memory.md"
    versions = "memories"
    iterations = ""

    def given(self, record: RunRecord) -> str:
        return "" if record.memory is None else msgspec.json.encode(record.memory.sealed).decode()

    def label(self, record: RunRecord) -> str:
        return self.name if record.memory is None else f"{self.name} v{record.memory.version}"

    def source(self, record: RunRecord) -> str:
        return "" if record.memory is None else f"{record.memory.file}, version {record.memory.version}"

    def parts(self, version: int, content: str, recollection: Recollection | None) -> tuple[Recollection, ...]:
        assert recollection is not None
        return (replace(recollection, version=version, batches=_sealed(content).batches),)

    def text(self, version: int, content: str, run: Path) -> str:
        with closing(MemoryReader.open(run / MEMORY_FILE)) as reader:
            return describe_version(reader, version, MemoryVersion(reader, version).sealed)

    def size(self, content: str) -> str:
        sealed = _sealed(content)
        if not sealed.tuples:
            return "empty"
        return f"{plural(sealed.tuples, 'tuple')}, {plural(sealed.goal_types, 'goal type')}"

    def read_iterations(self, records: Iterable[Record], run: Path) -> Mapping[int, MemoryIteration]:
        parts = by_iteration(records)
        return {number: memory_iteration(number, part, run) for number, part in parts.items()}


def _sealed(content: str) -> Sealed:
    """A version's counts and digest, as it was published."""
    return msgspec.json.decode(content, type=Sealed)
