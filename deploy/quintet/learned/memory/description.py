"""A version of a memory as a text: its counts, its types, and what came in with it."""

from collections.abc import Iterator

from quintet.memory.ids import tuple_id
from quintet.memory.reader import MemoryReader
from quintet.messages.store import ListTypes, Sealed
from quintet.reports.text_tables import plural

_MOST_PROCESSES = 500
"""That are listed: the text is written while a run goes on, also for a given memory of a million tuples."""


def describe_version(reader: MemoryReader, version: int, sealed: Sealed) -> str:
    """A version in Markdown.

    Args:
        reader: of the memory.
        version: sealed.
        sealed: what it consists of.

    Raises:
        UsageError: the memory cannot be read.
    """
    counts = [
        plural(sealed.tuples, "tuple"),
        f"{sealed.added:,} of them new",
        f"{sealed.batches:,} batch " + ("memory" if sealed.batches == 1 else "memories"),
        plural(sealed.goal_types, "goal type"),
        plural(sealed.observation_types, "observation type"),
    ]
    lines = [f"# Version {version}", "", ", ".join(counts), "", f"Digest: {sealed.digest}"]
    for batch in range(1, sealed.batches + 1):
        lines += ["", f"## Batch memory {batch}", "", *_types(reader, version, batch)]
    came_in = list(_came_in(reader, version, sealed.added))
    return "\n".join(lines + (["", "## What came in", "", *came_in] if came_in else []))


def _came_in(reader: MemoryReader, version: int, added: int) -> Iterator[str]:
    for row in reader.sources(range(tuple_id(version, 0, 0), tuple_id(version, _MOST_PROCESSES, 0))):
        added -= row.tuples
        about = f"{plural(row.tuples, 'tuple')}, reward {row.reward:g}, batch memory {row.batch}, {row.goal}"
        yield f"- {row.source}: {about}"
    if added:
        yield f"- and {plural(added, 'more tuple')}: `quintet memory show --tuples`"


def _types(reader: MemoryReader, version: int, batch: int) -> Iterator[str]:
    for goal_type in reader.list_types(ListTypes(version=version, batch=batch, examples=0)):
        yield f"- Goal type {goal_type.number}: {goal_type.name} ({plural(goal_type.tuples, 'tuple')})"
        inner = ListTypes(version=version, batch=batch, goal_type=goal_type.number, examples=0)
        for each in reader.list_types(inner):
            yield f"  - Observation type {each.number}: {each.name} ({plural(each.tuples, 'tuple')})"
