"""Many schedules in several processes, batch after batch; a ledger keeps the batches, so that a night can go on."""

import multiprocessing
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.soak.schedules.promises import check

BATCH = 100
"""Schedules of a batch: the seeds from its number times this one on."""


class Batch(Struct, frozen=True, kw_only=True):
    """What a batch found."""

    number: int
    seconds: float
    """That it took."""
    cpu_seconds: float
    deaths: int
    calls: int
    repeated: int
    broken: Mapping[int, tuple[str, ...]]
    """By seed, the promises that did not hold."""


class Summary(Struct, frozen=True, kw_only=True):
    """What all batches of a ledger found; the report of the soak shows it."""

    schedules: int
    seconds: float
    """Of one process after the other, shared by the processes."""
    cpu_seconds: float
    """The same of CPU, which what else the machine does changes less."""
    processes: int
    deaths: int
    calls: int
    repeated: int
    broken: tuple[str, ...]
    """A sentence for each seed that broke a promise."""

    def __str__(self) -> str:
        counts = f"{self.schedules:,} schedules, {self.deaths:,} deaths, {self.calls:,} calls, {self.repeated} repeated"
        rate = f"{self.schedules / self.seconds:.1f} a second" if self.seconds else "no time"
        cpu = f"{self.cpu_seconds * self.processes / max(self.schedules, 1) * 1000:.0f} ms of CPU each"
        return f"{counts}; {rate} in {self.processes} processes, {cpu}; {len(self.broken)} broke a promise"


def run_batch(number: int) -> Batch:
    """Check its schedules."""
    began, worked = time.perf_counter(), time.process_time()
    verdicts = [check(seed) for seed in range(number * BATCH, (number + 1) * BATCH)]
    return Batch(
        number=number,
        seconds=time.perf_counter() - began,
        cpu_seconds=time.process_time() - worked,
        deaths=sum(verdict.deaths for verdict in verdicts),
        calls=sum(verdict.calls for verdict in verdicts),
        repeated=sum(verdict.repeated for verdict in verdicts),
        broken={verdict.seed: verdict.broken for verdict in verdicts if verdict.broken},
    )


def read_ledger(file: Path) -> list[Batch]:
    """The batches that are finished; a line that a kill cut short is none."""
    found: list[Batch] = []
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            found.append(msgspec.json.decode(line, type=Batch))
        except msgspec.DecodeError:
            continue
    return found


def left_of(done: Iterable[Batch], most: int) -> list[int]:
    """The batches of the first `most` seeds, rounded up to whole batches, that are not done."""
    numbers = {batch.number for batch in done}
    return [number for number in range(-(-most // BATCH)) if number not in numbers]


def run_night(file: Path, most: int, processes: int) -> Iterator[Batch]:
    """Run the batches of the first `most` seeds that the ledger lacks, and note each as it ends."""
    left = left_of(read_ledger(file), most)
    file.parent.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    with file.open("ab") as ledger, ProcessPoolExecutor(processes, context) as pool:
        for batch in pool.map(run_batch, left):
            ledger.write(b"\n" + msgspec.json.encode(batch))
            ledger.flush()
            yield batch


def summary(batches: Sequence[Batch], processes: int) -> Summary:
    """All that they found."""
    return Summary(
        schedules=len(batches) * BATCH,
        seconds=round(sum(batch.seconds for batch in batches) / processes, 1),
        cpu_seconds=round(sum(batch.cpu_seconds for batch in batches) / processes, 1),
        processes=processes,
        deaths=sum(batch.deaths for batch in batches),
        calls=sum(batch.calls for batch in batches),
        repeated=sum(batch.repeated for batch in batches),
        broken=tuple(
            f"seed {seed}: {sentences[0]}" for batch in batches for seed, sentences in sorted(batch.broken.items())
        ),
    )
