"""How one version of a memory or a notebook differs from another: what it lacks, what it has more, what was voted."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from quintet.memory.copy import MemoryVersion
from quintet.memory.notes import notes_in
from quintet.messages.memory import MemoryTuple
from quintet.messages.notes import Note, StoredNote

Sign: TypeAlias = Literal["-", "+", "~"]
"""It is lacking; it is new; its counters differ."""

_COUNTERS = ("helpful", "harmful", "recalled")


class ContentDifference(NamedTuple):
    """Something in which two versions differ."""

    sign: Sign
    what: Note | MemoryTuple
    why: str = ""
    """Of a note that is lacking or has other counters."""


def content_differences(before: MemoryVersion, after: MemoryVersion) -> Iterator[ContentDifference]:
    """What has changed from one version to another; a `UsageError` if they are of two kinds.

    Notes of one file are compared by their ids, so that an edit is one; those of two files by what they say, and equal
    ones in the order of their entry.
    """
    after.reader.expect(before.reader.kind)
    if before.reader.kind == "notebook":
        yield from _of_notes(before, after)
    else:
        yield from _of_tuples(before, after)


def _of_tuples(before: MemoryVersion, after: MemoryVersion) -> Iterator[ContentDifference]:
    old, new = (Counter(row.stored.tuple for row in each.reader.tuples(each.ids)) for each in (before, after))
    yield from (ContentDifference("-", each) for each in (old - new).elements())
    yield from (ContentDifference("+", each) for each in (new - old).elements())


def _of_notes(before: MemoryVersion, after: MemoryVersion) -> Iterator[ContentDifference]:
    same_file = str(before.reader.file) == str(after.reader.file)
    old, new = (_by_key(each, by_id=same_file) for each in (before, after))
    titles = {each.id: each.note.title or each.note.text for each in new.values()}
    for key in {**old, **new}:
        one, other = old.get(key), new.get(key)
        was, is_now = (None if each is None or each.state == "replaced" else each for each in (one, other))
        if was is not None and (is_now is None or is_now.note != was.note):
            by = None if other is None else other.replaced_by
            yield ContentDifference("-", was.note, "" if by is None else f"replaced by: {titles[by]}")
        if is_now is not None and (was is None or is_now.note != was.note):
            yield ContentDifference("+", is_now.note)
        elif was is not None and is_now is not None and (votes := _votes(was, is_now)):
            yield ContentDifference("~", is_now.note, votes)


def _by_key(source: MemoryVersion, *, by_id: bool) -> Mapping[Hashable, StoredNote]:
    notes = notes_in(source.reader, source.version)
    if by_id:
        return {each.id: each for each in notes}
    times, found = Counter[Note](), dict[Hashable, StoredNote]()
    for each in notes:
        if each.state == "active":
            said = _said(each.note)
            times[said] += 1
            found[said, times[said]] = each  # equal notes are several
    return found


def _said(note: Note) -> Note:
    """A note without where it is from."""
    return replace(note, run="", episode="", path="")


def _votes(before: StoredNote, after: StoredNote) -> str:
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in _COUNTERS}
    return ", ".join(f"{name} {old} to {new}" for name, (old, new) in pairs.items() if old != new)
