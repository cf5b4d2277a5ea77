"""Many schedules in several processes, batch after batch; a ledger keeps the batches, so that a night can go on."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from tests.soak.ledger import Ledger
from tests.soak.report import SchedulesResult
from tests.soak.schedules.promises import check
from tests.soak.workers import work_off

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


def left_of(done: Iterable[Batch], most: int) -> list[int]:
    """The batches of the first `most` seeds, rounded up to whole batches, that are not done."""
    numbers = {batch.number for batch in done}
    return [number for number in range(-(-most // BATCH)) if number not in numbers]


def run_night(ledger: Ledger[Batch], most: int, workers: int) -> Iterator[Batch]:
    """Run the batches of the first `most` seeds that the ledger lacks, and note each as it ends."""
    for batch in work_off(run_batch, left_of(ledger.lines, most), workers):
        ledger.add(batch)
        yield batch


def sum_up(batches: Sequence[Batch], workers: int) -> SchedulesResult:
    """All that they found."""
    broken = sorted((seed, sentences[0]) for batch in batches for seed, sentences in batch.broken.items())
    return SchedulesResult(
        schedules=len(batches) * BATCH,
        seconds=round(sum(batch.seconds for batch in batches) / workers, 1),
        cpu_seconds=round(sum(batch.cpu_seconds for batch in batches) / workers, 1),
        workers=workers,
        deaths=sum(batch.deaths for batch in batches),
        calls=sum(batch.calls for batch in batches),
        repeated=sum(batch.repeated for batch in batches),
        broken=tuple(f"seed {seed}: {sentence}" for seed, sentence in broken),
    )
