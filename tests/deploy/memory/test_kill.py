"""Writers that are killed: what they acknowledged is there, and adding goes on to the same content."""

import os
import signal
import subprocess
import sys
from pathlib import Path

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


def test_what_was_acknowledged_survives_a_kill_and_adding_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "memory.sqlite"
    command = [sys.executable, "-c", _WRITER, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as writer:
        assert writer.stdout is not None
        for _ in range(40):
            next(writer.stdout)
        os.kill(writer.pid, signal.SIGKILL)
    reader = MemoryReader.open(file)
    there = list(reader.tuples(ids_of_version(1)))
    reader.close()
    assert len(there) >= 3 * 40
    assert len(there) % 3 == 0  # every process whole
    whole, store = a_store(), Store(file, world="alfworld")
    for each in (store, whole):
        for place in range(len(there) // 3 + 5):
            each.add(request(tuple(a_tuple(action=f"do {place} {step}") for step in range(3)), place=place))
    assert store.seal(1) == whole.seal(1)
    store.close()
