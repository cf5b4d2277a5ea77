"""An endpoint with a given latency, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scripted_server(answers: Sequence[str], folder: Path, latency: float) -> Generator[str, None, None]:
    """The address of an endpoint that gives the answers in order in every conversation, each after a latency.

    Args:
        folder: for the file of answers.
        latency: in seconds.
    """
    script = folder / "script.json"
    script.write_text(json.dumps(answers))
    command = [sys.executable, "-c", "import sys; from quintet.cli import main; sys.exit(main(sys.argv[1:]))"]
    serve = ["serve-sim", "--port", "0", "--model", "scripted", "--script", str(script), "--latency", f"{latency}s"]
    with subprocess.Popen([*command, *serve], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()
