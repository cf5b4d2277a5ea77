"""Many schedules in several processes, batch after batch; a ledger keeps the batches, so that a night can go on."""

import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from msgspec import Struct

from tests.soak.schedules.promises import check

BATCH = 100
"""Schedules of a batch: the seeds from its number times this one on."""


class Broken(Struct, frozen=True, kw_only=True):
    """A seed whose schedule broke a promise."""

    seed: int
    sentences: tuple[str, ...]


class Batch(Struct, frozen=True, kw_only=True):
    """What a batch found."""

    number: int
    seconds: float
    """That it took."""
    cpu_seconds: float
    deaths: int
    calls: int
    repeated: int
    broken: tuple[Broken, ...]


class Summary(Struct, frozen=True, kw_only=True):
    """What all batches of a ledger found."""

    schedules: int
    per_second: float
    """In all processes together, where each works alone on a core."""
    deaths: int
    calls: int
    repeated: int
    broken: tuple[Broken, ...]


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
        broken=tuple(Broken(seed=each.seed, sentences=each.broken) for each in verdicts if each.broken),
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


def run_night(file: Path, most: int, processes: int) -> Iterator[Batch]:
    """Run the batches of the first `most` seeds that the ledger lacks, and note each as it ends."""
    done = {batch.number for batch in read_ledger(file)}
    left = [number for number in range(-(-most // BATCH)) if number not in done]
    file.parent.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    with file.open("ab") as ledger, ProcessPoolExecutor(processes, context) as pool:
        for batch in pool.map(run_batch, left):
            ledger.write(b"\n" + msgspec.json.encode(batch))
            ledger.flush()
            yield batch


def summary(batches: Sequence[Batch], processes: int) -> Summary:
    """All that they found."""
    schedules, worked = len(batches) * BATCH, sum(batch.cpu_seconds for batch in batches)
    return Summary(
        schedules=schedules,
        per_second=round(processes * schedules / worked, 1) if worked else 0.0,
        deaths=sum(batch.deaths for batch in batches),
        calls=sum(batch.calls for batch in batches),
        repeated=sum(batch.repeated for batch in batches),
        broken=tuple(each for batch in batches for each in batch.broken),
    )
