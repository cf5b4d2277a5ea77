"""Writers that are killed: what they acknowledged is there, and adding goes on to the same content."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.memory.ids import ids_of_version
from quintet.memory.reader import MemoryReader
from quintet.memory.store import Store
from tests.deploy.memory.samples import a_store, a_tuple, request

ROOT = Path(__file__).parents[3]

_WRITER = """
import sys
from pathlib import Path
from tests.deploy.memory.samples import a_store, a_tuple, request
store = a_store(Path(sys.argv[1]))
for place in range(100_000):
    store.add(request(tuple(a_tuple(action=f"do {place} {step}") for step in range(3)), place=place))
    print(place, flush=True)
"""


@pytest.mark.parametrize("processes", [1, 40])
def test_what_was_acknowledged_survives_a_kill_and_adding_goes_on(processes: int, tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    command = [sys.executable, "-c", _WRITER, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
        assert writer.stdout is not None
        for _ in range(processes):
            next(writer.stdout)
        os.kill(writer.pid, signal.SIGKILL)
    reader = MemoryReader.open(file)
    there = list(reader.tuples(ids_of_version(1)))
    reader.close()
    assert len(there) >= 3 * processes
    assert len(there) % 3 == 0  # every process whole
    whole, store = a_store(), Store(file, world="alfworld")
    for each in (store, whole):
        for place in range(len(there) // 3 + 5):
            each.add(request(tuple(a_tuple(action=f"do {place} {step}") for step in range(3)), place=place))
    assert store.seal(1) == whole.seal(1)
    store.close()


_ON_A_FULL_DISK = """
import resource, sys
from pathlib import Path
from quintet.errors import Fault, UsageError
from tests.deploy.memory.samples import a_memory
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    a_memory(Path(sys.argv[1])).close()
except (Fault, UsageError) as error:
    print(error)
"""


@pytest.mark.parametrize("size", [0, 5_000, 30_000, 60_000, 1_000_000])
def test_a_memory_that_met_a_full_disk_is_completed_when_there_is_room(size: int, tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    command = [sys.executable, "-c", _ON_A_FULL_DISK, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.startswith("memory: expected a file that can be written") == (size < 1_000_000), done.stdout
    subprocess.run([*command[:-1], str(10**9)], cwd=ROOT, check=True)
    reader = MemoryReader.open(file)
    assert reader.versions()[2].tuples == 6
    reader.close()
