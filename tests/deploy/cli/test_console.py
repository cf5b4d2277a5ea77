"""Output for people."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from quintet.cli.console import console, flush_at_end
from quintet.cli.progress import Progress
from quintet.runtime.counters import RunCounters

ROOT = Path(__file__).parents[2]


class Gone(io.StringIO):
    """A reader that is gone, or a disk that is full."""

    def __init__(self, error: OSError, *, terminal: bool = False) -> None:
        super().__init__()
        self._error = error
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal

    def write(self, _: str, /) -> int:
        raise self._error


def test_a_reader_that_is_gone_does_not_end_the_process() -> None:
    with pytest.raises(BrokenPipeError):
        console(Gone(BrokenPipeError())).print("anything")


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("error", [BrokenPipeError(), OSError(28, "No space left on device")])
def test_progress_goes_on_without_a_reader(error: OSError, terminal: bool) -> None:
    with Progress(RunCounters(total=1), "adapt", console(Gone(error, terminal=terminal))) as progress:
        progress.draw()
    assert progress.line().startswith("adapt: 0/1 episodes")


def test_output_that_cannot_be_flushed_is_dropped() -> None:
    code = (
        "import sys; from quintet.cli.console import flush_at_end\n"
        "try:\n"
        "    with flush_at_end(sys.stdout): print('a table')\n"
        "except OSError: sys.exit(3)"
    )
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (3, b"")


def test_a_missing_stream_is_not_flushed() -> None:
    with flush_at_end(None):
        pass
