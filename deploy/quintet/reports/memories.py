"""Memories in text: their versions, their types with examples, and their tuples with where they come from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from quintet.memory.content import ShownTuple, ShownType
from quintet.messages.store import Sealed
from quintet.reports.text_tables import NONE, TextTable, plural

_DIGEST = 12
_EXAMPLE = 60
"""Characters that are shown."""


def memory_title(world: str, version: int, sealed: Sealed) -> str:
    """`Memory of WORLD, version 2: 60 tuples, 1 batch memory, 2 goal types, 9 observation types`."""
    batches = "1 batch memory" if sealed.batches == 1 else f"{sealed.batches} batch memories"
    types = f"{plural(sealed.goal_types, 'goal type')}, {plural(sealed.observation_types, 'observation type')}"
    return f"Memory of {world}, version {version}: {plural(sealed.tuples, 'tuple')}, {batches}, {types}"


def memory_versions(versions: Mapping[int, Sealed]) -> TextTable:
    """A row for each version."""
    return TextTable(
        "By version",
        ("version", "added", "tuples", "batches", "goal types", "observation types", "digest"),
        tuple(
            (
                str(version),
                f"{each.added:,}",
                f"{each.tuples:,}",
                str(each.batches),
                str(each.goal_types),
                str(each.observation_types),
                each.digest[:_DIGEST],
            )
            for version, each in versions.items()
        ),
    )


def memory_types(types: Iterable[ShownType]) -> Iterator[TextTable]:
    """A table for each batch memory; observation types are below their goal type."""
    rows: dict[int, list[tuple[str, ...]]] = {}
    for each in types:
        goal = each.observation_type is None
        number = str(each.goal_type) if goal else f"  {each.goal_type}.{each.observation_type}"
        cells = (f"{number} {each.name}", f"{each.tuples:,}", "; ".join(map(_cut, each.examples)))
        rows.setdefault(each.batch, []).append(cells)
    for batch, own in rows.items():
        yield TextTable(f"Batch memory {batch}", ("type", "tuples", "examples"), tuple(own))


def memory_tuples(tuples: Sequence[ShownTuple]) -> Iterator[str]:
    """Each tuple as a paragraph; its first line says where it comes from."""
    for each in tuples:
        content = each.tuple
        score = "" if each.score is None else f", score {each.score:.2f}"
        yield (
            f"version {each.version}, process {each.place}, step {each.number + 1}: batch {each.batch}, "
            f"type {content.goal_type}.{content.observation_type}, reward {content.reward:g}, "
            f"from {content.source or NONE}{score}"
        )
        for label in ("goal", "observation", "evaluation", "summary", "action"):
            if text := getattr(content, label):
                yield f"  {label.capitalize()}: {' '.join(text.split())}"
        yield ""


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _EXAMPLE else f"{line[: _EXAMPLE - 1]}…"
