"""A memory of 1,000,000 tuples: CPU of opening it and of look-ups by type and by words, and what the process holds.

`python -m benchmarks.memory FILE` keeps the memory in a file, and measures one that is there.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from benchmarks.measuring import ROUNDS, Figure
from quintet.memory.digest import check_digests
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from quintet.memory.tuple_search import find_tuples
from quintet.messages.memory import MemoryTuple
from quintet.messages.parts import Retrieval
from quintet.messages.store import FindTuples, ListTypes, NamedType, StoreTuples

_TUPLES = 1_000_000
_STEPS = 20
"""Tuples of a process."""
_VERSIONS = 10
_BATCHES = 4
_GOAL_TYPES = 6
_OBSERVATION_TYPES = 40
"""Of each goal type. The first has some 4,700 tuples, and each further one 0.89 times as many."""
_BUDGET = 8_192
_LOOK_UPS = 1_000

_PLACES = tuple(
    "drawer shelf cabinet countertop sinkbasin fridge microwave table bed sofa toilet safe desk dresser".split()  # noqa: SIM905
)
_THINGS = tuple(
    "egg apple mug pan plate knife book pen lamp watch towel soap candle bowl cup bread potato tomato".split()  # noqa: SIM905
)
_VERBS = {"heat": "microwave", "cool": "fridge", "clean": "sinkbasin"}


def write_memory(file: Path) -> None:
    """Write the memory as a learner does: the processes of each version, and then its seal."""
    chance = random.Random(15)
    types = (
        *(NamedType(number=goal, name=f"goals {goal}") for goal in range(1, _GOAL_TYPES + 1)),
        *(
            NamedType(number=number, name=f"observations {number}", goal_type=goal)
            for goal in range(1, _GOAL_TYPES + 1)
            for number in range(1, _OBSERVATION_TYPES + 1)
        ),
    )
    with closing(Store(file, world="alfworld")) as store:
        store.seal(0)
        per_request = 100
        requests = _TUPLES // _VERSIONS // _STEPS // per_request
        for version in range(1, _VERSIONS + 1):
            for number in range(requests):
                store.add(
                    StoreTuples(
                        version=version,
                        batch=number % _BATCHES + 1,
                        place=number * per_request,
                        processes=tuple(_process(chance, f"{version}/{each}") for each in range(per_request)),
                        types=types if version == 1 and number < _BATCHES else (),
                    )
                )
            store.seal(version)


def _process(chance: random.Random, source: str) -> tuple[MemoryTuple, ...]:
    verb, place = chance.choice(list(_VERBS.items()))
    thing, target = chance.choice(_THINGS), chance.choice(_PLACES)
    goal = f"{verb} some {thing} and put it in {target}."
    goal_type = chance.randint(1, _GOAL_TYPES)
    steps: list[MemoryTuple] = []
    for step in range(_STEPS):
        at = f"{chance.choice(_PLACES)} {chance.randint(1, 9)}"
        seen = ", ".join(f"a {chance.choice(_THINGS)} {chance.randint(1, 4)}" for _ in range(chance.randint(0, 6)))
        steps.append(
            MemoryTuple(
                goal=goal,
                evaluation=f"subgoal 1: find a {thing} - complete; subgoal 2: {verb} it in the {place} - incomplete",
                summary=f"I looked at {step} places and found the {thing} on the {at}; the {target} is still to do.",
                observation=f"On the {at}, you see {seen or 'nothing'}.",
                action=f"go to {chance.choice(_PLACES)} {chance.randint(1, 9)}",
                reward=1.0,
                source=f"{goal_type}/{source}",
                goal_type=goal_type,
                observation_type=_observation_type(chance),
            )
        )
    return tuple(steps)


def _observation_type(chance: random.Random) -> int:
    return min(int(chance.expovariate(0.12)) + 1, _OBSERVATION_TYPES)


def figures(kept: Path | None = None) -> Iterator[Figure]:
    """Measure in a process of its own, since it says what it holds."""
    return measured_apart("benchmarks.memory", write_memory, kept)


def measured_apart(
    module: str, write: Callable[[Path], None], kept: Path | None, variables: Mapping[str, str] = {}
) -> Iterator[Figure]:
    """The figures that a module measures in a process of its own, of a memory in a file.

    Args:
        module: one that ends in `main`.
        write: makes the memory, if the file is not there.
        kept: the file; None: a temporary one.
        variables: further ones of the process's environment.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = kept or Path(folder) / "memory.sqlite"
        if not file.exists():
            started = time.perf_counter()
            write(file)
            print(f"written in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        measured = subprocess.run(
            [sys.executable, "-m", module, "--measure", str(file)],
            env=os.environ | variables,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    for line in measured.splitlines():
        name, value, unit, beside = line.split("\t")
        yield Figure(name, float(value), unit, beside)


def main(figures: Callable[[Path | None], Iterable[Figure]], measure: Callable[[Path], Iterable[Figure]]) -> None:
    """Print a module's figures; with `--measure FILE` those of this process, for `measured_apart`."""
    if sys.argv[1:2] == ["--measure"]:
        for figure in measure(Path(sys.argv[2])):
            print(figure.name, figure.value, figure.unit, figure.beside, sep="\t")
    else:
        for figure in figures(Path(sys.argv[1]) if sys.argv[1:] else None):
            print(figure)


def _measure(file: Path) -> Iterator[Figure]:
    before = resident()
    started = time.thread_time()
    reader = MemoryReader.open(file)
    newest = reader.newest() or 0
    yield Figure("opening a memory of 1,000,000 tuples, CPU", 1e3 * (time.thread_time() - started), "ms")
    started = time.thread_time()
    check_digests(reader, newest)
    yield Figure("checking its digests, as its first opening does, CPU", 1e3 * (time.thread_time() - started), "ms")
    for goal_type in (None, 1):
        started = time.thread_time()
        listed = ListTypes(version=newest, batch=1, goal_type=goal_type, text="On the drawer 1, you see nothing.")
        types = len(reader.list_types(listed))
        reader.known_type(listed)
        name = "goal types" if goal_type is None else "observation types"
        yield Figure(f"listing {types} {name} with examples, CPU", 1e3 * (time.thread_time() - started), "ms")
    by: dict[str, Retrieval] = {"type": "type", "words within a type": "lexical"}
    for name, retrieval in by.items():
        rounds = [_look_ups(reader, newest, retrieval) for _ in range(ROUNDS)]
        for share in (50, 99):
            value = min(times[len(times) * share // 100] for times, _ in rounds)
            yield Figure(
                f"look-up by {name}, 1,000,000 tuples, p{share}, CPU", value, "ms", f"{rounds[0][1]:.0f} tuples each"
            )
    yield Figure(
        "resident memory while looking up in 1,000,000 tuples",
        resident() / 2**20,
        "MB",
        f"{before / 2**20:.0f} MB before opening",
    )


def _look_ups(reader: MemoryReader, version: int, retrieval: Retrieval) -> tuple[list[float], float]:
    """Milliseconds of CPU of each look-up, sorted, and how many tuples one finds on average."""
    chance = random.Random(3)
    times: list[float] = []
    found = 0
    for _ in range(_LOOK_UPS):
        goal, observation = state(chance)
        request = FindTuples(
            version=version,
            batch=chance.randint(1, _BATCHES),
            goal_type=chance.randint(1, _GOAL_TYPES),
            observation_type=_observation_type(chance),
            retrieval=retrieval,
            query=f"{goal} {observation}",
            budget=_BUDGET,
        )
        started = time.thread_time()
        found += len(find_tuples(reader, request))
        times.append(1e3 * (time.thread_time() - started))
    return sorted(times), found / _LOOK_UPS


def state(chance: random.Random) -> tuple[str, str]:
    """A goal, and what is seen."""
    at = f"{chance.choice(_PLACES)} {chance.randint(1, 9)}"
    seen = f"a {chance.choice(_THINGS)} 1, a {chance.choice(_THINGS)} 2"
    return (
        f"heat some {chance.choice(_THINGS)} and put it in {chance.choice(_PLACES)}.",
        f"On the {at}, you see {seen}.",
    )


def resident() -> int:
    """The most bytes that this process held so far. Unlike `getrusage` it leaves out those of its parent."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main(figures, _measure)
