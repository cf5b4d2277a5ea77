"""The nearest of 1,000,000 tuples by embedding, in four batch memories.

`python -m benchmarks.nearest FILE` keeps the memory in a file, and measures one that is there. It needs the extra
`embeddings`. Left out of `make bench`, since it embeds for minutes.
"""

import asyncio
import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.measuring import ROUNDS, Figure
from benchmarks.memory import main, measured_apart, resident, state, write_memory
from quintet.memory.embed import embed_memory
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.memory.tuple_search import find_tuples
from quintet.messages.store import FindTuples
from quintet.models.embedding.wordllama import WordLlama
from quintet.ports.embedder import state_text

_BATCHES = 4
_BUDGET = 8_192
_LOOK_UPS = 200


def _write(file: Path) -> None:
    """The memory of `benchmarks.memory`, with a vector for every tuple."""
    write_memory(file)
    with closing(Store(file, world="alfworld")) as store:
        asyncio.run(embed_memory(store, WordLlama()))


def figures(kept: Path | None = None) -> Iterator[Figure]:
    """Measure in a process of its own, since it says what it holds; with one thread, whose CPU time is all of it."""
    return measured_apart("benchmarks.nearest", _write, kept, {"OPENBLAS_NUM_THREADS": "1"})


def _measure(file: Path) -> Iterator[Figure]:
    reader = MemoryReader.open(file)
    requests = asyncio.run(_requests(reader))
    before = resident()
    first: list[float] = []
    for batch in range(_BATCHES):
        started = time.thread_time()
        find_tuples(reader, requests[batch])
        first.append(time.thread_time() - started)
    yield Figure("first look-up by embedding in a batch memory, CPU", sum(first) / _BATCHES, "s")
    rounds: list[list[float]] = []
    for _ in range(ROUNDS):
        times: list[float] = []
        for request in requests:
            started = time.thread_time()
            find_tuples(reader, request)
            times.append(1e3 * (time.thread_time() - started))
        rounds.append(sorted(times))
    for share in (50, 99):
        value = min(times[len(times) * share // 100] for times in rounds)
        yield Figure(f"look-up by embedding, 1,000,000 tuples, p{share}, CPU", value, "ms")
    more = (resident() - before) / 2**20
    yield Figure("resident memory of the search by embedding, 1,000,000 tuples", more, "MB", "at its highest")


async def _requests(reader: MemoryReader) -> list[FindTuples]:
    chance, embedder = random.Random(3), WordLlama()
    vectors = await embedder.embed([state_text(*state(chance)) for _ in range(_LOOK_UPS)])
    return [
        FindTuples(
            version=reader.newest() or 0,
            batch=number % _BATCHES + 1,
            retrieval="embedding",
            vector=vector,
            embedder=embedder.name,
            budget=_BUDGET,
        )
        for number, vector in enumerate(vectors)
    ]


if __name__ == "__main__":
    main(figures, _measure)
