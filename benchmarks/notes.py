"""Notebooks: CPU of every retrieval among 100,000 notes, and of a step of a stream with 10,000 beside one with 1,000.

`python -m benchmarks.notes FILE` keeps the notebook in a file, and measures one that is there.
"""

import asyncio
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from benchmarks.measuring import ROUNDS, Figure
from benchmarks.memory import main, measured_apart, state
from quintet.memory.note_search import find_notes
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.messages.notes import AddNote, Note, VoteNote
from quintet.messages.parts import Retrieval
from quintet.messages.store import ChangeNotes, FindNotes
from quintet.models.embedding.hashed_words import HashedWords

_NOTES = 100_000
_STREAMS = 1_000, 10_000
_VERSIONS = 10
_AT_ONCE = 1_000
_LOOK_UPS = 1_000
_NEAREST = 8
_STEPS = 200
_SECTIONS = "strategies", "mistakes"
_EMBEDDER = HashedWords(dimensions=256)
_SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
_WORDS = tuple(f"{one}{two}{three}" for one in _SYLLABLES for two in _SYLLABLES for three in _SYLLABLES)
"""3,375, the first of which are the most frequent (Zipf)."""
_FREQUENCIES = tuple(1 / rank for rank in range(1, len(_WORDS) + 1))


def _write(file: Path) -> None:
    """The notebook, with a vector for every note; and beside it those of the streams."""
    _write_notes(file, _NOTES)
    for notes in _STREAMS:
        _write_notes(_beside(file, notes), notes)


def _write_notes(file: Path, count: int) -> None:
    chance = random.Random(15)
    with closing(Store(file, world="alfworld", kind="notebook")) as store:
        store.seal(0)
        for version in range(1, _VERSIONS + 1):
            for place in range(max(count // _VERSIONS // _AT_ONCE, 1)):
                notes = [_note(chance) for _ in range(min(_AT_ONCE, count // _VERSIONS))]
                vectors = asyncio.run(_EMBEDDER.embed([note.found_by for note in notes]))
                store.change(
                    ChangeNotes(
                        version=version,
                        place=place,
                        changes=tuple(AddNote(note=note) for note in notes),
                        vectors=vectors,
                        embedder=_EMBEDDER.name,
                    )
                )
            store.seal(version)


def _beside(file: Path, notes: int) -> Path:
    return file.with_name(f"{file.name}.{notes}")


def _note(chance: random.Random) -> Note:
    goal, seen = state(chance)
    said = " ".join(chance.choices(_WORDS, _FREQUENCIES, k=30))
    return Note(title=goal, text=f"{seen} {said}", section=chance.choice(_SECTIONS), episode="heat-egg/0/0")


def figures(kept: Path | None = None) -> Iterator[Figure]:
    """Measure in a process of its own, with one thread, whose CPU time is all of it."""
    return measured_apart("benchmarks.notes", _write, kept, {"OPENBLAS_NUM_THREADS": "1"})


def _measure(file: Path) -> Iterator[Figure]:
    reader = MemoryReader.open(file)
    kinds: dict[str, tuple[Retrieval, bool]] = {
        "words": ("lexical", False),
        "embedding": ("embedding", False),
        "votes in a section": ("best", False),
        "words, shuffled": ("lexical", True),
    }
    for name, (retrieval, shuffled) in kinds.items():
        requests = asyncio.run(_requests(reader, retrieval, shuffled=shuffled))
        find_notes(reader, requests[0])
        rounds = [_times(reader, requests) for _ in range(ROUNDS)]
        for share in (50, 99):
            value = min(times[len(times) * share // 100] for times in rounds)
            yield Figure(f"recall by {name} among {_NOTES:,} notes, p{share}, CPU", value, "ms")
    rounds = [[_step(_beside(file, notes)) for notes in _STREAMS] for _ in range(ROUNDS)]
    few, many = (min(each) for each in zip(*rounds, strict=True))
    beside = f"{many / few:.2f} times that of {_STREAMS[0]:,}; at most 1.5"
    yield Figure(f"a step of a stream with {_STREAMS[1]:,} notes, CPU", 1e3 * many, "ms", beside)


def _times(reader: MemoryReader, requests: list[FindNotes]) -> list[float]:
    """Milliseconds of CPU of each look-up, sorted."""
    times: list[float] = []
    for request in requests:
        started = time.thread_time()
        find_notes(reader, request)
        times.append(1e3 * (time.thread_time() - started))
    return sorted(times)


async def _requests(reader: MemoryReader, retrieval: Retrieval, *, shuffled: bool) -> list[FindNotes]:
    chance = random.Random(3)
    goals = [" ".join((*state(chance), *chance.choices(_WORDS, _FREQUENCIES, k=2))) for _ in range(_LOOK_UPS)]
    return [
        FindNotes(
            version=reader.newest() or 0,
            retrieval=retrieval,
            query=goal,
            vector=vector,
            embedder=_EMBEDDER.name,
            budget=8_192,
            section=_SECTIONS[0] if retrieval == "best" else "",
            most=_NEAREST,
            shuffled=shuffled,
        )
        for goal, vector in zip(goals, await _EMBEDDER.embed(goals), strict=True)
    ]


def _step(file: Path) -> float:
    """Seconds of CPU of a step beyond its calls, in a copy of the file.

    A step recalls the nearest notes, notes what was learnt, looks for what says the same, votes, and seals.
    """
    chance = random.Random(4)
    copy = file.with_name(f"{file.name}.copy")
    with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(copy)) as other:
        one.backup(other)
    notes = [_note(chance) for _ in range(_STEPS + 1)]
    vectors = asyncio.run(_EMBEDDER.embed([note.found_by for note in notes]))
    try:
        with closing(Store(copy, world="alfworld", kind="notebook")) as store:
            first = (store.reader.newest() or 0) + 1
            _learn(store, first, notes[0], vectors[0])  # reads the notebook
            started = time.thread_time()
            for number in range(1, _STEPS + 1):
                _learn(store, first + number, notes[number], vectors[number])
            return (time.thread_time() - started) / _STEPS
    finally:
        copy.unlink()


def _learn(store: Store, version: int, note: Note, vector: bytes) -> None:
    wanted = FindNotes(
        version=version - 1, retrieval="embedding", vector=vector, embedder=_EMBEDDER.name, most=_NEAREST, budget=8_192
    )
    find_notes(store.reader, wanted)
    (alike,) = find_notes(store.reader, replace(wanted, most=1, budget=None)).notes
    changes = AddNote(note=note), VoteNote(id=alike.id, helpful=1)
    store.change(ChangeNotes(version=version, place=0, changes=changes, vectors=(vector,), embedder=_EMBEDDER.name))
    store.seal(version)


if __name__ == "__main__":
    main(figures, _measure)
