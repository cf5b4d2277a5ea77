"""Worker processes: each plays one scenario after the other, and one that dies is replaced."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Annotated, Final, TypeAlias, TypeVar

import msgspec
from cyclopts import Parameter
from cyclopts.validators import Number

from tests.soak.kinds import Place, kind_of
from tests.soak.ledger import Line
from tests.soak.scenario import Verdict

JobT = TypeVar("JobT")
FoundT = TypeVar("FoundT")

Count: TypeAlias = Annotated[int, Parameter(validator=Number(gte=1))]
"""On a command line."""

CORES: Final = len(os.sched_getaffinity(0))
"""Those that this process may use."""


def work_off(work: Callable[[JobT], FoundT], jobs: Iterable[JobT], workers: int) -> Iterator[FoundT]:
    """Do jobs that cannot kill their process; each result as it comes. What has not begun is dropped at the end."""
    at_once = (signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a job at once and without a traceback
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, at_once)
    try:
        for done in as_completed([pool.submit(work, job) for job in jobs]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)


class Worker:
    """A process that plays scenarios, started with the first."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def play(self, place: Place) -> Line:
        """Play a scenario; where the process dies, that is what it found."""
        began = time.monotonic()
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(msgspec.json.encode(place) + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if answer:
            verdict = msgspec.json.decode(answer, type=Verdict)
        else:
            died = f"worker: expected a verdict, got its end with exit code {process.wait()}"
            verdict = Verdict(kind=place.kind, seed=place.seed, drawn={}, broken=(died,))
            self._process = None
        return Line(verdict=verdict, seconds=round(time.monotonic() - began, 3))

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            command = [sys.executable, "-m", "tests.soak.workers"]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process

    def close(self) -> None:
        """Let the process end, with what it started."""
        if self._process is not None:
            self._process.communicate()


def play_all(places: Iterable[Place], number: int) -> Iterator[Line]:
    """Play scenarios in so many workers; each as it ends."""
    waiting, lock, ended = iter(places), Lock(), SimpleQueue[Line | BaseException | None]()

    def work() -> None:
        worker = Worker()
        try:
            while True:
                with lock:
                    place = next(waiting, None)
                if place is None:
                    break
                ended.put(worker.play(place))
        except BaseException as error:  # noqa: BLE001  raised where it is waited for
            ended.put(error)
        finally:
            worker.close()
            ended.put(None)

    for _ in range(number):
        Thread(target=work, daemon=True).start()
    while number:
        line = ended.get()
        if isinstance(line, BaseException):
            raise line
        if line is None:
            number -= 1
        else:
            yield line


def main() -> None:
    """Play the scenarios that come in, until the other end closes."""
    out = sys.stdout.buffer
    sys.stdout = sys.stderr
    for line in sys.stdin:
        place = msgspec.json.decode(line, type=Place)
        out.write(msgspec.json.encode(kind_of(place.kind).check(place.seed)) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
